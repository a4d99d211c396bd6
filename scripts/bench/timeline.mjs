// SPDX-License-Identifier: MIT
// Measures the timeline of the built page in Chromium, beside a copy of the real viewer on this machine: from the choice of a file to the first
// picture and to the picture of the whole recording, pictures while zooming and panning, memory, also with a lowered limit, details that were dropped
// and come back, and the click that opens the viewer. The same recording without a timeline tells what the timeline costs. Each recording gets a
// new browser. Finally the size of the timeline's code, and whether its figures of random intervals are those of the report.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium as browsers } from 'playwright-core';
import { hostViewer, isLoaded } from '../../tests/output/viewer.mjs';
import { chromium as finder, root } from '../lib.mjs';
import { inputs, removeInputs } from './cases.mjs';
import { ARGS, LONGEST_MS, servePage } from './chromium.mjs';
import { asText } from './rows.mjs';
import { tabUse } from './tab.mjs';

const MOVES = 120;
const LARGE = 500e6; // bytes; one run, and the viewer does not get the whole trace
const VIEWED = 20e6; // bytes of a recording that the viewer opens
const LOW_MEMORY = 1; // GiB of a device whose limit is a sixteenth of it
const ZOOMS = 40;
const REST_MS = 1500; // until details that were asked for before are there

/** Runs in the page before its scripts. Records what the workers report. */
function spyOnTimeline({ settings, deviceMemory }) {
  localStorage.setItem('tonkopf-settings', settings);
  if (deviceMemory) Object.defineProperty(navigator, 'deviceMemory', { value: deviceMemory });
  const times = (window.benchTimeline = {
    chosen: 0,
    first: 0,
    complete: 0,
    facts: null,
    pictures: [],
    shown: 0,
    moved: 0, // the last gesture
    parts: 0, // number of time ranges that were made
    detail: 0, // milliseconds from the last gesture to the picture of details that were dropped
  });
  document.addEventListener('change', () => (times.chosen ||= performance.now()), true);
  addEventListener('wheel', () => (times.moved = performance.now()), true);
  let awaited = false;
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    firstNumber = Infinity; // of a view with rows; those before it are empty
    postMessage(message, ...more) {
      if (message.type === 'view' && message.view.surface === 'rows' && message.view.strips.length)
        this.firstNumber = Math.min(this.firstNumber, message.view.number);
      super.postMessage(message, ...more);
    }
    constructor(...words) {
      super(...words);
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'part') awaited = ++times.parts > 0;
        if (data.type === 'facts') times.facts = data.facts;
        if (data.type !== 'shown' || data.surface !== 'rows') return;
        const now = performance.now();
        if ((times.facts?.points ?? 0) >= 10 && data.number >= this.firstNumber) times.first ||= now;
        if (times.facts?.isFinal) times.complete ||= now;
        if (awaited && times.moved) times.detail = now - times.moved;
        awaited = false;
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

/** Opens a recording in a new context. hasTimeline: false: the page works without its timeline. */
async function open(browser, { url, viewerUrl }, paths, { hasTimeline = true, deviceMemory = 0 } = {}) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  if (!hasTimeline) await page.route(/timeline-[^/]*\.wasm$/, (route) => route.abort());
  await page.addInitScript(spyOnTimeline, { settings: JSON.stringify({ viewer: viewerUrl }), deviceMemory });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('input[type=file][multiple]').setInputFiles(paths);
  await page.locator('.figures').waitFor({ state: 'attached', timeout: LONGEST_MS });
  if (hasTimeline) await page.waitForFunction(() => window.benchTimeline.complete > 0, null, { timeout: LONGEST_MS });
  return { page, context };
}

/** Milliseconds from the click on "Open in Perfetto" to the trace in the viewer. */
async function clickToTrace(page) {
  const begin = performance.now();
  const [viewer] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: /^Open/ }).first().click(),
  ]);
  await viewer.waitForFunction(isLoaded, undefined, { timeout: LONGEST_MS, polling: 20 });
  const milliseconds = performance.now() - begin;
  await viewer.close();
  return milliseconds;
}

