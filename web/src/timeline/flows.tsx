// SPDX-License-Identifier: MIT
// The flows of the selected item: arrows in the picture, and jumps to their other ends.
import { useEffect, useState } from 'preact/hooks';
import type { Clock } from './axis.js';
import { type Layout, rowOf } from './layout.js';
import type { NamedItem } from './messages.js';
import type { Session } from './session.js';

/** A place in the picture, in CSS pixels. */
interface Point {
  x: number;
  y: number;
}

/** The flows of selected items: arrows and jumps need the same ones. */
const known = new WeakMap<NamedItem, Promise<readonly NamedItem[]>>();

function flowsOf(session: Session, item: NamedItem): Promise<readonly NamedItem[]> {
  const flows = known.get(item) ?? session.ask({ kind: 'flows', row: item.row, place: item.place });
  known.set(item, flows);
  return flows;
}

/** The other ends of the flows of an item. */
function useFlows(session: Session, item: NamedItem): readonly NamedItem[] {
  const [flows, set] = useState<readonly NamedItem[]>([]);
  useEffect(() => {
    let isOver = false;
    set([]);
    void flowsOf(session, item).then((found) => !isOver && set(found));
    return () => void (isOver = true);
  }, [session, item]);
  return flows;
}

interface ArrowProps {
  session: Session;
  item: NamedItem;
  /** where an item is in the picture, in CSS pixels; null: its row is not shown */
  boxOf(item: NamedItem): { left: number; y: number; height: number } | null;
}

/** An arrow leads from what was earlier to what was later. */
export function Flows({ session, item, boxOf }: ArrowProps) {
  const pointOf = (of: NamedItem): Point[] => {
    const box = boxOf(of);
    return box ? [{ x: box.left, y: box.y + box.height / 2 }] : [];
  };
  const [own] = pointOf(item),
    ends = useFlows(session, item).flatMap(pointOf);
  return (
    <svg class="tl-flows" aria-hidden="true">
      {own &&
        ends.map((end) => {
          const [a, b] = end.x < own.x ? [end, own] : [own, end],
            bend = Math.max(12, Math.abs(b.x - a.x) / 2);
          return (
            <g key={`${end.x} ${end.y}`}>
              <path d={`M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`} />
              <path d={`M${b.x - 7} ${b.y - 4}L${b.x} ${b.y}L${b.x - 7} ${b.y + 4}`} />
            </g>
          );
        })}
    </svg>
  );
}

/** The name of a row, after the task that it belongs to. */
function titleOf(layout: Layout, number: number): string {
  const rows = layout.sections.flatMap((section) => section.rows);
  const task = rows.find(({ children }) => children.some(({ row }) => row === number));
  const title = rowOf(layout, number)?.title ?? '';
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
