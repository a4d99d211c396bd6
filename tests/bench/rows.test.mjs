// SPDX-License-Identifier: MIT
// The tables of the bench, made from fixed figures.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES, filled } from '../../scripts/bench/docs.mjs';
import { goals } from '../../scripts/bench/goals.mjs';
import { picture } from '../../scripts/bench/picture.mjs';
import { asMarkdown, asText, compare, makeRow, percent, regressions, tables } from '../../scripts/bench/rows.mjs';

const root = join(import.meta.dirname, '..', '..');
const native = {
  events: 1_000_000,
  bytesOut: 20_000_000,
  seconds: 0.05,
  floorSeconds: 0.02,
  copySeconds: 0.001,
  floorBytesOut: 17_000_000,
  heapPeak: 2 ** 20,
  rssPeak: 3 * 2 ** 20,
};
const node = { bytesOut: 20_000_000, seconds: 0.08, floorSeconds: 0.025, memory: 4 * 2 ** 20 };
const page = {
  seconds: 0.2,
  coreSeconds: 0.1,
  cpuSeconds: 0.25,
  begunSeconds: 0.05,
  shownSeconds: 0.3,
  memory: 5 * 2 ** 20,
  tabPeak: 200 * 2 ** 20,
};

const row = makeRow('one core', '10M', 10_000_000, native, node, page);
const slower = makeRow(
  'one core',
  '10M',
  10_000_000,
  { ...native, seconds: 0.06, heapPeak: 2 ** 21 },
  { ...node, seconds: 0.0968 },
  page,
);

test('a row contains rates, time per event and ratios', () => {
  const rounded = Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toPrecision(6)) : value]),
  );
  expect(rounded).toMatchObject({
    nativeRate: 200,
    nativeNs: 50,
    floorRate: 500,
    ofFloor: 0.4,
    outPerIn: 2,
    heapMiB: 1,
    nodeRate: 125,
    nodeOfNative: 0.625,
    nodeOfFloor: 0.3125,
    pageRate: 50,
    pageCpuRate: 40,
    pageOfCore: 0.5,
    firstMs: 50,
    doneMs: 300,
    pageOfNode: 0.4,
    pageOfFloor: 0.1,
    tabMiB: 200,
  });
});

test('a long recording has both: figures without a trace, and the whole trace on request', () => {
  const long = makeRow('one core', '100M', 10_000_000, native, node, { ...page, traceSeconds: 0.4 });
  expect(
    [row, long].map(({ pageRate, pageTraceRate, pageOfNode }) =>
      [pageRate, pageTraceRate, pageOfNode].map((value) => value.toFixed(1)),
    ),
  ).toEqual([
    ['50.0', '50.0', '0.4'],
    ['50.0', '25.0', '0.2'],
  ]);
});

test('without the page and Node their columns are missing, not zero', () => {
  const alone = makeRow('one core', '1M', 1e6, native, null, null);
  expect(Object.keys(alone).filter((key) => /node|page/.test(key))).toEqual([]);
  expect(tables([alone]).map(({ title }) => title)).toEqual(['Native']);
});

describe('a comparison', () => {
  test('of a run with itself finds no change', () => {
    expect(compare([row], [row]).every(({ change, worse }) => change === 0 && !worse)).toBe(true);
  });

  test('marks figures that are worse than the threshold, and only those that other programs hardly affect', () => {
    const worse = compare([row], [slower])
      .filter((one) => one.worse)
      .map(({ key }) => key);
    expect(worse).toEqual(['ofFloor', 'heapMiB', 'nodeOfFloor']);
    expect(compare([row], [slower]).find(({ key }) => key === 'nativeRate')).toMatchObject({ worse: false });
    expect(
      compare([row], [slower], 0.2)
        .filter((one) => one.worse)
        .map(({ key }) => key),
    ).toEqual(['heapMiB']);
  });

  test('does not mark improvements', () => {
    expect(regressions(compare([slower], [row]))).toEqual([]);
  });

  test('omits cases and figures that only one run has', () => {
    expect(compare([{ ...row, size: '1M' }], [row])).toEqual([]);
    const { nodeRate, ...older } = row;
    expect(compare([older], [row]).some(({ key }) => key === 'nodeRate')).toBe(false);
  });

  test('names the regressions', () => {
    expect(regressions(compare([row], [slower]))).toEqual([
      'one core, 10M: of floor 0.40 -> 0.33 (-17 %)',
      'one core, 10M: heap MiB 1.0 -> 2.0 (+100 %)',
      'one core, 10M: of floor 0.31 -> 0.26 (-17 %)',
    ]);
  });
});

