// SPDX-License-Identifier: MIT
// Names are text. A recording, a paste and file names with HTML markup are shown unchanged in every view.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { concat, frame } from '../generator/tband.mjs';
import {
  type Given,
  appeared,
  browser,
  changeRecognised,
  choose,
  converted,
  drop,
  listed,
  pasteText,
  selectRecording,
  served,
  startOver,
  visit,
} from './harness.js';

/** Characters with a special meaning somewhere: in an element, an attribute, an entity, a pattern, a path. */
const evil = (what: string): string =>
  `<img src=x onerror="ran('${what}')"><script>ran('${what}')</script>"'\`&lt;b&gt;\${ran()}^(.*)$ ../${what}`;

const FREERTOS_MUTEX = 3;

/** A recording in which every possible name contains these characters. */
function hostile(): Uint8Array {
  const parts = [
    frame('ts_resolution_ns', 1000),
    frame('task_name', 1, evil('task')),
    frame('task_name', 2, evil('idle')),
    frame('task_is_idle_task', 2, 0),
    frame('isr_name', 5, evil('interrupt')),
    frame('queue_name', 7, evil('queue')),
    frame('queue_kind', 7, 0),
    frame('queue_name', 8, evil('mutex')),
    frame('queue_kind', 8, FREERTOS_MUTEX),
    frame('evtmarker_name', 9, evil('marker')),
    frame('valmarker_name', 10, evil('value')),
    frame('task_evtmarker_name', 11, 1, evil('step')),
  ];
  for (let at = 1000; at < 200_000; at += 1000) {
    parts.push(
      frame('task_switched_in', at, 1),
      frame('evtmarker_begin', at + 10, 9, evil('begin')),
      frame('isr_enter', at + 20, 5),
      frame('queue_send_from_isr', at + 25, 7, 1),
      frame('isr_exit', at + 30, 5),
      frame('queue_receive', at + 35, 7, 0),
      frame('valmarker', at + 40, 10, at),
      frame('task_evtmarker', at + 50, 11, evil('message')),
      frame('queue_receive', at + 60, 8, 0),
      frame('queue_send', at + 70, 8, 1),
      frame('evtmarker_end', at + 80, 9),
      frame('curtask_block_on_queue_receive', at + 90, 7, 1000),
      frame('task_switched_in', at + 100, 2),
      frame('task_to_rdy_state', at + 900, 1),
    );
    if (at === 50_000) parts.push(Uint8Array.of(0xff, 0x03, 0x3c, 0x62, 0x3e, 0x00)); // a problem to list, with "<b>" in its bytes
  }
  return concat(parts);
}

const file = (what: string): Given => ({ name: `${evil(what).replaceAll('/', '\u2215')}.bin`, bytes: hostile() });

interface Watched {
  page: Page;
  /** events in the page that must not occur */
  harm(): Promise<string[]>;
  close(): Promise<void>;
}

async function watched(): Promise<Watched> {
  const { page, context, complaints } = await visit(browser, 'about:blank');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen, ran: (what: string) => seen.push(`ran ${what}`) });
    // the policy would block real markup, and this handler would report it
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      seen.push(`${violatedDirective} ${sample}`),
    );
  });
  await page.goto(served.url);
  const harm = async (): Promise<string[]> => {
    const found = await page.evaluate(() => {
      const bad = [
        ...document.querySelectorAll('img, iframe, object, embed, base, b > b, body script, main style'),
      ].map((node) => node.outerHTML.slice(0, 120));
      const handlers = [...document.querySelectorAll('*')].filter((node) =>
        node.getAttributeNames().some((name) => name.startsWith('on') || name.includes('<')),
      );
      const links = [...document.querySelectorAll('a[href], [src], [action]')]
        .map((node) => node.outerHTML)
        .filter((html) => /ran\(|javascript:/.test(html));
      return [
        ...(window as unknown as { seen: string[] }).seen,
        ...bad,
        ...handlers.map((node) => node.outerHTML.slice(0, 120)),
        ...links,
        ...(/(^| – )Tonkopf$/.test(document.title) ? [] : [document.title]), // the title names the recording
      ];
    });
    return [...found, ...complaints, ...dialogs];
  };
  return { page, harm, close: () => context.close() };
}

/** The page contains the text completely, letter by letter. */
const says = async (page: Page, where: string, text: string): Promise<void> => {
  const shown = await page.locator(where).evaluateAll((nodes) => nodes.map((node) => node.textContent).join('\n'));
  expect(shown, where).toContain(text);
};

