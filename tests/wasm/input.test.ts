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
import { lift_recording } from '../generator/demo-lift.mjs';
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

// What stalls: the next read never ends. `stopped`: the source was told that nobody reads on.
const stalling: [string, (stopped: (how: unknown) => void) => Input][] = [
  ['ReadableStream', (stopped) => new ReadableStream({ start: (control) => control.enqueue(motor.subarray(0, 1000)), cancel: stopped })],
  ['ReadableStream whose end never comes either', (stopped) => new ReadableStream({ cancel: (reason) => { stopped(reason); return new Promise<void>(() => {}); } })],
  ['Node stream', (stopped) => new Readable({ read: () => {}, destroy: (error, done) => { stopped(error); done(error); } })],
  ['Node stream that gave something', (stopped) => { const stream = new Readable({ read: () => {}, destroy: (error, done) => { stopped(error); done(error); } }); stream.push(motor.subarray(0, 1000)); return stream; }],
  ['async iterable', (stopped) => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: async () => { stopped('return'); return { done: true as const, value: undefined }; } }) })],
  ['async iterable that does not return either', (stopped) => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: () => { stopped('return'); return new Promise<never>(() => {}); } }) })],
  ['generator', (stopped) => (async function* () { stopped('it ends when its read does'); yield motor.subarray(0, 1000); await new Promise(() => {}); })()],
  ['iterable of promises', (stopped) => ({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: new Promise(() => {}) }), return: () => { stopped('return'); return { done: true, value: undefined }; } }) }) as never],
  ['source', (stopped) => ({ name: 'run.bin', size: null, open: () => new ReadableStream({ start: (control) => control.enqueue(motor), cancel: stopped }) })],
  ['source that stalls when it is opened again', (stopped) => { let opened = 0; return { name: 'run.bin', size: motor.length, open: () => (opened++ ? new ReadableStream({ cancel: stopped }) : new Blob([motor]).stream()) }; }],
  ['Blob', (stopped) => ({ size: 5000, slice: () => new Blob([motor]), stream: () => new ReadableStream({ cancel: stopped }) }) as never],
];

test.each(stalling)('an aborted signal ends the wait for a %s', async (_, input) => {
  for (const call of [library.convert, library.convertAll]) {
    const stop = new AbortController(), reason = new Error('enough'), ways: unknown[] = [];
    const result = call(input((how) => void ways.push(how)), { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 50);
    await expect(Promise.race([result, new Promise((_, reject) => setTimeout(reject, 5000, new Error('it still waits')))])).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ways.length).toBe(1);
  }
});

test('a signal that does not abort changes nothing, and keeps nothing', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const watched = { get aborted() { return signal.aborted; }, get reason() { return signal.reason; }, throwIfAborted: () => signal.throwIfAborted(), addEventListener: () => void listeners++, removeEventListener: () => void listeners-- };
  for (const [, input] of kinds) expect(Buffer.from((await library.convert(await input(), { signal: watched })).trace).equals(Buffer.from(expected))).toBe(true);
  expect(listeners).toBe(0);
});

test('an option of another format is told, or goes to the recordings that have it', async () => {
  const qs = Uint8Array.from(lift_recording({ bytes: 20_000 })), isTold = ({ report }: { report: { problems: { id: string }[] } }): boolean => report.problems.some(({ id }) => id === 'OPTION_UNUSED');
  expect(isTold(await library.convert(motor, { set: { 'rate-hz': 1_000_000 } }))).toBe(true);
  expect(isTold(await library.convert(qs, { set: { 'rate-hz': 1_000_000 } }))).toBe(false);
  const both = await library.convertAll([motor, qs], { set: { 'rate-hz': 1_000_000, mode: 'free-rtos' } });
  expect(both.map(isTold)).toEqual([false, false]);
  expect(both[1]!.report.tick.source).toBe('option');
  expect((await library.convertAll([motor, qs], { set: { 'time-scale': 'fine' } })).map(isTold)).toEqual([true, true]);
  await expect(library.convertAll([motor, qs], { set: { 'time-scale': 'coarse' } })).rejects.toMatchObject({ code: 'misuse' });
});

test('a part does not end before it begins, whatever the size of the numbers', async () => {
  let reads = 0;
  const watched = { name: 'run.bin', size: motor.length, open: () => { reads++; return new Blob([motor]).stream(); } };
  await expect(library.convert(watched, { 'from-ns': 9007199254740993n, 'to-ns': 9007199254740992n })).rejects.toMatchObject({ code: 'misuse', message: 'from-ns is behind to-ns' });
  expect(reads).toBe(1); // to recognise it
  await expect(library.convert(motor, { 'from-ns': 9007199254740992n, 'to-ns': 9007199254740993n })).resolves.toBeDefined();
  await expect(library.startConversion({ 'to-ns': 1, 'from-ns': 2 })).rejects.toMatchObject({ message: 'from-ns is behind to-ns' });
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
