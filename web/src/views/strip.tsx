// SPDX-License-Identifier: MIT
// A glance at where the time went. One row per task or interrupt; a column's height grows with the share of its time.
import { useState } from 'preact/hooks';
import type { Report, StripRow } from '../../../wasm/types.js';
import { percent, timesOf } from '../format.js';
import { around } from '../io/perfetto.js';
import { colourOf } from './colour.js';
import type { OpenAt } from './time-link.js';

/** 0..12 of `top`. The root keeps the short runs of a microcontroller visible beside its idle time. */
const levelOf = (share: number, top: number): number => (share > 0 ? Math.max(1, Math.round(Math.sqrt(share / top) * 12)) : 0);

/** One path per row: neighbouring columns of equal height become one rectangle. */
function bars(busy: readonly number[], top: number): string {
  let path = '';
  for (let from = 0; from < busy.length; ) {
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

function Row({ row, index, top }: { row: StripRow; index: number; top: number }) {
  return (
    <svg class={`bars ${colourOf(row, index)}`} viewBox={`0 0 ${Math.max(1, row.busy.length)} ${ROW}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={bars(row.busy, top)} />
    </svg>
  );
}

/** Nothing above this share: then all of it stays low. */
const FAINT = 0.02;

/** The busiest column fills its row: the idle task, where there is one. */
export function StripPicture({ rows }: { rows: readonly StripRow[] }) {
  const top = Math.max(FAINT, ...rows.flatMap(({ busy }) => busy));
  return <>{rows.map((row, index) => <Row key={`${row.kind} ${row.name} ${index}`} row={row} index={index} top={top} />)}</>;
}

interface StripProps {
  report: Report;
  /** null: the viewer cannot be opened now */
  onOpenAt: OpenAt;
}

const isTyped = (key: string): boolean => ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key);

function moved(key: string, at: number, last: number): number {
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: Math.ceil(last / 10), PageDown: -Math.ceil(last / 10) }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return Math.min(last, Math.max(0, at + (step ?? 0)));
}

/** Whatever ran in a column has at least this share in the report. */
const LEAST = 0.001;

/** What was going on in one column, busiest first. */
function busiest(rows: readonly StripRow[], at: number): string {
  return rows
    .map((row) => ({ name: row.name, share: row.busy[at] ?? 0 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${share <= LEAST ? '≤ ' : ''}${percent(share)}`)
    .join(', ');
}

export function Strip({ report, onOpenAt }: StripProps) {
  const { rows, startNs, bucketNs } = report.strip;
  const { moment } = timesOf(report);
  const columns = rows.reduce((most, row) => Math.max(most, row.busy.length), 0);
  const [at, setAt] = useState<number | null>(null);
  if (!rows.length || !columns) return null;
  const timeAt = (column: number): bigint => BigInt(startNs) + BigInt(bucketNs) * BigInt(column);
  const column = Math.min(at ?? 0, columns - 1);
  const now = `${moment(timeAt(column))}: ${busiest(rows, column) || 'nothing'}`;
  const columnAt = (event: MouseEvent): number => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * columns)));
  };
  const open = (column: number): void => onOpenAt?.(around(timeAt(column) + BigInt(bucketNs) / 2n, report));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      open(column);
    } else if (isTyped(event.key)) {
      event.preventDefault();
      setAt(moved(event.key, column, columns - 1));
    }
  };
  return (
    <section class="panel strip" aria-label="A glance at the recording">
      <div class="strip-grid">
        <div class="strip-names">
          {rows.map((row, index) => (
            <span key={`${row.name} ${index}`} title={row.name}>{row.name}</span>
          ))}
        </div>
        <div
          class="strip-field"
          role="slider"
          tabIndex={0}
          aria-label="Position of the playback head"
          aria-valuemin={0}
          aria-valuemax={columns - 1}
          aria-valuenow={column}
          aria-valuetext={now}
          onMouseMove={(event) => setAt(columnAt(event))}
          onMouseLeave={() => setAt(null)}
          onFocus={() => setAt((known) => known ?? 0)}
          onBlur={() => setAt(null)}
          onClick={(event) => open(columnAt(event))}
          onKeyDown={onKeyDown}
        >
          <StripPicture rows={rows} />
          {at !== null && <span class="strip-head" style={{ left: `${((column + 0.5) / columns) * 100}%` }} />}
        </div>
        <div class="strip-scale" aria-hidden="true">
          {at === null ? (
            [0, 0.25, 0.5, 0.75, 1].map((share) => <span key={share}>{moment(timeAt(0) + (BigInt(report.time.durationNs) * BigInt(share * 4)) / 4n)}</span>)
          ) : (
            <span class="strip-now">{now}{onOpenAt && ' · click to look at it in the viewer'}</span>
          )}
        </div>
      </div>
    </section>
  );
}
