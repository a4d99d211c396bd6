// SPDX-License-Identifier: MIT
//
// Writes streams and memory images of Percepio's TraceRecorder, as docs/formats/tracealyzer.md describes them.

import { concat } from './tband.mjs';

/** Codes of events in streams of FreeRTOS; of those with arguments the first one. */
export const CODES = /** @type {const} */ ({
  TRACE_START: 0x01,
  OBJ_NAME: 0x03,
  TASK_PRIORITY: 0x04,
  TASK_PRIO_INHERIT: 0x05,
  TASK_PRIO_DISINHERIT: 0x06,
  DEFINE_ISR: 0x07,
  TASK_CREATE: 0x10,
  QUEUE_CREATE: 0x11,
  SEM_BINARY_CREATE: 0x12,
  MUTEX_CREATE: 0x13,
  TIMER_CREATE: 0x14,
  EVENTGROUP_CREATE: 0x15,
  SEM_COUNTING_CREATE: 0x16,
  MUTEX_RECURSIVE_CREATE: 0x17,
  STREAMBUF_CREATE: 0x18,
  MSGBUF_CREATE: 0x19,
  TASK_DELETE: 0x20,
  QUEUE_DELETE: 0x21,
  SEM_DELETE: 0x22,
  MUTEX_DELETE: 0x23,
  TIMER_DELETE: 0x24,
  EVENTGROUP_DELETE: 0x25,
  STREAMBUF_DELETE: 0x28,
  MSGBUF_DELETE: 0x29,
  TASK_READY: 0x30,
  NEW_TIME: 0x31,
  ISR_BEGIN: 0x33,
  ISR_RESUME: 0x34,
  TASK_ACTIVATE: 0x37,
  MALLOC: 0x38,
  FREE: 0x39,
  LOWPOWER_BEGIN: 0x3a,
  LOWPOWER_END: 0x3b,
  IFE_NEXT: 0x3c,
  IFE_DIRECT: 0x3d,
  TASK_CREATE_FAILED: 0x40,
  QUEUE_CREATE_FAILED: 0x41,
  SEM_BINARY_CREATE_FAILED: 0x42,
  MUTEX_CREATE_FAILED: 0x43,
  TIMER_CREATE_FAILED: 0x44,
  EVENTGROUP_CREATE_FAILED: 0x45,
  SEM_COUNTING_CREATE_FAILED: 0x46,
  MUTEX_RECURSIVE_CREATE_FAILED: 0x47,
  TIMER_DELETE_FAILED: 0x48,
  STREAMBUF_CREATE_FAILED: 0x49,
  MSGBUF_CREATE_FAILED: 0x4a,
  QUEUE_SEND: 0x50,
  SEM_GIVE: 0x51,
  MUTEX_GIVE: 0x52,
  QUEUE_SEND_FAILED: 0x53,
  SEM_GIVE_FAILED: 0x54,
  MUTEX_GIVE_FAILED: 0x55,
  QUEUE_SEND_BLOCK: 0x56,
  SEM_GIVE_BLOCK: 0x57,
  MUTEX_GIVE_BLOCK: 0x58,
  QUEUE_SEND_FROMISR: 0x59,
  SEM_GIVE_FROMISR: 0x5a,
  QUEUE_SEND_FROMISR_FAILED: 0x5c,
  SEM_GIVE_FROMISR_FAILED: 0x5d,
  QUEUE_RECEIVE: 0x60,
  SEM_TAKE: 0x61,
  MUTEX_TAKE: 0x62,
  QUEUE_RECEIVE_FAILED: 0x63,
  SEM_TAKE_FAILED: 0x64,
  MUTEX_TAKE_FAILED: 0x65,
  QUEUE_RECEIVE_BLOCK: 0x66,
  SEM_TAKE_BLOCK: 0x67,
  MUTEX_TAKE_BLOCK: 0x68,
  QUEUE_RECEIVE_FROMISR: 0x69,
  SEM_TAKE_FROMISR: 0x6a,
  QUEUE_RECEIVE_FROMISR_FAILED: 0x6c,
  SEM_TAKE_FROMISR_FAILED: 0x6d,
  QUEUE_PEEK: 0x70,
  SEM_PEEK: 0x71,
  MUTEX_PEEK: 0x72,
  QUEUE_PEEK_FAILED: 0x73,
  SEM_PEEK_FAILED: 0x74,
  MUTEX_PEEK_FAILED: 0x75,
  QUEUE_PEEK_BLOCK: 0x76,
  SEM_PEEK_BLOCK: 0x77,
  MUTEX_PEEK_BLOCK: 0x78,
  TASK_DELAY_UNTIL: 0x79,
  TASK_DELAY: 0x7a,
  TASK_SUSPEND: 0x7b,
  TASK_RESUME: 0x7c,
  TASK_RESUME_FROMISR: 0x7d,
  PENDFUNCCALL: 0x80,
  PENDFUNCCALL_FROMISR: 0x81,
  PENDFUNCCALL_FAILED: 0x82,
  PENDFUNCCALL_FROMISR_FAILED: 0x83,
  USER_EVENT: 0x91,
  USER_EVENT_FIXED: 0x98,
  TIMER_START: 0xa0,
  TIMER_RESET: 0xa1,
  TIMER_STOP: 0xa2,
  TIMER_CHANGEPERIOD: 0xa3,
  TIMER_START_FROMISR: 0xa4,
  TIMER_RESET_FROMISR: 0xa5,
  TIMER_STOP_FROMISR: 0xa6,
  TIMER_CHANGEPERIOD_FROMISR: 0xa7,
  TIMER_START_FAILED: 0xa8,
  TIMER_RESET_FAILED: 0xa9,
  TIMER_STOP_FAILED: 0xaa,
  TIMER_CHANGEPERIOD_FAILED: 0xab,
  TIMER_START_FROMISR_FAILED: 0xac,
  TIMER_RESET_FROMISR_FAILED: 0xad,
  TIMER_STOP_FROMISR_FAILED: 0xae,
  TIMER_CHANGEPERIOD_FROMISR_FAILED: 0xaf,
  EVENTGROUP_SYNC: 0xb0,
  EVENTGROUP_WAITBITS: 0xb1,
  EVENTGROUP_CLEARBITS: 0xb2,
  EVENTGROUP_CLEARBITS_FROMISR: 0xb3,
  EVENTGROUP_SETBITS: 0xb4,
  EVENTGROUP_SETBITS_FROMISR: 0xb5,
  EVENTGROUP_SYNC_BLOCK: 0xb6,
  EVENTGROUP_WAITBITS_BLOCK: 0xb7,
  EVENTGROUP_SYNC_FAILED: 0xb8,
  EVENTGROUP_WAITBITS_FAILED: 0xb9,
  QUEUE_SEND_FRONT: 0xc0,
  QUEUE_SEND_FRONT_FAILED: 0xc1,
  QUEUE_SEND_FRONT_BLOCK: 0xc2,
  QUEUE_SEND_FRONT_FROMISR: 0xc3,
  QUEUE_SEND_FRONT_FROMISR_FAILED: 0xc4,
  MUTEX_GIVE_RECURSIVE: 0xc5,
  MUTEX_GIVE_RECURSIVE_FAILED: 0xc6,
  MUTEX_TAKE_RECURSIVE: 0xc7,
  MUTEX_TAKE_RECURSIVE_FAILED: 0xc8,
  TASK_NOTIFY: 0xc9,
  TASK_NOTIFY_WAIT: 0xca,
  TASK_NOTIFY_WAIT_BLOCK: 0xcb,
  TASK_NOTIFY_WAIT_FAILED: 0xcc,
  TASK_NOTIFY_FROMISR: 0xcd,
  TIMER_EXPIRED: 0xd2,
  STREAMBUF_SEND: 0xd3,
  STREAMBUF_SEND_BLOCK: 0xd4,
  STREAMBUF_SEND_FAILED: 0xd5,
  STREAMBUF_RECEIVE: 0xd6,
  STREAMBUF_RECEIVE_BLOCK: 0xd7,
  STREAMBUF_RECEIVE_FAILED: 0xd8,
  STREAMBUF_SEND_FROMISR: 0xd9,
  STREAMBUF_SEND_FROMISR_FAILED: 0xda,
  STREAMBUF_RECEIVE_FROMISR: 0xdb,
  STREAMBUF_RECEIVE_FROMISR_FAILED: 0xdc,
  STREAMBUF_RESET: 0xdd,
  MSGBUF_SEND: 0xde,
  MSGBUF_SEND_BLOCK: 0xdf,
  MSGBUF_SEND_FAILED: 0xe0,
  MSGBUF_RECEIVE: 0xe1,
  MSGBUF_RECEIVE_BLOCK: 0xe2,
  MSGBUF_RECEIVE_FAILED: 0xe3,
  MSGBUF_SEND_FROMISR: 0xe4,
  MSGBUF_SEND_FROMISR_FAILED: 0xe5,
  MSGBUF_RECEIVE_FROMISR: 0xe6,
  MSGBUF_RECEIVE_FROMISR_FAILED: 0xe7,
  MSGBUF_RESET: 0xe8,
  MALLOC_FAILED: 0xe9,
  FREE_FAILED: 0xea,
  UNUSED_STACK: 0xeb,
  STATEMACHINE_STATE_CREATE: 0xec,
  STATEMACHINE_CREATE: 0xed,
  STATEMACHINE_STATECHANGE: 0xee,
  INTERVAL_CHANNEL_CREATE: 0xef,
  INTERVAL_START: 0xf0,
  EXTENSION_CREATE: 0xf1,
  HEAP_CREATE: 0xf2,
  COUNTER_CREATE: 0xf3,
  COUNTER_CHANGE: 0xf4,
  COUNTER_LIMIT_EXCEEDED: 0xf5,
  MUTEX_TAKE_RECURSIVE_BLOCK: 0xf6,
  INTERVAL_STOP: 0xf7,
  INTERVAL_CHANNEL_SET_CREATE: 0xf8,
  RUNNABLE_REGISTER: 0xf9,
  RUNNABLE_START: 0xfa,
  RUNNABLE_STOP: 0xfb,
  DEPENDENCY_REGISTER: 0xfc,
});