test('every view of a result shows names as text', async () => {
  const { page, harm, close } = await watched();
  await choose(page, [file('file')]);
  await converted(page);
  await says(page, 'h1', file('file').name);
  await says(page, 'section[aria-labelledby=tasks-title] th', evil('task'));
  await says(page, 'section[aria-labelledby=tasks-title] th', evil('idle'));
  await says(page, 'section[aria-labelledby=tasks-title] td', evil('queue')); // the object of the wait
  await says(page, 'section[aria-labelledby=interrupts-title] th', evil('interrupt'));
  await says(page, 'section[aria-labelledby=queues-title] th', evil('queue'));
  await says(page, 'section[aria-labelledby=queues-title] th', evil('mutex'));
  const rows = page.getByRole('application', { name: 'Timeline of the recording' });
  await rows.waitFor();
  await says(page, '.tl-names', evil('task'));
  await rows.press('ArrowDown');
  await rows.press('ArrowRight');
  await page.locator('#timeline-words', { hasText: '<' }).waitFor();
  expect(await page.locator('.problem').count()).toBeGreaterThan(0);
  await changeRecognised(page);
  expect(await harm()).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  expect(saved.suggestedFilename()).not.toMatch(/[/\\<>"]/);
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  expect(report.suggestedFilename()).not.toMatch(/[/\\<>"]/);
  expect(await harm()).toEqual([]);
  await close();
});

test('so do cards, menus and the list of recordings', async () => {
  const { page, harm, close } = await watched();
  await drop(page, [
    file('one'),
    { ...file('two'), bytes: hostile().subarray(40) },
    { name: `${evil('letter').replaceAll('/', '')}.txt`, bytes: Buffer.from(evil('content')) },
  ]);
  await listed(page);
  await converted(page);
  await says(page, 'nav.recordings', file('one').name);
  await changeRecognised(page);
  await says(page, '.selects option', `the trace of ${file('two').name}`);
  await selectRecording(page, '.txt');
  await page.getByText('This file is not a recording').waitFor();
  await says(page, 'h1', evil('letter').replaceAll('/', ''));
  expect(await harm()).toEqual([]);
  await close();
});

test('so do the texts about a pasted text, while it is read and afterwards', async () => {
  const { page, harm, close } = await watched();
  const hex = Buffer.from(hostile())
    .toString('hex')
    .replace(/(.{64})/g, '$1\n');
  await pasteText(page, `${hex.slice(0, 650)}${evil('paste')}\n${hex.slice(650)}`);
  await page.locator('h1').waitFor();
  await page.locator('.figures, .failure').first().waitFor({ state: 'attached' });
  expect(await harm()).toEqual([]);
  await startOver(page);
  const long = Buffer.concat(Array.from({ length: 10 }, () => Buffer.from(hostile())));
  await Promise.all([
    appeared(page, '.looking'),
    appeared(page, '.conversion-progress'),
    choose(page, [{ ...file('long'), bytes: long }]),
  ]);
  await converted(page);
  expect(await harm()).toEqual([]);
  await close();
});

test('the viewer gets a title and a file name in ASCII', async () => {
  const { page, harm, close } = await watched();
  await page
    .context()
    .route('https://ui.perfetto.dev/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><script>addEventListener("message", ({ data, source, origin }) => { if (data === "PING") source.postMessage("PONG", origin); else window.got = data.perfetto; })</script>',
      }),
    );
  await choose(page, [file('file')]);
  await converted(page);
  const [viewer] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Open in Perfetto' }).click(),
  ]);
  await page.getByText('Handed over').waitFor();
  const { title, fileName } = await viewer.evaluate(
    () => (window as unknown as { got: { title: string; fileName: string } }).got,
  );
  for (const text of [title, fileName]) expect(text).toMatch(/^[\w .\-#:/?=&;%+$]+$/);
  expect(fileName).not.toMatch(/[/\\]/);
  const commands = JSON.parse(new URLSearchParams(viewer.url().split('?')[1]).get('startupCommands') ?? '[]') as {
    args: string[];
  }[];
  expect(commands.length).toBeGreaterThan(0);
  expect(JSON.stringify(commands)).not.toMatch(/img|script|ran\(/);
  expect(await harm()).toEqual([]);
  await close();
});

test('the check detects real markup', async () => {
  const { page, harm, close } = await watched();
  await page.evaluate((html) => {
    document.body.append(Object.assign(document.createElement('div'), { innerHTML: html }));
  }, evil('x'));
  await expect.poll(async () => (await harm()).join('\n')).toMatch(/script-src-attr[\s\S]*<img/);
  await close();
});
