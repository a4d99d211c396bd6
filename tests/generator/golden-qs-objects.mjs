// SPDX-License-Identifier: MIT
//
// Golden cases of QS semantics: steps, states, queues, pools, time events, the kernel.

import { FUN, OBJ, SIG, run } from './golden-qs-stream.mjs';
import { received_twice } from './received-twice.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./golden-qs-stream.mjs').QsStream} QsStream */

const { A, B, POOL, TIMER, QUEUE, LOCK, IRQ } = OBJ;
const { TOP, IDLE, BUSY, WORK } = FUN;
const { GO, DONE, TICK } = SIG;
const EVT = /** @type {const} */ ([0, 0]);

/** @param {string} name @param {string} proves @param {(stream: QsStream) => unknown} body @param {Record<string,
  string>} [options] @returns {GoldenCase} */
const shows = (name, proves, body, options = {}) => ({
  name,
  proves,
  options: { 'rate-hz': '1000000', ...options },
  inputs: { 'input.bin': run().with(body) },
});

/** The initial transitions of both objects. @param {QsStream} s */
const started = (s) =>
  s
    .rec('QEP_STATE_INIT', A, TOP, IDLE)
    .rec('QEP_INIT_TRAN', 10, A, IDLE)
    .rec('QEP_STATE_INIT', B, TOP, WORK)
    .rec('QEP_INIT_TRAN', 20, B, WORK);

/** @type {GoldenCase[]} */
const MACHINES = [
  shows(
    'rtc-step-with-transition',
    'A step from dispatch to transition contains entry and exit actions; the state track continues.',
    (s) =>
      s
        .with(started)
        .post(100, GO, A)
        .begin(110, GO, A, IDLE)
        .rec('QEP_STATE_EXIT', A, IDLE)
        .rec('QEP_STATE_ENTRY', A, BUSY)
        .rec('QEP_TRAN', 130, GO, A, IDLE, BUSY),
  ),
  shows(
    'rtc-step-internal-or-ignored',
    'Steps that end with an internal transition or an ignored event; a guard rejected one transition.',
    (s) =>
      s
        .with(started)
        .step(100, GO, A, IDLE)
        .post(200, DONE, A)
        .begin(210, DONE, A, IDLE)
        .rec('QEP_UNHANDLED', DONE, A, IDLE)
        .rec('QEP_IGNORED', 220, DONE, A, IDLE),
  ),
  shows('history-entry-and-exit-transitions', 'Transitions to history, to an entry point and to an exit point.', (s) =>
    s
      .with(started)
      .post(100, GO, A)
      .begin(110, GO, A, IDLE)
      .rec('QEP_TRAN_HIST', A, IDLE, BUSY)
      .rec('QEP_TRAN_EP', A, IDLE, BUSY)
      .rec('QEP_TRAN_XP', A, IDLE, BUSY)
      .rec('QEP_TRAN', 130, GO, A, IDLE, BUSY),
  ),
  shows(
    'nested-rtc-steps',
    'A container dispatches an event to a component: one step inside the other, but never two steps of one object.',
    (s) =>
      s
        .with(started)
        .post(100, GO, A)
        .begin(110, GO, A, IDLE)
        .rec('QEP_DISPATCH', 120, DONE, B, WORK)
        .rec('QEP_INTERN_TRAN', 130, DONE, B, WORK)
        .rec('QEP_TRAN', 140, GO, A, IDLE, BUSY),
  ),
  shows(
    'dispatch-without-end-of-previous',
    'A second dispatch of the same object without the end of the first ends the first step.',
    (s) =>
      s
        .with(started)
        .begin(110, GO, A, IDLE)
        .rec('QEP_DISPATCH', 150, DONE, A, IDLE)
        .rec('QEP_INTERN_TRAN', 160, DONE, A, IDLE),
  ),
  shows(
    'transition-without-dispatch',
    'A transition whose dispatch is not in the recording still changes the state.',
    (s) => s.rec('QEP_TRAN', 100, GO, A, IDLE, BUSY).rec('QEP_IGNORED', 150, GO, B, WORK).note(200, 'end'),
  ),
  shows(
    'rtc-step-open-at-the-end',
    'The recording ends inside a step: the step ends there and is marked as open.',
    (s) => s.with(started).post(100, GO, A).begin(110, GO, A, IDLE).note(150, 'last'),
  ),
  shows(
    'dispatch-from-unexpected-state',
    'A dispatch names another state than the last transition: the state track follows the dispatch.',
    (s) => s.with(started).step(100, GO, A, BUSY),
  ),
  shows('reserved-signals', 'Reserved signals and pointer 0 get no names.', (s) =>
    s.step(100, 1, A, IDLE).rec('QF_ACTIVE_POST', 200, 0, 0, 0, ...EVT, 1, 1),
  ),
];

