// SPDX-License-Identifier: MIT
// Measures a live recording in the built page in Chromium: a server sends a recording at the rate of a line, and the page follows its end. Times from the
// sending of a byte to the end of the drawing that shows it, pictures per second, processor time. Then memory, with hours of a target as fast as the page takes them.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium as browsers } from 'playwright-core';
import { chromium as finder } from '../lib.mjs';
import { generating, inputs } from './cases.mjs';
import { ARGS, servePage } from './chromium.mjs';
import { tabUse } from './tab.mjs';

const STEP_MS = 5;
/** After this time, the picture of the last bytes is drawn. */
const LAST_MS = 500;
const LOOK_MS = 100;
/** After its start, the browser loads pages of its own for so long. */
const SETTLE_MS = 3000;
/** Playwright acts on the page only after this time, because it needs the page's thread, too. The first picture is drawn before. */
const FIRST_MS = 1000;
/** Connections whose first picture is measured, of each rate. */
const FIRSTS = 5;
/** The clocks of two workers differ by so much at most. */
const CLOCKS_MS = 5;
/** Bytes after which the first picture is due. */
const LOOKED = 4096;
/** With ticks of as many nanoseconds, the recording has about one byte per second of the target. */
const TICK_NS_AT_ONE_BYTE = 96_000_000;

/** Runs in each worker before its code. Tells the page how many bytes were converted before each message of rows, and which of them a picture shows. */
function spyOnWorker() {
  const channel = new BroadcastChannel('bench live');
  const now = () => performance.timeOrigin + performance.now();
  // In the worker that converts: bytes of the recording that the core has got. Other workers convert other recordings.
  let converted = 0,
    isLive = false;
  const { postMessage } = MessagePort.prototype;
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    const answer = instance.exports.tk_conversion_answer;
    if (!answer) return instance;
    const exports = { ...instance.exports };
    exports.tk_conversion_answer = (conversion, bytes, length, ns) => {
      converted += length;
      return answer(conversion, bytes, length, ns);
    };
    return { exports };
  };
  MessagePort.prototype.postMessage = function (rows, transfer) {
    postMessage.call(this, rows, transfer);
    if (isLive) channel.postMessage({ rows: { at: now(), to: converted } });
  };
  // In the worker of the timeline: the windows of the pictures and when they were asked for, and the last ticks that the facts have told.
  const views = new Map();
  const { postMessage: say } = self;
  addEventListener('message', ({ data }) => {
    isLive ||= data?.type === 'start' && 'limit' in data;
    if (data?.type === 'view' && data.view.surface === 'rows')
      views.set(data.view.number, { asked: now(), rows: data.view.strips.length, ...data.view.window });
  });
  let added = 0;
  const { set, get } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    configurable: true,
    get,
    set(listener) {
      set.call(this, (event) => {
        listener.call(this, event);
        added++;
      });
    },
  });
  self.postMessage = (message, ...rest) => {
    say.call(self, message, ...rest);
    if (message?.type === 'facts')
      channel.postMessage({
        facts: {
          at: now(),
          first: Number(message.facts.first),
          last: Number(message.facts.last),
          added,
          bytes: message.facts.bytes,
        },
      });
    if (message?.type !== 'shown' || message.surface !== 'rows') return;
    const { asked, rows, from, offset, ticksPerPixel, width } = views.get(message.number) ?? {};
    views.delete(message.number);
    if (rows) channel.postMessage({ shown: { asked, at: now(), end: Number(from) + offset + ticksPerPixel * width } });
  };
}

/** Runs in the page before its scripts. */
function spyOnPage(code) {
  const Plain = window.Blob;
  window.Blob = class extends Plain {
    constructor(parts, options) {
      super(options?.type?.startsWith('text/javascript') ? [code, '\n', ...parts] : parts, options);
    }
  };
  const seen = { rows: [], facts: [], pictures: [] };
  window.benchLive = seen;
  new BroadcastChannel('bench live').onmessage = ({ data: { rows, facts, shown } }) => {
    if (rows !== undefined) seen.rows.push(rows);
    if (facts) seen.facts.push(facts);
    if (shown) seen.pictures.push(shown);
  };
}

const rank = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? NaN;

