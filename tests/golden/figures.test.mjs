// SPDX-License-Identifier: MIT
// Figures of golden cases with lost, damaged or open occurrences: correct, or missing and counted.
import { expect, test } from 'vitest';
import { WHOLE, cases, native_trace } from './cases.mjs';
import { traceText } from './trace-text.mjs';

async function converted(name) {
  const one = cases().find((entry) => entry.name === name);
  const { trace, report } = await native_trace(one, WHOLE);
  return { lines: traceText(trace), report: JSON.parse(report) };
}

const named = (list, name) => list.find((entry) => entry.name === name);
const count = (report, id) => report.problems.find((problem) => problem.id === id)?.count ?? 0;
const parts = ({ busy, idle, interrupt, outside, unmeasured }) =>
  [busy, idle, interrupt, outside, unmeasured].map(Number);

test('an interrupt whose exit is missing ends where a task runs, and is not measured', async () => {
  const { lines, report } = await converted('tonbandgeraet/interrupt-exit-missing');
  expect(lines).toContain('1620 end ["Interrupts, core 0"] "end lost"=1');
  expect(report.interrupts).toMatchObject([
    { count: 6, count_unmeasured: 1, max: '5000', min: '5000', mean: '5000', total: '25000' },
  ]);
  expect(report.cores[0].interrupt).toBe('20000');
  expect(count(report, 'ISR_END_LOST')).toBe(1);
});

test('an exit with another number is damage: the interrupt does not nest in itself', async () => {
  const { lines, report } = await converted('tonbandgeraet/interrupt-exit-of-another-number');
  expect(lines).toContain('300 end ["Interrupts, core 0"] "end lost"=1');
  expect(lines).toContain('450 end ["Interrupts, core 0"] "end lost"=1');
  expect(report.interrupts[0]).toMatchObject({ count: 5, count_unmeasured: 2, min: '4000', mean: '5000', max: '6000' });
});

test('interrupts during the idle task are not part of its time', async () => {
  const { report } = await converted('tonbandgeraet/interrupts-during-idle');
  expect(parts(report.cores[0])).toEqual([300_000, 500_000, 200_000, 0, 0]);
});

test('occurrences across a loss or the end are in no figure', async () => {
  const { lines, report } = await converted('tonbandgeraet/lost-time-excluded-from-statistics');
  expect(lines).toContain('260 end ["Interrupts, core 0"] "events lost meanwhile"=1');
  expect(lines).toContain('300 end [thread 301] "woken by"="tick" "events lost meanwhile"=1');
  expect(report.interrupts[0]).toMatchObject({ count: 3, count_unmeasured: 2, max: '3000', total: '3000' });
  expect(named(report.tasks, 'A')).toMatchObject({
    runs: 3,
    runs_unmeasured: 0,
    waits: 3,
    waits_unmeasured: 2,
    longest_wait: '60000',
  });
  expect(named(report.tasks, 'IDLE')).toMatchObject({ runs: 3, runs_unmeasured: 1, cpu: '640000' });
  expect(parts(report.cores[0])).toEqual([147_000, 540_000, 3_000, 0, 300_000]);
});

test('a wait of a task that may not have run, and one whose end was lost, are not measured', async () => {
  const { lines, report } = await converted('tracealyzer/waits-after-lost-events');
  expect(
    lines.filter((line) => line.includes('end [thread') && line.includes('"events lost meanwhile"=1')),
  ).toHaveLength(2);
  expect(named(report.tasks, 'Main')).toMatchObject({ waits: 2, waits_unmeasured: 1 });
  expect(named(report.tasks, 'Work')).toMatchObject({ waits: 1, waits_unmeasured: 1, longest_wait: null });
});

test('an aborted wait, and an idle task that has run since', async () => {
  const off = await converted('tonbandgeraet/wait-aborted');
  expect(off.lines).toContain('600 cpu 0 runs no task, before: waiting');
  expect(named(off.report.tasks, 'A').longest_wait).toBe('4400000');
  for (const name of ['blocking-inferred-from-idle-run', 'blocking-inferred-from-idle-at-end']) {
    const { lines, report } = await converted(`tonbandgeraet/${name}`);
    expect(lines).toContain('200 cpu 0 runs no task, before: waiting');
    expect(named(report.tasks, 'A')).toMatchObject({ waits: 1, waits_unmeasured: 1, longest_wait: null });
  }
  const last = await converted('tonbandgeraet/switched-out-in-last-tick');
  expect(last.lines).toContain('200 cpu 0 runs no task, before: waiting');
});

test('names and kinds that are sent again change nothing', async () => {
  const { lines } = await converted('tonbandgeraet/queue-kind-repeated');
  expect(lines.filter((line) => line.includes('["bus"]')).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
    ['100 begin', '300 end'],
  );
  const names = await converted('tonbandgeraet/task-marker-names-for-task-0-again');
  expect(
    names.lines.filter((line) => /^track .*"(alpha|beta)"$/.test(line)).map((line) => line.split(' ').at(-1)),
  ).toEqual(['"alpha"', '"beta"']);
  expect(count(names.report, 'NAME_CHANGED')).toBe(0);
});

test('QS: noise ends no interrupt, a gap does; a first activation runs from its selection on', async () => {
  const noise = await converted('qs/noise-inside-an-interrupt');
  expect(noise.lines).toContain('130000 end ["Interrupts, core 0"]');
  expect(count(noise.report, 'ISR_END_WITHOUT_BEGIN')).toBe(1); // after the gap
  expect(
    noise.report.interrupts.map(({ count: entered, count_unmeasured, max }) => [entered, count_unmeasured, max]),
  ).toEqual([
    [1, 0, '40000'],
    [2, 1, '10000'],
  ]);
  const first = await converted('qs/first-activation-priority-known-later');
  expect(first.lines.some((line) => line.startsWith('19000 cpu 0 runs "Beta" (302)'))).toBe(true);
  expect(
    first.lines.some((line) => line.includes('wakes "Beta" (302)') || line.includes('"Beta" (302) runnable')),
  ).toBe(false);
  expect(named(first.report.objects, 'Beta').cpu).toBe('24000');
});

test('events.total counts events, not damage', async () => {
  const { report } = await converted('qs/noise-inside-an-interrupt');
  expect(report.kinds.some(({ kind }) => kind === 'problem')).toBe(false);
});

test('posts that fail and an empty pool are refused sends; a recording without posts has no findings', async () => {
  const refused = async (/** @type {string} */ name) =>
    (await converted(name)).report.findings?.map(({ rule, who, text }) => `${rule} ${who}: ${text}`);
  expect(await refused('qs/queue-full')).toEqual([
    'send_refused Alpha: An item could not be sent 1 time, by Beta.',
    'send_refused Alpha.deferred: An item could not be sent 1 time, by an unknown sender.',
  ]);
  expect(await refused('qs/event-pool')).toEqual([
    'send_refused EvtPool1: An item could not be sent 1 time, by an unknown sender.',
  ]);
  expect(await refused('qs/defer-and-recall')).toEqual([]);
  expect(await refused('qs/raw-queue')).toBeUndefined();
});
