// SPDX-License-Identifier: MIT
//
// A HardFault ends the recording: the timeline ends with a marker that names function and line, and the report names the crash.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, OUT, buildWithKernel, emulate } from './emulator.mjs';
import { events } from './recordings.mjs';

const tonkopf = join(root, 'build', 'native', 'cli', 'tonkopf');
const source = readFileSync(join(root, 'tests', 'target', 'fault', 'main.c'), 'utf8').split('\n');
const LINE = source.findIndex((line) => line.includes('udf')) + 1;
const UNDEFINED_INSTRUCTION = '65536'; // bit 16 of the CFSR
const FORCED = 2 ** 30; // bit of the HFSR: another fault became a HardFault

test('the handler is installed as in docs/TRACER.md', () => {
  for (const text of [readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8'), source.join('\n')])
    expect(text).toMatch(/^TBAND_FAULT_HANDLER\(\w+, \w+\)$/m);
});

describe.skipIf(!CAN_RUN)('a crash', () => {
  /** @type {string} */ let image;
  /** @type {Uint8Array} */ let recording;
  const path = join(OUT, 'crash.bin');
  beforeAll(() => {
    image = buildWithKernel('fault', 'cortex-m3', 'fault', ['-Os', '-g']);
    recording = emulate(image, 5);
    writeFileSync(path, recording);
  });

  test('is the last event of the recording', () => {
    const all = events('crash', recording),
      motor = all.find((event) => event.event === 'task name' && event.text === 'motor').id;
    expect(all.slice(-3).map(({ event }) => event)).toEqual(['fault state', 'fault context', 'fault']);
    expect(all.at(-2)).toMatchObject({ id: motor });
    expect(all.at(-1)).toMatchObject({ value: UNDEFINED_INSTRUCTION });
    expect(all.at(-1).text).toMatch(/^HardFault at 0x0000/);
    expect(all.at(-3).number).toBe(FORCED);
  });

  test('names function and line with the ELF file of the firmware', () => {
    const report = JSON.parse(execFileSync(tonkopf, ['info', '--json', path, '--with', image], { encoding: 'utf8' }));
    expect(report.problems.map((/** @type {any} */ { id }) => id)).toEqual(['TARGET_FAULT']);
    const text = execFileSync(tonkopf, ['info', path, '--with', image], { encoding: 'utf8' });
    const top = text.slice(0, text.search(/^(No f|F)indings/m)).replaceAll(/\s+/g, ' ');
    expect(top).toContain(
      `The target crashed HardFault in motor_update (main.c:${LINE}): undefined instruction; PC 0x0000`,
    );
    expect(top).toMatch(/, LR 0x0000[0-9A-F]{4}, xPSR 0x[0-9A-F]{8}, CFSR 0x00010000, HFSR 0x40000000, task #\d/);
  });
});
