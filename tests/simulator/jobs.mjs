// SPDX-License-Identifier: MIT
//
// Compares the jobs that the program lists with those of the truth.

/** @typedef {import('./truth.mjs').Job} Job */
/** @typedef {import('./program.mjs').JobRow} JobRow */
/** @typedef {import('./kernel.mjs').Kernel} Kernel */

/** The row that the program shows of a measured job. @param {Job} job @param {number} origin time of the log at which the time of the trace is 0 @returns {JobRow} */
export function row_of(job, origin) {
  const { task, release, start, end, ipt, cet, int, pre, blk, room, period, state } = job;
  const numbers = {
    release_ns: release - origin,
    start_ns: start - origin,
    end_ns: end - origin,
    rt: end - release,
    ipt,
    get: end - start,
    cet,
    int,
    pre,
    blk,
    room,
  };
  const texts = Object.fromEntries(Object.entries(numbers).map(([column, number]) => [column, String(number)]));
  return { task, ...texts, period: period === null ? '' : String(period), state };
}

/** @param {JobRow} row */
const key = ({ task, release_ns }) => `${task} released at ${release_ns}`;

/** The columns in which two rows differ. @param {JobRow} shown @param {JobRow} wanted @param {boolean} gaps */
function differing(shown, wanted, gaps) {
  return Object.keys(wanted).filter((column) => {
    if (column === 'period' && gaps && shown.period === '') return false; // no period across a loss
    return shown[column] !== wanted[column];
  });
}

/** RT = IPT + GET, and GET = CET + INT + PRE + BLK + ROOM. @param {JobRow} row */
function adds_up(row) {
  const [rt, ipt, get, ...parts] = ['rt', 'ipt', 'get', 'cet', 'int', 'pre', 'blk', 'room'].map((column) =>
    BigInt(row[column]),
  );
  return rt === ipt + get && get === parts.reduce((sum, part) => sum + part, 0n);
}

/**
 * Measured rows that are wrong.
 * @param {Job[]} jobs
 * @param {JobRow[]} shown
 * @param {number} origin
 * @param {boolean} [gaps]
 */
export function wrong_jobs(jobs, shown, origin, gaps = false) {
  const truth = new Map(
    jobs.map((job) => {
      const row = row_of(job, origin);
      return [key(row), row];
    }),
  );
  /** @type {string[]} */
  const found = [];
  const listed = new Set();
  for (const row of shown) {
    if (row.state !== 'measured' || row.task.startsWith('(startup)')) continue;
    const wanted = truth.get(key(row));
    if (listed.has(key(row))) found.push(`${key(row)}: is listed twice`);
    listed.add(key(row));
    if (!wanted) {
      found.push(`${key(row)}: no such job`);
      continue;
    }
    for (const column of differing(row, wanted, gaps))
      found.push(`${key(row)}: ${column} is shown as ${row[column]}, true ${wanted[column]}`);
    if (!adds_up(row)) found.push(`${key(row)}: the parts do not add up`);
  }
  return found;
}

/** Jobs of a state that the program does not list with that state. @param {Job[]} jobs @param {JobRow[]} shown @param {number} origin */
export function missing_jobs(jobs, shown, origin) {
  const listed = new Set(shown.map((row) => `${key(row)} ${row.state}`));
  return jobs
    .map((job) => row_of(job, origin))
    .filter((row) => !listed.has(`${key(row)} ${row.state}`))
    .map((row) => `${key(row)}: not listed as ${row.state}`);
}

/**
 * Jobs that a recording with losses proves: nothing is missing from before the wait that the release ends until after the end of the job. "Before" and
 * "after" are two switches of every core, so that the running tasks are known, and a loss does not follow directly.
 * @param {Kernel} kernel
 * @param {Job[]} jobs
 * @param {number[]} losses of each entry of the log
 */
export function proven_jobs({ log, cores }, jobs, losses) {
  /** Sum of the losses before each entry. */
  const before = [0];
  for (const count of losses) before.push(before[before.length - 1] + count);
  const passes_switches = (/** @type {number} */ from, /** @type {1 | -1} */ step) => {
    const left = new Map(cores.map(({ id }) => [id, 2]));
    let at = from;
    for (; left.size && at > 0 && at < log.length - 1; at += step) {
      if (log[at].event !== 'switch') continue;
      const more = (left.get(log[at].core) ?? 1) - 1;
      if (more) left.set(log[at].core, more);
      else left.delete(log[at].core);
    }
    return left.size ? null : at;
  };
  return jobs.filter((job) => {
    const from = passes_switches(job.begin, -1);
    const to = job.decided === null ? null : passes_switches(job.decided, 1);
    return from !== null && to !== null && before[to + 1] === before[from];
  });
}
