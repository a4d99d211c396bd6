// SPDX-License-Identifier: MIT
// Real recordings, one after the other in one page.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampled } from '../golden/cases.mjs';
import {
  browser,
  choose,
  converted,
  figure,
  listed,
  selectRecording,
  served,
  shot,
  startOver,
  title,
  visit,
} from './harness.js';

const samples = process.env['TONKOPF_SAMPLES'];
const folder = join(samples ?? '', 'tonbandgeraet');
const names = samples ? readdirSync(folder) : [];
if (!samples) console.log('TONKOPF_SAMPLES is not set: 3 tests of the page with real recordings are skipped');

describe.skipIf(!samples)('real recordings', () => {
  const sample = (name: string) => ({ name, bytes: readFileSync(join(folder, name)) });

  test('each is converted, and the page reports no error for any', async () => {
    const { page, context, complaints } = await visit(browser, served.url);
    for (const name of sampled(names.filter((file) => file.endsWith('.bin')))) {
      await choose(page, [sample(name)]);
      await converted(page);
      expect(await title(page), name).toContain(name);
      expect(Number(await figure(page, 'Events')), name).toBeGreaterThan(0);
      await startOver(page);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('text is recognised in its encoding', async () => {
    const { page, context } = await visit(browser, served.url);
    const texts: [string, RegExp][] = [
      ['baremetal_simtarget.hex.txt', /hex text/],
      ['baremetal_simtarget.b64.txt', /base64 text/],
      ['posix_snapshot_default.json', /JSON/],
    ];
    for (const [name, words] of texts) {
      await choose(page, [sample(name)]);
      await converted(page);
      expect(await page.locator('.card .facts').first().innerText(), name).toMatch(words);
      expect(Number(await figure(page, 'Events')), name).toBeGreaterThan(0);
      await startOver(page);
    }
    await context.close();
  });

  test('several at once: cores of one recording become one trace, unrelated ones a list', async () => {
    const { page, context } = await visit(browser, served.url);
    await choose(
      page,
      ['dual_split.core0.bin', 'dual_split.core1.bin', 'rtos_rich_stream.bin', 'baremetal_loop.bin'].map(sample),
    );
    await listed(page);
    await converted(page);
    expect(await page.locator('nav.recordings button').count()).toBe(3);
    await selectRecording(page, 'dual_split');
    await converted(page);
    expect(await figure(page, 'Cores')).toBe('2');
    await shot(page, 'samples in a list');
    await context.close();
  });
});
