// SPDX-License-Identifier: MIT
//
// Compares what the program shows of recordings of simulated runs with the truth.

import { Random } from '../generator/random.mjs';
import { run_application } from './application.mjs';
import { deadlines_of, late_jobs, rules_of, shown_late_jobs, wrong_late_jobs } from './deadlines.mjs';
import { Gaps } from './gaps.mjs';
import { activations, missing_jobs, missing_periods, proven_jobs, proven_periods, wrong_jobs } from './jobs.mjs';
import { wrong_loads } from './load.mjs';
import { shown_jobs, shown_report, shown_states } from './program.mjs';
import { tonbandgeraet } from './tonbandgeraet.mjs';
import { tracerecorder } from './tracerecorder.mjs';
import { Truth, sums_of, true_states } from './truth.mjs';
import { wrong_waits } from './waits.mjs';

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

/** Problems that a complete recording of a simulated run may have. @param {import('./truth.mjs').Contents} contents */
const expected_problems = ({ notifications }) => (notifications ? [] : ['WAIT_UNKNOWN']);

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

/** Rows of a table by key, with their spans: "count in total, longest". @param {any[]} rows @param {(row: any) => string} key @param {[string, string, string]} columns */
const shown_sums = (rows, key, [count, total, longest]) =>
  new Map(
    rows
      .filter((row) => row[count] > row[`${count}_unmeasured`])
      .map((row) => [key(row), `${row[count] - row[`${count}_unmeasured`]} in ${row[total]}, longest ${row[longest]}`]),
  );

/** @param {{ name: string, task: string | null }} row */
const by_task = ({ name, task }) => `${name} by ${task}`;
/** @param {{ name: string, task: string, owner: string | null }} row */
const by_owner = ({ name, task, owner }) => `${name} by ${task} held by ${owner}`;

/** @param {Truth} truth @param {any} report */
function differences_of_locks(truth, { mutexes, mutex_waits }) {
  const contended = new Map(
    mutexes
      .filter((/** @type {any} */ row) => row.contended > 0)
      .map((/** @type {any} */ row) => [by_task(row), `${row.contended}`]),
  );
  const while_held = new Map(
    mutexes
      .filter((/** @type {any} */ row) => row.waits_while_held > row.waits_while_held_unmeasured)
      .map((/** @type {any} */ row) => [
        by_task(row),
        `${row.waits_while_held - row.waits_while_held_unmeasured}, longest ${row.waited_while_held_longest}`,
      ]),
  );
  const true_contended = new Map([...truth.contended()].map(([key, count]) => [key, `${count}`]));
  const true_while_held = new Map(
    [...sums_of(truth.waits_while_held())].map(([key, { count, longest }]) => [key, `${count}, longest ${longest}`]),
  );
  return [
    ...differences(
      'hold',
      texts(sums_of(truth.holds())),
      shown_sums(mutexes, by_task, ['holds', 'held', 'held_longest']),
    ),
    ...differences(
      'wait for a mutex',
      texts(sums_of(truth.lock_waits())),
      shown_sums(mutex_waits, by_owner, ['count', 'total', 'longest']),
    ),
    ...differences('wait before a hold', true_contended, contended),
    ...differences('wait while a mutex is held', true_while_held, while_held),
  ];
}

/** @param {import('./truth.mjs').Span[]} items */
const latencies = (items) =>
  new Map([...sums_of(items)].map(([key, { count, longest }]) => [key, `${count}, longest ${longest}`]));

/** @param {{ from: string, object: string, to: string }} row */
const by_pair = ({ from, object, to }) => `${from} through ${object} to ${to}`;

