// SPDX-License-Identifier: MIT
//
// Golden cases of TraceRecorder streams: how bytes become events in order, and what these mean.

import { AT, FOREVER, psf, run } from './golden-psf-stream.mjs';
import { CODES, KERNELS, PsfEncoder } from './psf.mjs';
import { received_twice } from './received-twice.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./golden-psf-stream.mjs').PsfStream} PsfStream */
/** @typedef {import('./psf.mjs').PsfName} PsfName */

/** @param {string} name @param {string} proves @param {{ bytes(): Uint8Array }} stream @returns {GoldenCase} */
const one = (name, proves, stream) => ({ name, proves, inputs: { 'input.bin': stream } });
/** @param {Uint8Array} bytes */
const given = (bytes) => ({ bytes: () => bytes });

/** The tasks Main and Work take turns. @param {number} [from] @param {number} [rounds] @returns {(s: PsfStream) => void} */
const turns =
  (from = 100, rounds = 3) =>
  (s) => {
    for (let i = 0; i < rounds; i++) {
      const at = from + i * 100;
      s.ev(at, 'QUEUE_SEND', AT.QUEUE, 1)
        .ev(at + 2, 'TASK_READY', AT.WORK)
        .ev(at + 10, 'TASK_ACTIVATE', AT.WORK, 3);
      s.ev(at + 20, 'QUEUE_RECEIVE', AT.QUEUE, FOREVER, 0)
        .ev(at + 40, 'QUEUE_RECEIVE_BLOCK', AT.QUEUE, FOREVER, 0)
        .ev(at + 50, 'TASK_ACTIVATE', AT.MAIN, 2);
    }
  };
const named = (/** @type {PsfStream} */ s) =>
  s.ev(20, 'QUEUE_CREATE', AT.QUEUE, 4).ev(21, 'OBJ_NAME', AT.QUEUE, 'DataQ');
const ordinary = () => run().with(named).with(turns());

// ---- every kind of event -----------------------------------------------------------------------

/** Parameters for an event of this name. @param {PsfName} name @returns {import('./psf.mjs').PsfParam[]} */
function params_for(name) {
  /** @type {Partial<Record<PsfName, import('./psf.mjs').PsfParam[]>>} */
  const special = {
    TRACE_START: [AT.STARTUP],
    OBJ_NAME: [AT.QUEUE, 'DataQ'],
    DEFINE_ISR: [AT.UART, 5, 'UART'],
    USER_EVENT: [AT.LOG, 'hello'],
    USER_EVENT_FIXED: [AT.LOG, AT.TEXT],
    INTERVAL_START: [AT.LATENCY, 77, 5],
    INTERVAL_STOP: [AT.LATENCY, 77],
    INTERVAL_CHANNEL_CREATE: [AT.LATENCY, AT.SET],
    INTERVAL_CHANNEL_SET_CREATE: [AT.SET, 0],
    EXTENSION_CREATE: [AT.EXT, 0x1000000, 0x100, 2],
    HEAP_CREATE: [AT.EXT, 100, 200, 4096],
    COUNTER_CREATE: [AT.LEVEL, 0, -5, 10],
    COUNTER_CHANGE: [AT.LEVEL, -3],
    COUNTER_LIMIT_EXCEEDED: [AT.LEVEL],
    STATEMACHINE_CREATE: [AT.MODE, 0],
    STATEMACHINE_STATE_CREATE: [AT.ON, AT.MODE],
    STATEMACHINE_STATECHANGE: [AT.MODE, AT.ON],
    RUNNABLE_REGISTER: [AT.STEP, 'Step'],
    RUNNABLE_START: [AT.STEP],
    DEPENDENCY_REGISTER: [AT.TEXT, 1],
    ISR_BEGIN: [AT.UART],
    ISR_RESUME: [AT.UART],
    UNUSED_STACK: [AT.MAIN, 80],
    MALLOC: [0x20008000, 64],
    FREE: [0x20008000, 64],
    MALLOC_FAILED: [0, 4096],
    FREE_FAILED: [0, 16],
    NEW_TIME: [1],
    LOWPOWER_BEGIN: [10],
    TASK_DELAY: [5],
    TASK_DELAY_UNTIL: [9],
    TASK_ACTIVATE: [AT.MAIN, 2],
    TIMER_EXPIRED: [AT.TIMER, 0x08001235],
  };
  if (special[name]) return special[name];
  if (/^(LOWPOWER_END|IFE_|RUNNABLE_STOP|(TASK|TIMER|EVENTGROUP)_CREATE_FAILED)/.test(name)) return [];
  if (name.endsWith('_CREATE_FAILED')) return [0, 8];
  const object = /^TASK/.test(name)
    ? AT.WORK
    : /^QUEUE/.test(name)
      ? AT.QUEUE
      : /^SEM/.test(name)
        ? AT.SEM
        : /^MUTEX/.test(name)
          ? AT.LOCK
          : /^EVENTGROUP/.test(name)
            ? AT.FLAGS
            : /^STREAMBUF/.test(name)
              ? AT.BYTES
              : /^MSGBUF/.test(name)
                ? AT.MSGS
                : /^TIMER/.test(name)
                  ? AT.TIMER
                  : AT.TEXT;
  const alone =
    /^(PENDFUNC|TASK_(READY|SUSPEND|RESUME|RESUME_FROMISR|NOTIFY|NOTIFY_FROMISR)$|MUTEX_GIVE|TIMER_(START|STOP)(_FAILED)?$|(STREAM|MSG)BUF_\w+(_BLOCK|_FAILED)$)/.test(
      name,
    );
  if (alone) return [object];
  const three = /^(QUEUE_RECEIVE|QUEUE_PEEK|SEM_TAKE|SEM_PEEK)/.test(name) && !name.includes('FROMISR');
  return three ? [object, 10, 1] : [object, 1];
}

const EVERY = /** @type {PsfName[]} */ (Object.keys(CODES));
/** Creations first and deletions last, so that each object exists while it is used. @param {PsfName} name */
const order_of = (name) => (/_CREATE$|REGISTER$/.test(name) ? 0 : /_DELETE$/.test(name) ? 2 : 1);

const every_event = () => {
  const stream = run();
  let at = 100;
  for (const order of [0, 1, 2])
    for (const name of EVERY)
      if (order_of(name) === order && name !== 'TRACE_START') stream.ev((at += 10), name, ...params_for(name));
  return stream;
};

// ---- bytes -------------------------------------------------------------------------------------

const late = (/** @type {import('./psf.mjs').PsfOptions} */ options) =>
  psf(options).start().ev(100, 'TRACE_START', AT.MAIN).ev(200, 'TASK_ACTIVATE', AT.WORK, 3);
const two_cores = (/** @type {number} */ streams) => psf({ cores: 2, streams }).start();
const on_core_0 = (/** @type {PsfStream} */ s) =>
  s
    .ev(10, 'TRACE_START', AT.STARTUP, AT.STARTUP)
    .ev(20, 'TASK_ACTIVATE', AT.MAIN, 2)
    .ev(60, 'QUEUE_SEND', AT.QUEUE, 1)
    .ev(90, 'TASK_ACTIVATE', AT.IDLE, 0);
