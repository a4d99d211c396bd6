// SPDX-License-Identifier: MIT
//
// Golden cases of the meaning of events: tasks, queues, interrupts, markers.

import { EVENTS, FOREVER, QUEUE_KIND } from './tband.mjs';
import { Stream, head, tasks } from './golden-stream.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./tband.mjs').EventName} EventName */

/**
 * A case on one core with tasks A, B and IDLE.
 * @param {string} name
 * @param {string} proves
 * @param {number[]} rows
 * @param {(stream: Stream) => unknown} body
 * @param {Record<string, string>} [options]
 * @returns {GoldenCase}
 */
const rtos = (name, proves, rows, body, options) => ({
  name,
  proves,
  rows,
  options,
  inputs: { 'input.bin': tasks().with(body) },
});

/** @type {(name: string, proves: string, rows: number[], body: (stream: Stream) => unknown, options?: Record<string, string>) => GoldenCase} */
const bare = (name, proves, rows, body, options) => ({
  name,
  proves,
  rows,
  options,
  inputs: { 'input.bin': head().with(body) },
});

/** @param {Stream} s */
const bus = (s) => s.ev('queue_kind', 1, QUEUE_KIND.mutex).ev('queue_name', 1, 'bus');

/** Jobs of A: 40 us, the same again, one that a loss touches, then one of 60 us, which waits for room in a queue. @param {Stream} s */
const jobs = (s) =>
  s
    .ev('queue_kind', 1, QUEUE_KIND.queue)
    .ev('queue_name', 1, 'commands')
    .ev('task_switched_in', 50, 3)
    .ev('task_created', 60, 1)
    .ev('task_to_rdy_state', 100, 1)
    .ev('task_switched_in', 110, 1)
    .ev('curtask_delay', 140, 2)
    .ev('task_switched_in', 140, 3)
    .ev('task_to_rdy_state', 200, 1)
    .ev('task_switched_in', 220, 1)
    .ev('curtask_delay', 240, 2)
    .ev('task_switched_in', 240, 3)
    .ev('task_to_rdy_state', 300, 1)
    .ev('task_switched_in', 310, 1)
    .ev('dropped_evt_cnt', 320, 4)
    .ev('curtask_delay', 390, 2)
    .ev('task_switched_in', 390, 3)
    .ev('task_to_rdy_state', 400, 1)
    .ev('task_switched_in', 410, 1)
    .ev('curtask_delay', 420, 2)
    .ev('task_switched_in', 420, 3)
    .ev('task_to_rdy_state', 500, 1)
    .ev('task_switched_in', 510, 1)
    .ev('curtask_block_on_queue_send', 520, 1, 5)
    .ev('task_switched_in', 520, 3)
    .ev('task_to_rdy_state', 530, 1)
    .ev('task_switched_in', 540, 1)
    .ev('curtask_delay', 560, 2)
    .ev('task_switched_in', 560, 3);

