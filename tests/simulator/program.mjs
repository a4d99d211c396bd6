// SPDX-License-Identifier: MIT
//
// What the program shows of a recording, in the form of the truth.

import { tool } from '../cli/tool.mjs';

/** States of tasks by name: "time state", in order. @typedef {Map<string, string[]>} States */

/** @type {Record<string, string>} */
const STATES = { 'waiting for a lock': 'waiting', runnable: 'ready', dead: 'deleted', stopped: 'suspended' };

/** @param {string[]} paths @returns {Promise<States>} */
export async function shown_states(paths) {
  const { text, code, errors } = await tool(['dump', '--stage', 'tracks', '--json', ...paths]);
  if (code !== 0) throw new Error(errors);
  /** @type {Map<number, string>} */
  const names = new Map();
  /** @type {States} */
  const states = new Map();
  const lines = text.trim().split('\n');
  const { tick_ns } = JSON.parse(/** @type {string} */ (lines.at(-1)));
  for (const line of lines) {
    if (!line.startsWith('{"call":"task"') && !line.startsWith('{"call":"state"')) continue;
    const { call, pid, name, ticks, state } = JSON.parse(line);
    if (call === 'task') {
      names.set(pid, name);
      continue;
    }
    const key = names.get(pid) ?? String(pid);
    const list = states.get(key) ?? [];
    states.set(key, list);
    list.push(`${Number(ticks) * tick_ns} ${STATES[state] ?? state}`);
  }
  return states;
}

/** @param {string[]} paths @param {string[]} [expected] rules, which may fail @returns {Promise<any>} */
export async function shown_report(paths, expected = []) {
  const rules = expected.flatMap((rule) => ['--expect', rule]);
  const { text, code, errors } = await tool(['info', '--json', ...rules, ...paths]);
  if (code !== 0 && !(code === 1 && rules.length)) throw new Error(errors);
  return JSON.parse(text.trim().split('\n')[0]);
}

/** The columns of the stage `jobs`. An empty cell is unknown or does not exist. */
export const JOB_COLUMNS =
  'task,release,start,end,rt,ipt,get,cet,int,pre,blk,room,wait,period,state,causes,time_unit'.split(',');

/** A row of the stage `jobs` by column. @typedef {Record<string, string>} JobRow */

/** Splits a line of CSV. @param {string} line */
const cells = (line) =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .slice(0, JOB_COLUMNS.length)
    .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));

/** @param {string[]} paths @returns {Promise<JobRow[]>} */
export async function shown_jobs(paths) {
  const { text, code, errors } = await tool(['dump', '--stage', 'jobs', ...paths]);
  if (code !== 0) throw new Error(errors);
  const [header, ...lines] = text.trim().split(/\r?\n/);
  if (header !== JOB_COLUMNS.join(',')) throw new Error(`columns of jobs: ${header}`);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, i) => [JOB_COLUMNS[i], cell])));
}
