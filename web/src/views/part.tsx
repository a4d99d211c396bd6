// SPDX-License-Identifier: MIT
// A part of the time: chosen in the strip or typed with units, looked at in the viewer, or the only one that the trace holds.
import { useState } from 'preact/hooks';
import { traceNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { parseTime, timesOf } from '../format.js';
import type { Recording } from '../job.js';
import { dispatch } from '../store.js';
import type { StripRow } from '../series.js';
import { type Part, Strip } from './strip.js';
import type { OpenAt } from './time-link.js';

/** What the trace is limited to; null: it holds everything. */
function keptOf({ options: { 'from-ns': from, 'to-ns': to } }: Recording, report: Report): Part | null {
  return from === undefined && to === undefined ? null : { fromNs: from === undefined ? BigInt(report.time.start) : BigInt(from) / traceNs(report), toNs: to === undefined ? BigInt(report.time.end) : BigInt(to) / traceNs(report) };
}

function setRange(recording: Recording, report: Report, part: Part | null): void {
  const at = (moment: bigint): string => String(moment * traceNs(report));
  dispatch({ type: 'options', recording: recording.id, change: { 'from-ns': part && at(part.fromNs), 'to-ns': part && at(part.toNs) } });
}

/** "20 ms" as a moment of the trace. */
function momentOf(text: string, report: Report): bigint | null {
  const ns = parseTime(text, timesOf(report).unit);
  return ns === null ? null : BigInt(report.time.start) + ns;
}

function PartForm({ recording, report, part, onPart, onOpenAt }: { recording: Recording; report: Report; part: Part; onPart(part: Part | null): void; onOpenAt: OpenAt }) {
  const { moment, duration, unit } = timesOf(report);
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const [wrong, setWrong] = useState('');
  const chosen = (): Part | null => {
    const fromNs = typed.from === undefined ? part.fromNs : momentOf(typed.from, report);
    const toNs = typed.to === undefined ? part.toNs : momentOf(typed.to, report);
    if (fromNs === null || toNs === null) setWrong(unit !== 'ns' ? `A moment is a number of ${unit}.` : 'A moment is a number with a unit, as 20 ms or 1.5 s.');
    else if (fromNs >= toNs) setWrong('The end has to be behind the beginning.');
    else return { fromNs, toNs };
    return null;
  };
  const cut = (event: Event): void => {
    event.preventDefault();
    const range = chosen();
    if (range) setRange(recording, report, range);
  };
  const look = (): void => {
    const range = chosen();
    if (range) onOpenAt?.({ startNs: range.fromNs * traceNs(report), endNs: range.toNs * traceNs(report) });
  };
  const field = (name: 'from' | 'to', label: string, ns: bigint) => (
    <label>{label} <input size={11} value={typed[name] ?? moment(ns)} aria-invalid={wrong !== ''} onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })} /></label>
  );
  return (
    <form class="part" onSubmit={cut} noValidate>
      {field('from', 'From', part.fromNs)}
      {field('to', 'to', part.toNs)}
      <span class="hint">{duration(part.toNs - part.fromNs)}</span>
      <span class="keys">
        <button type="submit" class="key small">Keep only this part</button>
        {onOpenAt && <button type="button" class="key small" onClick={look}>Look at it</button>}
        <button type="button" class="key quiet small" onClick={() => onPart(null)}>Never mind</button>
      </span>
      <p class="wrong" role="alert">{wrong}</p>
    </form>
  );
}

interface GlanceProps {
  recording: Recording;
  report: Report;
  lit: StripRow | null;
  marks: readonly bigint[];
  looked: bigint | null;
  onOpenAt: OpenAt;
}

export function Glance({ recording, report, lit, marks, looked, onOpenAt }: GlanceProps) {
  const [part, setPart] = useState<Part | null>(null);
  const kept = keptOf(recording, report);
  const { moment } = timesOf(report);
  const whole: Part = { fromNs: BigInt(report.time.start), toNs: BigInt(report.time.end) };
  return (
    <section class="panel strip" aria-label="A glance at the recording">
      <Strip report={report} lit={lit} part={part ?? kept} marks={marks} looked={looked} onPart={setPart} onOpenAt={onOpenAt} />
      <div class="strip-foot">
        {kept && (
          <p>
            The trace holds {moment(kept.fromNs)} to {moment(kept.toNs)}, and the viewer counts from there. The figures are of the whole recording.{' '}
            <button type="button" class="link" onClick={() => setRange(recording, report, null)}>Keep all of it</button>
          </p>
        )}
        {part ? <PartForm key={`${part.fromNs} ${part.toNs}`} recording={recording} report={report} part={part} onPart={setPart} onOpenAt={onOpenAt} />
          : whole.toNs > whole.fromNs && <button type="button" class="link" onClick={() => setPart(kept ?? whole)}>Choose a part of the time</button>}
      </div>
    </section>
  );
}
