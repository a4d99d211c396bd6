// SPDX-License-Identifier: MIT
// Everything visible as a table, for screen readers and for reading exact numbers.
import { useEffect, useState } from 'preact/hooks';
import type { Clock } from './axis.js';
import { type Facts, KIND } from './engine.js';
import type { Line } from './layout.js';
import type { NamedItem } from './messages.js';
import { rowWords } from './names.js';
import type { Session } from './session.js';
import { type Viewport, ticksOf } from './viewport.js';
import { nameOf } from './words.js';

const MOST = 20; // of a row

interface Props {
  session: Session;
  lines: readonly Line[];
  view: Viewport;
  clock: Clock;
  facts: Facts;
}

export function VisibleItems({ session, lines, view, clock, facts }: Props) {
  const [items, setItems] = useState<NamedItem[]>([]);
  const [from, to] = [ticksOf(view.start, facts), ticksOf(view.start + view.span, facts)];
  const rows = lines.flatMap(({ row }) => (row ? [row.row] : []));
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      void session.ask({ kind: 'items', rows, from, to, most: MOST }).then((found) => !isOver && setItems(found));
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [session, from, to, rows.join()]);
  const lineOf = new Map(lines.map((line) => [line.row?.row, line]));
  return (
    <div class="tl-scroll" tabIndex={0} role="region" aria-label="Visible items">
      <table>
        <thead>
          <tr>
            {['Row', 'Item', 'Begin', 'Duration'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const line = lineOf.get(item.row);
            return (
              <tr key={`${item.row} ${item.place}`}>
                <td>{line ? rowWords(line) : ''}</td>
                <td>{nameOf(item, line?.row ?? null)}</td>
                <td>{clock.moment(item.begin)}</td>
                <td>{line?.row?.kind === KIND.instants ? '' : clock.duration(item.end - item.begin)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="hint">At most the first {MOST} items of each row.</p>
    </div>
  );
}
