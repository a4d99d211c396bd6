// SPDX-License-Identifier: MIT
//
// Random recordings of Zephyr in all layouts, with the truth of the target: every event, and who ran when.
import { Random } from '../generator/random.mjs';
import { LAYOUTS, event, metadata, packet } from '../generator/ctf.mjs';

/** @typedef {[core: number, ns: number, name: string, fields: import('../generator/ctf.mjs').Fields]} Recorded */
/** @typedef {{ id: number, name: string, core: number, state: string, waits?: string }} Thread */

const FOREVER = 0xffffffff;

/** One CPU with its threads; the time of all CPUs goes on together. */
class Target {
  /** @param {number} seed @param {number} cores */
  constructor(seed, cores) {
    this.random = new Random(seed);
    this.ns = this.random.between(0, 100_000);
    /** @type {Recorded[]} */ this.events = [];
    this.cores = Array.from({ length: cores }, (_, core) => ({
      core,
      depth: 0,
      /** @type {Thread[]} */ threads: [],
      /** @type {Thread | null} */ running: null,
      /** @type {{ from: number, to: number, thread: string }[]} */ runs: [],
      /** @type {{ from: number, to: number, depth: number }[]} */ interrupts: [],
      semaphore: 0x2000_1000 + core * 0x100,
      mutex: 0x2000_1040 + core * 0x100,
    }));
    for (const at of this.cores) {
      for (let i = 0; i < 3; i++) this.create(at.core, `worker ${at.core}${i}`);
      this.create(at.core, cores > 1 ? `idle 0${at.core}` : 'idle');
      this.emit(at.core, 'semaphore_init', { id: at.semaphore, ret: 0 });
      this.emit(at.core, 'mutex_init', { id: at.mutex, ret: 0 });
    }
    for (const at of this.cores) this.switch_in(at.core, at.threads[3]);
  }

  /** @param {number} core @param {string} name @param {import('../generator/ctf.mjs').Fields} [fields] */
  emit(core, name, fields = {}) {
    this.ns += this.random.between(200, 3000);
    this.events.push([core, this.ns, name, fields]);
    return this.ns;
  }

  /** @param {Thread} thread */
  static of(thread) {
    return { thread_id: thread.id, name: thread.name };
  }

  /** @param {number} core @param {string} name */
  create(core, name) {
    const { threads } = this.cores[core];
    const thread = { id: 0x2000_0000 + core * 0x1000 + threads.length * 0x100, name, core, state: 'waits' };
    threads.push(thread);
    this.emit(core, 'thread_create', Target.of(thread));
    this.emit(core, 'thread_name_set', Target.of(thread));
  }

  /** @param {number} core @param {Thread} thread */
  switch_in(core, thread) {
    const at = this.cores[core];
    const from = this.emit(core, 'thread_switched_in', Target.of(thread));
    at.running = thread;
    thread.state = 'runs';
    at.runs.push({ from, to: from, thread: thread.name });
    if (thread === at.threads[3]) this.emit(core, 'idle');
  }

  /** @param {number} core @param {Thread} to */
  switch_to(core, to) {
    const at = this.cores[core];
    const out = /** @type {Thread} */ (at.running);
    at.runs[at.runs.length - 1].to = this.emit(core, 'thread_switched_out', Target.of(out));
    this.switch_in(core, to);
  }

  /** The thread that runs waits; another one of its CPU runs. @param {number} core */
  wait(core) {
    const at = this.cores[core];
    const thread = /** @type {Thread} */ (at.running);
    if (thread === at.threads[3]) return;
    if (this.random.chance(0.5)) {
      const timed = { id: at.semaphore, timeout: this.random.chance(0.5) ? FOREVER : 10_000 };
      this.emit(core, 'semaphore_take_enter', timed);
      this.emit(core, 'semaphore_take_blocking', timed);
      this.emit(core, 'thread_pending', Target.of(thread));
      thread.waits = 'semaphore';
    } else {
      this.emit(core, 'k_sleep_enter', { timeout: this.random.between(1, 100_000) });
      thread.waits = 'sleep';
    }
    thread.state = 'waits';
    this.switch_to(core, at.threads.find((one) => one.state === 'ready') ?? at.threads[3]);
    this.resume(core);
  }

  /** A thread that runs again after a wait leaves its call. @param {number} core */
  resume(core) {
    const at = this.cores[core];
    const thread = /** @type {Thread} */ (at.running);
    if (thread.waits === 'semaphore') this.emit(core, 'semaphore_take_exit', { id: at.semaphore, timeout: 0, ret: 0 });
    if (thread.waits === 'sleep') this.emit(core, 'k_sleep_exit', { timeout: 0, ret: 0 });
    thread.waits = undefined;
  }

