// SPDX-License-Identifier: MIT
// Daily use: unrecognised files, remembered options, duplicate files, links.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
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
  openTab,
  served,
  shot,
  startOver,
  title,
  visit,
} from './harness.js';

const open = (hash = '') => visit(browser, served.url + hash);
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
  await page.locator('.work').getByText('This is a Perfetto trace already').waitFor();
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
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
  await remembered(page);
  await startOver(page);
  await page.reload();
  await choose(page, [{ ...lift, name: 'again.bin' }]);
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
  expect(await page.getByText('How fast does the clock').count()).toBe(0);
  await shot(page, 'as the last time');
  await openTab(page, 'More');
  await page.getByRole('button', { name: 'Forget them' }).click();
  await page.getByText('How fast does the clock').waitFor();
  await context.close();
});

test('a recording without a clock takes any rate', async () => {
  const { page, context } = await open();
  await choose(page, [{ name: 'rate.bin', bytes: demo('freertos.bin').bytes.slice(50_000) }]);
  await page.getByText('How long is one tick').waitFor();
  await page.getByLabel('Tick length', { exact: true }).fill('167,9');
  await page.getByLabel('Unit').selectOption({ label: 'MHz' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
  expect(await figure(page, 'Clock')).toBe('167.9 MHz');
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
  await page.locator('.figure', { hasText: 'from the earlier capture' }).waitFor({ state: 'attached' });
  await remembered(page);
  await startOver(page);
  await choose(page, [late]);
  await page.locator('.figure', { hasText: 'from the earlier capture' }).waitFor({ state: 'attached' });
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
        const text = [...tab.children].map(({ textContent }) => textContent ?? '').slice(1);
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
        await page.getByRole('button', { name: 'More actions' }).press('Enter');
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
        await openTab(page, 'More');
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
    await openTab(page, 'More');
    for (const selector of ['.figure', '.actions > *'])
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
  await openTab(page, 'Tasks');
  const scroller = page.locator('.scroll:visible').first();
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

test('nothing on the start page moves once it is shown, however late the converter comes', async () => {
  const { page, context } = await open();
  await drop(page, [demo('freertos.bin')]);
  await page.getByText('This browser keeps the recording').waitFor({ state: 'attached' });
  await page.close();
  let release!: () => void;
  const released = new Promise<void>((done) => (release = done));
  await context.route('**/*.wasm', async (route) => {
    await released;
    await route.continue();
  });
  const start = await context.newPage();
  await start.addInitScript(() => {
    const shifts: string[] = ((window as unknown as { shifts: string[] }).shifts = []);
    interface Shift extends PerformanceEntry {
      sources: { node: Node | null }[];
    }
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[])
        shifts.push(sources.map(({ node }) => node?.textContent ?? '').join(', '));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const isStarted = start.waitForEvent('worker');
  await start.goto(served.url);
  await start.getByText('Open again').waitFor();
  await start.locator('.demo').last().waitFor();
  release();
  await isStarted;
  await start.waitForTimeout(500); // for what the worker may say
  expect(await start.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
  await context.close();
});

test('signals have a tab, and there is no core if the recording has none', async () => {
  const { page, context } = await open('#demo=wave');
  await converted(page);
  await openTab(page, 'Signals');
  await page.locator('section[aria-labelledby=signals-title]').waitFor();
  expect(await page.getByRole('tab', { name: 'Tasks' }).count()).toBe(0);
  expect(await page.locator('.figure', { hasText: 'Cores' }).count()).toBe(0);
  await shot(page, 'signals');
  await context.close();
});

test('calls have a tab, whose values do not overlap', async () => {
  const { page, context } = await open('#demo=calls');
  await converted(page);
  await openTab(page, 'Calls');
  expect(await page.locator('section[aria-labelledby=contexts-title] tbody th').count()).toBeGreaterThan(2);
  const tooWide = await page
    .locator('tbody td')
    .evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => (node as HTMLElement).innerText),
    );
  expect(tooWide).toEqual([]); // no value overlaps the next column
  expect(await page.locator('.card h2').allTextContents()).toEqual(['calls.bin', 'calls.elf', 'calls.times']);
  await openTab(page, 'More');
  await page.getByText('Only entries are recorded').waitFor();
  await context.close();
});