export const KERNELS = { freertos: 0x1aa1, zephyr: 0x9aa9, threadx: 0xeaae, bare_metal: 0x1ff1 };

/** @typedef {keyof typeof CODES} PsfName */
/** @typedef {number | bigint | string} PsfParam a string takes as many words as it needs */
/** @typedef {{ address: number | bigint, states?: (number | bigint)[], options?: number, symbol?: string }} PsfEntry */
/**
 * @typedef {object} PsfOptions
 * @property {number} [version] of the stream
 * @property {number} [kernel]
 * @property {4 | 8} [word] bytes of an address
 * @property {boolean} [big] byte order
 * @property {number} [cores]
 * @property {number} [streams] 3: all cores in one stream, 2: one each
 * @property {number} [type] of the timer, 1 to 6
 * @property {number} [hz] of the timer
 * @property {number} [period] of the timer, or counts of an OS tick
 * @property {number} [slot] bytes for a symbol
 */

const MARK_BEGIN = [5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xf5, 0xf6, 0xf7, 0xf8];
const MARK_END = [0x0a, 0x0b, 0x0c, 0x0d, 0x71, 0x72, 0x73, 0x74, 0xf1, 0xf2, 0xf3, 0xf4];

export class PsfEncoder {
  /** @param {PsfOptions} [options] */
  constructor({
    version = 14,
    kernel = KERNELS.freertos,
    word = 4,
    big = false,
    cores = 1,
    streams = cores > 1 ? 3 : 2,
    type = 1,
    hz = 1_000_000,
    period = 0,
    slot = 28,
  } = {}) {
    Object.assign(this, { version, kernel, word, big, cores, streams, type, hz, period, slot });
    /** @type {number[]} events that each core attempted so far */
    this.counts = new Array(cores).fill(0);
  }
  version = 14;
  kernel = 0;
  word = 4;
  big = false;
  cores = 1;
  streams = 2;
  type = 1;
  hz = 1;
  period = 0;
  slot = 28;

