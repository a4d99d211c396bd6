// SPDX-License-Identifier: MIT
// All inputs of the page: choose, drop, paste, demo; grouping into recordings; and the user's overrides.
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { zip } from '../common/archives.mjs';
import {
  browser,
  changeRecognised,
  choose,
  converted,
  demo,
  demoTitles,
  drop,
  figure,
  hexOf,
  listed,
  openTab,
  pasteText,
  selectRecording,
  served,
  shot,
  startOver,
  title,
  visit,
} from './harness.js';

const open = () => visit(browser, served.url);

describe('inputs', () => {
  test('a chosen file is converted automatically', async () => {
    const { page, context, complaints } = await open();
    await choose(page, [demo('freertos.bin')]);
    await converted(page);
    expect(Number(await figure(page, 'Events'))).toBeGreaterThan(1000);
    expect(await title(page)).toContain('freertos.bin');
    expect(await page.locator('.chips').innerText()).toContain('Tonbandgeraet');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a file is recognised while the page looks up what it remembers of it, and only once', async () => {
    const { page, context } = await open();
    await expect.poll(() => page.workers().length).toBeGreaterThan(1); // the worker that recognises is among them
    await page.evaluate(() => {
      const steps: string[] = ((window as unknown as { steps: string[] }).steps = []);
      const post = Worker.prototype.postMessage,
        open = IDBFactory.prototype.open;
      Worker.prototype.postMessage = function (message: { type: string }, ...rest: []) {
        if (message.type === 'inspect') steps.push('recognise');
        post.call(this, message, ...rest);
      };
      IDBFactory.prototype.open = function (...words) {
        if (!steps.includes('look up')) steps.push('look up');
        return open.apply(this, words);
      };
    });
    await choose(page, [demo('freertos.bin')]);
    await converted(page);
    expect(await page.evaluate(() => (window as unknown as { steps: string[] }).steps)).toEqual([
      'recognise',
      'look up',
    ]);
    await context.close();
  });

  test('the same bytes as hex, base64 and gzip, pasted or dropped, give the same figures', async () => {
    const { bytes } = demo('bare-metal.bin');
    const { page, context } = await open();
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    const events = await figure(page, 'Events');
    const ways: [string, () => Promise<void>][] = [
      ['hex text', () => pasteText(page, hexOf(bytes))],
      ['base64 text', () => pasteText(page, Buffer.from(bytes).toString('base64'))],
      ['gzip', () => drop(page, [{ name: 'capture.bin.gz', bytes: gzipSync(bytes) }])],
    ];
    for (const [what, way] of ways) {
      await startOver(page);
      await way();
      await converted(page);
      expect(await page.locator('.card .facts').innerText(), what).toContain(what);
      expect(await figure(page, 'Events'), what).toBe(events);
    }
    await context.close();
  });

  test('text can also be entered in the paste dialog', async () => {
    const { page, context } = await open();
    await page.getByRole('button', { name: 'Paste text' }).click();
    const text = `START OF TONBANDGERAET BUFFER\n${hexOf(demo('bare-metal.bin').bytes)}\nEND OF TONBANDGERAET BUFFER\n`;
    await page.getByRole('textbox').evaluate((field, content) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', content);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await page.getByRole('button', { name: 'Read this text' }).click();
    await converted(page);
    expect(await title(page)).toContain('pasted text');
    await context.close();
  });

  test('each demo starts with one click', async () => {
    const { page, context, complaints } = await open();
    const names = await demoTitles(page);
    expect(names).toHaveLength(12);
    for (const name of names) {
      await page.locator('.demo', { has: page.locator('b', { hasText: name }) }).click();
      await converted(page);
      expect(Number(await figure(page, 'Events')), name).toBeGreaterThan(100);
      await shot(page, `demo ${name}`);
      await startOver(page);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('thumbnails of the demos are drawn from their reports', async () => {
    const { page, context } = await open();
    await page.locator('.demo').first().waitFor();
    const drawn = await page
      .locator('.demo')
      .evaluateAll((nodes) =>
        nodes.map((node) => [...node.querySelectorAll('path')].filter((path) => path.getAttribute('d')).length),
      );
    const WITHOUT_LOAD = 3; // calls, signals and a wave dump have no tasks, interrupts or objects
    expect(drawn).toHaveLength(12);
    expect(drawn.filter((rows) => rows === 0).length).toBeLessThanOrEqual(WITHOUT_LOAD);
    await context.close();
  });
});

describe('folders', () => {
  /** Drops this many files, of which one cannot be read. */
  const dropFolder = (page: Page, count: number, unreadable = -1): Promise<void> =>
    page.evaluate(
      ([count, unreadable]) => {
        const file = (at: number) => ({
          isFile: true,
          name: `run ${at}.bin`,
          file: (done: (file: File) => void, failed: (error: Error) => void) =>
            at === unreadable
              ? failed(new Error('It is gone'))
              : done(new File([`no recording ${at}`], `run ${at}.bin`)),
        });
        const batches = [Array.from({ length: count }, (_, at) => file(at)), []];
        const folder = {
          isFile: false,
          isDirectory: true,
          name: 'runs',
          createReader: () => ({ readEntries: (done: (batch: unknown[]) => void) => done(batches.shift() ?? []) }),
        };
        const event = new DragEvent('drop', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'dataTransfer', {
          value: { types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => folder }], files: [] },
        });
        document.body.dispatchEvent(event);
      },
      [count, unreadable] as const,
    );

  test('of many files the first ones are read, with a message', async () => {
    const { page, context, complaints } = await open();
    await dropFolder(page, 40);
    await page.getByText('Only the first 32 files of the folder are read').waitFor();
    await listed(page);
    expect(await page.locator('nav.recordings button').count()).toBe(32);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('up to the limit there is no message', async () => {
    const { page, context } = await open();
    await dropFolder(page, 32);
    await listed(page);
    expect(await page.locator('nav.recordings button').count()).toBe(32);
    expect(await page.locator('.banner').count()).toBe(0);
    await context.close();
  });

  test('a file that cannot be read is reported', async () => {
    const { page, context, complaints } = await open();
    await dropFolder(page, 3, 1);
    await page.getByText('What you dropped or pasted could not be read: It is gone').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** All messages since then, also those that were removed. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() =>
      said.push(...[...document.querySelectorAll('.banner')].map(({ textContent }) => textContent)),
    ).observe(document.body, { childList: true, subtree: true });
  });

/** How the late answer ends. */
const lateAnswers: [string, (route: Route) => Promise<void>][] = [
  ['answers', (route) => route.continue()],
  ['fails', (route) => route.abort()],
];

test.each(lateAnswers)(
  'of two demos that are started while the network is slow, the last one is shown, also when the other one %s late',
  async (_, end) => {
    const { page, context } = await visit(browser, served.url, { serviceWorkers: 'block' });
    const held: Route[] = [];
    await context.route('**/demos/freertos.bin', (route) => void held.push(route));
    const asked = page.waitForRequest('**/demos/freertos.bin');
    await page.locator('.demo', { hasText: 'FreeRTOS' }).click();
    const request = await asked;
    await page.locator('.demo', { hasText: 'Bare metal' }).click();
    await converted(page);
    await listen(page);
    await Promise.all(held.map(end));
    await (await request.response())?.finished(); // none: it failed
    expect(await title(page)).toContain('bare-metal.bin');
    await drop(page, [demo('two-cores.core0.bin')]); // after anything that it could have caused
    await page.locator('h1', { hasText: 'two-cores.core0.bin' }).waitFor();
    await converted(page);
    expect(await page.locator('nav.recordings button').count()).toBe(2);
    expect(await page.evaluate(() => (window as unknown as { said: string[] }).said)).toEqual([]);
    await context.close();
  },
);

describe('grouping', () => {
  test('one file per core becomes one trace of two cores', async () => {
    const { page, context } = await open();
    await drop(page, [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')]);
    await converted(page);
    expect(await figure(page, 'Cores')).toBe('2');
    expect(await page.locator('.card').count()).toBe(2);
    expect(await page.locator('nav.recordings').count()).toBe(0);
    await shot(page, 'two cores');
    await context.close();
  });

  test('unrelated recordings become a list, also when dropped onto a result, without a question', async () => {
    const { page, context } = await open();
    await drop(page, [demo('freertos.bin')]);
    await converted(page);
    await drop(page, [demo('bare-metal.bin')]);
    await listed(page);
    await page.locator('h1', { hasText: 'bare-metal.bin' }).waitFor();
    await converted(page);
    expect(await page.locator('nav.recordings button').count()).toBe(2);
    await selectRecording(page, 'freertos.bin');
    expect(await title(page)).toContain('freertos.bin');
    await shot(page, 'several recordings');
    await context.close();
  });

  test('an unrelated recording joins no core, in any order of the files', async () => {
    const cores = [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')];
    for (const files of [
      [...cores, demo('damaged.bin')],
      [demo('damaged.bin'), ...cores],
    ]) {
      const { page, context } = await open();
      await drop(page, files);
      await listed(page);
      const names = await page.locator('nav.recordings button b').allInnerTexts();
      expect(names.sort()).toEqual(['damaged.bin', 'two-cores.core0.bin + 1 more']);
      await context.close();
    }
  });

  test('a zip file: a list of its recordings; encrypted members are reported, other files are skipped', async () => {
    const { page, context, complaints } = await open();
    const alone = demo('freertos.bin').bytes;
    const files = [
      { path: 'readme.txt', bytes: Buffer.from('Two runs of today.') },
      { path: 'lab/free.bin', bytes: alone, deflated: true },
      { path: 'lab/bare.bin', bytes: demo('bare-metal.bin').bytes },
      { path: 'secret.bin', bytes: alone, encrypted: true },
    ];
    await drop(page, [{ name: 'today.zip', bytes: zip(files) }]);
    await listed(page);
    await converted(page);
    const tabs = page.locator('nav.recordings button');
    expect(await tabs.locator('b').allInnerTexts()).toEqual([
      'today.zip/lab/free.bin',
      'today.zip/lab/bare.bin',
      'today.zip/secret.bin',
    ]);
    const events = await figure(page, 'Events');
    await selectRecording(page, 'lab/bare.bin');
    await page.locator('h1', { hasText: 'lab/bare.bin' }).waitFor();
    await converted(page);
    expect(await figure(page, 'Events')).not.toBe(events);
    await shot(page, 'zip');
    await selectRecording(page, 'secret.bin');
    await page.getByRole('heading', { name: 'This file cannot be read' }).waitFor();
    expect(await page.locator('.failure').innerText()).toContain('encrypted');
    await shot(page, 'zip encrypted');
    await startOver(page);
    await drop(page, [demo('freertos.bin')]);
    await converted(page);
    expect(await figure(page, 'Events')).toBe(events);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a menu removes a file from the trace and adds it again', async () => {
    const { page, context } = await open();
    await drop(page, [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')]);
    await converted(page);
    await changeRecognised(page);
    const second = page.locator('.card', { has: page.getByRole('heading', { name: /core1/ }) });
    await second.getByLabel('Belongs to').selectOption({ label: 'a trace of its own' });
    await listed(page);
    expect(await page.locator('nav.recordings button').count()).toBe(2);
    await selectRecording(page, 'core1');
    if (!(await page.getByLabel('Belongs to').isVisible())) await changeRecognised(page);
    await page.getByLabel('Belongs to').selectOption({ label: 'as recognised' });
    await page.locator('nav.recordings').waitFor({ state: 'detached' });
    await converted(page);
    expect(await figure(page, 'Cores')).toBe('2');
    await context.close();
  });
});

describe('offered groups', () => {
  test('a group that the core rejects is not offered, and the reason is shown', async () => {
    const { page, context } = await open();
    await drop(page, [
      demo('uart.vcd'),
      { name: 'again.vcd', bytes: Buffer.concat([demo('uart.vcd').bytes, Buffer.from('\n')]) },
      demo('bare-metal.bin'),
    ]);
    await expect.poll(() => page.locator('nav.recordings button').count()).toBe(3);
    await selectRecording(page, 'uart.vcd');
    await page.locator('h1', { hasText: 'uart.vcd' }).waitFor();
    await changeRecognised(page);
    await page
      .locator('.selects')
      .getByText('A recording of its own: files of this format have no common clock.')
      .waitFor();
    expect(await page.getByLabel('Core', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Belongs to').count()).toBe(0);
    await shot(page, 'never joined');
    await context.close();
  });

  test('only recordings of the same format are offered', async () => {
    const { page, context } = await open();
    await drop(page, [demo('freertos.bin'), demo('bare-metal.bin'), demo('uart.vcd')]);
    await expect.poll(() => page.locator('nav.recordings button').count()).toBe(3);
    await selectRecording(page, 'freertos.bin');
    await page.locator('h1', { hasText: 'freertos.bin' }).waitFor();
    await changeRecognised(page);
    expect(await page.getByLabel('Belongs to').locator('option').allInnerTexts()).toEqual([
      'as recognised',
      'a trace of its own',
      'the trace of bare-metal.bin',
    ]);
    await context.close();
  });
});

describe('an earlier capture', () => {
  const early = demo('freertos.bin').bytes;
  const late = { name: 'ring.bin', bytes: early.slice(60_000) };

  test('provides names and tick length for a recording without them, with one menu', async () => {
    const { page, context } = await open();
    await choose(page, [late]);
    await page.getByText('How long is one tick').waitFor();
    const text = () => page.locator('#panel-tasks').evaluate((panel) => panel.textContent);
    expect(await text()).toMatch(/task #\d/);
    await drop(page, [{ name: 'start.bin', bytes: early.slice(0, 20_000) }]);
    await page.locator('h1', { hasText: 'start.bin' }).waitFor();
    await converted(page);
    await changeRecognised(page);
    await page.getByLabel('Use it for').selectOption({ label: 'names only (earlier capture)' });
    await page.locator('h1', { hasText: 'ring.bin' }).waitFor();
    await page.locator('.figure', { hasText: 'from the earlier capture' }).waitFor({ state: 'attached' });
    expect(await text()).not.toMatch(/task #\d/);
    expect(await page.locator('section[aria-labelledby=tasks-title]').innerText()).toContain('telemetry');
    await shot(page, 'names from an earlier capture');
    await context.close();
  });
});

describe('overrides', () => {
  test('a tick length that the user enters overrides that of the recording', async () => {
    const { page, context } = await open();
    await choose(page, [demo('freertos.bin')]);
    await converted(page);
    await changeRecognised(page);
    await page.getByLabel('Tick length (ns)').fill('2000');
    await page.keyboard.press('Enter');
    await page.locator('.figure', { hasText: 'as you set it' }).waitFor({ state: 'attached' });
    expect(await figure(page, 'Tick')).toBe('2 µs');
    await context.close();
  });

  test('encoding: text read as bytes is not a recording; with the recognised encoding it is one again', async () => {
    const { page, context } = await open();
    await choose(page, [{ name: 'capture.hex', bytes: Buffer.from(hexOf(demo('bare-metal.bin').bytes)) }]);
    await converted(page);
    const events = await figure(page, 'Events');
    await changeRecognised(page);
    await page.getByLabel('Encoding').selectOption({ label: 'binary' });
    await page.getByText('This file is not a recording').waitFor();
    await page.getByLabel('Encoding').selectOption({ index: 0 });
    await converted(page);
    expect(await figure(page, 'Events')).toBe(events);
    await context.close();
  });

  test('an unrecognised input is read as the selected format, which the card shows', async () => {
    const { page, context } = await open();
    await choose(page, [{ name: 'short.bin', bytes: Buffer.from([0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0, 0x91]) }]);
    await page.getByText('Read it anyway, as').waitFor();
    await page.getByRole('button', { name: 'Tonbandgeraet', exact: true }).click();
    await openTab(page, 'More');
    await page.getByText(/Not recognised, read as the chosen format/).waitFor();
    await context.close();
  });

  test('a number in the file name is not a core if the format has no cores', async () => {
    const { page, context } = await open();
    await choose(page, [{ ...demo('calls.bin'), name: 'calls.core1.bin' }]);
    await converted(page);
    expect(await page.locator('.card .facts').first().innerText()).not.toContain('core');
    await context.close();
  });

  test('core and format are set in the menus', async () => {
    const { page, context } = await open();
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    await changeRecognised(page);
    await page.getByLabel('Core', { exact: true }).selectOption('3');
    await page
      .getByText(/core 3/)
      .first()
      .waitFor();
    await page.getByLabel('Format').selectOption({ label: 'Tonbandgeraet' });
    await converted(page);
    expect(Number(await figure(page, 'Events'))).toBeGreaterThan(100);
    await context.close();
  });
});
