// SPDX-License-Identifier: MIT
// The built page in Chromium, as a person uses it: files are chosen, then the page shows what it found. Each run has a
// page of its own. What the page cannot tell, two spies do: one on the page's elements, one in front of its worker's code.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as finder, root } from '../lib.mjs';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LONGEST_MS = 300_000;

export async function prepare({ build = true } = {}) {
  if (!build && existsSync(join(root, 'dist', 'index.html'))) return;
  const { build_page } = await import('../build.mjs');
  await build_page();
}

/** Runs in the page, before its scripts. */
function spyOnPage(workerSpy) {
  const times = { chosen: 0, begun: 0, figures: 0 };
  window.benchTimes = times;
  document.addEventListener('change', () => { times.chosen ||= performance.now(); }, true);
  new MutationObserver(() => {
    if (!times.begun && document.querySelector('.playing')) times.begun = performance.now();
    if (!times.figures && document.querySelector('.figures')) times.figures = performance.now();
  }).observe(document, { childList: true, subtree: true });
  const Plain = window.Blob;
  window.Blob = class extends Plain {
    constructor(parts, options) {
      super(options?.type?.startsWith('text/javascript') ? [workerSpy, '\n', ...parts] : parts, options);
    }
  };
}

/** Runs in the worker, before its code: keeps the largest memory and the time inside the calls of a conversion. */
function spyOnWorker() {
  const seen = { seconds: 0, memories: [] };
  self.benchSeen = seen;
  const timed = (call) => (...args) => {
    const begin = performance.now();
    const result = call(...args);
    seen.seconds += (performance.now() - begin) / 1000;
    return result;
  };
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = async (...args) => {
    const { exports } = await instantiate(...args);
    seen.memories.push(exports.memory);
    const calls = ['tkw_feed', 'tkw_end_input', 'tkw_finish'].map((name) => [name, timed(exports[name])]);
    return { exports: { ...exports, ...Object.fromEntries(calls) } };
  };
}

/** What the spies in the workers saw: time inside the core, and the largest memory of a core. */
async function askWorkers(page) {
  const seen = await Promise.all(page.workers().map((worker) => worker.evaluate(() => {
    const { seconds, memories } = self.benchSeen;
    return { seconds, memory: Math.max(0, ...memories.map(({ buffer }) => buffer.byteLength)) };
  })));
  return { coreSeconds: Math.max(...seen.map(({ seconds }) => seconds)), memory: Math.max(...seen.map(({ memory }) => memory)) };
}

/** Highest resident memory of the renderer process with the page; the trace itself, kept as blocks, is part of it. */
async function tabPeak(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    const text = existsSync(`/proc/${id}/status`) ? readFileSync(`/proc/${id}/status`, 'utf8') : '';
    return Number(/VmHWM:\s*(\d+)/.exec(text)?.[1] ?? 0) * 1024;
  });
  await session.detach();
  return Math.max(0, ...peaks);
}

const eventsOf = async (page) => {
  const box = page.locator('.figure', { has: page.locator('dt:text-is("Events")') }).locator('dd');
  return Number((await box.evaluate((node) => node.firstChild?.textContent ?? '')).replaceAll('\u202f', ''));
};

async function once(browser, url, paths) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(spyOnPage, `(${spyOnWorker})();`);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator('input[type=file]').setInputFiles(paths);
    await page.locator('.figures').waitFor({ timeout: LONGEST_MS });
    const { chosen, begun, figures } = await page.evaluate(() => window.benchTimes);
    const seconds = (figures - chosen) / 1000;
    return { seconds, begunSeconds: begun ? (begun - chosen) / 1000 : seconds, events: await eventsOf(page), tabPeak: await tabPeak(browser), ...(await askWorkers(page)) };
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

  /** { seconds (best), worstSeconds, begunSeconds (worst), coreSeconds, memory, tabPeak, events, version } */
  async function measure({ paths }, runs) {
    const browser = await start();
    try {
      const all = [];
      for (let i = 0; i < runs; i++) all.push(await once(browser, url, paths));
      const best = all.reduce((a, b) => (b.seconds < a.seconds ? b : a));
      const worst = (key) => Math.max(...all.map((one) => one[key]));
      return { ...best, worstSeconds: worst('seconds'), begunSeconds: worst('begunSeconds'), memory: worst('memory'), tabPeak: worst('tabPeak'), version: browser.version() };
    } finally {
      await browser.close();
    }
  }
  return { measure, close: () => new Promise((done) => server.httpServer.close(done)) };
}
