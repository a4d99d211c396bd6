// SPDX-License-Identifier: MIT
// The report's JSON parses, and is what wasm/types.ts promises: the compiler checks the value as a literal, so a missing
// or wrongly typed field is an error. What it says of itself is true, and docs/REPORT.md names all of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const native = path.join(process.env.TONKOPF_NATIVE ?? path.join(root, 'build/native'), 'tests');
const golden = (...parts) => path.join(root, 'tests/golden', ...parts);
const work = path.join(root, 'build', `report-types-${process.pid}`);
const nothing = path.join(work, 'empty.bin');
mkdirSync(work, { recursive: true });
writeFileSync(nothing, '');

const recordings = {
  'with everything': [golden('tonbandgeraet/all-events-once/input.bin')],
  'of active objects': [golden('qs/lift/input.bin')],
  'of noise': ['format=tonbandgeraet', golden('tonbandgeraet/random-bytes-are-no-recording/input.bin')],
  'of nothing': ['format=tonbandgeraet', nothing],
};

const json = (args) => execFileSync(path.join(native, 'tool_feed'), ['--report', ...args], { maxBuffer: 1 << 26 });

function compile(literal) {
  const file = path.join(work, 'report.ts');
  writeFileSync(file, `import type { Report } from '../../wasm/types';\nexport const report: Report = ${literal};\n`);
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  return spawnSync(
    tsc,
    [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--lib',
      'ES2023,DOM',
      '--module',
      'ESNext',
      '--moduleResolution',
      'bundler',
      file,
    ],
    { encoding: 'utf8' },
  );
}

/** The types that values of a kind may have. */
const types = {
  name: ['string'],
  text: ['string'],
  flag: ['boolean'],
  count: ['number', 'string'],
  number: ['number', 'string'],
  duration: ['string'],
  time: ['string'],
  share: ['number'],
};

afterAll(() => rmSync(work, { recursive: true, force: true }));

test('a trace of flux that nothing was told of is none', () => {
  const { traces } = JSON.parse(json([golden('flux/two-traces/input.bin')]));
  expect(traces).toHaveLength(2);
  expect(traces.every(({ version }) => version !== null)).toBe(true);
});

test('what ran stands before what it waited for, and damage alone is no core', () => {
  const ids = JSON.parse(json([golden('tracealyzer/jobs/input.bin')])).tables.map(({ id }) => id);
  expect(ids.indexOf('tasks')).toBeLessThan(ids.indexOf('jobs'));
  const { cores, problems, tables } = JSON.parse(json([golden('flux/foreign-bytes/input.bin')]));
  expect(problems.length).toBeGreaterThan(0);
  expect(cores).toEqual([]);
  expect(tables.map(({ id }) => id)).toContain('signals');
});

describe.each(Object.keys(recordings))('report of a recording: %s', (name) => {
  const bytes = json(recordings[name]);
  const report = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

  test('has the promised shape', () => {
    const result = compile(bytes.toString());
    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
  });

  test('every table has its rows, every row its columns, every cell its kind', () => {
    expect(report.schema).toBe(2);
    for (const { id, shape, sort, columns } of report.tables) {
      const rows = shape === 'figures' ? [report[id]] : report[id];
      if (sort) expect(columns.map(({ key }) => key)).toContain(sort);
      for (const row of rows) {
        expect(Object.keys(row), id).toEqual(columns.map(({ key }) => key));
        for (const { key, kind, of } of columns) {
          if (row[key] !== null) expect(types[kind], `${id}.${key}`).toContain(typeof row[key]);
          if (of) expect(columns.map((column) => column.key)).toContain(of);
        }
      }
    }
    const known = new Set(['schema', 'tool', 'view', 'tables', 'series', ...report.tables.map(({ id }) => id)]);
    expect(Object.keys(report).filter((key) => !known.has(key))).toEqual([]);
  });

  test('series are fractions, one per bucket, and those of rows bear their names', () => {
    expect(new Set(report.series.map(({ values }) => values.length)).size).toBeLessThanOrEqual(1);
    for (const { group, row, label, values } of report.series) {
      for (const value of values) expect(value >= 0 && value <= 1).toBe(true);
      if (row !== null) expect(report[group][row].name).toBe(label);
    }
  });

  test('docs/REPORT.md names every table and column', () => {
    const page = readFileSync(path.join(root, 'docs/REPORT.md'), 'utf8');
    const missing = report.tables
      .flatMap(({ id, columns }) => [id, ...columns.map(({ key }) => key)])
      .filter((key) => !page.includes(`\`${key}\``));
    expect([...new Set(missing)]).toEqual([]);
  });
});

test('the check of the shape notices a wrong field', () => {
  const good = json(recordings['with everything']).toString();
  expect(compile(good.replace('"lost":', '"lost":"x","was":')).status).not.toBe(0);
  expect(compile(good.replace('"restarts":', '"restart":')).status).not.toBe(0);
});

test('docs/REPORT.md names every problem', () => {
  const page = readFileSync(path.join(root, 'docs/REPORT.md'), 'utf8');
  const lines = execFileSync(path.join(native, 'tool_problems'), { encoding: 'utf8' }).trim().split('\n');
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter((line) => !page.includes(line))).toEqual([]);
});
