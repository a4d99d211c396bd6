// SPDX-License-Identifier: MIT
// Active objects in the real trace_processor: the generated demo, and small cases of one feature each.
import fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { lift_recording } from '../generator/demo-lift.mjs';
import { FUN, OBJ, QsStream, run, SIG } from '../generator/golden-qs-stream.mjs';
import { golden_input } from '../golden/cases.mjs';
import { convert } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const HZ = { 'rate-hz': '1000000' };
const ALL = `select slice.name, slice.ts, slice.dur, coalesce(thread.name, track.name) as track, track.name as own from slice
  join track on track.id = slice.track_id left join thread_track on thread_track.id = slice.track_id left join thread using (utid) order by slice.ts`;

async function load(...inputs) {
  const engine = await sharedTraceProcessor();
  const { trace, report } = convert(
    inputs.map((bytes, core) => ({ bytes, core: inputs.length > 1 ? core : null })),
    HZ,
  );
  engine.load(trace);
  return { engine, report };
}

const golden = (name, file = 'input.bin') => fs.readFileSync(golden_input(`qs/${name}`, file));
const slices = ({ engine }, track) =>
  engine.query(ALL).filter((one) => one.track?.startsWith(track) || one.own?.startsWith(track));

describe('the generated demo', () => {
  let demo;
  beforeAll(async () => {
    demo = await load(lift_recording({ bytes: 200_000 }));
  });

  test('loads without errors', () => expect(selfCheck(demo.engine, demo.report.events)).toEqual([]));

  test('has steps, states, arrows and a scheduler', () => {
    const [row] = demo.engine
      .query(`select (select count(*) from flow) as arrows, (select count(*) from sched where dur > 0) as steps,
      (select count(*) from slice where extract_arg(arg_set_id, 'debug.in state') is not null) as steps,
      (select count(*) from slice where name glob 'wait for *') as waits`);
    for (const [name, count] of Object.entries(row)) expect(count, name).toBeGreaterThan(10);
  });

  test('details that a semaphore value omits are in the wait that begins or ends with it', () => {
    const [values] = demo.engine
      .query(`with told as (select ts, name from counter join counter_track on counter_track.id = track_id
        where name glob '* (semaphore)' and extract_arg(arg_set_id, 'debug.operation') is null),
      waits as (select ts, ts + dur as until, substr(name, 10) || ' (semaphore)' as name from slice where name glob 'wait for *')
      select (select count(*) from told) as n, (select count(*) from told join waits using (ts, name)) as blocked,
        (select count(*) from told join waits on until = told.ts and waits.name = told.name) as taken`);
    expect(Math.min(values.blocked, values.taken)).toBeGreaterThan(10);
    expect(values.blocked + values.taken).toBe(values.n);
  });

  test('its report has a row per active object and per queue', () => {
    expect(demo.report.objects.length).toBeGreaterThan(2);
    for (const { name, steps } of demo.report.objects)
      expect(steps > 0, name).toBe(!name.startsWith('thread of priority'));
    expect(demo.report.objects.filter((task) => task.longest_wait_on !== '').length).toBeGreaterThan(2);
    expect(new Set(demo.report.stores.map((queue) => queue.kind))).toContain('event queue');
  });
});

