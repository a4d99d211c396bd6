// SPDX-License-Identifier: MIT
// check() of the library for Node gives the verdicts of the command line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Library } from '../../wasm/api.js';
import { MEMBERS, archive, cases, recordings } from '../common/check-cases.mjs';
import { root } from '../golden/cases.mjs';

const { check, convert, expectation, ExpectationError } = (await import(
  pathToFileURL(join(root, 'lib', 'index.js')).href
)) as Library & Pick<typeof import('../../wasm/api.js'), 'ExpectationError'>;

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-check-'));
const files: Record<string, Uint8Array> = recordings();
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = (name: string) => ({ name, bytes: files[name]! });
const baselineOf = async (baseline: string): Promise<string> =>
  baseline.endsWith('.bin') ? (await convert(input(baseline))).reportJson : baseline;

test.each(cases.map((one) => [one.why, one] as const))('%s', async (_, one) => {
  const options = one.baseline === undefined ? {} : { baseline: await baselineOf(one.baseline) };
  const found = await check(one.rules, (one.inputs ?? ['motor.bin']).map(input), options);
  expect(found.verdicts.map(({ verdict }) => verdict).sort()).toEqual([...one.verdicts].sort());
  expect(found.exitCode).toBe(one.code);
  if (one.words) expect(found.verdicts[0]!.text).toContain(one.words);
});

test('paths, forms, and a path that does not exist', async () => {
  const rules = 'load: cpu.load<80%\ndeadline control 100us\n',
    paths = [join(folder, 'motor.bin'), join(folder, 'missing.bin')];
  const { exitCode, verdicts, forms } = await check(rules, paths, { name: 'limits.rules' });
  expect([exitCode, verdicts.map(({ verdict }) => verdict)]).toEqual([3, ['not read', 'holds', 'fails']]);
  expect(verdicts[2]).toMatchObject({ line: 2, row: 'control', value: '182.400 us', bound: '<= 100us', count: 65n });
  expect(verdicts[2]!.atNs).toBeGreaterThan(0n);
  expect(forms.github).toContain('::error file=limits.rules,line=2::fails: motor.bin: deadline control 100us');
  await expect(check(rules, paths, { expect: 'cpu.load<1%' } as object)).rejects.toThrow('write it as a rule');
});

test('expectation() throws unless the rule holds, and returns nothing that a condition could use', async () => {
  const { report } = await convert(input('motor.bin'));
  expect(await expectation(report, 'cpu.load<100%')).toBeUndefined();
  const errorOf = async (rule: string) => expectation(report, rule).catch((error: unknown) => error);
  for (const [rule, code, message] of [
    ['cpu.load<1%', 'fails', 'cpu.load'],
    ['tasks[no such task].share<1%', 'unmeasured', 'no such task'],
    ['cpu.laod<1%', 'wrong', 'laod'],
  ] as const) {
    const error = await errorOf(rule);
    expect(error).toBeInstanceOf(ExpectationError);
    expect(error).toMatchObject({ code, name: 'ExpectationError', message: expect.stringContaining(message) });
  }
});

test('members of an archive have their own names', async () => {
  const { verdicts } = await check('cpu.load<80%', { name: 'two.zip', bytes: archive() });
  expect(verdicts.map(({ input }) => input)).toEqual(MEMBERS);
});
