// SPDX-License-Identifier: MIT
// Chromium on the built page.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Locator,
  type Page,
  chromium,
} from 'playwright-core';
// @ts-expect-error plain JavaScript
import { headlessChromium } from '../../scripts/lib.mjs';
import { dropFiles, listening, onWire, paste } from './gestures.js';
import { type Given, root, serve } from './site.js';

export { type Given, type Served, demo, dist, hexOf, root, serve } from './site.js';

const PATIENCE_MS = 300_000; // for one step; a busy machine needs long

export const shots = join(root, 'tests', 'shots');

export function launch(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    timeout: PATIENCE_MS,
    ...options,
    executablePath: headlessChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

// All files that one worker of the tests runs share a browser and a server. Each test gets its own context (`visit`), so that tests do not
// affect each other.
export const [browser, served] = await Promise.all([launch(), serve()]);

/** A new page, with lists of its requests and its errors. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  requests: string[];
  complaints: string[];
}

export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Opens the page. Its service worker, which caches all files, is blocked unless a test needs it. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await newContext(browser, {
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(`${line.text()} ${line.location().url}`);
  });
  await page.goto(url);
  await page.evaluate(listening);
  return { context, page, requests, complaints };
}

/** A simulated viewer at the real address. Its tab may be closed while it is being loaded. */
export const standIn = (context: BrowserContext, body: string): Promise<unknown> =>
  context.route('https://ui.perfetto.dev/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>viewer</title>${body}` }).catch(() => {}),
  );

/** Saves a screenshot for developers if TONKOPF_SHOTS is set; no test compares it. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!process.env['TONKOPF_SHOTS']) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Rules of axe whose results depend on the color scheme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Violations of WCAG 2.2 AA that axe finds in the current state of the page. rules: the only rules to check; default: all. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({
      runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`,
    );
  }, rules);
  return found;
}

// ---- Actions of a user -----------------------------------------------------------------------------------

export const drop = (page: Page, given: Given[]): Promise<void> => page.evaluate(dropFiles, given.map(onWire));

/** Presses Ctrl+V with this text in the clipboard. */
export const pasteText = (page: Page, text: string): Promise<void> => page.evaluate(paste, text);

const SENT = 1 << 20; // a longer text is passed to the browser as a file, which is much faster

export async function choose(page: Page, given: Given[]): Promise<void> {
  const input = page.locator('input[type=file][multiple]');
  if (given.every(({ bytes }) => bytes.length <= SENT))
    return input.setInputFiles(
      given.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })),
    );
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-chosen-'));
  page.context().on('close', () => rmSync(folder, { recursive: true, force: true }));
  for (const { name, bytes } of given) writeFileSync(join(folder, name), bytes);
  return input.setInputFiles(given.map(({ name }) => join(folder, name)));
}

/** Waits until the page has shown such an element since the call, even if only between two frames. */
export const appeared = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((done) => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector(wanted)) return;
          observer.disconnect();
          done();
        }).observe(document.body, { childList: true, subtree: true });
      }),
    selector,
  );

/** Holds the next conversion, or another question to a worker, until the returned function is called, so that the test can act before it. */
export async function holdConversion(page: Page, question = 'start'): Promise<() => Promise<void>> {
  await page.evaluate((held) => {
    const { postMessage } = Worker.prototype;
    const released = new Promise<void>((release) => Object.assign(window, { release }));
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }, transfer: never) {
      const send = (): void => postMessage.call(this, message, transfer);
      if (message.type !== held) return send();
      Worker.prototype.postMessage = postMessage;
      void released.then(send);
    };
  }, question);
  return () => page.evaluate(() => (window as unknown as { release(): void }).release());
}

/** From now on the page records the questions to its workers. */
export const watchAsked = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const asked: string[] = [];
    Object.assign(window, { asked });
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }, transfer: never) {
      asked.push(message.type);
      postMessage.call(this, message, transfer);
      dispatchEvent(new Event(`asked ${message.type}`));
    };
  });

/** Presses a button directly after a question to a worker, before the answer; requires `watchAsked`. */
export const pressWhenAsked = (page: Page, what: string, text: string): Promise<void> =>
  page.evaluate(
    ([type, words]) => {
      const press = (): void => {
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words)!.click();
        Object.assign(window, { pressed: words });
      };
      addEventListener(`asked ${type}`, () => setTimeout(press), { once: true });
    },
    [what, text] as const,
  );

/** Selects the place of a link in the timeline, and opens the viewer there. */
export async function openPlace(link: Locator): Promise<void> {
  await link.click();
  await link.page().locator('.tl-item, .tl-interval').waitFor();
  await link.page().getByRole('button', { name: 'Open this in Perfetto' }).click();
}

/** Opens a tab of the drawer. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
}

/** Chooses an entry of the menu in the bar. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.locator('.more-actions .menu-list').getByText(name, { exact: true }).click();
}

/** Returns the titles of the demos, once the start page shows them. */
export async function demoTitles(page: Page): Promise<string[]> {
  await page.locator('.demo').first().waitFor();
  return page.locator('.demo b').allInnerTexts();
}

export const startOver = (page: Page): Promise<void> => fromMenu(page, 'Start over');

/** Opens the menus of the inputs, in the drawer. */
export async function changeRecognised(page: Page): Promise<void> {
  await openTab(page, 'More');
  await page.getByRole('button', { name: 'Change what was recognised' }).click();
}

/** Waits until the bar has a menu of several recordings. */
export const listed = (page: Page): Promise<void> => page.locator('nav.recordings').waitFor({ state: 'attached' });

/** Chooses one of several recordings by a part of its text. */
export async function selectRecording(page: Page, text: string): Promise<void> {
  await page.locator('.files .menu-button').click();
  await page.locator('nav.recordings button', { hasText: text }).first().click();
}

/** The figure with a label: "Events" -> "9 514". */
export const figure = async (page: Page, label: string): Promise<string> => {
  const box = page.locator('.figure', { has: page.locator(`dt:text-is("${label}")`) }).locator('dd');
  return (await box.evaluate((node) => node.firstChild?.textContent ?? '')).replaceAll('\u202f', '');
};

/** Waits until the selected recording was read to its end, and its figures are shown. */
export async function converted(page: Page): Promise<void> {
  await page.locator('.top .verdict').waitFor({ state: 'attached' });
  await page.locator('.figures').waitFor({ state: 'attached' });
}

export const title = (page: Page): Promise<string> => page.locator('h1').innerText();
