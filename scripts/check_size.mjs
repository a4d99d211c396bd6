// SPDX-License-Identifier: MIT
// Checks compressed sizes (gzip) against their budgets: `npm run size`. Checks the WebAssembly module, the files that a browser loads before it shows the page,
// those of the timeline, which it loads after that, those that the timeline loads with the first selection, and those of live recordings.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './lib.mjs';

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const gzipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length;

const dist = join(root, 'dist');
const assets = existsSync(dist) ? readdirSync(join(dist, 'assets')).map((name) => join(dist, 'assets', name)) : [];
const isOfTimeline = (path) => /^timeline-/.test(basename(path));
const isOfLive = (path) => /^live-/.test(basename(path));
const isOfSelection = (path) => /^more-/.test(basename(path));
const isOfResults = (path) => /^(results|figure-tabs)-/.test(basename(path));
const sum = (paths) => paths.reduce((all, path) => all + gzipped(path), 0);

const failures = [];
function check(what, value, limit) {
  const ok = value <= limit;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${what}, gzip: ${kB(value)} (at most ${kB(limit)})`);
  if (!ok) failures.push(what);
}

const budgets = JSON.parse(readFileSync(join(root, 'tests', 'budgets', 'sizes.json'), 'utf8'));
check('tonkopf.wasm', gzipped(join(root, 'lib', 'tonkopf.wasm')), budgets.moduleGzip);
if (assets.length) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = assets.filter((path) => !path.endsWith('.wasm') && html.includes(basename(path)));
  check('first load of the page without the module', sum([join(dist, 'index.html'), ...first]), budgets.firstLoadGzip);
  check('timeline', sum(assets.filter(isOfTimeline)), budgets.timelineGzip);
  check('figures and tables', sum(assets.filter(isOfResults)), budgets.resultsGzip);
  check('live recordings', sum(assets.filter(isOfLive)), budgets.liveGzip);
  check('selections in the timeline', sum(assets.filter(isOfSelection)), budgets.selectionGzip);
}
process.exit(failures.length ? 1 : 0);
