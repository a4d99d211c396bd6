// SPDX-License-Identifier: MIT
// Time ranges from saved states, snapshots, and conversions that continue later: the bytes of one uninterrupted conversion.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import { convert, convertPart, inspect } from '../../wasm/convert.js';
import type { Part } from '../../wasm/convert.js';
import { loadSeconds, traceOf } from '../../wasm/estimate.js';
import { createLibrary } from '../../wasm/library.js';
import { Points } from '../../wasm/checkpoints.js';
import { timeRangeOf, traceNs } from '../../wasm/report.js';
import { CoreError } from '../../wasm/errors.js';
import { Handle } from '../../wasm/handle.js';
import { Host } from '../../wasm/host.js';
import type { InputChoice, Source } from '../../wasm/types.js';
import { tar, zip } from '../common/archives.mjs';
import { recordingsOf } from '../common/recordings.js';
import { FluxStream } from '../generator/flux.mjs';
import { frame } from '../generator/tband.mjs';
import { root, tool } from '../golden/cases.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-parts-'));
const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
const library = createLibrary({
  compile,
  open: async () => {
    throw new Error('no paths here');
  },
});
const demo = (name: string): Uint8Array => readFileSync(join(root, 'web', 'public', 'demos', name));
let module: WebAssembly.Module;

beforeAll(async () => {
  module = await compile();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* slices(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Counts the bytes read from it, and how often it is open. */
class Counted implements Source {
  readonly size: number;
  read = 0;
  isOpen = 0;

  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
    seeks = true,
  ) {
    this.size = bytes.length;
    if (!seeks) this.openAt = undefined as never;
  }

  open(): AsyncGenerator<Uint8Array> {
    return this.openAt(0);
  }

  async *openAt(offset: number): AsyncGenerator<Uint8Array> {
    this.isOpen++;
    try {
      for await (const slice of slices(this.bytes.subarray(offset))) {
        this.read += slice.length;
        yield slice;
      }
    } finally {
      this.isOpen--;
    }
  }
}

const joined = (blocks: Uint8Array[], head: Uint8Array): Buffer => {
  const trace = Buffer.concat(blocks);
  trace.set(head);
  return trace;
};

async function whole(sources: Source[], choices: InputChoice[], options: Record<string, string>): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  const { head } = await convert(module, sources, choices, options, { onBlock: (block) => blocks.push(block) });
  return joined(blocks, head);
}

async function partOf(sources: Source[], choices: InputChoice[], part: Part): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  const { head, bytes } = await convertPart(module, sources, choices, {}, part, {
    onBlock: (block) => blocks.push(block),
  });
  const trace = joined(blocks, head);
  expect(trace.length).toBe(bytes);
  return trace;
}

async function register(sources: Source[], points: Points) {
  const [choices] = recordingsOf(await inspect(module, sources));
  let blocks = 0;
  const { report, leftOut } = await convert(
    module,
    sources,
    choices!,
    {},
    {
      points,
      onBlock: () => {
        blocks++;
      },
    },
  );
  expect(blocks).toBe(0);
  const ns = traceNs(report),
    { start, duration } = timeRangeOf(report),
    [first, span] = [start * ns, duration * ns];
  const at = (percent: bigint): bigint => first + (span * percent) / 100n;
  return { choices: choices!, report, leftOut, at, tickNs: String(report.tick.ns) };
}

const asWords = ({ fromNs, toNs, tickNs }: Part): string[] => [
  `range-tick-ns=${tickNs}`,
  `from-ns=${fromNs}`,
  `to-ns=${toNs}`,
];

/** The trace that the native library writes. `files`: PATH or PATH@CORE. */
function natively(files: string[], part: Part): Buffer {
  const out = join(folder, 'native.pftrace');
  execFileSync(tool, ['--out', out, ...asWords(part), ...files]);
  return readFileSync(out);
}

