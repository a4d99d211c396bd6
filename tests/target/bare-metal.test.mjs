// SPDX-License-Identifier: MIT
//
// Builds the bare metal example, runs it and checks the figures of its recording.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, OUT, buildExample, emulate } from './emulator.mjs';

const TICKS = 40;

describe.skipIf(!CAN_RUN)('bare metal example', () => {
  test('every interrupt, marker and value of the program is in the recording', () => {
    const recording = emulate(buildExample('bare-metal'), 6);
    const path = join(OUT, 'bare-metal.tband');
    writeFileSync(path, recording);
    const events = execFileSync(join(root, 'build', 'native', 'cli', 'tonkopf'), ['dump', '--json', path], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const count = (/** @type {string} */ name) => events.filter((event) => event.event === name).length;
    expect(count('interrupt name')).toBe(1);
    for (const name of ['interrupt entered', 'interrupt left', 'value', 'marker begin', 'marker end'])
      expect(count(name), name).toBe(TICKS);
    expect(emulate(buildExample('bare-metal'), 6).equals(recording)).toBe(true);
  });
});
