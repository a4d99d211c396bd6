// SPDX-License-Identifier: MIT
// Speed and memory of the built page in Chromium, from the chosen file to the last block: what a person gets.
//   node scripts/bench-page.mjs FILE...      the files of one recording; build the page first
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { preview } from 'vite';
import { chromium, root } from './lib.mjs';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LONGEST_MS = 15 * 60_000;

/**
 * @typedef {object} PageFigures
 * @property {number} seconds from the start of the conversion to its last block and report, in the page
 * @property {number} firstFiguresMs from the choice of the files to the first painted figures of the report
 * @property {number} bytesIn
 * @property {number} bytesOut
 * @property {number} events
 * @property {number} wasmBytes memory of the module at the end; it never shrinks, so this is its peak
 * @property {number} heapBytes JavaScript heap of the page with the result on it; blocks of the trace aside
 * @property {number | null} rendererBytes peak of the whole renderer process, the converted trace included; null: not told here
 */

/** Remembers when files were chosen and when figures stood on the screen; runs in the page. */
function watch() {
  const times = { chosen: 0, shown: 0 };
  Object.assign(globalThis, { benchTimes: times });
  addEventListener('change', () => { times.chosen ||= performance.now(); }, { capture: true });
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.figures')) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => { times.shown = performance.now(); }));
  });
  addEventListener('DOMContentLoaded', () => seen.observe(document.body, { childList: true, subtree: true }));
}

/** Largest resident size of a process so far; Linux only. */
function peakOf(pid) {
  try {
    const [, kB] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kB ? Number(kB) * 1024 : null;
  } catch {
    return null;
  }
}

async function rendererPeak(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => peakOf(id));
  return peaks.every((peak) => peak === null) ? null : Math.max(...peaks);
}

async function once(url, paths) {
  const browser = await playwright.launch({ executablePath: chromium() ?? undefined, args: ARGS });
  try {
    const page = await browser.newPage();
    await page.addInitScript(watch);
    await page.goto(url);
    await page.locator('.demo').first().waitFor(); // ready for a person; a first visit's downloads are another figure
    await page.waitForTimeout(500);
    await page.locator('input[type=file]').setInputFiles(paths);
    await page.waitForFunction(() => globalThis.benchTimes.shown > 0, null, { timeout: LONGEST_MS });
    const figures = await page.evaluate(() => {
      const { chosen, shown } = globalThis.benchTimes;
      const [{ duration, detail }] = performance.getEntriesByName('conversion');
      return { seconds: duration / 1000, firstFiguresMs: shown - chosen, ...detail };
    });
    const session = await page.context().newCDPSession(page);
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { ...figures, heapBytes: usedSize, rendererBytes: await rendererPeak(browser) };
  } finally {
    await browser.close();
  }
}

/**
 * The best of several runs, each in a browser of its own. Needs dist/ (npm run build).
 * @param {string[]} paths the files of one recording
 * @param {number} [runs]
 * @returns {Promise<PageFigures>}
 */
export async function benchPage(paths, runs = 3) {
  const server = await preview({ configFile: join(root, 'web', 'vite.config.ts'), preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error' });
  try {
    let best = null;
    for (let run = 0; run < runs; run++) {
      const figures = await once(server.resolvedUrls.local[0], paths);
      best = { ...figures, ...(best && best.seconds < figures.seconds ? best : {}), firstFiguresMs: Math.min(figures.firstFiguresMs, best?.firstFiguresMs ?? Infinity) };
    }
    return best;
  } finally {
    await server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await benchPage(process.argv.slice(2));
  console.log({ ...figures, 'MB/s': figures.bytesIn / figures.seconds / 1e6 });
}