/** Zooms in near the start, where points are dropped first. Returns the milliseconds until the details are there; null: nothing was dropped. */
async function detailBack(page) {
  const field = page.getByRole('application', { name: 'Timeline of the recording' });
  await field.press('Home');
  await page.evaluate(async (restMs) => {
    const times = window.benchTimeline;
    for (let before = -1; before !== times.parts; await new Promise((next) => setTimeout(next, restMs)))
      before = times.parts;
    times.detail = times.moved = 0; // details that came before are not those of the zoom
  }, REST_MS);
  const box = await field.boundingBox();
  await page.mouse.move(box.x + box.width / 10, box.y + 20);
  await page.keyboard.down('Control');
  for (let i = 0; i < ZOOMS; i++) {
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(20);
  }
  await page.keyboard.up('Control');
  const { isDropped } = await page.evaluate(() => ({ isDropped: window.benchTimeline.facts.isDropped }));
  if (!isDropped) return null;
  await page.waitForFunction(() => window.benchTimeline.detail > 0, null, { timeout: LONGEST_MS });
  return page.evaluate(() => window.benchTimeline.detail);
}

async function once(browser, places, paths, bytes) {
  const { page, context } = await open(browser, places, paths);
  try {
    const { chosen, first, complete, facts } = await page.evaluate(() => {
      const { facts, ...times } = window.benchTimeline;
      return { ...times, facts: { points: facts.points, bytes: facts.bytes, isDropped: facts.isDropped } };
    });
    const { peak } = await tabUse(browser);
    const { waits, pictures } = await page.evaluate(move, MOVES);
    const detailMs = await detailBack(page);
    await page.getByRole('application', { name: 'Timeline of the recording' }).press('Home');
    return {
      firstMs: first - chosen,
      completeMs: complete - chosen,
      pictureP50: rank(pictures, 0.5),
      pictureP95: rank(pictures, 0.95),
      keyP95: rank(waits, 0.95),
      points: facts.points,
      bytesPerPoint: facts.bytes / Math.max(1, facts.points),
      isDropped: facts.isDropped,
      tabPeak: peak,
      ...(detailMs !== null && { detailMs }),
      ...(bytes <= VIEWED && { clickMs: await clickToTrace(page) }),
    };
  } finally {
    await context.close();
  }
}

/** The same without a timeline: milliseconds of the conversion, and from the click to the trace in the viewer. */
async function onceWithout(browser, places, paths, bytes) {
  const { page, context } = await open(browser, places, paths, { hasTimeline: false });
  try {
    const aloneMs = await page.evaluate(() => {
      const [{ startTime, duration }] = performance.getEntriesByName('conversion');
      return startTime + duration - window.benchTimeline.chosen;
    });
    return { aloneMs, ...(bytes <= VIEWED && { clickAloneMs: await clickToTrace(page) }) };
  } finally {
    await context.close();
  }
}

/** Peak memory of the page with a lowered limit, and milliseconds until dropped details are back. */
async function onceLow(browser, places, paths) {
  const { page, context } = await open(browser, places, paths, { deviceMemory: LOW_MEMORY });
  try {
    const { peak } = await tabUse(browser);
    const detailMs = await detailBack(page);
    return { lowPeak: peak, ...(detailMs !== null && { lowDetailMs: detailMs }) };
  } finally {
    await context.close();
  }
}

/** Nanoseconds per event that the second output costs in a native program: the best of alternating runs. */
function costOfRows({ files }, runs) {
  const tool = join(root, 'build', 'native', 'tests', 'tool_bench');
  const best = { '--alone': Infinity, '--rows': Infinity };
  let events = 0;
  for (let i = 0; i < runs; i++)
    for (const how of Object.keys(best)) {
      const found = JSON.parse(execFileSync(tool, [how, '1', ...files], { encoding: 'utf8' }));
      best[how] = Math.min(best[how], found.seconds);
      events = found.events;
    }
  return { rowsNs: ((best['--rows'] - best['--alone']) / events) * 1e9 };
}

const inNewBrowser = async (use) => {
  const browser = await browsers.launch({ executablePath: finder(), args: ARGS });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
};

/** Of each figure the least value: the run that other load on the machine disturbed least. */
const least = (runs) =>
  Object.fromEntries(
    Object.keys(runs[0]).map((key) => [
      key,
      typeof runs[0][key] === 'number' ? Math.min(...runs.map((one) => one[key] ?? Infinity)) : runs[0][key],
    ]),
  );

async function measureOne(places, recording, runs) {
  const { paths, bytes } = recording;
  const all = [];
  for (let i = 0; i < (bytes > LARGE ? 1 : runs); i++) {
    const shown = await inNewBrowser((browser) => once(browser, places, paths, bytes));
    all.push({ ...shown, ...(await inNewBrowser((browser) => onceWithout(browser, places, paths, bytes))) });
  }
  const low = await inNewBrowser((browser) => onceLow(browser, places, paths));
  return { ...least(all), ...low, ...costOfRows(recording, bytes > LARGE ? 1 : 3) };
}

