// SPDX-License-Identifier: MIT
// The page as a tool of one screen: its rules in every state, and the way from a drop to the viewer with one click.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  type Given,
  axeViolations,
  browser,
  choose,
  converted,
  demo,
  drop,
  fromMenu,
  holdConversion,
  openTab,
  selectRecording,
  served,
  shot,
  standIn,
  startOver,
  visit,
} from './harness.js';

const screens: [string, BrowserContextOptions][] = [
  ['1280 x 720', { viewport: { width: 1280, height: 720 } }],
  ['390 x 844', { viewport: { width: 390, height: 844 } }],
];

const answering = `<script>
  addEventListener('message', ({ data, source, origin }) => {
    if (data === 'PING') return source.postMessage('PONG', origin);
    window.got = data.perfetto;
  });
</script>`;

const main = (page: Page) => page.locator('.convert-button');
const timeline = (page: Page) => page.getByRole('application', { name: 'Timeline of the recording' });

/** Place and size of the main button. */
const placeOf = async (page: Page): Promise<string> => JSON.stringify(await main(page).boundingBox());

/** Elements in the signal colour. Runs in the page. */
function inSignalColour(): string[] {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--signal)';
  const { color: signal } = getComputedStyle(probe);
  probe.remove();
  return [...document.body.querySelectorAll('*')]
    .filter((node) => {
      const { width, height } = node.getBoundingClientRect();
      const style = getComputedStyle(node);
      const colours = [style.color, style.backgroundColor, style.borderLeftColor, style.fill, style.stroke];
      return width > 0 && height > 0 && colours.includes(signal);
    })
    .map((node) => `${node.tagName} ${node.getAttribute('class') ?? ''}`);
}

/** Controls and words outside of the timeline. Runs in the page. */
function firstScreen(): { controls: number; words: number } {
  const isOutside = (node: Element): boolean => !node.closest('.timeline, .visually-hidden');
  const isVisible = (node: Element): boolean => node.getClientRects().length > 0;
  const controls = [...document.querySelectorAll('button, a, input, select, summary')].filter(
    (node) => isOutside(node) && isVisible(node),
  );
  let words = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement && isOutside(parentElement) && isVisible(parentElement))
      words += (textContent?.match(/[\p{L}\p{N}]+/gu) ?? []).length;
  }
  return { controls: controls.length, words };
}

const noScrolling = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.documentElement.scrollHeight <= innerHeight &&
      document.documentElement.scrollWidth <= innerWidth &&
      document.body.scrollHeight <= innerHeight,
  );

const letter: Given = { name: 'letter.txt', bytes: Buffer.from('Dear reader, no recording here.') };

