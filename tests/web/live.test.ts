// SPDX-License-Identifier: MIT
// A board at a serial port is recorded and watched: what the user sees and gets, while it goes on and afterwards.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript
import { Folder, start } from '../cli/tool.mjs';
// @ts-expect-error plain JavaScript
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { bytes, duration } from '../../web/src/format.js';
import { REHEARSED } from '../../web/src/worker/rehearsed.js';
import { act, fakeSerial, opened } from './fake-serial.js';
import {
  type Visit,
  axeViolations,
  browser,
  choose,
  converted,
  demo,
  dist,
  newContext,
  root,
  serve,
  served,
  shot,
  standIn,
  startOver,
  title,
} from './harness.js';

const recording = new Uint8Array(motor_recording({ bytes: 120_000 }) as Uint8Array);
const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

const answering = `<script>
  addEventListener('message', ({ data, source, origin }) => {
    if (data === 'PING') return source.postMessage('PONG', origin);
    window.got = data.perfetto;
  });
</script>`;

/** more: runs in the window and before the code of each worker. */
async function visitWithPort(more?: () => void): Promise<Pick<Visit, 'context' | 'page'>> {
  const context = await newContext(browser, {
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    serviceWorkers: 'block',
  });
  await fakeSerial(context, more);
  const page = await context.newPage();
  await page.goto(served.url);
  return { context, page };
}

/** Connects to the port. */
async function connect(page: Page, baudRate = '921600'): Promise<void> {
  await page.getByRole('button', { name: 'Connect a board' }).click();
  await page.getByLabel('Baud rate of the target').fill(baudRate);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Connect to USB 2e8a:000c' }).click();
  await page.locator('.live-running').waitFor();
}

/** Sends bytes in pieces, as a line does. */
async function send(page: Page, bytes: Uint8Array, piece = 3001): Promise<void> {
  for (let at = 0; at < bytes.length; at += piece) await act(page, { bytes: bytes.subarray(at, at + piece) });
}

interface Saved {
  name: string;
  bytes: Buffer;
}

/** Saves what was recorded so far. */
async function saved(page: Page): Promise<Saved> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Waits until the page has kept so many bytes. Resolves to them. */
async function kept(page: Page, length: number): Promise<Saved> {
  let last = await saved(page);
  await expect.poll(async () => (last = await saved(page)).bytes.length).toBe(length);
  return last;
}

/** A timeline with events. */
const DRAWN = '.timeline:not([inert])';

const line = (page: Page): Promise<string> => page.locator('.live .line-main').innerText();

test('a board is connected, watched, saved and opened while it goes on; when it is stopped, it is a recording', async () => {
  const { context, page } = await visitWithPort();
  await standIn(context, answering);
  await connect(page);
  expect(await opened(page)).toEqual([{ baudRate: 921600, bufferSize: 1 << 20 }]);
  const half = 80_000;
  await send(page, recording.subarray(0, half));
  await page.locator(DRAWN).waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('0 lost');
  const first = await kept(page, half);
  expect(first.bytes.equals(recording.subarray(0, half))).toBe(true);
  const [viewer] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open in Perfetto' }).click(),
  ]);
  await viewer.waitForFunction(() => 'got' in window);
  const got = await viewer.evaluate(() => {
    const bytes = new Uint8Array((window as unknown as { got: { buffer: ArrayBuffer } }).got.buffer);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  const { trace } = await convert([first]);
  expect(Buffer.from(got, 'base64').equals(trace)).toBe(true);
  await viewer.close();
  await send(page, recording.subarray(half));
  await kept(page, recording.length);
  await page.getByRole('tab', { name: 'Tasks' }).click();
  const { report } = await convert([{ name: first.name, bytes: recording }]);
  const { longest_wait: longest } = report.tasks!.find((task) => task.name === 'control')!;
  const row = page.locator('#panel-tasks tr', { has: page.locator('th', { hasText: 'control' }) });
  await expect.poll(() => row.first().innerText()).toContain(duration(longest!)); // the tick length is known before the end
  await shot(page, 'live');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await converted(page);
  expect(await page.locator('h1').innerText()).toMatch(/^recording \d{4}-/);
  expect(await page.locator('.verdict').getAttribute('title')).toMatch(/^Complete/);
  await context.close();
});

