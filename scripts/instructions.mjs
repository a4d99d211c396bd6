// SPDX-License-Identifier: MIT
// Instructions per event of fixed small recordings, counted by valgrind: unlike time they are the same on a busy machine.
// Fails where more are needed than tests/budgets/instructions.json allows.
//
//   npm run instructions                the budgets; another compiler than theirs gives warnings instead of failures
//   npm run instructions -- --update    writes what is needed now
//   npm run instructions -- --growth [10M,1G]   does a long recording cost more per event than a short one? (minutes)
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, inputs, removeInputs } from './bench/cases.mjs';
import { compiler } from './bench/machine.mjs';
import { buildNative, capture, root, which } from './lib.mjs';

const SIZE = '2M';
const FILE = join(root, 'tests', 'budgets', 'instructions.json');
const NOISE = 1e-3;

/** Counts a whole run of the converter, output discarded. { instructions, events } */
async function count(one, size) {
  const { paths, cores } = inputs(one, size);
  const files = paths.map((path, index) => (cores[index] === null ? path : `${path}@${cores[index]}`));
  const words = ['--chunk', '262144', ...files];
  const tool = join(root, 'build', 'native', 'tests', 'tool_feed');
  const { ok, output } = await capture('valgrind', ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', tool, ...words]);
  const [, digits] = /I\s+refs:\s+([\d,]+)/.exec(output) ?? [];
  if (!ok || !digits) throw new Error(`valgrind: ${output}`);
  const report = JSON.parse(execFileSync(tool, ['--report', ...words], { encoding: 'utf8' }));
  return { instructions: Number(digits.replaceAll(',', '')), events: report.events.total };
}

/** Calls `act` on all items, as many at once as there are processors; keeps the order. */
async function inParallel(items, act) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await act(items[i]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

const perEvent = ({ instructions, events }) => instructions / events;
const signed = (share) => `${share < -0.0005 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;

async function check(update) {
  const budgets = JSON.parse(readFileSync(FILE, 'utf8'));
  const now = compiler();
  const same = now === budgets.compiler;
  if (!same && !update) console.log(`built with "${now}", the budgets with "${budgets.compiler}": differences are shown, not judged`);
  const counts = await inParallel(CASES, async (one) => perEvent(await count(one, SIZE)));
  let over = 0;
  CASES.forEach(({ name }, i) => {
    const before = budgets.perEvent[name];
    const change = before ? counts[i] / before - 1 : 0;
    const bad = before === undefined || change > budgets.tolerance;
    if (bad) over++;
    const rest = before === undefined ? 'no budget yet' : `budget ${before.toFixed(1)}, ${signed(change)}`;
    console.log(`${bad ? (same ? 'OVER' : 'warn') : 'ok  '} ${name}: ${counts[i].toFixed(1)} instructions per event (${rest})`);
  });
  if (update) {
    const kept = CASES.map(({ name }, i) => {
      const before = budgets.perEvent[name];
      return [name, same && before && Math.abs(counts[i] / before - 1) < NOISE ? before : Number(counts[i].toFixed(1))];
    });
    writeFileSync(FILE, `${JSON.stringify({ ...budgets, compiler: now, perEvent: Object.fromEntries(kept) }, null, 2)}\n`);
    console.log('budgets written');
  } else if (over && same) {
    console.log('more than the budget: find out why, or `npm run instructions -- --update` and say why in the commit');
    process.exitCode = 1;
  }
}

async function growth(sizes) {
  const [one] = CASES;
  const counts = await inParallel(sizes, (size) => count(one, size));
  sizes.forEach((size, i) => {
    console.log(`${one.name}, ${size}: ${perEvent(counts[i]).toFixed(2)} instructions per event (${signed(perEvent(counts[i]) / perEvent(counts[0]) - 1)})`);
    if (size.endsWith('G')) removeInputs(one, size);
  });
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { update: { type: 'boolean', default: false }, growth: { type: 'boolean', default: false } } });
if (!which('valgrind')) {
  console.log('skipped: valgrind is not on the PATH');
  process.exit(0);
}
buildNative(['tool_feed']);
if (values.growth) await growth((positionals[0] ?? '10M,1G').split(','));
else await check(values.update);
