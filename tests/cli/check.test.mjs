// SPDX-License-Identifier: MIT
// `tonkopf check`: verdicts and exit codes of files of rules, and the forms of its output.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MEMBERS, archive, cases, recordings } from '../common/check-cases.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { Folder, tool } from './tool.mjs';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  for (const [name, bytes] of Object.entries(recordings())) folder.write(name, bytes);
});
afterAll(() => folder.remove());

const run = (/** @type {string[]} */ ...args) => tool(args, { cwd: folder.path });

/** Writes the report of a recording as the baseline. A text that is no name of a recording is the baseline itself. @param {string} baseline */
async function writeBaseline(baseline) {
  const isName = baseline.endsWith('.bin');
  folder.write('baseline.json', isName ? (await run('info', '--json', baseline)).text : baseline);
}

describe('verdicts and exit codes', () => {
  test.each(cases.map((one) => /** @type {const} */ ([one.why, one])))('%s', async (_, one) => {
    folder.write('limits.rules', one.rules);
    if (one.baseline) await writeBaseline(one.baseline);
    const args = one.baseline ? ['--baseline', 'baseline.json'] : [];
    const { code, text } = await run('check', '--json', 'limits.rules', ...(one.inputs ?? ['motor.bin']), ...args);
    const { exit_code, results } = JSON.parse(text);
    expect(results.map((/** @type {any} */ result) => result.verdict)).toEqual(one.verdicts);
    expect([code, exit_code]).toEqual([one.code, one.code]);
    if (one.words) expect(results[0].text).toContain(one.words);
  });
});

/** Cases of one rule and one recording. */
const single = cases.filter(
  ({ rules, inputs = ['motor.bin'], baseline, verdicts }) =>
    rules &&
    !/[\n\r\0]/.test(rules) &&
    !baseline &&
    inputs.length === 1 &&
    verdicts.length === 1 &&
    !verdicts.includes('not read'),
);

test('--expect takes one rule, with the same exit code', async () => {
  expect(single.length).toBeGreaterThan(30);
  for (const { why, rules, inputs = ['motor.bin'], code, words } of single) {
    const found = await run('info', '--expect', rules, ...inputs);
    expect([why, found.code]).toEqual([why, code]);
    if (words) expect(found.errors + found.text.replaceAll(/\n +/g, ' ')).toContain(words);
  }
});

// ---- Forms -----------------------------------------------------------------------------------------------------------------

const RULES = `# limits
load: cpu.load<80%
tasks[control].cpu<1us

deadline control 100us
deadline "<&>'%,:" 5ms
jobs[shell].response_p99<1s
`;

test('the text has a line per verdict, with value, number of jobs and a link', async () => {
  folder.write('limits.rules', RULES);
  const { code, text } = await run('check', 'limits.rules', 'motor.bin');
  const lines = text.trimEnd().split('\n');
  expect(code).toBe(1);
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/^holds {9}limits\.rules:2: motor\.bin: load: cpu\.load<80%: it is [\d.]+ %$/);
  expect(lines[2]).toMatch(
    /^fails {9}limits\.rules:5: .*: it is 182\.400 us at 0\.\d+ s, not <= 100us, missed by 65 of 65 jobs, n = 65 #at=\d+$/,
  );
  expect(lines[3]).toMatch(/^not measured {2}limits\.rules:6: .* no row of "jobs" matches/);
  expect(lines[4]).toMatch(/shell: it is 138\.300 us, n = 2$/);
  expect(lines[5]).toBe('5 rules on 1 recording: 2 hold, 2 fail, 1 not measured');
});

test('JUnit: a test case per rule and input; what is not measured is an error', async () => {
  folder.write('limits.rules', RULES);
  await run('check', 'limits.rules', 'motor.bin', 'text.bin', '--junit', 'results.xml');
  const code = `import sys, json, xml.etree.ElementTree as tree
suites = tree.parse("results.xml").getroot()
suite = suites[0]
print(json.dumps([suites.tag, suite.attrib, [[case.get("classname"), case.get("name"), case.get("line"), [child.tag for child in case]] for case in suite]]))`;
  const [root, suite, found] = JSON.parse(
    execFileSync('python3', ['-c', code], { cwd: folder.path, encoding: 'utf8' }),
  );
  expect([root, suite.tests, suite.failures, suite.errors, suite.skipped]).toEqual(['testsuites', '6', '2', '2', '0']);
  expect(found).toEqual([
    ['text.bin', 'the input', null, ['error']],
    ['motor.bin', 'load: cpu.load<80%', '2', ['system-out']],
    ['motor.bin', 'tasks[control].cpu<1us', '3', ['failure']],
    ['motor.bin', 'deadline control 100us', '5', ['failure']],
    ['motor.bin', `deadline "<&>'%,:" 5ms`, '6', ['error']],
    ['motor.bin', 'jobs[shell].response_p99<1s', '7', ['system-out']],
  ]);
});

