// SPDX-License-Identifier: MIT
//
// A small discrete-event simulation of an RTOS target, exact enough that its event stream is what a real one would
// record: preemption by priority, time slices, queues, mutexes with priority inheritance, semaphores, task
// notifications, nested interrupts, one or several cores with one kernel lock. Same seed, same stream.
//
// Tasks and interrupt handlers are generators. They yield a number (work for so many counter ticks) or, through the
// methods of TaskApi and IsrApi, an operation: a function that runs under the kernel lock and emits its events.

import { FOREVER, QUEUE_KIND } from './tband.mjs';
import { Random } from './random.mjs';

/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */
/** @typedef {Generator<number | (() => unknown), void, any>} Program */
/** @typedef {{ id: number, name: string, kind: number, capacity: number, len: number, holder: Task | null, senders: Task[], receivers: Task[] }} Queue */
/** @typedef {{ id: number, name: string, core: number, prio: number, body: (api: IsrApi) => Program }} Irq */
/** @typedef {{ program: Program, prio: number, left: number, result: unknown, irq: Irq | null, task: Task | null }} Context */
/**
 * @typedef {object} Task
 * @property {number} id
 * @property {string} name
 * @property {number} prio
 * @property {number} base priority without inheritance
 * @property {'ready' | 'running' | 'blocked' | 'suspended' | 'deleted'} state
 * @property {Context} context
 * @property {Core | null} core where its context lies
 * @property {number[]} cores where it may run
 * @property {number} last_core where it ran last, and runs next if nothing speaks against it
 * @property {number | null} wake_at OS tick
 * @property {Queue | null} waits_on
 * @property {boolean} timed_out
 * @property {boolean} waits_notification
 * @property {number} notifications
 */
/** @typedef {{ id: number, stack: Context[], pending: Irq[], locked: boolean, token: number, started: number, need_switch: boolean, slice: boolean, idle: Task | null }} Core */

const ISR_ENTRY_COST = 3;
const BLOCKED = Symbol('blocked');

/** Events wait here until their time comes: a binary heap by time, then by order of insertion. */
class Agenda {
  /** @type {{ at: number, seq: number, run: () => void }[]} */
  #heap = [];
  #seq = 0;

  /**
   * @param {number} at
   * @param {() => void} run
   */
  push(at, run) {
    const heap = this.#heap;
    const item = { at, seq: this.#seq++, run };
    let i = heap.length;
    while (i > 0 && this.#before(item, heap[(i - 1) >> 1])) {
      heap[i] = heap[(i - 1) >> 1];
      i = (i - 1) >> 1;
    }
    heap[i] = item;
  }

  pop() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
    return first;
  }

  /** @type {(a: { at: number, seq: number }, b: { at: number, seq: number }) => boolean} */
  #before = (a, b) => a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

export class Simulator {
  #agenda = new Agenda();
  #kernel_free = 0;
  /** @type {Core} the core that executes an operation right now */
  #core;
  /** @type {Task[]} */
  #ready = [];
  /** @type {Task[]} */
  #sleeping = [];
  #next_task = 1;
  #next_queue = 1;

  /**
   * @param {object} options
   * @param {import('./recorder.mjs').Recorder} options.recorder
   * @param {number} [options.cores]
   * @param {number} options.os_tick_len counter ticks per tick of the RTOS
   * @param {number} [options.event_cost] counter ticks that one traced kernel operation takes, about
   * @param {number} [options.seed]
   * @param {number} [options.start] counter when the program starts
   */
  constructor({ recorder, cores = 1, os_tick_len, event_cost = 6, seed = 1, start = 0 }) {
    this.recorder = recorder;
    this.os_tick_len = os_tick_len;
    this.event_cost = event_cost;
    this.random = new Random(seed);
    this.now = start;
    /** Time inside an operation: runs ahead of `now` while the core is locked. */
    this.cursor = start;
    this.tick = 0;
    /** @type {Core[]} */
    this.cores = Array.from({ length: cores }, (_, id) => ({
      id,
      stack: [],
      pending: [],
      locked: true,
      token: 0,
      started: 0,
      need_switch: false,
      slice: false,
      idle: null,
    }));
    this.#core = this.cores[0];
    /** @type {Task | null} */
    this.timer = null;
  }

