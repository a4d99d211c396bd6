// SPDX-License-Identifier: MIT
// Shared conversions and their end, with workers that answer when the test tells them to.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Output, Page, Recording } from '../../web/src/job.js';
import type * as Making from '../../web/src/conversions.js';
import type { Listeners } from '../../web/src/worker/bridge.js';

class Stopped extends Error {}

type Answer = { head: Uint8Array<ArrayBuffer>; cut: { name: string; at: number; text: string } | null };

class Bridge {
  static asked: { bridge: Bridge; listeners: Listeners; answer(answer: Answer): void; fail(error: Error): void }[] = [];
  isStopped = false;
  convert = (_: unknown, listeners: Listeners): Promise<Answer> => this.#ask(listeners);
  part = (_: unknown, __: unknown, listeners: Listeners): Promise<Answer> => this.#ask(listeners);

  stop(): void {
    this.isStopped = true;
    for (const { bridge, fail } of Bridge.asked) if (bridge === this) fail(new Stopped());
  }

  #ask(listeners: Listeners): Promise<Answer> {
    return new Promise((resolve, reject) => {
      Bridge.asked.push({ bridge: this, listeners, answer: resolve, fail: reject });
      listeners.signal?.addEventListener('abort', () => reject(new Stopped()));
    });
  }
}

const content = { kind: 'loaded', sources: [], inputs: [], recordings: [], selected: '' };
const replaced = {
  '../../web/src/worker/bridge.js': () => ({ Bridge, Stopped }),
  '../../web/src/io/module.js': () => ({ tonkopfModule: null }),
  '../../web/src/store.js': () => ({
    getPage: (): Partial<Page> => ({ content: content as Page['content'] }),
    dispatch: () => {},
  }),
};
let making: typeof Making;

beforeAll(async () => {
  for (const [path, made] of Object.entries(replaced)) vi.doMock(path, made);
  making = await import('../../web/src/conversions.js');
});
afterAll(() => Object.keys(replaced).forEach((path) => vi.doUnmock(path)));

const recordingOf = (name: string): Recording => ({
  id: name,
  inputs: [],
  options: {},
  cacheKey: name,
  conversion: { kind: 'queued' },
});
const outputOf = (cut: Output['cut']): Output =>
  ({ report: { tick: { ns: 1 } }, store: null, extent: { packets: 0, bytes: 0 }, cut }) as unknown as Output;
const part = { startNs: 0n, endNs: 1n };
const whole = { head: new Uint8Array(), cut: null };
const cutOne = { ...whole, cut: { name: 'x.bin', at: 5, text: '' } };

function wanted(recording: Recording, output = outputOf(null)) {
  const stop = new AbortController();
  const made = making.traceFor(recording, output, part, { signal: stop.signal, onDone: () => {} }).then(
    () => 'made',
    (error: unknown) => (error instanceof Stopped ? 'stopped' : String(error)),
  );
  return { made, stop, question: Bridge.asked.at(-1)! };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a result that is cancelled and requested again in the same click continues', async () => {
  const first = wanted(recordingOf('twice'));
  first.stop.abort();
  const second = wanted(recordingOf('twice'));
  await later();
  expect(second.question).toBe(first.question);
  second.question.answer(whole);
  expect([await first.made, await second.made]).toEqual(['stopped', 'made']);
});

test('a conversion ends when its last caller cancels', async () => {
  const { stop, made, question } = wanted(recordingOf('cancelled'));
  stop.abort();
  expect([await made, await later(), question.listeners.signal?.aborted]).toEqual(['stopped', undefined, true]);
});

test('a trace of a range is finished, although another recording replaces the restart points', async () => {
  const [oldest, ...others] = ['a', 'b', 'c'].map((name) => [name, new Bridge()] as const);
  making.keepCheckpoints(...(oldest as unknown as Parameters<typeof making.keepCheckpoints>));
  const { made, question } = wanted(recordingOf('a'));
  for (const other of others)
    making.keepCheckpoints(...(other as unknown as Parameters<typeof making.keepCheckpoints>));
  await later();
  expect(question.bridge).toBe(oldest![1]);
  question.answer(whole);
  expect(await made).toBe('made');
  await later();
  expect([oldest, ...others].map((one) => one![1].isStopped)).toEqual([true, false, false]);
});

test('removing a recording frees its restart points and cancels its conversions', async () => {
  const bridge = new Bridge();
  making.keepCheckpoints('gone', bridge as unknown as Parameters<typeof making.keepCheckpoints>[1]);
  const { made } = wanted(recordingOf('gone'));
  making.keepOnly([]);
  expect(await made).toBe('stopped');
  await later();
  expect(bridge.isStopped).toBe(true);
});

test('a file that was complete and is shorter now is reported; a file that was incomplete before is converted as far as possible', async () => {
  const whole = wanted(recordingOf('whole'));
  whole.question.answer(cutOne);
  expect(await whole.made).toMatch(/could not read x\.bin to its end/);
  const cut = wanted(recordingOf('cut'), outputOf({ text: 'cut', place: '', advice: '' }));
  cut.question.answer(cutOne);
  expect(await cut.made).toBe('made');
});
