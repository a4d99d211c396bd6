// SPDX-License-Identifier: MIT
// Every ninth case: saved after every chunk and restored into another instance, with snapshots in between. The output equals that of one
// conversion.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AT, PsfStream } from '../generator/golden-psf-stream.mjs';
import { cases, native_trace, sampled } from './cases.mjs';
import { WasmRun } from './wasm.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-save-'));
const ROUNDS = 8;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Saved and restored after every chunk; a snapshot after every third is the trace of the recording that ends there. */
async function goesOn(one) {
  const bytes = one.inputs.reduce((sum, { path }) => sum + statSync(path).size, 0),
    chunk = Math.ceil(bytes / ROUNDS);
  const expected = await native_trace(one, 1 << 20);
  let run = await WasmRun.begin(one),
    steps = 0;
  while (run.step(chunk)) {
    const saved = run.save();
    if (++steps % 3 === 0) {
      const ended = await WasmRun.resume(saved);
      expect(run.snapshot().equals(ended.finish().trace), `snapshot ${steps}`).toBe(true);
      ended.close();
    }
    run.close();
    run = await WasmRun.resume(saved);
  }
  const { trace, report } = run.finish();
  run.close();
  expect(trace.equals(expected.trace)).toBe(true);
  expect(report).toBe(expected.report);
}

// An empty file has no half.
const whole = sampled(cases().filter(({ inputs }) => inputs.some(({ path }) => statSync(path).size)));
test.each(whole.map((one) => [one.name, one]))('%s continues in another instance', (_, one) => goesOn(one));

test('a recording with hundreds of ended tasks continues in another instance', async () => {
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
  await goesOn({ inputs: [{ name: 'many.psf', path, side: false }], options: ['format=tracealyzer'] });
});