test('tables are aligned as text and valid as markdown', () => {
  const [first] = tables([row, { ...row, case: 'a case with a long name', size: '1G' }]);
  const lines = asText(first).split('\n');
  expect(lines[0]).toBe('Native');
  expect(lines[2]).toMatch(/^one core {2,}10M +200 +50\.0 +500 +0\.40/);
  expect(lines[3].indexOf('1G')).toBe(lines[1].indexOf('size'));
  const markdown = asMarkdown(first).split('\n');
  expect(new Set(markdown.map((line) => line.split('|').length)).size).toBe(1);
  expect(percent(-0.123)).toBe('-12 %');
});

describe('the command', () => {
  let folder;
  const bench = (...words) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'bench.mjs'), ...words], { encoding: 'utf8' });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonkopf-bench-'));
    writeFileSync(join(folder, 'before.json'), JSON.stringify({ rows: [row] }));
    writeFileSync(join(folder, 'after.json'), JSON.stringify({ rows: [slower] }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('compares two runs; only --strict makes a regression an error', () => {
    const words = ['--from', join(folder, 'after.json'), '--compare', join(folder, 'before.json')];
    const plain = bench(...words);
    expect(plain.status).toBe(0);
    expect(plain.stdout).toContain('0.33 (-17 %!)');
    expect(plain.stdout).toContain('worse by more than 10 %:\n  one core, 10M: of floor');
    expect(bench(...words, '--strict').status).toBe(1);
    expect(bench(...words, '--strict', '--threshold', '150').status).toBe(0);
  });

  test('rejects a file that is no bench result', () => {
    writeFileSync(join(folder, 'other.json'), '{}');
    const { status, stderr } = bench('--from', join(folder, 'after.json'), '--compare', join(folder, 'other.json'));
    expect(status).toBe(1);
    expect(stderr).toContain('holds no rows');
  });
});

describe('goals', () => {
  const big = { ...row, case: 'FreeRTOS, one core', size: '100M' };
  const named = (data) =>
    Object.fromEntries(
      goals(data).map(({ what, measured, reached }) => [what.split(' (')[0], `${measured} ${reached}`]),
    );

  test('are checked against the worst row', () => {
    const small = { ...big, size: '10M', rssMiB: 17, firstMs: 1200 };
    const found = named({ rows: [big, small] });
    expect(found['native process']).toBe('17.0 MiB false');
    expect(found['first figures on the page']).toBe('1200 ms false');
    expect(found['WebAssembly memory in Node']).toBe('4.0 MiB true');
  });

  test('of loading are compared with the earlier writer, if it was measured', () => {
    const load = (name, seconds) => ({
      case: name,
      ours: { seconds, memory: 90 },
      naive: { seconds: 2, memory: 200 },
      before: { seconds: 1, memory: 100 },
    });
    const found = goals({
      rows: [big],
      load: [load('FreeRTOS, one core', 0.7), load('QS, lift with active objects', 0.8), load('bare metal', 1.1)],
    });
    const told = (start) =>
      found.filter(({ what }) => what.startsWith(start)).map(({ measured, reached }) => `${measured} ${reached}`);
    expect(told('time to load in Node')).toEqual(['0.70 true', '0.80 false', '1.10 false']);
    expect(told('time to load in Chromium')).toEqual([]);
    expect(told('memory to load, relative to the earlier')).toEqual(['0.90 false']);
  });

  test('without figures are omitted', () => {
    const found = named({ rows: [makeRow('bare metal', '1M', 1e6, native, null, null)] });
    expect(Object.keys(found)).toEqual(['native process']);
  });

  test('of growth and loading', () => {
    const one = (seconds, memory) => ({ seconds, memory });
    const data = {
      rows: [big],
      work: {
        growth: [
          { size: '10M', perEvent: 100 },
          { size: '1G', perEvent: 112 },
        ],
      },
      load: [
        { ours: one(1, 10), naive: one(1.5, 20) },
        { ours: one(2, 10), naive: one(1.8, 11) },
      ],
    };
    expect(named(data)).toMatchObject({
      'instructions per event at 1G against 10M': '+12.0 % false',
      'time to load a naive trace, relative to ours': '0.90 false',
      'memory to load a naive trace, relative to ours': '1.10 true',
    });
  });
});

test('docs/PERFORMANCE.md and its picture are made from docs/performance.json', () => {
  const read = (name) => readFileSync(join(root, 'docs', name), 'utf8');
  const data = JSON.parse(read('performance.json'));
  const pages = PAGES.map(read);
  expect(filled(pages, data)).toEqual(pages);
  const unmarked = pages.map((page) => page.replace('<!-- /Profile -->', ''));
  expect(() => filled(unmarked, data)).toThrow('<!-- Profile -->');
  expect(read('performance.svg')).toBe(picture(data.rows));
  expect(data.rows.length).toBeGreaterThan(20);
});
