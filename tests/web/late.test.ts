// SPDX-License-Identifier: MIT
// Response times of the tasks, and why the worst jobs were late.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Library } from '../../wasm/api.js';
import { rowsOf } from '../../wasm/report.js';
import type { Report } from '../../wasm/types.js';
import { root } from '../golden/cases.mjs';
import { timesOf } from '../../web/src/format.js';
import { distributionOf, lateJobs, neighbour, sentenceOf, ticketText } from '../../web/src/late.js';
import { run_with_fault } from '../simulator/faults.mjs';
import { tonbandgeraet } from '../simulator/tonbandgeraet.mjs';
import { type Given, axeViolations, browser, choose, converted, openTab, served, shot, visit } from './harness.js';

const recording = (): Given => ({
  name: 'held.bin',
  bytes: tonbandgeraet(run_with_fault(1, 'lock held across a wait'), { extensions: true }).files[0]!,
});

const nothing = { interrupted: '0', preempted: '0', blocked: '0', room: '0', waited: '0', pending: '0' };
const report = {
  time_unit: 'ns',
  time: { start: '0', end: '9000000', duration: '9000000' },
  worst_jobs: [
    {
      ...nothing,
      name: 'a',
      rank: 1,
      release: '5000000',
      end: '7000000',
      response: '2000000',
      net: '290000',
      blocked: '1280000',
      preempted: '430000',
    },
    { ...nothing, name: 'a', rank: 2, release: '1000000', end: '1500000', response: '500000', net: '500000' },
    { ...nothing, name: 'b', rank: 1, release: '0', end: '1', response: '1', net: '1' },
    {
      ...nothing,
      name: 'a',
      rank: 3,
      release: '8000000',
      end: '8400000',
      response: '400000',
      net: '390000',
      interrupted: '10000',
    },
  ],
  worst_causes: [
    { name: 'a', rank: 1, cause: 'preempted', by: 'can', object: null, others: false, time: '430000' },
    { name: 'a', rank: 1, cause: 'blocked', by: 'logger', object: 'spi bus', others: false, time: '1200000' },
    { name: 'a', rank: 1, cause: 'blocked', by: null, object: 'log', others: false, time: '50000' },
    { name: 'a', rank: 1, cause: 'blocked', by: null, object: null, others: true, time: '30000' },
  ],
  job_distribution: [
    { name: 'a', up_to: '1023', jobs: 1 },
    { name: 'a', up_to: '4095', jobs: 4 },
  ],
} as unknown as Report;

test('the sentence names each cause, the longest first, and says what is unknown', () => {
  const jobs = lateJobs(report, 'a');
  expect(jobs.map(({ job }) => job.rank)).toEqual([1, 2, 3]);
  const pieces = sentenceOf(report, jobs[0]!);
  expect(pieces.map(({ text }) => text).join('')).toBe(
    'ran 290 µs, waited 1.2 ms for spi bus held by logger, preempted 430 µs by can, waited 50 µs for log held by an unknown task, waited 30 µs for other locks',
  );
  expect(pieces.filter(({ link }) => link).map(({ text, link }) => `${link} ${text}`)).toEqual([
    'object spi bus',
    'task logger',
    'task can',
    'object log',
  ]);
  expect(sentenceOf(report, jobs[2]!).at(-1)!.text).toBe(', interrupted 10 µs');
});

test('the sentence is that of the report, with other units', async () => {
  const { convert } = (await import(pathToFileURL(join(root, 'lib', 'index.js')).href)) as Library;
  const words = (text: string): string => text.replace(/[\d.,]+ (ns|us|µs|ms|s)\b/g, 'LENGTH');
  const { report: real } = await convert(recording());
  const all = rowsOf(real, 'worst_jobs');
  expect(all.length).toBeGreaterThan(20);
  for (const task of new Set(all.map(({ name }) => String(name))))
    for (const late of lateJobs(real, task)) {
      const sentence = sentenceOf(real, late).map(({ text }) => text);
      expect(words(sentence.join(''))).toBe(words(String(late.job.why)));
    }
});

test('late jobs have neighbours in time', () => {
  const jobs = lateJobs(report, 'a'); // begin at 5, 1 and 8 ms
  expect([neighbour(jobs, 0, -1), neighbour(jobs, 0, 1)]).toEqual([1, 2]);
  expect([neighbour(jobs, 1, -1), neighbour(jobs, 2, 1)]).toEqual([null, null]);
});

