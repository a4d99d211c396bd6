// SPDX-License-Identifier: MIT
//
// A small encoder for QS streams: records -> frames with sequence number, sum and escapes. Written from the format's
// description. It can also write what no target should (other sizes, cut payloads), because tests need that.

import { concat } from './tband.mjs';

/**
 * Letters of fields: T time stamp, O object, F function, S signal, E event size, Q queue counter, P pool counter,
 * C tick counter (of the widths of a target), b h w = 1, 2, 4 bytes, z = text with its zero byte.
 * @typedef {'T' | 'O' | 'F' | 'S' | 'E' | 'Q' | 'P' | 'C'} SizeLetter
 * @typedef {Record<SizeLetter, number>} Sizes
 * @typedef {number | bigint | string | Uint8Array} Value
 */

/** Records by name: number and fields. */
export const RECORDS = /** @type {const} */ ({
  EMPTY: [0, ''],
  QEP_STATE_ENTRY: [1, 'OF'],
  QEP_STATE_EXIT: [2, 'OF'],
  QEP_STATE_INIT: [3, 'OFF'],
  QEP_INIT_TRAN: [4, 'TOF'],
  QEP_INTERN_TRAN: [5, 'TSOF'],
  QEP_TRAN: [6, 'TSOFF'],
  QEP_IGNORED: [7, 'TSOF'],
  QEP_DISPATCH: [8, 'TSOF'],
  QEP_UNHANDLED: [9, 'SOF'],
  QF_ACTIVE_DEFER: [10, 'TOOSbb'],
  QF_ACTIVE_RECALL: [11, 'TOOSbb'],
  QF_ACTIVE_SUBSCRIBE: [12, 'TSO'],
  QF_ACTIVE_UNSUBSCRIBE: [13, 'TSO'],
  QF_ACTIVE_POST: [14, 'TOSObbQQ'],
  QF_ACTIVE_POST_LIFO: [15, 'TSObbQQ'],
  QF_ACTIVE_GET: [16, 'TSObbQ'],
  QF_ACTIVE_GET_LAST: [17, 'TSObb'],
  QF_ACTIVE_RECALL_ATTEMPT: [18, 'TOO'],
  QF_EQUEUE_POST: [19, 'TSObbQQ'],
  QF_EQUEUE_POST_LIFO: [20, 'TSObbQQ'],
  QF_EQUEUE_GET: [21, 'TSObbQ'],
  QF_EQUEUE_GET_LAST: [22, 'TSObb'],
  QF_NEW_ATTEMPT: [23, 'TES'],
  QF_MPOOL_GET: [24, 'TOPP'],
  QF_MPOOL_PUT: [25, 'TOP'],
  QF_PUBLISH: [26, 'TOSbb'],
  QF_NEW_REF: [27, 'TSbb'],
  QF_NEW: [28, 'TES'],
  QF_GC_ATTEMPT: [29, 'TSbb'],
  QF_GC: [30, 'TSbb'],
  QF_TICK: [31, 'Cb'],
  QF_TIMEEVT_ARM: [32, 'TOOCCb'],
  QF_TIMEEVT_AUTO_DISARM: [33, 'OOb'],
  QF_TIMEEVT_DISARM_ATTEMPT: [34, 'TOOb'],
  QF_TIMEEVT_DISARM: [35, 'TOOCCb'],
  QF_TIMEEVT_REARM: [36, 'TOOCCbb'],
  QF_TIMEEVT_POST: [37, 'TOSOb'],
  QF_DELETE_REF: [38, 'TSbb'],
  QF_CRIT_ENTRY: [39, 'Tb'],
  QF_CRIT_EXIT: [40, 'Tb'],
  QF_ISR_ENTRY: [41, 'Tbb'],
  QF_ISR_EXIT: [42, 'Tbb'],
  QF_ACTIVE_POST_ATTEMPT: [45, 'TOSObbQQ'],
  QF_EQUEUE_POST_ATTEMPT: [46, 'TSObbQQ'],
  QF_MPOOL_GET_ATTEMPT: [47, 'TOPP'],
  SCHED_PREEMPT: [48, 'Tbb'],
  SCHED_RESTORE: [49, 'Tbb'],
  SCHED_LOCK: [50, 'Tbb'],
  SCHED_UNLOCK: [51, 'Tbb'],
  SCHED_NEXT: [52, 'Tbb'],
  SCHED_IDLE: [53, 'Tb'],
  ENUM_DICT: [54, 'bbz'],
  QEP_TRAN_HIST: [55, 'OFF'],
  QEP_TRAN_EP: [56, 'OFF'],
  QEP_TRAN_XP: [57, 'OFF'],
  TEST_PAUSED: [58, ''],
  TEST_PROBE_GET: [59, 'TFw'],
  SIG_DICT: [60, 'SOz'],
  OBJ_DICT: [61, 'Oz'],
  FUN_DICT: [62, 'Fz'],
  USR_DICT: [63, 'bz'],
  TARGET_DONE: [65, 'Tb'],
  RX_STATUS: [66, 'b'],
  ASSERT_FAIL: [69, 'Thz'],
  QF_RUN: [70, ''],
  SEM_TAKE: [71, 'TObb'],
  SEM_BLOCK: [72, 'TObb'],
  SEM_SIGNAL: [73, 'TObb'],
  SEM_BLOCK_ATTEMPT: [74, 'TObb'],
  MTX_LOCK: [75, 'TObb'],
  MTX_BLOCK: [76, 'TObb'],
  MTX_UNLOCK: [77, 'TObb'],
  MTX_LOCK_ATTEMPT: [78, 'TObb'],
  MTX_BLOCK_ATTEMPT: [79, 'TObb'],
  MTX_UNLOCK_ATTEMPT: [80, 'TObb'],
  QF_ACTIVE_DEFER_ATTEMPT: [81, 'TOOSbb'],
});

