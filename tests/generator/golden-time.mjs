// SPDX-License-Identifier: MIT
//
// Golden cases of time, cores, restarts and losses.

import { Stream, head, tasks } from './golden-stream.mjs';
import { received_twice } from './received-twice.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/**
 * Markers in even steps: a regular time line for the test of a damaged time.
 * @param {number} from
 * @param {number} count
 * @param {(ts: number) => number | bigint} [counter] what the target's counter shows at a time
 * @returns {(stream: Stream) => void}
 */
const line =
  (from, count, counter = (ts) => ts) =>
  (s) => {
    for (let i = 0; i < count; i++) s.mark(counter(from + 10 * i), `${from + 10 * i}`);
  };

/** Names, and a clock rate. @param {number} ns @param {number} hz @param {number} divisor */
const rated = (ns, hz, divisor) =>
  new Stream().ev('ts_resolution_ns', ns).ev('clock_hz', hz, divisor).ev('evtmarker_name', 1, 'second');

/** A marker every `counts`, also after an hour. @param {number} counts @returns {(stream: Stream) => void} */
const seconds = (counts) => (stream) => {
  for (const i of [1, 2, 3, 60, 3600]) stream.mark(counts * i, `${i}`);
};

/**
 * A sequence of markers whose counter has `bits` bits and wraps in the middle.
 * @param {number} bits
 * @returns {GoldenCase}
 */
function wrap(bits) {
  const size = 1n << BigInt(bits);
  const near_end = size - 95n;
  const counter = (/** @type {number} */ ts) => (near_end + BigInt(ts)) % size;
  return {
    name: `wrap-at-2-${bits}`,
    proves: `A time stamp counter of ${bits} bits wraps: time continues, and the report contains its width.`,
    rows: [4],
    inputs: { 'input.bin': head().with(line(0, 20, counter)) },
  };
}

/**
 * Two tasks that take turns every 10 ticks.
 * @param {number} from
 * @param {number} count
 * @param {number} one
 * @param {number} other
 * @returns {(stream: Stream) => void}
 */
const turns = (from, count, one, other) => (s) => {
  for (let i = 0; i < count; i++) s.ev('task_switched_in', from + 10 * i, i % 2 ? other : one);
};

/**
 * Markers of a 16-bit counter, `step(i)` counts apart, named after the elapsed time.
 * @param {number} from
 * @param {number} count
 * @param {(i: number) => number} step
 * @returns {(stream: Stream) => void}
 */
const sparse = (from, count, step) => (s) => {
  for (let i = 0, time = from; i < count; time += step(i++)) s.mark(time % 65536, `${time}`);
};

/** Two tasks that take turns, as a target sends them directly after its start. */
const boot = (/** @type {number} */ from) => (/** @type {Stream} */ s) => {
  s.ev('task_created', from, 1)
    .ev('task_priority_set', from, 1, 2)
    .ev('task_name', 1, 'A')
    .ev('task_to_rdy_state', from + 1, 1);
  s.ev('task_created', from + 2, 2)
    .ev('task_priority_set', from + 2, 2, 1)
    .ev('task_name', 2, 'B')
    .ev('task_to_rdy_state', from + 3, 2);
  for (let i = 0; i < 6; i++) {
    s.ev('task_switched_in', from + 10 + 20 * i, 1)
      .ev('curtask_delay', from + 15 + 20 * i, 1)
      .ev('task_switched_in', from + 16 + 20 * i, 2);
    s.ev('task_to_rdy_state', from + 29 + 20 * i, 1);
  }
};

/** One task per core in its own file; names only where the task was created. */
const core_file = (/** @type {number} */ core, /** @type {number} */ from, /** @type {number} */ count) => {
  const s = core === 0 ? new Stream().ev('ts_resolution_ns', 1000) : new Stream();
  s.ev('task_name', core * 2 + 1, `work${core}`)
    .ev('task_name', core * 2 + 2, `IDLE${core}`)
    .ev('task_is_idle_task', core * 2 + 2, core);
  for (let i = 0; i < count; i++) s.ev('task_switched_in', from + 10 * i, core * 2 + 1 + (i % 2));
  return s;
};

const SIX_AT_ONE_TICK = (/** @type {Stream} */ s) => {
  for (let tick = 100; tick < 110; tick++) {
    s.ev('isr_enter', tick, 7)
      .ev('valmarker', tick, 2, 2 * tick)
      .ev('evtmarker_begin', tick, 3, 'work');
    if (tick === 105) s.ev('evtmarker_name', 3, 'span').ev('valmarker_name', 2, 'reading').ev('isr_name', 7, 'timer');
    s.ev('valmarker', tick, 2, 2 * tick + 1)
      .ev('evtmarker_end', tick, 3)
      .ev('isr_exit', tick, 7);
  }
};

