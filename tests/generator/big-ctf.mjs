// SPDX-License-Identifier: MIT
//
// Writes large ctf recordings for benchmarks.
//
//   node tests/generator/big-ctf.mjs --bytes 100M --output big.bin

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { Random } from './random.mjs';
import { head, level, switch_to } from './ctf.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed));
const out = openSync(values.output, 'w');
let written = writeSync(out, head(168_000_000));
for (let count = 0; written < wanted;) {
  const pieces = [];
  for (let i = 0; i < 10_000; i++) {
    count += random.between(100, 20_000);
    pieces.push(i % 4 ? level(count, random.between(-1000, 1000)) : switch_to(count, random.between(1, 8)));
  }
  written += writeSync(out, Buffer.concat(pieces));
}
closeSync(out);
