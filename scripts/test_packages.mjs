// SPDX-License-Identifier: MIT
// Runs the tests that take too long for `npm test`: tests of all packages, installed as their users install them, and long comparisons.
// `npm run test:packages -- NAME...` runs only the named stages and the stages that they need.
import './node_version.mjs';
import { missing } from '../tests/packages/clean/root.mjs';
import { setup } from './setup.mjs';
import { ctest, runStages, script, vitest } from './stages.mjs';

/** Runs the tests on an empty machine; skips them if this user lacks the rights or the tools for it. */
async function clean() {
  const reason = missing();
  if (!reason) return vitest('clean', 'packages/clean')();
  console.log(`skipped: ${reason}`);
  return { output: '', passed: 0, failed: 0, skipped: 1 };
}

/** Runs all golden cases, demos and recordings in tests of which `npm test` runs every third. */
async function cases() {
  process.env.TONKOPF_EVERY_CASE = '1';
  const files = [
    'output/states.test.mjs',
    'output/first-view.test.mjs',
    'web/hosts.test.ts',
    'cli/python-host.test.mjs',
  ];
  const counts = await vitest('cases', 'golden', ...files)();
  delete process.env.TONKOPF_EVERY_CASE;
  return counts;
}

/** Runs FreeRTOS on two emulated cores at once, more often than `npm test`. */
async function smp() {
  process.env.TONKOPF_SMP_RUNS = '40';
  const counts = await vitest('smp', 'target/smp.test.mjs')();
  delete process.env.TONKOPF_SMP_RUNS;
  return counts;
}

const stages = [
  ['native', 'native build', script('build.mjs', 'native', 'tool_convert', 'tool_feed')],
  ['library', 'library and page', script('build.mjs')],
  ['npm', 'packed library in Node, bundles, plain modules', vitest('npm', 'packages/npm'), { needs: ['library'] }],
  [
    'embed',
    'the installed library in another C program, a Debian package',
    vitest('embed', 'packages/embed'),
    { needs: ['native'] },
  ],
  ['gate', 'script of the GitHub Action', vitest('gate', 'packages/gate'), { needs: ['native'] }],
  ['smp', '40 recordings of two cores that run at once', smp, { needs: ['native'] }],
  [
    'cores',
    '200 random recordings of several cores against what the target did',
    vitest('cores', 'packages/cores'),
    { needs: ['native'] },
  ],
  [
    'simulator',
    '1000 recordings of Tonbandgeraet, 300 of TraceRecorder and 100 of QS against what a simulated kernel did',
    vitest('simulator', 'packages/simulator'),
    { needs: ['native'] },
  ],
  [
    'faults',
    'golden cases: every failure that a host can cause, and more snapshots, with sanitizers',
    ctest('sanitize', { targets: ['tool_faults', 'tool_snapshot'], args: ['-C', 'Every', '-R', '^every_'] }),
  ],
  [
    'cases',
    'saved states, time ranges, states and hosts of every golden case, first view of every demo',
    cases,
    { needs: ['library', 'native'] },
  ],
  ['format', 'a format that new-format writes, built in a copy of the project', vitest('format', 'packages/format')],
  ['fleet', 'commands for thousands of recordings', vitest('fleet', 'packages/fleet'), { needs: ['native'] }],
  [
    'tracer',
    'recorder in other projects and shapes, under every compiler, on further boards, two cores forty times',
    vitest('tracer', 'packages/tracer'),
    { needs: ['native'] },
  ],
  ['cross', 'programs and libraries of all platforms', vitest('cross', 'packages/cross'), { needs: ['native'] }],
  ['windows', 'program for Windows, under wine', script('test_windows.mjs'), { needs: ['native'] }],
  ['release', 'everything that a release consists of', vitest('release', 'packages/release')],
  ['python', 'wheel in an environment of its own', vitest('python', 'packages/python')],
  ['clean', 'all of it on an empty machine', clean, { needs: ['native', 'release'] }],
];

// raises the number of retries of pip and npm, because a registry may fail temporarily
Object.assign(process.env, { PIP_RETRIES: '10', npm_config_fetch_retries: '5' });

await runStages(stages, () => setup('packages'));
