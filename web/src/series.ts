// SPDX-License-Identifier: MIT
// The series of a report as rows of the overview.
import { rowsOf, timeRangeOf } from '../../wasm/report.js';
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

/** If anything ran in a column, the column gets at least this height. */
export const LEAST = 0.001;

const MOST = 512; // columns of a picture

/** Merges buckets: the mean of shares; for samples the sum, divided by that of the fullest bucket. */
function widened({ group, values }: Series, by: number, count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  values.forEach((value, bucket) => {
    sums[Math.floor(bucket / by)]! += value;
  });
  const top = group === 'signals' ? Math.max(...sums) : by;
  return sums.map((sum) => (sum > 0 ? Math.max(LEAST, sum / top) : 0));
}

/** The series of a report end after the last activity; the overview ends with the recording. */
export function throughout(report: Report): Report {
  const { series, strip } = report;
  const length = Math.max(0, ...series.map(({ values }) => values.length)),
    bucket = BigInt(strip.bucket ?? 0);
  const needed =
    length && bucket ? Number((timeRangeOf(report).end - BigInt(strip.start ?? 0) + bucket - 1n) / bucket) : 0;
  if (needed <= length) return report;
  const by = Math.ceil(needed / MOST);
  return {
    ...report,
    series: series.map((one) => ({ ...one, values: widened(one, by, Math.ceil(needed / by)) })),
    strip: { ...strip, bucket: String(bucket * BigInt(by)) },
  };
}

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