/** @type {GoldenCase[]} */
const EQUAL_TIMES = [
  {
    name: 'equal-times-keep-order',
    proves: 'A coarse timer: six events per tick, with names in between, keep the order of the file.',
    rows: [1],
    inputs: { 'input.bin': head().with(SIX_AT_ONE_TICK) },
  },
  {
    name: 'equal-times-ordered-by-core',
    proves:
      'Events of two files at one tick: those of core 0 come first; within a core they keep the order of the file.',
    rows: [1],
    inputs: {
      'input.core0.bin': head().mark(100, 'core 0 a').mark(100, 'core 0 b').mark(200, 'core 0 c'),
      'input.core1.bin': new Stream()
        .mark(100, 'core 1 a')
        .mark(100, 'core 1 b')
        .mark(150, 'core 1 c')
        .mark(200, 'core 1 d'),
    },
  },
  {
    name: 'equal-times-in-one-stream-keep-file-order',
    proves: 'One stream with core_id events keeps its file order, also where the higher core comes first at a tick.',
    rows: [1],
    inputs: {
      'input.bin': head()
        .ev('core_id', 100, 1)
        .mark(100, 'core 1 first')
        .ev('core_id', 100, 0)
        .mark(100, 'then core 0')
        .ev('core_id', 110, 1)
        .mark(110, 'core 1'),
    },
  },
  {
    name: 'names-between-events',
    proves: 'Metadata between events of one tick applies to the whole trace and changes no order.',
    rows: [1],
    inputs: {
      'input.bin': tasks()
        .ev('task_switched_in', 100, 1)
        .ev('valmarker', 100, 3, 1)
        .ev('valmarker_name', 3, 'late name')
        .ev('valmarker', 100, 3, 2)
        .ev('task_switched_in', 100, 2)
        .ev('task_name', 2, 'B renamed')
        .ev('valmarker', 100, 3, 3),
    },
  },
];

/** @type {GoldenCase[]} */
const DAMAGED_TIMES = [
  {
    name: 'one-falling-time-is-damage',
    proves:
      'One event is older than its predecessor, the rest continues the old time line: that frame is damaged, nothing else changes.',
    rows: [2],
    inputs: { 'input.bin': head().with(line(1000, 10)).mark(400, 'too old').with(line(1100, 12)) },
  },
  {
    name: 'two-falling-times-are-damage',
    proves: 'Two damaged frames in a row with different times are not a restart.',
    rows: [2],
    inputs: { 'input.bin': head().with(line(1000, 10)).mark(400, 'too old').mark(90, 'older').with(line(1100, 12)) },
  },
  {
    name: 'spike-forward-is-damage',
    proves:
      'One event far in the future, the rest continues the old time line: that frame is damaged, and the trace keeps its length.',
    rows: [3],
    inputs: {
      'input.bin': head()
        .with(line(1000, 10))
        .mark(1n << 40n, 'far away')
        .with(line(1100, 12)),
    },
  },
  {
    name: 'two-spikes-forward-are-damage',
    proves: 'Two damaged frames in a row with two different future times are both damage.',
    rows: [3],
    inputs: {
      'input.bin': head()
        .with(line(1000, 10))
        .mark(1n << 40n, 'far')
        .mark(1n << 50n, 'farther')
        .with(line(1100, 12)),
    },
  },
  {
    name: 'long-sleep-is-a-pause',
    proves: 'A target sleeps for minutes: the time jumps and later events follow it, so it is a pause, not damage.',
    rows: [3],
    inputs: { 'input.bin': head().with(line(1000, 10)).with(line(600_000_000, 12)) },
  },
  {
    name: 'spike-in-the-first-event',
    proves: 'The very first time stamp is damaged: the events after it determine the time line.',
    rows: [3],
    inputs: {
      'input.bin': head()
        .mark(1n << 41n, 'damaged')
        .with(line(1000, 14)),
    },
  },
  {
    name: 'spike-in-the-last-event',
    proves: 'A jump in the last event cannot be confirmed by a later event; the result is the same for any chunking.',
    rows: [3],
    inputs: {
      'input.bin': head()
        .with(line(1000, 10))
        .mark(1n << 40n, 'last'),
    },
  },
  {
    name: 'pause-before-the-last-event',
    proves: 'Ten events 10 us apart, then one 10 ms later at the end: a pause, and the event is kept.',
    rows: [3],
    inputs: {
      'input.bin': tasks()
        .with(turns(1000, 10, 1, 2))
        .ev('task_switched_in', 11_200, 1),
    },
  },
  {
    name: 'pause-at-the-end-of-one-core',
    proves:
      'The last event of core 1 comes after a very long pause, and core 0 has later events: the pause is confirmed.',
    rows: [3, 8],
    inputs: {
      'input.core0.bin': core_file(0, 1000, 60).with(turns(900_000_000, 6, 1, 2)),
      'input.core1.bin': core_file(1, 1003, 50).ev('task_switched_in', 800_000_000, 3),
    },
  },
  {
    name: 'spike-at-the-end-of-one-core',
    proves:
      'The last event of core 1 is as far ahead as in pause-at-the-end-of-one-core, but core 0 has no later events: damage.',
    rows: [3, 8],
    inputs: {
      'input.core0.bin': core_file(0, 1000, 60),
      'input.core1.bin': core_file(1, 1003, 50).ev('task_switched_in', 800_000_000, 3),
    },
  },
  {
    name: 'wrap-with-sparse-events',
    proves:
      'A 16-bit counter whose events are a tenth to a sixth of its period apart: every event is kept and every wrap is counted, from the first event on.',
    rows: [4],
    inputs: { 'input.bin': head().with(sparse(60_000, 80, (i) => 6000 + ((i * 7919) % 6001))) },
  },
  {
    name: 'wrap-with-too-sparse-events',
    proves:
      'The limit: with more than a quarter of a period between events, a first wrap cannot be distinguished from a restart.',
    rows: [4],
    inputs: { 'input.bin': head().with(sparse(1000, 12, () => 20_000)) },
  },
  wrap(16),
  wrap(24),
  wrap(31),
  wrap(32),
  wrap(48),
  {
    name: 'wrap-twice',
    proves: 'A 16-bit counter wraps three times: each wrap adds one period.',
    rows: [4],
    inputs: {
      'input.bin': head().with((s) => {
        for (let i = 0; i < 40; i++) s.mark((60000 + 5000 * i) % 65536, `${60000 + 5000 * i}`);
      }),
    },
  },
  {
    name: 'time-times-tick-length-stays-below-2-63',
    proves:
      'Time stamps whose product with the tick length exceeds 63 bits: the decoder uses the largest length that fits and reports it.',
    rows: [10],
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1_000_000)
        .ev('evtmarker_name', 1, 'progress')
        .with(line(0, 10, (ts) => (1n << 50n) + BigInt(ts))),
    },
  },
  {
    name: 'time-stamps-of-64-bits',
    proves: 'Time stamps near 2^64 stay in order and below the signed limit of the output.',
    rows: [10],
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1)
        .ev('evtmarker_name', 1, 'progress')
        .with(line(0, 10, (ts) => (1n << 64n) - 1000n + BigInt(ts))),
    },
  },
  {
    name: 'time-zero-is-a-time',
    proves: 'An event at tick 0 is valid.',
    inputs: { 'input.bin': head().mark(0, 'zero').ev('isr_enter', 0, 4).ev('isr_exit', 5, 4).mark(10, 'ten') },
  },
];

