// SPDX-License-Identifier: MIT
//
// A simulated target with active objects: hierarchical state machines, event pools, time events, publish and subscribe,
// a preemptive kernel that also runs threads with semaphores and mutexes. It sends what such a target would.
//
// The kernel never keeps a stack of its own: preemption is a call from the middle of work(), as on the target.

import { QsEncoder } from './qs.mjs';
import { Random } from './random.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./qs.mjs').Element} Element */
/** @typedef {{ sig: number, pool: Pool | null, refs: number, value: number }} Event */
/** @typedef {(ao: Active, event: Event) => string | false | void} Reaction name of the next state, false: the guard said no, nothing: handled */
/**
 * @typedef {object} State
 * @property {string} [parent]
 * @property {string} [initial] state that is entered below this one
 * @property {(ao: Active) => void} [entry]
 * @property {(ao: Active) => void} [exit]
 * @property {Record<number, Reaction>} [on]
 */
/** @typedef {Record<string, State>} Machine */
/** @typedef {{ name: string, address: number, blocks: number, free: number, min: number, size: number }} Pool */
/** @typedef {{ name: string, address: number, ao: Active, sig: number, left: number, interval: number }} TimeEvent */
/** @typedef {{ name: string, address: number, room: number, min: number, events: Event[] }} RawQueue */
/** @typedef {{ address: number, count: number, waiting: Thread | null }} Semaphore */
/** @typedef {{ address: number, holder: Thread | null, waiting: Thread | null }} Mutex */
/** @typedef {{ at: number, period: number, run: () => void }} Device */
/** @typedef {Generator<Semaphore | Mutex, void, void>} Program yields what it waits for */

const TOP = 'QHsm_top';
const TICK_RATE = 0;

/** An object with a queue, a priority and a state machine. */
export class Active {
  /** @type {Event[]} */
  queue = [];
  /** @type {string} */
  state = TOP;
  /** @type {Map<string, string>} last leaf below a state */
  history = new Map();

  /**
   * @param {Kernel} kernel
   * @param {string} name
   * @param {number} prio
   * @param {number} room of the queue
   * @param {Machine} machine
   */
  constructor(kernel, name, prio, room, machine) {
    this.kernel = kernel;
    this.name = name;
    this.prio = prio;
    this.room = room;
    this.min = room;
    this.machine = machine;
    this.address = kernel.allocate(name, 0x60);
  }

  get free() {
    return this.room - this.queue.length;
  }

  get ready() {
    return this.queue.length > 0;
  }

  /** @param {string} state */
  address_of(state) {
    return this.kernel.function(state === TOP ? TOP : `${this.name}_${state}`);
  }

