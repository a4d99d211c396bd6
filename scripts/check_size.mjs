// SPDX-License-Identifier: MIT
// Checks compressed sizes (gzip) against their budgets: `npm run size`. Checks the WebAssembly module, and the files that a browser loads before it shows the page.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './lib.mjs';

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const gzipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length;

/** Returns the compressed size of the page without the module, which the browser loads at low priority; null: the page is not built. */
function firstLoad() {
  const dist = join(root, 'dist');
  if (!existsSync(dist)) return null;
  const assets = readdirSync(join(dist, 'assets')).filter((name) => !name.endsWith('.wasm'));
  return [join(dist, 'index.html'), ...assets.map((name) => join(dist, 'assets', name))].reduce(
    (sum, path) => sum + gzipped(path),
    0,
  );
}

const failures = [];
function check(what, value, limit) {
  const ok = value <= limit;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${what}, gzip: ${kB(value)} (at most ${kB(limit)})`);
  if (!ok) failures.push(what);
}

const budgets = JSON.parse(readFileSync(join(root, 'tests', 'budgets', 'sizes.json'), 'utf8'));
check('tonkopf.wasm', gzipped(join(root, 'lib', 'tonkopf.wasm')), budgets.moduleGzip);
const load = firstLoad();
if (load !== null) check('first load of the page without the module', load, budgets.firstLoadGzip);
process.exit(failures.length ? 1 : 0);
