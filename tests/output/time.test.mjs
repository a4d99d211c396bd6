// SPDX-License-Identifier: MIT
// Pauses at the end, restarts, narrow counters, unusual loss counts and time ranges, checked in the trace with SQL. The inputs are those of
// the golden cases.
import fs from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../golden/cases.mjs';
import { convert } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

/** Converts a golden case and loads it. */
function look(name, options = {}) {
  const { inputs: files } = cases().find((one) => one.name === `tonbandgeraet/${name}`);
  const inputs = files.map(({ path, core }) => ({ bytes: fs.readFileSync(path), core }));
  const { trace, report } = convert(inputs, { format: 'tonbandgeraet', ...options });
  engine.load(trace);
  expect(selfCheck(engine, report.events)).toEqual([]);
  const problems = Object.fromEntries(report.problems.map(({ id, count }) => [id, count]));
  return { report, problems, query: (sql) => engine.query(sql) };
}

const RUNS = `select t.name, s.ts / 1000 as at, s.dur / 1000 as dur from sched s join thread t using (utid) where not t.is_idle or t.name != 'swapper' order by s.ts`;
const IDLE_RUNS_OF_CORE_1 = `select s.ts / 1000 as at, s.dur / 1000 as dur from sched s join thread t using (utid) where t.is_idle and s.cpu = 1 order by s.ts`;
const STATES = `select t.name, s.ts / 1000 as at, s.state from thread_state s join thread t using (utid) order by s.ts, t.name`;
const MARKS = `select s.ts / 1000 as at, s.name, t.name as track from slice s join track t on t.id = s.track_id where t.name != 'Problems' order by s.ts, s.id`;

test('the last event may come after a pause', () => {
  const { problems, query } = look('pause-before-the-last-event');
  expect(problems).toEqual({});
  expect(
    query(RUNS)
      .filter(({ name }) => name === 'B')
      .at(-1),
  ).toMatchObject({ at: 1090, dur: 10_110 });
});

test('a very long pause at the end of one core is kept if another core has later events, else it is damage', () => {
  const { problems, report, query } = look('pause-at-the-end-of-one-core');
  expect(problems.TIME_DAMAGED).toBeUndefined();
  expect(report.cores[1].end).toBe('800000000000');
  // The last event of core 1 ends the idle run before it. What ran after it was not recorded.
  expect(query(RUNS).filter(({ name }) => name === 'not recorded')).toMatchObject([{ at: 800_000_000 }]);
  expect(query(IDLE_RUNS_OF_CORE_1).at(-1)).toEqual({ at: 1493, dur: 800_000_000 - 1493 });
  expect(look('spike-at-the-end-of-one-core').problems.TIME_DAMAGED).toBe(1);
});

test('a narrow counter with sparse events keeps every event and every wrap', () => {
  const { problems, report, query } = look('wrap-with-sparse-events');
  const marks = query(MARKS);
  expect(marks).toHaveLength(80);
  for (const { at, name } of marks) expect(at).toBe(Number(name));
  expect(Object.keys(problems)).toEqual(['TIME_WRAPPED']);
  expect(report.events.restarts).toBe(0);
  expect(look('wrap-with-too-sparse-events').report.events.restarts).toBeGreaterThan(0); // the documented limit of the format
});

test.each(['restart-names-before-first-event', 'restart-names-after-first-event'])(
  '%s: both runs have their own names',
  (name) => {
    const { report, query } = look(name);
    const processes = query('select name from process where name is not null').map((row) => row.name);
    expect(processes).toEqual(expect.arrayContaining(['A', 'Z']));
    const tracks = query(
      'select distinct t.name from track t join slice s on s.track_id = t.id union select distinct t.name from track t join counter c on c.track_id = t.id',
    ).map((row) => row.name);
    expect(tracks).toEqual(expect.arrayContaining(['m1', 'm2', 'q1', 'q2', 't1', 't2', 'v1', 'v2']));
    expect(
      query(
        "select s.name from slice s join track t on t.id = s.track_id where t.name = 'Interrupts, core 0' order by s.ts",
      ).map((row) => row.name),
    ).toEqual(['i1', 'i2']);
    expect(report.problems.some(({ id }) => id === 'NAME_CHANGED')).toBe(false);
  },
);

test('impossible loss counts are reported and not counted', () => {
  const jump = look('drop-count-jumps');
  expect(jump.report.events.lost).toBe(7);
  expect(jump.problems.DROP_COUNT_IMPOSSIBLE).toBe(1);
  const spike = look('drop-count-spikes');
  expect(spike.report.events.lost).toBe(0);
  expect(spike.problems.DROP_COUNT_IMPOSSIBLE).toBe(1);
  expect(look('drop-count-falls-and-returns').report.events.lost).toBe(1);
  expect(look('drop-count-falls-from-high').report.events.lost).toBe(14);
});

test('a line end before a frame is text', () => {
  const { problems, query } = look('line-end-before-frame');
  expect(query(MARKS).map(({ name }) => name)).toEqual(['before', 'aaaaa', 'bbbbb', 'ccccc', 'after']);
  expect(Object.keys(problems)).toEqual(['TEXT_SKIPPED']);
  expect(
    query("select t.name from counter c join track t on t.id = c.track_id where t.name like 'value%'"),
  ).toHaveLength(1);
});

test('at the start of a range every task has one state, and a counter the value it had', () => {
  const { query } = look('time-range-single-state-at-start', { 'from-ns': '200000' });
  expect(
    query(STATES)
      .filter(({ at }) => at === 200)
      .map(({ name, state }) => [name, state]),
  ).toEqual([
    ['A', 'Running'],
    ['B', 'S'],
  ]);
  const priority = look('time-range-priority-at-start', { 'from-ns': '200000' });
  expect(
    priority.query(
      "select c.ts / 1000 as at, c.value from counter c join track t on t.id = c.track_id where t.name = 'priority' order by c.ts",
    ),
  ).toMatchObject([
    { at: 200, value: 5 },
    { at: 300, value: 7 },
  ]);
});
