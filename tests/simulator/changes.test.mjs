// SPDX-License-Identifier: MIT
// `tonkopf compare` on runs of a simulated application: silent between two runs of the same program, and clear about a slower task.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Folder, ROOT, tool } from '../cli/tool.mjs';
import { run_with_fault } from './faults.mjs';
import { tonbandgeraet } from './tonbandgeraet.mjs';

const folder = new Folder();
afterAll(() => folder.remove());

/** @typedef {{ name: string, of: string, figure: string, verdict: string, reason: string, change: number | null, least: number | null }} Change */

/** @param {number} seed @param {Record<string, number>} [slower] @param {(events: number) => import('./gaps.mjs').Gaps} [gaps] */
function record(seed, slower, gaps) {
  const { files } = tonbandgeraet(run_with_fault(seed, null, slower), { extensions: true, gaps });
  return folder.write(`${seed}-${Object.entries(slower ?? {}).join('-')}${gaps ? '-gaps' : ''}.bin`, files[0]);
}

/** @param {string[]} args @returns {Promise<any>} */
async function compared(...args) {
  const { text, code, errors } = await tool(['compare', '--json', ...args]);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(text);
}

const verdicts = ['worse', 'better', 'changed', 'new', 'gone'];
const changed = (/** @type {{ changes: Change[] }} */ { changes }) =>
  changes.filter(({ verdict }) => verdicts.includes(verdict));
const line = (/** @type {Change} */ { name, figure, verdict, change }) => `${name} ${figure} ${verdict} ${change}`;

test('two runs of the same program differ in next to nothing', async () => {
  let judged = 0;
  const found = [];
  for (const seed of [1, 3, 5, 7, 9]) {
    const report = await compared(record(seed), record(seed + 1));
    judged += report.changes.length;
    found.push(...changed(report).map((row) => `seed ${seed}: ${line(row)}`));
  }
  expect(judged).toBeGreaterThanOrEqual(150);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(judged * 0.02);
});

test('a recording compared with itself has no change', async () => {
  const path = record(1);
  expect(changed(await compared(path, path))).toEqual([]);
});

test('a slower task is on top, and the other direction is better', async () => {
  const [before, after] = [record(11), record(12, { servo: 1.5 })];
  const report = await compared(before, after);
  const [first] = report.changes;
  expect(first).toMatchObject({ name: 'servo', of: 'task', figure: 'net_mean', verdict: 'worse' });
  expect(first.change).toBeGreaterThan(40);
  expect(first.change).toBeLessThan(60);
  expect(first.least).toBeLessThan(first.change);
  expect(first.after_value / first.before_value).toBeCloseTo(1 + first.change / 100, 4);
  const of = (/** @type {string} */ name) => changed(report).filter((row) => row.name === name);
  expect(of('servo').map(({ figure }) => figure)).toEqual(expect.arrayContaining(['share', 'response_mean']));
  expect(of('control')).toEqual([]); // no task of lower priority delays it
  const sides = report.change_sides.filter((/** @type {any} */ { name }) => name === 'servo');
  expect(sides.map((/** @type {any} */ { side }) => side)).toEqual(['before', 'after']);
  expect(Number(sides[1].net)).toBeGreaterThan(Number(sides[0].net));
  for (const side of ['before', 'after']) {
    const jobs = report.change_distributions
      .filter((/** @type {any} */ { name }) => name === 'servo')
      .reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row[side], 0);
    expect(jobs).toBe(sides.find((/** @type {any} */ row) => row.side === side).jobs);
  }
  const back = await compared(after, before);
  expect(back.changes[0]).toMatchObject({ name: 'servo', verdict: 'better' });

  const { text } = await tool(['compare', before, after]);
  expect(text).toMatch(/\nWorse\n  servo\n    execution per job +\d[^\n]* -> [^\n]*\(\+\d/);
  expect(text.indexOf('\nWithin the noise\n')).toBeLessThan(text.indexOf('\nAll tables\n'));
  const markdown = (await tool(['compare', '--markdown', before, after])).text;
  expect(markdown).toContain('<details><summary>All tables</summary>');
});

test('totals do not depend on the length of the recordings', async () => {
  const path = record(1);
  const report = await compared('--from', '0', '--to', '600ms', path, path);
  const part = folder.write(
    'part.json',
    (await tool(['info', '--json', '--from', '100ms', '--to', '400ms', path])).text,
  );
  const halves = await compared(part, path);
  for (const row of halves.tasks.filter((/** @type {any} */ { name }) => ['control', 'servo'].includes(name)))
    expect(row.cpu_of_time / row.before_cpu_of_time).toBeCloseTo(1, 1);
  expect(Object.keys(report.tasks[0])).not.toContain('cpu');
  expect(changed(halves).map(line)).toEqual([]);
});

test('the Python package gives the result of the command line', async () => {
  const paths = [record(11), record(12, { servo: 1.5 })];
  for (const [i, path] of paths.entries()) folder.write(`side${i}.json`, (await tool(['info', '--json', path])).text);
  const code = `import json, tonkopf
a, b = (open(f"side{i}.json", "rb").read() for i in range(2))
print(json.dumps([tonkopf.compare(a, json.loads(b)), tonkopf.compare(a, b, "markdown")]))`;
  const [result, markdown] = JSON.parse(
    execFileSync('python3', ['-B', '-c', code], {
      cwd: folder.path,
      encoding: 'utf8',
      env: {
        ...process.env,
        PYTHONPATH: join(ROOT, 'python'),
        TONKOPF_LIBRARY: join(
          ROOT,
          `build/native/core/install/libtonkopf.${process.platform === 'darwin' ? 'dylib' : 'so'}`,
        ),
      },
    }),
  );
  expect(result).toEqual(await compared(...paths));
  expect(markdown).toBe((await tool(['compare', '--markdown', ...paths])).text);
});

test('what was not measured is not judged, with the reason', async () => {
  /** @param {number} events @returns {any} */
  const gaps = (events) => ({ begin: 0, lost: (/** @type {number} */ i) => i % 500 < 40 && i < events });
  const { changes } = await compared(record(1), record(2, { servo: 1.5 }, gaps));
  for (const { figure, verdict, reason } of /** @type {Change[]} */ (changes)) {
    if (figure !== 'share' && figure !== 'rate') continue;
    expect(verdict).toBe('not judged');
    expect(reason).toMatch(/was not measured/);
  }
});

test('recordings without jobs differ from recordings without changes', async () => {
  const reports = ['{"schema":4,"tables":[]}', '{"schema":4,"tables":[]}'].map((text, i) =>
    folder.write(`empty${i}.json`, text),
  );
  const { text } = await tool(['compare', ...reports]);
  expect(text).toContain('No figure of these recordings has a known noise, so nothing is judged.');
});
