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
import { bytes, duration } from '../../web/src/format.js';
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

async function visitWithPort(): Promise<Pick<Visit, 'context' | 'page'>> {
  const context = await newContext(browser, {
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    serviceWorkers: 'block',
  });
  await fakeSerial(context);
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

const line = (page: Page): Promise<string> => page.locator('.live .line-main').innerText();

test('a board is connected, watched, saved and opened while it goes on; when it is stopped, it is a recording', async () => {
  const { context, page } = await visitWithPort();
  await standIn(context, answering);
  await connect(page);
  expect(await opened(page)).toEqual([{ baudRate: 921600, bufferSize: 1 << 20 }]);
  const half = recording.length >> 1;
  await send(page, recording.subarray(0, half));
  await page.locator('.timeline').waitFor();
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

interface Stored {
  bytes: number;
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
        const names = (await entriesOf(folder)).map(([name]) => name);
        return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), names };
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
  await page.locator('.timeline').waitFor();
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

test('the picture is aligned to the starts of a task, rests when the user moves it, and follows the end', async () => {
  const { context, page } = await visitWithPort();
  await connect(page);
  const feeding = (async () => {
    for (let at = 0; at < recording.length; at += 2000) {
      await act(page, { bytes: recording.subarray(at, at + 2000) });
      await page.waitForTimeout(20);
    }
  })();
  await page.locator('.timeline').waitFor();
  await page.getByLabel('on each start of').selectOption({ label: 'control' });
  await feeding;
  expect(await page.getByRole('button', { name: 'Triggered' }).getAttribute('aria-pressed')).toBe('true');
  // The task has a period of 2 ms, of which the picture shows one.
  await expect.poll(() => page.locator('.tl-span').innerText()).toMatch(/^2\.[2-7]\d* ms visible$/);
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
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(/watch it at (\S+)/.exec(said)![1]!);
  await page.locator('.live-running').waitFor();
  await page.locator('.timeline').waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('120.4 kB');
  child.kill('SIGINT');
  await converted(page); // the recording has ended, and is one like any other
  await page.getByText('The program that records has ended').waitFor();
  await context.close();
  source.close();
  folder.remove();
});
