// SPDX-License-Identifier: MIT
// Converts files in any encoding: packed, truncated, as text, several in one; the trace is the same as from the plain bytes.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert, inspect } from '../../wasm/convert.js';
import type { Conversion, Listeners } from '../../wasm/convert.js';
import { Host } from '../../wasm/host.js';
import type { InputChoice, DetectedInput, Report, Source } from '../../wasm/types.js';
import { zip } from '../common/archives.mjs';
import { golden_input, root } from '../golden/cases.mjs';

let module: WebAssembly.Module;
let plain: Uint8Array;

beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
  plain = readFileSync(join(root, 'web', 'public', 'demos', 'freertos.bin'));
});

async function* slices(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const source = (bytes: Uint8Array | string, name = 'capture.bin', slice = 1 << 16): Source => {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return { name, size: data.length, open: () => slices(data, slice) };
};

const choose = (detectedInputs: DetectedInput[]): InputChoice[] =>
  detectedInputs.map((detected) => ({ detected, role: 'recording', core: detected.plan.core }));

async function run(
  sources: Source[],
  options: Record<string, string> = {},
  listeners: Listeners = {},
): Promise<Conversion & { trace: Buffer; detectedInputs: DetectedInput[] }> {
  const detectedInputs = await inspect(module, sources);
  const blocks: Uint8Array[] = [];
  const result = await convert(module, sources, choose(detectedInputs), options, {
    ...listeners,
    onBlock: (block) => blocks.push(block),
  });
  const trace = Buffer.concat(blocks);
  expect(trace.length).toBe(result.bytes);
  trace.set(result.head);
  return { ...result, trace, detectedInputs };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const lines = (text: string, width: number): string => text.match(new RegExp(`.{1,${width}}`, 'g'))!.join('\n');

describe('the same trace', () => {
  let expected: Buffer;
  beforeAll(async () => {
    expected = (await run([source(plain)])).trace;
  });

  test('from a stream in tiny slices', async () => {
    expect((await run([source(plain, 'a', 61)])).trace.equals(expected)).toBe(true);
  });

  test('a binary file is reported as binary, with the reason', async () => {
    const detectedInputs = await inspect(module, [source(plain), source(new Uint8Array(0)), source(gzipSync(plain))]);
    expect(detectedInputs.map(({ encodingReason }) => encodingReason)).toEqual([
      expect.stringMatching(/^binary: .* offset \d+$/),
      'empty',
      expect.stringMatching(/^binary/),
    ]);
  });

  test('from a ReadableStream', async () => {
    const stream: Source = { name: 'a', size: null, open: () => new Blob([Uint8Array.from(plain)]).stream() };
    expect((await run([stream])).trace.equals(expected)).toBe(true);
  });

  test('from gzip, also of several members', async () => {
    const half = plain.length >> 1;
    const members = Buffer.concat([gzipSync(plain.subarray(0, half)), gzipSync(plain.subarray(half))]);
    for (const packed of [gzipSync(plain), members]) {
      const { trace, detectedInputs, report } = await run([source(packed, 'capture.gz', 5000)]);
      expect(detectedInputs).toMatchObject([{ gzip: true, encoding: 'binary' }]);
      expect(trace.equals(expected)).toBe(true);
      expect(report.problems.map(({ id }) => id)).not.toContain('GZIP_CUT');
    }
  });

  test('from hex, base64, and hex in gzip', async () => {
    const texts = [
      lines(hex(plain), 64),
      lines(Buffer.from(plain).toString('base64'), 76),
      gzipSync(lines(hex(plain), 64)),
    ];
    for (const text of texts) {
      const { trace, detectedInputs } = await run([source(text, 'capture.txt', 7001)]);
      expect(detectedInputs[0]!.encoding).not.toBe('binary');
      expect(detectedInputs[0]!.bytes).toBe(plain.length);
      expect(trace.equals(expected)).toBe(true);
    }
  });
});

test('a truncated gzip file is converted up to the damage, with a warning', async () => {
  const packed = gzipSync(plain);
  const { report, trace } = await run([source(packed.subarray(0, packed.length >> 1), 'capture.gz')]);
  expect(report.problems.map(({ id }) => id)).toContain('GZIP_CUT');
  expect(report.events.total).toBeGreaterThan(100);
  expect(trace.length).toBeGreaterThan(1000);
});

test('a conversion continues in a restored core in the middle of a gzip member, with its checksum', async () => {
  const half = Buffer.concat([plain, plain]),
    members = [half, half].map((part) => gzipSync(part, { level: 0 })),
    packed = Buffer.concat(members),
    bad = Uint8Array.from(packed);
  bad[packed.length - 8]! ^= 1;
  interface Saved {
    state: Uint8Array;
    before: Buffer;
  }
  const states: Saved[] = [];
  const goOn = async (bytes: Uint8Array, from: Saved | null): Promise<{ trace: Buffer; messages: string[] }> => {
    const blocks: Buffer[] = from ? [from.before] : [];
    const host = await Host.open(
      module,
      [source(bytes, 'capture.gz')],
      { onBlock: (block) => void blocks.push(Buffer.from(block)) },
      { onRead: () => from ?? states.push({ state: host.save(), before: Buffer.concat(blocks) }) },
    );
    if (from) host.restore(from.state);
    else host.begin([]);
    for (let stop = await host.next(); stop !== 'close'; stop = await host.next()) if (stop === 'open') host.open();
    const trace = Buffer.concat(blocks);
    trace.set(host.head);
    expect(await host.next()).toBe('done');
    return { trace, messages: host.messages.map(({ text }) => text) };
  };
  const whole = await goOn(packed, null);
  expect([states.length > 2, whole.messages.filter((text) => text.includes('damaged'))]).toEqual([true, []]);
  for (const saved of [...states]) {
    expect((await goOn(packed, saved)).trace.equals(whole.trace)).toBe(true);
    expect((await goOn(bad, saved)).messages).toEqual([
      `capture.gz: the compressed data is damaged at byte ${packed.length - 4}; what precedes is used`,
    ]);
  }
});

test.each([
  ['cut', (packed: Buffer) => packed.subarray(0, -3), /is cut off at byte \d+; what precedes is used/],
  [
    'cut in the header of its second member',
    (packed: Buffer) => Buffer.concat([packed, packed.subarray(0, 5)]),
    /cut off/,
  ],
  [
    'with two bytes of a header after it',
    (packed: Buffer) => Buffer.concat([packed, packed.subarray(0, 2)]),
    /at byte (\d+) is no gzip/,
  ],
  [
    'with foreign bytes after it',
    (packed: Buffer) => Buffer.concat([packed, Buffer.from('padding')]),
    /at byte (\d+) is no gzip and was left out/,
  ],
])('gzip %s: the bytes before the damage are kept', async (_, change, words) => {
  const packed = gzipSync(plain),
    expected = await run([source(plain)]);
  for (const size of [1, 3, 60_000]) {
    const { trace, report, messages } = await run([source(change(packed), 'capture.gz', size)]);
    const warnings = messages.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
    expect(trace.equals(expected.trace)).toBe(true);
    expect(warnings).toEqual([expect.stringMatching(words)]);
    expect(report.problems.map(({ id }) => id)).toContain('GZIP_CUT');
    const byte = words.exec(warnings[0]!)![1];
    if (byte) expect(Number(byte)).toBe(packed.length);
  }
});

test('a damaged archive is reported once, with its first file as the position', async () => {
  const two = zip([
    { path: 'a.core0.bin', bytes: plain },
    { path: 'a.core1.bin', bytes: plain },
    { path: 'note.txt', bytes: Buffer.from('no recording') },
  ]);
  const sources = [source(two.subarray(0, -30), 'two.zip')];
  const readable = (await inspect(module, sources)).filter(({ probe }) => probe.format);
  expect(readable.map(({ plan: { group } }) => group)).toEqual([0, 0]);
  const { report } = await convert(module, sources, choose(readable), {});
  expect(report.problems.filter(({ id }) => id === 'ARCHIVE_DAMAGED')).toMatchObject([
    { severity: 'damage', count: 1, cause: expect.stringContaining('archive') },
  ]);
  expect(report.places.filter(({ problem }) => problem === 'ARCHIVE_DAMAGED')).toMatchObject([
    { input: 'two.zip/a.core0.bin', input_number: 0 },
  ]);
});

test('a truncated packed file in an archive is reported by its name', async () => {
  const packed = deflateRawSync(plain);
  const sources = [
    source(zip([{ path: 'a.bin', bytes: packed.subarray(0, packed.length >> 1), method: 8 }]), 'one.zip'),
  ];
  const { report } = await convert(module, sources, choose(await inspect(module, sources)), {});
  expect(report.events.total).toBeGreaterThan(100);
  expect(report.problems.filter(({ id }) => id === 'GZIP_CUT')).toHaveLength(1);
  expect(report.places.find(({ problem }) => problem === 'GZIP_CUT')).toMatchObject({
    input: 'one.zip/a.bin',
    offset: null,
  });
});

test('an invalid digit is reported with its line, and problems of the bytes with the line of the text', async () => {
  const damaged = Uint8Array.from(plain);
  damaged.fill(0xff, 3000, 3012); // a frame that cannot be decoded
  const text = lines(hex(damaged), 32).split('\n');
  const { report } = await run([source(text.join('\n'), 'capture.txt')]);
  const told = report.places.find(({ offset, line }) => offset !== null && line !== null);
  expect(told).toBeDefined();
  expect(told!.line).toBe(Math.floor(Number(told!.offset) / 16) + 1);
  text[200] = `${text[200]!.slice(0, 10)}zz${text[200]!.slice(12)}`;
  const bad = (await run([source(text.join('\n'), 'capture.txt')])).report;
  expect(bad.places.find(({ problem }) => problem === 'TEXT_DIGITS')).toMatchObject({ line: 201 });
});

test('two files of one recording are one trace, two unrelated ones are two', async () => {
  const [a, b] = [0, 1].map((core) =>
    readFileSync(golden_input('tonbandgeraet/names-only-in-the-other-file', `input.core${core}.bin`)),
  );
  const together = await inspect(module, [source(a!, 'x.core0.bin'), source(b!, 'x.core1.bin')]);
  expect(together.map(({ plan: { group, core } }) => [group, core])).toEqual([
    [0, 0],
    [0, 1],
  ]);
  const foreign = await inspect(module, [source(plain, 'monday.bin'), source(a!, 'tuesday.bin')]);
  expect(new Set(foreign.map(({ plan }) => plan.group)).size).toBe(2);
});

test("the format is the recognised one, or the caller's", async () => {
  const objects = source(readFileSync(golden_input('qs/lift')));
  await expect(run([source(plain)], { format: 'toString' })).rejects.toThrow('no such format');
  const recognised = await run([objects], { format: 'auto' });
  expect(recognised.report.format.name).toBe('qs');
  expect((await run([objects], { format: 'qs' })).trace.equals(recognised.trace)).toBe(true);
  expect((await run([source(plain)], { format: 'qs' })).report.format.name).toBe('qs');
  expect((await run([objects], { format: 'tonbandgeraet' })).report.format.name).toBe('tonbandgeraet');
});

test('progress reaches the size of the input, and an abort ends the conversion', async () => {
  const seen: number[] = [];
  await run([source(plain)], {}, { onProgress: ({ bytesIn, bytesTotal }) => void seen.push(bytesIn / bytesTotal!) });
  expect(seen.at(-1)).toBe(1);
  const stop = new AbortController();
  stop.abort();
  await expect(run([source(plain)], {}, { signal: stop.signal })).rejects.toThrow(/abort/i);
});

test.each([
  ['an empty file', new Uint8Array(0)],
  ['a picture', readFileSync(join(root, 'package.json')).fill(0x89)],
])('%s is rejected with a message or explained', async (_, bytes) => {
  const outcome = await run([source(bytes)]).then(
    ({ report }) => report.explain.join(' '),
    (error: Error) => error.message,
  );
  expect(outcome.length).toBeGreaterThan(20);
});

test.skipIf(!existsSync(join(root, 'lib', 'index.js')))(
  'the built library converts a path and bytes alike',
  async () => {
    const built = join(root, 'lib', 'index.js');
    const library = (await import(/* @vite-ignore */ built)) as typeof import('../../wasm/index.js');
    const folder = mkdtempSync(join(tmpdir(), 'tonkopf-lib-'));
    try {
      const path = join(folder, 'a.bin');
      writeFileSync(path, plain);
      const [fromPath, fromBytes] = [await library.convert(path), await library.convert(plain)];
      expect(Buffer.from(fromPath.trace).equals(Buffer.from(fromBytes.trace))).toBe(true);
      expect(Buffer.from(fromPath.trace).equals((await run([source(plain)])).trace)).toBe(true);
      expect(fromPath.report.inputs[0]).toMatchObject({ name: 'a.bin', bytes: plain.length });
      expect(fromPath.reportJson).toContain('a.bin');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('while a recording is read, there are reports on what was read so far, and the trace stays the same', async () => {
  const soFar: Report[] = [];
  const long = Buffer.concat(Array.from({ length: 8 }, () => plain));
  const expected = await run([source(long)]);
  async function* slowly(): AsyncGenerator<Uint8Array> {
    for await (const slice of slices(long, 1 << 15)) {
      yield slice;
      if (!soFar.length) await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
  const slow = { ...source(long), open: slowly };
  const { report, trace } = await run([slow], {}, { onReport: (now) => soFar.push(now) });
  expect(soFar.length).toBeGreaterThan(0);
  const { total } = soFar[0]!.events;
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(report.events.total);
  expect(soFar[0]!.tasks!.length).toBeGreaterThan(0);
  expect(report).toEqual(expected.report);
  expect(trace.equals(expected.trace)).toBe(true);
});
