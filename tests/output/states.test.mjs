// SPDX-License-Identifier: MIT
// For every encoding of scheduling, Perfetto's tables must contain every state of every task and every run of every core. `dump --stage
// tracks` prints the states of the timeline, which are turned into rows here; SQL queries read the trace.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make_demos } from '../../scripts/generate-demos.mjs';
import { cases, sampled, tool } from '../golden/cases.mjs';
import { UNRECORDED_TID, conditions } from './threads.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const WORDS = { runnable: 'R', running: 'Running', waiting: 'S', 'waiting for a lock': 'D', suspended: 'T', dead: 'Z' };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-states-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const run = (args) =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 29, stdio: ['ignore', 'pipe', 'ignore'] });

/** Calls of the timeline, and the trace made of them. */
function both(words) {
  const out = path.join(folder, 'trace');
  const report = JSON.parse(run(['--report', '--out', out, ...words]));
  const calls = run(['--dump', 'tracks', '--json', ...words])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { calls, tick: BigInt(report.tick.ns), trace: fs.readFileSync(out) };
}

const after = (a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.order - b.order);

const is_task = ({ pid }) => pid > UNRECORDED_TID;

/** Replaces the calls of cores (pid 0) by runs of their threads for unrecorded time, or by idle time (pid 0). */
function resolve_cores(states) {
  const running = new Map(); // core -> the last run that began there
  const resolved = new Set();
  for (const state of states) {
    const { pid, ts, core, order } = state;
    const before = running.get(core);
    if (pid === 0 && state.state === undefined) {
      if (before?.pid === UNRECORDED_TID - core) continue; // its time is unrecorded already
      if (before?.ts === ts) resolved.delete(before);
      else if (before && is_task(before)) resolved.add({ pid: before.pid, ts, state: 'R', core, order, implied: true });
      state.pid = UNRECORDED_TID - core;
      state.state = 'Running';
    }
    if (state.early && before?.pid === UNRECORDED_TID - core) continue; // no run is drawn that could end
    if (state.state === 'Running') running.set(core, state);
    else if (before?.pid === pid) running.set(core, { pid: 0, ts, core });
    resolved.add(state);
  }
  return [...resolved];
}

/** States of the timeline, by time; of several at one tick of a task the last one. Idle tasks count as no task. */
function told_states({ calls, tick }) {
  const idle = new Set(calls.filter(({ call, idle }) => call === 'task' && idle).map(({ pid }) => pid));
  const states = calls
    .filter(({ call, pid, state }) => call === 'state' && (state === 'running' || !idle.has(pid)))
    .map((state) => (idle.has(state.pid) ? { ...state, pid: 0 } : state));
  const sorted = states
    .map(({ ticks, when, pid, state, core, waker }, order) => ({
      ts: BigInt(ticks) * tick - (when === 'early' ? 1n : 0n),
      early: when === 'early',
      pid,
      state: WORDS[state],
      core,
      waker,
      order,
    }))
    .sort(after);
  return resolve_cores(sorted);
}

/** Rows of thread_state: from each state to the task's next one. An exit that is followed by another state is written as stopped. */
function expected_states(states) {
  const of_task = new Map();
  for (const state of states.filter(is_task)) of_task.set(state.pid, [...(of_task.get(state.pid) ?? []), state]);
  const is_replaced = ({ implied, ts }, next) => implied && next?.ts === ts;
  return [...of_task].flatMap(([pid, all]) => {
    const list = all.filter((state, i) => !is_replaced(state, all[i + 1]));
    return list.map(({ ts, state, core }, i) => {
      const last = i + 1 === list.length;
      return `${pid} ${ts} +${last ? 'end' : list[i + 1].ts - ts} ${state === 'Z' && !last ? 'T' : state}${state === 'Running' ? ` on ${core}` : ''}`;
    });
  });
}

