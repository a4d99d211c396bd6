// SPDX-License-Identifier: MIT
//
// The control block of the recorder in a memory dump. docs/formats/tonbandgeraet.md, "Dumps of memory".

import { concat } from './tband.mjs';
import { Random } from './random.mjs';

export const BACKEND = { streaming: 1, snapshot: 2, post_mortem: 3, handed_over: 4 };

const LONGEST_TEXT = 20;
const METADATA_MORE = 13 + LONGEST_TEXT;
const FRAME_MORE = 18 + LONGEST_TEXT;

/**
 * @typedef {object} Core
 * @property {Uint8Array} names frames without a time
 * @property {Uint8Array} events all that were recorded, the oldest first
 * @property {number} [read] streaming: bytes of them that were sent
 * @property {number} [names_lost]
 * @property {Uint8Array} [missing] the frame names_missing after the names
 */

/**
 * @typedef {object} Block
 * @property {number} backend
 * @property {number} metadata_size
 * @property {number} ring_size
 * @property {number} [resolution] nanoseconds of a tick
 * @property {boolean} [big] byte order of the target
 */

/** @param {boolean} big @param {number[]} numbers */
function words(big, numbers) {
  const out = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((number, i) => out.setUint32(4 * i, number, !big));
  return new Uint8Array(out.buffer);
}

/** @param {Block} block @param {Core} core */
function core_bytes(block, core) {
  const ring = new Uint8Array(block.ring_size + FRAME_MORE).fill(0xa5);
  core.events.forEach((byte, at) => (ring[block.ring_size ? at % block.ring_size : 0] = byte));
  const position = block.ring_size ? core.events.length % block.ring_size : 0,
    rounds = block.ring_size ? Math.floor(core.events.length / block.ring_size) : 0;
  const read = (core.read ?? 0) % (block.ring_size || 1);
  const names = new Uint8Array(block.metadata_size + METADATA_MORE).fill(0xa5);
  names.set(core.names);
  names.set(core.missing ?? [], core.names.length);
  const fields = words(Boolean(block.big), [
    position,
    read,
    0,
    0xffffffff,
    rounds,
    0,
    0xffffffff,
    0,
    core.names.length,
    core.names_lost ?? 0,
  ]);
  const bytes = concat([fields, names, ring]);
  return concat([bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]);
}

/** @param {Block} block @param {Core[]} cores */
export function control_block(block, cores) {
  const head = [...new TextEncoder().encode('Tonkopf Ring'), 1, block.backend, cores.length, LONGEST_TEXT];
  return concat([
    head,
    words(Boolean(block.big), [block.metadata_size, block.ring_size, block.resolution ?? 1000, 0]),
    ...cores.map((core) => core_bytes(block, core)),
  ]);
}

/** Other content of the memory. @param {number} len @param {number} seed */
export function other_memory(len, seed) {
  const random = new Random(seed);
  return Uint8Array.from({ length: len }, () => (random.chance(0.4) ? 0 : random.between(0, 256)));
}
