// SPDX-License-Identifier: MIT
// Functions of the page and the library that read a report.
import type { Place, Report, Row, Schema, Table } from './types.js';

/** Returns the rows of a table; [] if the report does not contain it. */
export function rowsOf(report: Report, table: string): Row[] {
  const rows = Object.hasOwn(report, table) ? report[table] : [];
  return (Array.isArray(rows) ? rows : [rows]) as Row[];
}

/** Returns the tables of a report with the descriptions of their columns. Omits tables and columns that neither the report nor the schema describes. */
export function tablesOf(report: Pick<Report, 'tables'>, schema: Pick<Schema, 'tables'>): Table[] {
  return report.tables.flatMap(({ id, columns, title, shape, sort }) => {
    const known = schema.tables.find((table) => table.id === id);
    const described = columns.flatMap((column) =>
      typeof column === 'string' ? (known?.columns.filter(({ key }) => key === column) ?? []) : [column],
    );
    if (title !== undefined) return [{ id, title, shape: shape ?? 'list', sort: sort ?? null, columns: described }];
    return known ? [{ ...known, columns: described }] : [];
  });
}

/** Returns the time range of the figures of a report; all 0 if it contains no event. */
export function timeRangeOf({ time }: Pick<Report, 'time'>): { start: bigint; end: bigint; duration: bigint } {
  return { start: BigInt(time.start ?? 0), end: BigInt(time.end ?? 0), duration: BigInt(time.duration ?? 0) };
}

/** Returns the unit of durations and times of the report: ns, ps, fs, or a counted item of unknown length, such as ticks. */
export const timeUnit = (report: Pick<Report, 'time_unit'>): string => report.time_unit;

/** Returns the number of units per nanosecond; 0: the length of the unit is unknown. */
export const unitsPerNs = (unit: string): number => ({ ns: 1, ps: 1000, fs: 1_000_000 })[unit] ?? 0;

/** Returns the nanoseconds of the trace per unit of the report. The trace shows 1 ps or 1 fs as 1 ns. */
export const traceNs = (report: Pick<Report, 'time_unit' | 'tick'>): bigint =>
  unitsPerNs(timeUnit(report)) ? 1n : BigInt(report.tick.ns);

export const placesOf = (report: Report, problem: string): Place[] =>
  report.places.filter((place) => place.problem === problem);
