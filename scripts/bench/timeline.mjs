// SPDX-License-Identifier: MIT
// Measures the timeline of the built page in Chromium: from the choice of a file to the first picture and to the picture of the whole recording,
// pictures while zooming and panning, and memory. Each recording gets a new browser.
import { chromium as browsers } from 'playwright-core';
import { chromium as finder } from '../lib.mjs';
import { inputs } from './cases.mjs';
import { ARGS, LONGEST_MS, servePage } from './chromium.mjs';

const MOVES = 120;

/** Runs in the page before its scripts. Records what the worker of the timeline reports. */
function spyOnTimeline() {
  const times = (window.benchTimeline = { chosen: 0, first: 0, complete: 0, facts: null, pictures: [], shown: 0 });
  document.addEventListener(
    'change',
    () => {
      times.chosen ||= performance.now();
    },
    true,
  );
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'facts') times.facts = data.facts;
        if (data.type !== 'shown' || data.surface !== 'rows') return;
        if ((times.facts?.points ?? 0) >= 10) times.first ||= performance.now();
        if (times.facts?.isFinal) times.complete ||= performance.now();
        times.pictures.push(data.milliseconds);
        times.shown++;
      });
    }
  };
}

/** Presses keys in the field, one after the picture of the one before. Returns milliseconds from key to picture. */
async function move(count) {
  const times = window.benchTimeline,
    field = document.querySelector('.tl-field'),
    waits = [];
  const keys = ['w', 'w', 'd', 'w', 'a', 's', 'd', 's', 'a', 's'];
  times.pictures = [];
  for (let i = 0; i < count; i++) {
    const before = times.shown,
      begin = performance.now();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: keys[i % keys.length], bubbles: true }));
    while (times.shown === before && performance.now() - begin < 2000) await new Promise((next) => setTimeout(next));
    waits.push(performance.now() - begin);
  }
  return { waits, pictures: times.pictures };
}

const rank = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

async function once(browser, url, paths) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1600, height: 1000 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(spyOnTimeline);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator('input[type=file][multiple]').setInputFiles(paths);
    await page.waitForFunction(() => window.benchTimeline.complete > 0, null, { timeout: LONGEST_MS });
    await page.locator('.figures').waitFor({ state: 'attached', timeout: LONGEST_MS });
    const { chosen, first, complete, facts } = await page.evaluate(() => {
      const { facts, ...times } = window.benchTimeline;
      return { ...times, facts: { points: facts.points, bytes: facts.bytes, isDropped: facts.isDropped } };
    });
    const { waits, pictures } = await page.evaluate(move, MOVES);
    return {
      firstMs: first - chosen,
      completeMs: complete - chosen,
      pictureP50: rank(pictures, 0.5),
      pictureP95: rank(pictures, 0.95),
      keyP95: rank(waits, 0.95),
      points: facts.points,
      bytesPerPoint: facts.bytes / Math.max(1, facts.points),
      isDropped: facts.isDropped,
    };
  } finally {
    await context.close();
  }
}

/** Measures recordings of these cases and sizes. Returns a row for each; times are those of the best of `runs` runs. */
export async function measureTimeline(cases, sizes, runs) {
  const { url, close } = await servePage();
  const rows = [];
  try {
    for (const one of cases)
      for (const size of sizes) {
        const { paths, bytes } = inputs(one, size);
        const browser = await browsers.launch({ executablePath: finder(), args: ARGS });
        const all = [];
        for (let i = 0; i < runs; i++) all.push(await once(browser, url, paths));
        await browser.close();
        const best = Object.fromEntries(
          Object.keys(all[0]).map((key) => [
            key,
            typeof all[0][key] === 'number' ? Math.min(...all.map((run) => run[key])) : all[0][key],
          ]),
        );
        rows.push({ name: one.name, size, bytes, ...best });
        console.log(line(rows.at(-1)));
      }
  } finally {
    await close();
  }
  return rows;
}

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

export const head =
  '| recording | first picture | complete | picture, median | picture, p95 | key to picture, p95 | points | bytes per point |\n|---|---:|---:|---:|---:|---:|---:|---:|';

export const line = (row) =>
  `| ${[
    `${row.name}, ${row.size}B`,
    ms(row.firstMs),
    ms(row.completeMs),
    ms(row.pictureP50),
    ms(row.pictureP95),
    ms(row.keyP95),
    `${(row.points / 1e6).toFixed(1)} million`,
    `${row.bytesPerPoint.toFixed(1)}${row.isDropped ? ', some dropped' : ''}`,
  ].join(' | ')} |`;
