// SPDX-License-Identifier: MIT
// The timeline of the page: it draws every format, and hands, keys and screen readers find the same items in it.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import {
  type Given,
  axeViolations,
  browser,
  choose,
  converted,
  demo,
  launch,
  openTab,
  root,
  served,
  shot,
  standIn,
  startOver,
  visit,
} from './harness.js';

const { convert, reportCsv } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

const field = (page: Page) => page.getByRole('application', { name: 'Timeline of the recording' });
const words = (page: Page): Promise<string> => page.locator('#timeline-words').innerText();

/** Number of pixels of the canvas that are not empty. */
const drawn = (page: Page): Promise<number> =>
  page.locator('.tl-canvas').evaluate((canvas: HTMLCanvasElement) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d')!;
    if (!copy.width || !copy.height) return 0;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha]! > 100) count++;
    return count;
  });

/** Colour of the canvas at a place in CSS pixels; empty: nothing is drawn there. */
const colourAt = (page: Page, x: number, y: number): Promise<string> =>
  page.locator('.tl-canvas').evaluate(
    (canvas: HTMLCanvasElement, at) => {
      const copy = document.createElement('canvas');
      copy.width = copy.height = 1;
      const context = copy.getContext('2d')!;
      const scale = canvas.width / canvas.clientWidth;
      context.drawImage(canvas, Math.round(at.x * scale), Math.round(at.y * scale), 1, 1, 0, 0, 1, 1);
      const { data } = context.getImageData(0, 0, 1, 1);
      return data[3]! > 100 ? [...data.slice(0, 3)].join() : '';
    },
    { x, y },
  );

async function opened(page: Page, files: Given[]): Promise<void> {
  await choose(page, files);
  await converted(page);
  await page.locator('.timeline').waitFor();
  await expect.poll(() => drawn(page)).toBeGreaterThan(200);
}

/** Opens recordings and shows all of them. */
async function openedWhole(page: Page, files: Given[]): Promise<void> {
  await opened(page, files);
  await page.getByRole('button', { name: 'Whole' }).click();
}

