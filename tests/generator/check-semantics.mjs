// SPDX-License-Identifier: MIT
//
// Checks whether a real kernel could send these events; written from the rules of the format page.

/** @typedef {import('./decode.mjs').Event} Event */
/** @typedef {{ core: number } & Event} CoreEvent */

/**
 * Events of all cores by time; within a core in order of the file.
 * @param {Event[][]} cores
 * @returns {CoreEvent[]}
 */
export function merge(cores) {
  const timed = cores.flatMap((events, core) =>
    events.filter(({ ts }) => ts !== null).map((event) => ({ ...event, core })),
  );
  return timed
    .map((event, i) => ({ event, i }))
    .sort((a, b) => {
      const by_time = Number(/** @type {bigint} */ (a.event.ts) - /** @type {bigint} */ (b.event.ts));
      return by_time || a.event.core - b.event.core || a.i - b.i;
    })
    .map(({ event }) => event);
}

class Checker {
  /** @type {string[]} */
  faults = [];
  /** @type {Map<bigint, string>} ready, running, blocked, suspended, deleted */
  state = new Map();
  /** @type {Map<number, bigint>} */
  current = new Map();
  /** @type {Map<number, bigint[]>} */
  interrupts = new Map();
  /** @type {Map<bigint, bigint>} */
  lengths = new Map();
  /** @type {Map<string, number>} */
  open_markers = new Map();
  /** @type {Map<number, bigint>} */
  last_ts = new Map();

  /** @param {CoreEvent} event @param {string} what */
  fault(event, what) {
    this.faults.push(`${event.name}(${event.args.join(', ')}) at ${event.ts} on core ${event.core}: ${what}`);
  }

  /** @param {CoreEvent} event */
  take(event) {
    const ts = /** @type {bigint} */ (event.ts);
    if (ts < (this.last_ts.get(event.core) ?? 0n)) this.fault(event, 'time falls');
    this.last_ts.set(event.core, ts);
    if (/^task_(switched|to_rdy|suspended|deleted)|^curtask/.test(event.name)) this.task(event);
    if (/^queue_/.test(event.name)) this.queue(event);
    if (/^isr_/.test(event.name)) this.interrupt(event);
    if (/marker/.test(event.name)) this.marker(event);
  }

  /** @param {CoreEvent} event */
  task(event) {
    const task = /** @type {bigint} */ (event.args[0]);
    const current = this.current.get(event.core);
    if (event.name === 'task_to_rdy_state') {
      if (this.state.get(task) === 'deleted') this.fault(event, 'ready after it was deleted');
      if (this.state.get(task) !== 'running') this.state.set(task, 'ready');
    } else if (event.name === 'task_switched_in') {
      this.switch_in(event, task, current);
    } else if (event.name.startsWith('curtask')) {
      if (current === undefined) return this.fault(event, 'no current task');
      if ((this.interrupts.get(event.core) ?? []).length > 0) this.fault(event, 'inside an interrupt');
      this.state.set(current, 'blocked');
    } else {
      this.state.set(task, event.name === 'task_deleted' ? 'deleted' : 'suspended');
    }
  }

  /** @param {CoreEvent} event @param {bigint} task @param {bigint | undefined} current */
  switch_in(event, task, current) {
    const state = this.state.get(task) ?? 'ready';
    if (current !== undefined && current !== task && this.state.get(current) === 'running')
      this.state.set(current, 'ready');
    if (state !== 'ready' && !(state === 'running' && current === task)) this.fault(event, `it is ${state}`);
    for (const [core, running] of this.current) {
      if (running === task && core !== event.core && this.state.get(task) === 'running')
        this.fault(event, `it runs on core ${core}`);
    }
    if ((this.interrupts.get(event.core) ?? []).length > 0) this.fault(event, 'inside an interrupt');
    this.state.set(task, 'running');
    this.current.set(event.core, task);
  }

  /** @param {CoreEvent} event */
  queue(event) {
    const [queue, len] = /** @type {bigint[]} */ (event.args);
    const before = this.lengths.get(queue);
    if (/send/.test(event.name) && before !== undefined && len !== before + 1n)
      this.fault(event, `length was ${before}`);
    if (/receive/.test(event.name) && before !== undefined && len !== before - 1n)
      this.fault(event, `length was ${before}`);
    if (/from_isr/.test(event.name) && (this.interrupts.get(event.core) ?? []).length === 0)
      this.fault(event, 'outside of interrupts');
    if (len !== undefined) this.lengths.set(queue, len);
  }

  /** @param {CoreEvent} event */
  interrupt(event) {
    const stack = this.interrupts.get(event.core) ?? [];
    const id = /** @type {bigint} */ (event.args[0]);
    if (event.name === 'isr_enter') stack.push(id);
    else if (stack.pop() !== id) this.fault(event, 'not the innermost interrupt');
    this.interrupts.set(event.core, stack);
  }

  /** @param {CoreEvent} event */
  marker(event) {
    if (event.name.startsWith('task_') && this.current.get(event.core) === undefined)
      this.fault(event, 'no current task');
    const owner = event.name.startsWith('task_') ? `task ${this.current.get(event.core)}` : 'global';
    const key = `${owner} ${event.args[0]}`;
    if (event.name.endsWith('_begin')) this.open_markers.set(key, (this.open_markers.get(key) ?? 0) + 1);
    if (!event.name.endsWith('_end')) return;
    const open = this.open_markers.get(key) ?? 0;
    if (open === 0) this.fault(event, 'never begun');
    this.open_markers.set(key, open - 1);
  }
}

/** @param {CoreEvent[]} events @returns {string[]} what no kernel would send */
export function semantic_faults(events) {
  const checker = new Checker();
  for (const event of events) checker.take(event);
  return checker.faults;
}

/** @param {Event[]} events @returns {Record<string, number>} */
export function count_by_name(events) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { name } of events) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
