// SPDX-License-Identifier: MIT
// Counts the tests in the reports of vitest and CTest, and names those that failed. A run without tests counts as failed.

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

/**
 * Returns a line for each failed test in the report of vitest: file, test and the first line of the error. A file that could not be read counts as one.
 * @param {{ testResults: { name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] | null }[] }[] } | null} report
 * @param {string} root folder that names of files do not repeat
 */
export function vitestFailures(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(`${root}/`, '');
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const lines = failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages?.[0] ?? ''}`);
    if (message && !failed.length) lines.push(message);
    return lines.map((line) => `${file}: ${line.split('\n')[0]}`);
  });
}

/** Returns a line for each failed test in the output of CTest. @param {string} output */
export const ctestFailures = (output) =>
  /The following tests FAILED:\n((?:.*\d+ - .*\n?)*)/.exec(output)?.[1]?.trim().split(/\n\s*/) ?? [];
