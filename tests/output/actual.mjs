// SPDX-License-Identifier: MIT
// Reads from a loaded trace, with SQL, the same lines that reference/expectation.mjs computes from the recording.
import { numbered } from './reference/expectation.mjs';
import { conditions, is_unrecorded_on_core } from './threads.mjs';

const { is_idle, is_task } = conditions('th');

const RUNS = `select th.name as task, cpu, ts, dur from sched_slice join thread th using (utid) where ${is_task}`;

const UNRECORDED = `select cpu, ts, dur from sched_slice join thread th using (utid)
  where ${is_unrecorded_on_core('th')} order by cpu, ts`;

// also runs of idle tasks that were not known as idle
const IDLE = `select cpu, ts, dur from sched_slice join thread th using (utid) where ${is_idle} order by cpu, ts`;

/** Adjacent runs are merged. */
function spans_of_cores(rows) {
  const spans = [];
  for (const { cpu, ts, dur } of rows) {
    const last = spans.at(-1);
    if (last?.cpu === cpu && last.ts + last.dur === ts) last.dur = dur < 0 ? dur : last.dur + dur;
    else spans.push({ cpu, ts, dur });
  }
  return spans.map(({ cpu, ts, dur }) => `core ${cpu}: ${dur < 0 ? `${ts} to the end` : span({ ts, dur })}`);
}

// the last state of a task has no end
const STATES = `select th.name as task, ts, dur, state from thread_state join thread th using (utid)
  where dur >= 0 and ${is_task}`;

/** Slices of tracks of one type; `scope` is the task, else the group. */
const slices = (type) => `select s.ts, s.dur, s.name, s.depth, t.name as track,
  coalesce(th.name, p.name) as scope
  from slice s join track t on t.id = s.track_id left join track p on p.id = t.parent_id
  left join thread_track tt on tt.id = t.id left join thread th using (utid)
  where t.type = '${type}' order by s.ts, s.id`;

/** Values of counters; counters without a name only keep the viewer's order. */
const counters = (
  type,
) => `select c.ts, c.value, t.name as track, coalesce(th.name, iif(p.name = 'constant', g.name, p.name)) as scope
  from counter c join track t on t.id = c.track_id left join track p on p.id = t.parent_id left join track g on g.id = p.parent_id
  left join thread_counter_track tc on tc.id = t.id left join thread th using (utid)
  where t.type = '${type}' and t.name <> ' ' order by c.ts, c.id`;

const span = ({ ts, dur }) => `${ts} +${dur}`;

/** The tracks of a task end with its number; the viewer shows it to distinguish equal names. */
const plain = (name) => name.replace(/ \((no task|lock)\)$/, '');

export function actual(engine) {
  const onThread = engine.query(slices('thread_execution'));
  const global = engine.query(slices('global_track_event'));
  const ofTasks = engine.query(slices('thread_track_event'));
  const globalCounters = engine.query(counters('global_counter_track_event'));
  const taskCounters = engine.query(counters('thread_counter_track_event'));
  const inGroup = (rows, group) => rows.filter((row) => row.scope === group);
  const lines = (rows, text) => rows.map(text).sort();
  const values = (rows, text) =>
    numbered(rows.map((row) => ({ name: text(row), at: row.ts, value: row.value }))).sort();
  return {
    runs: lines(
      engine.query(RUNS),
      (row) => `${row.task} on ${row.cpu} ${row.dur < 0 ? `${row.ts} to the end` : span(row)}`,
    ),
    idle: spans_of_cores(engine.query(IDLE)).sort(),
    unrecorded: spans_of_cores(engine.query(UNRECORDED)).sort(),
    states: lines(engine.query(STATES), (row) => `${row.task}: ${row.state} ${span(row)}`),
    waits: lines(
      onThread.filter((row) => row.dur > 0),
      (row) => `${row.scope}: ${row.name} ${span(row)}`,
    ),
    deaths: lines(
      onThread.filter((row) => row.dur === 0 && row.name.startsWith('deleted')),
      (row) => `${row.scope}: ${row.name} ${row.ts}`,
    ),
    isrs: lines(
      inGroup(global, 'Interrupts'),
      (row) => `core ${row.track.replace('Interrupts, core ', '')}: ${row.name} ${span(row)}`,
    ),
    fills: values(inGroup(globalCounters, 'Queues and locks'), (row) => plain(row.track)),
    locks: lines(inGroup(global, 'Queues and locks'), (row) => `${plain(row.track)}: ${row.name} ${span(row)}`),
    markers: lines(inGroup(global, 'Markers'), (row) => `${plain(row.track)}: ${row.name} ${span(row)}`),
    taskMarkers: lines(ofTasks, (row) => `${row.scope}/${row.track}: ${row.name} ${span(row)}`),
    values: values(inGroup(globalCounters, 'Values'), (row) => plain(row.track)),
    taskValues: values(
      taskCounters.filter((row) => row.track !== 'priority' && row.track !== 'response time'),
      (row) => `${row.scope}/${row.track}`,
    ),
  };
}
