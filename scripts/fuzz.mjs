// SPDX-License-Identifier: MIT
// Fuzzes the core with libFuzzer and the sanitizers: npm run fuzz -- [TARGET ...] [--seconds 600] [--runs N] [--jobs N]
//   --seconds, --runs  limits for each target
//   --total N          repeats runs of --seconds (then 60) of all targets until they have N executions together, with those of earlier runs, such as
//                      --total 5e8; a target that finds something is not run again
//   --jobs             number of targets that run at the same time; default: one per processor
//   --report           does not fuzz; prints the totals of all runs so far and the coverage of the core, as tables
//   --merge            does not fuzz; writes the smallest set of inputs with the same coverage to tests/fuzz/corpus/TARGET.pack
// New inputs are collected in build/fuzz/corpus/TARGET, totals in build/fuzz/totals.json. An input that fails is written to
// build/fuzz/TARGET-crash-*; `node tests/fuzz/kept.mjs TARGET NAME FILE` adds it to the repository. tests/CMakeLists.txt defines
// the short seeded runs that are part of every test run.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { keptInputs, writeKept } from '../tests/fuzz/kept.mjs';
import { packCorpus, unpackCorpus } from '../tests/fuzz/pack.mjs';
import { seedsOf } from '../tests/fuzz/seeds.mjs';
import { coverage } from './fuzz_coverage.mjs';
import { buildFuzz } from './cmake.mjs';
import { filesBelow, root } from './lib.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    total: { type: 'string' },
    runs: { type: 'string', default: '-1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    report: { type: 'boolean', default: false },
    merge: { type: 'boolean', default: false },
  },
});
const seconds = values.seconds ?? (values.total ? '60' : '600');
// Largest lengths of inputs in bytes. Inputs of single stages are short, so that many can be tried.
const maxLen = {
  numbers: 64,
  cobs: 300,
  unpack: 600,
  gunzip: 600,
  sources: 2000,
  hdlc: 400,
  records: 300,
  qs_records: 300,
  probe: 600,
  archive: 4096,
  store: 4096,
  encoding: 1024,
  late_tick: 1024,
  model: 600,
  range: 600,
  clock: 600,
  writer: 600,
  report: 400,
  plan: 400,
  symbols: 3000,
  dwarf_lines: 600,
  symbol_names: 300,
  api: 600,
  tracer: 600,
  tracks: 600,
  convert_ctf: 3000,
};
/** Returns the largest length of the inputs of a target. The targets of formats are named decode_NAME and convert_NAME. */
const maxLenOf = (name) =>
  maxLen[name] ?? (name.startsWith('decode_') ? 400 : name.startsWith('convert_') ? 800 : 2048);
const all = filesBelow('tests/fuzz', (path) => /^tests\/fuzz\/\w+\.c$/.test(path)).map((path) => basename(path, '.c'));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`no such target: ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
const targets = positionals.length ? positionals : all;
const folder = join(root, 'build', 'fuzz');
const totalsFile = join(folder, 'totals.json');
const corpus = (name) => join(root, 'tests', 'fuzz', 'corpus', `${name}.pack`);
const gathered = (name) => join(folder, 'corpus', name);

/** Writes the seeds, the corpus and the kept inputs of a target as files. Returns the folders of its inputs for libFuzzer. */
function inputFolders(name) {
  const seeds = join(folder, 'seeds', name);
  rmSync(seeds, { recursive: true, force: true });
  mkdirSync(seeds, { recursive: true });
  mkdirSync(gathered(name), { recursive: true });
  for (const [index, bytes] of [...seedsOf(name), ...unpackCorpus(corpus(name))].entries())
    writeFileSync(join(seeds, String(index)), bytes);
  for (const [input, bytes] of keptInputs(name)) writeFileSync(join(seeds, `kept-${input}`), bytes);
  return [gathered(name), seeds];
}

function fuzzer(name, args, onLine) {
  return new Promise((resolve) => {
    // malloc_context_size=0: call stacks of allocations cost time and are not needed. tests/fuzz/common/heap.c checks the memory of the core.
    const env = { ASAN_OPTIONS: 'malloc_context_size=0:quarantine_size_mb=8', ...process.env };
    const child = spawn(join(folder, 'targets', 'tests', `fuzz_${name}`), args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    let rest = '';
    child.stderr.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine(line);
    });
    child.on('close', resolve);
  });
}

const readTotals = () => (existsSync(totalsFile) ? JSON.parse(readFileSync(totalsFile, 'utf8')) : {});

/** Adds one run to the totals in the file. Reads the file first, because other runs may have changed it. */
function addTotals(name, run) {
  const totals = readTotals();
  const before = totals[name] ?? { executions: 0, seconds: 0, crashes: 0 };
  totals[name] = {
    executions: before.executions + run.executions,
    seconds: before.seconds + run.seconds,
    crashes: before.crashes + run.crashes,
    edges: run.edges || before.edges,
    features: run.features || before.features,
    inputs: readdirSync(gathered(name)).length,
  };
  writeFileSync(totalsFile, JSON.stringify(totals, null, 2));
}

const common = (name) => [
  `-max_len=${maxLenOf(name)}`,
  '-timeout=120',
  '-rss_limit_mb=2048',
  `-artifact_prefix=${join(folder, `${name}-`)}`,
];

async function fuzz(name) {
  const dictionary = join(root, 'tests', 'fuzz', 'dictionaries', `${name}.dict`);
  const args = [
    `-max_total_time=${seconds}`,
    `-runs=${values.runs}`,
    '-print_final_stats=1',
    '-reload=0',
    '-detect_leaks=0',
    '-entropic=0',
    ...common(name),
  ]; // -entropic=0: weighing the inputs takes longer than running them
  if (existsSync(dictionary)) args.push(`-dict=${dictionary}`);
  const run = { executions: 0, edges: 0, features: 0, seconds: 0, crashes: 0 };
  const tail = [];
  const begin = Date.now();
  const status = await fuzzer(name, [...args, ...inputFolders(name)], (line) => {
    run.executions = Number(/number_of_executed_units: (\d+)/.exec(line)?.[1] ?? run.executions);
    run.edges = Number(/cov: (\d+)/.exec(line)?.[1] ?? run.edges);
    run.features = Number(/ft: (\d+)/.exec(line)?.[1] ?? run.features);
    tail.push(line);
    if (tail.length > 60) tail.shift();
  });
  run.seconds = Math.round((Date.now() - begin) / 1000);
  run.crashes = status === 0 ? 0 : 1;
  addTotals(name, run);
  if (status !== 0) console.log(tail.join('\n'));
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name}: ${run.executions} executions in ${run.seconds} s, ${run.edges} edges, ${run.features} features`,
  );
  return status === 0;
}

