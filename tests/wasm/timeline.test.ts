// SPDX-License-Identifier: MIT
// The blocks of the timeline from a conversion in WebAssembly, read by timeline.wasm.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Points } from '../../wasm/checkpoints.js';
import { convert, convertPart, inspect } from '../../wasm/convert.js';
import type { Duration, InputChoice, Numeric, Report, Source } from '../../wasm/types.js';
import { Engine, type Item, KIND, PURPOSE, TRACK } from '../../web/src/timeline/engine.js';
import { layoutOf, linesOf, nameOfRow, noChoice } from '../../web/src/timeline/layout.js';
import { root } from '../golden/cases.mjs';

let core: WebAssembly.Module, viewer: WebAssembly.Module;

beforeAll(async () => {
  core = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
  viewer = await WebAssembly.compile(readFileSync(join(root, 'lib', 'timeline.wasm')));
});

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 8000) yield bytes.subarray(at, at + 8000);
}

function sourceOf(name: string): Source {
  const bytes = readFileSync(join(root, 'web', 'public', 'demos', name));
  return { name, size: bytes.length, open: () => slices(bytes), openAt: (offset) => slices(bytes.subarray(offset)) };
}

async function chosen(sources: Source[]): Promise<InputChoice[]> {
  const inputs = await inspect(core, sources);
  return inputs.flatMap((detected) =>
    detected.plan.role === 'none' ? [] : [{ detected, role: detected.plan.role, core: detected.plan.core }],
  );
}

interface Made {
  engine: Engine;
  trace: Uint8Array;
  pieces: number;
}

async function made(
  files: string[],
  { points, hasRows = true }: { points?: Points; hasRows?: boolean } = {},
): Promise<Made> {
  const sources = files.map(sourceOf),
    engine = await Engine.open(viewer, 64 << 20),
    blocks: Uint8Array[] = [];
  let pieces = 0;
  await convert(
    core,
    sources,
    await chosen(sources),
    {},
    {
      onBlock: (block) => void blocks.push(block),
      ...(hasRows && {
        onRows: (rows: Uint8Array) => {
          pieces += 1;
          engine.add(rows);
        },
      }),
      ...(points && { points }),
    },
  );
  return { engine, trace: Buffer.concat(blocks), pieces };
}

/** All items of all rows. */
function itemsOf(engine: Engine): [row: number, ...Pick<Item, 'begin' | 'end' | 'value'>[]][] {
  return engine.rows()[0].map(([row]) => {
    const items = [];
    for (let item = engine.from(row, 0n); item; item = engine.next(row, item.place))
      items.push({ begin: item.begin, end: item.end, value: item.value });
    return [row, ...items];
  });
}

const recordings: [string, string[]][] = [
  ['FreeRTOS', ['freertos.bin']],
  ['two files', ['two-cores.core0.bin', 'two-cores.core1.bin']],
  ['damaged', ['damaged.bin']],
  ['TraceRecorder', ['tracerecorder.psf']],
  ['QS', ['active-objects.bin']],
  ['calls', ['calls.bin', 'calls.elf', 'calls.times']],
  ['VCD', ['uart.vcd']],
];

test('the first blocks of a recording have the length of a tick', async () => {
  const source = sourceOf('freertos.bin'),
    engine = await Engine.open(viewer, 64 << 20),
    begun: bigint[] = [];
  const onRows = (rows: Uint8Array): void => {
    engine.add(rows);
    begun.push(engine.facts().tickNs);
  };
  await convert(core, [source], await chosen([source]), {}, { onRows });
  expect(begun.length).toBeGreaterThan(1);
  expect(begun[0]).toBe(engine.facts().tickNs);
});

