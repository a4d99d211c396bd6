// SPDX-License-Identifier: MIT
//
// Writes large recordings for benchmarks; deterministic, as fast as the disk.
//
//   node tests/generator/big.mjs --bytes 100M --output big.bin
//   node tests/generator/big.mjs --bytes 100M --cores 2 --split --output big      big.core0.bin, big.core1.bin
//   node tests/generator/big.mjs --bytes 10M --cores 2 --output dual.bin          one file with core_id events
//   node tests/generator/big.mjs --bytes 1M --mode bare-metal --corrupt 1e-5 --seed 3 --output broken.bin
//
// It is fast because time is divided into blocks of 2^14 ticks. Several blocks are made and encoded once, with a gap in each frame for the
// upper part of the time stamp. That part never contains a zero byte, so the COBS codes depend only on its length, and writing a block is a
// copy and a few bytes per frame.

import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BLOCK_BITS, BLOCK_LEN, BigCore, NUMBER_GAP, make_block } from './big-scenario.mjs';
import { Random } from './random.mjs';
import { EVENTS, cobs, concat, frame, payload, varint } from './tband.mjs';

/** @typedef {import('./big-scenario.mjs').BlockEvent} BlockEvent */
/** @typedef {import('./big-scenario.mjs').Mode} Mode */
/** @typedef {{ bytes: Uint8Array, time_gaps: Uint32Array, number_gaps: Uint32Array, frames: number }} Template */
/**
 * @typedef {object} BigOptions
 * @property {number} bytes of all files together, about
 * @property {number} [cores] 1 to 4
 * @property {boolean} [split] one stream per core instead of core_id events
 * @property {Mode} [mode]
 * @property {number} [seed]
 * @property {number} [resolution_ns] length of a tick
 * @property {number} [corrupt] probability per byte of a flipped bit or a lost byte
 * @property {number} [templates] different blocks
 */

const CHUNK_LEN = 4 << 20;
const LOSSES_PER_BLOCK = 0.0002;
const NUMBER_LEN = NUMBER_GAP.length;
const HASH = NUMBER_GAP.charCodeAt(0);

/**
 * A frame whose time stamp is `at` plus an upper part of `upper_len` bytes, left as a gap.
 * @param {BlockEvent} event
 * @param {number} upper_len
 */
function gapped_frame({ at, name, values }, upper_len) {
  const tail = payload(name, 0, ...values).slice(2); // after the id and a time stamp of one byte
  const upper = new Array(upper_len).fill(0xee);
  return cobs([EVENTS[name].id, (at & 0x7f) | 0x80, (at >> 7) | 0x80, ...upper, ...tail]);
}

/**
 * @param {BlockEvent[]} events
 * @param {number} upper_len
 * @returns {Template}
 */
function make_template(events, upper_len) {
  const frames = events.map((event) => gapped_frame(event, upper_len));
  const bytes = concat(frames);
  /** @type {number[]} */
  const numbers = [];
  for (let i = bytes.indexOf(HASH); i >= 0; i = bytes.indexOf(HASH, i + 1)) {
    if (bytes.subarray(i, i + NUMBER_LEN).every((byte) => byte === HASH)) {
      numbers.push(i);
      i += NUMBER_LEN - 1;
    }
  }
  const gaps = new Uint32Array(frames.length);
  frames.reduce((at, { length }, i) => {
    gaps[i] = at + 4; // code, id, two bytes of time; a core_id has an extra code for its id 0 instead
    return at + length;
  }, 0);
  return { bytes, time_gaps: gaps, number_gaps: Uint32Array.from(numbers), frames: frames.length };
}

/**
 * One stream of several cores: ordered by time, with a core_id wherever the core changes; begins and ends on core 0.
 * @param {BlockEvent[][]} cores
 * @returns {BlockEvent[]}
 */
function weave(cores) {
  const all = cores.flatMap((events, core) => events.map((event) => ({ event, core })));
  all.sort((a, b) => a.event.at - b.event.at || a.core - b.core); // a stable sort: order within a core stays
  /** @type {BlockEvent[]} */
  const out = [];
  let current = 0;
  const go_to = (/** @type {number} */ core, /** @type {number} */ at) => {
    if (core !== current) out.push({ at, name: 'core_id', values: [core] });
    current = core;
  };
  for (const { event, core } of all) {
    go_to(core, event.at);
    out.push(event);
  }
  go_to(0, all[all.length - 1].event.at);
  return out;
}