test('while the page is idle, a worker converts a short recording, so that the code of the converter is compiled', async () => {
  const { report } = await convert([{ name: 'rehearsed', bytes: Buffer.from(REHEARSED) }]);
  expect(report.events.total).toBe(9);
  expect(report.problems).toEqual([]);
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const said: string[] = ((window as unknown as { said: string[] }).said = []);
    window.Worker = class extends Worker {
      constructor(...words: ConstructorParameters<typeof Worker>) {
        super(...words);
        this.addEventListener('message', ({ data }) => said.push(data.type));
      }
    };
  });
  await page.goto(served.url);
  await expect.poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said)).toEqual(['rehearsed']);
  await expect.poll(() => page.workers().length).toBe(3); // one recognises, one converts, one draws the timeline
  await context.close();
});

/** Holds back all instances of WebAssembly modules in workers until the test releases them. */
function holdModules(): void {
  const instantiate = WebAssembly.instantiate;
  const channel = new BroadcastChannel('modules');
  Object.assign(self, { modules: channel });
  if ('document' in self) return;
  const released = new Promise<void>((resolve) => {
    channel.onmessage = ({ data }) => data === 'release' && resolve(); // not at 'held' of another worker
  });
  WebAssembly.instantiate = async (...args: unknown[]) => {
    channel.postMessage('held');
    await released;
    return instantiate(...(args as Parameters<typeof instantiate>)) as never;
  };
}

test('the port is opened when its bytes can be converted: before, they would only wait', async () => {
  const { context, page } = await visitWithPort(holdModules);
  const modules = (then: string): Promise<void> =>
    page.evaluate((then) => {
      const { modules } = window as unknown as { modules: BroadcastChannel };
      if (then === 'release') return modules.postMessage(then);
      let left = 2; // that of the converter, and that of the timeline
      return new Promise<void>((resolve) => (modules.onmessage = () => --left || resolve()));
    }, then);
  await page.getByRole('button', { name: 'Connect a board' }).click();
  const held = modules('held');
  await page.getByRole('button', { name: 'Connect to USB 2e8a:000c' }).click();
  await held;
  await page.getByText('Waiting for the port').waitFor();
  expect(await opened(page)).toEqual([]);
  await modules('release');
  await page.locator('.live-running').waitFor();
  expect(await opened(page)).toHaveLength(1);
  await context.close();
});

/** Notes the views of rows that a timeline is asked for: how many rows, and how high. */
function noteViews(): void {
  const channel = new BroadcastChannel('views');
  if ('document' in self) {
    const views: unknown[] = [];
    Object.assign(window, { views });
    channel.onmessage = ({ data }) => void views.push(data);
    return;
  }
  addEventListener('message', ({ data }) => {
    if (data.type === 'view' && data.view.surface === 'rows')
      channel.postMessage([data.view.strips.length, data.view.height]);
  });
}

test('before the first bytes, the timeline is empty and cannot be used, and has the size of the first picture', async () => {
  const { context, page } = await visitWithPort(noteViews);
  await connect(page);
  const timeline = page.locator('.timeline'),
    field = page.getByRole('application', { name: 'Timeline of the recording' });
  await timeline.waitFor();
  expect(await timeline.evaluate((element: HTMLElement) => element.inert)).toBe(true);
  expect(await page.locator('.tl-span').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'live-waiting');
  await send(page, recording.subarray(0, 80_000));
  await page.locator(DRAWN).waitFor();
  await field.click();
  const views = (): Promise<[rows: number, height: number][]> =>
    page.evaluate(() => (window as unknown as { views: [number, number][] }).views);
  await expect.poll(async () => (await views()).some(([rows]) => rows > 0)).toBe(true);
  const all = await views(),
    first = all.findIndex(([rows]) => rows > 0);
  expect(all[first - 1]).toEqual([0, all[first]![1]]);
  await context.close();
});

interface Stored {
  /** of the files that it describes */
  bytes: number;
  /** of the files in its folder, without the description */
  stored: number;
  /** names in its folder */
  names: string[];
}

