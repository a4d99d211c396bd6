// SPDX-License-Identifier: MIT
// A whole session in the browser. A proxy logs every request of the page, the worker, the service worker and the browser.
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../golden/cases.mjs';
import {
  changeRecognised,
  choose,
  converted,
  demo,
  demoTitles,
  drop,
  hexOf,
  launch,
  listed,
  newContext,
  pasteText,
  selectRecording,
  served,
  standIn,
  startOver,
  visit,
} from './harness.js';

interface Proxy {
  url: string;
  log: string[];
  close(): void;
}

async function makeProxy(): Promise<Proxy> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(request.url ?? '');
    const forward = ask(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forward.on('error', () => response.writeHead(502).end());
    request.pipe(forward);
  });
  server.on('connect', (request, socket) => {
    log.push(`connect ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    log,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let browser: Browser; // a separate browser: the proxy is for all of it, not only for a context
let proxy: Proxy;
beforeAll(async () => {
  proxy = await makeProxy();
  browser = await launch({ proxy: { server: proxy.url, bypass: '<-loopback>' } });
});
afterAll(async () => {
  await browser.close();
  proxy.close();
});

/** Hosts that Chromium contacts by itself: updates, accounts, form data, and more the longer it runs. Hosts that pages use there (fonts,
 * scripts, files, counters, www) are not included. */
const browsersOwn =
  /^(connect|http:\/\/)\s*(?!fonts\.|ajax\.|www\.|maps\.|storage\.|analytics\.|firebase)([\w-]+\.)+(google|googleapis|gstatic|gvt1)\.com[:/]/;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Uses the timeline with pointer and keyboard, every tab with its tables, and every menu. */
async function lookAtEverything(page: Page): Promise<void> {
  const timeline = page.getByRole('application', { name: 'Timeline of the recording' });
  if (await timeline.count()) {
    await timeline.hover();
    await timeline.press('ArrowRight');
  }
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    for (const section of await page.locator('.drawer-page:visible section').all())
      await section.scrollIntoViewIfNeeded();
    for (const summary of await page.locator('.drawer-page:visible summary').all()) await summary.click();
  }
  await changeRecognised(page);
  await page.getByLabel('Encoding').first().selectOption('hex');
  await page.getByLabel('Encoding').first().waitFor();
  await page.getByLabel('Encoding').first().selectOption('auto');
  await converted(page);
  await button(page, 'Copy the report as text').click();
  await Promise.all([page.waitForEvent('download'), button(page, 'Save the report').click()]);
}

async function download(page: Page): Promise<void> {
  for (const packed of [false, true]) {
    await button(page, 'More actions').click();
    await page.getByLabel('compressed').setChecked(packed);
    await page.keyboard.press('Escape');
    await Promise.all([page.waitForEvent('download'), button(page, /^Download/).click()]);
  }
}

/** Uses all functions in the order of a curious user, with some of the demos. */
async function session(page: Page, names: string[]): Promise<void> {
  for (const name of names) {
    await page.locator('.demo', { has: page.locator('b', { hasText: name }) }).click();
    await converted(page);
    await lookAtEverything(page);
    await startOver(page);
  }
  await drop(page, [demo('two-cores.core0.bin'), demo('two-cores.core1.bin'), demo('damaged.bin')]);
  await listed(page);
  await converted(page);
  await selectRecording(page, 'damaged.bin');
  await converted(page);
  await startOver(page);
  await pasteText(page, hexOf(demo('bare-metal.bin').bytes));
  await converted(page);
  await startOver(page);
  await choose(page, [
    { name: 'letter.txt', bytes: Buffer.from('See http://attacker.example/?x and https://attacker.example') },
  ]);
  await page.getByText('This file is not a recording').waitFor();
  await startOver(page);
  await button(page, 'Settings').click();
  await page.getByLabel('Address of the Perfetto viewer').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await choose(page, [demo('freertos.bin')]);
  await converted(page);
  await download(page);
  await button(page, 'Open in Perfetto').click(); // and the user cancels
  await button(page, 'Stop waiting').click();
}

test('no request leaves the origin during a whole session of use', async () => {
  const { page, context, requests } = await visit(browser, served.url, { serviceWorkers: 'allow' });
  await standIn(
    context,
    '<link rel="icon" href="data:,"><script>addEventListener("message", ({ data, source, origin }) => { if (window.answers && data === "PING") source.postMessage("PONG", origin); else window.got = data; })</script>',
  );
  await page.evaluate(async () => navigator.serviceWorker.ready);
  const names = sampled(await demoTitles(page));
  await session(page, names);
  const [viewer] = await Promise.all([context.waitForEvent('page'), button(page, 'Open in Perfetto').click()]);
  await viewer.waitForURL('https://ui.perfetto.dev/**');
  await viewer.evaluate(() => {
    Object.assign(window, { answers: true });
  });
  await page.getByText('Handed over').waitFor();
  await page.bringToFront();
  await startOver(page);
  await page.reload(); // from the service worker now
  await session(page, sampled(names.slice(0, 2)));

  const { origin } = new URL(served.url);
  const own = (url: string): boolean =>
    url.startsWith(served.url) || url.startsWith(`blob:${origin}/`) || url.startsWith('data:');
  const viewers = requests.filter((url) => url.startsWith('https://ui.perfetto.dev/'));
  expect(viewers.length).toBeGreaterThan(0); // the windows of the viewer, each opened by a click
  expect(requests.filter((url) => !own(url) && !viewers.includes(url))).toEqual([]);
  // The log shows both clients: the page, and the service worker, which caches all files, demos included.
  const asked = proxy.log.map((url) => url.slice(served.url.length));
  for (const file of ['', 'sw.js', 'demos/damaged.bin', 'manifest.webmanifest']) expect(asked).toContain(file);
  expect(asked.some((file) => file.endsWith('.wasm'))).toBe(true);
  const others = proxy.log.filter((url) => !url.startsWith(served.url) && !browsersOwn.test(url));
  expect(others.filter((url) => url !== 'connect ui.perfetto.dev:443')).toEqual([]); // the viewer's windows again
  await context.close();
});

test('the log detects a request to another host', async () => {
  const context = await newContext(browser, { bypassCSP: true });
  const page = await context.newPage();
  await page.goto(served.url);
  proxy.log.length = 0;
  await page.evaluate(() =>
    Promise.allSettled(
      ['https://attacker.example/x', 'http://attacker.example/y'].map((url) => fetch(url, { mode: 'no-cors' })),
    ),
  );
  expect(proxy.log).toEqual(expect.arrayContaining(['connect attacker.example:443', 'http://attacker.example/y']));
  await context.close();
});
