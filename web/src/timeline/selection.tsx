// SPDX-License-Identifier: MIT
// Below the picture: the selected item with what explains it, or the figures of the marked interval.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count, percent } from '../format.js';
import type { Clock } from './axis.js';
import { argumentsOf } from './dump.js';
import { type Figures, KIND, PURPOSE } from './engine.js';
import type { Dump } from './events.js';
import { reasonOf, useExplanation } from './explanation.js';
import { FlowList } from './flows.js';
import { type Layout, type Row, mainRows } from './layout.js';
import type { NamedItem } from './messages.js';
import type { Session } from './session.js';
import { namesOf } from './texts.js';
import { frequencyOf, nameOf } from './words.js';

const RUNNING = 2n;
const MOST_ROWS = 200;

export type Jump = 'previous' | 'next' | 'longest';

interface ItemProps {
  item: NamedItem;
  row: Row;
  clock: Clock;
  session: Session;
  /** length of a tick in nanoseconds of the trace */
  tickNs: bigint;
  /** null: the recording is still being read */
  dump: Dump | null;
  onGo(item: NamedItem): void;
  onJump(to: Jump): void;
}

type Argument = [name: string, value: string];

/** The arguments of an item, which are made again: only those of a selected item are kept. */
function useArguments({ item, row, session, tickNs, dump }: ItemProps): readonly Argument[] {
  const [found, set] = useState<readonly Argument[]>([]);
  const canDump = dump !== null;
  useEffect(() => {
    set([]);
    if (!dump || row.kind === KIND.task || row.kind === KIND.core) return;
    const stop = new AbortController();
    const names = namesOf(session);
    const at = async (ticks: bigint, isEnd: boolean): Promise<Argument[]> => {
      const before = ticks > 0n ? ticks - 1n : ticks; // a dump begins with what was so at its start
      const range = { startNs: before * tickNs, endNs: ticks * tickNs };
      const { lines } = await dump(range, stop.signal);
      return argumentsOf(await names, lines, row.owner, ticks, isEnd);
    };
    const read = async (): Promise<void> => {
      const begin = await at(item.begin, false);
      if (!stop.signal.aborted) set(begin);
      if (row.kind !== KIND.slices || item.isOpen) return;
      const end = await at(item.end, true);
      if (!stop.signal.aborted) set([...begin, ...end]);
    };
    void read().catch(() => {}); // without its arguments
    return () => stop.abort();
  }, [session, item, canDump]);
  return found;
}