/** Record numbers with another meaning in older versions. */
export const OLD_RECORDS = /** @type {const} */ ({
  ACTIVE_ADD: [10, 'TOb'],
  ACTIVE_REMOVE: [11, 'TOb'],
  EQUEUE_INIT: [18, 'OQ'],
  MPOOL_INIT: [23, 'OP'],
  TIMEEVT_CTR: [38, 'TOOCCb'],
  MUTEX_LOCK: [48, 'Tbb'],
  MUTEX_UNLOCK: [49, 'Tbb'],
  SCHED_RESUME: [54, 'Tbb'],
});

/** Answers to queries by kind (0 machine, 1 object, 2 pool, 3 queue, 4 time event, 5 current, 7 event pool), before and since 8.1.0. */
const QUERIES = {
  old: { 0: 'OF', 1: 'OF', 2: 'OPP', 3: 'OQQ', 4: 'OOCCSb', 5: 'O' },
  new: { 0: 'OF', 1: 'bhhh', 2: 'Ohhhh', 3: 'Ohhh', 4: 'OOCCSb', 5: '', 7: 'bhhhh' },
};

/** @typedef {keyof typeof RECORDS | keyof typeof OLD_RECORDS} RecordName */

/** Elements of application records: type number and data. */
export const ELEMENTS = /** @type {const} */ ({
  i8: [0, 'b'],
  u8: [1, 'b'],
  i16: [2, 'h'],
  u16: [3, 'h'],
  i32: [4, 'w'],
  u32: [5, 'w'],
  f32: [6, 'f'],
  f64: [7, 'd'],
  str: [8, 'z'],
  mem: [9, 'm'],
  sig: [10, 'SO'],
  obj: [11, 'O'],
  fun: [12, 'F'],
  i64: [13, 'q'],
  u64: [14, 'q'],
  hex: [15, 'w'],
});

/** @typedef {keyof typeof ELEMENTS} ElementName */
/** @typedef {[ElementName, Value | Value[], number?] | ['enum', number, number]} Element name, value and width of display; or value and group of an enumeration */

/** @type {Sizes} of a usual 32-bit microcontroller */
export const SIZES_32 = { T: 4, O: 4, F: 4, S: 2, E: 2, Q: 1, P: 2, C: 4 };

const ALL_RECORDS = { ...RECORDS, ...OLD_RECORDS };
const RAW = 0x100; // marks a byte that is sent without escape: targets write text so
const utf8 = new TextEncoder();

/**
 * @param {Value} value
 * @param {number} width in bytes
 * @returns {number[]} little-endian, negative numbers as two's complement
 */
function little_endian(value, width) {
  const rest = BigInt.asUintN(8 * width, BigInt(/** @type {number | bigint} */ (value)));
  return Array.from({ length: width }, (_, i) => Number((rest >> BigInt(8 * i)) & 0xffn));
}

/** @param {Value} value @returns {number[]} */
function text_bytes(value) {
  const bytes = typeof value === 'string' ? utf8.encode(value) : /** @type {Uint8Array} */ (value);
  return [...Array.from(bytes, (byte) => byte | RAW), 0];
}

/** @param {Value} value @param {boolean} double @returns {number[]} */
function real_bytes(value, double) {
  const view = new DataView(new ArrayBuffer(double ? 8 : 4));
  if (double) view.setFloat64(0, Number(value), true);
  else view.setFloat32(0, Number(value), true);
  return Array.from(new Uint8Array(view.buffer));
}

/**
 * A frame: escapes where needed, checksum, final flag.
 * @param {number} sequence
 * @param {number} record
 * @param {ArrayLike<number>} payload
 */
export function qs_frame(sequence, record, payload) {
  const body = [sequence & 0xff, record, ...Array.from(payload)];
  const sum = ~body.reduce((total, byte) => total + (byte & 0xff), 0) & 0xff;
  /** @type {number[]} */
  const out = [];
  for (const byte of [...body, sum]) {
    if (byte === 0x7d || byte === 0x7e) out.push(0x7d, byte ^ 0x20);
    else out.push(byte & 0xff);
  }
  out.push(0x7e);
  return Uint8Array.from(out);
}

