// SPDX-License-Identifier: MIT
//
// Golden cases of the events from 80 on, which only Tonkopf's recorder sends.

import { BACKEND, control_block } from './control.mjs';
import { FOREVER, QUEUE_KIND } from './tband.mjs';

import { Stream, head, payload, tasks } from './golden-stream.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {(stream: Stream) => unknown} body @returns {GoldenCase} */
const rtos = (name, proves, body) => ({
  name,
  proves,
  inputs: { 'input.bin': tasks().ev('waits_are_traced', 0).with(body) },
});

/** @type {GoldenCase[]} */
export const EXTENSIONS = [
  rtos(
    'notification-of-a-task',
    'A waits for a notification, B sends it: the wait shows its reason and the task that ended it, and an arrow leads to A. A second wait times out.',
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_notification', 110, FOREVER)
        .ev('task_switched_in', 112, 2)
        .ev('task_notified', 150, 1)
        .ev('task_to_rdy_state', 151, 1)
        .ev('task_switched_in', 153, 1)
        .ev('curtask_notification_taken', 155)
        .ev('curtask_block_on_notification', 160, 5)
        .ev('task_switched_in', 162, 3)
        .ev('isr_enter', 5000, 15)
        .ev('task_to_rdy_state', 5002, 1)
        .ev('isr_exit', 5004, 15)
        .ev('task_switched_in', 5006, 1)
        .ev('curtask_notification_missed', 5008),
  ),
  rtos(
    'notification-from-an-interrupt',
    'A notification from a recorded interrupt, and one from an interrupt that is not recorded: the latter is not an action of the running task.',
    (s) =>
      s
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_notification', 110, FOREVER)
        .ev('task_switched_in', 112, 2)
        .ev('isr_name', 20, 'uart')
        .ev('isr_enter', 150, 20)
        .ev('task_notified_from_isr', 151, 1)
        .ev('task_to_rdy_state', 152, 1)
        .ev('isr_exit', 154, 20)
        .ev('task_switched_in', 156, 1)
        .ev('curtask_notification_taken', 158)
        .ev('curtask_block_on_notification', 160, FOREVER)
        .ev('task_switched_in', 162, 2)
        .ev('task_notified_from_isr', 180, 1)
        .ev('task_to_rdy_state', 181, 1)
        .ev('task_switched_in', 184, 1)
        .ev('curtask_notification_taken', 186),
  ),
  rtos(
    'event-group',
    'Bits are set, cleared and waited for, a wait times out, two tasks synchronise; the group is deleted.',
    (s) =>
      s
        .ev('eventgroup_created', 90, 7)
        .ev('eventgroup_name', 7, 'doors')
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_eventgroup', 110, 7, 0, 3)
        .ev('task_switched_in', 112, 2)
        .ev('eventgroup_set', 150, 7, 1)
        .ev('eventgroup_set', 160, 7, 2)
        .ev('task_to_rdy_state', 161, 1)
        .ev('task_switched_in', 163, 1)
        .ev('eventgroup_waited', 165, 7, 0, 3)
        .ev('eventgroup_cleared', 170, 7, 3)
        .ev('curtask_block_on_eventgroup', 180, 7, 0, 4)
        .ev('task_switched_in', 182, 2)
        .ev('eventgroup_asked_from_isr', 185, 7, 1, 4)
        .ev('task_to_rdy_state', 300, 1)
        .ev('task_switched_in', 302, 1)
        .ev('eventgroup_waited', 304, 7, 2, 4)
        .ev('eventgroup_set', 310, 7, 16)
        .ev('curtask_block_on_eventgroup', 312, 7, 1, 48)
        .ev('task_switched_in', 314, 2)
        .ev('eventgroup_set', 320, 7, 32)
        .ev('task_to_rdy_state', 321, 1)
        .ev('task_switched_in', 324, 1)
        .ev('eventgroup_waited', 326, 7, 1, 48)
        .ev('eventgroup_deleted', 330, 7),
  ),
  rtos(
    'stream-buffer',
    'A buffer is a queue of bytes: A waits to receive, which the kernel implements by a notification; a second wait times out.',
    (s) =>
      s
        .ev('queue_kind', 5, QUEUE_KIND.stream)
        .ev('queue_name', 5, 'log')
        .ev('queue_capacity', 5, 64)
        .ev('queue_created', 90, 5)
        .ev('queue_cur_length', 90, 5, 0)
        .ev('task_switched_in', 100, 1)
        .ev('curtask_block_on_queue_receive', 110, 5, FOREVER)
        .ev('curtask_block_on_notification', 111, FOREVER)
        .ev('task_switched_in', 113, 2)
        .ev('queue_send', 150, 5, 20)
        .ev('task_notified', 151, 1)
        .ev('task_to_rdy_state', 152, 1)
        .ev('task_switched_in', 154, 1)
        .ev('curtask_notification_taken', 155)
        .ev('queue_receive', 156, 5, 0)
        .ev('curtask_block_on_queue_receive', 160, 5, 9)
        .ev('curtask_block_on_notification', 161, 9)
        .ev('task_switched_in', 163, 2)
        .ev('task_to_rdy_state', 300, 1)
        .ev('task_switched_in', 302, 1)
        .ev('curtask_notification_missed', 303)
        .ev('queue_refused', 304, 5, 0, 3),
  ),
  rtos(
    'queues-in-detail',
    'Capacity, operations that fail or time out, in a task and in an interrupt; a deleted queue.',
    (s) =>
      s
        .ev('queue_name', 4, 'jobs')
        .ev('queue_capacity', 4, 2)
        .ev('queue_kind', 1, QUEUE_KIND.mutex)
        .ev('queue_name', 1, 'bus')
        .ev('task_switched_in', 100, 1)
        .ev('queue_send', 110, 4, 1)
        .ev('queue_send', 112, 4, 2)
        .ev('queue_refused', 114, 4, 2, 0)
        .ev('isr_enter', 120, 20)
        .ev('queue_refused_from_isr', 122, 4, 2, 0)
        .ev('isr_exit', 124, 20)
        .ev('queue_receive', 130, 1, 0)
        .ev('task_to_rdy_state', 131, 2)
        .ev('task_switched_in', 132, 2)
        .ev('curtask_block_on_queue_receive', 140, 1, 10)
        .ev('task_switched_in', 142, 1)
        .ev('task_to_rdy_state', 400, 2)
        .ev('task_switched_in', 402, 2)
        .ev('queue_refused', 404, 1, 0, 3)
        .ev('queue_deleted', 410, 4),
  ),
  rtos('software-timers', 'A timer with auto-reload, a stopped one, one with a changed period; deleted timers.', (s) =>
    s
      .ev('timer_name', 1, 'blink')
      .ev('timer_created', 90, 1, 5)
      .ev('timer_created', 91, 2, 100)
      .ev('task_switched_in', 100, 1)
      .ev('timer_started', 110, 1, 0, 5)
      .ev('timer_started', 112, 2, 0, 100)
      .ev('task_switched_in', 120, 2)
      .ev('timer_expired', 5120, 1)
      .ev('timer_expired', 10120, 1)
      .ev('timer_stopped', 10200, 2)
      .ev('timer_started', 10300, 1, 2, 8)
      .ev('timer_expired', 18300, 1)
      .ev('timer_deleted', 18400, 1),
  ),
  {
    name: 'heap-and-stacks-of-bare-metal',
    proves:
      'A heap by its allocations and by its level, blocks that were not freed, a failed allocation, free stack space; without an RTOS.',
    inputs: {
      'input.bin': head()
        .ev('heap_name', 1, 'pool')
        .ev('stack_name', 1, 'main')
        .ev('heap_level', 100, 1, 1000)
        .ev('memory_allocated', 110, 1, 1112, 112, 0x20000100)
        .ev('isr_enter', 115, 20)
        .ev('memory_allocated', 120, 1, 1128, 16, 0x20000200)
        .ev('isr_exit', 122, 20)
        .ev('memory_freed', 130, 1, 1016, 120, 0x20000100)
        .ev('memory_refused', 140, 1, 60000)
        .ev('stack_free', 150, 1, 300)
        .ev('stack_free', 160, 1, 212),
    },
  },
  rtos(
    'heap-level-after-loss',
    'Each allocation contains the heap level, so the level is correct after a loss too.',
    (s) =>
      s
        .ev('dropped_evt_cnt', 95, 0)
        .ev('task_switched_in', 100, 1)
        .ev('memory_allocated', 110, 0, 100, 100, 0x20000100)
        .ev('dropped_evt_cnt', 150, 7)
        .ev('memory_allocated', 151, 0, 260, 60, 0x20000300)
        .ev('memory_freed', 160, 0, 0xffffffff, 0, 0x20000300)
        .ev('task_stack_free', 170, 1, 90)
        .ev('task_stack_free', 180, 1, 40),
  ),
  {
    name: 'some-wait-kinds-not-traced',
    proves:
      'Event groups are recorded, notifications are not: a task that is switched out without a wait and gets ready later waited for an untraced object.',
    inputs: {
      'input.bin': tasks()
        .ev('waits_are_traced', 2)
        .ev('task_switched_in', 100, 1)
        .ev('eventgroup_set', 110, 7, 1)
        .ev('task_switched_in', 140, 3)
        .ev('isr_enter', 300, 20)
        .ev('task_to_rdy_state', 304, 1)
        .ev('isr_exit', 308, 20)
        .ev('task_switched_in', 310, 1),
    },
  },
];

