// SPDX-License-Identifier: MIT
//
// The cost of an event on the emulated Cortex-M3 in instructions, compared with tests/budgets/target.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, build, buildWithKernel, codeSize, emulate, emulateUarts, variables } from './emulator.mjs';
import { HAS_GOLDEN } from './recordings.mjs';

const NS_PER_TICK = 40;
const SHIFT = 6; // 64 ns per instruction
const CALLS = 40;
const SWITCHES = 80;
/** Levels of optimisation that the kernel is compiled at. */
const KERNEL_LEVELS = process.env.TONKOPF_EVERY_CASE ? ['-Os', '-O2'] : ['-Os'];

/** @type {{ instructions: Record<string, Record<string, number>>, codeBytes: number, ramBytes: number, stackBytes: number, contextSwitch: Record<string, number> }} */
const budgets = JSON.parse(readFileSync(join(root, 'tests', 'budgets', 'target.json'), 'utf8'));

/** The numbers of a row of the table in docs/TRACER.md. @param {string} title */
function documented(title) {
  const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8'),
    row = page.split('\n').find((line) => line.startsWith(`| ${title} | `));
  return (row ?? '').split('|').slice(2, 4).map(Number);
}

/** Title in the table of sizes, options of the recorder. @type {[string, string[]][]} */
const SIZES = [
  ['overwritten ring, with FreeRTOS', []],
  ['stream, with FreeRTOS', ['-DIMAGE_STREAMING']],
];
/** @type {[string, string[]][]} */
const MORE_SIZES = [
  ['the same, names of deleted objects stay', ['-Dtband_configREUSE_NAMES=0']],
  ['snapshot, with FreeRTOS', ['-DIMAGE_SNAPSHOT']],
  ['the same, with commands', ['-DIMAGE_STREAMING', '-Dtband_configCOMMANDS_ENABLE=1']],
  ['stream, names are repeated', ['-DIMAGE_STREAMING', '-Dtband_configREPEAT_MS=1500']],
];
/** Variables of the recorder in that program. */
const OWN =
  /^(tband_|missing_bytes|deleted|deletions|entered|groups|has_resolution|is_prepared|is_reusing|queues_created|tick_is)/;

/** Memoizes the measurement for these arguments. @template T @param {(...args: any[]) => T} measure @returns {(...args: any[]) => T} */
function once(measure) {
  const known = new Map();
  return (...args) => {
    const key = JSON.stringify(args);
    if (!known.has(key)) known.set(key, measure(...args));
    return known.get(key);
  };
}

/** Instructions of one call by name, without the loop. @param {string} cpu @param {string} level @param {string[]} options */
const count = once((cpu, level, options) => {
  const image = build(`count-${cpu}${level}${options.join('')}`, cpu, [level, ...options], ['count.c']);
  const rows = emulate(image, SHIFT)
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const ticks = Object.fromEntries(rows.map(([name, number]) => [name, Number(number)]));
  const { empty, ...rest } = ticks;
  return Object.fromEntries(
    Object.entries(rest).map(([name, number]) => [name, ((number - empty) * NS_PER_TICK) / 2 ** SHIFT / CALLS]),
  );
});

/** The path of the image that measures context switches. @param {string} level @param {string[]} options */
const switchImage = once((level, options) =>
  buildWithKernel(`switch${level}${options}`, 'cortex-m3', 'switch', [level, ...options]),
);

/** @param {string} level @param {string[]} options */
const contextSwitch = once(
  (level, options) =>
    (Number(emulate(switchImage(level, options), SHIFT).toString()) * NS_PER_TICK) / 2 ** SHIFT / SWITCHES,
);

const sizeOf = once((level, options) => codeSize('cortex-m3', level, options));

