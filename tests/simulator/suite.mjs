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
  wrong_locks_with_gaps,
  wrong_queues_with_gaps,
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
    const missing_periods = [];
    let [measured, proven, periods] = [0, 0, 0];
    for (let seed = 1; seed <= recordings; seed++) {
      const result = await wrong_jobs_with_gaps(with_gaps(folder, seed, format));
      found.push(...result.found);
      missing.push(...result.missing);
      missing_periods.push(...result.missing_periods);
      measured += result.measured;
      proven += result.proven;
      periods += result.periods;
    }
    expect(found).toEqual([]);
    // The program may be more careful than the rule here, but not in general.
    expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(proven / 100);
    expect(missing_periods.length, missing_periods.join('\n')).toBeLessThanOrEqual(periods / 100);
    expect(periods).toBeGreaterThan(recordings);
    expect(measured).toBeGreaterThanOrEqual(proven);
    expect(proven).toBeGreaterThan(recordings);
  });

  test('with losses no fill of a queue and no latency is wrong', async () => {
    const found = [];
    let measured = 0;
    for (let seed = 1; seed <= recordings; seed++) {
      const result = await wrong_queues_with_gaps(with_gaps(folder, seed, format));
      found.push(...result.found);
      measured += result.measured;
    }
    expect(found).toEqual([]);
    expect(measured).toBeGreaterThan(recordings);
  });

  test('with losses no measured hold of a mutex or wait for it is wrong', async () => {
    const found = [];
    let measured = 0;
    for (let seed = 1; seed <= recordings; seed++) {
      const result = await wrong_locks_with_gaps(with_gaps(folder, seed, format));
      found.push(...result.found);
      measured += result.measured;
    }
    expect(found).toEqual([]);
    expect(measured).toBeGreaterThan(recordings);
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
