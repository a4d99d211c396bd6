// SPDX-License-Identifier: MIT
//
// A simulated RTOS on one to three cores that logs what it does. The log is the truth that converted recordings are
// compared with. It has no code in common with the generators of the demos and none with the converter.
//
// How it works:
// - Time is an integer number of nanoseconds. `run` always takes what is due first: the kernel tick, an interrupt, a
//   pending switch of a core, or the next step of what a core executes.
// - Tasks and interrupt handlers are generators. They yield a number (compute so many nanoseconds) or a function (an
//   operation of the kernel). An operation that returns WAIT has blocked its task, whose generator continues after
//   the task was made ready and runs again.
// - An operation is atomic: nothing else happens on any core meanwhile. Every entry of the log has a time of its own,
//   except an entry that belongs to the entry before it: a change of state, the switch at the end of an interrupt, and
//   the readiness of a task that is resumed.
// - A task that blocks leaves its core at the switch, a little later. What interrupts meanwhile may make it ready
//   again: then it never waited.
//
// Order of events in an operation, priorities and inheritance are those of FreeRTOS.

/** @typedef {import('../generator/random.mjs').Random} Random */
/** @typedef {Generator<number | (() => unknown), any, any>} Script */
/** @typedef {'queue' | 'semaphore' | 'mutex'} QueueKind */
/** @typedef {{ id: number, name: string, kind: QueueKind, capacity: number, length: number, holder: Task | null, senders: Task[], receivers: Task[] }} Queue */
/** What a task waits for; `owner` holds the mutex when the wait begins. @typedef {{ kind: 'delay' | 'receive' | 'room' | 'lock' | 'notification', queue: Queue | null, owner: Task | null }} Wait */
/** What a core executes: `ends` is when its computation ends; while it does not execute, `left` is what remains. @typedef {{ script: Script, ends: number, left: number, answer: unknown }} Context */
/**
 * @typedef {object} Task
 * @property {number} id
 * @property {string} name
 * @property {boolean} idle
 * @property {number} priority with inheritance
 * @property {number} base priority without inheritance
 * @property {'ready' | 'running' | 'waiting' | 'suspended' | 'deleted'} state `running` until another task runs on its core, unless it waits or was stopped
 * @property {Core | null} core on which it is the current task
 * @property {Context} context
 * @property {Wait | null} wait
 * @property {number} wake_tick when its wait times out
 * @property {boolean} notified
 * @property {Queue[]} held mutexes
 * @property {Task | null} stopped_by who suspended or deleted it
 */
/** @typedef {{ id: number, name: string, level: number, core: number, due: number, handler: () => Script, next: () => number }} Irq */
/** @typedef {{ irq: Irq, context: Context }} Handler */
/** @typedef {{ id: number, task: Task, handlers: Handler[], switch_at: number, rotate: boolean }} Core */

/**
 * An entry of the log. `state` entries are changes of state, all others are what a recorder in the kernel sees.
 * `task` is the subject; who acts is the innermost handler or current task of `core`.
 * @typedef {object} Entry
 * @property {number} at
 * @property {number} core
 * @property {'state' | 'created' | 'priority' | 'inherit' | 'disinherit' | 'ready' | 'switch' | 'suspended' | 'resumed' | 'deleted' | 'delay' | 'delay_until'
 *   | 'block' | 'block_notification' | 'notified' | 'notification_taken' | 'notification_missed' | 'send' | 'receive' | 'refused' | 'isr_enter' | 'isr_exit' | 'tick'
 *   | 'stack' | 'allocated' | 'freed' | 'end'} event
 * @property {Task} [task]
 * @property {Queue} [queue]
 * @property {Irq} [irq]
 * @property {number} [bytes] of `allocated` and `freed`, whose value is the level afterwards
 * @property {number} [value] priority (of `switch` and `deleted` with inheritance), ticks, length after the operation
 * @property {'send' | 'receive'} [operation] of `block` and `refused`
 * @property {number} [ticks] of `block`, and of `receive` and `refused`: the time-out
 * @property {boolean} [in_isr]
 * @property {boolean} [switches] of `isr_exit`: a switch follows at the same time
 * @property {'running' | 'ready' | 'waiting' | 'suspended' | 'deleted'} [state]
 * @property {Wait | null} [wait] of state `waiting`
 * @property {Task | null} [by] of states `suspended` and `deleted`
 */