const on_core_1 = (/** @type {PsfStream} */ s) => {
  s.on(1)
    .ev(15, 'TASK_ACTIVATE', AT.IDLE, 0)
    .ev(30, 'ISR_BEGIN', AT.UART)
    .ev(40, 'TASK_ACTIVATE', AT.IDLE)
    .ev(70, 'TASK_ACTIVATE', AT.WORK, 3);
  s.ev(75, 'QUEUE_RECEIVE', AT.QUEUE, 0, 0)
    .ev(80, 'MUTEX_TAKE', AT.LOCK, 0)
    .ev(85, 'MUTEX_GIVE', AT.LOCK)
    .ev(95, 'TASK_ACTIVATE', AT.IDLE, 0);
};

/** Core 0 uses objects that core 1 creates. @param {PsfStream} s */
function uses_of_core_0(s) {
  s.on(0)
    .ev(10, 'TRACE_START', AT.STARTUP, AT.STARTUP)
    .ev(20, 'TASK_ACTIVATE', AT.IDLE, 0)
    .ev(60, 'ISR_BEGIN', AT.UART)
    .ev(65, 'TASK_ACTIVATE', AT.IDLE)
    .ev(70, 'TASK_ACTIVATE', AT.SHORT, 2)
    .ev(80, 'MUTEX_TAKE', AT.LOCK, 10)
    .ev(100, 'MUTEX_GIVE', AT.LOCK)
    .ev(130, 'TASK_DELAY', 5)
    .ev(131, 'TASK_ACTIVATE', AT.IDLE, 0);
}

/** @param {PsfStream} s */
function creations_of_core_1(s) {
  s.on(1)
    .ev(15, 'TASK_ACTIVATE', AT.MAIN, 3)
    .ev(25, 'DEFINE_ISR', AT.UART, 4, 'UART')
    .ev(30, 'ISR_BEGIN', AT.UART)
    .ev(35, 'TASK_ACTIVATE', AT.MAIN)
    .ev(40, 'OBJ_NAME', AT.LOCK, 'Lock')
    .ev(40, 'MUTEX_CREATE', AT.LOCK, 0)
    .ev(41, 'MUTEX_GIVE', AT.LOCK)
    .ev(45, 'OBJ_NAME', AT.SHORT, 'Short')
    .ev(46, 'TASK_CREATE', AT.SHORT, 2)
    .ev(47, 'TASK_READY', AT.SHORT)
    .ev(110, 'MUTEX_TAKE', AT.LOCK, 10)
    .ev(120, 'MUTEX_GIVE', AT.LOCK)
    .ev(140, 'TASK_ACTIVATE', AT.WORK, 1);
}

/** The target sends what a core has recorded, then what the other one has: times jump back. The header is missing. */
function late_of_two_cores() {
  const stream = psf({ cores: 2, streams: 3 });
  stream.encoder.counts = [0x0ff0, 0x0200];
  for (let run = 0; run < 4; run++) {
    for (const core of [0, 1]) {
      stream.on(core);
      for (let i = 0; i < 10; i++)
        stream.ev(
          100 + run * 200 + i * 20 + core,
          'TASK_ACTIVATE',
          i % 2 ? [AT.MAIN, AT.SHORT][core] : [AT.WORK, AT.IDLE][core],
          1 + (i % 2),
        );
    }
  }
  return stream.bytes();
}

/** Events of one core alone, for a file of its own. */
function second_file() {
  const stream = psf({ cores: 2, streams: 2 });
  on_core_1(stream);
  return stream;
}

/** Events and their offsets. @param {PsfEncoder} encoder @param {number} count */
function ring_events(encoder, count) {
  const events = Array.from({ length: count }, (_, i) =>
    i % 3 === 0
      ? encoder.event(1000 + i * 50, 'TASK_ACTIVATE', [i % 2 ? AT.WORK : AT.MAIN, 2 + (i % 2)])
      : encoder.event(1000 + i * 50, 'QUEUE_SEND', [AT.QUEUE, i % 4]),
  );
  return { events: concat(events), lengths: events.map(({ length }) => length) };
}

/** @param {import('./psf.mjs').PsfOptions} options @param {{ wrap?: boolean, split?: boolean, end?: boolean }} [shape] */
function ring({ ...options }, { wrap = false, split = false, end = true } = {}) {
  const encoder = new PsfEncoder(options);
  encoder.counts[0] = 4000;
  const { events, lengths } = ring_events(encoder, 30);
  const before = lengths.slice(0, 17).reduce((a, b) => a + b) + (split ? 6 : 0);
  const entries = [
    { address: AT.MAIN, states: [2], symbol: 'Main' },
    { address: 0 },
    { address: AT.WORK, states: [3], symbol: 'Work' },
  ];
  return encoder.image({
    entries,
    live: { latest: 2450, ticks: 2 },
    cores: [{ events, before: wrap ? before : events.length, free: split ? 0 : 64 }],
    end,
  });
}

/** A start event that the decoder defers, followed by long texts, until the nesting of two interrupts is known; it contains the task of
 * another core, and a third core sends nothing. */
function held_start() {
  const stream = psf({ cores: 3, streams: 3 })
    .start()
    .ev(10, 'ISR_BEGIN', AT.UART)
    .on(2)
    .ev(15, 'TASK_ACTIVATE', AT.TIMERS, 5)
    .on(0)
    .ev(20, 'ISR_BEGIN', AT.DMA)
    .ev(30, 'TRACE_START', AT.MAIN, AT.WORK);
  for (let i = 0; i < 60; i++) stream.say(40 + i, '%63d%63d%63d%63d', i, 2, 3, 4);
  stream.ev(110, 'ISR_RESUME', AT.UART).ev(115, 'TASK_ACTIVATE', AT.MAIN);
  return stream.on(1).ev(120, 'TASK_ACTIVATE', AT.IDLE, 0).on(2).ev(130, 'TASK_ACTIVATE', AT.SHORT, 4);
}

const damaged_middle = (/** @type {(bytes: number[]) => void} */ change) => {
  const bytes = [...run().with(named).with(turns(100, 8)).bytes()];
  change(bytes);
  return given(Uint8Array.from(bytes));
};

/** A timer that wraps between events. @param {import('./psf.mjs').PsfOptions} options @param {number} from @param {number} step */
const turning = (options, from, step) => {
  const stream = psf(options).start().ev(from, 'TRACE_START', AT.MAIN);
  for (let i = 1; i < 12; i++) stream.ev(from + i * step, 'TASK_ACTIVATE', i % 2 ? AT.WORK : AT.MAIN, 2 + (i % 2));
  return stream;
};

