// SPDX-License-Identifier: MIT
// Runs all tests, in stages. `npm test -- NAME...` runs only the named stages.
import './node_version.mjs';
import { spawnSync } from 'node:child_process';
import { setup } from './setup.mjs';
import { ctest, runStages, script, single, vitest } from './stages.mjs';

const built = { after: ['native', 'build'] };
const native = { after: ['native'], builds: 'build/native' };

// Two stages run at the same time, because builds, links and tests that wait leave a processor idle. Long stages begin first.
const stages = [
  ['layers', 'who includes whom', script('check_layers.mjs')],
  ['format', 'clang-format and prettier', script('format.mjs', '--check')],
  ['native', 'C tests, optimised', ctest('native'), { builds: 'build/native' }],
  ['build', 'library and page', script('build.mjs')],
  ['sanitize', 'C tests and fuzz targets with sanitizers', ctest('sanitize')],
  ['web', 'page in Chromium, hand-over to the real viewer', vitest('web', 'web'), built],
  ['output', 'traces in the real trace_processor', vitest('output', 'output'), built],
  ['wasm', 'WebAssembly equals native, golden cases', vitest('wasm', 'wasm', 'golden'), built],
  ['cli', 'command line tool', vitest('cli', 'cli', 'simulator'), built],
  ['target', 'recorder on an emulated Cortex-M3', vitest('target', 'target'), built],
  ['damage', 'damage trial, short', script('damage.mjs', '--short'), native],
  ['instructions', 'budgets of work per event', script('instructions.mjs'), native],
  ['browsers', 'page in Firefox and WebKit', vitest('browsers', 'browsers'), built],
  [
    'text',
    'generator, docs, report, comparison of figures',
    vitest('text', 'generator', 'docs', 'report', 'bench'),
    built,
  ],
  [
    'types',
    'TypeScript',
    single('npm', ['run', '--silent', 'typecheck'], { shell: process.platform === 'win32' }),
    { after: ['build'] },
  ],
  ['size', 'budgets of size', script('check_size.mjs'), { after: ['build'] }],
];

function prepare() {
  setup('test');
  if (!process.env.TONKOPF_SAMPLES) console.log('TONKOPF_SAMPLES is not set: the tests on real recordings are skipped');
  if (spawnSync('ctest', ['--version']).status !== 0) throw new Error('ctest is missing although cmake was found');
}

await runStages(stages, prepare, { lanes: 2 });
