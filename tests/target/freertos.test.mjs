// SPDX-License-Identifier: MIT
//
// The real FreeRTOS kernel on emulated boards: its own counts compared with its recording.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { other_memory } from '../generator/control.mjs';
import { convert } from '../output/convert.mjs';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, OUT, buildExample, buildWithKernel, emulate, emulateUarts } from './emulator.mjs';
import { HAS_GOLDEN, events, frames, numbers } from './recordings.mjs';

const SHIFT = 5; // 32 ns per instruction
const NS_PER_TICK = 40;
const FINE_SHIFT = 3; // 8 ns per instruction: kernel and recorder read the time some instructions apart
const RING = ['-DPOST_MORTEM', '-DRING_BYTES=3000'];
const MOST_DIFFERENCE = 1000; // ns, of all runs of a task
const BOARDS = /** @type {const} */ ([
  ['cortex-m3', 'mps2-an385'],
  ['cortex-m4', 'mps2-an386'],
]);

/** @param {string} name @param {{ ofRecorder?: string[], ofProgram?: string[] }} [options] @param {'cortex-m3' | 'cortex-m4'} [cpu] @param {number} [shift] */
function run(name, options, cpu = 'cortex-m3', shift = SHIFT) {
  const path = buildWithKernel(`freertos-${name}-${cpu}`, cpu, 'freertos', ['-Os'], options);
  const [recording, notes] = emulateUarts(path, shift, BOARDS.find(([of]) => of === cpu)?.[1]);
  return { recording, told: numbers(notes) };
}

/** In `npm test`, tracer/examples/stm32f4 is the program for a Cortex-M4 (boards.test.mjs). */
const TESTED = process.env.TONKOPF_EVERY_CASE ? BOARDS : BOARDS.slice(0, 1);

