// SPDX-License-Identifier: MIT
//
// One simulated run in two formats: the reports have the same figures, except where a format does not record what they need. The tick of these runs is no
// interrupt, because TraceRecorder does not record the interrupt of the tick: with it, interrupts and the times without interrupts differ.

import { Recorded } from './compare.mjs';
import { shown_report } from './program.mjs';

/** @typedef {import('../cli/tool.mjs').Folder} Folder */

/** Tables and what distinguishes their rows. @type {Record<string, string[]>} */
const TABLES = {
  tasks: ['name'],
  jobs: ['name'],
  activations: ['name'],
  waits: ['name', 'task'],
  mutexes: ['name', 'task'],
  mutex_waits: ['name', 'task', 'owner'],
  queues: ['name'],
  queue_times: ['name'],
  interrupts: ['name', 'core'],
  communication: ['from', 'object', 'to'],
  worst_jobs: ['name', 'rank'],
  worst_causes: ['name', 'rank', 'cause', 'by', 'object', 'others'],
  load_windows: ['name'],
  markers: ['name', 'text', 'task'],
  cores: ['core'],
  findings: ['rule', 'who'],
  finding_places: ['rule', 'who'],
  not_examined: ['rule'],
};

/** Tables that are not compared, with the reason. @type {{ tables: string[], reason: string }[]} */
const NOT_COMPARED = [
  {
    tables: [
      'format',
      'tick',
      'output',
      'explain',
      'problems',
      'places',
      'events',
      'kinds',
      'inputs',
      'facts',
      'skipped',
    ],
    reason: 'They describe the recording, not the target',
  },
  {
    tables: ['job_distribution'],
    reason: 'Its ranges are powers of two of ticks: 1 ns in TraceRecorder, more in Tonbandgeraet',
  },
  { tables: ['job_noise'], reason: 'The equal parts of a recording are powers of two of ticks' },
  { tables: ['time', 'cpu'], reason: 'The times begin and end with the first and last event, which differ' },
];
/** Tables about what the simulated application does not use: they have no rows. */
const UNUSED = ['event_groups', 'timers', 'marker_times', 'intervals', 'states', 'heaps', 'not_freed', 'stacks'];

/** What differs, with the reason: a table, or "table.column"; `row` restricts it to some rows. @type {{ what: RegExp, row?: RegExp, reason: string }[]} */
const DIFFERENCES = [
  {
    what: /^(tasks|interrupts|queues)\.(id|pid)$/,
    reason: 'Tonbandgeraet numbers its objects, TraceRecorder has addresses',
  },
  { what: /^tasks$/, row: /^\(startup\)/, reason: 'TraceRecorder records what runs before the scheduler as a task' },
  {
    what: /^(jobs|activations|waits|queue_times|interrupts)\.(.*_)?p\d+$/,
    reason: 'A percentile is the upper bound of a bucket, in ticks: 1 ns in TraceRecorder, more in Tonbandgeraet',
  },
  {
    what: /\.share_(typical|spread)$/,
    reason: 'The equal parts of a recording begin with its first event, which differs',
  },
  {
    what: /^waits\.timed_out$/,
    reason:
      'Tonbandgeraet records no tick here: the last operation on the object may be older than the tick that ended the wait',
  },
  {
    what: /^cores\.(busy|unmeasured|load)$/,
    reason:
      'TraceRecorder records what runs before the scheduler as a task; for Tonbandgeraet this time is not measured',
  },
  {
    what: /^load_windows\./,
    reason: 'A window moves in steps of 1/64 of its length, in ticks: 1 ns in TraceRecorder, more in Tonbandgeraet',
  },
  { what: /^markers$/, reason: 'The recording of Tonbandgeraet ends with a marker' },
  {
    what: /^queues\.operations$/,
    reason: 'Tonbandgeraet sends lengths when it creates a queue; TraceRecorder sends the length when a task waits',
  },
  {
    what: /^queue_times\.(known|empty|fill_mean|full_share|capacity|full)$/,
    reason:
      'Tonbandgeraet sends a length when it creates a queue, TraceRecorder with the first operation; only Tonbandgeraet sends the capacity of semaphores',
  },
  {
    what: /^queues\.capacity$/,
    row: /^(Lock|Sem)/,
    reason: 'TraceRecorder sends the capacity of queues, not of semaphores and mutexes',
  },
];

