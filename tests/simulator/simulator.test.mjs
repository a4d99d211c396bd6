// SPDX-License-Identifier: MIT
// Recordings of simulated runs: the program shows what the kernel did.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from '../cli/tool.mjs';
import {
  CONTENTS,
  Recorded,
  difference_of_losses,
  differences_of_figures,
  differences_of_jobs,
  differences_of_states,
  with_gaps,
  wrong_jobs_with_gaps,
} from './compare.mjs';
import { JOB_COLUMNS, lists_jobs } from './program.mjs';
import { missing_jobs, proven_jobs, row_of, wrong_jobs } from './jobs.mjs';

/** Recordings of each format. `npm run test:packages -- simulator` runs many more. */
const RECORDINGS = Number(process.env.SIMULATOR_RECORDINGS ?? 12);

const with_jobs = await lists_jobs();

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

describe.each(/** @type {import('./compare.mjs').Format[]} */ (Object.keys(CONTENTS)))('%s', (format) => {
  test('complete recordings', async () => {
    const found = [];
    for (let seed = 1; seed <= RECORDINGS; seed++) {
      const recorded = new Recorded(folder, seed, format);
      found.push(...(await differences_of_states(recorded)), ...(await differences_of_figures(recorded)));
    }
    expect(found).toEqual([]);
  });

  test('recordings with losses: the number of lost events', async () => {
    const found = [];
    for (let seed = 1; seed <= RECORDINGS; seed++)
      found.push(...(await difference_of_losses(with_gaps(folder, seed, format))));
    expect(found).toEqual([]);
  });

  test.runIf(with_jobs)('every job of complete recordings, with all of its parts', async () => {
    const found = [];
    let count = 0;
    for (let seed = 1; seed <= RECORDINGS; seed++) {
      const { found: more, jobs } = await differences_of_jobs(new Recorded(folder, seed, format));
      found.push(...more);
      count += jobs;
    }
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(10 * RECORDINGS);
  });

  test.runIf(with_jobs)('with losses no measured job is wrong, and what the recording proves is measured', async () => {
    const found = [];
    const missing = [];
    let [measured, proven] = [0, 0];
    for (let seed = 1; seed <= RECORDINGS; seed++) {
      const result = await wrong_jobs_with_gaps(with_gaps(folder, seed, format));
      found.push(...result.found);
      missing.push(...result.missing);
      measured += result.measured;
      proven += result.proven;
    }
    expect(found).toEqual([]);
    expect(missing).toEqual([]);
    expect(measured).toBeGreaterThanOrEqual(proven);
    expect(proven).toBeGreaterThan(RECORDINGS);
  });
});

describe('the comparison of jobs', () => {
  const { truth, origin, kernel } = new Recorded(new Folder(), 1, 'tracerecorder');
  const jobs = truth.jobs();
  const rows = () => jobs.map((job) => row_of(job, origin));

  test('finds nothing in the truth itself, whose parts add up', () => {
    expect(jobs.length).toBeGreaterThan(20);
    expect(wrong_jobs(jobs, rows(), origin)).toEqual([]);
    expect(missing_jobs(jobs, rows(), origin)).toEqual([]);
    expect(
      proven_jobs(
        kernel,
        jobs,
        kernel.log.map(() => 0),
      ).length,
    ).toBeGreaterThan(jobs.length / 2);
  });

  test.each(JOB_COLUMNS.slice(1, -1))('finds a wrong %s', (column) => {
    const shown = rows();
    shown[3] = { ...shown[3], [column]: `${Number(shown[3][column]) + 1}` };
    expect(wrong_jobs(jobs, shown, origin)).not.toEqual([]);
  });

  test('finds jobs that are missing, or that do not exist', () => {
    const shown = rows();
    const [removed] = shown.splice(3, 1);
    expect(missing_jobs(jobs, shown, origin)).toHaveLength(1);
    shown.push({ ...removed, release_ns: `${Number(removed.release_ns) + 1}` });
    expect(wrong_jobs(jobs, shown, origin)).toHaveLength(1);
  });

  test('a loss within a job, or directly before it, proves nothing', () => {
    const losses = kernel.log.map(() => 0);
    const job = jobs[Math.floor(jobs.length / 2)];
    losses[Math.floor((job.begin + job.last) / 2)] = 1;
    expect(proven_jobs(kernel, [job], losses)).toEqual([]);
    expect(
      proven_jobs(
        kernel,
        [job],
        kernel.log.map(() => 0),
      ),
    ).toEqual([job]);
  });
});