/** Rows of sched_slice: a run ends with the task's next state, or when another task runs on its core. */
function expected_runs(states) {
  const runs = [];
  const open = new Map(); // core -> its run
  const close = (core, ts) => {
    const one = open.get(core);
    if (one && ts > one.ts) runs.push(`${core} ${one.pid} ${one.ts} +${ts - one.ts}`);
    open.delete(core);
  };
  for (const { ts, pid, state, core } of states) {
    if (pid) for (const [other, one] of [...open]) if (one.pid === pid) close(other, ts);
    if (state !== 'Running') continue;
    close(core, ts);
    if (pid) open.set(core, { pid, ts });
  }
  return [...runs, ...[...open].map(([core, { pid, ts }]) => `${core} ${pid} ${ts} to the end`)];
}

const TH = conditions('th');
const STATES = `select th.tid, ts, dur, state, cpu from thread_state join thread th using (utid) where ${TH.is_task}`;
const RUNS = `select cpu, th.tid, ts, dur from sched_slice join thread th using (utid) where not ${TH.is_idle}`;
const COMPLAINTS = `select name, value from stats where value > 0 and (severity in ('error', 'data_loss') or name like 'compact_sched%error%'
  or name in ('mismatched_sched_switch_tids', 'compact_sched_waking_skipped')) and name != 'traced_buf_trace_writer_packet_loss'`;

const difference = (wanted, found) => {
  const [a, b] = [new Set(wanted), new Set(found)];
  return [
    ...wanted.filter((row) => !b.has(row)).map((row) => `missing: ${row}`),
    ...found.filter((row) => !a.has(row)).map((row) => `too much: ${row}`),
  ].sort();
};

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

function check(words) {
  const made = both(words);
  const states = told_states(made);
  if (!states.length) return 0;
  engine.load(made.trace);
  expect(engine.query(COMPLAINTS)).toEqual([]);
  const rows = engine
    .query(STATES)
    .map(
      ({ tid, ts, dur, state, cpu }) =>
        `${tid} ${ts} +${dur < 0 ? 'end' : dur} ${state}${state === 'Running' ? ` on ${cpu}` : ''}`,
    );
  expect(difference(expected_states(states), rows)).toEqual([]);
  const runs = engine
    .query(RUNS)
    .map(({ cpu, tid, ts, dur }) => `${cpu} ${tid} ${ts} ${dur < 0 ? 'to the end' : `+${dur}`}`);
  expect(difference(expected_runs(states), runs)).toEqual([]);
  return states.length;
}

const { files } = make_demos();
const RECORDINGS = {
  'one core': ['freertos.bin'],
  'two cores': ['two-cores.core0.bin', 'two-cores.core1.bin'],
  damaged: ['damaged.bin'],
  'active objects': ['active-objects.bin'],
  calls: ['calls.bin'],
  TraceRecorder: ['tracerecorder.psf'],
};

const written = (names) =>
  names.map((name, core) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, files.get(name));
    return names.length > 1 ? `${file}@${core}` : file;
  });

describe('states and runs are those of the timeline', () => {
  test.each(Object.entries(RECORDINGS))('%s', (_, names) => {
    expect(check(written(names))).toBeGreaterThan(20);
  });

  test.each([
    [0.3, 0.6],
    [0.5, 0.501],
  ])('a time range: %d to %d', (from, to) => {
    for (const names of Object.values(RECORDINGS)) {
      const inputs = written(names);
      const { start, duration } = JSON.parse(run(['--report', ...inputs])).time;
      const at = (share) => Number(start) + Math.floor(Number(duration) * share);
      check([`from-ns=${at(from)}`, `to-ns=${at(to)}`, ...inputs]);
    }
  });

  test('golden cases', () => {
    for (const { name, inputs, options } of sampled(cases())) {
      const words = [
        ...options,
        ...inputs.map(({ path: file, side, core }) => (side ? `+${file}` : core ? `${file}@${core}` : file)),
      ];
      try {
        check(words);
      } catch (error) {
        error.message = `${name}: ${error.message}`;
        throw error;
      }
    }
  }, 600_000);
});
