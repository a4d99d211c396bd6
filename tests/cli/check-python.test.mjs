// SPDX-License-Identifier: MIT
// check() of the Python package gives the verdicts of the command line.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MEMBERS, archive, cases, recordings } from '../common/check-cases.mjs';
import { pythonIn } from '../common/python.mjs';
import { Folder, tool } from './tool.mjs';

/** Judges all cases in one process, and prints the verdicts and the exit code of each. */
const PROGRAM = `import json, sys, tonkopf
results = []
for case in json.load(open("cases.json", encoding="utf-8")):
    baseline = case.get("baseline")
    if baseline and baseline.endswith(".bin"):
        baseline = tonkopf.report(baseline).report
    found = tonkopf.check(case["rules"], case.get("inputs", ["motor.bin"]), baseline=baseline, name="limits.rules")
    assert bool(found) == (found.exit_code == 0)
    results.append({"code": found.exit_code, "verdicts": [one.verdict for one in found.verdicts], "text": found.verdicts[0].text})
print(json.dumps(results))
`;

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  for (const [name, bytes] of Object.entries(recordings())) folder.write(name, bytes);
});
afterAll(() => folder.remove());

const python = pythonIn(() => folder.path);

test('every case has the verdicts and the exit code of the command line', () => {
  folder.write('cases.json', JSON.stringify(cases));
  const results = JSON.parse(python(PROGRAM));
  for (const [index, { why, code, verdicts, words }] of cases.entries()) {
    expect([why, results[index].code, results[index].verdicts]).toEqual([why, code, verdicts]);
    if (words) expect(results[index].text).toContain(words);
  }
});

test('the forms equal those of the command line; a path that does not exist is not read', async () => {
  folder.write('limits.rules', 'deadline control 100us\ncpu.load<80%\n');
  const code = `import tonkopf
found = tonkopf.check("limits.rules", ["motor.bin", "missing.bin"])
print(found.exit_code, [one.verdict for one in found.verdicts], [one.at_ns for one in found.verdicts][1] > 0)
print(tonkopf.check("limits.rules", "motor.bin").write("junit"), end="")`;
  const [first, ...rest] = python(code).split('\n');
  expect(first).toBe("3 ['not read', 'fails', 'holds'] True");
  await tool(['check', 'limits.rules', 'motor.bin', '--junit', 'r.xml'], { cwd: folder.path });
  expect(rest.join('\n')).toBe(readFileSync(folder.at('r.xml'), 'utf8'));
});

test('members of an archive have their own names', () => {
  folder.write('two.zip', archive());
  const code = `import json, tonkopf
print(json.dumps([one.input for one in tonkopf.check("cpu.load<80%", "two.zip", name="limits.rules").verdicts]))`;
  expect(JSON.parse(python(code))).toEqual(MEMBERS);
});
