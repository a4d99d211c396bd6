// SPDX-License-Identifier: MIT
// Inputs of the library: any object with bytes gives the same trace, and an unreadable one is an error with a name.
import { createReadStream, mkdtempSync, openAsBlob, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../wasm/api.js';
import type * as Library from '../../wasm/index.js';
import { timeRangeOf, traceNs } from '../../wasm/report.js';
import { tar, zip } from '../common/archives.mjs';
// @ts-expect-error plain JavaScript
import { gateway_recordings } from '../generator/demo-gateway.mjs';
// @ts-expect-error plain JavaScript
import { lift_recording } from '../generator/demo-lift.mjs';
// @ts-expect-error plain JavaScript
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-input-')),
  path = join(folder, 'run.bin');
const motor = Uint8Array.from(motor_recording({ bytes: 40_000 }));
const buffer = motor.buffer.slice(0) as ArrayBuffer;
let library: typeof Library;
let expected: Uint8Array;

beforeAll(async () => {
  library = (await import(/* @vite-ignore */ join(process.cwd(), 'lib', 'index.js'))) as typeof Library;
  writeFileSync(path, motor);
  expected = (await library.convert(path)).trace;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < motor.length; at += 997) yield motor.subarray(at, at + 997);
}

const webStream = (): ReadableStream<Uint8Array> => new Blob([motor]).stream();
const framed = new Uint8Array(motor.length + 20);
framed.set(motor, 10);

const kinds: [string, () => Input | Promise<Input>][] = [
  ['Uint8Array', () => motor],
  ['a view that begins later', () => framed.subarray(10, 10 + motor.length)],
  ['DataView', () => new DataView(framed.buffer, 10, motor.length)],
  ['Buffer', () => Buffer.from(motor)],
  ['ArrayBuffer', () => buffer],
  [
    'SharedArrayBuffer',
    () => {
      const shared = new SharedArrayBuffer(motor.length);
      new Uint8Array(shared).set(motor);
      return shared;
    },
  ],
  ['Blob', () => new Blob([motor])],
  ['File', () => new File([motor], 'run.bin')],
  ['Blob of a file', () => openAsBlob(path)],
  ['ReadableStream', webStream],
  ['body of a Response', () => new Response(motor).body!],
  ['Node stream', () => createReadStream(path)],
  ['Node stream of buffers', () => Readable.from(pieces())],
  ['async iterable', pieces],
  ['iterable of chunks', () => [motor.subarray(0, 1000), motor.subarray(1000)].values()],
  ['with a name', () => ({ name: 'run.bin', bytes: new Blob([motor]) })],
];

test.each(kinds)('%s', async (_, input) => {
  const { trace } = await library.convert(await input());
  expect(Buffer.from(trace).equals(Buffer.from(expected))).toBe(true);
});

const refused: [string, () => unknown | Promise<unknown>, string][] = [
  [
    'a stream that was read',
    async () => {
      const stream = webStream();
      for await (const _ of stream) break;
      return stream;
    },
    'empty',
  ],
  [
    'a stream with another reader',
    () => {
      const stream = webStream();
      stream.getReader();
      return stream;
    },
    'consumed',
  ],
  [
    'a Node stream that ended',
    async () => {
      const stream = createReadStream(path);
      for await (const _ of stream);
      return stream;
    },
    'consumed',
  ],
  [
    'a generator that ended',
    async () => {
      const chunks = pieces();
      for await (const _ of chunks);
      return chunks;
    },
    'empty',
  ],
  ['a stream of words', () => Readable.from(['not', 'bytes']), 'unsupported'],
  ['a number', () => 5, 'unsupported'],
  ['null', () => null, 'unsupported'],
  ['an object without bytes', () => ({ length: 5 }), 'unsupported'],
  ['an empty list', () => [], 'empty'],
  ['a list of two recordings', () => [motor, Uint8Array.from(motor_recording({ bytes: 20_000, seed: 3 }))], 'several'],
];

test.each(refused)('%s is rejected', async (_, input, code) => {
  const given = (await input()) as Input;
  await expect(library.convert(given)).rejects.toMatchObject({ name: 'InputError', code });
});

/** Returns the bytes in chunks, then fails if an error is given. */
async function* once(bytes: Uint8Array, error?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  if (error) throw error;
}

test('a stream is converted while it is read', async () => {
  const long = Uint8Array.from(motor_recording({ bytes: 1_000_000 }));
  let taken = 0,
    takenAtFirstBlock = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of once(long)) {
      taken += chunk.length;
      yield chunk;
    }
  }
  const blocks: Uint8Array[] = [];
  const { head } = await library.convert(counted(), {
    onBlock: (block) => {
      takenAtFirstBlock ||= taken;
      blocks.push(block);
    },
  });
  const trace = Buffer.concat(blocks);
  trace.set(head);
  expect(trace.equals(Buffer.from((await library.convert(long)).trace))).toBe(true);
  expect(takenAtFirstBlock).toBeGreaterThan(0);
  expect(takenAtFirstBlock).toBeLessThan(long.length / 2);
});