  /** An interrupt, which may make a thread ready; others may nest in it. @param {number} core @param {number} [depth] */
  interrupt(core, depth = 0) {
    const at = this.cores[core];
    const from = this.emit(core, 'isr_enter');
    const one = { from, to: from, depth };
    at.interrupts.push(one);
    if (depth < 2 && this.random.chance(0.2)) this.interrupt(core, depth + 1);
    const waiting = at.threads.filter((thread) => thread.state === 'waits' && thread !== at.threads[3]);
    if (waiting.length && this.random.chance(0.8)) {
      const thread = this.random.pick(waiting);
      thread.state = 'ready';
      this.emit(core, 'thread_ready', Target.of(thread));
    }
    one.to = this.emit(core, this.random.chance(0.5) ? 'isr_exit' : 'isr_exit_to_scheduler');
    if (depth) return;
    const ready = at.threads.filter((thread) => thread.state === 'ready');
    const running = /** @type {Thread} */ (at.running);
    if (!ready.length || (running !== at.threads[3] && this.random.chance(0.5))) return;
    running.state = 'ready';
    if (running === at.threads[3]) running.state = 'waits';
    this.switch_to(core, this.random.pick(ready));
    this.resume(core);
  }

  /** @param {number} core */
  lock(core) {
    const { running, threads, mutex } = this.cores[core];
    if (running === threads[3]) return;
    const timed = { id: mutex, timeout: FOREVER };
    this.emit(core, 'mutex_lock_enter', timed);
    this.emit(core, 'mutex_lock_exit', { ...timed, ret: 0 });
    this.emit(core, 'named_event', { name: 'checkpoint', arg0: this.random.between(0, 100), arg1: core });
    this.emit(core, 'mutex_unlock_enter', { id: mutex });
    this.emit(core, 'mutex_unlock_exit', { id: mutex, ret: 0 });
  }

  step() {
    const core = this.random.between(0, this.cores.length),
      what = this.random.next();
    if (what < 0.4) this.interrupt(core);
    else if (what < 0.75) this.wait(core);
    else this.lock(core);
    if (this.random.chance(0.1)) this.ns += this.random.between(1_000_000, 900_000_000);
    else this.ns += this.random.between(10_000, 400_000);
  }
}

const SLOT = 1024;

/** @param {Random} random @param {Recorded[]} events @param {string} letter */
function packets_of(random, events, letter) {
  const layout = LAYOUTS[letter];
  /** @type {Buffer[]} */
  const done = [];
  const cores = new Map();
  let sequence = 0;
  const flush = (/** @type {number} */ core) => {
    const open = cores.get(core);
    if (!open?.events.length) return;
    const at = { begin: open.begin, end: open.end, events: open.events, size: SLOT, cpu: core };
    done.push(packet(layout, { ...at, sequence: sequence++ }));
    cores.delete(core);
  };
  for (const [core, ns, name, fields] of events) {
    const bytes = event(layout, name, ns, fields, core);
    const of = layout.packets === 'cpu' ? core : 0;
    const open = cores.get(of) ?? { begin: ns, end: ns, events: [], len: 40 };
    if (open.len + bytes.length > SLOT || (open.len > 500 && random.chance(0.05))) {
      flush(of);
      cores.set(of, { begin: ns, end: ns, events: [bytes], len: 40 + bytes.length });
      continue;
    }
    open.events.push(bytes);
    open.end = ns;
    open.len += bytes.length;
    cores.set(of, open);
  }
  for (const core of [...cores.keys()]) flush(core);
  if (letter !== 'E') return done;
  const empty = packet(layout, { begin: 0, end: 0, events: [], size: SLOT });
  const turn = random.between(0, done.length);
  return [...done.slice(turn), empty, ...done.slice(0, turn)]; // in the order of memory
}

/** @param {number} seed @param {string} letter of the layout */
export function random_recording(seed, letter) {
  const cores = letter === 'SMP' || letter === 'D' ? 2 + (seed % 2) : 1;
  const target = new Target(seed * 7 + letter.charCodeAt(0), cores),
    layout = LAYOUTS[letter];
  for (let i = 0; i < 60; i++) target.step();
  for (const at of target.cores) if (at.runs.length) at.runs[at.runs.length - 1].to = target.ns;
  const { events } = target;
  const stream = layout.packets
    ? Buffer.concat(packets_of(target.random, events, letter))
    : Buffer.concat(events.map(([core, ns, name, fields]) => event(layout, name, ns, fields, core)));
  return { stream, metadata: metadata(layout), events, cores: target.cores, end: target.ns };
}
