// SPDX-License-Identifier: MIT
// The series of a report as rows of the overview.
import { rowsOf } from '../../wasm/report.js';
import type { Report, Row, Series } from '../../wasm/types.js';

/** One row of the overview; busy[i] is the share 0..1 of bucket i. */
export interface OverviewRow {
  name: string;
  kind: 'task' | 'idle' | 'interrupt' | 'marker' | 'signal';
  core: number | null;
  /** of a signal: the number of its samples in a bucket, divided by that of its fullest bucket */
  busy: number[];
}

/** A table row. */
export interface Place {
  table: string;
  row: number;
}

/** Matches a table row with an overview row: by its name, and whether it is idle. */
export function kindOf(report: Report, group: string, row: number | null): OverviewRow['kind'] {
  if (group === 'interrupts') return 'interrupt';
  if (group === 'markers') return 'marker';
  if (group === 'signals') return 'signal';
  return row !== null && rowsOf(report, group)[row]?.idle === true ? 'idle' : 'task';
}

function rowOf(report: Report, { group, row, label, values }: Series): OverviewRow {
  const core = group === 'interrupts' && row !== null ? rowsOf(report, group)[row]?.core : null;
  return { name: label, kind: kindOf(report, group, row), core: typeof core === 'number' ? core : null, busy: values };
}

export const overviewRows = (report: Report): OverviewRow[] => report.series.map((series) => rowOf(report, series));

/** The first column contains the name of the row. */
export const nameOf = (row: Row): Row[string] | undefined => Object.values(row)[0];

/** The overview row of a table row; null: none. */
export function rowAt(report: Report, { table, row }: Place): OverviewRow | null {
  const shown = rowsOf(report, table)[row];
  const belongs = (one: Series): boolean =>
    one.group === table &&
    (one.row === row || (one.row === null && shown !== undefined && nameOf(shown) === one.label));
  const series = report.series.find(belongs);
  return series ? rowOf(report, series) : null;
}
