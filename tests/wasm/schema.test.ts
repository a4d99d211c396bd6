// SPDX-License-Identifier: MIT
// The schema of reports through WebAssembly: it describes the content of a report, and reports with another schema are rejected.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesOf, timeUnit } from '../../wasm/report.js';
import type { CoreError } from '../../wasm/errors.js';
import { ReportCore } from '../../wasm/reports.js';
import type { Report } from '../../wasm/types.js';
import { golden_input } from '../golden/cases.mjs';

const native = join(process.env.TONKOPF_NATIVE ?? join(process.cwd(), 'build/native'), 'tests', 'tool_feed');
const told = (...args: string[]): string => execFileSync(native, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
const jsonOf = (name: string): string => told('--report', golden_input(name));
const core = ReportCore.open(readFileSync('lib/tonkopf.wasm'));

test('is that of the native build', async () => {
  expect((await core).schema()).toEqual(JSON.parse(told('--schema')));
});

test('describes the tables of a report, also of a comparison', async () => {
  const reports = await core,
    schema = reports.schema(),
    json = jsonOf('tonbandgeraet/all-events-once');
  const report = JSON.parse(json) as Report;
  const tables = tablesOf(report, schema);
  expect(timeUnit(report)).toBe('ns');
  expect(tables.map(({ id }) => id)).toEqual(report.tables.map(({ id }) => id));
  const tasks = tables.find(({ id }) => id === 'tasks')!;
  expect(tasks).toMatchObject({ title: 'Tasks', shape: 'list', sort: 'cpu' });
  expect(tasks.columns.find(({ key }) => key === 'cpu')).toMatchObject({ title: 'CPU time', kind: 'duration' });
  const compared = tablesOf(JSON.parse(reports.compare(json, json)) as Report, schema);
  const columns = compared.find(({ id }) => id === 'tasks')!.columns.map(({ key, role }) => [key, role]);
  expect(columns).toEqual(
    expect.arrayContaining([
      ['cpu_of_time', 'value'],
      ['before_cpu_of_time', 'before'],
      ['change_cpu_of_time', 'change'],
    ]),
  );
});

test('does not contain undescribed tables', async () => {
  const report = {
    tables: [
      { id: 'later', columns: ['x'] },
      { id: 'cpu', columns: ['load', 'later'] },
    ],
  };
  const [cpu, ...others] = tablesOf(report, (await core).schema());
  expect(others).toEqual([]);
  expect(cpu!.columns.map(({ key }) => key)).toEqual(['load']);
});

test('a report with another schema is rejected by name, anything else as no report', async () => {
  const reports = await core,
    json = jsonOf('qs/lift');
  const codeOf = (text: string): string => {
    try {
      return reports.write(text, 'text') && 'ok';
    } catch (error) {
      return (error as CoreError).code;
    }
  };
  expect(codeOf(json)).toBe('ok');
  expect(codeOf(json.replace('"schema":4', '"schema":2'))).toBe('other-schema');
  expect(codeOf('{}')).toBe('unknown-format');
  expect([json, json.replace('"schema":4', '"schema":2'), '{}'].map((text) => reports.reads(text))).toEqual([
    true,
    false,
    false,
  ]);
});