  // ---- what an application sets up -------------------------------------------------------------

  /**
   * @param {string} name
   * @param {number} prio
   * @param {(api: TaskApi) => Program} body
   * @param {{ cores?: number[] }} [options]
   * @returns {Task}
   */
  create_task(name, prio, body, { cores = this.cores.map(({ id }) => id) } = {}) {
    /** @type {Task} */
    const task = {
      id: this.#next_task++,
      name,
      prio,
      base: prio,
      state: 'ready',
      core: null,
      cores,
      last_core: 0,
      wake_at: null,
      waits_on: null,
      timed_out: false,
      waits_notification: false,
      notifications: 0,
      context: /** @type {any} */ (null),
    };
    task.last_core = cores[task.id % cores.length];
    task.context = { program: body(new TaskApi(this, task)), prio: -1, left: 0, result: undefined, irq: null, task };
    this.emit('task_created', task.id);
    this.emit('task_priority_set', task.id, prio);
    this.meta('task_name', task.id, name);
    this.cursor += 2;
    this.make_ready(task);
    return task;
  }

  /**
   * @param {string} name "" leaves it unnamed
   * @param {number} kind of QUEUE_KIND
   * @param {number} [capacity]
   * @param {number} [initial] of a counting semaphore
   * @returns {Queue}
   */
  create_queue(name, kind, capacity = 1, initial = 0) {
    /** @type {Queue} */
    const queue = {
      id: this.#next_queue++,
      name,
      kind,
      capacity,
      len: initial,
      holder: null,
      senders: [],
      receivers: [],
    };
    this.emit('queue_created', queue.id);
    this.meta('queue_kind', queue.id, kind);
    this.emit('queue_cur_length', queue.id, 0);
    this.cursor += 2;
    if (kind === QUEUE_KIND.counting) this.emit('queue_cur_length', queue.id, initial);
    if (kind === QUEUE_KIND.mutex || kind === QUEUE_KIND.recursive) {
      queue.len = 1;
      this.emit('queue_send', queue.id, 1);
    }
    if (name !== '') this.meta('queue_name', queue.id, name);
    return queue;
  }

  /**
   * @param {number} id
   * @param {string} name
   * @param {number} prio higher interrupts lower
   * @param {(api: IsrApi) => Program} body
   * @param {number} [core]
   * @returns {Irq}
   */
  create_irq(id, name, prio, body, core = 0) {
    this.recorder.meta(core, this.cursor, 'isr_name', id, name);
    return { id, name, core, prio, body };
  }

  /**
   * Raises an interrupt periodically.
   * @param {Irq} irq
   * @param {number} period
   * @param {number} [jitter] at most so many ticks later each time
   */
  every(irq, period, jitter = 0) {
    let due = this.now + period;
    const raise = () => {
      this.raise(irq);
      due += period;
      this.#agenda.push(due + (jitter > 0 ? this.random.between(0, jitter) : 0), raise);
    };
    this.#agenda.push(due, raise);
  }

  /**
   * @param {Irq} irq
   * @param {number} delay
   */
  later(irq, delay) {
    this.#agenda.push(this.cursor + delay, () => this.raise(irq));
  }

  /** The tick interrupt of the RTOS on core 0. */
  start_tick(id = 15, prio = 1) {
    this.every(
      this.create_irq(id, 'SysTick', prio, (isr) => isr.os_tick()),
      this.os_tick_len,
    );
  }

  /**
   * Creates idle and timer tasks and switches to the first tasks; starts the cores.
   * @param {((api: TaskApi) => Program)} [timer] body of the timer task
   * @param {number} [timer_prio]
   */
  start_scheduler(timer, timer_prio = 6) {
    for (const core of this.cores) {
      const name = this.cores.length > 1 ? `IDLE${core.id}` : 'IDLE';
      core.idle = this.create_task(name, 0, idle_forever, { cores: [core.id] });
    }
    if (timer) this.timer = this.create_task('Tmr Svc', timer_prio, timer);
    this.now = this.cursor;
    for (const core of this.cores) this.#switch(core);
  }

