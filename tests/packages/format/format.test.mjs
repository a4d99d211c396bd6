// SPDX-License-Identifier: MIT
// A format that `npm run new-format` has just written, built in a copy of the project: golden cases, damage, fuzz seeds.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs, nanopbDir, which, zlibDir } from '../../../scripts/lib.mjs';
import { copyTree } from '../../common/tree.mjs';

const NAME = 'demo2';
const TARGETS = ['tool_feed', 'tool_golden', 'tool_faults', 'tool_snapshot', 'tool_damage', 'seeded'];
const CASES = ['tasks-and-level', 'counter-wraps', 'damaged-record'];
let tree = '',
  native = '';

const run = (command, ...args) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: tree,
    encoding: 'utf8',
    env: { ...process.env, TONKOPF_NATIVE: native },
  });
  return { status, stdout, output: stdout + stderr };
};
const input = (name) => join(tree, 'build', 'golden', NAME, name, 'input.bin');

beforeAll(() => {
  tree = copyTree();
  native = join(tree, 'build', 'native');
  execFileSync(process.execPath, ['scripts/new-format.mjs', NAME], { cwd: tree });
  const settings = [
    '-DCMAKE_BUILD_TYPE=Debug', // compiles faster
    `-DTK_NANOPB_DIR=${nanopbDir}`,
    `-DTK_ZLIB_DIR=${zlibDir}`,
    ...(which('ccache') ? ['-DCMAKE_C_COMPILER_LAUNCHER=ccache', '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] : []),
  ];
  const configured = run('cmake', '-S', tree, '-B', native, '-G', 'Ninja', ...settings);
  expect(configured.status, configured.output).toBe(0);
  const built = run('cmake', '--build', native, '-j', jobs, '--target', ...TARGETS);
  expect(built.status, built.output).toBe(0);
  expect(built.output).not.toMatch(/warning:/);
}, 900_000);
afterAll(() => rmSync(tree, { recursive: true, force: true }));

test('gives what its golden cases expect', () => {
  const golden = run(
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    'tests/golden/golden.test.mjs',
    '-t',
    `${NAME}/`,
  );
  expect(golden.status, golden.output).toBe(0);
  expect(golden.output).toMatch(new RegExp(`Tests .*${CASES.length} passed`));
});

test.each(CASES)('%s: every stage at each size of chunks, every failure, every snapshot', (name) => {
  for (const tool of ['golden', 'faults', 'snapshot']) {
    const { status, output } = run(join(native, 'tests', `tool_${tool}`), `format=${NAME}`, '--', input(name));
    expect(status, `${tool}: ${output}`).toBe(0);
  }
});

test.each(CASES)('%s: damage costs what it touches, and nothing else', (name) => {
  const { stdout } = run(
    join(native, 'tests', 'tool_damage'),
    ...['--trials', '3000', '--reach', '64', `format=${NAME}`, '--', input(name)],
  );
  const { bytes, events, ...ways } = JSON.parse(stdout);
  expect(bytes).toBeGreaterThan(30);
  expect(events).toBeGreaterThan(1);
  for (const [way, { trials, missing, thrown, unhealed }] of Object.entries(ways)) {
    expect(trials, way).toBeGreaterThan(50);
    expect({ missing, thrown, unhealed }, way).toEqual({ missing: 0, thrown: 0, unhealed: 0 });
  }
});

test('its fuzz target runs from its seeds', () => {
  const corpus = join(tree, 'tests', 'fuzz', 'corpus', `decode_${NAME}.pack`);
  const { status, output } = run(
    join(native, 'tests', 'seeded'),
    `decode_${NAME}`,
    '1',
    '5000',
    join(tree, 'crash'),
    corpus,
  );
  expect(status, output).toBe(0);
  expect(output).toContain(`5000 runs from ${2 * CASES.length} files`);
});

test('recognises its magic; lacks only its measured budget', () => {
  writeFileSync(join(tree, 'file.bin'), Buffer.concat([Buffer.from('DEMO2\0\0\0'), Buffer.alloc(64)]));
  const { stdout } = run(join(native, 'tests', 'tool_feed'), '--report', join(tree, 'file.bin'));
  expect(JSON.parse(stdout).format.name).toBe(NAME);
  const check = run(process.execPath, 'scripts/new-format.mjs', '--check', NAME);
  expect(check.stdout.trim().split('\n')).toEqual([
    `tests/budgets/instructions.json: no budget for "${NAME}, a level and tasks"; npm run instructions -- --update`,
  ]);
});
