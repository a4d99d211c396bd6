// SPDX-License-Identifier: MIT
// A recording with more entities than the limits: those above a limit share one entry, in the real trace_processor.
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from './convert.mjs';
import { recording } from './reference/encode.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const TASKS = 8191;
const QUEUES = 8191;
const INTERRUPTS = 1023;
const MARKERS = 8192;

const many = (count, item) => Array.from({ length: count }, (_, index) => item(index * 7));
const first = 1_000_000; // numbers from here on are above the limit

describe('more entities than the limits', () => {
  let engine;
  let report;
  beforeAll(async () => {
    const { trace, report: told } = convert([
      {
        bytes: recording(
          ['tick', 1000],
          ...many(TASKS, (id) => ['task_name', id, 't']),
          ...many(QUEUES, (id) => ['queue_name', id, 'q']),
          ...many(INTERRUPTS, (id) => ['isr_name', id, 'i']),
          ...many(MARKERS, (id) => ['marker_name', id, 'm']),
          ['switched_in', 100, first],
          ['queue_send', 110, first + 1, 3],
          ['queue_send', 112, first + 2, 5],
          ['isr_enter', 120, first + 3],
          ['isr_exit', 130, first + 3],
          ['marker_begin', 140, first + 4, 'far'],
          ['marker', 141, first + 5, ''],
          ['marker_end', 142, first + 4],
          ['value', 150, first + 6, -9],
          ['switched_in', 160, first + 7],
          ['switched_in', 170, 0],
        ),
      },
    ]);
    engine = await sharedTraceProcessor();
    engine.load(trace);
    report = told;
  });
  const on = (track) =>
    engine
      .query(
        `select s.ts, s.dur, s.name from slice s join track t on t.id = s.track_id where t.name = '${track}' order by s.ts`,
      )
      .map(({ ts, dur, name }) => [Number(ts), Number(dur), name]);

  test('the trace is valid', () => {
    expect(selfCheck(engine, report.events)).toEqual([]);
  });

  test('tasks above the limit run as one', () => {
    const runs = engine.query(
      "select s.ts, s.dur, t.name from sched_slice s join thread t using (utid) where t.name = 'further tasks'",
    );
    expect(runs.map(({ ts, dur }) => [Number(ts), Number(dur)])).toEqual([[100_000, 70_000]]);
  });

  test("operations on queues above the limit are instants with the queue's number", () => {
    expect(on('further queues')).toEqual([
      [110_000, 0, 'queue #1000001'],
      [112_000, 0, 'queue #1000002'],
    ]);
  });

  test('further interrupts are slices like the others', () => {
    expect(on('Interrupts, core 0')).toEqual([[120_000, 10_000, 'further interrupts']]);
  });

  test('markers and values above the limit are instants', () => {
    expect(on('further markers')).toEqual([
      [140_000, 0, 'marker #1000004 begins'],
      [141_000, 0, 'marker #1000005'],
      [142_000, 0, 'marker #1000004 ends'],
    ]);
    expect(on('further values')).toEqual([[150_000, 0, 'value #1000006']]);
  });

  test('the report contains the limits and the counts', () => {
    const { count, detail } = report.problems.find(({ id }) => id === 'TOO_MANY');
    // 10 events about entities above the limits, the tasks (with the shared one) and queues above the 128 that are analysed
    const events = 10 + TASKS + 1 - 128 + QUEUES - 128;
    expect([count, detail]).toEqual([events, `${events} events`]);
    expect(report.tasks.map(({ name }) => name)).toContain('further tasks');
    expect(report.queues.map(({ name }) => name)).toEqual(['further queues']);
  });
});
