// SPDX-License-Identifier: MIT
// Runs the stages of `npm test` and `npm run test:packages`. Prints the output of a stage if it fails, with --verbose the output of every
// stage. A line per stage contains its time and the processor time of its programs, which hardly depends on other load of the machine.
// The last lines name the failed tests and contain the number of tests. Arguments name single stages to run.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ctestCounts, ctestFailures, vitestCounts, vitestFailures } from './counts.mjs';
import { capture, jobs, root } from './lib.mjs';
import { sideBySide } from './side_by_side.mjs';

/** @typedef {import('./side_by_side.mjs').Stage} Stage */

const node = process.execPath;
const verbose = process.argv.includes('--verbose');
const results = join(root, 'build', 'test-results');

const TIMES = /\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

/** Runs a program as `capture` does. processor: seconds that it and its children used; 0 on Windows, where no shell counts them. */
async function timed(command, args, options) {
  if (process.platform === 'win32') return { ...(await capture(command, args, options)), processor: 0 };
  const words = ['-c', '"$@"; status=$?; times; exit $status', 'sh', command, ...args];
  const { ok, output } = await capture('sh', words, options);
  const [, ...numbers] = TIMES.exec(output) ?? ['', 0, 0, 0, 0]; // of the shell, then of its children: user, system
  const [minutes, seconds, systemMinutes, systemSeconds] = numbers.map(Number);
  return { ok, output: output.replace(TIMES, ''), processor: 60 * (minutes + systemMinutes) + seconds + systemSeconds };
}

/** Returns a stage that runs one program as one test. The test counts as skipped if a line of the output begins with "skipped: ". */
export const single = (command, args, options) => async () => {
  const { ok, output, processor } = await timed(command, args, { echo: verbose, ...options });
  const skipped = ok && /^skipped: /m.test(output) ? 1 : 0;
  if (skipped) console.log(output.trim());
  return { output, processor, passed: ok && !skipped ? 1 : 0, failed: ok ? 0 : 1, skipped };
};

export const script = (name, ...args) => single(node, [join('scripts', name), ...args]);

/**
 * Returns a stage that builds targets of a preset (default: all) and runs CTest in its build folder. args: further arguments of CTest.
 * @param {'native' | 'sanitize'} preset
 * @param {{ targets?: string[], args?: string[] }} options
 */
export const ctest =
  (preset, { targets = [], args = [] } = {}) =>
  async () => {
    const build = `${preset === 'native' ? 'buildTested' : 'buildSanitize'}(${JSON.stringify(targets)})`;
    const built = await timed(node, ['-e', `import('./scripts/cmake.mjs').then((m) => m.${build})`], { echo: verbose });
    if (!built.ok) return { ...built, passed: 0, failed: 1, skipped: 0 };
    // The sanitizer does not reuse the last 16 MB of freed memory, which is the memory of several conversions. The default of 256 MB is slower.
    const env = { ASAN_OPTIONS: 'quarantine_size_mb=16', ...process.env };
    const { ok, output, processor } = await timed(
      'ctest',
      ['--test-dir', join('build', preset), '--output-on-failure', '-j', jobs, ...args],
      { echo: verbose, env },
    );
    return {
      output,
      processor: built.processor + processor,
      failures: ctestFailures(output),
      ...ctestCounts(output, ok),
    };
  };

/** Returns a stage that runs vitest on folders and files (X.test.mjs) of tests/. name: name of its report. */
export const vitest = (name, ...paths) => vitestWith({}, name, ...paths);

/** Returns a stage like `vitest` that runs with these environment variables. */
export const vitestWith =
  (variables, name, ...paths) =>
  async () => {
    const file = join(results, `${name}.json`);
    rmSync(file, { force: true });
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${file}`,
      ...paths.map((path) => (path.includes('.') ? `tests/${path}` : `tests/${path}/`)),
    ];
    const env = { ...process.env, TONKOPF_STAGE: name, ...variables };
    const { ok, output, processor } = await timed(node, args, { echo: verbose, env });
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    return { output, processor, failures: vitestFailures(report, root), ...vitestCounts(report, ok) };
  };

/** Returns the stages named in `only` and the stages that they need, in the order of the list. @param {Stage[]} stages @param {string[]} only */
function chosen(stages, only) {
  const names = new Set(only);
  for (const [name, , , { needs = [] } = {}] of stages.toReversed())
    if (names.has(name)) for (const need of needs) names.add(need);
  return stages.filter(([name]) => names.has(name));
}

async function runStage([name, what, run], counts) {
  const begin = Date.now();
  const { output, processor = 0, failures = [], passed, failed, skipped } = await run();
  counts.processor += processor;
  counts.passed += passed;
  counts.failed += failed;
  counts.skipped += skipped;
  if (failed)
    counts.failures.push(...(failures.length ? failures : ['a program failed']).map((line) => `${name}: ${line}`));
  if (failed && !verbose) console.log(output);
  const seconds = ((Date.now() - begin) / 1000).toFixed(0).padStart(4);
  const busy = processor.toFixed(0).padStart(4);
  console.log(
    `${failed ? 'FAILED' : 'ok    '} ${name.padEnd(12)} ${seconds} s ${busy} s of processor  ${what}: ${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`,
  );
}

/**
 * Calls `prepare`, runs the stages that the command line names (default: all), and ends the process. With --verbose it runs
 * one stage at a time, so that their outputs do not mix.
 * @param {Stage[]} stages
 * @param {() => void} prepare
 * @param {{ lanes?: number }} options lanes: largest number of stages that run at the same time
 */
export async function runStages(stages, prepare, { lanes = 1 } = {}) {
  const only = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const names = stages.map(([name]) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length) {
    console.error(`no stage ${unknown.join(', ')}; there are: ${names.join(', ')}`);
    process.exit(2);
  }
  prepare();
  mkdirSync(results, { recursive: true });
  const counts = { passed: 0, failed: 0, skipped: 0, processor: 0, failures: [] };
  const list = chosen(stages, only.length ? only : names);
  await sideBySide(list, verbose ? 1 : lanes, (stage) => runStage(stage, counts));
  for (const line of counts.failures) console.log(`FAILED ${line}`);
  console.log(`\n${counts.processor.toFixed(0)} s of processor time`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed ? 1 : 0);
}
