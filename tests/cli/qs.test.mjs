// SPDX-License-Identifier: MIT
// Options of a format, dictionary files, and the dump of every record of QS.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lift_recording } from '../generator/demo-lift.mjs';
import { QS_BYTES } from '../generator/golden-qs.mjs';
import { QsStream, names_text, run as named_run } from '../generator/golden-qs-stream.mjs';
import { RECORDS } from '../generator/qs.mjs';
import { Folder, TOOL } from './tool.mjs';

const LIFT = lift_recording({ bytes: 40_000 });
const FIRST_HALF = LIFT.subarray(0, 20_000);
const SIZES = { T: 2, O: 8, F: 4, S: 1, E: 4, Q: 2, P: 1, C: 2 };
const MIDDLE = new QsStream({ sizes: SIZES, sequence: 40 });
for (let i = 0; i < 20; i++) MIDDLE.step(100 * i, 4, 0x20000100, 0x08000101).rec('SCHED_IDLE', 100 * i + 50, 3);
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('lift.bin', LIFT);
  folder.write('late.bin', LIFT.subarray(20_000));
  folder.write('early.bin', FIRST_HALF);
  folder.write('middle.bin', MIDDLE.bytes());
  folder.write('names.dic', names_text({ sizes: SIZES }));
  const cases = QS_BYTES.filter(({ name }) => name === 'all-records-of-qp-7' || name === 'elements-of-every-type');
  folder.write('all.bin', Buffer.concat(cases.map(({ inputs }) => inputs['input.bin'].bytes())));
});
afterAll(() => folder.remove());

/** @param {string[]} args */
function run(args) {
  const { stdout, stderr, status } = spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28 });
  return { out: stdout, text: stdout.toString(), errors: stderr.toString(), status };
}
const facts = (/** @type {{ facts: { input_number: number, fact: string }[] }} */ report, input = 0) =>
  report.facts.filter(({ input_number }) => input_number === input).map(({ fact }) => fact);
/** @param {string[]} args */
const report = (args) => JSON.parse(run(['info', '--json', ...args]).text);