describe.skipIf(!CAN_RUN)('instructions of an event', () => {
  const cases = Object.keys(budgets.instructions).flatMap((cpu) => ['-Os', '-O2'].map((level) => [cpu, level]));

  test.each(cases)('%s %s', (cpu, level) => {
    const counted = { ...count(cpu, level, []), ...count(cpu, level, ['-DIMAGE_STREAMING']) };
    expect(Object.keys(counted)).toEqual(Object.keys(budgets.instructions[cpu]));
    for (const [name, budget] of Object.entries(budgets.instructions[cpu])) {
      expect(counted[name], name).toBeGreaterThan(5); // proves that it was measured
      expect(counted[name], name).toBeLessThanOrEqual(budget);
    }
  });

  test.skipIf(!HAS_GOLDEN)('the documentation contains the measured numbers', () => {
    const levels = ['-Os', '-O2'];
    const large = levels.map((level) => ({
      ...count('cortex-m3', level, []),
      ...count('cortex-m3', level, ['-DIMAGE_STREAMING']),
    }));
    /** @param {string} title @param {(level: any) => number} of */
    const expectRow = (title, of) => expect(documented(title), title).toEqual(large.map((row) => Math.round(of(row))));
    expectRow('number, such as the entry of an interrupt', (row) => row.one_number);
    expectRow('marker without a text', (row) => row.marker);
    expectRow('two numbers, such as a queue send', (row) => row.two_numbers);
    expectRow('text of 20 characters', (row) => row.text_of_20);
    expectRow('number in a stream, with the check for room', (row) => row.streaming);
    expectRow('lost, since the stream is full', (row) => row.dropped);
    expectRow('off, or its group is off', (row) => row.off);
    expectRow('off, or its group is off', (row) => row.filtered);
    expect(documented('number on a Cortex-M0+')).toEqual(
      levels.map((level) => Math.round(count('cortex-m0plus', level, []).one_number)),
    );
    for (const [title, options] of [
      ['context switch of FreeRTOS without recording', ['-DWITHOUT_TRACER']],
      ['context switch of FreeRTOS', []],
    ])
      expect(documented(String(title)).slice(0, KERNEL_LEVELS.length), String(title)).toEqual(
        KERNEL_LEVELS.map((level) => Math.round(contextSwitch(level, options))),
      );
  });

  test.skipIf(!HAS_GOLDEN)('the documentation contains the measured sizes', () => {
    for (const [title, options] of process.env.TONKOPF_EVERY_CASE ? [...SIZES, ...MORE_SIZES] : SIZES)
      expect(documented(title), title).toEqual(['-Os', '-O2'].map((level) => sizeOf(level, options)));
    const bytes = variables(switchImage('-Os', []));
    const own = Object.entries(bytes).filter(([name]) => OWN.test(name));
    expect(readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8')).toContain(
      `${own.reduce((sum, [, size]) => sum + size, 0)} bytes of RAM`,
    );
  });

  test.each(KERNEL_LEVELS)('context switch of FreeRTOS %s', (level) => {
    const [bare, recorded] = [contextSwitch(level, ['-DWITHOUT_TRACER']), contextSwitch(level, [])];
    expect(bare).toBeGreaterThan(40); // proves that it was measured
    expect(recorded).toBeGreaterThan(bare + 30);
    expect(recorded).toBeLessThanOrEqual(budgets.contextSwitch[level]);
  });

  test('bytes of code of recorder and hooks', () => {
    const bytes = sizeOf('-Os', []);
    expect(bytes).toBeGreaterThan(2000); // proves that it was measured
    expect(bytes).toBeLessThanOrEqual(budgets.codeBytes);
  });

  // Measured with the settings in tests/target/switch: names 512 bytes, texts 20, ring 8192.
  test('bytes of RAM of a core in addition to its buffers', () => {
    const bytes = variables(switchImage('-Os', [])),
      header = 32,
      buffers = 512 + 33 + 8192 + 38 + 1; // words
    expect(bytes.tband_control).toBeGreaterThan(buffers);
    expect(bytes.tband_control - header - buffers + bytes.entered + bytes.queues_created).toBeLessThanOrEqual(
      budgets.ramBytes,
    );
  });

  test('bytes of stack of an event', () => {
    const image = build('stack', 'cortex-m3', ['-Os'], ['count.c']);
    const depths = emulateUarts(image, SHIFT)[1].toString().trim().split('\n').map(Number);
    expect(depths.length).toBe(3000);
    expect(Math.min(...depths)).toBeGreaterThan(16); // proves that it was measured
    expect(Math.max(...depths)).toBeLessThanOrEqual(budgets.stackBytes);
  });
});
