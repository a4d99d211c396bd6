// SPDX-License-Identifier: MIT
// SystemView in the real engine: recordings against what their generator writes beside them, and the words of a description file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CASES, DESCRIPTION, WITH_DESCRIPTION } from '../generator/golden-systemview.mjs';
import { convert, tool } from './convert.mjs';
import { haveSamples, sample } from './samples.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const TOOL = path.join(path.dirname(tool), '../cli/tonkopf');

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

const RUNS = `select s.ts, coalesce(t.name, '') as name from sched s join thread t using (utid) where s.cpu = 0 order by s.ts`;
// Calls in interrupts are instants.
const INTERRUPTS = `select s.ts, s.dur, s.name from slice s join track t on t.id = s.track_id where t.name like 'Interrupts%' and s.dur != 0 order by s.ts, s.depth`;

/** @typedef {[cycles: number, what: string, who: string | number]} Told */
/** Runs on a core as the trace shows them. @param {number} cpu */
const runs_on = (cpu) =>
  engine
    .query(RUNS.replace('s.cpu = 0', `s.cpu = ${cpu}`))
    .map(({ ts, name }) => ({ at: Number(ts), who: name === 'swapper' ? 'idle' : name }));
/** @param {Told[]} events @param {(cycles: number) => number} at */
const runs_of = (events, at) =>
  events.filter(([, what]) => what === 'run').map(([cycles, , who]) => ({ at: at(cycles), who }));
/** Begin and length of each interrupt that ends, by their begin. @param {Told[]} events @param {(cycles: number) => number} at */
function interrupts_of(events, at) {
  /** @type {number[]} */ const open = [];
  const out = [];
  for (const [cycles, what] of events) {
    if (what === 'isr') open.push(at(cycles));
    if (what !== 'isr end' || !open.length) continue;
    const begin = /** @type {number} */ (open.pop());
    out.push(`${begin} ${at(cycles) - begin}`);
  }
  return out.sort();
}
const shown_interrupts = () =>
  engine
    .query(INTERRUPTS)
    .filter(({ dur }) => Number(dur) > 0)
    .map(({ ts, dur }) => `${ts} ${dur}`)
    .sort();

describe.skipIf(!haveSamples)('samples', () => {
  const truth_of = (/** @type {string} */ name) =>
    JSON.parse(sample(`../systemview/${name.replace(/\.\w+$/, '.json')}`).toString());
  test.each(['plain.SVDat', 'v11.SVDat', 'uart_hello4.bin', 'ip_hello32.bin'])('%s equals its truth', (name) => {
    const truth = truth_of(name);
    const { trace, report } = convert([{ bytes: sample(`../systemview/${name}`) }], { format: 'systemview' });
    engine.load(trace);
    expect(selfCheck(engine, report.events)).toEqual([]);
    const at = (/** @type {number} */ cycles) => Math.round((cycles * 1e9) / truth.hz);
    const runs = runs_of(truth.events, at),
      shown = runs_on(0).filter((run) => run.at >= runs[0].at - 1);
    expect(shown.map(({ who }) => who)).toEqual(runs.map(({ who }) => who));
    shown.forEach((run, i) => expect(Math.abs(run.at - runs[i].at)).toBeLessThanOrEqual(1));
    expect(shown_interrupts()).toEqual(interrupts_of(truth.events, at));
  });

  test('the report has the size of the heap and the system time of the target', () => {
    const { report } = convert([{ bytes: sample('../systemview/plain.SVDat') }], { format: 'systemview' });
    expect(report.heaps.map(({ name, size }) => [name, size])).toEqual([['heap_4', 32_768]]);
    expect(report.facts.map(({ fact }) => fact)).toContain(
      'The system time of the target was 0.001500 s at 0.000001786 s.',
    );
  });

  // In these samples a task runs on both cores at once, which a trace cannot show.
  test.each(['esp_mcore.SVDat', 'esp_extension.SVDat'])('%s: the events equal its truth', (name) => {
    const truth = truth_of(name),
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'systemview-')),
      file = path.join(folder, name);
    fs.writeFileSync(file, sample(`../systemview/${name}`));
    const { stdout } = spawnSync(TOOL, ['dump', '--json', '--stage', 'events', file], { maxBuffer: 1 << 26 });
    fs.rmSync(folder, { recursive: true });
    const lines = stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const names = new Map(lines.filter(({ event }) => event === 'task name').map(({ id, text }) => [id, text]));
    const WHAT = {
      'task switched in': 'run',
      'interrupt entered': 'isr',
      'interrupt left': 'isr end',
      'core idle': 'run',
    };
    for (const { core, events } of truth.cores) {
      const shown = lines
        .filter((line) => line.core === core && WHAT[line.event])
        .map(({ ticks, event, id }) => {
          const who = event === 'core idle' ? 'idle' : WHAT[event] === 'run' ? names.get(id) : id;
          return `${Math.round((Number(ticks) * truth.hz) / 1e9)} ${WHAT[event]} ${who}`;
        });
      const told = events.filter(([, what]) => what !== 'end').map(([cycles, what, who]) => `${cycles} ${what} ${who}`);
      expect(shown).toEqual(told);
    }
  });

  test('the ring equals the newest part of its truth', () => {
    const truth = truth_of('post_mortem_ring.bin');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'systemview-')),
      at = (/** @type {string} */ name) => path.join(folder, name);
    fs.writeFileSync(at('ring.bin'), sample('../systemview/post_mortem_ring.bin'));
    expect(spawnSync(TOOL, ['conv', at('ring.bin'), '-o', at('ring.pftrace')]).status).toBe(0);
    engine.load(fs.readFileSync(at('ring.pftrace')));
    fs.rmSync(folder, { recursive: true });
    const cycles_of = (/** @type {number} */ ns) => Math.round((ns * truth.hz) / 1e9);
    const shown = runs_on(0).slice(1), // the first one may have begun before the first sync
      runs = runs_of(truth.events, (cycles) => cycles);
    const told = shown.map((run) => `${cycles_of(run.at - shown[0].at)} ${run.who}`);
    // Times are distances: those of a ring begin at its first sync.
    const from = runs.findIndex((run, i) =>
      told.slice(0, 20).every((one, n) => one === `${(runs[i + n]?.at ?? NaN) - run.at} ${runs[i + n]?.who}`),
    );
    expect(from).toBeGreaterThan(0);
    const newest = runs.slice(from).map((run) => `${run.at - runs[from].at} ${run.who}`);
    expect(newest.length).toBeGreaterThan(100);
    // Alone, the ring does not tell where the newest packet ends; up to a stretch of older ones may follow it.
    expect(told.slice(0, newest.length)).toEqual(newest);
  });
});

