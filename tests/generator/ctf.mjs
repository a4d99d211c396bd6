// SPDX-License-Identifier: MIT
//
// An encoder of ctf recordings. Knows the format from docs/formats/ctf.md only.

const PIECE = 12,
  SWITCH = 0,
  COUNT = 1;

/** @param {number} hz of the counts */
export function head(hz) {
  const bytes = Buffer.alloc(PIECE);
  bytes.write('CTF', 'latin1');
  bytes.writeUInt32LE(hz, 8);
  return bytes;
}

/** @param {number} kind @param {number} count @param {number} value */
function record(kind, count, value) {
  const bytes = Buffer.alloc(PIECE);
  bytes.set([0xa5, kind]);
  bytes.writeUInt32LE(count >>> 0, 4);
  bytes.writeInt32LE(value, 8);
  let first = 0,
    second = 0;
  for (const byte of bytes) {
    first += byte; // the sum itself is still 0
    second += first;
  }
  bytes.set([first & 255, second & 255], 2);
  return bytes;
}

/** A task runs from now on. @param {number} count @param {number} task */
export const switch_to = (count, task) => record(SWITCH, count, task);

/** The level has a value from now on. @param {number} count @param {number} value */
export const level = (count, value) => record(COUNT, count, value);
