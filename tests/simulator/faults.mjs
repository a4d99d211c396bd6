// SPDX-License-Identifier: MIT
//
// A simulated application that works as it should, and ten faults, each of which can be seeded into it.

import { Random } from '../generator/random.mjs';
import { Calls, FOREVER, Kernel } from './kernel.mjs';

/** @typedef {import('./kernel.mjs').Script} Script */
/** When the fault is active, in nanoseconds. @typedef {{ from: number, to: number }} Interval */
/**
 * @typedef {'inversion' | 'late job' | 'full queue' | 'missed period' | 'storm' | 'leak' | 'low stack' | 'lock held across a wait' | 'overload'
 *   | 'lost events'} Fault
 */
/** What has to be found: a rule, and who is concerned. @typedef {{ rule: string, who: string }} Expected */

const MS = 1_000_000;
const US = 1000;
const DURATION = 600 * MS;
/** The fault begins after the start has settled. */
const BEGINS = 250 * MS;

/** @type {Record<Fault, Expected>} */
export const FAULTS = {
  inversion: { rule: 'inversion', who: 'sensor / lock bus' },
  'late job': { rule: 'jitter', who: 'control / delay' },
  'full queue': { rule: 'queue_full', who: 'send to samples' },
  'missed period': { rule: 'overrun', who: 'servo' },
  storm: { rule: 'storm', who: 'Uart' },
  leak: { rule: 'heap_trend', who: 'heap #1' },
  'low stack': { rule: 'stack', who: 'display' },
  'lock held across a wait': { rule: 'lock_held', who: 'logger / bus' },
  overload: { rule: 'overload', who: 'core 0' },
  'lost events': { rule: 'recording', who: 'recording' },
};

/** Faults that have no beginning: the whole run is their place. @type {Fault[]} */
const FROM_THE_START = ['inversion', 'leak'];

/** @param {Fault | null} fault @returns {Interval} */
export const interval_of = (fault) =>
  fault && FROM_THE_START.includes(fault)
    ? { from: 0, to: DURATION }
    : { from: BEGINS - 30 * MS, to: BEGINS + 150 * MS };

/** The same script with longer computations. @param {Script} script @param {number} factor @returns {Script} */
function* scaled(script, factor) {
  for (let step = script.next(); !step.done;) {
    const { value } = step;
    step = script.next(yield typeof value === 'number' ? Math.round(value * factor) : value);
  }
}

/**
 * Runs the application. The same seed gives the same log.
 * @param {number} seed
 * @param {Fault | null} fault
 * @param {Record<string, number>} [slower] factors of the computations of tasks
 */
export function run_with_fault(seed, fault, slower = {}) {
  const random = new Random(seed);
  const kernel = new Kernel({ random, resolution: US, tick_length: MS, inheritance: fault !== 'inversion' });
  const calls = new Calls(kernel);
  const bus = kernel.create_queue('bus', 'mutex');
  const samples = kernel.create_queue('samples', 'queue', 4);
  /** A computation of about so many microseconds. @param {number} us */
  const work = (us) => random.between(us - us / 8, us + us / 8) * US;
  let happened = false;
  /** True once, after the fault begins. @param {Fault} which */
  const once = (which) => {
    if (fault !== which || happened || kernel.now < BEGINS) return false;
    happened = true;
    return true;
  };
  /** True while the fault lasts, for 100 ms. @param {Fault} which */
  const lasts = (which) => fault === which && kernel.now >= BEGINS && kernel.now < BEGINS + 100 * MS;

  /** @param {string} name @param {number} priority @param {() => Script} job */
  const task = (name, priority, job) =>
    kernel.create_task(name, priority, function* () {
      for (;;) yield* scaled(job(), slower[name] ?? 1);
    });

  task('control', 6, function* () {
    yield () => kernel.delay(2);
    yield work(once('late job') ? 6000 : 100);
  });
  let wake = 0;
  task('servo', 5, function* () {
    do wake += 5;
    while (wake <= kernel.tick);
    yield () => kernel.delay_until(wake);
    yield work(once('missed period') ? 12_000 : 200);
  });
  task('sensor', 4, function* () {
    yield () => kernel.delay(3);
    yield work(50);
    yield* calls.receive(bus, FOREVER);
    yield work(40);
    yield () => kernel.give(bus);
    yield* calls.send(samples, FOREVER);
  });
  task('worker', 3, function* () {
    yield* calls.receive(samples, FOREVER);
    yield work(once('full queue') ? 40_000 : 300);
  });
  task('display', 2, function* () {
    yield () => kernel.delay(4);
    yield work(lasts('overload') ? 60_000 : 500);
    yield () => kernel.measure_stack(lasts('low stack') ? 12 : 180);
  });
  task('logger', 1, function* () {
    yield () => kernel.delay(7);
    yield () => kernel.use_memory(64);
    yield* calls.receive(bus, FOREVER);
    yield work(1000);
    if (lasts('lock held across a wait')) yield () => kernel.delay(2);
    yield () => kernel.give(bus);
    yield () => kernel.use_memory(-(fault === 'leak' ? 48 : 64));
  });
  let burst = 0;
  kernel.create_irq(
    'Uart',
    3,
    0,
    function* () {
      yield work(16);
    },
    () => {
      if (once('storm')) burst = 60;
      return burst-- > 0 ? 100 * US : random.between(2000, 2400) * US;
    },
  );
  kernel.start();
  while (kernel.now < DURATION) kernel.run(kernel.log.length + 100);
  kernel.finish();
  return kernel;
}