describe.skipIf(!CAN_RUN).each(TESTED)('FreeRTOS on %s', (cpu, machine) => {
  /** @type {Uint8Array} */ let recording;
  /** @type {any} */ let told;
  /** @type {any[]} */ let all;
  /** @type {any} */ let engine;
  /** @type {any} */ let report;
  const count = (/** @type {string} */ name) => all.filter((event) => event.event === name).length;

  beforeAll(async () => {
    ({ recording, told } = run('all', {}, cpu));
    all = events(`freertos-${cpu}`, recording);
    const converted = convert([{ bytes: recording }]);
    report = converted.report;
    engine = await sharedTraceProcessor();
    engine.load(converted.trace);
  });

  test('every event of the table that a kernel reports is there', () => {
    const seen = new Set(all.map((event) => event.event));
    for (const name of [
      'task switched in',
      'task made ready',
      'task resumed',
      'task resumed by interrupt',
      'task suspended',
      'delay',
      'delay until',
      'priority set',
      'priority inherited',
      'priority given back',
      'task created',
      'task name',
      'idle task',
      'timer task',
      'task deleted',
      'queue created',
      'queue name',
      'queue kind',
      'queue send',
      'queue send from interrupt',
      'queue overwrite',
      'queue overwrite from interrupt',
      'queue receive',
      'queue receive from interrupt',
      'queue reset',
      'waits to peek',
      'waits to send',
      'waits to receive',
      'queue length',
      'task marker name',
      'task marker',
      'task marker begin',
      'task marker end',
      'task value name',
      'task value',
      'interrupt entered',
      'interrupt left',
    ])
      expect(seen, name).toContain(name);
  });

  test("the kernel's counts are those of the recording", () => {
    const set = all.find((event) => event.event === 'queue kind' && event.number === 5).id;
    const toSet = all.filter((event) => event.event === 'queue send' && event.id === set).length; // by the kernel itself
    expect(count('task switched in')).toBe(told.switches + 1); // and the first task
    expect(count('queue send') - toSet + count('queue overwrite')).toBe(told.sends);
    expect(toSet).toBe(all.filter((event) => event.event === 'queue receive' && event.id === set).length);
    expect(count('queue send from interrupt') + count('queue overwrite from interrupt')).toBe(told.sends_from_isr);
    expect(count('queue receive')).toBe(told.receives);
    expect(count('queue receive from interrupt')).toBe(told.receives_from_isr);
    expect(told).toMatchObject({ dropped: 0, names_lost: 0 });
  });

  test('names and kinds of tasks and queues are recorded without calls', () => {
    const id = (/** @type {string} */ name) =>
      all.find((event) => event.event === 'task name' && event.text === name).id;
    expect(all.find((event) => event.event === 'idle task').id).toBe(id('IDLE'));
    expect(all.find((event) => event.event === 'timer task').id).toBe(id('Tmr Svc'));
    expect(all.filter((event) => event.event === 'queue name').map((event) => event.text)).toEqual([
      'letters',
      'mailbox',
      'bus',
      'spaces',
      'TmrQ',
    ]);
    const kinds = all.filter((event) => event.event === 'queue kind').map((event) => event.number ?? 0);
    expect(kinds).toEqual([0, 0, 0, 5, 3, 4, 1, 2, 0]);
    expect(all.find((event) => event.event === 'task marker name')).toMatchObject({
      text: 'round',
      number: id('waiter'),
    });
  });

  test('the report contains no problem', () => {
    expect(report.problems).toEqual([]);
  });

  test('tasks run for the time that the kernel measured', async () => {
    const { recording, told } = run('fine', {}, cpu, FINE_SHIFT);
    const engine = await sharedTraceProcessor();
    engine.load(convert([{ bytes: recording }]).trace);
    const runs = Object.fromEntries(
      engine
        .query('select th.name, sum(s.dur) as dur from sched_slice s join thread th using (utid) group by 1')
        .map((/** @type {any} */ row) => [row.name, row.dur]),
    );
    // the worker continues while the kernel is queried
    const named = { ...runs, IDLE: runs.swapper }; // no task runs
    for (const name of ['IDLE', 'Tmr Svc', 'button', 'sleeper', 'waiter']) {
      expect(Math.abs(named[name] - told.tasks[name] * NS_PER_TICK), name).toBeLessThan(MOST_DIFFERENCE);
    }
  });

  test('states, waits and interrupts are those of the program', () => {
    const slices = Object.fromEntries(
      engine
        .query('select s.name, count(*) as n from slice s group by 1')
        .map((/** @type {any} */ row) => [row.name, row.n]),
    );
    expect(slices).toMatchObject({
      'lock bus': 12,
      'held by worker': 24,
      'held by waiter': 24,
      'deleted by worker': 3,
      deleted: 3,
      'delay 2 ticks': 3,
      done: 24,
      member: 24,
    });
    const states = (/** @type {string} */ name, /** @type {string} */ state) =>
      engine.query(
        `select count(*) as n from thread_state ts join thread th using (utid) where th.name = '${name}' and ts.state = '${state}'`,
      )[0].n;
    expect(states('waiter', 'D')).toBe(12); // for the mutex, once a round
    expect(states('sleeper', 'T')).toBe(slices.suspended);
    const interrupts = (/** @type {string} */ name) =>
      engine.query(
        `select count(*) as n from slice s join track t on t.id = s.track_id where t.name = 'Interrupts, core 0' and s.name = '${name}'`,
      )[0].n;
    expect(interrupts('button')).toBe(told.interrupts);
    expect(interrupts('SysTick')).toBeGreaterThanOrEqual(told.ticks);
    expect(interrupts('SysTick')).toBeLessThanOrEqual(told.ticks + 1); // the end of the last one
  });

  test('every run has the same bytes', () => {
    expect(run('all', {}, cpu).recording.equals(recording)).toBe(true);
  });

  test.skipIf(!HAS_GOLDEN || cpu !== 'cortex-m3')('the bytes are those of the golden recording', async () => {
    await expect(frames(recording)).toMatchFileSnapshot(`golden/freertos-${cpu}.txt`);
  });

  // `npm test` runs it on the Cortex-M3 only, in first-picture.test.mjs
  test.skipIf(!process.env.TONKOPF_EVERY_CASE)('the example records without a problem', () => {
    const example = convert([{ bytes: emulate(buildExample('freertos', `CPU=${cpu}`), SHIFT, machine) }]).report;
    expect(example.problems).toEqual([]);
    expect(example.tasks.length).toBe(5);
    expect(example.queues.length).toBe(4);
  });
});

