// SPDX-License-Identifier: MIT
// The table in docs/formats/tonbandgeraet.md, row by row: each test constructs a small recording, converts it, loads it into the real
// trace_processor and queries it with SQL.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import { actual } from './actual.mjs';
import { convert, tool } from './convert.mjs';
import { recording } from './reference/encode.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

/** Converts and loads; returns the results, with times in ticks of 1000 ns if the recording begins with `tick`. */
function look(inputs, options = {}) {
  const { trace, report } = convert(
    inputs.map((input) => (input instanceof Uint8Array ? { bytes: input } : input)),
    options,
  );
  engine.load(trace);
  expect(selfCheck(engine, report.events)).toEqual([]);
  const problem = (id) => report.problems.find((entry) => entry.id === id);
  const count = (id) => problem(id)?.count ?? 0;
  return { trace, report, problem, count, found: actual(engine), query: (sql) => engine.query(sql) };
}

const one = (...items) => look([recording(...items)]);

const tick = ['tick', 1000];
const tasks = [tick, ['task_name', 1, 'A'], ['task_name', 2, 'B'], ['task_name', 3, 'IDLE'], ['task_is_idle', 3, 0]];
const marker = ['marker_name', 1, 'm'];

/** Markers with an increasing number as text at these times. */
const marks = (times) => times.map((time, index) => ['marker', time, 1, `n${index}`]);
const range = (count, first, step) => Array.from({ length: count }, (_, index) => first + index * step);
const markTimes = (found) =>
  found.markers
    .map((line) => /^m: n(\d+) (\d+) /.exec(line))
    .map(([, index, time]) => [Number(index), Number(time)])
    .sort((a, b) => a[0] - b[0])
    .map(([, time]) => time);

const slicesOf = (
  group,
) => `select s.ts, s.dur, s.name, s.depth, s.arg_set_id from slice s join track t on t.id = s.track_id
  where t.name = '${group}' order by s.ts, s.id`;

