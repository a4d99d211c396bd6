// SPDX-License-Identifier: MIT
//
// Golden cases of bytes: framing, fields, text around frames, undecodable bytes.

import { cobs, payload } from './tband.mjs';
import { Stream, head, tasks, varint } from './golden-stream.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

const U64_TOO_BIG = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
const U64_ELEVEN_BYTES = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/**
 * A case with unusual bytes between two valid markers.
 * @param {string} name
 * @param {string} proves
 * @param {(stream: Stream) => unknown} piece
 * @param {number[]} [rows]
 * @returns {GoldenCase}
 */
function between(name, proves, piece, rows) {
  return { name, proves, rows, inputs: { 'input.bin': head().mark(100, 'before').with(piece).mark(300, 'after') } };
}

/** A message of `len` bytes that makes the payload of an evtmarker at tick 200 exactly `total` bytes long. */
const msg_for = (/** @type {number} */ total) => 'k'.repeat(total - 1 - varint(200).length - 1);

/** The same frame with the closing code 01 that encoders may add after a full block. */
const closed_full_block = (/** @type {ArrayLike<number>} */ bytes) => {
  const short = cobs(bytes);
  return [...short.subarray(0, short.length - 1), 1, 0];
};

const BOOT_TEXT = '\r\n*** weather station fw 2.4.1 ***\r\nclock 170 MHz, reset: pin\r\n> ';

