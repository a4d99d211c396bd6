// SPDX-License-Identifier: MIT
//
// Builds the golden cases: a stream of frames, with any bytes between them.

import { cobs, concat, frame, payload, signed_varint, varint } from './tband.mjs';

/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */

const utf8 = new TextEncoder();

export class Stream {
  /** @type {Uint8Array[]} */
  #parts = [];

  /**
   * One event; the time stamp first if it has one.
   * @param {EventName} name
   * @param {...Value} values
   */
  ev(name, ...values) {
    return this.raw(frame(name, ...values));
  }

  /**
   * Raw bytes, or text without a zero byte.
   * @param {ArrayLike<number> | string} bytes
   */
  raw(bytes) {
    this.#parts.push(typeof bytes === 'string' ? utf8.encode(bytes) : Uint8Array.from(bytes));
    return this;
  }

  /**
   * A payload with valid framing that no encoder would write.
   * @param {...(number | number[])} bytes
   */
  odd(...bytes) {
    return this.raw(cobs(bytes.flat()));
  }

  /**
   * A marker that shows that decoding continues.
   * @param {number | bigint} ts
   * @param {string} msg
   */
  mark(ts, msg) {
    return this.ev('evtmarker', ts, 1, msg);
  }

  /** @param {number} len bytes that the last part loses at its end */
  cut(len) {
    const last = /** @type {Uint8Array} */ (this.#parts.pop());
    this.#parts.push(last.subarray(0, last.length - len));
    return this;
  }

  /**
   * Changes one byte of the last frame.
   * @param {number} at
   * @param {number} value
   */
  poke(at, value) {
    this.#parts[this.#parts.length - 1][at] = value;
    return this;
  }

  /** @param {(stream: Stream) => unknown} body what several cases share */
  with(body) {
    body(this);
    return this;
  }

  bytes() {
    return concat(this.#parts);
  }
}

/** Resolution of one microsecond and the marker that mark() uses. */
export const head = () => new Stream().ev('ts_resolution_ns', 1000).ev('evtmarker_name', 1, 'progress');

/** head() and three tasks: A (1), B (2) and the idle task (3). */
export const tasks = () =>
  head().ev('task_name', 1, 'A').ev('task_name', 2, 'B').ev('task_name', 3, 'IDLE').ev('task_is_idle_task', 3, 0);

export { payload, signed_varint, varint };
