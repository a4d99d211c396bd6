import { mkdirSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { browser, choose, converted, demo, drop, fromMenu, holdConversion, openTab, selectRecording, served, standIn, startOver, visit, changeRecognised } from './harness.js';
const out = '/tmp/h/pagea.tmp/shots';
mkdirSync(out, { recursive: true });
const modes: [string, object][] = [
  ['1280', { viewport: { width: 1280, height: 720 } }],
  ['390d', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ['320', { viewport: { width: 320, height: 640 } }],
];
const letter = { name: 'letter.txt', bytes: Buffer.from('Dear reader, no recording here.') };
const short = { name: 'short.bin', bytes: Buffer.from([0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0, 0x91]) };
test.each(modes)('%s', async (mode, options) => {
  const { page, context } = await visit(browser, served.url, options as never);
  await standIn(context, '');
  const snap = async (name: string) => { await page.waitForTimeout(400); await page.screenshot({ path: `${out}/${mode} ${name}.png` }); };
  await page.waitForTimeout(500);
  await snap('01 empty');
  // recognising
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const held = new Promise<void>((release) => Object.assign(window, { releaseLook: release }));
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }, transfer: never) {
      if (message.type !== 'inspect') return postMessage.call(this, message, transfer);
      void held.then(() => postMessage.call(this, message, transfer));
    } as never;
  });
  await choose(page, [demo('freertos.bin')]);
  await page.locator('.looking').waitFor();
  await snap('02 recognising');
  const release = await holdConversion(page);
  await page.evaluate(() => (window as unknown as { releaseLook(): void }).releaseLook());
  await page.locator('.conversion-progress').waitFor();
  await snap('03 converting');
  await release();
  await converted(page);
  await page.locator('.timeline').waitFor();
  await page.waitForTimeout(800);
  await snap('04 done');
  await page.locator('.convert-button').click();
  await page.getByText('Waiting for the viewer').waitFor();
  await page.bringToFront();
  await snap('05 waiting');
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  await page.getByRole('application').focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('l');
  await page.locator('.tl-item-panel').waitFor();
  await snap('06 selection');
  await page.keyboard.press('m');
  await page.getByLabel(/^Mark at/).waitFor();
  await page.keyboard.type('late here');
  await snap('07 marking');
  await page.keyboard.press('Enter');
  await openTab(page, 'More');
  await snap('08 more');
  await openTab(page, 'Tasks');
  await snap('09 tasks');
  await page.keyboard.press('Escape');
  await drop(page, [demo('damaged.bin')]);
  await page.locator('h1', { hasText: 'damaged.bin' }).waitFor();
  await converted(page);
  await page.waitForTimeout(800);
  await snap('10 damaged');
  await openTab(page, 'Problems');
  await snap('11 problems');
  await page.locator('.files .menu-button').click();
  await snap('12 files');
  await page.keyboard.press('Escape');
  await drop(page, [letter]);
  await page.getByText('This file is not a recording').waitFor();
  await snap('13 no recording');
  await drop(page, [short]);
  await page.getByText('Read it anyway').waitFor();
  await snap('14 not recognised');
  await startOver(page);
  await page.waitForTimeout(500);
  await snap('15 start over');
  for (const name of ['uart.vcd', 'swo.bin', 'calls.bin', 'active-objects.bin']) {
    await choose(page, [demo(name)]);
    await converted(page);
    await page.waitForTimeout(800);
    await snap(`16 ${name}`);
    await startOver(page);
  }
  // error: the module is broken
  await context.close();
});
