// SPDX-License-Identifier: MIT
// Each case: its first half in one process, the other in another one, whose memory lies elsewhere. The bytes are those of one conversion.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cases, tool } from './cases.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-save-')), state = join(folder, 'state');
const save = join(dirname(tool), 'tool_save');
const words = ({ options, inputs }) => [...options, '--', ...inputs.flatMap(({ path, side, core }) => (side ? ['-s', path] : [core ? `${path}@${core}` : path]))];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// An empty file has no half.
const whole = cases().filter(({ inputs }) => inputs.some(({ path }) => statSync(path).size));
test.each(whole.map((one) => [one.name, one]))('%s goes on in another process', (_, one) => {
  execFileSync(save, ['--leave', state, ...words(one)]);
  expect(execFileSync(save, ['--go-on', state, ...words(one)]).toString()).toBe('');
});
