// SPDX-License-Identifier: MIT
//
// Golden cases of QS about bytes: frames, sequence, records, sizes, time, names.

import { elf_file, gnu_map } from './elf.mjs';
import { lift_recording } from './demo-lift.mjs';
import { FUN, OBJ, QsStream, SIG, names_text, run } from './golden-qs-stream.mjs';
import { OLD_RECORDS, RECORDS } from './qs.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */
/** @typedef {import('./qs.mjs').RecordName} RecordName */
/** @typedef {import('./qs.mjs').Element} Element */

const HZ = { 'rate-hz': '1000000' };

/** @param {string} name @param {string} proves @param {QsStream} stream @param {Record<string, string>} [options] @returns {GoldenCase} */
const one = (name, proves, stream, options = HZ) => ({ name, proves, options, inputs: { 'input.bin': stream } });

/**
 * A case with unusual bytes between two valid records.
 * @param {string} name
 * @param {string} proves
 * @param {(stream: QsStream) => unknown} piece
 */
const between = (name, proves, piece) => one(name, proves, run().note(100, 'before').with(piece).note(300, 'after'));

/** Plausible values for any record: objects, states and numbers. @param {string} fields @param {number} ts */
function values_for(fields, ts) {
  /** @type {Record<string, import('./qs.mjs').Value[]>} */
  const values = {
    T: [ts],
    O: [OBJ.A, OBJ.B],
    F: [FUN.IDLE, FUN.BUSY],
    S: [SIG.GO],
    E: [16],
    Q: [5, 3],
    P: [9, 7],
    C: [10, 0],
    b: [2, 1],
    h: [777],
    w: [0xcafe],
    z: ['text'],
  };
  /** @type {Record<string, number>} */
  const used = {};
  return [...fields].map((letter) => {
    const n = used[letter] ?? 0;
    used[letter] = n + 1;
    return values[letter][n % values[letter].length];
  });
}

/** @param {QsStream} s @param {Readonly<Record<string, readonly [number, string]>>} records @param {number} ts */
function every(s, records, ts) {
  Object.entries(records).forEach(([name, [, fields]], i) =>
    s.rec(/** @type {RecordName} */ (name), ...values_for(fields, ts + 10 * i)),
  );
}

/** The records of a version that need no start of a run. @param {(number: number) => boolean} known */
const records_of = (known) =>
  Object.fromEntries(
    Object.entries(RECORDS).filter(([name, [number]]) => name !== 'EMPTY' && !name.endsWith('_DICT') && known(number)),
  );

/** @param {QsStream} s */
function queries_7(s) {
  s.raw(s.encoder.query(2000, 0, OBJ.A, FUN.IDLE))
    .raw(s.encoder.query(2010, 1, OBJ.A, FUN.IDLE))
    .raw(s.encoder.query(2020, 2, OBJ.POOL, 9, 7));
  s.raw(s.encoder.query(2030, 3, OBJ.QUEUE, 3, 1))
    .raw(s.encoder.query(2040, 4, OBJ.TIMER, OBJ.A, 10, 20, SIG.TICK, 1))
    .raw(s.encoder.query(2050, 5, OBJ.A));
  s.raw(s.encoder.peek(2060, 2, 1, [1, 0x7e, 255]))
    .raw(s.encoder.peek(2070, 4, 2, [0x7d7e]))
    .raw(s.encoder.peek(2080, 8, 4, []))
    .odd(67, 0x30, 8, 0, 0, 6);
}

/** @param {QsStream} s */
function queries_8(s) {
  s.raw(s.encoder.query(2000, 0, OBJ.A, FUN.IDLE))
    .raw(s.encoder.query(2010, 1, 7, 3, 5, 2))
    .raw(s.encoder.query(2020, 2, OBJ.POOL, 1, 9, 7, 16));
  s.raw(s.encoder.query(2030, 3, OBJ.QUEUE, 2, 3, 1))
    .raw(s.encoder.query(2040, 4, OBJ.TIMER, OBJ.A, 10, 20, SIG.TICK, 1))
    .raw(s.encoder.query(2050, 5));
  s.raw(s.encoder.query(2060, 7, 1, 2, 8, 6, 32));
}

const SAMPLE = Uint8Array.of(0, 0x7d, 0x7e, 0xff);