/** @type {GoldenCase[]} */
export const FRAMING = [
  {
    name: 'leading-partial-frame-ignored',
    proves: 'A capture begins in the middle of a frame: the rest of that frame is skipped and is no error.',
    inputs: {
      'input.bin': new Stream()
        .raw([0x33, 0x44, 0x55, 0x00])
        .raw(head().bytes())
        .mark(100, 'first')
        .mark(200, 'second'),
    },
  },
  {
    name: 'text-before-first-frame',
    proves:
      'Boot text directly before the first frame: the decoder finds the frame (here the tick length) after it and reports the text.',
    inputs: {
      'input.bin': new Stream()
        .raw(BOOT_TEXT)
        .raw(head().bytes())
        .mark(100, 'first')
        .mark(2100, 'two milliseconds later'),
    },
  },
  {
    name: 'text-between-frames',
    proves: 'A shell prompt and log lines between frames damage no frame.',
    inputs: {
      'input.bin': head()
        .mark(100, 'before')
        .raw('ok\r\n> status\r\nbattery 3.71 V\r\n')
        .mark(200, 'after text')
        .mark(300, 'after'),
    },
  },
  {
    name: 'erased-flash-before-the-first-frame',
    proves:
      'FF bytes before the first frame, which contains the tick length: they are padding, and the frame is kept. Text may follow the padding.',
    inputs: {
      'input.bin': new Stream()
        .raw(new Uint8Array(600).fill(0xff))
        .with((s) => s.raw(head().bytes()).mark(100, 'first'))
        .raw([0xff, 0xff])
        .raw('log\r\n')
        .mark(200, 'second'),
    },
  },
  {
    name: 'line-end-before-frame',
    proves: 'CR LF before a frame of ten bytes: the line end could be the length of a longer frame, but is text.',
    inputs: {
      'input.bin': head()
        .mark(10_000, 'before')
        .raw('boot ok\r\n')
        .mark(20_005, 'aaaaa')
        .raw('boot ok\n')
        .ev('evtmarker', 20_100, 1, 'bbbbb')
        .raw('\r')
        .ev('valmarker', 20_110, 1, 7)
        .raw('\r\n')
        .mark(20_150, 'ccccc')
        .ev('valmarker_name', 11, 'depth of q')
        .mark(20_200, 'after'),
    },
  },
  {
    name: 'text-only-is-explained',
    proves: 'A log file without a frame is not recognised as a recording, and the trace is empty.',
    options: { format: 'tonbandgeraet' },
    inputs: { 'input.bin': new Stream().raw(BOOT_TEXT.repeat(4)) },
  },
  between(
    'empty-frames-are-idle-line',
    'Zero bytes between frames (padding, an idle line) are counted separately and are no damage.',
    (s) => s.raw([0, 0, 0, 0, 0]).mark(200, 'between'),
  ),
  between('empty-payload-is-rejected', 'A frame without an id (01 00) is rejected.', (s) => s.raw([0x01, 0x00])),
  between(
    'code-past-end-is-rejected',
    'Two bytes missing in a frame: the COBS chain leads past the delimiter; only that frame is lost.',
    (s) => s.raw([0x05, 0x04, 0x8c, 0x00]).mark(200, 'between'),
  ),
  between(
    'missing-delimiter-loses-two-frames',
    'A missing delimiter joins two frames, and both are lost; the frames after them are unaffected.',
    (s) =>
      s.ev('valmarker', 150, 2, 21).cut(1).ev('valmarker', 160, 2, 22).ev('valmarker', 170, 2, 23).mark(200, 'between'),
  ),
  between(
    'missing-delimiter-after-message',
    'A missing delimiter after a message makes the next frame part of the message text, which shows its bytes escaped.',
    (s) => s.mark(150, 'glued one').cut(1).mark(160, 'glued two').mark(200, 'between'),
  ),
  between(
    'false-delimiter-splits-one-frame',
    'A byte that became zero splits a frame into two damaged ones; the frames around it are unaffected.',
    (s) => s.mark(150, 'split in two').poke(8, 0).mark(200, 'between'),
  ),
  between(
    'shifted-code-is-suspicious',
    'A wrong COBS code that still ends on the delimiter decodes to an interrupt at tick 0: it counts as damage, and time continues.',
    (s) => s.raw([0x02, 0x04, 0x02, 0x07, 0x00]).mark(200, 'between').mark(210, 'between').mark(220, 'between'),
    [2],
  ),
  between(
    'full-block-in-both-encodings',
    'Payloads of 254 and 508 bytes without zeros, with and without the closing code 01, are accepted; 255 bytes too.',
    (s) => {
      for (const total of [254, 255, 508]) s.mark(200, msg_for(total));
      for (const total of [254, 508]) s.raw(closed_full_block(payload('evtmarker', 200, 1, msg_for(total))));
    },
  ),
  between(
    'long-piece-without-delimiter',
    'Several hundred bytes of noise without a delimiter are one damaged frame.',
    (s) => s.raw(new Array(300).fill(0x55)).raw([0]).mark(200, 'between'),
  ),
  {
    name: 'cut-last-frame-is-counted',
    proves: 'The bytes after the last delimiter are reported and never become an event.',
    rows: [13],
    inputs: { 'input.bin': head().mark(100, 'first').mark(200, 'second').mark(300, 'this frame is cut').cut(6) },
  },
  {
    name: 'cut-last-frame-not-joined-to-next-file',
    proves: 'The partial frame at the end of one file is not joined to the beginning of the next.',
    rows: [13],
    inputs: {
      'input.core0.bin': head().mark(100, 'core 0').mark(300, 'cut here').cut(4),
      'input.core1.bin': new Stream().mark(150, 'core 1').mark(250, 'core 1'),
    },
  },
  between('u8-missing-is-rejected', 'queue_kind without its kind is rejected.', (s) => s.odd(0x65, 0x03)),
  between(
    'fields-missing-are-rejected',
    'An id alone, and an id with a time stamp but without its field, are rejected.',
    (s) => s.odd(0x04).odd(0x04, varint(200)).odd(0x66, varint(200), 1),
  ),
  between('u32-unterminated-is-rejected', 'A number whose last byte is missing is rejected.', (s) =>
    s.odd(0x04, varint(200), 0x81, 0x80),
  ),
  between('u32-too-big-is-rejected', 'A fifth byte above 0F, or one that announces a sixth, is rejected.', (s) =>
    s.odd(0x04, varint(200), 0xff, 0xff, 0xff, 0xff, 0x1f).odd(0x04, varint(210), 0x81, 0x80, 0x80, 0x80, 0x80, 0x01),
  ),
  between('u32-maximum-is-valid', 'The largest id, 4294967295, is valid.', (s) =>
    s.ev('isr_enter', 200, 0xffffffff).ev('isr_exit', 210, 0xffffffff),
  ),
  between('u32-overlong-is-accepted', 'A number with redundant bytes (85 80 80 00) is decoded to its value.', (s) =>
    s.odd(0x04, varint(200), varint(5, 4)).odd(0x05, varint(210), varint(5, 4)),
  ),
  between(
    'u64-too-big-is-rejected',
    'A time stamp with a tenth byte above 01, or with eleven bytes, is rejected and does not change the clock.',
    (s) => s.odd(0x04, U64_TOO_BIG, 7).odd(0x04, U64_ELEVEN_BYTES, 7).mark(200, 'between'),
  ),
  between('u64-unterminated-is-rejected', 'A time stamp without its last byte is rejected.', (s) =>
    s.odd(0x04, 0xff, 0xff, 0xff, 0xff),
  ),
  between('u64-overlong-is-accepted', 'A time stamp with redundant bytes is decoded to its value.', (s) =>
    s.odd(0x07, varint(200, 5), 1, 0x6f, 0x6b),
  ),
  between(
    's64-unterminated-is-rejected',
    'A value without its last byte, and a value marker without value, are rejected.',
    (s) => s.odd(0x0b, varint(200), 1, 0x80).odd(0x0b, varint(210), 1),
  ),
  between('s64-too-big-is-rejected', 'A value with a tenth byte above 01 is rejected.', (s) =>
    s.odd(0x0b, varint(200), 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03),
  ),
  between(
    's64-negative-zero-is-smallest',
    'A sign without magnitude means -2^63, in the short form and in the overlong one.',
    (s) => s.odd(0x0b, varint(200), 1, 0x01).odd(0x0b, varint(210), 1, 0x81, 0x00),
  ),
  between('s64-extremes', 'Values 0, 1, -1, the largest and the smallest number keep every digit.', (s) => {
    const values = [0n, 1n, -1n, (1n << 63n) - 1n, -((1n << 63n) - 1n), -(1n << 63n)];
    values.forEach((value, i) => s.ev('valmarker', 200 + i, 2, value));
  }),
  between(
    'strings-may-be-empty-or-hold-zero',
    'An empty message, a message with a zero byte inside, and an empty name are all valid.',
    (s) =>
      s
        .ev('evtmarker', 200, 1, '')
        .ev('evtmarker', 210, 1, 'nul\0inside')
        .ev('evtmarker_name', 5, '')
        .ev('evtmarker', 220, 5, 'x'),
  ),
  between(
    'invalid-utf8-keeps-the-event',
    'Bytes that are not valid UTF-8 become U+FFFD; the event is kept and the repair is counted.',
    (s) =>
      s
        .ev('evtmarker', 200, 1, Uint8Array.of(0x61, 0x62, 0xff, 0xfe, 0x63, 0x64))
        .ev('isr_name', 9, Uint8Array.of(0xc0, 0x80, 0x78)),
    [9],
  ),
  between(
    'cut-utf8',
    'A name that was truncated inside a character stays a name.',
    (s) =>
      s
        .ev('evtmarker_name', 5, Uint8Array.of(0x54, 0xc3))
        .ev('evtmarker', 200, 5, Uint8Array.of(0x61, 0x62, 0xe2, 0x82)),
    [9],
  ),
  between(
    'utf8-names',
    'Names in other scripts stay unchanged; markup and control characters are made harmless.',
    (s) => {
      s.ev('evtmarker_name', 5, 'Temperatur °C').ev('evtmarker', 200, 5, '温度 高い');
      s.ev('evtmarker', 210, 5, '<img src=x onerror=alert(1)>').ev('evtmarker', 220, 5, 'line one\nline two\t\x1b[31m');
    },
  ),
  between(
    'trailing-bytes-after-event',
    'Extra bytes after the last field (one byte, or zeros) are always treated the same way, and counted.',
    (s) => s.odd(0x04, varint(200), 7, 0x11).odd(0x05, varint(210), 7, 0, 0),
  ),
  between(
    'unknown-ids-are-counted',
    'Undefined ids are skipped and counted by id, including those next to defined ranges.',
    (s) => {
      for (const id of [0x0c, 0x20, 0x53, 0x71, 0x79, 0x9f, 0xbf, 0xff]) s.odd(id, varint(200), 3);
      s.odd(0x20, varint(210), 4);
    },
  ),
  {
    name: 'unnamed-ids-get-numbers',
    proves: 'Interrupts, markers and values without a name show their numbers.',
    inputs: {
      'input.bin': new Stream()
        .ev('ts_resolution_ns', 1000)
        .ev('isr_enter', 100, 0)
        .ev('isr_exit', 110, 0)
        .ev('evtmarker', 120, 0, 'msg')
        .ev('evtmarker_begin', 130, 4000000000, '')
        .ev('evtmarker_end', 140, 4000000000)
        .ev('valmarker', 150, 77, -5),
    },
  },
  {
    name: 'random-bytes-are-no-recording',
    proves: 'Random bytes decoded as Tonbandgeraet give a report, not a trace full of random events.',
    options: { format: 'tonbandgeraet' },
    inputs: { 'input.bin': noise(2000) },
  },
  {
    name: 'zeros-only',
    proves: 'A file of zero bytes is an idle line: empty frames, no event, a clear sentence in the report.',
    options: { format: 'tonbandgeraet' },
    inputs: { 'input.bin': new Stream().raw(new Uint8Array(512)) },
  },
  {
    name: 'flash-padding-after-the-recording',
    proves: 'FF bytes after the recording (erased flash, unused buffer) are skipped, not decoded.',
    rows: [13],
    inputs: { 'input.bin': head().mark(100, 'first').mark(200, 'last').raw(new Array(256).fill(0xff)) },
  },
  {
    name: 'empty-file',
    proves: 'A file without bytes gives an empty, loadable trace and a sentence in the report.',
    rows: [33],
    options: { format: 'tonbandgeraet' },
    inputs: { 'input.bin': new Stream() },
  },
  {
    name: 'names-only',
    proves: 'A metadata buffer without its recording: names, no events, and a report with the reason.',
    rows: [33],
    inputs: { 'input.bin': tasks() },
  },
  {
    name: 'freertos-read-as-bare-metal',
    proves: 'With the mode set to bare metal, thousands of task events give one problem with a remedy.',
    rows: [30],
    options: { mode: 'bare-metal' },
    inputs: { 'input.bin': tasks().with(busy_tasks) },
  },
  {
    name: 'mode-inferred-from-ids',
    proves: 'Without an option, one valid task event makes the decoder choose FreeRTOS.',
    rows: [30],
    inputs: { 'input.bin': tasks().with(busy_tasks) },
  },
  {
    name: 'bare-metal-in-freertos-mode',
    proves: 'A bare-metal recording decoded as FreeRTOS gives the same trace.',
    rows: [30],
    options: { mode: 'free-rtos' },
    inputs: {
      'input.bin': head()
        .ev('isr_enter', 100, 15)
        .mark(110, 'inside')
        .ev('isr_exit', 120, 15)
        .ev('valmarker', 130, 1, 42),
    },
  },
];

/** @param {Stream} s */
function busy_tasks(s) {
  for (let i = 0; i < 20; i++) {
    s.ev('task_switched_in', 100 + i * 20, 1 + (i % 3)).mark(105 + i * 20, `step ${i}`);
  }
}

/** @param {number} len */
function noise(len) {
  let x = 0x2545f491;
  const bytes = Array.from({ length: len }, () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 8) & 0xff;
  });
  return new Stream().raw(bytes);
}
