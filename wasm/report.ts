// SPDX-License-Identifier: MIT
// What page and Node read from a report.
import type { Place, Report, Row, Schema, Table } from './types.js';

/** The rows of any table; none when the report does not have it. */
export function rowsOf(report: Report, table: string): Row[] {
  const rows = Object.hasOwn(report, table) ? report[table] : [];
  return (Array.isArray(rows) ? rows : [rows]) as Row[];
}

/** The tables of a report with the descriptions of their columns. Leaves out what this schema does not describe. */
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

/** What durations and times of the report are: ns, or counts of something that has no known length. */
export const timeUnit = (report: Pick<Report, 'time_unit'>): string => report.time_unit;

/** Nanoseconds of the trace for one of them. */
export const traceNs = (report: Pick<Report, 'time_unit' | 'tick'>): bigint =>
  timeUnit(report) === 'ns' ? 1n : BigInt(report.tick.ns);

export const placesOf = (report: Report, problem: string): Place[] =>
  report.places.filter((place) => place.problem === problem);
