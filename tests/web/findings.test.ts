// SPDX-License-Identifier: MIT
// The most important finding is in the line below the bar; all of them are in the drawer, lead to their places, and are shown as text only.
import { expect, test } from 'vitest';
import { type Fault, run_with_fault } from '../simulator/faults.mjs';
import { tonbandgeraet } from '../simulator/tonbandgeraet.mjs';
import { type Given, axeViolations, browser, choose, converted, openTab, served, shot, visit } from './harness.js';

const recording = (fault: Fault | null): Given => ({
  name: `${fault ?? 'healthy'}.bin`,
  bytes: tonbandgeraet(run_with_fault(1, fault), { extensions: true }).files[0]!,
});

test('the first finding is in the line below the bar, and its place is shown in the timeline', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [recording('lock held across a wait')]);
  await converted(page);
  const line = page.locator('.line');
  expect(await line.innerText()).toContain('logger / bus');
  await line.getByRole('button', { name: 'Show' }).click(); // opens the tab, too
  const finding = page.locator('.finding').first();
  await expect.poll(() => finding.innerText()).toContain('logger / bus');
  expect(await finding.locator('.tag').innerText()).toBe('to check');
  expect(await finding.locator('.finding-shape').count()).toBe(1);
  await shot(page, 'findings-wide');
  expect(await axeViolations(page)).toEqual([]);
  await finding.locator('summary').click();
  expect(await finding.innerText()).toContain('Give the lock back before the wait.');
  expect(await finding.locator('.finding-further button').count()).toBe(7); // eight places, the first one in the line
  await shot(page, 'findings-open');
  await finding.locator('.finding-at button').click();
  await page.locator('.tl-item, .tl-interval').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('narrow and dark', async () => {
  const { page, context } = await visit(browser, served.url, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await choose(page, [recording('inversion')]);
  await converted(page);
  await openTab(page, 'Findings');
  await page.locator('.finding-problem').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await shot(page, 'findings-narrow-dark');
  expect(await axeViolations(page)).toEqual([]);
  await context.close();
});

test('without a finding the page says that there is none', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [recording(null)]);
  await converted(page);
  expect(await page.locator('.line').innerText()).toContain('No finding');
  await openTab(page, 'Findings');
  expect(await page.locator('#findings-title').innerText()).toContain('none');
  await shot(page, 'findings-none');
  await context.close();
});
