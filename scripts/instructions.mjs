// SPDX-License-Identifier: MIT
// Checks instructions per event against the budgets in tests/budgets/instructions.json, and fails if a case needs more. Takes the difference between
// a short recording and one twice as long, so that recognition, the head and the report do not count.
//
//   npm run instructions                checks the budgets; only warns if they were measured with another compiler
//   npm run instructions -- --update    writes the measured instructions as new budgets
//   npm run instructions -- --profile [CASE]      lists the functions with the most instructions
//   npm run instructions -- --growth [10M,1G]     compares instructions per event of a short and a long recording (minutes)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, removeInputs } from './bench/cases.mjs';
import { count, countGrowth, inParallel, profile } from './bench/count.mjs';
import { compiler } from './bench/machine.mjs';
import { buildTested } from './cmake.mjs';
import { root, which } from './lib.mjs';

const SIZES = ['1M', '2M'];
const FILE = join(root, 'tests', 'budgets', 'instructions.json');
const NOISE = 1e-3;

const signed = (share) => `${share < -0.0005 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;

function verdict(name, { perEvent: now, start }, before, tolerance, isSameCompiler) {
  const measured = `${name}: ${now.toFixed(1)} instructions per event`,
    rest = `and ${(start / 1e6).toFixed(0)} million once`;
  if (before === undefined)
    return { over: true, line: `${isSameCompiler ? 'OVER' : 'new '} ${measured} (no budget yet), ${rest}` };
  const change = now / before - 1;
  const over = change > tolerance;
  return {
    over,
    line: `${over ? (isSameCompiler ? 'OVER' : 'warn') : 'ok  '} ${measured} (budget ${before.toFixed(1)}, ${signed(change)}), ${rest}`,
  };
}

function write(budgets, now, counts) {
  const same = now === budgets.compiler;
  const perEvent = CASES.map(({ name }, i) => {
    const before = budgets.perEvent[name];
    const { perEvent } = counts[i];
    return [name, same && before && Math.abs(perEvent / before - 1) < NOISE ? before : Number(perEvent.toFixed(1))];
  });
  writeFileSync(
    FILE,
    `${JSON.stringify({ ...budgets, compiler: now, perEvent: Object.fromEntries(perEvent) }, null, 2)}\n`,
  );
  console.log('budgets written');
}

async function check(update) {
  const budgets = JSON.parse(readFileSync(FILE, 'utf8'));
  const now = compiler();
  const isSameCompiler = now === budgets.compiler && !update;
  if (now !== budgets.compiler)
    console.log(`built with "${now}", the budgets with "${budgets.compiler}": differences are shown and do not fail`);
  const counts = [];
  for (const one of CASES) counts.push(await countGrowth(one, SIZES)); // runs both sizes at the same time
  const verdicts = CASES.map(({ name }, i) =>
    verdict(name, counts[i], budgets.perEvent[name], budgets.tolerance, isSameCompiler),
  );
  for (const { line } of verdicts) console.log(line);
  if (update) return write(budgets, now, counts);
  if (isSameCompiler && verdicts.some(({ over }) => over)) {
    console.log('more than the budget: find out why, or `npm run instructions -- --update` and say why in the commit');
    process.exitCode = 1;
  }
}

async function growth(sizes) {
  const [one] = CASES;
  const counts = await inParallel(sizes, (size) => count(one, size));
  sizes.forEach((size, i) => {
    console.log(
      `${one.name}, ${size}: ${counts[i].toFixed(1)} instructions per event (${signed(counts[i] / counts[0] - 1)})`,
    );
    if (size.endsWith('G')) removeInputs(one, size);
  });
}

async function showProfile(word = '') {
  const one = CASES.find(({ name }) => name.includes(word));
  if (!one) throw new Error(`no case is called ${word}`);
  console.log(one.name);
  for (const { name, share, perEvent } of await profile(one, SIZES[1]))
    console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${perEvent.toFixed(1).padStart(6)} per event  ${name}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
if (!which('valgrind')) {
  console.log('skipped: valgrind is not on the PATH');
  process.exit(0);
}
buildTested(['tool_bench']);
if (values.growth) await growth((positionals[0] ?? '10M,1G').split(','));
else if (values.profile) await showProfile(positionals[0]);
else await check(values.update);