/** @type {Element[]} one of each type; the text in the middle shows where a cut is */
const ELEMENTS = [
  ['i8', -128],
  ['u8', 0x7e],
  ['i16', -32768],
  ['u16', 0x7d7e],
  ['i32', -2147483648],
  ['u32', 4294967295],
  ['f32', -0.5],
  ['f64', 1e300],
  ['str', 'text'],
  ['mem', SAMPLE],
  ['sig', [SIG.TICK, OBJ.A]],
  ['obj', OBJ.B],
  ['fun', FUN.WORK],
  ['i64', -9223372036854775808n],
  ['u64', 18446744073709551615n],
  ['hex', 0xdeadbeef],
  ['enum', 1, 3],
];

/** @type {GoldenCase[]} */
const RECORD_CASES = [
  one(
    'all-records-of-qp-7',
    'Every predefined record of QP 7 with its fields.',
    run()
      .with((s) =>
        every(
          s,
          records_of((number) => number < 81),
          1000,
        ),
      )
      .with(queries_7),
  ),
  one(
    'all-records-of-qp-8',
    'Every predefined record of QP 8, with its target info and its new query replies.',
    run({ version: 815 })
      .with((s) =>
        every(
          s,
          records_of((number) => number !== 56 && number !== 57),
          1000,
        ),
      )
      .with(queries_8),
  ),
  one(
    'record-numbers-before-qp-6-2',
    'Record numbers that had other meanings before QP 6.2, 7.1 and 7.2; application records begin at 70.',
    run({ version: 610 })
      .with((s) => every(s, OLD_RECORDS, 1000))
      .user(70, 2000, ['str', 'first application record'])
      .user(124, 2010, ['u8', 1]),
  ),
  one(
    'queue-free-count-before-qp-6-3-6',
    'Until QP 6.3.6 a post contains the free entries before the post.',
    run({ version: 620 }).post(100, SIG.GO, OBJ.A, 8).post(110, SIG.GO, OBJ.A, 7).note(120, 'two wait'),
  ),
  one(
    'elements-of-every-type',
    'Application records with every data element and every display width, one without elements, and a truncated one.',
    run()
      .rec('ENUM_DICT', 1, 3, 'second')
      .user(100, 50)
      .with((s) => {
        for (let width = 0; width < 16; width += 5)
          s.user(
            100 + width,
            100 + width,
            ...ELEMENTS.map(
              (element) =>
                /** @type {Element} */ ([
                  ...element.slice(0, 2),
                  element[0] === 'enum' ? 3 : element[0] === 'i8' ? 0 : width,
                ]),
            ),
          );
      })
      .user(
        101,
        200,
        ['str', ''],
        ['mem', new Uint8Array()],
        ['sig', [99, 0]],
        ['obj', 0],
        ['enum', 9, 3],
        ['f32', NaN],
        ['f64', -Infinity],
      )
      .odd(100, 210, 0, 0, 0, 0x11, 7, 0x18, 0x61, 0x62)
      .note(300, 'after'),
  ),
  one(
    'too-many-data-elements',
    'A record with more elements than a trace has names for: the first ones are shown.',
    run()
      .user(100, 100, ...Array.from({ length: 60 }, (_, i) => /** @type {Element} */ (['u8', i])))
      .note(200, 'after'),
  ),
  one(
    'test-fixture',
    'Records of a test run: paused, probed, commands accepted, rejected and done, an assertion.',
    run()
      .rec('TEST_PAUSED')
      .rec('TEST_PROBE_GET', 100, FUN.WORK, 5)
      .rec('RX_STATUS', 3)
      .rec('RX_STATUS', 0x83)
      .rec('TARGET_DONE', 120, 14)
      .user(124, 130, ['sig', [SIG.GO, OBJ.A]])
      .rec('ASSERT_FAIL', 140, 305, 'qf_actq'),
  ),
];

