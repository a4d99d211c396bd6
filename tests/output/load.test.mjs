// SPDX-License-Identifier: MIT
// The load counters compared with the runs and interrupts of the same trace, and with the shares in the report.
import { beforeAll, describe, expect, test } from 'vitest';
import { make_demos } from '../../scripts/generate-demos.mjs';
import { convert } from './convert.mjs';
import { recording } from './reference/encode.mjs';
import { conditions } from './threads.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const { files } = make_demos();
const overlap = (a, b) => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

/** Spans of each core and values of its counters, from the trace. */
async function load(inputs, options) {
  const { trace, report } = convert(inputs, options);
  const engine = await sharedTraceProcessor();
  engine.load(trace);
  const counter = (name) =>
    engine.query(
      `select c.ts, c.value from counter c join track t on t.id = c.track_id where t.name = '${name}' order by c.ts`,
    );
  const runs = (core) =>
    engine.query(`select s.ts as "from", iif(s.dur < 0, trace_end(), s.ts + s.dur) as "to", ${conditions('th').is_idle} as idle
    from sched_slice s join thread th using (utid) where s.cpu = ${core} order by 1`);
  const interrupts = (core, name) =>
    engine.query(`select s.ts as "from", s.ts + s.dur as "to", s.name from slice s join track t on t.id = s.track_id
    where t.name = 'Interrupts, core ${core}' and ${name ? `s.name = '${name}'` : 's.depth = 0'} order by 1`);
  return { report, engine, counter, runs, interrupts };
}

/** The mean of a counter, whose values are valid until the next one. */
const mean = (values, start, end) =>
  values.reduce((sum, { ts, value }, i) => sum + value * ((values[i + 1]?.ts ?? end) - ts), 0) / (end - start);

/** Percentage of each window that the spans fill. */
function shares(spans, start, end, window) {
  const count = Math.max(1, Math.floor((end - start) / window));
  return Array.from({ length: count }, (_, i) => {
    const at = { from: start + i * window, to: i + 1 < count ? start + (i + 1) * window : end };
    return (100 * spans.reduce((sum, span) => sum + overlap(span, at), 0)) / (at.to - at.from);
  });
}

const at = (values, time) => values.filter(({ ts }) => ts <= time).at(-1)?.value;

describe.each([
  ['one core', ['freertos.bin'], ''],
  ['two cores', ['two-cores.core0.bin', 'two-cores.core1.bin'], ', core 1'],
])('%s', (_, names, suffix) => {
  const core = suffix ? 1 : 0;
  let loaded, start, end, cpu;
  beforeAll(async () => {
    loaded = await load(
      names.map((name, index) => ({ bytes: files.get(name), core: names.length > 1 ? index : undefined })),
    );
    [start, end] = [
      Number(loaded.report.time.start),
      Number(loaded.report.time.start) + Number(loaded.report.time.duration),
    ];
    cpu = loaded.counter(`CPU load${suffix}`);
  });

  test('there are at most 250 values, in windows of 1, 2 or 5 times a power of ten', () => {
    expect(cpu.length).toBeGreaterThan(40);
    expect(cpu.length).toBeLessThanOrEqual(250);
    const window = Math.min(...cpu.slice(1).map(({ ts }, i) => ts - cpu[i].ts));
    expect(String(window)).toMatch(/^[125]0*$/);
    expect((end - start) / window).toBeLessThanOrEqual(250);
    for (const { ts } of cpu) expect((ts - start) % window).toBe(0);
  });

  test('each value is the time of tasks and interrupts in its window', () => {
    const window = Math.min(...cpu.slice(1).map(({ ts }, i) => ts - cpu[i].ts));
    const runs = loaded.runs(core),
      interrupts = loaded.interrupts(core);
    const inRuns = interrupts.map((span) =>
      runs.filter((run) => !run.idle).reduce((sum, run) => sum + overlap(run, span), 0),
    );
    const free = interrupts.filter((_span, i) => inRuns[i] === 0);
    const known = Number(loaded.report.cores[core].end); // the run that is open there is drawn to the end of the other file
    const busy = shares(
      [...runs.filter((run) => !run.idle).map((run) => ({ ...run, to: Math.min(run.to, known) })), ...free],
      start,
      end,
      window,
    );
    busy.forEach((share, i) => expect(at(cpu, start + i * window)).toBeCloseTo(share, 1));
    const load = loaded.counter(`Interrupt load${suffix}`);
    shares(interrupts, start, end, window).forEach((share, i) =>
      expect(at(load, start + i * window)).toBeCloseTo(share, 2),
    );
  });

  test('its mean is the share in the report', () => {
    const { busy, interrupt } = loaded.report.cores[core];
    expect(mean(cpu, start, end)).toBeCloseTo((100 * (Number(busy) + Number(interrupt))) / (end - start), 1);
  });
});