describe('QS', () => {
  test('--set accepts the options of the format, and its error lists them', () => {
    const in_counts = report(['lift.bin']);
    const in_seconds = report(['--set', 'rate-hz=1000000', 'lift.bin']);
    expect(in_counts.tick).toMatchObject({ ns: 1, source: 'assumed', counts: 20000 });
    expect(in_seconds.tick).toMatchObject({ ns: 1, source: 'option', counts: null });
    expect(BigInt(in_seconds.time.duration)).toBe(BigInt(in_counts.time.duration) * 1000n);
    const wrong = run(['info', '--set', 'size-time=3', 'lift.bin']);
    expect([wrong.status !== 0, wrong.errors]).toEqual([
      true,
      expect.stringContaining('size-time=3: one of auto|1|2|4'),
    ]);
    const unknown = run(['info', '--set', 'size-moon=3', 'lift.bin']);
    expect([unknown.status !== 0, unknown.errors]).toEqual([true, expect.stringContaining('size-moon')]);
  });

  test('the wait of an event is in nanoseconds with a rate, and labelled as ticks without one', () => {
    const waits = (/** @type {string[]} */ ...args) =>
      [
        ...run(['dump', '--stage', 'tracks', ...args, 'lift.bin']).text.matchAll(/waited until dispatch \((\w+)\)/g),
      ].map(([, unit]) => unit);
    expect(new Set(waits())).toEqual(new Set(['ticks']));
    expect(new Set(waits('--set', 'rate-hz=1000000'))).toEqual(new Set(['ns']));
    expect(report(['lift.bin']).time_certainty).toBe('rate_unknown');
    expect(report(['--set', 'rate-hz=1000000', 'lift.bin']).time_certainty).toBe('measured');
  });

  test('a narrow clock is ambiguous unless the tick rate and the clock rate prove its wraps', () => {
    const narrow = named_run({ sizes: { T: 2 } });
    narrow.user(100, 300, ['u8', 0]);
    for (let tick = 1; tick <= 129; tick++) {
      const at = (/** @type {number} */ more) => (tick * 168_000 + more) & 0xffff;
      narrow.rec('QF_ISR_ENTRY', at(0), 1, 255).rec('QF_TICK', tick, 0).rec('QF_ISR_EXIT', at(400), 0, 0);
    }
    folder.write('narrow.bin', narrow.bytes());
    const rate = ['--set', 'rate-hz=1000000000'];
    const ids = (/** @type {{ problems: { id: string }[] }} */ of) => of.problems.map(({ id }) => id);
    for (const args of [[], rate]) {
      const guessed = report([...args, 'narrow.bin']);
      expect(guessed.time_certainty).toBe('turns_unknown');
      expect(guessed.tick.counts).toBe(null);
      expect(ids(guessed)).toContain('CLOCK_AMBIGUOUS');
    }
    const exact = report(['--set', 'rate-hz=168000000', '--set', 'tick-rate-hz=1000', 'narrow.bin']);
    expect(exact).toMatchObject({ time_unit: 'ns', time_certainty: 'measured' });
    expect(exact.time.duration).toBe(String(Math.floor(((129 * 168_000 + 400 - 300) * 1000) / 168)));
    expect(ids(exact)).not.toContain('CLOCK_AMBIGUOUS');
    const wait = run(['info', '--expect', 'time.duration>1ms', ...rate, 'narrow.bin']);
    expect([wait.status, wait.errors]).toEqual([
      1,
      expect.stringContaining('the clock may have wrapped several times'),
    ]);
  });

  test('a frame about many open interrupts fits beside the events that wait for the other core', () => {
    for (const depth of [10, 40, 70]) {
      const nested = named_run();
      for (let i = 0; i < depth; i++) nested.rec('QF_ISR_ENTRY', 100 + 10 * i, i + 1, 0);
      nested.lose(1).note(20_000, 'later'); // after a loss they all end in one frame
      folder.write('nested.bin', nested.bytes());
      folder.write('other.bin', nested.bytes());
      const [alone, both] = [['nested.bin@0'], ['nested.bin@0', 'other.bin@1']].map((files) =>
        report(['--set', 'rate-hz=1000000', ...files]),
      );
      expect(alone.events.total, `${depth} deep`).toBeGreaterThan(2 * depth - 10);
      expect(both.events.total, `${depth} deep`).toBe(2 * alone.events.total);
    }
  });

  test('the report distinguishes sizes from options, from the target, and inferred ones', () => {
    expect(facts(report(['lift.bin']))).toEqual([
      'QP/C 8.1.0, built 2026-05-04 03:02:01',
      'Sizes told by the target: time 4, object 4, function 4, signal 2, event 2, queue 1, pool 2, timer 4',
      'The system tick comes every 20000 ticks of the clock',
    ]);
    expect(facts(report(['--set', 'size-timer=2', 'middle.bin']))).toEqual([
      'Sizes as set: timer 2',
      'Sizes inferred: time 2, object 8, function 4, signal 1, queue 2 (100 of 100 records fit)',
      'Sizes that no record shows: event 2, pool 2',
    ]);
  });

  test('times are ticks until the length of a tick is known', () => {
    const lines = (/** @type {string[]} */ ...args) => run(['info', ...args, 'lift.bin']).text;
    expect(lines()).toMatch(/^From +\d+ ticks\nTo +\d+ ticks\nDuration +\d+ ticks$/m);
    expect(lines().replace(/^Tick .*$/m, '')).not.toMatch(/\d (ns|us|ms|s)\b(?!,? assumed)/);
    const told = (/** @type {string[]} */ ...args) => run(['conv', ...args, '-o', 'ticks.pftrace', 'lift.bin']).errors;
    expect(told()).toMatch(/ events, 1 core, \d+ ticks, /);
    expect(told('--set', 'rate-hz=1000000')).toMatch(/ events, 1 core, \d+\.\d{9} s, /);
    expect(lines('--set', 'rate-hz=1000000')).toMatch(/^From +0\.0\d+ s\nTo .*\nDuration +\d+\.\d{3} s$/m);
  });

  test('a dictionary file and an earlier capture provide names and sizes, by --with or beside the recording', () => {
    const bare = report(['middle.bin']);
    expect(bare.objects[0].name).toBe('0x0000000020000100');
    for (const args of [
      ['--with', 'names.dic', 'middle.bin'],
      ['middle.bin', 'names.dic'],
      ['names.dic', 'middle.bin'],
    ]) {
      const along = report(args);
      expect(along.objects[0].name, args.join(' ')).toBe('Alpha');
      expect(along.inputs.map((/** @type {any} */ { role }) => role)).toEqual(['names', 'recording']);
      expect(facts(along, 1)[0]).toMatch(/^Sizes from a side input: time 2, object 8/);
    }
    const late = report(['--with', 'early.bin', 'late.bin']);
    expect(late.objects.map((/** @type {any} */ { name }) => name)).toContain('Cabin');
  });

  test('the dump names every record and its fields', () => {
    const lines = run(['dump', '--stage', 'records', '--json', 'all.bin']).text.trim().split('\n');
    const seen = new Map(lines.map((line) => [JSON.parse(line).record, JSON.parse(line)]));
    const wanted = Object.entries(RECORDS).filter(([, [number]]) => number < 81);
    for (const [name, [number, fields]] of wanted) {
      const line = seen.get(name);
      expect(line?.fields.number, name).toBe(String(number));
      const keys = Object.keys(line.fields),
        own = keys.slice(keys.indexOf('number') + 1); // the second entry of a name has a number
      expect(own.length - (fields.startsWith('T') ? 1 : 0), `${name}: ${JSON.stringify(line)}`).toBe(
        fields.replace('T', '').length,
      );
    }
    expect(seen.has('QUERY_DATA') && seen.has('PEEK_DATA') && seen.has('TARGET_INFO')).toBe(true);
  });
});

test('a dictionary beside a recording is used with and without --with', () => {
  const named = run(['conv', '-o', '-', '--with', 'names.dic', 'middle.bin']),
    beside = run(['conv', '-o', '-', 'middle.bin', 'names.dic']);
  expect([named.status, beside.status]).toEqual([0, 0]);
  expect(named.out.length).toBeGreaterThan(1000);
  expect(beside.out.equals(named.out)).toBe(true);
});

test('a dictionary file alone gives an empty trace and a message', () => {
  folder.write('run.bin', named_run().bytes());
  const { status, text } = run(['info', 'names.dic']);
  expect(status).toBe(0);
  expect(text).toContain('names');
});
