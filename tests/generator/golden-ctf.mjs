// SPDX-License-Identifier: MIT
//
// Golden cases of CTF: streams of Zephyr in all layouts, metadata, damage, and traces of other systems.
import { LAYOUTS, event, metadata, packet } from './ctf.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./ctf.mjs').Layout} Layout */
/** @typedef {[ns: number, name: string, fields?: import('./ctf.mjs').Fields, core?: number]} Recorded */

/** @param {string} name @param {string} proves @param {Uint8Array} stream @param {string | Uint8Array} [description] @returns {GoldenCase} */
const one = (name, proves, stream, description) => ({
  name,
  proves,
  inputs: {
    ...(description ? { 'metadata.side.bin': { bytes: () => Buffer.from(description) } } : {}),
    'input.bin': { bytes: () => stream },
  },
});

const FOREVER = 0xffffffff,
  SEMAPHORE = 0x2000_1000,
  MUTEX = 0x2000_1040,
  QUEUE = 0x2000_1080,
  TIMER = 0x2000_10c0;

const thread = (/** @type {number} */ id, /** @type {string} */ name) => ({ thread_id: 0x2000_0000 + id, name });
const MAIN = thread(0x100, 'main'),
  WORKER = thread(0x200, 'worker'),
  IDLE = thread(0x300, 'idle');
const take = { id: SEMAPHORE, timeout: FOREVER },
  lock = { id: MUTEX, timeout: FOREVER };

/** @type {Recorded[]} */
const THREADS = [
  [1000, 'thread_create', MAIN],
  [2000, 'thread_info', { ...MAIN, stack_base: 0x2000_4000, stack_size: 1024 }],
  [3000, 'thread_create', WORKER],
  [3500, 'thread_priority_set', { ...WORKER, prio: -2 }],
  [3600, 'thread_priority_set', { ...WORKER, prio: -1 }],
  [4000, 'thread_create', IDLE],
  [5000, 'semaphore_init', { id: SEMAPHORE, ret: 0 }],
  [6000, 'mutex_init', { id: MUTEX, ret: 0 }],
  [7000, 'thread_switched_in', MAIN],
];

/** A thread that waits for a semaphore, a mutex that two threads want, an interrupt in an interrupt. @type {Recorded[]} */
const RUN = [
  ...THREADS,
  [10_000, 'mutex_lock_enter', lock],
  [11_000, 'mutex_lock_exit', { ...lock, ret: 0 }],
  [12_000, 'k_sleep_enter', { timeout: 1000 }],
  [13_000, 'thread_switched_out', MAIN],
  [14_000, 'thread_switched_in', WORKER],
  [15_000, 'semaphore_take_enter', take],
  [16_000, 'semaphore_take_blocking', take],
  [17_000, 'thread_pending', WORKER],
  [18_000, 'thread_switched_out', WORKER],
  [19_000, 'thread_switched_in', IDLE],
  [20_000, 'idle'],
  [500_000, 'isr_enter'],
  [502_000, 'isr_enter'],
  [503_000, 'semaphore_give_enter', { id: SEMAPHORE }],
  [504_000, 'thread_ready', WORKER],
  [505_000, 'semaphore_give_exit', { id: SEMAPHORE }],
  [506_000, 'isr_exit'],
  [508_000, 'isr_exit_to_scheduler'],
  [509_000, 'thread_switched_out', IDLE],
  [510_000, 'thread_switched_in', WORKER],
  [511_000, 'semaphore_take_exit', { ...take, ret: 0 }],
  [512_000, 'mutex_lock_enter', lock],
  [513_000, 'mutex_lock_blocking', lock],
  [514_000, 'thread_pending', WORKER],
  [515_000, 'thread_switched_out', WORKER],
  [516_000, 'thread_switched_in', IDLE],
  [1_012_000, 'isr_enter'],
  [1_013_000, 'thread_ready', MAIN],
  [1_014_000, 'isr_exit'],
  [1_015_000, 'thread_switched_out', IDLE],
  [1_016_000, 'thread_switched_in', MAIN],
  [1_017_000, 'k_sleep_exit', { timeout: 1000, ret: 0 }],
  [1_018_000, 'mutex_unlock_enter', { id: MUTEX }],
  [1_019_000, 'thread_ready', WORKER],
  [1_020_000, 'mutex_unlock_exit', { id: MUTEX, ret: 0 }],
  [1_021_000, 'named_event', { name: 'checkpoint', arg0: 7, arg1: 8 }],
  [1_022_000, 'thread_yield'],
  [1_023_000, 'thread_switched_out', MAIN],
  [1_024_000, 'thread_switched_in', WORKER],
  [1_025_000, 'mutex_lock_exit', { ...lock, ret: 0 }],
  [1_030_000, 'thread_abort', MAIN],
];