/** @type {GoldenCase[]} */
const FRAME_CASES = [
  one(
    'escape-bytes-in-every-field',
    'Flags and escapes in the sequence number, in fields and in the checksum: chunk boundaries split each of them.',
    run().with((s) => {
      s.lose((0x7c - s.encoder.sequence) & 0xff);
      for (let i = 0; i < 6; i++) s.user(100, 0x7e7d7e + i, ['u32', 0x7d7e7e7d], ['u8', 0x7d + i]);
      for (let i = 0; i < 256; i++) if (i % 8 === 5) s.user(125 - (i & 1), 0x7e7e00 + i, ['u16', 0x7d7e]);
    }),
  ),
  between(
    'wrong-checksum-loses-one-frame',
    'A changed byte costs its frame; the gap in the sequence numbers is reported as lost records.',
    (s) => s.note(150, 'broken').poke(8, 0x21).note(200, 'between'),
  ),
  between('missing-flag-loses-two-frames', 'Two frames without the flag between them are both lost.', (s) =>
    s.note(150, 'one').cut(1).note(160, 'two').note(200, 'between'),
  ),
  between(
    'flag-inside-an-escape',
    'A flag directly after an escape ends the frame: that frame is lost, the next one is not.',
    (s) => s.raw([9, 9, 0x7d, 0x7e]).note(200, 'between'),
  ),
  between('empty-frames', 'Consecutive flags are an idle line.', (s) => s.raw([0x7e, 0x7e, 0x7e]).note(200, 'between')),
  between('frames-of-one-and-two-bytes', 'Frames too short for a sequence number, a record id and a checksum.', (s) =>
    s.raw([0xff, 0x7e, 0x01, 0xfe, 0x7e]).note(200, 'between'),
  ),
  between('frame-too-long', 'More than 512 bytes without a flag are one damaged frame.', (s) =>
    s.raw(new Array(600).fill(0x55)).raw([0x7e]).note(200, 'between'),
  ),
  between('frame-of-512-bytes', 'The longest valid frame.', (s) =>
    s.user(100, 200, ['str', 'a'.repeat(502)]).user(100, 210, ['str', 'b'.repeat(503)]),
  ),
  between(
    'unescaped-flag-in-text',
    'Targets write text without escapes: a name with ~ or } damages only its own frame.',
    (s) => s.rec('OBJ_DICT', OBJ.A, 'left~right').rec('OBJ_DICT', OBJ.B, 'set}').note(200, 'between'),
  ),
  between('boot-text', 'Text between frames is skipped together with the frame after it.', (s) =>
    s.raw('\r\nboot 1.2 ok\r\n').note(150, 'lost with the text').note(200, 'between'),
  ),
  between(
    'unknown-records',
    'Records with undefined numbers are shown with their bytes and have no other effect.',
    (s) => s.odd(43).odd(44, 1, 2, 3).odd(82, 9).odd(99).odd(125, 1).odd(255),
  ),
  between('payload-too-short-or-too-long', 'A record of the wrong length with a valid checksum is rejected.', (s) =>
    s.odd(53, 200, 0, 0, 0).odd(53, 200, 0, 0, 0, 3, 3).odd(70, 1).odd(61, 1, 0, 0, 0, 0x61).odd(64, 0xff).odd(69, 1),
  ),
  one(
    'capture-starts-and-ends-mid-frame',
    'Bytes before the first flag are no damage; bytes after the last flag are reported.',
    new QsStream().raw([0x31, 0x08, 0x7e]).start().names().note(100, 'whole').note(200, 'cut').cut(4),
  ),
  one(
    'noise',
    'Random bytes decoded as QS give a report, not a trace full of random events.',
    new QsStream().raw(Array.from({ length: 2000 }, (_, i) => (Math.imul(i + 7, 0x9e3779b1) >>> 13) & 0xff)),
    {},
  ),
  one(
    'empty-file',
    'A file without bytes gives an empty, loadable trace and a sentence in the report.',
    new QsStream(),
    {},
  ),
  one('flags-only', 'A file of flags is an idle line.', new QsStream().raw(new Array(100).fill(0x7e)), {}),
];

