// SPDX-License-Identifier: MIT
// The pictures of the demos: one row per task, interrupt, marker or signal. The height of a column grows with its share of the time; of a
// signal, with the number of its samples.
import type { OverviewRow } from '../series.js';
import { colourOfKind } from './colour.js';

/** 0..12 of `top`. The root keeps the short runs of a microcontroller visible beside its idle time. */
const levelOf = (share: number, top: number): number =>
  share > 0 ? Math.max(1, Math.round(Math.sqrt(share / top) * 12)) : 0;

/** One path per row: neighbouring columns of equal height become one rectangle. */
function bars(busy: readonly number[], top: number): string {
  let path = '';
  for (let from = 0; from < busy.length;) {
    const level = levelOf(busy[from] ?? 0, top);
    let to = from + 1;
    while (to < busy.length && levelOf(busy[to] ?? 0, top) === level) to += 1;
    if (level > 0) path += `M${from} 12h${to - from}v-${level}h-${to - from}z`;
    from = to;
  }
  return path;
}

/** Height of a row; what is below 12 keeps it apart from the next. */
const ROW = 15;

/** Nothing above this share: then all of it stays low. */
const FAINT = 0.02;

const isSignal = ({ kind }: OverviewRow): boolean => kind === 'signal';

/** The busiest column fills its row: the idle task, where there is one. */
const topOf = (rows: readonly OverviewRow[]): number =>
  Math.max(FAINT, ...rows.flatMap((row) => (isSignal(row) ? [] : row.busy)));

/** Rows of a report as a small picture. */
export function Picture({ rows }: { rows: readonly OverviewRow[] }) {
  const top = topOf(rows);
  return (
    <>
      {rows.map((row, index) => (
        <svg
          key={`${row.kind} ${row.name} ${index}`}
          class={`bars ${colourOfKind(row, index)}`}
          viewBox={`0 0 ${Math.max(1, row.busy.length)} ${ROW}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={bars(row.busy, isSignal(row) ? 1 : top)} />
        </svg>
      ))}
    </>
  );
}
