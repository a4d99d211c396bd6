// SPDX-License-Identifier: MIT
// The page's guarantees in a browser other than Chromium. Each test has its own origin, and with it its own storage and service worker.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../../lib/index.js';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { askEngine, hostViewer, isLoaded } from '../output/viewer.mjs';
import { attempts, everyAttempt, makeForeign } from '../web/foreign.js';
import { dropFiles, listening, onWire, paste, waitLonger } from '../web/gestures.js';
import { demo, dist, hexOf, root, serve } from '../web/site.js';

const button = (text) => `//button[contains(., "${text}")]`;

// These functions run inside the page. ------------------------------------------------------------------------

const shows = (text) => document.body.innerText.includes(text);
const isControlled = () => navigator.serviceWorker.controller !== null;
const isConverted = () => document.querySelector('.figures') !== null;

/** The figure "Events". */
const events = () => {
  const box = [...document.querySelectorAll('.figure')].find(
    (node) => node.querySelector('dt').textContent === 'Events',
  );
  return Number(box.querySelector('dd').firstChild.textContent.replaceAll('\u202f', ''));
};

/** Whether the timeline shows more than a few pixels. */
const isDrawn = () => {
  const canvas = document.querySelector('.tl-canvas');
  if (!canvas?.width || !canvas.height) return false;
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  return data.filter((alpha, index) => index % 4 === 3 && alpha > 100).length > 200;
};

/** Presses keys in the timeline, each after the answer to the one before. */
const press = async (keys) => {
  for (const key of keys) {
    document.querySelector('.tl-field').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await new Promise((next) => setTimeout(next, 200));
  }
};

const wordsAre = (pattern) => new RegExp(pattern).test(document.querySelector('#timeline-words')?.innerText ?? '');

