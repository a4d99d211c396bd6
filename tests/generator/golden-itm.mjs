// SPDX-License-Identifier: MIT
//
// Golden cases of ITM recordings.
import {
  ENTERED,
  EXITED,
  Itm,
  RETURNED,
  asleep,
  counters,
  data_address,
  data_match,
  data_pc,
  data_value,
  exception,
  global_time_high,
  global_time_low,
  overflow,
  pc_sample,
  pmu,
  secure_code,
} from './itm.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

const SYSTICK = 15,
  PENDSV = 14,
  UART = 53,
  TIMER = 30;

/** @param {string} name @param {string} proves @param {Itm | Uint8Array} target @param {Record<string, string>} [options] @returns {GoldenCase} */
const one = (name, proves, target, options) => ({
  name,
  proves,
  ...(options && { options }),
  inputs: { 'input.bin': { bytes: () => Buffer.from(target instanceof Itm ? target.bytes() : target) } },
});

const CLOCK = { 'clock-hz': '64000000' };
const begun = () => new Itm().at(1000).sync().put(asleep()).time();

/** Nested and tail-chained exceptions, samples, and a line of text. @param {Itm} target @param {number} from */
function work(target, from) {
  target
    .at(from)
    .enter(SYSTICK)
    .at(from + 300)
    .put(exception(SYSTICK, EXITED))
    .put(exception(PENDSV, ENTERED))
    .time();
  target.at(from + 700).leave(PENDSV);
  target
    .at(from + 1000)
    .enter(UART)
    .at(from + 1200)
    .enter(TIMER)
    .at(from + 1400)
    .leave(TIMER, UART);
  target.at(from + 1900).leave(UART);
  target
    .at(from + 2000)
    .put(pc_sample(0x08000abc))
    .time()
    .at(from + 2100)
    .text(0, 'step\n')
    .time();
  return target;
}

/** Work, again and again. @param {Itm} target @param {number} rounds */
function works(target, rounds) {
  for (let round = 0; round < rounds; round++) {
    work(target, 2000 + 4096 * round);
    if (round % 4 === 3) target.sync();
  }
  return target;
}

const damaged = () => works(begun(), 6).bytes();
/** @param {Buffer} bytes @param {number} from @param {number} count */
const without = (bytes, from, count) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + count)]);

