// SPDX-License-Identifier: MIT
// The commands of docs/FLEET.md on fifty recordings, with the real programs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cacheDir, installPython, root } from '../../../scripts/lib.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';
import { openTraceProcessor } from '../../output/trace-processor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-fleet-'));
const duckdb = join(cacheDir, 'duckdb'),
  perfetto = join(cacheDir, 'perfetto');
const page = readFileSync(join(root, 'docs', 'FLEET.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
const [sql] = [...page.matchAll(/```py\n([\s\S]*?)```/g)].map(([, block]) => block);
const COUNT = 50,
  DAMAGED = 7;
const ODD = `it's "one" $(run) 0`; // quotes, blanks and what a shell would run
const QUERIED = 6; // a process of the engine for each

beforeAll(() => {
  installPython(duckdb, 'duckdb-cli==1.5.6');
  installPython(perfetto, 'perfetto==0.59.1', 'pandas==2.3.3');
  for (const name of ['bin', 'captures', 'traces']) mkdirSync(join(folder, name));
  symlinkSync(
    process.env.TONKOPF_CLI ?? join(root, 'build', 'native', 'cli', 'tonkopf'),
    join(folder, 'bin', 'tonkopf'),
  );
  for (let i = 0; i < COUNT; i++) {
    const bytes = Buffer.from(motor_recording({ bytes: 20_000 + 100 * i }));
    if (i < DAMAGED) bytes.fill(0x55, 9000, 9100);
    writeFileSync(join(folder, 'captures', `${i === COUNT - 1 ? ODD : `run-${i}`}.bin`), bytes);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} block */
function shell(block) {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${join(duckdb, 'duckdb_cli')}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', block], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

test('every recording becomes a trace', () => {
  shell(blocks[0]);
  const traces = readdirSync(join(folder, 'traces'));
  expect(traces.length).toBe(COUNT);
  expect(traces).toContain(`${ODD}.pftrace`);
});

test('the check finds the damaged ones, and a file that is no recording', () => {
  const text = join(folder, 'captures', `${ODD}.text.bin`);
  writeFileSync(text, 'no recording');
  expect(shell(blocks[1]).trim()).toBe(String(DAMAGED + 1));
  rmSync(text);
  expect(shell(blocks[1]).trim()).toBe(String(DAMAGED));
});

test('reports become tables', () => {
  shell(blocks[2]);
  const said = shell(blocks[3]);
  const reports = readFileSync(join(folder, 'reports.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(reports.length).toBe(COUNT);
  expect(reports.map(({ recording }) => recording)).toContain(`${ODD}.bin`);
  for (const { name } of reports[0].report.tasks) expect(said).toContain(name);
  expect(said).toMatch(/FRAME_BROKEN\W+\d+/);
});

test("Perfetto's Python package queries all traces", async () => {
  mkdirSync(join(folder, 'queried', 'traces'), { recursive: true });
  const names = Array.from({ length: QUERIED }, (_, i) => `run-${i}.pftrace`);
  for (const name of names) symlinkSync(join(folder, 'traces', name), join(folder, 'queried', 'traces', name));
  const env = {
    ...process.env,
    PYTHONPATH: perfetto,
    TRACE_PROCESSOR: join(import.meta.dirname, 'trace_processor_shell.mjs'),
  };
  const worst = 'waits[waits["_path"].str.endswith("/run-0.pftrace")]["worst"].max()';
  const oneByOne = 'import multiprocessing\nmultiprocessing.cpu_count = lambda: 1'; // two that start at once may be given the same port
  const { status, stdout, stderr } = spawnSync(
    'python3',
    ['-c', `${oneByOne}\n${sql}\nprint(waits["_path"].nunique(), ${worst})`],
    { cwd: join(folder, 'queried'), encoding: 'utf8', env },
  );
  expect(status, stderr).toBe(0);
  const engine = await openTraceProcessor();
  engine.load(readFileSync(join(folder, 'traces', 'run-0.pftrace')));
  const [{ longest }] = engine.query(
    'SELECT max(dur) AS longest FROM slice JOIN thread_track ON slice.track_id = thread_track.id',
  );
  expect(stdout.trim().split('\n').at(-1)).toBe(`${QUERIED} ${longest}`);
});