  /** @param {(api: TaskApi) => Program} main the program of a target without RTOS */
  start_bare_metal(main) {
    const api = new TaskApi(this, /** @type {any} */ (null));
    this.cores[0].stack = [{ program: main(api), prio: -1, left: 0, result: undefined, irq: null, task: null }];
    this.now = this.cursor;
    this.#lock_until(this.cores[0], this.now + 1, () => this.#continue(this.cores[0]));
  }

  /** @param {() => boolean} finished asked between events */
  run(finished) {
    for (let item = this.#agenda.pop(); item; item = this.#agenda.pop()) {
      this.now = item.at;
      this.cursor = item.at;
      item.run();
      if (finished()) return;
    }
  }

  // ---- events ----------------------------------------------------------------------------------

  /**
   * @param {EventName} name
   * @param {...Value} values
   */
  emit(name, ...values) {
    this.recorder.event(this.#core.id, this.cursor, name, ...values);
  }

  /**
   * @param {EventName} name
   * @param {...Value} values
   */
  meta(name, ...values) {
    this.recorder.meta(this.#core.id, this.cursor, name, ...values);
  }

  /** Time passes inside an operation. */
  spend() {
    this.cursor += this.random.between(Math.ceil(this.event_cost / 2), this.event_cost * 2);
  }

  /** The core that executes right now. */
  get core_id() {
    return this.#core.id;
  }

  // ---- execution -------------------------------------------------------------------------------

  /**
   * No interrupt of the core until `time`.
   * @param {Core} core
   * @param {number} time
   * @param {() => void} then
   */
  #lock_until(core, time, then) {
    core.locked = true;
    core.token++;
    this.#agenda.push(time, () => {
      core.locked = false;
      this.#core = core;
      then();
    });
  }

