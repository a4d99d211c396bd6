// SPDX-License-Identifier: MIT
// Random SystemView recordings of all ports in the real engine, against the truth of their targets: runs of each core, states of each task, interrupts, marked times.
import { beforeAll, describe, expect, test } from 'vitest';
import { PORTS, random_recording } from '../simulator/systemview.mjs';
import { task_id } from '../generator/systemview.mjs';
import { convert } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const SEEDS = Number(process.env.SYSTEMVIEW_SEEDS ?? 6);

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

const ns_of = (truth) => (counts) =>
  Number((BigInt(counts) * 1_000_000_000n + BigInt(truth.hz) / 2n) / BigInt(truth.hz));

/** The trace of a recording. */
function shown(recording) {
  const inputs = recording.files.map((bytes, core) => (recording.files.length > 1 ? { bytes, core } : { bytes }));
  const { trace, report } = convert(inputs);
  engine.load(trace);
  expect(selfCheck(engine, report.events)).toEqual([]);
  const rows = (sql) => engine.query(sql);
  return {
    runs: rows(
      `select s.ts, s.dur, s.cpu, t.name, t.tid from sched s join thread t using (utid) order by s.cpu, s.ts`,
    ).map(({ ts, dur, cpu, name, tid }) => ({
      from: Number(ts),
      to: Number(ts) + Number(dur),
      cpu: Number(cpu),
      task: Number(tid) ? name : null,
    })),
    states: rows(
      `select s.ts, s.state, t.name from thread_state s join thread t using (utid) where t.name glob 'task*' order by s.ts`,
    ).map(({ ts, state, name }) => ({
      at: Number(ts),
      state: state[0] === 'R' && state !== 'Running' ? 'R' : state,
      name,
    })),
    interrupts: rows(
      `select s.ts, s.dur, s.depth from slice s join track t on t.id = s.track_id where t.name glob 'Interrupts*' and s.dur != 0 order by s.ts, s.depth`,
    ).map(({ ts, dur, depth }) => `${ts} ${dur} ${depth}`),
    marks: rows(`select ts, dur, name from slice where name glob 'mark [0-9]' and dur != 0 order by ts`).map(
      ({ ts, dur, name }) => `${ts} ${dur} ${name}`,
    ),
    prints: Number(
      rows(`select count(*) as count from slice s join track t on t.id = s.track_id where t.name = 'Messages'`)[0]
        .count,
    ),
    report,
  };
}

/** Runs of a core without two after each other of the same task. */
const merged = (runs) => runs.filter(({ task }, i) => !i || runs[i - 1].task !== task);

/** What is shown of a core, and what ran, from its first switch on. */
function runs_of(truth, core, trace) {
  const at = ns_of(truth);
  const expected = merged(truth.cores[core].runs).map(({ from, task }) => `${at(from)} ${task}`);
  const first = truth.cores[core].runs.length ? at(truth.cores[core].runs[0].from) : 0;
  const found = merged(trace.runs.filter(({ cpu, from }) => cpu === core && from >= first)).map(
    ({ from, task }) => `${from} ${task}`,
  );
  return { expected, found };
}

/** True runs with their ends. */
function true_runs(truth, core) {
  const at = ns_of(truth);
  const runs = merged(truth.cores[core].runs);
  return runs.map(({ from, task }, i) => ({ from: at(from), to: at(runs[i + 1]?.from ?? truth.end), task }));
}

/** Runs that are shown but were not, and runs between two losses that are not shown as they were. */
function false_runs(truth, core, trace) {
  const at = ns_of(truth);
  const runs = true_runs(truth, core).filter(({ task }) => task);
  const names = new Map(truth.tasks.map((task) => [`task #${task_id(task)}`, task.name])); // whose names were dropped
  const all = trace.runs
    .filter(({ cpu, task }) => cpu === core && task !== null && task !== 'not recorded')
    .map((run) => ({ ...run, task: names.get(run.task) ?? run.task }));
  const wrong = all
    .filter((run) => !runs.some(({ from, to, task }) => task === run.task && from <= run.from && run.to <= to))
    .map(({ from, to, task }) => `${from} to ${to} ${task} was not`);
  // The first run after a loss may be of the task that ran before it: then both are one run that crosses the loss.
  const first = truth.losses.map((loss) => runs.find(({ from }) => from > at(loss.to)));
  const is_whole = (run) =>
    run.to < at(truth.end) &&
    !first.includes(run) &&
    truth.losses.every((loss) => run.to < at(loss.from) || run.from > at(loss.to));
  const missing = runs
    .filter(is_whole)
    .filter((run) => !all.some(({ from, to, task }) => from === run.from && to === run.to && task === run.task))
    .map(({ from, to, task }) => `${from} to ${to} ${task} is missing`);
  return [...wrong, ...missing];
}

