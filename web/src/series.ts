// SPDX-License-Identifier: MIT
// The series of a report as rows of a picture.
import { rowsOf } from '../../wasm/report.js';
import type { Report, Row, Series } from '../../wasm/types.js';

/** One row of the glance at where the time went: busy[i] is 0..1 of bucket i. */
export interface OverviewRow {
  name: string;
  kind: 'task' | 'idle' | 'interrupt' | 'marker' | 'signal';
  core: number | null;
  /** of a signal: its samples there, as a part of those in its fullest bucket */
  busy: number[];
}

/** A row of a table. */
export interface Place {
  table: string;
  row: number;
}

/** What row of a picture shows a row of a table: by its name, and whether it is idle. */
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

/** Whatever ran in a column has at least this share. */
export const LEAST = 0.001;

const MOST = 512; // columns of a picture

/** Wider buckets: of shares the mean, of samples a part of those in the fullest one. */
function widened({ group, values }: Series, by: number, count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  values.forEach((value, bucket) => {
    sums[Math.floor(bucket / by)]! += value;
  });
  const top = group === 'signals' ? Math.max(...sums) : by;
  return sums.map((sum) => (sum > 0 ? Math.max(LEAST, sum / top) : 0));
}

/** The series of a report end where nothing ran any more; a picture ends with the recording. */
export function throughout(report: Report): Report {
  const { series, strip, time } = report;
  const length = Math.max(0, ...series.map(({ values }) => values.length)),
    bucket = BigInt(strip.bucket);
  const needed = length ? Number((BigInt(time.end) - BigInt(strip.start) + bucket - 1n) / bucket) : 0;
  if (needed <= length) return report;
  const by = Math.ceil(needed / MOST);
  return {
    ...report,
    series: series.map((one) => ({ ...one, values: widened(one, by, Math.ceil(needed / by)) })),
    strip: { ...strip, bucket: String(bucket * BigInt(by)) },
  };
}

/** The first column names a row. */
export const nameOf = (row: Row): Row[string] | undefined => Object.values(row)[0];

/** The row of the picture that belongs to a row of a table; null: it has none. */
export function rowAt(report: Report, { table, row }: Place): OverviewRow | null {
  const shown = rowsOf(report, table)[row];
  const belongs = (one: Series): boolean =>
    one.group === table &&
    (one.row === row || (one.row === null && shown !== undefined && nameOf(shown) === one.label));
  const series = report.series.find(belongs);
  return series ? rowOf(report, series) : null;
}
