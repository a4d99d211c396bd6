// SPDX-License-Identifier: MIT
// What items are, in words.
import { digits, frequency } from '../format.js';
import type { Clock } from './axis.js';
import { KIND } from './engine.js';
import type { Row } from './layout.js';
import type { NamedItem } from './messages.js';

/** A number of a row with its unit. */
export const withUnit = (value: string, unit: string): string =>
  `${value} ${value === '1' ? unit.replace(/^(item|token|byte)s$/, '$1') : unit}`.trim();

export function nameOf(item: NamedItem, row: Row | null): string {
  return row?.kind === KIND.numbers ? withUnit(digits(item.number), row.unit) : item.text || 'no name';
}

export function wordsOf(item: NamedItem, row: Row | null, clock: Clock): string {
  const name = nameOf(item, row),
    at = clock.moment(item.begin);
  if (row?.kind === KIND.instants) return `${name}, at ${at}`;
  return `${name}, from ${at}, ${item.isOpen ? 'at least ' : ''}${clock.duration(item.end - item.begin)}`;
}

/** The frequency of a period; '': the length of a tick is unknown. */
export function frequencyOf(ticks: number, clock: Clock): string {
  const seconds = clock.seconds(ticks);
  return seconds ? frequency(Number((1 / seconds).toPrecision(4))) : '';
}
