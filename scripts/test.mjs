// SPDX-License-Identifier: MIT
// All tests, in stages. `npm test -- NAME...` runs only the stages named.
import { spawnSync } from 'node:child_process';
import { setup } from './setup.mjs';
import { ctest, runStages, script, single, vitest } from './stages.mjs';

const stages = [
  ['layers', 'who includes whom', script('check_layers.mjs')],
  ['format', 'clang-format and prettier', script('format.mjs', '--check')],
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

await runStages(stages, () => {
  setup('test');
  if (!process.env.TONKOPF_SAMPLES) console.log('TONKOPF_SAMPLES is not set: the tests on real recordings are skipped');
  if (spawnSync('ctest', ['--version']).status !== 0) throw new Error('ctest is missing although cmake was found');
});
