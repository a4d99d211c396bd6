// SPDX-License-Identifier: MIT
// The order of rows, the same in the tables and in the overview: tasks by their time, idle tasks last.
import { rowsOf } from '../../../wasm/report.js';
import type { Report, Row } from '../../../wasm/types.js';
import { type OverviewRow, nameOf, overviewRows } from '../series.js';

const timeOf = ({ cpu, running }: Row): number => Number(cpu ?? running);

const tasksInOrder = (report: Report): Row[] =>
  ['tasks', 'objects', 'contexts']
    .flatMap((table) => rowsOf(report, table))
    .sort((a, b) => Number(a.idle ?? 0) - Number(b.idle ?? 0) || timeOf(b) - timeOf(a));

const kinds: OverviewRow['kind'][] = ['task', 'idle', 'interrupt', 'marker', 'signal'];

/** The overview's rows in the order of the tables: tasks, interrupts, markers, signals. */
export function inTableOrder(report: Report): OverviewRow[] {
  const tasks = tasksInOrder(report).map(({ name }) => name);
  const signals = rowsOf(report, 'signals').map(nameOf);
  const within = ({ kind, name }: OverviewRow): number =>
    (kind === 'signal' ? signals : kind === 'task' || kind === 'idle' ? tasks : [name]).indexOf(name);
  const rank = (row: OverviewRow): number => kinds.indexOf(row.kind) * 1e6 + within(row);
  return overviewRows(report).sort((a, b) => rank(a) - rank(b));
}