describe.each(recordings)('%s', (_, files) => {
  test('the trace is the same with and without a timeline', async () => {
    const [withRows, without] = [await made(files), await made(files, { hasRows: false })];
    expect(Buffer.compare(withRows.trace, without.trace)).toBe(0);
    const facts = withRows.engine.facts();
    expect(facts).toMatchObject({ damaged: 0, isFinal: true, isDropped: false });
    expect(facts.points).toBeGreaterThan(10);
    expect(without.pieces).toBe(0);
  });

  test('saved states change neither the timeline nor the trace of a time range', async () => {
    const states = new Points(20_000),
      statesWithout = new Points(20_000);
    const [saved, plain] = [await made(files, { points: states }), await made(files)];
    await made(files, { points: statesWithout, hasRows: false });
    expect(itemsOf(saved.engine)).toEqual(itemsOf(plain.engine));
    const sources = files.map(sourceOf),
      facts = plain.engine.facts(),
      ns = (share: bigint): bigint => (facts.first + ((facts.last - facts.first) * share) / 10n) * facts.tickNs;
    const part = async (points: Points): Promise<Uint8Array> => {
      const blocks: Uint8Array[] = [];
      const range = { fromNs: ns(5n), toNs: ns(7n), tickNs: String(facts.tickNs), points };
      await convertPart(core, sources, await chosen(sources), {}, range, {
        onBlock: (block) => void blocks.push(block),
      });
      return Buffer.concat(blocks);
    };
    expect(Buffer.compare(await part(states), await part(statesWithout))).toBe(0);
  });

  test('every row has a line with a name', async () => {
    const { engine } = await made(files);
    const layout = layoutOf(engine.rows());
    const names = layout.sections.flatMap((section) => [
      section.key,
      ...section.rows.map(({ row }) => nameOfRow(section, row)),
    ]);
    const folds = Object.fromEntries(names.map((name) => [name, true]));
    const lines = linesOf(layout, { ...noChoice, folds });
    const shown = lines.filter(({ row }) => row);
    expect(shown.length + layout.hidden).toBe(engine.rows()[0].filter(([, kind]) => kind !== KIND.flows).length);
    expect(shown.every(({ row }) => row!.title)).toBe(true);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });
});

/** Intervals of each recording; TONKOPF_INTERVALS=200 tries more. */
const INTERVALS = Number(process.env['TONKOPF_INTERVALS'] ?? 4);
const RUNNING = 2n,
  UNRECORDED = 7n;

/** Rows of one track, by its id. */
const rowsOf = (engine: Engine, track: number, kinds: number[]): number[] =>
  engine.rows()[0].flatMap(([row, kind, owner]) => (owner === track && kinds.includes(kind) ? [row] : []));

const number = (value: Numeric | null | undefined): bigint | null => (value == null ? null : BigInt(value));

/** The interrupts of the report: core, name, count, measured, total and lengths. */
function interruptsOf({ interrupts = [] }: Report, tickNs: bigint): unknown[] {
  const ticks = (time: Duration | null): bigint | null => (time == null ? null : BigInt(time) / tickNs);
  return interrupts.map(({ core, name, count, count_unmeasured, total, min, p50, p95, p99, max }) => [
    Number(core),
    name,
    number(count),
    number(count)! - (number(count_unmeasured) ?? 0n),
    ticks(total) ?? 0n,
    ...[min, p50, p95, p99, max].map(ticks),
  ]);
}

/** The same from the rows of the timeline. */
function interruptsIn(engine: Engine, from: bigint, to: bigint): unknown[] {
  const tracks = engine.rows()[1].filter(([, , , , , , , , purpose]) => purpose === PURPOSE.interrupts);
  return tracks.flatMap(([track, , , , , , , , , core]) => {
    const rows = rowsOf(engine, track, [KIND.slices]),
      values = new Set(rows.flatMap((row) => engine.values(row, from, to)));
    return [...values].flatMap((value) => {
      const figures = engine.figures(rows, value, from, to)!;
      const lengths = [figures.min, figures.p50, figures.p95, figures.p99, figures.max];
      const measured = figures.whole ? lengths : lengths.map(() => null);
      if (!figures.count) return []; // it is open during the whole interval
      return [[core - 1, engine.name(value), figures.count, figures.whole, figures.wholeTotal, ...measured]];
    });
  });
}

/** The runs of a task whose length is unknown, because events were lost in them. */
function unrecordedIn(engine: Engine, row: number, from: bigint, to: bigint): Item[] {
  const runs: Item[] = [];
  let item = engine.at(row, from, from) ?? engine.from(row, from);
  for (; item && item.begin <= to; item = engine.next(row, item.place)) if (item.value === UNRECORDED) runs.push(item);
  return runs;
}

/** Number of instants and slices of all markers with a name, which may be markers of several cores. */
function markersIn(engine: Engine, name: string, from: bigint, to: bigint): bigint {
  const tracks = engine.rows()[1].filter(([, , kind, , , , title]) => title === name && kind === TRACK.slices),
    rows = tracks.flatMap(([track]) => rowsOf(engine, track, [KIND.slices, KIND.instants]));
  return rows.map((row) => begins(engine, row, from, to)).reduce((sum, one) => sum + one, 0n);
}

