// SPDX-License-Identifier: MIT
//
// Golden cases of ctf recordings.
import { head, level, switch_to } from './ctf.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {Uint8Array[]} pieces @returns {GoldenCase} */
const one = (name, proves, ...pieces) => ({
  name,
  proves,
  inputs: { 'input.bin': { bytes: () => Buffer.concat(pieces) } },
});

const HZ = 168_000_000; // 5.952... ns per count
const run = [switch_to(0, 1), level(168, -20), switch_to(16_800, 2), level(33_600, 55), switch_to(168_000, 1)];

/** @type {GoldenCase[]} */
export const CASES = [
  one('tasks-and-level', 'Tasks are drawn, the level is a counter, and counts become nanoseconds.', head(HZ), ...run),
  one(
    'counter-wraps',
    'The counter of the target wraps; time goes on.',
    head(HZ),
    level(0xffffff00, 1),
    level(0x00000058, 2),
  ),
  one(
    'damaged-record',
    'A record with a wrong sum is left out, foreign bytes are skipped, and the last record is cut.',
    head(HZ),
    ...run.slice(0, 2),
    Buffer.from(level(8400, 7).map((byte, i) => (i === 8 ? byte ^ 4 : byte))),
    Buffer.from('boot'),
    ...run.slice(2),
    level(170_000, 1).subarray(0, 5),
  ),
];
