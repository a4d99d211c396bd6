// SPDX-License-Identifier: MIT
// Call traces in the real trace_processor: the slices of every sample are those that an independent reading found, the figures those of its
// tables, and somebody is on the CPU at every moment.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from './convert.mjs';
import { selfCheck } from './self-check.mjs';
import { openTraceProcessor } from './trace-processor.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'cortexm');
const present = Boolean(folder && fs.existsSync(folder));
if (!present) console.warn('TONKOPF_SAMPLES names no folder with call traces: the tests that need them are skipped');
const read = (name) => fs.readFileSync(path.join(folder, name));
const lines = (name) => read(name).toString('utf8').trimEnd().split('\n');

let engine;
beforeAll(async () => {
  engine = await openTraceProcessor();
});

const CALLS = `select s.ts, s.dur, s.depth, s.category, th.tid, extract_arg(s.arg_set_id, 'debug.function') as function
  from slice s join thread_track t on s.track_id = t.id join thread th using (utid) where s.category in ('call', 'implicit')
  order by s.ts, th.tid, s.depth`;

const CATEGORIES = `select category, count(*) as count, sum(dur) / 1000 as sum from slice where category is not null group by 1 order by 1`;
const RUNNING = 'select tid, sum(dur) / 1000 as sum from sched_slice join thread using (utid) where dur > 0 group by 1 order by 1';

/** Trace points by the name of their function, from the dump. */
function pointsOf(name) {
  const points = new Map();
  for (const line of lines(`${name}.txt`)) {
    const match = /^[0-9a-f]+ \S+\(\d+\) pc=([0-9a-f]+) lr=[0-9a-f]+ (.*?) <- /.exec(line);
    if (match) points.set(match[2], match[1]);
  }
  return points;
}

function wantedSlices(name) {
  const points = pointsOf(name);
  return lines(`${name}.slices.txt`).map((line) => {
    const [, start, end, vector, depth, called, implicit] = /^(\d+)\.\.(\d+) \S+\((\d+)\) depth=(\d+) (.*?)( \(implicit\))?$/.exec(line);
    const point = implicit ? 'implicit' : `0x${(Number.parseInt(points.get(called), 16) & ~1).toString(16).padStart(8, '0')}`;
    return `${start}..${end} ${vector} ${depth} ${point}`;
  });
}

const foundSlices = (unit) =>
  engine.query(CALLS).map(({ ts, dur, depth, category, tid, function: words }) => {
    const point = category === 'implicit' ? 'implicit' : words.split(' ')[0];
    return `${Number(ts) / unit}..${(Number(ts) + Number(dur)) / unit} ${tid - 300} ${depth + 1} ${point}`;
  });

/** Ranges of the CPU as [from, to], in order. */
const onCpu = () => engine.query('select ts, dur from sched_slice order by ts').map(({ ts, dur }) => [Number(ts), dur < 0 ? null : Number(ts) + Number(dur)]);

const FIGURES = {
  f4_demo: ['call 451 2014, implicit 40 40, interrupted 41 116', '300: 374, 315: 13, 319: 32, 322: 8, 344: 16, 353: 15'],
  f4_nosections: ['call 451 2014, implicit 40 40, interrupted 41 116', '300: 374, 315: 13, 319: 32, 322: 8, 344: 16, 353: 15'],
  f4_interleaved: ['call 178 799, implicit 12 12, interrupted 35 55, problem 12 0', '300: 132, 315: 30, 319: 8, 322: 2, 344: 4, 353: 3'],
  m3_oldflags: ['call 138 707, implicit 1 145, interrupted 24 44', '300: 101, 311: 6, 314: 8, 315: 4, 324: 2, 329: 12, 347: 6'],
  edge: ['call 14 40, implicit 2 2, interrupted 9 15, problem 1 0', '300: 1, 319: 9, 600: 7'],
  damaged: ['call 446, implicit 41, interrupted 41, problem 5 0', null],
};

function load(name, options = {}, inputs = [{ bytes: read(`${name}.bin`) }]) {
  const { trace, report } = convert(inputs, options);
  engine.load(trace);
  expect(selfCheck(engine)).toEqual([]);
  return report;
}

describe.skipIf(!present)('call traces', () => {
  const names = Object.keys(FIGURES);

  test.each(['f4_demo', 'f4_interleaved', 'm3_oldflags'])('%s: the slices are those of the reference', (name) => {
    load(name);
    expect(foundSlices(1000).sort()).toEqual(wantedSlices(name).sort());
  });

  test.each(names)('%s: figures', (name) => {
    load(name);
    const [wanted, running] = FIGURES[name];
    const found = new Map(engine.query(CATEGORIES).map(({ category, count, sum }) => [category, `${category} ${count} ${sum}`]));
    for (const words of wanted.split(', ')) expect(found.get(words.split(' ')[0]) ?? 'nothing', name).toMatch(words.split(' ').length === 3 ? new RegExp(`^${words}$`) : new RegExp(`^${words} `));
    expect(found.size).toBe(wanted.split(', ').length);
    if (running) expect(engine.query(RUNNING).map(({ tid, sum }) => `${tid}: ${sum}`).join(', ')).toBe(running);
  });

  test.each(names)('%s: somebody runs at every moment', (name) => {
    const report = load(name);
    const runs = onCpu();
    expect(runs[0][0]).toBe(0);
    for (let i = 1; i < runs.length; i++) expect(runs[i][0]).toBe(runs[i - 1][1]);
    expect(runs.at(-1)[1]).toBeNull();
    expect(report.tables.find(({ id }) => id === 'time').columns.find(({ key }) => key === 'end').unit).toBe('records');
  });
});
