// SPDX-License-Identifier: MIT
// The test command does not succeed by mistake.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ctestCounts, ctestFailures, vitestCounts, vitestFailures } from '../../scripts/counts.mjs';
import { sideBySide } from '../../scripts/side_by_side.mjs';

/** @type {(passed: number, failed: number, pending: number) => Parameters<typeof vitestCounts>[0]} */
const report = (passed, failed, pending) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
});

test('a run of vitest fails when a test failed, a file could not be read, or no test ran', () => {
  expect(vitestCounts(report(7, 0, 2), true)).toEqual({ passed: 7, failed: 0, skipped: 2 });
  expect(vitestCounts(report(7, 2, 0), false).failed).toBe(2);
  expect(vitestCounts(report(7, 0, 0), false).failed).toBe(1);
  expect(vitestCounts(report(0, 0, 0), true).failed).toBe(1);
  expect(vitestCounts(report(0, 0, 9), true).failed).toBe(1);
  expect(vitestCounts(null, true).failed).toBe(1);
});

test('a run of CTest fails when a test failed, it ended with an error, or no test ran', () => {
  expect(ctestCounts('100% tests passed, 0 tests failed out of 31', true)).toEqual({
    passed: 31,
    failed: 0,
    skipped: 0,
  });
  expect(ctestCounts('97% tests passed, 1 tests failed out of 31', false)).toEqual({
    passed: 30,
    failed: 1,
    skipped: 0,
  });
  expect(ctestCounts('100% tests passed, 0 tests failed out of 31', false).failed).toBe(1);
  expect(ctestCounts('100% tests passed, 0 tests failed out of 0', true).failed).toBe(1);
  expect(ctestCounts('No tests were found!!!', true).failed).toBe(1);
});

test('failed tests are named', () => {
  const tests = [
    { status: 'passed', fullName: 'a', failureMessages: [] },
    { status: 'failed', fullName: 'b c', failureMessages: ['Error: 1 is not 2\n    at x.ts:1'] },
  ];
  const results = [
    { name: '/p/tests/x.test.ts', message: '', assertionResults: tests },
    { name: '/p/tests/y.test.ts', message: 'Error: no such file', assertionResults: [] },
  ];
  expect(vitestFailures({ testResults: results }, '/p')).toEqual([
    'tests/x.test.ts: b c: Error: 1 is not 2',
    'tests/y.test.ts: Error: no such file',
  ]);
  expect(vitestFailures(null, '/p')).toEqual([]);
  const ended =
    '50% tests passed, 2 tests failed out of 4\n\nThe following tests FAILED:\n\t  2 - unit/a (Failed)\n\t 11 - golden/b (Timeout)\nErrors while running CTest\n';
  expect(ctestFailures(ended)).toEqual(['2 - unit/a (Failed)', '11 - golden/b (Timeout)']);
  expect(ctestFailures('100% tests passed, 0 tests failed out of 4')).toEqual([]);
});

test('an unknown stage is an error', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', 'layers', 'wbe'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^no stage wbe; there are: layers, format, native/);
});

/** The order in which stages start and end, each with the names of all that run then. @param {import('../../scripts/side_by_side.mjs').Stage[]} stages @param {number} lanes */
async function order(stages, lanes) {
  /** @type {string[]} */
  const running = [];
  /** @type {string[]} */
  const lines = [];
  const note = () => lines.push(running.join(' '));
  await sideBySide(stages, lanes, async ([name, rounds]) => {
    running.push(name);
    note();
    for (let i = 0; i < Number(rounds); i++) await null;
    running.splice(running.indexOf(name), 1);
    note();
  });
  return lines;
}

/** @type {(name: string, rounds: number, ties?: object) => import('../../scripts/side_by_side.mjs').Stage} */
const stage = (name, rounds, ties) => [name, String(rounds), async () => {}, ties];

test('stages run side by side, after the stages that they wait for, and alone in a build folder', async () => {
  expect(await order([stage('a', 1), stage('b', 1), stage('c', 1)], 1)).toEqual(['a', '', 'b', '', 'c', '']);
  expect(await order([stage('a', 90), stage('b', 1), stage('c', 1)], 2)).toEqual(['a', 'a b', 'a', 'a c', 'a', '']);
  const waits = [stage('a', 90), stage('b', 1, { after: ['a', 'not chosen'] }), stage('c', 1)];
  expect(await order(waits, 2)).toEqual(['a', 'a c', 'a', '', 'b', '']);
  const builds = [stage('a', 90, { builds: 'x' }), stage('b', 1, { builds: 'x' }), stage('c', 1, { builds: 'y' })];
  expect(await order(builds, 3)).toEqual(['a', 'a c', 'a', '', 'b', '']);
});

test('a stage that throws ends the run with its error', async () => {
  const failing = async () => {
    throw new Error('no disk');
  };
  await expect(sideBySide([stage('a', 1), stage('b', 1)], 2, failing)).rejects.toThrow('no disk');
});

test('stages that wait for each other are an error', async () => {
  const stages = [stage('a', 1, { after: ['b'] }), stage('b', 1, { needs: ['a'] })];
  await expect(order(stages, 2)).rejects.toThrow('stages wait for each other: a, b');
});
