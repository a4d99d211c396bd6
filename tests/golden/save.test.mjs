// SPDX-License-Identifier: MIT
// Each case: its first half in one process, the other in another one, whose memory lies elsewhere. The bytes are those of one conversion.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AT, PsfStream } from '../generator/golden-psf-stream.mjs';
import { cases, tool } from './cases.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-save-')),
  state = join(folder, 'state');
const save = join(dirname(tool), 'tool_save');
const words = ({ options, inputs }) => [
  ...options,
  '--',
  ...inputs.flatMap(({ path, side, core }) => (side ? ['-s', path] : [core ? `${path}@${core}` : path])),
];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// An empty file has no half.
const whole = cases().filter(({ inputs }) => inputs.some(({ path }) => statSync(path).size));
test.each(whole.map((one) => [one.name, one]))('%s goes on in another process', (_, one) => {
  execFileSync(save, ['--leave', state, ...words(one)]);
  expect(execFileSync(save, ['--go-on', state, ...words(one)]).toString()).toBe('');
});

test('a recording with hundreds of tasks that ended goes on in another process', () => {
  const stream = new PsfStream();
  stream.start();
  stream.tasks();
  for (let i = 0, at = 100; i < 1200; i++, at += 40)
    stream
      .ev(at, 'OBJ_NAME', AT.SHORT, `T${i % 600}`)
      .ev(at + 1, 'TASK_CREATE', AT.SHORT, 4)
      .ev(at + 2, 'TASK_READY', AT.SHORT)
      .ev(at + 5, 'TASK_ACTIVATE', AT.SHORT, 4)
      .ev(at + 20, 'TASK_DELETE', AT.SHORT, 4)
      .ev(at + 25, 'TASK_ACTIVATE', AT.MAIN, 2);
  const path = join(folder, 'many.psf');
  writeFileSync(path, stream.bytes());
  execFileSync(save, ['--leave', state, 'format=tracealyzer', '--', path]);
  expect(execFileSync(save, ['--go-on', state, 'format=tracealyzer', '--', path]).toString()).toBe('');
});
