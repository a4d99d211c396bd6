// SPDX-License-Identifier: MIT
// No data leave the machine: the browser blocks it, in the page and in the worker.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Foreign, attempts, everyAttempt, makeForeign } from './foreign.js';
import {
  browser,
  choose,
  converted,
  demo,
  dist,
  newContext,
  openTab,
  pasteText,
  served,
  startOver,
  visit,
} from './harness.js';

let foreign: Foreign;

beforeAll(async () => {
  foreign = await makeForeign();
});
afterAll(() => foreign.close());

/** Text instead of a function, because the test runner would replace import(). */
const imports = (): string => `import('${foreign.target.http}script').then(() => true, () => false)`;

/** Attempts that need a document: markup that loads or runs something. */
const markup = async (url: string): Promise<string[]> => {
  const done: string[] = [];
  Object.assign(window, { done, ran: (what: string) => done.push(what) });
  const loads = (tag: string, attributes: Record<string, string>): Promise<void> =>
    new Promise((next) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.addEventListener('load', () => {
        done.push(tag);
        next();
      });
      element.addEventListener('error', () => next());
      document.body.append(element);
      setTimeout(next, 1000); // a blocked frame loads an empty page or reports nothing
    });
  await loads('img', { src: `${url}image` });
  await loads('script', { src: `${url}script` });
  await loads('link', { rel: 'stylesheet', href: `${url}style` });
  await loads('object', { data: `${url}object` });
  await loads('embed', { src: `${url}embed` });
  const frame = document.createElement('iframe');
  frame.src = `${url}frame`;
  document.body.append(frame);
  const inline = document.createElement('script');
  inline.textContent = 'ran("inline script")';
  const holder = document.createElement('div');
  holder.innerHTML = `<img src="data:nothing" onerror="ran('handler')"><a href="javascript:ran('address')">x</a><p style="position:fixed">x</p>
    <form action="${url}form" method="post" target="nowhere"><button>x</button></form>`;
  document.body.append(inline, holder);
  holder.querySelector('a')?.click();
  holder.querySelector('button')?.click();
  if (holder.querySelector('p')?.computedStyleMap().get('position')?.toString() === 'fixed') done.push('inline style');
  navigator.sendBeacon(`${url}beacon`, 'x');
  await new Promise((next) => setTimeout(next, 500));
  return done;
};

test('the page: no foreign connection of any kind, no eval', async () => {
  const { page, context } = await visit(browser, served.url, { serviceWorkers: 'allow' });
  expect(await page.evaluate(attempts, foreign.target)).toEqual([]);
  expect(foreign.hits).toEqual([]);
  await context.close();
});

test('the page: no markup that runs code or loads anything', async () => {
  const { page, context } = await visit(browser, served.url, { serviceWorkers: 'allow' });
  expect(await page.evaluate(markup, foreign.target.http)).toEqual([]);
  expect(foreign.hits).toEqual([]);
  await context.close();
});

test('an inline script that the server inserts into the document does not run', async () => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.route(served.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace('</body>', '<script>window.inline = true</script></body>'),
    });
  });
  await page.goto(served.url);
  await page.getByText('Drop a recording anywhere').waitFor();
  expect(await page.content()).toContain('window.inline');
  expect(await page.evaluate(() => 'inline' in window)).toBe(false);
  await context.close();
});

test('the workers of the page: no foreign connection of any kind, no eval', async () => {
  const { page, context } = await visit(browser, served.url, { serviceWorkers: 'allow' });
  await choose(page, [demo('bare-metal.bin')]);
  await converted(page);
  await page.locator('.timeline').waitFor();
  await expect.poll(() => page.workers().length).toBe(3); // one recognises, one converts, one draws the timeline
  const workers = page.workers();
  for (const worker of workers) {
    expect(worker.url()).toMatch(/^blob:/);
    expect(await worker.evaluate(attempts, foreign.target)).toEqual([]);
    expect(await worker.evaluate(imports())).toBe(false);
  }
  expect(foreign.hits).toEqual([]);
  await context.close();
});

test('without the policy each of these attempts works, so the tests above can fail', async () => {
  const context = await newContext(browser, { bypassCSP: true });
  const page = await context.newPage();
  await page.goto(served.url);
  expect(await page.evaluate(attempts, foreign.target)).toEqual(everyAttempt);
  expect(await page.evaluate(imports())).toBe(true);
  await page.evaluate(markup, foreign.target.http);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { done: string[] }).done))
    .toEqual(expect.arrayContaining(['img', 'script', 'link', 'inline script', 'handler', 'address', 'inline style']));
  await expect
    .poll(() => foreign.hits)
    .toEqual(
      expect.arrayContaining([
        '/',
        '/events',
        '/socket',
        '/image',
        '/script',
        '/style',
        '/frame',
        '/object',
        '/embed',
        '/form',
        '/beacon',
      ]),
    );
  await context.close();
});

test("the page's code uses no interface that the policy cannot block", () => {
  const code = readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, 'assets', name), 'utf8'))
    .join('\n');
  expect(code).toContain('postMessage'); // it is the right file
  for (const word of [
    'RTCPeerConnection',
    'WebTransport',
    'sendBeacon',
    'dangerouslySetInnerHTML:',
    'document.write',
    '.insertAdjacentHTML',
  ])
    expect(code, word).not.toContain(word);
  expect(
    code
      .match(/https?:\/\/\w[\w.-]+/g)
      ?.filter((url) => !/^https:\/\/ui\.perfetto\.dev$|^http:\/\/www\.w3\.org$/.test(url)) ?? [],
  ).toEqual([]);
});

test('the page is shown before the modules are loaded; they are requested once and used for every kind of input', async () => {
  const context = await newContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  const asked: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route('**/assets/**', async (route) => {
    const name = new URL(route.request().url()).pathname.replace(/.*\/assets\//, '');
    asked.push(name);
    if (name.endsWith('.wasm')) await held;
    await route.continue();
  });
  await page.goto(served.url);
  await page.getByText('Drop a recording anywhere').waitFor();
  await expect.poll(() => asked.filter((name) => name.endsWith('.wasm')).length).toBe(2); // without a recording
  await page.locator('.demo').first().click();
  await page.locator('.looking').waitFor();
  release();
  await converted(page);
  await openTab(page, 'More');
  await page.getByRole('button', { name: 'Copy the report for a ticket', disabled: false }).waitFor(); // report formats are loaded after the result
  const base64 = Buffer.from(demo('bare-metal.bin').bytes).toString('base64');
  for (const take of [
    () => choose(page, [demo('active-objects.bin')]),
    () => pasteText(page, base64),
    () => choose(page, [{ name: 'packed.bin.gz', bytes: gzipSync(demo('bare-metal.bin').bytes) }]),
  ]) {
    await startOver(page);
    await take();
    await converted(page);
  }
  expect(asked.map((name) => name.replace(/-.{8}\./, '.')).sort()).toEqual([
    'figure-tabs.js', // also of live recordings
    'index.css',
    'index.js',
    'jsxRuntime.js',
    'recordings.js', // keeps what was read
    'results.js',
    'timeline.css',
    'timeline.js',
    'timeline.wasm',
    'tonkopf.wasm',
  ]);
  await context.close();
});
