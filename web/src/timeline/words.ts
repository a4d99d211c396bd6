// SPDX-License-Identifier: MIT
// What items are, in words.
import { digits, frequency, percent } from '../format.js';
import type { Clock } from './axis.js';
import { KIND } from './engine.js';
import { type Row, rowOf } from './layout.js';
import type { NamedItem } from './messages.js';
import type { Session } from './session.js';

/** A number of a row with its unit. */
export const withUnit = (value: string, unit: string): string =>
  `${value} ${value === '1' ? unit.replace(/^(item|token|byte)s$/, '$1') : unit}`.trim();

export function nameOf(item: NamedItem, row: Row | null): string {
  return row?.kind === KIND.numbers ? withUnit(digits(item.number), row.unit) : item.text || 'no name';
}

export function wordsOf(item: NamedItem, row: Row, clock: Clock): string {
  const name = `${row.title}: ${nameOf(item, row)}`,
    at = clock.moment(item.begin);
  if (row.kind === KIND.instants) return `${name}, at ${at}`;
  return `${name}, from ${at}, ${item.isOpen ? 'at least ' : ''}${clock.duration(item.end - item.begin)}`;
}

/** An item in words, with its distance from the one before and its share of that. */
export async function hoverWords(session: Session, item: NamedItem, clock: Clock): Promise<string> {
  const row = rowOf(session.layout, item.row);
  if (!row) return '';
  const value = row.kind === KIND.numbers ? 0n : item.value;
  const before = await session.ask({ kind: 'previous', row: item.row, place: item.place, value });
  const words = wordsOf(item, row, clock);
  if (!before) return words;
  const [length, period] = [item.end - item.begin, item.begin - before.begin];
  const isLong = row.kind !== KIND.instants && row.kind !== KIND.numbers && !item.isOpen;
  const hasShare = isLong && length < period;
  const share = hasShare ? `, ${percent(Number(length) / Number(period))} of that` : '';
  return `${words}; ${clock.duration(period)} after the start before${share}`;
}

/** The frequency of a period; '': the length of a tick is unknown. */
export function frequencyOf(ticks: number, clock: Clock): string {
  const seconds = clock.seconds(ticks);
  return seconds ? frequency(Number((1 / seconds).toPrecision(4))) : '';
}
