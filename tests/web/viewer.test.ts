// SPDX-License-Identifier: MIT
// The real viewer at its real address receives the trace with one click, and its own engine answers queries. Then the failures between two
// windows.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { serveViewer, traceLoaded, viewerIdle, viewerQuery } from '../output/viewer.mjs';
import type { Report } from '../../wasm/types.js';
import { waitLonger } from './gestures.js';
import {
  type Given,
  type Visit,
  browser,
  choose,
  converted,
  demo,
  figure,
  holdConversion,
  newContext,
  openPlace,
  openTab,
  root,
  served,
  shot,
  standIn,
  visit,
} from './harness.js';

const play = (page: Page) => page.getByRole('button', { name: 'Open in Perfetto' });
const talk = (page: Page) => page.locator('.action-status');

/** A page from which the real viewer can be opened. */
async function withViewer(): Promise<Visit> {
  const visited = await visit(browser, served.url);
  await visited.page.evaluate(waitLonger);
  await serveViewer(visited.context);
  return visited;
}

const opened = async ({ context }: Visit, act: () => Promise<unknown>): Promise<Page> => {
  const [viewer] = await Promise.all([context.waitForEvent('page'), act()]);
  return viewer;
};

/** The parameters of the address with which a tab is opened: the viewer changes its address when it has the trace. */
async function openedAt(visited: Visit, act: () => Promise<unknown>): Promise<URLSearchParams> {
  let address = '';
  visited.context.once('page', (viewer) => {
    address = viewer.url();
  });
  await opened(visited, act);
  await talk(visited.page).getByText('Handed over').waitFor();
  return new URLSearchParams(address.split('?')[1]);
}

interface TaskRow {
  name: string;
  runs: number;
  cpu: string;
}

type Viewer = {
  app: {
    trace: {
      workspace: { pinnedTracks: { name: string }[]; tracks: { children: { name: string; expanded: boolean }[] } };
      timeline: { visibleWindow: { toTimeSpan(): { start: bigint; end: bigint } } };
    };
  };
};

/** The time range of the trace that the viewer shows. */
const visibleNs = (viewer: Page): Promise<number[]> =>
  viewer.evaluate(() => {
    const { start, end } = (globalThis as unknown as Viewer).app.trace.timeline.visibleWindow.toTimeSpan();
    return [Number(start), Number(end)];
  });

const convert = async (inputs: Given[]): Promise<{ report: Report; trace: Uint8Array }> =>
  (
    (await import(pathToFileURL(join(root, 'lib', 'index.js')).href)) as {
      convert(inputs: Given[]): Promise<{ report: Report; trace: Uint8Array }>;
    }
  ).convert(inputs);

const cell = (text: string): string => text.replaceAll('\u202f', '').trim();

/** Name, CPU time and runs from the table of the page. */
const tasksOnPage = async (page: Page): Promise<TaskRow[]> => {
  const rows = await page
    .locator('section[aria-labelledby=tasks-title] tbody tr')
    .evaluateAll((nodes) =>
      nodes.map((node) => ({
        name: (node.querySelector('th') as HTMLElement).innerText.replace(/\s+idle$/, ''),
        cells: ['cpu', 'runs'].map((key) => (node.querySelector(`[data-column=${key}]`) as HTMLElement).innerText),
      })),
    );
  return rows.map(({ name, cells }) => ({
    name: cell(name),
    cpu: cell(cells[0] ?? ''),
    runs: Number(cell(cells[1] ?? '')),
  }));
};

const seconds = (text: string): number => {
  const [, number, unit] = /([\d.]+) (ns|µs|ms|s)$/.exec(text) ?? [];
  return Number(number) * ({ ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 }[unit ?? ''] ?? Number.NaN);
};

const INTERRUPTS = 'Interrupts, core 0';

