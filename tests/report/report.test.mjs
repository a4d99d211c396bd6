// SPDX-License-Identifier: MIT
// The report's JSON parses, and is what wasm/types.ts promises: the compiler checks the value as a literal, so a
// missing, superfluous or wrongly typed field is an error.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const tool = path.join(process.env.TONKOPF_NATIVE ?? path.join(root, 'build/native'), 'tests/tool_report_sample');
const kinds = ['empty', 'full', 'hostile'];
const work = path.join(root, 'build', `report-types-${process.pid}`);

function report(kind, form) {
  if (!existsSync(tool)) throw new Error(`${tool} is missing: npm run build:native`);
  return execFileSync(tool, [kind, form], { maxBuffer: 1 << 26 });
}

function compile(literal) {
  mkdirSync(work, { recursive: true });
  const file = path.join(work, 'report.ts');
  writeFileSync(file, `import type { Report } from '../../wasm/types';\nexport const report: Report = ${literal};\n`);
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['--noEmit', '--strict', '--ignoreConfig', '--lib', 'ES2023,DOM', '--module', 'ESNext', '--moduleResolution', 'bundler', file], { encoding: 'utf8' });
}

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.each(kinds)('report of a recording: %s', (kind) => {
  test('is UTF-8 and JSON', () => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(report(kind, 'json'));
    expect(JSON.parse(text).tool).toMatch(/^Tonkopf /);
  });

  test('has the promised shape', () => {
    const result = compile(report(kind, 'json').toString());
    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
  });
});

test('the check of the shape notices a wrong field', () => {
  const good = report('full', 'json').toString();
  expect(compile(good.replace('"frames":2761', '"frames":"2761"')).status).not.toBe(0);
  expect(compile(good.replace('"restarts":', '"restart":')).status).not.toBe(0);
});

test('busy parts are fractions, one per bucket', () => {
  for (const kind of kinds) {
    const { strip } = JSON.parse(report(kind, 'json'));
    const lengths = new Set(strip.rows.map((row) => row.busy.length));
    expect(lengths.size).toBeLessThanOrEqual(1);
    for (const row of strip.rows) for (const busy of row.busy) expect(busy >= 0 && busy <= 1).toBe(true);
  }
});

test('docs/REPORT.md names every field and every problem', () => {
  const page = readFileSync(path.join(root, 'docs/REPORT.md'), 'utf8');
  const fields = new Set();
  const walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) fields.add(key), walk(inner);
  };
  walk(JSON.parse(report('full', 'json')));
  expect([...fields].filter((field) => !page.includes(`\`${field}\``) && !new RegExp(`[.\`]${field}\\b`).test(page))).toEqual([]);
  const { problems } = JSON.parse(report('hostile', 'json'));
  expect(problems.length).toBeGreaterThan(40);
  for (const { id, severity, title } of problems) expect(page).toContain(`| \`${id}\` | ${severity} | ${title} |`);
});
