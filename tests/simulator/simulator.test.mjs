// SPDX-License-Identifier: MIT
// Recordings of simulated runs, and the comparison itself. `npm run test:packages -- simulator` compares many more.
import { describe, expect, test } from 'vitest';
import { Folder } from '../cli/tool.mjs';
import { CONTENTS, Recorded } from './compare.mjs';
import {
  activations,
  missing_jobs,
  missing_periods,
  proven_jobs,
  proven_periods,
  row_of,
  wrong_jobs,
} from './jobs.mjs';
import { JOB_COLUMNS } from './program.mjs';
import { test_format, test_formats, test_objects } from './suite.mjs';

const RECORDINGS = 8;

describe.each(/** @type {import('./compare.mjs').Format[]} */ (Object.keys(CONTENTS)))('%s', (format) =>
  test_format(format, RECORDINGS),
);
describe('two formats', () => test_formats(RECORDINGS));
describe('active objects', () => test_objects(RECORDINGS));

describe('the comparison of jobs', () => {
  const folder = new Folder();
  const { truth, origin, kernel } = new Recorded(folder, 1, 'tracerecorder');
  folder.remove();
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

  test.each(JOB_COLUMNS.slice(1, -3))('finds a wrong %s', (column) => {
    const shown = rows();
    shown[3] = { ...shown[3], [column]: `${Number(shown[3][column]) + 1}` };
    expect(wrong_jobs(jobs, shown, origin)).not.toEqual([]);
  });

  test('finds a wrong cause, and causes that do not add up to their part', () => {
    const shown = rows();
    const at = shown.findIndex(({ causes }) => causes.includes(' by '));
    const { causes } = shown[at];
    for (const wrong of [causes.replace(/ by [^;:]*/, ' by Nobody'), '', causes.replace(/(\d+) by/, '1$1 by')]) {
      shown[at] = { ...shown[at], causes: wrong };
      expect(wrong_jobs(jobs, shown, origin), wrong).not.toEqual([]);
    }
  });

  test('finds jobs that are missing, or that do not exist', () => {
    const shown = rows();
    const [removed] = shown.splice(3, 1);
    expect(missing_jobs(jobs, shown, origin)).toHaveLength(1);
    shown.push({ ...removed, release: `${Number(removed.release) + 1}` });
    expect(wrong_jobs(jobs, shown, origin)).toHaveLength(1);
  });

  test('finds a missing period that the recording proves', () => {
    const losses = kernel.log.map(() => 0);
    const [job] = proven_periods(kernel, jobs, losses);
    const shown = rows().map((row) => (row.release === `${job.release - origin}` ? { ...row, period: '' } : row));
    expect(wrong_jobs(jobs, shown, origin, true)).toEqual([]); // a loss may hide a period
    expect(missing_periods([job], rows(), origin)).toEqual([]);
    expect(missing_periods([job], shown, origin)).toHaveLength(1);
    losses[job.begin] = 1;
    expect(proven_periods(kernel, jobs, losses)).not.toContain(job);
  });

  test('the jobs of more than eight waits of a task share a row', () => {
    const nine = Array.from({ length: 9 }, (_, i) => ({
      ...jobs[0],
      task: 'T',
      reason: `wait ${i}`,
      end: jobs[0].release + i,
    }));
    const rows_of_nine = activations([...nine, nine[8]]);
    expect(rows_of_nine.size).toBe(9);
    expect(rows_of_nine.get('T / wait 7')).toBe('1, longest 7');
    expect(rows_of_nine.get('T / other')).toBe('2, longest 8');
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