/** Queues and timers, and a call that times out. @type {Recorded[]} */
const OBJECTS = [
  ...THREADS,
  [20_000, 'timer_init', { id: TIMER }],
  [21_000, 'timer_start', { id: TIMER, duration: 100, period: 100 }],
  [22_000, 'msgq_put_enter', { id: QUEUE, timeout: 0 }],
  [23_000, 'msgq_put_exit', { id: QUEUE, timeout: 0, ret: 0 }],
  [24_000, 'msgq_get_enter', { id: QUEUE, timeout: 100 }],
  [25_000, 'msgq_get_blocking', { id: QUEUE, timeout: 100 }],
  [26_000, 'thread_pending', MAIN],
  [27_000, 'thread_switched_out', MAIN],
  [28_000, 'thread_switched_in', IDLE],
  [121_000, 'isr_enter'],
  [122_000, 'timer_expiry_enter', { id: TIMER }],
  [123_000, 'timer_expiry_exit', { id: TIMER }],
  [125_000, 'thread_ready', MAIN],
  [126_000, 'isr_exit'],
  [127_000, 'thread_switched_out', IDLE],
  [128_000, 'thread_switched_in', MAIN],
  [129_000, 'msgq_get_exit', { id: QUEUE, timeout: 100, ret: -11 }],
  [130_000, 'timer_stop', { id: TIMER }],
];

/** @param {Layout} layout @param {Recorded[]} events @param {number} [from] ns that are added */
const pieces = (layout, events, from = 0) =>
  events.map(([ns, name, fields, core]) => event(layout, name, ns + from, fields, core));
const stream = (/** @type {Layout} */ layout, /** @type {Recorded[]} */ events, from = 0) =>
  Buffer.concat(pieces(layout, events, from));

/** @param {Layout} layout @param {Recorded[]} events @param {Partial<Parameters<typeof packet>[1]>} [options] */
const packed = (layout, events, options = {}) =>
  packet(layout, {
    begin: events[0][0],
    end: events[events.length - 1][0],
    events: pieces(layout, events),
    size: 1024,
    ...options,
  });

/** Threads of a second CPU. @type {Recorded[]} */
const SECOND = [
  [7500, 'thread_create', thread(0x1100, 'net')],
  [8500, 'thread_switched_in', thread(0x1100, 'net')],
  [30_000, 'k_sleep_enter', { timeout: 10 }],
  [31_000, 'thread_switched_out', thread(0x1100, 'net')],
  [32_000, 'thread_switched_in', thread(0x1200, 'idle 01')],
  [700_000, 'thread_ready', thread(0x1100, 'net')],
  [701_000, 'thread_switched_out', thread(0x1200, 'idle 01')],
  [702_000, 'thread_switched_in', thread(0x1100, 'net')],
];

const { A, B, C, D, E, SMP } = LAYOUTS;
const KINDS = [...new Set(RUN.map(([, name]) => name))];
const half = RUN.length >> 1;
const without = (/** @type {Buffer} */ bytes, /** @type {number} */ at, /** @type {number} */ count) =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);

/** A trace of another system: bit fields, a variant, sequences, an enumeration, big-endian numbers. */
const GENERIC = `/* CTF 1.8 */
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; map = clock.c.value; } := uint27_clock_t;
typealias integer { size = 8; signed = false; } := uint8_t;
typealias integer { size = 16; signed = false; } := uint16_t;
typealias integer { size = 32; signed = false; } := uint32_t;
typealias integer { size = 64; signed = false; map = clock.c.value; } := clock_t;
typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; byte_order = le; } := float_t;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
env { tracer_name = "test"; };
clock { name = c; freq = 1000000; offset_s = 2; offset = 5; };
stream { id = 0;
  event.header := struct {
    enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
    variant <id> { struct { uint27_clock_t timestamp; } compact; struct { uint32_t id; clock_t timestamp; } extended; } v;
  } align(8);
  packet.context := struct { clock_t timestamp_begin; clock_t timestamp_end; uint32_t content_size; uint32_t packet_size; };
};
event { name = "io:read_entry"; id = 1; stream_id = 0; fields := struct { string file; uint8_t _len; uint16_t bytes[_len]; }; };
event { name = "io:read_exit"; id = 2; stream_id = 0; fields := struct {
  enum : uint8_t { "ok", "many" = 2 ... 9 } result; integer { size = 16; byte_order = be; base = 16; } flags; float_t level; uint8_t grid[2][2]; }; };
event { name = note; id = 400; stream_id = 0; fields := struct { enum : uint8_t { num, txt } tag; variant <tag> { uint32_t num; string txt; } v; }; };
`;

const u32 = (/** @type {number[]} */ ...values) => Buffer.from(new Uint32Array(values).buffer);
const u64 = (/** @type {number[]} */ ...values) => Buffer.from(new BigUint64Array(values.map(BigInt)).buffer);
/** Times have 27 bits here. @param {number} id @param {number} time */
const compact = (id, time) => u32((id | ((time % 2 ** 27) << 5)) >>> 0);
const extended = (/** @type {number} */ id, /** @type {number} */ time) =>
  Buffer.concat([Buffer.of(31), u32(id), u64(time)]);