// ---- Several cores in one stream, with separate clocks ----

/** The clock of core 1: three counts per four counts of core 0, an offset of 500, and slightly slow. @param {number} at */
const on_clock_of_core_1 = (at) => 500 + Math.round(((at * 3) / 4) * 0.9995);
const on_the_same = (/** @type {number} */ at) => at;

/** @param {number} core */
const names_of = (core) => (/** @type {Stream} */ s) =>
  s.ev('task_name', 1 + 2 * core, `worker ${core}`).ev('task_name', 2 + 2 * core, `IDLE${core}`);

/** The tasks of the core take turns. @param {number} core @param {number} from @param {number} rounds @param {(at: number) => number} clock */
const work = (core, from, rounds, clock) => (/** @type {Stream} */ s) => {
  for (let i = 0; i < rounds; i++) {
    const at = from + 100 * i + 20 * core;
    s.ev('task_switched_in', clock(at), 1 + 2 * core)
      .ev('evtmarker', clock(at + 10), 1, `${core}: ${at + 10}`)
      .ev('curtask_delay', clock(at + 30), 1)
      .ev('task_switched_in', clock(at + 34), 2 + 2 * core);
  }
};

/** The time of core 1 at this time of core 0. @param {number} at */
const sync = (at) => (/** @type {Stream} */ s) => s.ev('clock_sync', on_clock_of_core_1(at), 0, at);

