// SPDX-License-Identifier: MIT
// All tests, in stages; the output of a stage is shown when it fails (always with --verbose). The last line counts.
// `npm test -- NAME...` runs only the stages named.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ctestCounts, vitestCounts } from './counts.mjs';
import { capture, jobs, root } from './lib.mjs';
import { setup } from './setup.mjs';

const node = process.execPath;
const verbose = process.argv.includes('--verbose');
const only = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const counts = { passed: 0, failed: 0, skipped: 0 };
const results = join(root, 'build', 'test-results');

/** One program whose success is one test; one that says so on a line of its own was skipped. */
const single = (command, args, options) => async () => {
  const { ok, output } = await capture(command, args, { echo: verbose, ...options });
  const skipped = ok && /^skipped: /m.test(output) ? 1 : 0;
  if (skipped) console.log(output.trim());
  return { output, passed: ok && !skipped ? 1 : 0, failed: ok ? 0 : 1, skipped };
};

const script = (name, ...args) => single(node, [join('scripts', name), ...args]);

/** Builds a preset, then runs what CTest finds in it. */
const ctest = (preset) => async () => {
  const build = await capture(node, ['-e', `import('./scripts/builds.mjs').then((m) => m.${preset === 'native' ? 'buildNative' : 'buildSanitize'}())`], { echo: verbose });
  if (!build.ok) return { output: build.output, passed: 0, failed: 1, skipped: 0 };
  const { ok, output } = await capture('ctest', ['--test-dir', join('build', preset), '--output-on-failure', '-j', jobs], { echo: verbose });
  return { output, ...ctestCounts(output, ok) };
};

/** vitest on some folders of tests/. */
const vitest = (name, ...folders) => async () => {
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile=${file}`, ...folders.map((folder) => `tests/${folder}/`)];
  const { ok, output } = await capture(node, args, { echo: verbose });
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  return { output, ...vitestCounts(report, ok) };
};

const stages = [
  ['layers', 'who includes whom', script('check_layers.mjs')],
  ['native', 'C tests, optimised', ctest('native')],
  ['sanitize', 'C tests and fuzz targets with sanitizers', ctest('sanitize')],
  ['damage', 'damage trial, short', script('damage.mjs', '--short')],
  ['build', 'library and page', script('build.mjs')],
  ['types', 'TypeScript', single('npm', ['run', '--silent', 'typecheck'], { shell: process.platform === 'win32' })],
  ['text', 'generator, docs, report, comparison of figures', vitest('text', 'generator', 'docs', 'report', 'bench')],
  ['wasm', 'WebAssembly equals native, golden cases', vitest('wasm', 'wasm', 'golden')],
  ['target', 'recorder on an emulated Cortex-M3', vitest('target', 'target')],
  ['output', 'traces in the real trace_processor', vitest('output', 'output')],
  ['cli', 'command line tool', vitest('cli', 'cli')],
  ['web', 'page in Chromium, hand-over to the real viewer', vitest('web', 'web')],
  ['browsers', 'page in Firefox and WebKit', vitest('browsers', 'browsers')],
  ['size', 'budgets of size', script('check_size.mjs')],
  ['instructions', 'budgets of work per event', script('instructions.mjs')],
];

async function runStage([name, what, run]) {
  const begin = Date.now();
  const { output, passed, failed, skipped } = await run();
  counts.passed += passed;
  counts.failed += failed;
  counts.skipped += skipped;
  if (failed && !verbose) console.log(output);
  const seconds = ((Date.now() - begin) / 1000).toFixed(0).padStart(4);
  console.log(`${failed ? 'FAILED' : 'ok    '} ${name.padEnd(12)} ${seconds} s  ${what}: ${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`);
}

const names = stages.map(([name]) => name);
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length) {
  console.error(`no stage ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
setup('test');
mkdirSync(results, { recursive: true });
if (!process.env.TONKOPF_SAMPLES) console.log('TONKOPF_SAMPLES is not set: the tests on real recordings are skipped');
if (spawnSync('ctest', ['--version']).status !== 0) throw new Error('ctest is missing although cmake was found');
for (const stage of stages) if (!only.length || only.includes(stage[0])) await runStage(stage);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed ? 1 : 0);
