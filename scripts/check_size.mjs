// SPDX-License-Identifier: MIT
// Sizes against their budgets: wasm, first load of the page and what a first conversion adds (gzip), length of C functions.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesBelow, root } from './lib.mjs';

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const gzipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length;

const formats = filesBelow('lib/formats', (path) => path.endsWith('.wasm'));
/** Waits for the first input that needs it: the modules for text, for formats and for reports, and the code that unpacks. */
const waits = (name) =>
  ['tonkopf-text', 'tonkopf-report', 'unpack', ...formats.map((path) => basename(path, '.wasm'))].some((part) =>
    name.startsWith(`${part}-`),
  );

/** What a visitor loads first. */
function firstLoad() {
  const dist = join(root, 'dist');
  if (!existsSync(dist)) return null;
  const assets = readdirSync(join(dist, 'assets'))
    .filter((name) => !waits(name))
    .map((name) => join(dist, 'assets', name));
  return [join(dist, 'index.html'), ...assets].reduce((sum, path) => sum + gzipped(path), 0);
}

/** Lines of each function: from a line that begins a definition to the closing brace in column 0. */
function functionLengths(path) {
  const lengths = [];
  let start = null;
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (start === null && /^[A-Za-z_].*\)\s*\{\s*$/.test(line))
        start = { at: index, name: /(\w+)\s*\(/.exec(line)?.[1] };
      else if (start !== null && line.startsWith('}')) {
        lengths.push({ path, name: start.name, lines: index - start.at + 1 });
        start = null;
      }
    });
  return lengths;
}

const failures = [];
function check(what, value, limit, show = String) {
  const ok = value <= limit;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${what}: ${show(value)} (at most ${show(limit)})`);
  if (!ok) failures.push(what);
}

const budgets = JSON.parse(readFileSync(join(root, 'tests', 'budgets', 'sizes.json'), 'utf8'));
const sizes = Object.fromEntries(
  ['lib/tonkopf.wasm', 'lib/tonkopf-text.wasm', 'lib/tonkopf-report.wasm', ...formats].map((path) => [
    basename(path),
    gzipped(join(root, path)),
  ]),
);
for (const [name, size] of Object.entries(sizes)) check(`${name}, gzip`, size, budgets.wasmGzip[name] ?? 0, kB);
const load = firstLoad();
if (load !== null) {
  check('first load of the page, gzip', load, budgets.firstLoadGzip, kB);
  check(
    'first load and first conversion, gzip',
    load + sizes['tonkopf-tonbandgeraet.wasm'],
    budgets.firstConversionGzip,
    kB,
  );
}

const functions = ['core', 'cli', 'wasm']
  .flatMap((folder) => filesBelow(folder, (path) => path.endsWith('.c')))
  .flatMap(functionLengths);
const lines = functions.map((f) => f.lines).sort((a, b) => a - b);
const longest = functions.reduce((most, f) => (f.lines > most.lines ? f : most), { lines: 0 });
check('median lines of a C function', lines[Math.floor(lines.length / 2)], budgets.functionMedian);
check('lines of nine out of ten C functions', lines[Math.floor(lines.length * 0.9)], budgets.functionP90);
check(`lines of the longest C function (${longest.name} in ${longest.path})`, longest.lines, budgets.functionMax);
process.exit(failures.length ? 1 : 0);