/** @param {string} name @param {string} proves @param {Record<string, Stream>} inputs @param {Record<string, string>} [options] @returns {GoldenCase} */
const cores = (name, proves, inputs, options) => ({ name, proves, inputs, options });
/** @type {(s: Stream) => unknown} */
const own_clock = (s) => s.ev('clock_rate', 3, 4);

EXTENSIONS.push(
  cores(
    'chunks-of-two-cores',
    'One link carries the streams of two cores in turn. Each chunk names its core, so times that fall between chunks are not a restart.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .ev('core_id', 0, 0)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .ev('core_id', 0, 1)
        .with(names_of(1))
        .with(work(1, 1000, 9, on_the_same))
        .ev('chunk', 0, 2)
        .with(work(0, 1600, 7, on_the_same))
        .ev('chunk', 1, 2)
        .with(work(1, 1900, 4, on_the_same)),
    },
  ),
  cores(
    'chunks-with-one-silent-core',
    'Chunks of two cores, of which one has no events: the core of each event is known.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .ev('core_id', 0, 0)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .ev('core_id', 0, 1)
        .ev('chunk', 0, 2)
        .with(work(0, 1600, 3, on_the_same)),
    },
  ),
  cores(
    'chunk-core-out-of-range',
    'A damaged chunk with core 7 of two, and one with four billion cores: both are reported, and the events after them stay on the core before.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 3, on_the_same))
        .ev('chunk', 7, 2)
        .with(work(0, 1300, 2, on_the_same))
        .ev('chunk', 4000000000, 4294967295)
        .with(work(0, 1500, 2, on_the_same))
        .ev('chunk', 1, 2)
        .with(names_of(1))
        .with(work(1, 1000, 6, on_the_same)),
    },
  ),
  cores(
    'core-id-without-time-mid-stream',
    'A port marks each change of core by a core_id with time 0: neither a restart nor a new start of tracing.',
    {
      'input.bin': head()
        .with(names_of(0))
        .with(names_of(1))
        .with((s) => {
          for (let i = 0; i < 6; i++)
            s.ev('core_id', 0, 0)
              .with(work(0, 1000 + 100 * i, 1, on_the_same))
              .ev('core_id', 0, 1)
              .with(work(1, 1040 + 100 * i, 1, on_the_same));
        }),
    },
  ),
  cores(
    'clocks-of-two-cores-in-chunks',
    'Core 1 has its own clock, with another origin and about three quarters of the rate: clock comparisons place its events at the correct times.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .with(own_clock)
        .with(names_of(1))
        .with(work(1, 1000, 3, on_clock_of_core_1))
        .with(sync(1300))
        .with(work(1, 1300, 6, on_clock_of_core_1))
        .ev('chunk', 0, 2)
        .with(work(0, 1600, 14, on_the_same))
        .ev('chunk', 1, 2)
        .with(sync(2900))
        .with(work(1, 2900, 2, on_clock_of_core_1)),
    },
  ),
  cores('clocks-of-two-cores-in-files', 'Core 1 has its own clock; one file per core.', {
    'input.core0.bin': new Stream()
      .with((s) => head_names(s))
      .with(names_of(0))
      .with(work(0, 1000, 20, on_the_same)),
    'input.core1.bin': new Stream()
      .with(own_clock)
      .with(names_of(1))
      .with(work(1, 1000, 3, on_clock_of_core_1))
      .with(sync(1300))
      .with(work(1, 1300, 16, on_clock_of_core_1))
      .with(sync(2900))
      .with(work(1, 2900, 2, on_clock_of_core_1)),
  }),
  cores(
    'names-missing-in-a-stream',
    'The recorder reports the names that it dropped at the start of the stream, and again when it starts a second time: each is counted once.',
    {
      'input.bin': new Stream()
        .with((s) => head_names(s))
        .ev('names_missing', 2, 25)
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('names_missing', 2, 25)
        .ev('names_missing', 3, 40)
        .with(work(0, 9000, 6, on_the_same)),
    },
  ),
  cores(
    'crash-record',
    'A fault handler ends the recording: the track of problems has a marker at the crash, and the report has the problem TARGET_FAULT.',
    {
      'input.bin': new Stream()
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('fault_state', 2000, 0x61000000, 0x40000000, 0)
        .ev('fault_context', 2000, 1, 0)
        .ev('fault', 2000, 0x542, 0x531, 0x10000),
    },
  ),
  cores(
    'task-priorities-from-names',
    'Names and facts contain the priority of a task and the time at which it was created, before the recording begins: the report has both.',
    {
      'input.bin': new Stream()
        .with((s) => head_names(s))
        .ev('task_declared', 1, 5, 40)
        .ev('task_declared', 2, 0, 90)
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same)),
    },
  ),
  cores(
    'names-that-are-repeated',
    'A capture begins late, and the target repeats names and clock rate: they apply to all events. Around the wrap of the counter they are no sign of a restart, and an older name replaces no newer one.',
    {
      'input.bin': new Stream().with((s) => {
        const again = (/** @type {number[]} */ bytes) => s.odd(0x93, bytes);
        for (let i = 0, at = 2 ** 32 - 4000; i < 80; i++, at += 100) {
          s.ev('task_switched_in', at % 2 ** 32, 1 + (i % 2)).ev('valmarker', (at + 50) % 2 ** 32, 7, i);
          if (i === 10) again(payload('clock_hz', 2_000_000, 1));
          if (i > 30 && i < 50) [1, 2].forEach((task) => again(payload('task_name', task, 'AB'[task - 1])));
          if (i === 60) s.ev('task_name', 1, 'new');
          if (i === 70) again(payload('task_name', 1, 'A'));
        }
      }),
    },
  ),
  cores(
    'clock-rate-in-the-file-of-one-core',
    'Each core has a file, and only the second one contains the rate of the common clock, 168 MHz: the times of both become nanoseconds.',
    {
      'input.core0.bin': new Stream().with(names_of(0)).with(work(0, 168_000_000, 6, on_the_same)),
      'input.core1.bin': new Stream()
        .ev('ts_resolution_ns', 6)
        .ev('clock_hz', 168_000_000, 1)
        .with(names_of(1))
        .with(work(1, 168_000_500, 6, on_the_same)),
    },
  ),
  cores(
    'clock-rate-and-clocks-of-two-cores',
    'The clock of the recording has 168 MHz, core 1 has a clock of its own: its times become counts of the recording, then nanoseconds.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .ev('ts_resolution_ns', 6)
        .ev('clock_hz', 168_000_000, 1)
        .with(names_of(0))
        .with(work(0, 168_000_000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .with(own_clock)
        .with(names_of(1))
        .with(sync(168_000_000))
        .with(work(1, 168_000_100, 6, on_clock_of_core_1)),
    },
  ),
  cores(
    'clock-without-sync',
    'Core 1 has its own clock, and the recording contains no comparison: Tonkopf lets both cores begin at the same time, and the report has the problem CLOCKS_NOT_SYNCED.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .with(own_clock)
        .with(names_of(1))
        .with(work(1, 9000, 6, on_clock_of_core_1)),
    },
  ),
  cores(
    'clock-declared-after-first-events',
    'Core 1 declares its own clock after its first events: the declaration is reported and ignored.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 4, on_the_same))
        .ev('chunk', 1, 2)
        .with(names_of(1))
        .with(work(1, 1000, 2, on_the_same))
        .with(own_clock)
        .with(work(1, 1200, 2, on_the_same)),
    },
  ),
  cores(
    'contradicting-clock-syncs',
    'One comparison of two clocks is damaged: it is rejected, and the others are used.',
    {
      'input.core0.bin': new Stream()
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 20, on_the_same)),
      'input.core1.bin': new Stream()
        .with(own_clock)
        .with(names_of(1))
        .with(work(1, 1000, 3, on_clock_of_core_1))
        .with(sync(1300))
        .with(work(1, 1300, 8, on_clock_of_core_1))
        .ev('clock_sync', on_clock_of_core_1(2100), 0, 21000)
        .with(work(1, 2100, 8, on_clock_of_core_1))
        .with(sync(2900))
        .with(work(1, 2900, 2, on_clock_of_core_1)),
    },
  ),
  {
    name: 'clocks-of-two-cores-in-a-dump',
    proves: 'The rings of two cores in a memory dump; the second core has its own clock.',
    inputs: {
      'input.bin': {
        bytes: () =>
          control_block({ backend: BACKEND.snapshot, metadata_size: 128, ring_size: 700 }, [
            {
              names: new Stream()
                .with((s) => head_names(s))
                .with(names_of(0))
                .bytes(),
              events: new Stream().with(work(0, 1000, 12, on_the_same)).bytes(),
            },
            {
              names: new Stream().with(own_clock).with(names_of(1)).bytes(),
              events: new Stream()
                .with(work(1, 1000, 3, on_clock_of_core_1))
                .with(sync(1300))
                .with(work(1, 1300, 6, on_clock_of_core_1))
                .with(sync(1900))
                .with(work(1, 1900, 3, on_clock_of_core_1))
                .bytes(),
            },
          ]),
      },
    },
  },
);