  /** States from this one up to the top, excluding the top. @param {string} state */
  #up(state) {
    const path = [];
    for (let at = /** @type {string | undefined} */ (state); at && at !== TOP; at = this.machine[at].parent)
      path.push(at);
    return path;
  }

  /** @param {string} state */
  #enter(state) {
    const { entry } = this.machine[state];
    this.state = state;
    if (!entry) return;
    entry(this);
    this.kernel.send('QEP_STATE_ENTRY', this.address, this.address_of(state));
  }

  /** Initial transitions downwards. */
  #drill() {
    for (let { initial } = this.machine[this.state]; initial; initial = this.machine[this.state].initial) {
      this.kernel.send('QEP_STATE_INIT', this.address, this.address_of(this.state), this.address_of(initial));
      this.#enter(initial);
    }
  }

  /** @param {string} first */
  start(first) {
    const { kernel } = this;
    for (const state of [TOP, ...Object.keys(this.machine)])
      kernel.name_function(state === TOP ? TOP : `${this.name}_${state}`);
    kernel.send('QEP_STATE_INIT', this.address, this.address_of(TOP), this.address_of(first));
    for (const state of this.#up(first).reverse()) this.#enter(state);
    this.#drill();
    kernel.send('QEP_INIT_TRAN', kernel.now, this.address, this.address_of(this.state));
  }

  /** @param {string} source @param {string} target */
  #transit(source, target) {
    const to = this.#up(target);
    const from = this.#up(this.state);
    // The innermost state that stays; a state that goes to itself is left.
    const common =
      source === target
        ? this.machine[source].parent
        : from.slice(from.indexOf(source)).find((state) => to.includes(state));
    for (const state of from) {
      if (state === common) break;
      if (this.machine[state].parent) this.history.set(/** @type {string} */ (this.machine[state].parent), from[0]);
      const { exit } = this.machine[state];
      if (!exit) continue;
      exit(this);
      this.kernel.send('QEP_STATE_EXIT', this.address, this.address_of(state));
    }
    this.state = common ?? TOP;
    for (const state of to.slice(0, common ? to.indexOf(common) : to.length).reverse()) this.#enter(state);
    this.#drill();
  }

  /** @param {string} source @param {string} region back to where it was left @returns {string} */
  back_to(source, region) {
    const target = this.history.get(region) ?? region;
    this.kernel.send('QEP_TRAN_HIST', this.address, this.address_of(source), this.address_of(target));
    return target;
  }

  /** A run-to-completion step. @param {Event} event */
  dispatch(event) {
    const { kernel, address } = this;
    kernel.send('QEP_DISPATCH', kernel.now, event.sig, address, this.address_of(this.state));
    const leaf = this.state;
    for (const state of this.#up(leaf)) {
      const reaction = this.machine[state].on?.[event.sig];
      if (!reaction) continue;
      const answer = reaction(this, event);
      if (answer === false) {
        kernel.send('QEP_UNHANDLED', event.sig, address, this.address_of(state));
        continue;
      }
      if (!answer) return kernel.send('QEP_INTERN_TRAN', kernel.now, event.sig, address, this.address_of(state));
      this.#transit(state, answer);
      return kernel.send(
        'QEP_TRAN',
        kernel.now,
        event.sig,
        address,
        this.address_of(state),
        this.address_of(this.state),
      );
    }
    kernel.send('QEP_IGNORED', kernel.now, event.sig, address, this.address_of(leaf));
  }

  run() {
    const { kernel } = this;
    const event = /** @type {Event} */ (this.queue.shift());
    const evt = kernel.evt(event);
    if (this.queue.length > 0) kernel.send('QF_ACTIVE_GET', kernel.now, event.sig, this.address, ...evt, this.free);
    else kernel.send('QF_ACTIVE_GET_LAST', kernel.now, event.sig, this.address, ...evt);
    kernel.spend(2);
    this.dispatch(event);
    kernel.recycle(event);
  }
}

/** A thread that may block; it runs until its program waits for an object. */
export class Thread {
  ready = true;
  started = false;

  /**
   * @param {Kernel} kernel
   * @param {string} name
   * @param {number} prio
   * @param {(thread: Thread) => Program} program
   */
  constructor(kernel, name, prio, program) {
    this.kernel = kernel;
    this.prio = prio;
    this.address = kernel.allocate(name, 0x50);
    this.program = program(this);
  }

  run() {
    if (this.program.next().done) throw new Error('a thread ended');
    this.ready = false;
  }

  /** @param {Semaphore} sem @returns {Program} */
  *take(sem) {
    const { kernel } = this;
    if (sem.count === 0) {
      kernel.send('SEM_BLOCK', kernel.now, sem.address, this.prio, 0);
      sem.waiting = this;
      yield sem;
    } else {
      sem.count--;
    }
    kernel.send('SEM_TAKE', kernel.now, sem.address, this.prio, sem.count);
  }

  /** @param {Mutex} mutex @returns {Program} */
  *lock(mutex) {
    const { kernel } = this;
    if (mutex.holder) {
      kernel.send('MTX_BLOCK', kernel.now, mutex.address, mutex.holder.prio, this.prio);
      mutex.waiting = this;
      yield mutex;
    }
    mutex.holder = this;
    kernel.send('MTX_LOCK', kernel.now, mutex.address, this.prio, 1);
  }

  /** @param {Mutex} mutex */
  unlock(mutex) {
    const { kernel } = this;
    kernel.send('MTX_UNLOCK', kernel.now, mutex.address, this.prio, 0);
    mutex.holder = null;
    if (mutex.waiting) mutex.waiting.ready = true;
    mutex.waiting = null;
    kernel.schedule();
  }
}

