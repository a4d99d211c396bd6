// SPDX-License-Identifier: MIT
// A file of rules on the page: verdicts beside the figures, and in the saved report.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { browser, choose, converted, demo, openTab, selectRecording, served, visit } from './harness.js';

test('a recording is checked by a file of rules; its verdicts are in the saved report, and the rules can be forgotten', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await openTab(page, 'More');
  const rules = '# limits\ncpu.load<100%\ncpu.load<0%\ntasks[nothing].cpu<1s\n';
  const input = page.getByLabel('Judge by a file of rules');
  await input.setInputFiles({ name: 'limits.rules', mimeType: 'text/plain', buffer: Buffer.from(rules) });
  const verdicts = page.getByRole('list', { name: 'Verdicts' }).getByRole('listitem');
  await verdicts.nth(2).waitFor();
  const texts = await verdicts.allInnerTexts();
  expect(texts.map((text) => /^(\S.*?) line (\d)/.exec(text)?.slice(1))).toEqual([
    ['holds', '2'],
    ['fails', '3'],
    ['not measured', '4'],
  ]);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  const report = readFileSync(await saved.path(), 'utf8');
  expect(report).toMatch(/fails +cpu\.load<0%: it is (at least )?[\d.]+ %, not < 0%/);
  await input.setInputFiles({ name: 'wrong.rules', mimeType: 'text/plain', buffer: Buffer.from('cpu.laod<1%\n') });
  await verdicts.filter({ hasText: 'has no column' }).waitFor();
  await page.getByRole('button', { name: 'Forget the rules' }).click();
  await verdicts.first().waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await context.close();
});

test('late jobs are counted exactly in a recording that is read after the rules were opened', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await openTab(page, 'More');
  const buffer = Buffer.from('deadline telemetry 60us\n');
  await page
    .getByLabel('Judge by a file of rules')
    .setInputFiles({ name: 'limits.rules', mimeType: 'text/plain', buffer });
  const verdict = page.getByRole('list', { name: 'Verdicts' }).getByRole('listitem').first();
  await expect.poll(() => verdict.innerText()).toMatch(/missed by \d+ to \d+ of \d+ jobs/);
  await choose(page, [demo('damaged.bin')]);
  await page.getByRole('tab', { name: 'Compare' }).waitFor();
  await selectRecording(page, 'damaged.bin');
  await converted(page);
  await openTab(page, 'More');
  await expect.poll(() => verdict.innerText()).toMatch(/missed by \d+ of \d+ jobs/);
  expect(complaints).toEqual([]);
  await context.close();
});

test('the recording of the tab Compare is the baseline; a file that is no UTF-8 is wrong', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await choose(page, [demo('freertos.bin'), demo('damaged.bin')]);
  await converted(page);
  await openTab(page, 'More');
  const input = page.getByLabel('Judge by a file of rules');
  const open = (text: Buffer): Promise<void> => input.setInputFiles({ name: 'limits.rules', mimeType: 'text/plain', buffer: text }); // prettier-ignore
  await open(Buffer.from('events.total<=baseline*100\nevents.total<=baseline*0.01\n'));
  const verdicts = page.getByRole('list', { name: 'Verdicts' }).getByRole('listitem');
  const words = async (): Promise<string[]> =>
    (await verdicts.allInnerTexts()).map((text) => /^(\S.*?) line \d/.exec(text)?.[1] ?? text);
  await expect.poll(words).toEqual(['not measured', 'not measured']);
  await openTab(page, 'Compare');
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  await openTab(page, 'More');
  await expect.poll(words).toEqual(['holds', 'fails']);
  await open(Buffer.from('events.total<\xff\n', 'latin1'));
  await expect.poll(words).toEqual(['wrong']);
  expect(complaints).toEqual([]);
  await context.close();
});
