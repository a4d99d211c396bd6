// SPDX-License-Identifier: MIT
// A real browser on the built page, served by a plain file server from a subfolder.
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, type LaunchOptions, type Page, chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const shots = join(root, 'tests', 'shots');
export const dist = process.env['TONKOPF_DIST'] ?? join(root, 'dist');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Serves `folder` below /some/folder/, and nothing else. */
export async function serve(folder = dist): Promise<Served> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} holds no page: run npm run build first`);
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(join(folder, decodeURIComponent(pathname.replace(/^\/some\/folder\//, '')) || 'index.html'));
    const known = pathname.startsWith('/some/folder/') && path.startsWith(folder + sep) && existsSync(path) && statSync(path).isFile();
    if (!known) return void response.writeHead(404).end('not here');
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/some/folder/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

export function launch(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
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

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
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

export interface Given {
  name: string;
  bytes: Uint8Array;
}

export const demo = (name: string): Given => ({ name, bytes: readFileSync(join(dist, 'demos', name)) });

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/(.{64})/g, '$1\n');

/** Lets go of files over the page. */
export async function drop(page: Page, given: Given[]): Promise<void> {
  const wire = given.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await page.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of files) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    const event = (type: string): DragEvent => new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(event(type));
  }, wire);
}

/** Presses Ctrl+V with this text in the clipboard. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', content);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

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

export const converted = (page: Page): Promise<void> => page.locator('.figures').waitFor({ timeout: 20_000 });

export const title = (page: Page): Promise<string> => page.locator('h1').innerText();