/** @type {GoldenCase[]} */
const TASKS = [
  rtos(
    'response-times-of-measured-jobs',
    'The response time of each measured job is a value of a counter at its end; equal values and a job that a loss touches are not drawn.',
    [],
    jobs,
  ),
  rtos(
    'no-response-times-and-findings-without-the-analysis',
    'Without the analysis the same recording has no counter of response times and no track of findings.',
    [],
    jobs,
    { analysis: '0' },
  ),
  rtos(
    'wait-for-a-delay',
    'A task delays, another task runs, the tick interrupt makes the first one ready, and it preempts.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_delay', 110, 2)
        .ev('task_switched_in', 112, 3)
        .ev('isr_enter', 2000, 15)
        .ev('task_to_rdy_state', 2004, 1)
        .ev('isr_exit', 2008, 15)
        .ev('task_switched_in', 2012, 1)
        .mark(2020, 'runs again'),
  ),
  rtos(
    'preempted-task-is-runnable',
    'A task that is switched out without a wait, and gets no later ready event, was runnable all along.',
    [18],
    (s) =>
      s
        .ev('task_switched_in', 100, 2)
        .ev('isr_enter', 150, 15)
        .ev('task_to_rdy_state', 154, 1)
        .ev('isr_exit', 158, 15)
        .ev('task_switched_in', 160, 1)
        .ev('curtask_delay', 200, 5)
        .ev('task_switched_in', 202, 2)
        .mark(210, 'goes on'),
  ),
  rtos(
    'current-task-events-before-the-first-switch',
    'Events of the current task before any switch are shown without a task, with one notice.',
    [14],
    (s) =>
      s
        .ev('curtask_delay', 90, 5)
        .ev('queue_send', 92, 1, 1)
        .ev('task_evtmarker', 94, 2, 'nobody')
        .ev('task_valmarker', 96, 2, 5)
        .ev('curtask_block_on_queue_receive', 98, 1, 10)
        .ev('task_switched_in', 100, 1)
        .mark(110, 'now'),
  ),
  rtos(
    'repeated-switch-in-is-no-switch',
    'A tick reports the running task again: one run, without a slice of length zero.',
    [15],
    (s) => {
      for (let i = 0; i < 5; i++)
        s.ev('isr_enter', 1000 * i + 100, 15)
          .ev('isr_exit', 1000 * i + 104, 15)
          .ev('task_switched_in', 1000 * i + 106, 1);
      s.ev('task_switched_in', 5000, 3);
    },
  ),
  rtos(
    'repeated-switch-in-after-block-is-zero-wait',
    'A task announces a wait, but is switched in again: the wait took no time, and the task continues.',
    [15],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_queue_receive', 150, 1, 5)
        .ev('task_to_rdy_state', 151, 1)
        .ev('task_switched_in', 152, 1)
        .mark(160, 'still A')
        .ev('curtask_delay', 170, 1)
        .ev('task_switched_in', 172, 1)
        .ev('task_switched_in', 190, 3),
  ),
  rtos(
    'ready-before-the-switch',
    'A task becomes ready between its block event and the switch: it is runnable from the switch on, not blocked.',
    [16],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_delay', 120, 1)
        .ev('task_to_rdy_state', 121, 1)
        .ev('task_switched_in', 123, 2)
        .mark(140, 'B runs')
        .ev('task_switched_in', 160, 1)
        .mark(170, 'A runs'),
  ),
  rtos('resumed-while-running', 'A task is suspended and resumed while it runs: it continues.', [17], (s) =>
    s
      .ev('task_switched_in', 100, 1)
      .ev('task_suspended', 110, 1)
      .ev('task_resumed', 120, 1)
      .ev('task_to_rdy_state', 121, 1)
      .mark(130, 'A still runs')
      .ev('task_switched_in', 150, 2)
      .ev('task_switched_in', 170, 1),
  ),
  rtos(
    'wait-for-untraced-object',
    'A task is switched out without a wait and gets ready later: it waited for an object that is not traced.',
    [18],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_switched_in', 140, 3)
        .ev('isr_enter', 300, 20)
        .ev('task_to_rdy_state', 304, 1)
        .ev('isr_exit', 308, 20)
        .ev('task_switched_in', 310, 1)
        .mark(320, 'notified'),
  ),
  rtos(
    'ready-by-a-priority-change-is-no-wait',
    'The ready events of priority changes do not turn a runnable time into a wait.',
    [18],
    (s) =>
      s
        .ev('task_switched_in', 100, 2)
        .ev('task_switched_in', 140, 1)
        .ev('task_to_rdy_state', 150, 2)
        .ev('task_priority_inherit', 151, 2, 5)
        .ev('task_switched_in', 160, 2)
        .ev('task_switched_in', 180, 1)
        .ev('task_priority_disinherit', 190, 2, 1)
        .ev('task_to_rdy_state', 191, 2)
        .ev('task_priority_set', 200, 2, 3)
        .ev('task_to_rdy_state', 201, 2)
        .ev('task_switched_in', 220, 2),
  ),
  rtos(
    'suspended-by-itself-and-by-another',
    'A task suspends itself, and is suspended by another one while ready and while blocked; it is resumed by a task and from an interrupt.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_suspended', 110, 1)
        .ev('task_switched_in', 112, 2)
        .ev('task_resumed', 150, 1)
        .ev('task_to_rdy_state', 151, 1)
        .ev('task_switched_in', 152, 1)
        .ev('task_suspended', 160, 2)
        .ev('task_resumed', 170, 2)
        .ev('task_to_rdy_state', 171, 2)
        .ev('curtask_delay', 180, 9)
        .ev('task_switched_in', 182, 2)
        .ev('task_suspended', 190, 1)
        .ev('task_switched_in', 200, 3)
        .ev('isr_enter', 300, 20)
        .ev('task_resumed_from_isr', 304, 1)
        .ev('task_to_rdy_state', 305, 1)
        .ev('isr_exit', 308, 20)
        .ev('task_switched_in', 310, 1),
  ),
  rtos(
    'deleted-by-itself-and-by-another',
    'A task deletes itself, another one is deleted while blocked; both end, and the trace shows the deleting task.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 100, 2)
        .ev('curtask_delay', 110, 9)
        .ev('task_switched_in', 112, 1)
        .ev('task_deleted', 120, 2)
        .ev('task_deleted', 130, 1)
        .ev('task_switched_in', 132, 3)
        .mark(150, 'idle only'),
  ),
  rtos('ready-does-not-revive-a-deleted-task', 'A ready event for a deleted task is ignored and counted.', [20], (s) =>
    s
      .ev('task_switched_in', 100, 2)
      .ev('task_deleted', 110, 2)
      .ev('task_switched_in', 112, 3)
      .ev('task_to_rdy_state', 150, 2)
      .mark(200, 'after'),
  ),
  rtos(
    'created-in-the-trace',
    'A task is created as a target reports it: created, priority, name, ready, at one tick. Each short-lived task is a separate one.',
    [],
    (s) => {
      s.ev('task_switched_in', 100, 1);
      for (let i = 0; i < 4; i++) {
        const at = 200 + 100 * i;
        s.ev('task_created', at, 10 + i)
          .ev('task_priority_set', at, 10 + i, 3)
          .ev('task_name', 10 + i, 'job')
          .ev('task_to_rdy_state', at + 2, 10 + i);
        s.ev('task_switched_in', at + 5, 10 + i)
          .ev('task_deleted', at + 40, 10 + i)
          .ev('task_switched_in', at + 42, 1);
      }
    },
  ),
  rtos(
    'priority-track-only-where-it-changes',
    'A is created with priority 4 and keeps it; the priority of B changes: one counter.',
    [28],
    (s) =>
      s
        .ev('task_priority_set', 90, 1, 4)
        .ev('task_priority_set', 90, 2, 1)
        .ev('task_switched_in', 100, 1)
        .ev('task_priority_set', 150, 2, 3)
        .ev('task_to_rdy_state', 151, 2)
        .ev('task_priority_set', 200, 2, 1)
        .ev('task_to_rdy_state', 201, 2),
  ),
  rtos('huge-task-ids', 'Ids 77, 2147483649 and 4294967295 do not collide with other ids.', [11], (s) =>
    s
      .ev('task_name', 4294967295, 'last')
      .ev('task_switched_in', 100, 77)
      .ev('task_switched_in', 120, 2147483649)
      .ev('task_switched_in', 140, 4294967295)
      .ev('task_switched_in', 160, 1)
      .ev('queue_send', 170, 4294967295, 3)
      .ev('evtmarker', 180, 4294967295, 'far'),
  ),
  rtos(
    'equal-names-get-numbers',
    'Two tasks, two queues and two markers with one name each are distinguished by numbers.',
    [],
    (s) =>
      s
        .ev('task_name', 4, 'A')
        .ev('queue_name', 1, 'rx')
        .ev('queue_name', 2, 'rx')
        .ev('evtmarker_name', 2, 'progress')
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 110, 1, 1)
        .ev('queue_send', 112, 2, 1)
        .ev('evtmarker', 120, 2, 'x')
        .mark(121, 'y')
        .ev('task_switched_in', 130, 4),
  ),
  {
    name: 'idle-task-by-its-name',
    proves: 'No event marks the idle task: the task whose name begins with IDLE is used.',
    inputs: {
      'input.bin': head()
        .ev('task_name', 1, 'A')
        .ev('task_name', 9, 'IDLE')
        .ev('task_switched_in', 100, 9)
        .ev('task_to_rdy_state', 150, 1)
        .ev('task_switched_in', 152, 1)
        .ev('curtask_delay', 170, 4)
        .ev('task_switched_in', 172, 9),
    },
  },
  {
    name: 'names-at-end',
    proves: 'Names, idle mark and tick length after all events apply to all of them; a renamed task has its last name.',
    inputs: {
      'input.bin': new Stream()
        .ev('task_switched_in', 100, 1)
        .ev('task_evtmarker', 110, 2, 'working')
        .ev('curtask_delay', 120, 5)
        .ev('task_switched_in', 122, 3)
        .ev('isr_enter', 130, 15)
        .ev('isr_exit', 133, 15)
        .ev('task_name', 1, 'first name')
        .ev('task_name', 1, 'A')
        .ev('task_name', 3, 'IDLE')
        .ev('task_is_idle_task', 3, 0)
        .ev('isr_name', 15, 'SysTick')
        .ev('ts_resolution_ns', 1000),
    },
  },
  rtos(
    'equal-time-states',
    'Several state changes of one task at one tick: only the last state is shown, and the order is valid.',
    [1],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_delay', 100, 1)
        .ev('task_switched_in', 100, 2)
        .ev('task_to_rdy_state', 100, 1)
        .ev('task_switched_in', 100, 1)
        .ev('task_suspended', 200, 2)
        .ev('task_resumed', 200, 2)
        .ev('task_to_rdy_state', 200, 2)
        .ev('task_switched_in', 200, 2)
        .ev('task_switched_in', 200, 3),
  ),
  rtos(
    'zero-length-runs',
    'Tasks that start and stop within one tick of a coarse timer give a valid trace.',
    [1, 15],
    (s) => {
      for (let tick = 1; tick < 6; tick++) {
        for (const task of [1, 2, 1, 3]) s.ev('task_switched_in', tick * 100, task);
      }
    },
  ),
  rtos(
    'wait-aborted',
    'A task announces a wait and aborts it; it continues and is switched out later, which the aborted wait does not explain.',
    [18],
    (s) =>
      s
        .ev('queue_name', 1, 'q')
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_queue_receive', 110, 1, 100)
        .ev('task_to_rdy_state', 111, 1)
        .mark(500, 'runs on')
        .ev('task_switched_in', 600, 3)
        .ev('task_to_rdy_state', 5000, 1)
        .ev('task_switched_in', 5010, 1)
        .ev('task_switched_in', 5100, 3),
  ),
  rtos(
    'blocking-inferred-from-idle-run',
    'A task was switched out without a wait, and the idle task has run since: it was blocked, although another task runs at the end.',
    [18],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_switched_in', 200, 3)
        .ev('task_switched_in', 900000, 2)
        .ev('task_switched_in', 900100, 3)
        .ev('task_switched_in', 900200, 2)
        .mark(900300, 'end'),
  ),
  rtos(
    'blocking-inferred-from-idle-at-end',
    'A task was switched out without a wait, and the idle task runs at the end: it was blocked.',
    [18],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_switched_in', 200, 3)
        .ev('task_switched_in', 900000, 2)
        .ev('task_switched_in', 900400, 3)
        .mark(900500, 'end'),
  ),
  rtos(
    'switched-out-in-last-tick',
    'A task is switched out without a wait at the very last time: it has a state there.',
    [18],
    (s) => s.ev('task_switched_in', 100, 1).ev('task_switched_in', 200, 3),
  ),
  rtos(
    'timer-task-waits',
    'The timer task waits until a tick, then for ever: (now + 4294967295) is not shown as a time.',
    [24],
    (s) =>
      s
        .ev('task_name', 4, 'Tmr Svc')
        .ev('task_is_timer_task', 4)
        .ev('task_switched_in', 100, 4)
        .ev('curtask_delay_until', 110, 1250)
        .ev('task_switched_in', 112, 3)
        .ev('task_to_rdy_state', 500, 4)
        .ev('task_switched_in', 502, 4)
        .ev('curtask_delay_until', 510, 1249)
        .ev('task_switched_in', 512, 3),
  ),
];

