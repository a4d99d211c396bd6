// SPDX-License-Identifier: MIT
// What this browser keeps of timelines: entries by key. And one kind of them: what the user did with the rows, by the set of their names.
import { type Choice, type Layout, mainRows, noChoice } from './layout.js';

export type Store = 'tonkopf-rows' | 'tonkopf-marks';

const ROWS: Store = 'tonkopf-rows';
const MOST = 32; // entries

type Entries = [key: string, value: unknown][];

/** Storage may be denied or damaged: then nothing is kept. */
function load(store: Store): Entries {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(store) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((entry): entry is Entries[0] => Array.isArray(entry) && entry.length === 2)
      : [];
  } catch {
    return [];
  }
}

/** Keeps the newest entries. value: null removes the entry. */
export function save(store: Store, key: string, value: unknown): void {
  const others = load(store).filter(([other]) => other !== key);
  try {
    localStorage.setItem(store, JSON.stringify([...(value === null ? [] : [[key, value]]), ...others].slice(0, MOST)));
  } catch {
    // a private window, or no room: it lasts until the page is closed
  }
}

/** Returns the entry of a key; undefined: there is none. */
export const entryOf = (store: Store, key: string): unknown => load(store).find(([other]) => other === key)?.[1];

/** Returns a key of the names of all rows. */
export function keyOfNames(layout: Layout): string {
  const names = mainRows(layout)
    .map(({ title }) => title)
    .sort(); // sections depend on what came when
  let hash = 0n;
  for (const char of names.join('\n'))
    hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  return `${names.length} ${hash.toString(36)}`;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

export function recallChoice(key: string): Choice {
  const { folds, pinned, hidden } = (entryOf(ROWS, key) ?? {}) as Partial<Record<keyof Choice, unknown>>;
  const open = Object.entries((folds ?? {}) as object).filter(([, isOpen]) => typeof isOpen === 'boolean');
  return { folds: Object.fromEntries(open) as Choice['folds'], pinned: texts(pinned), hidden: texts(hidden) };
}

export const keepChoice = (key: string, choice: Choice): void =>
  save(ROWS, key, JSON.stringify(choice) === JSON.stringify(noChoice) ? null : choice);
