// SPDX-License-Identifier: MIT
// The real viewer opens a trace of ours: the whole hand-over, its own (older) engine, its tracks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convert } from './convert.mjs';
import { recording } from './reference/encode.mjs';
import { launchChromium, newViewerContext, openTrace, shoot, viewerQuery } from './viewer.mjs';

const names = [
  ['tick', 1000],
  ['task_name', 1, 'worker'],
  ['task_name', 2, 'logger'],
  ['task_name', 3, 'IDLE'],
  ['task_is_idle', 3, 0],
  ['queue_name', 1, 'lines'],
  ['isr_name', 7, 'uart'],
];

/** Rounds of work: an interrupt sends, the logger takes it, the worker is delayed. */
const rounds = Array.from({ length: 200 }, (_, index) => 1000 + index * 100).flatMap((time) => [
  ['isr_enter', time, 7],
  ['queue_send_from_isr', time + 1, 1, 1],
  ['ready', time + 2, 2],
  ['isr_exit', time + 3, 7],
  ['switched_in', time + 5, 2],
  ['queue_receive', time + 10, 1, 0],
  ['block_receive', time + 20, 1, 50],
  ['switched_in', time + 21, 1],
  ['delay', time + 40, 1],
  ['switched_in', time + 41, 3],
  ['ready', time + 90, 1],
]);

let browser, viewer, report;
beforeAll(async () => {
  const converted = convert([{ bytes: recording(...names, ...rounds) }]);
  report = converted.report;
  browser = await launchChromium();
  const startupCommands = JSON.stringify([{ id: 'dev.perfetto.ExpandTracksByRegex', args: [report.view.expand[0]] }]);
  viewer = await openTrace(await newViewerContext(browser), converted.trace, { startupCommands });
});
afterAll(() => browser?.close());

test('it has nothing to complain about', async () => {
  const complaints = await viewerQuery(
    viewer,
    "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
  );
  expect(complaints).toEqual([]);
});

test('its engine counts the same time per task as the report', async () => {
  const rows = await viewerQuery(
    viewer,
    `select th.name, sum(iif(dur < 0, trace_end() - ts, dur)) as ns from sched_slice join thread th using (utid) group by 1`,
  );
  const told = Object.fromEntries(report.tasks.map((task) => [task.idle ? 'swapper' : task.name, Number(task.cpu)])); // Perfetto's own idle task
  expect(Object.fromEntries(rows.map((row) => [row.name, row.ns]))).toEqual(told);
});

test('waits, fills and interrupts are there', async () => {
  const [counts] = await viewerQuery(
    viewer,
    `select (select count(*) from slice where name = 'receive from lines') as waits,
      (select count(*) from slice where name = 'uart') as interrupts,
      (select count(*) from counter c join track t on t.id = c.track_id where t.name = 'lines') as fills`,
  );
  expect(counts).toEqual({ waits: 200, interrupts: 200, fills: 400 });
});

test('the groups are opened', async () => {
  await viewer.getByText('Queues and locks', { exact: true }).first().waitFor();
  await viewer.getByText('lines', { exact: true }).first().waitFor();
  await shoot(viewer, 'viewer.png');
});

test('time without a recording is a row of its own, and no time of a task', async () => {
  const [before, after] = [rounds.slice(0, 1100), rounds.slice(1100)];
  const lossy = convert([{ bytes: recording(...names, ...before, ['dropped', 10_950, 5], ...after) }]);
  const shown = await openTrace(await newViewerContext(browser), lossy.trace);
  const runs = await viewerQuery(
    shown,
    "select ts - trace_start() as ts, dur from sched_slice join thread using (utid) where name = 'not recorded'",
  );
  expect(runs).toEqual([{ ts: 9_941_000, dur: 64_000 }]); // from the last switch before the loss to the first one after it
  await shown.getByText('not recorded', { exact: false }).first().waitFor();
  await shoot(shown, 'not-recorded.png');
});
