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
    release: release - origin,
    start: start - origin,
    end: end - origin,
    rt: end - release,
    ipt,
    get: end - start,
    cet,
    int,
    pre,
    blk,
    room,
    wait: 0,
  };
  const texts = Object.fromEntries(Object.entries(numbers).map(([column, number]) => [column, String(number)]));
  const causes = [...job.causes].map(([key, ns]) => {
    const [kind, who, what] = key.split('|');
    return `${kind} ${ns}${who && ` by ${who}`}${what && `: ${what}`}`;
  });
  return {
    task,
    ...texts,
    period: period === null ? '' : String(period),
    state,
    causes: causes.join('; '),
    time_unit: 'ns',
  };
}

/** The causes of a row by "kind|task|wait", those of which a part may be among the others, and per kind the time of others. @param {string} text */
export function causes_of(text) {
  /** @type {Map<string, number>} */
  const causes = new Map();
  /** @type {Map<string, number>} */
  const others = new Map();
  /** @type {Set<string>} */
  const least = new Set();
  for (const part of text ? text.split('; ') : []) {
    const [, kind, is_least, ns, is_others, by = '', what = ''] =
      part.match(/^(\w+) (at least )?(\d+)(?:( others)|(?: by (.*?))?(?:: (.*))?)$/) ?? [];
    if (!kind) throw new Error(`causes: ${part}`);
    const who = by.startsWith('(startup)') ? '' : by; // what runs before the scheduler
    const key = `${kind}|${who}|${what}`;
    if (is_others) others.set(kind, Number(ns));
    else causes.set(key, (causes.get(key) ?? 0) + Number(ns));
    if (is_least) least.add(key);
  }
  return { causes, least, others };
}

/** Whether the true time of a cause explains the shown one. With gaps a part of it may be in the row of an unknown task. @param {string} key @param {number} ns @param {Job} job @param {boolean} is_least @param {boolean} gaps */
function is_true_cause(key, ns, job, is_least, gaps) {
  const [kind, who, what] = key.split('|');
  const of_anybody = [...job.causes].filter(([one]) => one.startsWith(`${kind}|`) && one.endsWith(`|${what}`));
  const truth = gaps && !who ? of_anybody.reduce((sum, [, time]) => sum + time, 0) : (job.causes.get(key) ?? 0);
  return is_least || gaps ? ns <= truth : ns === truth;
}

/** What is wrong in the causes of a row: a cause, or a sum. @param {JobRow} row @param {Job} job @param {boolean} gaps */
function wrong_causes(row, job, gaps) {
  const { causes, least, others } = causes_of(row.causes);
  const found = [...causes]
    .filter(([key, ns]) => !is_true_cause(key, ns, job, least.has(key), gaps))
    .map(([key, ns]) => `${key} ${ns}, true ${job.causes.get(key)}`);
  const of = (/** @type {Map<string, number>} */ map, /** @type {string} */ kind) =>
    [...map].filter(([key]) => key.startsWith(`${kind}|`)).reduce((sum, [, ns]) => sum + ns, 0);
  for (const [kind, part] of Object.entries({
    pending: 'ipt',
    preempted: 'pre',
    blocked: 'blk',
    room: 'room',
    waited: 'wait',
  })) {
    const listed = of(causes, kind) + (others.get(kind) ?? 0);
    if (listed !== Number(row[part])) found.push(`${kind}: the causes have ${listed}, the job ${row[part]}`);
  }
  if (others.size && causes.size !== 8) found.push(`others although there are ${causes.size} causes`);
  return found;
}

/** @param {JobRow} row */
const key = ({ task, release }) => `${task} released at ${release}`;

/** The columns in which two rows differ. With gaps a period may be missing; `missing_periods` lists those that a recording proves. @param {JobRow} shown @param {JobRow} wanted @param {boolean} gaps */
function differing(shown, wanted, gaps) {
  return Object.keys(wanted).filter((column) => {
    if (column === 'causes') return false; // wrong_causes
    if (column === 'period' && gaps && shown.period === '') return false;
    return shown[column] !== wanted[column];
  });
}

