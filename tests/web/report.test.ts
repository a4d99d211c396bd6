// SPDX-License-Identifier: MIT
// The report beside the result: what it shows, and how it is taken along.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type Given, browser, choose, converted, demo, root, served, visit } from './harness.js';

test('figures, strip, tasks, interrupts, queues and kinds are there, and agree with each other', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  for (const heading of ['Tasks', 'Interrupts', 'Queues and locks', 'Events by kind']) expect(await page.getByRole('heading', { name: heading }).count(), heading).toBe(1);
  const shares = await page.locator('section[aria-labelledby=tasks-title] tbody [data-column=share]').allInnerTexts();
  const sum = shares.reduce((all, text) => all + Number(/[\d.]+/.exec(text)?.[0] ?? 0), 0);
  expect(sum).toBeGreaterThan(90); // the rest was spent in interrupts and before the first switch
  expect(sum).toBeLessThan(101);
  const number = (text: string): number => Number(text.replaceAll('\u202f', ''));
  const kinds = (await page.locator('section[aria-labelledby=kinds-title] tbody [data-column=count]').allInnerTexts()).map(number);
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
  expect(await page.locator('.card').innerText()).toMatch(/\n8146 of 8161 frames decode/); // all were looked at, though more were cut at its ends
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

test('the page writes the same bytes as the library in Node, over several blocks', async () => {
  const { convert } = (await import(pathToFileURL(join(root, 'lib', 'index.js')).href)) as { convert(inputs: Given[]): Promise<{ trace: Uint8Array }> };
  const long: Given = { name: 'long.bin', bytes: Buffer.concat(Array.from({ length: 50 }, () => demo('freertos.bin').bytes)) };
  const two = [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')];
  const { page, context } = await visit(browser, served.url);
  for (const inputs of [[long], two, [demo('damaged.bin')]]) {
    await choose(page, inputs);
    await converted(page);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Download/ }).click()]);
    const saved = readFileSync(await file.path());
    const { trace } = await convert(inputs);
    if (inputs[0] === long) expect(trace.length).toBeGreaterThan(2 * (4 << 20));
    expect(saved.equals(trace), inputs[0]?.name).toBe(true);
    await page.getByRole('button', { name: 'Start over' }).click();
  }
  await context.close();
});
