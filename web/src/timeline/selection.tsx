// SPDX-License-Identifier: MIT
// Below the picture: the selected item with what explains it, or the figures of the marked interval.
import { useEffect, useState } from 'preact/hooks';
import { count, percent } from '../format.js';
import type { Clock } from './axis.js';
import { type Figures, KIND } from './engine.js';
import type { Layout, Row } from './layout.js';
import type { Explanation, NamedItem } from './messages.js';
import type { Session } from './session.js';
import { frequencyOf, nameOf, reasonOf } from './words.js';

const RUNNING = 2n;
const MOST_ROWS = 200;

export type Jump = 'previous' | 'next' | 'longest';

interface ItemProps {
  item: NamedItem;
  row: Row;
  explanation: Explanation | null;
  clock: Clock;
  onJump(to: Jump): void;
}

export function ItemPanel({ item, row, explanation, clock, onJump }: ItemProps) {
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
  ];
  const reason = explanation && reasonOf(item, explanation);
  return (
    <div class="tl-item-panel">
      <h3>
        <bdi>{row.title}</bdi>: <bdi>{nameOf(item, row)}</bdi>
      </h3>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reason && (
        <p class="tl-reason">
          <bdi>{reason.charAt(0).toUpperCase() + reason.slice(1)}</bdi>.
        </p>
      )}
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

interface Line {
  row: Row;
  figures: Figures;
}

/** The rows of which an interval has figures: tasks, and everything with slices or instants on the outermost level. */
const measured = ({ sections }: Layout): Row[] =>
  sections
    .flatMap(({ rows }) => rows.map(({ row }) => row))
    .filter(({ kind, depth }) => kind !== KIND.core && kind !== KIND.numbers && depth === 0)
    .slice(0, MOST_ROWS);

interface IntervalProps {
  session: Session;
  from: bigint;
  to: bigint;
  clock: Clock;
}

export function IntervalPanel({ session, from, to, clock }: IntervalProps) {
  const [lines, set] = useState<Line[]>([]);
  const { layout } = session;
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      void (async () => {
        const found: Line[] = [];
        for (const row of measured(layout)) {
          const value = row.kind === KIND.task ? RUNNING : 0n;
          const figures = await session.ask({ kind: 'figures', row: row.row, value, from, to });
          if (isOver) return;
          if (figures && figures.count + figures.unmeasured > 0n) found.push({ row, figures });
        }
        set(found);
      })();
    }, 150); // the interval is still being dragged
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [session, layout, from, to]);
  const time = (ticks: bigint, isThere: boolean): string => (isThere ? clock.duration(ticks) : '');
  return (
    <div class="tl-scroll tl-figures" tabIndex={0} role="region" aria-label="Figures of the interval">
      <table>
        <thead>
          <tr>
            {['Row', 'Count', 'Total', 'Share', 'Min', 'p50', 'p90', 'p99', 'Max', 'Not measured'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, figures }) => {
            const hasTime = row.kind !== KIND.instants,
              hasLengths = hasTime && figures.whole > 0n;
            return (
              <tr key={row.row}>
                <th scope="row">
                  <bdi>{row.title}</bdi>
                </th>
                <td>{count(figures.count)}</td>
                <td>{time(figures.total, hasTime)}</td>
                <td>{hasTime ? percent(Number(figures.total) / Number(to - from)) : ''}</td>
                {[figures.min, figures.p50, figures.p90, figures.p99, figures.max].map((value, index) => (
                  <td key={index}>{time(value, hasLengths)}</td>
                ))}
                <td>{time(figures.unmeasured, figures.unmeasured > 0n)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="hint">
        Tasks: running. Lengths are of the items that begin and end in the interval; percentiles as in the tables.
      </p>
    </div>
  );
}