/** The recordings in the browser's private file system. */
const stored = (page: Page): Promise<Stored[]> =>
  page.evaluate(async () => {
    type Folder = FileSystemDirectoryHandle & AsyncIterable<[name: string, handle: FileSystemHandle]>;
    const entriesOf = async (folder: Folder): Promise<[string, FileSystemHandle][]> => {
      const found: [string, FileSystemHandle][] = [];
      for await (const entry of folder) found.push(entry);
      return found;
    };
    const root = await navigator.storage.getDirectory();
    const folders = await entriesOf((await root.getDirectoryHandle('recordings', { create: true })) as Folder);
    return Promise.all(
      folders.map(async ([, handle]) => {
        const folder = handle as Folder;
        const about = await (await (await folder.getFileHandle('about.json')).getFile()).text();
        const { files } = JSON.parse(about) as { files: { bytes: number }[] };
        const entries = await entriesOf(folder);
        const sizes = await Promise.all(
          entries.map(async ([name, entry]) =>
            name === 'about.json' ? 0 : (await (entry as FileSystemFileHandle).getFile()).size,
          ),
        );
        const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
        return {
          bytes: sum(files.map(({ bytes }) => bytes)),
          stored: sum(sizes),
          names: entries.map(([name]) => name),
        };
      }),
    );
  });

test('a recording that has ended comes back after a reload and is stored once; Back ends one and loses nothing', async () => {
  const { context, page } = await visitWithPort();
  await connect(page);
  await page.getByRole('button', { name: 'Stop' }).click(); // without a byte
  await page.getByText('Drop a recording anywhere').waitFor();
  expect(await stored(page)).toEqual([]);
  await connect(page);
  await send(page, recording);
  await kept(page, recording.length);
  await page.getByRole('button', { name: 'Stop' }).click();
  await converted(page);
  const name = await title(page);
  await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' });
  await page.reload();
  await converted(page);
  expect(await title(page)).toBe(name);
  await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' }); // nothing is being written
  const all = await stored(page);
  expect(all.map(({ bytes }) => bytes)).toEqual([recording.length]);
  expect(all[0]!.names.filter((name) => !/^(about\.json|bytes-\d+)$/.test(name))).toEqual([]);
  await startOver(page);
  await connect(page);
  await send(page, recording.subarray(0, 50_000));
  await expect.poll(() => page.locator('.live-state').innerText()).toContain(`${bytes(50_000)} of`);
  await page.goBack();
  await converted(page);
  expect(await title(page)).toBe(name);
  await expect.poll(async () => (await stored(page)).map(({ bytes }) => bytes)).toContain(50_000);
  await startOver(page);
  await expect.poll(() => page.locator('.kept small').allInnerTexts()).toContain(bytes(50_000));
  await context.close();
});

test('beside another recording, a live one becomes its file, and is stored once when the page is left', async () => {
  const { context, page } = await visitWithPort();
  const locks = (): Promise<number> => page.evaluate(async () => (await navigator.locks.query()).held!.length);
  const isKept = page.getByText('This browser keeps the recording');
  await choose(page, [demo('active-objects.bin')]);
  await converted(page);
  await isKept.waitFor({ state: 'attached' });
  await page.getByText('⋯').click();
  await connect(page);
  await send(page, recording);
  await kept(page, recording.length);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => page.locator('nav.recordings button b').count()).toBe(2);
  const all = demo('active-objects.bin').bytes.length + recording.length;
  const sizes = async (): Promise<number[]> => (await stored(page)).map(({ bytes }) => bytes);
  await expect.poll(sizes).toContain(all);
  await isKept.waitFor({ state: 'attached' }); // nothing is being written
  await expect.poll(locks).toBe(2);
  await page.reload();
  await isKept.waitFor({ state: 'attached' });
  await expect.poll(sizes).toEqual([all]);
  expect(await locks()).toBe(1);
  await startOver(page);
  await expect.poll(locks).toBe(0);
  await expect.poll(() => page.locator('.kept bdi').count()).toBe(1);
  await context.close();
});

test('live recordings that are made beside others are all stored, also after a reload', async () => {
  const { context, page } = await visitWithPort();
  const lengths = [recording.length, 80_000, 50_000];
  let all = 0;
  for (const [index, length] of lengths.entries()) {
    if (index) await page.getByText('⋯').click();
    await connect(page);
    await send(page, recording.subarray(0, length));
    await kept(page, length);
    await page.getByRole('button', { name: 'Stop' }).click();
    all += length;
    await expect.poll(async () => (await stored(page)).map(({ bytes }) => bytes)).toContain(all);
    await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' }); // nothing is being written
    await page.reload();
    await converted(page);
  }
  await expect.poll(async () => (await stored(page)).map(({ bytes, stored }) => [bytes, stored])).toEqual([[all, all]]);
  expect(await page.locator('nav.recordings button b').count()).toBe(lengths.length);
  await context.close();
});

