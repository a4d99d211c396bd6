// SPDX-License-Identifier: MIT
//
// Compares what the program shows of recordings of simulated runs with the truth.

import { Random } from '../generator/random.mjs';
import { run_application } from './application.mjs';
import { Gaps } from './gaps.mjs';
import { missing_jobs, proven_jobs, wrong_jobs } from './jobs.mjs';
import { shown_jobs, shown_report, shown_states } from './program.mjs';
import { tonbandgeraet } from './tonbandgeraet.mjs';
import { tracerecorder } from './tracerecorder.mjs';
import { Truth, true_states } from './truth.mjs';

/** @typedef {import('../cli/tool.mjs').Folder} Folder */
/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** @typedef {'tonbandgeraet' | 'tonbandgeraet with extensions' | 'tracerecorder'} Format */
/** @typedef {{ count: number, total: number, longest: number }} Sum */

/** @type {Record<Format, import('./truth.mjs').Contents>} */
export const CONTENTS = {
  tonbandgeraet: { notifications: false, tick_interrupt: true },
  'tonbandgeraet with extensions': { notifications: true, tick_interrupt: true },
  tracerecorder: { notifications: true, tick_interrupt: false },
};

/** Problems that a complete recording of a simulated run may have. */
const EXPECTED_PROBLEMS = [
  'WAIT_UNKNOWN', // Tonbandgeraet does not record notifications
];

/** A file of a core with a few events is not recognised. @param {Kernel} kernel */
const long_enough = ({ cores, log }) =>
  cores.every(({ id }) => log.filter(({ core, event }) => core === id && event !== 'state').length > 40);

/** A run and its recording. */
export class Recorded {
  /** @param {Folder} folder @param {number} seed @param {Format} format @param {{ gaps?: (events: number) => Gaps, tick_interrupt?: boolean }} [options] */
  constructor(folder, seed, format, { gaps, tick_interrupt } = {}) {
    this.format = format;
    this.contents = CONTENTS[format];
    this.kernel = run_application(seed, { stops_notified: this.contents.notifications, tick_interrupt });
    this.truth = new Truth(this.kernel, this.contents);
    const random = new Random(seed);
    const layout = long_enough(this.kernel) ? random.pick(/** @type {const} */ (['stream', 'files'])) : 'stream';
    const psf = format === 'tracerecorder';
    const { files, losses, counted, origin } = psf
      ? tracerecorder(this.kernel, { layout, gaps })
      : {
          ...tonbandgeraet(this.kernel, {
            extensions: this.contents.notifications,
            layout,
            gaps,
            counts: random.pick(/** @type {const} */ (['each', 'once'])),
          }),
          origin: 0,
        };
    this.losses = losses;
    this.counted = counted;
    /** Time of the log at which the time of the trace is 0. */
    this.origin = origin;
    const name = `${format.replaceAll(' ', '-')}-${seed}${gaps ? '-gaps' : ''}`;
    this.paths = files.map((bytes, core) =>
      folder.write(`${name}${files.length > 1 ? `.core${core}` : ''}.${psf ? 'psf' : 'bin'}`, bytes),
    );
    this.where = `seed ${seed}, ${format}, ${layout}`;
  }
}

/** @param {string} what @param {Map<string, string>} wanted @param {Map<string, string>} shown */
function differences(what, wanted, shown) {
  return [...new Set([...wanted.keys(), ...shown.keys()])]
    .filter((key) => wanted.get(key) !== shown.get(key))
    .map((key) => `${what}: ${key}: shown ${shown.get(key)}, true ${wanted.get(key)}`);
}

/** Threads of the trace that are no tasks. */
const NO_TASKS = /^(\(startup\)( core \d+)?|not recorded)$/;

/** States of all tasks over time. @param {Recorded} recorded */
export async function differences_of_states({ kernel, contents, origin, paths, where }) {
  const shown = await shown_states(paths);
  const truth = true_states(kernel, contents);
  const found = [...shown.keys()]
    .filter((name) => !truth.has(name) && !NO_TASKS.test(name))
    .map((name) => `${where}: there is no task ${name}`);
  for (const [name, states] of truth) {
    const list = shown.get(name) ?? [];
    const wanted = states.map(({ at, state, hidden }, i) => {
      // the recorder does not tell whether the task waits or is ready
      const either = hidden && list[i] === `${at - origin} ready` ? 'ready' : state;
      return `${at - origin} ${either}`;
    });
    const i = Array.from({ length: Math.max(wanted.length, list.length) }).findIndex((_, n) => wanted[n] !== list[n]);
    if (i >= 0) found.push(`${where}: ${name}, state ${i}: shown ${list[i]}, true ${wanted[i]}`);
  }
  return found;
}