export class Kernel {
  /** @type {Uint8Array[]} */
  #sent = [];
  /** @type {Map<string, number>} */
  #functions = new Map();
  /** @type {Set<string>} */
  #named = new Set();
  /** @type {Device[]} */
  #devices = [];
  /** @type {(Active | Thread)[]} by priority */
  #by_prio = [];
  /** @type {Map<number, Active[]>} */
  #subscribers = new Map();
  /** @type {TimeEvent[]} */
  #timers = [];
  /** @type {Pool[]} */
  #pools = [];
  #prio = 0;
  #ceiling = 0;
  #nest = 0;
  #ticks = 0;
  #started = false;

  /**
   * @param {object} options
   * @param {QsEncoder} options.encoder
   * @param {number} options.tick_len counts of the clock per tick
   * @param {number} options.seed
   * @param {number} [options.now] first time stamp
   */
  constructor({ encoder, tick_len, seed, now = 1000 }) {
    this.encoder = encoder;
    this.random = new Random(seed);
    this.tick_len = tick_len;
    this.now = now;
    this.bytes = 0;
    this.next_address = 0x20000200;
    this.next_function = 0x08001001;
    this.#push(encoder.start());
    this.source = this.allocate('l_SysTick', 4);
    this.static_refs = encoder.version >= 800 ? 0xe0 : 0;
  }

  /** Each frame by itself; the first is the two of the start. */
  get frames() {
    return this.#sent;
  }

  recording() {
    return concat(this.#sent);
  }

  /** @param {Uint8Array} bytes */
  #push(bytes) {
    this.#sent.push(bytes);
    this.bytes += bytes.length;
  }

  /**
   * Sends a record, which takes a little time.
   * @param {import('./qs.mjs').RecordName} name
   * @param {...import('./qs.mjs').Value} values
   */
  send(name, ...values) {
    this.#push(this.encoder.record(name, ...values));
    this.now += 1;
  }

  /** @param {number} number @param {...Element} elements */
  note(number, ...elements) {
    this.#push(this.encoder.user(number, this.now, ...elements));
    this.now += 1;
  }

  // ---- names and objects ----

  /** @param {string} name @param {number} size @returns {number} address */
  allocate(name, size) {
    const address = this.next_address;
    this.next_address += size;
    if (name) this.#push(this.encoder.record('OBJ_DICT', address, name));
    return address;
  }

  /** @param {string} name */
  function(name) {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    this.#functions.set(name, this.next_function);
    this.next_function += 0x48;
    return this.next_function - 0x48;
  }