describe.each(CASES.map((one) => [one.name, one] as const))('%s', (name, one) => {
  test('a range from the nearest state equals that of the whole', async () => {
    const { paths, cores, files } = inputs(one, '1M');
    const sources = paths.map(
      (path, i) => new Counted(paths.length > 1 ? `x.core${i}.bin` : 'x.bin', readFileSync(path)),
    );
    const points = new Points(64 << 10);
    const { choices, at, tickNs } = await register(sources, points);
    expect(points.count).toBeGreaterThan(8);
    for (const [from, to] of [
      [50n, 51n],
      [3n, 30n],
      [98n, 100n],
    ] as const) {
      const part = { fromNs: at(from), toNs: at(to), tickNs, points };
      for (const source of sources) source.read = 0;
      const trace = await partOf(sources, choices, part);
      const read = sources.reduce((sum, source) => sum + source.read, 0);
      expect([from, trace.equals(natively(files, part))]).toEqual([from, true]);
      if (from !== 50n) continue;
      if (!name.startsWith('flux')) expect(read).toBeLessThan(550_000);
      expect(
        trace.equals(await whole(sources, choices, { 'from-ns': String(part.fromNs), 'to-ns': String(part.toNs) })),
      ).toBe(true);
    }
  });

  test('the estimated size of a trace that is not written', async () => {
    const { paths } = inputs(one, '1M');
    const sources = paths.map(
      (path, i) => new Counted(paths.length > 1 ? `x.core${i}.bin` : 'x.bin', readFileSync(path)),
    );
    const { choices, leftOut } = await register(sources, new Points());
    const { report } = await convert(module, sources, choices, {});
    const guess = traceOf(leftOut),
      { packets, bytes } = report.output;
    expect(guess.packets / Number(packets)).toSatisfy((ratio: number) => ratio > 0.7 && ratio < 1.4);
    expect(guess.bytes / Number(bytes)).toSatisfy((ratio: number) => ratio > 0.6 && ratio < 1.7);
  });
});

test('without memory for a further state, the first pass continues, and ranges use the existing states', async () => {
  const source = new Counted('x.bin', readFileSync(inputs(CASES[0]!, '1M').paths[0]!));
  const { report } = await register([source], new Points(64 << 10));
  for (const failure of [
    new CoreError('no-memory', 'out of memory'),
    new RangeError('Array buffer allocation failed'),
  ]) {
    const { save } = Host.prototype;
    let saved = 0;
    const spy = vi.spyOn(Host.prototype, 'save').mockImplementation(function (this: Host) {
      if (++saved > 3) throw failure;
      return save.call(this);
    });
    const points = new Points(64 << 10);
    const { choices, at, tickNs, report: again } = await register([source], points);
    spy.mockRestore();
    expect([again, points.count, saved]).toEqual([report, 3, 4]);
    const part = { fromNs: at(50n), toNs: at(51n), tickNs, points };
    expect(
      (await partOf([source], choices, part)).equals(await partOf([source], choices, { ...part, points: null })),
    ).toBe(true);
  }
});

test('flux: the samples of a later trace within a range are included, for any distance in the file', async () => {
  const stream = new FluxStream().head('first', { trace: 1 }).signal(1, 'n', 'integer').open(0, 'us', 0);
  for (let i = 0; i < 10_000; i++) stream.int(1, 1, i);
  stream
    .head('second', { trace: 2 })
    .signal(1, 'words', 'text')
    .open(0, 'us', 0)
    .words(1, 100, 'said much later')
    .words(1, 100, 'and after it')
    .close(0, 300);
  const sources = [new Counted('x.recTr', stream.bytes())],
    [choices] = recordingsOf(await inspect(module, sources));
  const trace = await whole(sources, choices!, { 'from-ns': '50000', 'to-ns': '150000' });
  expect([trace.includes('said much later'), trace.includes('and after it')]).toEqual([true, false]);
});

test.each([
  ['plain', (bytes: Buffer) => bytes],
  ['gzip', (bytes: Buffer) => gzipSync(bytes)],
])('a source that is not read to its end is closed, %s', async (_, pack) => {
  const source = new Counted('x.bin', pack(readFileSync(inputs(CASES[0]!, '1M').paths[0]!)));
  const { choices, at, tickNs } = await register([source], new Points());
  const stop = new AbortController();
  await expect(
    convert(module, [source], choices, {}, { signal: stop.signal, onBlock: () => stop.abort() }),
  ).rejects.toThrow(/abort/i);
  expect(source.isOpen).toBe(0);
  source.read = 0;
  await partOf([source], choices, { fromNs: at(1n), toNs: at(2n), tickNs, points: null });
  expect([source.isOpen, source.read < source.size / 2]).toEqual([0, true]);
});

