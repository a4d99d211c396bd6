// SPDX-License-Identifier: MIT
// Sums over the scheduling of a trace equal the report's figures, also where events were lost.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AT } from '../generator/golden-psf-stream.mjs';
import { head } from '../generator/golden-stream.mjs';
import { PsfEncoder } from '../generator/psf.mjs';
import { QsEncoder } from '../generator/qs.mjs';
import { convert } from './convert.mjs';
import { haveSamples, recordings } from './samples.mjs';
import { conditions } from './threads.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const { is_idle, is_unrecorded } = conditions('th');

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

/** Time per thread in the trace, idle time, and the same figures of the report. */
function sums(inputs) {
  const { trace, report } = convert(inputs);
  engine.load(trace);
  const rows = engine.query(`select th.name, th.tid, ${is_idle} as idle, ${is_unrecorded} as unrecorded,
    sum(iif(s.dur < 0, trace_end() - s.ts, s.dur)) as time from sched_slice s join thread th using (utid) group by th.utid`);
  const sum = (wanted) => rows.filter(wanted).reduce((all, { time }) => all + Number(time), 0);
  const total = (column) => report.cores.reduce((all, core) => all + Number(core[column]), 0);
  const objects = (report.objects ?? []).filter(({ cpu }) => Number(cpu) > 0).map(({ name, cpu }) => ({ name, cpu }));
  const tasks = [...report.tasks.filter(({ idle }) => !idle), ...objects];
  const cpu_of = (list) => list.reduce((all, { cpu }) => all + Number(cpu), 0); // with interrupts, as in the trace
  const idle_tasks = report.tasks.filter(({ idle }) => idle);
  return {
    has_idle_task: idle_tasks.length > 0,
    interrupts: total('interrupt'),
    // of a scheduler that reports "idle" without an idle task, the cores have the figure
    idle: [sum(({ idle }) => idle), idle_tasks.length ? cpu_of(idle_tasks) : total('idle')],
    busy: [sum(({ idle, unrecorded }) => !idle && !unrecorded), cpu_of(tasks)],
    tasks: tasks.map(({ name, pid, cpu }) => [
      sum((row) => (pid === undefined ? row.name === name : Number(row.tid) === pid)),
      Number(cpu),
    ]),
    unrecorded: sum(({ unrecorded }) => unrecorded),
    unmeasured: total('unmeasured'),
  };
}

/** Three tasks take turns, the third one is idle; events are lost in the run of `lost`. */
function tonbandgeraet(lost) {
  const stream = head().ev('task_name', 1, 'A').ev('task_name', 2, 'B').ev('task_name', 3, 'IDLE');
  stream.ev('task_is_idle_task', 3, 0);
  for (let i = 0; i < 24; i++) {
    stream.ev('task_switched_in', 100 * i + (i > lost ? 500 : 0), 1 + (i % 3));
    if (i === lost) stream.ev('dropped_evt_cnt', 100 * i + 450, 9);
  }
  return stream.bytes();
}

function psf(lost) {
  const encoder = new PsfEncoder();
  const events = [encoder.start([{ address: AT.MAIN, symbol: 'Main' }]), encoder.event(50, 'TRACE_START', [AT.MAIN])];
  for (let i = 0; i < 40; i++) events.push(encoder.event(100 + 100 * i, 'TASK_ACTIVATE', [AT.MAIN + 4 * (i % 2), 2]));
  events.splice(lost, 3);
  return Buffer.concat(events);
}

/** The first object is unknown until it takes an event; the core is idle before, and after the lost records. */
function qs(lost) {
  const encoder = new QsEncoder();
  const frames = [encoder.start()];
  for (let i = 0; i < 20; i++) {
    frames.push(
      i % 2 ? encoder.record('SCHED_NEXT', 100 + 10 * i, 3, 0) : encoder.record('SCHED_IDLE', 100 + 10 * i, 3),
    );
    if (i % 4 === 1) frames.push(encoder.record('QF_ACTIVE_GET_LAST', 102 + 10 * i, 4, 0x20000100, 0, 0));
    if (i % 4 === 1) frames.push(encoder.record('QEP_DISPATCH', 103 + 10 * i, 4, 0x20000100, 0x8000200));
  }
  frames.splice(lost, 3);
  return Buffer.concat(frames);
}