/** @param {Stream} s */
function head_names(s) {
  s.ev('ts_resolution_ns', 1000).ev('evtmarker_name', 1, 'progress');
}
EXTENSIONS.push(
  cores(
    'clock-without-sync-after-damaged-start',
    'The first time of core 0 is damaged: core 1 begins at the first valid time of core 0.',
    {
      'input.bin': new Stream()
        .ev('chunk', 0, 2)
        .with((s) => head_names(s))
        .with(names_of(0))
        .ev('task_switched_in', 6248, 1)
        .with(work(0, 1000, 6, on_the_same))
        .ev('chunk', 1, 2)
        .with(own_clock)
        .with(names_of(1))
        .with(work(1, 9000, 6, on_clock_of_core_1)),
    },
  ),
);
EXTENSIONS.push(
  cores(
    'capture-starts-after-first-chunk',
    'Events come before the first chunk: cores are distinguished, on one time line.',
    {
      'input.bin': head()
        .with(names_of(0))
        .with(work(0, 900, 1, on_the_same))
        .ev('chunk', 1, 2)
        .with(names_of(1))
        .with(work(1, 1000, 3, on_the_same))
        .ev('chunk', 0, 2)
        .with(work(0, 1400, 4, on_the_same)),
    },
  ),
);

// ---- Cores identified only by core_id, in overlapping pieces of their streams ----

