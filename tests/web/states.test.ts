// SPDX-License-Identifier: MIT
// In each state of the page axe reports nothing, and nothing is wider than the screen.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sampled } from '../golden/cases.mjs';
import {
  COLOR_RULES,
  axeViolations,
  browser,
  changeRecognised,
  choose,
  converted,
  demo,
  drop,
  listed,
  openTab,
  selectRecording,
  served,
  shot,
  startOver,
  visit,
} from './harness.js';

const widths: [string, BrowserContextOptions][] = [
  ['wide', {}],
  ['narrow', { viewport: { width: 320, height: 844 } }],
];
const colorSchemes = ['light', 'dark'] as const;

/** Returns the elements that stand out of the screen at the right, except those in a box that scrolls by itself. Runs in the page. */
function overflowing(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (node: Element | null): boolean =>
    node !== null &&
    node !== document.documentElement &&
    (getComputedStyle(node).overflowX !== 'visible' || scrolls(node.parentElement));
  const wide = [...document.body.querySelectorAll('*')].filter(
    (node) => node.getBoundingClientRect().right > width + 1 && !scrolls(node.parentElement),
  );
  const page =
    document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : [];
  return [...page, ...wide.map((node) => `${node.tagName} ${node.className}: ${node.textContent?.slice(0, 40)}`)];
}

/** Brings the page into each state in turn. */
const states: [string, (page: Page) => Promise<void>][] = [
  ['start', async (page) => page.getByText('Drop a recording anywhere').waitFor()],
  ['paste', async (page) => page.getByRole('button', { name: 'Paste text' }).click()],
  [
    'settings',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Address of the Perfetto viewer').fill('nonsense');
      await page.getByRole('button', { name: 'Keep' }).click();
    },
  ],
  [
    'result',
    async (page) => {
      await page.keyboard.press('Escape');
      await choose(page, [demo('damaged.bin')]);
      await converted(page);
    },
  ],
  ['menus', async (page) => changeRecognised(page)],
  ...['Findings', 'Tasks', 'Problems'].map((name): [string, (page: Page) => Promise<void>] => [
    `tab ${name}`,
    (page) => openTab(page, name),
  ]),
  [
    'list',
    async (page) => {
      await drop(page, [
        demo('bare-metal.bin'),
        { name: 'letter.txt', bytes: Buffer.from('Dear reader, no recording here.') },
      ]);
      await listed(page);
      await converted(page);
    },
  ],
  [
    'unknown',
    async (page) => {
      await selectRecording(page, 'letter.txt');
      await page.getByText('This file is not a recording').waitFor();
    },
  ],
  [
    'demo',
    async (page) => {
      await startOver(page);
      await page.locator('.demo').first().click();
      await converted(page);
    },
  ],
  [
    'tick',
    async (page) => {
      await startOver(page);
      await choose(page, [{ name: 'tail.bin', bytes: demo('freertos.bin').bytes.slice(60_000) }]);
      await page.getByText('How long is one tick').waitFor();
    },
  ],
];

/** States that axe also examines in the narrow page. */
const examinedNarrow = sampled(states.map(([state]) => state));

describe.each(widths)('%s', (width, options) => {
  test('light and dark: axe reports nothing, and nothing is wider than the screen', async () => {
    const { page, context, complaints } = await visit(browser, served.url, { reducedMotion: 'reduce', ...options });
    for (const [state, reach] of states) {
      await reach(page);
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme });
        const look = `${width} ${colorScheme} ${state}`;
        await shot(page, look);
        if (width === 'wide' || examinedNarrow.includes(state))
          expect(await axeViolations(page, colorScheme === 'light' ? undefined : COLOR_RULES), look).toEqual([]);
        expect(await page.evaluate(overflowing), look).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});

test('every demo fits a screen of 320 pixels', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 320, height: 740 } });
  await page.locator('.demo').first().waitFor();
  const count = await page.locator('.demo').count();
  expect(count).toBeGreaterThan(5);
  for (const number of sampled(Array.from({ length: count }, (_, index) => index))) {
    const demo = page.locator('.demo').nth(number);
    const name = await demo.innerText();
    await demo.click();
    await converted(page);
    await shot(page, `320 pixels, demo ${number}`);
    expect(await page.evaluate(overflowing), name).toEqual([]);
    await startOver(page);
  }
  await context.close();
});
