// SPDX-License-Identifier: MIT
//
// FreeRTOS on two cores at once: a recording per core, without a lock between them.
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { openTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, buildExample, emulateAtOnce, emulateUarts } from './emulator.mjs';
import { HAS_GOLDEN, events, frames } from './recordings.mjs';

const SHIFT = 5;
const RUNS = Number(process.env.TONKOPF_SMP_RUNS ?? 2);
const EXPECTED = ['CORE_ENDS_EARLY']; // one has no work at the end

describe.skipIf(!CAN_RUN)('FreeRTOS on two Cortex-M33', () => {
  /** @type {string} */ let image;
  beforeAll(() => {
    image = buildExample('freertos-smp');
  });

  /** Moments at which a task runs on two cores, and how often one moves. @param {Uint8Array[]} recordings */
  async function look(recordings) {
    const { trace, report } = convert(recordings.map((bytes, core) => ({ bytes, core })));
    const engine = await openTraceProcessor();
    engine.load(trace);
    const overlaps = engine.query(`select count(*) as n from sched_slice a join sched_slice b on a.utid = b.utid and a.cpu < b.cpu
      where a.utid <> 0 and a.ts < b.ts + b.dur and b.ts < a.ts + a.dur`)[0].n;
    const moving = engine.query('select count(*) as n from (select utid from sched_slice where utid <> 0 group by utid having count(distinct cpu) = 2)')[0].n;
    return { report, overlaps, moving };
  }

  test('every run has the same bytes where the cores take turns', async () => {
    const [first, second] = [0, 1].map(() => emulateUarts(image, SHIFT, 'mps2-an521', 3));
    expect(second).toEqual(first);
    if (HAS_GOLDEN) for (const core of [0, 1]) await expect(frames(first[core])).toMatchFileSnapshot(`golden/freertos-smp-core${core}.txt`);
  });

  test.each(Array.from({ length: RUNS }, (_, i) => i + 1))('both at once, run %i: no frame is damaged, no task is on two cores', async () => {
    const [core0, core1, notes] = emulateAtOnce(image);
    const { report, overlaps, moving } = await look([core0, core1]);
    const told = Number(/^received (\d+)\n$/.exec(notes.toString())?.[1]);
    expect(report.problems.map((/** @type {any} */ problem) => problem.id).filter((/** @type {string} */ id) => !EXPECTED.includes(id))).toEqual([]);
    expect(overlaps).toBe(0);
    expect(moving).toBeGreaterThan(0);
    const values = [core0, core1].flatMap((bytes, core) => events(`smp-core${core}`, bytes)).filter((event) => event.event === 'value').map((event) => event.value);
    expect(Math.max(...values)).toBe(told);
    expect(new Set(values).size).toBe(values.length);
  });
});
