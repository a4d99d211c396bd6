// SPDX-License-Identifier: MIT
// Measures the built page in Chromium, from the choice of the files to the figures on the screen. Each run opens a new page. Two injected
// scripts measure times that the page does not report: one observes the elements of the page, one runs in its worker before the code.
import { join } from 'node:path';
import { chromium as finder, root } from '../lib.mjs';
import { tabUse } from './tab.mjs';

export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const LONGEST_MS = 15 * 60_000;

/** Runs in the page before its scripts. Records the times at which files were chosen and the first and final figures were painted. */
function spyOnPage(workerSpy) {
  const times = { chosen: 0, begun: 0, shown: 0 };
  window.benchTimes = times;
  const painted = (key) =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        times[key] ||= performance.now();
      }),
    );
  document.addEventListener(
    'change',
    () => {
      times.chosen ||= performance.now();
    },
    true,
  );
  new MutationObserver(() => {
    if (!times.begun && document.querySelector('.conversion-progress')) painted('begun');
    if (!times.shown && document.querySelector('.figures')) painted('shown');
  }).observe(document, { childList: true, subtree: true });
  const Plain = window.Blob;
  window.Blob = class extends Plain {
    constructor(parts, options) {
      super(options?.type?.startsWith('text/javascript') ? [workerSpy, '\n', ...parts] : parts, options);
    }
  };
}

/** Runs in the worker before its code. Measures the time inside the calls of a conversion. */
function spyOnWorker() {
  self.benchSeconds = 0;
  const timed =
    (call) =>
    (...args) => {
      const begin = performance.now();
      const result = call(...args);
      self.benchSeconds += (performance.now() - begin) / 1000;
      return result;
    };
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = async (...args) => {
    const { exports } = await instantiate(...args);
    const calls = ['tk_conversion_next', 'tk_conversion_answer'].map((name) => [name, timed(exports[name])]);
    return { exports: { ...exports, ...Object.fromEntries(calls) } };
  };
}

/** Returns the seconds that the converting worker spent inside the core. */
async function coreSeconds(page) {
  return Math.max(...(await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.benchSeconds)))));
}

/** Returns the seconds from the click on Download to the complete trace. The page has only read a long recording before; the click starts its conversion. */
async function secondsToTrace(page) {
  const begin = performance.now();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: LONGEST_MS }),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  await download.cancel();
  return seconds;
}

async function once(browser, url, paths, makesTrace) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(spyOnPage, `(${spyOnWorker})();`);
    await page.goto(url, { waitUntil: 'networkidle' });
    const before = await tabUse(browser);
    await page.locator('input[type=file][multiple]').setInputFiles(paths);
    await page.waitForFunction(() => window.benchTimes.shown > 0, null, { timeout: LONGEST_MS });
    const { chosen, begun, shown, end, events, wasmBytes, bytesOut } = await page.evaluate(() => {
      const [{ startTime, duration, detail }] = performance.getEntriesByName('conversion');
      return { ...window.benchTimes, ...detail, end: startTime + duration };
    });
    const after = await tabUse(browser);
    const inCore = await coreSeconds(page);
    return {
      ...(bytesOut === 0 && makesTrace ? { traceSeconds: await secondsToTrace(page) } : {}),
      seconds: (end - chosen) / 1000,
      begunSeconds: ((begun || shown) - chosen) / 1000,
      shownSeconds: (shown - chosen) / 1000,
      events,
      memory: wasmBytes,
      coreSeconds: inCore,
      tabPeak: after.peak,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    };
  } finally {
    await context.close();
  }
}

/** Serves the built page. Returns { url, close }. */
export async function servePage() {
  const vite = await import('vite');
  const server = await vite.preview({
    configFile: join(root, 'web', 'vite.config.ts'),
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'error',
  });
  return { url: server.resolvedUrls.local[0], close: () => new Promise((done) => server.httpServer.close(done)) };
}

/** Serves the built page. Returns { measure, close }. */
export async function openPage() {
  const { chromium } = await import('playwright-core');
  const { url, close } = await servePage();
  const start = () => chromium.launch({ executablePath: finder(), args: ARGS });

  /**
   * Measures a recording, in a new browser. Times from the choice of the files: `seconds` to the last block and the report (best run), `begunSeconds` and
   * `shownSeconds` to the first and final figures on the screen (worst run). `traceSeconds`: from the click on Download to the complete trace, if the page
   * only read the recording before (best run). `coreSeconds`: time inside the core. `cpuSeconds`: processor time of the tab (best run). `memory` of the
   * module and `tabPeak` of the process are peaks in bytes.
   */
  async function measure({ paths }, runs, makesTrace = true) {
    const browser = await start();
    try {
      const all = [];
      for (let i = 0; i < runs; i++) all.push(await once(browser, url, paths, makesTrace));
      const best = all.reduce((a, b) => (b.seconds < a.seconds ? b : a));
      const traces = all.flatMap(({ traceSeconds }) => traceSeconds ?? []);
      const worst = (key) => Math.max(...all.map((one) => one[key]));
      return {
        ...best,
        ...(traces.length && { traceSeconds: Math.min(...traces) }),
        shownSeconds: worst('shownSeconds'),
        begunSeconds: worst('begunSeconds'),
        tabPeak: worst('tabPeak'),
        cpuSeconds: Math.min(...all.map(({ cpuSeconds }) => cpuSeconds)),
        version: browser.version(),
      };
    } finally {
      await browser.close();
    }
  }
  return { measure, close };
}
