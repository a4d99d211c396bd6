// SPDX-License-Identifier: MIT
//
// A simulated run as Tonbandgeraet records it, with or without the events of our own recorder, complete or with losses.

import { QUEUE_KIND, concat, frame } from '../generator/tband.mjs';

/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** @typedef {import('./kernel.mjs').Entry} Entry */
/** @typedef {import('./kernel.mjs').Task} Task */
/** @typedef {import('./kernel.mjs').Queue} Queue */
/** @typedef {import('./kernel.mjs').Irq} Irq */
/** @typedef {import('../generator/tband.mjs').EventName} EventName */
/** @typedef {import('../generator/tband.mjs').Value} Value */
/** A frame with a time, and the position of its entry in the log (-1: from before the log). @typedef {{ core: number, ts: number, entry: number, bytes: Uint8Array }} Timed */

/**
 * @typedef {object} Recording
 * @property {boolean} [extensions] events of our own recorder: notifications, refused operations, capacities
 * @property {'stream' | 'files'} [layout] of several cores: one stream with `core_id`, or a file per core
 * @property {(events: number) => import('./gaps.mjs').Gaps} [gaps] which of so many events are missing
 * @property {'each' | 'once'} [counts] after a loss a count of lost events precedes each event, or only the first one
 */

/** @type {Record<import('./kernel.mjs').QueueKind, number>} */
const KIND = { queue: QUEUE_KIND.queue, semaphore: QUEUE_KIND.binary, mutex: QUEUE_KIND.mutex };
const OPERATION = { send: 0, receive: 3 };

/** The events of an entry after the time stamp. @param {Entry} entry @param {boolean} extensions @returns {[EventName, ...Value[]][]} */
function events_of(entry, extensions) {
  const { event, in_isr, value = 0, ticks = 0, operation = 'send' } = entry;
  const task = /** @type {Task} */ (entry.task);
  const queue = /** @type {Queue} */ (entry.queue);
  const irq = /** @type {Irq} */ (entry.irq);
  switch (event) {
    case 'created':
      return [
        ['task_created', task.id],
        ['task_priority_set', task.id, value],
      ];
    case 'priority':
      return [['task_priority_set', task.id, value]];
    case 'inherit':
      return [['task_priority_inherit', task.id, value]];
    case 'disinherit':
      return [['task_priority_disinherit', task.id, value]];
    case 'ready':
      return [['task_to_rdy_state', task.id]];
    case 'switch':
      return [['task_switched_in', task.id]];
    case 'suspended':
      return [['task_suspended', task.id]];
    case 'resumed':
      return [[in_isr ? 'task_resumed_from_isr' : 'task_resumed', task.id]];
    case 'deleted':
      return [['task_deleted', task.id]];
    case 'delay':
      return [['curtask_delay', value]];
    case 'delay_until':
      return [['curtask_delay_until', value]];
    case 'block':
      return [
        [operation === 'send' ? 'curtask_block_on_queue_send' : 'curtask_block_on_queue_receive', queue.id, ticks],
      ];
    case 'send':
      return [[in_isr ? 'queue_send_from_isr' : 'queue_send', queue.id, value]];
    case 'receive':
      return [[in_isr ? 'queue_receive_from_isr' : 'queue_receive', queue.id, value]];
    case 'isr_enter':
      return [['isr_enter', irq.id]];
    case 'isr_exit':
      return [['isr_exit', irq.id]];
    case 'end':
      return [['evtmarker', 1, 'end']];
  }
  if (!extensions) return [];
  switch (event) {
    case 'refused':
      return [[in_isr ? 'queue_refused_from_isr' : 'queue_refused', queue.id, value, OPERATION[operation]]];
    case 'block_notification':
      return [['curtask_block_on_notification', ticks]];
    case 'notified':
      return [[in_isr ? 'task_notified_from_isr' : 'task_notified', task.id]];
    case 'notification_taken':
      return [['curtask_notification_taken']];
    case 'notification_missed':
      return [['curtask_notification_missed']];
  }
  return [];
}