/** @type {GoldenCase[]} */
const SEQUENCE_CASES = [
  one(
    'sequence-number-wraps',
    'The sequence number wraps from 255 to 0 without a loss.',
    run()
      .lose(200)
      .with((s) => {
        for (let i = 0; i < 60; i++) s.user(100, 100 + i, ['u8', i]);
      }),
  ),
  one(
    'gap-inside-open-slices',
    'Lost records end everything open: a step, an interrupt, a critical section, a scheduler lock; pending events are dropped.',
    run()
      .post(100, SIG.GO, OBJ.A)
      .begin(110, SIG.GO, OBJ.A, FUN.IDLE)
      .rec('QF_ISR_ENTRY', 120, 1, 7)
      .rec('QF_CRIT_ENTRY', 125, 1)
      .rec('SCHED_LOCK', 126, 0, 9)
      .lose(7)
      .note(200, 'after the gap')
      .rec('QF_ACTIVE_GET_LAST', 210, SIG.DONE, OBJ.A, 0, 0)
      .rec('QEP_DISPATCH', 211, SIG.DONE, OBJ.A, FUN.IDLE)
      .rec('QEP_IGNORED', 220, SIG.DONE, OBJ.A, FUN.IDLE),
  ),
  one(
    'several-gaps-add-up',
    'The count of lost records is the sum of all gaps.',
    run().note(100, 'a').lose(3).note(200, 'b').lose(255).note(300, 'c').lose(1).note(400, 'd'),
  ),
  one(
    'reset-in-mid-stream',
    'A new run of the same image: open slices end, time continues, sequence numbers restart, names stay valid.',
    run()
      .step(1000, SIG.GO, OBJ.A, FUN.IDLE)
      .rec('QF_ISR_ENTRY', 1100, 1, 0)
      .start()
      .post(50, SIG.GO, OBJ.A)
      .begin(60, SIG.GO, OBJ.A, FUN.IDLE)
      .rec('QEP_TRAN', 70, SIG.GO, OBJ.A, FUN.IDLE, FUN.BUSY),
  ),
  one(
    'reset-to-other-firmware',
    'After a reset to another build, the old names are dropped, because its pointers identify other objects.',
    run()
      .step(1000, SIG.GO, OBJ.A, FUN.IDLE)
      .start({ build: [9, 9, 9, 9, 9, 26] })
      .rec('OBJ_DICT', OBJ.A, 'Other')
      .step(50, SIG.GO, OBJ.A, FUN.IDLE),
  ),
  one(
    'reset-first-record-lost',
    'The EMPTY record was lost, so only the target info announces the reset.',
    run().note(1000, 'first run').lose(0).info().note(20, 'second run'),
  ),
  one(
    'target-info-on-request',
    'A target info in mid-stream without a reset changes nothing.',
    run().note(1000, 'before').info({ reset: false }).note(1100, 'after'),
  ),
  one(
    'target-info-changes-sizes',
    'A target info in mid-stream with other sizes: they apply from the next record on.',
    run()
      .note(1000, 'before')
      .with((s) => {
        s.encoder.sizes = { ...s.encoder.sizes, T: 2, O: 8 };
        s.info({ reset: false }).names().note(1100, 'after').step(1200, SIG.GO, OBJ.A, FUN.IDLE);
      }),
  ),
];

/** The records of one core, from mid-stream on. @param {number} core @param {number} from */
const core_file = (core, from) =>
  new QsStream({ sequence: 40 }).with((s) => {
    s.rec('OBJ_DICT', OBJ.A, `Alpha of core ${core}`)
      .rec('FUN_DICT', FUN.IDLE, 'idle')
      .rec('SIG_DICT', SIG.GO, 0, 'GO_SIG');
    for (let i = 0; i < 8; i++) s.step(from + 20 * i, SIG.GO, OBJ.A, FUN.IDLE).rec('SCHED_IDLE', from + 20 * i + 15, 5);
  });

/** Times across more than one wrap. @param {number} width @param {number[]} times */
const wrapping = (width, times) => times.reduce((s, ts, i) => s.user(100, ts, ['u8', i]), run({ sizes: { T: width } }));

