// SPDX-License-Identifier: MIT
// The test command does not succeed by mistake.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ctestCounts, vitestCounts } from '../../scripts/counts.mjs';

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

test('an unknown stage is an error', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', 'layers', 'wbe'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^no stage wbe; there are: layers, format, native/);
});