/**
 * The events that a target sends when tracing starts: the names of one run.
 * @param {string} task
 * @param {number} number
 * @returns {(stream: Stream) => void}
 */
const start_of_run = (task, number) => (s) => {
  s.ev('core_id', 0, 0)
    .ev('ts_resolution_ns', 1000)
    .ev('task_name', 1, 'IDLE')
    .ev('task_is_idle_task', 1, 0)
    .ev('task_name', 2, task);
  s.ev('queue_name', 1, `q${number}`)
    .ev('evtmarker_name', 1, `m${number}`)
    .ev('isr_name', 15, `i${number}`)
    .ev('valmarker_name', 1, `v${number}`);
  s.ev('task_evtmarker_name', 3, 0, `t${number}`).ev('core_id', 0, 0);
};

/**
 * One event for each kind of name, then two tasks that take turns.
 * @param {number} from
 * @returns {(stream: Stream) => void}
 */
const run = (from) => (s) => {
  s.ev('task_switched_in', from, 2)
    .ev('isr_enter', from + 1, 15)
    .ev('isr_exit', from + 2, 15)
    .ev('queue_send', from + 3, 1, 1)
    .ev('evtmarker', from + 4, 1, 'x');
  s.ev('valmarker', from + 5, 1, 7)
    .ev('task_evtmarker', from + 6, 3, 'y')
    .with(turns(from + 10, 5, 1, 2));
};

/** @type {GoldenCase[]} */
const RESTARTS = [
  {
    name: 'restart-makes-a-section',
    proves:
      'The target restarts: its times are placed after the old ones, open slices end, ids restart, and the report contains the position.',
    rows: [5],
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1000)
        .ev('evtmarker_name', 1, 'progress')
        .with(boot(5000))
        .ev('evtmarker_begin', 5140, 1, 'open at the reset')
        .ev('isr_enter', 5145, 9)
        .ev('ts_resolution_ns', 1000)
        .ev('evtmarker_name', 1, 'progress')
        .with(boot(10)),
    },
  },
  {
    name: 'restart-with-other-names',
    proves: 'After a restart the same id may be another task: the second section does not rename the first task.',
    rows: [5],
    inputs: {
      'input.bin': tasks().with((s) => {
        for (let i = 0; i < 10; i++) s.ev('task_switched_in', 9000 + 10 * i, 1 + (i % 2));
        s.ev('ts_resolution_ns', 1000).ev('task_name', 1, 'bootloader').ev('task_name', 2, 'verify');
        for (let i = 0; i < 12; i++) s.ev('task_switched_in', 20 + 10 * i, 1 + (i % 2));
      }),
    },
  },
  {
    name: 'restart-names-before-first-event',
    proves:
      'A restarted target sends its names before its first event: they belong to the new run (tasks, queues, markers and interrupts).',
    rows: [5],
    inputs: {
      'input.bin': new Stream().with(start_of_run('A', 1)).with(run(50_000)).with(start_of_run('Z', 2)).with(run(20)),
    },
  },
  {
    name: 'restart-names-after-first-event',
    proves: 'A restarted target creates a task before it sends its names: they belong to the new run too.',
    rows: [5],
    inputs: {
      'input.bin': new Stream()
        .with(start_of_run('A', 1))
        .with(run(50_000))
        .ev('task_created', 5, 2)
        .with(start_of_run('Z', 2))
        .with(run(20)),
    },
  },
  {
    name: 'restart-of-both-cores-shifts-both',
    proves: 'One file per core: both restart, and one common offset keeps them synchronous.',
    rows: [5],
    inputs: {
      'input.core0.bin': core_file(0, 5000, 12).raw(core_file(0, 20, 12).bytes()),
      'input.core1.bin': core_file(1, 5003, 10).raw(core_file(1, 25, 12).bytes()),
    },
  },
  {
    name: 'restart-resets-the-drop-count',
    proves: 'The drop count restarts from 0: no negative loss, no loss of 4 billion.',
    rows: [5, 12],
    inputs: {
      'input.bin': tasks()
        .ev('dropped_evt_cnt', 8990, 0)
        .with((s) => {
          for (let i = 0; i < 10; i++)
            s.ev('dropped_evt_cnt', 9000 + 10 * i, i < 5 ? 0 : 7).ev('task_switched_in', 9000 + 10 * i, 1 + (i % 2));
          s.ev('ts_resolution_ns', 1000).ev('task_name', 1, 'A').ev('task_name', 2, 'B');
          for (let i = 0; i < 12; i++)
            s.ev('dropped_evt_cnt', 20 + 10 * i, i < 6 ? 0 : 2).ev('task_switched_in', 20 + 10 * i, 1 + (i % 2));
        }),
    },
  },
  {
    name: 'start-frame-twice',
    proves:
      'Streaming is started again: the preamble with its core_id frames at tick 0 is neither a time nor a restart.',
    rows: [6],
    inputs: { 'input.bin': new Stream().with(preamble).with(line(1000, 10)).with(preamble).with(line(1200, 12)) },
  },
  {
    name: 'streaming-resumed-without-preamble',
    proves: 'Streaming is stopped and resumed: a pause in the events.',
    rows: [6],
    inputs: { 'input.bin': new Stream().with(preamble).with(line(1000, 10)).with(line(90_000, 12)) },
  },
];