describe.skipIf(!CAN_RUN)('FreeRTOS under load', () => {
  test('a throttled stream counts every lost event', () => {
    const { recording, told } = run('throttled', {
      ofRecorder: ['-DSTREAM_BYTES=1000'],
      ofProgram: ['-DBYTES_PER_TICK=90'],
    });
    const report = convert([{ bytes: recording }]).report;
    expect(told.dropped).toBeGreaterThan(100);
    expect(report.events).toMatchObject({ lost: told.dropped, lost_before: 0 });
  });

  test('an overwritten ring contains the names and the newest events', () => {
    const whole = events(
      'freertos-whole',
      run('whole', { ofRecorder: ['-DPOST_MORTEM', '-DRING_BYTES=60000'] }).recording,
    );
    const newest = events('freertos-newest', run('newest', { ofRecorder: RING }).recording);
    expect(new Set(newest.filter((event) => event.event === 'task name').map((event) => event.id)).size).toBe(12);
    const timed = newest.slice(newest.findIndex((event) => Number(event.ticks) > 0));
    expect(timed.length).toBeGreaterThan(250);
    const plain = (/** @type {any[]} */ list) =>
      list.map(({ event, id, number, text }) => ({ event, id, number, text }));
    expect(plain(timed)).toEqual(plain(whole.slice(-timed.length)));
  });

  test('a ring is found after a reset', () => {
    const before = run('kept', { ofRecorder: RING }),
      after = run('reset', { ofRecorder: RING, ofProgram: ['-DRESET'] });
    const plain = (/** @type {any[]} */ list) =>
      list.map(({ event, id, number, text }) => ({ event, id, number, text }));
    expect(plain(events('freertos-reset', after.recording))).toEqual(plain(events('freertos-kept', before.recording)));
    expect(after.told.switches).toBe(before.told.switches);
  });

  test('the ring is found at any position in a memory dump and put in order', () => {
    const path = join(OUT, 'memory.bin');
    const { recording } = run('dump', { ofRecorder: RING, ofProgram: [`-DDUMP="${path}"`] });
    const memory = readFileSync(path),
      plain = (/** @type {any[]} */ list) => list.map(({ event, id, number, text }) => ({ event, id, number, text }));
    const without = (/** @type {any[]} */ list) =>
      list.filter((event) => !/ name$|^tick|^queue kind|^idle|^timer/.test(event.event)); // the recording continues a little after the dump
    const expected = plain(without(events('freertos-dumped', recording)));
    for (const before of [0, 700_001]) {
      const all = events('freertos-dump', Buffer.concat([other_memory(before, 1), memory]));
      expect(plain(without(all))).toEqual(expected);
      expect(all.filter((event) => event.event === 'task name').length).toBeGreaterThanOrEqual(12);
    }
  });

  test('an interrupt storm damages nothing', () => {
    const { recording, told } = run('storm', {
      ofRecorder: ['-DSTREAM_BYTES=30000'],
      ofProgram: ['-DTIMER0_TICKS=3500'],
    });
    const report = convert([{ bytes: recording }]).report;
    expect(told.interrupts).toBeGreaterThan(400);
    expect(told.dropped).toBe(0);
    expect(report.problems).toEqual([]);
  });
});