export const FOREVER = 0xffffffff;
const WAIT = Symbol('wait');
const TICK_LEVEL = 1;

/** @returns {Script} */
function* idle() {
  for (;;) yield Number.MAX_SAFE_INTEGER / 2;
}

export class Kernel {
  now = 0;
  tick = 0;
  /** @type {Entry[]} */
  log = [];
  /** @type {Task[]} */
  tasks = [];
  /** @type {Queue[]} */
  queues = [];
  /** @type {Irq[]} */
  irqs = [];
  /** @type {Core[]} */
  cores = [];
  /** @type {Task[]} in the order in which tasks of one priority run */
  #ready = [];
  /** @type {Core} that executes the present operation */
  #core = { id: 0, task: /** @type {any} */ (null), handlers: [], switch_at: Infinity, rotate: false };
  #tick_due = Infinity;

  /**
   * @param {object} options
   * @param {Random} options.random
   * @param {number} [options.cores]
   * @param {number} [options.resolution] nanoseconds; every time is a multiple of it
   * @param {number} [options.tick_length] nanoseconds per kernel tick
   * @param {boolean} [options.round_robin] tasks of one priority take turns at each tick
   * @param {boolean} [options.tick_interrupt] the tick is logged as an interrupt
   * @param {boolean} [options.tick_switches] every tick ends with a switch, perhaps to the same task
   * @param {boolean} [options.inheritance] the holder of a mutex inherits the priority of who waits for it
   */
  constructor({
    random,
    cores = 1,
    resolution = 1000,
    tick_length = 1_000_000,
    round_robin = true,
    tick_interrupt = false,
    tick_switches = false,
    inheritance = true,
  }) {
    Object.assign(this, { random, resolution, tick_length, round_robin, tick_switches, inheritance });
    this.random = random;
    this.core_count = cores;
    this.now = resolution * 50;
    /** @type {Irq | null} */
    this.tick_irq = tick_interrupt ? this.create_irq('SysTick', TICK_LEVEL, 0, idle, () => Infinity) : null;
  }
  resolution = 1;
  tick_length = 1;
  round_robin = true;
  tick_switches = false;
  inheritance = true;
  /** Bytes in use of the heap. */
  heap = 0;

  // ---- log -----------------------------------------------------------------------------------

