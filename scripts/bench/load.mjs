// SPDX-License-Identifier: MIT
// Time and memory that the real trace_processor needs for our trace, beside a naive trace of the same track calls
// (tests/tools/naive.mjs), and beside the trace of an earlier build, in the same run.
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

const tool = join(root, 'build', 'native', 'tests', 'tool_feed');

// The naive trace shows tasks as slices, ours as states of threads and runs on cores: what must be the same is everything else.
const QUERIES = [
  'select count(*) from slice',
  'select (select count(*) from thread_state) + (select count(*) from sched_slice)',
  "select count(*) from counter c join track t on t.id = c.track_id where t.name <> ' '",
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

/** Time from one process that loads all in turn; memory never shrinks, so each has a process of its own for it. */
function compareLoads(traces, rounds) {
  const timed = load(rounds, ...traces);
  return traces.map((path, i) => ({ ...timed[i], bytes: statSync(path).size, memory: load(1, path)[0].memory }));
}

const convert = (program, out, files) => JSON.parse(execFileSync(program, ['--report', '--out', out, ...files], { encoding: 'utf8', maxBuffer: 1 << 26 }));

async function measureCase(one, size, { rounds, before }) {
  const { paths, cores } = inputs(one, size);
  const files = paths.map((path, i) => (cores[i] === null ? path : `${path}@${cores[i]}`));
  const traces = ['ours', 'naive', ...(before ? ['before'] : [])].map((name) => join(folder, `${name}.pftrace`));
  try {
    const report = convert(tool, traces[0], files);
    if (before) convert(before, traces[2], files);
    const { scheduling } = await writeNaiveOf(files, traces[1], Number(report.tick.ns));
    const [ours, naive, earlier] = compareLoads(traces, rounds);
    const slices = naive.answers[0] - scheduling;
    if (ours.answers[0] !== slices) throw new Error(`${one.name}: our trace has ${ours.answers[0]} slices, the naive one ${slices}`);
    return { case: one.name, size, events: report.events.total, ours, naive, ...(earlier && { before: earlier }) };
  } finally {
    for (const path of traces) rmSync(path, { force: true });
  }
}

/** only: part of the names of the cases; before: tests/tool_feed of an earlier build. */
export async function measureLoad(size, { only = '', rounds, before }) {
  buildNative(['tool_feed']);
  mkdirSync(folder, { recursive: true });
  const rows = [];
  for (const one of CASES.filter(({ name }) => name.includes(only))) {
    rows.push(await measureCase(one, size, { rounds, before }));
    console.log(progressOf(rows.at(-1)));
  }
  return rows;
}

const ratios = (one, other) => ['seconds', 'bytes', 'memory'].map((key) => (one[key] / other[key]).toFixed(2));
const progressOf = ({ case: name, ours, naive, before }) =>
  `${name}: ${ours.seconds.toFixed(2)} s; time, bytes, memory ${ratios(ours, naive).join(', ')} of the naive trace${before ? `, ${ratios(ours, before).join(', ')} of the earlier build` : ''}`;

function table(rows) {
  const earlier = rows.some(({ before }) => before);
  const cells = rows.map(({ case: name, size, events, ours, naive, before }) => [
    name, size, (ours.bytes / events).toFixed(1), ((ours.seconds * 1e9) / events).toFixed(0), (ours.memory / 2 ** 20).toFixed(0),
    ...ratios(ours, naive), ...(earlier ? (before ? ratios(ours, before) : ['', '', '']) : []), ...ours.answers.map(String),
  ]);
  const compared = (with_what) => ['time', 'bytes', 'memory'].map((what) => `${what} of ${with_what}`);
  return {
    title: 'Loading in trace_processor',
    head: ['case', 'size', 'bytes/event', 'ns/event', 'memory MiB', ...compared('naive'), ...(earlier ? compared('earlier') : []), 'slices', 'states and runs', 'counter values', 'losses told'],
    body: cells,
  };
}

export const showLoad = (rows) => asText(table(rows));
export const loadMarkdown = (rows) => asMarkdown(table(rows));