/** @type {GoldenCase[]} */
const QUEUES = [
  shows('posts-and-gets-fifo', 'Two events are pending; each arrow leads to the step that handled its event.', (s) =>
    s
      .with(started)
      .post(100, GO, A, 7)
      .post(105, DONE, A, 6, B)
      .rec('QF_ACTIVE_GET', 110, GO, A, ...EVT, 7)
      .rec('QEP_DISPATCH', 111, GO, A, IDLE)
      .rec('QEP_INTERN_TRAN', 115, GO, A, IDLE)
      .begin(120, DONE, A, IDLE)
      .rec('QEP_INTERN_TRAN', 130, DONE, A, IDLE),
  ),
  shows('post-lifo', 'A last-in-first-out post is handled before the pending events.', (s) =>
    s
      .with(started)
      .post(100, GO, A, 7)
      .rec('QF_ACTIVE_POST_LIFO', 105, DONE, A, ...EVT, 6, 6)
      .rec('QF_ACTIVE_GET', 110, DONE, A, ...EVT, 7)
      .rec('QEP_DISPATCH', 111, DONE, A, IDLE)
      .rec('QEP_IGNORED', 115, DONE, A, IDLE)
      .begin(120, GO, A, IDLE)
      .rec('QEP_IGNORED', 125, GO, A, IDLE),
  ),
  shows(
    'get-skips-other-signals',
    'A get of a signal that is not first in the queue skips the events before it; a get of an event that is not pending has no arrow.',
    (s) =>
      s
        .with(started)
        .post(100, GO, A, 7)
        .post(102, DONE, A, 6)
        .begin(110, DONE, A, IDLE)
        .rec('QEP_IGNORED', 115, DONE, A, IDLE)
        .begin(120, TICK, A, IDLE)
        .rec('QEP_IGNORED', 125, TICK, A, IDLE),
  ),
  shows('queue-full', 'A failed post and a failed defer.', (s) =>
    s
      .rec('QF_ACTIVE_POST_ATTEMPT', 100, B, GO, A, 1, 2, 1, 3)
      .rec('QF_EQUEUE_POST_ATTEMPT', 110, GO, QUEUE, 1, 2, 0, 0)
      .rec('QF_ACTIVE_DEFER', 115, A, QUEUE, GO, 1, 2),
  ),
  shows('publish-to-two-subscribers', 'A published event has one post for each subscriber.', (s) =>
    s
      .with(started)
      .rec('QF_ACTIVE_SUBSCRIBE', 30, DONE, A)
      .rec('QF_ACTIVE_SUBSCRIBE', 31, DONE, B)
      .rec('QF_ACTIVE_UNSUBSCRIBE', 32, DONE, B)
      .rec('QF_PUBLISH', 100, B, DONE, 1, 0)
      .rec('SCHED_LOCK', 101, 0, 7)
      .post(102, DONE, A, 7, B)
      .post(104, DONE, B, 7, B)
      .rec('SCHED_UNLOCK', 106, 7, 0)
      .begin(110, DONE, A, IDLE)
      .rec('QEP_IGNORED', 120, DONE, A, IDLE)
      .begin(130, DONE, B, WORK)
      .rec('QEP_IGNORED', 140, DONE, B, WORK),
  ),
  shows(
    'defer-and-recall',
    'An event is deferred in a raw queue and recalled later; a recall from the empty queue.',
    (s) =>
      s
        .with(started)
        .post(100, GO, A)
        .begin(110, GO, A, IDLE)
        .rec('QF_EQUEUE_POST', 112, GO, QUEUE, 1, 1, 2, 2)
        .rec('QF_ACTIVE_DEFER', 113, A, QUEUE, GO, 1, 1)
        .rec('QEP_INTERN_TRAN', 115, GO, A, IDLE)
        .post(200, DONE, A)
        .begin(210, DONE, A, IDLE)
        .rec('QF_EQUEUE_GET_LAST', 212, GO, QUEUE, 1, 1)
        .rec('QF_ACTIVE_POST_LIFO', 213, GO, A, 1, 1, 7, 7)
        .rec('QF_ACTIVE_RECALL', 214, A, QUEUE, GO, 1, 1)
        .rec('QF_ACTIVE_RECALL_ATTEMPT', 216, A, QUEUE)
        .rec('QEP_INTERN_TRAN', 220, DONE, A, IDLE)
        .begin(230, GO, A, IDLE)
        .rec('QEP_INTERN_TRAN', 240, GO, A, IDLE),
  ),
  shows('raw-queue', 'The level of a raw queue over time.', (s) =>
    s
      .rec('QF_EQUEUE_POST', 100, GO, QUEUE, ...EVT, 3, 3)
      .rec('QF_EQUEUE_POST', 110, DONE, QUEUE, ...EVT, 2, 2)
      .rec('QF_EQUEUE_POST_LIFO', 120, TICK, QUEUE, ...EVT, 1, 1)
      .rec('QF_EQUEUE_GET', 130, TICK, QUEUE, ...EVT, 2)
      .rec('QF_EQUEUE_GET', 140, GO, QUEUE, ...EVT, 3)
      .rec('QF_EQUEUE_GET_LAST', 150, DONE, QUEUE, ...EVT),
  ),
  shows('ticker-merges-posts', 'A ticker object: posts of signal 0, several of them handled at once.', (s) =>
    s
      .post(100, 0, B, 7)
      .post(110, 0, B, 6)
      .rec('QF_ACTIVE_GET_LAST', 120, 0, B, ...EVT)
      .rec('QF_TICK', 1, 1),
  ),
  shows('more-pending-events-than-tracked', 'More events are pending than the limit of the arrows.', (s) => {
    for (let i = 0; i < 90; i++) s.post(100 + i, GO, A, 200 - i);
    for (let i = 0; i < 20; i++)
      s.rec('QF_ACTIVE_GET', 300 + 10 * i, GO, A, ...EVT, 110 + i)
        .rec('QEP_DISPATCH', 302 + 10 * i, GO, A, IDLE)
        .rec('QEP_IGNORED', 305 + 10 * i, GO, A, IDLE);
  }),
];

