// SPDX-License-Identifier: MIT
// Call traces in the real trace_processor: the slices of every sample equal those of an independent decoder, the figures equal those of its
// tables, and at every time some context is on the CPU.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from './convert.mjs';
import { elf_file } from '../generator/elf.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'cortexm');
const present = Boolean(folder && fs.existsSync(folder));
if (!present) console.warn('TONKOPF_SAMPLES names no folder with call traces: the tests that need them are skipped');
const read = (name) => fs.readFileSync(path.join(folder, name));
const lines = (name) => read(name).toString('utf8').trimEnd().split('\n');

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

const CALLS = `select s.ts, s.dur, s.depth, s.category, th.tid, extract_arg(s.arg_set_id, 'debug.function') as function
  from slice s join thread_track t on s.track_id = t.id join thread th using (utid) where s.category in ('call', 'implicit')
  order by s.ts, th.tid, s.depth`;

const CATEGORIES = `select category, count(*) as count, sum(dur) / 1000 as sum from slice where category is not null group by 1 order by 1`;
const RUNNING =
  'select tid, sum(dur) / 1000 as sum from sched_slice join thread using (utid) where dur > 0 group by 1 order by 1';

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
    const [, start, end, vector, depth, called, implicit] =
      /^(\d+)\.\.(\d+) \S+\((\d+)\) depth=(\d+) (.*?)( \(implicit\))?$/.exec(line);
    const point = implicit
      ? 'implicit'
      : `0x${(Number.parseInt(points.get(called), 16) & ~1).toString(16).padStart(8, '0')}`;
    return `${start}..${end} ${vector} ${depth} ${point}`;
  });
}

const foundSlices = (unit) =>
  engine.query(CALLS).map(({ ts, dur, depth, category, tid, function: words }) => {
    const point = category === 'implicit' ? 'implicit' : words.split(' ')[0];
    return `${Number(ts) / unit}..${(Number(ts) + Number(dur)) / unit} ${tid - 300} ${depth + 1} ${point}`;
  });

/** Ranges of the CPU as [from, to], in order. */
const onCpu = () =>
  engine
    .query('select ts, dur from sched_slice order by ts')
    .map(({ ts, dur }) => [Number(ts), dur < 0 ? null : Number(ts) + Number(dur)]);

const FIGURES = {
  f4_demo: [
    'call 451 2014, implicit 40 40, interrupted 41 116, log 8 0, data 10 0',
    '300: 374, 315: 13, 319: 32, 322: 8, 344: 16, 353: 15',
  ],
  f4_nosections: [
    'call 451 2014, implicit 40 40, interrupted 41 116, log 8 0, data 10 0',
    '300: 374, 315: 13, 319: 32, 322: 8, 344: 16, 353: 15',
  ],
  f4_interleaved: [
    'call 178 799, implicit 12 12, interrupted 35 55, log 4 0, data 3 0, problem 12 0',
    '300: 132, 315: 30, 319: 8, 322: 2, 344: 4, 353: 3',
  ],
  m3_oldflags: [
    'call 138 707, implicit 1 145, interrupted 24 44, log 5 0, data 2 0',
    '300: 101, 311: 6, 314: 8, 315: 4, 324: 2, 329: 12, 347: 6',
  ],
  // The ELF file proves that three records are damaged: its vector table, with which RTC_WKUP agrees, has no vector 300, and the BL before
  // the return address of the function in RAM calls another one.
  edge: ['call 11 28, interrupted 7 7, log 3 0, data 3 0, problem 4 0', '300: 6, 319: 9'],
  // The code of f4_demo.elf proves that one more record is damaged, at byte 988: there is no call before its return address.
  damaged: ['call 445, implicit 41, interrupted 41, log 7 0, data 9 0, problem 6 0', null],
};

/** files: symbols or receive times of the recording. */
function load(name, options = {}, files = []) {
  const { trace, report } = convert(
    [...files.map((file) => ({ bytes: read(file), side: true })), { bytes: read(`${name}.bin`) }],
    options,
  );
  engine.load(trace);
  expect(selfCheck(engine)).toEqual([]);
  return report;
}

const GAP = `select count(*) as count, sum(dur) as sum from slice where category = 'gap'`;

