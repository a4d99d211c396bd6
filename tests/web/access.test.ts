// SPDX-License-Identifier: MIT
// Every function can be used with the keyboard alone; long names, other writing directions, paper.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { concat, frame } from '../generator/tband.mjs';
import { browser, choose, converted, demo, openTab, selectRecording, served, shot, visit } from './harness.js';

test('long names make nothing wider than the screen, and words in a table take at most three fifths of it', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 320, height: 740 } });
  const name = `${'a_name_without_a_place_to_break_it_'.repeat(5)}.bin`;
  const recording = concat([
    frame('ts_resolution_ns', 1000),
    frame('isr_name', 5, 'N'.repeat(120)),
    ...[10, 20, 30].flatMap((at) => [frame('isr_enter', at, 5), frame('isr_exit', at + 3, 5)]),
  ]);
  await choose(page, [
    { name, bytes: recording },
    { name: `b${name}`, bytes: demo('bare-metal.bin').bytes },
  ]);
  await page.getByRole('tab', { name: 'Compare' }).waitFor();
  await selectRecording(page, 'a_name');
  await openTab(page, 'Interrupts');
  await page.locator('.label-text', { hasText: 'NNNNN' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(
    await page.locator('dl.figures > div', { hasText: 'Interrupts' }).evaluate((node) => node.textContent),
  ).toMatch(/^Interrupts\s*1\s*kind$/i);
  for (const viewport of [
    { width: 320, height: 740 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    const widths = await page
      .locator('.label-text')
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().width));
    expect(Math.max(...widths)).toBeLessThanOrEqual(viewport.width * 0.6);
  }
  await context.close();
});

test('a name with right-to-left characters does not change the direction of other text', async () => {
  const { page, context } = await visit(browser, served.url);
  const turned = '\u202egpj.bin';
  await choose(page, [{ ...demo('freertos.bin'), name: turned }, demo('bare-metal.bin')]);
  await page.getByRole('tab', { name: 'Compare' }).waitFor();
  await selectRecording(page, 'bare-metal');
  await openTab(page, 'Compare');
  await page.locator('.compare select').selectOption({ label: turned });
  const order = await page.locator('.compare .hint').evaluate((hint) => {
    const last = document.createRange();
    last.setStart(hint.lastChild!, (hint.lastChild!.textContent ?? '').length - 2);
    last.setEnd(hint.lastChild!, (hint.lastChild!.textContent ?? '').length - 1);
    return last.getBoundingClientRect().left - hint.querySelector('bdi')!.getBoundingClientRect().right;
  });
  expect(order).toBeGreaterThan(0);
  await context.close();
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 600; i++) {
    // every time in a table is a stop
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const { activeElement } = document;
      const labels =
        activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement
          ? [...(activeElement.labels ?? [])].map((node) => node.innerText).join(' ')
          : '';
      return (
        activeElement?.getAttribute('aria-label') ?? (labels || (activeElement as HTMLElement | null)?.innerText || '')
      );
    });
    if (label.length < 200 && name.test(label)) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

test('from demo to override, download and back with the keyboard alone', async () => {
  const { page, context } = await visit(browser, served.url);
  await tabTo(page, /^Choose files/);
  await tabTo(page, /FreeRTOS/);
  await page.keyboard.press('Enter');
  await converted(page);
  await tabTo(page, /^Findings/); // the tabs are one stop
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await tabTo(page, /Change what was recognised/);
  await page.keyboard.press('Enter');
  await tabTo(page, /Raw events/);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#option-raw-events')?.value === '1');
  await converted(page);
  await tabTo(page, /^Download/);
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(file.suggestedFilename()).toBe('freertos.pftrace');
  await tabTo(page, /^More actions$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Start over$/);
  await page.keyboard.press('Space');
  await page.getByText('Drop a recording anywhere').waitFor();
  await context.close();
});

test('a dialog keeps the focus inside and returns it when closed', async () => {
  const { page, context } = await visit(browser, served.url);
  await tabTo(page, /^Settings$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe('Settings');
  await context.close();
});

test('a screen reader announces the end of a conversion', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await page.locator('[role=status]', { hasText: /^Done\. .+ events\./ }).waitFor({ state: 'attached' });
  await context.close();
});

test('printed tables are complete, and there are no buttons', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 718, height: 1000 } }); // A4 without its margins
  await choose(page, [
    {
      ...demo('freertos.bin'),
      name: 'a-recording-with-a-very-long-name-of-the-motor-controller-board-revision-C-2026-11-23T014500-firmware-1.12.3.bin',
    },
  ]);
  await converted(page);
  await page.emulateMedia({ media: 'print' });
  await shot(page, 'print');
  expect(
    await page
      .locator('.scroll')
      .evaluateAll((nodes) =>
        nodes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.getAttribute('aria-label')),
      ),
  ).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718);
  expect(await page.locator('.button:visible, input:visible, select:visible').count()).toBe(0);
  await context.close();
});