  /** @param {Core} core */
  #continue(core) {
    const irq = this.#take_pending(core);
    if (irq) return this.#enter(core, irq);
    if (core.stack.length === 1 && core.need_switch) return this.#switch(core);
    const context = core.stack[core.stack.length - 1];
    if (context.left <= 0) return this.#advance(core, context);
    core.started = this.now;
    const token = ++core.token;
    this.#agenda.push(this.now + context.left, () => {
      if (token !== core.token) return;
      this.#core = core;
      context.left = 0;
      this.#advance(core, context);
    });
  }

  /**
   * @param {Core} core
   * @param {Context} context
   */
  #advance(core, context) {
    const { value, done } = context.program.next(context.result);
    context.result = undefined;
    if (done) return this.#finish(core, context);
    if (typeof value === 'function') return this.#operate(core, context, value);
    context.left = Math.max(1, Math.round(value));
    this.#continue(core);
  }

  /**
   * @param {Core} core
   * @param {Context} context
   * @param {() => unknown} operation
   */
  #operate(core, context, operation) {
    if (this.#kernel_free > this.now)
      return this.#lock_until(core, this.#kernel_free, () => this.#operate(core, context, operation));
    this.#core = core;
    this.cursor = this.now;
    context.result = operation();
    this.spend();
    this.#kernel_free = this.cursor;
    this.#lock_until(core, this.cursor, () => this.#continue(core));
  }

  /**
   * A handler returns, or a task deletes itself by returning.
   * @param {Core} core
   * @param {Context} context
   */
  #finish(core, context) {
    if (context.task) {
      const { task } = context;
      return this.#operate(core, context, () => this.delete_task(task));
    }
    if (!context.irq) throw new Error('main() must not return');
    this.emit('isr_exit', context.irq.id);
    core.stack.pop();
    this.#lock_until(core, this.now + ISR_ENTRY_COST, () => this.#continue(core));
  }

  /** @param {Irq} irq */
  raise(irq) {
    const core = this.cores[irq.core];
    const busy = core.locked || core.stack[core.stack.length - 1].prio >= irq.prio;
    if (!busy) {
      this.#pause(core);
      this.#enter(core, irq);
    } else if (!core.pending.includes(irq)) {
      core.pending.push(irq);
    }
  }

  /** @param {Core} core what it executed keeps the rest of its work */
  #pause(core) {
    core.stack[core.stack.length - 1].left -= this.now - core.started;
    core.token++;
    this.#core = core;
  }

  /** @param {Core} core */
  #take_pending(core) {
    const prio = core.stack[core.stack.length - 1].prio;
    const irq = core.pending.filter((pending) => pending.prio > prio).sort((a, b) => b.prio - a.prio)[0];
    if (irq) core.pending.splice(core.pending.indexOf(irq), 1);
    return irq;
  }

  /**
   * @param {Core} core
   * @param {Irq} irq
   */
  #enter(core, irq) {
    this.cursor = this.now;
    this.emit('isr_enter', irq.id);
    const program = irq.body(new IsrApi(this));
    core.stack.push({ program, prio: irq.prio, left: ISR_ENTRY_COST, result: undefined, irq, task: null });
    this.#continue(core);
  }

  /** @param {Core} core */
  #switch(core) {
    if (this.#kernel_free > this.now) return this.#lock_until(core, this.#kernel_free, () => this.#switch(core));
    this.#core = core;
    this.cursor = this.now;
    this.spend();
    const before = core.stack[0]?.task ?? null;
    const next = this.#select(core, before);
    core.need_switch = false;
    core.slice = false;
    core.stack = [next.context];
    next.core = core;
    next.last_core = core.id;
    next.state = 'running';
    this.emit('task_switched_in', next.id);
    if (before && before !== next) this.#leave(before);
    this.cursor += 2;
    this.#kernel_free = this.cursor;
    this.#lock_until(core, this.cursor, () => this.#continue(core));
  }

  /** @param {Task} task that lost its core; if it can, it goes on somewhere else */
  #leave(task) {
    task.core = null;
    if (task.state === 'ready') this.#place(task);
  }

  /**
   * Selects the next task of a core; the task that ran before becomes ready if it can continue.
   * @param {Core} core
   * @param {Task | null} before
   */
  #select(core, before) {
    if (before?.state === 'running') {
      before.state = 'ready';
      if (core.slice) this.#ready.push(before);
      else this.#ready.unshift(before);
    }
    const free = this.#ready.filter(
      (task) => task.cores.includes(core.id) && (task.core === null || task.core === core),
    );
    const best = free.reduce((a, b) => (b.prio > a.prio ? b : a));
    this.#ready.splice(this.#ready.indexOf(best), 1);
    return best;
  }

  /** @param {Task} task a core with a less urgent task must switch */
  #place(task) {
    const urgency = (/** @type {Core} */ core) => {
      const running = core.stack[0]?.task;
      if (running?.state !== 'running') return -1;
      return running.prio - (core.id === task.last_core ? 0.5 : 0);
    };
    const allowed = this.cores.filter((core) => core.idle && task.cores.includes(core.id));
    if (allowed.length === 0) return; // the scheduler does not run yet
    const core = allowed.reduce((a, b) => (urgency(b) < urgency(a) ? b : a));
    if (urgency(core) > -1 && task.prio > Math.ceil(urgency(core))) this.#request_switch(core);
  }

  /** @param {Core} core */
  #request_switch(core) {
    core.need_switch = true;
    if (core === this.#core) return;
    this.#agenda.push(this.cursor + 3, () => {
      if (!core.need_switch || core.locked || core.stack.length !== 1) return;
      this.#pause(core);
      this.#switch(core);
    });
  }

  // ---- kernel, called inside operations --------------------------------------------------------

  /** @param {Task} task */
  make_ready(task) {
    this.#unlist(task);
    this.emit('task_to_rdy_state', task.id);
    this.cursor += 1;
    task.state = 'ready';
    this.#ready.push(task);
    this.#place(task);
  }

  /** @param {Task} task it waits for nothing any more */
  #unlist(task) {
    const drop = (/** @type {Task[]} */ list) => list.includes(task) && list.splice(list.indexOf(task), 1);
    drop(this.#sleeping);
    drop(this.#ready);
    if (task.waits_on) {
      drop(task.waits_on.senders);
      drop(task.waits_on.receivers);
    }
    task.waits_on = null;
    task.wake_at = null;
    task.waits_notification = false;
  }

  /**
   * @param {Task} task the running one
   * @param {number} ticks FOREVER or a number of RTOS ticks
   */
  #block(task, ticks) {
    task.state = 'blocked';
    task.timed_out = false;
    task.wake_at = ticks === FOREVER ? null : this.tick + ticks;
    if (task.wake_at !== null) this.#sleeping.push(task);
    this.#core.need_switch = true;
    return BLOCKED;
  }

  os_tick() {
    this.tick++;
    const due = this.#sleeping.filter(({ wake_at }) => wake_at !== null && wake_at <= this.tick);
    for (const task of due) {
      task.timed_out = true;
      this.make_ready(task);
    }
    for (const core of this.cores) {
      const running = core.stack[0].task;
      if (
        !running ||
        !this.#ready.some(
          ({ prio, cores, core: at }) => prio === running.prio && at === null && cores.includes(core.id),
        )
      )
        continue;
      core.slice = true;
      this.#request_switch(core);
    }
  }

  /**
   * @param {Task} task
   * @param {number} ticks
   */
  delay(task, ticks) {
    this.emit('curtask_delay', ticks);
    return this.#block(task, ticks);
  }

  /**
   * @param {Task} task
   * @param {number} wake_at RTOS tick
   */
  delay_until(task, wake_at) {
    this.emit('curtask_delay_until', wake_at);
    return this.#block(task, Math.max(1, wake_at - this.tick));
  }

  /**
   * @param {Task} task
   * @param {Queue} queue
   * @param {number} ticks
   * @returns {unknown} true, false (empty and no time left) or BLOCKED
   */
  receive(task, queue, ticks) {
    if (queue.len > 0) {
      queue.len--;
      if (is_mutex(queue)) queue.holder = task;
      this.emit('queue_receive', queue.id, queue.len);
      this.cursor += 2;
      this.#wake_first(queue.senders);
      return true;
    }
    if (ticks <= 0) return false;
    this.emit('curtask_block_on_queue_receive', queue.id, ticks);
    this.cursor += 2;
    if (queue.holder) this.#inherit(queue.holder, task.prio);
    queue.receivers.push(task);
    task.waits_on = queue;
    return this.#block(task, ticks);
  }

  /**
   * @param {Task} holder
   * @param {number} prio
   */
  #inherit(holder, prio) {
    if (holder.prio >= prio) return;
    if (holder.state === 'ready' || holder.state === 'running') this.emit('task_to_rdy_state', holder.id);
    this.cursor += 1;
    holder.prio = prio;
    this.emit('task_priority_inherit', holder.id, prio);
    if (holder.state === 'ready' && holder.core === null) this.#place(holder);
  }

  /**
   * @param {Task} task
   * @param {Queue} queue
   * @param {number} ticks
   * @returns {unknown} true, false (full and no time left) or BLOCKED
   */
  send(task, queue, ticks) {
    if (queue.len >= queue.capacity) {
      if (ticks <= 0) return false;
      this.emit('curtask_block_on_queue_send', queue.id, ticks);
      queue.senders.push(task);
      task.waits_on = queue;
      return this.#block(task, ticks);
    }
    queue.len++;
    this.emit('queue_send', queue.id, queue.len);
    this.cursor += 2;
    if (is_mutex(queue)) this.#free_block(task, queue);
    this.#wake_first(queue.receivers);
    return true;
  }

  /**
   * @param {Task} task
   * @param {Queue} mutex
   */
  #free_block(task, mutex) {
    mutex.holder = null;
    if (task.prio === task.base) return;
    task.prio = task.base;
    this.emit('task_priority_disinherit', task.id, task.base);
    this.cursor += 1;
    this.emit('task_to_rdy_state', task.id);
    this.cursor += 1;
    if (this.#ready.some(({ prio, core }) => prio > task.prio && core === null)) this.#core.need_switch = true;
  }

  /** @param {Task[]} waiting */
  #wake_first(waiting) {
    if (waiting.length === 0) return;
    this.make_ready(waiting.reduce((a, b) => (b.prio > a.prio ? b : a)));
  }

  /** @param {Queue} queue */
  send_from_isr(queue) {
    if (queue.len >= queue.capacity) return false;
    queue.len++;
    this.emit('queue_send_from_isr', queue.id, queue.len);
    this.cursor += 2;
    this.#wake_first(queue.receivers);
    return true;
  }

  /** @param {Queue} queue */
  receive_from_isr(queue) {
    if (queue.len === 0) return false;
    queue.len--;
    this.emit('queue_receive_from_isr', queue.id, queue.len);
    this.cursor += 2;
    this.#wake_first(queue.senders);
    return true;
  }

  /**
   * Waits for a notification; targets record nothing of it.
   * @param {Task} task
   */
  wait_notification(task) {
    if (task.notifications > 0) {
      task.notifications = 0;
      return true;
    }
    task.waits_notification = true;
    return this.#block(task, FOREVER);
  }

  /** @param {Task} task */
  notify(task) {
    if (task.waits_notification) this.make_ready(task);
    else task.notifications++;
  }

  /** @param {Task} task */
  suspend(task) {
    this.emit('task_suspended', task.id);
    this.#unlist(task);
    if (task.core) this.#request_switch(task.core);
    task.state = 'suspended';
  }

  /** @param {Task} task */
  resume(task) {
    if (task.state !== 'suspended') return;
    this.emit('task_resumed', task.id);
    this.cursor += 1;
    this.make_ready(task);
  }

  /**
   * @param {Task} task
   * @param {number} prio
   */
  set_priority(task, prio) {
    this.emit('task_priority_set', task.id, prio);
    task.prio = task.base = prio;
    this.cursor += 1;
    if (task.state === 'ready' || task.state === 'running') this.emit('task_to_rdy_state', task.id);
    if (task.state === 'ready') this.#place(task);
    if (task.state === 'running') this.#core.need_switch = true;
  }

  /** @param {Task} task */
  delete_task(task) {
    this.emit('task_deleted', task.id);
    this.#unlist(task);
    task.state = 'deleted';
    if (task.core) this.#request_switch(task.core);
  }

  yield_now() {
    this.#core.need_switch = true;
    this.#core.slice = true;
  }
}

