// SPDX-License-Identifier: MIT
// Items that the user looks for: by name, by place, and the edges of a row.
import { type Layout, type Line, type Row, allRows, rowOf } from './layout.js';
import type { Answers, NamedItem } from './messages.js';
import type { Session } from './session.js';

/** Finds an item or row by its name, first among the visible lines; of a row, the first item from `ticks` on. null: there is none. */
export async function find(
  session: Session,
  lines: readonly Line[],
  text: string,
  ticks: bigint,
): Promise<{ row: number; item: NamedItem | null } | null> {
  const hits: Answers['find'] = await session.ask({ kind: 'find', text }),
    visible = new Set(lines.map(({ row }) => row?.row)),
    hit = hits.find(({ row }) => visible.has(row)) ?? hits.find(({ row }) => rowOf(session.layout, row) !== null);
  if (!hit) return null;
  const { row, value, begin } = hit;
  return { row, item: await session.ask({ kind: 'from', row, ticks: value ? begin : ticks, value }) };
}

/** Finds the item at a place on the rows with a name as the viewer shows it, best one with this begin and end. */
export async function itemAt(
  session: Session,
  layout: Layout,
  name: string | undefined,
  from: bigint,
  to: bigint,
): Promise<NamedItem | null> {
  const rows = allRows(layout).filter(({ title, track }) => track === name || title === name);
  const items = await Promise.all(rows.map(({ row }) => session.ask({ kind: 'at', row, from, to })));
  return items.find((one) => one?.begin === from && one.end === to) ?? items.find((one) => one !== null) ?? null;
}

/** Finds the next or previous edge of a row after or before a time; null: there is none. */
export async function edgeFrom(
  session: Session,
  { row }: Row,
  ticks: bigint,
  direction: 'next' | 'previous',
): Promise<bigint | null> {
  const isNext = direction === 'next';
  const there = await session.ask({ kind: 'at', row, from: ticks, to: ticks });
  const found = isNext
    ? await session.ask({ kind: 'from', row, ticks: ticks + 1n, value: 0n })
    : await session.ask({ kind: 'at', row, from: ticks > 0n ? ticks - 1n : 0n, to: ticks });
  const [edge] = [there, found]
    .flatMap((one) => (one ? [one.begin, one.end] : []))
    .filter((edge) => (isNext ? edge > ticks : edge < ticks))
    .sort((a, b) => Number(isNext ? a - b : b - a));
  return edge ?? null;
}
