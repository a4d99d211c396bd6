// SPDX-License-Identifier: MIT
// Long fuzzing with libFuzzer under the sanitizers: npm run fuzz -- [TARGET ...] [--seconds 600] [--merge]
// New inputs gather in build/fuzz/TARGET; --merge instead shrinks them into tests/fuzz/corpus/TARGET. A crash is kept
// as build/fuzz/TARGET-crash-*. The short seeded runs of every test run are in tests/CMakeLists.txt.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSanitize, filesBelow, root } from './lib.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '600' }, merge: { type: 'boolean', default: false } },
});
const all = filesBelow('tests/fuzz', (path) => /^tests\/fuzz\/\w+\.c$/.test(path)).map((path) => basename(path, '.c'));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`no such target: ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
const targets = positionals.length ? positionals : all;
const folder = join(root, 'build', 'fuzz');

function fuzzer(name, args, onLine) {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'build', 'sanitize', 'tests', `fuzz_${name}`), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let rest = '';
    child.stderr.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine(line);
    });
    child.on('close', resolve);
  });
}

async function fuzz(name) {
  const gathered = join(folder, name);
  const kept = join(root, 'tests', 'fuzz', 'corpus', name);
  mkdirSync(gathered, { recursive: true });
  mkdirSync(kept, { recursive: true });
  const common = ['-max_len=16384', '-timeout=20', '-rss_limit_mb=2048', `-artifact_prefix=${join(folder, `${name}-`)}`];
  const args = values.merge ? ['-merge=1', ...common, kept, gathered] : [`-max_total_time=${values.seconds}`, '-print_final_stats=1', ...common, gathered, kept];
  const tail = [];
  let runs = '?', coverage = '?';
  const status = await fuzzer(name, args, (line) => {
    runs = /number_of_executed_units: (\d+)/.exec(line)?.[1] ?? runs;
    coverage = /cov: (\d+)/.exec(line)?.[1] ?? coverage;
    tail.push(line);
    if (tail.length > 60) tail.shift();
  });
  if (status !== 0) console.log(tail.join('\n'));
  const what = values.merge ? `${readdirSync(kept).length} inputs in the tree` : `${runs} executions, ${coverage} edges`;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}: ${what}`);
  return status === 0;
}

buildSanitize(targets.map((name) => `fuzz_${name}`));
// One after the other on few cores: each gets the time it was promised.
let good = true;
for (const name of targets) good = (await fuzz(name)) && good;
process.exit(good ? 0 : 1);