/** @param {Truth} truth @param {boolean} has_capacities the recorder records capacities @param {any} report */
function differences_of_queues(truth, has_capacities, { queue_times, communication }) {
  const used = truth.fills().filter(({ operations }) => operations > 0);
  const names = new Set(used.map(({ queue }) => queue.name));
  const waits = truth.room_waits();
  const rows = queue_times.filter((/** @type {any} */ { name }) => names.has(name));
  /** A mean fill is a double. Sums of fills are whole numbers of ns, so that half of one keeps them off the ties of rounding. @param {number} filled */
  const rounded = (filled) => `${Math.round((filled - 0.5) / 1000)} us`;
  const fills = new Map(
    used.map(({ queue: { name }, filled, full, not_empty }) => {
      const row = rows.find((/** @type {any} */ shown) => shown.name === name);
      const has_capacity = row && row.capacity !== null;
      return [
        name,
        `${rounded(filled)}, full ${has_capacity ? full : null}, not empty ${not_empty}, waits ${waits.get(name) ?? 0}`,
      ];
    }),
  );
  const shown_fills = new Map(
    rows.map((/** @type {any} */ { name, known, fill_mean, full, empty, sender_waits }) => [
      name,
      `${rounded(fill_mean * Number(known))}, full ${full}, not empty ${BigInt(known) - BigInt(empty)}, waits ${sender_waits}`,
    ]),
  );
  const capacities = new Map(used.map(({ queue: { name, capacity } }) => [name, `${capacity}`]));
  const shown_capacities = new Map(
    rows.map((/** @type {any} */ { name, capacity }) => [
      name,
      // unknown if the recorder does not record it and no sender ever waited
      capacity === null && !has_capacities && !waits.get(name) ? capacities.get(name) : `${capacity}`,
    ]),
  );
  const items = truth.items();
  const received = new Map(
    rows
      .filter((/** @type {any} */ row) => row.receives > row.receives_unmeasured)
      .map((/** @type {any} */ row) => [
        row.name,
        `${row.receives - row.receives_unmeasured}, longest ${row.latency_max}`,
      ]),
  );
  const pairs = new Map(
    communication
      .filter((/** @type {any} */ { object }) => names.has(object))
      .map((/** @type {any} */ row) => [
        by_pair(row),
        `${row.count - row.count_unmeasured}, longest ${row.latency_max}`,
      ]),
  );
  return [
    ...differences('fill of', fills, shown_fills),
    ...differences('capacity of', capacities, shown_capacities),
    ...differences('latency of', latencies(items.map(({ queue, ...item }) => ({ ...item, key: queue }))), received),
    ...differences('items of', latencies(items), pairs),
  ];
}

