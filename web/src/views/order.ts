// SPDX-License-Identifier: MIT
// The order of tasks: by the time they took, idle ones last; the same in the table and in the strip.
import type { Report, StripRow, TaskReport } from '../../../wasm/types.js';

export const tasksInOrder = ({ tasks }: Report): TaskReport[] =>
  [...tasks].sort((a, b) => Number(a.idle) - Number(b.idle) || Number(b.cpuNs) - Number(a.cpuNs));

const kinds: StripRow['kind'][] = ['task', 'idle', 'interrupt', 'marker'];

/** Rows of the strip as the tables list them: tasks, interrupts, then markers. */
export function inTableOrder(report: Report): StripRow[] {
  const names = tasksInOrder(report).map(({ name }) => name);
  const rank = ({ kind, name }: StripRow): number => kinds.indexOf(kind) * 1e6 + (kind === 'task' || kind === 'idle' ? names.indexOf(name) : 0);
  return [...report.strip.rows].sort((a, b) => rank(a) - rank(b));
}