const fill = (selector, text) => {
  const input = document.querySelector(selector);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Makes the attempts in a worker that the page creates like its own workers: from a blob. */
const inWorker = (task, target) =>
  new Promise((done) => {
    const worker = new Worker(
      URL.createObjectURL(new Blob([`(${task})(${JSON.stringify(target)}).then(postMessage)`])),
    );
    worker.onmessage = ({ data }) => done(data);
  });

/** From now on the page records the addresses of its workers. */
const watchWorkers = () => {
  const real = window.Worker;
  window.workers = [];
  window.Worker = class extends real {
    constructor(address, options) {
      super(address, options);
      window.workers.push(String(address));
    }
  };
};

// ---------------------------------------------------------------------------------------------------------------

const SCHEDULE = `select thread.name as name, count(*) as runs, sum(iif(dur < 0, trace_end() - ts, dur)) as ns
  from sched_slice join thread using (utid) group by 1 order by 1`;

/** The rows of a query about a recording that Node converted, from an engine that Node runs. */
async function inNode(sql, given) {
  const engine = await sharedTraceProcessor();
  engine.load((await convert(given)).trace);
  return engine.query(sql);
}

/** launch() starts a browser: firefox.mjs, webkit.mjs. */
export function describePage(name, launch, available = true) {
  describe.skipIf(!available)(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonkopf-browsers-'));
    let browser, foreign, site, tab;
    const visit = async (served = dist) => {
      site = await serve(served);
      tab = await browser.open();
      await tab.goto(site.url);
      await tab.until(shows, 'Drop a recording anywhere');
      await tab.run(listening);
    };
    /** Waits for the result, with as many events as Node finds. */
    const expectEvents = async (given) => {
      await tab.until(isConverted);
      expect(await tab.run(events)).toBe((await convert(given)).report.events.total);
    };
    const startOver = async () => {
      await tab.click('//button[@aria-label="More actions"]');
      await tab.click(button('Start over'));
    };

    beforeAll(async () => {
      [browser, foreign] = await Promise.all([launch(), makeForeign()]);
      console.log(browser.name);
    });
    afterEach(() => {
      foreign.hits.length = 0;
      return site.close();
    });
    afterAll(async () => {
      foreign?.close();
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('starts; dropped files become one result, with the same figures as in Node', async () => {
      await visit();
      const given = [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')];
      await tab.run(dropFiles, given.map(onWire));
      await expectEvents(given);
      mkdirSync(join(root, 'tests', 'shots'), { recursive: true });
      await tab.screenshot(join(root, 'tests', 'shots', `${name} result.png`));
    });

    test('the timeline is drawn, and keys find its items', async () => {
      await visit();
      await tab.run(dropFiles, [onWire(demo('freertos.bin'))]);
      await tab.until(isConverted);
      await tab.until(isDrawn);
      await tab.run(press, ['ArrowDown', 'ArrowRight']);
      await tab.until(wordsAre, '^CPU 0: .+, from .+');
      await tab.run(press, ['ArrowDown', 'ArrowDown', 'ArrowDown', 'l']);
      await tab.until(wordsAre, '^control: waiting, from .+');
      await tab.screenshot(join(root, 'tests', 'shots', `${name} timeline.png`));
    });

    test('a demo, text from the clipboard, a chosen file of another format', async () => {
      await visit();
      await tab.click(button('FreeRTOS'));
      await tab.until(isConverted);
      await startOver();
      await tab.run(paste, hexOf(demo('bare-metal.bin').bytes));
      await expectEvents([demo('bare-metal.bin')]);
      await startOver();
      await tab.choose(join(dist, 'demos', 'active-objects.bin'));
      await expectEvents([demo('active-objects.bin')]);
    });

    test('a conversion is cancelled, and the next one works', async () => {
      await visit();
      const huge = join(folder, 'huge.bin');
      writeFileSync(huge, demo('freertos.bin').bytes);
      truncateSync(huge, 30_000_000_000); // a sparse file: 30 GB that take no disk space
      await tab.choose(huge);
      await tab.until(() => (document.querySelector('progress')?.value ?? 0) > 0);
      await tab.click(button('Cancel'));
      await tab.until(shows, 'Cancelled.');
      await startOver();
      await tab.run(dropFiles, [onWire(demo('freertos.bin'))]);
      await expectEvents([demo('freertos.bin')]);
    });

    test('works without a network after the first visit', async () => {
      await visit();
      await tab.until(isControlled);
      await site.close();
      await tab.reload();
      await tab.until(shows, 'Drop a recording anywhere');
      await tab.run(dropFiles, [onWire(demo('active-objects.bin'))]);
      await expectEvents([demo('active-objects.bin')]);
    });

    test('the policy: no foreign connection and no eval, in the page and in its workers', async () => {
      await visit();
      await tab.run(dropFiles, [onWire(demo('freertos.bin'))]);
      await tab.until(isConverted);
      await tab.run(watchWorkers); // it does not see workers that already run; the timeline gets a new one
      await startOver();
      await tab.run(dropFiles, [onWire(demo('bare-metal.bin'))]);
      await tab.until(isConverted);
      const workers = await tab.run(() => window.workers);
      expect(workers.length).toBeGreaterThan(0);
      for (const address of workers) expect(address).toMatch(/^blob:/);
      expect(await tab.run(attempts, foreign.target)).toEqual([]);
      expect(await tab.run(inWorker, String(attempts), foreign.target)).toEqual([]);
      expect(foreign.hits).toEqual([]);
    });

    test('without the policy each of these attempts works, so the test above can fail', async () => {
      const open = join(folder, 'without-policy');
      cpSync(dist, open, { recursive: true });
      const html = readFileSync(join(dist, 'index.html'), 'utf8');
      writeFileSync(join(open, 'index.html'), html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
      await visit(open);
      expect(await tab.run(attempts, foreign.target)).toEqual(everyAttempt);
      expect(await tab.run(inWorker, String(attempts), foreign.target)).toEqual(everyAttempt);
      expect(foreign.hits).toEqual(expect.arrayContaining(['/', '/events', '/socket']));
    });

    test('one click: a viewer on this machine receives the trace, and its engine returns the same as Node', async () => {
      const host = await hostViewer();
      try {
        await visit();
        await tab.run(waitLonger);
        await tab.click(button('Settings'));
        await tab.until(() => document.querySelector('#viewer-address') !== null);
        await tab.run(fill, '#viewer-address', host.url);
        await tab.click(button('Keep'));
        await tab.run(dropFiles, [onWire(demo('freertos.bin'))]);
        await tab.until(isConverted);
        const viewer = await browser.opened(() => tab.click(button('Open in Perfetto')));
        await viewer.until(isLoaded);
        const rows = await viewer.run(askEngine, SCHEDULE);
        await viewer.screenshot(join(root, 'tests', 'shots', `${name} viewer.png`));
        await tab.until(shows, 'Handed over');
        expect(rows.length).toBeGreaterThan(4);
        expect(rows).toEqual(await inNode(SCHEDULE, [demo('freertos.bin')]));
        await viewer.close();
      } finally {
        host.close();
      }
    });
  });
}