  /** @param {string} name */
  name_function(name) {
    if (this.#named.has(name)) return;
    this.#named.add(name);
    this.#push(this.encoder.record('FUN_DICT', this.function(name), name));
  }

  /** @param {number} sig @param {string} name @param {Active} [of] */
  name_signal(sig, name, of) {
    this.#push(this.encoder.record('SIG_DICT', sig, of?.address ?? 0, name));
  }

  /** @param {number} number @param {string} name */
  name_record(number, name) {
    this.#push(this.encoder.record('USR_DICT', number, name));
  }

  /** @param {number} group @param {string[]} names */
  name_enum(group, names) {
    names.forEach((name, value) => this.#push(this.encoder.record('ENUM_DICT', value, group, name)));
  }

  /** @param {string} name @param {number} prio @param {number} room @param {Machine} machine */
  active(name, prio, room, machine) {
    const ao = new Active(this, name, prio, room, machine);
    this.#by_prio[prio] = ao;
    return ao;
  }

  /** @param {string} name @param {number} prio @param {(thread: Thread) => Program} program */
  thread(name, prio, program) {
    const thread = new Thread(this, name, prio, program);
    this.#by_prio[prio] = thread;
    return thread;
  }

  /** @param {string} name @param {number} blocks @param {number} size @returns {Pool} */
  pool(name, blocks, size) {
    const pool = { name, address: this.allocate(name, blocks * size), blocks, free: blocks, min: blocks, size };
    this.#pools.push(pool);
    return pool;
  }

  /** @param {string} name @param {Active} ao @param {number} sig @returns {TimeEvent} */
  time_event(name, ao, sig) {
    return { name, address: this.allocate(name, 0x14), ao, sig, left: 0, interval: 0 };
  }

  /** @param {string} name @param {number} room @returns {RawQueue} */
  raw_queue(name, room) {
    return { name, address: this.allocate(name, 0x20), room, min: room, events: [] };
  }

  /** @param {string} name @param {number} count @returns {Semaphore} */
  semaphore(name, count) {
    return { address: this.allocate(name, 0x10), count, waiting: null };
  }

  /** @param {string} name @returns {Mutex} */
  mutex(name) {
    return { address: this.allocate(name, 0x10), holder: null, waiting: null };
  }

  /**
   * A periodic interrupt.
   * @param {number} first
   * @param {number} period 0: once
   * @param {() => void} run
   */
  device(first, period, run) {
    this.#devices.push({ at: this.now + first, period, run });
  }

  // ---- events ----

  /** Pool number and reference count, as in records. @param {Event} event @returns {[number, number]} */
  evt(event) {
    return event.pool ? [1, event.refs] : [0, this.static_refs];
  }

  /** @param {number} sig @param {number} [value] @returns {Event} one that is never given back */
  fixed(sig, value = 0) {
    return { sig, pool: null, refs: 0, value };
  }

  /** @param {Pool} pool @param {number} sig @param {number} [value] @returns {Event | null} null: the pool keeps its last blocks */
  new(pool, sig, value = 0) {
    const margin = 1;
    if (pool.free <= margin) {
      this.send('QF_MPOOL_GET_ATTEMPT', this.now, pool.address, pool.free, margin);
      this.send('QF_NEW_ATTEMPT', this.now, pool.size, sig);
      return null;
    }
    pool.free--;
    pool.min = Math.min(pool.min, pool.free);
    this.send('QF_MPOOL_GET', this.now, pool.address, pool.free, pool.min);
    this.send('QF_NEW', this.now, pool.size, sig);
    return { sig, pool, refs: 0, value };
  }

  /** @param {Event} event */
  recycle(event) {
    if (!event.pool) return;
    if (event.refs > 1) {
      this.send('QF_GC_ATTEMPT', this.now, event.sig, ...this.evt(event));
      event.refs--;
      return;
    }
    this.send('QF_GC', this.now, event.sig, ...this.evt(event));
    event.pool.free++;
    this.send('QF_MPOOL_PUT', this.now, event.pool.address, event.pool.free);
  }

  /** @param {Active} ao @param {Event} event @param {number} [sender] @param {number} [margin] that must stay free; false: it did not */
  post(ao, event, sender = 0, margin = 0) {
    const evt = this.evt(event);
    if (ao.free <= margin) {
      this.send('QF_ACTIVE_POST_ATTEMPT', this.now, sender, event.sig, ao.address, ...evt, ao.free, margin);
      this.recycle(event);
      return false;
    }
    event.refs++;
    ao.queue.push(event);
    ao.min = Math.min(ao.min, ao.free);
    this.send('QF_ACTIVE_POST', this.now, sender, event.sig, ao.address, ...evt, ao.free, ao.min);
    this.schedule();
    return true;
  }

  /** Posts the event to the object itself, before all others. @param {Active} ao @param {Event} event */
  post_first(ao, event) {
    const evt = this.evt(event);
    event.refs++;
    ao.queue.unshift(event);
    ao.min = Math.min(ao.min, ao.free);
    this.send('QF_ACTIVE_POST_LIFO', this.now, event.sig, ao.address, ...evt, ao.free, ao.min);
  }

  /** @param {Active} ao @param {number} sig */
  subscribe(ao, sig) {
    this.send('QF_ACTIVE_SUBSCRIBE', this.now, sig, ao.address);
    this.#subscribers.set(sig, [...(this.#subscribers.get(sig) ?? []), ao]);
  }

  /** @param {Active} ao @param {number} sig */
  unsubscribe(ao, sig) {
    this.send('QF_ACTIVE_UNSUBSCRIBE', this.now, sig, ao.address);
    this.#subscribers.set(
      sig,
      (this.#subscribers.get(sig) ?? []).filter((other) => other !== ao),
    );
  }

  /** @param {Event} event @param {number} sender */
  publish(event, sender) {
    this.send('QF_PUBLISH', this.now, sender, event.sig, ...this.evt(event));
    const receivers = [...(this.#subscribers.get(event.sig) ?? [])].sort((a, b) => b.prio - a.prio);
    event.refs++; // so that it lives until all have it
    if (receivers.length > 0) {
      this.locked(receivers[0].prio, () => receivers.forEach((ao) => this.post(ao, event, sender)));
    }
    this.recycle(event);
  }

  /** Runs the body with the scheduler locked up to a priority. @param {number} ceiling @param {() => void} body */
  locked(ceiling, body) {
    const before = this.#ceiling;
    if (ceiling <= before) return body();
    this.send('SCHED_LOCK', this.now, before, ceiling);
    this.#ceiling = ceiling;
    body();
    this.send('SCHED_UNLOCK', this.now, ceiling, before);
    this.#ceiling = before;
    this.schedule();
  }

  /** @param {Active} ao @param {RawQueue} queue @param {Event} event */
  defer(ao, queue, event) {
    const evt = this.evt(event);
    if (queue.events.length === queue.room) {
      if (this.encoder.version >= 804)
        this.send('QF_ACTIVE_DEFER_ATTEMPT', this.now, ao.address, queue.address, event.sig, ...evt);
      else this.send('QF_EQUEUE_POST_ATTEMPT', this.now, event.sig, queue.address, ...evt, 0, 0);
      return false;
    }
    event.refs++;
    queue.events.push(event);
    queue.min = Math.min(queue.min, queue.room - queue.events.length);
    this.send(
      'QF_EQUEUE_POST',
      this.now,
      event.sig,
      queue.address,
      ...evt,
      queue.room - queue.events.length,
      queue.min,
    );
    this.send('QF_ACTIVE_DEFER', this.now, ao.address, queue.address, event.sig, ...evt);
    return true;
  }

  /** @param {Active} ao @param {RawQueue} queue */
  recall(ao, queue) {
    const event = queue.events.shift();
    if (!event) {
      this.send('QF_ACTIVE_RECALL_ATTEMPT', this.now, ao.address, queue.address);
      return false;
    }
    const evt = this.evt(event);
    if (queue.events.length > 0)
      this.send('QF_EQUEUE_GET', this.now, event.sig, queue.address, ...evt, queue.room - queue.events.length);
    else this.send('QF_EQUEUE_GET_LAST', this.now, event.sig, queue.address, ...evt);
    this.post_first(ao, event);
    this.send('QF_ACTIVE_RECALL', this.now, ao.address, queue.address, event.sig, ...this.evt(event));
    event.refs--; // the queue no longer contains it
    return true;
  }

  // ---- time ----

  /** @param {TimeEvent} te @param {number} ticks @param {number} [interval] */
  arm(te, ticks, interval = 0) {
    te.left = ticks;
    te.interval = interval;
    if (!this.#timers.includes(te)) this.#timers.push(te);
    this.send('QF_TIMEEVT_ARM', this.now, te.address, te.ao.address, ticks, interval, TICK_RATE);
  }

  /** @param {TimeEvent} te */
  disarm(te) {
    if (te.left) this.send('QF_TIMEEVT_DISARM', this.now, te.address, te.ao.address, te.left, te.interval, TICK_RATE);
    else this.send('QF_TIMEEVT_DISARM_ATTEMPT', this.now, te.address, te.ao.address, TICK_RATE);
    te.left = 0;
  }

  /** @param {TimeEvent} te @param {number} ticks */
  rearm(te, ticks) {
    const was_armed = te.left > 0;
    te.left = ticks;
    if (!this.#timers.includes(te)) this.#timers.push(te);
    this.send(
      'QF_TIMEEVT_REARM',
      this.now,
      te.address,
      te.ao.address,
      ticks,
      te.interval,
      TICK_RATE,
      was_armed ? 1 : 0,
    );
  }

  #tick() {
    this.send('QF_TICK', ++this.#ticks, TICK_RATE);
    for (const te of this.#timers) {
      if (!te.left || --te.left > 0) continue;
      if (te.interval) te.left = te.interval;
      else this.send('QF_TIMEEVT_AUTO_DISARM', te.address, te.ao.address, TICK_RATE);
      this.send('QF_TIMEEVT_POST', this.now, te.address, te.sig, te.ao.address, TICK_RATE);
      this.post(te.ao, this.fixed(te.sig), this.source);
    }
  }

  /** @param {number} counts */
  #critical(counts) {
    this.send('QF_CRIT_ENTRY', this.now, 1);
    this.now += counts;
    this.send('QF_CRIT_EXIT', this.now, 1);
  }

  /** Work with interrupts disabled. @param {number} counts */
  critical(counts) {
    this.#critical(counts);
    this.#interrupts();
  }

  /** Work that interrupts and the objects that they activate can preempt. @param {number} counts */
  spend(counts) {
    let left = counts;
    for (;;) {
      const next = Math.min(...this.#devices.map(({ at }) => at));
      if (next > this.now + left) break;
      left -= Math.max(0, next - this.now);
      this.now = Math.max(this.now, next);
      this.#interrupts();
    }
    this.now += left;
  }

  #interrupts() {
    if (this.#nest > 1) return;
    for (;;) {
      const device = this.#devices.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at)[0];
      if (!device) break;
      if (device.period) device.at += device.period;
      else this.#devices.splice(this.#devices.indexOf(device), 1);
      this.interrupt(device.run);
    }
  }

  /** @param {() => void} run */
  interrupt(run) {
    this.#nest++;
    this.send('QF_ISR_ENTRY', this.now, this.#nest, this.#prio);
    run();
    this.send('QF_ISR_EXIT', this.now, this.#nest, this.#prio);
    this.#nest--;
    this.schedule();
  }

  // ---- scheduling ----

  #next() {
    for (let prio = this.#by_prio.length - 1; prio > Math.max(this.#prio, this.#ceiling); prio--) {
      if (this.#by_prio[prio]?.ready) return prio;
    }
    return 0;
  }

  /** Runs everything that is more urgent than the running object. */
  schedule() {
    if (!this.#started || this.#nest > 0) return;
    const before = this.#prio;
    let last = before;
    for (let prio = this.#next(); prio; this.#prio = before, prio = this.#next()) {
      this.#prio = prio;
      if (prio !== last) this.send('SCHED_NEXT', this.now, prio, last);
      last = prio;
      this.#by_prio[prio].run();
    }
    this.#prio = before;
    if (last === before) return;
    if (before) this.send('SCHED_NEXT', this.now, before, last);
    else this.send('SCHED_IDLE', this.now, last);
  }

  /** @param {Semaphore} sem */
  signal(sem) {
    if (sem.waiting) sem.waiting.ready = true;
    else sem.count++;
    sem.waiting = null;
    this.send('SEM_SIGNAL', this.now, sem.address, 0, sem.count);
    this.schedule();
  }

  /** A description of the target's state while no event is pending; otherwise null. */
  get rest() {
    const actives = this.#by_prio.filter((one) => one instanceof Active);
    const taken = this.#pools.some(({ blocks, free }) => free < blocks);
    if (taken || actives.some(({ ready }) => ready)) return null;
    return [
      ...actives.map(({ state }) => state),
      ...this.#timers.map(({ left }) => (left > 0 ? 'armed' : 'idle')),
    ].join(' ');
  }

  /**
   * The event loop, until this many bytes are sent.
   * @param {number} bytes
   * @param {(at: { frames: number, now: number, rest: string }) => void} [at_rest] called between events
   */
  run(bytes, at_rest) {
    this.send('QF_RUN');
    this.device(this.tick_len, this.tick_len, () => this.#tick());
    this.#started = true;
    this.schedule();
    while (this.bytes < bytes) {
      this.spend(this.tick_len);
      const { rest } = this;
      if (at_rest && rest !== null) at_rest({ frames: this.#sent.length, now: this.now, rest });
    }
  }
}