/** @type {GoldenCase[]} */
const QUEUES = [
  rtos(
    'queue-with-sender-and-receiver',
    "A send wakes the receiver, a receive wakes the sender of a full queue; the queue's value names the task as an argument.",
    [],
    (s) =>
      s
        .ev('queue_kind', 1, QUEUE_KIND.queue)
        .ev('queue_name', 1, 'work')
        .ev('task_switched_in', 100, 2)
        .ev('curtask_block_on_queue_receive', 110, 1, FOREVER)
        .ev('task_switched_in', 112, 1)
        .ev('queue_send', 120, 1, 1)
        .ev('task_to_rdy_state', 121, 2)
        .ev('queue_send', 122, 1, 2)
        .ev('curtask_block_on_queue_send', 130, 1, 50)
        .ev('task_switched_in', 132, 2)
        .ev('queue_receive', 140, 1, 1)
        .ev('task_to_rdy_state', 141, 1)
        .ev('task_switched_in', 143, 1)
        .ev('queue_send', 145, 1, 2)
        .ev('curtask_delay', 150, 3)
        .ev('task_switched_in', 152, 2)
        .ev('queue_receive', 160, 1, 1)
        .ev('queue_receive', 170, 1, 0),
  ),
  rtos(
    'queue-from-interrupts',
    'Sends and receives from interrupts name the interrupt and wake tasks like those of tasks.',
    [],
    (s) =>
      s
        .ev('isr_name', 37, 'USART1')
        .ev('queue_kind', 1, QUEUE_KIND.queue)
        .ev('queue_name', 1, 'rx')
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_queue_receive', 110, 1, FOREVER)
        .ev('task_switched_in', 112, 3)
        .ev('isr_enter', 200, 37)
        .ev('queue_send_from_isr', 203, 1, 1)
        .ev('task_to_rdy_state', 204, 1)
        .ev('isr_exit', 206, 37)
        .ev('task_switched_in', 208, 1)
        .ev('queue_receive', 210, 1, 0)
        .ev('isr_enter', 300, 37)
        .ev('queue_send_from_isr', 303, 1, 1)
        .ev('queue_receive_from_isr', 304, 1, 0)
        .ev('queue_overwrite_from_isr', 305, 1, 1)
        .ev('isr_exit', 306, 37),
  ),
  rtos(
    'mutex-holder-has-a-name',
    'A takes a mutex, B blocks and raises the priority of A, A gives it back: slices are named after the holder.',
    [],
    (s) =>
      s
        .with(bus)
        .ev('task_priority_set', 90, 1, 1)
        .ev('task_priority_set', 90, 2, 4)
        .ev('task_switched_in', 100, 1)
        .ev('queue_receive', 110, 1, 0)
        .ev('isr_enter', 150, 15)
        .ev('task_to_rdy_state', 152, 2)
        .ev('isr_exit', 154, 15)
        .ev('task_switched_in', 156, 2)
        .ev('curtask_block_on_queue_receive', 160, 1, FOREVER)
        .ev('task_to_rdy_state', 161, 1)
        .ev('task_priority_inherit', 162, 1, 4)
        .ev('task_switched_in', 164, 1)
        .ev('queue_send', 200, 1, 1)
        .ev('task_priority_disinherit', 201, 1, 1)
        .ev('task_to_rdy_state', 202, 1)
        .ev('task_to_rdy_state', 203, 2)
        .ev('task_switched_in', 204, 2)
        .ev('queue_receive', 206, 1, 0)
        .ev('queue_send', 230, 1, 1)
        .ev('curtask_delay', 240, 5)
        .ev('task_switched_in', 242, 1),
  ),
  rtos(
    'mutex-taken-in-a-later-call',
    'B waits for a mutex in vain, then for something that is not recorded, then takes the mutex: it did not wait before this take.',
    [],
    (s) =>
      s
        .with(bus)
        .ev('task_switched_in', 100, 1)
        .ev('queue_receive', 110, 1, 0)
        .ev('task_to_rdy_state', 120, 2)
        .ev('task_switched_in', 122, 2)
        .ev('curtask_block_on_queue_receive', 130, 1, 1)
        .ev('task_switched_in', 132, 1)
        .ev('task_to_rdy_state', 140, 2)
        .ev('task_switched_in', 142, 2)
        .ev('task_switched_in', 150, 1)
        .ev('queue_send', 160, 1, 1)
        .ev('task_to_rdy_state', 170, 2)
        .ev('task_switched_in', 172, 2)
        .ev('queue_receive', 180, 1, 0)
        .ev('queue_send', 190, 1, 1),
  ),
  rtos(
    'mutex-creation-is-no-take',
    'A mutex is created in the trace: length 0, then the first give; it had no holder.',
    [22],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('queue_created', 110, 1)
        .ev('queue_kind', 1, QUEUE_KIND.mutex)
        .ev('queue_cur_length', 110, 1, 0)
        .ev('queue_send', 112, 1, 1)
        .ev('queue_name', 1, 'bus')
        .ev('queue_receive', 150, 1, 0)
        .ev('queue_send', 180, 1, 1)
        .ev('queue_created', 190, 2)
        .ev('queue_kind', 2, QUEUE_KIND.recursive)
        .ev('queue_cur_length', 190, 2, 0)
        .ev('queue_send', 192, 2, 1),
  ),
  rtos(
    'mutex-held-before-the-capture',
    'The first event of a mutex is a give: the trace shows no holder for the time before.',
    [],
    (s) =>
      s
        .with(bus)
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 150, 1, 1)
        .ev('queue_receive', 170, 1, 0)
        .mark(190, 'held to the end'),
  ),
  rtos(
    'counting-semaphore',
    'A counting semaphore is created with 3, taken and given; its value is a counter.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('queue_created', 110, 1)
        .ev('queue_kind', 1, QUEUE_KIND.counting)
        .ev('queue_cur_length', 110, 1, 0)
        .ev('queue_cur_length', 111, 1, 3)
        .ev('queue_name', 1, 'credits')
        .ev('queue_receive', 150, 1, 2)
        .ev('queue_receive', 152, 1, 1)
        .ev('queue_send', 160, 1, 2),
  ),
  rtos(
    'queue-kind-at-end',
    'The kind of a mutex is known only at the end: it is a counter until then, which the report says.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('queue_receive', 110, 1, 0)
        .ev('queue_send', 130, 1, 1)
        .ev('queue_receive', 150, 1, 0)
        .ev('queue_kind', 1, QUEUE_KIND.mutex)
        .ev('queue_name', 1, 'bus')
        .ev('queue_send', 180, 1, 1)
        .ev('queue_receive', 200, 1, 0)
        .ev('queue_send', 220, 1, 1),
  ),
  rtos('queue-kind-repeated', 'Names and kinds are sent again while a mutex is held: its holder stays.', [], (s) =>
    s
      .with(bus)
      .ev('task_switched_in', 50, 1)
      .ev('queue_receive', 100, 1, 0)
      .mark(120, 'tracing starts again')
      .ev('core_id', 0, 0)
      .with(bus)
      .mark(200, 'held')
      .ev('queue_send', 300, 1, 1)
      .ev('task_switched_in', 400, 2),
  ),
  rtos(
    'queue-kind-unknown',
    'Kind 5 is a queue set; kind 200 is undefined, so the object is shown as a queue.',
    [],
    (s) =>
      s
        .ev('queue_kind', 1, QUEUE_KIND.set)
        .ev('queue_name', 1, 'set')
        .ev('queue_kind', 2, 200)
        .ev('queue_name', 2, 'odd')
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 110, 1, 1)
        .ev('queue_send', 120, 2, 1)
        .ev('queue_receive', 130, 2, 0),
  ),
  rtos(
    'queue-length-above-one',
    'An overwritten mailbox reports 2 and shows 2; a binary semaphore and a mutex never show more than 1.',
    [23],
    (s) =>
      s
        .ev('queue_kind', 1, QUEUE_KIND.queue)
        .ev('queue_name', 1, 'mailbox')
        .ev('queue_kind', 2, QUEUE_KIND.binary)
        .ev('queue_name', 2, 'done')
        .ev('queue_kind', 3, QUEUE_KIND.mutex)
        .ev('queue_name', 3, 'bus')
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 110, 1, 1)
        .ev('queue_send', 120, 1, 2)
        .ev('queue_overwrite', 130, 1, 1)
        .ev('queue_send', 140, 2, 1)
        .ev('queue_send', 150, 2, 2)
        .ev('queue_receive', 160, 2, 0)
        .ev('queue_send', 170, 3, 2),
  ),
  rtos('queue-reset', 'A reset empties the queue.', [], (s) =>
    s
      .ev('queue_name', 1, 'log')
      .ev('task_switched_in', 100, 1)
      .ev('queue_send', 110, 1, 1)
      .ev('queue_send', 112, 1, 2)
      .ev('queue_reset', 120, 1)
      .ev('queue_send', 130, 1, 1),
  ),
  rtos('peek-timeout-and-forever', 'Peeks, sends and receives name the object, the timeout, or "forever".', [24], (s) =>
    s
      .ev('queue_kind', 1, QUEUE_KIND.queue)
      .ev('queue_name', 1, 'mail')
      .ev('queue_kind', 2, QUEUE_KIND.binary)
      .ev('queue_name', 2, 'done')
      .ev('queue_kind', 3, QUEUE_KIND.mutex)
      .ev('queue_name', 3, 'bus')
      .with((t) => {
        /** @type {[EventName, number, number][]} */
        const waits = [
          ['curtask_block_on_queue_peek', 1, 10],
          ['curtask_block_on_queue_peek', 1, FOREVER],
          ['curtask_block_on_queue_send', 1, 20],
          ['curtask_block_on_queue_receive', 1, 30],
          ['curtask_block_on_queue_receive', 2, FOREVER],
          ['curtask_block_on_queue_receive', 3, 40],
        ];
        waits.forEach(([name, queue, ticks], i) => {
          const at = 100 * (i + 1);
          t.ev('task_switched_in', at, 1)
            .ev(name, at + 10, queue, ticks)
            .ev('task_switched_in', at + 12, 3)
            .ev('task_to_rdy_state', at + 50, 1);
        });
      }),
  ),
];

