// SPDX-License-Identifier: MIT
// A recording that the viewer loads slowly: the page shows the cost before the click, and a time range of it opens at once, with the bytes of the command line.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import { waitLonger } from './gestures.js';
import {
  appeared,
  axeViolations,
  browser,
  converted,
  listed,
  openPlace,
  openTab,
  pressWhenAsked,
  root,
  served,
  shot,
  standIn,
  startOver,
  visit,
  watchAsked,
} from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-long-')),
  recording = join(folder, 'long.bin'),
  output = join(folder, 'out.pftrace');
const program = join(process.env['TONKOPF_NATIVE'] ?? join(root, 'build', 'native'), 'cli', 'tonkopf');

beforeAll(() => copyFileSync(inputs(CASES[0]!, '70M').paths[0]!, recording));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answering = `<script>
  window.got = [];
  addEventListener('message', ({ data, source, origin }) => {
    if (data === 'PING') return source.postMessage('PONG', origin);
    window.got.push(data.perfetto);
  });
</script>`;

async function longOne(options = {}, path = recording) {
  const visited = await visit(browser, served.url, options);
  await watchAsked(visited.page);
  await visited.page.evaluate(waitLonger);
  await standIn(visited.context, answering);
  const soFar = appeared(visited.page, '.so-far'); // figures while it is read
  await visited.page.locator('input[type=file][multiple]').setInputFiles(path);
  await converted(visited.page);
  await soFar;
  return visited;
}

/** How often the page asked its workers for this. */
const asked = (page: Page, what: string): Promise<number> =>
  page.evaluate((type) => (window as unknown as { asked: string[] }).asked.filter((one) => one === type).length, what);

const opened = async (page: Page, act: () => Promise<unknown>): Promise<Page> => {
  const [viewer] = await Promise.all([page.context().waitForEvent('page'), act()]);
  await page.locator('.action-status').getByText('Handed over').waitFor();
  return viewer;
};

const got = (viewer: Page): Promise<string> =>
  viewer.evaluate(async () => {
    const [{ buffer }] = (window as unknown as { got: [{ buffer: ArrayBuffer }] }).got;
    return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', buffer)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
  });

const shown = (viewer: Page): string[] => {
  const query = new URLSearchParams(viewer.url().split('?')[1]);
  return [query.get('visStart') ?? '', query.get('visEnd') ?? ''];
};

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function byCommandLine(...range: string[]): Promise<string> {
  rmSync(output, { force: true });
  execFileSync(program, ['conv', '--quiet', recording, '-o', output, ...range]);
  return hashOf(output);
}

/** Presses a button at the moment in which it appears, even if it disappears at once. */
const pressWhenThere = (page: Page, text: string): Promise<void> =>
  page.evaluate((words) => {
    new MutationObserver((_, observer) => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words);
      if (!button) return;
      observer.disconnect();
      button.click();
      Object.assign(window, { pressed: words });
    }).observe(document.body, { childList: true, subtree: true });
  }, text);