describe('the real viewer', () => {
  test('a click during the conversion: the tab opens at once, the trace follows; the engine returns the figures of the report, and times are those of its ruler', async () => {
    const visited = await withViewer();
    const { page, context } = visited;
    const release = await holdConversion(page);
    await page.locator('.demo', { hasText: 'FreeRTOS' }).click();
    await page.locator('.conversion-progress').waitFor();
    const viewer = await opened(visited, () => play(page).click());
    await talk(page).getByText('gets the trace when the conversion is finished').waitFor();
    await release();
    await traceLoaded(viewer);
    await talk(page).getByText('Handed over').waitFor();
    const rows = (await viewerQuery(
      viewer,
      `
      select thread.name as name, count(*) as runs, sum(iif(sched_slice.dur < 0, trace_end() - sched_slice.ts, sched_slice.dur)) as cpu
      from sched_slice join thread using (utid) group by utid`,
    )) as { name: string; runs: number; cpu: number }[];
    const tasks = await tasksOnPage(page);
    expect(tasks.length).toBeGreaterThan(4);
    for (const task of tasks) {
      const row = rows.find(({ name }) => name === (task.name === 'IDLE' ? 'swapper' : task.name)); // Perfetto's own idle task
      expect(row?.runs, task.name).toBe(task.runs);
      const said = seconds(task.cpu);
      expect(Math.abs((row?.cpu ?? 0) / 1e9 - said) / said, task.name).toBeLessThan(0.01);
    }
    const [bounds] = (await viewerQuery(viewer, 'select trace_start() as start')) as { start: number }[];
    const link = page.locator('section[aria-labelledby=tasks-title] .link[title]').first();
    const sinceStart = seconds((await link.getAttribute('title'))!.replace(/ after the first event.*/, ''));
    expect(seconds(await link.innerText()) - bounds!.start / 1e9).toBeCloseTo(sinceStart, 5); // the ruler begins with the trace
    expect(await viewerQuery(viewer, `select count(*) as tracks from track where name = '${INTERRUPTS}'`)).toEqual([
      { tracks: 1 },
    ]);
    await viewerIdle(viewer);
    await shot(viewer, 'viewer after one click');
    await context.close();
  });

  test('a wait is shown with a margin of a tenth and its task visible; the next one in the same tab', async () => {
    const visited = await withViewer();
    const { page, context } = visited;
    await choose(page, [demo('freertos.bin')]);
    await converted(page);
    const { report } = await convert([demo('freertos.bin')]);
    await openTab(page, 'Tasks');
    const waitOf = (name: string) => report.tasks!.find((task) => task.name === name)!;
    const link = (name: string) =>
      page.locator('section[aria-labelledby=tasks-title] tr', { hasText: name }).locator('.link');
    const viewer = await opened(visited, () => openPlace(link('telemetry')));
    await traceLoaded(viewer);
    const shows = async (name: string): Promise<void> => {
      const { longest_wait, longest_wait_at } = waitOf(name);
      const [at, length] = [Number(longest_wait_at), Number(longest_wait)];
      await expect
        .poll(() => visibleNs(viewer))
        .toEqual([expect.closeTo(at - length / 10, -3), expect.closeTo(at + length * 1.1, -3)]);
    };
    await shows('telemetry');
    const titles = await viewer.evaluate(() =>
      (globalThis as unknown as Viewer).app.trace.workspace.tracks.children.map(({ name }) => name),
    );
    expect(await page.getByText('In the viewer a number follows each of these names: its process id').count()).toBe(1);
    for (const { name, pid } of report.tasks!.filter(({ name }) => name !== 'IDLE'))
      expect(titles, 'as the page explains').toContain(`${name} ${pid}`);
    await expect
      .poll(() =>
        viewer.evaluate(
          () =>
            (globalThis as unknown as Viewer).app.trace.workspace.tracks.children.find(({ name }) =>
              name.startsWith('telemetry'),
            )?.expanded,
        ),
      )
      .toBe(true);
    await expect
      .poll(() =>
        viewer.evaluate(() =>
          (globalThis as unknown as Viewer).app.trace.workspace.pinnedTracks.map(({ name }) => name),
        ),
      )
      .toContain('telemetry 304');
    await viewerIdle(viewer);
    await shot(viewer, 'viewer at a wait');
    await openPlace(link('can'));
    await shows('can');
    await talk(page).getByText('now shows this time range').waitFor();
    expect(context.pages()).toHaveLength(2);
    await context.close();
  });
});

