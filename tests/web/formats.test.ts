// SPDX-License-Identifier: MIT
// The description of a format determines what the page shows: options on the card, facts about the input, side inputs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wave_dump } from '../generator/demo-wave.mjs';
import { elf_file } from '../generator/elf.mjs';
import { PsfStream } from '../generator/golden-psf-stream.mjs';
import { QsStream, names_text } from '../generator/golden-qs-stream.mjs';
import {
  browser,
  changeRecognised,
  choose,
  converted,
  demo,
  drop,
  figure,
  openTab,
  selectRecording,
  served,
  shot,
  visit,
} from './harness.js';

const sizes = { T: 2, O: 8, F: 4, S: 1, E: 4, Q: 2, P: 1, C: 2 };
const middle = (): Uint8Array => {
  const stream = new QsStream({ sizes, sequence: 40 });
  for (let i = 0; i < 20; i++) stream.step(100 * i, 4, 0x20000100, 0x08000101).rec('SCHED_IDLE', 100 * i + 50, 3);
  return stream.bytes();
};

test('the clock rate of active objects: the page asks for it, and one click sets it', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('active-objects.bin')]);
  await converted(page);
  await page.getByText('Its system tick comes every 20\u202f000 of them').waitFor();
  await openTab(page, 'More');
  const card = await page.locator('.card').innerText();
  expect(card).toContain('QP/C 8.1.0, built 2026-05-04 03:02:01');
  expect(card).toMatch(/\b8\s857 frames\s+At its beginning 4\s844 of 4\s844 frames have/); // recognition reads the first 64 KiB, the count is that of the whole file
  expect(await figure(page, 'Duration')).toMatch(/^\d+ ticks$/);
  await shot(page, 'active objects, in ticks');
  await page.getByRole('button', { name: '50 per second' }).click();
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
  expect(await figure(page, 'Duration')).toMatch(/^1\d(\.\d+)? s$/);
  expect(await page.getByText('How fast does the clock').count()).toBe(0);
  await shot(page, 'active objects');
  await context.close();
});

test('a click in a row saves the samples of its signal', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [{ name: 'wave.vcd', bytes: wave_dump() }]);
  await converted(page);
  await openTab(page, 'Signals');
  const row = page.locator('section[aria-labelledby=signals-title] tr', { hasText: 'bench/uart/state' });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Save the samples of bench/uart/state' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('wave.bench-uart-state.csv');
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(lines.slice(0, 4)).toEqual(['time_ns,value,details', '0,reset,', '40,idle,', '100,start,']);
  expect(lines.length - 2).toBe(Number((await row.locator('[data-column=samples]').innerText()).replace(/\D/g, '')));
  await context.close();
});

test('the card shows the counts in the terms of the format, and a field selects signals', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('uart.vcd')]);
  await converted(page);
  await openTab(page, 'More');
  expect(await page.locator('.card').innerText()).toMatch(/ · text · 1\s503 value changes\n/);
  expect(await page.locator('.figures dt').allTextContents()).not.toContain('Tick'); // its times are in ns, regardless of the unit of its counts
  await changeRecognised(page);
  await page.getByRole('textbox', { name: 'Signals' }).fill('*/state, *clk');
  await page.keyboard.press('Tab');
  await openTab(page, 'Signals');
  const paths = page.locator('section[aria-labelledby=signals-title] tbody th');
  await expect.poll(() => paths.count()).toBe(2);
  expect((await paths.allInnerTexts()).map((text) => text.split(' ')[0])).toEqual(['bench/clk', 'bench/uart/state']);
  await context.close();
});

test('while the samples of a signal are read, progress is shown and it can be cancelled', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [{ name: 'wave.vcd', bytes: wave_dump() }]);
  await converted(page);
  const files: string[] = [];
  page.on('download', (file) => files.push(file.suggestedFilename()));
  await openTab(page, 'Signals');
  const save = page.getByRole('button', { name: 'Save the samples of bench/uart/state' });
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver((_, observer) => {
      const button = document.querySelector<HTMLElement>('[aria-label="Stop reading the samples of bench/uart/state"]');
      if (!button) return;
      observer.disconnect();
      button.click();
      new MutationObserver(() => seen.push(document.querySelector('.action-status')?.textContent ?? '')).observe(
        document.body,
        { childList: true, subtree: true, characterData: true },
      );
    }).observe(document.body, { childList: true, subtree: true });
  });
  await save.click();
  await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length);
  await save.waitFor();
  await Promise.all([page.waitForEvent('download'), save.click()]);
  await page.locator('.action-status').waitFor({ state: 'detached' });
  expect(files).toHaveLength(1);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join('\n'))).toMatch(
    /The samples of bench\/uart\/state are read: 100\.0 %\./,
  );
  await context.close();
});

test('the size of a recording does not include the ELF file beside it', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [
    demo('calls.bin'),
    { name: 'calls.elf', bytes: Buffer.concat([demo('calls.elf').bytes, Buffer.alloc(65 << 20)]) },
  ]);
  await converted(page);
  await openTab(page, 'More');
  await page.getByText(/^Converted in .* into /).waitFor();
  await context.close();
});

