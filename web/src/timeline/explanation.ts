// SPDX-License-Identifier: MIT
// What explains the selected item: the start before, what it waited for, who ended the wait, who ran meanwhile.
import { useEffect, useState } from 'preact/hooks';
import { KIND, PURPOSE } from './engine.js';
import { type Layout, type Row, mainRows } from './layout.js';
import type { NamedItem } from './messages.js';
import type { Session } from './session.js';

export interface Explanation {
  /** start of the item before with the same value; null: it is the first one */
  before: bigint | null;
  /** of a waiting task: what it waits for */
  reason: string;
  /** of a waiting task: what made it ready; empty: unknown */
  ended: string;
  /** of a ready task: tasks that ran meanwhile */
  ran: string[];
}

const READY = 1n,
  WAITING = 3n; // and the states above
const MOST = 50; // items of a core
const MOST_NAMES = 4;

const coreRows = (layout: Layout): Row[] => mainRows(layout).filter(({ kind }) => kind === KIND.core);

/** The rows on which the interrupts of a core are, the outermost first. */
const interruptRows = (layout: Layout, of: number): Row[] =>
  mainRows(layout)
    .filter(({ purpose, core }) => purpose === PURPOSE.interrupts && core === of)
    .sort((a, b) => a.depth - b.depth);

/** The task that ran, or the interrupt that was active, directly before and at a time. */
async function wakerAt(
  session: Session,
  ticks: bigint,
  { by, core }: NonNullable<NamedItem['woken']>,
): Promise<string> {
  const { layout } = session,
    rows = by === 'task' ? coreRows(layout).filter(({ owner }) => owner === core) : interruptRows(layout, core);
  const found = await Promise.all(
    rows.map(
      async ({ row }) =>
        (await session.ask({ kind: 'at', row, from: ticks > 0n ? ticks - 1n : ticks, to: ticks })) ??
        session.ask({ kind: 'at', row, from: ticks, to: ticks }),
    ),
  );
  return found.findLast((item) => item)?.text ?? (by === 'task' ? 'a task' : 'an interrupt');
}

async function explain(session: Session, item: NamedItem, { row, kind, reasons }: Row): Promise<Explanation> {
  const { place, value, begin, end } = item;
  const before = session.ask({ kind: 'previous', row, place, value: kind === KIND.numbers ? 0n : value });
  const told: Explanation = { before: (await before)?.begin ?? null, reason: '', ended: '', ran: [] };
  if (kind !== KIND.task) return told;
  if (value >= WAITING) {
    const reason = reasons ? await session.ask({ kind: 'at', row: reasons, from: begin, to: begin }) : null;
    const after = await session.ask({ kind: 'next', row, place, value: 0n });
    told.reason = reason?.text ?? '';
    if (after?.begin === end && after.woken) told.ended = await wakerAt(session, end, after.woken);
  }
  if (value === READY) {
    const rows = coreRows(session.layout).map(({ row }) => row);
    const ran = await session.ask({ kind: 'items', rows, from: begin, to: end, most: MOST });
    told.ran = [...new Set(ran.map(({ text }) => text))].slice(0, MOST_NAMES);
  }
  return told;
}

/** What explains an item; null: it is not known yet. */
export function useExplanation(session: Session, item: NamedItem, row: Row): Explanation | null {
  const [known, set] = useState<{ item: NamedItem; explanation: Explanation } | null>(null);
  useEffect(() => {
    let isOver = false;
    void explain(session, item, row).then((explanation) => !isOver && set({ item, explanation }));
    return () => void (isOver = true);
  }, [session, item, row.row]);
  return known?.item === item ? known.explanation : null;
}

/** Why an item was as it was; '': nothing is known. */
export function reasonOf(item: NamedItem, { reason, ended, ran }: Explanation): string {
  const parts = [
    reason && `waits for: ${reason}`,
    ended && `made ready by ${ended}`,
    ran.length > 0 && `meanwhile ran ${ran.join(', ')}`,
    item.isOpen && !item.isCut && 'it had not ended when the recording ended',
  ];
  return parts.filter(Boolean).join('; ');
}
