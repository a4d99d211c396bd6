// SPDX-License-Identifier: MIT
//
// Tests of recordings of simulated runs: the program shows what the kernel did. A difference names the seed of its run.
import { afterAll, expect, test } from 'vitest';
import { Folder } from '../cli/tool.mjs';
import {
  Recorded,
  difference_of_losses,
  differences_of_figures,
  differences_of_jobs,
  differences_of_states,
  with_gaps,
  wrong_jobs_with_gaps,
} from './compare.mjs';
import { differences_of_formats } from './formats.mjs';
import { differences_of_steps } from './qs.mjs';

/** A folder for the recordings of a test suite. */
function test_folder() {
  const folder = new Folder();
  afterAll(() => folder.remove());
  return folder;
}

/** @param {import('./compare.mjs').Format} format @param {number} recordings */
export function test_format(format, recordings) {
  const folder = test_folder();
  test('complete recordings', async () => {
    const found = [];
    for (let seed = 1; seed <= recordings; seed++) {
      const recorded = new Recorded(folder, seed, format);
      found.push(...(await differences_of_states(recorded)), ...(await differences_of_figures(recorded)));
    }
    expect(found).toEqual([]);
  });

  test('recordings with losses: the number of lost events', async () => {
    const found = [];
    for (let seed = 1; seed <= recordings; seed++)
      found.push(...(await difference_of_losses(with_gaps(folder, seed, format))));
    expect(found).toEqual([]);
  });

  test('every job of complete recordings, with all of its parts', async () => {
    const found = [];
    let count = 0;
    for (let seed = 1; seed <= recordings; seed++) {
      const { found: more, jobs } = await differences_of_jobs(new Recorded(folder, seed, format));
      found.push(...more);
      count += jobs;
    }
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(10 * recordings);
  });

  test('with losses no measured job is wrong, and what the recording proves is measured', async () => {
    const found = [];
    const missing = [];
    let [measured, proven] = [0, 0];
    for (let seed = 1; seed <= recordings; seed++) {
      const result = await wrong_jobs_with_gaps(with_gaps(folder, seed, format));
      found.push(...result.found);
      missing.push(...result.missing);
      measured += result.measured;
      proven += result.proven;
    }
    expect(found).toEqual([]);
    // The program may be more careful than the rule here, but not in general.
    expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(proven / 100);
    expect(measured).toBeGreaterThanOrEqual(proven);
    expect(proven).toBeGreaterThan(recordings);
  });
}

/** @param {number} runs */
export function test_formats(runs) {
  const folder = test_folder();

  test('one run recorded in two formats has the same figures', async () => {
    const found = [];
    let count = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const { found: more, compared } = await differences_of_formats(folder, seed);
      found.push(...more);
      count += compared;
    }
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(100 * runs);
  });
}

/** @param {number} targets */
export function test_objects(targets) {
  const folder = test_folder();

  test('steps of active objects, and how long their events waited', async () => {
    const found = [];
    let count = 0;
    for (let seed = 1; seed <= targets; seed++) {
      const { found: more, steps } = await differences_of_steps(folder, seed);
      found.push(...more);
      count += steps;
    }
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(20 * targets);
  });
}
