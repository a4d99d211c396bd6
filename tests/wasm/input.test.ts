// SPDX-License-Identifier: MIT
// What a caller may hand to the library: anything with bytes gives the same trace, and what cannot be read is an error with a name.
import { createReadStream, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../wasm/api.js';
import type * as Library from '../../wasm/index.js';
// @ts-expect-error plain JavaScript
import { motor_recording } from '../generator/demo-motor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-input-')), path = join(folder, 'run.bin');
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
  ['SharedArrayBuffer', () => { const shared = new SharedArrayBuffer(motor.length); new Uint8Array(shared).set(motor); return shared; }],
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
  ['a stream that was read', async () => { const stream = webStream(); for await (const _ of stream) break; return stream; }, 'empty'],
  ['a stream that somebody else reads', () => { const stream = webStream(); stream.getReader(); return stream; }, 'consumed'],
  ['a Node stream that ended', async () => { const stream = createReadStream(path); for await (const _ of stream); return stream; }, 'consumed'],
  ['a generator that ended', async () => { const chunks = pieces(); for await (const _ of chunks); return chunks; }, 'empty'],
  ['a stream of words', () => Readable.from(['not', 'bytes']), 'unsupported'],
  ['a number', () => 5, 'unsupported'],
  ['null', () => null, 'unsupported'],
  ['an object without bytes', () => ({ length: 5 }), 'unsupported'],
  ['an empty list', () => [], 'empty'],
  ['a list of two recordings', () => [motor, Uint8Array.from(motor_recording({ bytes: 20_000, seed: 3 }))], 'several'],
];

test.each(refused)('%s is refused', async (_, input, code) => {
  const given = (await input()) as Input;
  await expect(library.convert(given)).rejects.toMatchObject({ name: 'InputError', code });
});

test('an option that does not exist, a value that cannot be, an aborted signal', async () => {
  await expect(library.convert(motor, { set: { bogus: 1 } })).rejects.toMatchObject({ name: 'CoreError', code: 'misuse' });
  for (const options of [{ tick_ns: 5 }, { 'rate-hz': 5 }, 'tick-ns', { 'from-ns': 2, 'to-ns': 1n }])
    for (const call of [library.convert, library.convertAll]) await expect(call(motor, options as never)).rejects.toMatchObject({ name: 'CoreError', code: 'misuse' });
  await expect(library.startConversion({ tick_ns: 5 } as never)).rejects.toMatchObject({ name: 'CoreError', code: 'misuse' });
  await expect(library.convert(motor, { 'tick-ns': 'soon' })).rejects.toMatchObject({ name: 'CoreError', code: 'misuse' });
  await expect(library.convert(motor, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  const stop = new AbortController();
  await expect(library.convert(motor, { signal: stop.signal, onBlock: () => stop.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  const late = new AbortController();
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let chunks = 0; ; chunks++) {
      if (chunks === 100) late.abort();
      yield motor.subarray(0, 100);
    }
  }
  await expect(library.convert(endless(), { signal: late.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('true and false are values of a switch', async () => {
  const size = async (value: boolean): Promise<number> => (await library.convert(motor, { 'raw-events': value })).trace.length;
  expect(await size(false)).toBe(expected.length);
  expect(await size(true)).toBeGreaterThan(expected.length);
});

test('a conversion takes bytes, whatever holds them, and nothing else', async () => {
  const conversion = await library.startConversion({ format: 'tonbandgeraet' });
  expect(() => conversion.feed('bytes' as never)).toThrow(expect.objectContaining({ name: 'InputError', code: 'unsupported' }));
  const first = conversion.feed(buffer as never), { rest } = conversion.finish();
  expect(first.length + rest.length).toBe(expected.length);
});

test('every common option is typed', async () => {
  const { common } = await library.describe();
  const typed: (keyof import('../../wasm/api.js').CommonOptions)[] = ['format', 'tick-ns', 'raw-events', 'wall-clock-ns', 'from-ns', 'to-ns'];
  expect(common.map(({ key }) => key).sort()).toEqual([...typed].sort());
});

test('why something is no recording is told in one sentence', async () => {
  await expect(library.convert(Buffer.from('hello hello hello'))).rejects.toMatchObject({ code: 'unknown-format', message: expect.stringMatching(/^This is no recording that Tonkopf knows: .*[^.]\.$/) });
});
