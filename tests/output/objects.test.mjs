// SPDX-License-Identifier: MIT
// What is shown of active objects, asked of the real trace_processor: the generated demo and small cases of one thing each.
import fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { lift_recording } from '../generator/demo-lift.mjs';
import { FUN, OBJ, QsStream, run, SIG } from '../generator/golden-qs-stream.mjs';
import { golden_input } from '../golden/cases.mjs';
import { convert } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { openTraceProcessor } from './trace-processor.mjs';

const HZ = { 'rate-hz': '1000000' };
const ALL = `select slice.name, slice.ts, slice.dur, coalesce(thread.name, track.name) as track, track.name as own from slice
  join track on track.id = slice.track_id left join thread_track on thread_track.id = slice.track_id left join thread using (utid) order by slice.ts`;

async function load(...inputs) {
  const engine = await openTraceProcessor();
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

  test('loads without a complaint', () =>
    expect(selfCheck(demo.engine, demo.report.events.lost + demo.report.events.lost_on_line)).toEqual([]));

  test('has steps, states, arrows and a scheduler', () => {
    const [row] = demo.engine
      .query(`select (select count(*) from flow) as arrows, (select count(*) from sched where dur > 0) as steps,
      (select count(*) from slice where extract_arg(arg_set_id, 'debug.in state') is not null) as steps,
      (select count(*) from slice where name glob 'wait for *') as waits`);
    for (const [name, count] of Object.entries(row)) expect(count, name).toBeGreaterThan(10);
  });

  test('what a value of a semaphore does not tell stands in the wait that begins or ends with it', () => {
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
  test('an event that is put off has an arrow to its recall', async () => {
    const { engine } = await load(golden('defer-and-recall'));
    const rows = engine.query(
      'select a.name as begin, b.name as end from flow join slice a on a.id = slice_out join slice b on b.id = slice_in',
    );
    expect(
      rows.filter(({ begin, end }) => begin.startsWith('defer ') && end.startsWith('recall ')).length,
    ).toBeGreaterThan(0);
  });

  test('a thread is seen waiting until it has what it waits for', async () => {
    const waits = (await load(golden('threads-waiting'))).engine
      .query(ALL)
      .filter(({ name }) => name.startsWith('wait for'));
    expect(waits.map(({ name, dur, track }) => [name, dur, track])).toEqual([
      ['wait for Alpha.deferred', 40_000, 'thread of priority 4'],
      ['wait for bus', 30_000, 'thread of priority 5'],
    ]);
  });

  test('a value of a semaphore tells its operation where no wait for it begins or ends', async () => {
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

  test('after a loss a state is a guess until the object is heard of', async () => {
    const names = slices(await load(golden('gap-inside-open-slices')), 'state').map(({ name }) => name);
    expect(names).toEqual(['Alpha_idle', 'perhaps Alpha_idle', 'Alpha_idle']);
  });

  test('interrupts are named after what they do', async () => {
    const names = slices(await load(golden('interrupt-names-from-first-record')), 'Interrupts, core 0').map(
      ({ name }) => name,
    );
    expect(names).toEqual(['tick interrupt', 'l_isr', 'interrupt', 'interrupt']);
  });

  test('the tick counter tells turns of the clock that nobody saw', async () => {
    const { engine, report } = await load(golden('missed-wraps-from-tick-counter'));
    const [{ last }] = engine.query(`select max(ts) as last from slice where name = '60'`);
    expect(last).toBe((60 - 1) * 5_000_000);
    expect(report.problems.map(({ id }) => id)).toContain('WRAPS_INSERTED');
  });

  test('an assertion stands on a track of its own and in the report', async () => {
    const loaded = await load(golden('assertion'));
    expect(slices(loaded, 'Failures').map(({ name }) => name)).toEqual(['assertion bsp:777']);
    expect(loaded.report.problems.map(({ id }) => id)).toContain('ASSERTION');
    expect(loaded.report.view.expand[0]).toContain('Target');
    expect(loaded.report.view.pin).toEqual([]); // it stands in the opened target and needs no second place
  });

  test('a step counts once, however often it was interrupted', async () => {
    const { report } = await load(golden('nested-rtc-steps'));
    expect(report.objects.map(({ name, steps, steps_unmeasured }) => [name, steps, steps_unmeasured])).toEqual([
      ['Alpha', 1, 0],
      ['Beta', 1, 0],
    ]);
    const twice = (await load(golden('dispatch-without-end-of-previous'))).report.objects.find(
      ({ name }) => name === 'Alpha',
    );
    expect(twice).toMatchObject({ steps: 2, steps_unmeasured: 1 }); // the end of the first was not seen
  });

  test('behind a loss an event is not taken for one that was posted before it', async () => {
    const { GO } = SIG;
    const { A } = OBJ;
    const took = (s, ts, ...free) =>
      s
        .rec(free.length > 0 ? 'QF_ACTIVE_GET' : 'QF_ACTIVE_GET_LAST', ts, GO, A, 0, 0, ...free)
        .rec('QEP_DISPATCH', ts + 1, GO, A, FUN.IDLE)
        .rec('QEP_INTERN_TRAN', ts + 2, GO, A, FUN.IDLE);
    const stream = run().with((s) => s.step(100, GO, A, FUN.IDLE).lose(1).post(300, GO, A, 6)); // 8 places: another one waits
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

  test('a capture that begins in mid-stream tells the fill of a queue when it knows how long the queue is, and of a pool never', async () => {
    const { GO } = SIG,
      { A, B, POOL, QUEUE } = OBJ;
    const stream = () => new QsStream({ sequence: 40 });
    const get = (s, ts, object, ...free) =>
      s.rec(free.length > 0 ? 'QF_ACTIVE_GET' : 'QF_ACTIVE_GET_LAST', ts, GO, object, 0, 0, ...free);
    // Alpha has 8 places: 5 are taken at first. Beta is never empty.
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
    expect(fills(late)).toEqual({ 'EvtPool1 event pool': null }); // blocks were taken before: how many the pool has nobody knows
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

  test("the time of a priority that was taken for that of another object is not that one's", async () => {
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

  test('two cores have objects of their own', async () => {
    const files = ['input.core0.bin', 'input.core1.bin'].map((file) => golden('two-cores-without-target-info', file));
    const { engine, report } = await load(...files);
    expect(selfCheck(engine)).toEqual([]);
    expect(report.objects.map(({ name, steps }) => [name, Number(steps)])).toEqual([
      ['Alpha of core 0', 8],
      ['Alpha of core 1', 8],
    ]);
  });
});
