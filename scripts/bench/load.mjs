// SPDX-License-Identifier: MIT
// Time and memory that the real trace_processor needs for our trace, beside a naive trace of the same track calls
// (tests/tools/naive.mjs), in the same run.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildNative } from '../builds.mjs';
import { root } from '../lib.mjs';
import { writeNaive } from '../../tests/tools/naive.mjs';
import { CASES, folder, inputs } from './cases.mjs';
import { asMarkdown, asText } from './rows.mjs';

const MEASURED = ['FreeRTOS, one core', 'bare metal', 'markers, every text another'];
const ROUNDS = 9;
const tool = join(root, 'build', 'native', 'tests', 'tool_feed');

// The naive trace shows tasks as slices, ours as states of threads and runs on cores: what must be the same is their sum.
const QUERIES = [
  'select (select count(*) from slice) + (select count(*) from thread_state) + (select count(*) from sched_slice)',
  'select count(*) from counter',
  "select ifnull(sum(value), 0) from stats where severity in ('error', 'data_loss')",
];

async function writeNaiveOf(files, path, tickNs) {
  const child = spawn(tool, ['--dump', 'tracks', '--json', ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
  return writeNaive(createInterface({ input: child.stdout }), path, tickNs);
}

function load(rounds, ...paths) {
  const script = fileURLToPath(new URL('load-run.mjs', import.meta.url));
  const words = ['--max-old-space-size=8192', script, String(rounds), JSON.stringify(QUERIES), ...paths];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 1 << 24 }));
}

/** Time from one process that loads both in turn; memory never shrinks, so each has a process of its own for it. */
function compareLoads(traces) {
  const timed = load(ROUNDS, ...traces);
  return traces.map((path, i) => ({ ...timed[i], bytes: statSync(path).size, memory: load(1, path)[0].memory }));
}

async function measureCase(one, size) {
  const { paths, cores } = inputs(one, size);
  const files = paths.map((path, i) => (cores[i] === null ? path : `${path}@${cores[i]}`));
  const traces = ['ours', 'naive'].map((name) => join(folder, `${name}.pftrace`));
  try {
    const report = JSON.parse(execFileSync(tool, ['--report', '--out', traces[0], ...files], { encoding: 'utf8', maxBuffer: 1 << 26 }));
    await writeNaiveOf(files, traces[1], Number(report.tick.ns));
    const [ours, naive] = compareLoads(traces);
    if (ours.answers[0] !== naive.answers[0]) throw new Error(`${one.name}: our trace has ${ours.answers[0]} slices, states and runs, the naive one ${naive.answers[0]}`);
    return { case: one.name, size, events: report.events.total, ours, naive };
  } finally {
    for (const path of traces) rmSync(path, { force: true });
  }
}

export async function measureLoad(size) {
  buildNative(['tool_feed']);
  mkdirSync(folder, { recursive: true });
  const rows = [];
  for (const name of MEASURED) rows.push(await measureCase(CASES.find((one) => one.name === name), size));
  return rows;
}

function table(rows) {
  const cells = rows.flatMap(({ case: name, size, events, ours, naive }) => [['Tonkopf', ours], ['naive', naive]].map(([who, one]) => [
    `${name}, ${who}`, size, (one.bytes / events).toFixed(1), ((one.seconds * 1e9) / events).toFixed(0), (one.memory / 2 ** 20).toFixed(0), (one.memory / events).toFixed(0),
    one === ours ? (naive.seconds / ours.seconds).toFixed(2) : '', ...one.answers.map(String),
  ]));
  return { title: 'Loading in trace_processor', head: ['trace', 'size', 'bytes/event', 'ns/event', 'memory MiB', 'memory bytes/event', 'times as fast', 'slices, states, runs', 'counter values', 'losses told'], body: cells };
}

export const showLoad = (rows) => asText(table(rows));
export const loadMarkdown = (rows) => asMarkdown(table(rows));
