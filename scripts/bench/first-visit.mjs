// SPDX-License-Identifier: MIT
// Measures the first visit to the built page over a slow line, from the start of the navigation until the figures of a demo are painted.
// The visitor opens the demo by its link (#demo=ID), or clicks its button as soon as the button exists. Chromium simulates the line and
// caches nothing.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium as finder, root } from '../lib.mjs';
import { ARGS } from './chromium.mjs';

const dist = join(root, 'dist');
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Serves dist/ as a static server does. compresses: the server compresses all files. Returns { url, close }. */
async function serve(compresses) {
  const packed = new Map();
  const gzip = (path) => packed.get(path) ?? packed.set(path, gzipSync(readFileSync(path), { level: 6 })).get(path);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = normalize(join(dist, pathname === '/' ? 'index.html' : decodeURIComponent(pathname)));
    if (!path.startsWith(dist + sep) || !existsSync(path) || !statSync(path).isFile())
      return void response.writeHead(404).end();
    const type = { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' };
    if (compresses) response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(gzip(path));
    else createReadStream(path).pipe(response.writeHead(200, type));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Runs in the page before its scripts. Clicks the button of a demo as soon as it exists (title null: no click), and records when the figures are painted. */
function watch(title) {
  window.visit = { buttons: 0, shown: 0, loadedBytes: 0 };
  new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('button.demo')];
    if (buttons.length && !window.visit.buttons) {
      window.visit.buttons = performance.now();
      if (title !== null) buttons.find((button) => button.querySelector('b').textContent === title).click();
    }
    if (window.visit.shown || !document.querySelector('.figures')) return;
    window.visit.shown = -1; // painting has begun; schedules the callback only once
    requestAnimationFrame(() =>
      setTimeout(() => {
        window.visit.shown = performance.now();
      }),
    );
  }).observe(document, { childList: true, subtree: true });
}

async function once(browser, url, line, title) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latency,
      downloadThroughput: (line.mbit * 1e6) / 8,
      uploadThroughput: (line.mbit * 1e6) / 8,
    });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(watch, title);
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.visit?.shown > 0, null, { timeout: 60_000 });
    const { buttons, shown } = await page.evaluate(() => window.visit);
    return { seconds: shown / 1000, pageSeconds: buttons / 1000, bytes };
  } finally {
    await context.close();
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Measures the first visit to each demo. Returns medians: seconds by link and by click, and bytes over the line. line: { mbit, latency } of the simulated line; latency in ms. */
export async function firstVisits({ runs, line, compresses }) {
  const { make_demos } = await import('../generate-demos.mjs');
  const { chromium } = await import('playwright-core');
  const { url, close } = await serve(compresses);
  const rows = [];
  for (const { id, title } of make_demos().demos) {
    const visits = { link: [], click: [] };
    for (let run = 0; run < runs; run++)
      for (const [way, address, clicked] of [
        ['link', `${url}#demo=${id}`, null],
        ['click', url, title],
      ]) {
        const browser = await chromium.launch({ executablePath: finder(), args: ARGS }); // a new browser has no cached code
        visits[way].push(await once(browser, address, line, clicked));
        await browser.close();
      }
    const of = (way, key) => median(visits[way].map((visit) => visit[key]));
    rows.push({
      id,
      link: of('link', 'seconds'),
      click: of('click', 'seconds'),
      page: of('click', 'pageSeconds'),
      bytes: of('click', 'bytes'),
    });
  }
  close();
  return rows;
}

export const visitTable = (rows) =>
  [
    '| demo | by its link | by a click at once | page shown | bytes over the line |',
    '|---|---:|---:|---:|---:|',
    ...rows.map(({ id, link, click, page, bytes }) => {
      const seconds = [link, click, page].map((value) => `${value.toFixed(2)} s`).join(' | ');
      return `| ${id} | ${seconds} | ${Math.round(bytes / 1000)} kB |`;
    }),
  ].join('\n');
