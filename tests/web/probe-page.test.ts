// SPDX-License-Identifier: MIT
// A board behind a debug probe in the page: chosen, watched, read post mortem.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fakeUsb } from './fake-usb.js';
import { type Visit, axeViolations, browser, converted, newContext, root, served, shot } from './harness.js';
import { Board, SoftwareProbe } from './software-probe.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

async function visitWithProbe(probe: SoftwareProbe): Promise<Pick<Visit, 'context' | 'page'>> {
  const context = await newContext(browser, {
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    serviceWorkers: 'block',
  });
  await fakeUsb(context, probe);
  const page = await context.newPage();
  await page.goto(served.url);
  await page.getByRole('button', { name: 'Connect a board' }).click();
  await page.getByLabel('Debug probe').check();
  return { context, page };
}

const connect = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Connect to Debug Probe (CMSIS-DAP)' }).click();

async function saved(page: Page): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  return readFileSync(await download.path());
}

test('the stream of a target is watched; a halted one and a probe that is unplugged are named', async () => {
  const board = new Board({ ring: 20_000 });
  board.start();
  board.run(40);
  const probe = new SoftwareProbe(board, { size: 512, count: 4, onPacket: () => board.run(1) });
  const { context, page } = await visitWithProbe(probe);
  await page.getByLabel('Memory to search').fill('RAM');
  await connect(page);
  await page.getByText('A memory range is an address and a length').waitFor();
  await page.getByLabel('Memory to search').fill('0x20000000:64K');
  await shot(page, 'connect-probe');
  expect(await axeViolations(page)).toEqual([]);
  await connect(page);
  await page.locator('.live-running').waitFor();
  await page.locator('.timeline').waitFor();
  await expect.poll(() => board.events).toBeGreaterThan(300);
  await shot(page, 'live-probe');
  board.isHalted = true;
  await page.getByText('The target is halted.').waitFor();
  await expect.poll(async () => (await saved(page)).subarray(-1000).equals(board.all.subarray(-1000))).toBe(true);
  const bytes = await saved(page);
  const { report } = await convert([{ name: 'run.bin', bytes }]);
  expect(report.events).toMatchObject({ lost: board.lost, restarts: 0 });
  expect(report.problems.filter(({ severity }) => severity === 'damage')).toEqual([]);
  expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
  probe.isGone = true;
  await page.locator('.live-gone').waitFor();
  probe.isGone = board.isHalted = false;
  await page.locator('.live-running').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await converted(page);
  await context.close();
});

test('the recording in the memory of a target is read once, and is one like any other', async () => {
  const board = new Board({ ring: 4000, backend: 'overwritten' });
  board.start();
  board.run(2000);
  const { context, page } = await visitWithProbe(new SoftwareProbe(board, { size: 512, count: 4 }));
  await page.getByLabel('Read the recording in its memory once').check();
  await connect(page);
  await converted(page);
  expect(await page.locator('h1').innerText()).toMatch(/^recording \d{4}-/);
  await context.close();
});
