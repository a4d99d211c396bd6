// SPDX-License-Identifier: MIT
//
// Writes large value change dumps for benchmarks: a clock, a bus and a state machine, as a simulator writes them.
//
//   node tests/generator/big-vcd.mjs --bytes 100M --output big.vcd

import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse_size } from './big.mjs';
import { Random } from './random.mjs';

const HEAD = `$timescale 1 ns $end
$scope module bench $end
$var reg 1 ! clk $end
$var reg 1 " valid $end
$var wire 16 # address [15:0] $end
$var reg 32 $ data [31:0] $end
$var integer 32 % count $end
$var real 64 & level $end
$var string 1 ' state $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
0"
bx #
bx $
b0 %
r0 &
sidle '
$end
`;
const STATES = ['idle', 'fetch', 'decode', 'execute', 'write'];

/** The changes in one cycle of the clock. @param {Random} random @param {number} cycle */
function changes(random, cycle) {
  const lines = ['1!'];
  if (cycle % 2 === 0) lines.push(`${(cycle / 2) % 2}"`, `b${random.between(0, 0xffff).toString(2)} #`);
  if (cycle % 3 === 0) lines.push(`b${random.between(0, 0xffffffff).toString(2)} $`);
  if (cycle % 4 === 0) lines.push(`b${(cycle / 4).toString(2)} %`);
  if (cycle % 8 === 0) lines.push(`r${random.between(0, 1000) / 8} &`);
  if (cycle % 5 === 0) lines.push(`s${STATES[(cycle / 5) % STATES.length]} '`);
  return lines;
}

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '10M' },
    output: { type: 'string', default: 'big.vcd' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = parse_size(values.bytes),
  random = new Random(Number(values.seed));
const out = openSync(values.output, 'w');
let written = writeSync(out, HEAD);
for (let cycle = 1; written < wanted;) {
  const lines = [];
  for (const end = cycle + 10_000; cycle < end; cycle++)
    lines.push(`#${cycle * 10}`, ...changes(random, cycle), `#${cycle * 10 + 5}`, '0!');
  written += writeSync(out, `${lines.join('\n')}\n`);
}
closeSync(out);