const hex = Buffer.from(Buffer.from(motor).toString('hex'));
const member = { path: 'run.bin', bytes: motor, deflated: true };
const events = Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 1000 + 10 * i, 1, `${i}`));
const late = Uint8Array.from(concat([...events, frame('ts_resolution_ns', 1000)]));
const needingCopies: [string, Uint8Array, Library.Options][] = [
  ['a zip', zip([member]), {}],
  ['a tar in gzip', gzipSync(tar([member])), {}],
  ['a text', hex, {}],
  ['a text in gzip', gzipSync(hex), {}],
  ['a time range whose tick length comes last', late, { 'from-ns': 100_000_000, 'to-ns': 110_000_000, failOn: 'any' }],
];

test.each(needingCopies)('%s from a stream: a temporary copy, which is removed', async (_, bytes, options) => {
  const temporary = mkdtempSync(join(folder, 'copies-')),
    before = process.env['TMPDIR'];
  process.env['TMPDIR'] = temporary;
  try {
    const copies = new Set<string>();
    const onProgress = (): void => readdirSync(temporary).forEach((name) => copies.add(name));
    const streamed = await library.convert(once(bytes), { ...options, onProgress });
    const { trace, reportJson, exitCode } = await library.convert(bytes, options);
    expect(Buffer.from(streamed.trace).equals(Buffer.from(trace))).toBe(true);
    expect([streamed.reportJson, streamed.exitCode]).toEqual([reportJson, exitCode]);
    if (process.platform !== 'win32') expect(copies.size).toBe(1); // Windows ignores TMPDIR
    const torn = once(bytes, new Error('the link broke'));
    await library.convert(torn, { ...options, onBlock: () => {} });
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test('a time range of a stream: one pass without a copy where the first bytes name the tick length', async () => {
  const options = { 'from-ns': 1_000_000, 'to-ns': 20_000_000, expect: 'cpu.load<=100%' };
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(folder, 'missing'); // no copy can be made
  try {
    const streamed = await library.convert(once(motor), options);
    const { trace, reportJson, exitCode } = await library.convert(motor, options);
    expect(Buffer.from(streamed.trace).equals(Buffer.from(trace))).toBe(true);
    expect([streamed.reportJson, streamed.exitCode]).toEqual([reportJson, exitCode]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test.skipIf(process.platform === 'win32')(
  'inspect copies a stream into a temporary file, not into memory',
  async () => {
    const temporary = mkdtempSync(join(folder, 'inspected-')),
      before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    try {
      const long = Uint8Array.from(motor_recording({ bytes: 400_000 })); // the copy begins before the stream ends
      const bytes = zip([{ path: 'run.bin', bytes: long, deflated: false }]),
        copies = new Set<string>();
      async function* watched(): AsyncGenerator<Uint8Array> {
        for await (const chunk of once(bytes)) {
          yield chunk;
          readdirSync(temporary).forEach((name) => copies.add(name));
        }
      }
      const [detected] = await library.inspect(watched());
      expect(detected!.probe.format).toBe('tonbandgeraet');
      expect(copies.size).toBe(1);
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  },
);

test('streams that a call did not begin to read are closed with it', async () => {
  const missing = join(folder, 'missing.bin');
  const calls: [string, (stream: Readable) => Promise<unknown>][] = [
    ['an option is wrong', (stream) => library.convert(stream, { set: { bogus: 1 } })],
    ['an unknown option', (stream) => library.convert(stream, { tick: 5 } as never)],
    ['another input is missing', (stream) => library.convert([stream, missing])],
    ['another input is refused first', (stream) => library.convertAll([Readable.from(['words']), stream])],
    ['inspect fails', (stream) => library.inspect([missing, stream])],
    ['the call was aborted before', (stream) => library.convert(stream, { signal: AbortSignal.abort() })],
  ];
  for (const [name, call] of calls) {
    const stream = createReadStream(path);
    await expect(call(stream), name).rejects.toThrow();
    expect(stream.destroyed, name).toBe(true);
  }
  let isCancelled = false;
  const web = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
  await expect(library.convert([web, missing])).rejects.toThrow();
  expect(isCancelled).toBe(true);
});

test.each([
  ['stream', () => once(motor.subarray(0, 30_000), new Error('the link broke')), {}],
  [
    'stream, of a time range',
    () => once(motor.subarray(0, 30_000), new Error('the link broke')),
    { 'to-ns': 10n ** 12n },
  ],
  [
    'source',
    () => ({ name: '', size: motor.length, open: () => once(motor.subarray(0, 30_000), new Error('the link broke')) }),
    {},
  ],
] as [string, () => Input, Library.Options][])(
  'a %s that fails: the bytes before the failure are converted',
  async (_, input, options) => {
    const { trace, report, exitCode, messages } = await library.convert(input(), options);
    expect(exitCode).toBe(3);
    expect(report.problems.map(({ id }) => id)).toContain('READ_FAILED');
    expect(report.inputs[0]!.bytes).toBe(30_000);
    expect(trace.length).toBeGreaterThan(1000);
    expect(messages.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({
        text: expect.stringContaining('at byte 30000: the link broke; what came before is used'),
      }),
    ]);
  },
);

test('a source without a readable byte is an error', async () => {
  const failure = new Error('no such device');
  for (const options of [{}, { 'to-ns': 5 }])
    await expect(library.convert(once(new Uint8Array(0), failure), options)).rejects.toBe(failure);
});

test('an unknown option, an invalid value, an aborted signal', async () => {
  await expect(library.convert(motor, { set: { bogus: 1 } })).rejects.toMatchObject({
    name: 'CoreError',
    code: 'misuse',
  });
  for (const options of [{ tick_ns: 5 }, { 'rate-hz': 5 }, 'tick-ns', { 'from-ns': 2, 'to-ns': 1n }])
    for (const call of [library.convert, library.convertAll])
      await expect(call(motor, options as never)).rejects.toMatchObject({ name: 'CoreError', code: 'misuse' });
  await expect(library.startConversion({ tick_ns: 5 } as never)).rejects.toMatchObject({
    name: 'CoreError',
    code: 'misuse',
  });
  await expect(library.convert(motor, { 'tick-ns': 'soon' })).rejects.toMatchObject({
    name: 'CoreError',
    code: 'misuse',
  });
  await expect(library.convert(motor, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  const stop = new AbortController();
  await expect(library.convert(motor, { signal: stop.signal, onBlock: () => stop.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  const late = new AbortController();
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let chunks = 0; ; chunks++) {
      if (chunks === 100) late.abort();
      yield motor.subarray(0, 100);
    }
  }
  await expect(library.convert(endless(), { signal: late.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

interface Watch {
  /** a read is pending that never ends */
  stalled(): void;
  /** the reader has cancelled the source */
  stopped(how: unknown): void;
}

/** Returns these chunks, each on request, and then stalls. */
const stallingStream = ({ stalled, stopped }: Watch, chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull: (control) => {
        const chunk = chunks.shift();
        if (chunk) control.enqueue(chunk);
        else stalled();
      },
      cancel: stopped,
    },
    { highWaterMark: 0 },
  );

const stallingReadable = ({ stalled, stopped }: Watch): Readable =>
  new Readable({
    read: stalled,
    destroy: (error, done) => {
      stopped(error);
      done(error);
    },
  });

const stallingIterator = (watch: Watch, end: () => Promise<unknown>): Input =>
  ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        watch.stalled();
        return new Promise(() => {});
      },
      return: () => {
        watch.stopped('return');
        return end();
      },
    }),
  }) as never;

const never = new Promise<never>(() => {});
const stalling: [string, (watch: Watch) => Input][] = [
  ['ReadableStream', (watch) => stallingStream(watch, [motor.subarray(0, 1000)])],
  [
    'ReadableStream whose end never comes either',
    (watch) =>
      stallingStream(
        {
          ...watch,
          stopped: (reason) => {
            watch.stopped(reason);
            return never;
          },
        },
        [],
      ),
  ],
  ['Node stream', stallingReadable],
  [
    'Node stream that gave something',
    (watch) => {
      const stream = stallingReadable(watch);
      stream.push(motor.subarray(0, 1000));
      return stream;
    },
  ],
  ['async iterable', (watch) => stallingIterator(watch, async () => ({ done: true, value: undefined }))],
  ['async iterable that does not return either', (watch) => stallingIterator(watch, () => never)],
  [
    'generator',
    ({ stalled, stopped }) =>
      (async function* () {
        stopped('it ends when its read does');
        yield motor.subarray(0, 1000);
        stalled();
        await never;
      })(),
  ],
  [
    'iterable of promises',
    ({ stalled, stopped }) =>
      ({
        [Symbol.iterator]: () => ({
          next: () => {
            stalled();
            return { done: false, value: never };
          },
          return: () => {
            stopped('return');
            return { done: true, value: undefined };
          },
        }),
      }) as never,
  ],
  ['source', (watch) => ({ name: 'run.bin', size: null, open: () => stallingStream(watch, [motor]) })],
  [
    'source that stalls when it is opened again',
    (watch) => {
      let opened = 0;
      return {
        name: 'run.bin',
        size: motor.length,
        open: () => (opened++ ? stallingStream(watch, []) : new Blob([motor]).stream()),
      };
    },
  ],
  [
    'Blob',
    (watch) => ({ size: 5000, slice: () => new Blob([motor]), stream: () => stallingStream(watch, []) }) as never,
  ],
];

test.each(stalling)('an aborted signal ends the wait for a %s', async (_, input) => {
  for (const call of [library.convert, library.convertAll]) {
    const stop = new AbortController(),
      reason = new Error('enough'),
      ways: unknown[] = [];
    const stalled = (): void => void setImmediate(() => stop.abort(reason)); // by then the read is pending
    await expect(call(input({ stalled, stopped: (how) => void ways.push(how) }), { signal: stop.signal })).rejects.toBe(
      reason,
    );
    await expect.poll(() => ways.length).toBe(1);
  }
});

test('an aborted signal opens nothing', async () => {
  const stop = new AbortController();
  let opened = 0;
  const source = {
    name: 'run.bin',
    size: motor.length,
    open: () => {
      opened++;
      return new Blob([motor]).stream();
    },
  };
  await library.convert(source, { signal: stop.signal });
  const whole = opened;
  await expect(
    library.convertAll([source, source], { signal: stop.signal, onProgress: () => stop.abort() }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(opened).toBe(whole + 3); // both were probed, and the conversion of one had begun
});

test.skipIf(process.platform !== 'linux')('an abort leaves no file open', async () => {
  const cores = gateway_recordings({ bytes: 40_000 }).map((bytes: Uint8Array, core: number) => {
    const name = join(folder, `x.core${core}.bin`);
    writeFileSync(name, bytes);
    return name;
  });
  const open = (): string[] =>
    readdirSync('/proc/self/fd')
      .flatMap((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          return [];
        }
      })
      .filter((file) => file.startsWith(folder));
  for (let calls = 0; calls < 4; calls++) {
    const stop = new AbortController();
    await expect(
      library.convertAll(cores, { signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  }
  await expect.poll(open).toEqual([]);
});

test('a signal that does not abort changes nothing and leaves no listener', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const watched = {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    throwIfAborted: () => signal.throwIfAborted(),
    addEventListener: () => void listeners++,
    removeEventListener: () => void listeners--,
  };
  for (const [, input] of kinds)
    expect(
      Buffer.from((await library.convert(await input(), { signal: watched })).trace).equals(Buffer.from(expected)),
    ).toBe(true);
  expect(listeners).toBe(0);
});

test.each([
  { output: 'dump' },
  { expect: 'cpu.load<1%' },
  { 'fail-on': 'any' },
  { stage: 'bytes' },
  { json: '1' },
  { event: 'x' },
  { task: 'x' },
  { core: 0 },
  { like: 'x' },
  { signal: 'x' },
  { figures: 'range' },
  { range: 'later' },
  { unused: 'quiet' },
])('%j is a setting of a conversion and no option of a recording', async (set) => {
  const refusal = { name: 'CoreError', code: 'misuse', message: expect.stringMatching(/: no such option/) };
  for (const call of [library.convert, library.convertAll])
    await expect(call(motor, { set: set as never })).rejects.toMatchObject(refusal);
  await expect(library.startConversion({ set: set as never })).rejects.toMatchObject(refusal);
});

test('an option of another format is reported, or applies to the recordings of that format', async () => {
  const qs = Uint8Array.from(lift_recording({ bytes: 20_000 })),
    isUnused = ({ messages }: Pick<Library.Result, 'messages'>): boolean =>
      messages.some(({ severity, text }) => severity === 'warning' && /is not used: it is for/.test(text));
  expect(isUnused(await library.convert(motor, { set: { 'rate-hz': 1_000_000 } }))).toBe(true);
  expect(isUnused(await library.convert(qs, { set: { 'rate-hz': 1_000_000 } }))).toBe(false);
  const both = await library.convertAll([motor, qs], { set: { 'rate-hz': 1_000_000, mode: 'free-rtos' } });
  expect(both.map(isUnused)).toEqual([false, false]);
  expect(both[1]!.report.tick.source).toBe('option');
  expect((await library.convertAll([motor, qs], { set: { 'time-scale': 'fine' } })).map(isUnused)).toEqual([
    true,
    true,
  ]);
  await expect(library.convertAll([motor, qs], { set: { 'time-scale': 'coarse' } })).rejects.toMatchObject({
    code: 'misuse',
  });
});

test('rules for a figure and for a problem', async () => {
  const plainly = ({ messages }: Pick<Library.Result, 'messages'>): Library.Message[] =>
    messages.filter(({ severity }) => severity !== 'detail');
  const fine = await library.convert(motor, { expect: 'cpu.load<=100%', failOn: ['loss'] });
  expect([fine.exitCode, plainly(fine)]).toEqual([0, []]);
  const bad = await library.convert(motor, { expect: ['cpu.load>100%', 'cpu.load<=100%'] });
  expect([bad.exitCode, plainly(bad)]).toEqual([
    1,
    [{ severity: 'error', source: 0, text: expect.stringContaining('expect cpu.load') }],
  ]);
  expect(bad.trace.length).toBe(expected.length);
  await expect(library.convert(motor, { expect: 'cpu.nothing<1' })).rejects.toMatchObject({ code: 'misuse' });
  await expect(library.convert(motor, { failOn: 'bogus' })).rejects.toMatchObject({ code: 'misuse' });
});

test('the report of a time range covers what the trace contains', async () => {
  const whole = await library.convert(motor);
  const { start, end } = timeRangeOf(whole.report),
    middle = ((start + end) / 2n) * traceNs(whole.report);
  const half = await library.convert(motor, { 'to-ns': middle });
  expect(half.trace.length).toBeLessThan(whole.trace.length);
  expect(timeRangeOf(half.report).end * traceNs(half.report)).toBeLessThanOrEqual(middle);
  expect(half.report.time.last).toBe(whole.report.time.last);
});

test('a time range must not end before it begins, for numbers of any size', async () => {
  let reads = 0;
  const watched = {
    name: 'run.bin',
    size: motor.length,
    open: () => {
      reads++;
      return new Blob([motor]).stream();
    },
  };
  await expect(
    library.convert(watched, { 'from-ns': 9007199254740993n, 'to-ns': 9007199254740992n }),
  ).rejects.toMatchObject({ code: 'misuse', message: 'from-ns is after to-ns' });
  expect(reads).toBe(0);
  await expect(
    library.convert(motor, { 'from-ns': 9007199254740992n, 'to-ns': 9007199254740993n }),
  ).resolves.toBeDefined();
  await expect(library.startConversion({ 'to-ns': 1, 'from-ns': 2 })).rejects.toMatchObject({
    message: 'from-ns is after to-ns',
  });
});

test('true and false are values of a switch', async () => {
  const size = async (value: boolean): Promise<number> =>
    (await library.convert(motor, { 'raw-events': value })).trace.length;
  expect(await size(false)).toBe(expected.length);
  expect(await size(true)).toBeGreaterThan(expected.length);
});

test('a conversion accepts bytes in any container, and nothing else', async () => {
  const conversion = await library.startConversion({ format: 'tonbandgeraet' });
  expect(() => conversion.feed('bytes' as never)).toThrow(
    expect.objectContaining({ name: 'InputError', code: 'unsupported' }),
  );
  const first = conversion.feed(buffer as never),
    { rest } = conversion.finish();
  expect(first.length + rest.length).toBe(expected.length);
});

test('every common option is typed', async () => {
  const { common } = await library.describe();
  const typed: (keyof import('../../wasm/api.js').CommonOptions)[] = [
    'format',
    'tick-ns',
    'clock-hz',
    'raw-events',
    'wall-clock-ns',
    'from-ns',
    'to-ns',
  ];
  expect(common.map(({ key }) => key).sort()).toEqual([...typed].sort());
});

test('one sentence gives the reason why an input is no recording', async () => {
  await expect(library.convert(Buffer.from('hello hello hello'))).rejects.toMatchObject({
    code: 'unknown-format',
    message: expect.stringMatching(/^This is not a recording that Tonkopf knows: .*[^.]\.$/),
  });
});