/** Number of operations on all queues with a name: each one sets the length of the queue. */
function operationsIn(engine: Engine, name: string, from: bigint, to: bigint): bigint {
  const tracks = engine.rows()[1].filter(([, , , , , , title, unit]) => title === name && /items|tokens|^$/.test(unit)),
    rows = tracks.flatMap(([track]) => rowsOf(engine, track, [KIND.numbers]));
  return rows.map((row) => engine.figures([row], 0n, from, to)!.count).reduce((sum, one) => sum + one, 0n);
}

function begins(engine: Engine, row: number, from: bigint, to: bigint): bigint {
  let count = 0n;
  for (let item = engine.from(row, from); item && item.begin <= to; item = engine.next(row, item.place)) count++;
  return count;
}

const sorted = (rows: unknown[]): string[] => rows.map(String).sort();

describe('figures of an interval are those of the report of this time range', () => {
  test.each([
    ['FreeRTOS', ['freertos.bin']],
    ['two files', ['two-cores.core0.bin', 'two-cores.core1.bin']],
    ['damaged', ['damaged.bin']],
    ['TraceRecorder', ['tracerecorder.psf']],
    ['SystemView', ['printer.SVDat']],
    ['QS', ['active-objects.bin']],
    ['bare metal', ['bare-metal.bin']],
  ])('%s', async (_, files) => {
    const { engine } = await made(files),
      { first, last, tickNs } = engine.facts(),
      rows = engine.rows()[0].filter(([, kind]) => kind === KIND.task);
    let seed = 1,
      compared = 0;
    const any = (most: bigint): bigint => {
      seed = (seed * 48271) % 2147483647;
      return (BigInt(seed) * most) / 2147483647n;
    };
    for (let turn = 0; turn < INTERVALS; turn++) {
      const [a, b] = [first + any(last - first), first + any(last - first)],
        [from, to] = a < b ? [a, b] : [b, a + 1n];
      const sources = files.map(sourceOf);
      const { report } = await convert(
        core,
        sources,
        await chosen(sources),
        { 'figures-from-ns': String(from * tickNs), 'figures-to-ns': String(to * tickNs) },
        { onBlock: () => {} },
      );
      if (report.time.start === null) {
        for (const { cpu } of report.tasks ?? []) expect(cpu ?? 0).toBe(0); // no event is in the interval
        continue;
      }
      // The report begins and ends with an event.
      const [begin, end] = [report.time.start, report.time.end].map((time) => BigInt(time!) / tickNs) as [
        bigint,
        bigint,
      ];
      for (const { name, pid, cpu, runs_unmeasured } of report.tasks ?? []) {
        const row = rows.find(([, , owner]) => owner === Number(pid));
        const figures = row && engine.figures([row[0]], RUNNING, begin, end);
        const unrecorded = row ? unrecordedIn(engine, row[0], begin, end) : [],
          open = unrecorded.at(-1);
        let total = figures?.total ?? 0n,
          unmeasured = BigInt(unrecorded.length);
        // A loss after the end of the range is not in its report, which measures the run that goes on at the end.
        if (open && open.end > end && unmeasured > number(runs_unmeasured)!) {
          total += end - open.begin;
          unmeasured--;
        }
        expect([name, begin, end, number(runs_unmeasured), number(cpu)]).toEqual([
          name,
          begin,
          end,
          unmeasured,
          total * tickNs,
        ]);
        compared++;
      }
      const interrupts = interruptsOf(report, tickNs);
      expect([begin, end, ...sorted(interruptsIn(engine, begin, end))]).toEqual([begin, end, ...sorted(interrupts)]);
      const markers = new Map<string, bigint>();
      for (const { name, count } of report.markers ?? []) markers.set(name, (markers.get(name) ?? 0n) + number(count)!);
      for (const [name, count] of markers)
        expect([name, begin, end, markersIn(engine, name, begin, end)]).toEqual([name, begin, end, count]);
      const queues = new Map<string, bigint>();
      for (const { name, kind, operations } of report.queues ?? [])
        if (!kind?.includes('mutex')) queues.set(name, (queues.get(name) ?? 0n) + number(operations)!); // held or not
      for (const [name, operations] of queues)
        expect([name, begin, end, operationsIn(engine, name, begin, end)]).toEqual([name, begin, end, operations]);
      compared += interrupts.length + markers.size + queues.size;
    }
    expect(compared).toBeGreaterThan(0);
  });
});
