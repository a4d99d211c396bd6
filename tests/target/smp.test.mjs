// SPDX-License-Identifier: MIT
//
// FreeRTOS on two cores at once: a recording per core, without a lock between them.
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { sharedTraceProcessor } from '../output/trace-processor.mjs';
import { CAN_RUN, buildExample, emulateAtOnce, emulateUarts } from './emulator.mjs';
import { HAS_GOLDEN, events, frames, numbers } from './recordings.mjs';

const SHIFT = 5;
const RUNS = Number(process.env.TONKOPF_SMP_RUNS ?? 1);
const EXPECTED = ['CORE_ENDED_EARLY']; // one core has no work at the end
const EXPECTED_AT_ONCE = [...EXPECTED, 'ISR_OPEN_AT_END']; // core 0 ends the program while core 1 is in an interrupt
const END = "'data of a core ends'"; // a problem of separate files

/** Converts a recording: its report, and queries of its trace. @param {{ bytes: Uint8Array, core?: number }[]} inputs */
async function open(inputs) {
  const { trace, report } = convert(inputs);
  const engine = await sharedTraceProcessor();
  engine.load(trace);
  return { report, engine };
}

/** @param {any} report @param {string[]} expected */
const unexpected = (report, expected = EXPECTED) =>
  report.problems
    .map((/** @type {any} */ problem) => problem.id)
    .filter((/** @type {string} */ id) => !expected.includes(id));

/** Numbers that the consumer recorded, each once, sorted: more than 100,000 if a busy machine stops one core. @param {any[]} all of its events */
function handedOver(all) {
  const values = all
    .filter((event) => event.event === 'value')
    .map((event) => Number(event.value))
    .sort((a, b) => a - b);
  expect(new Set(values).size).toBe(values.length);
  return values;
}

describe.skipIf(!CAN_RUN)('FreeRTOS on two Cortex-M33', () => {
  /** @type {string} */ let image;
  beforeAll(() => {
    image = buildExample('freertos-smp');
  });

  /** Times at which a task runs on two cores, and the number of migrations. @param {{ bytes: Uint8Array, core?: number }[]} inputs */
  async function look(inputs) {
    const { report, engine } = await open(inputs);
    const overlaps =
      engine.query(`select count(*) as n from sched_slice a join sched_slice b on a.utid = b.utid and a.cpu < b.cpu
      where a.utid <> 0 and a.ts < b.ts + b.dur and b.ts < a.ts + a.dur`)[0].n;
    const moving = engine.query(
      'select count(*) as n from (select utid from sched_slice where utid <> 0 group by utid having count(distinct cpu) = 2)',
    )[0].n;
    return { report, overlaps, moving };
  }

  test('every run has the same bytes if the emulator runs the cores in turn', async () => {
    const [first, second] = [0, 1].map(() => emulateUarts(image, SHIFT, 'mps2-an521', 3));
    expect(second).toEqual(first);
    expect(
      (
        await look([
          { bytes: first[0], core: 0 },
          { bytes: first[1], core: 1 },
        ])
      ).moving,
    ).toBeGreaterThan(0); // running at once, the host determines the order
    if (HAS_GOLDEN)
      for (const core of [0, 1])
        await expect(frames(first[core])).toMatchFileSnapshot(`golden/freertos-smp-core${core}.txt`);
  });

  test.each(Array.from({ length: RUNS }, (_, i) => i + 1))(
    'both at once, run %i: no frame is damaged, no task is on two cores',
    async () => {
      const [core0, core1, notes] = emulateAtOnce(image);
      const { report, overlaps } = await look([
        { bytes: core0, core: 0 },
        { bytes: core1, core: 1 },
      ]);
      expect(unexpected(report, EXPECTED_AT_ONCE)).toEqual([]);
      expect(overlaps).toBe(0);
      const all = [core0, core1].flatMap((bytes, core) => events(`smp-core${core}`, bytes));
      expect(handedOver(all).at(-1)).toBe(numbers(notes).received);
    },
  );
});