test('a port that is unplugged is found again, and errors of the line are counted by their names', async () => {
  const { context, page } = await visitWithPort();
  await connect(page);
  await send(page, recording);
  await kept(page, recording.length);
  await act(page, { lineError: 'FramingError' });
  await act(page, { lineError: 'BreakError' });
  await expect.poll(() => line(page)).toContain('1 framing error, 1 break. Bytes are missing there.');
  await act(page, { isPlugged: false });
  await page.locator('.live-gone').waitFor();
  await expect.poll(() => line(page)).toContain('The connection is gone');
  await act(page, { isPlugged: true });
  await page.locator('.live-running').waitFor();
  expect(await opened(page)).toHaveLength(2);
  await send(page, recording); // the board starts again
  await kept(page, 2 * recording.length);
  await expect.poll(() => page.locator('.live-restarts').innerText()).toContain('1 restart');
  await context.close();
});

test('a wrong baud rate is named, and what comes after it is recognised', async () => {
  const { context, page } = await visitWithPort();
  await connect(page, '115200');
  let random = 1;
  const noise = Uint8Array.from({ length: 6000 }, () => (random = (random * 48271) % 2147483647) >> 8);
  for (let at = 0; at < 6; at++) {
    await act(page, { bytes: noise.subarray(at * 1000, at * 1000 + 1000) });
    await act(page, { lineError: 'FramingError' });
  }
  await expect.poll(() => line(page)).toContain('115\u202f200 baud is probably wrong: 6 framing errors');
  await page.waitForTimeout(1000); // the line is quiet: the noise is looked at
  await send(page, recording);
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('0 lost');
  await page.locator(DRAWN).waitFor();
  await context.close();
});

test('the user sees and sets how much is kept: at most what the browser has room for', async () => {
  const { context, page } = await visitWithPort();
  await page.getByRole('button', { name: 'Connect a board' }).click();
  const most = page.getByLabel('Keep at most, in MB');
  const choose = page.getByRole('button', { name: 'Connect to USB 2e8a:000c' });
  await most.fill('999999999');
  await choose.click();
  await page.getByText(/^Keep from 1 to [\d\u202f]+ MB\.$/).waitFor();
  await most.fill('1');
  await choose.click();
  await page.locator('.live-running').waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain(`of ${bytes(1e6)}`);
  for (let at = 0; at < 9; at++) await act(page, { bytes: recording });
  await page.getByText('As many bytes are kept as you have allowed').waitFor();
  await converted(page);
  await context.close();
});

test('call traces, which contain no times, keep those at which they were received', async () => {
  const { context, page } = await visitWithPort();
  await connect(page);
  const calls = demo('calls.bin').bytes;
  await send(page, calls, Math.ceil(calls.length / 20));
  await page.locator(DRAWN).waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain(bytes(calls.length));
  const files = new Map<string, Buffer>();
  page.on('download', async (download) => {
    files.set(download.suggestedFilename(), readFileSync(await download.path()));
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => [...files.keys()].map((name) => name.replace(/^recording.*\.bin/, '')).sort())
    .toEqual(['', '.times']);
  const inputs = [...files].map(([name, bytes]) => ({ name, bytes }));
  const { report } = await convert(inputs);
  expect([report.time_unit, ...report.inputs.map(({ role }) => role)]).toEqual(['ns', 'times', 'recording']);
  expect((await convert(inputs.filter(({ name }) => !name.endsWith('.times')))).report.time_unit).toBe('records');
  await page.getByRole('button', { name: 'Stop' }).click();
  await converted(page);
  await expect.poll(() => page.locator('.tl-span').innerText()).toMatch(/ [nµm]?s visible$/);
  await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' });
  await page.reload();
  await converted(page);
  await expect.poll(() => page.locator('.tl-span').innerText()).toMatch(/ [nµm]?s visible$/);
  await context.close();
});

test('a browser without Web Serial and WebUSB shows no button that cannot work, and which browsers have it', async () => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  await context.addInitScript(() => {
    delete (Navigator.prototype as { serial?: unknown }).serial;
    delete (Navigator.prototype as { usb?: unknown }).usb;
  });
  const page = await context.newPage();
  await page.goto(served.url);
  await page.getByText('A board can be connected in Chrome, Edge, and Firefox from 151 on, on a computer.').waitFor();
  expect(await page.getByRole('button', { name: 'Connect a board' }).count()).toBe(0);
  await context.close();
});