describe('time', () => {
  test('row 1: equal times keep their order, with and without names in between', () => {
    const items = range(24, 10, 1).flatMap((time, index) => [
      ['isr_enter', time, 15],
      ['value', time, 3, 2 * index],
      ['marker_begin', time, 1, `n${index}`],
      ...(index % 5 === 0 ? [['isr_name', 15, 'tick'], ['value_name', 3, 'v'], marker] : []),
      ['value', time, 3, 2 * index + 1],
      ['marker_end', time, 1],
      ['isr_exit', time, 15],
    ]);
    const { found, report, query } = one(tick, ...items);
    expect(found.isrs).toHaveLength(24);
    expect(found.markers).toHaveLength(24);
    expect(
      query("select value from counter c join track t on t.id = c.track_id where t.name = 'v' order by c.id").map(
        (row) => row.value,
      ),
    ).toEqual(range(48, 0, 1));
    expect(report.problems).toEqual([]);
  });

  test('row 2: one falling time stamp is damage of that frame only', () => {
    const times = range(20, 1000, 10);
    const { found, count, problem } = one(
      tick,
      marker,
      ...marks(times.slice(0, 10)),
      ['isr_enter', 900, 3],
      ...marks(times).slice(10),
    );
    expect(markTimes(found)).toEqual(times.map((time) => time * 1000));
    expect(count('TIME_DAMAGED')).toBe(1);
    expect(problem('TIME_DAMAGED').offset).not.toBeNull();
  });

  test('row 3: one time stamp far ahead is damage of that frame only', () => {
    const times = range(20, 1000, 10);
    const { found, count, report } = one(
      tick,
      marker,
      ...marks(times.slice(0, 10)),
      ['isr_enter', 2n ** 40n, 3],
      ...marks(times).slice(10),
    );
    expect(markTimes(found)).toEqual(times.map((time) => time * 1000));
    expect(count('TIME_DAMAGED')).toBe(1);
    expect(report.time.end).toBe('1190000');
  });

  test.each([16, 24, 32, 48])('row 4: a counter of %i bits wraps, and time continues', (bits) => {
    const full = 2 ** bits;
    const line = range(40, full - 200, 10);
    const { found, problem, report } = one(tick, marker, ...marks(line.map((time) => time % full)));
    expect(markTimes(found)).toEqual(line.map((time) => time * 1000));
    expect(problem('TIME_WRAPPED').detail).toBe(`${bits} bits`);
    expect(report.events.restarts).toBe(0);
  });

  test('row 5: a restart begins a new section after the old one, with new ids', () => {
    const { found, report } = one(
      ...tasks,
      marker,
      ['switched_in', 50_000, 1],
      ['marker_begin', 50_010, 1, 'open at the reset'],
      ...range(10, 50_020, 10).map((time) => ['marker', time, 1, 'before']),
      ...[tick, marker],
      ['created', 10, 1],
      ['task_name', 1, 'other'],
      ['created', 12, 2],
      ['task_name', 2, 'B'],
      ['switched_in', 20, 1],
      ...range(10, 30, 10).map((time) => ['marker', time, 1, 'after']),
    );
    expect(report.events.restarts).toBe(1);
    const [open] = found.markers.filter((line) => line.includes('open at the reset'));
    expect(open).toMatch(/50010000 \+(100000|101000)$/); // closed at the last event before the restart, or one tick after it
    const after = found.markers
      .filter((line) => line.startsWith('m: after'))
      .map((line) => Number(/after (\d+)/.exec(line)[1]));
    expect(Math.min(...after)).toBeGreaterThan(50_110_000);
    expect(Math.max(...after) - Math.min(...after)).toBe(90_000);
    expect(found.runs.some((line) => line.startsWith('other on 0'))).toBe(true);
    expect(found.runs.some((line) => line.startsWith('A on 0 50000000'))).toBe(true);
  });

  test('row 6: a start repeated in the middle, with core_id at time 0, is no falling time', () => {
    const times = range(20, 1000, 10);
    const preamble = [['core_id', 0, 0], tick, marker, ['core_id', 0, 0]];
    const { found, report, count } = one(
      ...preamble,
      ...marks(times.slice(0, 10)),
      ...preamble,
      ...marks(times).slice(10),
    );
    expect(markTimes(found)).toEqual(times.map((time) => time * 1000));
    expect(report.events.restarts).toBe(0);
    expect(count('TIME_DAMAGED')).toBe(0);
  });

  test('row 10: times whose product exceeds 63 bits are counted, none becomes negative', () => {
    const { report, count, query } = one(
      tick,
      marker,
      ...[0n, 1n, 2n ** 53n, 2n ** 60n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n].map((time) => [
        'marker',
        time,
        1,
        `at ${time}`,
      ]),
    );
    const [{ low, high, n }] = query(
      "select min(s.ts) as low, max(s.ts) as high, count(*) as n from slice s join track t on t.id = s.track_id where t.name = 'm'",
    );
    expect(n).toBe(7);
    expect(BigInt(low)).toBeGreaterThanOrEqual(0n);
    expect(BigInt(high)).toBeLessThan(2n ** 63n);
    expect(BigInt(high)).toBeGreaterThan(2n ** 62n);
    expect(count('TIME_CLAMPED')).toBeGreaterThan(0);
    expect(count('TICK_TOO_LARGE')).toBe(1);
    expect(report.tick.ns).toBe(1);
  });

  test('row 31: a core_id with a falling time is reported with its position', () => {
    const times = range(20, 1000, 10);
    const head = recording(tick, marker, ...marks(times.slice(0, 10)));
    const { found, report } = look([
      Uint8Array.from([...head, ...recording(['core_id', 900, 0], ...marks(times).slice(10))]),
    ]);
    expect(markTimes(found)).toEqual(times.map((time) => time * 1000));
    expect(report.places.find(({ problem }) => problem === 'TIME_DAMAGED')).toMatchObject({
      input_number: 0,
      offset: head.length,
      frame: 12,
      time: expect.any(String),
      hex: expect.stringMatching(/^01 04 84 07 01|^01 /),
    });
  });
});

