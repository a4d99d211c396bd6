// SPDX-License-Identifier: MIT
//
// Writes large call traces for benchmarks: iterations of the loop of a simulated firmware, in any order. Records contain neither time nor
// number, so their bytes need no change.
//
//   node tests/generator/big-cortexm.mjs --bytes 100M --output big.bin

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { heatpump } from './demo-heatpump.mjs';
import { Random } from './random.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed));
const { trace, from } = heatpump({ rounds: 3000 });
const rounds = from.map((start, i) => trace.subarray(start, from[i + 1] ?? trace.length));
const out = openSync(values.output, 'w');
let written = writeSync(out, trace.subarray(0, from[0]));
while (written < wanted) {
  const parts = Array.from({ length: 500 }, () => random.pick(rounds));
  written += writeSync(out, Buffer.concat(parts));
}
closeSync(out);
