// SPDX-License-Identifier: MIT
// Many small inputs in one file, each after its length in two bytes. tests/fuzz/common/driver.c reads this format.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Inputs of a pack; none if the file does not exist. */
export function unpackCorpus(path) {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const inputs = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const len = bytes.readUInt16LE(at);
    inputs.push(bytes.subarray(at + 2, at + 2 + len));
    at += 2 + len;
  }
  return inputs;
}

const limit = 100_000; // bytes of one pack

/** Keeps the shortest inputs that fit, in an order that does not depend on their origin. Returns their number. */
export function packCorpus(path, inputs) {
  const sorted = inputs
    .filter((input) => input.length < 0x10000)
    .sort((a, b) => a.length - b.length || Buffer.compare(a, b));
  for (let sum = 0, at = 0; at < sorted.length; at++) {
    sum += sorted[at].length + 2;
    if (sum > limit) sorted.length = at;
  }
  writeFileSync(
    path,
    Buffer.concat(sorted.flatMap((input) => [Buffer.from([input.length & 0xff, input.length >> 8]), input])),
  );
  return sorted.length;
}
