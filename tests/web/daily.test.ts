// SPDX-License-Identifier: MIT
// Daily use: unrecognised files, remembered options, duplicate files, time ranges, links.
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
  demo,
  drop,
  figure,
  holdConversion,
  root,
  served,
  shot,
  title,
  visit,
} from './harness.js';

const open = (hash = '') => visit(browser, served.url + hash);
const startOver = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start over' }).click();
const letter: Given = { name: 'letter.txt', bytes: Buffer.from('Dear reader, no recording here.') };
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? 'BODY');

test('an unrecognised file is the last in the list; the first recording is shown', async () => {
  const { page, context } = await open();
  await drop(page, [letter, demo('freertos.bin')]);
  await converted(page);
  expect(await title(page)).toContain('freertos.bin');
  expect(await page.locator('nav.recordings button b').allInnerTexts()).toEqual(['freertos.bin', 'letter.txt']);
  expect(await page.locator('nav.recordings .legend').textContent()).toBe('1 recording, 1 other file');
  await context.close();
});

test('an error names the file and the next step, without menus; only possible recordings get a menu of formats', async () => {
  const { page, context } = await open();
  await choose(page, [
    {
      name: 'firmware.elf',
      bytes: Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(500, 7)]),
    },
  ]);
  const failure = page.locator('.failure');
  await failure.getByText('This is the firmware (ELF)').waitFor();
  await failure.getByText('Add the recording that needs its names').waitFor();
  expect(await page.locator('select').count()).toBe(0);
  expect(await failure.getByRole('button').count()).toBe(0);
  await startOver(page);
  await choose(page, [{ name: 'short.bin', bytes: Buffer.from([0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0, 0x91]) }]);
  await failure.getByText('Read it anyway, as').waitFor();
  await failure.getByText('No whole frame is in it.').waitFor();
  expect(await failure.getByRole('button').count()).toBeGreaterThan(1);
  await context.close();
});

