// SPDX-License-Identifier: MIT
// The order of tasks: by the time they took, idle ones last; the same in the table and in the strip.
import { rowsOf } from '../../../wasm/report.js';
import type { Report, Row } from '../../../wasm/types.js';
import { type StripRow, stripRows } from '../series.js';

const timeOf = ({ cpu, running }: Row): number => Number(cpu ?? running);

const tasksInOrder = (report: Report): Row[] =>
  ['tasks', 'objects', 'contexts'].flatMap((table) => rowsOf(report, table)).sort((a, b) => Number(a.idle ?? 0) - Number(b.idle ?? 0) || timeOf(b) - timeOf(a));

const kinds: StripRow['kind'][] = ['task', 'idle', 'interrupt', 'marker', 'signal'];

/** Rows of the strip as the tables list them: tasks, interrupts, markers, then signals. */
export function inTableOrder(report: Report): StripRow[] {
  const names = tasksInOrder(report).map(({ name }) => name);
  const rank = ({ kind, name }: StripRow): number => kinds.indexOf(kind) * 1e6 + (kind === 'task' || kind === 'idle' ? names.indexOf(name) : 0);
  return stripRows(report).sort((a, b) => rank(a) - rank(b));
}