/** @type {GoldenCase[]} */
const TIME_CASES = [
  one(
    'time-8-bit-wraps',
    'A time stamp of one byte: any smaller value is a wrap.',
    wrapping(1, [250, 255, 3, 130, 129, 128]),
  ),
  one(
    'time-16-bit-wraps',
    'A time stamp of two bytes: one wrap, and a small step back that is no wrap.',
    wrapping(2, [0xff00, 0x10, 0x8000, 0x7f00, 0xffff, 0]),
  ),
  one(
    'time-32-bit-wraps',
    'A time stamp of four bytes wraps twice.',
    wrapping(4, [0xfffffff0, 5, 0x70000000, 0xe0000000, 4]),
  ),
  one(
    'clock-small-steps-back',
    'A misread clock steps back: its records keep the time of the record before.',
    run().note(100000, 'a').note(99000, 'back').note(100500, 'on').note(100400, 'back').note(101000, 'on'),
  ),
  one(
    'records-without-time-stamp',
    'Records without a time stamp get the time of the record before; those before the first time stamp get the first.',
    run()
      .rec('QEP_STATE_ENTRY', OBJ.A, FUN.IDLE)
      .rec('QF_RUN')
      .note(5000, 'first time')
      .rec('QEP_STATE_EXIT', OBJ.A, FUN.IDLE)
      .rec('QF_TICK', 1, 0)
      .note(6000, 'second'),
  ),
  one(
    'rate-unknown',
    'Without a rate, times are in counts, and the report explains how to set the rate.',
    run().step(100, SIG.GO, OBJ.A, FUN.IDLE),
    {},
  ),
  one(
    'rate-given',
    'At 3 Hz a count is a third of a second: times are rounded down to whole nanoseconds, without drift.',
    run().note(0, 'zero').note(1, 'a third').note(2, 'two thirds').note(3, 'one second'),
    { 'rate-hz': '3' },
  ),
  one(
    'rate-given-as-length',
    'An option gives the length of a count, as in every format.',
    run().note(10, 'a').note(20, 'b'),
    { 'tick-ns': '1000' },
  ),
  one(
    'missed-wraps-from-tick-counter',
    'A clock of two bytes wraps three times while only ticks are recorded: the tick counter shows how often.',
    run({ sizes: { T: 2 } }).with((s) => {
      const stamp = (/** @type {number} */ tick) => (tick * 5000) & 0xffff;
      for (let tick = 1; tick <= 12; tick++) s.rec('QF_TICK', tick, 0).user(100, stamp(tick), ['u8', tick]);
      for (let tick = 13; tick <= 60; tick++) s.rec('QF_TICK', tick, 0);
      s.user(100, stamp(60), ['u8', 60]);
    }),
  ),
  one(
    'narrow-clock-with-tick-rate',
    'Ticks are two and a half periods of the clock apart. With both rates, their counter gives the number of wraps: the times are correct.',
    narrow_ticks(),
    { 'rate-hz': '16800000', 'tick-rate-hz': '100' },
  ),
  one(
    'narrow-clock-without-tick-rate',
    'The same recording as narrow-clock-with-tick-rate, without the rate of the ticks: the report calls its clock ambiguous and its times uncertain.',
    narrow_ticks(),
    { 'rate-hz': '16800000' },
  ),
  one(
    'narrow-clock-with-dense-records',
    'A clock of two bytes whose steps are all below a quarter of its period is not ambiguous.',
    run({ sizes: { T: 2 } }).with((s) => {
      for (let i = 0; i < 12; i++) s.user(100, (i * 16_000) & 0xffff, ['u8', i]);
    }),
  ),
  one(
    'narrow-clock-irregular-ticks',
    'A clock of one byte, and ticks whose distance does not match their rate: the clock is ambiguous.',
    run({ sizes: { T: 1 } }).with((s) => {
      for (let tick = 1; tick <= 12; tick++)
        s.rec('QF_ISR_ENTRY', (tick * (700 + 37 * (tick % 3))) & 0xff, 1, 255)
          .rec('QF_TICK', tick, 0)
          .rec('QF_ISR_EXIT', (tick * (700 + 37 * (tick % 3)) + 5) & 0xff, 0, 0);
    }),
    { 'rate-hz': '1000000', 'tick-rate-hz': '1000' },
  ),
  {
    name: 'two-cores-without-target-info',
    proves:
      'Two files of one target without target info: the sizes of each are inferred, and equal pointers on two cores are two objects.',
    options: HZ,
    inputs: { 'input.core0.bin': core_file(0, 1000), 'input.core1.bin': core_file(1, 1005) },
  },
  one(
    'default-rate-of-host-targets',
    'Pointers of 8 bytes indicate a host target, whose clock counts tenths of a microsecond.',
    run({ sizes: { O: 8, F: 8 } })
      .note(10, 'a')
      .note(20, 'b'),
    {},
  ),
];

/** Ticks in interrupts, 168000 counts apart, each followed by work of an active object. */
function narrow_ticks() {
  const at = (/** @type {number} */ time) => time & 0xffff;
  return run({ sizes: { T: 2 } }).with((s) => {
    s.user(100, 300, ['u8', 0]);
    for (let tick = 1; tick <= 12; tick++) {
      const time = tick * 168_000;
      s.rec('QF_ISR_ENTRY', at(time), 1, 255).rec('QF_TICK', tick, 0);
      s.post(at(time + 200), SIG.GO, OBJ.A).rec('QF_ISR_EXIT', at(time + 400), 0, 0);
      s.step(at(time + 1000), SIG.GO, OBJ.A, FUN.IDLE);
    }
  });
}

/** Enough records to infer the sizes. @param {QsStream} s */
function plenty(s) {
  for (let i = 0; i < 6; i++) {
    s.step(1000 + 100 * i, SIG.GO, OBJ.A, FUN.IDLE)
      .rec('QF_MPOOL_GET', 1050 + 100 * i, OBJ.POOL, 9, 7)
      .rec('QF_NEW', 1051 + 100 * i, 16, SIG.GO)
      .rec('QF_TICK', i, 0);
    s.rec('QF_MPOOL_PUT', 1060 + 100 * i, OBJ.POOL, 9)
      .rec('QF_ACTIVE_GET', 1070 + 100 * i, SIG.DONE, OBJ.B, 0, 0, 5)
      .rec('QEP_STATE_ENTRY', OBJ.A, FUN.BUSY);
  }
}

