// SPDX-License-Identifier: MIT
// The flows of the selected item: arrows in the picture, and jumps to their other ends.
import { useEffect, useState } from 'preact/hooks';
import type { Clock } from './axis.js';
import { type Layout, rowOf } from './layout.js';
import type { NamedItem } from './messages.js';
import type { Session } from './session.js';

/** A place in the picture, in CSS pixels; y null: its row is not shown. */
interface Point {
  x: number;
  y: number | null;
}

/** The other ends of the flows of an item. */
function useFlows(session: Session, item: NamedItem): readonly NamedItem[] {
  const [flows, set] = useState<readonly NamedItem[]>([]);
  useEffect(() => {
    let isOver = false;
    set([]);
    void session.ask({ kind: 'flows', row: item.row, place: item.place }).then((found) => !isOver && set(found));
    return () => void (isOver = true);
  }, [session, item]);
  return flows;
}

interface ArrowProps {
  session: Session;
  item: NamedItem;
  pointOf(item: NamedItem): Point;
}

/** An arrow leads from what was earlier to what was later. */
export function Flows({ session, item, pointOf }: ArrowProps) {
  const from = pointOf(item),
    ends = useFlows(session, item).map(pointOf);
  const shown = ends.flatMap(({ x, y }) => (y === null || from.y === null ? [] : [{ x, y, own: from.y }]));
  return (
    <svg class="tl-flows" aria-hidden="true">
      {shown.map(({ x, y, own }) => {
        const [a, b] =
            x < from.x
              ? [
                  { x, y },
                  { x: from.x, y: own },
                ]
              : [
                  { x: from.x, y: own },
                  { x, y },
                ],
          bend = Math.max(12, Math.abs(b.x - a.x) / 2);
        return (
          <g key={`${x} ${y}`}>
            <path d={`M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`} />
            <path d={`M${b.x - 7} ${b.y - 4}L${b.x} ${b.y}L${b.x - 7} ${b.y + 4}`} />
          </g>
        );
      })}
    </svg>
  );
}

/** The name of a row, after the task that it belongs to. */
function titleOf({ sections }: Layout, number: number): string {
  const task = sections.flatMap(({ rows }) => rows).find(({ children }) => children.some(({ row }) => row === number));
  const title = rowOf({ sections, hidden: 0 }, number)?.title ?? '';
  return task ? `${task.row.title}, ${title}` : title;
}

interface Props {
  item: NamedItem;
  session: Session;
  clock: Clock;
  onGo(item: NamedItem): void;
}

export function FlowList({ item, session, clock, onGo }: Props) {
  const flows = useFlows(session, item);
  if (!flows.length) return null;
  return (
    <ul class="tl-flow-list" aria-label="Connected by a flow">
      {flows.map((end) => (
        <li key={`${end.row} ${end.place}`}>
          {end.begin < item.begin ? 'From' : 'To'}{' '}
          <button type="button" class="link" onClick={() => onGo(end)}>
            <bdi>{titleOf(session.layout, end.row)}</bdi>: <bdi>{end.text}</bdi>
          </button>
          , {clock.duration(end.begin < item.begin ? item.begin - end.begin : end.begin - item.begin)}{' '}
          {end.begin < item.begin ? 'before' : 'later'}
        </li>
      ))}
    </ul>
  );
}
