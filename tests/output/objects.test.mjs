// SPDX-License-Identifier: MIT
// What is shown of active objects, asked of the real trace_processor: the generated demo and small cases of one thing each.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { lift_recording } from '../generator/demo-lift.mjs';
import { convert } from './convert.mjs';
import { root } from './fetch.mjs';
import { selfCheck } from './self-check.mjs';
import { openTraceProcessor } from './trace-processor.mjs';

const HZ = { 'rate-hz': '1000000' };
const ALL = `select slice.name, slice.ts, slice.dur, coalesce(thread.name, track.name) as track, track.name as own from slice
  join track on track.id = slice.track_id left join thread_track on thread_track.id = slice.track_id left join thread using (utid) order by slice.ts`;

async function load(...inputs) {
  const engine = await openTraceProcessor();
  const { trace, report } = convert(inputs.map((bytes, core) => ({ bytes, core: inputs.length > 1 ? core : null })), HZ);
  engine.load(trace);
  return { engine, report };
}

const golden = (name, file = 'input.bin') => fs.readFileSync(path.join(root, 'tests/golden/qs', name, file));
const slices = ({ engine }, track) => engine.query(ALL).filter((one) => one.track?.startsWith(track) || one.own?.startsWith(track));

describe('the generated demo', () => {
  let demo;
  beforeAll(async () => {
    demo = await load(lift_recording({ bytes: 200_000 }));
  });

  test('loads without a complaint', () => expect(selfCheck(demo.engine, demo.report.events.lost)).toEqual([]));

  test('has steps, states, arrows and a scheduler', () => {
    const [row] = demo.engine.query(`select (select count(*) from flow) as arrows, (select count(*) from sched where dur > 0) as steps,
      (select count(*) from slice where extract_arg(arg_set_id, 'debug.in state') is not null) as steps,
      (select count(*) from slice where name glob 'wait for *') as waits`);
    for (const [name, count] of Object.entries(row)) expect(count, name).toBeGreaterThan(10);
  });

  test('its report has a row per active object and per queue', () => {
    expect(demo.report.objects.length).toBeGreaterThan(2);
    for (const task of demo.report.objects) expect(Number(task.steps), task.name).toBeGreaterThan(0);
    expect(demo.report.objects.filter((task) => task.longest_wait_on !== '').length).toBeGreaterThan(2);
    expect(new Set(demo.report.stores.map((queue) => queue.kind))).toContain('event queue');
  });
});

describe('small cases', () => {
  test('an event that is put off has an arrow to its recall', async () => {
    const { engine } = await load(golden('defer-and-recall'));
    const rows = engine.query('select a.name as begin, b.name as end from flow join slice a on a.id = slice_out join slice b on b.id = slice_in');
    expect(rows.filter(({ begin, end }) => begin.startsWith('defer ') && end.startsWith('recall ')).length).toBeGreaterThan(0);
  });

  test('a thread is seen waiting until it has what it waits for', async () => {
    const waits = (await load(golden('threads-that-wait'))).engine.query(ALL).filter(({ name }) => name.startsWith('wait for'));
    expect(waits.map(({ name, dur, track }) => [name, dur, track])).toEqual([
      ['wait for Alpha.deferred', 40_000, 'thread of priority 4'],
      ['wait for bus', 30_000, 'thread of priority 5'],
    ]);
  });

  test('after a loss a state is a guess until the object is heard of', async () => {
    const names = slices(await load(golden('gap-inside-open-slices')), 'state').map(({ name }) => name);
    expect(names).toEqual(['Alpha_idle', 'perhaps Alpha_idle', 'Alpha_idle']);
  });

  test('interrupts are named after what they do', async () => {
    const names = slices(await load(golden('interrupts-are-named-after-what-they-do')), 'Interrupts, core 0').map(({ name }) => name);
    expect(names).toEqual(['tick interrupt', 'l_isr', 'interrupt', 'interrupt']);
  });

  test('the tick counter tells turns of the clock that nobody saw', async () => {
    const { engine, report } = await load(golden('ticks-tell-unseen-turns'));
    const [{ last }] = engine.query(`select max(ts) as last from slice where name = '60'`);
    expect(last).toBe((60 - 1) * 5_000_000);
    expect(report.problems.map(({ id }) => id)).toContain('TURNS_ADDED');
  });

  test('an assertion stands on a track of its own and in the report', async () => {
    const loaded = await load(golden('assertion'));
    expect(slices(loaded, 'Failures').map(({ name }) => name)).toEqual(['assertion bsp:777']);
    expect(loaded.report.problems.map(({ id }) => id)).toContain('ASSERTION');
    expect(loaded.report.view.expand[0]).toContain('Target');
    expect(loaded.report.view.pin).toEqual([]); // it stands in the opened target and needs no second place
  });

  test('two cores have objects of their own', async () => {
    const files = ['input.core0.bin', 'input.core1.bin'].map((file) => golden('two-cores-without-target-info', file));
    const { engine, report } = await load(...files);
    expect(selfCheck(engine)).toEqual([]);
    expect(report.objects.map(({ name, steps }) => [name, Number(steps)])).toEqual([['Alpha of core 0', 8], ['Alpha of core 1', 8]]);
  });
});
