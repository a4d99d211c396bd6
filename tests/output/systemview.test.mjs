// SPDX-License-Identifier: MIT
// SystemView in the real engine: recordings against what their generator writes beside them, and the words of a description file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DESCRIPTION, WITH_DESCRIPTION } from '../generator/golden-systemview.mjs';
import { convert, tool } from './convert.mjs';
import { haveSamples, sample } from './samples.mjs';
import { selfCheck } from './self-check.mjs';
import { openTraceProcessor } from './trace-processor.mjs';

const TOOL = path.join(path.dirname(tool), '../cli/tonkopf');

let engine;
beforeAll(async () => {
  engine = await openTraceProcessor();
});

const RUNS = `select s.ts, coalesce(t.name, '') as name from sched s join thread t using (utid) where s.cpu = 0 order by s.ts`;
// Calls in interrupts are instants.
const INTERRUPTS = `select s.ts, s.dur, s.name from slice s join track t on t.id = s.track_id where t.name like 'Interrupts%' and s.dur != 0 order by s.ts, s.depth`;

describe.skipIf(!haveSamples)('samples', () => {
  test.each(['plain.SVDat', 'v11.SVDat', 'uart_hello4.bin', 'ip_hello32.bin'])('%s equals its truth', (name) => {
    const truth = JSON.parse(sample(`../systemview/${name.replace(/\.\w+$/, '.json')}`).toString());
    const { trace, report } = convert([{ bytes: sample(`../systemview/${name}`) }], { format: 'systemview' });
    engine.load(trace);
    expect(selfCheck(engine, report.events)).toEqual([]);
    const at = (/** @type {number} */ cycles) => Math.round((cycles * 1e9) / truth.hz);
    const events = truth.cores ? truth.cores[0].events : truth.events;
    const runs = events.filter(([, what]) => what === 'run').map(([cycles, , who]) => ({ at: at(cycles), who }));
    const shown = engine.query(RUNS).filter(({ ts }) => Number(ts) >= runs[0].at - 1);
    expect(shown.map(({ name: who }) => (who === 'swapper' ? 'idle' : who))).toEqual(runs.map(({ who }) => who));
    shown.forEach(({ ts }, i) => expect(Math.abs(Number(ts) - runs[i].at)).toBeLessThanOrEqual(1));
    const slices = engine.query(INTERRUPTS);
    const begins = events.filter(([, what]) => what === 'isr');
    expect(slices.map(({ ts }) => Number(ts))).toEqual(begins.map(([cycles]) => at(cycles)));
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
