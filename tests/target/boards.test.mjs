// SPDX-License-Identifier: MIT
//
// One FreeRTOS program on several boards: builds it, runs it and checks the figures of its recording.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whichOf } from '../../scripts/lib.mjs';
import { debug } from './debugger.mjs';
import { CAN_RUN, addressOf, buildExample } from './emulator.mjs';
import { expectMeasured } from './measured.mjs';

describe.skipIf(!CAN_RUN)('boards', () => {
  test.each([
    ['stm32f4', 'netduinoplus2', ['EMULATED=1']],
    ['cortex-m0', 'microbit', []],
  ])('%s', async (name, machine, settings) => {
    const image = buildExample(name, ...settings);
    await debug(image, machine, (target) => target.runTo(addressOf(image, 'board_stop')));
    const { interrupts } = expectMeasured(readFileSync(`${image}.uart0`), true);
    expect(
      Math.abs(interrupts[0].period_mean - 1e6),
      'the kernel and the recorder go by different clocks',
    ).toBeLessThan(1000); // ns
  });
});

describe.skipIf(!CAN_RUN || !whichOf('cc', 'gcc', 'clang') || process.platform !== 'linux')('a PC', () => {
  test('posix', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonkopf-posix-'));
    execFileSync(buildExample('posix'), { cwd: folder });
    expectMeasured(readFileSync(join(folder, 'demo.tband')), false);
    rmSync(folder, { recursive: true });
  });
});
