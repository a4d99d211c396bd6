// SPDX-License-Identifier: MIT
// Chromium on the built page.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, type LaunchOptions, type Page, chromium } from 'playwright-core';
import { dropFiles, onWire, paste } from './gestures.js';
import { type Given, root, serve } from './site.js';

export { type Given, type Served, demo, dist, hexOf, root, serve } from './site.js';

const PATIENCE_MS = 300_000; // for one step; a machine that does much else takes its time

export const shots = join(root, 'tests', 'shots');

export function launch(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    timeout: PATIENCE_MS,
    ...options,
    executablePath: process.env['TONKOPF_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

// One browser and one server for all files that a worker of the tests runs; both end with it. What a test does must
// not show in another, so each has a context of its own (`visit`).
export const [browser, served] = await Promise.all([launch(), serve()]);

/** A page of its own, with what it asked for and what it complained about. */
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

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await newContext(browser, { viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') complaints.push(`${line.text()} ${line.location().url}`); });
  await page.goto(url);
  return { context, page, requests, complaints };
}

export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** What axe finds against WCAG 2.2 AA in the state that is on the screen now. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] }> } };
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`);
  });
  return found;
}

// ---- What people do with the page ------------------------------------------------------------------------

export const drop = (page: Page, given: Given[]): Promise<void> => page.evaluate(dropFiles, given.map(onWire));

/** Presses Ctrl+V with this text in the clipboard. */
export const pasteText = (page: Page, text: string): Promise<void> => page.evaluate(paste, text);

const SENT = 1 << 20; // more than this goes to the browser as a file, which is much faster

export async function choose(page: Page, given: Given[]): Promise<void> {
  const input = page.locator('input[type=file]');
  if (given.every(({ bytes }) => bytes.length <= SENT)) return input.setInputFiles(given.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })));
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-chosen-'));
  page.context().on('close', () => rmSync(folder, { recursive: true, force: true }));
  for (const { name, bytes } of given) writeFileSync(join(folder, name), bytes);
  return input.setInputFiles(given.map(({ name }) => join(folder, name)));
}

/** The conversion runs. Looked for at every frame: a fast machine shows it for less than a second. */
export const running = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('.playing'), null, { polling: 'raf' });
};

/** The figure below a label: "Events" -> "9 514". */
export const figure = async (page: Page, label: string): Promise<string> => {
  const box = page.locator('.figure', { has: page.locator(`dt:text-is("${label}")`) }).locator('dd');
  return (await box.evaluate((node) => node.firstChild?.textContent ?? '')).replaceAll('\u202f', '');
};

export const converted = (page: Page): Promise<void> => page.locator('.figures').waitFor();

export const title = (page: Page): Promise<string> => page.locator('h1').innerText();
