// SPDX-License-Identifier: MIT
// Nothing is lost: a reload, Back and "Start over" bring recording and view back, until the user forgets them.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  axeViolations,
  browser,
  changeRecognised,
  choose,
  converted,
  demo,
  drop,
  openTab,
  selectRecording,
  served,
  shot,
  startOver,
  title,
  visit,
} from './harness.js';

const timeline = (page: Page) => page.getByRole('application', { name: 'Timeline of the recording' });
const renamed = (file: string, name: string) => ({ ...demo(file), name });
const isKept = (page: Page): Promise<void> =>
  page.getByText('This browser keeps the recording').waitFor({ state: 'attached' });
const visible = (page: Page): Promise<string> => page.locator('.tl-span').innerText();
const names = (page: Page): Promise<string[]> => page.locator('nav.recordings button b').allTextContents();
const startPage = (page: Page) => page.getByText('Drop a recording anywhere');

/** What a user sees of the state of the page. */
const state = async (page: Page): Promise<unknown> => ({
  address: page.url(),
  view: await visible(page),
  title: await title(page),
  tab: await page.title(),
  recordings: await names(page),
});

test('a reload brings all recordings, their choices and the view back', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await drop(page, [
    renamed('two-cores.core0.bin', 'a.bin'),
    renamed('two-cores.core1.bin', 'b.bin'),
    renamed('freertos.bin', 'c.bin'),
  ]);
  await page.locator('.files').waitFor();
  await selectRecording(page, 'c.bin');
  await page.locator('h1', { hasText: 'c.bin' }).waitFor();
  await converted(page);
  await changeRecognised(page);
  await page.getByLabel('Tick length (ns)').fill('2000');
  await page.keyboard.press('Enter');
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
  await selectRecording(page, 'a.bin');
  await page.locator('h1', { hasText: 'a.bin' }).waitFor();
  await changeRecognised(page);
  const second = page.locator('.card', { has: page.getByRole('heading', { name: 'b.bin' }) });
  await second.getByLabel('Belongs to').selectOption({ label: 'a trace of its own' });
  await expect.poll(() => names(page)).toHaveLength(3);
  await selectRecording(page, 'c.bin');
  await page.locator('h1', { hasText: 'c.bin' }).waitFor();
  await page.keyboard.press('Escape');
  await timeline(page).focus();
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  await expect.poll(() => page.url()).toMatch(/#t=\d+-\d+$/);
  await isKept(page);
  const before = await state(page);
  expect(before).toMatchObject({ title: 'c.bin', tab: 'c.bin – Tonkopf' });
  await page.reload();
  await converted(page);
  await expect.poll(() => state(page)).toEqual(before);
  await openTab(page, 'More');
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('Back brings a recording back: from another page, and after "Start over"; so does the list on the start page', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [renamed('freertos.bin', 'mine.bin')]);
  await converted(page);
  await isKept(page);
  await page.goto(`${served.url}docs/cli.html`);
  await page.goBack();
  await converted(page);
  expect(await title(page)).toBe('mine.bin');
  await timeline(page).focus();
  await page.keyboard.press('w');
  await expect.poll(() => page.url()).toContain('#t=');
  const view = await visible(page);
  await startOver(page);
  await startPage(page).waitFor();
  expect([new URL(page.url()).hash, await page.title()]).toEqual(['', 'Tonkopf']);
  await page.goBack();
  await converted(page);
  await expect.poll(() => visible(page)).toBe(view);
  await page.goForward();
  await startPage(page).waitFor();
  await page.getByRole('button', { name: 'mine.bin', exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'start page with recordings');
  await page.getByRole('button', { name: 'mine.bin', exact: true }).click();
  await converted(page);
  expect(await title(page)).toBe('mine.bin');
  await context.close();
  expect(complaints).toEqual([]);
});

test('a view in the address is shown when the user opens it beside its recording, which a reload still brings back', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [renamed('freertos.bin', 'mine.bin')]);
  await converted(page);
  await timeline(page).waitFor();
  await isKept(page);
  await page.evaluate(() => (location.hash = 't=100000000-150000000'));
  await expect.poll(() => visible(page)).toBe('50 ms visible');
  await page.reload();
  await converted(page);
  expect(await title(page)).toBe('mine.bin');
  await expect.poll(() => visible(page)).toBe('50 ms visible');
  await context.close();
});