/** Serves the page; `send(response)` sends the bytes at `/stream`, which stays open. Returns { url, sent, close }. `sent` resolves after the last byte. */
async function serveStream(send) {
  const page = await servePage();
  let isSent = () => {};
  const sent = new Promise((resolve) => (isSent = resolve));
  const server = createServer(async (request, response) => {
    if (!request.url.endsWith('/stream')) {
      const answer = await fetch(new URL(request.url, page.url));
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      return response.end(Buffer.from(await answer.arrayBuffer()));
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    await send(response);
    isSent();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/#live`,
    sent,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await page.close();
    },
  };
}

/** Sends at the rate of a line. pieces: gets offset and time of each piece. */
const atRate = (bytes, bytesPerSecond, pieces) => async (response) => {
  const begun = Date.now();
  for (let at = 0; at < bytes.length && !response.destroyed;) {
    const to = Math.min(bytes.length, Math.round((bytesPerSecond * (Date.now() - begun + STEP_MS)) / 1000));
    if (to > at) response.write(bytes.subarray(at, to));
    pieces.push({ at: performance.timeOrigin + performance.now(), to });
    at = Math.max(at, to);
    await pause(STEP_MS);
  }
};

const STAGES = ['converted', 'told', 'asked', 'drawn'];

/** The time that bytes needed for each stage: until their rows were sent to the timeline, it told the page of them, the page asked for their picture,
 * and that was drawn. */
function stagesOf(sentAt, to, picture, { rows, facts }) {
  const row = rows.findIndex((one) => one.to >= to),
    told = facts.find(({ added }) => added > row);
  const times = [sentAt, rows[row].at, told.at, picture.asked, picture.at];
  for (let i = 3; i > 0; i--) times[i] = Math.max(sentAt, Math.min(times[i], times[i + 1])); // clocks of workers differ
  return STAGES.map((_, stage) => times[stage + 1] - times[stage]);
}

/** The wait for a picture, with its stages. */
const waitOf = (at, to, picture, seen) => ({ ms: picture.at - at, stages: stagesOf(at, to, picture, seen) });

/** The times from the sending of each piece to the first picture that shows its last byte, of the pieces that were sent after `from`, when the picture
 * follows the end. */
function waitsOf(sent, from, seen) {
  const { rows, facts, pictures } = seen;
  const bytesAt = ({ end, asked }) =>
    rows[(facts.findLast(({ last, at }) => last <= end + 1 && at <= asked + CLOCKS_MS)?.added ?? 0) - 1]?.to ?? 0;
  const drawn = pictures.map((picture) => ({ picture, to: bytesAt(picture) }));
  const waits = [];
  let next = 0;
  for (const { at, to } of sent) {
    if (at < from) continue;
    while (next < drawn.length && (drawn[next].to < to || drawn[next].picture.at < at)) next++;
    if (next < drawn.length) waits.push(waitOf(at, to, drawn[next].picture, seen));
  }
  return waits;
}

/** The time from the first 4 kB to the first picture with an event, whether or not it follows the end. */
function firstWait(sent, seen) {
  const { facts, pictures } = seen;
  const picture = pictures.find(({ end }) => end > facts[0]?.first);
  if (!picture) throw new Error(`no event was drawn within ${FIRST_MS} ms`);
  return waitOf(sent.find(({ to }) => to >= LOOKED).at, 1, picture, seen);
}

/** The mean of each stage. */
const meanStages = (waits) =>
  STAGES.map((_, stage) => waits.reduce((sum, { stages }) => sum + stages[stage], 0) / Math.max(1, waits.length));

/** The processor seconds of the worker that works most. */
const busiest = (before, after) =>
  Math.max(0, ...[...after.workers].map(([id, seconds]) => seconds - (before.workers.get(id) ?? 0)));

/** Opens the page with a stream at a rate. Calls `use` after FIRST_MS. Returns { pieces, seen, openedMs }: what was sent when, what the page has shown when,
 * and how long after the address was opened the page asked for the stream. */
async function connected(browser, bytes, rate, use = async () => {}) {
  const pieces = [];
  const { url, sent, close } = await serveStream(atRate(bytes, rate, pieces));
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1600, height: 1000 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(spyOnPage, `(${spyOnWorker})();`);
    const begun = performance.timeOrigin + performance.now();
    await page.goto(url);
    await pause(FIRST_MS);
    await use(page, sent);
    return { pieces, seen: await page.evaluate(() => window.benchLive), openedMs: pieces[0].at - begun };
  } finally {
    await context.close();
    await close();
  }
}

/** Measures the first pictures of some connections at a rate, in the order of their times. */
async function measureFirsts(browser, bytes, rate) {
  const firsts = [];
  for (let i = 0; i < FIRSTS; i++) {
    const { pieces, seen, openedMs } = await connected(browser, bytes, rate);
    firsts.push({ ...firstWait(pieces, seen), openedMs });
  }
  return firsts.sort((a, b) => a.ms - b.ms);
}

