// SPDX-License-Identifier: MIT
// Ten faults, each seeded into a run of a simulated application: found, named and placed; and none found in the runs without them.
import { afterAll, expect, test } from 'vitest';
import { Folder } from '../cli/tool.mjs';
import { FAULTS, interval_of, run_with_fault } from './faults.mjs';
import { shown_report } from './program.mjs';
import { tonbandgeraet } from './tonbandgeraet.mjs';

/** @typedef {import('./faults.mjs').Fault} Fault */

const folder = new Folder();
afterAll(() => folder.remove());

const faults = /** @type {Fault[]} */ (Object.keys(FAULTS));

/** Events that the recorder loses: a few in the middle of the run. @param {number} events @returns {any} */
const gap = (events) => ({
  begin: 0,
  lost: (/** @type {number} */ i) => i >= Math.floor(0.45 * events) && i < Math.floor(0.45 * events) + 20,
});

/** @param {number} seed @param {Fault | null} fault @returns {Promise<any>} */
async function report_of(seed, fault) {
  const kernel = run_with_fault(seed, fault);
  const { files } = tonbandgeraet(kernel, { extensions: true, gaps: fault === 'lost events' ? gap : undefined });
  return shown_report([folder.write(`${seed}-${fault ?? 'none'}.bin`, files[0])]);
}

const line = (/** @type {any} */ { rule, who, text }) => `${rule}: ${who}: ${text}`;

test('each of ten faults is found, with name and place', async () => {
  const missed = [];
  for (const [seed, fault] of faults.entries()) {
    const { findings } = await report_of(seed + 1, fault);
    const { rule, who } = FAULTS[fault];
    const { from, to } = interval_of(fault);
    const found = findings.some(
      (/** @type {any} */ row) => row.rule === rule && row.who === who && row.at >= from && row.at <= to,
    );
    if (!found)
      missed.push(`${fault}: ${findings.map((/** @type {any} */ row) => `${line(row)} at ${row.at}`).join('; ')}`);
  }
  expect(missed).toEqual([]);
});

test('nothing is found in ten runs without a fault', async () => {
  for (const [seed] of faults.entries()) {
    const { findings, not_examined } = await report_of(seed + 1, null);
    expect(findings.map(line), `seed ${seed + 1}`).toEqual([]);
    expect(
      not_examined.map((/** @type {any} */ { rule }) => rule),
      `seed ${seed + 1}`,
    ).toEqual([]);
  }
});
