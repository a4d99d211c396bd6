// SPDX-License-Identifier: MIT
// Runs the tests that take too long for `npm test`: tests of all packages, installed as their users install them, and long comparisons.
// `npm run test:packages -- NAME...` runs only the named stages and the stages that they need. --require-serial: fails if Web Serial cannot be tested here.
import './node_version.mjs';
import { missing } from '../tests/packages/clean/root.mjs';
import { chromium } from './lib.mjs';
import { setup } from './setup.mjs';
import { ctest, runStages, script, vitest, vitestWith } from './stages.mjs';

/** Runs the tests on an empty machine; skips them if this user lacks the rights or the tools for it. */
async function clean() {
  const reason = missing();
  if (!reason) return vitest('clean', 'packages/clean')();
  console.log(`skipped: ${reason}`);
  return { output: '', passed: 0, failed: 0, skipped: 1 };
}

// Two stages run at the same time, as in test.mjs.
const stages = [
  [
    'native',
    'native build',
    script('build.mjs', 'native', 'tool_convert', 'tool_feed', 'tool_requests', 'tool_damage'),
  ],
  ['library', 'library and page', script('build.mjs'), { after: ['native'] }],
  ['npm', 'packed library in Node, bundles, plain modules', vitest('npm', 'packages/npm'), { needs: ['library'] }],
  [
    'embed',
    'the installed library in another C program, a Debian package',
    vitest('embed', 'packages/embed'),
    { needs: ['native'] },
  ],
  ['gate', 'script of the GitHub Action', vitest('gate', 'packages/gate'), { needs: ['native'] }],
  [
    'smp',
    '15 recordings of two cores that run at once',
    vitestWith({ TONKOPF_SMP_RUNS: '15' }, 'smp', 'target/smp.test.mjs'),
    { needs: ['native'] },
  ],
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
    'damage',
    'damage trial, each recording more often',
    script('damage.mjs', '--short', '--trials', '75'), // `npm test`: 30
    { needs: ['native'], builds: 'build/native' },
  ],
  ['memory', 'memory for 1 GB of 100 tasks', vitest('memory', 'packages/memory'), { needs: ['native'] }],
  [
    'faults',
    'golden cases: every failure that a host can cause, more snapshots, and every size of chunks, with sanitizers',
    ctest('sanitize', {
      targets: ['tool_faults', 'tool_snapshot', 'tool_golden', 'unit'],
      args: ['-C', 'Every', '-R', '^every_'],
    }),
  ],
  [
    'cases',
    'saved states, time ranges, states and hosts of every golden case, first view of every demo, arrows of 100 recordings, damage of TraceRecorder, random bytes, long and real recordings, states and a whole session in the page, dumps of all simulators',
    () =>
      vitestWith(
        // `npm test` runs every ninth, 6 seeds, and Chromium's engine without windows
        { TONKOPF_EVERY_CASE: '1', SYSTEMVIEW_SEEDS: '13', TONKOPF_CHROMIUM: chromium() },
        'cases',
        'golden',
        'output/states.test.mjs',
        'output/arrows.test.mjs',
        'output/detection.test.mjs',
        'output/first-view.test.mjs',
        'output/systemview-random.test.mjs',
        'output/tracealyzer.test.mjs',
        'output/vcd.test.mjs',
        'wasm/native.test.ts',
        'web/hosts.test.ts',
        'web/part.test.ts',
        'web/policy.test.ts',
        'web/samples.test.ts',
        'web/session.test.ts',
        'web/states.test.ts',
        'cli/python-host.test.mjs',
      )(), // setup may have to install Chromium first
    { needs: ['library', 'native'] },
  ],
  [
    'serial',
    'Web Serial in Chromium at a terminal that an emulated board feeds',
    vitestWith(
      {
        TONKOPF_SERIAL_MIB: '16', // `npm test`: 1
        ...(process.argv.includes('--require-serial') && { TONKOPF_REQUIRE_SERIAL: '1' }),
      },
      'serial',
      'web/serial.test.ts',
    ),
    { needs: ['library'] },
  ],
  [
    'intervals',
    'figures of 200 random intervals of a recording of each format, as in its report',
    vitestWith({ TONKOPF_INTERVALS: '200' }, 'intervals', 'wasm/timeline.test.ts'), // `npm test` compares four
    { needs: ['library'] },
  ],
  ['format', 'a format that new-format writes, built in a copy of the project', vitest('format', 'packages/format')],
  ['fleet', 'commands for thousands of recordings', vitest('fleet', 'packages/fleet'), { needs: ['native'] }],
  [
    'tracer',
    'recorder in other projects and shapes, under every compiler, on further boards, at every rate, two cores forty times',
    vitestWith(
      { TONKOPF_EVERY_CASE: '1' },
      'tracer',
      'packages/tracer',
      'target/clock.test.mjs',
      'target/freertos.test.mjs',
      'target/instructions.test.mjs',
      'target/life.test.mjs',
      'target/ports.test.mjs',
    ),
    { needs: ['native'] },
  ],
  [
    'cross',
    'programs and libraries of all platforms',
    vitest('cross', 'packages/cross'),
    { needs: ['native'], builds: 'build/cross' },
  ],
  [
    'windows',
    'program for Windows, under wine',
    script('test_windows.mjs'),
    { needs: ['native'], builds: 'build/cross' },
  ],
  ['python', 'wheel in an environment of its own', vitest('python', 'packages/python'), { builds: 'build/cross' }],
  [
    'release',
    'everything that a release consists of',
    vitest('release', 'packages/release'),
    // builds lib/ and dist/ again, which other stages read
    { after: ['npm', 'cases', 'tracer', 'gate'], builds: 'build/cross' },
  ],
  ['clean', 'all of it on an empty machine', clean, { needs: ['native', 'release'] }],
];

// raises the number of retries of pip and npm, because a registry may fail temporarily
Object.assign(process.env, { PIP_RETRIES: '10', npm_config_fetch_retries: '5' });

await runStages(stages, () => setup('packages'), { lanes: 2 });