/** @type {GoldenCase[]} */
const INTERRUPTS = [
  bare('interrupts-nest', 'A higher interrupt runs inside a lower one, also at one tick.', [25], (s) =>
    s
      .ev('isr_name', 15, 'SysTick')
      .ev('isr_name', 18, 'ADC')
      .ev('isr_enter', 100, 15)
      .ev('isr_enter', 105, 18)
      .ev('isr_exit', 110, 18)
      .ev('isr_exit', 120, 15)
      .ev('isr_enter', 200, 15)
      .ev('isr_enter', 200, 18)
      .ev('isr_exit', 200, 18)
      .ev('isr_exit', 200, 15),
  ),
  bare(
    'interrupt-entered-twice-nests',
    'An interrupt that is entered twice is nested twice and exited twice.',
    [25],
    (s) =>
      s
        .ev('isr_enter', 100, 9)
        .ev('isr_enter', 110, 9)
        .ev('isr_exit', 120, 9)
        .mark(125, 'still inside')
        .ev('isr_exit', 130, 9),
  ),
  bare(
    'interrupt-exit-without-enter',
    'An exit without an entry is dropped and counted; so is an exit in the wrong order.',
    [26],
    (s) =>
      s
        .ev('isr_exit', 100, 9)
        .ev('isr_enter', 110, 4)
        .ev('isr_enter', 120, 5)
        .ev('isr_exit', 130, 4)
        .ev('isr_exit', 140, 5)
        .mark(150, 'after'),
  ),
  rtos(
    'interrupt-exit-missing',
    'The exit of an interrupt is missing: later interrupts nest in it until the next task runs. The interrupt without an end is not measured.',
    [25],
    (s) => {
      for (const at of [1000, 1100, 1300, 1400])
        s.ev('isr_enter', at, 15)
          .ev('isr_exit', at + 5, 15)
          .ev('task_switched_in', at + 20, at % 200 ? 2 : 1);
      s.ev('isr_enter', 1500, 15)
        .ev('task_to_rdy_state', 1503, 2)
        .ev('isr_enter', 1600, 15)
        .ev('isr_exit', 1605, 15)
        .ev('task_switched_in', 1620, 3)
        .mark(1700, 'after');
    },
  ),
  rtos(
    'interrupt-exit-of-another-number',
    'The number of an exit is damaged: the interrupt ends when it is entered again, or when a task runs.',
    [25, 26],
    (s) =>
      s
        .ev('task_switched_in', 50, 1)
        .ev('isr_enter', 100, 15)
        .ev('isr_exit', 105, 15)
        .ev('isr_enter', 200, 15)
        .ev('isr_exit', 205, 31)
        .ev('isr_enter', 300, 15)
        .ev('isr_exit', 306, 15)
        .ev('isr_enter', 400, 15)
        .ev('isr_exit', 405, 31)
        .ev('task_switched_in', 450, 2)
        .ev('isr_enter', 500, 15)
        .ev('isr_exit', 504, 15),
  ),
  rtos(
    'interrupts-during-idle',
    'Interrupts during the idle task are not idle time: the shares of the time add up.',
    [],
    (s) =>
      s
        .ev('task_switched_in', 0, 3)
        .ev('isr_enter', 100, 15)
        .ev('isr_enter', 110, 16)
        .ev('isr_exit', 120, 16)
        .ev('isr_exit', 200, 15)
        .ev('task_switched_in', 600, 1)
        .ev('isr_enter', 700, 15)
        .ev('isr_exit', 800, 15)
        .mark(1000, 'end'),
  ),
  rtos(
    'lost-time-excluded-from-statistics',
    'Waits, runs and interrupts that contain a loss, or are open at the end, are drawn but not measured.',
    [],
    (s) =>
      s
        .ev('dropped_evt_cnt', 10, 0)
        .ev('task_switched_in', 10, 1)
        .ev('curtask_delay', 100, 5)
        .ev('task_switched_in', 110, 3)
        .ev('isr_enter', 200, 15)
        .ev('dropped_evt_cnt', 220, 4)
        .ev('isr_exit', 260, 15)
        .ev('task_to_rdy_state', 300, 1)
        .ev('task_switched_in', 310, 1)
        .ev('isr_enter', 320, 15)
        .ev('isr_exit', 323, 15)
        .ev('curtask_delay', 330, 2)
        .ev('task_switched_in', 340, 3)
        .ev('task_to_rdy_state', 400, 1)
        .ev('task_switched_in', 410, 1)
        .ev('curtask_delay', 420, 9)
        .ev('task_switched_in', 430, 3)
        .ev('isr_enter', 900, 15)
        .mark(1000, 'end'),
  ),
  bare(
    'interrupt-open-at-the-end',
    'A crash inside an interrupt: the interrupt ends with the recording and is marked as open.',
    [26],
    (s) => s.ev('isr_enter', 100, 3).mark(110, 'hard fault').ev('isr_enter', 120, 4),
  ),
];

