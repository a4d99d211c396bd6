// SPDX-License-Identifier: MIT
// The pictures of the demos: one row per task, interrupt, track or signal. The height of a column grows with its share of the time; of a
// signal, with its value.
import { INTERRUPT, colourAt } from './colour.js';

interface PictureRow {
  kind: 'task' | 'interrupt';
  /** 0..1 */
  busy: number[];
}

/** 0..12. The root keeps the short runs of a microcontroller visible beside its idle time. */
const levelOf = (share: number): number => (share > 0 ? Math.max(1, Math.round(Math.sqrt(share) * 12)) : 0);

/** One path per row: neighbouring columns of equal height become one rectangle. */
function bars(busy: readonly number[]): string {
  let path = '';
  for (let from = 0; from < busy.length;) {
    const level = levelOf(busy[from] ?? 0);
    let to = from + 1;
    while (to < busy.length && levelOf(busy[to] ?? 0) === level) to += 1;
    if (level > 0) path += `M${from} 12h${to - from}v-${level}h-${to - from}z`;
    from = to;
  }
  return path;
}

/** Height of a row; what is below 12 keeps it apart from the next. */
const ROW = 15;

/** Rows as a small picture. */
export function Picture({ rows }: { rows: readonly PictureRow[] }) {
  return (
    <>
      {rows.map((row, index) => (
        <svg
          key={index}
          class={`bars ${row.kind === 'interrupt' ? INTERRUPT : colourAt(index)}`}
          viewBox={`0 0 ${Math.max(1, row.busy.length)} ${ROW}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={bars(row.busy)} />
        </svg>
      ))}
    </>
  );
}
