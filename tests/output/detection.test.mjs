// SPDX-License-Identifier: MIT
// Every real recording is recognised as its format, also without its first kilobyte, and no other file is recognised as a recording.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Random } from '../generator/random.mjs';
import { root } from './fetch.mjs';

const { inspect } = await import(pathToFileURL(path.join(root, 'lib/index.js')).href);
const samples = process.env.TONKOPF_SAMPLES;
const KNOWN = ['tonbandgeraet', 'qs', 'cortexm', 'tracealyzer', 'flux', 'systemview', 'ctf', 'itm'];
const BY_HEAD = ['flux']; // only their first bytes identify them
const BY_STARTS = ['systemview']; // a start of the recorder identifies them, which may come later
const KILOBYTE = 1024;
const SEEDS = process.env.TONKOPF_EVERY_CASE ? 300 : 60;

/** The recognised format of the bytes or null, from the first block. */
async function seen(name, bytes) {
  const [detected] = await inspect([{ name, bytes }]);
  return detected.probe.format;
}

/** Small cases are of several formats, as their names show. */
const CASES = [
  [/^qs_|_qp\d/, 'qs'],
  [/\.psf$|psf_|_psf/, 'tracealyzer'],
  [/\.recTr$/, 'flux'],
  [/^c\.|_f4_/, 'cortexm'],
];

/** The format of a sample: the name of its folder. The name of a small case begins with its format. */
function formatOf(folder, name) {
  if (folder === 'cases') return CASES.find(([pattern]) => pattern.test(name))?.[1] ?? 'tonbandgeraet';
  return KNOWN.includes(folder) ? folder : null;
}

/** All files of a folder that contain bytes of a target: no references, no build products. */
function filesOf(folder) {
  const found = fs
    .readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(bin|psf\w*|dat|recTr|trace|raw|SVDat)$|(^|\/)(channel\d_\d|stream)$/i.test(name));
  return found.sort().map((name) => [name, fs.readFileSync(path.join(folder, name))]);
}

describe('simulated recordings', () => {
  const recordings = [
    ['tonbandgeraet', motor_recording({ bytes: 60_000 })],
    ['qs', lift_recording({ bytes: 60_000 })],
    ['qs', lift_recording({ bytes: 60_000, version: 740, sizes: { O: 8, F: 8 } })],
  ];

  test('are recognised from any position on, down to some hundred bytes', async () => {
    for (const [format, bytes] of recordings) {
      for (const from of [0, 1, KILOBYTE, 7777, 30_000]) {
        for (const length of [600, 4000, 30_000])
          expect(await seen('x', bytes.subarray(from, from + length)), `${format} ${from} ${length}`).toBe(format);
      }
    }
  });

  test('are recognised with a banner before them and with damage in them', async () => {
    for (const [format, bytes] of recordings) {
      const banner = Buffer.from('\r\nboot 1.2\r\nself test ok\r\n');
      expect(await seen('x', Buffer.concat([banner, bytes]))).toBe(format);
      expect(
        await seen(
          'x',
          bytes.map((byte, i) => (i % 151 === 77 ? byte ^ 0x41 : byte)),
        ),
      ).toBe(format);
    }
  });
});

describe('other files', () => {
  const noise = Uint8Array.from({ length: 100_000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 17);
  test.each([
    ['noise', noise],
    ['zeros', new Uint8Array(5000)],
    ['flags', new Uint8Array(5000).fill(0x7e)],
    ['erased flash', new Uint8Array(5000).fill(0xff)],
    ['this program', fs.readFileSync(process.execPath).subarray(0, 300_000)],
    ['text', Buffer.from('~ a letter ~\n'.repeat(500))],
    [
      'commands to a target',
      Buffer.concat(Array.from({ length: 20 }, (_, i) => Uint8Array.of(i, 3, 0, ~(i + 3) & 0xff, 0x7e))),
    ],
  ])('%s', async (name, bytes) => {
    expect(await seen(name, bytes)).toBeNull();
  });
});

// Packed or encrypted data look random; a length in it may claim most of the probed bytes.
test('random bytes are no recording, for any seed', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Random(seed);
    const bytes = new Uint8Array(Uint32Array.from({ length: 18_000 }, () => random.between(0, 2 ** 32)).buffer);
    expect(await seen('x', bytes), `seed ${seed}`).toBeNull();
  }
});

describe.skipIf(!samples)('real recordings', () => {
  const folders = samples
    ? fs.readdirSync(samples).filter((name) => fs.statSync(path.join(samples, name)).isDirectory())
    : [];
  test.each(folders)('%s', async (folder) => {
    const files = filesOf(path.join(samples, folder));
    expect(files.length).toBeGreaterThan(0);
    for (const [name, bytes] of files) {
      const wanted = formatOf(folder, name);
      expect(await seen(name, bytes), name).toBe(wanted);
      if (bytes.length > 2 * KILOBYTE && !BY_STARTS.includes(wanted))
        expect(await seen(name, bytes.subarray(KILOBYTE)), `${name} without its first kilobyte`).toBe(
          BY_HEAD.includes(wanted) ? null : wanted,
        );
    }
  });
});