test('the user sets sizes on the card', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [{ name: 'middle.bin', bytes: middle() }]);
  await converted(page);
  await openTab(page, 'More');
  await page.getByText('Sizes inferred: time 2, object 8, function 4, signal 1, queue 2').waitFor();
  await changeRecognised(page);
  await page.getByLabel('Time event counter bytes').selectOption('2');
  await page.getByText('Sizes as set: timer 2').waitFor();
  await context.close();
});

test('a dictionary file beside a recording provides names and sizes', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [{ name: 'middle.bin', bytes: middle() }]);
  await converted(page);
  await openTab(page, 'More');
  expect(await page.locator('main').evaluate((main) => main.textContent)).toContain('0x0000000020000100');
  await drop(page, [{ name: 'names.dic', bytes: Buffer.from(names_text({ sizes })) }]);
  await page.getByText('Sizes from a side input').waitFor();
  expect(await page.locator('section[aria-labelledby=objects-title]').innerText()).toContain('Alpha');
  await context.close();
});

test('an ELF file beside a recording names its pointers', async () => {
  const { page, context } = await visit(browser, served.url);
  const recording = new QsStream()
    .start()
    .step(100, 4, 0x20000100, 0x08000101)
    .step(900, 4, 0x20000100, 0x08000201)
    .bytes();
  const firmware = {
    functions: [
      { name: 'Door_closed', address: 0x08000100, size: 16, unit: 'door.c' },
      { name: '_ZN4Door4openEPKS_PK4QEvt', address: 0x08000200, size: 16, unit: 'door.cpp' },
    ],
    variables: [{ name: 'l_door', address: 0x20000100, size: 32, unit: 'door.c' }],
  };
  const objects = page.locator('section[aria-labelledby=objects-title]');
  await choose(page, [{ name: 'door.bin', bytes: recording }]);
  await converted(page);
  expect(await objects.innerText()).toContain('0x20000100');
  await drop(page, [{ name: 'firmware.elf', bytes: Buffer.from(elf_file(firmware, { padding: 3_000_000 })) }]);
  await objects.getByText('l_door').first().waitFor({ state: 'attached' });
  await openTab(page, 'More');
  const card = await page.locator('.card', { hasText: 'firmware.elf' }).innerText();
  expect(card).toContain('names by address');
  expect(card).toContain('This is the firmware (ELF)');
  await shot(page, 'an ELF file beside a recording');
  await context.close();
});

test('texts of user events that are stored in the program come from its ELF file', async () => {
  const { page, context } = await visit(browser, served.url);
  const MOTOR = 0x08010000,
    FORMAT = 0x08010020;
  const recording = new PsfStream()
    .start()
    .tasks()
    .code(40, 0x99, MOTOR, FORMAT, 7)
    .code(50, 0x99, MOTOR, FORMAT, 9)
    .bytes();
  await choose(page, [{ name: 'motor.psf', bytes: recording }]);
  await converted(page);
  const text = () => page.locator('.drawer').evaluate((drawer) => drawer.textContent);
  expect(await text()).toContain('channel 0x8010000');
  await drop(page, [
    {
      name: 'motor.elf',
      bytes: Buffer.from(
        elf_file({
          constants: [
            { address: MOTOR, bytes: 'Motor' },
            { address: FORMAT, bytes: 'speed %d' },
          ],
        }),
      ),
    },
  ]);
  await expect.poll(text).toContain('Motor');
  expect(await text()).not.toContain('channel 0x8010000');
  expect(await page.locator('.card', { hasText: 'motor.elf' }).innerText()).toContain('names by address');
  await context.close();
});

test('an ELF file of other firmware is reported, and an ELF file alone is no recording', async () => {
  const { page, context } = await visit(browser, served.url);
  const other = {
    name: 'other.elf',
    bytes: Buffer.from(elf_file({ functions: [{ name: 'main', address: 0x100, size: 16, unit: 'main.c' }] })),
  };
  await choose(page, [other]);
  await page.getByText('This is the firmware (ELF)').waitFor();
  await shot(page, 'an ELF file alone');
  await drop(page, [{ name: 'door.bin', bytes: new QsStream().start().step(100, 4, 0x20000100, 0x08000101).bytes() }]);
  await converted(page);
  await openTab(page, 'Problems');
  await page.getByText('Symbols of other firmware').first().waitFor();
  await context.close();
});

test('a dictionary of another format beside a recording changes nothing and is reported', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin'), { name: 'names.dic', bytes: Buffer.from(names_text({ sizes })) }]);
  await converted(page);
  expect(await page.locator('.card').innerText()).not.toContain('names.dic');
  expect(await figure(page, 'Duration')).toMatch(/ ms$/);
  await selectRecording(page, 'names.dic');
  await page.getByText('It is QP/Spy (QS), and no recording is.').waitFor();
  await shot(page, 'a file of names without a recording');
  await context.close();
});

test('recognition reads only the beginning of a long recording, and the card mentions it where it matters', async () => {
  const { page, context } = await visit(browser, served.url);
  const lines = Array.from({ length: 60_000 }, (_, i) => `#${i}\n${i % 2}!`);
  await choose(page, [
    {
      name: 'long.vcd',
      bytes: Buffer.from(
        ['$timescale 1 ns $end', '$var wire 1 ! clk $end', '$enddefinitions $end', ...lines].join('\n'),
      ),
    },
  ]);
  await converted(page);
  await openTab(page, 'More');
  await page.getByText('Begins with the commands of a value change dump').waitFor();
  await context.close();
});
