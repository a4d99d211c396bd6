// SPDX-License-Identifier: MIT
// The report beside the result: its content, and copying and saving it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  type Given,
  axeViolations,
  browser,
  choose,
  converted,
  demo,
  openTab,
  root,
  served,
  shot,
  startOver,
  visit,
} from './harness.js';

test('figures, tasks, interrupts, queues and kinds exist and agree with each other', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  for (const [tab, heading] of [
    ['Tasks', 'Tasks'],
    ['Interrupts', 'Interrupts'],
    ['Queues', 'Queues and locks'],
    ['More', 'Events by kind'],
  ] as const) {
    await openTab(page, tab);
    expect(await page.getByRole('heading', { name: heading }).count(), heading).toBe(1);
  }
  const shares = await page.locator('section[aria-labelledby=tasks-title] tbody [data-column=share]').allInnerTexts();
  const sum = shares.reduce((all, text) => all + Number(/[\d.]+/.exec(text)?.[0] ?? 0), 0);
  expect(sum).toBeGreaterThan(90); // the rest was spent in interrupts and before the first switch
  expect(sum).toBeLessThan(101);
  const number = (text: string): number => Number(text.replaceAll('\u202f', ''));
  await page
    .locator('section[aria-labelledby=kinds-title]')
    .getByRole('button', { name: /^Show all/ })
    .click();
  const kinds = (
    await page.locator('section[aria-labelledby=kinds-title] tbody [data-column=count]').allInnerTexts()
  ).map(number);
  const total = number(
    await page
      .locator('.figure', { hasText: /^events/i })
      .locator('dd')
      .innerText(),
  );
  expect(kinds.reduce((all, kind) => all + kind, 0)).toBe(total);
  await context.close();
});

test('every occurrence of a problem: one after the other, and its place in the timeline', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('damaged.bin')]);
  await converted(page);
  await openTab(page, 'Problems');
  const problem = page.locator('.problem', { hasText: 'Damaged frames' });
  const [back, on] = ['Previous place', 'Next place'].map((name) => problem.getByRole('button', { name })) as [
    Locator,
    Locator,
  ];
  const seen = new Set<string>();
  await page.locator('.timeline').waitFor();
  const whole = await page.locator('.tl-axis').innerText();
  for (let place = 1; place <= 9; place++) {
    expect(await problem.locator('.stepper').innerText()).toContain(`place ${place} of 9`);
    expect(await back.getAttribute('aria-disabled')).toBe(String(place === 1));
    expect(await on.getAttribute('aria-disabled')).toBe(String(place === 9));
    seen.add(await problem.locator('.problem-location').innerText());
    if (place < 9) await on.click();
  }
  expect(seen.size).toBe(9);
  await expect.poll(() => page.locator('.tl-axis').innerText()).not.toBe(whole); // the place is shown in the timeline
  await shot(page, 'places of a problem');
  await back.click();
  expect(await problem.locator('.stepper').innerText()).toContain('place 8 of 9');
  await context.close();
});

test('a long table shows its first rows, and all of them on request', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await openTab(page, 'More');
  const kinds = page.locator('section[aria-labelledby=kinds-title]');
  expect(await kinds.locator('tbody tr').count()).toBe(12);
  await kinds.getByRole('button', { name: /^Show all/ }).click();
  expect(await kinds.locator('tbody tr').count()).toBeGreaterThan(20);
  expect(await kinds.getByRole('button', { name: /^Show all/ }).count()).toBe(0);
  await context.close();
});

test('the report is copied and saved as text', async () => {
  const { page, context } = await visit(browser, served.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await choose(page, [demo('damaged.bin')]);
  await converted(page);
  await openTab(page, 'More');
  expect(await page.locator('.card').innerText()).toMatch(/\n8\s146 of 8\s161 frames decode/); // all records were read, though more were truncated at the ends
  await page.getByRole('button', { name: 'Copy the report as text' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('damaged.bin.report.txt');
  expect(readFileSync(await file.path(), 'utf8').trim()).toBe(copied.trim());
  const shown = await page.locator('.problem h3').allInnerTexts();
  for (const problem of shown) expect(copied).toContain(problem);
  await context.close();
});

test('the page writes the same bytes as the library in Node, in several blocks', async () => {
  const { convert } = (await import(pathToFileURL(join(root, 'lib', 'index.js')).href)) as {
    convert(inputs: Given[]): Promise<{ trace: Uint8Array }>;
  };
  const long: Given = {
    name: 'long.bin',
    bytes: Buffer.concat(Array.from({ length: 50 }, () => demo('freertos.bin').bytes)),
  };
  const two = [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')];
  const { page, context } = await visit(browser, served.url);
  for (const inputs of [[long], two, [demo('damaged.bin')]]) {
    await choose(page, inputs);
    await converted(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download/ }).click(),
    ]);
    const saved = readFileSync(await file.path());
    const { trace } = await convert(inputs);
    if (inputs[0] === long) expect(trace.length).toBeGreaterThan(2 * (4 << 20));
    expect(saved.equals(trace), inputs[0]?.name).toBe(true);
    await startOver(page);
  }
  await context.close();
});

test('the report as Markdown, a table as CSV, and a comparison of two recordings', async () => {
  const { page, context, complaints } = await visit(browser, served.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await choose(page, [demo('freertos.bin'), demo('damaged.bin')]);
  await converted(page);
  await openTab(page, 'More');
  await page.getByRole('button', { name: 'Copy the report for a ticket' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await clipboard()).toMatch(/^# [^\n]+\n\nTonkopf [^\n]*\n+## Findings\n[^]*\n## Tasks\n\n\| Task \|/);
  await openTab(page, 'Tasks');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save CSV: Tasks' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.tasks\.csv$/);
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^name,idle,id,.*\r\n/);
  await openTab(page, 'Compare');
  const choice = page.getByLabel('Compare with');
  await page.waitForFunction(() => document.querySelectorAll('.compare option').length === 2);
  await choice.selectOption({ index: 1 });
  await page.locator('section[aria-labelledby=events-title]').waitFor();
  expect(await page.locator('section[aria-labelledby=events-title] .change').first().innerText()).toMatch(/^[+−]/);
  expect(await page.locator('section[aria-labelledby=tick-title]').count()).toBe(0); // both recordings contain the tick length
  const start = page.locator('section[aria-labelledby=time-title] [data-column=start]').last();
  expect(await start.innerText()).not.toMatch(/^0 /); // times of the trace, since each recording has its own start
  await shot(page, 'compare');
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await shot(page, 'compare-390');
  await choice.selectOption('');
  expect(await page.locator('.change').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
