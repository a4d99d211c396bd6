// SPDX-License-Identifier: MIT
//
// Writes large flux recordings for benchmarks: repeats a part of a drive's signals. Samples contain the time since the sample before, so
// their bytes need no change.
//
//   node tests/generator/big-flux.mjs --bytes 100M --output big.bin [--packed lz4|fastlz|zlib|gzip]
//
// --bytes: unpacked size.

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { FluxStream, MEMBER, double, field, integer } from './flux.mjs';
import { Random } from './random.mjs';

const MODES = { 0: 'stop', 1: 'ramp', 2: 'hold', 3: 'brake' };
const ROUNDS = 3000;

const head = () =>
  new FluxStream()
    .head('drive', { most: 30 })
    .scope(1, 'drive')
    .signal(2, 'speed [rpm]', 'float', { parent: 1 })
    .signal(3, 'current [mA]', 'integer', { parent: 1 })
    .signal(4, 'mode', 'event', { parent: 1, descriptor: 'gantt<>' })
    .signal(5, 'status', 'logic', { parent: 1, descriptor: 'default<bits=8>' })
    .scope(10, 'bus')
    .signal(11, 'frame', 'struct', { parent: 10 })
    .signal(12, 'log', 'text', { parent: 10 })
    .labels(4, 0, MODES)
    .member(11, 0, 'id', MEMBER.integer, { descriptor: 'default<df=Hex>' })
    .member(11, 1, 'value', MEMBER.float)
    .open(1, 'us')
    .open(10, 'us')
    .bytes();

/** @param {Random} random */
function piece(random) {
  const body = new FluxStream();
  for (let i = 0; i < ROUNDS; i++) {
    const speed = random.between(0, 6000);
    body
      .int(3, random.between(20, 90), random.between(-9000, 9000))
      .int(3, 50, random.between(-9000, 9000))
      .real(2, null, speed / 8);
    body
      .int(3, random.between(20, 90), random.between(-9000, 9000))
      .states(5, random.between(1, 40), random.between(0, 255).toString(2).padStart(8, '0'));
    if (i % 4 === 0) body.event(4, 7, (i / 4) % 4);
    if (i % 5 === 0)
      body.binary(11, 300, [
        ...field(0, MEMBER.integer, integer(0x100 + (i % 40))),
        ...field(1, MEMBER.float, double(speed)),
      ]);
    if (i % 20 === 0) body.words(12, null, `set point ${Math.round(speed)} rpm`);
  }
  return body.bytes();
}

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.bin' },
    seed: { type: 'string', default: '1' },
    packed: { type: 'string' },
  },
});
const wanted = parse_size(values.bytes),
  body = piece(new Random(Number(values.seed)));
const part = values.packed ? new FluxStream().block(/** @type {'lz4'} */ (values.packed), body).bytes() : body;
const out = openSync(values.output, 'w');
writeSync(out, head());
for (let written = 0; written < wanted; written += body.length) writeSync(out, part);
closeSync(out);
