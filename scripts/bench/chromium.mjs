// SPDX-License-Identifier: MIT
// The built page in Chromium, as a person uses it: files are chosen, then the page shows what it found. Each run has a
// page of its own. What the page cannot tell, two spies do: one on the page's elements, one in front of its worker's code.
//   node scripts/bench/chromium.mjs FILE...      the files of one recording; build the page first
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as finder, root } from '../lib.mjs';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LONGEST_MS = 15 * 60_000;

export async function prepare({ build = true } = {}) {
  if (!build && existsSync(join(root, 'dist', 'index.html'))) return;
  const { build_page } = await import('../build.mjs');
  await build_page();
}

/** Runs in the page, before its scripts: when files were chosen, when first and final figures were painted. */
function spyOnPage(workerSpy) {
  const times = { chosen: 0, begun: 0, shown: 0 };
  window.benchTimes = times;
  const painted = (key) => requestAnimationFrame(() => setTimeout(() => { times[key] ||= performance.now(); }));
  document.addEventListener('change', () => { times.chosen ||= performance.now(); }, true);
  new MutationObserver(() => {
    if (!times.begun && document.querySelector('.playing')) painted('begun');
    if (!times.shown && document.querySelector('.figures')) painted('shown');
  }).observe(document, { childList: true, subtree: true });
  const Plain = window.Blob;
  window.Blob = class extends Plain {
    constructor(parts, options) {
      super(options?.type?.startsWith('text/javascript') ? [workerSpy, '\n', ...parts] : parts, options);
    }
  };
}

/** Runs in the worker, before its code: time inside the calls of a conversion. */
function spyOnWorker() {
  self.benchSeconds = 0;
  const timed = (call) => (...args) => {
    const begin = performance.now();
    const result = call(...args);
    self.benchSeconds += (performance.now() - begin) / 1000;
    return result;
  };
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = async (...args) => {
    const { exports } = await instantiate(...args);
    const calls = ['tkw_feed', 'tkw_end_input', 'tkw_finish'].map((name) => [name, timed(exports[name])]);
    return { exports: { ...exports, ...Object.fromEntries(calls) } };
  };
}

/** Time inside the core of the worker that converted. */
async function coreSeconds(page) {
  return Math.max(...(await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.benchSeconds)))));
}

const procFile = (pid, name) => (existsSync(`/proc/${pid}/${name}`) ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '');

/**
 * The renderer process with the page: its highest resident memory (the trace itself, kept as blocks, is part of it) and its
 * processor time so far, which is known in steps of 10 ms. Zeros where the system does not tell.
 */
async function tabUse(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const uses = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    const [, user = 0, system = 0] = /\) \w (?:\S+ ){10}(\d+) (\d+)/.exec(procFile(id, 'stat')) ?? [];
    return { peak: Number(/VmHWM:\s*(\d+)/.exec(procFile(id, 'status'))?.[1] ?? 0) * 1024, cpuSeconds: (Number(user) + Number(system)) / 100 };
  });
  const total = (key) => uses.reduce((sum, use) => sum + use[key], 0);
  return { peak: Math.max(0, ...uses.map(({ peak }) => peak)), cpuSeconds: total('cpuSeconds') };
}

async function once(browser, url, paths) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(spyOnPage, `(${spyOnWorker})();`);
    await page.goto(url, { waitUntil: 'networkidle' });
    const before = await tabUse(browser);
    await page.locator('input[type=file]').setInputFiles(paths);
    await page.waitForFunction(() => window.benchTimes.shown > 0, null, { timeout: LONGEST_MS });
    const { chosen, begun, shown, end, events, wasmBytes } = await page.evaluate(() => {
      const [{ startTime, duration, detail }] = performance.getEntriesByName('conversion');
      return { ...window.benchTimes, ...detail, end: startTime + duration };
    });
    const after = await tabUse(browser);
    return {
      seconds: (end - chosen) / 1000, begunSeconds: ((begun || shown) - chosen) / 1000, shownSeconds: (shown - chosen) / 1000, events, memory: wasmBytes,
      coreSeconds: await coreSeconds(page), tabPeak: after.peak, cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    };
  } finally {
    await context.close();
  }
}

/** Opens the page's server; `measure` starts a browser for each recording. */
export async function openPage() {
  const { chromium } = await import('playwright-core');
  const vite = await import('vite');
  const server = await vite.preview({ configFile: join(root, 'web', 'vite.config.ts'), preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error' });
  const [url] = server.resolvedUrls.local;
  const start = () => chromium.launch({ executablePath: finder(), args: ARGS });

  /**
   * From the choice of the files: `seconds` to the last block and report (best of the runs), `begunSeconds` and `shownSeconds` to first and final figures
   * on the screen (worst of the runs); `coreSeconds` inside the core; `cpuSeconds` processor time of the tab (least of the runs). Peaks: `memory` of the module, `tabPeak` of the process.
   */
  async function measure({ paths }, runs) {
    const browser = await start();
    try {
      const all = [];
      for (let i = 0; i < runs; i++) all.push(await once(browser, url, paths));
      const best = all.reduce((a, b) => (b.seconds < a.seconds ? b : a));
      const worst = (key) => Math.max(...all.map((one) => one[key]));
      return { ...best, shownSeconds: worst('shownSeconds'), begunSeconds: worst('begunSeconds'), tabPeak: worst('tabPeak'), cpuSeconds: Math.min(...all.map(({ cpuSeconds }) => cpuSeconds)), version: browser.version() };
    } finally {
      await browser.close();
    }
  }
  return { measure, close: () => new Promise((done) => server.httpServer.close(done)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await openPage();
  const paths = process.argv.slice(2);
  const figures = await page.measure({ paths }, 3);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  console.log({ ...figures, 'MB/s': bytes / figures.seconds / 1e6 });
  await page.close();
}
