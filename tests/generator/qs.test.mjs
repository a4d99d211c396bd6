// SPDX-License-Identifier: MIT
//
// The QS encoder and its simulations, decoded by a decoder that shares no code with the encoder.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { big_qs_chunks } from './big-qs.mjs';
import { lift_recording } from './demo-lift.mjs';
import { ELEMENTS, QsEncoder, RECORDS, SIZES_32, qs_frame } from './qs.mjs';
import { concat } from './tband.mjs';
import { qs_faults } from './check-qs.mjs';
import { decode_qs } from './decode-qs.mjs';

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
const ODD = { T: 2, O: 8, F: 1, S: 4, E: 1, Q: 4, P: 1, C: 2 };

/** A different value for each field; some need escapes. @param {string} fields @returns {(number | string)[]} */
const values_for = (fields) => [...fields].map((letter, i) => (letter === 'z' ? `name ${i}` : 0x7c + i));

describe('encoder', () => {
  test('frames as in the format page', () => {
    expect(hex(qs_frame(0x7e, 0x7d, [0x7d, 8, 1]))).toBe('7d5e7d5d7d5d08017d5e7e');
    expect(hex(new QsEncoder({ version: 815, sequence: 2 }).target_info())).toBe(
      '024046804d8c642241224404201301020304051a917e',
    );
    expect(hex(new QsEncoder().start().subarray(0, 6))).toBe('0100fe7e0240');
  });

  test.each([SIZES_32, ODD])('every record is decoded by its number and with its fields at %o', (sizes) => {
    const encoder = new QsEncoder({ sizes });
    const names = /** @type {(keyof typeof RECORDS)[]} */ (Object.keys(RECORDS));
    const { records, bad, gaps } = decode_qs(
      concat([encoder.start(), ...names.slice(1).map((name) => encoder.record(name, ...values_for(RECORDS[name][1])))]),
    );
    expect([bad, gaps]).toEqual([[], 0]);
    names.slice(1).forEach((name, i) => {
      const [number, fields] = RECORDS[name];
      const { number: got, ts, args } = records[i + 2];
      const wanted = values_for(fields).map((value) => (typeof value === 'number' ? BigInt(value) : value));
      expect([got, ...(ts === null ? [] : [ts]), ...args]).toEqual([number, ...wanted]);
    });
    expect(names.length).toBe(77); // besides target info, query and memory
  });

  test('every element of application records, with every width', () => {
    const encoder = new QsEncoder({ sizes: ODD });
    /** @type {Record<string, [any, any[]]>} */
    const samples = {
      i8: [-126, [-126n]],
      u8: [0x7e, [0x7en]],
      i16: [-30000, [-30000n]],
      u16: [0x7d7e, [0x7d7en]],
      i32: [-2e9, [-2000000000n]],
      u32: [4e9, [4000000000n]],
      f32: [0.5, [0.5]],
      f64: [-1e300, [-1e300]],
      str: ['text', ['text']],
      mem: [Uint8Array.of(0x7d, 0, 0x7e), ['7d007e']],
      sig: [
        [9, 77],
        [9n, 77n],
      ],
      obj: [78, [78n]],
      fun: [79, [79n]],
      i64: [-(2n ** 60n), [-(2n ** 60n)]],
      u64: [2n ** 63n, [2n ** 63n]],
      hex: [0xdeadbeef, [0xdeadbeefn]],
    };
    expect(Object.keys(samples)).toEqual(Object.keys(ELEMENTS));
    for (let width = 0; width < 16; width++) {
      const kinds = Object.keys(samples).filter((name) => name !== 'i8' || width < 8); // wider ones are enumerations
      const frame = encoder.user(
        100 + width,
        5,
        ...kinds.map((name) => /** @type {any} */ ([name, samples[name][0], width])),
        ['enum', 3, width & 7],
      );
      const { records, bad } = decode_qs(concat([new QsEncoder({ sizes: ODD }).start(), frame]));
      expect(bad).toEqual([]);
      expect(records[2].args).toEqual([...kinds.flatMap((name) => samples[name][1]), `enum ${width & 7}/3`]);
    }
  });

  test('text is sent without escapes, as targets do: a name with a flag damages its frame', () => {
    const encoder = new QsEncoder();
    const { records, bad } = decode_qs(
      concat([encoder.start(), encoder.record('OBJ_DICT', 4096, 'left~right'), encoder.record('QF_RUN')]),
    );
    expect(records.map(({ name }) => name)).toEqual(['empty', 'info', 'run']);
    expect(bad.length).toBe(2);
  });
});

describe('the lift', () => {
  test.each([
    [620, 1],
    [690, 2],
    [740, 3],
    [810, 3],
    [810, 4],
    [815, 5],
  ])('QP %i, seed %i: records that a target could send', (version, seed) => {
    const { records, bad, gaps, tail } = decode_qs(lift_recording({ bytes: 100_000, version, seed }));
    expect([bad, gaps, tail]).toEqual([[], 0, 0]);
    expect(qs_faults(records)).toEqual([]);
  });

  test('contains the features of active objects and the kernel', () => {
    const counts = new Map();
    for (const { name } of decode_qs(lift_recording({ bytes: 120_000 })).records)
      counts.set(name, (counts.get(name) ?? 0) + 1);
    const wanted = [
      'tran',
      'internal',
      'ignored',
      'init',
      'history',
      'publish',
      'defer',
      'recall',
      'post_attempt',
      'defer_attempt',
      'te_post',
      'rearm',
      'disarm',
      'next',
      'idle',
      'lock',
      'isr_in',
      'crit_in',
      'sem_block',
      'mtx_block',
      'gc',
      'user 100',
      'user 101',
      'user 102',
      'user 103',
      'user 104',
      'subscribe',
      'unsubscribe',
    ];
    expect(wanted.filter((name) => !counts.has(name))).toEqual([]);
  });

  test('the same seed gives the same bytes, another seed others', () => {
    const digest = (/** @type {number} */ seed) =>
      createHash('sha256')
        .update(lift_recording({ bytes: 20_000, seed }))
        .digest('hex');
    expect(digest(4)).toBe(digest(4));
    expect(digest(4)).not.toBe(digest(5));
  });
});

describe('big recordings', () => {
  /** @param {import('./big-qs.mjs').BigQsOptions} options */
  function make(options) {
    const parts = [];
    const chunks = big_qs_chunks(options);
    let next = chunks.next();
    for (; !next.done; next = chunks.next()) parts.push(next.value.slice());
    return { bytes: Buffer.concat(parts), ...next.value };
  }

  test.each([{}, { version: 740, pointers: 8, seed: 2 }])('are valid where their pieces meet: %o', (options) => {
    const big = make({ bytes: 500_000, ...options });
    const { records, bad, gaps } = decode_qs(big.bytes);
    expect([bad, gaps, records.length]).toEqual([[], 0, big.records]);
    expect(qs_faults(records)).toEqual([]);
  });

  test('damage hits some bytes, and only their frames', () => {
    const { records, bad } = decode_qs(make({ bytes: 500_000, corrupt: 2e-4, seed: 3 }).bytes);
    expect(bad.length).toBeGreaterThan(40);
    expect(bad.length).toBeLessThan(250);
    expect(records.length).toBeGreaterThan(35_000);
  });
});
