// SPDX-License-Identifier: MIT
//
// Writes large ITM recordings for benchmarks.
//
//   node tests/generator/big-itm.mjs --bytes 100M --output big.bin

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { Itm, data_value, pc_sample } from './itm.mjs';
import { Random } from './random.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed)),
  target = new Itm();
const out = openSync(values.output, 'w');
let written = 0;
for (let count = 0; written < wanted;) {
  target.pieces = [];
  target.sync();
  for (let i = 0; i < 5_000; i++) {
    const isr = random.between(16, 40);
    target.at((count += random.between(100, 5000)));
    if (i % 4 === 0)
      target
        .enter(isr)
        .at((count += random.between(20, 900)))
        .leave(isr);
    else if (i % 4 === 1) target.put(data_value(i % 3, random.between(0, 1000), 4, true)).time();
    else target.put(pc_sample(0x08000000 + 2 * random.between(0, 4000))).time();
    if (i % 50 === 0) target.text(0, `step ${i}\n`).time();
  }
  written += writeSync(out, target.bytes());
}
closeSync(out);