/** Measured with the viewer's engine, see docs/performance.json; recordings that are not generated are in another folder. */
const { load } = JSON.parse(readFileSync(join(root, 'docs', 'performance.json'), 'utf8')) as {
  load: { case: string; ours: { seconds: number; bytes: number } }[];
};
const loads = CASES.flatMap((one) =>
  load.filter((row) => row.case === one.name).map(({ ours }) => [one.name, one, ours] as const),
);
test.each(loads)('the estimated load time: %s', async (_, one, { seconds, bytes }) => {
  const { paths } = inputs(one, '1M');
  const sources = paths.map((path) => new Counted(path, readFileSync(path)));
  const { report } = await convert(module, sources, recordingsOf(await inspect(module, sources))[0]!, {});
  const packets = (bytes * Number(report.output.packets)) / Number(report.output.bytes);
  expect(loadSeconds({ packets, bytes }) / seconds).toSatisfy((ratio: number) => ratio > 0.6 && ratio < 1.7);
});

describe('restart points', () => {
  test('are bounded in number and bytes', async () => {
    const { paths } = inputs(CASES[0]!, '1M');
    const sources = [new Counted('x.bin', readFileSync(paths[0]!))];
    const points = new Points(4096, 5_000_000);
    const { choices, at, tickNs } = await register(sources, points);
    expect(points.count).toBeGreaterThan(2);
    expect(points.bytes).toBeLessThanOrEqual(5_000_000);
    const part = { fromNs: at(70n), toNs: at(71n), tickNs, points };
    expect((await partOf(sources, choices, part)).equals(natively(paths, part))).toBe(true);
  });

  const big = (): Buffer => readFileSync(inputs(CASES[0]!, '4M').paths[0]!);
  const halves = (bytes: Buffer): Buffer =>
    Buffer.concat([gzipSync(bytes.subarray(0, 1_000_000)), gzipSync(bytes.subarray(1_000_000))]);
  test.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes)],
    ['gzip of two members', halves],
    ['zip', (bytes: Buffer) => zip([{ path: 'x.bin', bytes, deflated: true }])],
    ['zip, stored', (bytes: Buffer) => zip([{ path: 'x.bin', bytes }])],
    ['gzip within a zip', (bytes: Buffer) => zip([{ path: 'x.bin.gz', bytes: gzipSync(bytes), deflated: true }])],
    ['tar', (bytes: Buffer) => tar([{ path: 'x.bin', bytes }])],
    ['tar, gzip', (bytes: Buffer) => gzipSync(tar([{ path: 'x.bin', bytes }]))],
  ] as const)('are used for packed files: %s', async (_, pack) => {
    const source = new Counted('x', pack(big()));
    const points = new Points(256 << 10);
    const { choices, at, tickNs } = await register([source], points);
    for (const [from, to] of [
      [90n, 91n],
      [40n, 41n],
    ] as const) {
      const part = { fromNs: at(from), toNs: at(to), tickNs, points };
      source.read = 0;
      expect((await partOf([source], choices, part)).equals(natively([inputs(CASES[0]!, '4M').paths[0]!], part))).toBe(
        true,
      );
      expect(source.read).toBeLessThan(source.size * 0.3);
    }
  });

  test('are used for sources that cannot seek, packed ones too', async () => {
    const { paths } = inputs(CASES[0]!, '1M');
    for (const bytes of [readFileSync(paths[0]!), gzipSync(readFileSync(paths[0]!))]) {
      const sources = [new Counted('x.bin', bytes, false)];
      sources[0]!.open = () => slices(bytes);
      const points = new Points(64 << 10);
      const { choices, at, tickNs } = await register(sources, points);
      const part = { fromNs: at(40n), toNs: at(41n), tickNs, points };
      expect((await partOf(sources, choices, part)).equals(natively(paths, part))).toBe(true);
    }
  });

  test('without any, a range is read from the beginning', async () => {
    const { paths } = inputs(CASES[0]!, '1M');
    const sources = [new Counted('x.bin', readFileSync(paths[0]!))];
    const { choices, at, tickNs } = await register(sources, new Points());
    const part = { fromNs: at(40n), toNs: at(41n), tickNs, points: null };
    sources[0]!.read = 0;
    expect((await partOf(sources, choices, part)).equals(natively(paths, part))).toBe(true);
    expect(sources[0]!.read).toBeLessThan(600_000);
  });
});