/** Rows of the table of visible items: row, item, begin, duration. */
async function table(page: Page): Promise<string[][]> {
  const details = page.locator('.tl-table');
  if (!(await details.evaluate((node: HTMLDetailsElement) => node.open))) await details.locator('summary').click();
  await details.locator('tbody tr').first().waitFor();
  return details
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

/** Middle of a row by its name, in CSS pixels from the top of the field. */
async function middleOf(page: Page, name: string): Promise<number> {
  const box = (await page.locator('.tl-names li', { hasText: name }).first().boundingBox())!;
  return box.y + box.height / 2 - (await field(page).boundingBox())!.y;
}

const span = (page: Page): Promise<string> => page.locator('.tl-span').innerText();
const firstMark = (page: Page): Promise<string> => page.locator('.tl-axis').innerText();

test('every format is drawn', async () => {
  const recordings: [string, string[], string][] = [
    ['Tonbandgeraet', ['freertos.bin'], 'CPU 0'],
    ['two cores', ['two-cores.core0.bin', 'two-cores.core1.bin'], 'CPU 1'],
    ['damaged', ['damaged.bin'], 'CPU 0'],
    ['TraceRecorder', ['tracerecorder.psf'], 'CPU 0'],
    ['QS', ['active-objects.bin'], ''],
    ['bare metal', ['bare-metal.bin'], ''],
    ['calls', ['calls.bin', 'calls.elf', 'calls.times'], ''],
    ['VCD', ['uart.vcd'], ''],
    ['flux', ['bench.recTr'], ''],
  ];
  const { page, context, complaints } = await visit(browser, served.url);
  for (const [name, files, row] of recordings) {
    await opened(page, files.map(demo));
    const items = await table(page);
    expect(items.length, name).toBeGreaterThanOrEqual(10);
    if (row)
      expect(
        items.some(([title]) => title === row),
        name,
      ).toBe(true);
    expect(await page.locator('.tl-axis span').count(), name).toBeGreaterThan(1);
    await shot(page, `timeline-${name.replaceAll(' ', '-')}`);
    await startOver(page);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test('what is drawn, what is selected and what the table lists are the same', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  for (let i = 0; i < 14; i++) await page.keyboard.press('w');
  const items = (await table(page)).filter(([row]) => row === 'CPU 0');
  await page.getByRole('heading', { name: 'Timeline', exact: true }).scrollIntoViewIfNeeded(); // the table has scrolled the page
  const y = await middleOf(page, 'CPU 0');
  const box = (await field(page).boundingBox())!;
  expect(items.length).toBeGreaterThan(2);
  const seen = new Set<string>();
  const outline = async (): Promise<{ x: number; width: number }> => {
    const item = page.locator('.tl-item');
    return ((await item.count()) ? await item.boundingBox() : null) ?? { x: 0, width: 0 };
  };
  for (let x = 10; x < box.width - 10; x += 40) {
    const at = box.x + x;
    await page.mouse.click(at, box.y + y);
    await expect.poll(async () => Math.sign(at + 4 - (await outline()).x)).toBe(1);
    await expect
      .poll(async () => ((await outline()).x + (await outline()).width + 4 > at ? 'covers' : ''))
      .toBe('covers');
    const [, name, begin, length] = /^CPU 0: (.+), from (.+), (.+)$/.exec(await words(page))!;
    seen.add(name!);
    expect(items).toContainEqual(['CPU 0', name, begin, length]);
    const { x: left, width } = await outline();
    const isInside = at > left + 4 && at < left + width - 4;
    if (isInside) expect((await colourAt(page, x, y)) === '').toBe(name === 'IDLE');
  }
  expect(seen.size).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
  await context.close();
});

test('keys move, zoom, select and search', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await standIn(context, '');
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  await page.keyboard.press('?');
  await page.locator('.tl-keys dl').waitFor();
  await page.keyboard.press('?');
  await page.locator('.tl-keys dl').waitFor({ state: 'detached' });
  const whole = await span(page);
  await page.keyboard.press('w');
  await expect.poll(() => span(page)).not.toBe(whole);
  const zoomed = await span(page),
    marks = await firstMark(page);
  await page.keyboard.press('d');
  await expect.poll(() => firstMark(page)).not.toBe(marks);
  expect(await span(page)).toBe(zoomed);
  await page.keyboard.press('a');
  await expect.poll(() => firstMark(page)).toBe(marks);
  await page.keyboard.press('s');
  await expect.poll(() => span(page)).toBe(whole);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words(page)).toMatch(/^CPU 0: .+, from .+/);
  const first = await words(page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words(page)).not.toBe(first);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => words(page)).toBe(first);
  await page.keyboard.press(']');
  await expect.poll(() => words(page)).not.toBe(first);
  expect((await words(page)).split(',')[0]).toBe(first.split(',')[0]); // the same task again
  await page.keyboard.press('[');
  await expect.poll(() => words(page)).toBe(first);
  await page.keyboard.press('f');
  await expect.poll(() => span(page)).not.toBe(whole);
  await page.keyboard.press('Escape');
  await expect.poll(() => words(page)).toBe('');
  await page.keyboard.press('Home');
  await expect.poll(() => span(page)).toBe(whole);

  await page.keyboard.press('/');
  await page.keyboard.type('LOGGER');
  await page.keyboard.press('Enter');
  await expect.poll(() => words(page)).toMatch(/^logger: /);
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search names' }).fill('no such name');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => words(page)).toContain('Nothing is named');
  expect(context.pages()).toHaveLength(1); // Enter has opened no viewer
  expect(complaints).toEqual([]);
  await context.close();
});

