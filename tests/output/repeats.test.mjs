// SPDX-License-Identifier: MIT
// Blocks of bytes that were received twice: the trace and the figures are those of the recording without the second copy. Targets that restart
// and send the same bytes again are restarts.
import { describe, expect, test } from 'vitest';
import { espresso_recording } from '../generator/demo-espresso.mjs';
import { charger_recording } from '../generator/demo-charger.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { big_chunks } from '../generator/big.mjs';
import { Stream, head } from '../generator/golden-stream.mjs';
import { QsEncoder } from '../generator/qs.mjs';
import { Random } from '../generator/random.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { convert } from './convert.mjs';

const LEN = 40_000;
const AT_LEAST = 64; // bytes of a block
const AT_MOST = 8192;

const TICKS = 10; // between pieces of two cores

/**
 * Two cores take turns in pieces of two events, from `from` on. name_core returns the frame before a piece.
 */
function turns(from, count, name_core) {
  return Array.from({ length: count }, (_, i) => {
    const [core, at] = [i % 2, from + i * TICKS];
    const tasks = i % 4 < 2 ? [1, 3] : [3, 1];
    return concat([name_core(core, at), ...tasks.map((task, k) => frame('task_switched_in', at + 3 * k, task + core))]);
  });
}

/** The names of the tasks of two cores. */
function names_of_cores(name_core) {
  const stream = new Stream();
  for (const core of [0, 1]) {
    stream.raw(name_core(core, 0));
    stream.ev('task_name', 1 + core, `worker ${core}`).ev('task_name', 3 + core, `IDLE${core}`);
    stream.ev('task_is_idle_task', 3 + core, core);
  }
  return stream.ev('ts_resolution_ns', 1000).bytes();
}

const NAME_CORE = {
  'core_id with a time': (core, at) => frame('core_id', at, core),
  'core_id without a time': (core) => frame('core_id', 0, core),
  chunk: (core) => frame('chunk', core, 2),
};

function recording_of_cores(name_core) {
  const all = concat([names_of_cores(name_core), ...turns(100, 3500, name_core)]);
  return all.subarray(0, all.indexOf(0, LEN) + 1);
}

/** Two cores whose events are merged by time. */
function merged_cores() {
  const bytes = concat([...big_chunks({ bytes: 2 * LEN, cores: 2 })].map(({ chunk }) => chunk.slice()));
  return bytes.subarray(0, bytes.indexOf(0, LEN) + 1);
}

const RECORDINGS = {
  'Tonbandgeraet, two cores merged by time': { bytes: merged_cores(), delimiter: 0 },
  'Tonbandgeraet, two cores with core_id': {
    bytes: recording_of_cores(NAME_CORE['core_id with a time']),
    delimiter: 0,
  },
  'Tonbandgeraet, two cores with chunks': {
    bytes: recording_of_cores(NAME_CORE.chunk),
    delimiter: 0,
    untimed: NAME_CORE.chunk(0).length,
  },
  Tonbandgeraet: { bytes: charger_recording({ bytes: LEN, seed: 3 }), delimiter: 0 },
  QS: { bytes: lift_recording({ bytes: LEN, seed: 3 }), options: { 'rate-hz': '1000000' } },
  TraceRecorder: { bytes: espresso_recording({ bytes: LEN, seed: 3 }) },
};

/** The bytes of [from, to) follow themselves. */
const repeated = (bytes, from, to) => concat([bytes.subarray(0, to), bytes.subarray(from)]);

/** Everything that the report contains about the target. */
function figures({ problems, places, inputs, skipped, facts, ...rest }) {
  return { ...rest, facts: facts?.map(({ fact }) => fact) };
}
const others = ({ problems }) => problems.filter(({ id }) => id !== 'BYTES_REPEATED');
const repeats = ({ problems }) => problems.find(({ id }) => id === 'BYTES_REPEATED');
const ids = ({ problems }) => problems.map(({ id }) => id);

