// SPDX-License-Identifier: MIT
// Measures time ranges of a long recording on the page in Chromium, with a copy of the real viewer on this machine. Measures the time to read the
// recording, and the times from the click on a range to its trace, to the viewer's first answer, and to the hand-over, which waits for both.
import { chromium as browsers } from 'playwright-core';
import { hostViewer } from '../../tests/output/viewer.mjs';
import { build_page } from '../build.mjs';
import { chromium as finder } from '../lib.mjs';
import { CASES, inputs } from './cases.mjs';
import { ARGS, LONGEST_MS, servePage } from './chromium.mjs';
import { asMarkdown, asText } from './rows.mjs';
import { tabUse } from './tab.mjs';

const SECONDS = 0.1;
const PLACES = [0.7, 0.3, 0.93, 0.05]; // starts of the ranges, as shares of the recording

/** Runs in the page before its scripts. Records when each event occurred first after the last click. */
function spyOnParts(settings) {
  localStorage.setItem('tonkopf-settings', settings);
  const seen = (window.benchSeen = {});
  const note = (what) => {
    seen[what] ??= performance.now();
  };
  document.addEventListener(
    'click',
    () => {
      for (const what of Object.keys(seen)) delete seen[what];
      note('click');
    },
    true,
  );
  addEventListener('message', ({ data }) => {
    if (data === 'PONG') note('answer');
  });
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'block') seen.bytes = (seen.bytes ?? 0) + data.block.length;
        if (data.type === 'part') note('trace');
      });
    }
  };
  new MutationObserver(() => {
    if (document.querySelector('.action-status')?.textContent.startsWith('Handed over')) note('handed');
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The length of the visible time, in seconds. */
async function visibleSeconds(page) {
  const [, number, unit] = /([\d.]+) (\S+) visible/.exec(await page.locator('.tl-span').innerText());
  return Number(number) * { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 }[unit];
}

/** Zooms in at a place (0 to 1) of the recording, marks an interval of SECONDS there and opens it. */
async function openPart(page, place) {
  const field = page.getByRole('application', { name: 'Timeline of the recording' });
  await field.press('Home');
  const box = await field.boundingBox();
  const [x, y] = [box.x + box.width * place, box.y + 20];
  await page.mouse.move(x, y);
  let visible = await visibleSeconds(page);
  await page.keyboard.down('Control');
  while (visible > 10 * SECONDS) {
    const before = visible;
    await page.mouse.wheel(0, -240);
    while (visible === before) visible = await visibleSeconds(page);
  }
  await page.keyboard.up('Control');
  const width = (box.width * SECONDS) / visible;
  await page.mouse.down();
  await page.mouse.move(place < 0.5 ? x + width : x - width, y, { steps: 4 });
  await page.mouse.up();
  const open = page.getByRole('button', { name: /^Open [\d.]+ \S+ in Perfetto/ });
  await open.waitFor();
  const [viewer] = await Promise.all([page.context().waitForEvent('page'), open.click()]);
  await page.locator('.action-status').getByText('Handed over').waitFor({ timeout: LONGEST_MS });
  const { click, trace, answer, handed, bytes } = await page.evaluate(() => window.benchSeen);
  await viewer.close();
  return {
    place,
    traceSeconds: (trace - click) / 1000,
    answerSeconds: (answer - click) / 1000,
    seconds: (handed - click) / 1000,
    bytes,
  };
}

async function measure(browser, url, viewerUrl, path) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(spyOnParts, JSON.stringify({ viewer: viewerUrl }));
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await page.locator('.figures').waitFor({ state: 'attached', timeout: LONGEST_MS });
  await page.locator('.timeline').waitFor({ timeout: LONGEST_MS });
  const readSeconds = await page.evaluate(() => performance.getEntriesByName('conversion')[0].duration / 1000);
  const parts = [];
  for (const place of PLACES) parts.push(await openPart(page, place));
  return { readSeconds, parts, tabPeak: (await tabUse(browser)).peak };
}

/** Measures time ranges of a recording of the first case. */
export async function measureParts(size) {
  await build_page();
  const { paths, bytes } = inputs(CASES[0], size);
  const page = await servePage(),
    viewer = await hostViewer();
  const browser = await browsers.launch({ executablePath: finder(), args: ARGS });
  try {
    return { case: CASES[0].name, size, bytes, ...(await measure(browser, page.url, viewer.url, paths[0])) };
  } finally {
    await browser.close();
    viewer.close();
    await page.close();
  }
}

function table({ case: name, size, bytes, readSeconds, parts, tabPeak }) {
  const [first, ...later] = parts;
  const span = (key) =>
    `${Math.min(...later.map((one) => one[key])).toFixed(1)} to ${Math.max(...later.map((one) => one[key])).toFixed(1)} s`;
  const row = (what, key) => [what, `${first[key].toFixed(1)} s`, span(key)];
  return {
    title: `Parts of 100 ms of ${name}, ${size}`,
    head: ['from the click to', 'first part', 'later ones'],
    body: [
      row('the trace of the part', 'traceSeconds'),
      row('the first answer of the viewer that starts meanwhile', 'answerSeconds'),
      row('**the trace handed over**', 'seconds'),
      [
        '(before: the recording read without making its trace)',
        `${readSeconds.toFixed(1)} s`,
        `${(bytes / readSeconds / 1e6).toFixed(0)} MB/s`,
      ],
      ['(bytes of the trace)', `${(first.bytes / 1e3).toFixed(0)} kB`, ''],
      ['(process of the page at its peak)', `${(tabPeak / 2 ** 20).toFixed(0)} MiB`, ''],
    ],
  };
}

export const showParts = (found) => asText(table(found));
export const partsMarkdown = (found) => asMarkdown(table(found));
