// SPDX-License-Identifier: MIT
//
// A reader attaches a second after the start: within two seconds it has names and clock, because the target repeats them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { convert } from '../output/convert.mjs';
import { openTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, buildWithKernel, emulate } from './emulator.mjs';
import { HAS_GOLDEN, events } from './recordings.mjs';

const ATTACHED = 1,
  PATIENCE = 2; // seconds
const PERIOD_NS = 20e6;

/** Runs of tasks, in seconds. @param {any} recording @param {number} from @param {number} to */
async function runs(recording, from, to) {
  const engine = await openTraceProcessor();
  engine.load(recording.trace);
  return engine.query(`select ts, dur, thread.name from sched_slice join thread using (utid)
    where ts > ${from}e9 and ts < ${to}e9 and utid <> 0 order by ts`);
}

describe.skipIf(!CAN_RUN)('a capture that begins late', () => {
  /** @type {Uint8Array} */ let bytes;
  /** @type {any[]} */ let all;
  beforeAll(() => {
    bytes = emulate(buildWithKernel('late', 'cortex-m3', 'late', ['-Os']), 5);
    all = events('late', bytes);
  });

  /** The bytes of a time range, in seconds; it begins within a frame. @param {number} from @param {number} to */
  const cut = (from, to) => {
    const at = (/** @type {number} */ time) => all.find((event) => Number(event.seconds) >= time)?.offset;
    return bytes.slice(at(from) + 3, at(to));
  };

  test('has names and clock after two seconds, and the same figures', async () => {
    const whole = convert([{ bytes }]),
      late = convert([{ bytes: cut(ATTACHED, ATTACHED + PATIENCE) }]);
    const names = (/** @type {any[]} */ rows) => rows.map(({ name }) => name).sort();
    expect(names(late.report.tasks)).toEqual(names(whole.report.tasks).filter((name) => name !== 'finish'));
    expect(late.report.tasks.filter((/** @type {any} */ task) => task.idle).map((/** @type {any} */ task) => task.name)).toEqual(['IDLE']);
    expect(names(late.report.queues)).toEqual(['items']);
    expect(late.report.tick.hz).toBe(168e6);
    expect(late.report.problems).toEqual([]);
    const [from, to] = [ATTACHED + 0.1, ATTACHED + PATIENCE - 0.1];
    const seen = await runs(late, from, to);
    expect(seen.length).toBeGreaterThan(100);
    expect(seen).toEqual(await runs(whole, from, to));
    const sends = seen.filter(({ name }) => name === 'send').map(({ ts }) => Number(ts));
    const mean = (sends[sends.length - 1] - sends[0]) / (sends.length - 1);
    expect(Math.abs(mean - PERIOD_NS)).toBeLessThan(PERIOD_NS / 1e4);
  });

  test('repetition changes nothing in a capture from the start', () => {
    const { report } = convert([{ bytes }]);
    expect(report.problems).toEqual([]);
    expect(report.summary?.restarts ?? 0).toBe(0);
  });

  test.skipIf(!HAS_GOLDEN)('takes the documented bytes per second', () => {
    const kinds = new Set(['tick length', 'clock rate', 'task name', 'idle task', 'timer task', 'queue name', 'queue kind', 'interrupt name', 'value name']);
    const repeated = all.filter((event, i) => kinds.has(event.event) && i > all.findIndex(({ event: kind }) => kind === 'task switched in'));
    const sum = repeated.reduce((total, event) => total + event.length, 0);
    const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8');
    expect(page).toContain(`${Math.round(sum / 4)} bytes per second`);
  });
});
