// SPDX-License-Identifier: MIT
// The report's JSON can be parsed and has the type in wasm/types.ts: the compiler checks the value as a literal, so a missing or wrongly
// typed field is an error. Its description of itself is true, and docs/REPORT.md names all of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { cases, golden_input } from '../golden/cases.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const native = path.join(process.env.TONKOPF_NATIVE ?? path.join(root, 'build/native'), 'tests');
const work = path.join(root, 'build', `report-types-${process.pid}`);
const nothing = path.join(work, 'empty.bin');
mkdirSync(work, { recursive: true });
writeFileSync(nothing, '');

const recordings = {
  'with everything': [golden_input('tonbandgeraet/all-events-once')],
  'of active objects': [golden_input('qs/lift')],
  'of noise': ['format=tonbandgeraet', golden_input('tonbandgeraet/random-bytes-are-no-recording')],
  'of nothing': ['format=tonbandgeraet', nothing],
};

/** This build's description of its reports. */
const schema = JSON.parse(execFileSync(path.join(native, 'tool_feed'), ['--schema'], { maxBuffer: 1 << 26 }));
const described = new Map(schema.tables.map((table) => [table.id, table]));

/** The description of a column of a report. */
const columnOf = (id, column) =>
  typeof column === 'string' ? described.get(id).columns.find(({ key }) => key === column) : column;

const json = (args) => execFileSync(path.join(native, 'tool_feed'), ['--report', ...args], { maxBuffer: 1 << 26 });

function compile(
  literal,
  text = `import type { Report } from '../../wasm/types';\nexport const report: Report = ${literal};\n`,
) {
  const file = path.join(work, 'report.ts');
  writeFileSync(file, text);
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

test('a flux trace without any sample is not an input of the report', () => {
  const { traces } = JSON.parse(json([golden_input('flux/two-traces')]));
  expect(traces).toHaveLength(2);
  expect(traces.every(({ version }) => version !== null)).toBe(true);
});

test('the table of running objects comes before that of their waits, and damage alone is no core', () => {
  const ids = JSON.parse(json([golden_input('tracealyzer/jobs')])).tables.map(({ id }) => id);
  expect(ids.indexOf('tasks')).toBeLessThan(ids.indexOf('jobs'));
  const { cores, problems, tables } = JSON.parse(json([golden_input('flux/foreign-bytes')]));
  expect(problems.length).toBeGreaterThan(0);
  expect(cores).toEqual([]);
  expect(tables.map(({ id }) => id)).toContain('signals');
});

describe.each(Object.keys(recordings))('report of a recording: %s', (name) => {
  const bytes = json(recordings[name]);
  const report = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

  test('has the declared type', () => {
    const result = compile(bytes.toString());
    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
  });

  test('every table has its rows, every row its columns, every cell its kind', () => {
    expect(report.schema).toBe(4);
    for (const { id, columns: keys } of report.tables) {
      const { shape, sort } = described.get(id);
      const columns = keys.map((column) => columnOf(id, column));
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
    const known = new Set([
      'schema',
      'tool',
      'time_unit',
      'time_certainty',
      'time_note',
      'view',
      'tables',
      ...report.tables.map(({ id }) => id),
    ]);
    expect(Object.keys(report).filter((key) => !known.has(key))).toEqual([]);
  });

  test('no description of a column is part of it, but the schema contains them all', () => {
    for (const { id, columns, ...further } of report.tables) {
      expect(further, id).toEqual({});
      for (const column of columns) expect(columnOf(id, column), `${id}.${column}`).toMatchObject({ key: column });
    }
  });
});

// Every golden case: the report itself would describe a table that a tracker or decoder adds without declaring it.
test('the schema has every table and column of every golden case', () => {
  const ids = new Set();
  for (const { format, name } of cases()) {
    const file = golden_input(name);
    if (!existsSync(file)) continue; // a case of several cores
    for (const { id, columns, ...further } of JSON.parse(json([`format=${format}`, file])).tables) {
      ids.add(id);
      expect(further, `${file}: ${id}`).toEqual({});
      expect(
        columns.filter((column) => typeof column !== 'string'),
        `${file}: ${id}`,
      ).toEqual([]);
    }
  }
  expect(ids.size).toBeGreaterThan(35);
});

test('the schema has the type in wasm/types.ts', () => {
  const promise = (literal) =>
    compile(literal, `import type { Schema } from '../../wasm/types';\nexport const schema: Schema = ${literal};\n`);
  const result = promise(JSON.stringify(schema));
  expect(result.stdout + result.stderr).toBe('');
  expect(promise(JSON.stringify(schema).replace('"about":', '"abut":')).status).not.toBe(0);
});

test('docs/REPORT.md names every table, and no column or problem that does not exist', () => {
  const page = readFileSync(path.join(root, 'docs/REPORT.md'), 'utf8');
  const part = (title) => page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const rows = [...part('Tables').matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)];
  const names = (text) => [...text.matchAll(/`([A-Za-z_0-9]+)`/g)].map(([, name]) => name);
  expect(rows.flatMap(([, ids]) => names(ids)).sort()).toEqual(schema.tables.map(({ id }) => id).sort());
  const values = ['recording', 'option', 'side', 'assumed', 'counted', 'names', 'symbols', 'holds', 'fails', 'wrong'];
  for (const [, ids, text] of rows) {
    const columns = schema.tables.filter(({ id }) => names(ids).includes(id)).flatMap(({ columns }) => columns);
    const known = [...columns.map(({ key }) => key), ...schema.tables.map(({ id }) => id), ...values];
    expect(
      names(text).filter((name) => !known.includes(name)),
      ids,
    ).toEqual([]);
  }
  const ids = names(part('Problems')).filter((name) => /^[A-Z]/.test(name));
  expect(ids.length).toBeGreaterThan(10);
  const problems = schema.problems.map(({ id }) => id);
  expect(ids.filter((id) => !problems.includes(id))).toEqual([]);
  const severities = new Map(schema.problems.map(({ id, severity }) => [id, severity]));
  const listed = [...part('Problems').matchAll(/^\| (`[A-Z_, `]+) \| (\w+) \|/gm)];
  expect(listed.flatMap(([, row]) => names(row)).sort()).toEqual(ids.sort());
  for (const [, row, severity] of listed)
    for (const id of names(row)) expect([id, severities.get(id)]).toEqual([id, severity]);
});

