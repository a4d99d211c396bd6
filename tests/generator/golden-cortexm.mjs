// SPDX-License-Identifier: MIT
//
// Golden cases of call traces.

import { CallTrace, LR } from './cortexm.mjs';
import { heatpump } from './demo-heatpump.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

// Functions: a at 0x08000100, b at 0x08000200 ...; trace points are 6 bytes after the start.
/** @param {string} name */
const start = (name) => 0x08000100 + 0x100 * (name.charCodeAt(0) - 97);
/** @param {string} name */
const point = (name) => start(name) + 6;
/** A return address. @param {string} name @param {number} offset */
const ret = (name, offset) => (start(name) + offset) | 1;

/** The common beginning: a is entered from reset and calls b. @param {CallTrace} trace */
const begin = (trace) => trace.entry(0, point('a'), LR.RESET).entry(0, point('b'), ret('a', 0x10));
const TIMER = 44,
  UART = 53;

/** @param {CallTrace} trace @returns {Record<string, { bytes(): Uint8Array }>} */
const input = (trace) => ({ 'input.bin': trace });

/** @type {GoldenCase[]} */
export const CORTEXM = [
  {
    name: 'nested-calls-and-returns',
    proves: 'The return address identifies the caller; the functions above it on the stack have returned.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('c'), ret('b', 0x20))
        .entry(0, point('d'), ret('c', 0x10))
        .entry(0, point('c'), ret('a', 0x20)),
    ),
  },
  {
    name: 'caller-without-trace-point',
    proves: 'A caller that is not on the stack is inserted as an implicit frame.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('d'), ret('b', 0x20))
        .entry(0, point('c'), ret('d', 0x60))
        .entry(0, point('e'), ret('a', 0x30)),
    ),
  },
  {
    name: 'interrupts-nest',
    proves:
      'A handler that returns to another handler interrupts it; a handler that returns to thread mode ends all others.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(TIMER, point('c'), LR.THREAD)
        .entry(UART, point('d'), LR.HANDLER)
        .entry(UART, point('e'), ret('d', 0x10))
        .entry(TIMER, point('f'), ret('c', 0x20))
        .entry(UART, point('d'), LR.THREAD)
        .entry(0, point('c'), ret('b', 0x30)),
    ),
  },
  {
    name: 'handler-entry-lost',
    proves: 'A handler whose entry was lost begins where a record shows that it runs.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(TIMER, point('d'), ret('c', 0x10))
        .entry(UART, point('e'), LR.HANDLER)
        .entry(0, point('c'), ret('b', 0x30)),
    ),
  },
  {
    name: 'interrupted-handler-is-unknown',
    proves: 'A handler returns to another handler that is unknown: it interrupts no slice.',
    inputs: input(new CallTrace().entry(UART, point('e'), LR.HANDLER).with(begin).entry(0, point('c'), ret('b', 0x30))),
  },
  {
    name: 'recursion',
    proves: 'Of several activations of a function, the innermost whose last call came from a lower address continues.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('b'), ret('b', 0x20))
        .entry(0, point('b'), ret('b', 0x20))
        .entry(0, point('b'), ret('b', 0x30))
        .entry(0, point('b'), ret('b', 0x30))
        .entry(0, point('c'), ret('a', 0x40)),
    ),
  },
  {
    name: 'stack-depth-limit',
    proves:
      'A stack of 250 frames is discarded: the trace shows an instant among the problems, and its functions are not measured.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .with((trace) => {
          for (let i = 0; i < 260; i++) trace.entry(0, point('b'), ret('b', 0x20));
        })
        .entry(0, point('c'), ret('a', 0x40)),
    ),
  },
  {
    name: 'interrupt-names-from-side-file',
    proves: 'A text file given with the recording names interrupts; system exceptions keep their names.',
    inputs: {
      'input.side.bin': { bytes: () => Buffer.from('# my board\r\n\n15 Tick\n 44\tBlink \n60 Unused\n') },
      ...input(
        new CallTrace()
          .with(begin)
          .entry(TIMER, point('c'), LR.THREAD)
          .entry(UART, point('d'), LR.HANDLER)
          .entry(15, point('e'), LR.HANDLER)
          .log('who'),
      ),
    },
  },
  {
    name: 'chip-family-interrupt-names',
    proves: 'An option selects the interrupt names of a chip family.',
    options: { vectors: 'stm32f303' },
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(TIMER, point('c'), LR.THREAD)
        .entry(UART, point('d'), LR.HANDLER)
        .entry(100, point('e'), LR.HANDLER),
    ),
  },
  {
    name: 'two-trace-points-in-one-call',
    proves: 'A trace point after a call of its own function reads an overwritten LR: it opens no new frame.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('b') + 0x40, ret('b', 0x20))
        .entry(0, point('c'), ret('b', 0x60))
        .entry(0, point('c'), ret('a', 0x40)),
    ),
  },
  {
    name: 'call-from-secure-state',
    proves: 'A call from secure state starts a new stack.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('c'), LR.SECURE | 1)
        .entry(0, point('d'), ret('c', 0x20)),
    ),
  },
  {
    name: 'compiler-instrumentation-hooks',
    proves: 'A PC with bit 0 set is the first address of its function.',
    inputs: input(
      new CallTrace()
        .entry(0, start('a') | 1, LR.RESET)
        .entry(0, start('b') | 1, ret('a', 0x10))
        .entry(0, start('c') | 1, ret('b', 0x10))
        .entry(0, start('b') | 1, ret('a', 0x20)),
    ),
  },
  {
    name: 'logs-and-dumps',
    proves: 'Logs and dumps of every length, including empty ones; values of 1, 2 and 4 bytes become counters.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .log('boot ok')
        .log('')
        .log('a\ttab and\nmore\u007f')
        .log([0x63, 0x61, 0x66, 0xc3, 0xa9, 0xff])
        .log('x'.repeat(200))
        .dump(0x20000000, [])
        .dump(0x20000010, [7])
        .dump(0x20000010, [1, 2])
        .dump(0x20000020, [4, 3, 2, 1])
        .dump(0x20000020, [255, 255, 255, 255])
        .dump(0x20000030, [...Buffer.from('text')])
        .dump(
          0x20000040,
          Array.from({ length: 300 }, (_, i) => i & 0xff),
        )
        .log('boot ok')
        .entry(TIMER, point('c'), LR.THREAD)
        .log('in the timer')
        .entry(0, point('d'), ret('a', 0x50)),
    ),
  },
  {
    name: 'legacy-record-numbering',
    proves: 'Record flags of early emitters: C2 02 is a dump, C2 04 a log.',
    inputs: input(
      new CallTrace({ numbering: 'old' })
        .with(begin)
        .log('ok')
        .dump(0x20000000, [1, 2])
        .entry(0, point('c'), ret('b', 0x20))
        .log(''),
    ),
  },
  {
    name: 'legacy-record-numbering-option',
    proves: 'An option selects the numbering of the records.',
    options: { flags: 'old' },
    inputs: input(new CallTrace({ numbering: 'old' }).log('ok').with(begin)),
  },
  {
    name: 'ambiguous-record-numbering',
    proves: 'The first record with flags is valid in both numberings, so the following records decide.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .raw([0xc2, 0x04, 0x00, 0x04, 0xc0, 0xc0, 0x00, 0x00])
        .entry(0, point('c'), ret('b', 0x20))
        .raw([0xc2, 0x02, 0x20, 0, 0, 0, 0, 1, 7])
        .entry(0, point('c'), ret('b', 0x30)),
    ),
  },
  {
    name: 'extended-flag-groups',
    proves: 'The decoder skips up to four further groups of flags.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .log('new')
        .raw([0xc2, 0x06, 0x00, 0x20, 0x00, 0x00, 0x20, 0x00, 0x02, 0x01, 0x02])
        .raw([0xc3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
        .entry(0, point('c'), ret('b', 0x20)),
    ),
  },
  {
    name: 'unknown-record-flags',
    proves: 'A record with unknown flags is decoded as a function record.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .log('new')
        .raw([0xc2, 0x11, 0x2c, 0x08, 0x00, 0x03, 0x06, 0xff, 0xff, 0xff, 0xf9])
        .entry(0, point('c'), ret('b', 0x20)),
    ),
  },
  {
    name: 'record-interrupted-by-a-record',
    proves: 'An interrupt wrote a record inside another one: both are decoded.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .split([0, point('c'), ret('b', 0x20)], [TIMER, point('d'), LR.THREAD], 4)
        .split([0, point('c'), ret('b', 0x30)], [TIMER, point('d'), LR.THREAD], 9)
        .entry(0, point('c'), ret('a', 0x40)),
    ),
  },
  {
    name: 'bytes-lost',
    proves: 'Lost bytes damage the records around them; the next call is marked, and open functions are not measured.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('c'), ret('b', 0x20))
        .cut(3)
        .entry(0, point('d'), ret('c', 0x10))
        .entry(0, point('c'), ret('b', 0x30))
        .raw('noise on the line')
        .entry(0, point('e'), ret('a', 0x50))
        .log('ok'),
    ),
  },
  {
    name: 'capture-starts-and-ends-mid-record',
    proves: 'A capture begins and ends in the middle of a record.',
    inputs: input(
      new CallTrace()
        .raw([0x00, 0x08, 0x00, 0x02, 0x37])
        .with(begin)
        .entry(0, point('c'), ret('b', 0x20))
        .log('cut here')
        .cut(3),
    ),
  },
  {
    name: 'sync-bytes-in-data',
    proves: 'Data that contain the start bytes of a record stay data.',
    inputs: input(
      new CallTrace()
        .with(begin)
        .log('new')
        .dump(0x20000000, [0xc0, 0x00, 0x08, 0x00, 0x01, 0x06, 0x08, 0x00, 0x01, 0x11, 0xc0])
        .entry(0, point('c'), ret('b', 0x20)),
    ),
  },
  {
    name: 'vectors-above-255',
    proves: 'Vector 300 is interrupt 284.',
    inputs: input(new CallTrace().with(begin).entry(300, point('c'), LR.THREAD).entry(0, point('d'), ret('a', 0x20))),
  },
  {
    name: 'flat',
    proves: 'With the option `flat`, each record is shown as a separate event.',
    options: { calls: 'flat' },
    inputs: input(
      new CallTrace()
        .with(begin)
        .entry(0, point('c'), ret('b', 0x20))
        .entry(TIMER, point('d'), LR.THREAD)
        .entry(TIMER, point('e'), ret('d', 0x10))
        .entry(0, point('c'), ret('b', 0x30)),
    ),
  },
  {
    name: 'trace-point-offset-option',
    proves: 'Without symbols, an option gives the distance between function start and trace point.',
    options: { 'pc-start': '16' },
    inputs: input(
      new CallTrace()
        .entry(0, start('a') + 16, LR.RESET)
        .entry(0, start('b') + 16, ret('a', 8))
        .entry(0, start('c') + 16, ret('b', 8))
        .entry(0, start('b') + 16, ret('a', 0x20)),
    ),
  },
  {
    name: 'line-rate',
    proves: 'With a line rate, the time of a record is that of its bytes on the line.',
    options: { baud: '115200' },
    inputs: input(
      new CallTrace()
        .with(begin)
        .log('a long line of text')
        .entry(TIMER, point('c'), LR.THREAD)
        .entry(0, point('d'), ret('a', 0x20)),
    ),
  },
  {
    name: 'firmware',
    proves: 'Half a second of a simulated firmware.',
    inputs: { 'input.bin': { bytes: () => heatpump({ rounds: 20 }).trace } },
  },
];