describe('cores', () => {
  test('row 7: cores come from the data, an impossible one is damage', () => {
    const { report, count, found } = one(
      ...tasks,
      ...[0, 1, 2].flatMap((core) => [
        ['core_id', 100 + 10 * core, core],
        ['isr_enter', 100 + 10 * core, 7],
        ['isr_exit', 105 + 10 * core, 7],
      ]),
      ['core_id', 200, 4_000_000_000],
      ['isr_enter', 201, 7],
      ['isr_exit', 202, 7],
    );
    expect(report.cores.map((core) => core.core)).toEqual([0, 1, 2]);
    expect(found.isrs).toHaveLength(4);
    expect(count('CORE_OUT_OF_RANGE')).toBe(1);
  });

  test('row 8: events after the end of another core are kept, and that end is marked', () => {
    const first = recording(...tasks, marker, ...marks(range(10, 100, 10)));
    const second = recording(['isr_enter', 105, 7], ['isr_exit', 115, 7]);
    const { found, problem, report } = look([
      { bytes: first, core: 0 },
      { bytes: second, core: 1 },
    ]);
    expect(markTimes(found)).toEqual(range(10, 100_000, 10_000));
    expect(report.cores.map((core) => core.end)).toEqual(['190000', '115000']);
    expect(problem('CORE_ENDED_EARLY').detail).toBe('core 1');
  });

  test('row 8: a core without events does not affect the others', () => {
    const { found } = look([
      { bytes: recording(tick, marker, ...marks(range(10, 100, 10))), core: 0 },
      { bytes: recording(['isr_name', 7, 'never']), core: 1 },
    ]);
    expect(found.markers).toHaveLength(10);
  });

  test('row 19: a late switch-out on the old core does not end the run on the new one', () => {
    const { found } = one(
      ...tasks,
      ['core_id', 0, 0],
      ['switched_in', 10, 1],
      ['core_id', 20, 1],
      ['switched_in', 20, 1],
      ['core_id', 25, 0],
      ['switched_in', 25, 2],
      ['core_id', 40, 1],
      ['switched_in', 40, 2],
    );
    expect(found.runs).toContain('A on 1 20000 +20000');
    // when A left core 0, and what ran there until B came, was not recorded; then B moves in the same way
    expect(found.unrecorded).toEqual(['core 0: 10000 to the end']);
    expect(found.runs.filter((line) => line.startsWith('A on 0'))).toEqual([]);
  });

  test('row 28: only tracks with content exist', () => {
    const { query } = one(
      ...range(40, 1, 1).flatMap((id) => [
        ['task_name', id, `t${id}`],
        ['queue_name', id, `q${id}`],
        ['marker_name', id, `m${id}`],
      ]),
      tick,
      ...range(4, 0, 1).flatMap((core) => [
        ['core_id', 100 + core, core],
        ['isr_enter', 100 + core, 7],
        ['isr_exit', 100 + core, 7],
      ]),
      ['core_id', 110, 0],
      ['switched_in', 110, 1],
      ['switched_in', 120, 2],
      ['queue_send', 130, 5, 1],
    );
    expect(query('select name from thread where tid > 0 order by name').map((row) => row.name)).toEqual(['t1', 't2']);
    expect(
      query("select t.name from track t join track p on p.id = t.parent_id where p.name = 'Interrupts' order by 1").map(
        (row) => row.name,
      ),
    ).toEqual([0, 1, 2, 3].map((core) => `Interrupts, core ${core}`));
    expect(
      query("select name from track where name glob 'q[0-9]*' or name glob 'm[0-9]*'").map((row) => row.name),
    ).toEqual(['q5']);
  });
});

