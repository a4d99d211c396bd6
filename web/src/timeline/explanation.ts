// SPDX-License-Identifier: MIT
import { useEffect, useState } from 'preact/hooks';
import { type Layout, type Row, interruptRows } from './layout.js';
import type { Explanation, NamedItem } from './messages.js';
import type { Session } from './session.js';

const CORES = 32;

/** The numbers of the rows of the cores, by the number of the core. */
function coreRows({ sections }: Layout): number[] {
  const rows = new Array<number>(CORES).fill(0);
  for (const { row } of sections.find(({ key }) => key === 'cores')?.rows ?? []) rows[row.owner] = row.row;
  return rows;
}

/** What explains an item; null: it is not known yet. */
export function useExplanation(session: Session, item: NamedItem | null, row: Row | null): Explanation | null {
  const [known, set] = useState<{ item: NamedItem; explanation: Explanation | null } | null>(null);
  const { layout } = session;
  useEffect(() => {
    if (!item || !row) return;
    let isOver = false;
    void session
      .ask({
        kind: 'explain',
        row: item.row,
        place: item.place,
        reasons: row.reasons,
        cores: coreRows(layout),
        interrupts: Array.from({ length: CORES }, (_, core) => interruptRows(layout, core)),
      })
      .then((explanation) => !isOver && set({ item, explanation }));
    return () => void (isOver = true);
  }, [session, item, row?.row]);
  return known?.item === item ? known.explanation : null;
}