export function ItemPanel(props: ItemProps) {
  const { item, row, clock, session, onGo, onJump } = props;
  const details = useArguments(props);
  const explanation = useExplanation(session, item, row);
  const length = item.end - item.begin,
    period = explanation?.before == null ? null : item.begin - explanation.before;
  const entries: [string, string][] = [
    ['Begin', clock.moment(item.begin)],
    ...(row.kind === KIND.instants
      ? []
      : [['Duration', `${item.isOpen ? 'at least ' : ''}${clock.duration(length)}`] as [string, string]]),
    ...(period === null
      ? []
      : [
          [
            'Since the start before',
            [clock.duration(period), frequencyOf(Number(period), clock)].filter(Boolean).join(', '),
          ] as [string, string],
        ]),
    ...details,
  ];
  const reason = explanation && reasonOf(item, explanation);
  return (
    <div class="tl-item-panel">
      <h3>
        <bdi>{row.title}</bdi>: <bdi>{nameOf(item, row)}</bdi>
      </h3>
      <dl>
        {entries.map(([name, value], index) => (
          <div key={index}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {reason && (
        <p class="tl-reason">
          <bdi>{reason.charAt(0).toUpperCase() + reason.slice(1)}</bdi>.
        </p>
      )}
      <FlowList item={item} session={session} clock={clock} onGo={onGo} />
      <div class="tl-jumps" role="group" aria-label={`Other items: ${nameOf(item, row)}`}>
        <button type="button" class="button small" onClick={() => onJump('previous')}>
          Previous <kbd>[</kbd>
        </button>
        <button type="button" class="button small" onClick={() => onJump('next')}>
          Next <kbd>]</kbd>
        </button>
        <button type="button" class="button small" onClick={() => onJump('longest')}>
          Longest <kbd>L</kbd>
        </button>
      </div>
    </div>
  );
}

/** Rows whose items are counted together. */
interface Counted {
  title: string;
  kind: number;
  rows: number[];
  /** of the items; 0: all */
  value: bigint;
}

interface Line extends Counted {
  figures: Figures;
}

/** Rows of one track: its depths, and its instants. */
function tracksOf(layout: Layout): Row[][] {
  const tracks = new Map<string, Row[]>();
  for (const row of mainRows(layout)) {
    if (row.kind === KIND.core) continue;
    const key = row.kind === KIND.task ? `task ${row.owner}` : `track ${row.owner}`;
    tracks.set(key, [...(tracks.get(key) ?? []), row]);
  }
  return [...tracks.values()].slice(0, MOST_ROWS);
}

/** Tasks, each interrupt, and every other track. */
async function countedIn(session: Session, from: bigint, to: bigint): Promise<Counted[]> {
  const counted = await Promise.all(
    tracksOf(session.layout).map(async (track): Promise<Counted[]> => {
      const [{ title, kind, purpose }, rows] = [track[0]!, track.map(({ row }) => row)];
      if (kind === KIND.task) return [{ title, kind, rows, value: RUNNING }];
      if (purpose !== PURPOSE.interrupts) return [{ title, kind, rows, value: 0n }];
      const slices = track.filter((row) => row.kind === KIND.slices).map(({ row }) => row); // not the calls in them
      const interrupts = await session.ask({ kind: 'values', rows: slices, from, to });
      return interrupts.map(({ value, text }) => ({ title: text, kind, rows: slices, value }));
    }),
  );
  return counted.flat();
}

interface IntervalProps {
  session: Session;
  from: bigint;
  to: bigint;
  clock: Clock;
  /** below the figures */
  tables?: ComponentChildren;
}

function useLines({ session, from, to }: IntervalProps): readonly Line[] {
  const [lines, set] = useState<readonly Line[]>([]);
  const { layout } = session;
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      const found: Line[] = [];
      for (const one of await countedIn(session, from, to)) {
        const figures = await session.ask({ kind: 'figures', rows: one.rows, value: one.value, from, to });
        if (isOver) return;
        if (figures && figures.count + figures.unmeasured > 0n) found.push({ ...one, figures });
      }
      set(found);
    };
    const timer = setTimeout(() => void read(), 150); // the interval is still being dragged
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [session, layout, from, to]);
  return lines;
}

/** The cells of a line: count, total, share, five lengths, what was not measured. */
function cellsOf({ kind, figures }: Line, span: bigint, clock: Clock): string[] {
  const { count: all, whole, unmeasured, min, p50, p95, p99, max } = figures,
    isTask = kind === KIND.task,
    hasTime = isTask || kind === KIND.slices;
  const total = isTask ? figures.total : figures.wholeTotal;
  const lengths = hasTime && whole > 0n ? [min, p50, p95, p99, max].map((ticks) => clock.duration(ticks)) : [];
  const missing = [
    !isTask && hasTime && all > whole ? count(all - whole) : '',
    unmeasured > 0n ? clock.duration(unmeasured) : '',
  ];
  return [
    count(all),
    hasTime ? clock.duration(total) : '',
    hasTime ? percent(Number(total) / Number(span)) : '',
    ...Array.from({ length: 5 }, (_, index) => lengths[index] ?? ''),
    missing.filter(Boolean).join(' and '),
  ];
}

export function IntervalPanel(props: IntervalProps) {
  const { from, to, clock, tables } = props;
  const lines = useLines(props);
  return (
    <>
      <div class="tl-scroll tl-figures" tabIndex={0} role="region" aria-label="Figures of the interval">
        <table>
          <thead>
            <tr>
              {['Row', 'Count', 'Total', 'Share', 'Min', 'p50', 'p95', 'p99', 'Max', 'Not measured'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.rows.join()} ${line.value}`}>
                <th scope="row">
                  <bdi>{line.title}</bdi>
                </th>
                {cellsOf(line, to - from, clock).map((text, index) => (
                  <td key={index}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p class="hint">
          Tasks: running. Lengths are of the items that begin and end in the interval; counts and percentiles are as in
          the tables.
        </p>
      </div>
      {tables}
    </>
  );
}