/** Flips a bit in, or drops, each byte with a probability. */
export class Corrupter {
  /**
   * @param {number} probability
   * @param {number} seed
   */
  constructor(probability, seed) {
    this.random = new Random(seed);
    this.probability = probability;
    this.hits = 0;
    this.skip = this.#draw();
  }

  #draw() {
    return Math.floor(Math.log(1 - this.random.next()) / Math.log(1 - this.probability));
  }

  /**
   * @param {Uint8Array} bytes changed in place
   * @returns {Uint8Array} the same memory, perhaps shorter
   */
  apply(bytes) {
    let to = 0;
    let from = 0;
    while (from + this.skip < bytes.length) {
      bytes.copyWithin(to, from, from + this.skip);
      to += this.skip;
      from += this.skip;
      if (this.random.chance(0.5)) bytes[to++] = bytes[from] ^ (1 << this.random.between(0, 8));
      from++;
      this.hits++;
      this.skip = this.#draw();
    }
    this.skip -= bytes.length - from;
    bytes.copyWithin(to, from);
    return bytes.subarray(0, to + bytes.length - from);
  }
}

/** One file: collects blocks and returns large chunks. */
class Lane {
  #buffer = new Uint8Array(CHUNK_LEN + (1 << 20));
  #len = 0;
  #number = 0;

  /** @param {ArrayLike<number>} bytes */
  add(bytes) {
    this.#buffer.set(bytes, this.#len);
    this.#len += bytes.length;
  }

  /**
   * @param {Template} template
   * @param {number[]} upper
   */
  add_block({ bytes, time_gaps, number_gaps }, upper) {
    const buffer = this.#buffer;
    const base = this.#len;
    this.add(bytes);
    for (let i = 0; i < time_gaps.length; i++) {
      const at = base + time_gaps[i];
      for (let k = 0; k < upper.length; k++) buffer[at + k] = upper[k];
    }
    for (let i = 0; i < number_gaps.length; i++) this.#write_number(base + number_gaps[i], this.#number++);
  }

  /**
   * @param {number} at
   * @param {number} number
   */
  #write_number(at, number) {
    for (let k = NUMBER_LEN - 1; k >= 0; k--) {
      this.#buffer[at + k] = 0x30 + (number % 10);
      number = Math.floor(number / 10);
    }
  }

  get full() {
    return this.#len >= CHUNK_LEN;
  }

  /** The collected bytes; valid until the next add. */
  take() {
    const chunk = this.#buffer.subarray(0, this.#len);
    this.#len = 0;
    return chunk;
  }
}

/**
 * @param {BigCore[]} cores
 * @param {{ mode: Mode, resolution_ns: number, split: boolean }} options
 * @returns {Uint8Array[]} what each stream begins with: names, and each core on its idle task
 */
function stream_heads(cores, { mode, resolution_ns, split }) {
  const tagged = cores.length > 1 && !split;
  const first_run = (/** @type {BigCore} */ { task }) =>
    mode === 'bare-metal' ? [] : [frame('task_switched_in', BLOCK_LEN, task.idle)];
  const heads = cores.map((core, i) => {
    const names = core.metadata(mode).map((event) => frame(...event));
    return i === 0 ? [frame('ts_resolution_ns', resolution_ns), ...names] : names;
  });
  if (!tagged) return heads.map((head, i) => concat([...head, ...first_run(cores[i])]));
  const named = heads.flatMap((head, i) => [frame('core_id', 0, i), ...head]);
  const running = cores.flatMap((core, i) => [frame('core_id', BLOCK_LEN, i), ...first_run(core)]);
  return [concat([...named, frame('core_id', 0, 0), ...running, frame('core_id', BLOCK_LEN, 0)])];
}

/**
 * The recording in large chunks. A chunk is valid until the next one is requested.
 * @param {BigOptions} options
 * @returns {Generator<{ stream: number, chunk: Uint8Array }, { events: number, ticks: number, damaged: number }>}
 */
