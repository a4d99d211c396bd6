// SPDX-License-Identifier: MIT
// Random recordings of Zephyr in all layouts, with and without their metadata, against the truth of their targets: every event and nanosecond in the dump and in
// babeltrace2, runs and interrupts in the real engine.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAYOUTS } from '../generator/ctf.mjs';
import { random_recording } from '../simulator/ctf.mjs';
import { convert, tool } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const SEEDS = Number(process.env.CTF_SEEDS ?? 6);
const TOOL = path.join(path.dirname(tool), '../cli/tonkopf');
const has_babeltrace = spawnSync('babeltrace2', ['--version']).status === 0;

let engine, folder;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ctf-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Writes a recording as a folder. Returns the names of its files. */
function written(recording, name) {
  const at = path.join(folder, name);
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(path.join(at, 'channel0_0'), recording.stream);
  fs.writeFileSync(path.join(at, 'metadata'), recording.metadata);
  return { at, stream: path.join(at, 'channel0_0'), metadata: path.join(at, 'metadata') };
}

const line = (ns, name, fields) => `${ns} ${name} ${JSON.stringify(fields)}`;

/** Events as the dump shows them. */
function dumped(...files) {
  const { stdout, status } = spawnSync(TOOL, ['dump', '--json', '--stage', 'records', ...files], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(status).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((text) => {
      const { ticks, record, fields } = JSON.parse(text);
      const values = Object.entries(fields).filter(([key]) => key !== 'cpu_id' && key !== 'core_id');
      const number = (key, value) => (key === 'name' ? value : Number(value));
      return line(ticks, record, Object.fromEntries(values.map(([key, value]) => [key, number(key, value)])));
    })
    .sort();
}

const truth_of = ({ events }) => events.map(([, ns, name, fields]) => line(ns, name, fields)).sort();

/** Events as babeltrace2 prints them. It reads one file for each CPU only, and no ring. */
function printed(at) {
  const { stdout } = spawnSync('babeltrace2', ['--clock-cycles', '--no-delta', at], { encoding: 'utf8' });
  const is_text = (text) => /^".*"$/.test(text);
  return stdout
    .trim()
    .split('\n')
    .map((text) => {
      const [, ns, name, rest] = /^\[0*(\d+)\] (\w+):? ?(.*)$/.exec(text);
      const values = [...rest.matchAll(/(\w+) = ("[^"]*"|-?\w+)/g)].filter(
        ([, key]) => key !== 'cpu_id' && key !== 'core_id',
      );
      const fields = values.map(([, key, value]) => [key, is_text(value) ? value.slice(1, -1) : Number(value)]);
      return line(ns, name, Object.fromEntries(fields));
    })
    .sort();
}

describe.each(Object.keys(LAYOUTS))('layout %s', (letter) => {
  test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('recording %i', (seed) => {
    const recording = random_recording(seed, letter);
    const files = written(recording, `${letter}${seed}`);
    const truth = truth_of(recording);
    expect(dumped(files.stream), 'without metadata').toEqual(truth);
    expect(dumped(files.stream, files.metadata), 'with metadata').toEqual(truth);
    if (has_babeltrace && !LAYOUTS[letter].packets) expect(printed(files.at)).toEqual(truth);

    const { trace, report } = convert([{ bytes: recording.stream }]);
    engine.load(trace);
    expect(selfCheck(engine, report.events)).toEqual([]);
    const runs = engine
      .query(
        `select s.ts, s.dur, s.cpu, t.name, t.tid from sched s join thread t using (utid) where t.tid != 0 order by s.cpu, s.ts`,
      )
      .map(({ ts, dur, cpu, name }) => ({ from: Number(ts), to: Number(ts) + Number(dur), cpu: Number(cpu), name }));
    const interrupts = engine
      .query(
        `select s.ts, s.dur, s.depth from slice s join track t on t.id = s.track_id where t.name glob 'Interrupts*' and s.dur != 0`,
      )
      .map(({ ts, dur, depth }) => `${ts} ${dur} ${depth}`)
      .sort();
    for (const { core, runs: all } of recording.cores) {
      // The viewer leaves out the idle threads. The last run is open.
      const expected = all.filter(({ thread }) => !thread.startsWith('idle')).map((run) => `${run.from} ${run.thread}`);
      expect(runs.filter(({ cpu }) => cpu === core).map(({ from, name }) => `${from} ${name}`)).toEqual(expected);
    }
    expect(interrupts).toEqual(
      recording.cores
        .flatMap((core) => core.interrupts)
        .map(({ from, to, depth }) => `${from} ${to - from} ${depth}`)
        .sort(),
    );
    const allowed = ['CORE_ENDED_EARLY', 'OUTSIDE_SKIPPED', 'TASK_ON_TWO_CORES'];
    expect(report.problems.map(({ id }) => id).filter((id) => !allowed.includes(id))).toEqual([]);
  });
});