/** @type {GoldenCase[]} */
const MEMORY_AND_TIME = [
  shows('event-pool', 'Blocks are allocated and freed, one allocation fails; the contents of the blocks.', (s) =>
    s
      .rec('QF_MPOOL_GET', 100, POOL, 9, 9)
      .rec('QF_NEW', 101, 16, GO)
      .rec('QF_NEW_REF', 102, GO, 1, 1)
      .rec('QF_GC_ATTEMPT', 110, GO, 1, 2)
      .rec('QF_DELETE_REF', 115, GO, 1, 1)
      .rec('QF_GC', 120, GO, 1, 1)
      .rec('QF_MPOOL_PUT', 121, POOL, 10)
      .rec('QF_MPOOL_GET_ATTEMPT', 130, POOL, 2, 3)
      .rec('QF_NEW_ATTEMPT', 131, 16, GO),
  ),
  shows('one-shot-time-event', 'A one-shot time event is armed, fires and ends.', (s) =>
    s
      .with(started)
      .rec('QF_TIMEEVT_ARM', 100, TIMER, A, 3, 0, 0)
      .rec('QF_TICK', 1, 0)
      .rec('QF_TICK', 2, 0)
      .rec('QF_ISR_ENTRY', 200, 1, 0)
      .rec('QF_TICK', 3, 0)
      .rec('QF_TIMEEVT_AUTO_DISARM', TIMER, A, 0)
      .rec('QF_TIMEEVT_POST', 205, TIMER, TICK, A, 0)
      .post(206, TICK, A)
      .rec('QF_ISR_EXIT', 210, 1, 0)
      .begin(220, TICK, A, IDLE)
      .rec('QEP_INTERN_TRAN', 230, TICK, A, IDLE),
  ),
  shows(
    'periodic-time-event',
    'A periodic time event fires until it is disarmed; disarming an unarmed one has no effect.',
    (s) => {
      s.rec('QF_TIMEEVT_ARM', 100, TIMER, A, 2, 2, 0);
      for (let i = 0; i < 3; i++)
        s.rec('QF_TICK', i, 0)
          .rec('QF_TIMEEVT_POST', 200 + 100 * i, TIMER, TICK, A, 0)
          .step(210 + 100 * i, TICK, A, IDLE);
      s.rec('QF_TIMEEVT_DISARM', 600, TIMER, A, 1, 2, 0).rec('QF_TIMEEVT_DISARM_ATTEMPT', 610, TIMER, A, 0);
    },
  ),
  shows('time-event-rearmed', 'A time event is rearmed while armed and while not armed; it is open at the end.', (s) =>
    s
      .rec('QF_TIMEEVT_ARM', 100, TIMER, A, 9, 0, 0)
      .rec('QF_TIMEEVT_REARM', 150, TIMER, A, 5, 0, 0, 1)
      .rec('QF_TIMEEVT_DISARM', 180, TIMER, A, 4, 0, 0)
      .rec('QF_TIMEEVT_REARM', 200, TIMER, A, 5, 0, 0, 0)
      .note(300, 'still armed'),
  ),
];