/** @param {number} core */
const piece = (core) => (/** @type {Stream} */ s) => s.ev('core_id', 0, core);

EXTENSIONS.push(
  cores(
    'core-ids-of-overlapping-pieces',
    'A port sends the streams of two cores in turn, each piece after a core_id without a time. Times fall between the pieces, without a restart.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .with(piece(1))
        .with(names_of(1))
        .with(work(1, 1000, 9, on_the_same))
        .with(piece(0))
        .with(work(0, 1600, 7, on_the_same))
        .with(piece(1))
        .with(work(1, 1900, 4, on_the_same)),
    },
  ),
  cores(
    'timed-core-ids-of-overlapping-pieces',
    'Overlapping pieces of three cores, all named at the start, with core_ids that contain the time of the next event; core 2 starts late.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(piece(1))
        .with(names_of(1))
        .with(piece(2))
        .with(names_of(2))
        .ev('core_id', 1000, 0)
        .with(work(0, 1000, 6, on_the_same))
        .ev('core_id', 1020, 1)
        .with(work(1, 1000, 9, on_the_same))
        .ev('core_id', 1600, 0)
        .with(work(0, 1600, 7, on_the_same))
        .ev('core_id', 2000, 2)
        .with(work(2, 2000, 4, on_the_same))
        .ev('core_id', 1920, 1)
        .with(work(1, 1900, 4, on_the_same)),
    },
  ),
  cores(
    'core-ids-of-two-pieces',
    'The capture ends with the first piece of the second core: it overlaps that of the first.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .with(piece(1))
        .with(names_of(1))
        .with(work(1, 1000, 9, on_the_same)),
    },
  ),
  cores(
    'restart-of-cores-in-one-stream',
    'Events of two cores are in order of time; the target restarts: a section of its own, although core 1 begins it.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(piece(1))
        .with(names_of(1))
        .with((s) => {
          for (const begin of [5000, 1000])
            for (let i = 0; i < 6; i++)
              s.with(piece(1))
                .with(work(1, begin + 100 * i, 1, on_the_same))
                .with(piece(0))
                .with(work(0, begin + 60 + 100 * i, 1, on_the_same));
        }),
    },
  ),
  cores(
    'core-id-first-seen-late',
    'Overlapping pieces, but core 2 is named after the first pieces: it shares the time line of the core before it.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .with(piece(1))
        .with(names_of(1))
        .with(work(1, 1000, 9, on_the_same))
        .with(piece(0))
        .with(work(0, 1600, 2, on_the_same))
        .with(piece(2))
        .with(names_of(2))
        .with(work(2, 1900, 2, on_the_same))
        .with(piece(0))
        .with(work(0, 2200, 2, on_the_same)),
    },
  ),
);