async function merge(name) {
  const smallest = join(folder, 'merged', name);
  rmSync(smallest, { recursive: true, force: true });
  mkdirSync(smallest, { recursive: true });
  const folders = inputFolders(name);
  const tail = [];
  const status = await fuzzer(name, ['-merge=1', ...common(name), smallest, ...folders], (line) => tail.push(line));
  if (status !== 0) console.log(tail.slice(-60).join('\n'));
  if (status === 0) {
    // The pack contains only the contents: libFuzzer's file names differ between its versions.
    const inputs = readdirSync(smallest).map((file) => readFileSync(join(smallest, file)));
    const packed = packCorpus(corpus(name), inputs);
    rmSync(gathered(name), { recursive: true, force: true });
    mkdirSync(gathered(name), { recursive: true });
    for (const file of readdirSync(smallest))
      writeFileSync(join(gathered(name), file), readFileSync(join(smallest, file)));
    console.log(`ok     ${name}: ${packed} of ${inputs.length} inputs in the tree`);
  }
  return status === 0;
}

/** Runs `work` on targets, --jobs of them at the same time. Returns true if all succeeded. */
async function eachTarget(work, names = targets) {
  const waiting = [...names];
  let good = true;
  const worker = async () => {
    for (let name; (name = waiting.shift());) good = (await work(name)) && good;
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));
  return good;
}

const executions = () => Object.values(readTotals()).reduce((sum, one) => sum + one.executions, 0);

/** Runs all targets again and again, until they have `total` executions together or all have found something. */
async function fuzzUntil(total) {
  const failed = new Set();
  const work = async (name) => {
    const isGood = executions() >= total || (await fuzz(name));
    if (!isGood) failed.add(name);
    return isGood;
  };
  for (let left = targets; left.length && executions() < total; left = left.filter((name) => !failed.has(name)))
    await eachTarget(work, left);
  return failed.size === 0;
}

/** Inputs that failed, in the folder of the builds. */
const found = () => readdirSync(folder).filter((name) => /-(crash|timeout|oom|leak)-/.test(name));

/** Returns true if a target runs whole conversions. The totals count them separately from targets of a single stage. */
const isWhole = (name) => /^(convert|late_tick$|snapshot$|api$)/.test(name);

function printTotals(totals) {
  const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
  console.log('| target | executions | seconds | edges | features | inputs |\n|---|---:|---:|---:|---:|---:|');
  for (const [name, one] of Object.entries(totals).sort())
    console.log(
      `| ${name} | ${count(one.executions)} | ${count(one.seconds)} | ${one.edges} | ${one.features} | ${one.inputs} |`,
    );
  const sum = (whole) =>
    Object.entries(totals).reduce((total, [name, one]) => total + (isWhole(name) === whole ? one.executions : 0), 0);
  console.log(`| stages | ${count(sum(false))} | | | | |\n| whole conversions | ${count(sum(true))} | | | | |`);
  console.log(`| all | ${count(sum(false) + sum(true))} | | | | |`);
  console.log(found().length ? `Inputs that failed:\n${found().join('\n')}` : 'No input failed.');
}

mkdirSync(folder, { recursive: true });
if (values.report) {
  printTotals(readTotals());
  const kept = join(folder, 'kept');
  writeKept(kept);
  await coverage(
    all.map((name) => ({
      name,
      inputs: [gathered(name), join(folder, 'seeds', name), corpus(name), join(kept, name)].filter(existsSync),
    })),
  );
  process.exit(0);
}
buildFuzz(targets.map((name) => `fuzz_${name}`));
const good = values.total ? await fuzzUntil(Number(values.total)) : await eachTarget(values.merge ? merge : fuzz);
printTotals(readTotals());
process.exit(good ? 0 : 1);