const ODD_SIZES = { T: 2, O: 8, F: 4, S: 1, E: 4, Q: 2, P: 1, C: 2 };

/** @type {GoldenCase[]} */
const SIZE_CASES = [
  one(
    'field-sizes-inferred',
    'Without target info, the sizes are inferred from the lengths of the records.',
    new QsStream({ sizes: ODD_SIZES, sequence: 77 }).with(plenty),
  ),
  one(
    'field-sizes-partly-inferred',
    'A size that no record shows keeps its default.',
    new QsStream({ sizes: { T: 2, O: 2, F: 2, S: 1 }, sequence: 77 })
      .step(100, SIG.GO, OBJ.A & 0xffff, FUN.IDLE & 0xffff)
      .step(200, SIG.GO, OBJ.A & 0xffff, FUN.IDLE & 0xffff),
  ),
  one(
    'field-sizes-by-option',
    'Sizes from options override inferred sizes.',
    new QsStream({ sizes: { T: 2, Q: 4 }, sequence: 77 }).with((s) => {
      for (let i = 0; i < 4; i++) s.post(100 + 10 * i, SIG.GO, 0x7f000000 + i).note(105 + 10 * i, 'n');
    }),
    { ...HZ, 'size-time': '2', 'size-queue': '4', 'size-signal': '2', 'size-object': '4' },
  ),
  one(
    'field-sizes-option-overrides-target',
    'Sizes from options override those of the target info.',
    run({ sizes: { T: 4 } }).with((s) => {
      s.encoder.sizes = { ...s.encoder.sizes, T: 2 };
      s.note(100, 'two bytes').note(200, 'two bytes');
    }),
    { ...HZ, 'size-time': '2' },
  ),
  one(
    'field-sizes-from-late-target-info',
    'A target info after other records, without a reset, gives the sizes of the earlier records too.',
    new QsStream({ sizes: ODD_SIZES, sequence: 77 }).with(plenty).info({ reset: false }).names().note(1700, 'after'),
  ),
  one(
    'field-sizes-of-previous-run',
    'A reset after other records gives no sizes for them: theirs are inferred.',
    new QsStream({ sizes: ODD_SIZES, sequence: 77 }).with(plenty).with((s) => {
      s.encoder.sizes = { T: 4, O: 4, F: 4, S: 2, E: 2, Q: 1, P: 2, C: 4 };
      s.start().names().step(50, SIG.GO, OBJ.A, FUN.IDLE);
    }),
  ),
  one(
    'version-from-scheduler-record',
    'Without target info, a record 54 that is no text indicates a version before 7.2.',
    new QsStream({ sequence: 77 }).with(plenty).rec('SCHED_RESUME', 2000, 3, 7).rec('SCHED_RESUME', 2010, 1, 3),
  ),
  one(
    'version-by-option',
    'The version determines the meaning of records 48, 49 and 54.',
    new QsStream({ version: 650, sequence: 77 })
      .with(plenty)
      .rec('MUTEX_LOCK', 2000, 3, 7)
      .rec('MUTEX_UNLOCK', 2010, 3, 7)
      .user(70, 2020, ['u8', 1]),
    { ...HZ, 'qp-version': '650' },
  ),
];

