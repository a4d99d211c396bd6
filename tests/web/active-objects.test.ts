// SPDX-License-Identifier: MIT
// A recording of active objects on the page: its terms, its options, and the question about its clock rate.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { golden_input } from '../golden/cases.mjs';
import {
  type Given,
  browser,
  changeRecognised,
  choose,
  converted,
  figure,
  openTab,
  served,
  shot,
  visit,
} from './harness.js';

const golden = (name: string): Given => ({ name: `${name}.bin`, bytes: readFileSync(golden_input(`qs/${name}`)) });

/** Waits until the figure "Events" is this number, or any other number. */
const eventsAre = (page: Page, count: number, wanted: boolean): Promise<unknown> =>
  page.waitForFunction(
    ({ count, wanted }) => {
      const box = [...document.querySelectorAll('.figure')].find(
        (node) => node.querySelector('dt')?.textContent === 'Events',
      );
      const text = box?.querySelector('dd')?.firstChild?.textContent;
      return !!text && (Number(text.replaceAll('\u202f', '')) === count) === wanted;
    },
    { count, wanted },
  );

test('objects, steps and their waits', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [golden('lift')]);
  await converted(page);
  expect(await page.locator('.chips').innerText()).toContain('QP/Spy');
  expect(Number(await figure(page, 'Objects'))).toBeGreaterThan(2);
  const tasks = page.locator('section[aria-labelledby=objects-title]');
  expect(await tasks.locator('thead').innerText()).toMatch(/ACTIVE OBJECT[\s\S]*STEPS/i);
  const busy = Number.parseFloat((await figure(page, 'CPU busy')).replace('<', ''));
  expect(busy).toBeLessThan(50); // nothing ran in the rest of the time, although the recording contains no idle task
  await shot(page, 'active objects');
  expect(complaints).toEqual([]);
  await context.close();
});

test('the page asks for the clock rate, which is exact', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [golden('rate-unknown')]);
  await converted(page);
  await page.getByText('How fast does the clock of the time stamp run?').waitFor();
  expect(await figure(page, 'Tick')).toBe('1 ns');
  await page.getByLabel('Clock rate', { exact: true }).fill('168');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('How fast does the clock').waitFor({ state: 'detached' });
  await converted(page);
  expect(await figure(page, 'Clock')).toBe('168 MHz');
  await changeRecognised(page);
  expect(await page.getByLabel('Clock rate (Hz)').inputValue()).toBe('168000000');
  await context.close();
});

test('sizes that the recording does not contain are inferred, marked as inferred, and can be set', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [golden('field-sizes-inferred')]);
  await converted(page);
  expect(await page.locator('.card .reason').innerText()).toMatch(/inferred/);
  await openTab(page, 'Problems');
  await page.getByText('Sizes of fields were inferred').waitFor();
  await changeRecognised(page);
  for (const label of ['Time stamp bytes', 'Object pointer bytes', 'Signal bytes'])
    expect(await page.getByLabel(label).inputValue()).toBe('auto');
  const events = Number(await figure(page, 'Events'));
  await page.getByLabel('Signal bytes').selectOption('4'); // wrong size: fewer records are valid
  await eventsAre(page, events, false);
  await page.getByLabel('Signal bytes').selectOption('auto');
  await eventsAre(page, events, true);
  await context.close();
});