test('the pointer selects intervals, pans and zooms at its place', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  const box = (await field(page).boundingBox())!;
  const y = box.y + (await middleOf(page, 'CPU 0'));
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(box.x + from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + to, y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(100, 300);
  await expect.poll(() => words(page)).toMatch(/^Interval: /);
  const interval = (await page.locator('.tl-interval').boundingBox())!;
  expect(Math.abs(interval.x - box.x - 100)).toBeLessThan(2);
  expect(Math.abs(interval.width - 200)).toBeLessThan(2);
  await field(page).focus();
  await page.keyboard.press('f');
  await expect.poll(async () => (await page.locator('.tl-interval').boundingBox())!.width).toBeGreaterThan(400);

  // The time at the pointer stays where it is.
  const left = async (): Promise<number> => (await page.locator('.tl-interval').boundingBox())!.x;
  const before = await left();
  await page.mouse.move(before, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect
    .poll(async () => (await page.locator('.tl-interval').boundingBox())!.width)
    .toBeGreaterThan(box.width / 2);
  expect(Math.abs((await left()) - before)).toBeLessThan(2);

  await page.keyboard.down('Shift');
  await drag(300, 400);
  await page.keyboard.up('Shift');
  await expect.poll(async () => Math.abs((await left()) - before - 100)).toBeLessThan(4);
  await page.mouse.click(box.x + 50, y);
  await expect.poll(() => page.locator('.tl-interval').count()).toBe(0);

  // Hovering tells the item.
  await page.keyboard.press('Escape');
  await page.mouse.move(box.x + 300, y);
  await expect.poll(() => words(page)).toMatch(/^CPU 0: /);
  expect(complaints).toEqual([]);
  await context.close();
});

interface Seen {
  /** ticks since the first event at the left, and per pixel */
  start: number;
  perPixel: number;
  width: number;
  texts: { x: number; y: number; width: number; text: string }[];
  strips: { row: number; y: number; height: number }[];
  axis: { x: number; text: string }[];
  /** places of the names of the rows */
  names: string[];
}

/** Runs before the page, which then draws itself. Records each picture of the rows with what is beside it. */
const watchPictures = (): void => {
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen');
  const seen: Seen[] = [],
    views = new Map<number, Omit<Seen, 'texts'>>();
  Object.assign(window, { seen });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: Worker, message: { type: string; view?: never }, transfer: never) {
    if (message.type === 'view') {
      const { surface, number, window, strips } = message.view as unknown as {
        surface: string;
        number: number;
        window: { from: bigint; offset: number; ticksPerPixel: number; width: number };
        strips: Seen['strips'];
      };
      const named = [...document.querySelectorAll('.tl-names li')],
        marks = [...document.querySelectorAll<HTMLElement>('.tl-axis span[aria-hidden]')];
      if (surface === 'rows')
        views.set(number, {
          start: Number(window.from) + window.offset,
          perPixel: window.ticksPerPixel,
          width: window.width,
          strips: strips.map(({ row, y, height }) => ({ row, y, height })),
          axis: marks.map((mark) => ({ x: parseFloat(mark.style.left), text: mark.textContent ?? '' })),
          names: named.map((node) => `${node.textContent} ${node.getBoundingClientRect().y}`),
        });
    }
    return postMessage.call(this, message, transfer);
  };
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...words: ConstructorParameters<typeof Plain>) {
      super(...words);
      this.addEventListener('message', ({ data }) => {
        const view = data.type === 'picture' && data.surface === 'rows' ? views.get(data.number) : null;
        if (view) seen.push({ ...view, texts: data.picture.texts });
      });
    }
  };
};

/** Texts that are whole in both pictures, but not where the later one must have them. */
function jumps(
  before: Seen,
  after: Seen,
  of: (one: Seen) => { x: number; y?: number; width?: number; text: string }[],
) {
  const placeOf = (x: number): number => (before.start + x * before.perPixel - after.start) / after.perPixel;
  const wrong: string[] = [];
  let compared = 0;
  for (const { x, y = 0, width = 0, text } of of(before)) {
    const [from, to] = [placeOf(x), placeOf(x + width)];
    if (x <= 0 || from <= 1 || to >= after.width - 1) continue; // cut by the edge
    compared++;
    if (!of(after).some((one) => one.text === text && (one.y ?? 0) === y && Math.abs(one.x - from) <= 1))
      wrong.push(`${text} from ${x} to ${from}`);
  }
  return { wrong, compared };
}