describe.skipIf(!present)('call traces with times', () => {
  const files = ['f4_demo.elf', 'f4_realtime.times'];

  test('calls begin when their records were received', () => {
    const report = load('f4_realtime', {}, files);
    const times = lines('f4_realtime.times')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(' ').map(Number));
    const at = new Map(times);
    let last = -1,
      moved = 0;
    const wanted = lines('f4_realtime.txt').flatMap((line) => {
      const match = /^([0-9a-f]{6}) (?:\S+\(\d+\) pc=|LOG|DATA)/.exec(line);
      if (!match) return [];
      const told = at.get(Number.parseInt(match[1], 16));
      moved += told <= last;
      last = Math.max(told, last + 1);
      return line.includes(' pc=') ? [last] : [];
    });
    expect(moved).toBe(163);
    expect(
      engine.query(`select ts from slice where category = 'call' order by ts`).map(({ ts }) => Number(ts)),
    ).toEqual(wanted);
    expect(report.problems.find(({ id }) => id === 'TIMES_EQUAL').detail).toContain('163');
    expect(report.time_unit).toBe('ns');
  });

  test('figures', () => {
    const report = load('f4_realtime', {}, files);
    const counts = Object.fromEntries(engine.query(CATEGORIES).map(({ category, count }) => [category, count]));
    expect(counts).toEqual({ call: 451, implicit: 40, interrupted: 41, gap: 43, log: 8, data: 10 });
    expect(engine.query(GAP)[0]).toEqual({ count: 43, sum: 104210585 });
    const total = (key, rows) => rows.reduce((sum, row) => sum + Number(row[key]), 0);
    expect(total('silent', report.contexts)).toBe(104210585);
    expect(total('running', report.contexts)).toBe(total('self', report.functions)); // time without records belongs to no context
    const running = engine.query(
      'select tid, sum(dur) as sum from sched_slice join thread using (utid) where dur > 0 and tid > 300 group by 1 order by 1',
    );
    expect(running.map(({ tid, sum }) => `${tid}: ${sum}`).join(', ')).toBe(
      '315: 10002, 319: 1406571, 322: 7001, 344: 687043, 353: 191690',
    );
  });

  test('a context runs at every time, and the title names the source of the times', () => {
    load('f4_realtime', {}, files);
    const runs = onCpu();
    for (let i = 1; i < runs.length; i++) expect(runs[i][0]).toBe(runs[i - 1][1]);
    expect(
      engine.query(`select count(*) as count from track where name = 'Target (times of reception)'`)[0].count,
    ).toBeGreaterThan(0);
    load('f4_realtime', { baud: '115200' });
    expect(
      engine.query(`select count(*) as count from track where name = 'Target (times from the line rate)'`)[0].count,
    ).toBeGreaterThan(0);
    load('f4_realtime', { time: 'order' }, files);
    expect(
      engine.query(`select count(*) as count from track where name = 'Target (no times: 1 record shown as 1 us)'`)[0]
        .count,
    ).toBeGreaterThan(0);
  });
});

