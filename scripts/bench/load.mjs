// SPDX-License-Identifier: MIT
// Measures time and memory that the real trace_processor needs to load our trace, in Node and in Chromium. For comparison it also loads a naive trace
// of the same track calls (tests/tools/naive.mjs), the trace of an earlier build (--before) and, for a sample, the trace of the original converter.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { buildNative } from '../cmake.mjs';
import { root } from '../lib.mjs';
import { writeNaive } from '../../tests/tools/naive.mjs';
import { CASES, folder, inputs } from './cases.mjs';
import { loadInChromium } from './load-chromium.mjs';
import { asMarkdown, asText } from './rows.mjs';

const tool = join(root, 'build', 'native', 'tests', 'tool_feed');

// Queries that count what a trace contains. Only the number of slices is compared: the naive trace also shows tasks as slices, our trace as states of
// threads and runs on cores, so the slices of tasks are subtracted.
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

const noTrace = '/dev/null';

/**
 * Returns the costs of each trace by its name. One process loads all traces in turn to measure times. Memory of a process never shrinks, so each trace is
 * also loaded in a separate process; the memory for an empty trace is subtracted.
 */
async function compareLoads(traces, rounds) {
  const paths = Object.values(traces),
    timed = load(rounds, ...paths),
    chromium = await loadInChromium(rounds, paths);
  const empty = load(1, noTrace)[0].memory;
  return Object.fromEntries(
    Object.entries(traces).map(([name, path], i) => [
      name,
      { ...timed[i], chromium: chromium[i], bytes: statSync(path).size, memory: load(1, path)[0].memory - empty },
    ]),
  );
}

const convert = (program, out, files) =>
  JSON.parse(execFileSync(program, ['--report', '--out', out, ...files], { encoding: 'utf8', maxBuffer: 1 << 26 }));

async function measureCase({ name, files, size, original }, { rounds, before }) {
  const traces = { ours: join(folder, 'ours.pftrace'), naive: join(folder, 'naive.pftrace') };
  if (before) traces.before = join(folder, 'before.pftrace');
  if (original) traces.original = join(folder, 'original.pftrace');
  try {
    const report = convert(tool, traces.ours, files);
    if (before) convert(before, traces.before, files);
    if (original) writeFileSync(traces.original, original());
    const { scheduling } = await writeNaiveOf(files, traces.naive, Number(report.tick.ns));
    const loads = await compareLoads(traces, rounds);
    const slices = loads.naive.answers[0] - scheduling;
    if (loads.ours.answers[0] !== slices)
      throw new Error(`${name}: our trace has ${loads.ours.answers[0]} slices, the naive one ${slices}`);
    return { case: name, size, events: report.events.total, ...loads };
  } finally {
    for (const path of Object.values(traces)) rmSync(path, { force: true });
  }
}

function generated(one, size) {
  return { name: one.name, size, files: inputs(one, size).files };
}

/** Returns a sample with the trace that the original converter made of it; [] without TONKOPF_SAMPLES. */
function sampled() {
  const path = join(process.env.TONKOPF_SAMPLES ?? '', 'tonbandgeraet', 'posix_snapshot_600k');
  if (!process.env.TONKOPF_SAMPLES || !existsSync(`${path}.bin`)) return [];
  return [
    {
      name: 'FreeRTOS, a sample',
      size: '600k',
      files: [`${path}.bin`],
      original: () => gunzipSync(readFileSync(`${path}.ref.pftrace.gz`)),
    },
  ];
}

/** Measures all cases. only: part of the names of the cases to measure. before: tests/tool_feed of an earlier build. */
export async function measureLoad(size, { only = '', rounds, before }) {
  buildNative(['tool_feed']);
  mkdirSync(folder, { recursive: true });
  const rows = [];
  const cases = [...CASES.map((one) => () => generated(one, size)), ...sampled().map((one) => () => one)];
  const names = [...CASES, ...sampled()].map(({ name }) => name);
  for (const [i, caseOf] of cases.entries()) {
    if (!names[i].includes(only)) continue;
    rows.push(await measureCase(caseOf(), { rounds, before }));
    console.log(progressOf(rows.at(-1)));
  }
  return rows;
}

const COMPARED = { naive: 'naive', before: 'earlier', original: 'original' };
const FIGURES = { seconds: 'time', chromium: 'time in Chromium', bytes: 'bytes', memory: 'memory' };

/** Returns a figure of our trace relative to the same figure of another trace; "" if one of them is missing. */
const ratio = (row, other, key) =>
  row[other]?.[key] && row.ours[key] ? (row.ours[key] / row[other][key]).toFixed(2) : '';
/** Returns the comparisons that the rows allow: [name of the other trace, key of the figure, title]. */
const comparisons = (rows) =>
  Object.keys(COMPARED).flatMap((other) =>
    Object.keys(FIGURES).flatMap((key) =>
      rows.some((row) => ratio(row, other, key)) ? [[other, key, `${FIGURES[key]} of ${COMPARED[other]}`]] : [],
    ),
  );
const progressOf = (row) =>
  `${row.case}: ${row.ours.seconds.toFixed(2)} s; ${comparisons([row])
    .map(([other, key, title]) => `${title} ${ratio(row, other, key)}`)
    .join(', ')}`;

function table(rows) {
  const compared = comparisons(rows);
  const perEvent = (seconds, events) => (seconds === undefined ? '' : ((seconds * 1e9) / events).toFixed(0));
  const cells = rows.map((row) => {
    const { case: name, size, events, ours } = row;
    return [
      name,
      size,
      (ours.bytes / events).toFixed(1),
      perEvent(ours.seconds, events),
      perEvent(ours.chromium, events),
      (ours.memory / 2 ** 20).toFixed(0),
      ...compared.map(([other, key]) => ratio(row, other, key)),
      ...ours.answers.map(String),
    ];
  });
  return {
    title: 'Loading in trace_processor',
    head: [
      'case',
      'size',
      'bytes/event',
      'ns/event',
      'ns/event in Chromium',
      'memory MiB',
      ...compared.map(([, , title]) => title),
      'slices',
      'states and runs',
      'counter values',
      'losses told',
    ],
    body: cells,
  };
}

/** Returns a Markdown table that compares our traces with those of an earlier build and of the original converter. */
export function againstMarkdown(rows) {
  const found = rows.flatMap((row) =>
    ['before', 'original'].filter((other) => row[other]).map((other) => ({ row, other })),
  );
  if (!found.length) return '*not measured*';
  const compared = { before: 'a packet for each state', original: 'the original converter' };
  return asMarkdown({
    head: ['recording', 'against', ...Object.values(FIGURES)],
    body: found.map(({ row, other }) => [
      `${row.case}, ${row.size}`,
      compared[other],
      ...Object.keys(FIGURES).map((key) => ratio(row, other, key)),
    ]),
  });
}

export const showLoad = (rows) => asText(table(rows));