/** RT = IPT + GET, and GET = CET + INT + PRE + BLK + ROOM + WAIT. @param {JobRow} row */
function adds_up(row) {
  const [rt, ipt, get, ...parts] = ['rt', 'ipt', 'get', 'cet', 'int', 'pre', 'blk', 'room', 'wait'].map((column) =>
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
      const wanted = row_of(job, origin);
      return [key(wanted), { wanted, job }];
    }),
  );
  /** @type {string[]} */
  const found = [];
  const listed = new Set();
  for (const row of shown) {
    if (row.state !== 'measured' || row.task.startsWith('(startup)')) continue;
    const { wanted, job } = truth.get(key(row)) ?? {};
    if (listed.has(key(row))) found.push(`${key(row)}: is listed twice`);
    listed.add(key(row));
    if (!wanted || !job) {
      found.push(`${key(row)}: no such job`);
      continue;
    }
    for (const column of differing(row, wanted, gaps))
      found.push(`${key(row)}: ${column} is shown as ${row[column]}, true ${wanted[column]}`);
    for (const text of wrong_causes(row, job, gaps)) found.push(`${key(row)}: causes: ${text}`);
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

/** Measured jobs that the program lists without their period. @param {Job[]} jobs @param {JobRow[]} shown @param {number} origin */
export function missing_periods(jobs, shown, origin) {
  const without = new Set(shown.filter(({ state, period }) => state === 'measured' && period === '').map(key));
  return jobs
    .map((job) => key(row_of(job, origin)))
    .filter((one) => without.has(one))
    .map((one) => `${one}: has no period`);
}

/**
 * Returns whether a recording with losses is complete from before one entry of the log until after another one. "Before" and "after" are two switches of
 * every core, so that the running tasks are known, and a loss does not follow directly.
 * @param {Kernel} kernel
 * @param {number[]} losses of each entry of the log
 */
function completeness({ log, cores }, losses) {
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
  return (/** @type {number} */ first, /** @type {number | null} */ last) => {
    const from = passes_switches(first, -1);
    const to = last === null ? null : passes_switches(last, 1);
    return from !== null && to !== null && before[to + 1] === before[from];
  };
}

/**
 * Jobs that a recording with losses proves: nothing is missing from before the wait that the release ends until after the end of the job.
 * @param {Kernel} kernel
 * @param {Job[]} jobs
 * @param {number[]} losses of each entry of the log
 */
export function proven_jobs(kernel, jobs, losses) {
  const is_complete = completeness(kernel, losses);
  return jobs.filter(({ begin, decided }) => is_complete(begin, decided));
}

/**
 * Jobs whose period a recording with losses proves: nothing is missing from before the wait of the job before until after the end of the job.
 * @param {Kernel} kernel
 * @param {Job[]} jobs in order of their end
 * @param {number[]} losses of each entry of the log
 */
export function proven_periods(kernel, jobs, losses) {
  const is_complete = completeness(kernel, losses);
  /** @type {Map<string, Job>} */
  const last = new Map();
  return jobs.filter((job) => {
    const before = last.get(job.task);
    last.set(job.task, job);
    return before && job.period !== null && is_complete(before.begin, job.decided);
  });
}

const ACTIVATIONS = 8; // waits of a task with a row of their own

/** What released each job, in the words of the row in which the program counts it. @param {Job[]} jobs in order of their end */
export function reasons_of(jobs) {
  /** @type {Map<string, Set<string>>} */
  const reasons = new Map();
  return jobs.map(({ task, reason }) => {
    const known = reasons.get(task) ?? new Set();
    reasons.set(task, known);
    if (known.size < ACTIVATIONS) known.add(reason);
    return known.has(reason) ? reason : 'other';
  });
}

/**
 * The jobs of each task by the wait that released them, as the program shows them: "count, longest".
 * @param {Job[]} jobs in order of their end
 */
export function activations(jobs) {
  /** @type {Map<string, { count: number, longest: number }>} */
  const rows = new Map();
  const reasons = reasons_of(jobs);
  for (const [i, { task, release, end, state }] of jobs.entries()) {
    const name = `${task} / ${reasons[i]}`;
    const row = rows.get(name) ?? { count: 0, longest: 0 };
    const response = state === 'measured' ? end - release : 0;
    rows.set(name, { count: row.count + 1, longest: Math.max(row.longest, response) });
  }
  return new Map([...rows].map(([name, { count, longest }]) => [name, `${count}, longest ${longest || 'unknown'}`]));
}
