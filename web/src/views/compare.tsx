// SPDX-License-Identifier: MIT
// Compares two recordings: the tables of one with the values of the other beside them.
import { useMemo } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import { type Loaded, type Recording, reportOf, titleOf } from '../job.js';
import { useReportCore } from '../io/report.js';

export const othersOf = (content: Loaded, recording: Recording): Recording[] =>
  content.recordings.filter((other) => other.id !== recording.id && other.conversion.kind === 'done');

/** A report whose tables contain the comparison; null: there is no other recording. */
export function useComparison(before: Recording | null, after: Report): Report | null {
  const core = useReportCore();
  const first = before && reportOf(before.conversion);
  return useMemo(() => {
    if (!core || !first) return null;
    const compared = JSON.parse(core.compare(JSON.stringify(first), JSON.stringify(after))) as Report;
    return { ...compared, tick: { ...after.tick, ...compared.tick } }; // "times are ticks" is not a figure to compare
  }, [core, first, after]);
}

interface Props {
  content: Loaded;
  others: Recording[];
  chosen: Recording | null;
  onChoose(id: string): void;
}

export function CompareWith({ content, others, chosen, onChoose }: Props) {
  if (!others.length) return null;
  return (
    <section class="compare" aria-label="Comparison">
      <label>
        Compare with{' '}
        <select value={chosen?.id ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">nothing</option>
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {titleOf(content, other)}
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <p class="hint">
          The tables show what changed from <bdi>{titleOf(content, chosen)}</bdi> (the first) to this recording (the
          second).
        </p>
      )}
    </section>
  );
}
