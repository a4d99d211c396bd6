// SPDX-License-Identifier: MIT
//
// The generator's recordings, decoded by a decoder that shares no code with its encoder.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENTS, cobs, frame, signed_varint, varint } from './tband.mjs';
import { charger_recording } from './demo-charger.mjs';
import { gateway_recordings } from './demo-gateway.mjs';
import { motor_recording } from './demo-motor.mjs';
import { CASES, GOLDEN_DIR, sync_manifests } from './golden-cases.mjs';
import { cases } from '../golden/cases.mjs';
import { make_demos } from '../../scripts/generate-demos.mjs';
import { count_by_name, merge, semantic_faults } from './check-semantics.mjs';
import { decode, uncobs } from './decode.mjs';

const hex = (/** @type {ArrayLike<number>} */ bytes) => Buffer.from(Array.from(bytes)).toString('hex');

describe('encoder', () => {
  test('varints as in the format page', () => {
    expect(hex(varint(0))).toBe('00');
    expect(hex(varint(127))).toBe('7f');
    expect(hex(varint(128))).toBe('8001');
    expect(hex(varint(5, 4))).toBe('85808000');
    expect(hex(varint((1n << 64n) - 1n))).toBe('ffffffffffffffffff01');
    expect(hex(signed_varint(-1))).toBe('03');
    expect(hex(signed_varint(-(1n << 63n)))).toBe('01');
  });

  test('COBS of payloads around one block', () => {
    expect(hex(cobs([]))).toBe('0100');
    expect(hex(cobs([0]))).toBe('010100');
    for (const len of [1, 253, 254, 255, 508, 509]) {
      for (const fill of [0, 7]) {
        const payload = Array.from({ length: len }, (_, i) => (i % 100 === 99 ? 0 : fill));
        const framed = cobs(payload);
        expect(framed.indexOf(0)).toBe(framed.length - 1);
        expect(uncobs(framed.subarray(0, -1))).toEqual(payload);
      }
    }
    expect(cobs(new Array(254).fill(7)).length).toBe(256); // no code after a full block
  });

  test('every event is decoded by its name', () => {
    const names = Object.keys(EVENTS);
    for (const name of names) {
      const event = EVENTS[/** @type {keyof typeof EVENTS} */ (name)];
      const values = event.fields.map(([, type]) => (type === 'str' ? 'text' : type === 'u8' ? 3 : 70000));
      const { events, bad } = decode(frame(/** @type {any} */ (name), ...(event.timed ? [123456] : []), ...values));
      expect(bad).toEqual([]);
      expect(events[0]).toMatchObject({
        name,
        ts: event.timed ? 123456n : null,
        args: values.map((v) => (typeof v === 'number' ? BigInt(v) : v)),
      });
    }
    expect(names.length).toBe(93);
  });
});

/** @param {Uint8Array[]} files @returns {import('./check-semantics.mjs').CoreEvent[]} */
function sound(files) {
  const decoded = files.map(decode);
  for (const { bad, tail } of decoded) {
    expect(bad).toEqual([]);
    expect(tail).toBe(0);
  }
  const events = merge(decoded.map(({ events }) => events.filter(({ name }) => name !== 'core_id')));
  expect(semantic_faults(events)).toEqual([]);
  return events;
}

