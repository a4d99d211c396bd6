// SPDX-License-Identifier: MIT
// What this browser keeps of a timeline: what the user did with the rows, by the set of their names, and marks, by recording.
import { type Choice, type Layout, noChoice } from './layout.js';

const ROWS = 'tonkopf-rows',
  MARKS = 'tonkopf-marks';
const MOST = 32;
export const MOST_MARKS = 100;
export const MOST_TEXT = 200;

/** A mark of the user. */
export interface Mark {
  /** ticks of the recording */
  ticks: bigint;
  text: string;
}

type Entries = [key: string, value: unknown][];

/** Storage may be denied or damaged: then nothing is kept. */
function load(store: string): Entries {
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
function save(store: string, key: string, value: unknown): void {
  const others = load(store).filter(([other]) => other !== key);
  try {
    localStorage.setItem(store, JSON.stringify([...(value === null ? [] : [[key, value]]), ...others].slice(0, MOST)));
  } catch {
    // a private window, or no room: it lasts until the page is closed
  }
}

const find = (store: string, key: string): unknown => load(store).find(([other]) => other === key)?.[1];

/** Returns a key of the names of all rows. */
export function keyOfNames({ sections }: Layout): string {
  const names = sections.flatMap(({ rows }) => rows.map(({ row }) => row.title)).sort(); // sections depend on what came when
  let hash = 0n;
  for (const char of names.join('\n'))
    hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  return `${names.length} ${hash.toString(36)}`;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

export function recallChoice(key: string): Choice {
  const { folds, pinned, hidden } = (find(ROWS, key) ?? {}) as Partial<Record<keyof Choice, unknown>>;
  const open = Object.entries((folds ?? {}) as object).filter(([, isOpen]) => typeof isOpen === 'boolean');
  return { folds: Object.fromEntries(open) as Choice['folds'], pinned: texts(pinned), hidden: texts(hidden) };
}

export const keepChoice = (key: string, choice: Choice): void =>
  save(ROWS, key, JSON.stringify(choice) === JSON.stringify(noChoice) ? null : choice);

export function recallMarks(key: string): Mark[] {
  const marks = find(MARKS, key);
  if (!Array.isArray(marks)) return [];
  return marks.slice(0, MOST_MARKS).flatMap((mark): Mark[] => {
    const [ticks, text] = Array.isArray(mark) ? (mark as unknown[]) : [];
    return typeof ticks === 'string' && /^\d{1,20}$/.test(ticks) && typeof text === 'string'
      ? [{ ticks: BigInt(ticks), text: text.slice(0, MOST_TEXT) }]
      : [];
  });
}

export const keepMarks = (key: string, marks: readonly Mark[]): void =>
  save(MARKS, key, marks.length ? marks.map(({ ticks, text }) => [String(ticks), text.slice(0, MOST_TEXT)]) : null);