test.each([
  ['rule', 'Rule that must hold', 'events.total<2000'],
  ['name', 'Name', 'flash'],
])('the recording ends by itself on a condition, and the time around it is marked: %s', async (kind, label, text) => {
  const { context, page } = await visitWithPort();
  await connect(page);
  await page.getByLabel('stop when').selectOption(kind);
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).press('Tab');
  await page.getByLabel('s after').fill('0');
  await page.getByLabel('s after').press('Tab');
  await send(page, recording);
  await converted(page);
  await page.locator('.tl-interval').waitFor();
  await expect.poll(() => page.locator('.convert-button').innerText()).toMatch(/^Open [\d.]+ \S+ in Perfetto/);
  await context.close();
});

// Frames after the end of the recording.
const LATER = 7_150_000; // ticks of 100 ns: shortly after it
const events = [0, 1, 2, 3].map((number) => frame('evtmarker', LATER + 1000 * (1 + number), 1, 'end'));
/** The target sends its count of lost events before each event, which confirms it. */
const dropped = concat(
  events.flatMap((event, number) => [frame('dropped_evt_cnt', LATER + 1000 * (1 + number), 5), event]),
);
const crash = concat([
  frame('fault_state', LATER, 0x61000000, 0x40000000, 0),
  frame('fault_context', LATER, 1, 0),
  frame('fault', LATER, 0x542, 0x531, 0x10000),
]);
const tooShort = concat([Uint8Array.of(2, 0x05, 0), ...events]);

test.each([
  ['lost', dropped],
  ['damage', tooShort],
  ['fault', crash],
  ['finding', dropped],
])('"stop when" ends the recording after the chosen event, and all of it is kept: %s', async (kind, end) => {
  const { context, page } = await visitWithPort();
  await connect(page);
  await send(page, recording);
  await kept(page, recording.length);
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('0 lost');
  await page.getByLabel('stop when').selectOption(kind);
  for (const [label, seconds] of [
    ['s before', '0.1'],
    ['s after', '0'],
  ] as const) {
    await page.getByLabel(label).fill(seconds);
    await page.getByLabel(label).press('Tab');
  }
  await act(page, { bytes: end });
  await converted(page);
  await page.locator('.tl-interval').waitFor();
  await expect.poll(() => page.locator('.convert-button').innerText()).toMatch(/^Open [\d.]+ ms in Perfetto/);
  await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' }); // nothing is being written
  expect((await stored(page)).map(({ bytes }) => bytes)).toEqual([recording.length + end.length]);
  await context.close();
});

type Run = [begin: number, end: number];

/** Where a task runs in the picture that is shown at this moment, as shares of its width. Null: its row or its picture is not there. */
const runsIn = (page: Page, task: string): Promise<Run[] | null> =>
  page.evaluate((task) => {
    const rows = [...document.querySelectorAll<HTMLElement>('.tl-names .tl-row')];
    const row = rows.find((one) => one.querySelector('[title]')?.getAttribute('title') === task);
    const swatch = row?.querySelector<HTMLElement>('.tl-swatch');
    const canvas = document.querySelector<HTMLCanvasElement>('.tl-canvas');
    if (!row || !swatch || !canvas?.width) return null;
    const TOP = 5; // only where it runs, its strip has its colour so high
    const y = row.getBoundingClientRect().top - canvas.getBoundingClientRect().top + TOP;
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, 1];
    const context = copy.getContext('2d')!;
    context.drawImage(canvas, 0, -Math.round((y * canvas.width) / canvas.clientWidth));
    const { data } = context.getImageData(0, 0, copy.width, 1);
    const colour = /\d+ \d+ \d+|\d+, \d+, \d+/.exec(getComputedStyle(swatch).backgroundColor)![0].match(/\d+/g)!.join();
    const runs: [number, number][] = [];
    let isRunning = false;
    for (let x = 0; x < copy.width; x++) {
      const is = [...data.slice(4 * x, 4 * x + 3)].join() === colour;
      if (is && !isRunning) runs.push([x / copy.width, 1]);
      if (!is && isRunning) runs.at(-1)![1] = x / copy.width;
      isRunning = is;
    }
    return runs;
  }, task);

