// SPDX-License-Identifier: MIT
//
// Writes large SystemView recordings for benchmarks: tasks that wake each other, an interrupt, texts.
//
//   node tests/generator/big-systemview.mjs --bytes 100M --output big.bin

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { Random } from './random.mjs';
import { ID, SystemView } from './systemview.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed));
const tasks = Array.from({ length: 8 }, (_, i) => ({
  name: `task ${i}`,
  address: 0x2000_2000 + 0x400 * i,
  priority: i,
}));
const recorder = new SystemView().start('N=Benchmark,O=FreeRTOS,I#15=SysTick', tasks);
const out = openSync(values.output, 'w');
let written = 0,
  count = 0;
const after = (/** @type {number} */ least, /** @type {number} */ most) =>
  recorder.at((count += random.between(least, most)));
while (written < wanted) {
  for (let i = 0; i < 5_000; i++) {
    const task = tasks[random.between(0, tasks.length - 1)];
    after(500, 20_000).isr(15);
    after(50, 300).ready(task);
    after(50, 300).packet(ID.ISR_TO_SCHEDULER).run(task);
    after(500, 50_000).call(32 + 60, 0x200, 1, 2);
    if (i % 16 === 0) recorder.print('level %d', 0, random.between(0, 1000));
    recorder.wait(task);
    if (i % 4 === 0) recorder.packet(ID.IDLE);
  }
  written += writeSync(out, recorder.bytes());
  recorder.pieces = [];
}
closeSync(out);