export function* big_chunks({
  bytes,
  cores: core_count = 1,
  split = false,
  mode = 'freertos',
  seed = 1,
  resolution_ns = 100,
  corrupt = 0,
  templates = 128,
}) {
  const cores = Array.from({ length: core_count }, (_, core) => new BigCore(core, core_count));
  const random = new Random(seed * 7919 + core_count);
  const woven = core_count > 1 && !split;
  const blocks = Array.from({ length: templates }, () => {
    const per_core = cores.map((core) => make_block(core, mode, random));
    return woven ? [weave(per_core)] : per_core;
  });
  const heads = stream_heads(cores, { mode, resolution_ns, split });
  const lanes = heads.map((head) => {
    const lane = new Lane();
    lane.add(head);
    return lane;
  });
  const corrupter = corrupt > 0 ? new Corrupter(corrupt, seed) : null;
  const take = (/** @type {number} */ stream) => ({
    stream,
    chunk: corrupter ? corrupter.apply(lanes[stream].take()) : lanes[stream].take(),
  });

  /** @type {Template[][]} */
  let encoded = [];
  let upper_len = 0;
  let written = heads.reduce((sum, { length }) => sum + length, 0);
  let events = 0;
  let lost = 0;
  let block = 1;
  for (; written < bytes; block++) {
    const upper = varint(block);
    if (upper.length !== upper_len) {
      upper_len = upper.length;
      encoded = blocks.map((streams) => streams.map((list) => make_template(list, upper_len)));
    }
    if (random.chance(LOSSES_PER_BLOCK)) lost += random.between(1, 20);
    const chosen = random.pick(encoded);
    const count = frame('dropped_evt_cnt', block * 2 ** BLOCK_BITS + 1, lost);
    for (let stream = 0; stream < lanes.length; stream++) {
      lanes[stream].add(count);
      lanes[stream].add_block(chosen[stream], upper);
      written += count.length + chosen[stream].bytes.length;
      events += 1 + chosen[stream].frames;
      if (lanes[stream].full) yield take(stream);
    }
  }
  for (let stream = 0; stream < lanes.length; stream++) yield take(stream);
  return { events, ticks: block * BLOCK_LEN, damaged: corrupter?.hits ?? 0 };
}

/**
 * Writes the recording; with several streams `output` becomes OUTPUT.coreN.bin.
 * @param {BigOptions & { output: string }} options
 * @returns {{ files: string[], bytes: number, events: number, ticks: number, damaged: number }}
 */
export function write_big({ output, ...options }) {
  const streams = options.split ? (options.cores ?? 1) : 1;
  const stem = output.replace(/\.bin$/, '');
  const files = streams === 1 ? [output] : Array.from({ length: streams }, (_, i) => `${stem}.core${i}.bin`);
  const handles = files.map((file) => openSync(file, 'w'));
  const chunks = big_chunks(options);
  let bytes = 0;
  let next = chunks.next();
  for (; !next.done; next = chunks.next()) {
    const { stream, chunk } = next.value;
    for (let at = 0; at < chunk.length;) at += writeSync(handles[stream], chunk, at);
    bytes += chunk.length;
  }
  handles.forEach(closeSync);
  return { files, bytes, ...next.value };
}

/** @param {string} text as "100M"; K, M and G are powers of 1000 */
export function parse_size(text) {
  const match = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text);
  if (!match) throw new Error(`"${text}" is no size; try 100M`);
  return Math.floor(Number(match[1]) * ({ '': 1, K: 1e3, M: 1e6, G: 1e9 }[match[2].toUpperCase()] ?? 1));
}

function main() {
  const { values } = parseArgs({
    options: {
      bytes: { type: 'string' },
      output: { type: 'string', short: 'o' },
      cores: { type: 'string', default: '1' },
      split: { type: 'boolean', default: false },
      mode: { type: 'string', default: 'freertos' },
      seed: { type: 'string', default: '1' },
      resolution: { type: 'string', default: '100' },
      corrupt: { type: 'string', default: '0' },
    },
  });
  if (!values.bytes || !values.output) throw new Error('--bytes and --output are needed');
  if (!['freertos', 'bare-metal', 'markers', 'many-tasks'].includes(values.mode))
    throw new Error('--mode is freertos, bare-metal, markers or many-tasks');
  const started = performance.now();
  const { files, bytes, events, damaged } = write_big({
    output: values.output,
    bytes: parse_size(values.bytes),
    cores: Number(values.cores),
    split: values.split,
    mode: /** @type {Mode} */ (values.mode),
    seed: Number(values.seed),
    resolution_ns: Number(values.resolution),
    corrupt: Number(values.corrupt),
  });
  const rate = bytes / 1000 / (performance.now() - started);
  console.log(
    `${files.join(' ')}: ${bytes} bytes, ${events} events, ${damaged} bytes damaged, ${rate.toFixed(0)} MB/s`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
