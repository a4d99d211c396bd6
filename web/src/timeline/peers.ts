// SPDX-License-Identifier: MIT
// What a task talks to, by the tables of the report.
import type { Report } from '../../../wasm/types.js';
import { KIND } from './engine.js';
import type { Layout, Row } from './layout.js';

/** Names of the tasks, interrupts and objects that a task has sent something to or received something from, and of its mutexes with
 * the tasks that waited for them. */
function namesOf({ communication = [], mutexes = [], mutex_waits = [] }: Report, task: string): Set<string | null> {
  return new Set([
    ...communication.filter(({ from, to }) => from === task || to === task).flatMap(({ from, object, to }) => [from, object, to]),
    ...mutexes.filter((row) => row.task === task).map(({ name }) => name),
    ...mutex_waits.filter((row) => row.task === task || row.owner === task).flatMap(({ name, task, owner }) => [name, task, owner]),
  ]);
}

/** Numbers of the rows of a task, and of the rows of what it talks to or has waited for. */
export function peersOf({ sections }: Layout, report: Report, { owner: pid }: Row): Set<number> {
  const { tasks = [], interrupts = [], waits = [] } = report;
  const task = tasks.find((row) => Number(row.pid) === pid)?.name ?? '',
    names = namesOf(report, task).add(task),
    pids = new Set(tasks.filter(({ name }) => names.has(name)).map((row) => Number(row.pid))),
    tracks = new Set(interrupts.filter(({ name }) => names.has(name)).map(({ track }) => track)),
    reasons = waits.filter((row) => row.task === task).map(({ name }) => name);
  /** The reason of a wait ends with the name of the object: "receive from commands". */
  const isPeer = ({ kind, owner, title, track }: Row): boolean => {
    if (kind === KIND.task) return pids.has(owner);
    if (kind === KIND.core) return false;
    return names.has(title) || tracks.has(track) || reasons.some((reason) => ` ${reason}`.endsWith(` ${title}`));
  };
  const peers = sections.flatMap(({ rows }) => rows.filter(({ row }) => isPeer(row)));
  return new Set(peers.flatMap(({ row, children }) => [row, ...children].map(({ row }) => row)));
}
