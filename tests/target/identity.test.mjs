// SPDX-License-Identifier: MIT
//
// The identity of a build: names of another capture are borrowed only if both recordings have the same one (docs/TRACER.md).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, OUT, build, emulate } from './emulator.mjs';
import { events } from './recordings.mjs';

const FOLDER = join(root, 'tests', 'target', 'identity');

/** @param {string} name @param {string[]} options @param {string[]} ofProgram */
function record(name, options, ofProgram) {
  const image = build(
      `identity-${name}`,
      'cortex-m3',
      ['-Os', `-I${FOLDER}`, ...options],
      ['../identity/main.c'],
      ofProgram,
    ),
    recording = emulate(image, 5),
    path = join(OUT, `identity-${name}.bin`);
  writeFileSync(path, recording);
  return { image, recording, path };
}

/** @param {string[]} words */
const info = (...words) =>
  execFileSync(join(root, 'build', 'native', 'cli', 'tonkopf'), ['info', '--json', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const of = (/** @type {any[]} */ all, /** @type {string} */ kind) => all.filter(({ event }) => event === kind);
const problems = (/** @type {any} */ report) => report.problems.map((/** @type {any} */ { id }) => id);
const marker = (/** @type {any} */ report) => report.markers.map((/** @type {any} */ { name }) => name);

describe.skipIf(!CAN_RUN)('the identity of a build', () => {
  /** @type {{ image: string, recording: Uint8Array, path: string }} */ let linked;
  beforeAll(() => {
    linked = record('linked', ['-Wl,--build-id'], ['-DIMAGE_NAME="step"']);
  });

  test('is the build id of the linker', () => {
    const [, id] =
      /Build ID: ([0-9a-f]{16})/.exec(execFileSync('readelf', ['-n', linked.image], { encoding: 'utf8' })) ?? [];
    const builds = of(events('identity', linked.recording), 'build');
    expect(builds.length).toBe(2);
    for (const { id: low, number: high } of builds)
      expect(((BigInt(high) << 32n) | BigInt(low)).toString(16).padStart(16, '0')).toBe(id);
    expect(JSON.stringify(info(linked.path)[0])).toContain(`build 0x${id}, run 2`);
  });

  test('the run is counted in memory that a reset keeps', () => {
    expect(of(events('identity', linked.recording), 'run').map(({ number }) => number)).toEqual([1, 2]);
  });

  test('decides whether names of another capture apply', () => {
    const recording = record('a', ['-DIMAGE_BUILD=0xFEDCBA9876543210u'], ['-DIMAGE_NAME=""']);
    const same = record('same', ['-DIMAGE_BUILD=0xFEDCBA9876543210u'], ['-DIMAGE_NAME="step"', '-DIMAGE_NAMES']);
    const other = record('other', ['-DIMAGE_BUILD=0xFEDCBA9876543211u'], ['-DIMAGE_NAME="other"', '-DIMAGE_NAMES']);
    const borrowed = info(recording.path, same.path);
    expect(borrowed).toHaveLength(1);
    expect(marker(borrowed[0])).toEqual(['step']);
    expect(problems(borrowed[0])).toContain('NAME_IMPORTED');
    expect(problems(borrowed[0])).not.toContain('BUILD_DIFFERS');
    const apart = info(recording.path, other.path);
    expect(apart).toHaveLength(2);
    expect(marker(apart[0])).toEqual(['marker #1']);
    const forced = info(recording.path, '--with', other.path);
    expect(marker(forced[0])).toEqual(['other']);
    expect(problems(forced[0])).toContain('BUILD_DIFFERS');
  });
});
