// SPDX-License-Identifier: MIT
//
// Tasks and queues that come and go: the names of deleted ones make room for new ones. Facts about tasks survive the ring.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, OUT, buildWithKernel, emulateUarts } from './emulator.mjs';
import { events } from './recordings.mjs';

const DUMP = join(OUT, 'life.bin');
const ROUNDS = 40;
const LAST = ['task 37 (odd)', 'queue 37', 'task 38', 'queue 38', 'task 39 (odd)', 'queue 39'];

/** @param {string[]} options */
function run(...options) {
  const image = buildWithKernel('life', 'cortex-m3', 'life', ['-Os', ...options], { ofProgram: [`-DDUMP="${DUMP}"`] });
  const [recording, lost] = emulateUarts(image, 5);
  return { recording, lost: Number(lost), dump: readFileSync(DUMP) };
}

describe.skipIf(!CAN_RUN)('tasks and queues that are deleted', () => {
  /** @type {ReturnType<typeof run>} */ let life;
  /** @type {any} */ let report;
  beforeAll(() => {
    life = run();
    report = convert([{ bytes: life.recording }]).report;
  });

  test('make room for the names of others', () => {
    expect(life.lost).toBe(0);
  });

  test.skipIf(!process.env.TONKOPF_EVERY_CASE)('otherwise stay, and others are lost', () => {
    expect(run('-Dtband_configREUSE_NAMES=0').lost).toBeGreaterThan(2 * ROUNDS);
  });

  test.each([
    ['recording', () => life.recording],
    ['dump of memory', () => life.dump],
  ])('the newest ones have their names in a %s', (_, bytes) => {
    const { report } = convert([{ bytes: bytes() }]);
    const names = [...report.tasks, ...report.queues].map((/** @type {any} */ { name }) => name);
    expect(names).toEqual(expect.arrayContaining(['keeper', 'IDLE', 'Tmr Svc', ...LAST]));
    const ids = report.problems.map((/** @type {any} */ { id }) => id);
    expect(ids.filter((/** @type {string} */ id) => !/^(OUTSIDE_SKIPPED|FRAME_EMPTY)$/.test(id))).toEqual([]);
    expect(ids.includes('FRAME_EMPTY')).toBe(bytes() === life.recording); // bytes that are left over
  });

  test('sizes of stacks and priorities are in names and facts', () => {
    const keeper = report.tasks.find((/** @type {any} */ { name }) => name === 'keeper');
    expect(keeper.priority).toBe(2);
    const stack = report.stacks.find((/** @type {any} */ { name }) => name === 'keeper');
    expect(stack.size).toBeGreaterThan(250);
    expect(stack.size).toBeLessThanOrEqual(256);
    expect(stack.least_free).toBe(null);
  });

  test('the suspended scheduler and bits cleared on exit are shown; the timer task refuses nothing', async () => {
    const engine = await sharedTraceProcessor();
    engine.load(convert([{ bytes: life.recording }]).trace);
    const names = engine
      .query('select s.name, count(*) as n from slice s group by 1')
      .map((/** @type {any} */ { name }) => name);
    expect(names).toEqual(expect.arrayContaining(['scheduler suspended', 'clear 0x4', 'clear 0x4 in bits']));
    const all = events('life', life.recording);
    const kinds = all.filter(({ event }) => event.startsWith('queue')).map(({ event }) => event);
    expect(kinds.slice(-2)).toEqual(['queue send', 'queue receive']); // a function for the timer task, whose queue has no name
    expect(kinds).not.toContain('queue operation failed');
  });
});