describe('small cases', () => {
  test('a deferred event has an arrow to its recall', async () => {
    const { engine } = await load(golden('defer-and-recall'));
    const rows = engine.query(
      'select a.name as begin, b.name as end from flow join slice a on a.id = slice_out join slice b on b.id = slice_in',
    );
    expect(
      rows.filter(({ begin, end }) => begin.startsWith('defer ') && end.startsWith('recall ')).length,
    ).toBeGreaterThan(0);
  });

  test('a thread waits until it gets the object', async () => {
    const waits = (await load(golden('threads-waiting'))).engine
      .query(ALL)
      .filter(({ name }) => name.startsWith('wait for'));
    expect(waits.map(({ name, dur, track }) => [name, dur, track])).toEqual([
      ['wait for Alpha.deferred', 40_000, 'thread of priority 4'],
      ['wait for bus', 30_000, 'thread of priority 5'],
    ]);
  });

  test('a semaphore value names its operation if no wait for it begins or ends there', async () => {
    const { engine } = await load(golden('semaphore-values-with-waits'));
    const rows =
      engine.query(`select counter.ts / 1000 as us, value, coalesce(extract_arg(arg_set_id, 'debug.operation'), '') as operation from counter join counter_track t on t.id = track_id
      where t.name glob '* (semaphore)' order by counter.ts, counter.id`);
    expect(rows.map(({ us, value, operation }) => `${us + 10} ${value} ${operation}`.trim())).toEqual([
      '100 0',
      '110 0',
      '120 2 taken',
      '130 0 taken',
      '140 0',
      '150 0',
      '150 0',
      '160 0',
      '200 1',
      '230 0',
      '250 0 taken',
    ]);
  });

  test('after a loss a state is a guess until the next record of the object', async () => {
    const names = slices(await load(golden('gap-inside-open-slices')), 'state').map(({ name }) => name);
    expect(names).toEqual(['Alpha_idle', 'perhaps Alpha_idle', 'Alpha_idle']);
  });

  test('interrupts are named after their first record', async () => {
    const names = slices(await load(golden('interrupt-names-from-first-record')), 'Interrupts, core 0').map(
      ({ name }) => name,
    );
    expect(names).toEqual(['tick interrupt', 'l_isr', 'interrupt', 'interrupt']);
  });

  test('the tick counter shows wraps of the clock between records', async () => {
    const { engine, report } = await load(golden('missed-wraps-from-tick-counter'));
    const [{ last }] = engine.query(`select max(ts) as last from slice where name = '60'`);
    expect(last).toBe((60 - 1) * 5_000_000);
    expect(report.problems.map(({ id }) => id)).toContain('WRAPS_INSERTED');
  });

  test('an assertion is on a track of its own and in the report', async () => {
    const loaded = await load(golden('assertion'));
    expect(slices(loaded, 'Failures').map(({ name }) => name)).toEqual(['assertion bsp:777']);
    expect(loaded.report.problems.map(({ id }) => id)).toContain('ASSERTION');
    expect(loaded.report.view.expand[0]).toContain('Target');
    expect(loaded.report.view.pin).toEqual([]); // the expanded target shows it, so it is not pinned
  });

  test('a step counts once, for any number of interruptions', async () => {
    const { report } = await load(golden('nested-rtc-steps'));
    expect(report.objects.map(({ name, steps, steps_unmeasured }) => [name, steps, steps_unmeasured])).toEqual([
      ['Alpha', 1, 0],
      ['Beta', 1, 0],
    ]);
    const twice = (await load(golden('dispatch-without-end-of-previous'))).report.objects.find(
      ({ name }) => name === 'Alpha',
    );
    expect(twice).toMatchObject({ steps: 2, steps_unmeasured: 1 }); // the end of the first step was lost
  });

  test('after a loss a received event is not matched with a post before the loss', async () => {
    const { GO } = SIG;
    const { A } = OBJ;
    const took = (s, ts, ...free) =>
      s
        .rec(free.length > 0 ? 'QF_ACTIVE_GET' : 'QF_ACTIVE_GET_LAST', ts, GO, A, 0, 0, ...free)
        .rec('QEP_DISPATCH', ts + 1, GO, A, FUN.IDLE)
        .rec('QEP_INTERN_TRAN', ts + 2, GO, A, FUN.IDLE);
    const stream = run().with((s) => s.step(100, GO, A, FUN.IDLE).lose(1).post(300, GO, A, 6)); // 8 entries: another event waits
    const { report, engine } = await load(took(took(stream, 400, 7), 500).bytes());
    expect(report.objects[0]).toMatchObject({
      name: 'Alpha',
      steps: 3,
      waits: 3,
      waits_unmeasured: 1,
      longest_wait: '201000',
      longest_wait_at: '200000',
    });
    expect(engine.query('select count(*) as arrows from flow')[0].arrows).toBe(2);
    expect(report.stores[0]).toMatchObject({ operations: 5, max_fill: 2 });
  });

  test('a capture from mid-stream contains the fill of a queue if the length of the queue is known, and never that of a pool', async () => {
    const { GO } = SIG,
      { A, B, POOL, QUEUE } = OBJ;
    const stream = () => new QsStream({ sequence: 40 });
    const get = (s, ts, object, ...free) =>
      s.rec(free.length > 0 ? 'QF_ACTIVE_GET' : 'QF_ACTIVE_GET_LAST', ts, GO, object, 0, 0, ...free);
    // Alpha has 8 entries, 5 of them used at first. Beta is never empty.
    const busy = (s) =>
      get(
        get(
          get(
            get(s.post(100, GO, A, 3).post(110, GO, B, 2), 120, A, 4).rec('QF_MPOOL_GET', 125, POOL, 9, 7),
            130,
            B,
            3,
          ),
          140,
          A,
        ),
        150,
        B,
        4,
      );
    const stored = (s) =>
      s.rec('QF_EQUEUE_POST', 160, GO, QUEUE, 0, 0, 2, 2).rec('QF_EQUEUE_GET_LAST', 170, GO, QUEUE, 0, 0);
    const fills = ({ report }) =>
      Object.fromEntries(report.stores.map(({ name, kind, max_fill }) => [`${name} ${kind}`, max_fill]));
    const values = ({ engine }) =>
      engine
        .query(
          `select ts, value from counter join track t on t.id = track_id where t.name = 'waiting events' order by ts`,
        )
        .map(({ ts, value }) => [ts / 1000, value]);
    const unknown = await load(stream().names().with(busy).with(stored).bytes());
    expect(fills(unknown)).toEqual({
      'Alpha event queue': null,
      'Beta event queue': null,
      'EvtPool1 event pool': null,
      'Alpha.deferred queue': null,
    });
    const known = await load(
      stream()
        .names()
        .with(busy)
        .with(stored)
        .post(200, GO, A, 7)
        .post(210, GO, A, 6)
        .rec('QF_EQUEUE_POST', 220, GO, QUEUE, 0, 0, 3, 2)
        .bytes(),
    );
    expect(fills(known)).toEqual({
      'Alpha event queue': 5,
      'Beta event queue': null,
      'EvtPool1 event pool': null,
      'Alpha.deferred queue': 2,
    });
    const begun = await load(
      run()
        .post(100, GO, A, 7)
        .post(110, GO, A, 6)
        .rec('QF_MPOOL_GET', 120, POOL, 9, 9)
        .rec('QF_MPOOL_GET', 130, POOL, 8, 8)
        .bytes(),
    );
    expect(fills(begun)).toEqual({ 'Alpha event queue': 2, 'EvtPool1 event pool': 2 });
    const late = await load(
      run()
        .rec('QF_MPOOL_GET', 120, POOL, 9, 7)
        .rec('QF_MPOOL_PUT', 130, POOL, 10)
        .rec('QF_MPOOL_GET', 140, POOL, 9, 7)
        .bytes(),
    );
    expect(fills(late)).toEqual({ 'EvtPool1 event pool': null }); // blocks were allocated before, so the size of the pool is unknown
    const wrong = run()
      .rec('QF_MPOOL_GET', 100, POOL, 9, 9)
      .rec('QF_MPOOL_PUT', 110, POOL, 12)
      .rec('QF_MPOOL_GET', 200, POOL, 6, 6)
      .rec('QF_MPOOL_GET', 210, POOL, 5, 5)
      .bytes();
    expect(fills(await load(wrong))).toEqual({ 'EvtPool1 event pool': null });
    expect(known.report.stores.map(({ operations }) => operations).sort()).toEqual([1, 3, 3, 5]);
    expect(values(known).map(([, value]) => value)).toEqual([0, 1, 2]);
  });

  test('the time of a priority that belongs to another object is not counted for the first one', async () => {
    const turn = (stream, ts, object, state) =>
      stream
        .rec('SCHED_NEXT', ts, 5, 0)
        .step(ts + 20, SIG.GO, object, state)
        .rec('SCHED_IDLE', ts + 100, 5);
    const { report } = await load(
      run()
        .with((s) => turn(turn(s, 100, OBJ.A, FUN.IDLE), 300, OBJ.B, FUN.WORK))
        .bytes(),
    );
    expect(report.objects.map(({ name, cpu }) => [name, cpu])).toEqual([
      ['Alpha', '100000'],
      ['Beta', '100000'],
    ]);
  });

  test('each of two cores has its own objects', async () => {
    const files = ['input.core0.bin', 'input.core1.bin'].map((file) => golden('two-cores-without-target-info', file));
    const { engine, report } = await load(...files);
    expect(selfCheck(engine)).toEqual([]);
    expect(report.objects.map(({ name, steps }) => [name, Number(steps)])).toEqual([
      ['Alpha of core 0', 8],
      ['Alpha of core 1', 8],
    ]);
  });
});
