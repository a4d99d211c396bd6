// SPDX-License-Identifier: MIT
//
// A buffer of names that overflows: the report says how many names and bytes are missing, and --fail-on sees it.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { convert } from '../output/convert.mjs';
import { CAN_RUN, OUT, build, emulateUarts } from './emulator.mjs';

const FOLDER = join(root, 'tests', 'target', 'names');
const MARKERS = 20;
const FRAME = 12; // bytes of the name of a marker: code, id, number, 8 letters, delimiter
const TICK = 4; // bytes of the tick length, which is recorded last
const BUFFER = 100;

describe.skipIf(!CAN_RUN)('names that find no space', () => {
  test.each([
    ['in an overwritten ring', [], []],
    ['in a dump of memory', [], ['-DIMAGE_DUMP']],
    ['in a stream', ['-DIMAGE_STREAMING'], []],
  ])('%s', (name, options, ofProgram) => {
    const own = ['-Os', `-I${FOLDER}`, ...options],
      image = build('names', 'cortex-m3', own, ['../names/main.c'], ofProgram);
    const [recording, lost] = emulateUarts(image, 5);
    const missing = MARKERS - Math.floor(BUFFER / FRAME);
    expect(Number(lost)).toBe(missing);
    const { report } = convert([{ bytes: recording }]);
    const amounts = Object.fromEntries(report.problems.map((/** @type {any} */ { id, detail }) => [id, detail]));
    expect(Object.keys(amounts).sort()).toEqual(['NAMES_LOST', 'NAMES_SPACE']);
    expect(String(amounts.NAMES_LOST)).toContain(String(missing));
    expect(String(amounts.NAMES_SPACE)).toContain(String(missing * FRAME));
    expect(BUFFER % FRAME).toBeGreaterThanOrEqual(TICK);
    expect(report.markers.filter((/** @type {any} */ marker) => /^marker [a-z]$/.test(marker.name)).length).toBe(
      MARKERS - missing,
    );
    const path = join(OUT, 'names.bin');
    writeFileSync(path, recording);
    const { status, stdout, stderr } = spawnSync(
      join(root, 'build', 'native', 'cli', 'tonkopf'),
      ['conv', path, '-o', join(OUT, 'names.pftrace'), '--fail-on', 'NAMES_SPACE'],
      { encoding: 'utf8' },
    );
    expect(status, name).not.toBe(0);
    expect(stdout + stderr).toContain(`Bytes missing in the buffer of names (${missing * FRAME} bytes)`);
  });
});
