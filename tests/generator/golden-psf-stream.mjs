// SPDX-License-Identifier: MIT
//
// Builds the golden cases of TraceRecorder streams: events of one target, with any bytes between them.

import { PsfEncoder } from './psf.mjs';
import { concat } from './tband.mjs';

/** @typedef {import('./psf.mjs').PsfName} PsfName */
/** @typedef {import('./psf.mjs').PsfParam} PsfParam */

/** Objects of the cases. */
export const AT = {
  STARTUP: 2,
  MAIN: 0x20001000,
  WORK: 0x20001100,
  IDLE: 0x20001200,
  TIMERS: 0x20001300,
  SHORT: 0x20001400,
  UART: 0x20002000,
  DMA: 0x20002100,
  TIM: 0x20002200,
  QUEUE: 0x20003000,
  SEM: 0x20003100,
  LOCK: 0x20003200,
  FLAGS: 0x20003300,
  BYTES: 0x20003400,
  MSGS: 0x20003500,
  TIMER: 0x20003600,
  TMRQ: 0x20003700,
  LOG: 0x20004000,
  MODE: 0x20004100,
  OFF: 0x20004200,
  ON: 0x20004300,
  LATENCY: 0x20004400,
  SET: 0x20004500,
  LEVEL: 0x20004600,
  STEP: 0x20004700,
  EXT: 0x20004800,
  TEXT: 0x20004900,
};
export const FOREVER = 0xffffffff;

export class PsfStream {
  /** @type {Uint8Array[]} */
  #parts = [];
  core = 0;

  /** @param {import('./psf.mjs').PsfOptions} [options] */
  constructor(options) {
    this.encoder = new PsfEncoder(options);
  }

  /** @param {import('./psf.mjs').PsfEntry[]} [entries] @param {Parameters<PsfEncoder['start']>[1]} [live] */
  start(entries, live) {
    return this.raw(this.encoder.start(entries, live));
  }

  /** @param {number} time in counts of the timer @param {PsfName} name @param {...PsfParam} params */
  ev(time, name, ...params) {
    return this.raw(this.encoder.event(time, name, params, this.core));
  }

  /** An event with this value of the timer. @param {number} raw @param {PsfName} name @param {...PsfParam} params */
  at_timer(raw, name, ...params) {
    const { timer } = this.encoder;
    this.encoder.timer = () => raw;
    this.ev(0, name, ...params);
    this.encoder.timer = timer;
    return this;
  }

  /** @param {number} time @param {number} code @param {...PsfParam} params */
  code(time, code, ...params) {
    return this.raw(this.encoder.code(time, code, params, this.core));
  }

  /** @param {number} time @param {string} format @param {...(number | bigint)} args */
  say(time, format, ...args) {
    return this.raw(this.encoder.user(time, AT.LOG, format, args, this.core));
  }

  /** The following events belong to this core. @param {number} core */
  on(core) {
    this.core = core;
    return this;
  }

  /** The scheduler starts: two tasks, an idle task, and the running one. @param {number} [time] */
  tasks(time = 10) {
    this.ev(time, 'TRACE_START', ...new Array(this.encoder.cores).fill(AT.STARTUP));
    for (const [address, name, prio] of /** @type {[number, string, number][]} */ ([
      [AT.MAIN, 'Main', 2],
      [AT.WORK, 'Work', 3],
      [AT.IDLE, 'IDLE', 0],
    ]))
      this.ev(++time, 'OBJ_NAME', address, name)
        .ev(time, 'TASK_CREATE', address, prio)
        .ev(++time, 'TASK_READY', address);
    return this.ev(time + 1, 'TASK_ACTIVATE', AT.MAIN, 2);
  }

  /** @param {ArrayLike<number> | string} bytes as they are */
  raw(bytes) {
    this.#parts.push(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes));
    return this;
  }

  /** Skips event counts, as if events had been lost. @param {number} count */
  lose(count) {
    this.encoder.counts[this.core] += count;
    return this;
  }

  /** @param {number} len bytes that the last part loses at its end */
  cut(len) {
    const last = /** @type {Uint8Array} */ (this.#parts.pop());
    return this.raw(last.subarray(0, last.length - len));
  }

  /** @param {(stream: PsfStream) => unknown} body what several cases share */
  with(body) {
    body(this);
    return this;
  }

  bytes() {
    return concat(this.#parts);
  }
}

/** @param {import('./psf.mjs').PsfOptions} [options] */
export const psf = (options) => new PsfStream(options);
/** The common beginning. @param {import('./psf.mjs').PsfOptions} [options] */
export const run = (options) => psf(options).start().tasks();