describe.each(Object.entries(RECORDINGS))('%s', (_, { bytes, delimiter, options, untimed = 0 }) => {
  const whole = convert([{ bytes }], options);
  const to_frame = (at) => (delimiter === undefined ? at : bytes.indexOf(delimiter, at - 1) + 1);

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('one block received twice, seed %i', (seed) => {
    const random = new Random(seed);
    const from = to_frame(random.between(LEN / 8, LEN - 2 * AT_LEAST));
    const to = to_frame(random.between(from + AT_LEAST, Math.min(from + AT_MOST, bytes.length - AT_LEAST)));
    const { trace, report } = convert([{ bytes: repeated(bytes, from, to) }], options);
    expect(repeats(report)).toMatchObject({ count: 1 });
    // A frame without a time raises no question: if the second copy begins with one, it is decoded.
    expect([`${to - from} bytes`, `${to - from - untimed} bytes`]).toContain(repeats(report).detail);
    expect(others(report)).toEqual(whole.report.problems);
    expect(figures(report)).toEqual(figures(whole.report));
    expect(trace.equals(whole.trace)).toBe(true);
  });

  test('three blocks received twice', () => {
    let bytes_again = bytes;
    for (const at of [30_000, 20_000, 10_000]) bytes_again = repeated(bytes_again, to_frame(at), to_frame(at + 1000));
    const { trace, report } = convert([{ bytes: bytes_again }], options);
    expect(repeats(report)).toMatchObject({ count: 3 });
    expect(others(report)).toEqual(whole.report.problems);
    expect(trace.equals(whole.trace)).toBe(true);
  });

  test('the last block received twice', () => {
    const { trace, report } = convert([{ bytes: repeated(bytes, to_frame(LEN - 1000), bytes.length) }], options);
    expect(repeats(report)).toMatchObject({ count: 1 });
    expect(figures(report)).toEqual(figures(whole.report));
    expect(trace.equals(whole.trace)).toBe(true);
  });

  test('a target that starts twice and sends the same bytes', () => {
    const start = bytes.subarray(0, to_frame(LEN / 4));
    const once = convert([{ bytes: start }], options);
    const { report } = convert([{ bytes: concat([start, start]) }], options);
    expect(ids(report)).not.toContain('BYTES_REPEATED');
    expect(report.events.total).toBeGreaterThan(1.9 * once.report.events.total);
  });
});

describe.each(Object.entries(NAME_CORE))('a block of two cores begins with a %s', (_, name_core) => {
  const start = names_of_cores(name_core);
  const pieces = turns(100, 100, name_core);
  const whole = convert([{ bytes: concat([start, ...pieces]) }]);

  // Blocks end at either core, and begin at the same or the other one.
  test.each([
    [90, 16],
    [90, 17],
    [91, 16],
    [91, 17],
  ])('before piece %i, of %i pieces', (to, count) => {
    const bytes = concat([start, ...pieces.slice(0, to), ...pieces.slice(to - count)]);
    const { trace, report } = convert([{ bytes }]);
    expect(repeats(report)).toMatchObject({ count: 1 });
    expect(others(report)).toEqual(whole.report.problems);
    expect(report.cores).toEqual(whole.report.cores);
    expect(trace.equals(whole.trace)).toBe(true);
  });
});

test('a frame joined from both copies has a time far ahead', () => {
  const MORE_BYTES = 2 ** 21; // from here on times have 4 bytes
  const frames = Array.from({ length: 60 }, (_, i) =>
    frame('task_switched_in', MORE_BYTES + 300 * (i - 30), 1 + (i % 2)),
  );
  const start = head().bytes();
  const place = (i) => concat([start, ...frames.slice(0, i)]).length;
  const bytes = concat([start, ...frames]);
  const { report } = convert([{ bytes: repeated(bytes, place(20) + 3, place(50) + 4) }]);
  expect(repeats(report)).toMatchObject({ count: 1 });
  expect(ids(report)).not.toContain('TIME_RESTART');
  expect(report.events.timed).toBe(frames.length);
});

describe('restarts that look like repeated blocks', () => {
  const events = (from, count) =>
    Array.from({ length: count }, (_, i) => frame('task_switched_in', from + 10 * i, 1 + (i % 2)));

  test('a restart without names, of a target that stopped at the same frame', () => {
    const run = events(5000, 40);
    const { report } = convert([{ bytes: concat([head().bytes(), ...run, ...run, ...events(6000, 5)]) }]);
    expect(ids(report)).toContain('TIME_RESTART');
    expect(ids(report)).not.toContain('BYTES_REPEATED');
  });

  test('runs that always stop at the same frame, captured from the middle of the first one', () => {
    const [cut, run] = [events(5200, 20), events(5000, 40)];
    const { report } = convert([{ bytes: concat([...cut, ...run, ...run, ...run]) }]);
    expect(report.events.restarts).toBe(3);
    expect(ids(report)).not.toContain('BYTES_REPEATED');
  });

  test('a run that equals the one before and then differs', () => {
    const run = events(5000, 40);
    const { report } = convert([{ bytes: concat([head().bytes(), ...run, ...run.slice(10, 39), ...events(6000, 5)]) }]);
    expect(ids(report)).not.toContain('BYTES_REPEATED');
  });

  test('a block that a third copy follows', () => {
    const run = events(5000, 40);
    const block = run.slice(10);
    const { report } = convert([{ bytes: concat([head().bytes(), ...run, ...block, ...block, ...events(6000, 5)]) }]);
    expect(ids(report)).toContain('TIME_RESTART');
  });

  test('QS: the records of a reset between equal records', () => {
    const run = () => {
      const encoder = new QsEncoder();
      return [encoder.start(), ...Array.from({ length: 40 }, (_, i) => encoder.record('SCHED_IDLE', 100 + 10 * i, 0))];
    };
    const { report } = convert([{ bytes: concat([...run(), ...run(), ...run()]) }]);
    expect(report.events.restarts).toBe(2);
    expect(ids(report)).not.toContain('BYTES_REPEATED');
  });
});