/** Encodes what one target sends, in order: it counts the records. */
export class QsEncoder {
  /**
   * @param {object} [options]
   * @param {number} [options.version] 740 = 7.4.0
   * @param {Partial<Sizes>} [options.sizes]
   * @param {number} [options.sequence] number of the first record
   */
  constructor({ version = 740, sizes = {}, sequence = 1 } = {}) {
    this.version = version;
    /** @type {Sizes} */
    this.sizes = { ...SIZES_32, ...sizes };
    this.sequence = sequence;
  }

  /**
   * Any record number with any payload.
   * @param {number} record
   * @param {ArrayLike<number>} payload
   */
  frame(record, payload) {
    const bytes = qs_frame(this.sequence, record, payload);
    this.sequence = (this.sequence + 1) & 0xff;
    return bytes;
  }

  /**
   * @param {string} fields letters
   * @param {Value[]} values
   */
  payload(fields, values) {
    if (fields.length !== values.length) throw new Error(`${fields.length} values are needed, not ${values.length}`);
    return [...fields].flatMap((letter, i) => this.#field(letter, values[i]));
  }

  /**
   * One predefined record. Values in order of its fields, the time stamp first.
   * @param {RecordName} name
   * @param {...Value} values
   */
  record(name, ...values) {
    const [number, fields] = ALL_RECORDS[name];
    return this.frame(number, this.payload(fields, values));
  }

  /**
   * An application record.
   * @param {number} number
   * @param {number | bigint} ts
   * @param {...Element} elements
   */
  user(number, ts, ...elements) {
    return this.frame(number, [...this.payload('T', [ts]), ...elements.flatMap((element) => this.element(element))]);
  }

  /** @param {Element} element @returns {number[]} */
  element(element) {
    if (element[0] === 'enum') return [(8 | element[2]) << 4, element[1]];
    const [name, value, width = 0] = element;
    const [type, letters] = ELEMENTS[name];
    const values = Array.isArray(value) ? value : [value];
    return [(width << 4) | type, ...this.payload(letters, values)];
  }

  /**
   * The target info record.
   * @param {object} [options]
   * @param {boolean} [options.reset]
   * @param {number} [options.framework] 1 QP/C, 2 QP/C++
   * @param {number} [options.release] YYMMDD, since QP 8
   * @param {number[]} [options.build] second, minute, hour, day, month, year
   */
  target_info({ reset = true, framework = 1, release = 260805, build = [1, 2, 3, 4, 5, 26] } = {}) {
    const { T, O, F, S, E, Q, P, C } = this.sizes;
    const sizes = [S | (E << 4), Q | (C << 4), 2 | (P << 4), O | (F << 4), T, 32, 3 | (1 << 4), ...build];
    const head =
      this.version < 800
        ? [reset ? 0xff : 0, ...little_endian(this.version, 2)]
        : [2 | (framework << 2) | (reset ? 0x40 : 0), ...little_endian(~(release * 10000 + this.version), 4)];
    return this.frame(64, [...head, ...sizes]);
  }

  /**
   * A query reply.
   * @param {number | bigint} ts
   * @param {0 | 1 | 2 | 3 | 4 | 5 | 7} kind
   * @param {...Value} values
   */
  query(ts, kind, ...values) {
    let fields = /** @type {Record<number, string>} */ (this.version < 810 ? QUERIES.old : QUERIES.new)[kind];
    if (kind === 1 && this.version < 690) fields = 'OQQ';
    return this.frame(67, this.payload(`Tb${fields}`, [ts, kind, ...values]));
  }

  /**
   * Memory as words of `size` bytes.
   * @param {number | bigint} ts
   * @param {number} offset
   * @param {1 | 2 | 4} size
   * @param {number[]} words
   */
  peek(ts, offset, size, words) {
    return this.frame(68, [
      ...this.payload('Thbb', [ts, offset, size, words.length]),
      ...words.flatMap((word) => little_endian(word, size)),
    ]);
  }

  /** The first records of every run. */
  start() {
    this.sequence = 1;
    return concat([this.record('EMPTY'), this.target_info()]);
  }

  /** @param {string} letter @param {Value} value @returns {number[]} */
  #field(letter, value) {
    switch (letter) {
      case 'b':
        return little_endian(value, 1);
      case 'h':
        return little_endian(value, 2);
      case 'w':
        return little_endian(value, 4);
      case 'q':
        return little_endian(value, 8);
      case 'f':
        return real_bytes(value, false);
      case 'd':
        return real_bytes(value, true);
      case 'z':
        return text_bytes(value);
      case 'm':
        return [/** @type {Uint8Array} */ (value).length, .../** @type {Uint8Array} */ (value)];
      default:
        return little_endian(value, this.sizes[/** @type {SizeLetter} */ (letter)]);
    }
  }
}
