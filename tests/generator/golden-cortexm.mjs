// SPDX-License-Identifier: MIT
//
// Golden cases of call traces.

import { CallTrace, LR } from './cortexm.mjs';
import { heatpump } from './demo-heatpump.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

// Functions: a at 0x08000100, b at 0x08000200 ...; trace points lie 6 bytes behind.
/** @param {string} name */
const start = (name) => 0x08000100 + 0x100 * (name.charCodeAt(0) - 97);
/** @param {string} name */
const point = (name) => start(name) + 6;
/** A return address. @param {string} name @param {number} offset */
const ret = (name, offset) => (start(name) + offset) | 1;

/** The usual beginning: a is entered from reset and calls b. @param {CallTrace} trace */
const begin = (trace) => trace.entry(0, point('a'), LR.RESET).entry(0, point('b'), ret('a', 0x10));
const TIMER = 44,
  UART = 53;

/** @param {CallTrace} trace @returns {Record<string, { bytes(): Uint8Array }>} */
const input = (trace) => ({ 'input.bin': trace });

/** @type {GoldenCase[]} */
export const CORTEXM = [
  {
    name: 'nested-calls-and-returns',
    proves: 'A return address tells who called: what lies above the caller has ended.',
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
    proves: 'A caller that is not on the stack is put in as an implicit frame.',
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
    proves: 'A handler that returns to another one interrupts it; one that returns to thread mode ends all others.',
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
    proves: 'A handler that runs without its entry is entered where it is first seen.',
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
    proves: 'A handler that returns to another one, of which nothing is known, interrupts nobody who is shown.',
    inputs: input(new CallTrace().entry(UART, point('e'), LR.HANDLER).with(begin).entry(0, point('c'), ret('b', 0x30))),
  },
  {
    name: 'recursion',
    proves: 'Of several activations the innermost whose last call came from a lower address goes on.',
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
    proves: 'A stack of 250 is given up: an instant among the problems, and nothing of it is measured.',
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
    proves: 'A text beside the recording names interrupts, system exceptions keep their names.',
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
    proves: 'Names of interrupts of one family of chips, on demand.',
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
    proves: 'A trace point behind a call of its own function sees an overwritten LR: no new frame.',
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
    proves: 'A call from the secure side begins a stack.',
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
    proves: 'Logs and dumps of every shape, empty ones too; values of 1, 2 and 4 bytes are counters.',
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
    proves: 'Flags of early emitters: C2 02 is a dump, C2 04 a log.',
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
    proves: 'A person can say which numbering it is.',
    options: { flags: 'old' },
    inputs: input(new CallTrace({ numbering: 'old' }).log('ok').with(begin)),
  },
  {
    name: 'ambiguous-record-numbering',
    proves: 'Where the first record with flags fits both numberings, what follows decides.',
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
    proves: 'Further groups of flags are passed over, up to four.',
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
    proves: 'A record whose flags say nothing is a function record.',
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
    proves: 'Where an interrupt wrote inside another record, both are read.',
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
    proves: 'Lost bytes cost the records around them; the next call is marked, and what was open is not measured.',
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
    proves: 'A capture that begins in a record and ends in one.',
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
    proves: 'Data that look like records are data.',
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
    proves: 'The option shows each record by itself.',
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
    proves: 'Where functions begin is an option without symbols.',
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
    proves: 'With a rate a record stands where its bytes were on the line.',
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