/** @type {GoldenCase[]} */
const MARKERS = [
  bare(
    'markers-nest-and-carry-messages',
    'Nested spans of one marker are named after their messages; a span with an empty message is named after the marker.',
    [],
    (s) =>
      s
        .ev('evtmarker_begin', 100, 1, 'outer')
        .ev('evtmarker_begin', 110, 1, 'inner')
        .ev('evtmarker_end', 120, 1)
        .ev('evtmarker_begin', 130, 1, '')
        .ev('evtmarker_end', 140, 1)
        .ev('evtmarker_end', 150, 1)
        .ev('evtmarker', 160, 1, ''),
  ),
  bare(
    'marker-end-without-begin',
    'Ends without a begin are dropped and counted; spans without an end are closed at the end.',
    [26],
    (s) =>
      s
        .ev('evtmarker_end', 100, 1)
        .ev('evtmarker_begin', 110, 1, 'a')
        .ev('evtmarker_end', 120, 1)
        .ev('evtmarker_end', 130, 1)
        .ev('evtmarker_begin', 140, 1, 'open to the end')
        .ev('evtmarker', 150, 1, 'last'),
  ),
  rtos(
    'task-marker-names-for-task-0-in-line',
    'A marker name for task 0 that a running task sends belongs to that task; the trace contains no task 0.',
    [21],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_evtmarker_name', 0, 0, 'burst')
        .ev('task_valmarker_name', 0, 0, 'sent')
        .ev('task_evtmarker_begin', 110, 0, 'x')
        .ev('task_valmarker', 115, 0, 12)
        .ev('task_evtmarker_end', 120, 0)
        .ev('curtask_delay', 125, 3)
        .ev('task_switched_in', 127, 2)
        .ev('task_evtmarker_name', 0, 0, 'item')
        .ev('task_evtmarker', 130, 0, 'got'),
  ),
  rtos(
    'task-marker-names-for-task-0-in-the-buffer',
    'A name for task 0 before any task runs is the default of that marker for tasks without a name of their own.',
    [21],
    (s) =>
      s
        .ev('task_evtmarker_name', 0, 0, 'steps')
        .ev('task_evtmarker_name', 0, 2, 'own name')
        .ev('task_switched_in', 100, 1)
        .ev('task_evtmarker', 110, 0, 'x')
        .ev('task_switched_in', 120, 2)
        .ev('task_evtmarker', 130, 0, 'y'),
  ),
  rtos(
    'task-marker-names-for-task-0-again',
    'Tracing is started again and sends the metadata buffer again, with names for task 0: they are not assigned to the running task.',
    [21],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('task_evtmarker_name', 4, 0, 'alpha')
        .ev('task_evtmarker', 110, 4, 'x')
        .ev('task_switched_in', 200, 2)
        .ev('task_evtmarker_name', 4, 0, 'beta')
        .ev('task_evtmarker', 210, 4, 'y')
        .ev('task_switched_in', 300, 1)
        .ev('task_evtmarker', 310, 4, 'x')
        .ev('core_id', 0, 0)
        .ev('ts_resolution_ns', 1000)
        .ev('task_name', 1, 'A')
        .ev('task_evtmarker_name', 4, 0, 'alpha')
        .ev('task_evtmarker_name', 4, 0, 'beta')
        .ev('core_id', 0, 0)
        .ev('task_evtmarker', 350, 4, 'x')
        .ev('task_switched_in', 400, 2)
        .ev('task_evtmarker', 410, 4, 'y'),
  ),
  rtos(
    'task-markers-belong-to-the-running-task',
    'The same marker number of two tasks has two tracks; spans stay open while the task is switched out.',
    [],
    (s) =>
      s
        .ev('task_evtmarker_name', 3, 1, 'frame')
        .ev('task_evtmarker_name', 3, 2, 'block')
        .ev('task_valmarker_name', 4, 1, 'error')
        .ev('task_switched_in', 100, 1)
        .ev('task_evtmarker_begin', 110, 3, 'of A')
        .ev('task_switched_in', 120, 2)
        .ev('task_evtmarker_begin', 130, 3, 'of B')
        .ev('task_evtmarker_end', 140, 3)
        .ev('task_switched_in', 150, 1)
        .ev('task_evtmarker_end', 160, 3)
        .ev('task_valmarker', 165, 4, -17),
  ),
  bare('values-are-exact', 'Values beyond 2^53 keep every digit; each value marker is one counter.', [], (s) =>
    s
      .ev('valmarker_name', 2, 'odometer')
      .ev('valmarker', 100, 2, (1n << 53n) + 1n)
      .ev('valmarker', 110, 2, -((1n << 60n) + 1n))
      .ev('valmarker', 120, 7, 0),
  ),
  rtos(
    'raw-events-on-request',
    'With the option, every event is also an instant with its fields as arguments.',
    [27],
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 110, 1, 1)
        .ev('isr_enter', 120, 15)
        .ev('isr_exit', 125, 15)
        .mark(130, 'text')
        .ev('valmarker', 140, 2, -3),
    { 'raw-events': '1' },
  ),
  rtos('raw-events-are-off-by-default', 'Without the option there are no raw events.', [27], (s) =>
    s
      .ev('task_switched_in', 100, 1)
      .ev('queue_send', 110, 1, 1)
      .ev('isr_enter', 120, 15)
      .ev('isr_exit', 125, 15)
      .mark(130, 'text')
      .ev('valmarker', 140, 2, -3),
  ),
  {
    name: 'tracks-exist-only-when-used',
    proves: 'Forty tasks, queues, interrupts and markers have names, two are used: the trace has no empty tracks.',
    rows: [28],
    inputs: {
      'input.bin': tasks().with((s) => {
        for (let i = 10; i < 20; i++)
          s.ev('task_name', i, `task${i}`)
            .ev('queue_name', i, `queue${i}`)
            .ev('isr_name', i, `irq${i}`)
            .ev('evtmarker_name', i, `m${i}`);
        s.ev('task_switched_in', 100, 12).ev('queue_send', 110, 13, 1).ev('task_switched_in', 120, 3);
      }),
    },
  },
];

/** Every event once, in order of its id, with small fields; texts name the event that contains them. */
function all_events() {
  const s = new Stream();
  let ts = 100;
  for (const [name, event] of Object.entries(EVENTS)) {
    const values = event.fields.map(([field, type]) => {
      if (type === 'str') return `${name}`.slice(0, 20);
      if (type === 's64') return -5;
      if (field === 'ns_per_ts') return 1000;
      return field === 'core_id' || field === 'kind' || field === 'cnt' ? 0 : 1;
    });
    s.ev(/** @type {EventName} */ (name), ...(event.timed ? [(ts += 10)] : []), ...values);
  }
  return s;
}

/** @type {GoldenCase[]} */
export const RTOS = [
  ...TASKS,
  ...QUEUES,
  ...INTERRUPTS,
  ...MARKERS,
  {
    name: 'all-events-once',
    proves: 'Every event of the format once, in the order of the ids.',
    inputs: { 'input.bin': all_events() },
  },
];
