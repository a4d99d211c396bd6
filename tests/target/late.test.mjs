// SPDX-License-Identifier: MIT
//
// A reader attaches a second after the start: within two seconds it has names and clock, because the target repeats them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { convert } from '../output/convert.mjs';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, build, buildWithKernel, emulate } from './emulator.mjs';
import { HAS_GOLDEN, events } from './recordings.mjs';

const ATTACHED = 1,
  PATIENCE = 2; // seconds
const PERIOD_NS = 20e6;
const SHIFT = 7; // 128 ns per instruction: four seconds are soon over
const CALLS = 40; // of the program that counts instructions
const REPEATED = new Set([
  'tick length',
  'clock rate',
  'task name',
  'idle task',
  'timer task',
  'queue name',
  'queue kind',
  'interrupt name',
  'value name',
]);

/** Runs of tasks, in seconds. @param {any} recording @param {number} from @param {number} to */
async function runs(recording, from, to) {
  const engine = await sharedTraceProcessor();
  engine.load(recording.trace);
  return engine.query(`select ts, dur, thread.name from sched_slice join thread using (utid)
    where ts > ${from * 1e9} and ts + dur < ${to * 1e9} and utid <> 0 order by ts`);
}

describe.skipIf(!CAN_RUN)('a capture that begins late', () => {
  /** @type {Uint8Array} */ let bytes;
  /** @type {any[]} */ let all;
  let start = 0; // seconds
  beforeAll(() => {
    bytes = emulate(buildWithKernel('late', 'cortex-m3', 'late', ['-Os']), SHIFT);
    all = events('late', bytes);
    start = all.find((event) => event.event === 'lost events').seconds;
  });

  /** The bytes of a time range, in seconds; it begins within a frame. @param {number} from @param {number} to */
  const cut = (from, to) => {
    const at = (/** @type {number} */ time) => Number(all.find(({ seconds }) => seconds >= start + time).offset);
    return bytes.slice(at(from) + 3, at(to));
  };

  test('has names and clock after two seconds, and the same figures', async () => {
    const whole = convert([{ bytes }]),
      late = convert([{ bytes: cut(ATTACHED, ATTACHED + PATIENCE) }]);
    const names = (/** @type {any[]} */ rows) => rows.map(({ name }) => name).sort();
    expect(names(late.report.tasks)).toEqual(['IDLE', 'receive', 'send']); // the others wait all the time
    expect(
      late.report.tasks.filter((/** @type {any} */ task) => task.idle).map((/** @type {any} */ task) => task.name),
    ).toEqual(['IDLE']);
    expect(names(late.report.queues)).toEqual(['items']);
    expect(late.report.tick.hz).toBe(168e6);
    const problems = late.report.problems.map((/** @type {any} */ problem) => problem.id);
    expect(problems).toEqual(['ISR_END_WITHOUT_BEGIN', 'FRAME_CUT_AT_START']); // it begins within an interrupt
    const [from, to] = [start + ATTACHED + 0.1, start + ATTACHED + PATIENCE - 0.1];
    const seen = await runs(late, from, to);
    expect(seen.length).toBeGreaterThan(100);
    expect(seen).toEqual(await runs(whole, from, to));
    const receipts = seen.filter(({ name }) => name === 'receive').map(({ ts }) => Number(ts));
    const periods = receipts.slice(1).map((at, i) => at - receipts[i]);
    periods.sort((a, b) => a - b);
    expect(Math.abs(periods[periods.length >> 1] - PERIOD_NS)).toBeLessThan(PERIOD_NS / 1e4);
  });

  test('repetition changes nothing in a capture from the start', () => {
    const { report } = convert([{ bytes }]);
    expect(report.problems).toEqual([]);
    expect(report.summary?.restarts ?? 0).toBe(0);
  });

  test.skipIf(!HAS_GOLDEN)('costs what is documented', () => {
    const second = (/** @type {number} */ time) => all.filter(({ seconds }) => seconds >= start + time)[0];
    const [from, to] = [all.indexOf(second(ATTACHED)), all.indexOf(second(ATTACHED + PATIENCE))];
    const length = (/** @type {number} */ i) => Number(all[i + 1].offset) - Number(all[i].offset);
    let sum = 0;
    for (let i = from; i < to; i++) if (REPEATED.has(all[i].event)) sum += length(i);
    const image = build('repetition', 'cortex-m3', ['-Os', '-DIMAGE_REPETITION'], ['count.c']);
    const rows = emulate(image, 6).toString().trim().split('\n');
    const ticks = Object.fromEntries(rows.map((row) => [row.split(' ')[0], Number(row.split(' ')[1])]));
    const instructions = (/** @type {number} */ number) => Math.round((number * 40) / 64 / CALLS);
    const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8').replaceAll('\n', ' ');
    expect(page).toContain(
      `with 512 bytes, ${Math.round(sum / PATIENCE)} bytes per second. A call takes ${instructions(ticks.repeat_idle - ticks.empty)} instructions if no name is due, and ${instructions(ticks.repeat_name)} with a name of 10 characters`,
    );
  });
});