test('a load below one per cent is in the unit of which it reaches one, because the viewer writes 0.3 % as 300m %', async () => {
  const isr = (/** @type {number} */ at, /** @type {number} */ length) => [
    ['isr_enter', at, 1],
    ['isr_exit', at + length, 1],
  ];
  for (const [length, unit, most] of [
    [2000, '%', 10],
    [40, '‰', 2],
    [11, 'ppm', 550],
  ]) {
    const { engine } = await load([
      { bytes: recording(['tick', 1000], ...isr(1000, 10), ...isr(2_001_000, length), ...isr(4_000_000, 10)) },
    ]);
    const rows = engine.query(
      `select t.unit, max(c.value) as most from counter c join counter_track t on t.id = c.track_id where t.name = 'Interrupt load'`,
    );
    expect(rows).toEqual([{ unit, most }]);
  }
});

test('rare interrupts are shown separately', async () => {
  const { engine } = await load([{ bytes: files.get('bare-metal.bin') }]);
  const names = (group) =>
    engine
      .query(
        `select t.name as name from track t join track p on p.id = t.parent_id where p.name = '${group}' order by 1`,
      )
      .map(({ name }) => name);
  const interrupts = engine
    .query(
      `select distinct s.name as name from slice s join track t on t.id = s.track_id where t.name = 'Interrupts, core 0' order by 1`,
    )
    .map(({ name }) => name);
  expect(interrupts.length).toBeGreaterThan(1);
  expect(names('by interrupt')).toEqual(interrupts);
  const nine = Array.from({ length: 9 }, (_, id) => [
    ['isr_enter', 100 + id * 10, id],
    ['isr_exit', 103 + id * 10, id],
  ]).flat();
  const many = await load([{ bytes: recording(['tick', 1000], ...nine) }]);
  expect(many.engine.query("select name from track where name = 'by interrupt'")).toEqual([]);
});

test('a tick length that comes last gives the same windows', async () => {
  const events = Array.from({ length: 300 }, (_, i) => [['switched_in', 1000 + i * 100, 1 + (i % 3 ? 1 : 0)]]).flat();
  const names = [
    ['task_name', 1, 'worker'],
    ['task_name', 2, 'IDLE'],
    ['task_is_idle', 2, 0],
  ];
  const early = await load([{ bytes: recording(['tick', 7], ...names, ...events) }]);
  const late = await load([{ bytes: recording(...events, ...names, ['tick', 7]) }]);
  expect(early.counter('CPU load').length).toBeGreaterThan(20);
  expect(late.counter('CPU load')).toEqual(early.counter('CPU load'));
});

test('counters that never change are in a separate group, with all their values', async () => {
  const values = Array.from({ length: 20 }, (_, i) => [
    ['value', 100 + i, 1, 5],
    ['value', 200 + i, 2, i],
  ]).flat();
  const { engine } = await load([
    {
      bytes: recording(
        ['tick', 1000],
        ['value_name', 1, 'still'],
        ['value_name', 2, 'moving'],
        ...values.sort((a, b) => a[1] - b[1]),
      ),
    },
  ]);
  const rows =
    engine.query(`select t.name as name, p.name as parent, g.name as above, count(*) as n from counter c join track t on t.id = c.track_id
    join track p on p.id = t.parent_id join track g on g.id = p.parent_id where t.name <> ' ' group by t.id order by 1`);
  expect(rows).toEqual([
    { name: 'moving', parent: 'Values', above: 'Target', n: 20 },
    { name: 'still', parent: 'constant', above: 'Values', n: 20 },
  ]);
});

test('delay until has one name; the tick is an argument', async () => {
  const { engine } = await load([
    {
      bytes: recording(
        ['tick', 1000],
        ['switched_in', 10, 1],
        ['delay_until', 20, 500],
        ['switched_in', 21, 2],
        ['ready', 40, 1],
        ['switched_in', 50, 1],
        ['delay_until', 60, 900],
        ['switched_in', 61, 2],
        ['ready', 90, 1],
      ),
    },
  ]);
  const rows = engine.query(
    `select name, extract_arg(arg_set_id, 'debug.tick') as tick from slice where name like 'delay%' order by ts`,
  );
  expect(rows).toEqual([
    { name: 'delay until', tick: 500 },
    { name: 'delay until', tick: 900 },
  ]);
});

describe('a capture that begins after the names', () => {
  test('the idle task is unknown, so the load is unknown', async () => {
    const whole = files.get('freertos.bin');
    const { report, counter } = await load([{ bytes: whole.slice(Math.floor(whole.length / 2)) }]);
    expect(report.tasks.map(({ name }) => name)).not.toContain('IDLE');
    expect([report.cpu.load, report.cores.map(({ load: share }) => share)]).toEqual([null, [null]]);
    expect(Number(report.cores[0].busy)).toBeGreaterThan(0);
    expect(counter('CPU load')).toEqual([]);
    expect(counter('Interrupt load').length).toBeGreaterThan(1);
  });
});