const CHUNK = 0x89,
  DELIMITER = 0;

/** Extracts the streams of the cores from one stream with chunks. @param {Uint8Array} stream */
function perCore(stream) {
  /** @type {number[][]} */ const streams = [[], []];
  let core = 0,
    chunks = 0;
  for (let at = 0, end; at < stream.length; at = end + 1) {
    end = stream.indexOf(DELIMITER, at);
    const isChunk = stream[at + 1] === CHUNK && end - at === 4;
    if (isChunk)
      core = stream[at] === 2 ? 0 : stream[at + 2]; // COBS code of the number 0
    else streams[core].push(...stream.subarray(at, end + 1));
    chunks += Number(isChunk);
  }
  return { streams: streams.map((bytes) => Uint8Array.from(bytes)), chunks };
}

describe.skipIf(!CAN_RUN)('the streams of both cores over one link', () => {
  /** @type {string} */ let image;
  beforeAll(() => {
    image = buildExample('freertos-smp', 'OUT=link');
  });

  test('in chunks: the trace is that of a stream per core', async () => {
    const [first, second] = [0, 1].map(() => emulateUarts(image, SHIFT, 'mps2-an521', 3));
    expect(second).toEqual(first);
    const [bytes, , notes] = first,
      { streams, chunks } = perCore(bytes);
    expect(chunks).toBeGreaterThan(20);
    const [joined, apart] = [
      await open([{ bytes }]),
      await open(streams.map((stream, core) => ({ bytes: stream, core }))),
    ];
    expect(joined.report.problems).toEqual([]);
    const ask = (/** @type {any} */ { engine }) =>
      engine.query('select ts, dur, cpu, th.name from sched_slice join thread th using (utid) order by ts, cpu');
    const runs = ask(joined);
    expect(runs.length).toBeGreaterThan(200);
    // A file per core ends with the last event of its core. Only there the last run has an end, after which nothing is
    // recorded; a run that begins with the last event is left out. In chunks the last run of a core has no end.
    const until = joined.report.cores.map((/** @type {any} */ core) => Number(core.end));
    const ended = runs.flatMap((/** @type {any} */ run) => {
      if (run.dur >= 0 && run.ts + run.dur <= until[run.cpu]) return [run];
      return run.ts < until[run.cpu] ? [{ ...run, dur: until[run.cpu] - run.ts }] : [];
    });
    expect(ended.length).toBeGreaterThan(runs.length - 3);
    const of_tasks = ask(apart).filter((/** @type {any} */ { name }) => name !== 'not recorded');
    expect(of_tasks).toEqual(ended);
    const kinds = `select s.name, count(*) as n, sum(dur) as dur from slice s where s.name <> ${END} group by 1 order by 1`;
    expect(joined.engine.query(kinds)).toEqual(apart.engine.query(kinds));
    expect(handedOver(events('smp-link', bytes))).toEqual(
      Array.from({ length: numbers(notes).received }, (_, i) => i + 1),
    );
    if (HAS_GOLDEN) await expect(frames(bytes)).toMatchFileSnapshot('golden/freertos-smp-link.txt');
  });

  test.each(Array.from({ length: RUNS }, (_, i) => i + 1))(
    'both at once, run %i: no frame is damaged, lost events are counted',
    async () => {
      const [bytes, , notes] = emulateAtOnce(image),
        told = numbers(notes);
      const { report } = await open([{ bytes }]);
      expect(
        report.problems.filter(
          (/** @type {any} */ { id, severity }) => severity === 'damage' || id.startsWith('TIME_'),
        ),
      ).toEqual([]);
      expect(told.dropped - report.events.lost).toBeGreaterThanOrEqual(0);
      expect(told.dropped - report.events.lost).toBeLessThanOrEqual(1); // events of the other core, while the last count was written
      expect(handedOver(events('smp-link', bytes)).at(-1)).toBeLessThanOrEqual(told.received);
    },
  );
});