test('a Perfetto trace is handed to the viewer unchanged', async () => {
  const { page, context } = await open();
  await context.route('https://ui.perfetto.dev/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>viewer</title><script>
    addEventListener('message', ({ data, source, origin }) => { if (data === 'PING') source.postMessage('PONG', origin); else window.got = new Uint8Array(data.perfetto.buffer).length; });</script>`,
    }),
  );
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  const path = await file.path();
  await startOver(page);
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await page.getByText('This is a Perfetto trace already').waitFor();
  expect(await page.locator('.card .reason').innerText()).not.toContain('not recognised');
  const [viewer] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open in Perfetto' }).click(),
  ]);
  await viewer.waitForFunction(() => 'got' in window);
  const { statSync } = await import('node:fs');
  expect(await viewer.evaluate(() => (window as unknown as { got: number }).got)).toBe(statSync(path).size);
  await context.close();
});

test('a duplicate file is reported, and read once', async () => {
  const { page, context } = await open();
  await drop(page, [demo('bare-metal.bin'), { ...demo('bare-metal.bin'), name: 'copy.bin' }]);
  await converted(page);
  await page.getByText('copy.bin contains the same bytes as bare-metal.bin. The page reads it once.').waitFor();
  expect(await page.locator('nav.recordings').count()).toBe(0);
  await context.close();
});

/** Waits until the browser's store contains the remembered options. Opens the store only if it exists, because opening would create it. */
const remembered = async (page: Page): Promise<void> => {
  await page.waitForFunction(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) =>
        Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }),
      );
    if (!(await indexedDB.databases()).some(({ name }) => name === 'tonkopf')) return false;
    const database = await done(indexedDB.open('tonkopf'));
    const count = await done(database.transaction('recordings').objectStore('recordings').count());
    database.close();
    return count > 0;
  });
};

test('a rate is remembered for the same bytes until the user forgets it', async () => {
  const { page, context } = await open();
  const lift = { ...demo('active-objects.bin'), name: 'lift.bin' };
  await choose(page, [lift]);
  await page.getByText('How fast does the clock').waitFor();
  await page.getByRole('button', { name: '50 per second' }).click();
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor();
  await remembered(page);
  await page.reload();
  await choose(page, [{ ...lift, name: 'again.bin' }]);
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor();
  expect(await page.getByText('How fast does the clock').count()).toBe(0);
  await shot(page, 'as the last time');
  await page.getByRole('button', { name: 'Forget them' }).click();
  await page.getByText('How fast does the clock').waitFor();
  await context.close();
});

test('a remembered file of names is added again with its recording', async () => {
  const early = demo('freertos.bin').bytes;
  const late = { name: 'ring.bin', bytes: early.slice(60_000) };
  const { page, context } = await open();
  await choose(page, [late]);
  await page.getByText('How long is one tick').waitFor();
  await choose(page, [{ name: 'start.bin', bytes: early.slice(0, 20_000) }]);
  await page.locator('h1', { hasText: 'start.bin' }).waitFor();
  await converted(page);
  await changeRecognised(page);
  await page.getByLabel('Use it for').selectOption({ label: 'names only (earlier capture)' });
  await page.locator('.figure', { hasText: 'from the earlier capture' }).waitFor();
  await remembered(page);
  await startOver(page);
  await choose(page, [late]);
  await page.locator('.figure', { hasText: 'from the earlier capture' }).waitFor();
  expect(await page.locator('.card h2').allInnerTexts()).toContain('start.bin');
  await context.close();
});

test('the demo of active objects asks no question: it provides its rate', async () => {
  const { page, context } = await open('#demo=active-objects');
  await converted(page);
  expect(await figure(page, 'Clock')).toBe('1 MHz');
  expect(await page.getByText('How fast does the clock').count()).toBe(0);
  await page.evaluate(() => {
    location.hash = '#demo=bare-metal';
  });
  await page.locator('h1', { hasText: 'bare-metal.bin' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#demo=nothing';
  });
  await page.getByText('There is no demo “nothing”').waitFor();
  await context.close();
});

test('a small file does not wait for a large one', async () => {
  const { page, context } = await open();
  const big = Buffer.concat(Array.from({ length: 400 }, () => Buffer.from(demo('freertos.bin').bytes)));
  await page.evaluate(() => {
    const order: string[] = [];
    new MutationObserver(() => {
      for (const tab of document.querySelectorAll('.tab')) {
        const text = (tab as HTMLElement).innerText.split('\n');
        if (/events/.test(text[1] ?? '') && !order.includes(text[0] ?? '')) order.push(text[0] ?? '');
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { order });
  });
  const order = (): Promise<string[]> => page.evaluate(() => (window as unknown as { order: string[] }).order);
  const release = await holdConversion(page);
  await choose(page, [{ name: 'large.bin', bytes: big }]);
  await page.locator('.conversion-progress').waitFor();
  await choose(page, [demo('bare-metal.bin')]);
  await expect.poll(order).toEqual(['bare-metal.bin']);
  await release();
  await expect.poll(order).toEqual(['bare-metal.bin', 'large.bin']);
  await context.close();
});

test('a time range: selected with the pointer, with the keyboard, or typed with a unit', async () => {
  const { page, context } = await open();
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  const field = page.locator('.strip-field');
  await field.scrollIntoViewIfNeeded(); // the response times are above it
  const box = (await field.boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 30, { steps: 4 });
  await page.mouse.up();
  const part = page.locator('.time-range');
  expect(await part.getByLabel('From').inputValue()).toMatch(/^0\.17\d{7} s$/);
  await shot(page, 'part of the time');
  await part.getByRole('button', { name: 'Never mind' }).click();
  await field.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+PageUp');
  await part.waitFor();
  await page.keyboard.press('Escape');
  await part.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Choose a part of the time' }).click();
  await part.getByLabel('From').fill('100');
  await part.getByRole('button', { name: 'Keep only this part' }).click();
  await part.getByText('a number with a unit').waitFor();
  await field.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End'); // the selection that typing started from
  await expect.poll(() => part.getByLabel('From').inputValue()).toBe('0.002003600 s');
  expect(await part.innerText()).not.toContain('a number with a unit');
  await part.getByLabel('From').fill('100 ms');
  await part.getByLabel('to').fill('0.2 s');
  const widthOf = async (one: string): Promise<number> => (await page.locator(one).boundingBox())!.width;
  expect((await widthOf('.strip-selection')) / (await widthOf('.strip-field'))).toBeCloseTo(0.1 / 0.713, 1); // it follows the typed text
  await part.getByRole('button', { name: 'Keep only this part' }).click();
  await page.getByText('The trace holds 0.100000000 s to 0.200000000 s').waitFor();
  expect(await page.locator('.strip-selection').count()).toBe(1);
  const size = async (): Promise<number> => Number.parseFloat(await page.locator('.button .button-detail').innerText());
  const kept = await size();
  await changeRecognised(page);
  expect(
    await page
      .locator('.fields input[id=option-from-ns], .fields input[id=option-to-ns]')
      .evaluateAll((nodes) => nodes.map(({ id }) => id)),
  ).toEqual([]);
  await page.getByRole('button', { name: 'Keep all of it' }).click();
  await page.locator('.strip-selection').waitFor({ state: 'detached' });
  expect(await size()).toBeGreaterThan(3 * kept);
  await context.close();
});

test('a selected time range belongs to its recording', async () => {
  const { page, context } = await open();
  await drop(page, [demo('freertos.bin'), demo('bare-metal.bin')]);
  await converted(page);
  const shown = (name: string) => page.locator('nav.recordings button', { hasText: name });
  await page.getByRole('button', { name: 'Choose a part of the time' }).click();
  await page.locator('.time-range').waitFor();
  await shown('bare-metal.bin').click();
  await expect.poll(() => title(page)).toContain('bare-metal.bin');
  await page.getByRole('button', { name: 'Choose a part of the time' }).waitFor();
  expect(await page.locator('.time-range, .strip-selection').count()).toBe(0);
  await context.close();
});

test('the overview: round times, the order and the colours of the table', async () => {
  const { page, context } = await open();
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  expect(await page.locator('.strip-scale span').allInnerTexts()).toEqual([
    '0.002003600 s', // the first event, as in the report
    '+200 ms',
    '+400 ms',
    '+600 ms',
  ]);
  const tasks = (await page.locator('section[aria-labelledby=tasks-title] tbody th').allInnerTexts()).map((name) =>
    name.replace(/ idle$/, ''),
  );
  expect((await page.locator('.strip-names span').allInnerTexts()).slice(0, tasks.length)).toEqual(tasks);
  const colours = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((nodes) => nodes.map((node) => /c-\S+/.exec(node.getAttribute('class') ?? '')?.[0]));
  const swatches = await colours('section[aria-labelledby=tasks-title] .swatch');
  expect((await colours('.strip-field .bars')).slice(0, tasks.length)).toEqual(swatches);
  expect(await page.locator('.strip-caption').innerText()).toContain('square root');
  await context.close();
});

test('the focus is never lost: a near element gets it when the focused one is removed', async () => {
  const { page, context } = await open();
  const steps: [string, () => Promise<unknown>][] = [
    [
      'a demo',
      async () => {
        await page.locator('.demo').first().press('Enter');
        await converted(page);
      },
    ],
    [
      'start over',
      async () => {
        await page.getByRole('button', { name: 'Start over' }).press('Enter');
        await page.locator('.hero').waitFor();
      },
    ],
    [
      'text from the window',
      async () => {
        await page.getByRole('button', { name: 'Paste text' }).press('Enter');
        await page.getByRole('textbox').fill('00 00 00');
        await page.getByRole('button', { name: 'Read this text' }).press('Enter');
        await page.locator('.failure, .explain').first().waitFor();
      },
    ],
    [
      'a notice',
      async () => {
        await drop(page, [letter, { ...letter, name: 'copy.txt' }]);
        await page.getByRole('button', { name: 'Close' }).press('Enter');
        await page.locator('.banner').waitFor({ state: 'detached' });
      },
    ],
    [
      'an input',
      async () => {
        const remove = page.getByRole('button', { name: /^Remove/ }).first();
        await remove.press('Enter');
        await remove.waitFor({ state: 'detached' });
      },
    ],
  ];
  for (const [what, act] of steps) {
    await act();
    await expect.poll(() => focused(page), { message: what }).not.toBe('BODY');
  }
  await context.close();
});

test('version and documentation are visible; every link leads to an existing page', async () => {
  const { page, context } = await open();
  const { version } = JSON.parse(
    (await import('node:fs')).readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  await page.locator('footer', { hasText: `Tonkopf ${version}` }).waitFor();
  const seen = new Set<string>();
  const visitAll = async (url: string): Promise<void> => {
    if (seen.has(url)) return;
    seen.add(url);
    const response = await page.goto(url);
    expect(response?.status(), url).toBe(200);
    if (url === served.url) await page.locator('footer a', { hasText: 'QP' }).waitFor();
    const links = await page
      .locator('a')
      .evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).href.replace(/#.*/, '')));
    for (const link of links) if (link.includes('/docs/')) await visitAll(link);
  };
  await visitAll(served.url);
  expect([...seen].map((url) => url.slice(served.url.length))).toEqual(
    expect.arrayContaining([
      'docs/capture.html',
      'docs/cli.html',
      'docs/formats/tonbandgeraet.html',
      'docs/formats/qs.html',
      'docs/trust.html',
    ]),
  );
  await page.goto(`${served.url}docs/capture.html`);
  await shot(page, 'documentation');
  await context.close();
});

test('390 pixels: no element is alone in a row, and tables show that they scroll', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 390, height: 844 } });
  const alone = (selector: string) =>
    page.locator(selector).evaluateAll((nodes) => {
      const rows = new Map<number, number>();
      for (const node of nodes) {
        const { top, height } = node.getBoundingClientRect();
        const middle = Math.round((top + height / 2) / 4); // heights of fields and buttons differ a little
        rows.set(middle, (rows.get(middle) ?? 0) + 1);
      }
      const counts = [...rows.values()];
      return Math.max(...counts) > 1 && counts.includes(1);
    });
  await page.locator('.demo').first().waitFor();
  expect(await alone('.demo')).toBe(false);
  for (const name of ['damaged.bin', 'freertos.bin', 'bare-metal.bin']) {
    await choose(page, [demo(name)]);
    await converted(page);
    for (const selector of ['.figure', '.actions .row > *', 'header nav > *'])
      expect(await alone(selector), `${name} ${selector}`).toBe(false);
    await startOver(page);
  }
  await choose(page, [{ name: 'short.bin', bytes: Buffer.from([0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0, 0x91]) }]);
  await page.getByText('Read it anyway, as').waitFor();
  expect(await alone('.force-format .button')).toBe(false);
  await startOver(page);
  await choose(page, [{ name: 'ring.bin', bytes: demo('freertos.bin').bytes.slice(60_000) }]);
  await page.getByText('How long is one tick').waitFor();
  expect(await alone('.question .row > *')).toBe(false);
  await startOver(page);
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  const scroller = page.locator('.scroll').first();
  expect(
    await scroller.evaluate(
      (node) =>
        node.scrollWidth > node.clientWidth && getComputedStyle(node).backgroundImage.includes('linear-gradient'),
    ),
  ).toBe(true);
  await context.close();
});

test('every demo has a picture on the start page, and none is alone in its row', async () => {
  for (const width of [1280, 900, 600]) {
    const { page, context } = await visit(browser, served.url, { viewport: { width, height: 900 } });
    await page.locator('.demo').first().waitFor();
    const rows = await page
      .locator('.demo')
      .evaluateAll((nodes) => nodes.map((node) => Math.round(node.getBoundingClientRect().top)));
    const counts = [...new Set(rows)].map((top) => rows.filter((other) => other === top).length);
    expect(new Set(counts).size, `${counts} at ${width}`).toBe(1);
    const bars = await page
      .locator('.demo')
      .evaluateAll((nodes) =>
        nodes.map((node) => [...node.querySelectorAll('path')].filter((path) => path.getAttribute('d')).length),
      );
    expect(Math.min(...bars), String(bars)).toBeGreaterThan(1);
    await context.close();
  }
});

test('signals: a picture of their samples, and no core if the recording has none', async () => {
  const { page, context } = await open('#demo=wave');
  await converted(page);
  expect(await page.locator('.strip-names span').allInnerTexts()).toEqual([
    'clk',
    'reset',
    'uart/tx',
    'uart/shift[7:0]',
    'uart/bit_index',
    'uart/state',
    'uart/sent',
  ]);
  expect(await page.locator('.figure', { hasText: 'Cores' }).count()).toBe(0);
  await page.getByText('Height: samples, full where a signal has most').waitFor();
  await page.locator('.strip-field').focus();
  await page
    .locator('.strip-readout', {
      hasText: 'samples of bench/clk, bench/reset, bench/uart/tx, bench/uart/shift[7:0] and',
    })
    .waitFor();
  await shot(page, 'signals');
  const colours = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((nodes) => nodes.map((node) => /c-\S+/.exec(node.getAttribute('class') ?? '')?.[0]));
  expect(await colours('.strip-field .bars')).toEqual(await colours('section[aria-labelledby=signals-title] .swatch'));
  await page.getByRole('button', { name: 'Choose a part of the time' }).click();
  await page.locator('.time-range').waitFor();
  await context.close();
});

test('calls: a picture of the contexts, in the order and the colours of their table', async () => {
  const { page, context } = await open('#demo=calls');
  await converted(page);
  const contexts = await page.locator('section[aria-labelledby=contexts-title] tbody th').allInnerTexts();
  expect(contexts.length).toBeGreaterThan(2);
  expect(await page.locator('.strip-names span').allInnerTexts()).toEqual(contexts);
  await page.getByText('Height: share of the time').waitFor();
  const tooWide = await page
    .locator('tbody td')
    .evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => (node as HTMLElement).innerText),
    );
  expect(tooWide).toEqual([]); // no value overlaps the next column
  expect(await page.locator('.card h2').allInnerTexts()).toEqual(['calls.bin', 'calls.elf', 'calls.times']);
  await page.getByText('Only entries are recorded').waitFor();
  await context.close();
});

test('a recording without rows: a time range can be selected on the time line alone', async () => {
  const { page, context } = await open();
  await choose(page, [{ name: 'elements.bin', bytes: readFileSync(golden_input('qs/too-many-data-elements')) }]);
  await converted(page);
  expect(await page.locator('.strip-names span').count()).toBe(0);
  expect(await page.locator('.strip-scale span').allInnerTexts()).toContain('80 ticks');
  const [last, scale] = [
    (await page.locator('.strip-scale span').last().boundingBox())!,
    (await page.locator('.strip-scale').boundingBox())!,
  ];
  expect(last.x + last.width).toBeLessThanOrEqual(scale.x + scale.width + 1); // no element is outside
  await page.locator('.strip-field').scrollIntoViewIfNeeded();
  const box = (await page.locator('.strip-field').boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.3, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 8, { steps: 4 });
  await page.mouse.up();
  expect(await page.locator('.time-range').getByLabel('From').inputValue()).toMatch(/^3\d ticks$/);
  await shot(page, 'time line alone');
  await context.close();
});