/** @type {GoldenCase[]} */
const NAME_CASES = [
  one(
    'names-after-first-use',
    'Names also apply to records before their dictionary record.',
    new QsStream().start().step(100, SIG.GO, OBJ.A, FUN.IDLE).user(100, 150, ['obj', OBJ.A]).names(),
  ),
  one(
    'missing-names',
    'Objects without a name show their number: pointers in full width, signals, records.',
    new QsStream()
      .start()
      .step(100, SIG.GO, OBJ.A, FUN.IDLE)
      .user(101, 150, ['obj', OBJ.A], ['fun', FUN.BUSY], ['sig', [9, OBJ.A]], ['enum', 2, 1])
      .user(124, 160),
  ),
  one(
    'signal-names-per-object',
    'A signal number has a name for one object, a common name, and a name for another object only.',
    run()
      .rec('SIG_DICT', 7, OBJ.A, 'A_ONLY_SIG')
      .rec('SIG_DICT', 7, 0, 'FOR_ALL_SIG')
      .rec('SIG_DICT', 8, OBJ.B, 'B_ONLY_SIG')
      .step(100, 7, OBJ.A, FUN.IDLE)
      .step(200, 7, OBJ.B, FUN.WORK)
      .step(300, 8, OBJ.A, FUN.IDLE)
      .rec('QF_PUBLISH', 400, OBJ.A, 8, 0, 0),
  ),
  one(
    'renamed-object',
    'A later name for the same pointer replaces the earlier one.',
    run().step(100, SIG.GO, OBJ.A, FUN.IDLE).rec('OBJ_DICT', OBJ.A, 'Renamed'),
  ),
  one(
    'equal-names',
    'Two objects with one name stay two objects.',
    run().rec('OBJ_DICT', OBJ.B, 'Alpha').step(100, SIG.GO, OBJ.A, FUN.IDLE).step(200, SIG.GO, OBJ.B, FUN.WORK),
  ),
  one(
    'names-in-other-scripts',
    'Names in other scripts stay unchanged; invalid UTF-8 is repaired and counted.',
    run()
      .rec('OBJ_DICT', OBJ.A, 'Türsteuerung')
      .rec('OBJ_DICT', OBJ.B, Uint8Array.of(0x61, 0xff, 0x62))
      .rec('SIG_DICT', SIG.GO, 0, '開く')
      .step(100, SIG.GO, OBJ.A, FUN.IDLE)
      .step(200, SIG.GO, OBJ.B, FUN.WORK),
  ),
  one(
    'empty-names',
    'An empty name is ignored.',
    run().rec('OBJ_DICT', OBJ.A, '').rec('USR_DICT', 101, '').step(100, SIG.GO, OBJ.A, FUN.IDLE).user(101, 200),
  ),
  one(
    'blank-names',
    'A name of blanks is ignored: objects, signals and records are shown by their numbers.',
    run()
      .rec('OBJ_DICT', 0x20000900, ' ')
      .rec('SIG_DICT', 40, 0, ' \t')
      .rec('USR_DICT', 102, '  ')
      .step(100, 40, 0x20000900, FUN.IDLE)
      .user(102, 200),
  ),
  one(
    'interrupt-that-publishes',
    'An interrupt whose first record is a publication has the name of the sender, as one whose first record is a post.',
    run()
      .rec('OBJ_DICT', OBJ.IRQ, 'radio')
      .rec('QF_ISR_ENTRY', 100, 1, 0)
      .rec('QF_PUBLISH', 105, OBJ.IRQ, SIG.GO, 0, 0)
      .post(108, SIG.GO, OBJ.A)
      .rec('QF_ISR_EXIT', 120, 0, 0)
      .rec('QF_ISR_ENTRY', 200, 1, 0)
      .post(208, SIG.GO, OBJ.A)
      .rec('QF_ISR_EXIT', 220, 0, 0),
  ),
  {
    name: 'names-from-an-earlier-capture',
    proves: 'A capture from the middle of a run gets its names from an earlier capture.',
    options: HZ,
    inputs: {
      'input.side.bin': run().note(5, 'earlier'),
      'input.bin': new QsStream({ sequence: 90 }).with(plenty).info({ reset: false }),
    },
  },
];

/**
 * A capture from the middle of a run, with a side input.
 * @param {string} name
 * @param {string} proves
 * @param {QsStream} side
 * @param {QsStream} stream
 * @returns {GoldenCase}
 */
const along = (name, proves, side, stream) => ({
  name,
  proves,
  options: HZ,
  inputs: { 'input.side.bin': side, 'input.bin': stream },
});

const middle = () => new QsStream({ sizes: ODD_SIZES, sequence: 90 });
const signals = (/** @type {QsStream} */ s) =>
  s
    .step(2000, SIG.TICK, OBJ.A, FUN.IDLE)
    .step(2100, 10, OBJ.A, FUN.IDLE)
    .step(2200, 16, OBJ.B, FUN.BUSY)
    .rec('QF_PUBLISH', 2300, OBJ.A, SIG.TICK, 0, 0);

