// SPDX-License-Identifier: MIT
//
// Writes large QS recordings for benchmarks; deterministic, as fast as the disk.
//
//   node tests/generator/big-qs.mjs --bytes 100M --output big.bin
//   node tests/generator/big-qs.mjs --bytes 1M --qp 740 --pointers 8 --corrupt 1e-5 --seed 3 --output broken.bin
//
// Concatenates pieces of simulated recordings in random order. Each piece begins and ends when the target is in the same idle state.
// Sequence numbers, time stamps and ticks continue, so each frame is encoded again.

import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Corrupter, parse_size } from './big.mjs';
import { run_lift } from './demo-lift.mjs';
import { RECORDS, SIZES_32 } from './qs.mjs';
import { Random } from './random.mjs';

/**
 * Frames without escapes: record number and payload. Kinds: which payload fields continue from piece to piece.
 * @typedef {{ bytes: Uint8Array, starts: Uint32Array, kinds: Uint8Array, start: number, length: number, ticks: number }} Piece
 */
/**
 * @typedef {object} BigQsOptions
 * @property {number} bytes about
 * @property {number} [seed]
 * @property {number} [version] of QP
 * @property {number} [pointers] bytes of object and function pointers
 * @property {number} [corrupt] probability per byte of a flipped bit or a lost byte
 */

const CHUNK_LEN = 4 << 20;
const LONGEST_FRAME = 1024;
const SEEDS = 4;
const SIMULATED_LEN = 200_000; // bytes of each seed
const KIND = { plain: 0, timed: 1, tick: 2 };
const TIMED = new Set(
  Object.values(RECORDS)
    .filter(([, fields]) => fields.startsWith('T'))
    .map(([number]) => Number(number)),
);

/** @param {Uint8Array} frame @returns {number[]} record number and payload */
function body_of(frame) {
  const out = [];
  for (let i = 0; i < frame.length - 1; i++) out.push(frame[i] === 0x7d ? frame[++i] ^ 0x20 : frame[i]);
  return out.slice(1, -1);
}

/** @param {number} record */
const kind_of = (record) =>
  record >= 100 || TIMED.has(record) ? KIND.timed : record === RECORDS.QF_TICK[0] ? KIND.tick : KIND.plain;

/** @param {Uint8Array[]} frames @param {number} start @param {number} end times @returns {Piece} */
function make_piece(frames, start, end) {
  const bodies = frames.map(body_of);
  const starts = new Uint32Array(bodies.length + 1);
  bodies.forEach((body, i) => (starts[i + 1] = starts[i] + body.length));
  const kinds = Uint8Array.from(bodies, ([record]) => kind_of(record));
  return {
    bytes: Uint8Array.from(bodies.flat()),
    starts,
    kinds,
    start,
    length: end - start,
    ticks: kinds.filter((kind) => kind === KIND.tick).length,
  };
}

/**
 * Pieces that all begin and end in the same idle state, and the frames before the first of them.
 * @param {{ seed: number, version: number, sizes: Partial<import('./qs.mjs').Sizes> }} options
 * @returns {{ head: Uint8Array[], now: number, head_ticks: number, pieces: Piece[] }}
 */
function make_pieces({ seed, version, sizes }) {
  const runs = Array.from({ length: SEEDS }, (_, i) => {
    /** @type {{ frames: number, now: number, rest: string }[]} */
    const rests = [];
    const { frames } = run_lift({
      bytes: SIMULATED_LEN,
      seed: seed * SEEDS + i,
      version,
      sizes,
      at_rest: (at) => rests.push(at),
    });
    return { frames, rests };
  });
  const [first] = runs[0].rests;
  const pieces = runs.flatMap(({ frames, rests }) => {
    const same = rests.filter(({ rest }) => rest === first.rest);
    return same.slice(1).map((to, i) => make_piece(frames.slice(same[i].frames, to.frames), same[i].now, to.now));
  });
  const head = runs[0].frames.slice(0, first.frames);
  return { head, now: first.now, head_ticks: make_piece(head.slice(1), 0, 0).ticks, pieces };
}

/** Encodes consecutive pieces into a large buffer. */
class Writer {
  buffer = new Uint8Array(CHUNK_LEN + LONGEST_FRAME);
  len = 0;
  now = 0;
  ticks = 0;
  sequence = 0;
  records = 0;

  /** @param {import('./qs.mjs').Sizes} sizes */
  constructor(sizes) {
    this.sizes = sizes;
  }

  /** @param {Uint8Array} bytes */
  copy(bytes) {
    this.buffer.set(bytes, this.len);
    this.len += bytes.length;
  }