/** @param {Stream} s */
function preamble(s) {
  s.ev('core_id', 0, 0)
    .ev('ts_resolution_ns', 1000)
    .ev('evtmarker_name', 1, 'progress')
    .ev('isr_name', 15, 'SysTick')
    .ev('core_id', 0, 0);
}

/** @type {GoldenCase[]} */
const CORES = [
  {
    name: 'core-out-of-range',
    proves: 'A damaged core_id with core 4000000000 creates no core; the events after it are kept.',
    rows: [7],
    inputs: {
      'input.bin': tasks()
        .ev('task_switched_in', 100, 1)
        .ev('core_id', 110, 4000000000)
        .ev('task_switched_in', 120, 2)
        .mark(130, 'after'),
    },
  },
  {
    name: 'core-count-from-data',
    proves: 'No option gives the number of cores: it comes from core_id events.',
    rows: [7],
    inputs: {
      'input.bin': new Stream().with((s) => {
        for (const core of [0, 1, 2]) {
          s.ev('core_id', 0, core)
            .ev('task_name', core + 1, `worker ${core}`)
            .ev('task_name', core + 4, `IDLE${core}`)
            .ev('task_is_idle_task', core + 4, core);
        }
        s.ev('ts_resolution_ns', 1000).ev('core_id', 0, 0);
        for (let i = 0; i < 12; i++)
          s.ev('core_id', 100 + 10 * i, i % 3).ev('task_switched_in', 100 + 10 * i, (i % 3) + (i % 2 ? 1 : 4));
      }),
    },
  },
  {
    name: 'core-id-with-falling-time',
    proves:
      'A core_id with a falling time (a damaged frame) is reported with its core and both times; the old time line continues.',
    rows: [2, 31],
    inputs: {
      'input.bin': tasks().with(line(1000, 8)).ev('core_id', 300, 1).ev('core_id', 1085, 0).with(line(1090, 12)),
    },
  },
  {
    name: 'one-core-ends-early',
    proves: 'Core 1 ends early: the rest of core 0 is converted, and the report contains the end of each core.',
    rows: [8],
    inputs: { 'input.core0.bin': core_file(0, 100, 40), 'input.core1.bin': core_file(1, 105, 8) },
  },
  {
    name: 'silent-core',
    proves: 'A core with names but without events does not affect the other core.',
    rows: [8],
    inputs: { 'input.core0.bin': core_file(0, 100, 20), 'input.core1.bin': core_file(1, 105, 0) },
  },
  {
    name: 'two-cores-without-core-id',
    proves: 'One stream of two cores without core_id frames: all events count as core 0, and none is lost.',
    rows: [8],
    inputs: {
      'input.bin': tasks()
        .ev('task_name', 4, 'IDLE1')
        .ev('task_is_idle_task', 4, 1)
        .with((s) => {
          for (let i = 0; i < 16; i++) s.ev('task_switched_in', 100 + 5 * i, 1 + (i % 4));
        }),
    },
  },
  {
    name: 'migration-at-one-tick',
    proves:
      'A task leaves core 0 at the tick at which it runs on core 1, and core 1 reports first: it is never on two cores and never lost.',
    rows: [19],
    inputs: {
      'input.bin': new Stream()
        .with(two_core_names)
        .ev('core_id', 0, 0)
        .ev('task_switched_in', 10, 1)
        .ev('core_id', 11, 1)
        .ev('task_switched_in', 11, 4)
        .ev('task_switched_in', 20, 1)
        .ev('core_id', 20, 0)
        .ev('task_switched_in', 20, 3)
        .ev('task_switched_in', 30, 2)
        .ev('core_id', 31, 1)
        .ev('task_evtmarker', 31, 1, 'on core 1')
        .ev('core_id', 40, 0)
        .ev('task_switched_in', 40, 1)
        .ev('core_id', 42, 1)
        .ev('task_switched_in', 42, 4)
        .ev('core_id', 50, 0)
        .ev('task_switched_in', 50, 3),
    },
  },
  {
    name: 'migration-between-two-files',
    proves: 'A task migrates at one tick, with one file per core, of which core 0 is sorted first.',
    rows: [19],
    inputs: {
      'input.core0.bin': new Stream()
        .with(names_of_core_0)
        .ev('task_switched_in', 10, 1)
        .ev('task_switched_in', 20, 3)
        .ev('task_switched_in', 30, 2)
        .ev('task_switched_in', 60, 3),
      'input.core1.bin': new Stream()
        .with(names_of_core_1)
        .ev('task_switched_in', 11, 4)
        .ev('task_switched_in', 20, 1)
        .ev('task_switched_in', 45, 4),
    },
  },
  {
    name: 'late-switch-out-does-not-stop-the-new-core',
    proves: 'Core 0 reports the next task long after core 1 took over the old one: the old one continues on core 1.',
    rows: [19],
    inputs: {
      'input.bin': new Stream()
        .with(two_core_names)
        .ev('core_id', 10, 0)
        .ev('task_switched_in', 10, 1)
        .ev('core_id', 12, 1)
        .ev('task_switched_in', 12, 4)
        .ev('task_switched_in', 20, 1)
        .ev('core_id', 35, 0)
        .ev('task_switched_in', 35, 3)
        .ev('core_id', 60, 1)
        .ev('task_switched_in', 60, 4),
    },
  },
  {
    name: 'names-only-in-the-other-file',
    proves: 'A task created on core 0 runs on core 1 and has its name on both; names of a file apply to all cores.',
    inputs: {
      'input.core0.bin': new Stream().with(names_of_core_0).ev('task_switched_in', 10, 2).ev('task_switched_in', 40, 3),
      'input.core1.bin': new Stream().with(names_of_core_1).ev('task_switched_in', 11, 1).ev('task_switched_in', 30, 4),
    },
  },
  {
    name: 'mutex-given-and-taken-in-one-tick',
    proves:
      'Core 1 gives a mutex in the tick in which core 0 takes it: both holds have their length, whatever the order of the cores in that tick.',
    inputs: {
      'input.core0.bin': head()
        .ev('task_name', 1, 'A')
        .ev('task_name', 2, 'B')
        .ev('queue_kind', 1, 3)
        .ev('queue_name', 1, 'bus')
        .ev('task_switched_in', 10, 1)
        .ev('queue_receive', 50, 1, 0)
        .ev('queue_send', 80, 1, 1)
        .ev('task_switched_in', 100, 3),
      'input.core1.bin': new Stream()
        .ev('task_switched_in', 10, 2)
        .ev('queue_receive', 20, 1, 0)
        .ev('queue_send', 50, 1, 1)
        .ev('task_switched_in', 90, 4),
    },
  },
  {
    name: 'interrupt-names-belong-to-a-core',
    proves: 'The same interrupt id has two names on two cores; core 1 uses a name that only core 0 defines.',
    inputs: {
      'input.core0.bin': head()
        .ev('isr_name', 15, 'SysTick')
        .ev('isr_name', 20, 'USART1')
        .ev('isr_enter', 10, 15)
        .ev('isr_exit', 12, 15)
        .ev('isr_enter', 30, 20)
        .ev('isr_exit', 33, 20),
      'input.core1.bin': new Stream()
        .ev('isr_name', 15, 'MTIMER')
        .ev('isr_enter', 11, 15)
        .ev('isr_exit', 14, 15)
        .ev('isr_enter', 31, 20)
        .ev('isr_exit', 36, 20),
    },
  },
];

