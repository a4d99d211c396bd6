// SPDX-License-Identifier: MIT
//
// Clocks of any rate: an hour of the target's time, with a counter that wraps, has the right length in the trace.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { convert } from '../output/convert.mjs';
import { CAN_RUN, build, emulate } from './emulator.mjs';
import { events } from './recordings.mjs';

const FOLDER = join(root, 'tests', 'target', 'clock');
const SECOND = 1_000_000_000;
const RATES = [168_000_000, 32_768];
const MORE_RATES = [72_000_000, 48_000_000, 84_000_000, 216_000_000, 480_000_000];
const STEPS = [0, 600, 1200, 1800, 2400, 3000, 3600];

/** @param {string} name @param {string[]} options */
const record = (name, ...options) =>
  emulate(build(`clock-${name}`, 'cortex-m3', ['-O2', `-I${FOLDER}`, ...options], [join('..', 'clock', 'main.c')]), 2);

describe.skipIf(!CAN_RUN)('a clock of', () => {
  test.each(process.env.TONKOPF_EVERY_CASE ? [...RATES, ...MORE_RATES] : RATES)('%i Hz', (hz) => {
    const recording = record(String(hz), `-DIMAGE_HZ=${hz}`);
    const all = events(`clock-${hz}`, recording),
      marks = all.filter(({ event }) => event === 'marker');
    const rounded = all.find(({ event }) => event === 'tick length'); // for readers that do not know the rate
    expect(Number(rounded.value)).toBe(Math.round(SECOND / hz));
    const times = marks.map(({ ticks }) => Number(ticks) - Number(marks[0].ticks));
    expect(times.length).toBe(STEPS.length);
    times.forEach((time, i) => expect(Math.abs(time - STEPS[i] * SECOND)).toBeLessThanOrEqual(Math.ceil(SECOND / hz)));
    const { report } = convert([{ bytes: recording }]);
    expect(report.problems).toEqual([]);
    expect(report.tick).toMatchObject({ ns: 1, hz, source: 'recording' });
  });

  test('a whole number of nanoseconds is recorded without a rate', () => {
    const { report } = convert([{ bytes: record('ns', '-DIMAGE_HZ=100000000', '-DIMAGE_NS=10') }]);
    expect(report.tick).toMatchObject({ ns: 10, hz: null });
    expect(report.problems).toEqual([]);
  });
});