test('the picture is aligned to the starts of a task, rests when the user moves it, and follows the end', async () => {
  const { context, page } = await visitWithPort();
  await connect(page);
  const BEGUN = 40_000; // bytes: the first events, which wait in case the stream names a second core
  const half = 80_000;
  const feed = async (from: number, to: number): Promise<true> => {
    for (let at = from; at < to; at += 2000) {
      await act(page, { bytes: recording.subarray(at, Math.min(at + 2000, to)) });
      await page.waitForTimeout(20);
    }
    return true;
  };
  /** Takes pictures at random moments while bytes come, and tells whether they show a whole period, from the first one that does. */
  const wholeOnes = async (task: string, feeding: Promise<true>, isWhole: (runs: Run[]) => boolean) => {
    const all: { isWhole: boolean; runs: Run[] }[] = [];
    while (!(await Promise.race([feeding, page.waitForTimeout(30 * Math.random())]))) {
      const runs = await runsIn(page, task);
      if (runs && (all.length || isWhole(runs))) all.push({ isWhole: isWhole(runs), runs });
    }
    return all;
  };
  await feed(0, BEGUN);
  await page.locator(DRAWN).waitFor();
  const trigger = page.getByLabel('on each start of');
  await expect.poll(() => trigger.inputValue()).not.toBe('');
  // Untouched: the task that runs most, with periods of 10 to 23 ms. A job begins in the picture, and so does the next one.
  const busiest = await trigger.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text);
  const isJob = ([first, ...more]: Run[]): boolean =>
    !!first && first[0] > 0.098 && first[1] < 0.5 && more.some(([begin]) => begin > 0.3);
  const untouched = await wholeOnes(busiest, feed(BEGUN, half), isJob);
  expect(untouched.filter((one) => !one.isWhole)).toEqual([]);
  expect(untouched.length).toBeGreaterThan(2);
  // Chosen: a task with a period of 2 ms, of which the picture shows one.
  await trigger.selectOption({ label: 'control' });
  const isPeriod = (runs: Run[]): boolean =>
    [0.1, 0.9].every((share) => runs.some(([begin]) => Math.abs(begin - share) < 0.02));
  const chosen = await wholeOnes('control', feed(half, recording.length), isPeriod);
  expect(chosen.filter((one) => !one.isWhole)).toEqual([]);
  expect(chosen.length).toBeGreaterThan(2);
  await expect.poll(() => page.locator('.tl-span').innerText()).toMatch(/^2\.[2-7]\d* ms visible$/);
  expect(await page.getByRole('button', { name: 'Triggered' }).getAttribute('aria-pressed')).toBe('true');
  await shot(page, 'live-triggered');
  const field = page.getByRole('application', { name: 'Timeline of the recording' });
  await field.focus();
  await page.keyboard.press('a');
  await expect.poll(() => page.getByRole('button', { name: 'Pause' }).getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')).toBe('true');
  await context.close();
});

test('a program that records serves the page, whose timeline grows with the recording', async () => {
  const source = net.createServer((socket) => void socket.write(recording));
  await once(source.listen(0, '127.0.0.1'), 'listening');
  const { port } = source.address() as net.AddressInfo;
  const folder = new Folder() as { path: string; remove(): void };
  const child = start(['record', `tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--live', '--page', dist], {
    cwd: folder.path,
  });
  let said = '';
  child.stderr!.on('data', (piece: Buffer) => (said += piece));
  await expect.poll(() => said).toMatch(/watch it at \S+\n/);
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(/watch it at (\S+)/.exec(said)![1]!);
  await page.locator('.live-running').waitFor();
  await page.locator(DRAWN).waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('120.4 kB');
  child.kill('SIGINT');
  await converted(page); // the recording has ended, and is one like any other
  await page.getByText('The program that records has ended').waitFor();
  // The next recording has another address: a service worker for this one would stay forever.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await context.close();
  source.close();
  folder.remove();
});

test('the last report is about all bytes, also when they come faster than they are converted', async () => {
  const RUNS = 40;
  const streaming = await serve(dist, (response) => {
    for (let run = 0; run < RUNS; run++)
      for (let at = 0; at < recording.length; at += 4096) response.write(recording.subarray(at, at + 4096));
  }); // and sends nothing more, without an end
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${streaming.url}#live`);
  await expect.poll(() => page.locator('.live-state').innerText()).toContain(`${bytes(RUNS * recording.length)} of`);
  await expect.poll(() => page.locator('.live-restarts').innerText()).toBe(`${RUNS - 1} restarts`);
  expect(await page.locator('.live-running').count()).toBe(1);
  await context.close();
  await streaming.close();
});