/** @param {Stream} s */
function names_of_core_0(s) {
  s.ev('ts_resolution_ns', 1000)
    .ev('task_name', 1, 'A')
    .ev('task_name', 2, 'B')
    .ev('task_name', 3, 'IDLE0')
    .ev('task_is_idle_task', 3, 0);
}

/** @param {Stream} s */
function names_of_core_1(s) {
  s.ev('task_name', 4, 'IDLE1').ev('task_is_idle_task', 4, 1);
}

/** @param {Stream} s */
function two_core_names(s) {
  s.ev('core_id', 0, 0).with(names_of_core_0).ev('core_id', 0, 1).with(names_of_core_1);
}

/**
 * A loss count after each marker.
 * @param {number[]} lost
 * @returns {(stream: Stream) => void}
 */
const counts = (lost) => (s) => {
  lost.forEach((count, i) => s.mark(100 + 10 * i, `${count}`).ev('dropped_evt_cnt', 101 + 10 * i, count));
};

/** @type {GoldenCase[]} */
const LOSSES = [
  {
    name: 'unchanged-drop-counts',
    proves: 'After the first loss a target sends its count before every event; only changes are reported.',
    rows: [29],
    inputs: {
      'input.bin': head()
        .ev('dropped_evt_cnt', 90, 0)
        .with((s) => {
          for (let i = 0; i < 12; i++)
            s.ev('dropped_evt_cnt', 100 + 10 * i, i < 4 ? 0 : i < 8 ? 3 : 8).mark(100 + 10 * i, `${i}`);
        }),
    },
  },
  {
    name: 'drop-count-baseline-at-start',
    proves: 'A capture begins with a count of 500: those events were lost before its start, not in it.',
    rows: [12],
    inputs: {
      'input.bin': head()
        .ev('dropped_evt_cnt', 100, 500)
        .mark(100, 'first')
        .ev('dropped_evt_cnt', 200, 512)
        .mark(200, 'after a loss of 12'),
    },
  },
  {
    name: 'drop-count-wraps',
    proves: 'The drop count goes from 4294967290 to 4: ten events were lost.',
    rows: [12],
    inputs: {
      'input.bin': head()
        .ev('dropped_evt_cnt', 100, 4294967290)
        .mark(100, 'first')
        .ev('dropped_evt_cnt', 200, 4)
        .mark(200, 'after'),
    },
  },
  {
    name: 'drop-count-falls',
    proves:
      'The drop count falls from 9 to 4 without a restart of time: counting starts again from 4, without a loss of 4 billion.',
    rows: [12],
    inputs: {
      'input.bin': head()
        .ev('dropped_evt_cnt', 100, 0)
        .mark(100, 'a')
        .ev('dropped_evt_cnt', 150, 9)
        .mark(150, 'b')
        .ev('dropped_evt_cnt', 200, 4)
        .mark(200, 'c')
        .ev('dropped_evt_cnt', 250, 6)
        .mark(250, 'd'),
    },
  },
  {
    name: 'drop-count-jumps',
    proves:
      'The drop count jumps from 0 to 4000000000 and increases from there: the jump is implausible and reported, and only the seven events after it count as lost.',
    rows: [12],
    inputs: { 'input.bin': head().with(counts([0, 0, 4_000_000_000, 4_000_000_000, 4_000_000_007])) },
  },
  {
    name: 'drop-count-spikes',
    proves: 'The drop count goes from 0 to 3000000000 and back to 0: that frame was damaged, and no event was lost.',
    rows: [12],
    inputs: { 'input.bin': head().with(counts([0, 0, 3_000_000_000, 0, 0])) },
  },
  {
    name: 'drop-count-falls-and-returns',
    proves: 'The drop count goes from 9 to 4 and back to 10: the frame with 4 was damaged, and one event was lost.',
    rows: [12],
    inputs: { 'input.bin': head().with(counts([9, 9, 4, 10, 10])) },
  },
  {
    name: 'drop-count-falls-from-high',
    proves: 'A confirmed count falls, also from above 2^31: counting starts again, without a loss of a billion.',
    rows: [12],
    inputs: { 'input.bin': head().with(counts([3_000_000_000, 3_000_000_009, 3_000_000_009, 5, 5])) },
  },
  {
    name: 'loss-inside-open-slices',
    proves: 'Events are lost while an interrupt and a marker are open: the trace stays balanced and shows the gap.',
    rows: [26],
    inputs: {
      'input.bin': tasks()
        .ev('dropped_evt_cnt', 90, 0)
        .ev('task_switched_in', 100, 1)
        .ev('isr_enter', 110, 15)
        .ev('evtmarker_begin', 112, 1, 'open')
        .ev('dropped_evt_cnt', 200, 40)
        .ev('isr_enter', 200, 15)
        .ev('isr_exit', 205, 15)
        .ev('evtmarker_begin', 210, 1, 'again')
        .ev('evtmarker_end', 220, 1)
        .mark(230, 'after'),
    },
  },
  {
    name: 'drop-counts-of-two-cores-are-one-counter',
    proves: 'Both files contain the same counter of the target: a loss that both report counts once.',
    rows: [12],
    inputs: {
      'input.core0.bin': core_file(0, 100, 4)
        .ev('dropped_evt_cnt', 150, 0)
        .ev('task_switched_in', 150, 1)
        .ev('dropped_evt_cnt', 200, 5)
        .ev('task_switched_in', 200, 2),
      'input.core1.bin': core_file(1, 105, 4)
        .ev('dropped_evt_cnt', 155, 0)
        .ev('task_switched_in', 155, 3)
        .ev('dropped_evt_cnt', 205, 5)
        .ev('task_switched_in', 205, 4),
    },
  },
];

