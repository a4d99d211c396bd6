// SPDX-License-Identifier: MIT
//
// Follows docs/TRACER.md: builds the example, runs it with the command at the top of its main.c, converts its output with the command line
// tool, and opens the trace in the real viewer with the view that the report proposes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { viewerUrl } from '../../web/src/io/perfetto.ts';
import { launchChromium, newViewerContext, openTrace, shoot, viewerIdle, viewerQuery } from '../output/viewer.mjs';
import { CAN_RUN } from './emulator.mjs';

const example = join(root, 'tracer', 'examples', 'freertos');
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-first-picture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} command @param {string[]} args */
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe.skipIf(!CAN_RUN)('from the example to the picture', () => {
  /** @type {any} */ let browser;
  /** @type {any} */ let viewer;
  /** @type {any} */ let report;

  beforeAll(async () => {
    const [make, emulate, convert] = (
      /^ \* {3}(make && (?:.*\\\n)*.*)$/m.exec(readFileSync(join(example, 'main.c'), 'utf8'))?.[1] ?? ''
    )
      .replace(/ \\\n \* +/g, ' ')
      .split(' && ')
      .map((command) => command.split(' '));
    expect(make).toEqual(['make']);
    run('make', '-B', '-C', example, `IMAGE=${join(folder, 'demo.elf')}`);
    run(emulate[0], ...emulate.slice(1));
    const tonkopf = join(root, 'build', 'native', 'cli', convert[0]);
    run(tonkopf, ...convert.slice(1));
    report = JSON.parse(run(tonkopf, 'info', '--json', 'demo.tband'));
    browser = await launchChromium();
    const parameters = Object.fromEntries(
      new URLSearchParams(viewerUrl('https://ui.perfetto.dev', report.view, null).split('?')[1]),
    );
    viewer = await openTrace(await newViewerContext(browser), readFileSync(join(folder, 'demo.pftrace')), parameters);
  });
  afterAll(() => browser?.close());

  test('the report contains no problem', () => {
    expect(report.problems).toEqual([]);
    expect(report.tasks.map((/** @type {any} */ task) => task.name).sort()).toEqual([
      'IDLE',
      'Tmr Svc',
      'alarm',
      'control',
      'sensor',
    ]);
    expect(report.queues.length).toBe(4);
  });

  test('the viewer reports no error', async () => {
    expect(
      await viewerQuery(viewer, "select name, value from stats where value > 0 and severity in ('error', 'data_loss')"),
    ).toEqual([]);
  });

  test("running tasks, waits with their objects, and the program's values are in it", async () => {
    const slices = await viewerQuery(viewer, 'select distinct name from slice');
    expect(slices.map((/** @type {any} */ row) => row.name)).toEqual(
      expect.arrayContaining([
        'receive from readings',
        'took bus',
        'held by sensor',
        'held by control',
        'SysTick',
        'button',
      ]),
    );
    const runs = await viewerQuery(viewer, 'select count(*) as n from sched_slice');
    expect(runs[0].n).toBeGreaterThan(100);
  });

  test('the picture shows tasks and tracks by name', async () => {
    await viewerIdle(viewer);
    for (const title of ['sensor', 'control', 'bus', 'readings', 'temperature'])
      await viewer.getByText(title, { exact: false }).first().waitFor();
    await shoot(viewer, 'first-picture.png');
  });
});