  /** A short time. @param {number} [most] */
  #moment(most = 6) {
    return this.resolution * this.random.between(1, most);
  }

  /** Logs at the present time. @param {Entry['event']} event @param {Partial<Entry>} [fields] */
  #log_now(event, fields) {
    this.log.push({ at: this.now, core: this.#core.id, event, in_isr: this.#core.handlers.length > 0, ...fields });
  }

  /** Logs after a short time. @param {Entry['event']} event @param {Partial<Entry>} [fields] */
  #log(event, fields) {
    this.now += this.#moment();
    this.#log_now(event, fields);
  }

  /** @param {Task} task @param {NonNullable<Entry['state']>} state */
  #log_state(task, state) {
    this.#log_now('state', { task, state, wait: task.wait, by: task.stopped_by });
  }

  // ---- objects -------------------------------------------------------------------------------

  /** @param {Script} script @returns {Context} */
  #context(script) {
    return { script, ends: Infinity, left: 0, answer: undefined };
  }

  /**
   * @param {string} name
   * @param {number} priority
   * @param {(task: Task) => Script} script a task whose script ends deletes itself
   * @returns {Task}
   */
  create_task(name, priority, script) {
    /** @type {Task} */
    const task = {
      id: this.tasks.length + 1,
      name,
      idle: script === idle,
      priority,
      base: priority,
      state: 'waiting',
      core: null,
      context: this.#context(/** @type {any} */ (null)),
      wait: null,
      wake_tick: Infinity,
      notified: false,
      held: [],
      stopped_by: null,
    };
    task.context.script = script(task);
    this.tasks.push(task);
    this.#log('created', { task, value: priority });
    this.#make_ready(task);
    return task;
  }

  /** @param {string} name @param {QueueKind} kind @param {number} [capacity] @returns {Queue} */
  create_queue(name, kind, capacity = 1) {
    /** @type {Queue} */
    const queue = {
      id: this.queues.length + 1,
      name,
      kind,
      capacity,
      length: kind === 'mutex' ? 1 : 0,
      holder: null,
      senders: [],
      receivers: [],
    };
    this.queues.push(queue);
    return queue;
  }

  /** @param {string} name @param {number} level @param {number} core @param {() => Script} handler @param {() => number} next time until it is raised again */
  create_irq(name, level, core, handler, next) {
    const irq = { id: 15 + this.irqs.length, name, level, core, handler, next, due: this.now + next() };
    this.irqs.push(irq);
    return irq;
  }

  // ---- execution -----------------------------------------------------------------------------

  /** Creates the idle tasks and switches each core to its first task. */
  start() {
    for (let id = 0; id < this.core_count; id++) {
      const task = this.create_task(this.core_count > 1 ? `IDLE${id}` : 'IDLE', 0, idle);
      this.cores.push({ id, task, handlers: [], switch_at: Infinity, rotate: false });
    }
    const first = [...this.#ready].sort((a, b) => b.priority - a.priority).slice(0, this.core_count);
    this.cores.forEach((core, i) => {
      this.#core = core;
      core.task = first[i];
      this.#take_from_ready(first[i]);
      this.#log('switch', { task: first[i], value: first[i].priority });
      this.#begin_to_run(core, first[i]);
    });
    this.#tick_due = this.now + this.tick_length;
  }

  /** @param {number} entries of the log */
  run(entries) {
    while (this.log.length < entries) {
      const { at, what } = this.#next();
      this.now = Math.max(this.now + this.resolution, at);
      what();
    }
  }

  /** The interrupts end, and each core logs the end of the run. */
  finish() {
    this.now += this.resolution;
    for (const core of this.cores) {
      this.#core = core;
      for (let handler = core.handlers.pop(); handler; handler = core.handlers.pop())
        this.#log_now('isr_exit', { irq: handler.irq, in_isr: true });
      this.#log_now('end');
    }
  }

  /** What is due first. */
  #next() {
    const due = this.cores.map((core) => ({ at: this.#due(core), what: () => this.#execute(core) }));
    if (!this.cores[0].handlers.length) due.push({ at: this.#tick_due, what: () => this.#os_tick() });
    for (const irq of this.irqs)
      if (irq.level > this.#level(this.cores[irq.core])) due.push({ at: irq.due, what: () => this.#enter(irq) });
    return due.reduce((first, other) => (other.at < first.at ? other : first));
  }

  /** When a core does something by itself. @param {Core} core */
  #due(core) {
    const handler = core.handlers.at(-1);
    return handler ? handler.context.ends : Math.min(core.switch_at, core.task.context.ends);
  }

  /** Level of the innermost interrupt of a core; 0: none. @param {Core} core */
  #level(core) {
    return core.handlers.at(-1)?.irq.level ?? 0;
  }

  /** @param {Core} core */
  #execute(core) {
    this.#core = core;
    if (!core.handlers.length && core.switch_at <= core.task.context.ends) return this.#switch(core);
    const context = (core.handlers.at(-1) ?? core.task).context;
    const { value, done } = context.script.next(context.answer);
    context.answer = undefined;
    if (done) return core.handlers.length ? this.#leave_handler(core) : this.delete(core.task);
    if (typeof value === 'number') {
      context.ends = this.now + Math.max(1, Math.round(value / this.resolution)) * this.resolution;
      return;
    }
    context.ends = Infinity;
    context.answer = value();
    context.ends = context.answer === WAIT || this.#stopped(core, context) ? Infinity : this.now + this.#moment();
  }

  /** A task that suspended or deleted itself does not go on. @param {Core} core @param {Context} context */
  #stopped(core, context) {
    return core.task.context === context && core.task.state !== 'running';
  }

  /** What a core executes stops for now. @param {Context} context */
  #pause(context) {
    if (context.ends === Infinity) return;
    context.left = Math.max(0, context.ends - this.now);
    context.ends = Infinity;
  }

  /** @param {Context} context */
  #continue(context) {
    context.ends = this.now + Math.max(this.resolution, context.left);
    context.left = 0;
  }

  /** @param {Irq} irq */
  #enter(irq) {
    const core = this.cores[irq.core];
    this.#core = core;
    this.#pause((core.handlers.at(-1) ?? core.task).context);
    irq.due = this.now + irq.next();
    const context = this.#context(irq.handler());
    context.ends = this.now + this.#moment();
    core.handlers.push({ irq, context });
    this.#log_now('isr_enter', { irq });
  }

  /** The outermost handler switches at once if that was requested. @param {Core} core */
  #leave_handler(core) {
    const { irq } = /** @type {Handler} */ (core.handlers.pop());
    const switches = !core.handlers.length && core.switch_at !== Infinity;
    this.#log_now('isr_exit', { irq, switches, in_isr: true });
    if (switches) return this.#switch(core);
    const outer = core.handlers.at(-1);
    if (outer) this.#continue(outer.context);
    else if (core.task.state === 'running') this.#continue(core.task.context);
  }

  // ---- scheduler -----------------------------------------------------------------------------

  /** @param {Core} core */
  #switch(core) {
    const before = core.task;
    if (before.state === 'running') this.#ready[core.rotate ? 'push' : 'unshift'](before);
    core.switch_at = Infinity;
    core.rotate = false;
    const next = this.#ready.reduce((best, task) => (task.priority > best.priority ? task : best));
    this.#take_from_ready(next);
    this.#log_now('switch', { task: next, value: next.priority });
    if (before === next) {
      if (before.context.ends === Infinity) this.#continue(before.context);
    } else {
      this.#pause(before.context);
      before.core = null;
      if (before.state === 'running') before.state = 'ready';
      this.#log_state(before, before.state);
      core.task = next;
      this.#begin_to_run(core, next);
    }
    const waiting = this.#ready.reduce((best, task) => (task.priority > best.priority ? task : best), next);
    if (waiting !== next) this.#place(waiting);
  }

  /** @param {Core} core @param {Task} task */
  #begin_to_run(core, task) {
    task.state = 'running';
    task.core = core;
    this.#log_state(task, 'running');
    this.#continue(task.context);
  }

  /** @param {Task} task */
  #take_from_ready(task) {
    this.#ready = this.#ready.filter((other) => other !== task);
  }

  /** Requests a switch of the core that runs the least urgent task, if the ready task is more urgent. @param {Task} task */
  #place(task) {
    const busy = this.cores.filter((core) => core.task.state === 'running' && core.switch_at === Infinity);
    if (!busy.length) return;
    const core = busy.reduce((least, other) => (other.task.priority < least.task.priority ? other : least));
    if (task.priority > core.task.priority) this.#request_switch(core);
  }

  /** Another core takes longer to notice. @param {Core} core */
  #request_switch(core) {
    if (core.switch_at === Infinity) core.switch_at = this.now + this.#moment(core === this.#core ? 3 : 12);
  }

  /** @param {Task} task created, or it waited or was suspended @param {'ready' | 'resumed'} [event] with which it becomes ready */
  #make_ready(task, event = 'ready') {
    this.#end_wait(task);
    task.stopped_by = null;
    this.#log(event, { task });
    if (task.core) {
      task.state = 'running'; // it has not left its core: it goes on there, or is preempted at the pending switch
    } else {
      task.state = 'ready';
      this.#log_state(task, 'ready');
      this.#ready.push(task);
    }
    if (event === 'resumed') this.#log_now('ready', { task }); // at the same time: Tonbandgeraet's reader takes the first, TraceRecorder's the second as its release
    if (!task.core) this.#place(task);
  }

  /** @param {Task} task */
  #end_wait(task) {
    const queue = task.wait?.queue;
    if (queue) {
      queue.senders = queue.senders.filter((other) => other !== task);
      queue.receivers = queue.receivers.filter((other) => other !== task);
    }
    task.wait = null;
    task.wake_tick = Infinity;
  }

  /** The current task begins to wait. @param {Wait} wait @param {number} ticks */
  #block(wait, ticks) {
    const { task } = this.#core;
    task.state = 'waiting';
    task.wait = wait;
    task.wake_tick = ticks === FOREVER ? Infinity : this.tick + ticks;
    this.#request_switch(this.#core);
    return WAIT;
  }

  #os_tick() {
    const core = this.cores[0];
    this.#core = core;
    this.#tick_due += this.tick_length;
    this.tick++;
    if (this.tick_irq) this.#enter(this.tick_irq);
    this.#log('tick', { value: this.tick });
    for (const task of this.tasks) if (task.wake_tick <= this.tick) this.#make_ready(task);
    if (this.round_robin)
      for (const other of this.cores)
        if (this.#ready.some(({ priority }) => priority === other.task.priority)) {
          other.rotate = true;
          this.#request_switch(other);
        }
    if (this.tick_switches) this.#request_switch(core);
    if (!this.tick_irq) return;
    this.now += this.#moment();
    this.#leave_handler(core);
  }

  // ---- operations of tasks; each is called by the task that runs on the present core -----------

  /** @param {number} ticks */
  delay(ticks) {
    this.#log('delay', { value: ticks });
    return this.#block({ kind: 'delay', queue: null, owner: null }, ticks);
  }

  /** @param {number} tick */
  delay_until(tick) {
    if (tick <= this.tick) return true;
    this.#log('delay_until', { value: tick });
    return this.#block({ kind: 'delay', queue: null, owner: null }, tick - this.tick);
  }

  /** Lets ready tasks of the same priority run before it goes on. No format records it. */
  relinquish() {
    this.#core.rotate = true;
    this.#request_switch(this.#core);
    return true;
  }

  /** @param {Queue} queue @param {number} ticks @returns {unknown} true, false, or it has to try again after its wait */
  send(queue, ticks) {
    if (queue.length < queue.capacity) {
      queue.length++;
      this.#log('send', { queue, value: queue.length });
      this.#wake_first(queue.receivers);
      return true;
    }
    if (!ticks) return this.#refuse(queue, 'send');
    const { task } = this.#core;
    this.#log('block', { queue, operation: 'send', ticks, value: queue.length });
    queue.senders.push(task);
    return this.#block({ kind: 'room', queue, owner: null }, ticks);
  }

  /** Of a mutex: takes it. @param {Queue} queue @param {number} ticks @returns {unknown} true, false, or it has to try again after its wait */
  receive(queue, ticks) {
    const { task } = this.#core;
    if (queue.length > 0) {
      queue.length--;
      if (queue.kind === 'mutex') {
        queue.holder = task;
        task.held.push(queue);
      }
      this.#log('receive', { queue, value: queue.length, ticks });
      this.#wake_first(queue.senders);
      return true;
    }
    if (!ticks) return this.#refuse(queue, 'receive');
    this.#log('block', { queue, operation: 'receive', ticks, value: queue.length });
    const owner = queue.holder;
    queue.receivers.push(task);
    if (owner && this.inheritance) this.#inherit(owner, task.priority);
    return this.#block({ kind: owner ? 'lock' : 'receive', queue, owner }, ticks);
  }

  /** @param {Queue} mutex which the current task holds */
  give(mutex) {
    const { task } = this.#core;
    mutex.length = 1;
    mutex.holder = null;
    task.held = task.held.filter((other) => other !== mutex);
    this.#log('send', { queue: mutex, value: 1 });
    if (!task.held.length) this.#disinherit(task, task.base);
    this.#wake_first(mutex.receivers);
    return true;
  }

  /** @param {Queue} queue @param {'send' | 'receive'} operation */
  #refuse(queue, operation) {
    if (queue.holder?.held.length === 1)
      this.#disinherit(queue.holder, Math.max(queue.holder.base, ...queue.receivers.map(({ priority }) => priority)));
    this.#log('refused', { queue, operation, value: queue.length, ticks: 0 });
    return false;
  }

  /** @param {Task[]} waiting */
  #wake_first(waiting) {
    if (waiting.length) this.#make_ready(waiting.reduce((best, task) => (task.priority > best.priority ? task : best)));
  }

  /** @param {Task} holder @param {number} priority */
  #inherit(holder, priority) {
    if (holder.priority >= priority) return;
    if (holder.state === 'ready' || holder.state === 'running') this.#log('ready', { task: holder });
    holder.priority = priority;
    this.#log('inherit', { task: holder, value: priority });
    if (holder.state === 'ready') this.#place(holder);
  }

  /** @param {Task} holder @param {number} priority */
  #disinherit(holder, priority) {
    if (holder.priority === priority) return;
    holder.priority = priority;
    this.#log('disinherit', { task: holder, value: priority });
    this.#moved_in_ready_list(holder);
  }

  /** After a change of its priority. @param {Task} task */
  #moved_in_ready_list(task) {
    if (task.state !== 'ready' && task.state !== 'running') return;
    this.#log('ready', { task });
    if (task.state === 'ready') this.#place(task);
    else if (task.core && this.#ready.some(({ priority }) => priority > task.priority)) this.#request_switch(task.core);
  }

  /** @param {Task} task @param {number} priority */
  set_priority(task, priority) {
    if (task.state === 'deleted') return false;
    if (task.priority === task.base || priority > task.priority) task.priority = priority;
    task.base = priority;
    this.#log('priority', { task, value: priority });
    this.#moved_in_ready_list(task);
    return true;
  }

  /** The current task takes memory, or (negative) gives it back. @param {number} bytes */
  use_memory(bytes) {
    this.heap += bytes;
    this.#log(bytes > 0 ? 'allocated' : 'freed', { value: this.heap, bytes: Math.abs(bytes) });
    return true;
  }

  /** The target measures the stack of the current task. @param {number} words that were never used */
  measure_stack(words) {
    this.#log('stack', { task: this.#core.task, value: words });
    return true;
  }

  /** @param {number} ticks */
  wait_for_notification(ticks) {
    const { task } = this.#core;
    if (task.notified || !ticks) {
      this.#log(task.notified ? 'notification_taken' : 'notification_missed');
      const taken = task.notified;
      task.notified = false;
      return taken;
    }
    this.#log('block_notification', { ticks });
    return this.#block({ kind: 'notification', queue: null, owner: null }, ticks);
  }

  /** Also of handlers. @param {Task} task */
  notify(task) {
    if (task.state === 'deleted') return false;
    this.#log('notified', { task });
    task.notified = true;
    if (task.wait?.kind === 'notification') this.#make_ready(task);
    return true;
  }

  /** @param {Task} task */
  suspend(task) {
    if (task.state === 'deleted' || task.state === 'suspended') return false;
    this.#log('suspended', { task });
    this.#stop(task, 'suspended');
    return true;
  }

  /** Also of handlers. @param {Task} task */
  resume(task) {
    if (task.state !== 'suspended') return false;
    this.#make_ready(task, 'resumed');
    return true;
  }

  /** @param {Task} task that holds no mutex */
  delete(task) {
    if (task.state === 'deleted') return false;
    this.#log('deleted', { task, value: task.priority });
    this.#stop(task, 'deleted');
    return true;
  }

  /** @param {Task} task @param {'suspended' | 'deleted'} state */
  #stop(task, state) {
    this.#end_wait(task);
    this.#take_from_ready(task);
    task.state = state;
    task.stopped_by = this.#core.task;
    if (!task.core) return this.#log_state(task, state);
    this.#pause(task.context);
    this.#request_switch(task.core);
  }
}

/** Calls of the kernel that try again after a wait, until it succeeds or the time is out. */
export class Calls {
  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.kernel = kernel;
  }

  /** @param {(ticks: number) => unknown} attempt @param {number} ticks @returns {Script} */
  *#until(attempt, ticks) {
    const deadline = this.kernel.tick + ticks;
    for (let left = ticks; ; left = ticks === FOREVER ? FOREVER : Math.max(0, deadline - this.kernel.tick)) {
      const now = left;
      const result = yield () => attempt(now);
      if (result !== WAIT) return result;
    }
  }

  /** @param {Queue} queue @param {number} ticks */
  send = (queue, ticks) => this.#until((left) => this.kernel.send(queue, left), ticks);
  /** @param {Queue} queue @param {number} ticks */
  receive = (queue, ticks) => this.#until((left) => this.kernel.receive(queue, left), ticks);
  /** @param {number} ticks */
  wait_for_notification = (ticks) => this.#until((left) => this.kernel.wait_for_notification(left), ticks);
}