/** @type {GoldenCase[]} */
const TICK_LENGTH = [
  {
    name: 'tick-length-comes-last',
    proves: 'The tick length comes at the end of the recording and applies to all of it.',
    inputs: {
      'input.bin': new Stream().ev('evtmarker_name', 1, 'progress').with(line(100, 5)).ev('ts_resolution_ns', 250),
    },
  },
  {
    name: 'tick-length-is-missing',
    proves: 'A recording without a tick length: the decoder assumes one nanosecond and reports it.',
    inputs: { 'input.bin': new Stream().ev('evtmarker_name', 1, 'progress').with(line(100, 5)) },
  },
  {
    name: 'tick-length-is-given',
    proves: 'A recording without a tick length: the decoder uses the option.',
    options: { 'tick-ns': '500' },
    inputs: { 'input.bin': new Stream().ev('evtmarker_name', 1, 'progress').with(line(100, 5)) },
  },
  {
    name: 'tick-length-given-and-recorded',
    proves: 'The recording contains 1000 ns, the option is 500 ns: the option wins.',
    options: { 'tick-ns': '500' },
    inputs: { 'input.bin': head().with(line(100, 5)) },
  },
  {
    name: 'clock-rate-is-exact',
    proves:
      'The recording contains a rate of 168 MHz: times become nanoseconds, and the tick length, which is rounded to 6 ns, is not used.',
    inputs: { 'input.bin': rated(6, 168_000_000, 1).with(seconds(168_000_000)) },
  },
  {
    name: 'clock-rate-with-divisor',
    proves: 'The recording contains a rate of 72 MHz / 7: times become nanoseconds.',
    inputs: { 'input.bin': rated(97, 72_000_000, 7).with(seconds(72_000_000)) },
  },
  {
    name: 'clock-rate-of-a-watch-crystal',
    proves: 'The recording contains a rate of 32768 Hz, whose tick length has a fraction.',
    inputs: { 'input.bin': rated(30518, 32_768, 1).with(seconds(32_768)) },
  },
  {
    name: 'clock-rate-contradicts-tick-length',
    proves:
      'A damaged frame contains a rate that contradicts the tick length: the tick length is used, and the report has the problem RATE_CHANGED.',
    inputs: { 'input.bin': rated(10, 999_999_937, 1).with(line(100, 5)) },
  },
  {
    name: 'clock-rate-after-first-events',
    proves: 'The rate follows the first events: the tick length is used, and the report has the problem RATE_LATE.',
    inputs: {
      'input.bin': new Stream()
        .with(line(100, 3))
        .ev('ts_resolution_ns', 6)
        .ev('clock_hz', 168_000_000, 1)
        .with(line(200, 3)),
    },
  },
  {
    name: 'clock-rate-of-zero',
    proves: 'A rate of 0 is reported and ignored.',
    inputs: { 'input.bin': rated(10, 0, 1).ev('clock_hz', 5, 0).with(line(100, 3)) },
  },
  {
    name: 'clock-rate-is-given',
    proves: 'The option gives a rate of 48 MHz, the recording has a tick length: the option is used.',
    options: { 'clock-hz': '48000000' },
    inputs: { 'input.bin': new Stream().ev('ts_resolution_ns', 21).with(seconds(48_000_000)) },
  },
  {
    name: 'clock-rate-from-the-side',
    proves: 'The recording contains no rate, an earlier capture of 216 MHz does: it is used.',
    inputs: {
      'input.side.bin': rated(5, 216_000_000, 1).with(line(100, 5)),
      'input.bin': new Stream().ev('evtmarker_name', 1, 'second').with(seconds(216_000_000)),
    },
  },
  {
    name: 'tick-length-before-rate-from-the-side',
    proves: 'The recording contains a tick length, an earlier capture contains a rate: the tick length is used.',
    inputs: { 'input.side.bin': rated(5, 216_000_000, 1).with(line(100, 5)), 'input.bin': head().with(line(100, 5)) },
  },
  {
    name: 'clock-rate-and-a-restart',
    proves: 'The target of 84 MHz restarts and sends its rate again: both sections use it.',
    inputs: {
      'input.bin': rated(12, 84_000_000, 1)
        .with(line(84_000_000, 9))
        .ev('ts_resolution_ns', 12)
        .ev('clock_hz', 84_000_000, 1)
        .with(line(100, 9)),
    },
  },
  {
    name: 'tick-length-zero-is-ignored',
    proves: 'A tick length of 0 is counted and ignored; the last valid one is used.',
    inputs: { 'input.bin': head().with(line(100, 3)).ev('ts_resolution_ns', 0).with(line(200, 3)) },
  },
  {
    name: 'tick-length-changes',
    proves: 'Two tick lengths in one recording: one of them is used for all of it, and the contradiction is reported.',
    inputs: { 'input.bin': head().with(line(100, 3)).ev('ts_resolution_ns', 500).with(line(200, 3)) },
  },
  {
    name: 'tick-length-from-an-earlier-capture',
    proves: 'A ring dump without names and tick length takes both from an earlier capture.',
    inputs: {
      'input.side.bin': tasks()
        .ev('queue_kind', 1, 3)
        .ev('queue_name', 1, 'bus')
        .ev('task_switched_in', 5000, 3)
        .mark(5100, 'of the earlier capture'),
      'input.bin': new Stream()
        .raw([0x61, 0x62, 0x63, 0x00])
        .ev('task_switched_in', 90_000, 1)
        .ev('queue_receive', 90_010, 1, 0)
        .mark(90_020, 'in the ring')
        .ev('queue_send', 90_030, 1, 1)
        .ev('curtask_delay', 90_040, 3)
        .ev('task_switched_in', 90_050, 3),
    },
  },
  {
    name: 'own-names-override-earlier-capture',
    proves: 'Names in the recording override those of a side input.',
    inputs: {
      'input.side.bin': tasks().ev('isr_name', 15, 'old name'),
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 100)
        .ev('isr_name', 15, 'SysTick')
        .ev('task_name', 1, 'renamed')
        .ev('task_switched_in', 100, 1)
        .ev('isr_enter', 110, 15)
        .ev('isr_exit', 115, 15)
        .ev('task_switched_in', 120, 2)
        .ev('task_switched_in', 130, 3),
    },
  },
  {
    name: 'ring-dump-without-names',
    proves:
      'The ring dump of tick-length-from-an-earlier-capture alone: numbers instead of names, an unknown idle task, and the advice to add an earlier capture.',
    inputs: {
      'input.bin': new Stream()
        .raw([0x61, 0x62, 0x63, 0x00])
        .ev('task_switched_in', 90_000, 1)
        .ev('queue_receive', 90_010, 1, 0)
        .mark(90_020, 'in the ring')
        .ev('queue_send', 90_030, 1, 1)
        .ev('curtask_delay', 90_040, 3)
        .ev('task_switched_in', 90_050, 3),
    },
  },
  {
    name: 'time-range',
    proves: 'The trace contains only the given time range, with the correct states at its start.',
    options: { 'from-ns': '150000', 'to-ns': '250000' },
    inputs: {
      'input.bin': tasks()
        .ev('task_switched_in', 100, 1)
        .ev('evtmarker_begin', 120, 1, 'across the cut')
        .ev('valmarker', 130, 2, 7)
        .ev('curtask_delay', 180, 5)
        .ev('task_switched_in', 182, 3)
        .ev('evtmarker_end', 200, 1)
        .ev('valmarker', 210, 2, 9)
        .ev('task_to_rdy_state', 240, 1)
        .ev('task_switched_in', 245, 1)
        .mark(260, 'behind the range'),
    },
  },
  {
    name: 'time-range-single-state-at-start',
    proves: 'A task whose state at the start of the range is known only later has one state there.',
    options: { 'from-ns': '200000' },
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1000)
        .ev('task_name', 1, 'A')
        .ev('task_name', 2, 'B')
        .ev('task_name', 3, 'C')
        .ev('task_switched_in', 50, 1)
        .ev('task_to_rdy_state', 100, 2)
        .ev('task_switched_in', 150, 2)
        .ev('task_switched_in', 150, 1)
        .ev('task_switched_in', 250, 3)
        .ev('task_switched_in', 260, 1)
        .ev('task_to_rdy_state', 300, 2)
        .ev('task_switched_in', 350, 2)
        .ev('task_switched_in', 400, 1),
    },
  },
  {
    name: 'time-range-priority-at-start',
    proves: 'A priority that changes after the start of the range has its first value at the start.',
    options: { 'from-ns': '200000' },
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1000)
        .ev('task_name', 1, 'A')
        .ev('task_name', 2, 'B')
        .ev('task_priority_set', 100, 1, 5)
        .ev('task_switched_in', 100, 1)
        .ev('task_switched_in', 250, 2)
        .ev('task_priority_set', 300, 1, 7)
        .ev('task_switched_in', 400, 1),
    },
  },
  {
    name: 'time-range-tick-length-known-late',
    proves:
      'The range is converted with the tick length known so far; a host that can read twice passes the length beforehand.',
    options: { 'from-ns': '120000', 'to-ns': '180000' },
    inputs: {
      'input.bin': new Stream()
        .ev('evtmarker_name', 1, 'progress')
        .with(line(100_000, 5))
        .with(line(130_000, 5))
        .ev('ts_resolution_ns', 1000),
    },
  },
  {
    name: 'clock-runs-backwards',
    proves:
      'A clock that is scaled before it is widened runs backwards again and again: the recording keeps its format, and the report names the clock as the cause.',
    inputs: {
      'input.bin': head().with((s) => {
        for (let i = 1; i <= 40; i++) s.mark((i * 3_280_523_265) % 4_294_967_296, `${i}`);
      }),
    },
  },
  {
    name: 'wall-clock',
    proves: 'A wall clock option is written to the trace.',
    options: { 'wall-clock-ns': '1767225600000000000' },
    inputs: { 'input.bin': head().with(line(100, 3)) },
  },
];

