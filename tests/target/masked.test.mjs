// SPDX-License-Identifier: MIT
//
// How long interrupts are masked: no call masks them for more than 300 instructions and 10 per byte of its text.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, build, emulateUarts } from './emulator.mjs';

const NS_PER_TICK = 40;
const SHIFT = 6; // 64 ns per instruction
const FOLDER = join(root, 'tests', 'target', 'masked');
const MOST = 300;
const MOST_PER_BYTE = 10;

describe.skipIf(!CAN_RUN)('interrupts are masked shortly', () => {
  test.each(
    ['-Os', '-O2'].flatMap((level) => [
      [level, []],
      [level, ['-DIMAGE_STREAMING']],
    ]),
  )('%s %s', (level, options) => {
    const image = build(
      `masked${level}${options}`,
      'cortex-m3',
      [level, ...options, `-I${FOLDER}`],
      ['../masked/main.c'],
    );
    const rows = emulateUarts(image, SHIFT)[1]
      .toString()
      .trim()
      .split('\n')
      .map((row) => row.split(' '));
    expect(rows.length).toBeGreaterThan(10);
    for (const [name, ticks] of rows) {
      const instructions = (Number(ticks) * NS_PER_TICK) / 2 ** SHIFT;
      if (process.env.TONKOPF_SHOW) console.log(name, instructions);
      const most = MOST + (name.endsWith('_of_20') ? 20 * MOST_PER_BYTE : 0);
      expect(instructions, name).toBeLessThanOrEqual(most);
    }
  });
});