/** @param {Queue} queue */
function is_mutex(queue) {
  return queue.kind === QUEUE_KIND.mutex || queue.kind === QUEUE_KIND.recursive;
}

/** @returns {Program} */
function* idle_forever() {
  for (;;) yield 1_000_000_000;
}

/** Markers and values: the part of the tracer that tasks and handlers share. */
class TraceApi {
  /** @param {Simulator} sim */
  constructor(sim) {
    this.sim = sim;
    this.random = sim.random;
  }

  /**
   * @param {EventName} name
   * @param {...Value} values
   * @returns {Program}
   */
  *#event(name, ...values) {
    yield () => this.sim.emit(name, ...values);
  }

  /** @type {(id: number, msg?: string) => Program} */
  mark = (id, msg = '') => this.#event('evtmarker', id, msg);
  /** @type {(id: number, msg?: string) => Program} */
  begin = (id, msg = '') => this.#event('evtmarker_begin', id, msg);
  /** @type {(id: number) => Program} */
  end = (id) => this.#event('evtmarker_end', id);
  /** @type {(id: number, value: number) => Program} */
  value = (id, value) => this.#event('valmarker', id, Math.round(value));
  /** @type {(id: number, msg?: string) => Program} */
  task_mark = (id, msg = '') => this.#event('task_evtmarker', id, msg);
  /** @type {(id: number, msg?: string) => Program} */
  task_begin = (id, msg = '') => this.#event('task_evtmarker_begin', id, msg);
  /** @type {(id: number) => Program} */
  task_end = (id) => this.#event('task_evtmarker_end', id);
  /** @type {(id: number, value: number) => Program} */
  task_value = (id, value) => this.#event('task_valmarker', id, Math.round(value));

  /**
   * Work of slightly varying length, occasionally much longer.
   * @param {number} ticks
   * @returns {Program}
   */
  *work(ticks) {
    const spread = 0.85 + 0.3 * this.random.next();
    yield ticks * (this.random.chance(0.01) ? 2.5 * spread : spread);
  }

  /** Counter ticks since the program started. */
  get now() {
    return this.sim.cursor;
  }
}

