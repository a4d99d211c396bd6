// SPDX-License-Identifier: MIT
// One colour per name, the same in all tables. Every colour is shown beside its name.
import { rowsOf } from '../../../wasm/report.js';
import type { Report, Row } from '../../../wasm/types.js';

const COLOURS = 8;
/** Tables whose rows have the colour of their name, which is in the first column. */
const NAMED = ['tasks', 'objects', 'contexts', 'markers', 'signals'];

export const INTERRUPT = 'c-irq';
export const colourAt = (index: number): string => `c-${index % COLOURS}`;

/** The colour of a row of a table; null: it has none. */
export type Colours = (table: string, row: Row) => string | null;

const nameOf = (row: Row): Row[string] | undefined => Object.values(row)[0];

/** Rows of one name (a restarted task, one task per core) share a colour. */
export function coloursOf(report: Report): Colours {
  const rows = NAMED.flatMap((table) => rowsOf(report, table)).filter(({ idle }) => idle !== true);
  const names = [...new Set(rows.map(nameOf))];
  return (table, row) => {
    if (table === 'interrupts') return INTERRUPT;
    if (!NAMED.includes(table)) return null;
    return row.idle === true ? 'c-idle' : colourAt(names.indexOf(nameOf(row)));
  };
}
