// SPDX-License-Identifier: MIT
// Programs and libraries of all platforms are built on this machine. Those for Linux and Windows run here, in an emulator where needed, and
// give the output of the native one; of those for macOS only the headers are checked.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cross, PLATFORMS } from '../../../scripts/cross.mjs';
import { root, which, wine } from '../../../scripts/lib.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';
import { golden_input } from '../../golden/cases.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-cross-'));
const TOOL = process.env.TONKOPF_CLI ?? join(root, 'build', 'native', 'cli', 'tonkopf');
/** @type {Record<string, string>} */
const built = {};
// the second one is packed by zlib, which is linked in
const RECORDINGS = [['run.bin'], ['--type', 'flux', golden_input('flux/packed-blocks')]];
/** @type {Buffer[]} */
let expected;

beforeAll(() => {
  for (const platform of Object.keys(PLATFORMS)) built[platform] = cross(platform);
  writeFileSync(join(folder, 'run.bin'), motor_recording({ bytes: 60_000 }));
  expected = RECORDINGS.map((args) =>
    execFileSync(TOOL, ['conv', '--quiet', '-o', '-', ...args], { cwd: folder, maxBuffer: 1 << 26 }),
  );
}, 3_600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The emulator for programs of another processor or system; null: it is not installed. @param {string | null} emulator */
const by = (emulator) => (emulator ? [emulator] : null);
const HERE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const RUNS = /** @type {[string, string[] | null][]} */ ([
  ...['x86_64', 'aarch64'].map((processor) => [
    `linux-${processor}`,
    processor === HERE ? [] : by(which(`qemu-${processor}`)),
  ]),
  ['windows-x86_64', by(wine())],
]);
for (const [platform, emulator] of RUNS)
  if (!emulator) console.log(`skipped: nothing here runs the program for ${platform}`);

describe.each(RUNS)('%s', (platform, emulator) =>
  test.skipIf(!emulator)('runs', () => {
    const program = join(built[platform], 'bin', platform.startsWith('windows') ? 'tonkopf.exe' : 'tonkopf');
    const [command, ...args] = [.../** @type {string[]} */ (emulator), program, 'conv', '--quiet', '-o', '-'];
    const env = { ...process.env, WINEDEBUG: '-all', WINEPREFIX: join(root, 'build', 'wine') };
    RECORDINGS.forEach((recording, i) => {
      const { status, stdout, stderr } = spawnSync(command, [...args, ...recording], {
        cwd: folder,
        env,
        maxBuffer: 1 << 26,
      });
      expect(status, String(stderr)).toBe(0);
      expect(stdout.equals(expected[i])).toBe(true);
    });
  }),
);

test.each(['x86_64', 'aarch64'])('the program for Linux on %s needs no library', (machine) => {
  const headers = execFileSync(
    'readelf',
    ['--program-headers', '--dynamic', join(built[`linux-${machine}`], 'bin', 'tonkopf')],
    { encoding: 'utf8' },
  );
  expect(headers).not.toMatch(/NEEDED|INTERP/);
});

test.each(['x86_64', 'aarch64'])('the library for Linux on %s needs glibc 2.17 at most', (machine) => {
  const symbols = execFileSync(
    'readelf',
    ['--wide', '--dyn-syms', join(built[`linux-${machine}`], 'lib', 'libtonkopf.so')],
    { encoding: 'utf8' },
  );
  const versions = [...symbols.matchAll(/@GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  expect(versions.length).toBeGreaterThan(0);
  expect(Math.max(...versions)).toBeLessThanOrEqual(17);
  expect(symbols).toMatch(/ tk_feed$/m);
});

test.each(['bin/tonkopf', 'lib/libtonkopf.dylib'])('macOS: %s is for both processors', (name) => {
  const bytes = readFileSync(join(built['macos-universal'], name));
  const FAT = 0xcafebabe,
    MACH_64 = 0xfeedfacf,
    CPUS = [0x01000007, 0x0100000c];
  expect(bytes.readUInt32BE(0)).toBe(FAT);
  const parts = Array.from({ length: bytes.readUInt32BE(4) }, (_, i) => ({
    cpu: bytes.readUInt32BE(8 + 20 * i),
    offset: bytes.readUInt32BE(16 + 20 * i),
  }));
  expect(parts.map(({ cpu }) => cpu).sort()).toEqual(CPUS);
  for (const { cpu, offset } of parts) {
    expect(bytes.readUInt32LE(offset)).toBe(MACH_64);
    expect(bytes.readUInt32LE(offset + 4)).toBe(cpu);
  }
});
