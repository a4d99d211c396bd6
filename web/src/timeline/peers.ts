// SPDX-License-Identifier: MIT
// What a task talks to, by the tables of the report.
import type { Report } from '../../../wasm/types.js';
import { KIND } from './engine.js';
import { type Layout, type Row, mainRows } from './layout.js';

type Names = Set<string | null>;

/** What a task has sent something to or received something from, through what, and its mutexes with the tasks that waited for them. */
function talkOf(report: Report, task: string): { actors: Names; objects: Names } {
  const { communication = [], mutexes = [], mutex_waits = [] } = report;
  const pairs = communication.filter(({ from, to }) => from === task || to === task),
    locks = mutex_waits.filter((row) => row.task === task || row.owner === task),
    held = mutexes.filter((row) => row.task === task);
  return {
    actors: new Set([
      task,
      ...pairs.flatMap(({ from, to }) => [from, to]),
      ...locks.flatMap((row) => [row.task, row.owner]),
    ]),
    objects: new Set([...pairs.map(({ object }) => object), ...[...locks, ...held].map(({ name }) => name)]),
  };
}

/** Numbers of the rows of a task, and of the rows of what it talks to or has waited for. */
export function peersOf(layout: Layout, report: Report, { owner: pid }: Row): Set<number> {
  const { tasks = [], interrupts = [], waits = [] } = report;
  const task = tasks.find((row) => Number(row.pid) === pid)?.name ?? '',
    { actors, objects } = talkOf(report, task),
    pids = new Set(tasks.filter(({ name }) => actors.has(name)).map((row) => Number(row.pid))),
    isrs = interrupts.filter(({ name }) => actors.has(`interrupt ${name}`)),
    tracks = new Set(isrs.map(({ track }) => track)),
    reasons = waits.filter((row) => row.task === task).map(({ name }) => name);
  const titles = mainRows(layout).map(({ title }) => title);
  // The reason of a wait ends with the name of the object: "receive from commands". The name may have blanks.
  const awaited = (reason: string): string =>
    titles.reduce((best, title) => (title.length > best.length && reason.endsWith(` ${title}`) ? title : best), '');
  for (const reason of reasons) {
    const object = awaited(reason);
    if (object) objects.add(object);
  }
  const isPeer = ({ kind, owner, title, track }: Row): boolean =>
    kind === KIND.task ? pids.has(owner) : kind !== KIND.core && (tracks.has(track) || objects.has(title));
  const peers = layout.sections.flatMap(({ rows }) => rows.filter(({ row }) => isPeer(row)));
  return new Set(peers.flatMap(({ row, children }) => [row, ...children].map(({ row }) => row)));
}
