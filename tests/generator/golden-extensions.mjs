// SPDX-License-Identifier: MIT
//
// Golden cases about the events from 80 on, which only Tonkopf's recorder sends.

import { FOREVER, QUEUE_KIND } from './tband.mjs';
import { head, tasks } from './golden-stream.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./golden-stream.mjs').Stream} Stream */

/** @param {string} name @param {string} proves @param {(stream: Stream) => unknown} body @returns {GoldenCase} */
const rtos = (name, proves, body) => ({ name, proves, inputs: { 'input.bin': tasks().ev('waits_are_traced', 0).with(body) } });

/** @type {GoldenCase[]} */
export const EXTENSIONS = [
  rtos('notification-of-a-task', 'A waits for a notification, B notifies it: the wait has a reason and who ended it, an arrow leads to A; then the time is out.', (s) =>
    s.ev('task_switched_in', 100, 1).ev('curtask_block_on_notification', 110, FOREVER).ev('task_switched_in', 112, 2).ev('task_notified', 150, 1).ev('task_to_rdy_state', 151, 1)
      .ev('task_switched_in', 153, 1).ev('curtask_notification_taken', 155).ev('curtask_block_on_notification', 160, 5).ev('task_switched_in', 162, 3).ev('isr_enter', 5000, 15)
      .ev('task_to_rdy_state', 5002, 1).ev('isr_exit', 5004, 15).ev('task_switched_in', 5006, 1).ev('curtask_notification_missed', 5008)),
  rtos('notification-from-an-interrupt', 'Notified from an interrupt that is recorded, and from one that is not: that one is not the running task\'s doing.', (s) =>
    s.ev('task_switched_in', 100, 1).ev('curtask_block_on_notification', 110, FOREVER).ev('task_switched_in', 112, 2).ev('isr_name', 20, 'uart').ev('isr_enter', 150, 20).ev('task_notified_from_isr', 151, 1)
      .ev('task_to_rdy_state', 152, 1).ev('isr_exit', 154, 20).ev('task_switched_in', 156, 1).ev('curtask_notification_taken', 158).ev('curtask_block_on_notification', 160, FOREVER)
      .ev('task_switched_in', 162, 2).ev('task_notified_from_isr', 180, 1).ev('task_to_rdy_state', 181, 1).ev('task_switched_in', 184, 1).ev('curtask_notification_taken', 186)),
  rtos('event-group', 'Bits are set, cleared and waited for, a wait runs out, a meeting of two tasks; the group is deleted.', (s) =>
    s.ev('eventgroup_created', 90, 7).ev('eventgroup_name', 7, 'doors').ev('task_switched_in', 100, 1).ev('curtask_block_on_eventgroup', 110, 7, 0, 3).ev('task_switched_in', 112, 2)
      .ev('eventgroup_set', 150, 7, 1).ev('eventgroup_set', 160, 7, 2).ev('task_to_rdy_state', 161, 1).ev('task_switched_in', 163, 1).ev('eventgroup_waited', 165, 7, 0, 3)
      .ev('eventgroup_cleared', 170, 7, 3).ev('curtask_block_on_eventgroup', 180, 7, 0, 4).ev('task_switched_in', 182, 2).ev('eventgroup_asked_from_isr', 185, 7, 1, 4).ev('task_to_rdy_state', 300, 1)
      .ev('task_switched_in', 302, 1).ev('eventgroup_waited', 304, 7, 2, 4).ev('eventgroup_set', 310, 7, 16).ev('curtask_block_on_eventgroup', 312, 7, 1, 48).ev('task_switched_in', 314, 2)
      .ev('eventgroup_set', 320, 7, 32).ev('task_to_rdy_state', 321, 1).ev('task_switched_in', 324, 1).ev('eventgroup_waited', 326, 7, 1, 48)
      .ev('eventgroup_deleted', 330, 7)),
  rtos('stream-buffer', 'A buffer is a queue of bytes: A waits to receive, which the kernel does by a notification of its own; then the time is out.', (s) =>
    s.ev('queue_kind', 5, QUEUE_KIND.stream).ev('queue_name', 5, 'log').ev('queue_capacity', 5, 64).ev('queue_created', 90, 5).ev('queue_cur_length', 90, 5, 0).ev('task_switched_in', 100, 1)
      .ev('curtask_block_on_queue_receive', 110, 5, FOREVER).ev('curtask_block_on_notification', 111, FOREVER).ev('task_switched_in', 113, 2).ev('queue_send', 150, 5, 20)
      .ev('task_notified', 151, 1).ev('task_to_rdy_state', 152, 1).ev('task_switched_in', 154, 1).ev('curtask_notification_taken', 155).ev('queue_receive', 156, 5, 0)
      .ev('curtask_block_on_queue_receive', 160, 5, 9).ev('curtask_block_on_notification', 161, 9).ev('task_switched_in', 163, 2).ev('task_to_rdy_state', 300, 1).ev('task_switched_in', 302, 1)
      .ev('curtask_notification_missed', 303).ev('queue_refused', 304, 5, 0, 3)),
  rtos('queues-in-detail', 'Capacity, operations that fail or time out, in a task and in an interrupt; a deleted queue.', (s) =>
    s.ev('queue_name', 4, 'jobs').ev('queue_capacity', 4, 2).ev('queue_kind', 1, QUEUE_KIND.mutex).ev('queue_name', 1, 'bus').ev('task_switched_in', 100, 1).ev('queue_send', 110, 4, 1)
      .ev('queue_send', 112, 4, 2).ev('queue_refused', 114, 4, 2, 0).ev('isr_enter', 120, 20).ev('queue_refused_from_isr', 122, 4, 2, 0).ev('isr_exit', 124, 20)
      .ev('queue_receive', 130, 1, 0).ev('task_to_rdy_state', 131, 2).ev('task_switched_in', 132, 2).ev('curtask_block_on_queue_receive', 140, 1, 10).ev('task_switched_in', 142, 1)
      .ev('task_to_rdy_state', 400, 2).ev('task_switched_in', 402, 2).ev('queue_refused', 404, 1, 0, 3).ev('queue_deleted', 410, 4)),
  rtos('software-timers', 'A timer that loads itself again, one that is stopped, one with another period; deleted.', (s) =>
    s.ev('timer_name', 1, 'blink').ev('timer_created', 90, 1, 5).ev('timer_created', 91, 2, 100).ev('task_switched_in', 100, 1).ev('timer_started', 110, 1, 0, 5).ev('timer_started', 112, 2, 0, 100)
      .ev('task_switched_in', 120, 2).ev('timer_expired', 5120, 1).ev('timer_expired', 10120, 1).ev('timer_stopped', 10200, 2).ev('timer_started', 10300, 1, 2, 8)
      .ev('timer_expired', 18300, 1).ev('timer_deleted', 18400, 1)),
  {
    name: 'heap-and-stacks-of-bare-metal',
    proves: 'A heap by its allocations and by its level, blocks that were not freed, an allocation that failed, the reserve of a stack; without an RTOS.',
    inputs: {
      'input.bin': head().ev('heap_name', 1, 'pool').ev('stack_name', 1, 'main').ev('heap_level', 100, 1, 1000).ev('memory_allocated', 110, 1, 1112, 112, 0x20000100).ev('isr_enter', 115, 20)
        .ev('memory_allocated', 120, 1, 1128, 16, 0x20000200).ev('isr_exit', 122, 20).ev('memory_freed', 130, 1, 1016, 120, 0x20000100).ev('memory_refused', 140, 1, 60000)
        .ev('stack_free', 150, 1, 300).ev('stack_free', 160, 1, 212),
    },
  },
  rtos('heap-level-behind-a-loss', 'What the heap holds is told with each allocation, so that it is right behind a loss too.', (s) =>
    s.ev('dropped_evt_cnt', 95, 0).ev('task_switched_in', 100, 1).ev('memory_allocated', 110, 0, 100, 100, 0x20000100).ev('dropped_evt_cnt', 150, 7).ev('memory_allocated', 151, 0, 260, 60, 0x20000300)
      .ev('memory_freed', 160, 0, 0xffffffff, 0, 0x20000300).ev('task_stack_free', 170, 1, 90).ev('task_stack_free', 180, 1, 40)),
  {
    name: 'waits-that-are-not-all-traced',
    proves: 'Event groups are recorded, notifications are not: who leaves without a word and is made ready later waited for something.',
    inputs: {
      'input.bin': tasks().ev('waits_are_traced', 2).ev('task_switched_in', 100, 1).ev('eventgroup_set', 110, 7, 1).ev('task_switched_in', 140, 3).ev('isr_enter', 300, 20).ev('task_to_rdy_state', 304, 1)
        .ev('isr_exit', 308, 20).ev('task_switched_in', 310, 1),
    },
  },
];