/** Task 1 appears on core 1 while it runs on core 0, which never tells that it left. */
function migration() {
  const stream = head().ev('task_name', 1, 'A').ev('task_name', 2, 'B');
  stream.ev('core_id', 0, 0).ev('task_switched_in', 10, 2).ev('task_switched_in', 20, 1);
  stream.ev('core_id', 30, 1).ev('task_switched_in', 40, 1).ev('core_id', 60, 0).ev('task_switched_in', 70, 2);
  return stream.ev('task_switched_in', 90, 2).bytes();
}

describe.each([
  ['Tonbandgeraet, a task runs', tonbandgeraet, 9],
  ['Tonbandgeraet, the idle task runs', tonbandgeraet, 11],
  ['TraceRecorder', psf, 20],
  ['two cores, a task that migrated', migration, 0],
  ['QS, the core is idle', qs, 9],
  ['QS, an object runs', qs, 12],
])('%s', (_, make, lost) => {
  test('the sums of the trace equal the figures of the report', () => {
    const found = sums([{ bytes: make(lost) }]);
    expect(found.busy[0]).toBeGreaterThan(0);
    expect(found.busy[0]).toBe(found.busy[1]);
    expect(found.idle[0]).toBe(found.idle[1]);
    for (const [trace, report] of found.tasks) expect(trace).toBe(report);
    expect(found.unrecorded).toBeGreaterThan(0);
    expect(found.unrecorded).toBeLessThanOrEqual(found.unmeasured);
  });
});

// ---- real recordings ----

const file_of = (name) => path.join(process.env.TONKOPF_SAMPLES ?? '', name);
const files = (folder, ...names) =>
  names.map((name) => ({
    bytes: fs.readFileSync(file_of(path.join(folder, name))),
    core: /core(\d)/.test(name) ? Number(/core(\d)/.exec(name)[1]) : null,
  }));

/** Recordings with losses, damage, restarts, several cores, or files of cores that end at different times. */
const REAL = !haveSamples
  ? []
  : [
      ...recordings(),
      ...[
        ['freertos_v14_drops.psf'],
        ['freertos_v14_restart.psf'],
        ['damaged_hole.psf'],
        ['damaged_headerless.psf'],
        ['dualcore_v14_single.psf'],
        ['dualcore_v14_multi_core0.psf', 'dualcore_v14_multi_core1.psf'],
      ].map((names) => [names[0], files('tracealyzer', ...names)]),
      ...fs
        .readdirSync(file_of('qs'))
        // "allrec" blocks threads that never leave their core; "posix64" has no scheduler records, so its trace has no scheduling
        .filter((name) => name.endsWith('.bin') && !/^allrec|posix64/.test(name))
        .map((name) => [name, files('qs', name)]),
    ];

describe.skipIf(!haveSamples)('real recordings', () => {
  let unrecorded = 0;

  test.each(REAL)('%s: the sums of the trace equal the figures of the report', (_, inputs) => {
    const found = sums(inputs);
    expect(found.busy[0]).toBe(found.busy[1]);
    for (const [trace, report] of found.tasks) expect(trace).toBe(report);
    // idle time of the trace contains interrupts; that of an idle task in the report too
    const interrupts = found.has_idle_task ? 0 : found.interrupts;
    expect(found.idle[0]).toBeGreaterThanOrEqual(found.idle[1]);
    expect(found.idle[0]).toBeLessThanOrEqual(found.idle[1] + interrupts);
    if (found.unrecorded > 0) unrecorded++;
  });

  test('some of them have unrecorded time', () => expect(unrecorded).toBeGreaterThan(5));
});