describe('frames', () => {
  test('row 9: invalid UTF-8 is repaired and kept', () => {
    const { found, count } = one(
      tick,
      ['marker_name', 1, [0x61, 0xe2, 0x82]],
      ['marker', 10, 1, [0x61, 0xff, 0xfe, 0x62]],
      ['marker', 20, 1, 'good'],
    );
    expect(found.markers).toEqual(['a\ufffd: a\ufffd\ufffdb 10000 +0', 'a\ufffd: good 20000 +0']);
    expect(count('STRING_BAD_UTF8')).toBe(2);
  });

  test('row 13: bytes after the last delimiter are reported', () => {
    const whole = recording(tick, marker, ...marks([10, 20, 30]));
    const { found, problem } = look([whole.subarray(0, whole.length - 3)]);
    expect(found.markers).toHaveLength(2);
    expect(problem('FRAME_CUT_AT_END')).toMatchObject({ count: 1, severity: 'damage' });
  });

  test('row 27: events are written as text only with the option', () => {
    const items = range(400, 100, 10).map((time, index) => ['switched_in', time, 1 + (index % 2)]);
    const bytes = recording(...tasks, ...items);
    const plain = look([bytes]);
    expect(plain.found.runs).toHaveLength(400);
    expect(plain.query('select count(*) as n from slice')[0].n).toBe(0);
    const raw = look([bytes], { 'raw-events': '1' });
    expect(raw.query('select count(*) as n from slice')[0].n).toBeGreaterThanOrEqual(400);
    expect(raw.trace.length).toBeGreaterThan(plain.trace.length);
  });

  test('row 27: each core has its own events as text, for any core number', () => {
    const inputs = [7, 8, 31].map((core, index) => ({
      bytes: recording(tick, marker, ...marks([10 + index, 20 + index, 30 + index])),
      core,
    }));
    const raw = look(inputs, { 'raw-events': '1' });
    const rows = raw.query(
      "select t.name as name, count(*) as n from slice s join track t on s.track_id = t.id where t.name like 'Core %' group by t.id order by n, t.id",
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(['Core 31', 'Core 7', 'Core 8']);
    expect(new Set(rows.map(({ n }) => n)).size).toBe(1);
  });

  test('row 30: the mode is inferred from the ids', () => {
    expect(one(...tasks, ['switched_in', 10, 1]).report.format.mode).toBe('free-rtos');
    expect(one(tick, marker, ...marks([10, 20])).report.format.mode).toBe('bare-metal');
  });

  test('row 32: memory does not grow with the recording', () => {
    const [input] = inputs(CASES[0], '12M').paths;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-'));
    try {
      const [trace, report] = ['trace', 'report'].map((name) => path.join(folder, name));
      // 24 MiB of address space, program and libraries included
      const limited = spawnSync('sh', ['-c', 'ulimit -v 24576; exec "$0" "$@"', tool, trace, report, '--', input], {
        encoding: 'utf8',
      });
      expect(limited.stderr).toBe('');
      expect(limited.status).toBe(0);
      expect(JSON.parse(fs.readFileSync(report, 'utf8')).events.total).toBeGreaterThan(1_200_000);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('row 33: an empty file gives an empty trace with an explanation', () => {
    const { report, query, found } = look([new Uint8Array(0)], { format: 'tonbandgeraet' });
    expect(query('select count(*) as n from slice')[0].n).toBe(0);
    expect(found.runs).toEqual([]);
    expect(report.explain.length).toBeGreaterThan(0);
  });
});

describe('numbers', () => {
  test('row 11: any task id has a separate process', () => {
    const ids = [1, 77, 2 ** 31 - 1, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32 - 300];
    const { query, found } = one(tick, ...ids.map((id, index) => ['switched_in', 10 + index * 10, id]), [
      'switched_in',
      100,
      1,
    ]);
    expect(new Set(found.runs.map((line) => line.split(' on ')[0]))).toEqual(new Set(ids.map((id) => `task #${id}`)));
    const pids = query('select pid from process where pid > 0').map((row) => row.pid);
    expect(new Set(pids).size).toBe(ids.length);
    expect(pids.every((pid) => pid > 2 && pid < 2 ** 31)).toBe(true);
  });

  test('row 12: losses are differences of counts; wrap, restart of the count and a late start are recognised', () => {
    const lost = (...counts) =>
      one(
        tick,
        marker,
        ...counts.flatMap((count, index) => [
          ['dropped', 10 + index * 10, count],
          ['marker', 10 + index * 10, 1, 'x'],
        ]),
      ).report.events;
    expect(lost(0, 0, 7)).toMatchObject({ lost: 7, lost_before: 0 });
    expect(lost(500, 500, 503)).toMatchObject({ lost: 3, lost_before: 500 });
    expect(lost(2 ** 32 - 2, 2 ** 32 - 1, 3)).toMatchObject({ lost: 5, lost_before: 2 ** 32 - 2 });
    expect(lost(9, 4)).toMatchObject({ lost: 4, lost_before: 9 });
  });

  test('row 12: a first count after events without a count reports losses after them', () => {
    const behind = (count, ...times) =>
      one(
        tick,
        marker,
        ...times.map((time) => ['marker', time, 1, 'x']),
        ['isr_enter', 100, 4],
        ['dropped', 200, count],
        ['isr_exit', 200, 4],
      ).report;
    expect(behind(5, 10, 20).events).toMatchObject({ lost: 5, lost_before: 0 });
    expect(behind(0, 10, 20).events).toMatchObject({ lost: 0, lost_before: 0 });
    expect(behind(0, 10, 20).interrupts[0]).toMatchObject({ count: 1, count_unmeasured: 0, max: '100000' });
    expect(behind(5, 10, 20).interrupts[0]).toMatchObject({ count: 1, count_unmeasured: 1, max: null });
    expect(behind(5).events).toMatchObject({ lost: 0, lost_before: 5 }); // the count of the only event before it may have been truncated
    expect(behind(5).interrupts[0]).toMatchObject({ count: 1, count_unmeasured: 1 });
  });

  test('the time of a core during a loss is not measured', () => {
    const tasksOnly = one(
      ...tasks,
      ['dropped', 0, 0],
      ['switched_in', 0, 1],
      ['dropped', 100, 1],
      ['switched_in', 100, 3],
      ['dropped', 200, 2],
      ['marker', 200, 1, 'x'],
    ).report;
    expect(tasksOnly.cpu.load).toBeNull(); // none of it was measured
    expect(tasksOnly.cores[0]).toMatchObject({ load: null, busy: '0', idle: '0', outside: null, unmeasured: '200000' });
    const interrupts = (time) => [
      ['isr_enter', time, 4],
      ['isr_exit', time + 10, 4],
    ];
    const bare = one(
      tick,
      ['dropped', 0, 0],
      ...interrupts(0),
      ...interrupts(50),
      ['dropped', 100, 3],
      ...interrupts(100),
    ).report;
    expect(bare.cores[0]).toMatchObject({ busy: null, interrupt: '30000', outside: '40000', unmeasured: '40000' });
  });

  test('row 29: a repeated count is not an event', () => {
    const { query, report } = one(
      tick,
      marker,
      ...range(60, 10, 10).flatMap((time, index) => [
        ['dropped', time, index < 20 ? 0 : 5],
        ['marker', time, 1, 'x'],
      ]),
    );
    expect(report.events.lost).toBe(5);
    expect(query(slicesOf('Problems'))).toHaveLength(1);
  });
});

describe('tasks', () => {
  test('row 14: before the first switch, queues and markers are shown without a task, with one notice', () => {
    const { found, report } = one(
      ...tasks,
      ['queue_name', 1, 'q'],
      ['queue_send', 10, 1, 1],
      ['delay', 11, 5],
      ['task_marker', 12, 4, 'early'],
      ['task_value', 13, 4, 9],
      ['delay', 14, 5],
      ['switched_in', 20, 1],
    );
    expect(found.fills).toEqual(['q 10000 (1) = 1']);
    expect(found.markers).toEqual(['marker #4: early 12000 +0']);
    expect(found.values).toEqual(['value #4 13000 (1) = 9']);
    expect(found.waits).toEqual([]);
    expect(report.problems.filter((problem) => problem.id === 'NO_CURRENT_TASK')).toHaveLength(1);
  });

  test('row 15: a repeated switch-in changes nothing, and cancels an announced wait', () => {
    const { found } = one(
      ...tasks,
      ['switched_in', 10, 1],
      ['switched_in', 20, 1],
      ['delay', 25, 3],
      ['switched_in', 30, 1],
      ['switched_in', 40, 2],
      ['switched_in', 50, 1],
    );
    expect(found.runs).toEqual(['A on 0 10000 +30000', 'A on 0 50000 to the end', 'B on 0 40000 +10000']);
    expect(found.waits).toEqual([]);
    expect(found.states).toContain('A: R 40000 +10000');
  });

  test('row 16: a task that becomes ready between the announcement and the switch does not wait', () => {
    const { found } = one(
      ...tasks,
      ['switched_in', 10, 1],
      ['delay', 20, 5],
      ['ready', 30, 1],
      ['switched_in', 40, 2],
      ['switched_in', 50, 1],
    );
    expect(found.waits).toEqual([]);
    expect(found.states).toContain('A: R 40000 +10000');
  });

  test('row 17: a task that is resumed while it runs continues', () => {
    const { found } = one(
      ...tasks,
      ['switched_in', 10, 1],
      ['suspended', 20, 1],
      ['resumed', 30, 1],
      ['ready', 30, 1],
      ['switched_in', 40, 2],
      ['switched_in', 50, 1],
    );
    expect(found.runs).toContain('A on 0 10000 +30000');
    expect(found.waits).toEqual([]);
  });

  test('row 18: a task that is switched out without a wait and becomes ready later was waiting', () => {
    const { found } = one(
      ...tasks,
      ['switched_in', 10, 1],
      ['switched_in', 20, 3],
      ['ready', 50, 1],
      ['switched_in', 60, 1],
    );
    expect(found.waits).toEqual(['A: waiting (not traced) 20000 +30000']);
    expect(found.states).toContain('A: S 20000 +30000');
    expect(found.states).toContain('A: R 50000 +10000');
  });

  test('row 18: a task that never becomes ready was only preempted', () => {
    const { found } = one(...tasks, ['switched_in', 10, 1], ['switched_in', 20, 2], ['switched_in', 60, 1]);
    expect(found.waits).toEqual([]);
    expect(found.states).toContain('A: R 20000 +40000');
  });

  test.each([
    [
      'inherited (before)',
      [
        ['ready', 40, 1],
        ['inherit', 40, 1, 5],
      ],
    ],
    [
      'disinherited (after)',
      [
        ['disinherit', 40, 1, 1],
        ['ready', 40, 1],
      ],
    ],
    [
      'set (after)',
      [
        ['priority', 40, 1, 5],
        ['ready', 40, 1],
      ],
    ],
  ])('row 18: a ready event of a priority %s does not end a wait', (_, change) => {
    const { found } = one(...tasks, ['switched_in', 10, 1], ['switched_in', 20, 2], ...change, ['switched_in', 60, 1]);
    expect(found.waits).toEqual([]);
    expect(found.states).toContain('A: R 20000 +40000');
  });

  test('row 20: a ready event does not revive a deleted task', () => {
    const { found, count } = one(
      ...tasks,
      ['switched_in', 10, 2],
      ['deleted', 20, 2],
      ['switched_in', 30, 3],
      ['ready', 40, 2],
      ['switched_in', 50, 1],
    );
    expect(found.deaths).toEqual(['B: deleted 30000']);
    expect(found.states).toEqual(['B: Running 10000 +20000']);
    expect(count('TASK_AFTER_DELETE')).toBe(1);
  });

  test('row 21: marker names for task 0 belong to the running task, those from the metadata buffer to tasks without a name', () => {
    const { found, query } = one(
      ...tasks,
      ['task_marker_name', 1, 0, 'from the buffer'],
      ['switched_in', 10, 1],
      ['task_marker_name', 1, 0, 'named by A'],
      ['task_marker', 12, 1, 'x'],
      ['task_value_name', 1, 0, 'value of A'],
      ['task_value', 13, 1, -3],
      ['switched_in', 20, 2],
      ['task_marker', 22, 1, 'y'],
    );
    expect(found.taskMarkers).toEqual(['A/named by A: x 12000 +0', 'B/from the buffer: y 22000 +0']);
    expect(found.taskValues).toEqual(['A/value of A 13000 (1) = -3']);
    expect(query("select count(*) as n from thread where name = 'task #0' or tid = 300")[0].n).toBe(0);
  });

  test('row 24: a peek is named peek, timeouts are shown, "forever" is named', () => {
    const { found, query } = one(
      ...tasks,
      ['queue_name', 1, 'q'],
      ...[
        ['block_peek', 20, 1, 7],
        ['block_send', 40, 1, 0xffffffff],
        ['block_receive', 60, 1, 9],
        ['delay_until', 80, 0xffffffff],
      ].flatMap((block, index) => [
        ['switched_in', 10 + index * 20, 1],
        block,
        ['switched_in', 21 + index * 20, 3],
        ['ready', 25 + index * 20, 1],
      ]),
    );
    expect(found.waits.map((line) => line.replace(/ \d+ \+\d+$/, ''))).toEqual([
      'A: delay forever',
      'A: peek q',
      'A: receive from q',
      'A: send to q',
    ]);
    const timeouts = query(
      "select s.name, a.display_value as timeout from slice s join args a using (arg_set_id) where a.key = 'debug.timeout (ticks)' order by s.ts",
    );
    expect(timeouts).toEqual([
      { name: 'peek q', timeout: '7' },
      { name: 'send to q', timeout: 'forever' },
      { name: 'receive from q', timeout: '9' },
    ]);
  });
});

describe('queues, interrupts, markers', () => {
  test('row 22: the creation of a mutex is not a take', () => {
    const { found } = one(
      ...tasks,
      ['switched_in', 5, 1],
      ['queue_created', 10, 1],
      ['queue_kind', 1, 3],
      ['queue_length', 10, 1, 0],
      ['queue_name', 1, 'bus'],
      ['queue_send', 11, 1, 1],
      ['queue_receive', 20, 1, 0],
      ['queue_send', 30, 1, 1],
    );
    expect(found.locks).toEqual(['bus: held by A 20000 +10000']);
  });

  test('row 23: semaphores stay at one, queues show the recorded level', () => {
    const { found, count } = one(
      ...tasks,
      ['queue_name', 1, 'mailbox'],
      ['queue_kind', 1, 0],
      ['queue_name', 2, 'bin'],
      ['queue_kind', 2, 2],
      ['queue_send', 10, 1, 2],
      ['queue_send', 20, 2, 2],
    );
    expect(found.fills).toEqual(['bin 20000 (1) = 1', 'mailbox 10000 (1) = 2']);
    expect(count('QUEUE_CLAMPED')).toBe(1);
  });

  test('row 25: an interrupt entered twice nests and ends twice', () => {
    const { found, count } = one(
      tick,
      ['isr_name', 9, 'uart'],
      ['isr_enter', 10, 9],
      ['isr_enter', 20, 9],
      ['isr_exit', 30, 9],
      ['isr_exit', 40, 9],
    );
    expect(found.isrs).toEqual(['core 0: uart 10000 +30000', 'core 0: uart 20000 +10000']);
    expect(count('ISR_END_WITHOUT_BEGIN')).toBe(0);
  });

  test('row 26: ends without a begin are dropped and counted, slices without an end are closed and marked', () => {
    const { found, count, query } = one(
      tick,
      marker,
      ['marker_end', 10, 1],
      ['isr_exit', 11, 7],
      ['marker_begin', 20, 1, 'open'],
      ['isr_enter', 25, 7],
      ['marker', 30, 2, 'last'],
    );
    expect(found.markers).toEqual(['m: open 20000 +10000', 'marker #2: last 30000 +0']);
    expect(found.isrs).toEqual(['core 0: ISR #7 25000 +5000']);
    expect([
      count('MARKER_END_WITHOUT_BEGIN'),
      count('ISR_END_WITHOUT_BEGIN'),
      count('MARKER_OPEN_AT_END'),
      count('ISR_OPEN_AT_END'),
    ]).toEqual([1, 1, 1, 1]);
    const marked = query(
      "select s.name from slice s join args a using (arg_set_id) where a.key = 'debug.open at the end' order by s.ts",
    );
    expect(marked.map((row) => row.name)).toEqual(['open', 'ISR #7']);
  });
});
