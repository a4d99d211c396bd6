// SPDX-License-Identifier: MIT
// What ends a live recording by itself, and how much of the time around it is of interest.
import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ExpectationError } from '../../../wasm/errors.js';
import type { ReportCore } from '../../../wasm/reports.js';
import type { Report } from '../../../wasm/types.js';
import { useReportCore } from '../io/report.js';
import type { LiveSession } from './session.js';

const KINDS = [
  ['never', 'never'],
  ['lost', 'an event is lost'],
  ['damage', 'the recording is damaged'],
  ['finding', 'a problem is found'],
  ['rule', 'this rule fails'],
  ['name', 'this marker or name appears'],
] as const;
export type ConditionKind = (typeof KINDS)[number][0];

export interface Condition {
  kind: ConditionKind;
  /** rule, or name */
  text: string;
  /** seconds of the target */
  before: number;
  after: number;
}

const countOf = (report: Report, kind: ConditionKind): number => {
  if (kind === 'lost') return report.events.lost;
  if (kind === 'damage') return report.problems.filter(({ severity }) => severity === 'damage').length;
  return (report.findings ?? []).filter(({ severity }) => severity === 'problem').length;
};

function fails(core: ReportCore, json: string, rule: string): boolean {
  try {
    core.expect(json, rule);
    return false;
  } catch (error) {
    return error instanceof ExpectationError && error.code === 'fails';
  }
}

/** Returns the time of the first item with this name from `from` on, in ticks; null: none. */
async function appeared({ timeline }: LiveSession, text: string, from: bigint): Promise<bigint | null> {
  const hits = await timeline.ask({ kind: 'find', text });
  const items = await Promise.all(
    hits.map(({ row, value }) => timeline.ask({ kind: 'from', row, ticks: from, value })),
  );
  const [first] = items.flatMap((item) => (item ? [item.begin] : [])).sort((a, b) => Number(a - b));
  return first ?? null;
}

/** Ends the recording after the condition is met. Returns when it was met, in ticks; null: not yet. */
export function useStop(session: LiveSession, condition: Condition): bigint | null {
  const core = useReportCore();
  const [met, setMet] = useState<bigint | null>(null);
  const armed = useRef({ count: 0, ticks: 0n });
  const { kind, text, before, after } = condition;
  const { report, reportJson, timeline } = session;
  useEffect(() => {
    setMet(null);
    armed.current = { count: report ? countOf(report, kind) : 0, ticks: timeline.facts?.last ?? 0n };
  }, [kind, text]);
  useEffect(() => {
    const last = timeline.facts?.last;
    if (kind === 'never' || met !== null || !report || last === undefined) return;
    if (kind === 'name') {
      const since = armed.current;
      const meet = (at: bigint | null): void => void (at !== null && since === armed.current && setMet(at));
      if (text) void appeared(session, text, since.ticks).then(meet);
    } else if (kind === 'rule') {
      if (core && text && fails(core, reportJson, text)) setMet(last);
    } else if (countOf(report, kind) > armed.current.count) setMet(last);
  }, [report, core, kind, text, met]);
  useEffect(() => {
    if (met === null) return;
    const { tickNs = 1n } = timeline.facts ?? {};
    const ticks = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9)) / (tickNs || 1n);
    const from = met > ticks(before) ? met - ticks(before) : 0n,
      to = met + ticks(after);
    session.interest = { startNs: from * tickNs, endNs: to * tickNs };
    const timer = setTimeout(() => session.stop(), after * 1000 + 1000); // the target may send nothing more
    const unsubscribe = timeline.subscribe(() => {
      if ((timeline.facts?.last ?? 0n) >= to) session.stop();
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [met]);
  return met;
}

/** A field whose text counts when the user has finished it: the page is drawn again while he types. */
function Field({ value, onDone, ...attributes }: { value: string; onDone(value: string): void } & InputHTMLAttributes) {
  const [text, setText] = useState(value);
  return (
    <input
      {...attributes}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => onDone(event.currentTarget.value.trim())}
    />
  );
}

interface Props {
  condition: Condition;
  isMet: boolean;
  onChange(condition: Condition): void;
}

export function StopWhen({ condition, isMet, onChange }: Props) {
  const core = useReportCore();
  const { kind, text, before, after } = condition;
  const wrong = kind === 'rule' && text ? core?.checkExpectation(text) : null;
  const seconds = (label: string, value: number, key: 'before' | 'after') => (
    <label>
      <Field
        class="live-seconds"
        inputMode="decimal"
        value={String(value)}
        onDone={(typed) => onChange({ ...condition, [key]: Math.min(3600, Math.max(0, Number(typed) || 0)) })}
      />{' '}
      {label}
    </label>
  );
  return (
    <span class="live-stop-when">
      <label for="live-condition">stop when</label>
      <select
        id="live-condition"
        value={kind}
        onChange={(event) => onChange({ ...condition, kind: event.currentTarget.value as ConditionKind, text: '' })}
      >
        {KINDS.map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {(kind === 'rule' || kind === 'name') && (
        <Field
          key={kind}
          aria-label={kind === 'rule' ? 'Rule that must hold' : 'Name'}
          placeholder={kind === 'rule' ? 'cpu.load<80%' : 'name'}
          title={wrong ?? ''}
          aria-invalid={!!wrong}
          spellcheck={false}
          value={text}
          onDone={(typed) => onChange({ ...condition, text: typed })}
        />
      )}
      {kind !== 'never' && (
        <>
          {seconds('s before', before, 'before')}
          {seconds('s after', after, 'after')}
        </>
      )}
      {wrong && <span class="field-error">{wrong}</span>}
      {isMet && <b role="status">Met: the recording ends.</b>}
    </span>
  );
}