/** Marks an interval in the timeline, from one share of its width to another. */
const drag = async (page: Page, from: number, to: number): Promise<void> => {
  const field = page.getByRole('application', { name: 'Timeline of the recording' });
  await field.waitFor();
  const box = (await field.boundingBox())!;
  await page.mouse.move(box.x + box.width * from, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await openPart(page).waitFor();
};

/** The main button, while an interval is marked. */
const openPart = (page: Page) => page.getByRole('button', { name: /^Open \d.* in Perfetto/ });

/** `npm test` runs two of these tests; the stage `cases` of `npm run test:packages` all. */
const testMore = test.skipIf(!process.env['TONKOPF_EVERY_CASE']);

describe('a long recording', () => {
  test('shows the cost of the whole; a marked interval opens with the bytes of the command line, and so does the next one', async () => {
    const { page, context, complaints } = await longOne();
    expect(await page.locator('.action-warning.warn').innerText()).toMatch(/about \d+ s to load, about \d+ MB/);
    await drag(page, 0.6, 0.62);
    await shot(page, 'part of a long recording');
    expect(await axeViolations(page)).toEqual([]);
    const openRange = async (): Promise<void> => {
      const viewer = await opened(page, () => openPart(page).click());
      const [from, to] = shown(viewer);
      expect(await got(viewer)).toBe(await byCommandLine('--from', from!, '--to', to!));
    };
    await openRange();
    await drag(page, 0.7, 0.71);
    await openRange();
    // Both are made from the restart points of the first pass, without reading the file again.
    expect([await asked(page, 'start'), await asked(page, 'part')]).toEqual([1, 2]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  testMore('a link opens the range around it, and times within that range are shown in the same tab', async () => {
    const { page, context } = await longOne();
    await openTab(page, 'Interrupts');
    const link = page.locator('section[aria-labelledby=interrupts-title] .link[title]').first();
    const viewer = await opened(page, () => openPlace(link));
    const bytes = await viewer.evaluate(
      () => (window as unknown as { got: [{ buffer: ArrayBuffer }] }).got[0].buffer.byteLength,
    );
    expect(bytes).toBeLessThan(20_000_000);
    await openPlace(link);
    await page.locator('.action-status').getByText('now shows this time range').waitFor();
    expect(context.pages()).toHaveLength(2);
    await context.close();
  });

  testMore('narrow and dark', async () => {
    const { page, context } = await longOne({ viewport: { width: 400, height: 800 }, colorScheme: 'dark' });
    await drag(page, 0.5, 0.55);
    await shot(page, 'part of a long recording, narrow and dark');
    expect(await axeViolations(page)).toEqual([]);
    const viewer = await opened(page, () => openPart(page).click());
    const [from, to] = shown(viewer);
    expect(await got(viewer)).toBe(await byCommandLine('--from', from!, '--to', to!));
    await context.close();
  });

  testMore(
    'a cancelled download ends its conversion; then the whole trace is made for a download, and for the viewer',
    async () => {
      const { page, context } = await longOne();
      await pressWhenAsked(page, 'start', 'Stop');
      await page.getByRole('button', { name: /^Download/ }).click();
      await page.waitForFunction(() => 'pressed' in window);
      await page.locator('.action-status').waitFor({ state: 'detached' });
      await expect.poll(() => asked(page, 'stop')).toBe(1);
      expect(await page.getByRole('button', { name: /^Download/ }).isEnabled()).toBe(true);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download/ }).click(),
      ]);
      const whole = await byCommandLine();
      expect(await hashOf(await file.path())).toBe(whole);
      expect(await page.locator('.action-warning.warn').innerText()).toMatch(/about \d+ s to load, [\d.]+ MB/);
      await openTab(page, 'More');
      await page.getByText(/^Read in [\d.]+ s by Tonkopf/).waitFor(); // not the time that the trace took
      expect(await got(await opened(page, () => page.getByRole('button', { name: 'Open in Perfetto' }).click()))).toBe(
        whole,
      );
      await context.close();
    },
  );

  testMore('the whole trace can be requested directly, and cancelled', async () => {
    const { page, context } = await longOne();
    await pressWhenThere(page, 'Stop waiting');
    await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Open in Perfetto' }).click()]);
    await page.waitForFunction(() => 'pressed' in window);
    await page.locator('.action-status').waitFor({ state: 'detached' });
    await drag(page, 0.4, 0.42);
    const viewer = await opened(page, () => openPart(page).click());
    const [from, to] = shown(viewer);
    expect(await got(viewer)).toBe(await byCommandLine('--from', from!, '--to', to!));
    await context.close();
  });

  testMore('opening and downloading at once makes the whole trace once', async () => {
    const { page, context } = await longOne();
    const [file, viewer] = await Promise.all([
      page.waitForEvent('download'),
      context.waitForEvent('page'),
      page.evaluate(() => {
        for (const name of [/^Open in Perfetto/, /^Download/])
          [...document.querySelectorAll('button')].find(({ innerText }) => name.test(innerText))!.click();
      }),
    ]);
    await page.locator('.action-status').getByText('Handed over').waitFor();
    expect(await hashOf(await file.path())).toBe(await got(viewer));
    expect(await asked(page, 'start')).toBe(2); // one of them is the first pass
    await context.close();
  });

  testMore(
    'a range without a remaining caller is cancelled; the restart points stay until their recording is removed',
    async () => {
      const { page, context } = await longOne();
      const keeper = page.workers().at(-1)!;
      await page.getByRole('button', { name: 'Whole' }).click(); // the first window is so short that its trace could be made before the stop
      await drag(page, 0.1, 0.9);
      await pressWhenAsked(page, 'part', 'Stop waiting');
      await Promise.all([context.waitForEvent('page'), openPart(page).click()]);
      await page.waitForFunction(() => 'pressed' in window);
      await page.locator('.action-status').waitFor({ state: 'detached' });
      await expect.poll(() => asked(page, 'stop')).toBe(1);
      await drag(page, 0.6, 0.62);
      const viewer = await opened(page, () => openPart(page).click());
      const [from, to] = shown(viewer);
      expect(await got(viewer)).toBe(await byCommandLine('--from', from!, '--to', to!));
      expect(page.workers()).toContain(keeper);
      await page
        .locator('input[type=file][multiple]')
        .setInputFiles(join(root, 'web', 'public', 'demos', 'freertos.bin'));
      await listed(page);
      await converted(page);
      expect(page.workers()).toContain(keeper); // another recording does not free them
      expect(page.workers().at(-1)).not.toBe(keeper);
      await startOver(page);
      await expect.poll(() => page.workers(), { timeout: 300_000 }).not.toContain(keeper);
      await context.close();
    },
  );

  test('a file that has become shorter since it was read is reported, for a range as for the whole', async () => {
    const copy = join(folder, 'cut.bin');
    copyFileSync(recording, copy);
    const { page, context } = await longOne({}, copy);
    const told = page.locator('.action-status.warn').getByText(/The browser could not read cut\.bin.*moved or changed/);
    await context.route('https://ui.perfetto.dev/**', async (route) => {
      // the window is closed while its first page is being loaded
      await told.waitFor();
      await route.fulfill({ contentType: 'text/html', body: answering }).catch(() => {});
    });
    truncateSync(copy, 30_000_000);
    await drag(page, 0.8, 0.82);
    await Promise.all([context.waitForEvent('page'), openPart(page).click()]);
    await told.waitFor();
    await shot(page, 'file changed since it was read');
    await expect.poll(() => context.pages().length).toBe(1);
    await page.getByRole('button', { name: /^Download/ }).click();
    await page
      .locator('.banner.error')
      .getByText(/could not be saved: The browser could not read cut\.bin/)
      .waitFor();
    await context.close();
  });
});
