// SPDX-License-Identifier: MIT
//
// Notifications, event groups, buffers, software timers, heap and stacks of the real kernel on an emulated board: the kernel's own counts
// compared with its recording and the trace.
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, buildWithKernel, emulateUarts } from './emulator.mjs';
import { HAS_GOLDEN, events, frames, numbers } from './recordings.mjs';

const SHIFT = 5; // 32 ns per instruction

describe.skipIf(!CAN_RUN)('other objects of FreeRTOS', () => {
  /** @type {Uint8Array} */ let recording;
  /** @type {any} */ let told;
  /** @type {any[]} */ let all;
  /** @type {any} */ let engine;
  /** @type {any} */ let report;
  const of = (/** @type {string} */ name) => all.filter((event) => event.event === name);
  const table = (/** @type {string} */ id) => report[id];
  const slices = (/** @type {string} */ like) =>
    engine.query(`select s.name, count(*) as n from slice s where s.name like '${like}' group by 1 order by 1`);

  beforeAll(async () => {
    const [bytes, notes] = emulateUarts(buildWithKernel('freertos-objects', 'cortex-m3', 'objects', ['-Os']), SHIFT);
    recording = bytes;
    told = numbers(notes);
    all = events('freertos-objects', recording);
    const converted = convert([{ bytes: recording }]);
    report = converted.report;
    engine = await sharedTraceProcessor();
    engine.load(converted.trace);
  });

  test('the report contains no problem', () => {
    expect(told).toMatchObject({ dropped: 0, names_lost: 0 });
    expect(report.problems).toEqual([]);
  });

  test("the kernel's counts are those of the recording", () => {
    expect(of('task notified').length).toBe(told.notified);
    expect(of('task notified from interrupt').length).toBe(told.notified_from_isr);
    expect(of('bits set').length).toBe(told.bits_set);
    expect(of('bits waited for').length).toBeGreaterThanOrEqual(told.event_group_waited); // one call may not have returned yet
    expect(of('bits waited for').length).toBeLessThanOrEqual(told.event_group_waited + 1);
    expect(
      of('software timer started').length + of('software timer stopped').length + of('software timer deleted').length,
    ).toBe(told.timer_commands);
    expect(of('memory allocated').length).toBe(told.allocated);
    expect(of('memory freed').length).toBe(told.freed);
    expect(of('allocation failed').length).toBe(8);
  });

  test('the heap level is that of the kernel', () => {
    const levels = of('memory allocated')
      .concat(of('memory freed'))
      .sort((a, b) => a.offset - b.offset)
      .map((event) => event.number);
    expect(levels[levels.length - 1] - levels[0]).toBe(told.used_since_first);
    const last = engine.query(
      "select cast(c.value as int) as value from counter c join track t on t.id = c.track_id where t.name = 'heap' order by c.ts desc limit 1",
    );
    expect(last[0].value).toBe(levels[levels.length - 1]);
    expect(table('heaps')).toMatchObject([
      { name: 'heap', allocated: told.allocated, freed: told.freed, end: last[0].value },
    ]);
    expect(table('stacks').find((/** @type {any} */ row) => row.name === 'taker').least_free).toBe(told.stack_of_taker);
  });

  test('every wait has a reason', () => {
    const waits = slices('%').map((/** @type {any} */ row) => row.name);
    expect(waits).toEqual(
      expect.arrayContaining([
        'wait for notification',
        'sync on 0x3 in doors',
        'wait for 0x8 in doors',
        'receive from log',
        'receive from letters',
      ]),
    );
    expect(waits).not.toContain('waiting (not traced)');
    expect(slices('receive from log')[0].n).toBeGreaterThan(8);
  });

  test('timers, buffers and failed operations are shown', () => {
    expect(slices('armed 4 ticks')[0].n).toBeGreaterThan(2); // auto-reload
    expect(slices('expired')[0].n).toBe(of('software timer expired').length);
    expect(slices('allocate 1000%: failed').map((/** @type {any} */ row) => row.n)).toEqual([16]); // on the track of the task, and among the failures
    const buffers = Object.fromEntries(table('queues').map((/** @type {any} */ row) => [row.name, row]));
    expect(buffers.log).toMatchObject({ kind: 'stream buffer', capacity: 40 });
    expect(buffers.letters).toMatchObject({ kind: 'message buffer', capacity: 60 });
    expect(buffers.letters.timed_out).toBeGreaterThan(0);
  });

  test.skipIf(!HAS_GOLDEN)('the bytes are those of the golden recording', async () => {
    await expect(frames(recording)).toMatchFileSnapshot('golden/freertos-objects.txt');
  });
});