/** Names and facts of the objects. @param {Kernel} kernel @param {boolean} extensions */
function facts(kernel, extensions) {
  const { tasks, queues } = kernel;
  return [
    frame('ts_resolution_ns', kernel.resolution),
    ...(extensions ? [frame('waits_are_traced', 0)] : []),
    ...queues.flatMap(({ id, name, kind, capacity }) => [
      frame('queue_kind', id, KIND[kind]),
      frame('queue_name', id, name),
      ...(extensions ? [frame('queue_capacity', id, capacity)] : []),
    ]),
    ...tasks.map(({ id, name }) => frame('task_name', id, name)),
  ];
}

/** Names of the interrupts of a core. @param {Kernel} kernel @param {number} core */
const irq_names = ({ irqs }, core) =>
  irqs.filter((irq) => irq.core === core).map(({ id, name }) => frame('isr_name', id, name));

/** The queues are created before the log begins. @param {Kernel} kernel @returns {Timed[]} */
function created_queues(kernel) {
  const first = (/** @type {EventName} */ name, /** @type {Value[]} */ ...values) => ({
    core: 0,
    ts: 1,
    entry: -1,
    bytes: frame(name, 1, ...values),
  });
  return kernel.queues.flatMap(({ id, kind }) => [
    first('queue_created', id),
    first('queue_cur_length', id, 0),
    ...(kind === 'mutex' ? [first('queue_send', id, 1)] : []),
  ]);
}

/** @param {Kernel} kernel @param {boolean} extensions @returns {Timed[]} */
function timed_frames(kernel, extensions) {
  const frames = created_queues(kernel);
  kernel.log.forEach((entry, i) => {
    const ts = entry.at / kernel.resolution;
    for (const [name, ...values] of events_of(entry, extensions))
      frames.push({ core: entry.core, ts, entry: i, bytes: frame(name, ts, ...values) });
  });
  return frames;
}

/**
 * @param {Kernel} kernel
 * @param {Recording} [recording]
 * @returns {{ files: Uint8Array[], losses: number[], counted: number }} `losses`: of each entry of the log, the number of its events that are missing;
 *   `counted`: all missing events that the recording counts
 */
export function tonbandgeraet(kernel, { extensions = false, layout = 'stream', gaps, counts = 'once' } = {}) {
  const timed = timed_frames(kernel, extensions);
  const missing = gaps?.(timed.length);
  const losses = kernel.log.map(() => 0);
  const core_count = layout === 'files' ? kernel.core_count : 1;
  /** @type {Uint8Array[][]} */
  const files = Array.from({ length: core_count }, () => facts(kernel, extensions));
  for (let core = kernel.core_count - 1; core >= 0; core--)
    if (layout === 'files') files[core].push(...irq_names(kernel, core));
    else files[0].unshift(frame('core_id', 0, core), ...irq_names(kernel, core));
  if (layout === 'stream') files[0].push(frame('core_id', 0, 0));
  /** @type {(number | null)[]} last count that each core has sent */
  const sent = Array.from({ length: kernel.core_count }, () => null);
  let dropped = 0;
  let current = 0;
  timed.forEach(({ core, ts, entry, bytes }, i) => {
    if (missing && (i < missing.begin || missing.lost(i))) {
      if (entry >= 0) losses[entry]++;
      if (i >= missing.begin) dropped++;
      return;
    }
    const file = files[layout === 'files' ? core : 0];
    if (layout === 'stream' && core !== current) file.push(frame('core_id', ts, core));
    current = core;
    if (sent[core] !== dropped || (counts === 'each' && dropped > 0)) file.push(frame('dropped_evt_cnt', ts, dropped));
    sent[core] = dropped;
    file.push(bytes);
  });
  return { files: files.map((parts) => concat(parts)), losses, counted: dropped };
}