  /** @param {number | bigint} value @param {number} size */
  #number(value, size) {
    const bytes = new Uint8Array(size);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let i = 0; i < size; i++, rest >>= 8n) bytes[this.big ? size - 1 - i : i] = Number(rest & 255n);
    return bytes;
  }

  /** @param {number | bigint} value */
  u32 = (value) => this.#number(value, 4);
  /** @param {number | bigint} value */
  addr = (value) => this.#number(value, this.word);

  /** @param {string} text @param {number} size */
  #text(text, size) {
    const bytes = new Uint8Array(size);
    bytes.set(new TextEncoder().encode(text).subarray(0, size));
    return bytes;
  }

  /** Header and timestamp block. @param {{ wraps?: number, latest?: number, ticks?: number }} [live] */
  header({ wraps = 0, latest = this.type % 2 ? 0 : 0xffffffff, ticks = 0 } = {}) {
    const old = this.version < 13;
    const platform =
      { [KERNELS.freertos]: 'FreeRTOS', [KERNELS.zephyr]: 'Zephyr', [KERNELS.threadx]: 'ThreadX' }[this.kernel] ??
      'generic';
    const name = this.#text(platform, 8);
    const version = [this.#number(0, 2), Uint8Array.of(2, 1)];
    const streams = this.version >= 14 ? this.streams << 8 : 0;
    const clock = old ? [this.addr(this.hz), this.u32(this.period)] : [this.u32(this.period), this.addr(this.hz)];
    return concat([
      this.u32(0x50534600),
      this.#number(this.version, 2),
      this.#number(this.kernel, 2),
      this.u32(this.word === 8 ? 8 : 0),
      this.u32(this.cores | streams),
      this.u32(0),
      ...(old ? [name, ...version] : [...version, name]),
      this.u32(this.type),
      ...clock,
      this.u32(wraps),
      this.u32(1000),
      this.u32(latest),
      this.u32(ticks),
    ]);
  }

  /** @param {PsfEntry[]} entries @param {number} [claimed] number that the table tells */
  table(entries, claimed = entries.length) {
    return concat([
      this.addr(claimed),
      this.addr(this.slot),
      this.addr(3),
      ...entries.flatMap(({ address, states = [], options = 0, symbol = '' }) => [
        this.addr(address),
        ...[0, 1, 2].map((i) => this.addr(states[i] ?? 0)),
        this.u32(options),
        this.#text(symbol, this.slot),
      ]),
    ]);
  }

  /** The start of a session; from version 12 on it increments the count of the starting core. @param {PsfEntry[]} entries @param {Parameters<PsfEncoder['header']>[0]} [live] */
  start(entries = [], live) {
    if (this.version >= 12) this.counts[0] += 3 + entries.length;
    return concat([this.header(live), this.table(entries)]);
  }

  /** The timer value at a time in counts. @param {number} time */
  timer(time) {
    const turn = this.period || 2 ** 32;
    switch (this.type) {
      case 1:
        return time % 2 ** 32;
      case 2:
        return 0xffffffff - (time % 2 ** 32);
      case 3:
        return (Math.floor(time / turn) % 256) * 2 ** 24 + (time % turn);
      case 4:
        return (Math.floor(time / turn) % 256) * 2 ** 24 + (turn - 1 - (time % turn));
      case 5:
        return time % turn;
      default:
        return turn - 1 - (time % turn);
    }
  }

  /** @param {PsfParam[]} params */
  #params(params) {
    return concat(
      params.map((param) => {
        if (typeof param !== 'string') return this.addr(param);
        const text = new TextEncoder().encode(`${param}\0`);
        return this.#text(param, Math.ceil(text.length / this.word) * this.word);
      }),
    );
  }

  /** An event with any code. @param {number} time in counts @param {number} code @param {PsfParam[]} params @param {number} [core] */
  code(time, code, params = [], core = 0) {
    const words = this.#params(params);
    this.counts[core]++;
    const count = this.cores > 1 ? (core << 12) | (this.counts[core] & 0xfff) : this.counts[core] & 0xffff;
    return concat([
      this.#number(code | ((words.length / this.word) << 12), 2),
      this.#number(count, 2),
      this.u32(this.timer(time)),
      words,
    ]);
  }

  /** @param {number} time @param {PsfName} name @param {PsfParam[]} [params] @param {number} [core] */
  event(time, name, params, core) {
    return this.code(time, CODES[name], params, core);
  }

  /** @param {number} time @param {number | bigint} channel @param {string} format @param {(number | bigint)[]} [args] @param {number} [core] */
  user(time, channel, format, args = [], core = 0) {
    return this.code(time, CODES.USER_EVENT + args.length, [channel, ...args, format], core);
  }

  /**
   * The memory of a recorder that writes into a ring: its buffers hold `events` of each core, the oldest of them `before` the end.
   * @param {{ entries?: PsfEntry[], cores: { events: Uint8Array, before?: number, free?: number }[], live?: Parameters<PsfEncoder['header']>[0], end?: boolean }} image
   */
  image({ entries = [], cores, live, end = true }) {
    const rings = cores.map(({ events, before = events.length, free = 64 }) => this.#ring(events, before, free));
    const size = rings.reduce((sum, { length }) => sum + length, 0);
    return concat([
      Uint8Array.from(MARK_BEGIN),
      this.header(live),
      this.table(entries),
      this.addr(size),
      ...rings,
      Uint8Array.from(end ? MARK_END : []),
    ]);
  }

  /** @param {Uint8Array} events @param {number} before @param {number} free */
  #ring(events, before, free) {
    const wraps = before < events.length;
    const size = events.length + free;
    const tail = size - before;
    const head = wraps ? events.length - before : events.length;
    const data = new Uint8Array(size);
    data.set(events.subarray(0, before), wraps ? tail : 0);
    if (wraps) data.set(events.subarray(before), 0);
    const fields = [
      head,
      wraps ? tail : 0,
      size,
      1,
      0,
      free,
      ...(this.version < 12 ? [0] : [0, 0, 0]),
      ...(this.version < 13 ? [] : [0]),
    ];
    return concat([...fields.map(this.u32), this.addr(0x20000000), data]);
  }
}
