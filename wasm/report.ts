// SPDX-License-Identifier: MIT
// What page and Node read from a report.
import type { Place, Report, Row } from './types.js';

/** The rows of any table; none when the report does not have it. */
export function rowsOf(report: Report, table: string): Row[] {
  const rows = Object.hasOwn(report, table) ? report[table] : [];
  return (Array.isArray(rows) ? rows : [rows]) as Row[];
}

/** What durations and times of the report are: ns, or counts of something that has no known length. */
export function timeUnit({ tables }: Pick<Report, 'tables'>): string {
  const column = tables.flatMap(({ columns }) => columns).find(({ kind }) => kind === 'duration' || kind === 'time');
  return column?.unit ?? 'ns';
}

/** Nanoseconds of the trace for one of them. */
export const traceNs = (report: Pick<Report, 'tables' | 'tick'>): bigint =>
  timeUnit(report) === 'ns' ? 1n : BigInt(report.tick.ns);

export const placesOf = (report: Report, problem: string): Place[] =>
  report.places.filter((place) => place.problem === problem);