test('a description file names the values and the result of a call, and the cause of a wait', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'systemview-'));
  const at = (/** @type {string} */ name) => path.join(folder, name);
  fs.writeFileSync(at('zephyr.bin'), WITH_DESCRIPTION);
  fs.writeFileSync(at('SYSVIEW_Zephyr.txt'), DESCRIPTION);
  const { status } = spawnSync(TOOL, ['conv', at('zephyr.bin'), at('SYSVIEW_Zephyr.txt'), '-o', at('out.pftrace')]);
  expect(status).toBe(0);
  engine.load(fs.readFileSync(at('out.pftrace')));
  fs.rmSync(folder, { recursive: true });
  const args = engine.query(
    `select s.name, a.key, a.string_value as text from slice s join args a using (arg_set_id) where s.name = 'sem_take' order by s.ts, a.key`,
  );
  const values = Object.fromEntries(args.map(({ key, text }) => [key.replace(/^debug\./, ''), text]));
  expect(values).toMatchObject({ sem: 'uart_sem', timeout: 'forever', result: 'again' });
  expect(engine.query(`select name from slice where name in ('sem_take uart_sem', 'Pending') order by name`)).toEqual([
    { name: 'Pending' },
    { name: 'sem_take uart_sem' },
  ]);
});

test('a reason that is recorded after the wait is the name of the wait', () => {
  const bytes = CASES.find(({ name }) => name === 'reasons-after-waits').inputs['input.bin'].bytes();
  const { trace, report } = convert([{ bytes }], { format: 'systemview' });
  engine.load(trace);
  expect(selfCheck(engine, report.events)).toEqual([]);
  const waits = engine
    .query(
      `select s.ts, s.dur, s.name from slice s join thread_track t on t.id = s.track_id join thread using (utid) where thread.name = 'pump' and t.parent_id is null order by s.ts`,
    )
    .map(({ ts, dur, name }) => `${Number(ts) / 1e6} ${Number(dur) / 1e6} ${name}`);
  expect(waits).toEqual([
    '1 1 receive from commands',
    '3 1 receive from commands',
    '7 1 send to log',
    '9 1 wait for notification',
    '11 1 wait or delay with a time limit',
    '13 1 wait or delay with a time limit',
    '15 1 wait or delay with a time limit',
    '17 1 wait or delay with a time limit',
    '18 1 suspended by logger',
    '20 1 suspended',
    '22 1 wait without a time limit',
  ]);
  const figures = report.waits.filter((/** @type {any} */ { task }) => task === 'pump');
  const counts = Object.fromEntries(figures.map((/** @type {any} */ { name, count }) => [name, count]));
  expect(counts).toMatchObject({ 'receive from commands': 2, 'send to log': 1, 'wait for notification': 1 });
});