describe.skipIf(!present)('call traces', () => {
  const names = Object.keys(FIGURES);

  test.each(['f4_demo', 'f4_interleaved', 'm3_oldflags'])('%s: the slices are those of the reference', (name) => {
    load(name);
    expect(foundSlices(1000).sort()).toEqual(wantedSlices(name).sort());
  });

  // Names of compiler clones and C++ functions are shorter in the trace than in the reference.
  test.each(['f4_demo', 'f4_interleaved', 'm3_oldflags'])(
    '%s: with symbols the slices are the same and have the names',
    (name) => {
      load(name);
      const bare = foundSlices(1000).sort();
      load(name, {}, [`${name}.elf`]);
      expect(foundSlices(1000).sort()).toEqual(bare);
      const points = new Map([...pointsOf(name)].map(([full, pc]) => [`0x${pc}`, full]));
      const rows = engine.query(
        `select distinct s.name, extract_arg(s.arg_set_id, 'debug.function') as function from slice s where category = 'call'`,
      );
      for (const { name: shown, function: words } of rows) {
        const full = points.get(words.split(' ')[0]) ?? '';
        if (!/_Z|constprop|isra|part/.test(full)) expect([full, full.replace(/^\w+\./, '')], words).toContain(shown);
      }
      const contexts = new Set(
        lines(`${name}.txt`).flatMap((line) => /^[0-9a-f]+ (\S+)\(\d+\) pc=/.exec(line)?.[1] ?? []),
      );
      expect(new Set(engine.query('select distinct name from thread where tid >= 300').map((row) => row.name))).toEqual(
        contexts,
      );
    },
  );

  test.each(['f4_demo.map', 'f4_demo_iar.map', 'f4_demo_iar9.map'])(
    '%s gives the same result as the ELF file',
    (map) => {
      const names = () =>
        engine.query(`select ts, name, category from slice where category in ('call', 'implicit') order by ts, depth`);
      load('f4_demo', {}, ['f4_demo.elf']);
      const wanted = names();
      load('f4_demo', {}, [map]);
      expect(names()).toEqual(wanted);
    },
  );

  test('with a linker map without sections per function the slices stay, and the report has a notice', () => {
    const bare = (load('f4_nosections'), foundSlices(1000).sort());
    const report = load('f4_nosections', {}, ['f4_nosections.map']);
    expect(report.problems.map(({ id }) => id)).toContain('SYMBOLS_NO_STATICS');
    expect(foundSlices(1000).sort()).toEqual(bare);
    expect(
      engine.query(`select count(*) as hidden from slice where name like '%<static 0x%'`)[0].hidden,
    ).toBeGreaterThan(0);
  });

  const shown = () =>
    engine.query(
      `select ts, dur, depth, name from slice where category in ('call', 'implicit') order by ts, depth, name`,
    );

  // The file is rejected before it names anything: its names are not used, and the stacks are those without symbols.
  test.each(['m3_oldflags.elf', 'half.elf'])('symbols of other firmware are ignored: %s', (name) => {
    load('f4_demo');
    const bare = shown();
    const functions = Array.from({ length: 24 }, (_, i) => ({
      name: `wrong_${i}`,
      address: 0x08000100 + 0x40 * i,
      size: 16,
      unit: 'wrong.c',
    }));
    const elf = name === 'half.elf' ? Buffer.from(elf_file({ functions })) : read(name);
    const { trace, report } = convert([{ bytes: elf, side: true }, { bytes: read('f4_demo.bin') }]);
    engine.load(trace);
    expect(report.problems.map(({ id }) => id)).toContain('SYMBOLS_MISMATCH');
    expect(report.symbols[0].note).toMatch(/other firmware/);
    expect(shown()).toEqual(bare);
  });

  const cases = path.join(process.env.TONKOPF_SAMPLES ?? '', 'cases');
  test.skipIf(!fs.existsSync(cases)).each([
    ['d5.elf', { calls_agree: 261, calls_contradict: 0, handlers_agree: 34, handlers_contradict: 0, note: '' }],
    ['v2.elf', { calls_agree: 0, calls_contradict: 261, found: 0, note: expect.stringMatching(/another build/) }],
    ['o0.elf', { calls_agree: 0, calls_contradict: 261, found: 0, note: expect.stringMatching(/another build/) }],
    ['strip.elf', { functions: 0, note: expect.stringMatching(/stripped/) }],
  ])('the calls of a recording confirm or refute %s', (name, wanted) => {
    const inputs = [{ bytes: fs.readFileSync(path.join(cases, name)), side: true }];
    const { report } = convert([...inputs, { bytes: fs.readFileSync(path.join(cases, 'c.d5.1.bin')) }]);
    expect(report.symbols[0]).toMatchObject(wanted);
  });

  // Also before the first record.
  test('every split record is shown', () => {
    const [outer, inner] = [Buffer.from('c000080002000800010b', 'hex'), Buffer.from('c01308000300fffffff9', 'hex')];
    const split = Buffer.concat([outer.subarray(0, 3), inner, outer.subarray(3)]);
    const { trace } = convert([{ bytes: Buffer.concat([split, outer, inner, split, outer]) }], { format: 'cortexm' });
    engine.load(trace);
    expect(
      engine.query(`select ts from slice where category = 'problem' order by ts`).map(({ ts }) => Number(ts)),
    ).toEqual([0, 4000]);
  });

  test.each(names)('%s: figures', (name) => {
    load(name, {}, name === 'edge' || name === 'damaged' ? ['f4_demo.elf'] : [`${name}.elf`]);
    const [wanted, running] = FIGURES[name];
    const found = new Map(
      engine.query(CATEGORIES).map(({ category, count, sum }) => [category, `${category} ${count} ${sum}`]),
    );
    for (const words of wanted.split(', '))
      expect(found.get(words.split(' ')[0]) ?? 'nothing', name).toMatch(
        words.split(' ').length === 3 ? new RegExp(`^${words}$`) : new RegExp(`^${words} `),
      );
    expect(found.size).toBe(wanted.split(', ').length);
    if (running)
      expect(
        engine
          .query(RUNNING)
          .map(({ tid, sum }) => `${tid}: ${sum}`)
          .join(', '),
      ).toBe(running);
  });

  test.each(names)('%s: a context runs at every time', (name) => {
    const report = load(name);
    const runs = onCpu();
    expect(runs[0][0]).toBe(0);
    for (let i = 1; i < runs.length; i++) expect(runs[i][0]).toBe(runs[i - 1][1]);
    expect(runs.at(-1)[1]).toBeNull();
    const sum = (rows, key) => rows.reduce((total, row) => total + Number(row[key]), 0);
    expect(sum(report.functions, 'self')).toBe(sum(report.contexts, 'running')); // at each time a function runs
    expect(report.time_unit).toBe('records');
  });
});
