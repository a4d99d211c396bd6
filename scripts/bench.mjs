// SPDX-License-Identifier: MIT
// Speed, output size and memory on generated recordings, native and WebAssembly in Node; a table, and JSON in
// build/bench.json. `--compare FILE` shows the change against an earlier JSON; `--only NAME`, `--size 10M` narrow it.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildNative, root } from './lib.mjs';

const CASES = [
  { name: 'FreeRTOS, one core', words: [], files: ['.bin'] },
  { name: 'two cores, one file', words: ['--cores', '2'], files: ['.bin'] },
  { name: 'two cores, two files', words: ['--cores', '2', '--split'], files: ['.core0.bin', '.core1.bin'] },
  { name: 'bare metal', words: ['--mode', 'bare-metal'], files: ['.bin'] },
  { name: 'damaged (1 byte in 2000)', words: ['--corrupt', '5e-4'], files: ['.bin'] },
];

const folder = join(root, 'build', 'bench');

/** Files of a case, generated once. */
function inputs({ name, words, files }, size) {
  const stem = join(folder, `${name.replace(/\W+/g, '-')}-${size}`);
  const paths = files.map((suffix) => stem + suffix);
  if (!paths.every((path) => existsSync(path))) {
    const output = files.length > 1 ? stem : paths[0];
    execFileSync(process.execPath, [join(root, 'scripts', 'generator', 'big.mjs'), '--bytes', size, ...words, '--output', output], { stdio: 'ignore' });
  }
  return paths;
}

function native(paths, runs) {
  const tool = join(root, 'build', 'native', 'tests', 'tool_bench');
  const args = paths.map((path, index) => (paths.length > 1 ? `${path}@${index}` : path));
  return JSON.parse(execFileSync(tool, [String(runs), ...args], { encoding: 'utf8' }));
}

/** Processor time inside feed() only, like the native figure. */
async function wasm_once(Core, module, paths) {
  const core = await Core.open(module);
  core.begin();
  const files = paths.map((path, index) => {
    core.addInput(path, false, paths.length > 1 ? index : null);
    return { fd: openSync(path, 'r'), slice: Buffer.alloc(256 * 1024), at: 0, len: 0, ended: false };
  });
  let seconds = 0;
  let bytesOut = 0;
  const timed = (act) => {
    const begin = process.cpuUsage();
    const result = act();
    const { user, system } = process.cpuUsage(begin);
    seconds += (user + system) / 1e6;
    bytesOut += core.takeOutput()?.length ?? 0;
    return result;
  };
  for (;;) {
    const wanted = core.wanted;
    const input = wanted === -1 ? files.findIndex((file) => !file.ended) : wanted;
    if (input < 0) break;
    const file = files[input];
    if (file.at === file.len) [file.at, file.len] = [0, readSync(file.fd, file.slice)];
    file.ended = file.len === 0;
    if (file.ended) timed(() => core.endInput(input));
    else file.at += timed(() => core.feed(input, file.slice.subarray(file.at, file.len)));
  }
  timed(() => core.finish());
  for (const { fd } of files) closeSync(fd);
  return { seconds, bytesOut, memory: core.memoryBytes };
}

async function wasm(Core, module, paths, runs) {
  let best = null;
  for (let i = 0; i < runs; i++) {
    const one = await wasm_once(Core, module, paths);
    if (!best || one.seconds < best.seconds) best = one;
  }
  return best;
}

async function measure(one, size, runs, Core, module) {
  const paths = inputs(one, size);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const figures = native(paths, runs);
  const inNode = await wasm(Core, module, paths, Math.min(runs, 3));
  if (inNode.bytesOut !== figures.bytesOut) throw new Error(`${one.name}: WebAssembly wrote ${inNode.bytesOut} bytes, native ${figures.bytesOut}`);
  return {
    case: one.name, size, bytes, events: figures.events,
    native: bytes / figures.seconds / 1e6, floor: bytes / figures.floorSeconds / 1e6, ofFloor: figures.floorSeconds / figures.seconds,
    nsPerEvent: (figures.seconds * 1e9) / figures.events, wasm: bytes / inNode.seconds / 1e6, wasmOfNative: figures.seconds / inNode.seconds,
    outPerIn: figures.bytesOut / bytes, heapMiB: figures.heapPeak / 2 ** 20, rssMiB: figures.rssPeak / 2 ** 20, wasmMiB: inNode.memory / 2 ** 20,
  };
}

const COLUMNS = [
  ['native', 'native MB/s', 0], ['floor', 'floor MB/s', 0], ['ofFloor', 'of floor', 2], ['nsPerEvent', 'ns/event', 1], ['wasm', 'wasm MB/s', 0],
  ['wasmOfNative', 'of native', 2], ['outPerIn', 'out/in', 2], ['heapMiB', 'heap MiB', 1], ['rssMiB', 'RSS MiB', 1], ['wasmMiB', 'wasm MiB', 1],
];

function print(row, before) {
  const cells = COLUMNS.map(([key, title, digits]) => {
    const change = before?.[key] ? ` (${((row[key] / before[key] - 1) * 100).toFixed(0)} %)` : '';
    return `${title} ${row[key].toFixed(digits)}${change}`;
  });
  console.log(`${row.case}, ${row.size}: ${cells.join(', ')}`);
}

const { values } = parseArgs({ options: { compare: { type: 'string' }, only: { type: 'string' }, size: { type: 'string' }, runs: { type: 'string', default: '7' } } });
mkdirSync(folder, { recursive: true });
buildNative(['tool_bench']);
const { build_wasm } = await import('./build_wasm.mjs');
build_wasm();
// Node cannot import TypeScript: the wrapper is bundled for this run.
const { build } = await import('vite');
await build({ configFile: false, root, logLevel: 'error', build: { ssr: true, outDir: folder, emptyOutDir: false, rollupOptions: { input: join(root, 'wasm', 'tonkopf.ts'), output: { entryFileNames: 'core.mjs' } } } });
const { Core } = await import(join(folder, 'core.mjs'));
const module = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
const earlier = values.compare ? JSON.parse(readFileSync(values.compare, 'utf8')) : [];
const rows = [];
for (const one of CASES.filter(({ name }) => !values.only || name.includes(values.only))) {
  for (const size of values.size ? [values.size] : ['1M', '10M', '100M']) {
    const row = await measure(one, size, Number(values.runs), Core, module);
    rows.push(row);
    print(row, earlier.find((old) => old.case === row.case && old.size === row.size));
  }
}
writeFileSync(join(root, 'build', 'bench.json'), `${JSON.stringify(rows, null, 2)}\n`);
console.log(`figures in ${fileURLToPath(new URL('../build/bench.json', import.meta.url))}`);
