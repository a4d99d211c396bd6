// SPDX-License-Identifier: MIT
//
// Checks a recording of tracer/examples/measure from any board.
import { expect } from 'vitest';
import { convert } from '../output/convert.mjs';

const STEPS = 60;

/** Returns the report. @param {Uint8Array} recording @param {boolean} hasTick the port of the kernel reports its interrupt */
export function expectMeasured(recording, hasTick) {
  const { report } = convert([{ bytes: recording }]);
  expect(report.problems).toEqual([]);
  expect(report.tasks.map((/** @type {{ name: string }} */ { name }) => name).sort()).toEqual([
    'IDLE',
    'control',
    'disturb',
    'measure',
  ]);
  expect(report.queues.map((/** @type {{ name: string }} */ { name }) => name).sort()).toEqual(['bus', 'readings']);
  expect(report.markers).toMatchObject([{ name: 'step', count: STEPS }]);
  expect(report.interrupts.map((/** @type {{ name: string }} */ { name }) => name)).toEqual(hasTick ? ['SysTick'] : []);
  return report;
}
