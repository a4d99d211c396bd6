// SPDX-License-Identifier: MIT
//
// Builds the golden cases of QS: records of one target, with any bytes between them.

import { QsEncoder, SIZES_32 } from './qs.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./qs.mjs').RecordName} RecordName */
/** @typedef {import('./qs.mjs').Value} Value */

/** Objects, states and signals of the cases. */
export const OBJ = {
  A: 0x20000100,
  B: 0x20000200,
  POOL: 0x20000300,
  TIMER: 0x20000400,
  QUEUE: 0x20000500,
  LOCK: 0x20000600,
  IRQ: 0x20000700,
};
export const FUN = { TOP: 0x08000001, IDLE: 0x08000101, BUSY: 0x08000201, WORK: 0x08000301 };
export const SIG = { GO: 4, DONE: 5, TICK: 6 };
const NAMES = {
  A: 'Alpha',
  B: 'Beta',
  POOL: 'EvtPool1',
  TIMER: 'Alpha.timer',
  QUEUE: 'Alpha.deferred',
  LOCK: 'bus',
  IRQ: 'l_isr',
};

export class QsStream {
  /** @type {Uint8Array[]} */
  #parts = [];

  /** @param {ConstructorParameters<typeof QsEncoder>[0]} [options] */
  constructor(options) {
    this.encoder = new QsEncoder(options);
  }

  /** The start of a run: EMPTY and the target info with its sizes. @param {Parameters<QsEncoder['target_info']>[0]} [info] */
  start(info) {
    this.encoder.sequence = 1;
    return this.rec('EMPTY').info(info);
  }

  /** @param {Parameters<QsEncoder['target_info']>[0]} [info] */
  info(info) {
    return this.raw(this.encoder.target_info(info));
  }

  /** @param {RecordName} name @param {...Value} values the time stamp first */
  rec(name, ...values) {
    return this.raw(this.encoder.record(name, ...values));
  }

  /** An application record. @param {number} number @param {number} ts @param {...import('./qs.mjs').Element} elements */
  user(number, ts, ...elements) {
    return this.raw(this.encoder.user(number, ts, ...elements));
  }

  /** A frame with a valid checksum and any content. @param {number} record @param {...number} payload */
  odd(record, ...payload) {
    return this.raw(this.encoder.frame(record, payload));
  }

  /** @param {ArrayLike<number> | string} bytes as they are */
  raw(bytes) {
    this.#parts.push(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes));
    return this;
  }

  /** Skips sequence numbers, as if records had been lost. @param {number} count */
  lose(count) {
    this.encoder.sequence = (this.encoder.sequence + count) & 0xff;
    return this;
  }

  /** @param {number} len bytes that the last part loses at its end */
  cut(len) {
    const last = /** @type {Uint8Array} */ (this.#parts.pop());
    this.#parts.push(last.subarray(0, last.length - len));
    return this;
  }

  /** Changes one byte of the last frame. @param {number} at @param {number} value */
  poke(at, value) {
    this.#parts[this.#parts.length - 1][at] = value;
    return this;
  }

  /** @param {(stream: QsStream) => unknown} body what several cases share */
  with(body) {
    body(this);
    return this;
  }

  // ---- records of a target ----

  /** The names of all objects in the cases. */
  names() {
    for (const key of /** @type {(keyof typeof OBJ)[]} */ (Object.keys(OBJ)))
      this.rec('OBJ_DICT', OBJ[key], NAMES[key]);
    this.rec('FUN_DICT', FUN.TOP, 'QHsm_top')
      .rec('FUN_DICT', FUN.IDLE, 'Alpha_idle')
      .rec('FUN_DICT', FUN.BUSY, 'Alpha_busy')
      .rec('FUN_DICT', FUN.WORK, 'Beta_work');
    return this.rec('SIG_DICT', SIG.GO, 0, 'GO_SIG')
      .rec('SIG_DICT', SIG.DONE, 0, 'DONE_SIG')
      .rec('SIG_DICT', SIG.TICK, OBJ.A, 'TICK_SIG')
      .rec('USR_DICT', 100, 'NOTE');
  }

  /** A record that shows that decoding continues. @param {number} ts @param {string} text */
  note(ts, text) {
    return this.user(100, ts, ['str', text]);
  }

  /** @param {number} ts @param {number} sig @param {number} to @param {number} [free] left in its queue @param {number} [sender] */
  post(ts, sig, to, free = 7, sender = OBJ.IRQ) {
    return this.rec('QF_ACTIVE_POST', ts, sender, sig, to, 0, 0, free, free);
  }

  /** Takes an event and begins a step. @param {number} ts @param {number} sig @param {number} object @param {number} state */
  begin(ts, sig, object, state) {
    return this.rec('QF_ACTIVE_GET_LAST', ts, sig, object, 0, 0).rec('QEP_DISPATCH', ts + 1, sig, object, state);
  }

  /** A whole step that changes no state. @param {number} ts @param {number} sig @param {number} object @param {number} state */
  step(ts, sig, object, state) {
    return this.post(ts, sig, object)
      .begin(ts + 2, sig, object, state)
      .rec('QEP_INTERN_TRAN', ts + 10, sig, object, state);
  }

  bytes() {
    return concat(this.#parts);
  }
}

/**
 * A dictionary as text (*.dic) with the names of the cases. Signal numbers are hexadecimal or decimal: both occur.
 * @param {{ sizes: Partial<import('./qs.mjs').Sizes>, base?: 10 | 16, end?: string }} options
 */
export function names_text({ sizes, base = 16, end = '\n' }) {
  const hex = (/** @type {number} */ value) => `0x${value.toString(16).toUpperCase().padStart(8, '0')}`;
  const signal = (/** @type {number} */ sig) => sig.toString(base).toUpperCase().padStart(8, '0');
  const all = { ...SIZES_32, ...sizes };
  const keys = /** @type {(keyof typeof OBJ)[]} */ (Object.keys(OBJ));
  const lines = [
    '# names of the last run',
    '-v740',
    ...Object.entries(all).map(([letter, size]) => `-${letter}${size}`),
    '-B2',
    '-t260504_030201',
    '',
    'Obj-Dic:',
    `${all.O}`,
    ...keys.map((key) => `${hex(OBJ[key])} ${NAMES[key]}`),
    '***',
    'Fun-Dic:',
    `${all.F}`,
    `${hex(FUN.IDLE)} Alpha_idle`,
    `${hex(FUN.BUSY)} Alpha_busy`,
    '***',
    'Usr-Dic:',
    '1',
    '0x00000064 NOTE',
    '***',
    'Sig-Dic:',
    `${all.S}`,
    `${signal(SIG.GO)} 0x00000000 GO_SIG`,
    `${signal(SIG.TICK)} ${hex(OBJ.A)} TICK_SIG`,
    `${signal(10)} 0x00000000 TEN_SIG`,
    `${signal(16)} 0x00000000 SIXTEEN_SIG`,
    '***',
    '',
  ];
  return lines.join(end);
}

/** A run of QP 7.4.0 on a microcontroller with a clock of 1 MHz; every object has a name. */
export const run = (/** @type {ConstructorParameters<typeof QsEncoder>[0]} */ options = {}) =>
  new QsStream(options).start().names();