const LONG_RUN = head()
  .with(tasks)
  .with((s) => {
    for (let i = 0; i < 40; i++) s.ev('task_switched_in', 5000 + 10 * i, 1 + (i % 2));
  })
  .bytes();

/**
 * Two cores take turns, in pieces of two events after a core_id.
 * @param {number} count of the pieces
 * @param {(ts: number) => number} time_of_core_id
 */
const pieces_of_cores = (count, time_of_core_id) => {
  const stream = new Stream();
  for (const core of [0, 1]) {
    stream
      .ev('core_id', 0, core)
      .ev('task_name', core + 1, `worker ${core}`)
      .ev('task_name', core + 3, `IDLE${core}`);
    stream.ev('task_is_idle_task', core + 3, core);
  }
  stream.ev('ts_resolution_ns', 1000);
  for (let i = 0; i < count; i++) {
    const [core, at] = [i % 2, 100 + 10 * i];
    const tasks = i % 4 < 2 ? [1, 3] : [3, 1];
    stream.ev('core_id', time_of_core_id(at), core);
    for (const [k, task] of tasks.entries()) stream.ev('task_switched_in', at + 3 * k, task + core);
  }
  return stream.bytes();
};

/** @param {(ts: number) => number} time_of_core_id */
const cores_received_twice = (time_of_core_id) => {
  const len = (/** @type {number} */ count) => pieces_of_cores(count, time_of_core_id).length;
  const last_event = new Stream().ev('task_switched_in', 300, 1).bytes().length;
  return received_twice(pieces_of_cores(30, time_of_core_id), len(14), len(22) - last_event);
};

