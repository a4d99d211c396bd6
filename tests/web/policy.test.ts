// SPDX-License-Identifier: MIT
// Nothing leaves the machine: the browser refuses it, in the page and in the worker.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, choose, converted, demo, dist, figure, launch, pasteText, serve, visit } from './harness.js';

let browser: Browser;
let served: Served;
let foreign: { url: string; hits: number; close(): void };
beforeAll(async () => {
  [browser, served] = await Promise.all([launch(), serve()]);
  const server = createServer((_, response) => {
    foreign.hits += 1;
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('reached');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  foreign = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, hits: 0, close: () => server.close() };
});
afterAll(async () => {
  await browser.close();
  await served.close();
  foreign.close();
});

/** Tries what the policy forbids; runs in the page and, as the same text, in a worker. */
const attempts = async (url: string): Promise<string[]> => {
  const done: string[] = [];
  // In a task of its own: the debugger that runs this function may itself evaluate.
  await new Promise<void>((next) => setTimeout(() => {
    try {
      Function.prototype.constructor('return 1')();
      done.push('eval');
    } catch {
      // refused
    }
    next();
  }));
  return fetch(url).then(() => done.concat('fetch'), () => done);
};

test('a foreign fetch and eval are refused in the page, as are frames, images and inline scripts', async () => {
  const { page, context } = await visit(browser, served.url);
  expect(await page.evaluate(attempts, foreign.url)).toEqual([]);
  const more = await page.evaluate(async (url) => {
    const image = new Image();
    const loaded = new Promise<boolean>((done) => { image.onload = () => done(true); image.onerror = () => done(false); });
    image.src = url;
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.head.append(script);
    return { image: await loaded, inline: 'inline' in window, beacon: navigator.sendBeacon(url, 'x') && false };
  }, foreign.url);
  expect(more).toEqual({ image: false, inline: false, beacon: false });
  expect(foreign.hits).toBe(0);
  await context.close();
});

test('a foreign fetch and eval are refused in the worker of the page', async () => {
  const { page, context } = await visit(browser, served.url);
  await choose(page, [demo('bare-metal.bin')]);
  await converted(page);
  const workers = page.workers();
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) {
    expect(worker.url()).toMatch(/^blob:/);
    expect(await worker.evaluate(attempts, foreign.url)).toEqual([]);
  }
  expect(foreign.hits).toBe(0);
  await context.close();
});

test('the same attempt without the policy does go out, so the tests above can fail', async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(served.url);
  expect(await page.evaluate(attempts, foreign.url)).toEqual(['eval', 'fetch']);
  expect(foreign.hits).toBe(1);
  await context.close();
});

test('no request leaves the origin while recordings are played', async () => {
  const { page, context, requests } = await visit(browser, served.url);
  for (const name of await page.locator('.demo b').allInnerTexts()) {
    await page.locator('.demo', { hasText: name }).click();
    await converted(page);
    await page.getByRole('button', { name: 'Start over' }).click();
  }
  const { origin } = new URL(served.url);
  expect(requests.filter((url) => !url.startsWith(served.url) && !url.startsWith(`blob:${origin}`))).toEqual([]);
  await context.close();
});

test('nothing from a recording becomes markup', async () => {
  const { page, context, complaints } = await visit(browser, served.url);
  const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>.bin';
  await choose(page, [{ name, bytes: demo('bare-metal.bin').bytes }]);
  await converted(page);
  expect(await page.locator('h1').innerText()).toContain('<img src=x');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toBe('Tonkopf');
  expect(complaints).toEqual([]);
  await context.close();
});

test('the first load stays below 120 kB', () => {
  const assets = readdirSync(join(dist, 'assets')).map((name) => join('assets', name));
  const sizes = ['index.html', ...assets].map((name) => ({ name, bytes: gzipSync(readFileSync(join(dist, name)), { level: 9 }).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(120_000);
});
