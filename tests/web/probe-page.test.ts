// SPDX-License-Identifier: MIT
// A board behind a debug probe in the page: chosen, watched, read post mortem.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { elf_file } from '../generator/elf.mjs';
import { Emulator, canEmulate, expectRecorded } from './emulated-board.js';
import { fakeUsb } from './fake-usb.js';
import { type Visit, axeViolations, browser, choose, converted, newContext, root, served, shot } from './harness.js';
import { Board, SoftwareProbe } from './software-probe.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

async function visitWithProbe(
  probe: SoftwareProbe,
  open: (page: Page) => Promise<void> = async () => {},
): Promise<Pick<Visit, 'context' | 'page'>> {
  const context = await newContext(browser, {
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    serviceWorkers: 'block',
  });
  await fakeUsb(context, probe);
  const page = await context.newPage();
  await page.goto(served.url);
  await open(page);
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
  await page.getByText('The target is not halted: its memory is read while it runs').waitFor();
  await page.getByLabel('Memory to search').fill('RAM');
  await connect(page);
  await page.getByText('A memory range is an address and a length').waitFor();
  await page.getByLabel('Memory to search').fill('0x20000000:64K');
  await shot(page, 'connect-probe');
  expect(await axeViolations(page)).toEqual([]);
  await connect(page);
  await page.locator('.live-running').waitFor();
  await page.locator('.timeline:not([inert])').waitFor();
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

/** A file of firmware with a control block of RTT at an address; without it if the file is stripped. */
const firmware = (address: number, stripped = false): Buffer =>
  Buffer.from(
    elf_file(
      {
        functions: [{ name: 'main', address: 0x100, size: 16, unit: 'main.c' }],
        variables: [{ name: '_SEGGER_RTT', address, size: 48, unit: 'tband_rtt.c' }],
      },
      { stripped },
    ),
  );

test('an ELF file that the page shows has the address of the control block; a probe that another program uses is waited for', async () => {
  const board = new Board({ ring: 1000 });
  board.start();
  board.run(20);
  const probe = new SoftwareProbe(board, { size: 512, count: 4 });
  probe.isOpen = true;
  const { context, page } = await visitWithProbe(probe, async (page) => {
    await choose(page, [{ name: 'firmware.elf', bytes: firmware(Board.address(board.rtt)) }]);
    await page.locator('.top').getByText('⋯').click();
  });
  await page.getByText('The control block is looked for where firmware.elf has it.').waitFor();
  await page.getByLabel('Memory to search').fill('0x20000000:64'); // contains none
  expect(await axeViolations(page)).toEqual([]);
  await connect(page);
  await page.getByText(/Waiting for the target \(the probe does not open: Unable to claim interface/).waitFor();
  probe.isOpen = false;
  await page.locator('.live-running').waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('0 lost');
  expect(await page.locator('.banner').count()).toBe(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await converted(page);
  await context.close();
});

test('a stripped ELF file is named, and the memory is searched', async () => {
  const board = new Board({ ring: 1000 });
  board.start();
  board.run(20);
  const { context, page } = await visitWithProbe(new SoftwareProbe(board, { size: 512, count: 4 }));
  await page
    .getByLabel('ELF file of the firmware')
    .setInputFiles({ name: 'stripped.elf', mimeType: '', buffer: firmware(0, true) });
  await connect(page);
  await page.getByText('Neither _SEGGER_RTT nor tband_control is in stripped.elf').waitFor();
  await expect.poll(() => page.locator('.live-state').innerText()).toContain('0 lost');
  await context.close();
});

test('a browser with Web Serial and without WebUSB offers no probe', async () => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  await context.addInitScript(() => delete (Navigator.prototype as { usb?: unknown }).usb);
  const page = await context.newPage();
  await page.goto(served.url);
  await page.getByRole('button', { name: 'Connect a board' }).click();
  await page.getByLabel('Baud rate of the target').waitFor();
  expect(await page.getByLabel('Debug probe').count()).toBe(0);
  await context.close();
});

test.skipIf(!canEmulate)(
  'firmware in an emulator is recorded by the page: every event, or counted as lost',
  async () => {
    const emulator = await Emulator.start();
    try {
      const { context, page } = await visitWithProbe(new SoftwareProbe(emulator, { size: 512, count: 4 }));
      await page.getByLabel('ELF file of the firmware').setInputFiles(emulator.image);
      await connect(page);
      await expectRecorded(() => saved(page), emulator);
      await context.close();
    } finally {
      emulator.stop();
    }
  },
);
