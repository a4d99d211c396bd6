// SPDX-License-Identifier: MIT
//
// Writes large CTF streams for benchmarks, as Zephyr writes them.
//
//   node tests/generator/big-ctf.mjs --bytes 100M --output big.bin

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { Random } from './random.mjs';
import { LAYOUTS, event } from './ctf.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed)),
  layout = LAYOUTS.C;
const threads = ['main', 'worker', 'logger', 'net', 'idle'].map((name, i) => ({
  thread_id: 0x2000_0000 + i * 256,
  name,
}));
const idle = threads[4],
  take = { id: 0x2000_1000, timeout: 0xffffffff },
  lock = { id: 0x2000_1040, timeout: 0xffffffff };
let ns = 0;
/** @type {Buffer[]} */
let pieces = [];
const put = (/** @type {string} */ name, /** @type {import('./ctf.mjs').Fields} */ fields = {}) => {
  ns += random.between(300, 5000);
  pieces.push(event(layout, name, ns, fields));
};
for (const thread of threads) put('thread_create', thread);
const out = openSync(values.output, 'w');
for (let written = 0; written < wanted; pieces = []) {
  for (let i = 0; i < 200; i++) {
    const thread = threads[random.between(0, 4)];
    put('isr_enter');
    put('thread_ready', thread);
    put('isr_exit_to_scheduler');
    put('thread_switched_out', idle);
    put('thread_switched_in', thread);
    put('semaphore_take_exit', { ...take, ret: 0 });
    put('mutex_lock_enter', lock);
    put('mutex_lock_exit', { ...lock, ret: 0 });
    put('mutex_unlock_enter', lock);
    put('mutex_unlock_exit', { ...lock, ret: 0 });
    put('semaphore_take_enter', take);
    put('semaphore_take_blocking', take);
    put('thread_pending', thread);
    put('thread_switched_out', thread);
    put('thread_switched_in', idle);
    put('idle');
    ns += random.between(1000, 100_000);
  }
  written += writeSync(out, Buffer.concat(pieces));
}
closeSync(out);
