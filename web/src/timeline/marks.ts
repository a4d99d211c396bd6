// SPDX-License-Identifier: MIT
// The marks of the user, which this browser keeps by recording.
import { entryOf, save } from './kept.js';

const MOST = 100;
export const MOST_TEXT = 200;

/** A mark of the user. */
export interface Mark {
  /** ticks of the recording */
  ticks: bigint;
  text: string;
}

export function recallMarks(key: string): Mark[] {
  const marks = entryOf('tonkopf-marks', key);
  if (!Array.isArray(marks)) return [];
  return marks.slice(0, MOST).flatMap((mark): Mark[] => {
    const [ticks, text] = Array.isArray(mark) ? (mark as unknown[]) : [];
    return typeof ticks === 'string' && /^\d{1,20}$/.test(ticks) && typeof text === 'string'
      ? [{ ticks: BigInt(ticks), text: text.slice(0, MOST_TEXT) }]
      : [];
  });
}

/** Keeps the first marks, sorted by time. key null: of a recording that cannot be found again. Returns them. */
export function keepMarks(key: string | null, marks: readonly Mark[]): Mark[] {
  const kept = [...marks].sort((a, b) => Number(a.ticks - b.ticks)).slice(0, MOST);
  const entry = kept.length ? kept.map(({ ticks, text }) => [String(ticks), text.slice(0, MOST_TEXT)]) : null;
  if (key !== null) save('tonkopf-marks', key, entry);
  return kept;
}