/** The firmware with these addresses: one object is inside another, one state handler is a C++ function. */
const FIRMWARE = {
  functions: [
    {
      name: 'Alpha_idle',
      address: FUN.IDLE - 1,
      size: 0x20,
      unit: 'alpha.c',
      binding: /** @type {const} */ ('local'),
      lines: [10, 12],
    },
    { name: '_ZN5Alpha4busyEPKS_PK4QEvt', address: FUN.BUSY - 1, size: 0x20, unit: 'alpha.cpp' },
    { name: 'Beta_work', address: FUN.WORK - 1, size: 0x20, unit: 'beta.c' },
  ],
  variables: [
    { name: 'l_alpha', address: OBJ.A, size: 0x40, unit: 'alpha.c' },
    { name: 'l_rest', address: OBJ.B - 8, size: 0x40, unit: 'beta.c' },
  ],
};
/** A side input that is not a QS stream. @param {Uint8Array | string} bytes */
const file = (bytes) => new QsStream().raw(bytes);
/** @param {QsStream} s */
const nameless = (s) =>
  s
    .step(2000, SIG.GO, OBJ.A, FUN.IDLE)
    .step(2100, SIG.GO, OBJ.B, FUN.WORK)
    .step(2200, SIG.GO, OBJ.A, FUN.BUSY)
    .user(100, 2300, ['obj', OBJ.A + 12], ['fun', FUN.IDLE]);

/** @type {GoldenCase[]} */
const SIDE_CASES = [
  along(
    'names-from-an-elf',
    'Pointers without a dictionary record get the names of functions and variables of the firmware.',
    file(elf_file(FIRMWARE)),
    new QsStream().start().with(nameless),
  ),
  along(
    'names-from-a-map',
    'A linker map gives the same names as an ELF file.',
    file(gnu_map(FIRMWARE)),
    new QsStream().start().with(nameless),
  ),
  along(
    'symbols-of-other-firmware',
    'A symbol file that contains none of the pointers names nothing and is reported.',
    file(elf_file({ functions: [{ name: 'main', address: 0x100, size: 16, unit: 'main.c' }] })),
    new QsStream().start().with(nameless),
  ),
  along(
    'dictionary-file',
    'A dictionary as text contains sizes and names; its signal numbers are hexadecimal.',
    new QsStream().raw(names_text({ sizes: ODD_SIZES })),
    middle().with(signals),
  ),
  along(
    'dictionary-file-of-base-10',
    'If no signal number contains a letter, the numbers are decimal; lines may end with CR LF.',
    new QsStream().raw(names_text({ sizes: ODD_SIZES, base: 10, end: '\r\n' })),
    middle().with(signals),
  ),
  along(
    'dictionary-file-that-is-damaged',
    'Invalid lines are skipped; a section without an end ends with the file.',
    new QsStream().raw(
      `-v7.4\n-T9\n-\n${names_text({ sizes: ODD_SIZES }).replace('0x20000200', 'some words').replace('***', '')}Obj-Dic:`,
    ),
    middle().with(signals),
  ),
  along(
    'dictionary-file-of-another-target',
    'Sizes of a side input that do not fit the records are ignored.',
    new QsStream().raw(names_text({ sizes: { T: 1, O: 1, F: 1 } })),
    middle().with(plenty),
  ),
  along(
    'sizes-and-enums-from-earlier-capture',
    'An earlier capture also provides sizes, enumerations, and the signal names per object.',
    run({ sizes: ODD_SIZES }).rec('ENUM_DICT', 2, 1, 'second of one').rec('SIG_DICT', 9, OBJ.B, 'B_ONLY_SIG'),
    middle()
      .with(signals)
      .user(100, 2400, ['enum', 2, 1], ['sig', [9, 0]]),
  ),
  along(
    'own-names-override-dictionary-file',
    'Names in the recording override those of a dictionary file.',
    new QsStream().raw(names_text({ sizes: {} })),
    run().rec('OBJ_DICT', OBJ.A, 'Own').step(100, SIG.GO, OBJ.A, FUN.IDLE),
  ),
  {
    name: 'dictionary-file-alone',
    proves: 'Names without a recording: an empty trace, and a report with the reason.',
    inputs: { 'input.bin': new QsStream().raw(names_text({ sizes: {} })) },
  },
  {
    name: 'two-recordings-as-cores',
    proves: 'The user converts two streams as cores of one target: the trace contains both completely.',
    options: HZ,
    inputs: {
      'input.core0.bin': run().with(plenty),
      'input.core1.bin': new QsStream().start().with(plenty).lose(3).note(1700, 'end'),
    },
  },
];

/** @type {GoldenCase[]} */
export const QS_BYTES = [
  ...RECORD_CASES,
  ...FRAME_CASES,
  ...SEQUENCE_CASES,
  ...TIME_CASES,
  ...SIZE_CASES,
  ...NAME_CASES,
  ...SIDE_CASES,
  {
    name: 'lift',
    proves: 'The beginning of a simulated lift: a preemptive kernel, state machines, threads.',
    options: HZ,
    inputs: { 'input.bin': { bytes: () => lift_recording({ bytes: 3900 }) } },
  },
];