test('while the window moves, the time at the pointer and all texts stay with it, and rows move 0 px', async () => {
  const { page, context, complaints } = await visit(browser, 'about:blank');
  await context.addInitScript(watchPictures);
  await page.goto(served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  const last = (): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen[] }).seen.at(-1)!);
  for (let i = 0; i < 14; i++) await page.keyboard.press('w');
  await expect.poll(async () => (await last()).texts.length).toBeGreaterThan(10);
  const box = (await field(page).boundingBox())!,
    at = Math.round(box.width * 0.4);
  /** Makes gestures, each after the picture of the one before. Returns the pictures, the first of which is from before. */
  const moved = async (act: () => Promise<void>, times: number): Promise<Seen[]> => {
    const pictures = [await last()];
    for (let i = 0; i < times; i++) {
      await act();
      const { start, perPixel } = pictures.at(-1)!;
      await page.waitForFunction(
        (before) => {
          const now = (window as unknown as { seen: Seen[] }).seen.at(-1)!;
          return now.start !== before.start || now.perPixel !== before.perPixel;
        },
        { start, perPixel },
      );
      pictures.push(await last());
    }
    return pictures;
  };
  await page.mouse.move(box.x + at, box.y + 30);
  const wheel = (x: number, y: number) => (): Promise<void> => page.mouse.wheel(x, y);
  await page.keyboard.down('Control');
  const zoomedIn = await moved(wheel(0, -40), 6),
    zoomedOut = await moved(wheel(0, 40), 6);
  await page.keyboard.up('Control');
  const panned = await moved(wheel(37, 0), 4);
  let texts = 0,
    marks = 0;
  for (const pictures of [zoomedIn, zoomedOut, panned])
    for (const [index, after] of pictures.entries()) {
      const before = pictures[index - 1];
      if (!before) continue;
      expect(after.strips).toEqual(before.strips);
      expect(after.names).toEqual(before.names);
      if (pictures !== panned) {
        const timeAt = ({ start, perPixel }: Seen): number => start + at * perPixel;
        expect(Math.abs(timeAt(after) - timeAt(before)) / after.perPixel).toBeLessThanOrEqual(1);
      }
      // Zooming out, items become too narrow for their texts; then the way back is compared.
      const [a, b] = pictures === zoomedOut ? [after, before] : [before, after];
      const written = jumps(a, b, (one) => one.texts);
      expect(written.wrong).toEqual([]);
      texts += written.compared;
      const named = b.axis.filter(({ text }) => a.axis.some((one) => one.text === text)),
        onAxis = jumps(a, b, ({ axis }) => axis.filter(({ text }) => named.some((one) => one.text === text)));
      expect(onAxis.wrong).toEqual([]);
      marks += onAxis.compared;
    }
  expect(texts).toBeGreaterThan(50);
  expect(marks).toBeGreaterThan(10);
  expect(complaints).toEqual([]);
  await context.close();
});

test('hovering tells length, distance from the start before, and the share', async () => {
  const { page, context } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  const runs = (await table(page)).filter(([row, item]) => row === 'logger' && item === 'running');
  const box = (await field(page).boundingBox())!,
    y = box.y + (await middleOf(page, 'logger'));
  const told =
    /^logger: running, from ([\d.]+) s, ([\d.]+) (µs|ms); ([\d.]+) (µs|ms) after the start before, ([\d.]+) %/;
  const seconds = (value = '', unit = ''): number => Number(value) * (unit === 'ms' ? 1e-3 : 1e-6);
  let seen: RegExpExecArray | null = null,
    index = -1;
  for (let x = box.x; x < box.x + box.width && index < 1; x += 5) {
    await page.mouse.move(x, y);
    seen = told.exec(await words(page));
    index = seen ? runs.findIndex(([, , begin]) => begin === `${seen![1]} s`) : -1;
  }
  const [, begin, length, lengthUnit, period, periodUnit, share] = seen!,
    before = Number(runs[index - 1]![2]!.replace(' s', ''));
  expect(runs[index]![3]).toBe(`${length} ${lengthUnit}`);
  expect(seconds(period, periodUnit)).toBeCloseTo(Number(begin) - before, 4);
  expect(Number(share) / 100).toBeCloseTo(seconds(length, lengthUnit) / (Number(begin) - before), 2);
  await context.close();
});

test('one finger moves, two fingers zoom', async () => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).scrollIntoViewIfNeeded();
  const box = (await field(page).boundingBox())!;
  const y = box.y + 40;
  const touch = await context.newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]): Promise<unknown> =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x: box.x + x, y, id })) });
  const whole = await span(page);
  await send('touchStart', 60, 140);
  for (let i = 1; i <= 5; i++) await send('touchMove', 60 - 8 * i, 140 + 8 * i);
  await send('touchEnd');
  await expect.poll(() => span(page)).not.toBe(whole);
  const zoomed = await span(page),
    marks = await firstMark(page);
  await send('touchStart', 150);
  for (let i = 1; i <= 5; i++) await send('touchMove', 150 - 20 * i);
  await send('touchEnd');
  await expect.poll(() => firstMark(page)).not.toBe(marks);
  expect(await span(page)).toBe(zoomed);
  await context.close();
});

test('rows are folded and unfolded', async () => {
  const { page, context } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  const rows = page.locator('.tl-names li');
  const before = await rows.count();
  await page.getByRole('button', { name: 'control', exact: false }).first().click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  expect(await page.locator('.tl-inner', { hasText: 'waits for' }).count()).toBe(1);
  await context.close();
});

