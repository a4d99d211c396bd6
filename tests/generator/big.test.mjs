// SPDX-License-Identifier: MIT
//
// Large recordings are made of templates with gaps; this test decodes them completely and checks their semantics.

import { describe, expect, test } from 'vitest';
import { big_chunks, parse_size } from './big.mjs';
import { merge, semantic_faults } from './check-semantics.mjs';
import { decode } from './decode.mjs';

/** @param {import('./big.mjs').BigOptions} options */
function make(options) {
  /** @type {Uint8Array[][]} */
  const streams = [];
  const chunks = big_chunks(options);
  let next = chunks.next();
  for (; !next.done; next = chunks.next()) (streams[next.value.stream] ??= []).push(next.value.chunk.slice());
  return { ...next.value, files: streams.map((parts) => Buffer.concat(parts)) };
}

/** One stream with core_id events as one list per core. @param {import('./decode.mjs').Event[]} events */
function by_core(events) {
  /** @type {import('./decode.mjs').Event[][]} */
  const cores = [];
  let core = 0;
  for (const event of events) {
    if (event.name === 'core_id') core = Number(event.args[0]);
    else (cores[core] ??= []).push(event);
  }
  return cores;
}

const SIZE = 400_000;

describe('big recordings are semantically valid', () => {
  test.each([
    { mode: 'freertos' },
    { mode: 'bare-metal' },
    { mode: 'markers' },
    { mode: 'many-tasks' },
    { mode: 'freertos', cores: 2, split: true },
    { mode: 'freertos', cores: 3 },
  ])('%o', (options) => {
    const { files, events } = make({ bytes: SIZE, .../** @type {object} */ (options) });
    const decoded = files.map(decode);
    expect(decoded.flatMap(({ bad }) => bad)).toEqual([]);
    expect(files.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThanOrEqual(SIZE);
    const cores = decoded.length > 1 ? decoded.map((file) => file.events) : by_core(decoded[0].events);
    expect(cores.length).toBe('cores' in options ? options.cores : 1);
    expect(semantic_faults(merge(cores))).toEqual([]);
    const timed = decoded.flatMap((file) => file.events).filter(({ ts }) => ts !== null && ts >= 16385n).length;
    expect(events - timed).toBeLessThan(3); // the headers are not counted
    expect(timed - events).toBeLessThan(8);
  });
});

test('messages of the marker-heavy mode are all different', () => {
  const { events } = decode(make({ bytes: SIZE, mode: 'markers' }).files[0]);
  const numbered = events
    .filter(({ name, args }) => /evtmarker(_begin)?$/.test(name) && /\d{8}$/.test(String(args[1])))
    .map(({ args }) => String(args[1]).slice(-8));
  expect(numbered.length).toBeGreaterThan(10_000);
  expect(new Set(numbered).size).toBe(numbered.length);
});

test('damage affects as many bytes as requested, and the same ones for the same seed', () => {
  const options = { bytes: SIZE, corrupt: 0.001, seed: 3 };
  const first = make(options);
  expect(first.damaged).toBeGreaterThan(300);
  expect(first.damaged).toBeLessThan(500);
  expect(make(options).files[0].equals(first.files[0])).toBe(true);
  const { bad, events } = decode(first.files[0]);
  expect(bad.length).toBeGreaterThan(100);
  expect(events.length).toBeGreaterThan(40_000);
});

test('sizes are powers of 1000', () => {
  expect(parse_size('100M')).toBe(100_000_000);
  expect(parse_size('1.5k')).toBe(1500);
  expect(() => parse_size('ten')).toThrow('no size');
});
