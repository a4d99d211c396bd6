// SPDX-License-Identifier: MIT
//
// Writes large TraceRecorder streams for benchmarks; deterministic, as fast as the disk.
//
//   node tests/generator/big-psf.mjs --bytes 100M --output big.bin
//
// Repeats a part of the simulated espresso machine; counts and time stamps of its events continue.

import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { espresso_recording } from './demo-espresso.mjs';

const HEADER_LEN = 32 + 28 + 12 + 48;
const SETUP = 30_000; // number of bytes in which all objects are created
const PIECE = 1_000_000;

/** Offsets of the events, starting at `from`. @param {Uint8Array} bytes @param {number} from */
function events_of(bytes, from) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  /** @type {number[]} */
  const found = [];
  for (let at = from; at + 8 <= bytes.length; at += 8 + (view.getUint16(at, true) >> 12) * 4) found.push(at);
  return found;
}

/** @param {{ bytes: number, output: string, seed?: number }} options */
export function write_big_psf({ bytes, output, seed = 5 }) {
  const recording = espresso_recording({ bytes: SETUP + PIECE, seed });
  const all = events_of(recording, HEADER_LEN);
  const first = all.findIndex((at) => at >= SETUP);
  const piece = recording.slice(all[first], recording.length);
  const view = new DataView(piece.buffer);
  const events = all.slice(first).map((at) => at - all[first]);
  const length = view.getUint32(events[events.length - 1] + 4, true) - view.getUint32(4, true) + 1000;
  const file = openSync(output, 'w');
  let written = writeSync(file, recording.subarray(0, all[first]));
  while (written < bytes) {
    written += writeSync(file, piece);
    for (const at of events) {
      view.setUint16(at + 2, (view.getUint16(at + 2, true) + events.length) & 0xffff, true);
      view.setUint32(at + 4, (view.getUint32(at + 4, true) + length) >>> 0, true);
    }
  }
  closeSync(file);
  return { bytes: written };
}

/** "100M" @param {string} text */
function byte_count(text) {
  const match = /^(\d+)([kMG]?)$/.exec(text);
  if (!match) throw new Error(`not a number of bytes: ${text}`);
  return Number(match[1]) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[/** @type {'' | 'k' | 'M' | 'G'} */ (match[2])];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      bytes: { type: 'string', default: '10M' },
      output: { type: 'string', default: 'big-psf.bin' },
      seed: { type: 'string', default: '5' },
    },
  });
  const { bytes } = write_big_psf({
    bytes: byte_count(values.bytes),
    output: values.output,
    seed: Number(values.seed),
  });
  console.log(`${values.output}: ${bytes} bytes`);
}