/** @type {GoldenCase[]} */
const REPEATS = [
  {
    name: 'block-received-twice-of-two-cores',
    proves:
      'A block that begins with core_id of one core and ends within the events of the other one follows itself: the second copy is left out, and the events after it have their core.',
    inputs: { 'input.bin': cores_received_twice((ts) => ts) },
  },
  {
    name: 'block-received-twice-of-two-cores-without-times',
    proves:
      'The core_id at the start of such a block has no time, so it is decoded again: the events after the second copy have their core nevertheless.',
    inputs: { 'input.bin': cores_received_twice(() => 0) },
  },
  {
    name: 'block-received-twice',
    proves: 'A block of whole frames follows itself: the second copy is left out, and nothing restarts.',
    inputs: { 'input.bin': received_twice(LONG_RUN, LONG_RUN.length - 150, LONG_RUN.length - 54) },
  },
  {
    name: 'block-received-twice-in-mid-frame',
    proves:
      'A block that begins and ends within frames follows itself: the second copy is left out, and no frame is damaged.',
    inputs: { 'input.bin': received_twice(LONG_RUN, LONG_RUN.length - 152, LONG_RUN.length - 48) },
  },
  {
    name: 'block-received-twice-at-the-end',
    proves: 'The block that follows itself is the last one of the recording.',
    inputs: { 'input.bin': received_twice(LONG_RUN, LONG_RUN.length - 150, LONG_RUN.length) },
  },
  {
    name: 'restart-that-repeats-at-first',
    proves: 'A run repeats frames of the one before and then differs: it is a restart, and nothing is left out.',
    inputs: {
      'input.bin': {
        bytes: () => concat([LONG_RUN, LONG_RUN.subarray(0, LONG_RUN.length - 50), head().mark(6000, 'x').bytes()]),
      },
    },
  },
  {
    name: 'restart-with-the-same-bytes',
    proves: 'A target starts twice, sends the same bytes and goes on: it is a restart, and nothing is left out.',
    inputs: { 'input.bin': { bytes: () => concat([LONG_RUN, LONG_RUN, new Stream().mark(6000, 'x').bytes()]) } },
  },
];

/** @type {GoldenCase[]} */
export const TIME = [...EQUAL_TIMES, ...DAMAGED_TIMES, ...RESTARTS, ...REPEATS, ...CORES, ...LOSSES, ...TICK_LENGTH];