/** NuttX records no waits: a task that did not run waited if the core was idle meanwhile; else it may have been preempted. */
function states_without_waits(truth, task) {
  const idle = truth.cores[task.core].runs.filter(({ is_idle }) => is_idle).map(({ from }) => from);
  const runs = task.states.filter(({ state }, i) => state === 'running' || task.states[i - 1]?.state === 'running');
  return runs.map(({ at, state }, i) => {
    const until = runs[i + 1]?.at ?? Infinity;
    if (state === 'running') return { at, state };
    return { at, state: idle.some((from) => from >= at && from < until) ? 'waiting' : 'ready' };
  });
}

const WORDS = { running: /^Running$/, ready: /^R$/, waiting: /^[SDT]$/, dead: /^[ZXT]$/ };

function differing_states(truth, port, trace) {
  const at = ns_of(truth);
  const found = [];
  for (const task of truth.tasks) {
    const all = PORTS[port].readies ? task.states : states_without_waits(truth, task);
    const first = all.findIndex(({ state }) => state === 'running');
    if (first < 0) continue;
    const expected = all.slice(first).filter(({ state }, i, list) => !i || list[i - 1].state !== state);
    const states = trace.states
      .filter(({ name, at: ts }) => name === task.name && ts >= at(expected[0].at))
      .filter(({ state }, i, list) => !i || list[i - 1].state !== state);
    // Whether the last stop was a wait shows only later, if the port does not record waits.
    const last = PORTS[port].waits ? expected.length : expected.length - 1;
    for (let i = 0; i < last; i++) {
      const want = expected[i];
      const have = states[i];
      if (have?.at === at(want.at) && WORDS[want.state].test(have.state)) continue;
      found.push(`${task.name}: ${at(want.at)} ${want.state}, shown ${have?.at} ${have?.state}`);
      break;
    }
  }
  return found;
}

describe.each(Object.keys(PORTS))('%s', (port) => {
  test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('complete recording %i', (seed) => {
    const recording = random_recording(seed, port);
    const { truth } = recording;
    const trace = shown(recording);
    const at = ns_of(truth);
    for (const core of truth.cores.keys()) {
      const { expected, found } = runs_of(truth, core, trace);
      expect(found, `core ${core}`).toEqual(expected);
    }
    expect(differing_states(truth, port, trace)).toEqual([]);
    const interrupts = truth.cores.flatMap((core) => core.interrupts);
    const order = (a, b) => a.from - b.from || a.depth - b.depth;
    expect([...trace.interrupts].sort()).toEqual(
      interrupts
        .sort(order)
        .map(({ from, to, depth }) => `${at(from)} ${at(to) - at(from)} ${depth}`)
        .sort(),
    );
    for (const { from, to, mark } of truth.marks)
      expect(trace.marks).toContain(`${at(from)} ${at(to) - at(from)} mark ${mark}`);
    expect(trace.prints).toBe(truth.prints);
    const allowed = ['MARKER_OPEN_AT_END', ...(PORTS[port].waits ? [] : ['WAIT_UNKNOWN'])];
    expect(trace.report.problems.map(({ id }) => id).filter((id) => !allowed.includes(id))).toEqual([]);
  });

  test.each(Array.from({ length: Math.ceil(SEEDS / 3) }, (_, i) => i + 1))(
    'recording %i with dropped packets shows no run that was not',
    (seed) => {
      const recording = random_recording(seed, port, { losses: true });
      const { truth } = recording;
      const trace = shown(recording);
      for (const core of truth.cores.keys()) expect(false_runs(truth, core, trace)).toEqual([]);
      expect(Number(trace.report.events.lost)).toBe(truth.dropped);
    },
  );
});
