// SPDX-License-Identifier: MIT
// Formats numbers and times for display.
import { timeRangeOf, timeUnit, unitsPerNs } from '../../wasm/report.js';
import type { Report } from '../../wasm/types.js';

const plain = new Intl.NumberFormat('en', { useGrouping: true, maximumFractionDigits: 0 });

/** 9514 -> "9 514", with a narrow space that does not break. */
export const count = (value: number | bigint): string => plain.format(value).replaceAll(',', '\u202f');

const three = (value: number): string =>
  value >= 100 ? value.toFixed(value % 1 === 0 ? 0 : 1) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const trim = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** Six digits for a measured value. Integers, also those too large for a double, keep all digits. */
export const digits = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${trim(three(value / 1e3))} kB`;
  return value < 1e9 ? `${trim(three(value / 1e6))} MB` : `${trim(three(value / 1e9))} GB`;
}

const units: [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
];

export function duration(ns: string | bigint): string {
  const value = Number(ns);
  if (value >= 60e9) return `${Math.floor(value / 60e9)} min ${trim(((value % 60e9) / 1e9).toFixed(1))} s`;
  for (const [size, unit] of units) if (value >= size) return `${trim(three(value / size))} ${unit}`;
  return `${value} ns`;
}

export const frequency = (hz: number): string =>
  hz >= 1e6 ? `${trim((hz / 1e6).toFixed(3))} MHz` : hz >= 1e3 ? `${trim((hz / 1e3).toFixed(3))} kHz` : `${hz} Hz`;

/**
 * `duration`: a length. `moment`: a time of the trace in seconds with all digits, as the report for a ticket, the command line and the
 * options `from-ns` and `to-ns` have it. `since`: time since the first event, as on the viewer's ruler.
 */
export type Times = Record<'duration' | 'moment' | 'since', (time: string | bigint) => string> & { unit: string };

function seconds(time: bigint, perNs: number): string {
  const second = BigInt(perNs) * 1_000_000_000n;
  return `${time / second}.${String(second + (time % second)).slice(1)} s`;
}

/** Durations below a nanosecond: in ps or fs. */
const fine =
  (unit: string) =>
  (value: string | bigint): string => {
    const units = unitsPerNs(unit);
    const ns = Number(value) / units;
    if (Math.abs(ns) >= 1000) return duration(BigInt(Math.round(ns)));
    if (Math.abs(ns) >= 1) return `${trim(ns.toFixed(6))} ns`;
    return units > 1000 && Math.abs(ns) >= 0.001 ? `${trim((ns * 1000).toFixed(3))} ps` : `${Number(value)} ${unit}`;
  };

/** If the length of a tick or record is unknown, times are shown as a number of ticks or records. */
export function timesOf(report: Pick<Report, 'time_unit' | 'time'>): Times {
  const unit = timeUnit(report);
  const counted = (value: string | bigint): string => plural(Number(value), unit.replace(/s$/, ''), unit);
  const perNs = unitsPerNs(unit);
  const moment = (time: string | bigint): string => (perNs ? seconds(BigInt(time), perNs) : counted(time));
  return {
    duration: unit === 'ns' ? duration : perNs ? fine(unit) : counted,
    moment,
    since: (time) => moment(BigInt(time) - timeRangeOf(report).start),
    unit,
  };
}

export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`;

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const hexOffset = (offset: string): string => `0x${BigInt(offset).toString(16).toUpperCase().padStart(4, '0')}`;

/** Formats the numbers in a text of the core like the page's numbers. A number inside a name, path or version, or after a colon, stays
 * as it is. */
export const grouped = (text: string): string =>
  text.replace(/(?<=^|[\s(])[1-9]\d{3,}(?=[,;:.!?)]*(?:\s|$))/g, (number) => count(BigInt(number)));

/** Makes the text a sentence: capital letter and full stop. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