export class TaskApi extends TraceApi {
  /**
   * @param {Simulator} sim
   * @param {Task} task
   */
  constructor(sim, task) {
    super(sim);
    this.task = task;
  }

  /**
   * Retries until it succeeds or the timeout is over.
   * @param {(ticks_left: number) => unknown} attempt
   * @param {number} ticks
   * @returns {Generator<number | (() => unknown), boolean, any>}
   */
  *#wait(attempt, ticks) {
    const deadline = this.sim.tick + ticks;
    for (let left = ticks; ; left = ticks === FOREVER ? FOREVER : deadline - this.sim.tick) {
      const result = yield () => attempt(left);
      if (result !== BLOCKED) return result === true;
      if (this.task.timed_out) return false;
    }
  }

  /** @type {(queue: Queue, ticks?: number) => Generator<number | (() => unknown), boolean, any>} */
  receive = (queue, ticks = FOREVER) => this.#wait((left) => this.sim.receive(this.task, queue, left), ticks);
  /** @type {(queue: Queue, ticks?: number) => Generator<number | (() => unknown), boolean, any>} */
  send = (queue, ticks = FOREVER) => this.#wait((left) => this.sim.send(this.task, queue, left), ticks);

  /**
   * @param {() => unknown} operation
   * @returns {Program}
   */
  *#operation(operation) {
    yield operation;
  }

  /** @type {(ticks: number) => Program} */
  delay = (ticks) => this.#operation(() => this.sim.delay(this.task, ticks));
  /** @type {(wake_at: number) => Program} */
  delay_until = (wake_at) => this.#operation(() => this.sim.delay_until(this.task, wake_at));
  /** @type {(task: Task) => Program} */
  suspend = (task) => this.#operation(() => this.sim.suspend(task));
  /** @type {(task: Task) => Program} */
  resume = (task) => this.#operation(() => this.sim.resume(task));
  /** @type {(task: Task, prio: number) => Program} */
  set_priority = (task, prio) => this.#operation(() => this.sim.set_priority(task, prio));
  /** @type {() => Program} */
  yield_now = () => this.#operation(() => this.sim.yield_now());
  /** @type {(irq: Irq, ticks: number) => Program} a device that answers with an interrupt */
  start_device = (irq, ticks) => this.#operation(() => this.sim.later(irq, ticks));
  /** @type {(name: string, prio: number, body: (api: TaskApi) => Program) => Program} */
  create_task = (name, prio, body) => this.#operation(() => void this.sim.create_task(name, prio, body));

  /** @returns {Program} */
  *wait_notification() {
    yield () => this.sim.wait_notification(this.task);
    this.task.notifications = 0;
  }

  /**
   * Names of the task's own markers; the target does not know the task's number there and sends 0.
   * @param {'task_evtmarker_name' | 'task_valmarker_name'} what
   * @param {number} id
   * @param {string} name
   * @returns {Program}
   */
  *name_marker(what, id, name) {
    yield () => this.sim.meta(what, id, 0, name);
  }

  /**
   * Marks the idle tasks and the timer task, as an application does directly after the start of the scheduler.
   * @returns {Program}
   */
  *scheduler_started() {
    yield () => {
      for (const { id, idle } of this.sim.cores) if (idle) this.sim.meta('task_is_idle_task', idle.id, id);
      if (this.sim.timer) this.sim.meta('task_is_timer_task', this.sim.timer.id);
    };
  }
}

export class IsrApi extends TraceApi {
  /** @type {(queue: Queue) => Generator<number | (() => unknown), boolean, any>} false: it was full */
  send = (queue) => this.#operation(() => this.sim.send_from_isr(queue));
  /** @type {(queue: Queue) => Generator<number | (() => unknown), boolean, any>} false: it was empty */
  receive = (queue) => this.#operation(() => this.sim.receive_from_isr(queue));
  /** @type {(task: Task) => Generator<number | (() => unknown), unknown, any>} */
  notify = (task) => this.#operation(() => this.sim.notify(task));
  /** @type {() => Generator<number | (() => unknown), any, any>} */
  os_tick = () => this.#operation(() => this.sim.os_tick());
  /** @type {(irq: Irq, ticks: number) => Generator<number | (() => unknown), unknown, any>} */
  raise_later = (irq, ticks) => this.#operation(() => this.sim.later(irq, ticks));

  /**
   * @param {() => unknown} operation
   * @returns {Generator<number | (() => unknown), any, any>}
   */
  *#operation(operation) {
    return yield operation;
  }
}