/** Measures the case at these rates, in bytes per second. Returns a row for each. */
export async function measureLive(one, rates, seconds) {
  const rows = [];
  for (const rate of rates) {
    const { paths } = inputs(one, String(rate * seconds));
    const bytes = readFileSync(paths[0]);
    const browser = await browsers.launch({ executablePath: finder(), args: ARGS });
    try {
      await pause(SETTLE_MS);
      const firsts = await measureFirsts(browser, bytes, rate);
      let followed, before, after;
      const { pieces, seen } = await connected(browser, bytes, rate, async (page, sent) => {
        await page.getByRole('button', { name: 'Follow' }).click();
        followed = performance.timeOrigin + performance.now();
        before = await tabUse(browser);
        await sent;
        after = await tabUse(browser);
        await pause(LAST_MS);
      });
      const waits = waitsOf(pieces, followed, seen);
      const times = waits.map(({ ms }) => ms),
        p99 = rank(times, 0.99);
      rows.push({
        rate,
        seconds,
        firsts,
        p50: rank(times, 0.5),
        p99,
        slowStages: meanStages(waits.filter(({ ms }) => ms >= p99)),
        picturesPerSecond: seen.pictures.length / seconds,
        cpuShare: (after.cpuSeconds - before.cpuSeconds) / seconds,
        workerShare: busiest(before, after) / seconds,
        tabPeak: after.peak,
        timelineBytes: Math.max(...seen.facts.map(({ bytes }) => bytes)),
      });
      console.log(line(rows.at(-1)));
    } finally {
      await browser.close();
    }
  }
  return rows;
}

/** Of a line such as "12.9 MB of 10.7 GB": the bytes that the page has kept. */
function keptOf(text) {
  const [, number = '0', unit = ''] = /([\d.]+)\s(k|M|G)?B of/.exec(text) ?? [];
  return Number(number) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit];
}

/**
 * Measures the memory of the page after each quarter of `hours` of a target that sends `rate` bytes per second. The page gets them as fast as it takes them,
 * from a generator: only the browser needs room for them on the disk. A quarter is over when the page has kept its bytes: up to 100 MB more are on their way.
 * At 1 Mbaud the timeline fills its memory within an hour and a half: later quarters tell whether memory grows.
 */
export async function measureHours(one, hours, rate) {
  const bytes = hours * 3600 * rate;
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-bench-'));
  const fifo = join(folder, 'recording');
  execFileSync('mkfifo', [fifo]);
  const words = [...(one.words ?? []), '--resolution', String(Math.round(TICK_NS_AT_ONE_BYTE / rate))];
  const generator = spawn(process.execPath, generating({ ...one, words }, String(bytes), fifo), { stdio: 'ignore' });
  const { url, close } = await serveStream((response) => pipeline(createReadStream(fifo), response, { end: false }));
  const profile = join(folder, 'profile'); // without one, the browser keeps the bytes in memory
  const context = await browsers.launchPersistentContext(profile, {
    executablePath: finder(),
    args: ARGS,
    serviceWorkers: 'block',
    viewport: { width: 1600, height: 1000 },
  });
  try {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(url);
    const quarters = [];
    while (quarters.length < 4) {
      await pause(LOOK_MS);
      const state = await page.locator('.live-state').innerText();
      if (!/Live|Waiting/.test(state)) throw new Error(`the recording has ended before its end: ${state}`);
      if (keptOf(state) < (0.99 * bytes * (quarters.length + 1)) / 4) continue;
      const { peak, resident } = await tabUse(context.browser());
      quarters.push({ peak, resident });
    }
    return { hours, rate, bytes, seconds: (performance.now() - begun) / 1000, quarters };
  } finally {
    await context.close();
    await close();
    generator.kill();
    rmSync(folder, { recursive: true });
  }
}

const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

export const hoursLine = ({ hours, rate, bytes, seconds, quarters }) => {
  const list = (key) => quarters.map((quarter) => mb(quarter[key])).join(', ');
  return `${hours} h of the target at ${rate / 1000} kB/s (${mb(bytes)}) in ${seconds.toFixed(0)} s, ${(bytes / seconds / 1e6).toFixed(1)} MB/s, ${((3600 * hours) / seconds).toFixed(0)} times as fast as the target: after each quarter the tab had ${list('resident')}, and at most ${list('peak')} before`;
};

const ms = (value) => `${value.toFixed(0)} ms`;

export const head = `Times in ms until bytes are ${STAGES.join(' + ')}. First events: of ${FIRSTS} connections. The page asks for the stream when it can convert and draw.
| line | asks for the stream after its start, median | first event drawn after 4 kB, median | slowest | byte to picture, median | p99 | the slowest 1 % | pictures/s | processor | its busiest worker | memory of the timeline |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|`;

const stagesText = (stages) => stages.map((value) => value.toFixed(0)).join(' + ');

const firstText = (first) => `${ms(first.ms)} (${stagesText(first.stages)})`;

export const line = (row) =>
  `| ${[
    `${(row.rate / 1000).toFixed(0)} kB/s for ${row.seconds} s`,
    ms(
      rank(
        row.firsts.map(({ openedMs }) => openedMs),
        0.5,
      ),
    ),
    firstText(row.firsts[Math.floor(row.firsts.length / 2)]),
    firstText(row.firsts.at(-1)),
    ms(row.p50),
    ms(row.p99),
    stagesText(row.slowStages),
    row.picturesPerSecond.toFixed(0),
    `${(100 * row.cpuShare).toFixed(0)} % of a core`,
    `${(100 * row.workerShare).toFixed(0)} %`,
    mb(row.timelineBytes),
  ].join(' | ')} |`;
