// SPDX-License-Identifier: MIT
// The report beside the result: what it shows, and how it is taken along.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, choose, converted, demo, launch, serve, visit } from './harness.js';

let browser: Browser;
let served: Served;
beforeAll(async () => {
  [browser, served] = await Promise.all([launch(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await served.close();
});

test('figures, strip, tasks, interrupts, queues and kinds are there, and agree with each other', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  for (const heading of ['Where the time went', 'Interrupts', 'Queues and locks', 'Events by kind']) expect(await page.getByRole('heading', { name: heading }).count(), heading).toBe(1);
  const shares = await page.locator('section[aria-labelledby=tasks-title] tbody tr td:nth-child(4)').allInnerTexts();
  const sum = shares.reduce((all, text) => all + Number(/[\d.]+/.exec(text)?.[0] ?? 0), 0);
  expect(sum).toBeGreaterThan(90); // the rest was spent in interrupts and before the first switch
  expect(sum).toBeLessThan(101);
  const number = (text: string): number => Number(text.replaceAll('\u202f', ''));
  const kinds = (await page.locator('.kinds b').allInnerTexts()).map(number);
  const total = number(await page.locator('.figure', { hasText: /^events/i }).locator('dd').innerText());
  expect(kinds.reduce((all, kind) => all + kind, 0)).toBe(total);
  expect(await page.locator('.strip-field path').evaluateAll((paths) => paths.filter((path) => path.getAttribute('d')).length)).toBeGreaterThan(5);
  await context.close();
});

test('the playback head tells what ran where the pointer is', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await page.locator('.strip-field').hover();
  expect(await page.locator('.strip-now').innerText()).toMatch(/ms: .*%/);
  await context.close();
});

test('the report is copied and saved as text', async () => {
  const { page, context } = await visit(browser, served.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await choose(page, [demo('damaged.bin')]);
  await converted(page);
  await page.getByRole('button', { name: 'Copy the report as text' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the report' }).click()]);
  expect(file.suggestedFilename()).toBe('damaged.bin.report.txt');
  expect(readFileSync(await file.path(), 'utf8').trim()).toBe(copied.trim());
  const shown = await page.locator('.problem h3').allInnerTexts();
  for (const problem of shown) expect(copied).toContain(problem);
  await context.close();
});
