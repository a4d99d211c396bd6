// SPDX-License-Identifier: MIT
// What takes too long for `npm test`: everything that is installed, as its user installs it. `npm run test:packages -- NAME...` runs
// only the stages named.
import { setup } from './setup.mjs';
import { runStages, script, single, vitest } from './stages.mjs';

const stages = [
  ['native', 'native build', single(process.execPath, ['scripts/build_native.mjs'])],
  ['library', 'library and page', script('build.mjs')],
  ['npm', 'packed tarball in Node, bundles, plain modules', vitest('npm', 'packages/npm')],
  ['embed', 'the installed library in another C program, a Debian package', vitest('embed', 'packages/embed')],
  ['gate', 'script of the GitHub Action', vitest('gate', 'packages/gate')],
  ['fleet', 'commands for thousands of recordings', vitest('fleet', 'packages/fleet')],
  ['cross', 'programs and libraries of all platforms', vitest('cross', 'packages/cross')],
  ['tracer', 'recorder in other projects and shapes, under every compiler, on further boards, two cores forty times', vitest('tracer', 'packages/tracer')],
  ['windows', 'program for Windows, under wine', script('test_windows.mjs')],
  ['python', 'wheel in an environment of its own', vitest('python', 'packages/python')],
];

await runStages(stages, () => setup('packages'));