/** Measures recordings: [{ one: case, size }]. Returns a row for each; times are those of the best of `runs` runs. */
export async function measureTimeline(wanted, runs) {
  const page = await servePage(),
    viewer = await hostViewer();
  const rows = [];
  try {
    for (const { one, size } of wanted) {
      const recording = inputs(one, size);
      rows.push({
        name: one.name,
        size,
        bytes: recording.bytes,
        ...(await measureOne({ url: page.url, viewerUrl: viewer.url }, recording, runs)),
      });
      console.log(JSON.stringify(rows.at(-1)));
      if (recording.bytes > LARGE) removeInputs(one, size);
    }
  } finally {
    viewer.close();
    await page.close();
  }
  return rows;
}

const INTERVALS = 200;

/** Measures what does not depend on the recording: the size of the code after gzip, and whether figures of intervals are equal to those of the report. */
export function measureCode() {
  const assets = join(root, 'dist', 'assets');
  const codeBytes = readdirSync(assets)
    .filter((name) => name.startsWith('timeline-'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name)), { level: 9 }).length, 0);
  const args = ['run', 'tests/wasm/timeline.test.ts', '-t', 'figures of an interval'];
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, TONKOPF_INTERVALS: String(INTERVALS) },
    stdio: 'ignore',
  });
  return { codeBytes, intervals: INTERVALS, areEqual: status === 0 };
}

// ---- Tables ------------------------------------------------------------------------------------------------------

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const mib = (value) => `${(value / 2 ** 20).toFixed(0)} MiB`;

/** Figures: [name, key or function of a row, format, goal of a row or undefined]. Goals are upper bounds. */
const FIGURES = [
  ['first picture', 'firstMs', ms, () => 150],
  [
    'complete',
    'completeMs',
    ms,
    ({ name, size }) => (name.startsWith('FreeRTOS, one') ? { '10M': 500, '100M': 3000 }[size] : undefined),
  ],
  [
    'complete, relative to the conversion alone',
    ({ completeMs, aloneMs }) => completeMs / aloneMs,
    (value) => value.toFixed(2),
    ({ name }) => (name.startsWith('FreeRTOS, one') ? undefined : 1.3),
  ],
  ['picture while moving, median', 'pictureP50', ms],
  ['picture while moving, 95 %', 'pictureP95', ms, () => 16],
  ['key to picture, 95 %', 'keyP95', ms],
  ['points', 'points', (value) => `${(value / 1e6).toFixed(1)} million`],
  ['bytes per point', 'bytesPerPoint', (value) => value.toFixed(1), () => 5],
  ['memory of the page', 'tabPeak', mib, ({ size }) => (size === '1G' ? 800e6 : undefined)],
  ['memory with a lowered limit', 'lowPeak', mib, ({ size }) => (size === '1G' ? 200e6 : undefined)],
  ['dropped details back', 'detailMs', ms, () => 250],
  ['dropped details back, lowered limit', 'lowDetailMs', ms, () => 250],
  ['click to the trace in Perfetto', 'clickMs', ms, ({ clickAloneMs }) => clickAloneMs],
  ['click to the trace in Perfetto, without a timeline', 'clickAloneMs', ms],
  ['second output, native', 'rowsNs', (value) => `${value.toFixed(1)} ns per event`, () => 30],
];

const table = (row) => ({
  title: `Timeline of ${row.name}, ${row.size}B`,
  head: ['what', 'measured', 'goal', 'reached'],
  body: FIGURES.flatMap(([what, key, show, goal = () => undefined]) => {
    const value = typeof key === 'function' ? key(row) : row[key];
    if (value === undefined || !Number.isFinite(value)) return [];
    const most = goal(row);
    return [
      [
        what,
        show(value),
        most === undefined ? '' : `at most ${show(most)}`,
        most === undefined ? '' : value <= most ? 'yes' : '**no**',
      ],
    ];
  }),
});

const CODE_GOAL = 30_000;

const codeTable = ({ codeBytes, intervals, areEqual }) => ({
  title: 'Timeline of any recording',
  head: ['what', 'measured', 'goal', 'reached'],
  body: [
    [
      'code, gzip',
      `${(codeBytes / 1000).toFixed(1)} kB`,
      `at most ${CODE_GOAL / 1000} kB`,
      codeBytes <= CODE_GOAL ? 'yes' : '**no**',
    ],
    [
      `figures of ${intervals} intervals per format`,
      areEqual ? 'those of the report' : 'differ',
      'those of the report',
      areEqual ? 'yes' : '**no**',
    ],
  ],
});

/** code: from measureCode. */
export const showTimeline = (rows, code) =>
  [...rows.map(table), codeTable(code)].map((one) => asText(one)).join('\n\n');