/** @param {Map<string, Sum>} sums */
const texts = (sums) =>
  new Map([...sums].map(([key, { count, total, longest }]) => [key, `${count} in ${total}, longest ${longest}`]));

/** Figures of the report: time and runs of tasks, and where the recorder records what they need, waits and holds of mutexes. @param {Recorded} recorded */
export async function differences_of_figures({ kernel, truth, contents, paths, where }) {
  const report = await shown_report(paths);
  const problems = report.problems
    .map((/** @type {{ id: string }} */ { id }) => id)
    .filter((/** @type {string} */ id) => !EXPECTED_PROBLEMS.includes(id));
  const found = problems.map((/** @type {string} */ id) => `problem ${id}`);
  const ran = new Map(
    kernel.tasks.map((task) => {
      const { cpu, runs } = truth.cpu(task);
      return [task.name, `${cpu} in ${runs}`];
    }),
  );
  const shown_tasks = new Map(
    report.tasks
      .filter((/** @type {{ name: string }} */ { name }) => !name.startsWith('(startup)'))
      .map((/** @type {any} */ { name, cpu, runs }) => [name, `${cpu} in ${runs}`]),
  );
  found.push(...differences('task', ran, shown_tasks));
  if (contents.notifications) {
    const waits = new Map(
      report.waits
        .map((/** @type {any} */ { name, count, count_unmeasured, total, longest }) => [
          name,
          `${count - count_unmeasured} in ${total}, longest ${longest}`,
        ])
        .filter((/** @type {string[]} */ [name, text]) => !name.startsWith('suspended') && !text.startsWith('0 ')),
    );
    found.push(...differences('wait', texts(truth.waits()), waits));
    const holds = new Map(
      report.mutexes
        .map((/** @type {any} */ { name, task, holds, holds_unmeasured, held, held_longest }) => [
          `${name} by ${task}`,
          `${holds - holds_unmeasured} in ${held}, longest ${held_longest}`,
        ])
        .filter((/** @type {string[]} */ [, text]) => !text.startsWith('0 ')),
    );
    found.push(...differences('hold', texts(truth.holds()), holds));
  }
  return found.map((/** @type {string} */ text) => `${where}: ${text}`);
}

/** Jobs of a complete recording: all are listed, and all figures are equal. @param {Recorded} recorded */
export async function differences_of_jobs({ truth, origin, paths, where }) {
  const jobs = truth.jobs();
  const shown = await shown_jobs(paths);
  const found = [
    ...wrong_jobs(jobs, shown, origin),
    ...missing_jobs(
      jobs.filter(({ decided }) => decided !== null),
      shown,
      origin,
    ),
  ];
  return { found: found.map((text) => `${where}: ${text}`), jobs: jobs.length };
}

/** A run recorded with losses and perhaps without its beginning. @param {Folder} folder @param {number} seed @param {Format} format */
export function with_gaps(folder, seed, format) {
  return new Recorded(folder, seed, format, { gaps: (events) => new Gaps(new Random(seed + 1), events) });
}

/** The number of lost events in the report. @param {Recorded} recorded */
export async function difference_of_losses({ counted, paths, where }) {
  const { events } = await shown_report(paths);
  return events.lost === counted ? [] : [`${where}: lost events: shown ${events.lost}, true ${counted}`];
}

/** Jobs of a recording with losses: none that is shown as measured is wrong. @param {Recorded} recorded */
export async function wrong_jobs_with_gaps({ kernel, truth, losses, origin, paths, where }) {
  const jobs = truth.jobs();
  const shown = await shown_jobs(paths);
  const proven = proven_jobs(
    kernel,
    jobs.filter(({ state }) => state === 'measured'),
    losses,
  );
  return {
    found: wrong_jobs(jobs, shown, origin, true).map((text) => `${where}: ${text}`),
    measured: shown.filter(({ state }) => state === 'measured').length,
    proven: proven.length,
    missing: missing_jobs(proven, shown, origin).map((text) => `${where}: ${text}`),
  };
}