/** Figures of the report: time and runs of tasks, and where the recorder records what they need, waits and holds of mutexes. @param {Recorded} recorded */
export async function differences_of_figures({ kernel, truth, format, contents, origin, paths, where }) {
  const has_capacities = format === 'tonbandgeraet with extensions';
  const finished = truth.jobs().filter(({ decided }) => decided !== null);
  const deadlines = deadlines_of(finished);
  const report = await shown_report(paths, rules_of(deadlines));
  const problems = report.problems
    .map((/** @type {{ id: string }} */ { id }) => id)
    .filter((/** @type {string} */ id) => !expected_problems(contents).includes(id));
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
  const has_ends = format === 'tracerecorder'; // it records ticks
  found.push(...wrong_waits(truth.waits(), report.waits, origin, { has_ends }));
  if (contents.notifications) {
    const shown_activations = new Map(
      report.activations.map((/** @type {any} */ { name, count, response_max }) => [
        name,
        `${count}, longest ${response_max ?? 'unknown'}`,
      ]),
    );
    found.push(...differences('activation', activations(finished), shown_activations));
  }
  const late = late_jobs(finished, deadlines, contents.notifications);
  found.push(...differences('late jobs of', late, shown_late_jobs(report.deadlines, contents.notifications)));
  found.push(...differences_of_locks(truth, report), ...differences_of_queues(truth, has_capacities, report));
  found.push(...wrong_loads(kernel, contents, report, origin));
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
export async function wrong_jobs_with_gaps({ kernel, truth, contents, losses, origin, paths, where }) {
  const jobs = truth.jobs();
  const shown = await shown_jobs(paths);
  const deadlines = deadlines_of(jobs);
  const report = await shown_report(paths, rules_of(deadlines));
  const measured = jobs.filter(({ state }) => state === 'measured');
  const proven = proven_jobs(kernel, measured, losses);
  const periods = proven_periods(kernel, measured, losses);
  return {
    found: [
      ...wrong_jobs(jobs, shown, origin, true),
      ...wrong_waits(truth.waits(), report.waits ?? [], origin, { gaps: true }),
      ...wrong_loads(kernel, contents, report, origin, true),
      ...wrong_late_jobs(shown, report.deadlines ?? []),
    ].map((text) => `${where}: ${text}`),
    measured: shown.filter(({ state }) => state === 'measured').length,
    proven: proven.length,
    periods: periods.length,
    missing: missing_jobs(proven, shown, origin).map((text) => `${where}: ${text}`),
    missing_periods: missing_periods(periods, shown, origin).map((text) => `${where}: ${text}`),
  };
}

/** Spans that are shown as measured and are wrong: more than there are, longer in all, or a longest one that does not exist. @param {string} what @param {import('./truth.mjs').Span[]} spans @param {any[]} rows @param {(row: any) => string} key @param {{ count: string, total?: string, longest: string }} columns @param {number} origin */
function wrong_spans(what, spans, rows, key, { count, total, longest }, origin) {
  const sums = sums_of(spans);
  const found = [];
  for (const row of rows) {
    const measured = row[count] - row[`${count}_unmeasured`];
    if (!measured) continue;
    const sum = sums.get(key(row)) ?? { count: 0, total: 0, longest: 0 };
    const begin = Number(row[`${longest}_at`]) + origin;
    const exists = spans.some(
      (span) => span.key === key(row) && span.since === begin && span.length === Number(row[longest]),
    );
    if (!exists || measured > sum.count || (total && Number(row[total]) > sum.total))
      found.push(`${what} ${key(row)}: shown ${measured}, longest ${row[longest]} at ${begin}, true ${sum.count}`);
  }
  return found;
}

/** Queues of a recording with losses: none of their figures is too large, and the longest latencies exist. @param {Recorded} recorded */
export async function wrong_queues_with_gaps({ kernel, truth, origin, paths, where }) {
  const { queue_times = [], communication = [] } = await shown_report(paths);
  const items = truth.items();
  const own = items.map(({ queue, ...item }) => ({ ...item, key: queue }));
  const fills = new Map(truth.fills().map((fill) => [fill.queue.name, fill]));
  /** The event that names an interrupt may be lost. @param {any} row */
  const is_named = ({ from, to }) => !/interrupt ISR/.test(from + to);
  const pairs = communication.filter((/** @type {any} */ row) => fills.has(row.object) && is_named(row));
  const found = [
    ...wrong_spans(
      'latency of',
      own,
      queue_times,
      ({ name }) => name,
      { count: 'receives', longest: 'latency_max' },
      origin,
    ),
    ...wrong_spans('items of', items, pairs, by_pair, { count: 'count', longest: 'latency_max' }, origin),
  ];
  for (const { name, known, capacity, fill_mean, full, empty } of queue_times) {
    const fill = fills.get(name);
    if (!fill) continue;
    const measured = Number(known);
    if (capacity !== null && capacity !== fill.queue.capacity) found.push(`capacity of ${name}: shown ${capacity}`);
    if (full !== null && Number(full) > fill.full) found.push(`${name} full: shown ${full}, true ${fill.full}`);
    if (measured - Number(empty) > fill.not_empty) found.push(`${name} not empty: shown ${measured - Number(empty)}`);
    if (fill_mean !== null && fill_mean * measured > fill.filled + 1) found.push(`fill of ${name}: shown ${fill_mean}`);
    if (measured > kernel.log[kernel.log.length - 1].at) found.push(`${name} known: shown ${known}`);
  }
  const measured = queue_times.reduce(
    (/** @type {number} */ sum, /** @type {any} */ row) => sum + row.receives - row.receives_unmeasured,
    0,
  );
  return { found: found.map((text) => `${where}: ${text}`), measured };
}

/** Holds of mutexes and waits for them in a recording with losses: none that is shown as measured is wrong. @param {Recorded} recorded */
export async function wrong_locks_with_gaps({ truth, origin, paths, where }) {
  const { mutexes = [], mutex_waits = [] } = await shown_report(paths);
  const hold = { count: 'holds', total: 'held', longest: 'held_longest' };
  const wait = { count: 'count', total: 'total', longest: 'longest' };
  const within = { count: 'waits_while_held', longest: 'waited_while_held_longest' };
  const known = mutex_waits.filter((/** @type {any} */ { owner }) => owner !== null);
  const measured = mutexes.reduce(
    (/** @type {number} */ sum, /** @type {any} */ row) => sum + row.holds - row.holds_unmeasured,
    0,
  );
  const found = [
    ...wrong_spans('hold', truth.holds(), mutexes, by_task, hold, origin),
    ...wrong_spans('wait for', truth.lock_waits(), known, by_owner, wait, origin),
    ...wrong_spans('wait while held', truth.waits_while_held(), mutexes, by_task, within, origin),
  ];
  return { found: found.map((text) => `${where}: ${text}`), measured };
}