test('the start page of a later visit lists the last recordings, which the user can open or forget', async () => {
  const { page, context } = await visit(browser, served.url);
  for (const name of ['first.bin', 'second.bin']) {
    await choose(page, [renamed(name === 'first.bin' ? 'freertos.bin' : 'bare-metal.bin', name)]);
    await converted(page);
    await isKept(page);
    await startOver(page);
  }
  const other = await context.newPage();
  await other.goto(served.url);
  const listed = other.locator('.kept bdi');
  await expect.poll(() => listed.allInnerTexts()).toEqual(['second.bin', 'first.bin']);
  await other.getByRole('button', { name: 'Forget second.bin' }).click();
  await expect.poll(() => listed.allInnerTexts()).toEqual(['first.bin']);
  await other.getByRole('button', { name: 'first.bin', exact: true }).click();
  await converted(other);
  await openTab(other, 'More');
  await other.getByRole('button', { name: 'Forget the recording' }).click();
  await other.getByText('This browser no longer keeps this recording').waitFor();
  await other.reload();
  await startPage(other).waitFor();
  await other.getByText('first.bin cannot be shown again').waitFor();
  expect(await other.locator('.kept').count()).toBe(0);
  await context.close();
});

test('a recording that comes back late does not replace what the user went on to', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [renamed('freertos.bin', 'mine.bin')]);
  await converted(page);
  await isKept(page);
  await startOver(page);
  await page.reload(); // it is only in the private file system now
  await page.locator('.kept').waitFor();
  await page.evaluate(() => {
    const { getDirectory } = StorageManager.prototype;
    const held = new Promise<void>((release) => Object.assign(window, { release }));
    StorageManager.prototype.getDirectory = async function () {
      await held;
      return getDirectory.call(this);
    };
  });
  const entry = (): Promise<unknown> => page.evaluate(() => (history.state as { recording: string }).recording);
  await page.evaluate(() => history.back());
  await expect.poll(entry).not.toBe('');
  await page.evaluate(() => history.forward());
  await expect.poll(entry).toBe('');
  await page.evaluate(async () => {
    (window as unknown as { release(): void }).release();
    const list = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const one of folder.values()) await (one.kind === 'file' ? one.getFile() : list(one));
    };
    for (let turn = 0; turn < 5; turn++) await list(await navigator.storage.getDirectory()); // as much as the page reads, and more
  });
  expect(await page.title()).toBe('Tonkopf');
  expect(await startPage(page).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'mine.bin', exact: true }).click();
  await converted(page);
  await context.close();
});

test('a large recording is kept too, when the user rests', async () => {
  const { page, context } = await visit(browser, served.url);
  const head = '$timescale 1ns $end $var wire 1 ! clk $end $enddefinitions $end #0 0! #5 1! $comment ';
  const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(65 << 20, 'long '), Buffer.from(' $end #10 0!\n')]);
  await choose(page, [{ name: 'large.vcd', bytes }]);
  await converted(page);
  await page.keyboard.press('w');
  await isKept(page);
  await page.reload();
  await converted(page);
  expect(await title(page)).toBe('large.vcd');
  await context.close();
});

test('"Forget all" in the settings forgets recordings too', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [renamed('freertos.bin', 'mine.bin')]);
  await converted(page);
  await isKept(page);
  await startOver(page);
  await page.locator('.kept').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Forget all' }).click();
  await page.getByText('Forgotten.').waitFor();
  await page.reload();
  await startPage(page).waitFor();
  await page.goBack();
  await page.getByText('mine.bin cannot be shown again').waitFor();
  await context.close();
});

test('without a private file system the page works as before, and "Start over" can be undone', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await page.addInitScript(() => {
    Object.defineProperty(StorageManager.prototype, 'getDirectory', {
      value: () => Promise.reject(new DOMException('no', 'SecurityError')),
    });
  });
  await page.reload();
  await choose(page, [renamed('freertos.bin', 'mine.bin')]);
  await converted(page);
  await startOver(page);
  await page.getByRole('button', { name: 'mine.bin', exact: true }).click();
  await converted(page);
  await page.getByText('no room to keep this recording').waitFor({ state: 'attached' });
  await page.reload();
  await startPage(page).waitFor();
  await page.getByText('mine.bin cannot be shown again').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