test('a place of the timeline opens in the viewer', async () => {
  const { page, context } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await standIn(context, '');
  await field(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const viewer = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open this in Perfetto' }).click();
  expect((await viewer).url()).toMatch(/visStart=\d+&visEnd=\d+/);
  await context.close();
});

test.each(['light', 'dark'] as const)('narrow, %s', async (colorScheme) => {
  const { page, context } = await visit(browser, served.url, { viewport: { width: 390, height: 844 }, colorScheme });
  await opened(page, [demo('freertos.bin')]);
  await table(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await shot(page, `timeline-narrow-${colorScheme}`);
  expect(await axeViolations(page)).toEqual([]);
  await context.close();
});

test('sharp and dark on a screen of high density', async () => {
  const { page, context } = await visit(browser, served.url, { deviceScaleFactor: 2, colorScheme: 'dark' });
  await opened(page, [demo('freertos.bin')]);
  const [pixels, width] = await page
    .locator('.tl-canvas')
    .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.clientWidth]);
  expect(pixels).toBe(2 * width!);
  await shot(page, 'timeline-dark');
  await context.close();
});

test('without an OffscreenCanvas the page draws', async () => {
  const own = await launch();
  const { page, context, complaints } = await visit(own, 'about:blank');
  await context.addInitScript(() => {
    Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen');
  });
  await page.goto(served.url);
  await opened(page, [demo('freertos.bin')]);
  expect(complaints).toEqual([]);
  await own.close();
});

test('a selected item tells its period, why it waited and who ended the wait; the worst wait is found with ten keys', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown'); // control
  await page.keyboard.press('l'); // its longest wait
  const panel = page.locator('.tl-item-panel');
  await panel.locator('h3', { hasText: 'control: waiting' }).waitFor();
  const reason = page.locator('.tl-reason');
  await expect.poll(() => reason.innerText()).toMatch(/^Waits for: take adc ready; made ready by \w+/);
  const begin = await panel.locator('dd').first().innerText();
  expect(begin).toBe('0.002008500 s'); // as in the table of tasks
  await panel.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => panel.locator('dd').first().innerText()).not.toBe(begin);
  await panel.getByText('Since the start before').waitFor(); // not of the first one
  await panel.getByRole('button', { name: 'Previous' }).click();
  await expect.poll(() => panel.locator('dd').first().innerText()).toBe(begin);
  await panel.getByRole('button', { name: 'Next' }).click();
  await panel.getByRole('button', { name: 'Longest' }).click();
  await expect.poll(() => panel.locator('dd').first().innerText()).toBe(begin);
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'timeline-selection');
  expect(complaints).toEqual([]);
  await context.close();
});

test('with the keyboard alone, the cause of the worst wait is found with ten keys', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await standIn(context, '');
  await opened(page, [demo('freertos.bin')]);
  const keys = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'l']; // the task "logger", whose response is longest but one
  expect(keys.length).toBeLessThanOrEqual(10);
  for (const key of keys) await page.keyboard.press(key);
  await page.locator('.tl-item-panel h3', { hasText: 'logger: waiting' }).waitFor();
  await expect.poll(() => page.locator('.tl-reason').innerText()).toMatch(/^Waits for: .+/);
  expect(await field(page).evaluate((node) => node === document.activeElement)).toBe(true);
  expect(context.pages()).toHaveLength(1);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a selected item has its arguments, and leads along its flow', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('tracerecorder.psf')]);
  await field(page).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('send to Orders');
  await page.keyboard.press('Enter');
  const panel = page.locator('.tl-item-panel');
  await panel.locator('h3', { hasText: 'send to Orders' }).waitFor();
  await expect.poll(() => panel.locator('dl').innerText()).toMatch(/count\n1/i);
  const flow = page.getByRole('list', { name: 'Connected by a flow' });
  await expect.poll(() => flow.innerText()).toMatch(/^To .+: receive from Orders, 1\.9 µs later$/);
  await flow.getByRole('button').click();
  await panel.locator('h3', { hasText: 'receive from Orders' }).waitFor();
  await expect.poll(() => flow.innerText()).toMatch(/^From .+: send to Orders, 1\.9 µs before$/);
  for (let i = 0; i < 9; i++) await page.keyboard.press('w');
  expect(await page.locator('.tl-flows path').count()).toBe(2); // the arrow
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'timeline-flow');
  await flow.getByRole('button').click();
  await panel.locator('h3', { hasText: 'send to Orders' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

/** Zooms into the begin of a recording, of which the limit of memory has dropped the items, until they are there. */
async function zoomIntoDropped(page: Page): Promise<void> {
  const box = (await field(page).boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.03, box.y + (await middleOf(page, 'CPU 0')));
  for (let i = 0; i < 14; i++) {
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
  }
  const rows = async (): Promise<number> => (await table(page)).filter(([row]) => row === 'CPU 0').length;
  await expect.poll(rows).toBeGreaterThan(5);
}

test('what the limit of memory dropped is made again where the user looks', async () => {
  const [path] = inputs(CASES[0]!, '2M').paths,
    large: Given = { name: 'large.bin', bytes: readFileSync(path!) };
  const { page, context, complaints } = await visit(browser, 'about:blank');
  await context.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 0.016 })); // 1 MiB of points
  await page.goto(served.url);
  await openedWhole(page, [large]);
  await expect.poll(() => words(page)).toContain('The oldest details were dropped');
  await zoomIntoDropped(page);
  await page.getByRole('heading', { name: 'Timeline', exact: true }).scrollIntoViewIfNeeded();
  await field(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words(page)).toMatch(/^CPU 0: .+, from /);
  const before = await words(page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words(page)).not.toBe(before);
  await shot(page, 'timeline-made-again');
  expect(complaints).toEqual([]);
  await context.close();
});

