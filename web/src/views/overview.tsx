// SPDX-License-Identifier: MIT
// A glance at where the time went. One row per task, interrupt, marker or signal; a column's height grows with the share of its
// time, of a signal with the number of its samples.
// A part of it can be chosen, with the pointer or the keyboard.
import { useMemo, useState } from 'preact/hooks';
import { timeRangeOf } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { axisTicks, percent, timesOf } from '../format.js';
import { around } from '../io/perfetto.js';
import { type Colours, coloursOf, colourOfKind } from './colour.js';
import { LEAST, type OverviewRow, throughout } from '../series.js';
import { inTableOrder } from './order.js';
import type { OpenAt } from './time-link.js';

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

export function OverviewPicture({
  rows,
  colours = colourOfKind,
  lit = -1,
}: {
  rows: readonly OverviewRow[];
  colours?: Colours;
  lit?: number;
}) {
  const top = topOf(rows);
  return (
    <>
      {rows.map((row, index) => (
        <svg
          key={`${row.kind} ${row.name} ${index}`}
          class={`bars ${colours(row, index)}${lit < 0 || lit === index ? '' : ' dim'}`}
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

const isTyped = (key: string): boolean =>
  ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key);

function moved(key: string, at: number, last: number): number {
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: Math.ceil(last / 10), PageDown: -Math.ceil(last / 10) }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return Math.min(last, Math.max(0, at + (step ?? 0)));
}

/** What was going on in one column, busiest first. */
function busiest(rows: readonly OverviewRow[], at: number): string {
  return rows
    .filter((row) => !isSignal(row))
    .map((row) => ({ name: row.name, share: row.busy[at] ?? 0 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${share <= LEAST ? '≤ ' : ''}${percent(share)}`)
    .join(', ');
}

/** Signals with a sample in one column. */
function sampled(rows: readonly OverviewRow[], at: number): string {
  const names = rows.filter((row) => isSignal(row) && row.busy[at]).map(({ name }) => name);
  const further = names.length > 4 ? ` and ${names.length - 4} more` : '';
  return names.length ? `samples of ${names.slice(0, 4).join(', ')}${further}` : '';
}

/** A part of the time line, in times of the report. */
export interface Part {
  from: bigint;
  to: bigint;
}

/** Where there is nothing to draw, the time line alone has so many columns. */
const MOST = 256n;

/** Columns of the strip as moments. */
class Columns {
  readonly count: number;
  readonly #start: bigint;
  readonly #bucket: bigint;
  readonly #end: bigint;

  constructor(report: Report) {
    const { series, strip } = report,
      { start, end, duration } = timeRangeOf(report);
    const columns = series.reduce((most, { values }) => Math.max(most, values.length), 0);
    [this.#start, this.#bucket] =
      columns && strip.start !== null && strip.bucket !== null
        ? [BigInt(strip.start), BigInt(strip.bucket)]
        : [start, duration / MOST + 1n];
    this.#end = end;
    this.count = columns || Number(duration / this.#bucket) + 1;
  }

  get bucket(): bigint {
    return this.#bucket;
  }

  timeOf(column: number): bigint {
    return this.#start + this.#bucket * BigInt(column);
  }

  /** Both columns are in it. */
  part(a: number, b: number): Part {
    const to = this.timeOf(Math.max(a, b) + 1);
    return { from: this.timeOf(Math.min(a, b)), to: to < this.#end ? to : this.#end };
  }

  /** Where a moment is, 0..1 of the width. */
  shareOf(time: bigint): number {
    return Math.min(1, Math.max(0, Number(time - this.#start) / (Number(this.#bucket) * this.count)));
  }

  at(event: MouseEvent): number {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(this.count - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * this.count)));
  }
}

const percentOf = (share: number): string => `${share * 100}%`;

/** What is centred on a moment behind this share of the width would stand out. */
const NEAR_END = 0.94;

function Scale({ report, columns }: { report: Report; columns: Columns }) {
  const { duration, moment } = timesOf(report);
  const whole = Number(columns.bucket) * columns.count,
    start = columns.timeOf(0);
  const label = (time: number): string =>
    time === 0 ? (start ? moment(start) : '0') : `${start ? '+' : ''}${duration(BigInt(time))}`;
  return (
    <div class="strip-scale" aria-hidden="true">
      {axisTicks(whole).map((time) => (
        <span
          key={time}
          class={time > whole * NEAR_END ? 'at-end' : undefined}
          style={{ left: percentOf(time / whole) }}
        >
          {label(time)}
        </span>
      ))}
    </div>
  );
}

/** What is the same at the beginning of every path tells nothing. */
function sharedPath(names: readonly string[]): number {
  const [first = '', ...others] = names;
  let length = first.lastIndexOf('/') + 1;
  while (length && !others.every((name) => name.startsWith(first.slice(0, length))))
    length = first.lastIndexOf('/', length - 2) + 1;
  return length;
}

function Names({ rows, report, lit }: { rows: readonly OverviewRow[]; report: Report; lit: number }) {
  const cores = report.cores.length > 1;
  const shared = sharedPath(rows.filter(isSignal).map(({ name }) => name));
  const shown = (row: OverviewRow): string => (isSignal(row) ? row.name.slice(shared) : row.name);
  return (
    <div class="strip-names">
      {rows.map((row, index) => (
        <span key={`${row.name} ${index}`} title={row.name} class={lit === index ? 'highlighted' : undefined}>
          {shown(row)}
          {cores && row.core !== null && <small> core {row.core}</small>}
        </span>
      ))}
    </div>
  );
}

interface FieldProps {
  report: Report;
  rows: readonly OverviewRow[];
  columns: Columns;
  part: Part | null;
  marks: readonly bigint[];
  looked: bigint | null;
  /** the row that stands out, -1: none */
  lit: number;
  onPart(part: Part | null): void;
  onOpenAt: OpenAt;
  /** what the head is over, null: nothing */
  onNow(words: string | null): void;
}

/** Where the head is, and where a selection began. */
interface Head {
  at: number | null;
  anchor: number | null;
  /** the pointer is held down */
  held: boolean;
}

function Field({ report, rows, columns, part, marks, looked, lit, onPart, onOpenAt, onNow }: FieldProps) {
  const [head, setHead] = useState<Head>({ at: null, anchor: null, held: false });
  const column = Math.min(head.at ?? 0, columns.count - 1);
  const { moment } = timesOf(report);
  const wordsAt = (at: number): string =>
    !rows.length
      ? moment(columns.timeOf(at))
      : `${moment(columns.timeOf(at))}: ${[busiest(rows, at), sampled(rows, at)].filter(Boolean).join('; ') || 'nothing'}`;
  const move = (next: Head): void => {
    setHead(next);
    onNow(next.at === null ? null : wordsAt(next.at));
  };
  const open = (at: number): void => {
    onOpenAt?.(around(columns.timeOf(at) + columns.bucket / 2n, report));
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    move({ at: columns.at(event), anchor: columns.at(event), held: true });
  };
  const onPointerMove = (event: PointerEvent): void => {
    const at = columns.at(event);
    move({ ...head, at });
    if (head.held && head.anchor !== null && at !== head.anchor) onPart(columns.part(head.anchor, at));
  };
  const onPointerUp = (event: PointerEvent): void => {
    if (head.held && head.anchor === columns.at(event)) {
      onPart(null);
      open(columns.at(event));
    }
    setHead({ ...head, held: false, anchor: null });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') open(column);
    else if (event.key === 'Escape' && part) onPart(null);
    else if (isTyped(event.key)) {
      const at = moved(event.key, column, columns.count - 1);
      const anchor = event.shiftKey ? (head.anchor ?? column) : null;
      move({ at, anchor, held: false });
      if (anchor !== null) onPart(columns.part(anchor, at));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="strip-field"
      role="slider"
      tabIndex={0}
      aria-label="Position of the playback head"
      aria-describedby="strip-help"
      aria-valuemin={0}
      aria-valuemax={columns.count - 1}
      aria-valuenow={column}
      aria-valuetext={wordsAt(column)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setHead({ ...head, held: false, anchor: null })}
      onPointerLeave={() => !head.held && move({ at: null, anchor: null, held: false })}
      onFocus={() => head.at === null && move({ ...head, at: 0 })}
      onBlur={() => move({ at: null, anchor: null, held: false })}
      onKeyDown={onKeyDown}
    >
      <OverviewPicture rows={rows} colours={coloursOf(report)} lit={lit} />
      {marks.map((time) => (
        <span
          key={String(time)}
          class={time === looked ? 'strip-mark selected' : 'strip-mark'}
          style={{ left: percentOf(columns.shareOf(time)) }}
        />
      ))}
      {part && (
        <span
          class="strip-selection"
          style={{
            left: percentOf(columns.shareOf(part.from)),
            width: percentOf(columns.shareOf(part.to) - columns.shareOf(part.from)),
          }}
        />
      )}
      {head.at !== null && <span class="strip-cursor" style={{ left: percentOf((column + 0.5) / columns.count) }} />}
    </div>
  );
}

/** What the heights of the rows mean. */
function heightsOf(rows: readonly OverviewRow[]): string[] {
  const signals = rows.filter(isSignal).length;
  const meanings = [
    ...(signals < rows.length ? [`share of the time, full at ${percent(topOf(rows))}`] : []),
    ...(signals ? [`${signals < rows.length ? 'of signals ' : ''}samples, full where a signal has most`] : []),
  ];
  return meanings.length ? [`Height: ${meanings.join('; ')}; on a square root scale.`] : [];
}

interface OverviewProps {
  report: Report;
  /** the row of the picture that stands out; null: none */
  lit: OverviewRow | null;
  part: Part | null;
  /** moments of problems, in times of the report */
  marks: readonly bigint[];
  /** the one that is looked at now; null: none */
  looked: bigint | null;
  onPart(part: Part | null): void;
  /** null: the viewer cannot be opened now */
  onOpenAt: OpenAt;
}

export function Strip({ report: told, lit, part, marks, looked, onPart, onOpenAt }: OverviewProps) {
  const [now, setNow] = useState<string | null>(null);
  const report = useMemo(() => throughout(told), [told]);
  const columns = new Columns(report);
  const rows = inTableOrder(report);
  const shining = lit
    ? rows.findIndex(({ name, kind, core }) => name === lit.name && kind === lit.kind && core === lit.core)
    : -1;
  const help = [
    ...heightsOf(rows),
    `Drag, or Shift and the arrow keys, choose a part${onOpenAt ? '; a click opens the viewer there' : ''}.`,
  ].join(' ');
  return (
    <div class="strip-grid">
      <Names rows={rows} report={report} lit={shining} />
      <Field
        report={report}
        rows={rows}
        columns={columns}
        part={part}
        marks={marks}
        looked={looked}
        lit={shining}
        onPart={onPart}
        onOpenAt={onOpenAt}
        onNow={setNow}
      />
      <Scale report={report} columns={columns} />
      <p class="strip-caption hint">
        <span class="strip-readout" aria-hidden="true">
          {now}
        </span>
        <span id="strip-help" class={now === null ? '' : 'visually-hidden'}>
          {help}
        </span>
      </p>
    </div>
  );
}