// ---- The same, captured from its middle: the core of the first events is unknown ----

EXTENSIONS.push(
  cores(
    'unnumbered-core-then-core-0',
    'A capture begins in a piece of core 1, before the first core_id. Core 0 follows with earlier times, without a restart. The first events belong to core 1, which continues where they end.',
    {
      'input.bin': new Stream()
        .with(work(1, 1000, 6, on_the_same))
        .with(piece(0))
        .with(work(0, 1000, 9, on_the_same))
        .with(piece(1))
        .with(work(1, 1600, 7, on_the_same))
        .with(piece(0))
        .with(work(0, 1900, 4, on_the_same)),
    },
  ),
  cores(
    'unnumbered-core-of-three',
    'A capture of three cores begins before the first core_id: its first events belong to the core that continues after them.',
    {
      'input.bin': new Stream()
        .with(work(2, 1000, 6, on_the_same))
        .with(piece(0))
        .with(work(0, 1000, 6, on_the_same))
        .with(piece(1))
        .with(work(1, 1050, 5, on_the_same))
        .with(piece(2))
        .with(work(2, 1600, 6, on_the_same))
        .with(piece(0))
        .with(work(0, 1600, 6, on_the_same)),
    },
  ),
  cores('unnumbered-core-continues', 'The first core_id names the core of the events before it.', {
    'input.bin': new Stream()
      .with(work(0, 1000, 3, on_the_same))
      .with(piece(0))
      .with(work(0, 1300, 3, on_the_same))
      .with(piece(1))
      .with(work(1, 1000, 6, on_the_same))
      .with(piece(0))
      .with(work(0, 1600, 6, on_the_same)),
  }),
  cores('unnumbered-core-stops', 'The capture ends with the first piece of another core.', {
    'input.bin': new Stream()
      .with(work(1, 1000, 6, on_the_same))
      .with(piece(0))
      .with(work(0, 1000, 9, on_the_same)),
  }),
  cores(
    'unnumbered-core-after-damage',
    'Two damaged frames before a capture of core 1 that began late: they belong to no core, for any chunking.',
    {
      'input.bin': new Stream()
        .raw([4, 0xff, 0xff, 0x33, 0x30, 4, 0])
        .raw([4, 2, 0xe8, 0xff, 0xff, 0])
        .with(work(1, 1000, 6, on_the_same))
        .with(piece(0))
        .with(work(0, 1000, 9, on_the_same))
        .with(piece(1))
        .with(work(1, 1600, 7, on_the_same)),
    },
    { format: 'tonbandgeraet' },
  ),
  cores(
    'clock-rate-after-damage',
    'A damaged frame before the clock rate and the first core keeps its place, for any chunking.',
    {
      'input.bin': new Stream()
        .raw([0, 4, 0])
        .with(own_clock)
        .ev('core_id', 120, 2)
        .ev('task_switched_in', 120, 6)
        .with(piece(0))
        .ev('task_switched_in', 1, 5),
    },
    { format: 'tonbandgeraet' },
  ),
  cores(
    'cores-after-damage-in-second-file',
    'The second of two files begins with damage and then names its cores: events without a time come before the streams of the cores.',
    {
      'input.a.bin': new Stream(),
      'input.b.bin': new Stream()
        .raw([0, 1, 7, 0])
        .with(piece(0))
        .raw([1, 0])
        .ev('task_switched_in', 130, 1)
        .ev('core_id', 140, 1)
        .ev('task_switched_in', 140, 5)
        .ev('core_id', 120, 2)
        .ev('task_switched_in', 120, 6)
        .ev('core_id', 130, 0)
        .ev('task_switched_in', 130, 1),
    },
    { format: 'tonbandgeraet' },
  ),
  cores('unnumbered-core-in-chunks', 'Overlapping chunks, captured from the middle of the first chunk.', {
    'input.bin': new Stream()
      .with(work(1, 1000, 6, on_the_same))
      .ev('chunk', 0, 2)
      .with(work(0, 1000, 9, on_the_same))
      .ev('chunk', 1, 2)
      .with(work(1, 1600, 7, on_the_same))
      .ev('chunk', 0, 2)
      .with(work(0, 1900, 4, on_the_same)),
  }),
  cores(
    'overlapping-pieces-after-damaged-time',
    'With a damaged time in the first pieces, the decoder still recognises that they overlap and reports the damage.',
    {
      'input.bin': new Stream()
        .with(piece(0))
        .with((s) => head_names(s))
        .with(names_of(0))
        .with(work(0, 1000, 6, on_the_same))
        .with(piece(1))
        .with(names_of(1))
        .with(work(1, 1000, 4, on_the_same))
        .mark(17, 'damaged')
        .with(work(1, 1400, 5, on_the_same))
        .with(piece(0))
        .with(work(0, 1600, 7, on_the_same))
        .with(piece(1))
        .with(work(1, 1900, 4, on_the_same)),
    },
  ),
  cores(
    'restart-after-unnumbered-core',
    'A capture that began late, with cores merged by time; the target restarts, and the restart is reported.',
    {
      'input.bin': new Stream().with(work(1, 4900, 1, on_the_same)).with((s) => {
        for (const begin of [5000, 1000])
          for (let i = 0; i < 6; i++)
            s.with(piece(0))
              .with(work(0, begin + 100 * i, 1, on_the_same))
              .with(piece(1))
              .with(work(1, begin + 40 + 100 * i, 1, on_the_same));
      }),
    },
  ),
);