  /** @param {Piece} piece @param {number} index of its frame */
  frame(piece, index) {
    const { bytes, starts, kinds } = piece;
    const { buffer } = this;
    const from = starts[index];
    const to = starts[index + 1];
    let at = this.len;
    let sum = 0;
    const put = (/** @type {number} */ byte) => {
      sum += byte;
      if (byte === 0x7d || byte === 0x7e) {
        buffer[at++] = 0x7d;
        byte ^= 0x20;
      }
      buffer[at++] = byte;
    };
    put(this.sequence);
    put(bytes[from]);
    let next = from + 1;
    if (kinds[index] !== KIND.plain) next = this.#number(piece, next, kinds[index], put);
    for (; next < to; next++) put(bytes[next]);
    put(~sum & 0xff);
    buffer[at++] = 0x7e;
    this.len = at;
    this.sequence = (this.sequence + 1) & 0xff;
    this.records++;
  }

  /** Continues a time stamp or a tick from the piece before. @param {Piece} piece @param {number} from @param {number} kind @param {(byte: number) => void} put */
  #number({ bytes, start }, from, kind, put) {
    const width = kind === KIND.timed ? this.sizes.T : this.sizes.C;
    let old = 0;
    for (let i = width - 1; i >= 0; i--) old = old * 256 + bytes[from + i];
    let value = kind === KIND.timed ? this.now + old - start : ++this.ticks;
    for (let i = 0; i < width; i++) {
      put(value & 0xff);
      value = Math.floor(value / 256);
    }
    return from + width;
  }

  /** The collected bytes; valid until the next frame. */
  take() {
    const chunk = this.buffer.subarray(0, this.len);
    this.len = 0;
    return chunk;
  }
}

/**
 * The recording in large chunks. A chunk is valid until the next one is requested.
 * @param {BigQsOptions} options
 * @returns {Generator<Uint8Array, { records: number, counts: number, damaged: number }>}
 */
export function* big_qs_chunks({ bytes, seed = 1, version = 810, pointers = 4, corrupt = 0 }) {
  const sizes = { ...SIZES_32, O: pointers, F: pointers };
  const { head, now, head_ticks, pieces } = make_pieces({ seed, version, sizes });
  const random = new Random(seed * 7919);
  const writer = new Writer(sizes);
  const corrupter = corrupt > 0 ? new Corrupter(corrupt, seed) : null;
  head.forEach((frame) => writer.copy(frame));
  Object.assign(writer, { now, ticks: head_ticks, sequence: (head.length + 2) & 0xff, records: head.length + 1 });
  const take = () => (corrupter ? corrupter.apply(writer.take()) : writer.take());
  let written = 0;
  while (written + writer.len < bytes) {
    const piece = random.pick(pieces);
    for (let i = 0; i < piece.kinds.length; i++) {
      writer.frame(piece, i);
      if (writer.len < CHUNK_LEN) continue;
      written += writer.len;
      yield take();
    }
    writer.now += piece.length;
  }
  yield take();
  return { records: writer.records, counts: writer.now, damaged: corrupter?.hits ?? 0 };
}

/** @param {BigQsOptions & { output: string }} options */
export function write_big_qs({ output, ...options }) {
  const handle = openSync(output, 'w');
  const chunks = big_qs_chunks(options);
  let bytes = 0;
  let next = chunks.next();
  for (; !next.done; next = chunks.next()) {
    for (let at = 0; at < next.value.length;) at += writeSync(handle, next.value, at);
    bytes += next.value.length;
  }
  closeSync(handle);
  return { bytes, ...next.value };
}

function main() {
  const { values } = parseArgs({
    options: {
      bytes: { type: 'string' },
      output: { type: 'string', short: 'o' },
      seed: { type: 'string', default: '1' },
      qp: { type: 'string', default: '810' },
      pointers: { type: 'string', default: '4' },
      corrupt: { type: 'string', default: '0' },
    },
  });
  if (!values.bytes || !values.output) throw new Error('--bytes and --output are needed');
  const started = performance.now();
  const { bytes, records, damaged } = write_big_qs({
    output: values.output,
    bytes: parse_size(values.bytes),
    seed: Number(values.seed),
    version: Number(values.qp),
    pointers: Number(values.pointers),
    corrupt: Number(values.corrupt),
  });
  const rate = bytes / 1000 / (performance.now() - started);
  console.log(
    `${values.output}: ${bytes} bytes, ${records} records, ${damaged} bytes damaged, ${rate.toFixed(0)} MB/s`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