test('details of what the user zooms into do not wait for those of the whole recording', async () => {
  const [path] = inputs(CASES[0]!, '2M').paths,
    large: Given = { name: 'large.bin', bytes: readFileSync(path!) };
  const { page, context, complaints } = await visit(browser, 'about:blank');
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'deviceMemory', { value: 0.016 }); // 1 MiB of points
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...rest: unknown[]): void {
      const held = window as { isHeld?: boolean };
      if (held.isHeld || (rest[0] as { type?: string }).type !== 'part')
        return Reflect.apply(post, this, rest) as undefined;
      held.isHeld = true; // the first question, about the whole recording, has no answer
    };
  });
  await page.goto(served.url);
  await openedWhole(page, [large]);
  await page.waitForFunction(() => (window as { isHeld?: boolean }).isHeld);
  await zoomIntoDropped(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test('cursors: from an item, to the next edge, and what the interval has', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('l');
  await page.locator('.tl-item').waitFor();
  await page.keyboard.press('i');
  await expect.poll(() => words(page)).toMatch(/^Interval: 2 ms . 500\.2 Hz, from 0\.002008500 s/);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => words(page)).toMatch(/^Interval: 2 ms . 499/); // also the time until it runs
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => words(page)).toMatch(/^Interval: 2 ms . 500/);
  const figures = page.getByRole('region', { name: 'Figures of the interval' });
  await figures.locator('tbody tr').first().waitFor();
  const idle = figures.locator('tbody tr', { hasText: 'IDLE' }).locator('td');
  expect(Number(await idle.first().innerText())).toBeGreaterThan(0);
  await page.locator('section[aria-labelledby=interval-waits-title]').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await shot(page, 'timeline-cursors');
  expect(complaints).toEqual([]);
  await context.close();
});

test('queues, jobs and waits of an interval are those of a report of this time range', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { options?: Record<string, string> }, transfer) {
      if (message.options?.['output'] === 'report') Object.assign(window, { asked: message.options });
      return postMessage.call(this, message, transfer as never);
    };
  });
  const mark = async (): Promise<void> => {
    const box = (await field(page).boundingBox())!,
      y = box.y + box.height / 4;
    await page.mouse.move(box.x + box.width / 4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, y);
    await page.mouse.up();
  };
  await mark();
  await page.locator('section[aria-labelledby=interval-queue_times-title]').waitFor();
  const range = await page.evaluate(() => {
    const { asked } = window as unknown as { asked: Record<'from-ns' | 'to-ns', string> };
    return { 'from-ns': asked['from-ns'], 'to-ns': asked['to-ns'] };
  });
  const { report } = await convert([demo('freertos.bin')], range);
  expect(Number(report.time.end) - Number(report.time.start)).toBeLessThan(400e6); // about half of the recording
  for (const table of ['queue_times', 'queues', 'jobs', 'waits']) {
    const save = page
      .locator(`section[aria-labelledby=interval-${table}-title]`)
      .getByRole('button', { name: 'Save CSV' });
    const [csv] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(csv.suggestedFilename()).toBe(`freertos.bin.interval.${table}.csv`);
    const wanted = await reportCsv(report, table);
    expect(wanted.split('\n').length).toBeGreaterThan(2);
    expect(readFileSync(await csv.path(), 'utf8')).toBe(wanted);
  }
  await startOver(page);
  await openedWhole(page, [demo('uart.vcd')]);
  await mark();
  await page.getByText('The interval has no queues, jobs or waits.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a dragged cursor snaps to the edge of an item, and can be moved alone', async () => {
  const { page, context } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  await field(page).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('l');
  await page.locator('.tl-item').waitFor();
  await page.keyboard.press('f');
  const item = (await page.locator('.tl-item').boundingBox())!,
    y = item.y + item.height / 2;
  await page.mouse.move(item.x + 4, y); // the outline is wider than the item
  await page.mouse.down();
  await page.mouse.move(item.x + item.width - 5, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => words(page)).toMatch(/^Interval: 2 ms . 500\.2 Hz, from 0\.002008500 s/);
  const end = item.x + item.width;
  await page.mouse.move(end - 2, y);
  await page.mouse.down();
  await page.mouse.move(item.x + item.width / 2, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => words(page)).toMatch(/^Interval: (1|9\d\d).*from 0\.002008500 s/);
  await context.close();
});