/** A simulated viewer that answers or does not. */
async function withFakeViewer(html: string, inputs = [demo('bare-metal.bin')]): Promise<Visit> {
  const visited = await visit(browser, served.url);
  await standIn(visited.context, html);
  await choose(visited.page, inputs);
  await converted(visited.page);
  return visited;
}

const answerFromNowOn = (): void => {
  const got: unknown[] = [];
  Object.assign(window, { got });
  addEventListener('message', ({ data, source, origin }) => {
    if (data !== 'PING') return void got.push(data.perfetto);
    for (const answer of ['PONG', 'PONG']) (source as Window).postMessage(answer, origin);
  });
};

const answering = `<script>(${String(answerFromNowOn)})();</script>`;

describe('between two windows', () => {
  test('Enter hands over one trace of the files of two cores: the bytes of the library', async () => {
    const inputs = [demo('two-cores.core0.bin'), demo('two-cores.core1.bin')];
    const visited = await withFakeViewer(answering, inputs);
    const viewer = await opened(visited, () => visited.page.keyboard.press('Enter'));
    await talk(visited.page).getByText('Handed over').waitFor();
    const bytes = await viewer.evaluate(() => {
      const [{ buffer }] = (window as unknown as { got: [{ buffer: ArrayBuffer }] }).got;
      return [...new Uint8Array(buffer)];
    });
    const { trace } = await convert(inputs);
    expect(trace.length).toBeGreaterThan(1000);
    expect(Buffer.from(bytes).equals(trace)).toBe(true);
    await visited.context.close();
  });

  test('a time of the report opens the viewer there, with the tracks expanded', async () => {
    const visited = await withFakeViewer(answering, [demo('damaged.bin')]);
    await openTab(visited.page, 'Problems');
    const link = visited.page.locator('.problem .link').first();
    const query = await openedAt(visited, () => openPlace(link));
    const [from, to] = [BigInt(query.get('visStart') ?? -1), BigInt(query.get('visEnd') ?? -1)];
    expect(from >= 0n && to > from).toBe(true);
    const commands = JSON.parse(query.get('startupCommands') ?? '[]') as { id: string; args: string[] }[];
    expect(commands.map(({ id }) => id)).toContain('dev.perfetto.ExpandTracksByRegex');
    await visited.context.close();
  });

  test('the longest run of an interrupt is shown with the track of its core', async () => {
    const visited = await withFakeViewer(answering, [demo('freertos.bin')]);
    await openTab(visited.page, 'Interrupts');
    const link = visited.page.locator('section[aria-labelledby=interrupts-title] tr .link').first();
    const query = await openedAt(visited, () => openPlace(link));
    const commands = JSON.parse(query.get('startupCommands') ?? '[]') as { id: string; args: string[] }[];
    const pinned = commands.filter(({ id }) => id === 'dev.perfetto.PinTracksByRegex').flatMap(({ args }) => args);
    expect(pinned).toContain(`^${INTERRUPTS}$`);
    await visited.context.close();
  });

  test('a link uses the tab that already has the trace, and opens a new one if it was closed', async () => {
    const visited = await withFakeViewer(answering);
    const { page, context } = visited;
    await page.evaluate(waitLonger);
    await openTab(page, 'Interrupts');
    const link = page.locator('section[aria-labelledby=interrupts-title] .link[title]').first();
    const viewer = await opened(visited, () => openPlace(link));
    await talk(page).getByText('Handed over').waitFor();
    await openPlace(link);
    await talk(page).getByText('now shows this time range').waitFor();
    const got = await viewer.evaluate(() =>
      (window as unknown as { got: { timeStart?: number; timeEnd?: number }[] }).got.map(({ timeStart, timeEnd }) => [
        timeStart,
        timeEnd,
      ]),
    );
    expect(got).toEqual([
      [undefined, undefined],
      [expect.any(Number), expect.any(Number)],
    ]);
    expect(context.pages()).toHaveLength(2);
    await viewer.close();
    const other = await opened(visited, () => openPlace(link));
    await other.waitForFunction(() => (window as unknown as { got: unknown[] }).got.length === 1);
    await context.close();
  });

  test('exactly one trace is posted: one buffer, title, file name, saving allowed', async () => {
    const visited = await withFakeViewer(answering);
    const viewer = await opened(visited, () => play(visited.page).click());
    await talk(visited.page).getByText('Handed over').waitFor();
    const got = await viewer.evaluate(() =>
      (
        window as unknown as { got: { buffer: ArrayBuffer; title: string; fileName: string; localOnly: boolean }[] }
      ).got.map(({ buffer, ...rest }) => ({
        ...rest,
        isBuffer: buffer instanceof ArrayBuffer,
        bytes: buffer.byteLength,
      })),
    );
    expect(got).toEqual([
      {
        title: 'bare-metal.bin',
        fileName: 'bare-metal.pftrace',
        localOnly: false,
        keepApiOpen: true,
        isBuffer: true,
        bytes: expect.any(Number),
      },
    ]);
    expect(got[0]?.bytes).toBeGreaterThan(1000);
    // and it can be opened again, and downloaded, afterwards
    const again = await opened(visited, () => play(visited.page).click());
    await again.waitForFunction(() => (window as unknown as { got: unknown[] }).got.length === 1);
    await visited.context.close();
  });

  test('a blocked pop-up is reported, and the next attempt works', async () => {
    const visited = await withFakeViewer(answering);
    const { page, context } = visited;
    await page.evaluate(() => {
      const real = window.open;
      window.open = () => {
        window.open = real;
        return null;
      };
    });
    await play(page).click();
    await talk(page)
      .getByText(/blocked the new tab/)
      .waitFor();
    await shot(page, 'hand-over blocked');
    await opened(visited, () => page.getByRole('button', { name: 'Try again' }).click());
    await talk(page).getByText('Handed over').waitFor();
    await context.close();
  });

  test('a viewer that does not answer for 30 seconds is reported, with a retry and the download; after a late answer it gets the trace in the same tab', async () => {
    const visited = await withFakeViewer('<p>silent</p>');
    const { page, context } = visited;
    await page.clock.install();
    const viewer = await opened(visited, () => play(page).click());
    await talk(page)
      .getByText(/Waiting for the viewer/)
      .waitFor();
    await shot(page, 'hand-over waiting');
    await page.clock.runFor(31_000);
    await talk(page)
      .getByText(/has not answered for 30 seconds/)
      .waitFor();
    await shot(page, 'hand-over silent');
    expect(await page.getByRole('button', { name: 'Try again' }).isEnabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Download/ }).isEnabled()).toBe(true);
    await viewer.evaluate(answerFromNowOn);
    await page.clock.runFor(1000);
    await talk(page).getByText('Handed over').waitFor();
    await viewer.waitForFunction(() => (window as unknown as { got: unknown[] }).got.length === 1);
    await context.close();
  });

  test('a retry reloads the viewer in the tab that did not answer, and shows the requested range there', async () => {
    const visited = await visit(browser, served.url);
    const { page, context } = visited;
    let loads = 0;
    await context.route('https://ui.perfetto.dev/**', (route) => {
      loads += 1;
      if (loads === 1) return route.abort('blockedbyclient'); // the browser does not reload it by itself
      return route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>viewer</title>${answering}` });
    });
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    await page.clock.install();
    await openTab(page, 'Interrupts');
    const link = page.locator('section[aria-labelledby=interrupts-title] .link[title]').first();
    const viewer = await opened(visited, () => openPlace(link));
    await expect.poll(() => loads).toBe(1);
    await page.clock.runFor(31_000);
    await page.getByRole('button', { name: 'Try again' }).click();
    await viewer.waitForFunction(() => 'got' in window);
    await page.clock.runFor(1000);
    await talk(page).getByText('Handed over').waitFor();
    expect(viewer.url()).toContain('visStart');
    expect(context.pages()).toEqual([page, viewer]);
    await context.close();
  });

  test('a second click while it waits uses the same tab; another link replaces the request; cancelling closes the tab', async () => {
    const visited = await withFakeViewer('<p>silent</p>');
    const { page, context } = visited;
    let tabs = 0;
    context.on('page', () => (tabs += 1));
    const first = await opened(visited, () => play(page).click());
    await first.waitForLoadState(); // the browser may never close a tab that is being opened
    await talk(page).getByText('Waiting for the viewer').waitFor();
    await play(page).click();
    await openTab(page, 'Interrupts');
    const link = page.locator('section[aria-labelledby=interrupts-title] .link[title]').first();
    const other = await opened(visited, () => openPlace(link));
    await other.waitForLoadState();
    await expect.poll(() => context.pages()).toEqual([page, other]);
    expect(tabs).toBe(2);
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await expect.poll(() => context.pages()).toEqual([page]);
    await context.close();
  });

  test('a closed tab is reported', async () => {
    const visited = await withFakeViewer('<p>silent</p>');
    const viewer = await opened(visited, () => play(visited.page).click());
    await viewer.waitForLoadState();
    await viewer.close();
    await talk(visited.page)
      .getByText(/was closed before it answered/)
      .waitFor();
    await visited.context.close();
  });

  test('an answer from another window or another origin gets nothing', async () => {
    const visited = await withFakeViewer(
      '<script>window.got = []; addEventListener("message", ({ data }) => { if (data !== "PING") window.got.push(data); });</script>',
    );
    const { page, context } = visited;
    const viewer = await opened(visited, () => play(page).click());
    await page.evaluate(() => window.postMessage('PONG', '*'));
    await page.waitForTimeout(600);
    expect(await viewer.evaluate(() => (window as unknown as { got: unknown[] }).got.length)).toBe(0);
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await talk(page).waitFor({ state: 'detached' });
    await context.close();
  });

  test('a viewer tab that navigated to another site gets nothing, for any answer', async () => {
    const visited = await withFakeViewer('<p>silent</p>');
    const { page, context } = visited;
    await context.route('https://attacker.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>other</title>
      <script>window.got = []; addEventListener('message', ({ data }) => window.got.push(data)); setInterval(() => opener.postMessage('PONG', '*'), 50);</script>`,
      }),
    );
    const viewer = await opened(visited, () => play(page).click());
    await viewer.evaluate(() => {
      location.href = 'https://attacker.example/';
    });
    await viewer.waitForFunction(() => 'got' in window);
    await page.waitForTimeout(1000);
    expect(await viewer.evaluate(() => (window as unknown as { got: unknown[] }).got)).toEqual([]); // not even the ping
    await talk(page).getByText('Waiting for the viewer').waitFor();
    await context.close();
  });

  test('messages from the site that opened this page are ignored', async () => {
    const context = await newContext(browser);
    await context.route('https://attacker.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>opener</title>' }),
    );
    await context.route('https://ui.perfetto.dev/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>viewer</title>' }),
    );
    const attacker = await context.newPage();
    await attacker.goto('https://attacker.example/');
    const [page] = await Promise.all([
      context.waitForEvent('page'),
      attacker.evaluate((url) => {
        const seen: unknown[] = [];
        const target = window.open(url, '_blank');
        addEventListener('message', ({ data }) => seen.push(data));
        const recording = new File(['x'], 'attack.bin');
        const messages = [
          'PING',
          'PONG',
          'take over',
          'leaving',
          { perfetto: { buffer: new ArrayBuffer(8), title: 'x' } },
          { type: 'add', sources: [{ id: 1, name: 'x', blob: recording }] },
          { type: 'start', id: 1 },
          { type: 'open' },
          recording,
        ];
        setInterval(() => {
          for (const message of messages) target?.postMessage(message, '*');
        }, 50);
        Object.assign(window, { seen });
      }, served.url),
    ]);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.getByText('Drop a recording anywhere').waitFor();
    await page.waitForTimeout(500);
    expect(await page.locator('.card, .banner').count()).toBe(0);
    await page.bringToFront();
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    const events = await figure(page, 'Events');
    await Promise.all([context.waitForEvent('page'), play(page).click()]);
    await page.waitForTimeout(500);
    await talk(page).getByText('Waiting for the viewer').waitFor();
    expect(await figure(page, 'Events')).toBe(events);
    expect(await attacker.evaluate(() => (window as unknown as { seen: unknown[] }).seen)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a trace too large for the viewer: download it, or open the part that fits, as the button says', async () => {
    const visited = await visit(browser, served.url, { serviceWorkers: 'block' });
    const { page, context } = visited;
    // the same code with a smaller limit: real traces of that size take minutes
    let changed = 0;
    await context.route('**/assets/index-*.js', async (route) => {
      const response = await route.fetch();
      const code = (await response.text()).replace(/\b2e9\b/g, () => {
        changed += 1;
        return '1e6';
      });
      await route.fulfill({ response, body: code });
    });
    await context.route('https://ui.perfetto.dev/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>viewer</title>${answering}` }),
    );
    await page.reload();
    expect(changed).toBe(1);
    const big = Buffer.concat(Array.from({ length: 300 }, () => Buffer.from(demo('freertos.bin').bytes)));
    const release = await holdConversion(page);
    await choose(page, [{ name: 'long.bin', bytes: big }]);
    const viewer = await opened(visited, () => play(page).click()); // before the limit is known
    await release();
    await talk(page).getByText('too large for the viewer').waitFor();
    await expect.poll(() => viewer.isClosed()).toBe(true); // the browser closes it a moment later
    await page
      .locator('.action-warning.warn')
      .getByText(/takes about 2 GB. Download it/)
      .waitFor();
    const fitting = page.getByRole('button', { name: /^Open [\d.]+ \S+ in Perfetto/ });
    await fitting.waitFor();
    await shot(page, 'too large');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download/ }).click(),
    ]);
    expect((await file.path()).length).toBeGreaterThan(0);
    const part = await opened(visited, () => fitting.click());
    await talk(page).getByText('Handed over').waitFor();
    expect(
      await part.evaluate(() => (window as unknown as { got: { buffer: ArrayBuffer }[] }).got[0]?.buffer.byteLength),
    ).toBeLessThanOrEqual(1e6);
    await context.close();
  });

  test("the address of the user's own viewer is kept", async () => {
    const visited = await visit(browser, served.url);
    const { page, context } = visited;
    await context.route('https://traces.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>own</title>${answering}` }),
    );
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Address of the Perfetto viewer').fill('https://traces.example/perfetto/');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.reload();
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    expect(await page.locator('#beforehand').innerText()).toContain('traces.example');
    const viewer = await opened(visited, () => play(page).click());
    expect(viewer.url()).toMatch(/^https:\/\/traces\.example\/perfetto\/#!\//);
    await talk(page).getByText('Handed over').waitFor();
    await context.close();
  });

  test('downloads: plain and compressed contain the same trace', async () => {
    const { page, context } = await visit(browser, served.url);
    await choose(page, [demo('bare-metal.bin')]);
    await converted(page);
    const save = async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download/ }).click(),
      ]);
      const { readFileSync } = await import('node:fs');
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    };
    const plain = await save();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByLabel('compressed').check();
    await page.keyboard.press('Escape');
    const packed = await save();
    const { gunzipSync } = await import('node:zlib');
    expect([plain.name, packed.name]).toEqual(['bare-metal.pftrace', 'bare-metal.pftrace.gz']);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(Number(await figure(page, 'Events'))).toBeGreaterThan(0);
    await context.close();
  });
});