describe('a recording that arrives in pieces', () => {
  const recording = demo('freertos.bin');

  test('becomes the trace of the whole, with any requests in between', async () => {
    const { trace, reportJson } = await library.convert(recording);
    const conversion = await library.startConversion({ name: 'recording' });
    const pieces: Uint8Array[] = [];
    let snapshots = 0;
    for await (const piece of slices(recording, 7001)) {
      pieces.push(conversion.feed(piece));
      const { rest, head } = conversion.snapshot();
      snapshots += joined([...pieces, rest], head).length > 500 ? 1 : 0;
      expect(conversion.save().length).toBeGreaterThan(100_000);
    }
    const { rest, head, reportJson: told } = conversion.finish();
    expect(joined([...pieces, rest], head).equals(trace)).toBe(true);
    expect(JSON.parse(told).events).toEqual(JSON.parse(reportJson).events);
    expect(snapshots).toBeGreaterThan(3);
  });

  test('a snapshot is the trace of the bytes so far', async () => {
    const half = recording.subarray(0, 30_000);
    const { trace } = await library.convert(half);
    const conversion = await library.startConversion({ format: 'tonbandgeraet' });
    const fed = conversion.feed(half),
      { rest, head } = conversion.snapshot();
    conversion.close();
    expect(joined([fed, rest], head).equals(trace)).toBe(true);
  });

  test('continues in another instance', async () => {
    const { trace } = await library.convert(recording);
    const first = await library.startConversion({ format: 'tonbandgeraet' });
    const before = first.feed(recording.subarray(0, 20_001)),
      state = first.save();
    first.close();
    const second = await createLibrary({
      compile,
      open: async () => {
        throw new Error('no paths here');
      },
    }).resumeConversion(state);
    const after = second.feed(recording.subarray(20_001)),
      { rest, head } = second.finish();
    expect(joined([before, after, rest], head).equals(trace)).toBe(true);
  });

  // The size in docs/API.md.
  test('a state grows with names, not with time', async () => {
    const sizeOf = async (tasks: number, events: number): Promise<number> => {
      const conversion = await library.startConversion({ format: 'tonbandgeraet' });
      const frames = [frame('ts_resolution_ns', 1000)];
      for (let i = 1; i <= tasks; i++) frames.push(frame('task_name', i, `task ${i} of many`));
      for (let i = 0; i < events; i++) frames.push(frame('task_switched_in', 1000 + 10 * i, 1 + (i % tasks)));
      conversion.feed(Buffer.concat(frames));
      const { length } = conversion.save();
      conversion.close();
      return length;
    };
    const few = await sizeOf(3, 40);
    expect(few).toBeLessThan(845_000);
    expect((await sizeOf(3, 30_000)) - few).toBeLessThan(32 * 1024); // switches that are not written yet
    expect(await sizeOf(8191, 20_000)).toBeLessThan(6_000_000);
  });

  test.each(['finish', 'close'] as const)('has ended after %s', async (end) => {
    const conversion = await library.startConversion({ format: 'tonbandgeraet' });
    conversion.feed(recording);
    conversion[end]();
    for (const act of [
      () => conversion.feed(recording),
      () => conversion.snapshot(),
      () => conversion.save(),
      () => conversion.finish(),
    ])
      expect(act).toThrow(expect.objectContaining({ code: 'misuse', message: 'This conversion has ended.' }));
    conversion.close();
    conversion.close();
  });

  test('snapshots free their memory', async () => {
    const core = await Handle.open(module);
    core.begin();
    core.setOption('format', 'tonbandgeraet');
    core.addInput('recording', 'recording', null);
    for (let at = 0; at < 20_001;) at += core.feed(0, recording.subarray(at, 20_001));
    const first = core.snapshot(),
      before = core.module.memoryBytes;
    for (let i = 0; i < 200; i++) core.snapshot();
    expect(core.module.memoryBytes).toBe(before);
    expect(core.snapshot()).toEqual(first);
    core.close();
  });

  test('a state of another module is rejected', async () => {
    const [one, other] = [await Handle.open(module), await Handle.open(module)];
    one.begin();
    one.addInput('recording', 'recording', null);
    const words = new Uint32Array(one.save().buffer);
    words[3]! ^= 1; // which module wrote it
    let sum = 0; // over all bytes after it
    for (const word of words.subarray(2)) sum = Math.imul(sum ^ word, 0x9e3779b1) ^ (sum >>> 15);
    words[1] = sum >>> 0;
    expect(() => other.restore(new Uint8Array(words.buffer))).toThrow(/no state that this program wrote/);
  });

  test('a damaged state is rejected', async () => {
    const conversion = await library.startConversion({ format: 'tonbandgeraet' });
    conversion.feed(recording.subarray(0, 20_001));
    const state = conversion.save();
    conversion.close();
    state[state.length - 100]! ^= 1;
    await expect(library.resumeConversion(state)).rejects.toThrow(/damaged/);
    await expect(library.resumeConversion(state.subarray(0, 10))).rejects.toThrow(/no state/);
    await expect(library.resumeConversion(new Uint8Array())).rejects.toThrow(/no state/);
  });
});
