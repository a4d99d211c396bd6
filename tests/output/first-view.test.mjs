// SPDX-License-Identifier: MIT
// The first view: every ninth demo (all in `npm run test:packages -- cases`) in the real viewer, with the start-up commands of the page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make_demos, serves_recording } from '../../scripts/generate-demos.mjs';
import { viewerUrl } from '../../web/src/io/perfetto.ts';
import { sampled } from '../golden/cases.mjs';
import { convert } from './convert.mjs';
import { launchChromium, newViewerContext, openTrace, shoot, viewerIdle, viewerQuery } from './viewer.mjs';

const { demos, files } = make_demos();

/** Visible rows, from top to bottom: { title, top, height, pinned, group }. */
const rowsInSight = (viewer) =>
  viewer.evaluate(() => {
    const bottom = document.querySelector('.pf-viewer-page__scrolling-track-tree').getBoundingClientRect().bottom;
    return [...document.querySelectorAll('.pf-track__header')].flatMap((header) => {
      const { top, height } = header.getBoundingClientRect();
      const title = header.querySelector('.pf-track__title-popup')?.textContent ?? '';
      const seen = Math.min(top + height, bottom) - top;
      const pinned = header.closest('.pf-viewer-page__pinned-track-tree') !== null;
      return seen > 0
        ? [
            {
              title,
              top,
              height: Math.round(seen),
              pinned,
              group: header.classList.contains('pf-track__header--summary'),
            },
          ]
        : [];
    });
  });

/** Waits until the rows no longer move: the startup commands run after the load. */
async function settledRows(viewer) {
  let before = '';
  for (;;) {
    await viewerIdle(viewer);
    const rows = await rowsInSight(viewer);
    const now = JSON.stringify(rows);
    if (now === before) return rows;
    before = now;
  }
}

const ofTask = (row) => / \(?\d+\)?$/.test(row.title) && !row.pinned && !/^CPU \d|, core \d/.test(row.title);

let browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(sampled(demos))('$title', ({ title, files: names }) => {
  let viewer, rows, report;
  beforeAll(async () => {
    const recordings = names.filter((name) => !serves_recording(name));
    const inputs = names.map((name) => ({
      bytes: files.get(name),
      side: serves_recording(name),
      core: recordings.length > 1 ? recordings.indexOf(name) : undefined,
    }));
    const converted = convert(inputs);
    report = converted.report;
    const parameters = Object.fromEntries(
      new URLSearchParams(viewerUrl('https://ui.perfetto.dev', report.view, null).split('?')[1]),
    );
    viewer = await openTrace(await newViewerContext(browser), converted.trace, parameters);
    rows = await settledRows(viewer);
    await shoot(viewer, `first-view-${title.toLowerCase().replaceAll(' ', '-')}.png`);
  });
  afterAll(() => viewer?.context().close());

  test('the viewer reports no error', async () => {
    const complaints = await viewerQuery(
      viewer,
      "select name, value from stats where value > 0 and severity = 'error'",
    );
    expect(complaints).toEqual([]);
  });

  test('no track is shown twice', () => {
    const scrolling = rows.filter((row) => !row.pinned).map((row) => row.title);
    for (const { title: pinned } of rows.filter((row) => row.pinned)) expect(scrolling).not.toContain(pinned);
    for (const once of ['Problems', 'Failures', 'CPU load', 'Queues and locks', 'constant'])
      expect(scrolling.filter((name) => name === once).length).toBeLessThan(2);
    if (report.problems.some(({ severity }) => severity === 'damage' || severity === 'loss'))
      expect(scrolling).toContain('Problems');
  });

  test('the load of each core comes first', () => {
    // Above them are only the findings.
    const below = rows
      .slice(rows.findIndex((row) => /^Target( \(|$)/.test(row.title)) + 1)
      .filter(({ title }) => title !== 'Findings');
    const ran = (report.tasks ?? []).length + (report.objects ?? []).length > 0;
    if (!ran && !report.interrupts?.length) {
      // signals and call traces
      expect(rows.filter((row) => / load(, core \d+)?$/.test(row.title))).toEqual([]);
      return;
    }
    const expected = ran ? /^CPU load(, core 0)?$/ : /^Interrupt load$/;
    expect(below[0].title).toMatch(expected);
    expect(below[1].title).toMatch(ran ? /^Interrupt load(, core 0)?$/ : /./);
  });

  test('no visible counter is constant', async () => {
    const constant = await viewerQuery(
      viewer,
      `select t.name from counter c join track t on t.id = c.track_id where t.name <> ' ' group by t.id having count(distinct value) < 2`,
    );
    const seen = new Set(rows.map((row) => row.title.replace(/ \(\d+\)$/, '')));
    expect(constant.map(({ name }) => name).filter((name) => seen.has(name))).toEqual([]);
  });

  test('tasks, or objects with their waits or states, are visible', () => {
    const pixels = rows.filter(ofTask).reduce((sum, row) => sum + row.height, 0);
    const least = rows.some(({ title }) => title === 'Android logs') ? 170 : 230; // the viewer opens the list of messages
    if (report.tasks?.length) expect(pixels).toBeGreaterThanOrEqual(least);
    const opened = rows.filter((row) => ofTask(row) && !row.group);
    if (report.tasks?.length) expect(opened.length).toBeGreaterThanOrEqual(4);
  });
});