test('rows are filtered, pinned, hidden and sorted; the next recording with these names opens alike', async () => {
  const { page, context } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  const names = (): Promise<string[]> =>
    page
      .locator('.tl-names li .tl-name, .tl-names li .tl-fold')
      .evaluateAll((nodes) => nodes.map((node) => (node.textContent ?? '').replace(/[▾▸\s]+/g, ' ').trim()));
  const before = await names();
  await page.getByRole('searchbox', { name: 'Show only rows' }).fill('control');
  await expect.poll(async () => (await names()).every((name) => /control|Markers/.test(name))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(names).toEqual(before);
  await page.locator('.tl-corner').getByRole('button', { name: 'CPU' }).click();
  await expect.poll(async () => (await names())[1]).toBe('IDLE');
  await page.locator('.tl-corner').getByRole('button', { name: 'CPU' }).click();
  await page.keyboard.press('Tab');
  await field(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('p'); // calibrate
  await expect.poll(async () => (await names())[0]).toBe('calibrate');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Show 1 hidden rows' }).waitFor();
  const kept = await names();
  await startOver(page);
  await opened(page, [demo('freertos.bin')]);
  await expect.poll(names).toEqual(kept);
  await page.getByRole('button', { name: 'Show 1 hidden rows' }).click();
  await expect.poll(async () => (await names()).length).toBe(before.length + 1);
  await context.close();
});

test('only a task and what it talks to: with the button, with O, and until a place outside is shown', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  const rows = page.locator('.tl-names li'),
    titles = (): Promise<string[]> =>
      page
        .locator('.tl-names .tl-name, .tl-names .tl-fold')
        .evaluateAll((nodes) => nodes.map((node) => (node.textContent ?? '').replace(/[▾▸\s]+/g, ' ').trim()));
  const before = await titles();
  // gets items from an interrupt, passes them on, and safety waits for its mutex
  const ofInterrupts = ['Interrupts 2', 'Interrupts, core 0', ''],
    ofQueues = ['Queues and locks 3', 'can rx', 'parameters', 'telemetry'],
    ofCan = ['can', 'safety', 'telemetry', ...ofInterrupts, ...ofQueues];

  await rows
    .filter({ hasText: /^\W*can/ })
    .first()
    .hover();
  await page.getByRole('button', { name: 'Only can and what it talks to', exact: true }).click();
  await expect.poll(titles).toEqual(ofCan);
  await page.getByRole('button', { name: 'Only can and what it talks to: show all rows' }).click();
  await expect.poll(titles).toEqual(before);

  await field(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown'); // calibrate exchanges nothing with other tasks
  await page.keyboard.press('o');
  await expect.poll(titles).toEqual(['calibrate']);
  await page.keyboard.press('o');
  await expect.poll(titles).toEqual(before);
  await page.keyboard.press('ArrowDown'); // can
  await page.keyboard.press('o');
  await expect.poll(titles).toEqual(ofCan);
  await page.keyboard.press('/');
  await page.keyboard.type('shell rx');
  await page.keyboard.press('Enter');
  await expect.poll(titles).toContain('shell');
  expect(await page.getByRole('button', { name: /what it talks to: show all/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a mark with a text stays with the recording', async () => {
  const { page, context } = await visit(browser, served.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  const file = { ...demo('freertos.bin'), name: 'mine.bin' };
  await opened(page, [file]);
  await field(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.locator('.tl-item').waitFor();
  await page.keyboard.press('m');
  await page.getByLabel(/^Mark at/).waitFor();
  await page.keyboard.type('late here');
  await page.keyboard.press('Enter');
  const flag = page.getByRole('button', { name: 'late here' });
  await flag.waitFor();
  expect(context.pages()).toHaveLength(1);
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.locator('.marks li').textContent()).toMatch(/^[\d.]+ s late here$/); // in the report
  await openTab(page, 'More');
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  expect(readFileSync(await report.path(), 'utf8')).toMatch(/\nMarks\n  [\d.]+ s: late here\n$/);
  await page.getByRole('button', { name: 'Copy the report for a ticket' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\n## Marks\n\n- [\d.]+ s: late here\n?$/);
  await standIn(context, '');
  const [viewer] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open in Perfetto' }).click(),
  ]);
  expect(decodeURIComponent(viewer.url())).toMatch(/AddNoteAtTimestamp","args":\["\d+","late here"\]/);
  await viewer.close();
  await startOver(page);
  await opened(page, [file]);
  await flag.click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await flag.waitFor({ state: 'detached' });
  await context.close();
});

test('the address has the view, and shows it again beside the same file', async () => {
  const { page, context } = await visit(browser, served.url);
  await openedWhole(page, [demo('freertos.bin')]);
  expect(new URL(page.url()).hash).toBe('');
  await field(page).focus();
  await page.keyboard.press('w');
  await expect.poll(() => page.url()).toMatch(/#t=\d+-\d+$/);
  const [zoomed, marksBefore] = [page.url(), await firstMark(page)];
  await page.keyboard.press('d');
  await expect.poll(() => page.url()).not.toBe(zoomed);
  await expect.poll(() => firstMark(page)).not.toBe(marksBefore);
  const [address, visible, marks] = [page.url(), await span(page), await firstMark(page)];
  const other = await visit(browser, address);
  await opened(other.page, [demo('freertos.bin')]);
  await expect.poll(() => span(other.page)).toBe(visible);
  await expect.poll(() => firstMark(other.page)).toBe(marks);
  await startOver(other.page);
  await expect.poll(() => new URL(other.page.url()).hash).toBe('');
  await other.context.close();
  await context.close();
});

test('the visible part is saved as an image with names and axis', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save image' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('freertos.png');
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  const box = (await field(page).boundingBox())!;
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(box.width + 100); // with the names
  expect(bytes.readUInt32BE(20)).toBeGreaterThan(box.height + 50); // with axis and legend
  expect(bytes.length).toBeGreaterThan(10_000);
  expect(complaints).toEqual([]);
  await context.close();
});

test('the first window has about 20 runs of the busiest task, and the whole recording is above it', async () => {
  const { page, context } = await visit(browser, served.url);
  await opened(page, [demo('freertos.bin')]);
  await expect.poll(() => span(page)).not.toBe('713 ms visible');
  const [whole, window] = [(await page.locator('.tl-overview').boundingBox())!, page.locator('.tl-window')];
  const before = (await window.boundingBox())!;
  expect(before.width).toBeLessThan(whole.width / 4);
  await page.mouse.move(before.x + before.width / 2, before.y + 10);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width / 2 + 200, before.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await window.boundingBox())!.x - before.x - 200)).toBeLessThan(3);
  await context.close();
});

test('the first view shows who runs most, what a task waited for, the longest response, what was lost and what is wrong', async () => {
  const { page, context } = await visit(browser, 'about:blank', { viewport: { width: 1280, height: 720 } });
  await context.addInitScript(watchPictures);
  await page.goto(served.url);
  await opened(page, [demo('damaged.bin')]);
  await expect.poll(() => span(page)).not.toBe('389 ms visible');
  const rows = await page
    .locator('.tl-names li')
    .evaluateAll((nodes) =>
      nodes
        .filter((node) => node.getBoundingClientRect().bottom < innerHeight)
        .map((node) => [
          node.querySelector('.tl-name, .tl-fold')?.textContent?.replace(/^[▾▸\s]+/, '') ?? '',
          ...[...node.querySelectorAll('.tl-figure')].map((cell) => cell.textContent ?? ''),
        ]),
    );
  const most = [...rows].sort(([, a = ''], [, b = '']) => parseFloat(b || '0') - parseFloat(a || '0'));
  expect(most.slice(0, 2).map(([name]) => name)).toEqual(['IDLE', 'logger']);
  expect(rows.find(([name]) => name === 'logger')?.[2]).toMatch(/ ms$/);
  const texts = (): Promise<string[]> =>
    page.evaluate(() => (window as unknown as { seen: Seen[] }).seen.at(-1)!.texts.map(({ text }) => text));
  await expect.poll(texts).toContain('receive from can rx');
  const line = page.locator('.line');
  expect(await line.innerText()).toMatch(/events lost on the target[^]*1 problem/);
  expect((await line.boundingBox())!.y).toBeLessThan(200);
  await context.close();
});