test('the text for a ticket has sentence, figures and time range', () => {
  const text = ticketText(report, 'run.bin', lateJobs(report, 'a')[0]!);
  expect(text).toMatch(/^a: response 2 ms, from 0\.005000000 s to 0\.007000000 s\nran 290 µs, /);
  expect(text).toContain('\n  waited for locks: 1.28 ms\n');
  expect(text).toContain('\nTime range: 5000000 to 7000000 ns\nRecording: run.bin\n');
});

test('a moment has the same digits on the page, in the text for a ticket, and in the report', async () => {
  const { convert, reportMarkdown } = (await import(pathToFileURL(join(root, 'lib', 'index.js')).href)) as Library;
  const { report: real } = await convert(recording());
  const [late] = lateJobs(real, 'sensor');
  const moment = timesOf(real).moment(late!.job.release!); // as the links of the page
  expect(moment).toMatch(/^\d+\.\d{9} s$/);
  expect(ticketText(real, 'held.bin', late!)).toContain(`from ${moment} to `);
  expect(await reportMarkdown(real)).toContain(`| ${moment} |`);
});

test('the distribution has a logarithmic axis', () => {
  const [first, second] = distributionOf(report, 'a');
  expect(first!.x).toBe(0);
  expect(second!.x + second!.width).toBeCloseTo(1, 6);
  expect(second!.x - first!.x).toBeCloseTo(4 * first!.width, 6); // two powers of two apart, each range is half of one
  expect([first!.height, second!.height]).toEqual([0.25, 1]);
});

test('the worst case is a button that unfolds why the job was late', async () => {
  const { page, context, complaints } = await visit(browser, served.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await choose(page, [recording()]);
  await converted(page);
  await openTab(page, 'Tasks');
  expect(await page.locator('#panel-tasks h2').first().innerText()).toBe('Response times');
  const row = page.locator('tr[data-task=sensor]');
  const button = row.getByRole('button');
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  expect(await row.locator('.distribution rect').count()).toBeGreaterThan(2);
  const head = page.locator('.response-times th', { hasText: '95 %' });
  expect(await head.getAttribute('title')).toContain('of the jobs took at most so long'); // from docs/REPORT.md
  await button.click();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  const late = page.locator('.late');
  const worst = await late.locator('.late-why').innerText();
  expect(worst).toMatch(/, waited .* for bus held by logger/);
  expect(await page.locator('.by-wait').count()).toBeGreaterThan(0);
  expect(await late.locator('.late-bar rect').count()).toBeGreaterThan(1);
  const titles = await page.locator('.response-times thead th, .late-parts li').evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? '')); // prettier-ignore
  const titleOf = (table: string, column: string) => page.locator(`section[aria-labelledby=${table}-title] th[data-column=${column}]`).evaluateAll(([head]) => head?.getAttribute('title')); // prettier-ignore
  expect(await titleOf('jobs', 'gross_mean')).toContain('from the first run to the end (gross execution time)');
  expect(await titleOf('waits', 'longest')).toContain('from leaving the core to being made ready');
  expect(
    titles.slice(1).every((title) => title.length > 10),
    titles.join('; '),
  ).toBe(true); // the name of a task needs none
  await shot(page, 'late-wide');
  expect(await axeViolations(page)).toEqual([]);

  const [before, after] = [
    late.getByRole('button', { name: 'Previous late job' }),
    late.getByRole('button', { name: 'Next late job' }),
  ];
  await ((await before.isEnabled()) ? before : after).click();
  await expect.poll(() => late.locator('.late-head').innerText()).toMatch(/^Number \d of the 8 worst jobs/);
  await late.getByRole('button', { name: 'Copy for a ticket' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`, from ${await late.locator('.late-head button').innerText()} to `);
  expect(copied).toMatch(/^sensor: response [^]*\nran [^]*\nTime range: \d+ to \d+ ns\nRecording: held\.bin\n$/);

  await late.locator('.late-why').getByRole('button', { name: 'logger' }).first().click(); // the name of a task leads to its row
  const logger = page.locator('tr[data-task=logger]').getByRole('button');
  await expect.poll(() => logger.getAttribute('aria-expanded')).toBe('true');
  expect(await button.getAttribute('aria-expanded')).toBe('false');

  await page.locator('.late-head button').click();
  await page.locator('.tl-item, .tl-interval').waitFor(); // its place in the timeline
  expect(complaints).toEqual([]);
  await context.close();
});

test('narrow and dark, with a task opened', async () => {
  const { page, context } = await visit(browser, served.url, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await choose(page, [recording()]);
  await converted(page);
  await openTab(page, 'Tasks');
  await page.locator('tr[data-task=sensor]').getByRole('button').click();
  await page.locator('.late').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await shot(page, 'late-narrow-dark');
  expect(await axeViolations(page)).toEqual([]);
  await context.close();
});