test('SARIF has the required members, and only verdicts that do not hold', async () => {
  folder.write('my limits.rules', RULES);
  await run('check', 'my limits.rules', 'motor.bin', '--sarif', 'results.sarif');
  const log = JSON.parse(readFileSync(folder.at('results.sarif'), 'utf8'));
  const [{ tool: { driver }, results }] = log.runs; // prettier-ignore
  expect([log.version, driver.name, typeof log.$schema]).toEqual(['2.1.0', 'Tonkopf', 'string']);
  expect(driver.rules.map((/** @type {any} */ rule) => rule.id)[0]).toBe('load');
  expect(results).toHaveLength(3);
  for (const result of results) {
    expect(driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect([result.level, 'kind' in result]).toEqual(['error', false]);
    expect(result.message.text).toMatch(/^(fails|not measured): motor\.bin: /);
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('my%20limits.rules');
  }
  expect(results.map((/** @type {any} */ result) => result.locations[0].physicalLocation.region.startLine)).toEqual([3, 5, 6]); // prettier-ignore
});

/** Undoes the escapes of GitHub's commands. @param {string} text */
const unescaped = (text) => decodeURIComponent(text.replace(/%(?!25|3A|2C|0A|0D)/g, '%25'));

test('annotations of GitHub name the file and line of each rule that does not hold', async () => {
  folder.write('limits.rules', RULES);
  const { text } = await run('check', '--github', 'limits.rules', 'motor.bin');
  const found = text.trimEnd().split('\n').map((line) => /^::error file=([^,:]*),line=(\d+)::(.*)$/.exec(line)); // prettier-ignore
  expect(found.map((one) => one && [one[1], Number(one[2])])).toEqual([3, 5, 6].map((line) => ['limits.rules', line]));
  expect(unescaped(found[2]?.[3] ?? '')).toContain(`deadline "<&>'%,:" 5ms: no row`);
});

test('Markdown lists the worst verdicts first, and escapes names', async () => {
  folder.write('limits.rules', RULES);
  const { text } = await run('check', '--markdown', 'limits.rules', 'motor.bin');
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Verdict'));
  expect(rows.map((row) => row.split(' | ')[0])).toEqual([
    '| fails',
    '| fails',
    '| not measured',
    '| holds',
    '| holds',
  ]);
  expect(text).toContain(String.raw`tasks\[control\].cpu\<1us`);
});

test('every form contains the mistakes of a wrong file', async () => {
  folder.write('limits.rules', 'cpu.laod<80%\n');
  for (const form of [[], ['--json'], ['--markdown'], ['--github']]) {
    const { code, text } = await run('check', 'limits.rules', 'motor.bin', ...form);
    expect([code, text.includes('laod')]).toEqual([2, true]);
  }
  await run('check', 'limits.rules', 'motor.bin', '--junit', 'j.xml', '--sarif', 's.json');
  expect(readFileSync(folder.at('j.xml'), 'utf8')).toContain('<error');
  expect(JSON.parse(readFileSync(folder.at('s.json'), 'utf8')).runs[0].results).toHaveLength(1);
});

test('usage', async () => {
  folder.write('limits.rules', 'cpu.load<80%\n');
  expect((await run('check', 'limits.rules')).code).toBe(2);
  expect((await run('check', 'missing.rules', 'motor.bin')).code).toBe(3);
  expect((await run('check', 'limits.rules', 'motor.bin', '--baseline', 'missing.json')).code).toBe(3);
  expect((await run('check', 'limits.rules', 'motor.bin', '--github', '--json')).code).toBe(2);
  expect((await run('check', 'limits.rules', 'motor.bin', '--junit', 'missing/results.xml')).code).toBe(4);
  expect((await run('check', 'limits.rules', 'motor.bin', '--sarif', 'missing/results.sarif')).code).toBe(4);
  expect((await run('check', 'limits.rules', '*.none')).code).toBe(3);
  mkdirSync(folder.at('empty'));
  expect((await run('check', 'limits.rules', 'empty')).code).toBe(3);
  const long = `tasks[${'x'.repeat(150)}].no_such_column<5`;
  const wrong = await run('conv', 'motor.bin', '--expect', long, '-o', '-');
  expect(wrong.code).toBe(2);
  expect(wrong.errors.split('tasks[x').length).toBe(2); // the rule stands once
  const missing = await run('check', 'limits.rules', 'missing.bin', 'motor.bin', '--json');
  expect([missing.code, JSON.parse(missing.text).exit_code]).toEqual([3, 3]);
});

test('a recording that is refused is not read, and the others are judged', async () => {
  folder.write('limits.rules', 'cpu.load<80%\n');
  const input = concat(Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 1000 + 10 * i, 1, `${i}`)));
  const args = ['check', 'limits.rules', 'motor.bin', '-', '--to', '1s', '--json'];
  const { code, text, errors } = await tool(args, { cwd: folder.path, input });
  expect(errors).toContain('the tick length is not in its first bytes');
  const { exit_code, results } = JSON.parse(text);
  expect(results.map((/** @type {any} */ { verdict }) => verdict).sort()).toEqual(['holds', 'not read']);
  expect([code, exit_code]).toEqual([3, 3]);
});

test('members of an archive have their own names', async () => {
  folder.write('limits.rules', 'cpu.load<80%\n');
  folder.write('two.zip', archive());
  const { results } = JSON.parse((await run('check', 'limits.rules', 'two.zip', '--json')).text);
  expect(results.map((/** @type {any} */ { input }) => input)).toEqual(MEMBERS);
});

test('Markdown keeps letters that are not ASCII', async () => {
  folder.write('größe.rules', 'cpu.load<80%\n');
  folder.write('größe.bin', recordings()['motor.bin']);
  const { text } = await run('check', 'größe.rules', 'größe.bin', '--markdown');
  expect(text).toContain('| größe.bin |');
});