/** @type {GoldenCase[]} */
export const CASES = [
  one(
    'exceptions',
    'Exceptions nest, follow each other without a gap, and have their fixed names.',
    work(begun(), 2000),
    CLOCK,
  ),
  one('no-clock', 'Without the rate of the clock times are cycles.', work(begun(), 2000)),
  one('prescaler', 'Timestamps count several cycles.', work(begun(), 2000), { ...CLOCK, prescaler: '16' }),
  one(
    'overflow',
    'An overflow is a loss: what was open has no known end, and the next return repairs the stack.',
    begun()
      .at(2000)
      .enter(SYSTICK)
      .at(2100)
      .enter(UART)
      .at(2200)
      .put(overflow())
      .time()
      .at(5000)
      .put(exception(UART, RETURNED))
      .time()
      .at(5300)
      .leave(UART)
      .at(6000)
      .enter(SYSTICK)
      .at(6100)
      .leave(SYSTICK),
    CLOCK,
  ),
  one(
    'exception-runs-at-start',
    'The recording begins within an exception.',
    new Itm()
      .at(50)
      .sync()
      .put(pc_sample(0x08000100))
      .time()
      .at(100)
      .leave(UART)
      .at(200)
      .enter(UART)
      .at(260)
      .leave(UART),
    CLOCK,
  ),
  one(
    'exit-is-missing',
    'Exceptions that contradict each other are not measured.',
    begun()
      .at(2000)
      .enter(SYSTICK)
      .at(2100)
      .enter(UART)
      .at(2300)
      .leave(SYSTICK)
      .at(3000)
      .enter(UART)
      .at(3100)
      .put(exception(0, RETURNED))
      .time()
      .at(4000)
      .enter(TIMER)
      .at(4100)
      .leave(TIMER),
    CLOCK,
  ),
  one(
    'samples',
    'Samples of the program counter, sleep and secure code are samples of the viewer and a table of shares.',
    [0x08000100, 0x08000102, 0x08000200, 0, 0x08000100, 1, 0x2000abcd].reduce(
      (target, address, i) =>
        target
          .at(2000 + 1024 * i)
          .put(address > 1 ? pc_sample(address) : address ? secure_code() : asleep())
          .time(),
      begun(),
    ),
    CLOCK,
  ),
  one(
    'data-trace',
    'Values of variables are counters; accesses without a value are instants.',
    begun()
      .at(2000)
      .put(data_address(0, 0x20000004), data_value(0, 7, 2, false))
      .time()
      .at(2100)
      .put(data_pc(1, 0x080001f0), data_value(1, 1000, 4, true))
      .time()
      .at(2200)
      .put(data_value(1, 0xfffffff0, 4, true))
      .time()
      .at(2300)
      .put(data_address(0, 0x20000004), data_value(0, 9, 2, false))
      .time()
      .at(2400)
      .put(data_pc(2, 0x08000200))
      .time()
      .at(2500)
      .put(data_address(3, 0x2000abcd))
      .time()
      .at(2600)
      .put(data_match(2))
      .time()
      .at(2700)
      .put(data_address(0, 0x20000004), data_value(1, 5, 1, true), pmu(0x81))
      .time(),
    CLOCK,
  ),
  one(
    'event-counters',
    'A counter grows by 256 with each wrap.',
    begun().at(2000).put(counters(0x21)).time().at(2500).put(counters(0x1e)).time().at(3000).put(counters(0x01)).time(),
    CLOCK,
  ),
  one(
    'text',
    'Lines of text have the time of their first byte, whatever comes between their bytes; padding zeros are left out.',
    begun()
      .at(2000)
      .text(0, 'he')
      .time()
      .at(2100)
      .enter(SYSTICK)
      .at(2200)
      .leave(SYSTICK)
      .at(2300)
      .text(0, 'llo\nwor')
      .time()
      .at(2400)
      .write(0, 0x000a646c, 4)
      .time()
      .at(2500)
      .text(0, Buffer.from([0xff, 0x0d, 0x0a, 0x0a]))
      .time()
      .at(2600)
      .text(0, 'no end')
      .time(),
    CLOCK,
  ),
  one(
    'ports',
    'Numbers of ports are counters, for each size; pages lead to ports above 31.',
    begun()
      .at(2000)
      .write(1, 200, 1)
      .write(1, 60000, 2)
      .write(31, 0xdeadbeef, 4)
      .time()
      .at(2100)
      .write(40, 5, 1)
      .write(255, 6, 1)
      .write(1, 3, 1)
      .time(),
    CLOCK,
  ),
  one(
    'ports-as-instants',
    'Numbers of ports are instants and signed, by option.',
    begun().at(2000).write(1, 200, 1).write(2, 3, 1).time().at(2100).write(1, 60000, 2).write(2, 0xdeadbeef, 4).time(),
    { ...CLOCK, ports: 'instants', numbers: 'signed', 'omit-ports': '3,9' },
  ),
  one(
    'tasks-of-a-port',
    'A port contains the numbers of the tasks that run; others contain text.',
    begun()
      .at(2000)
      .write(31, 1, 1)
      .time()
      .at(2500)
      .write(31, 2, 1)
      .text(5, 'two\n')
      .time()
      .at(3000)
      .write(31, 1, 1)
      .time(),
    { ...CLOCK, 'task-port': '31', 'text-ports': '0,5' },
  ),
  one(
    'no-times',
    'Without timestamps the axis counts the packets.',
    new Itm()
      .sync()
      .put(pc_sample(0x08000100), exception(UART, ENTERED), exception(TIMER, ENTERED), exception(TIMER, EXITED))
      .put(exception(UART, RETURNED), exception(UART, EXITED), exception(0, RETURNED), pc_sample(0x08000200))
      .text(0, 'text\n')
      .write(2, 17, 1),
  ),
  one(
    'inexact-times',
    'Delayed packets and timestamps are counted.',
    begun()
      .at(2000)
      .put(pc_sample(0x08000100))
      .time(1)
      .at(2100)
      .put(exception(UART, ENTERED))
      .time(2)
      .at(2200)
      .put(exception(UART, EXITED))
      .time(3),
    CLOCK,
  ),
  one(
    'global-times',
    'Global timestamps agree with the sum of the local ones, in short and long forms, until a local one is damaged.',
    begun()
      .put(global_time_low(5000), global_time_high(1))
      .at(2000)
      .put(pc_sample(0x08000100))
      .time()
      .put(global_time_low(6000, { bytes: 2 }))
      .at(3000)
      .put(pc_sample(0x08000102))
      .time()
      .put(global_time_low(7000, { clock_changed: true }))
      .at(90_000_000)
      .put(pc_sample(0x08000104))
      .time()
      .put(global_time_low(8000, { wrapped: true }), global_time_high(2, 6))
      .at(90_001_000)
      .put(pc_sample(0x08000106))
      .time()
      .put(global_time_low(9000)),
    CLOCK,
  ),
  one(
    'damaged-start',
    'The recording begins within a packet.',
    Buffer.concat([Buffer.from([0x25, 0x01, 0x7c]), damaged().subarray(42)]),
    CLOCK,
  ),
  one(
    'damaged-header',
    'A byte that begins no packet: the next packets that follow each other are found.',
    damaged().map((byte, i) => (i === 137 ? 0x3c | 0x80 : byte)),
    CLOCK,
  ),
  one('lost-bytes', 'Bytes are missing, twice.', without(without(damaged(), 400, 1), 121, 9), CLOCK),
  one(
    'sync-cuts-packet',
    'A sync in the middle of a packet.',
    Buffer.concat([damaged().subarray(0, 99), begun().bytes(), damaged().subarray(99)]),
    CLOCK,
  ),
  one(
    'zeros-before-sync',
    'Zeros of a packet are not taken for those of the sync after it.',
    begun()
      .at(2000)
      .write(1, 0, 4)
      .sync()
      .put(Buffer.alloc(200))
      .put(data_value(1, 0, 4, true))
      .time()
      .at(2100)
      .write(1, 256, 2)
      .time(),
    CLOCK,
  ),
  one('damaged-end', 'The end cuts a packet, which is no error.', damaged().subarray(0, -2), CLOCK),
];
