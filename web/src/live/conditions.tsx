// SPDX-License-Identifier: MIT
// What ends a live recording by itself, and how much of the time around it is of interest.
import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ExpectationError } from '../../../wasm/errors.js';
import { traceNs } from '../../../wasm/report.js';
import type { ReportCore } from '../../../wasm/reports.js';
import type { Report } from '../../../wasm/types.js';
import type { Range } from '../io/perfetto.js';
import { useReportCore } from '../io/report.js';
import type { Facts } from '../timeline/engine.js';
import type { LiveSession } from './session.js';

const KINDS = [
  ['never', 'never'],
  ['lost', 'an event is lost'],
  ['damage', 'the recording is damaged'],
  ['fault', 'the target crashes'],
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

const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0);

/** Returns how often the condition was met; only for conditions that a report counts. */
function countOf({ events, problems, findings = [] }: Report, kind: ConditionKind): number {
  switch (kind) {
    case 'lost':
      return events.lost;
    case 'damage':
      return sum(problems.filter(({ severity }) => severity === 'damage'));
    case 'fault':
      return sum(problems.filter(({ id }) => id === 'TARGET_FAULT'));
    default:
      return sum(findings.filter(({ severity }) => severity === 'problem'));
  }
}

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

/** Nanoseconds of the trace; ticks, if their length is unknown. */
const nsOf = (ticks: bigint, { tickNs }: Facts): bigint => ticks * (tickNs || 1n);

/** The time of the last event in a report, in nanoseconds of the trace. */
const lastOf = (report: Report | null): bigint => (report ? BigInt(report.time.last) * traceNs(report) : 0n);

/** Ends the recording after the condition is met. Returns the time range in which that was; null: not yet. */
export function useStop(session: LiveSession, condition: Condition): Range | null {
  const core = useReportCore(condition.kind === 'rule');
  const [met, setMet] = useState<Range | null>(null);
  /** since the condition was chosen: what counted before, and the last time at which it was not met */
  const armed = useRef({ count: 0, ticks: 0n, lastNs: 0n });
  const { kind, text, before, after } = condition;
  const { report, reportJson, timeline } = session;
  useEffect(() => {
    setMet(null);
    const count = report ? countOf(report, kind) : 0;
    armed.current = { count, ticks: timeline.facts?.last ?? 0n, lastNs: lastOf(report) };
  }, [kind, text]);
  useEffect(() => {
    const { facts } = timeline;
    if (kind === 'never' || met !== null || !report || !facts) return;
    const since = armed.current;
    if (kind === 'name') {
      const meet = (at: bigint | null): void => {
        if (at === null || since !== armed.current) return;
        const ns = nsOf(at, facts);
        setMet({ startNs: ns, endNs: ns });
      };
      if (text) void appeared(session, text, since.ticks).then(meet);
      return;
    }
    const isRule = kind === 'rule';
    const isMet = isRule ? core && text && fails(core, reportJson, text) : countOf(report, kind) > since.count;
    const first = nsOf(facts.first, facts);
    if (isMet) setMet({ startNs: since.lastNs > first ? since.lastNs : first, endNs: lastOf(report) });
    else since.lastNs = lastOf(report);
  }, [report, core, kind, text, met]);
  useEffect(() => {
    if (met === null) return;
    const ns = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9));
    const startNs = met.startNs > ns(before) ? met.startNs - ns(before) : 0n,
      endNs = met.endNs + ns(after);
    session.interest = { startNs, endNs };
    const timer = setTimeout(() => session.stop(), after * 1000 + 1000); // the target may send nothing more
    const unsubscribe = timeline.subscribe(() => {
      if (timeline.facts && nsOf(timeline.facts.last, timeline.facts) >= endNs) session.stop();
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
  const { kind, text, before, after } = condition;
  const core = useReportCore(kind === 'rule');
  const wrong = kind === 'rule' && text ? core?.checkExpectation(text) : null;
  const seconds = (label: string, value: number, key: 'before' | 'after') => (
    <label title="This time is marked when the recording has ended. The recording keeps everything.">
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
