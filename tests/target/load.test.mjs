// SPDX-License-Identifier: MIT
//
// Bytes per second of typical loads, and what a ring holds: the table of docs/TRACER.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, buildWithKernel, emulate } from './emulator.mjs';
import { HAS_GOLDEN } from './recordings.mjs';

const SECONDS = 2;
const RINGS = [4096, 8192, 32768];
/** Title in the table, tasks, period in ms, further options. @type {[string, number, number, string[]][]} */
const LOADS = [
  ['idle: one task every 100 ms', 1, 100, []],
  ['the same, with each tick', 1, 100, ['-Dtband_configTICK_TRACE_ENABLE=1']],
  ['5 tasks every 10 ms', 5, 10, []],
  ['5 tasks every millisecond', 5, 1, []],
];

/** Bytes per second. @param {number} tasks @param {number} period @param {string[]} more */
function measure(tasks, period, more) {
  const load = [`-DTASKS=${tasks}`, `-DPERIOD=${period}`];
  const image = buildWithKernel(`load-${tasks}-${period}${more}`, 'cortex-m3', 'load', ['-Os', ...more], {
    ofProgram: load,
  });
  return Number(emulate(image, 5).toString()) / SECONDS;
}

const seconds = (/** @type {number} */ number) => (number < 10 ? number.toPrecision(2) : String(Math.round(number)));

describe.skipIf(!CAN_RUN || !HAS_GOLDEN)('a ring holds as long as documented', () => {
  const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8').split('\n');
  test.each(LOADS)('%s', (title, tasks, period, more) => {
    const rate = measure(tasks, period, more);
    expect(rate).toBeGreaterThan(100);
    const row = [title, String(Math.round(rate)), ...RINGS.map((bytes) => `${seconds(bytes / rate)} s`)];
    expect(page.find((line) => line.startsWith(`| ${title} |`))).toBe(`| ${row.join(' | ')} |`);
  });
});
