// SPDX-License-Identifier: MIT
//
// A simulated run as TraceRecorder streams it from a target with FreeRTOS, complete or with losses.

import { PsfEncoder } from '../generator/psf.mjs';
import { concat } from '../generator/tband.mjs';

/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** @typedef {import('./kernel.mjs').Entry} Entry */
/** @typedef {import('./kernel.mjs').Task} Task */
/** @typedef {import('./kernel.mjs').Queue} Queue */
/** @typedef {import('./kernel.mjs').Irq} Irq */
/** @typedef {import('../generator/psf.mjs').PsfName} PsfName */
/** @typedef {import('../generator/psf.mjs').PsfParam} PsfParam */
/** @typedef {[PsfName, ...PsfParam[]]} PsfEvent */
/** An event and the position of its entry in the log (-1: from before the log). @typedef {{ core: number, time: number, entry: number, event: PsfEvent }} Timed */

/** Facts, which have no time in the trace. @type {PsfName[]} */
const NAMES = ['OBJ_NAME', 'DEFINE_ISR'];
const STARTUP = 2;
/** Address of a counter of the application that changes at the end. */
const ENDS = 0x200a0000;
const address_of_task = (/** @type {Task} */ { id }) => 0x20010000 + id * 0x200;
const address_of_queue = (/** @type {Queue} */ { id }) => 0x20080000 + id * 0x50;
const address_of_irq = (/** @type {Irq} */ { id }) => 0x20090000 + id * 0x30;

/** @type {Record<import('./kernel.mjs').QueueKind, { send: string, receive: string, create: PsfName }>} */
const CALLS = {
  queue: { send: 'QUEUE_SEND', receive: 'QUEUE_RECEIVE', create: 'QUEUE_CREATE' },
  semaphore: { send: 'SEM_GIVE', receive: 'SEM_TAKE', create: 'SEM_BINARY_CREATE' },
  mutex: { send: 'MUTEX_GIVE', receive: 'MUTEX_TAKE', create: 'MUTEX_CREATE' },
};

/** @param {Entry} entry @param {'send' | 'receive'} operation @param {string} outcome @returns {PsfEvent} */
function queue_event({ queue, in_isr, value = 0, ticks = 0 }, operation, outcome) {
  const { kind } = /** @type {Queue} */ (queue);
  const name = /** @type {PsfName} */ (CALLS[kind][operation] + (in_isr ? '_FROMISR' : '') + outcome);
  const timeout = operation === 'receive' && !in_isr ? [ticks] : [];
  return [name, address_of_queue(/** @type {Queue} */ (queue)), ...timeout, ...(kind === 'mutex' ? [] : [value])];
}

/** Keeps what a core executes, because the end of an interrupt names what goes on. */
class Core {
  /** @type {Task | null} */
  task = null;
  /** @type {Irq[]} */
  irqs = [];

  /** The end of the innermost interrupt; nothing if a switch follows. @param {boolean} switches @returns {PsfEvent[]} */
  leave(switches) {
    this.irqs.pop();
    const outer = this.irqs.at(-1);
    if (outer) return [['ISR_RESUME', address_of_irq(outer)]];
    return switches || !this.task ? [] : [['TASK_ACTIVATE', address_of_task(this.task)]];
  }
}

/** @param {Entry} entry @param {Core} core @param {Irq | null} tick_irq that is not recorded @returns {PsfEvent[]} */
function events_of(entry, core, tick_irq) {
  const { event, in_isr, value = 0, ticks = 0, operation = 'send' } = entry;
  const irq = /** @type {Irq} */ (entry.irq);
  const task = /** @type {Task} */ (entry.task);
  switch (event) {
    case 'created':
      return [
        ['OBJ_NAME', address_of_task(task), task.name],
        ['TASK_CREATE', address_of_task(task), value],
      ];
    case 'priority':
      return [['TASK_PRIORITY', address_of_task(task), value]];
    case 'inherit':
      return [['TASK_PRIO_INHERIT', address_of_task(task), value]];
    case 'disinherit':
      return [['TASK_PRIO_DISINHERIT', address_of_task(task), value]];
    case 'ready':
      return [['TASK_READY', address_of_task(task)]];
    case 'switch':
      core.task = task;
      return [['TASK_ACTIVATE', address_of_task(task), value]];
    case 'suspended':
      return [['TASK_SUSPEND', address_of_task(task)]];
    case 'resumed':
      return [[in_isr ? 'TASK_RESUME_FROMISR' : 'TASK_RESUME', address_of_task(task)]];
    case 'deleted':
      return [['TASK_DELETE', address_of_task(task), value]];
    case 'delay':
      return [['TASK_DELAY', value]];
    case 'delay_until':
      return [['TASK_DELAY_UNTIL', value]];
    case 'block':
      return [queue_event(entry, operation, '_BLOCK')];
    case 'refused':
      return [queue_event(entry, operation, '_FAILED')];
    case 'send':
    case 'receive':
      return [queue_event(entry, event, '')];
    case 'block_notification':
      return [['TASK_NOTIFY_WAIT_BLOCK', address_of_task(/** @type {Task} */ (core.task)), ticks]];
    case 'notification_taken':
      return [['TASK_NOTIFY_WAIT', address_of_task(/** @type {Task} */ (core.task)), ticks]];
    case 'notification_missed':
      return [['TASK_NOTIFY_WAIT_FAILED', address_of_task(/** @type {Task} */ (core.task)), ticks]];
    case 'notified':
      return [[in_isr ? 'TASK_NOTIFY_FROMISR' : 'TASK_NOTIFY', address_of_task(task)]];
    case 'tick':
      return [['NEW_TIME', value]];
    case 'end':
      return [['COUNTER_CHANGE', ENDS, 1]];
    case 'isr_enter':
      if (irq === tick_irq) return [];
      core.irqs.push(irq);
      return [['ISR_BEGIN', address_of_irq(irq)]];
    case 'isr_exit':
      return irq === tick_irq ? [] : core.leave(entry.switches === true);
  }
  return [];
}

