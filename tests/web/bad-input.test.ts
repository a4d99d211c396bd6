// SPDX-License-Identifier: MIT
// For any input the page shows a sentence, a position and the saved part; a progress indicator always ends.
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import {
  browser,
  changeRecognised,
  choose,
  converted,
  demo,
  figure,
  hexOf,
  newContext,
  openTab,
  pasteText,
  pressWhenAsked,
  served,
  shot,
  startOver,
  visit,
  watchAsked,
} from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Random bytes, the same in every run. */
function noise(length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; i * 32 < length; i++) blocks.push(createHash('sha256').update(`noise ${i}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

/** The text of the page about the input, after recognition or conversion has ended. */
async function verdict(page: Page): Promise<string> {
  await page.locator('.failure, .explain, .verdict').first().waitFor();
  return (await page.locator('main').evaluate((main) => main.textContent ?? '')).replaceAll('\u202f', ' ');
}

const cases: [string, { name: string; bytes: Uint8Array }, RegExp][] = [
  ['an empty file', { name: 'empty.bin', bytes: new Uint8Array() }, /empty/i],
  [
    'another type of file',
    {
      name: 'picture.png',
      bytes: Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), noise(4000)]),
    },
    /not|no /i,
  ],
  ['100 kB of random bytes', { name: 'random.bin', bytes: noise(100_000) }, /not|no |few|random/i],
  [
    'text that is no hex',
    { name: 'letter.txt', bytes: Buffer.from('Dear reader,\nthis is a letter, not a recording.\n'.repeat(20)) },
    /text|not/i,
  ],
];

for (const [what, given, words] of cases) {
  test(`${what} is explained`, async () => {
    const { page, context, complaints } = await visit(browser, served.url);
    await choose(page, [given]);
    expect(await verdict(page)).toMatch(words);
    expect(await page.locator('.conversion-progress').count()).toBe(0);
    await shot(page, `bad ${what}`);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test('an odd hex digit is reported with its position, and the rest is converted', async () => {
  const { page, context } = await visit(browser, served.url);
  const text = hexOf(demo('bare-metal.bin').bytes);
  await pasteText(page, `${text.slice(0, -2)}\n`);
  await converted(page);
  expect(Number(await figure(page, 'Events'))).toBeGreaterThan(100);
  await openTab(page, 'Problems');
  expect(await page.locator('#panel-problems, .card .reason').first().innerText()).toMatch(/digit|line/i);
  await context.close();
});

test('the damaged demo lists its problems with offset, hex, cause and remedy', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('damaged.bin')]);
  await converted(page);
  await openTab(page, 'Problems');
  const problems = page.locator('.problem:not(.info)');
  expect(await problems.count()).toBeGreaterThan(1);
  const text = (await problems.allInnerTexts()).join('\n');
  expect(text).toMatch(/byte [\d\u202f]+/);
  expect(text).toMatch(/0x[0-9A-F]+/);
  expect(text.toLowerCase()).toMatch(/why.*\n?.*do/s);
  expect(await page.locator('.problem-location code').count()).toBeGreaterThan(0);
  await context.close();
});

test('an invalid option is reported, and correcting it starts the conversion', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('bare-metal.bin')]);
  await converted(page);
  await changeRecognised(page);
  await page.getByLabel('Tick length (ns)').fill('about ten');
  await page.keyboard.press('Enter');
  await page.locator('.failure').waitFor();
  expect(await page.locator('.failure').innerText()).toMatch(/tick-ns/i);
  await page.getByLabel('Tick length (ns)').fill('10');
  await page.keyboard.press('Enter');
  await converted(page);
  expect(await figure(page, 'Tick')).toBe('10 ns');
  await context.close();
});

test('a converter that cannot be loaded is reported, and a later attempt loads it', async () => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
  await page.goto(served.url);
  await choose(page, [demo('bare-metal.bin')]);
  await page.locator('.banner.error').waitFor();
  expect(await page.locator('.banner').innerText()).toMatch(/could not be loaded/);
  await context.unroute('**/*.wasm');
  await choose(page, [demo('bare-metal.bin')]);
  await converted(page);
  await context.close();
});

test.each([
  ['is gone', { status: 404 }, /could not be loaded \(404.*Reload the page/],
  [
    'is a page in its place',
    { status: 200, contentType: 'text/html', body: '<!doctype html><title>Not here</title>' },
    /could not be loaded \(something else.*Reload the page/,
  ],
] as const)('a module that %s, because the server has another build: reload the page', async (_, answer, text) => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.route('**/tonkopf-*.wasm', (route) => route.fulfill(answer));
  await page.goto(served.url);
  await choose(page, [demo('bare-metal.bin')]);
  await page.locator('.banner.error').waitFor();
  expect(await page.locator('.banner').innerText()).toMatch(text);
  await shot(page, 'module gone');
  await context.close();
});

test('recognition of a text of many megabytes can be cancelled', async () => {
  const { page, context } = await visit(browser, served.url);
  const path = join(folder, 'long.hex');
  writeFileSync(path, hexOf(demo('freertos.bin').bytes).repeat(400));
  await watchAsked(page);
  await pressWhenAsked(page, 'inspect', 'Stop');
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await page.waitForFunction(() => 'pressed' in window);
  await page.getByText('Drop a recording anywhere').waitFor();
  await choose(page, [demo('bare-metal.bin')]);
  await converted(page);
  await context.close();
});

/** A sparse recording: 30 GB that take no disk space, more than any machine converts during the test. */
function huge(): string {
  const path = join(folder, 'huge.bin');
  writeFileSync(path, demo('freertos.bin').bytes);
  const file = openSync(path, 'r+');
  ftruncateSync(file, 30_000_000_000);
  closeSync(file);
  return path;
}

test('30 GB: progress, a responsive page, cancel, and another attempt', async () => {
  const { page, context } = await visit(browser, served.url);
  await page.locator('input[type=file][multiple]').setInputFiles(huge());
  await page.locator('.conversion-progress').waitFor();
  await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 0);
  expect(await page.locator('.conversion-progress').innerText()).toMatch(/of 30 GB[\s\S]*events[\s\S]*MB\/s/);
  // a blocked page would show its next frame only after the end of the conversion
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.locator('.conversion-progress').count()).toBe(1);
  await shot(page, 'progress');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled.').first().waitFor();
  await page.getByRole('button', { name: 'Convert again' }).click();
  await page.locator('.conversion-progress').waitFor();
  await startOver(page);
  await page.getByText('Drop a recording anywhere').waitFor();
  await context.close();
});

test('a file that changes on the disk can no longer be read, and the page shows an error', async () => {
  const path = join(folder, 'moving.bin');
  writeFileSync(path, demo('freertos.bin').bytes);
  const { page, context } = await visit(browser, served.url);
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await converted(page);
  writeFileSync(path, demo('freertos.bin').bytes.subarray(0, 5000));
  await changeRecognised(page);
  await page.getByLabel('Raw events').selectOption('1');
  await page.locator('.failure').waitFor();
  expect(await page.locator('.failure').innerText()).toMatch(/could not read moving\.bin/);
  expect(await page.locator('.conversion-progress').count()).toBe(0);
  await shot(page, 'bad unreadable file');
  await context.close();
});

test('a worker that runs out of memory: a sentence, the saved part, another attempt', async () => {
  const { page, context } = await visit(browser, served.url);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }, transfer: never) {
      postMessage.call(this, message, transfer);
      if (message.type !== 'start') return;
      Worker.prototype.postMessage = postMessage; // only once
      let blocks = 0;
      this.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type === 'block' && ++blocks === 1)
          this.dispatchEvent(
            new ErrorEvent('error', {
              message: 'RangeError: WebAssembly.Memory.grow(): out of memory',
              cancelable: true,
            }),
          );
      });
    };
  });
  await choose(page, [demo('freertos.bin')]);
  await page.locator('.failure').waitFor();
  expect(await page.locator('.failure').innerText()).toMatch(/ran out of memory/);
  expect(await page.getByRole('button', { name: /Download what was saved/ }).isEnabled()).toBe(true);
  await shot(page, 'bad out of memory');
  await page.getByRole('button', { name: 'Try again' }).click();
  await converted(page);
  await context.close();
});
