// SPDX-License-Identifier: MIT
// The last step of the example of docs/DESIGN.md is what the viewer's engine reads from the trace.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { golden_input, root } from '../golden/cases.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const way = readFileSync(join(root, 'docs', 'DESIGN.md'), 'utf8');
const tonkopf = join(process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native'), 'cli', 'tonkopf');
const recording = golden_input('tonbandgeraet/idle-task-by-its-name');
const trace = execFileSync(tonkopf, ['conv', '--quiet', '-o', '-', recording]);

test("the viewer's engine has the states and the slice of the last step", async () => {
  const engine = await sharedTraceProcessor();
  engine.load(trace);
  const [, runnable, runs, sleeps] = /** @type {RegExpExecArray} */ (
    /is\s+runnable\s+from (\d+) us,\s+running\s+from (\d+) us,\s+and\s+sleeping\s+from\s+(\d+) us/.exec(way)
  );
  const states = engine.query(
    "SELECT state, ts FROM thread_state JOIN thread USING (utid) WHERE thread.name = 'A' ORDER BY ts",
  );
  expect(states.map(({ state, ts }) => `${state} ${ts}`)).toEqual([
    `R ${runnable}000`,
    `Running ${runs}000`,
    `S ${sleeps}000`,
  ]);
  const slices = engine.query('SELECT name, ts FROM slice');
  expect(slices.map(({ name, ts }) => `${name} ${ts}`)).toEqual([`delay 4 ticks ${sleeps}000`]);
  expect(way).toContain('`delay 4 ticks`');
});
