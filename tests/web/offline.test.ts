// SPDX-License-Identifier: MIT
// After the first visit the page needs no network; a new build replaces the old one completely or not at all.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { type Plugin, build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Served,
  browser,
  choose,
  converted,
  demo,
  dist,
  figure,
  pasteText,
  root,
  serve,
  startOver,
  visit,
} from './harness.js';

/** Waits until the service worker has cached all files and controls the page. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 50));
  });

const playDemo = async (page: Page): Promise<void> => {
  await page.locator('.demo').first().click();
  await converted(page);
  expect(Number(await figure(page, 'Events'))).toBeGreaterThan(1000);
  await startOver(page);
};

test('after the first visit the page works without a network, from a subfolder', async () => {
  const own = await serve();
  const { page, context } = await visit(browser, own.url, { serviceWorkers: 'allow' });
  await settled(page);
  await own.close();
  await page.reload();
  await page.getByText('Drop a recording anywhere').waitFor();
  await playDemo(page);
  await choose(page, [demo('active-objects.bin')]);
  await converted(page);
  await startOver(page);
  await pasteText(page, Buffer.from(demo('bare-metal.bin').bytes).toString('base64'));
  await converted(page);
  await startOver(page);
  await choose(page, [{ name: 'packed.bin.gz', bytes: gzipSync(demo('bare-metal.bin').bytes) }]);
  await converted(page);
  await context.close();
});

describe('a new build', () => {
  let folder: string; // the served folder
  let second: string; // the other build
  let own: Served;

  /** A build with a marked page and with different bytes in each of its assets, except those of a library alone. */
  const marked = (): Plugin => ({
    name: 'marked',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith('.wasm?url') ? `${join(folder, '..', 'other', basename(id))}` : null),
    transform(code, id) {
      if (/(main\.tsx|recordings\.ts|changes\.ts)$/.test(id))
        return `${code}\ndocument.documentElement.dataset.build = 'second';`;
      if (id.endsWith('draw.ts')) return `${code}\nglobalThis.build = 'second';`; // also of a worker
      return /(styles|timeline|more|live)\.css$/.test(id) ? `${code}\n:root { --build: second; }` : null;
    },
  });

  beforeAll(async () => {
    const top = mkdtempSync(join(tmpdir(), 'tonkopf-update-'));
    [folder, second] = [join(top, 'served'), join(top, 'second')];
    mkdirSync(join(top, 'other'));
    for (const name of ['tonkopf.wasm', 'timeline.wasm']) {
      const wasm = join(top, 'other', name);
      copyFileSync(join(root, 'lib', name), wasm);
      appendFileSync(wasm, Uint8Array.of(0, 2, 1, 0x78)); // a custom section named "x"
    }
    await build({
      configFile: join(root, 'web', 'vite.config.ts'),
      logLevel: 'error',
      plugins: [marked()],
      worker: { plugins: () => [marked()] },
      build: { outDir: second },
    });
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

  beforeEach(async () => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(dist, folder, { recursive: true });
    own = await serve(folder);
    return () => own.close();
  });

  /** From now on the server has no file of the first build. */
  const replace = (): void => {
    rmSync(folder, { recursive: true });
    cpSync(second, folder, { recursive: true });
  };

  const filesIn = (build: string): string[] => {
    const [, files] = /^const files = (.*);$/m.exec(readFileSync(join(build, 'sw.js'), 'utf8')) ?? [];
    return Object.keys(JSON.parse(files ?? '{}'));
  };

  const caches = (page: Page): Promise<number> => page.evaluate(async () => (await window.caches.keys()).length);
  const isTold = (page: Page): Promise<boolean> =>
    page.getByText('A newer version of this page is available').isVisible();

  /** Checks for a new build until one is announced: a check that the browser has already started may have seen the old build, and its
   * result is used for ours. */
  const update = (page: Page): Promise<void> =>
    expect
      .poll(async () => {
        await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update().catch(() => null));
        return isTold(page);
      })
      .toBe(true);
  const isSecond = (page: Page): Promise<boolean> =>
    page.evaluate(() => document.documentElement.dataset['build'] === 'second');

  /** The files that this page has loaded since it was opened, and whether all of them are of one build. */
  const expectOnly = async (page: Page, build: string): Promise<void> => {
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const assets = names.map((name) => name.slice(own.url.length)).filter((name) => name.startsWith('assets/'));
    expect(assets.length).toBeGreaterThanOrEqual(3); // script, style, converter
    const known = filesIn(build);
    expect(assets.filter((name) => !known.includes(name))).toEqual([]);
  };

  test('shares no asset of our own with the first build, so that a mixture would be noticed', () => {
    const assets = (build: string): string[] => filesIn(build).filter((name) => name.startsWith('assets/'));
    expect(assets(second)).toHaveLength(assets(dist).length);
    const shared = assets(second).filter((name) => assets(dist).includes(name)); // names contain a hash of the content
    expect(shared.filter((name) => !/^assets\/jsxRuntime-.{8}\.js$/.test(name))).toEqual([]);
  });

  test('is announced, does not affect the open page, and is used from the next load on', async () => {
    const { page, context, complaints } = await visit(browser, own.url, { serviceWorkers: 'allow' });
    await settled(page);
    await page.reload(); // from the cache
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    replace();
    await update(page);
    expect(await caches(page)).toBe(2);
    // the open page keeps its result and still has every file of its own build
    expect(Number(await figure(page, 'Events'))).toBeGreaterThan(100);
    await startOver(page);
    await playDemo(page);
    expect(await isSecond(page)).toBe(false);
    await expectOnly(page, dist);

    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset['build'] === 'second');
    await page.waitForFunction(async () => (await window.caches.keys()).length === 1);
    await playDemo(page);
    await expectOnly(page, second);
    expect(await page.getByText('A newer version').count()).toBe(0);
    await own.close();
    await page.reload();
    expect(await isSecond(page)).toBe(true);
    await playDemo(page);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('is requested once, even if it takes long to activate', async () => {
    const { page, context, complaints } = await visit(browser, own.url, { serviceWorkers: 'allow' });
    await settled(page);
    replace();
    const worker = join(folder, 'sw.js');
    const source = readFileSync(worker, 'utf8');
    const slow = source.replace('void self.skipWaiting()', 'setTimeout(() => self.skipWaiting(), 1500)');
    expect(slow).not.toBe(source);
    writeFileSync(worker, slow);
    await update(page);
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    const between = await page.reload();
    expect(await between?.headerValue('content-security-policy')).toBe(
      "default-src 'none'; img-src data:; script-src 'unsafe-inline'",
    );
    await page.waitForFunction(() => document.documentElement.dataset['build'] === 'second');
    expect(loads).toBe(2); // the intermediate page, and the new one
    await playDemo(page);
    await expectOnly(page, second);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('waits while another tab shows the first build', async () => {
    const { page, context, complaints } = await visit(browser, own.url, { serviceWorkers: 'allow' });
    await settled(page);
    replace();
    await update(page);
    const other = await context.newPage();
    await other.goto(own.url);
    await expect.poll(() => isTold(other)).toBe(true);
    expect(await isSecond(other)).toBe(false);
    await playDemo(other);
    await expectOnly(other, dist);
    await page.reload();
    expect(await isSecond(page)).toBe(false);
    await playDemo(page);
    await page.close(); // the browser notices it after a moment
    await expect
      .poll(async () => {
        await other.reload();
        await other.getByText('Drop a recording anywhere').waitFor();
        return isSecond(other);
      })
      .toBe(true);
    await expectOnly(other, second);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a build that is only partly on the server is not used', async () => {
    const { page, context } = await visit(browser, own.url, { serviceWorkers: 'allow' });
    await settled(page);
    const old = readFileSync(join(folder, 'index.html'));
    replace();
    writeFileSync(join(folder, 'index.html'), old);
    const end = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const ended = new Promise<string>((done) =>
        registration.addEventListener('updatefound', () => {
          const worker = registration.installing as ServiceWorker;
          worker.addEventListener('statechange', () => done(worker.state));
        }),
      );
      let end = '';
      void ended.then((state) => {
        end = state;
      });
      while (!end) {
        // a check that the browser has started by itself may end before the test listens
        if (!registration.installing) await registration.update().catch(() => null);
        await new Promise((next) => setTimeout(next, 50));
      }
      return end;
    });
    expect(end).toBe('redundant');
    await expect.poll(() => caches(page)).toBe(1);
    await page.reload();
    expect(await isSecond(page)).toBe(false);
    await playDemo(page);
    replace(); // now all files are on the server
    await update(page);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset['build'] === 'second');
    await context.close();
  });
});
