// SPDX-License-Identifier: MIT
// A moment of the report, and a way there.
import type { Report } from '../../../wasm/types.js';
import { timesOf } from '../format.js';
import { type Range, rangeOf } from '../io/perfetto.js';

/** null: the moment cannot be shown now */
export type OpenAt = ((range: Range) => void) | null;

interface TimeLinkProps {
  /** as in the report */
  time: string;
  /** of the slice that begins there; without: only the moment is known */
  length?: string;
  /** name of the tracks it is on, as the viewer shows it */
  track?: string;
  report: Report;
  onOpenAt: OpenAt;
}

export function TimeLink({ time, length = '0', track, report, onOpenAt }: TimeLinkProps) {
  const { moment, since } = timesOf(report);
  const title = `${since(time)} after the first event`;
  if (!onOpenAt) return <span title={title}>{moment(time)}</span>;
  return (
    <button
      type="button"
      class="link"
      title={`${title}: show it in the timeline`}
      onClick={() => onOpenAt(rangeOf(BigInt(time), BigInt(length), report, track))}
    >
      {moment(time)}
    </button>
  );
}
