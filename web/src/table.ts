// SPDX-License-Identifier: MIT
// Model of a table: its columns, and its rows filtered, grouped and sorted.
import type { Cell, Column, Row, Table } from '../../wasm/types.js';

/** A column with the columns that contain details of it. */
export interface Shown {
  column: Column;
  notes: Column[];
}

/** A row and its index in the report; null: a group of several rows with one name. */
export interface Entry {
  row: Row;
  index: number | null;
  count: number;
}

export interface Order {
  key: string;
  descending: boolean;
}

export interface TableOptions {
  filter: string;
  grouped: boolean;
  order: Order | null;
}

const isEmpty = (cell: Cell | undefined): boolean => cell == null || cell === '' || cell === false;

const isNothing = ({ kind }: Column, cell: Cell | undefined): boolean =>
  isEmpty(cell) || (kind === 'count' && cell === 0);

/** The columns that contain a value. Hidden columns are only for export. */
export function shownColumns(table: Table, rows: readonly Row[]): Shown[] {
  const used = (column: Column): boolean => rows.some((row) => !isNothing(column, row[column.key]));
  const own = table.columns.filter((column) => (column.role === 'value' || column.role === 'key') && used(column));
  return own.map((column) => ({
    column,
    notes: table.columns.filter((other) => other.of === column.key && used(other)),
  }));
}

const isNumber = ({ kind }: Column): boolean => kind !== 'name' && kind !== 'text' && kind !== 'flag';

export function compare(column: Column, a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isNumber(column) ? Number(a) - Number(b) : String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Rows without a value come last in both directions. */
function sorted(entries: Entry[], column: Column | undefined, descending: boolean): Entry[] {
  if (!column) return entries;
  const { key } = column;
  return [...entries].sort((a, b) => {
    const [left, right] = [a.row[key] ?? null, b.row[key] ?? null];
    const order = compare(column, left, right);
    return left === null || right === null || !descending ? order : -order;
  });
}

function folded(column: Column, cells: Cell[]): Cell {
  const known = cells.filter((cell) => cell !== null);
  if (!column.fold || !known.length)
    return column.kind === 'name' || new Set(cells).size === 1 ? (cells[0] ?? null) : null;
  if (typeof known[0] === 'string') {
    const values = known.map((cell) => BigInt(cell as string));
    const sum = values.reduce((total, value) => total + value, 0n);
    const extreme = values.reduce((best, value) =>
      (column.fold === 'max' ? value > best : value < best) ? value : best,
    );
    return String(column.fold === 'sum' ? sum : extreme);
  }
  const values = known.map(Number);
  return column.fold === 'sum' ? values.reduce((total, value) => total + value, 0) : Math[column.fold](...values);
}

/** Merges rows with one name: sums, minima and maxima; a column for which neither makes sense is empty. */
export function grouped(table: Table, entries: Entry[]): Entry[] {
  const name = table.columns[0]!.key;
  const groups = new Map<Cell, Entry[]>();
  for (const entry of entries) groups.set(entry.row[name]!, [...(groups.get(entry.row[name]!) ?? []), entry]);
  return [...groups.values()].map((members) => {
    if (members.length === 1) return members[0]!;
    const row = Object.fromEntries(
      table.columns.map((column) => [
        column.key,
        folded(
          column,
          members.map((entry) => entry.row[column.key] ?? null),
        ),
      ]),
    );
    return { row, index: null, count: members.length };
  });
}

export const hasNamesakes = (table: Table, rows: readonly Row[]): boolean =>
  new Set(rows.map((row) => row[table.columns[0]!.key])).size < rows.length;

export const firstOrder = ({ sort }: Table): Order | null => (sort ? { key: sort, descending: true } : null);

export function entriesOf(
  table: Table,
  rows: readonly Row[],
  { filter, grouped: together, order }: TableOptions,
): Entry[] {
  const words = filter.toLowerCase();
  const texts = table.columns.filter((column) => !isNumber(column) && column.role !== 'hidden');
  const all = rows.map((row, index): Entry => ({ row, index, count: 1 }));
  const found = words
    ? all.filter(({ row }) =>
        texts.some(({ key }) =>
          String(row[key] ?? '')
            .toLowerCase()
            .includes(words),
        ),
      )
    : all;
  const { key, descending } = order ?? firstOrder(table) ?? { key: '', descending: false };
  const ordered = sorted(
    together ? grouped(table, found) : found,
    table.columns.find((column) => column.key === key),
    descending,
  );
  return order ? ordered : [...ordered].sort((a, b) => Number(a.row.idle === true) - Number(b.row.idle === true)); // idle rows come last
}
