// SPDX-License-Identifier: MIT
//
// A random application for the simulated kernel: tasks and interrupt handlers that do random things with random objects.

import { Random } from '../generator/random.mjs';
import { Calls, FOREVER, Kernel } from './kernel.mjs';

/** @typedef {import('./kernel.mjs').Script} Script */
/** @typedef {import('./kernel.mjs').Task} Task */
/** @typedef {import('./kernel.mjs').Queue} Queue */

const MOST_TASKS = 14;

/**
 * @typedef {object} Choices
 * @property {number} [most_cores]
 * @property {number} [entries] of the log
 * @property {boolean} [tick_interrupt]
 * @property {boolean} [stops_notified] Tasks may be suspended and deleted while they wait for a notification. A recorder that does not record these
 *   waits cannot tell whether such a task was ready.
 */

class Application {
  /** @param {Random} random @param {Kernel} kernel @param {boolean} stops_notified */
  constructor(random, kernel, stops_notified) {
    this.random = random;
    this.kernel = kernel;
    this.calls = new Calls(kernel);
    this.stops_notified = stops_notified;
    const some = (/** @type {number} */ most, /** @type {(i: number) => Queue} */ create) =>
      Array.from({ length: random.between(1, most + 1) }, (_, i) => create(i));
    /** @type {Queue[]} */
    this.mutexes = some(3, (i) => kernel.create_queue(`Lock${i}`, 'mutex'));
    /** @type {Queue[]} */
    this.queues = [
      ...some(3, (i) => kernel.create_queue(`Queue${i}`, 'queue', random.between(1, 6))),
      ...some(2, (i) => kernel.create_queue(`Sem${i}`, 'semaphore')),
    ];
    for (let i = random.between(2, 7); i > 0; i--) this.create();
  }

  create() {
    const number = this.kernel.tasks.length + 1;
    return this.kernel.create_task(`Task${number}`, this.random.between(1, 7), (task) => this.#script(task));
  }

  /** @param {number} count of interrupts */
  add_interrupts(count) {
    const { random, kernel } = this;
    for (let i = 0; i < count; i++) {
      const shortest = random.between(200, 4000);
      kernel.create_irq(
        `Irq${i}`,
        random.between(2, 5),
        random.between(0, kernel.core_count),
        () => this.#handler(),
        () => random.between(shortest, 4 * shortest) * kernel.resolution,
      );
    }
  }

  /** A short computation. */
  get #work() {
    return this.random.between(1, 200) * this.kernel.resolution;
  }

  get #ticks() {
    return this.random.chance(0.2) ? FOREVER : this.random.between(0, 6);
  }

  /** @returns {Script} */
  *#handler() {
    const { random, kernel } = this;
    yield random.between(1, 30) * kernel.resolution;
    const what = random.next();
    const task = random.pick(kernel.tasks);
    if (what < 0.4) yield () => kernel.send(random.pick(this.queues), 0);
    else if (what < 0.6 && !task.idle) yield () => kernel.notify(task);
    else if (what < 0.7) yield () => kernel.resume(task);
    else if (what < 0.75) yield () => kernel.receive(random.pick(this.queues), 0);
    yield random.between(1, 10) * kernel.resolution;
  }

  /** Each task does a few things of its own choice again and again, and sometimes something else. @param {Task} task @returns {Script} */
  *#script(task) {
    const { random } = this;
    const habits = Array.from({ length: random.between(1, 4) }, () => random.next());
    let wake_tick = this.kernel.tick;
    const period = random.between(1, 10);
    for (let life = random.chance(0.3) ? random.between(2, 30) : Infinity; life > 0; life--) {
      if (random.chance(0.1)) yield () => this.#interfere(task);
      yield this.#work;
      if (random.chance(0.1)) {
        yield () => this.kernel.relinquish();
        yield this.#work;
      }
      const what = random.chance(0.8) ? random.pick(habits) : random.next();
      const queue = random.pick(this.queues);
      if (what < 0.2) yield () => this.kernel.delay(random.between(1, 6));
      else if (what < 0.35) {
        wake_tick = Math.max(wake_tick, this.kernel.tick - 3 * period) + period;
        const until = wake_tick;
        yield () => this.kernel.delay_until(until);
      } else if (what < 0.5) yield* this.calls.send(queue, this.#ticks);
      else if (what < 0.65) yield* this.calls.receive(queue, this.#ticks);
      else if (what < 0.85) yield* this.#lock(task, 0);
      else yield* this.calls.wait_for_notification(this.#ticks);
    }
  }

  /** Holds a mutex, and perhaps further ones of higher number. @param {Task} task @param {number} first number of the lowest mutex @returns {Script} */
  *#lock(task, first) {
    const { random, kernel } = this;
    if (first >= this.mutexes.length) return;
    const number = random.between(first, this.mutexes.length);
    const mutex = this.mutexes[number];
    if (!(yield* this.calls.receive(mutex, this.#ticks))) return;
    yield this.#work;
    if (random.chance(0.4)) yield* this.#lock(task, number + 1);
    else if (random.chance(0.2)) yield () => kernel.delay(random.between(1, 3));
    yield () => kernel.give(mutex);
  }

  /** Does something to a task. @param {Task} task that runs */
  #interfere(task) {
    const { random, kernel } = this;
    const what = random.next();
    const other = random.pick(kernel.tasks);
    const alive = kernel.tasks.filter(({ state }) => state !== 'deleted').length;
    if (what < 0.1) return alive < MOST_TASKS && this.create();
    if (what < 0.35) return kernel.resume(other);
    if (other.idle) return false;
    if (what < 0.5) return kernel.set_priority(other, random.between(1, 7));
    if (what < 0.65) return kernel.notify(other);
    if (what < 0.75) return kernel.suspend(task);
    if (other.wait?.kind === 'notification' && !this.stops_notified) return false;
    if (what < 0.95) return kernel.suspend(other);
    return !other.held.length && kernel.delete(other);
  }
}

/** Runs a random application. The same seed gives the same log. @param {number} seed @param {Choices} [choices] @returns {Kernel} */
export function run_application(seed, { most_cores = 3, entries, tick_interrupt, stops_notified = true } = {}) {
  const random = new Random(seed);
  const resolution = random.pick([1, 10, 100, 1000]);
  const kernel = new Kernel({
    random,
    resolution,
    cores: random.between(1, most_cores + 1),
    tick_length: resolution * random.between(300, 2000),
    round_robin: random.chance(0.7),
    tick_interrupt: tick_interrupt ?? random.chance(0.5),
    tick_switches: random.chance(0.3),
  });
  const application = new Application(random, kernel, stops_notified);
  application.add_interrupts(random.between(0, 4));
  kernel.start();
  kernel.run(entries ?? random.between(200, 3000));
  kernel.finish();
  return kernel;
}