/** @type {GoldenCase[]} */
const KERNELS = [
  shows(
    'preemption-inside-rtc-step',
    'A more urgent object preempts the step of another one: both steps, the scheduling, and the state of the waiting object are shown.',
    (s) =>
      s
        .with(started)
        .rec('SCHED_NEXT', 90, 3, 0)
        .post(100, GO, A)
        .begin(110, GO, A, IDLE)
        .rec('QF_ACTIVE_POST', 120, A, DONE, B, ...EVT, 7, 7)
        .rec('SCHED_NEXT', 121, 7, 3)
        .begin(122, DONE, B, WORK)
        .rec('QEP_INTERN_TRAN', 130, DONE, B, WORK)
        .rec('SCHED_NEXT', 131, 3, 7)
        .rec('QEP_TRAN', 140, GO, A, IDLE, BUSY)
        .rec('SCHED_IDLE', 141, 3)
        .rec('SCHED_NEXT', 200, 7, 0)
        .step(201, DONE, B, WORK)
        .rec('SCHED_IDLE', 220, 7),
  ),
  shows(
    'scheduler-of-qp-6',
    'Before QP 7.2 record 54 contains the priority that resumes; before 7.1 records 48 and 49 are mutex records.',
    (s) => {
      s.encoder.version = 690;
      s.info({ reset: false })
        .rec('SCHED_NEXT', 90, 3, 0)
        .step(100, GO, A, IDLE)
        .rec('SCHED_NEXT', 121, 7, 3)
        .step(130, DONE, B, WORK)
        .rec('SCHED_RESUME', 150, 3, 7)
        .rec('MUTEX_LOCK', 155, 3, 5)
        .rec('MUTEX_UNLOCK', 156, 3, 5)
        .rec('SCHED_IDLE', 160, 3);
    },
  ),
  shows('scheduler-records-48-and-49', 'Preempted and restored, as in newer versions.', (s) =>
    s
      .rec('SCHED_NEXT', 90, 3, 0)
      .step(100, GO, A, IDLE)
      .rec('SCHED_PREEMPT', 120, 7, 3)
      .step(130, DONE, B, WORK)
      .rec('SCHED_RESTORE', 150, 3, 7)
      .rec('SCHED_IDLE', 160, 3),
  ),
  shows('scheduler-locked', 'The scheduler is locked up to a priority, in two levels.', (s) =>
    s
      .rec('SCHED_LOCK', 100, 0, 5)
      .rec('SCHED_LOCK', 110, 5, 9)
      .rec('SCHED_UNLOCK', 120, 9, 5)
      .rec('SCHED_UNLOCK', 130, 5, 0),
  ),
  shows(
    'interrupts-and-critical-sections',
    'Nested interrupts and critical sections, one exit without an entry, and one that stays open.',
    (s) =>
      s
        .rec('QF_ISR_ENTRY', 100, 1, 0)
        .rec('QF_ISR_ENTRY', 110, 2, 0)
        .rec('QF_CRIT_ENTRY', 112, 1)
        .rec('QF_CRIT_EXIT', 115, 1)
        .rec('QF_ISR_EXIT', 120, 2, 0)
        .rec('QF_ISR_EXIT', 130, 1, 0)
        .rec('QF_ISR_EXIT', 140, 1, 0)
        .rec('QF_CRIT_EXIT', 150, 1)
        .rec('QF_CRIT_ENTRY', 160, 1)
        .rec('QF_ISR_ENTRY', 170, 1, 3),
  ),
  shows('semaphore', 'A semaphore is taken, blocks, is signalled; a failed try.', (s) =>
    s
      .rec('SEM_TAKE', 100, LOCK, 5, 1)
      .rec('SEM_TAKE', 110, LOCK, 5, 0)
      .rec('SEM_BLOCK', 120, LOCK, 5, 0)
      .rec('SEM_SIGNAL', 150, LOCK, 0, 0)
      .rec('SEM_TAKE', 151, LOCK, 5, 0)
      .rec('SEM_BLOCK_ATTEMPT', 160, LOCK, 3, 0),
  ),
  shows('mutex', 'A mutex is held in two levels while another thread blocks; failed tries.', (s) =>
    s
      .rec('MTX_LOCK', 100, LOCK, 3, 1)
      .rec('MTX_LOCK', 110, LOCK, 3, 2)
      .rec('MTX_BLOCK', 120, LOCK, 3, 5)
      .rec('MTX_UNLOCK', 130, LOCK, 3, 1)
      .rec('MTX_UNLOCK', 140, LOCK, 3, 0)
      .rec('MTX_LOCK', 141, LOCK, 5, 1)
      .rec('MTX_LOCK_ATTEMPT', 150, LOCK, 5, 1)
      .rec('MTX_BLOCK_ATTEMPT', 160, LOCK, 5, 3)
      .rec('MTX_UNLOCK_ATTEMPT', 170, LOCK, 5, 1)
      .rec('MTX_UNLOCK', 180, LOCK, 5, 0),
  ),
  shows('assertion-ends-the-run', 'An assertion is shown as a failure; the restart after it is a new run.', (s) =>
    s
      .with(started)
      .post(100, GO, A)
      .begin(110, GO, A, IDLE)
      .rec('ASSERT_FAIL', 120, 777, 'bsp')
      .start()
      .note(5, 'second run'),
  ),
  shows(
    'raw-events',
    'With the option, every event is also an instant with its numbers.',
    (s) => s.with(started).step(100, GO, A, IDLE).user(100, 200, ['u8', 1], ['str', 'x']),
    { 'raw-events': '1' },
  ),
  shows(
    'time-range',
    'The trace contains only the given time range; slices that are open at its start are shown from there.',
    (s) =>
      s
        .with(started)
        .step(100, GO, A, IDLE)
        .step(200, GO, A, IDLE)
        .post(300, GO, A)
        .begin(310, GO, A, IDLE)
        .rec('QEP_TRAN', 400, GO, A, IDLE, BUSY)
        .step(500, DONE, A, BUSY),
    { 'from-ns': '300000', 'to-ns': '420000' },
  ),
  shows('posts-from-an-interrupt', 'A sender that is no object is shown under the senders.', (s) =>
    s
      .with(started)
      .rec('QF_ISR_ENTRY', 100, 1, 0)
      .post(101, GO, A, 7, IRQ)
      .rec('QF_ISR_EXIT', 102, 1, 0)
      .begin(110, GO, A, IDLE)
      .rec('QEP_INTERN_TRAN', 120, GO, A, IDLE),
  ),
  shows(
    'interrupt-names-from-first-record',
    'The first record inside an interrupt names it: a tick, a sender. A nested interrupt, an empty one, and one that is open at a gap.',
    (s) =>
      s
        .with(started)
        .rec('QF_ISR_ENTRY', 100, 1, 0)
        .rec('QF_TICK', 1, 0)
        .rec('QF_ISR_EXIT', 102, 1, 0)
        .rec('QF_ISR_ENTRY', 200, 1, 0)
        .post(201, GO, A)
        .rec('QF_ISR_ENTRY', 202, 2, 0)
        .rec('QF_ISR_EXIT', 203, 2, 0)
        .rec('QF_ISR_EXIT', 204, 1, 0)
        .rec('QF_ISR_ENTRY', 300, 1, 0)
        .lose(3)
        .rec('QF_ISR_EXIT', 400, 1, 0)
        .note(500, 'end'),
  ),
  shows(
    'noise-inside-an-interrupt',
    'A frame of noise between entry and exit without a lost record: the interrupt continues. After a gap, the next interrupt does not.',
    (s) =>
      s
        .with(started)
        .rec('QF_ISR_ENTRY', 100, 1, 0)
        .raw([0x99, 0x98, 0x97, 0x7e])
        .rec('QF_ISR_EXIT', 140, 1, 0)
        .rec('QF_ISR_ENTRY', 200, 1, 0)
        .rec('QF_TICK', 1, 0)
        .lose(1)
        .rec('QF_ISR_EXIT', 250, 1, 0)
        .rec('QF_ISR_ENTRY', 300, 1, 0)
        .rec('QF_TICK', 2, 0)
        .rec('QF_ISR_EXIT', 310, 1, 0),
  ),
  shows(
    'first-activation-priority-known-later',
    'An object gets an event and is selected at one time; its priority is known a little later: it runs from the selection on.',
    (s) =>
      s
        .rec('SCHED_NEXT', 1, 3, 0)
        .step(2, GO, A, IDLE)
        .rec('SCHED_IDLE', 13, 3)
        .post(20, GO, B)
        .rec('SCHED_NEXT', 20, 4, 0)
        .begin(22, GO, B, WORK)
        .rec('QEP_INTERN_TRAN', 30, GO, B, WORK)
        .rec('SCHED_IDLE', 32, 4)
        .post(40, GO, B)
        .rec('SCHED_NEXT', 40, 4, 0)
        .begin(42, GO, B, WORK)
        .rec('QEP_INTERN_TRAN', 50, GO, B, WORK)
        .rec('SCHED_IDLE', 52, 4),
  ),
  shows(
    'priority-reassigned-to-other-object',
    'A priority of one object resumes, and another object gets an event first: from the resumption on that one runs.',
    (s) =>
      s
        .rec('SCHED_NEXT', 1, 3, 0)
        .step(2, GO, A, IDLE)
        .rec('SCHED_NEXT', 15, 3, 3)
        .begin(22, GO, B, WORK)
        .rec('QEP_INTERN_TRAN', 30, GO, B, WORK)
        .rec('SCHED_IDLE', 32, 3),
  ),
  shows(
    'threads-waiting',
    'One thread waits for a semaphore, another one for a mutex that a third thread holds; each wait ends when the thread gets the object.',
    (s) =>
      s
        .with(started)
        .rec('SCHED_NEXT', 90, 4, 0)
        .rec('SEM_BLOCK', 100, QUEUE, 4, 0)
        .rec('SCHED_NEXT', 101, 6, 4)
        .rec('MTX_LOCK', 110, LOCK, 6, 1)
        .rec('SEM_SIGNAL', 120, QUEUE, 0, 1)
        .rec('MTX_BLOCK', 130, LOCK, 6, 5)
        .rec('SEM_TAKE', 140, QUEUE, 4, 0)
        .rec('MTX_UNLOCK', 150, LOCK, 6, 0)
        .rec('MTX_LOCK', 160, LOCK, 5, 1)
        .rec('SCHED_IDLE', 170, 5),
  ),
  shows(
    'semaphore-values-with-waits',
    'A semaphore value names its operation, unless a wait for the semaphore begins or ends with it. Cases: blocked again, another semaphore taken than waited for, taken without a wait, two threads at one time, a wait across a loss, a wait that its step ended.',
    (s) =>
      s
        .with(started)
        .rec('SEM_BLOCK', 100, LOCK, 5, 0)
        .rec('SEM_BLOCK', 110, LOCK, 5, 0)
        .rec('SEM_TAKE', 120, QUEUE, 5, 2)
        .rec('SEM_TAKE', 130, LOCK, 5, 0)
        .rec('SEM_BLOCK', 140, LOCK, 5, 0)
        .rec('SEM_TAKE', 150, LOCK, 5, 0)
        .rec('SEM_BLOCK', 150, LOCK, 6, 0)
        .rec('SEM_BLOCK', 160, QUEUE, 5, 0)
        .lose(3)
        .rec('SEM_TAKE', 200, QUEUE, 5, 1)
        .rec('SCHED_NEXT', 210, 3, 0)
        .begin(220, GO, A, IDLE)
        .rec('SEM_BLOCK', 230, QUEUE, 3, 0)
        .rec('QEP_INTERN_TRAN', 240, GO, A, IDLE)
        .rec('SEM_TAKE', 250, QUEUE, 3, 0),
  ),
  shows(
    'time-range-with-waits',
    'Semaphore values whose wait began before the time range or ends after it.',
    (s) =>
      s
        .rec('SEM_BLOCK', 100, LOCK, 5, 0)
        .rec('SEM_BLOCK', 150, QUEUE, 4, 3)
        .rec('SEM_SIGNAL', 349, LOCK, 0, 1)
        .rec('SEM_TAKE', 350, LOCK, 5, 0)
        .rec('SEM_TAKE', 360, QUEUE, 4, 2)
        .rec('SEM_BLOCK', 400, LOCK, 5, 1)
        .rec('SEM_TAKE', 450, LOCK, 5, 0),
    { 'from-ns': '200000', 'to-ns': '320000' },
  ),
  shows('assertion', 'An assertion is shown on the failures track, with module and location.', (s) =>
    s.with(started).rec('ASSERT_FAIL', 100, 777, 'bsp'),
  ),
];

const LONG_RUN = run()
  .with((s) => {
    for (let i = 0; i < 60; i++) s.note(100 + 10 * i, 'n');
  })
  .bytes();
const at_end = LONG_RUN.length;

/** @type {GoldenCase[]} */
const REPEATS = [
  {
    name: 'block-received-twice',
    proves:
      'A block of records follows itself, cut within a frame: the second copy is left out, and no frame is damaged.',
    options: { 'rate-hz': '1000000' },
    inputs: { 'input.bin': received_twice(LONG_RUN, at_end - 300, at_end - 100) },
  },
  {
    name: 'block-received-twice-to-the-end',
    proves: 'The block that follows itself is the last one of the recording.',
    options: { 'rate-hz': '1000000' },
    inputs: { 'input.bin': received_twice(LONG_RUN, at_end - 200, at_end) },
  },
];

/** @type {GoldenCase[]} */
export const QS_OBJECTS = [...MACHINES, ...QUEUES, ...MEMORY_AND_TIME, ...KERNELS, ...REPEATS];
