// SPDX-License-Identifier: MIT
// The findings of cppcheck and its MISRA add-on in the recorder: the number of violations of each rule must not exceed
// tests/budgets/misra.json.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root, which } from '../../../scripts/lib.mjs';

const APART = ['misra-c2012-2.5']; // unused macros: a library has them for its applications
const TOLERATED = /^(misra-c2012-|style$)/;

const kernel = [
  '-Itests/tracer/kernel',
  '-DKERNEL_VERSION=1102',
  '-DTEST_INTERRUPTS',
  '-Dtband_configFREERTOS_TRACE_ENABLE=1',
];
const runs = [
  ...['POST_MORTEM', 'SNAPSHOT', 'STREAMING', 'EXTERNAL'].map((backend) => [
    `-DTEST_BACKEND_${backend}`,
    'tracer/src/tband.c',
  ]),
  ['-DTEST_BACKEND_STREAMING', '-DTEST_HAND_OVER', 'tracer/src/tband.c'],
  ['-DTEST_BACKEND_STREAMING', '-DTEST_CORES=2', 'tracer/src/tband.c'],
  [
    '-DTEST_BACKEND_STREAMING',
    '-Itracer/transports',
    'tracer/transports/tband_rtt.c',
    'tracer/transports/tband_transfer.c',
  ],
  ['-DTEST_BACKEND_POST_MORTEM', ...kernel, 'tracer/src/tband_freertos.c'],
];

// cppcheck leaves files beside the sources, which other tests pack, so it gets a copy.
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-misra-'));
for (const part of ['tracer', 'spec', 'tests/tracer'])
  cpSync(join(root, part), join(folder, part), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each finding once: "file:line:column rule", with the severity if it is not a MISRA rule. */
function findings() {
  const found = new Set();
  for (const args of runs) {
    const { stderr, error } = spawnSync(
      'cppcheck',
      [
        '--addon=misra',
        '--std=c11',
        '--enable=warning,style,performance,portability',
        '--suppress=missingIncludeSystem',
        '--quiet',
        '--template={file}:{line}:{column} {id} {severity}',
        '-Itests/tracer/config',
        '-Itracer/include',
        ...args,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    if (error) throw error;
    for (const line of stderr.split('\n')) if (line.startsWith('tracer/')) found.add(line);
  }
  return [...found].map((line) => /** @type {[string, string, string]} */ (line.split(' ')));
}

test.skipIf(!which('cppcheck'))('the number of violations does not exceed the budget', () => {
  const budget = JSON.parse(readFileSync(join(root, 'tests', 'budgets', 'misra.json'), 'utf8'));
  /** @type {Record<string, number>} */ const counts = {};
  const all = findings(),
    others = [];
  for (const [place, id, severity] of all) {
    const rule = id.startsWith('misra') ? id : severity;
    if (APART.includes(id)) continue;
    if (!TOLERATED.test(rule)) others.push(`${place} ${id}`);
    else counts[rule] = (counts[rule] ?? 0) + 1;
  }
  expect(all.length).toBeGreaterThan(50); // proves that files were checked
  expect(others).toEqual([]);
  const grown = Object.entries(counts)
    .filter(([rule, count]) => count > (budget[rule] ?? 0))
    .map(([rule, count]) => `${rule}: ${count}, at most ${budget[rule] ?? 0}`);
  expect(grown, JSON.stringify(counts, null, 2)).toEqual([]);
});