/** @type {GoldenCase[]} */
const BYTES = [
  one('every-event-of-freertos', 'Each of the 175 events is decoded and shown.', every_event()),
  one('big-endian', 'A stream of a big-endian target.', run({ big: true }).with(named).with(turns())),
  one(
    '64-bit-target',
    'A stream of a 64-bit target: long addresses, a 64-bit "forever", the lower half of arguments.',
    run({ word: 8 })
      .with(named)
      .ev(90, 'QUEUE_RECEIVE_BLOCK', AT.QUEUE, 0xffffffffffffffffn, 0)
      .say(95, '%d %u %ld', 0xdeadbeef00000005n, 7, -1n)
      .with(turns()),
  ),
  one(
    'stream-format-10',
    'The oldest format: name before version, frequency before period, counts from 1, addresses from the preceding name, intervals without instances.',
    run({ version: 10, slot: 24 })
      .ev(50, 'OBJ_NAME', AT.MODE, 'Mode')
      .ev(51, 'STATEMACHINE_CREATE', 0, 0)
      .ev(52, 'OBJ_NAME', AT.ON, 'ON')
      .ev(53, 'STATEMACHINE_STATE_CREATE', 0, AT.MODE)
      .ev(54, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.ON)
      .ev(55, 'OBJ_NAME', AT.LATENCY, 'Latency')
      .ev(56, 'INTERVAL_CHANNEL_CREATE', 0, 0)
      .ev(60, 'INTERVAL_START', AT.LATENCY, 1)
      .ev(80, 'INTERVAL_START', AT.LATENCY, 0)
      .ev(85, 'OBJ_NAME', AT.LEVEL, 'Level')
      .ev(86, 'COUNTER_CREATE', 0, 3, -10, 10, 0x04000000),
  ),
  one(
    'stream-format-12',
    'The field order of the old header with the counts of the new one.',
    run({ version: 12 }).with(named).with(turns()),
  ),
  one(
    'stream-format-13',
    'The new header without the mode of streams.',
    run({ version: 13 }).with(named).with(turns()),
  ),
  one(
    'newer-stream-format',
    'An unknown newer version is decoded like the newest known one, and reported.',
    run({ version: 17 }).with(named).with(turns()),
  ),
  one(
    'entry-table-names-and-levels',
    'A recording that starts late: names, priorities, capacities, counter, state and heap come from the entry table.',
    psf()
      .start([
        { address: AT.MAIN, states: [2], symbol: 'Main' },
        { address: AT.WORK, states: [3], symbol: 'Work' },
        { address: AT.IDLE, symbol: 'nothing' },
        { address: 0, symbol: 'unused' },
        { address: AT.TEXT, options: 0x01000000, symbol: 'nothing' },
        { address: AT.QUEUE, states: [6], symbol: 'DataQ' },
        { address: AT.LEVEL, states: [4, -1, 9], options: 0x04000000, symbol: 'Level' },
        { address: AT.ON, states: [AT.MODE], options: 0x10000000, symbol: 'ON' },
        { address: AT.MODE, states: [AT.ON], options: 0x20000000, symbol: 'Mode' },
        { address: 0x20009000, states: [1024, 2048, 8192], options: 0x80000000, symbol: 'System Heap' },
        { address: AT.EXT, states: [0x1000000, 0xfd, 2], options: 0x40000000, symbol: 'Ext' },
      ])
      .ev(100, 'TRACE_START', AT.MAIN)
      .code(110, 0xfe, 5, 6)
      .with(turns(120))
      .ev(500, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(600, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  one(
    'boot-text-before-the-header',
    'Bytes before the header are skipped and reported, including a false marker.',
    psf().raw('\r\nboot 1.2\r\nPSF\0\xff\xff and more').start().tasks().with(named).with(turns()),
  ),
  one(
    'header-in-mid-stream',
    'Recording was stopped and started again: a separate section, in which names stay valid.',
    ordinary()
      .start(
        [
          { address: AT.QUEUE, states: [4], symbol: 'DataQ' },
          { address: AT.MAIN, states: [2], symbol: 'Main' },
        ],
        { latest: 2000 },
      )
      .ev(2100, 'TRACE_START', AT.MAIN)
      .with(turns(2200, 2)),
  ),
  one(
    'restart-with-lost-events',
    'Events that were lost between two sections are counted.',
    ordinary().lose(12).start([], { latest: 2000 }).ev(2100, 'TRACE_START', AT.MAIN).with(turns(2200, 1)),
  ),
  one(
    'target-was-reset',
    'A section that begins before the end of the one before is placed directly after it.',
    ordinary().start().ev(5, 'TRACE_START', AT.MAIN).with(turns(100, 1)),
  ),
  one(
    'without-a-header',
    'A capture that began late: addresses instead of names, counts instead of nanoseconds.',
    given(run().with(named).with(turns(100, 4)).bytes().subarray(111)),
  ),
  one(
    'two-cores-without-a-header',
    'A capture of two cores in one stream that began late: the upper bits of the counts are the core number, and no event is lost.',
    given(late_of_two_cores()),
  ),
  one(
    'cut-in-a-second-header',
    'A file ends within the header of a restart: the events before it are converted.',
    ordinary().raw(psf().start().bytes().subarray(0, 40)),
  ),
  one('cut-in-the-last-event', 'The rest of the last event is reported, not decoded.', ordinary().cut(5)),
  one(
    'cut-in-the-header',
    'A file that ends within its header has no events.',
    given(
      psf()
        .start([{ address: 1, symbol: 'a' }])
        .bytes()
        .subarray(0, 50),
    ),
  ),
  one(
    'bytes-removed',
    'Lost bytes damage the events around them; the event count shows how many.',
    damaged_middle((bytes) => void bytes.splice(700, 23)),
  ),
  one(
    'bytes-inserted',
    'Foreign bytes in the middle are skipped.',
    damaged_middle((bytes) => void bytes.splice(716, 0, ...new TextEncoder().encode('panic: nothing'))),
  ),
  one(
    'bit-flip-in-event-code',
    'A damaged event code costs only its event.',
    damaged_middle((bytes) => void (bytes[713] ^= 0x40)),
  ),
  one(
    'bit-flip-in-event-count',
    'A damaged count costs its event, and no loss is reported.',
    damaged_middle((bytes) => void (bytes[682] ^= 0x08)),
  ),
  one(
    'event-of-an-unknown-task',
    'A switch to an address that the recording has not introduced is damaged: no such task, and the run around it is not measured.',
    ordinary()
      .ev(500, 'TASK_ACTIVATE', AT.WORK + 0x4000, 3)
      .with(turns(600, 2)),
  ),
  one(
    'task-that-is-not-introduced',
    'The second event of an address that the recording has not introduced proves that the task exists.',
    ordinary()
      .ev(500, 'TASK_READY', AT.WORK + 0x4000)
      .ev(510, 'TASK_ACTIVATE', AT.WORK + 0x4000, 3)
      .with(turns(600, 2)),
  ),
  one(
    'event-of-another-kind-of-object',
    'A semaphore event of a queue is damaged; the queue stays a queue.',
    ordinary().ev(500, 'SEM_GIVE', AT.QUEUE, 1).with(turns(600, 2)),
  ),
  one(
    'priority-that-was-not-announced',
    'A switch with another priority than the known one is damaged, unless the next switch has it too.',
    ordinary()
      .ev(500, 'TASK_ACTIVATE', AT.WORK, 77)
      .ev(540, 'TASK_ACTIVATE', AT.MAIN, 5)
      .ev(550, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(560, 'TASK_ACTIVATE', AT.MAIN, 5),
  ),
  one(
    'tick-that-falls',
    'A tick before the last one is damaged; the next tick continues.',
    ordinary().ev(500, 'NEW_TIME', 7).ev(600, 'NEW_TIME', 2).ev(700, 'NEW_TIME', 9),
  ),
  one(
    'state-that-is-not-introduced',
    'A state of a state machine at an address that the recording has not introduced is damaged.',
    ordinary()
      .ev(500, 'OBJ_NAME', AT.MODE, 'Mode')
      .ev(501, 'STATEMACHINE_CREATE', AT.MODE, 0)
      .ev(502, 'OBJ_NAME', AT.ON, 'ON')
      .ev(503, 'STATEMACHINE_STATE_CREATE', AT.ON, AT.MODE)
      .ev(510, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.ON)
      .ev(520, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.ON + 0x100),
  ),
  one(
    'events-missing',
    'A gap in the counts is a loss, with its size and time; open slices continue or end there.',
    run()
      .with(named)
      .ev(90, 'ISR_BEGIN', AT.UART)
      .ev(95, 'ISR_BEGIN', AT.DMA)
      .lose(7)
      .ev(400, 'TASK_ACTIVATE', AT.WORK, 3)
      .with(turns(500, 2)),
  ),
  one(
    'entry-table-count-too-large',
    'A damaged number of entries does not skip the events after the table.',
    given(
      (() => {
        const e = new PsfEncoder();
        const s = psf();
        s.encoder.counts[0] = 4;
        return concat([
          e.header(),
          e.table([{ address: AT.TEXT, symbol: 'a' }], 4000),
          s.tasks().with(turns()).bytes(),
        ]);
      })(),
    ),
  ),
  one(
    'impossible-entry-table',
    'A header with an impossible table is reported; the decoder finds the events by their order.',
    given(
      (() => {
        const e = new PsfEncoder();
        const s = psf();
        s.encoder.counts[0] = 4;
        return concat([e.header(), e.table([], 0x70000000), s.tasks().with(turns()).bytes()]);
      })(),
    ),
  ),
  one(
    'waits-after-lost-events',
    'After lost events, another task than the last known one may be running: the task of a wait is uncertain, and so is a wait without an end.',
    run()
      .with(named)
      .ev(30, 'TASK_READY', AT.WORK)
      .lose(3)
      .ev(100, 'QUEUE_RECEIVE_BLOCK', AT.QUEUE, FOREVER, 0)
      .ev(110, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(200, 'TASK_READY', AT.MAIN)
      .ev(300, 'TASK_DELAY', 5)
      .ev(310, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(400, 'QUEUE_RECEIVE_BLOCK', AT.QUEUE, FOREVER, 0)
      .ev(410, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(430, 'TASK_READY', AT.MAIN)
      .ev(440, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  one(
    'unknown-code',
    'An event with an unknown code is shown among the problems and costs no other event.',
    ordinary().code(500, 0x1a2, 1, 2, 3).with(turns(600, 2)),
  ),
  one(
    'unusual-number-of-parameters',
    'An event with more parameters than usual: the known ones are decoded.',
    ordinary().code(500, CODES.TASK_READY, AT.WORK, 5).with(turns(600, 2)),
  ),
  one('timer-32-bit-wraps', 'A free-running timer wraps.', turning({}, 2 ** 32 - 500, 100)),
  one('timer-counts-down', 'A timer that counts down wraps.', turning({ type: 2 }, 2 ** 32 - 500, 100)),
  one(
    'timer-os-tick',
    'Eight bits of the tick count with a counter that starts with each tick; more than 256 ticks pass.',
    turning({ type: 3, period: 1000 }, 200_100, 9_700),
  ),
  one(
    'timer-os-tick-counts-down',
    'Eight bits of the tick count with a counter that runs down, which reloads just before the tick is counted.',
    turning({ type: 4, period: 1000 }, 100, 1500)
      .ev(16_999, 'TASK_READY', AT.WORK)
      .at_timer((16 << 24) + 998, 'TASK_READY', AT.IDLE)
      .ev(17_003, 'NEW_TIME', 17)
      .ev(17_500, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  one(
    'timer-16-bit-wraps',
    'A custom timer of 16 bits wraps again and again.',
    turning({ type: 5, period: 65536 }, 60_000, 30_000),
  ),
  one(
    'timer-16-bit-counts-down',
    'A custom timer of 16 bits that counts down wraps again and again.',
    turning({ type: 6, period: 20_000 }, 100, 9_000),
  ),
  one(
    'rate-168-mhz-not-dividing',
    'A rate of 168 MHz: each time is rounded separately.',
    turning({ hz: 168_000_000 }, 1000, 12_345),
  ),
  one('rate-zero', 'Without a rate, times are in counts.', turning({ hz: 0 }, 1000, 100)),
  one(
    'two-cores-in-one-stream',
    'Blocks of events per core are merged by time; each core has its own start and event count.',
    two_cores(3).with(on_core_0).with(on_core_1).on(0).ev(120, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  one(
    'later-block-of-two-cores-begins-first',
    'The block of core 0 comes after that of core 1 in the stream, but contains the first event in time: the statistics contain holds of mutexes and waits.',
    two_cores(3).with(on_core_1).with(on_core_0),
  ),
  one(
    'mutex-given-and-taken-in-one-tick',
    'Core 1 gives a mutex in the tick in which core 0 takes it: the table of mutexes contains the length of both holds.',
    two_cores(3)
      .ev(10, 'TRACE_START', AT.STARTUP, AT.STARTUP)
      .ev(20, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(60, 'MUTEX_TAKE', AT.LOCK, 0)
      .ev(85, 'MUTEX_GIVE', AT.LOCK)
      .on(1)
      .ev(15, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(30, 'MUTEX_TAKE', AT.LOCK, 0)
      .ev(60, 'MUTEX_GIVE', AT.LOCK)
      .ev(95, 'TASK_ACTIVATE', AT.IDLE, 0),
  ),
  one(
    'file-of-one-of-two-cores',
    'The header names two cores with one file each, and only one file is given: the other core is missing, and its time is not measured.',
    two_cores(2).with(on_core_0),
  ),
  one(
    'start-event-for-other-core',
    'The start event on one core contains facts of another core: they apply after every core has sent an event.',
    held_start(),
  ),
  one(
    'loss-on-one-core',
    'A gap on one core does not affect the other.',
    two_cores(3)
      .with(on_core_0)
      .with(on_core_1)
      .lose(3)
      .ev(150, 'TASK_ACTIVATE', AT.WORK, 3)
      .on(0)
      .ev(160, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  {
    name: 'two-cores-in-two-files',
    proves: 'The file of the second core is decoded with the header of the first.',
    inputs: { 'input.core0.bin': two_cores(2).with(on_core_0), 'input.core1.bin': second_file() },
  },
  {
    name: 'two-files-in-reverse-order',
    proves: 'The header may be in the second file.',
    inputs: { 'input.core0.bin': second_file(), 'input.core1.bin': two_cores(2).with(on_core_0) },
  },
  one(
    'task-of-another-core-in-one-stream',
    'A task, a mutex and an interrupt that one core creates and both use: the stream contains the events of that core last.',
    two_cores(3).with(uses_of_core_0).with(creations_of_core_1),
  ),
  {
    name: 'task-of-another-core-in-two-files',
    proves:
      'A task, a mutex and an interrupt that one core creates and both use, in two files: one row each, for any order of the files.',
    inputs: {
      'input.core0.bin': two_cores(2).with(uses_of_core_0),
      'input.core1.bin': psf({ cores: 2, streams: 2 }).with(creations_of_core_1),
    },
  },
  one(
    'task-of-another-core-in-the-same-tick',
    'Core 1 creates a task in the tick in which core 0 switches to it: one task, with its name.',
    two_cores(3)
      .ev(10, 'TRACE_START', AT.STARTUP, AT.STARTUP)
      .ev(20, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(40, 'TASK_ACTIVATE', AT.SHORT, 2)
      .on(1)
      .ev(20, 'TASK_ACTIVATE', AT.MAIN, 3)
      .ev(40, 'OBJ_NAME', AT.SHORT, 'Short')
      .ev(40, 'TASK_CREATE', AT.SHORT, 2)
      .ev(60, 'TASK_ACTIVATE', AT.WORK, 1)
      .on(0)
      .ev(70, 'TASK_ACTIVATE', AT.IDLE, 0),
  ),
  one(
    'ring-in-memory',
    'A memory image: the oldest event comes first, and the time of the dump is that of its end.',
    given(ring({})),
  ),
  one('wrapped-ring', 'The events after the write position are the older ones.', given(ring({}, { wrap: true }))),
  one('ring-64-bit', 'The ring of a 64-bit target in a memory image.', given(ring({ word: 8 }, { wrap: true }))),
  one(
    'ring-of-format-10-with-a-split-event',
    'In the oldest images an event may be split across the end of the ring.',
    given(ring({ version: 10 }, { wrap: true, split: true })),
  ),
  one(
    'ring-of-format-12',
    'Images of the release between formats 10 and 13.',
    given(ring({ version: 12 }, { wrap: true })),
  ),
  one(
    'ring-inside-a-dump',
    'The decoder finds the image within a memory dump.',
    given(concat([Uint8Array.from({ length: 333 }, (_, i) => (i * 37) & 0xff), ring({}), new Uint8Array(40)])),
  ),
  one('truncated-ring', 'An image whose end is missing is reported and decoded.', given(ring({}, { end: false }))),
  one(
    'empty-ring',
    'A ring that was initialised and never written.',
    given(new PsfEncoder().image({ cores: [{ events: new Uint8Array(0), free: 128 }] })),
  ),
];

// ---- meaning -----------------------------------------------------------------------------------

const isr = (/** @type {number} */ address) => (/** @type {PsfStream} */ s) =>
  s
    .ev(20, 'DEFINE_ISR', AT.UART, 5, 'UART')
    .ev(20, 'DEFINE_ISR', AT.DMA, 6, 'DMA')
    .ev(20, 'DEFINE_ISR', AT.TIM, 7, 'TIM')
    .ev(30, 'ISR_BEGIN', address);
const life = (/** @type {PsfStream} */ s, /** @type {number} */ at, /** @type {string} */ name) =>
  s
    .ev(at, 'OBJ_NAME', AT.SHORT, name)
    .ev(at + 1, 'TASK_CREATE', AT.SHORT, 4)
    .ev(at + 2, 'TASK_READY', AT.SHORT)
    .ev(at + 5, 'TASK_ACTIVATE', AT.SHORT, 4)
    .ev(at + 20, 'TASK_DELETE', AT.SHORT, 4)
    .ev(at + 25, 'TASK_ACTIVATE', AT.MAIN, 2);

/** @type {GoldenCase[]} */
const MEANING = [
  one(
    'interrupt-inside-another',
    'The outer interrupt continues, so the inner one was nested.',
    run().with(isr(AT.UART)).ev(40, 'ISR_BEGIN', AT.DMA).ev(50, 'ISR_RESUME', AT.UART).ev(60, 'TASK_ACTIVATE', AT.MAIN),
  ),
  one(
    'interrupts-back-to-back',
    'The task continues at once, so the first interrupt had ended when the second began.',
    run()
      .with(isr(AT.UART))
      .ev(40, 'ISR_BEGIN', AT.DMA)
      .ev(45, 'QUEUE_SEND_FROMISR', AT.QUEUE, 1)
      .ev(50, 'ISR_BEGIN', AT.TIM)
      .ev(60, 'TASK_ACTIVATE', AT.MAIN),
  ),
  one(
    'nested-and-back-to-back',
    'The third interrupt was nested in the second, which began after the end of the first.',
    run()
      .with(isr(AT.UART))
      .ev(40, 'ISR_BEGIN', AT.DMA)
      .ev(50, 'ISR_BEGIN', AT.TIM)
      .ev(60, 'ISR_RESUME', AT.DMA)
      .ev(70, 'TASK_ACTIVATE', AT.WORK, 3),
  ),
  one(
    'interrupt-with-many-events',
    'An interrupt that does not end within 64 events counts as nested.',
    run()
      .with(isr(AT.UART))
      .ev(40, 'ISR_BEGIN', AT.DMA)
      .with((s) => {
        for (let i = 0; i < 70; i++) s.ev(50 + i, 'QUEUE_SEND_FROMISR', AT.QUEUE, i % 9);
      })
      .ev(200, 'TASK_ACTIVATE', AT.MAIN),
  ),
  one(
    'nested-interrupt-outer-entry-lost',
    'The entry of the outer interrupt was lost: where it continues, the inner one has ended.',
    run()
      .lose(1)
      .ev(40, 'ISR_BEGIN', AT.DMA)
      .ev(50, 'ISR_RESUME', AT.UART)
      .ev(60, 'TASK_ACTIVATE', AT.MAIN)
      .with(turns()),
  ),
  one(
    'interrupts-open-at-a-gap',
    'Nesting is not inferred across lost events: both interrupts end before the gap, nested.',
    run().with(isr(AT.UART)).ev(40, 'ISR_BEGIN', AT.DMA).lose(3).ev(60, 'TASK_ACTIVATE', AT.MAIN).with(turns()),
  ),
  one(
    'interrupts-open-at-the-end',
    'A recording that ends inside interrupts.',
    run().with(isr(AT.UART)).ev(40, 'ISR_BEGIN', AT.DMA),
  ),
  one(
    'address-reused',
    'Each object at a reused address is separate; tasks with one name share a row.',
    run().with((s) => {
      life(s, 100, 'Short');
      life(s, 200, 'Other');
      life(s, 300, 'Short');
    }),
  ),
  one(
    'address-reused-by-other-class',
    'A queue and later a mutex at one address.',
    run()
      .ev(50, 'QUEUE_CREATE', AT.QUEUE, 3)
      .ev(51, 'OBJ_NAME', AT.QUEUE, 'Q')
      .ev(60, 'QUEUE_SEND', AT.QUEUE, 1)
      .ev(70, 'QUEUE_DELETE', AT.QUEUE, 1)
      .ev(80, 'MUTEX_CREATE', AT.QUEUE, 0)
      .ev(81, 'MUTEX_GIVE', AT.QUEUE)
      .ev(82, 'OBJ_NAME', AT.QUEUE, 'M')
      .ev(90, 'MUTEX_TAKE', AT.QUEUE, 0)
      .ev(95, 'MUTEX_GIVE', AT.QUEUE),
  ),
  one(
    'created-at-live-address',
    'The deletion of the earlier object was lost.',
    run()
      .with((s) => life(s, 100, 'Short'))
      .ev(200, 'OBJ_NAME', AT.WORK, 'Second')
      .ev(201, 'TASK_CREATE', AT.WORK, 5)
      .ev(210, 'TASK_ACTIVATE', AT.WORK, 5),
  ),
  one(
    'truncated-name-after-full-name',
    'A truncated name does not replace the full name before it.',
    ordinary()
      .start([{ address: AT.QUEUE, symbol: 'Dat' }], { latest: 2000 })
      .ev(2100, 'TRACE_START', AT.MAIN)
      .with(turns(2200, 1)),
  ),
  one(
    'other-name-after-restart',
    'A name in the table that differs makes another object.',
    ordinary()
      .start([{ address: AT.QUEUE, symbol: 'CommandQ' }], { latest: 2000 })
      .ev(2100, 'TRACE_START', AT.MAIN)
      .with(turns(2200, 1)),
  ),
  one(
    'missing-names',
    'Objects without a name are named by kind and address.',
    psf()
      .start()
      .ev(10, 'TRACE_START', AT.MAIN)
      .with(turns())
      .ev(500, 'MUTEX_TAKE', AT.LOCK, 0)
      .ev(510, 'MUTEX_GIVE', AT.LOCK)
      .ev(520, 'ISR_BEGIN', AT.UART)
      .ev(530, 'TASK_ACTIVATE', AT.MAIN)
      .say(540, 'x'),
  ),
  one(
    'delay-ends-at-tick',
    'Delays end with the tick, without a waking task.',
    run()
      .ev(50, 'TASK_DELAY', 4)
      .ev(60, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(70, 'TASK_DELAY_UNTIL', 9)
      .ev(80, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(1000, 'NEW_TIME', 5)
      .ev(1002, 'TASK_READY', AT.MAIN)
      .ev(1010, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(1100, 'TASK_DELAY_UNTIL', 4)
      .ev(1110, 'TASK_ACTIVATE', AT.IDLE, 0),
  ),
  one(
    'wait-aborted',
    'A task that is switched to itself no longer waits.',
    run()
      .ev(50, 'QUEUE_RECEIVE_BLOCK', AT.QUEUE, 5, 0)
      .ev(60, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(100, 'TASK_ACTIVATE', AT.WORK, 3),
  ),
  one(
    'waits-for-buffers',
    'A task waits for a notification, which the kernel uses for a buffer.',
    run()
      .ev(50, 'STREAMBUF_CREATE', AT.BYTES, 64)
      .ev(51, 'OBJ_NAME', AT.BYTES, 'Bytes')
      .ev(60, 'STREAMBUF_RECEIVE_BLOCK', AT.BYTES)
      .ev(62, 'TASK_NOTIFY_WAIT_BLOCK', AT.MAIN, 20)
      .ev(70, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(80, 'STREAMBUF_SEND', AT.BYTES, 5)
      .ev(82, 'TASK_NOTIFY', AT.MAIN)
      .ev(84, 'TASK_READY', AT.MAIN)
      .ev(90, 'TASK_NOTIFY_WAIT_BLOCK', AT.WORK, FOREVER)
      .ev(95, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(97, 'TASK_NOTIFY_WAIT', AT.MAIN, 20)
      .ev(99, 'STREAMBUF_RECEIVE', AT.BYTES, 0),
  ),
  one(
    'timer-task',
    'The task that receives from the timer queue waits for timer commands.',
    run()
      .ev(20, 'OBJ_NAME', AT.TMRQ, 'TmrQ')
      .ev(21, 'QUEUE_CREATE', AT.TMRQ, 8)
      .ev(22, 'OBJ_NAME', AT.TIMERS, 'Tmr Svc')
      .ev(23, 'TASK_CREATE', AT.TIMERS, 6)
      .ev(24, 'OBJ_NAME', AT.TIMER, 'Blink')
      .ev(25, 'TIMER_CREATE', AT.TIMER, 10)
      .ev(30, 'QUEUE_SEND', AT.TMRQ, 1)
      .ev(31, 'TIMER_START', AT.TIMER)
      .ev(40, 'TASK_ACTIVATE', AT.TIMERS, 6)
      .ev(41, 'QUEUE_RECEIVE', AT.TMRQ, 0, 0)
      .ev(42, 'QUEUE_RECEIVE_FAILED', AT.TMRQ, 0, 0)
      .ev(43, 'TASK_DELAY_UNTIL', 10)
      .ev(50, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(10_000, 'NEW_TIME', 10)
      .ev(10_002, 'TASK_READY', AT.TIMERS)
      .ev(10_010, 'TASK_ACTIVATE', AT.TIMERS, 6)
      .ev(10_020, 'TIMER_EXPIRED', AT.TIMER, 0x08001235)
      .ev(10_030, 'TASK_DELAY_UNTIL', 9)
      .ev(10_040, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(20_000, 'TASK_ACTIVATE', AT.MAIN, 2),
  ),
  one(
    'priority-inheritance',
    'A held mutex: the waiting task, the holder, and the priority that rises meanwhile.',
    run()
      .ev(20, 'MUTEX_CREATE', AT.LOCK, 0)
      .ev(21, 'MUTEX_GIVE', AT.LOCK)
      .ev(22, 'OBJ_NAME', AT.LOCK, 'Bus')
      .ev(30, 'MUTEX_TAKE', AT.LOCK, FOREVER)
      .ev(40, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(50, 'MUTEX_TAKE_BLOCK', AT.LOCK, 10)
      .ev(52, 'TASK_READY', AT.MAIN)
      .ev(54, 'TASK_PRIO_INHERIT', AT.MAIN, 3)
      .ev(60, 'TASK_ACTIVATE', AT.MAIN, 3)
      .ev(80, 'MUTEX_GIVE', AT.LOCK)
      .ev(82, 'TASK_READY', AT.WORK)
      .ev(84, 'TASK_PRIO_DISINHERIT', AT.MAIN, 2)
      .ev(90, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(95, 'MUTEX_TAKE', AT.LOCK, 10)
      .ev(99, 'MUTEX_GIVE', AT.LOCK),
  ),
  one(
    'priority-set-while-inherited',
    'A priority is set while the task has inherited a higher one, which the next switch shows: nothing is damaged.',
    run()
      .ev(20, 'MUTEX_CREATE', AT.LOCK, 0)
      .ev(21, 'MUTEX_GIVE', AT.LOCK)
      .ev(30, 'MUTEX_TAKE', AT.LOCK, FOREVER)
      .ev(40, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(50, 'MUTEX_TAKE_BLOCK', AT.LOCK, 10)
      .ev(54, 'TASK_PRIO_INHERIT', AT.MAIN, 3)
      .ev(60, 'TASK_ACTIVATE', AT.MAIN, 3)
      .ev(62, 'TASK_PRIORITY', AT.MAIN, 1)
      .ev(64, 'TASK_DELAY', 1)
      .ev(66, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(68, 'TASK_READY', AT.MAIN)
      .ev(70, 'TASK_ACTIVATE', AT.MAIN, 3)
      .ev(80, 'MUTEX_GIVE', AT.LOCK)
      .ev(84, 'TASK_PRIO_DISINHERIT', AT.MAIN, 1),
  ),
  one(
    'user-event-format-strings',
    'Every conversion, flag and width, missing arguments, a text by its address.',
    run()
      .ev(20, 'OBJ_NAME', AT.LOG, 'Log')
      .ev(21, 'OBJ_NAME', AT.TEXT, 'registered')
      .say(30, '')
      .say(31, 'plain %% percent')
      .say(32, '%d %i %u', -5, 7, 0xfffffff0)
      .say(33, '%x %X %#x %p', 0xabc, 0xabc, 0xabc, 0x20001000)
      .say(34, '[%5d|%-5d|%05d|%+d|% d]', 42, 42, 42, 42, 42)
      .say(35, '%s and %s', AT.TEXT, 0x12345678)
      .say(36, '%c%c', 72, 105)
      .say(37, '%f %8f', 0x3fc00000, 0xbf800000)
      .say(38, '%d of %q', 1)
      .say(39, 'cut %')
      .say(40, 'level=%ld, rate: %u', -2, 9)
      .ev(41, 'USER_EVENT_FIXED', AT.LOG, AT.TEXT)
      .code(42, CODES.USER_EVENT_FIXED + 2, AT.LOG, 0x08003333, 4, 5)
      .say(43, 'a\u0000b'),
  ),
  one(
    'invalid-utf8-text',
    'Invalid bytes in names and texts are repaired.',
    run()
      .code(30, CODES.OBJ_NAME, AT.LOG, 0x00ff4eb5)
      .say(31, 'temp 21°')
      .code(32, CODES.USER_EVENT, AT.LOG, 0x2a2ab0ff),
  ),
  one(
    'numbers-in-user-events',
    'Numbers become counters, named after the words before them; many numbers in one text become a table.',
    run()
      .ev(20, 'OBJ_NAME', AT.LOG, 'ChanA')
      .say(30, 'sent %d of %u', 1, 3)
      .say(40, 'sent %d of %u', 2, 6)
      .say(50, '%d %d', 4, 5)
      .say(60, '%d %d', 6, 5)
      .say(70, '%d %d %d %d %d', 1, 2, 3, 4, 5),
  ),
  {
    name: 'user-events-as-log-messages',
    proves:
      'With an option, user events are log messages, those of an interrupt on the interrupted task; before the start the task is unknown.',
    options: { log: 'on' },
    inputs: {
      'input.bin': psf()
        .start()
        .say(5, 'too early')
        .tasks()
        .ev(20, 'OBJ_NAME', AT.LOG, 'ChanA')
        .say(30, 'sent %d', 1)
        .ev(31, 'DEFINE_ISR', AT.UART, 5, 'UART')
        .ev(31, 'ISR_BEGIN', AT.UART)
        .say(32, 'from the line')
        .ev(35, 'TASK_ACTIVATE', AT.MAIN)
        .ev(40, 'OBJ_NAME', AT.TEXT, '#WFR')
        .ev(41, 'USER_EVENT', AT.TEXT, 'No slots left'),
    },
  },
  one(
    'recorder-warnings',
    'Warnings of the recorder are not events of the application.',
    run().ev(20, 'OBJ_NAME', AT.LOG, '#WFR').say(30, 'No slots left in Stack Monitor'),
  ),
  one(
    'state-machine',
    'One slice per state; a repeated state continues its slice.',
    run()
      .ev(20, 'OBJ_NAME', AT.MODE, 'Mode')
      .ev(21, 'STATEMACHINE_CREATE', AT.MODE, 0)
      .ev(22, 'OBJ_NAME', AT.OFF, 'OFF')
      .ev(23, 'STATEMACHINE_STATE_CREATE', AT.OFF, AT.MODE)
      .ev(24, 'OBJ_NAME', AT.ON, 'ON')
      .ev(25, 'STATEMACHINE_STATE_CREATE', AT.ON, AT.MODE)
      .ev(30, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.OFF)
      .ev(50, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.ON)
      .ev(60, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.ON)
      .ev(90, 'STATEMACHINE_STATECHANGE', AT.MODE, AT.OFF),
  ),
  one(
    'intervals-that-overlap',
    'Intervals of one channel are distinguished by their instance.',
    run()
      .ev(20, 'OBJ_NAME', AT.SET, 'Latencies')
      .ev(21, 'INTERVAL_CHANNEL_SET_CREATE', AT.SET, 0)
      .ev(22, 'OBJ_NAME', AT.LATENCY, 'Answer')
      .ev(23, 'INTERVAL_CHANNEL_CREATE', AT.LATENCY, AT.SET)
      .ev(30, 'INTERVAL_START', AT.LATENCY, 30, 1)
      .ev(40, 'INTERVAL_START', AT.LATENCY, 40, 2)
      .ev(50, 'INTERVAL_STOP', AT.LATENCY, 30)
      .ev(60, 'INTERVAL_STOP', AT.LATENCY, 40),
  ),
  one(
    'interval-across-a-gap',
    'An interval may end after lost events; a new interval ends those from before.',
    run()
      .ev(22, 'OBJ_NAME', AT.LATENCY, 'Answer')
      .ev(23, 'INTERVAL_CHANNEL_CREATE', AT.LATENCY, 0)
      .ev(30, 'INTERVAL_START', AT.LATENCY, 30, 1)
      .ev(35, 'INTERVAL_START', AT.LATENCY, 35, 1)
      .lose(4)
      .ev(60, 'INTERVAL_STOP', AT.LATENCY, 30)
      .ev(70, 'INTERVAL_START', AT.LATENCY, 70, 1)
      .ev(80, 'INTERVAL_STOP', AT.LATENCY, 70),
  ),
  one(
    'counter-and-its-limits',
    'A signed counter; a value outside of its limits is a failure.',
    run()
      .ev(20, 'OBJ_NAME', AT.LEVEL, 'Level')
      .ev(21, 'COUNTER_CREATE', AT.LEVEL, -4, -10, 10)
      .ev(30, 'COUNTER_CHANGE', AT.LEVEL, 11)
      .ev(31, 'COUNTER_LIMIT_EXCEEDED', AT.LEVEL)
      .ev(40, 'COUNTER_CHANGE', AT.LEVEL, -3),
  ),
  one(
    'runnables',
    'Nested runnables of the running task; an end belongs to the innermost.',
    run()
      .ev(20, 'RUNNABLE_REGISTER', AT.STEP, 'Step')
      .ev(21, 'RUNNABLE_REGISTER', AT.TEXT, 'Part')
      .ev(30, 'RUNNABLE_START', AT.STEP)
      .ev(40, 'RUNNABLE_START', AT.TEXT)
      .ev(50, 'RUNNABLE_STOP')
      .ev(60, 'RUNNABLE_STOP'),
  ),
  one(
    'jobs',
    'A job ends with the next wait, or with an event of the task.',
    run()
      .with(named)
      .with(turns(100, 2))
      .ev(400, 'IFE_NEXT')
      .ev(410, 'TASK_DELAY', 5)
      .ev(420, 'TASK_ACTIVATE', AT.IDLE, 0)
      .ev(500, 'NEW_TIME', 5)
      .ev(501, 'TASK_READY', AT.MAIN)
      .ev(510, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(550, 'IFE_DIRECT')
      .ev(560, 'TASK_DELAY', 5)
      .ev(570, 'TASK_ACTIVATE', AT.IDLE, 0),
  ),
  one(
    'heap-and-stack',
    'Allocations, releases, blocks that were not freed, and free stack space.',
    run()
      .ev(30, 'MALLOC', 0x20008000, 100)
      .ev(40, 'MALLOC', 0x20008100, 50)
      .ev(50, 'FREE', 0x20008000, 104)
      .ev(60, 'MALLOC_FAILED', 0, 4096)
      .ev(70, 'UNUSED_STACK', AT.WORK, 88)
      .ev(80, 'UNUSED_STACK', AT.WORK, 60),
  ),
  one(
    'event-groups',
    'Bits that are set, waited for and read.',
    run()
      .ev(20, 'EVENTGROUP_CREATE', AT.FLAGS, 0)
      .ev(21, 'OBJ_NAME', AT.FLAGS, 'Flags')
      .ev(30, 'EVENTGROUP_WAITBITS_BLOCK', AT.FLAGS, 3)
      .ev(40, 'TASK_ACTIVATE', AT.WORK, 3)
      .ev(50, 'EVENTGROUP_SETBITS', AT.FLAGS, 1)
      .ev(52, 'TASK_READY', AT.MAIN)
      .ev(60, 'EVENTGROUP_SYNC_BLOCK', AT.FLAGS, 0x30)
      .ev(70, 'TASK_ACTIVATE', AT.MAIN, 2)
      .ev(75, 'EVENTGROUP_WAITBITS', AT.FLAGS, 3)
      .ev(80, 'ISR_BEGIN', AT.UART)
      .ev(85, 'EVENTGROUP_SETBITS_FROMISR', AT.FLAGS, 0x20)
      .ev(90, 'TASK_ACTIVATE', AT.MAIN)
      .ev(95, 'EVENTGROUP_WAITBITS_FAILED', AT.FLAGS, 8),
  ),
  one(
    'bare-metal',
    'The same file format without a kernel.',
    psf({ kernel: KERNELS.bare_metal })
      .start()
      .code(10, 0x01, AT.MAIN)
      .code(11, 0x03, AT.MAIN, 'main')
      .code(12, 0x05, AT.UART, 3, 'UART')
      .code(20, 0x21, AT.UART)
      .code(30, 0x25, AT.MAIN)
      .code(40, 0x49, AT.LEVEL, -2, -5, 5)
      .code(50, 0x4a, AT.LEVEL, 3)
      .code(60, 0x52, AT.LOG, 7, 'seven %d'),
  ),
  one(
    'zephyr',
    'Tasks, interrupts and user events of Zephyr; its calls are shown by their codes.',
    psf({ kernel: KERNELS.zephyr })
      .start()
      .ev(10, 'TRACE_START', AT.MAIN)
      .ev(11, 'OBJ_NAME', AT.MAIN, 'main')
      .code(20, 0x10, AT.WORK, 5)
      .ev(30, 'TASK_ACTIVATE', AT.WORK, 5)
      .code(40, 0x123, 1, 2)
      .ev(50, 'ISR_BEGIN', AT.UART)
      .ev(60, 'TASK_ACTIVATE', AT.WORK)
      .say(70, 'tick %d', 4),
  ),
  one(
    'zephyr-interrupt-codes',
    'The Zephyr recorder reports interrupts with codes of its own extension: nested, back to back, named by their numbers.',
    psf({ kernel: KERNELS.zephyr })
      .start([{ address: AT.EXT, states: [0x10100, 0x200, 12], options: 0x40000000, symbol: 'AutoISR' }])
      .ev(10, 'TRACE_START', AT.MAIN)
      .ev(11, 'OBJ_NAME', AT.MAIN, 'main')
      .code(20, 0x204)
      .code(30, 0x206)
      .code(40, 0x205)
      .ev(50, 'TASK_ACTIVATE', AT.MAIN)
      .code(60, 0x204)
      .code(70, 0x206)
      .ev(80, 'TASK_ACTIVATE', AT.WORK, 5),
  ),
  one(
    'threadx',
    'The event codes of ThreadX.',
    psf({ kernel: KERNELS.threadx })
      .start()
      .ev(10, 'TRACE_START', AT.MAIN)
      .ev(11, 'OBJ_NAME', AT.MAIN, 'main')
      .code(30, 4016, AT.WORK, 5)
      .code(40, 1234, 1, 2)
      .code(50, 4010, AT.UART)
      .code(60, 4016, AT.WORK)
      .code(70, 4032, AT.LOG, 9, 'nine %u')
      .code(80, 4020, AT.WORK, 44),
  ),
];

const LONG_RUN = run().with(turns(200, 30)).bytes();
/** @type {GoldenCase[]} */
const REPEATS = [0, 5, 10].map((cut) => ({
  name: `block-received-twice-cut-at-${cut}`,
  proves:
    'A block of events follows itself, cut somewhere in an event: the second copy is left out, and each event appears once.',
  inputs: { 'input.bin': received_twice(LONG_RUN, LONG_RUN.length - 400, LONG_RUN.length - 160 + cut) },
}));

export const PSF = [...BYTES, ...MEANING, ...REPEATS];
