// SPDX-License-Identifier: MIT
//
// Compares the table deadlines with the truth.
import { reasons_of } from './jobs.mjs';

/** @typedef {import('./truth.mjs').Job} Job */
/** A row of the table: a task, and the wait that released its jobs. @typedef {{ name: string, wait: string | null, deadline: string, count: number, count_unmeasured: number, late: number | null }} Row */

/** Response times that many jobs exceed, and few jobs. @param {Job[]} jobs */
export function deadlines_of(jobs) {
  const lengths = jobs
    .filter(({ state }) => state === 'measured')
    .map(({ release, end }) => end - release)
    .sort((a, b) => a - b);
  return [0.25, 0.9].map((share) => lengths[Math.floor(lengths.length * share)] ?? 0);
}

/** Rules for which the program counts the late jobs of all rows. @param {number[]} deadlines */
export const rules_of = (deadlines) => deadlines.flatMap((ns) => [`deadline * ${ns}ns`, `deadline * ${ns}ns from *`]);

/** @param {{ name: string, wait: string | null, deadline: string }} row */
const key = ({ name, wait, deadline }) => `${name}${wait === null ? '' : ` / ${wait}`} within ${deadline}`;

/** Late jobs by row. @param {Job[]} jobs in order of their end @param {number[]} deadlines @param {boolean} has_waits @returns {Map<string, string>} */
export function late_jobs(jobs, deadlines, has_waits) {
  /** @type {Map<string, number>} */
  const late = new Map();
  const reasons = reasons_of(jobs);
  for (const [i, { task, release, end, state }] of jobs.entries())
    for (const ns of deadlines)
      for (const wait of has_waits ? [null, reasons[i]] : [null]) {
        const row = key({ name: task, wait, deadline: `${ns}ns` });
        const is_late = state === 'measured' && end - release > ns;
        late.set(row, (late.get(row) ?? 0) + Number(is_late));
      }
  return new Map([...late].map(([row, count]) => [row, `${count}`]));
}

/** Late jobs by row, as the report counts them. @param {Row[]} rows @param {boolean} has_waits */
export const shown_late_jobs = (rows, has_waits) =>
  new Map(
    rows
      .filter(({ name, wait, count }) => count > 0 && !name.startsWith('(startup)') && (has_waits || wait === null))
      .map((row) => [key(row), `${row.late}`]),
  );

/** Rows of a recording with losses whose late jobs are not those of the measured jobs. @param {import('./program.mjs').JobRow[]} jobs @param {Row[]} rows */
export function wrong_late_jobs(jobs, rows) {
  const measured = jobs.filter(({ state }) => state === 'measured');
  return rows
    .filter(({ wait }) => wait === null)
    .flatMap(({ name, deadline, count, count_unmeasured, late }) => {
      const own = measured.filter(({ task }) => task === name);
      const wanted = own.filter(({ rt }) => Number(rt) > parseInt(deadline)).length;
      return late === wanted && own.length === count - count_unmeasured
        ? []
        : [`late jobs of ${name} within ${deadline}: shown ${late}, measured ${wanted} of ${own.length}`];
    });
}
