// SPDX-License-Identifier: MIT
//
// The damage that a bad cable, a slow reader and a reset do to a recording.

import { concat } from './tband.mjs';
import { Random } from './random.mjs';

const BOOT_TEXT = '\r\nROM 1.02  reset: brown-out\r\nmotor controller fw 3.4.0 (Feb  2 2026)\r\nself test ok\r\n';

/**
 * Flips bits and drops bytes, each byte with the given probability, and inserts bursts of bytes.
 * @param {Uint8Array} bytes
 * @param {{ flip: number, lose: number, burst: number, seed: number }} rates
 * @returns {Uint8Array}
 */
export function line_noise(bytes, { flip, lose, burst, seed }) {
  const random = new Random(seed);
  const out = [];
  for (let i = 0; i < bytes.length; i++) {
    if (random.chance(burst)) i += random.between(20, 80);
    else if (random.chance(lose)) continue;
    else out.push(random.chance(flip) ? bytes[i] ^ (1 << random.between(0, 8)) : bytes[i]);
  }
  return Uint8Array.from(out);
}

/**
 * A capture of a serial line: boot text, a recording, a reset in the middle of a frame, boot text, the next recording,
 * and the end in the middle of a frame.
 * @param {Uint8Array} before
 * @param {Uint8Array} after the reset
 * @param {number} seed
 * @returns {Uint8Array}
 */
export function noisy_capture(before, after, seed) {
  const text = new TextEncoder().encode(BOOT_TEXT);
  const rates = { flip: 0.0002, lose: 0.0001, burst: 0.00003 };
  const last_frame = after.lastIndexOf(0, after.length - 2) + 1;
  return concat([
    text,
    line_noise(before.subarray(0, before.length - 3), { ...rates, seed }),
    text,
    line_noise(after.subarray(0, last_frame), { ...rates, seed: seed + 1 }),
    after.subarray(last_frame, after.length - 4),
  ]);
}