describe('simulated targets', () => {
  test.each([1, 2, 3, 7, 8, 9])('motor controller, seed %i: a stream that a kernel could send', (seed) => {
    const counts = count_by_name(sound([motor_recording({ bytes: 150_000, seed })]));
    for (const name of [
      'task_priority_inherit',
      'curtask_block_on_queue_send',
      'task_suspended',
      'task_deleted',
      'queue_send_from_isr',
    ]) {
      expect(counts[name], name).toBeGreaterThan(0);
    }
    expect(counts.task_priority_inherit).toBe(counts.task_priority_disinherit);
  });

  test.each([1, 2, 21])('weather station on two cores, seed %i: tasks migrate and are never on two cores', (seed) => {
    const events = sound(gateway_recordings({ bytes: 150_000, seed }));
    /** @type {Map<bigint | string, Set<number>>} */
    const cores_of_task = new Map();
    for (const { name, args, core } of events) {
      if (name === 'task_switched_in') cores_of_task.set(args[0], (cores_of_task.get(args[0]) ?? new Set()).add(core));
    }
    expect([...cores_of_task.values()].filter((cores) => cores.size === 2).length).toBeGreaterThan(4);
  });

  test('names of tasks occur only in the file of the core that created them', () => {
    const named = gateway_recordings({ bytes: 150_000 }).map(
      (file) =>
        new Set(
          decode(file)
            .events.filter(({ name }) => name === 'task_name')
            .map(({ args }) => args[0]),
        ),
    );
    expect(named[0].size).toBeGreaterThan(5);
    expect(named[1].size).toBeGreaterThan(2);
    expect([...named[1]].filter((task) => named[0].has(task))).toEqual([]);
  });

  test('battery charger: interrupts and markers nest', () => {
    const counts = count_by_name(sound([charger_recording({ bytes: 150_000 })]));
    expect(counts.task_switched_in).toBeUndefined();
    expect(counts.isr_enter).toBeGreaterThan(1000);
  });

  test('a slow link loses events and counts every one of them', () => {
    const options = { bytes: 40_000, seed: 9 };
    const lossy = decode(motor_recording({ ...options, link: { capacity: 400, bytes_per_tick: 0.03 } })).events;
    const last_count = lossy.findLastIndex(({ name }) => name === 'dropped_evt_cnt');
    const { ts, args } = lossy[last_count];
    const whole = decode(motor_recording({ ...options, bytes: 60_000 })).events;
    const others = (/** @type {import('./decode.mjs').Event[]} */ events) =>
      events.filter(({ name }) => name !== 'dropped_evt_cnt').length;
    const offered = whole.slice(
      0,
      whole.findIndex((event) => (event.ts ?? 0n) >= /** @type {bigint} */ (ts)),
    );
    expect(Number(args[0])).toBeGreaterThan(20);
    expect(others(offered) - others(lossy.slice(0, last_count))).toBe(Number(args[0]));
  });

  test('the same seed gives the same bytes, another seed others', () => {
    const digest = (/** @type {number} */ seed) =>
      createHash('sha256')
        .update(motor_recording({ bytes: 20_000, seed }))
        .digest('hex');
    expect(digest(4)).toBe(digest(4));
    expect(digest(4)).not.toBe(digest(5));
  });
});

describe('demos', () => {
  const { demos, files } = make_demos();

  test('have the declared size and are all listed', () => {
    expect(demos.flatMap((demo) => demo.files).sort()).toEqual([...files.keys()].sort());
    for (const [name, bytes] of files) {
      if (name.endsWith('.bin')) expect(bytes.length, name).toBeGreaterThan(20_000);
      expect(bytes.length, name).toBeLessThan(150_000);
    }
  });

  test('the damaged one contains every kind of damage, and most of it can be decoded', () => {
    const { events, bad, tail } = decode(files.get('damaged.bin') ?? new Uint8Array());
    expect(bad.length).toBeGreaterThan(8);
    expect(tail).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(50 * bad.length);
    const times = events.filter(({ ts }) => ts !== null).map(({ ts }) => Number(ts));
    expect(times.some((ts, i) => i > 1000 && ts < times[i - 1] - 100_000)).toBe(true); // the restart
  });
});

describe('golden cases', () => {
  test("in the manifests equal the generator's output, byte for byte", () => {
    expect(sync_manifests({ write: false })).toEqual([]);
  });

  test('have one expected file each, and the folders contain no other file', () => {
    for (const format of new Set(cases().map((one) => one.format))) {
      const names = cases().filter((one) => one.format === format);
      const expected = names.map(({ name }) => `${basename(name)}.txt`);
      expect(readdirSync(join(GOLDEN_DIR, format)).sort()).toEqual([...expected, 'cases.json'].sort());
    }
  });

  test('cover every numbered row that can occur in a recording', () => {
    const rows = new Set(CASES.flatMap((golden) => golden.rows ?? []));
    const missing = Array.from({ length: 33 }, (_, i) => i + 1).filter((row) => !rows.has(row));
    expect(missing).toEqual([32]); // needs a measurement of memory
  });
});