/** Objects are created before the log begins. @param {Kernel} kernel @returns {Timed[]} */
function first_events({ queues, irqs, core_count }) {
  /** @type {PsfEvent[]} */
  const events = [['TRACE_START', ...new Array(core_count).fill(STARTUP)]];
  for (const irq of irqs) events.push(['DEFINE_ISR', address_of_irq(irq), irq.level, irq.name]);
  for (const queue of queues) {
    const at = address_of_queue(queue);
    events.push([CALLS[queue.kind].create, at, queue.kind === 'queue' ? queue.capacity : 0]);
    if (queue.kind === 'mutex') events.push(['MUTEX_GIVE', at]);
    events.push(['OBJ_NAME', at, queue.name]);
  }
  return events.map((event) => ({ core: 0, time: 1, entry: -1, event }));
}

/**
 * @param {Kernel} kernel
 * @param {{ layout?: 'stream' | 'files', gaps?: (events: number) => import('./gaps.mjs').Gaps }} [recording]
 * @returns {{ files: Uint8Array[], origin: number, losses: number[], counted: number }} `origin`: time of the first event that is no name, in nanoseconds, which is 0 in the trace; `losses`:
 *   of each entry of the log, the number of its events that are missing; `counted`: all missing events that the recording counts
 */
export function tracerecorder(kernel, { layout = 'stream', gaps } = {}) {
  const { resolution, core_count } = kernel;
  const encoder = new PsfEncoder({
    cores: core_count,
    streams: layout === 'stream' ? 3 : 2,
    hz: 1_000_000_000 / resolution,
  });
  const idle = { address: 0x100, options: 1 << 24, symbol: 'IDLE' };
  /** @type {Uint8Array[][]} */
  const files = Array.from({ length: layout === 'stream' ? 1 : core_count }, () => []);
  // With losses the event that names an object may be missing; the table of entries is in the header.
  const entries = [
    idle,
    ...kernel.tasks.map((task) => ({ address: address_of_task(task), states: [task.base], symbol: task.name })),
    ...kernel.queues.map((queue) => ({ address: address_of_queue(queue), symbol: queue.name })),
  ];
  files[0].push(encoder.start(gaps ? entries : [idle]));
  const cores = Array.from({ length: core_count }, () => new Core());
  const timed = first_events(kernel);
  kernel.log.forEach((entry, i) => {
    for (const event of events_of(entry, cores[entry.core], kernel.tick_irq))
      timed.push({ core: entry.core, time: entry.at / resolution, entry: i, event });
  });
  const missing = gaps?.(timed.length);
  const losses = kernel.log.map(() => 0);
  let origin = Infinity;
  let counted = 0;
  const begun = cores.map(() => false);
  timed.forEach(({ core, time, entry, event: [name, ...params] }, i) => {
    const bytes = encoder.event(time, name, params, core);
    if (missing && (i < missing.begin || missing.lost(i))) {
      if (begun[core]) counted++; // a recorder may have counted before the recording
      if (entry >= 0) losses[entry]++;
      return;
    }
    begun[core] = true;
    if (!NAMES.includes(name)) origin = Math.min(origin, time * resolution);
    files[layout === 'stream' ? 0 : core].push(bytes);
  });
  return { files: files.map((parts) => concat(parts)), origin, losses, counted };
}