function generic_stream() {
  const begin = 2 ** 27 - 50;
  const content = Buffer.concat([
    compact(1, begin + 10),
    Buffer.from('a.txt\0\x02\x01\0\x02\0', 'latin1'),
    compact(2, begin + 70), // the time of 27 bits has wrapped
    Buffer.of(5, 0xff, 0xfe, 0, 0, 0x80, 0x3f, 1, 2, 3, 4),
    extended(400, begin + 90),
    Buffer.of(0, 42, 0, 0, 0),
    extended(400, begin + 95),
    Buffer.from('\x01text\0', 'latin1'),
  ]);
  const bits = (32 + content.length) * 8;
  return Buffer.concat([
    u32(0xc1fc1fc1, 0),
    u64(begin, begin + 100),
    u32(bits, 256 * 8),
    content,
    Buffer.alloc(224 - content.length),
  ]);
}

/** @type {GoldenCase[]} */
export const CASES = [
  one(
    'threads-without-metadata',
    'Threads, waits, a mutex, nested interrupts and a named event, ids of 16 bits.',
    stream(B, RUN),
  ),
  one('ids-of-8-bits', 'The layout of the years before: ids of 8 bits.', stream(A, RUN)),
  one('times-of-64-bits', 'Times of 64 bits.', stream(C, RUN)),
  one('queues-and-timers', 'A message queue that times out, a timer that expires in an interrupt.', stream(C, OBJECTS)),
  one('time-wraps', 'The time of 32 bits wraps once.', stream(A, RUN, 2 ** 32 - 400_000)),
  one(
    'core-in-each-event',
    'The last field of each event is the core.',
    stream(
      SMP,
      [
        ...RUN.map((e) => /** @type {Recorded} */ ([e[0], e[1], e[2] ?? {}, 0])),
        ...SECOND.map((e) => /** @type {Recorded} */ ([e[0], e[1], e[2] ?? {}, 1])),
      ].sort((a, b) => a[0] - b[0]),
    ),
  ),
  one(
    'own-metadata',
    'The metadata names other ids than those of Zephyr.',
    stream(
      B,
      RUN.filter(([, name]) => name !== 'thread_info'),
    ),
    metadata(B, { events: KINDS.filter((name) => name !== 'thread_info') }),
  ),
  one(
    'big-endian-with-clock',
    'A big-endian stream whose clock has a rate.',
    stream({ ...C, big: true }, RUN),
    metadata({ ...C, big: true }, { events: KINDS, clock: 'freq = 500000000; offset = 100;' }),
  ),
  one(
    'packets-of-two-cpus',
    'Packets of two CPUs in one stream.',
    Buffer.concat([
      packed(D, RUN.slice(0, half)),
      packed(D, SECOND, { cpu: 1, size: 512 }),
      packed(D, RUN.slice(half), { discarded: 3 }),
    ]),
  ),
  one(
    'ring-of-packets',
    'A ring in RAM: the newest packet lies before the oldest one.',
    Buffer.concat([
      packed(E, RUN.slice(half), { sequence: 8 }),
      packet(E, { begin: 0, end: 0, events: [], size: 1024 }),
      packed(E, RUN.slice(0, half), { sequence: 7 }),
    ]),
  ),
  one(
    'lost-bytes',
    'Bytes are missing in a stream without packets: the next events are found by their contents.',
    without(
      stream(A, [...RUN, ...RUN.map(([ns, ...rest]) => /** @type {Recorded} */ ([ns + 2_000_000, ...rest]))]),
      700,
      3,
    ),
  ),
  one(
    'lost-bytes-in-a-packet',
    'Bytes are missing in a packet: its rest is left out.',
    without(
      Buffer.concat([
        packed(D, RUN.slice(0, half)),
        packed(D, SECOND, { cpu: 1, size: 512 }),
        packed(D, RUN.slice(half)),
      ]),
      300,
      33,
    ),
  ),
  one(
    'boot-text-and-unused-memory',
    'Text before the first event, zeros after the last one.',
    Buffer.concat([Buffer.from('*** Booting Zephyr OS ***\r\n'), stream(B, RUN), Buffer.alloc(300)]),
  ),
  one(
    'time-falls',
    'A time of 64 bits falls once: the trace goes on without a pause.',
    Buffer.concat([stream(C, RUN.slice(0, 40), 5_000_000_000), stream(C, RUN.slice(40), -1_000_000)]),
  ),
  one('cut-event-at-end', 'The capture ends in an event.', stream(B, RUN).subarray(0, -5)),
  one(
    'bit-fields-and-variants',
    'A trace of another system: slices and instants with their fields.',
    generic_stream(),
    GENERIC,
  ),
  one(
    'broken-event-block',
    'A block of the metadata has a syntax error: its event is left out.',
    stream(B, RUN),
    metadata(B, { events: KINDS }).replace('name = thread_yield;', 'name = thread_yield:'),
  ),
  one(
    'metadata-of-another-stream',
    'Metadata that does not fit: the layout of Zephyr is used.',
    stream(A, RUN),
    GENERIC,
  ),
  one(
    'unknown-type-in-metadata',
    'Metadata that cannot be read is refused with its line.',
    stream(A, RUN),
    metadata(A, { events: KINDS }).replace('struct event_header { uint32_t', 'struct event_header { time_t'),
  ),
];
