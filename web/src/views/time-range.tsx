// SPDX-License-Identifier: MIT
// A part of the time: chosen in the strip or typed with units, looked at in the viewer, or the only one that the trace holds.
import { useState } from 'preact/hooks';
import { limitOf, timeRangeOf, traceNs, traceTimeOf, unitsPerNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { parseTime, timesOf } from '../format.js';
import { openInViewer } from '../handoff.js';
import { type Output, type Recording, isSlow, partSeconds } from '../job.js';
import { dispatch } from '../store.js';
import type { OverviewRow } from '../series.js';
import { type Part, Strip } from './overview.js';
import type { OpenAt } from './time-link.js';
import { partAround } from '../io/perfetto.js';

/** What the trace is limited to; null: it holds everything. */
function keptOf({ options: { 'from-ns': from, 'to-ns': to } }: Recording, report: Report): Part | null {
  const timeOf = (ns: string | undefined, otherwise: bigint): bigint =>
    ns === undefined ? otherwise : traceTimeOf(ns, report) / traceNs(report);
  const { start, end } = timeRangeOf(report);
  return from === undefined && to === undefined ? null : { from: timeOf(from, start), to: timeOf(to, end) };
}

function setRange(recording: Recording, report: Report, part: Part | null): void {
  const at = (moment: bigint): string => limitOf(moment * traceNs(report), report);
  dispatch({
    type: 'options',
    recording: recording.id,
    change: { 'from-ns': part && at(part.from), 'to-ns': part && at(part.to) },
  });
}

/** "20 ms" as a moment of the trace. */
const momentOf = (text: string, report: Report): bigint | null => parseTime(text, timesOf(report).unit);

/** The part that is chosen, what was typed in place of its ends since, and what is wrong with that. */
interface Choice {
  part: Part;
  typed: { from?: string; to?: string };
  wrong: string;
}

const choiceOf = (part: Part): Choice => ({ part, typed: {}, wrong: '' });

interface FormProps {
  recording: Recording;
  output: Output;
  choice: Choice;
  onChoice(choice: Choice | null): void;
  onOpenAt: OpenAt;
}

/** Each null: no moment; now: null where they are no part. */
function readChoice(
  { part, typed }: Choice,
  report: Report,
): { from: bigint | null; to: bigint | null; now: Part | null } {
  const from = typed.from === undefined ? part.from : momentOf(typed.from, report);
  const to = typed.to === undefined ? part.to : momentOf(typed.to, report);
  return {
    from,
    to,
    now: from !== null && to !== null && from < to && from < timeRangeOf(report).end ? { from, to } : null,
  };
}

/** Share of what the trace holds. */
const shareOf = ({ from, to }: Part, { report, heldNs }: Output): number =>
  Number((to - from) * traceNs(report)) / Math.max(1, heldNs);

function PartForm({ recording, output, choice, onChoice, onOpenAt }: FormProps) {
  const { report } = output;
  const slow = isSlow(output);
  const { moment, duration, unit } = timesOf(report);
  const { part, typed, wrong } = choice;
  const { from, to, now } = readChoice(choice, report);
  const last = timeRangeOf(report).end;
  const whyNot = (): string => {
    if (from === null || to === null)
      return !unitsPerNs(unit)
        ? `A moment is a number of ${unit}.`
        : 'A moment is a number with a unit, as 20 ms or 1.5 s.';
    return from >= to ? 'The end has to be behind the beginning.' : `The recording ends at ${moment(last)}.`;
  };
  const chosen = (): Part | null => {
    if (!now) onChoice({ ...choice, wrong: whyNot() });
    return now;
  };
  const cut = (event: Event): void => {
    event.preventDefault();
    const range = chosen();
    if (range) setRange(recording, report, range);
  };
  const look = (): void => {
    const range = chosen();
    if (range) onOpenAt?.({ startNs: range.from * traceNs(report), endNs: range.to * traceNs(report) });
  };
  const open = (): void => {
    const range = chosen();
    const held = range && { startNs: range.from * traceNs(report), endNs: range.to * traceNs(report) };
    if (held) openInViewer(recording.id, held, held);
  };
  const field = (name: 'from' | 'to', label: string, time: bigint) => (
    <label>
      {label}{' '}
      <input
        size={15}
        value={typed[name] ?? moment(time)}
        aria-invalid={wrong !== ''}
        onInput={(event) => onChoice({ part, typed: { ...typed, [name]: event.currentTarget.value }, wrong: '' })}
      />
    </label>
  );
  return (
    <form class="time-range" onSubmit={cut} noValidate>
      {field('from', 'From', part.from)}
      {field('to', 'to', part.to)}
      <span class="hint">
        {now && duration(now.to - now.from)}
        {now && slow && `, about ${Math.ceil(partSeconds(output, shareOf(now, output)))} s to open`}
      </span>
      <span class="buttons">
        {slow && (
          <button type="button" class="button primary small" onClick={open}>
            Open this part
          </button>
        )}
        <button type="submit" class="button small">
          Keep only this part
        </button>
        {onOpenAt && !slow && (
          <button type="button" class="button small" onClick={look}>
            Look at it
          </button>
        )}
        <button type="button" class="button quiet small" onClick={() => onChoice(null)}>
          Never mind
        </button>
      </span>
      <p class="field-error" role="alert">
        {wrong}
      </p>
    </form>
  );
}

interface GlanceProps {
  recording: Recording;
  output: Output;
  lit: OverviewRow | null;
  marks: readonly bigint[];
  looked: bigint | null;
  onOpenAt: OpenAt;
}

/** What the button for the keyboard begins with: everything, or as much of the beginning as the viewer shows at once. */
function firstPart(output: Output, whole: Part): Part {
  if (!isSlow(output)) return whole;
  const ns = traceNs(output.report),
    { endNs } = partAround({ startNs: whole.from * ns, endNs: whole.from * ns }, output);
  return { from: whole.from, to: endNs / ns };
}

export function UtilisationOverview({ recording, output, lit, marks, looked, onOpenAt }: GlanceProps) {
  const { report } = output;
  const [choice, setChoice] = useState<Choice | null>(null);
  const choose = (part: Part | null): void => setChoice(part && choiceOf(part));
  const kept = keptOf(recording, report);
  const { moment } = timesOf(report);
  const { start, end } = timeRangeOf(report);
  const whole: Part = { from: start, to: end };
  if (whole.to === whole.from) return null; // no time to choose from
  return (
    <section class="panel strip" aria-label="A glance at the recording">
      <Strip
        report={report}
        lit={lit}
        part={choice ? (readChoice(choice, report).now ?? choice.part) : kept}
        marks={marks}
        looked={looked}
        onPart={choose}
        onOpenAt={onOpenAt}
      />
      <div class="strip-foot">
        {report.time_note && <p class="hint">{report.time_note}</p>}
        {kept && (
          <p>
            The trace holds {moment(kept.from)} to {moment(kept.to)}, and the viewer counts from there. The figures are
            of the whole recording.{' '}
            <button type="button" class="link" onClick={() => setRange(recording, report, null)}>
              Keep all of it
            </button>
          </p>
        )}
        {choice ? (
          <PartForm recording={recording} output={output} choice={choice} onChoice={setChoice} onOpenAt={onOpenAt} />
        ) : (
          <button type="button" class="link" onClick={() => choose(kept ?? firstPart(output, whole))}>
            Choose a part of the time
          </button>
        )}
      </div>
    </section>
  );
}
