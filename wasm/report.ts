// SPDX-License-Identifier: MIT
// What page and Node read from a report.
import type { Place, Report, Row } from './types.js';

/** The rows of any table; none when the report does not have it. */
export function rowsOf(report: Report, table: string): Row[] {
  const rows = Object.hasOwn(report, table) ? report[table] : [];
  return (Array.isArray(rows) ? rows : [rows]) as Row[];
}

/** Nothing tells how long a tick is: durations and times are ticks. */
export const inTicks = (report: Pick<Report, 'tick'>): boolean => Number(report.tick.ns) === 1 && report.tick.source === 'assumed';

export const placesOf = (report: Report, problem: string): Place[] => report.places.filter((place) => place.problem === problem);
