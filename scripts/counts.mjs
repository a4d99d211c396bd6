// SPDX-License-Identifier: MIT
// Counts the tests in the reports of vitest and CTest. A run without tests counts as failed.

/**
 * Counts the tests in the report of vitest. ok: vitest ended without an error.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number } | null} report null if vitest wrote none
 * @param {boolean} ok
 */
export function vitestCounts(report, ok) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report;
  const failed = numFailedTests || (ok && passed > 0 ? 0 : 1);
  return { passed, failed, skipped: numPendingTests + numTodoTests };
}

/**
 * Counts the tests in the output of CTest. ok: CTest ended without an error.
 * @param {string} output
 * @param {boolean} ok
 */
export function ctestCounts(output, ok) {
  const [, wrong, total] = (/(\d+) tests? failed out of (\d+)/.exec(output) ?? []).map(Number);
  if (!total) return { passed: 0, failed: 1, skipped: 0 };
  return { passed: total - wrong, failed: wrong || (ok ? 0 : 1), skipped: 0 };
}
