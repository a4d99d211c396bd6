// SPDX-License-Identifier: MIT
// Formats numbers and times for display.
import { timeUnit, unitsPerNs } from '../../wasm/report.js';
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

/** A time on the axis, with enough digits to find it again. */
export function moment(ns: string | bigint): string {
  const value = Number(ns);
  if (value >= 1e9) return `${(value / 1e9).toFixed(6)} s`;
  return value >= 1e6 ? `${(value / 1e6).toFixed(3)} ms` : duration(ns);
}

/**
 *
 * Three ways to show a time: a duration, a time since the first event (as on the viewer's ruler), and the absolute time in the trace.
 *
 */
export type Times = Record<'duration' | 'moment' | 'absolute', (time: string | bigint) => string> & { unit: string };

/** Times below a nanosecond: in ps or fs. */
const fine =
  (unit: string, ofNs: (ns: string | bigint) => string) =>
  (value: string | bigint): string => {
    const units = unitsPerNs(unit);
    const ns = Number(value) / units;
    if (Math.abs(ns) >= 1000) return ofNs(BigInt(Math.round(ns)));
    if (Math.abs(ns) >= 1) return `${trim(ns.toFixed(6))} ns`;
    return units > 1000 && Math.abs(ns) >= 0.001 ? `${trim((ns * 1000).toFixed(3))} ps` : `${Number(value)} ${unit}`;
  };

/** If the length of a tick or record is unknown, times are shown as a number of ticks or records. */
export function timesOf(report: Pick<Report, 'time_unit' | 'time'>): Times {
  const unit = timeUnit(report);
  const counted = (value: string | bigint): string => plural(Number(value), unit.replace(/s$/, ''), unit);
  const ways = {
    ns: [duration, moment],
    ps: [fine('ps', duration), fine('ps', moment)],
    fs: [fine('fs', duration), fine('fs', moment)],
  } as const;
  const [length, absolute] = ways[unit as keyof typeof ways] ?? [counted, counted];
  return { duration: length, moment: (time) => absolute(BigInt(time) - BigInt(report.time.start)), absolute, unit };
}

const unitNs: Record<string, number> = {
  fs: 1e-6,
  ps: 1e-3,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
};

/** "20 ms" or "1 min 1.5 s" -> a time in the report's unit; also accepts a plain number of ticks or records. null: not a time, or a time
 * without its unit. */
export function parseTime(text: string, unit: string): bigint | null {
  const units = unitsPerNs(unit);
  if (!units)
    return new RegExp(`^\\s*[\\d\u202f]+\\s*(${unit}?)?\\s*$`).test(text) ? BigInt(text.replace(/\D/g, '')) : null;
  const pieces = [...text.matchAll(/(\d+(?:[.,]\d*)?)\s*([a-zµμ]+)\s*/g)];
  if (!pieces.length || pieces.map(([piece]) => piece).join('') !== text.trimStart()) return null;
  const ns = pieces.map(
    ([, number = '', unit = '']) => Number(number.replace(',', '.')) * (unitNs[unit] ?? Number.NaN),
  );
  const sum = ns.reduce((all, one) => all + one, 0);
  return Number.isFinite(sum) ? BigInt(Math.round(sum * units)) : null;
}

/** About five round numbers from 0 to `whole`. */
export function axisTicks(whole: number): number[] {
  const least = whole / 6;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power);
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, index) => Math.round(index * step));
}

export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`;

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const hexOffset = (offset: string): string => `0x${BigInt(offset).toString(16).toUpperCase().padStart(4, '0')}`;

export const share = (ns: string, whole: string): number => (Number(whole) > 0 ? Number(ns) / Number(whole) : 0);

/** Formats the numbers in a text of the core like the page's numbers. A number inside a name, path or version, or after a colon, stays
 * as it is. */
export const grouped = (text: string): string =>
  text.replace(/(?<=^|[\s(])[1-9]\d{3,}(?=[,;:.!?)]*(?:\s|$))/g, (number) => count(BigInt(number)));

/** Makes the text a sentence: capital letter and full stop. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