describe.each(screens)('%s', (_, options) => {
  test('from recognition to the end the main button keeps its place and size, alone in the signal colour, and nothing scrolls', async () => {
    const { page, context } = await visit(browser, served.url, options);
    await standIn(context, '');
    const seen: [string, string][] = [];
    const check = async (state: string): Promise<void> => {
      seen.push([state, await placeOf(page)]);
      expect(await noScrolling(page), state).toBe(true);
      expect(
        (await page.evaluate(inSignalColour)).filter((node) => !node.includes('convert-button')),
        state,
      ).toEqual([]);
      await shot(page, `tool ${options.viewport!.width} ${state}`);
    };
    await page.evaluate(() => {
      const places: string[] = [];
      Object.assign(window, { places });
      new MutationObserver(() => {
        const box = document.querySelector('.convert-button')?.getBoundingClientRect();
        if (box) places.push(`${Math.round(box.x)} ${Math.round(box.y)} ${box.width} ${box.height}`);
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    const release = await holdConversion(page);
    await choose(page, [demo('freertos.bin')]);
    await page.locator('.conversion-progress').waitFor();
    await check('converting');
    await release();
    await converted(page);
    await timeline(page).waitFor();
    await check('done');
    await main(page).click();
    await page.getByText('Waiting for the viewer').waitFor();
    await check('waiting for the viewer');
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await openTab(page, 'Tasks');
    await check('drawer');
    await page.keyboard.press('Escape');
    await drop(page, [demo('damaged.bin')]);
    await page.locator('h1', { hasText: 'damaged.bin' }).waitFor();
    await converted(page);
    await check('damaged, several files');
    await drop(page, [letter]);
    await page.getByText('This file is not a recording').waitFor();
    await check('not recognised');
    expect(new Set(seen.map(([, place]) => place)).size, JSON.stringify(seen)).toBe(1);
    const places = await page.evaluate(() => (window as unknown as { places: string[] }).places);
    expect(new Set(places).size, [...new Set(places)].join('; ')).toBe(1);
    const { x, y, width, height } = (await main(page).boundingBox())!;
    expect(x >= 0 && y >= 0).toBe(true);
    expect(x + width).toBeLessThanOrEqual(options.viewport!.width);
    expect(y + height).toBeLessThanOrEqual(options.viewport!.height);
    await context.close();
  });

  test('the first screen of each kind of recording has at most 12 controls and 60 words beside the timeline', async () => {
    const { page, context } = await visit(browser, served.url, options);
    for (const name of ['freertos.bin', 'damaged.bin', 'tracerecorder.psf', 'calls.bin', 'uart.vcd']) {
      await choose(page, [demo(name)]);
      await converted(page);
      await timeline(page).waitFor();
      const { controls, words } = await page.evaluate(firstScreen);
      expect(controls, name).toBeLessThanOrEqual(12);
      expect(words, name).toBeLessThanOrEqual(60);
      await startOver(page);
    }
    await context.close();
  });
});

describe('from a drop to the viewer with one click', () => {
  const states: [string, Given[]][] = [
    ['done', [demo('freertos.bin')]],
    ['damaged', [demo('damaged.bin')]],
    ['several files', [demo('freertos.bin'), demo('bare-metal.bin')]],
    ['a file that is no recording beside it', [letter, demo('freertos.bin')]],
    ['signals', [demo('uart.vcd')]],
  ];
  test.each(states)('%s', async (_, given) => {
    const { page, context, complaints } = await visit(browser, served.url, { viewport: { width: 390, height: 844 } });
    await standIn(context, answering);
    await drop(page, given);
    await converted(page);
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await viewer.waitForFunction(() => 'got' in window);
    expect(viewer.url()).not.toContain('visStart'); // the user has not touched the timeline
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('converting: the window opens at once', async () => {
    const { page, context } = await visit(browser, served.url);
    await standIn(context, answering);
    const release = await holdConversion(page);
    await drop(page, [demo('freertos.bin')]);
    await page.locator('.conversion-progress').waitFor();
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await release();
    await viewer.waitForFunction(() => 'got' in window);
    await context.close();
  });

  test('recognising: the button waits, and one click is enough afterwards', async () => {
    const { page, context } = await visit(browser, served.url);
    await standIn(context, answering);
    const release = await holdConversion(page, 'inspect');
    await drop(page, [demo('freertos.bin')]);
    await page.locator('.looking').waitFor();
    expect(await main(page).isDisabled()).toBe(true);
    await release();
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await viewer.waitForFunction(() => 'got' in window);
    await context.close();
  });

  test('brought back by a reload', async () => {
    const { page, context } = await visit(browser, served.url);
    await standIn(context, answering);
    await drop(page, [demo('freertos.bin')]);
    await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' });
    await page.reload();
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await viewer.waitForFunction(() => 'got' in window);
    await context.close();
  });

  test('an error: the button is disabled, and one click is enough after another attempt', async () => {
    const { page, context } = await visit(browser, served.url);
    await standIn(context, answering);
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, message: { type: string }, transfer: never) {
        if (message.type !== 'start') return postMessage.call(this, message, transfer);
        Worker.prototype.postMessage = postMessage;
        this.dispatchEvent(new ErrorEvent('error', { message: 'RangeError: out of memory', cancelable: true }));
      };
    });
    await drop(page, [demo('freertos.bin')]);
    await page.locator('.failure').waitFor();
    expect(await main(page).isDisabled()).toBe(true);
    expect(await page.locator('.line-main').innerText()).toBe('Stopped by an error');
    await shot(page, 'tool error');
    await page.getByRole('button', { name: 'Try again' }).click();
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await viewer.waitForFunction(() => 'got' in window);
    await context.close();
  });

  test('not recognised: the button is disabled', async () => {
    const { page, context } = await visit(browser, served.url);
    await drop(page, [letter]);
    await page.getByText('This file is not a recording').waitFor();
    expect(await main(page).isDisabled()).toBe(true);
    await context.close();
  });
});

test('the viewer opens at the visible time; the button hands over only a marked interval and shows its length', async () => {
  const { page, context } = await visit(browser, served.url);
  await standIn(context, answering);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await timeline(page).focus();
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  const whole = async (): Promise<[URLSearchParams, number]> => {
    const [viewer] = await Promise.all([context.waitForEvent('page'), main(page).click()]);
    await viewer.waitForFunction(() => 'got' in window);
    const bytes = await viewer.evaluate(
      () => (window as unknown as { got: { buffer: ArrayBuffer } }).got.buffer.byteLength,
    );
    const query = new URLSearchParams(viewer.url().split('?')[1]);
    await viewer.close();
    return [query, bytes];
  };
  await expect.poll(() => page.url()).toContain('t=');
  const [moved, all] = await whole();
  expect(Number(moved.get('visEnd'))).toBeGreaterThan(Number(moved.get('visStart')));
  expect(await main(page).innerText()).toContain('Open in Perfetto');
  const box = (await timeline(page).boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => main(page).innerText()).toMatch(/^Open [\d.]+ \S+ in Perfetto/);
  await shot(page, 'tool marked');
  const [marked, part] = await whole();
  expect(Number(marked.get('visEnd'))).toBeGreaterThan(Number(marked.get('visStart')));
  expect(part).toBeLessThan(all);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  const { statSync } = await import('node:fs');
  expect(statSync(await file.path()).size).toBe(all); // a download is the whole
  await context.close();
});

test('Enter opens the viewer only while the focus is outside of timeline and drawer', async () => {
  const { page, context } = await visit(browser, served.url);
  await standIn(context, answering);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await timeline(page).focus();
  await page.keyboard.press('Enter');
  await openTab(page, 'Findings');
  await page.getByRole('tabpanel', { name: 'Findings' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape'); // the drawer closes, and its tab has the focus
  expect(await page.getByRole('tab', { name: 'Findings' }).getAttribute('aria-selected')).toBe('false');
  expect(context.pages()).toHaveLength(1);
  await page.locator('main').focus();
  await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
  await context.close();
});

test('a second file adds a menu of files and the tab Compare; the drawer stays open', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  expect(await page.locator('.files').count()).toBe(0);
  expect(await page.getByRole('tab', { name: 'Compare' }).count()).toBe(0);
  await drop(page, [demo('damaged.bin')]);
  await page.locator('h1', { hasText: 'damaged.bin' }).waitFor();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  await page.locator('#panel-compare .change').first().waitFor();
  await selectRecording(page, 'freertos.bin');
  await page.locator('h1', { hasText: 'freertos.bin' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Compare' }).getAttribute('aria-selected')).toBe('true');
  await fromMenu(page, 'Start over');
  await page.getByText('Drop a recording anywhere').waitFor();
  await context.close();
});

test('a selection opens the drawer if it is closed, shows its row, and is gone with Escape', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 1280, height: 560 } });
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  const field = timeline(page);
  await field.focus();
  const selection = page.getByRole('tab', { name: 'Selection' });
  expect(await selection.count()).toBe(0);
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowDown'); // a row that the open drawer would cover
  await page.keyboard.press('l');
  await page.getByRole('tabpanel', { name: 'Selection' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('application');
  const within = async (): Promise<boolean> => {
    const [item, all] = [(await page.locator('.tl-item').boundingBox())!, (await field.boundingBox())!];
    return item.y >= all.y - 2 && item.y + item.height <= all.y + all.height + 2;
  };
  await expect.poll(within).toBe(true);
  await page.keyboard.press('Escape');
  await selection.waitFor({ state: 'detached' });
  expect(await page.locator('.drawer.open').count()).toBe(0);
  await openTab(page, 'Tasks');
  await field.focus();
  await page.keyboard.press('l');
  await selection.waitFor();
  expect(await page.getByRole('tab', { name: 'Tasks' }).getAttribute('aria-selected')).toBe('true');
  await context.close();
});

test('events of the visible time: filter, copy, and a selection in both directions', async () => {
  const { page, context, complaints } = await visit(browser, served.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await timeline(page).focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('w');
  await openTab(page, 'Events');
  const rows = page.locator('.events tbody tr');
  await rows.first().waitFor();
  const all = await rows.count();
  await page.getByLabel('Filter: events', { exact: true }).fill('control');
  await expect.poll(() => rows.count()).toBeLessThan(all);
  const texts = await rows.allInnerTexts();
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toContain('control');
  await page.getByRole('button', { name: 'Copy events' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim().split('\n')).toHaveLength(texts.length);
  await shot(page, 'tool events');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel('Filter: events', { exact: true }).fill('');
  await expect.poll(() => rows.count()).toBe(all);

  const runs = rows.filter({ hasText: /control\s*runs/ }).first();
  await runs.getByRole('button').click(); // from the list to the timeline
  await page.locator('.tl-item').waitFor();
  await expect.poll(() => page.locator('#timeline-words').innerText()).toMatch(/^control: running/);
  await expect.poll(() => page.locator('.events .chosen').first().innerText()).toContain('control');
  const before = await page.locator('.events .chosen').first().innerText();
  await timeline(page).press(']'); // from the timeline to the list
  await expect.poll(() => page.locator('.events .chosen').allInnerTexts()).not.toContain(before);
  expect(complaints).toEqual([]);
  await context.close();
});