/** TraceRecorder records what runs before the scheduler as a task; for Tonbandgeraet that is unknown. @param {any} row */
const comparable = (row) => ({
  ...row,
  ...(row.by === '(startup)' && { by: null }),
  // causes of one length are in the order of their events, which differs
  ...(row.why && {
    why: row.why.replaceAll('while (startup) ran', 'while an unknown task ran').split(', ').sort().join(),
  }),
});

/** @param {any} report @param {string} table @returns {Map<string, any>} */
function rows_of(report, table) {
  const rows = new Map();
  for (const row of (report[table] ?? []).map(comparable)) {
    const name = TABLES[table].map((column) => row[column]).join(' ');
    let key = name;
    for (let number = 2; rows.has(key); number++) key = `${name}, row ${number}`;
    rows.set(key, row);
  }
  return rows;
}

/** Times of the trace begin at the first event. @param {string} column @param {unknown} value @param {number} origin */
const absolute = (column, value, origin) =>
  value !== null && /(^|_)at$|^(release|start|end)$/.test(column) ? String(Number(value) + origin) : value;

/** @param {string} table @param {string} row @param {string} column */
const is_expected = (table, row, column) =>
  DIFFERENCES.some(
    ({ what, row: rows }) => what.test(column ? `${table}.${column}` : table) && (!rows || rows.test(row)),
  );

/** @param {Folder} folder @param {number} seed */
export async function differences_of_formats(folder, seed) {
  const ours = new Recorded(folder, seed, 'tonbandgeraet with extensions', { tick_interrupt: false });
  const theirs = new Recorded(folder, seed, 'tracerecorder', { tick_interrupt: false });
  const [our_report, their_report] = await Promise.all([ours, theirs].map(({ paths }) => shown_report(paths)));
  /** @type {string[]} */
  const found = [];
  let compared = 0;
  const tables = new Set(
    [our_report, their_report].flatMap((report) => report.tables.map((/** @type {any} */ { id }) => id)),
  );
  for (const table of tables)
    if (UNUSED.includes(table)) {
      for (const report of [our_report, their_report])
        if (report[table]?.length) found.push(`seed ${seed}: ${table} has rows, and is not compared`);
    } else if (!TABLES[table] && !NOT_COMPARED.some(({ tables: others }) => others.includes(table)))
      found.push(`the table ${table} is not compared, without a reason`);
  for (const table of Object.keys(TABLES)) {
    const [our_rows, their_rows] = [our_report, their_report].map((report) => rows_of(report, table));
    for (const row of new Set([...our_rows.keys(), ...their_rows.keys()])) {
      const [a, b] = [our_rows.get(row), their_rows.get(row)];
      if (!a || !b) {
        // Only our recorder sends the first length of a queue, and that a mutex is given when it is created.
        const is_unused =
          !b && ((table === 'queues' && Number(a.operations) <= 2) || (table === 'queue_times' && a.fill_mean === 0));
        if (!is_unused && !is_expected(table, row, ''))
          found.push(`seed ${seed}: ${table} ${row}: only in ${a ? 'ours' : 'theirs'}`);
        continue;
      }
      for (const column of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const [x, y] = [absolute(column, a[column], ours.origin), absolute(column, b[column], theirs.origin)];
        compared++;
        if (x !== y && !is_expected(table, row, column))
          found.push(`seed ${seed}: ${table} ${row}: ${column} ${x} of ours, ${y} of theirs`);
      }
    }
  }
  return { found, compared };
}
