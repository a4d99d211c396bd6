// SPDX-License-Identifier: MIT
//
// Random recordings of TraceRecorder on several cores, and what the target did: tasks that are created on the way, on any core, and run on any; objects that only the table of entries names; mutexes;
// interrupts. The events of the cores are in one stream, in blocks of any length, or in a file for each core.

import { PsfEncoder } from './psf.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {{ address: number, name: string, prio: number, core: number, since: number, cpu: number, runs: number }} Task */

const TASK = 0x20010000,
  LOCK = 0x20020000,
  IRQ = 0x20030000,
  MOST_TASKS = 12;

class Target {
  /** @type {{ time: number, bytes: Uint8Array }[][]} of each core */
  sent;
  /** @type {Task[]} */
  tasks = [];
  /** @type {Task[]} that runs on each core */
  running = [];
  /** @type {{ held: Task | null, since: number, address: number, name: string }[]} */
  locks = [];
  /** @type {Map<string, { total: number, count: number }>} of holds and interrupts */
  sums = new Map();
  time = 100;

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
    this.cores = random.between(2, 5);
    this.apart = random.chance(0.5);
    this.encoder = new PsfEncoder({ cores: this.cores, streams: this.apart ? 2 : 3, word: random.chance(0.3) ? 8 : 4 });
    this.sent = Array.from({ length: this.cores }, () => []);
    for (let core = 0; core < this.cores; core++) this.#known(`IDLE${core}`, 0);
    for (let i = random.between(1, 4); i > 0; i--) this.#known(`Old${i}`, 2);
    for (let i = 0; i < 2; i++) this.locks.push({ held: null, since: 0, address: LOCK + i * 0x50, name: `Lock${i}` });
    const header = this.encoder.start([
      { address: 0x100, options: 1 << 24, symbol: 'IDLE' },
      ...this.tasks.map(({ address, name, prio }) => ({ address, states: [prio], symbol: name })),
      ...this.locks.map(({ address, name }) => ({ address, symbol: name })),
      { address: IRQ, states: [5], symbol: 'Irq' },
    ]);
    this.header = header;
  }

  /** A task that only the entry table names. @param {string} name @param {number} prio */
  #known(name, prio) {
    const address = TASK + this.tasks.length * 0x200;
    this.tasks.push({ address, name, prio, core: -1, since: 0, cpu: 0, runs: 0 });
  }

  /** @param {number} core @param {import('./psf.mjs').PsfName} name @param {...import('./psf.mjs').PsfParam} params */
  ev(core, name, ...params) {
    this.sent[core].push({ time: this.time, bytes: this.encoder.event(this.time, name, params, core) });
  }

  /** @param {string} key @param {number} since */
  add(key, since) {
    const sum = this.sums.get(key) ?? { total: 0, count: 0 };
    this.sums.set(key, { total: sum.total + this.time - since, count: sum.count + 1 });
  }

  /** @param {Task} task */
  #leave(task) {
    task.cpu += this.time - task.since;
    task.core = -1;
  }

  /** @param {number} core @param {Task} task */
  run(core, task) {
    if (this.running[core]) this.#leave(this.running[core]);
    Object.assign(task, { core, since: this.time, runs: task.runs + 1 });
    this.running[core] = task;
    this.ev(core, 'TASK_ACTIVATE', task.address, task.prio);
  }

  start() {
    this.ev(0, 'TRACE_START', ...new Array(this.cores).fill(2));
    for (let core = 0; core < this.cores; core++) {
      this.time += this.random.between(1, 5);
      this.run(core, this.tasks[core]);
    }
  }

  /** @param {number} core */
  #create(core) {
    const number = this.tasks.length,
      address = TASK + number * 0x200;
    const task = { address, name: `New${number}`, prio: 3, core: -1, since: 0, cpu: 0, runs: 0 };
    this.tasks.push(task);
    this.ev(core, 'OBJ_NAME', address, task.name);
    this.ev(core, 'TASK_CREATE', address, task.prio);
    this.ev(core, 'TASK_READY', address);
  }

  /** @param {number} core */
  #switch(core) {
    const idle = this.tasks[core],
      free = this.tasks.filter((task, i) => i >= this.cores && task.core < 0);
    const next = free.length && this.random.chance(0.7) ? this.random.pick(free) : idle;
    if (next === this.running[core] || this.locks.some(({ held }) => held === this.running[core])) return;
    this.run(core, next);
  }

  /** @param {number} core */
  #lock(core) {
    const task = this.running[core],
      lock = this.random.pick(this.locks);
    if (task === this.tasks[core]) return;
    if (!lock.held) {
      Object.assign(lock, { held: task, since: this.time });
      this.ev(core, 'MUTEX_TAKE', lock.address, 10);
    } else if (lock.held === task) {
      this.add(`hold ${lock.name} ${task.name}`, lock.since);
      lock.held = null;
      this.ev(core, 'MUTEX_GIVE', lock.address);
    }
  }

  /** @param {number} core */
  #interrupt(core) {
    const since = this.time;
    this.ev(core, 'ISR_BEGIN', IRQ);
    this.time += this.random.between(1, 9);
    this.add(`isr Irq ${core}`, since);
    this.ev(core, 'TASK_ACTIVATE', this.running[core].address);
  }

  step() {
    const core = this.random.between(0, this.cores),
      what = this.random.next();
    this.time += this.random.between(1, 40);
    if (what < 0.1 && this.tasks.length < MOST_TASKS) this.#create(core);
    else if (what < 0.6) this.#switch(core);
    else if (what < 0.85) this.#lock(core);
    else this.#interrupt(core);
  }

  /** Running tasks give back their mutexes; each core then sends a last event at the same time. */
  end() {
    for (let core = 0; core < this.cores; core++)
      for (const lock of this.locks)
        if (lock.held && lock.held === this.running[core]) {
          this.add(`hold ${lock.name} ${lock.held.name}`, lock.since);
          lock.held = null;
          this.ev(core, 'MUTEX_GIVE', lock.address);
        }
    for (let core = 0; core < this.cores; core++) {
      this.ev(core, 'NEW_TIME', 1);
      this.#leave(this.running[core]);
    }
  }

  /** Blocks of the cores in any order, each core's own in order. */
  files() {
    if (this.apart)
      return this.sent.map((events, core) =>
        concat([...(core ? [] : [this.header]), ...events.map(({ bytes }) => bytes)]),
      );
    const blocks = [this.header],
      left = this.sent.map((events) => events.slice());
    while (left.some((events) => events.length)) {
      const events = this.random.pick(left.filter(({ length }) => length));
      blocks.push(...events.splice(0, this.random.between(1, 200)).map(({ bytes }) => bytes));
    }
    return [concat(blocks)];
  }
}

/** @param {Random} random @returns {{ files: Uint8Array[], truth: Map<string, string> }} truth: nanoseconds and how often */
export function psf_cores(random) {
  const target = new Target(random);
  target.start();
  for (let i = random.between(200, 800); i > 0; i--) target.step();
  target.end();
  const ns = (/** @type {number} */ counts) => counts * 1000;
  /** @type {Map<string, string>} */
  const truth = new Map();
  for (const { name, cpu, runs } of target.tasks)
    if (runs || name.startsWith('New')) truth.set(`task ${name}`, `${ns(cpu)} ${runs}`);
  for (const [key, { total, count }] of target.sums) truth.set(key, `${ns(total)} ${count}`);
  return { files: target.files(), truth };
}