test('the schema has every problem of diag.def, with the words of a report', () => {
  const source = readFileSync(path.join(root, 'core/base/diag.def'), 'utf8');
  const entries = [...source.matchAll(/^TK_DIAG\((\w+), (\w+),/gm)].map(([, id, severity]) => [
    id,
    severity.toLowerCase(),
  ]);
  expect(entries.length).toBeGreaterThan(100);
  expect(schema.problems.map(({ id, severity }) => [id, severity])).toEqual(entries);
  const { problems } = JSON.parse(json(recordings['with everything']).toString());
  expect(problems.length).toBeGreaterThan(0);
  for (const { id, severity, title, cause, remedy } of problems)
    expect(schema.problems).toContainEqual({ id, severity, title, cause, remedy });
});

test('docs/FINDINGS.md has the words of each rule', () => {
  const page = readFileSync(path.join(root, 'docs/FINDINGS.md'), 'utf8');
  expect(schema.rules.length).toBeGreaterThan(10);
  const rows = schema.rules.map(
    ({ id, severity, title, threshold, needs, remedy }) =>
      `| \`${id}\` | ${severity} | ${title} | ${threshold} | ${needs} | ${remedy} |`,
  );
  expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

test('the type check detects a wrong field', () => {
  const good = json(recordings['with everything']).toString();
  expect(compile(good.replace('"lost":', '"lost":"x","was":')).status).not.toBe(0);
  expect(compile(good.replace('"restarts":', '"restart":')).status).not.toBe(0);
});
