// SPDX-License-Identifier: MIT
//
// Golden cases of SystemView recordings.
import {
  ID,
  PostMortem,
  SYNC,
  SystemView,
  UART_HELLO,
  float_bits,
  ip_hello,
  memory_dump,
  ring_of,
  str,
  svdat_head,
  svdat_head_of,
  task_id,
  varint,
} from './systemview.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

const PUMP = { name: 'pump', address: 0x2000_2000, priority: 3 };
const LOGGER = { name: 'logger', address: 0x2000_2400, priority: 1 };
const LATE = { name: 'late', address: 0x2000_2800, priority: 2 };
const TASKS = [PUMP, LOGGER];
const TARGET = 'N=Pump station,D=STM32F407VG,O=FreeRTOS,I#15=SysTick,I#53=USART1';
const MS = 168_000;

/** @param {string} name @param {string} proves @param {Uint8Array[]} pieces @returns {GoldenCase} */
const one = (name, proves, ...pieces) => ({
  name,
  proves,
  inputs: { 'input.bin': { bytes: () => Buffer.concat(pieces) } },
});

const begun = (/** @type {ConstructorParameters<typeof SystemView>[0]} */ options = {}) =>
  new SystemView(options).start(TARGET, TASKS);

/** Tasks that delay, an interrupt that wakes one of them, idle time. @param {SystemView} recorder */
const run = (recorder) =>
  recorder
    .at(1 * MS)
    .ready(PUMP)
    .ready(LOGGER)
    .run(PUMP)
    .at(2 * MS)
    .call(32 + 3, 10)
    .wait(PUMP)
    .run(LOGGER)
    .at(3 * MS)
    .wait(LOGGER)
    .packet(ID.IDLE)
    .at(5 * MS)
    .isr(53)
    .at(5 * MS + 500)
    .isr(15)
    .at(5 * MS + 700)
    .packet(ID.ISR_EXIT)
    .ready(LOGGER)
    .at(5 * MS + 900)
    .packet(ID.ISR_TO_SCHEDULER)
    .run(LOGGER)
    .at(6 * MS)
    .wait(LOGGER, 27)
    .packet(ID.IDLE)
    .at(12 * MS)
    .isr(15)
    .ready(PUMP)
    .at(12 * MS + 300)
    .packet(ID.ISR_TO_SCHEDULER)
    .run(PUMP);

const bytes_of_run = run(begun()).bytes();
const broken_at = bytes_of_run.length - 30;

/** A long recording of tasks that alternate, by a recorder for a ring. */
export function post_mortem(rounds = 300) {
  const recorder = new PostMortem();
  recorder.start(TARGET, TASKS);
  for (let i = 0; i < rounds; i++)
    recorder
      .at((i * 4 + 1) * MS + i * i)
      .isr(15)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .at((i * 4 + 2) * MS)
      .call(32 + 3, 4)
      .wait(PUMP)
      .packet(ID.IDLE);
  return recorder.bytes();
}

/** A description file of an invented OS. */
export const DESCRIPTION = `# calls of an invented OS
Option    ReversePriority
NamedType Timeout   *="%u ticks" 0=none 4294967295=forever
NamedType Err       *=%i 0=ok -11=again
TaskState 0xBF 1=dummy, 2=Pending, 128=Ready
41 sem_give   sem=%I
42 sem_take   sem=%I, timeout=%Timeout | Returns %Err
`;
/** A recording whose calls it describes. */
export const WITH_DESCRIPTION = new SystemView()
  .start('N=Sensor,D=nrf52,O=Zephyr', TASKS)
  .packet(ID.NAME_RESOURCE, [...varint(0x300), ...str('uart_sem')])
  .at(MS)
  .run(PUMP)
  .call(42, 0x300, 0xffff_ffff)
  .wait(PUMP, 2)
  .run(LOGGER)
  .at(2 * MS)
  .call(41, 0x300)
  .ready(PUMP)
  .end_call(41)
  .run(PUMP)
  .end_call(42, -11)
  .at(3 * MS)
  .wait(PUMP, 0x42)
  .run(LOGGER)
  .at(4 * MS)
  .ready(PUMP)
  .run(PUMP)
  .bytes();

/** @type {GoldenCase[]} */
export const CASES = [
  one('tasks-and-interrupts', 'Tasks, waits, nested interrupts and idle time of FreeRTOS.', bytes_of_run),
  one('file-of-the-application', 'The lines of a .SVDat file before the stream.', svdat_head(), bytes_of_run),
  one('uart-hello', 'The greeting of the recorder over UART.', UART_HELLO, bytes_of_run),
  one('ip-hello', 'The zeros of the greeting over IP join those of the sync.', ip_hello('V3.32.00'), bytes_of_run),
  one('ip-hello-odd', 'An odd number of zeros before the sync.', ip_hello('V10.32.00'), bytes_of_run),
  one(
    'zeros-at-the-end',
    'A buffer that was never full ends with zeros, which are neither packets nor damage.',
    bytes_of_run,
    Buffer.alloc(41),
  ),
  one(
    'v11-waits',
    'FreeRTOS V11 records the entry of each function, so that waits have an object.',
    begun()
      .packet(ID.NAME_RESOURCE, [...varint(0x200), ...str('commands')])
      .at(1 * MS)
      .run(PUMP)
      .call(164, 0x200, 0, 100)
      .wait(PUMP)
      .run(LOGGER)
      .at(2 * MS)
      .call(161, 0x200, 0, 0, 0)
      .ready(PUMP)
      .run(PUMP)
      .end_call(164, 1)
      .at(3 * MS)
      .call(255, 0, 1, 50)
      .wait(PUMP)
      .run(LOGGER)
      .end_call(161, 1)
      .at(4 * MS)
      .call(197, 20)
      .wait(LOGGER)
      .packet(ID.IDLE)
      .at(9 * MS)
      .ready(PUMP)
      .run(PUMP)
      .bytes(),
  ),
  one(
    'reasons-after-waits',
    'FreeRTOS before V11 records a call after it has waited. It is the reason of the wait if a call on the same object made the task ready; otherwise the reason stays unknown.',
    begun()
      .packet(ID.NAME_RESOURCE, [...varint(0x200), ...str('commands')])
      .packet(ID.NAME_RESOURCE, [...varint(0x300), ...str('log')])
      .at(1 * MS)
      .run(PUMP)
      .wait(PUMP, 27)
      .run(LOGGER)
      .at(2 * MS) // a queue, from an interrupt
      .isr(53)
      .call(32 + 64, 0x200, 1)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .call(32 + 60, 0x200, 0, 0xffff_ffff, 1)
      .at(3 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(4 * MS) // a mutex that was inherited; the task is preempted before it records its call
      .call(32 + 58, 0x200, 0, 0, 0)
      .call(32 + 42, 0x900)
      .ready(LOGGER)
      .ready(PUMP)
      .run(PUMP)
      .at(5 * MS)
      .run(LOGGER)
      .at(6 * MS)
      .run(PUMP)
      .call(32 + 60, 0x200, 0, 100, 0)
      .at(7 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(8 * MS) // room in a queue
      .call(32 + 60, 0x300, 0, 5, 1)
      .ready(PUMP)
      .run(PUMP)
      .call(32 + 58, 0x300, 0, 20, 0)
      .at(9 * MS)
      .wait(PUMP, 27)
      .run(LOGGER)
      .at(10 * MS) // a notification
      .call(32 + 30, task_id(PUMP), 1, 2, 0)
      .ready(PUMP)
      .run(PUMP)
      .call(32 + 34, 1, 0xffff_ffff)
      .at(11 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(12 * MS) // a time limit: the call failed
      .isr(15)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .call(32 + 60, 0x200, 0, 0, 1)
      .at(13 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(14 * MS) // another object
      .call(32 + 58, 0x200, 0, 0, 0)
      .ready(PUMP)
      .run(PUMP)
      .call(32 + 60, 0x300, 0, 5, 1)
      .at(15 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(16 * MS) // events are missing before the call
      .call(32 + 58, 0x200, 0, 0, 0)
      .ready(PUMP)
      .run(PUMP)
      .packet(ID.OVERFLOW, varint(3))
      .run(PUMP)
      .call(32 + 60, 0x200, 0, 100, 1)
      .at(17 * MS)
      .wait(PUMP, 4)
      .run(LOGGER)
      .at(18 * MS) // another task suspends the task before its call
      .call(32 + 58, 0x200, 0, 0, 0)
      .ready(PUMP)
      .call(32 + 9, task_id(PUMP))
      .wait(PUMP, 27)
      .at(19 * MS)
      .call(32 + 10, task_id(PUMP))
      .ready(PUMP)
      .run(PUMP)
      .call(32 + 60, 0x200, 0, 100, 1)
      .at(20 * MS) // the task suspends itself
      .call(32 + 9, task_id(PUMP))
      .wait(PUMP, 27)
      .run(LOGGER)
      .at(21 * MS)
      .ready(PUMP)
      .run(PUMP)
      .at(22 * MS)
      .wait(PUMP, 27)
      .packet(ID.IDLE)
      .at(23 * MS)
      .isr(53)
      .packet(ID.ISR_EXIT)
      .bytes(),
  ),
  one(
    'marks-texts-data',
    'Marks, printed texts with arguments, data with a unit, modules, software timers, heap and stacks.',
    begun()
      .packet(ID.MODULEDESC, [...varint(0), ...varint(512), ...str('M=Radio, 0 Tx seq=%u, 1 Ack')])
      .packet(ID.EX, [1, ...varint(7), ...str('control loop')])
      .packet(ID.EX, [6, ...varint(1), ...str('pressure'), 2, 0, 0, ...varint(1000), ...varint(0), ...str('bar')])
      .packet(ID.EX, [6, ...varint(2), ...str('valve'), 1])
      .at(1 * MS)
      .run(PUMP)
      .packet(ID.MARK_START, [7])
      .at(2 * MS)
      .packet(ID.DATA_SAMPLE, [1, ...varint(float_bits(2.5))])
      .packet(ID.DATA_SAMPLE, [2, ...varint(-3)])
      .packet(ID.DATA_SAMPLE, [9, ...varint(77)])
      .packet(ID.MARK_STOP, [7])
      .packet(ID.EX, [0, 7])
      .at(3 * MS)
      .print('level %d of %u, %x', 0, -5, 20, 0xcafe)
      .print('too high', 2)
      .packet(512, [...varint(41)])
      .packet(513)
      .packet(520)
      .at(4 * MS)
      .packet(ID.TIMER_ENTER, varint(0x300))
      .at(4 * MS + 1000)
      .packet(ID.TIMER_EXIT)
      .packet(ID.EX, [3, ...varint(0x40), ...varint(0x100), ...varint(16)])
      .packet(ID.EX, [5, ...varint(0x40), ...varint(0x100)])
      .packet(ID.EX, [9, 1, 2, 3])
      .at(5 * MS)
      .info(PUMP)
      .bytes(),
  ),
  one(
    'task-lives',
    'A task is created on the way and deleted.',
    run(begun())
      .at(13 * MS)
      .packet(ID.TASK_CREATE, varint((LATE.address - 0x2000_0000) >> 2))
      .info(LATE)
      .run(LATE)
      .at(14 * MS)
      .packet(ID.TASK_TERMINATE, varint((LATE.address - 0x2000_0000) >> 2))
      .packet(ID.TASK_STOP_EXEC)
      .at(15 * MS)
      .run(PUMP)
      .bytes(),
  ),
  one(
    'task-not-announced',
    'A task runs that the list at the start does not contain: it counts, because packets follow that fit.',
    run(begun())
      .at(13 * MS)
      .run(LATE)
      .at(14 * MS)
      .wait(LATE)
      .run(LOGGER)
      .at(15 * MS)
      .isr(15)
      .ready(LATE)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(LATE)
      .at(16 * MS)
      .wait(LATE)
      .run(PUMP)
      .at(17 * MS)
      .wait(PUMP)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'packets-lost',
    'The target dropped packets and says how many in all.',
    run(begun())
      .at(13 * MS)
      .packet(ID.OVERFLOW, varint(12))
      .at(14 * MS)
      .run(LOGGER)
      .at(15 * MS)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'damaged',
    'Bytes are lost in the middle; the stream goes on where packets fit again.',
    bytes_of_run.subarray(0, broken_at),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    bytes_of_run.subarray(broken_at + 9),
    run(begun()).bytes(),
  ),
  one('cut-at-the-end', 'The last packet is cut.', bytes_of_run.subarray(0, bytes_of_run.length - 1)),
  one(
    'started-twice',
    'The host starts the recorder again; time goes on.',
    run(begun())
      .at(20 * MS)
      .start(TARGET, TASKS)
      .at(21 * MS)
      .run(LOGGER)
      .at(22 * MS)
      .packet(ID.TRACE_STOP)
      .bytes(),
  ),
  one(
    'recorder-of-2',
    'A recorder of 2.x: calls up to 511, modules from 512 on, no bytes in use of stacks, no packets that 3.x added.',
    svdat_head_of('V2.52'),
    begun({ stack_use: 0 })
      .packet(ID.NUMMODULES, [1])
      .packet(ID.MODULEDESC, [...varint(0), ...varint(512), ...str('M=Modem, 0 Dial number=%u, 1 Hang up')])
      .packet(ID.NAME_RESOURCE, [...varint(0x200), ...str('commands')])
      .at(1 * MS)
      .ready(LOGGER)
      .run(PUMP)
      .packet(ID.MARK_START, [1])
      .packet(512, varint(110))
      .at(2 * MS)
      .packet(ID.MARK_STOP, [1])
      .call(32 + 58, 0x200, 0x300, 0, 0)
      .call(511, 7)
      .call(32 + 4, 0x400, 10)
      .wait(PUMP)
      .run(LOGGER)
      .packet(513)
      .print('dialled %u', 1, 110)
      .at(3 * MS)
      .call(32 + 60, 0x200, 0x300, 100, 0)
      .wait(LOGGER)
      .packet(ID.IDLE)
      .at(4 * MS)
      .isr(15)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .at(5 * MS)
      .packet(ID.TRACE_STOP)
      .bytes(),
  ),
  one(
    'names-without-an-end',
    'The recorder for Rust sends up to 32 bytes from the start of a name. They are shown as recorded; one cut within a character is a problem. Waits have no cause.',
    new SystemView()
      .start('N=Lift,D=nRF52840,O=RTIC', [])
      .name_of(PUMP, Buffer.from('pumpbuffer is full: bytes dropped').subarray(0, 32))
      .name_of(LOGGER, Buffer.from('loggerTemperatur im Schacht: 21°C').subarray(0, 32))
      .at(1 * MS)
      .ready(PUMP)
      .run(PUMP)
      .at(2 * MS)
      .wait(PUMP, 0)
      .packet(ID.IDLE)
      .at(3 * MS)
      .isr(53)
      .ready(LOGGER)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(LOGGER)
      .at(4 * MS)
      .packet(ID.TASK_CREATE, varint(task_id(LATE)))
      .ready(LATE)
      .wait(LOGGER, 0)
      .run(LATE)
      .at(5 * MS)
      .wait(LATE, 0)
      .packet(ID.IDLE)
      .at(6 * MS)
      .isr(53)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .at(7 * MS)
      .wait(PUMP, 0)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'ids-as-lengths',
    'A recorder with SUPPORT_LONG_DATA writes the id in place of the length of short payloads.',
    run(begun({ no_lengths: true }))
      .at(13 * MS)
      .end_call(7)
      .at(14 * MS)
      .run(LOGGER)
      .bytes(),
  ),
  one(
    'calls-without-lengths',
    'SUPPORT_LONG_DATA and calls: the length of a payload is that after which packets follow; ids above 127 have one byte in its place.',
    run(begun({ no_lengths: true }))
      .at(13 * MS)
      .call(197, 20)
      .wait(PUMP)
      .run(LOGGER)
      .at(14 * MS)
      .call(161, 0x200, 0, 100, 0)
      .ready(PUMP)
      .run(PUMP)
      .end_call(197)
      .at(15 * MS)
      .packet(ID.EX, [6, ...varint(1), ...str('pressure'), 2, 0, 0, ...varint(1000), ...varint(0), ...str('bar')])
      .packet(ID.EX, [6, ...varint(2), ...str('valve'), 1])
      .packet(ID.EX, [3, ...varint(0x40), ...varint(0x100), ...varint(16)])
      .packet(520, [...varint(7), ...varint(300)])
      .call(164, 0x200, 0x1234, 100)
      .wait(PUMP)
      .run(LOGGER)
      .end_call(161, 1)
      .at(16 * MS)
      .call(197, 5)
      .wait(LOGGER)
      .packet(ID.IDLE)
      .at(17 * MS)
      .isr(15)
      .ready(PUMP)
      .packet(ID.ISR_TO_SCHEDULER)
      .run(PUMP)
      .end_call(164, 1)
      .at(18 * MS)
      .call(255, 1, 2, 3)
      .wait(PUMP)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'stopped-and-restarted',
    'The host stops the recorder and starts it again: the time between is not recorded. The counter has wrapped twice, as the system time shows.',
    run(begun())
      .at(14 * MS)
      .packet(ID.SYSTIME_US, [...varint(1_000_000), 0])
      .run(LOGGER)
      .at(15 * MS)
      .packet(ID.TRACE_STOP)
      .at(100 * MS)
      .raw(SYNC)
      .packet(ID.TRACE_START)
      .packet(ID.INIT, [...varint(168_000_000), ...varint(168_000_000), ...varint(0x2000_0000), ...varint(2)])
      .packet(ID.SYSTIME_US, [...varint(1_000_000 + 86_000 + Math.round((2 * 2 ** 32) / 168)), 0])
      .info(PUMP)
      .info(LOGGER)
      .at(101 * MS)
      .run(PUMP)
      .at(102 * MS)
      .packet(ID.IDLE)
      .at(103 * MS)
      .packet(ID.TRACE_STOP)
      .bytes(),
  ),
  one(
    'nuttx-interrupts',
    'NuttX records a stop before each interrupt: the task is interrupted, not preempted. A task that stops while no task is ready waits.',
    new SystemView()
      .start('N=Drone,D=STM32,O=NuttX', TASKS)
      .at(1 * MS)
      .run(PUMP)
      .at(2 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .isr(15)
      .at(2 * MS + 500)
      .isr(53)
      .at(2 * MS + 700)
      .packet(ID.ISR_EXIT)
      .at(2 * MS + 900)
      .packet(ID.ISR_EXIT)
      .run(PUMP)
      .at(3 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .packet(ID.IDLE)
      .at(4 * MS)
      .isr(15)
      .at(4 * MS + 900)
      .packet(ID.ISR_EXIT)
      .packet(ID.IDLE)
      .at(5 * MS)
      .isr(15)
      .at(5 * MS + 900)
      .packet(ID.ISR_EXIT)
      .run(LOGGER)
      .at(6 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .isr(53)
      .at(6 * MS + 900)
      .packet(ID.ISR_EXIT)
      .run(PUMP)
      .at(7 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .at(7 * MS + 10)
      .run(LOGGER)
      .at(8 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .bytes(),
  ),
  one(
    'embos-task-ends',
    'embOS: a task that stops has ended. It runs again after it was created again.',
    new SystemView()
      .start('N=Meter,D=RX,O=embOS', TASKS)
      .at(1 * MS)
      .run(PUMP)
      .at(2 * MS)
      .packet(ID.TASK_STOP_EXEC)
      .run(LOGGER)
      .at(3 * MS)
      .packet(ID.TASK_CREATE, varint((PUMP.address - 0x2000_0000) >> 2))
      .info(PUMP)
      .ready(PUMP)
      .run(PUMP)
      .at(4 * MS)
      .wait(PUMP, 16)
      .run(LOGGER)
      .at(5 * MS)
      .wait(LOGGER, 0)
      .packet(ID.IDLE)
      .at(6 * MS)
      .isr(15)
      .packet(ID.ISR_EXIT)
      .packet(ID.IDLE)
      .at(7 * MS)
      .ready(LOGGER)
      .run(LOGGER)
      .bytes(),
  ),
  one(
    'named-resources',
    'Resources name heaps and software timers; allocations have tags; messages have levels; data has a range.',
    begun()
      .packet(ID.NAME_RESOURCE, [...varint(0x40), ...str('frames')])
      .packet(ID.EX, [2, ...varint(0x40), ...varint(0x2000), ...varint(0x100), 0])
      .packet(ID.EX, [
        6,
        ...varint(3),
        ...str('flow'),
        1,
        0,
        ...varint(-5),
        ...varint(500),
        ...varint(0),
        ...str('l/h'),
      ])
      .packet(ID.NAME_RESOURCE, [...varint(0x300), ...str('watchdog')])
      .at(1 * MS)
      .run(PUMP)
      .packet(ID.DATA_SAMPLE, [3, ...varint(-2)])
      .packet(ID.EX, [4, ...varint(0x40), ...varint(0x2010), ...varint(16), 7])
      .at(2 * MS)
      .packet(ID.TIMER_ENTER, varint(0x300))
      .packet(ID.TIMER_EXIT)
      .print('pressure %d', 1, -7)
      .packet(ID.EX, [5, ...varint(0x40), ...varint(0x2010)])
      .at(3 * MS)
      .wait(PUMP)
      .packet(ID.IDLE)
      .print('valve stuck', 2)
      .at(4 * MS)
      .ready(PUMP)
      .run(PUMP)
      .bytes(),
  ),
  one(
    'core-in-the-id',
    'ESP_Extension: one stream of two cores, the core in a bit of the id.',
    svdat_head('; ESP_Extension'),
    begun({ core_in_id: true })
      .at(1 * MS)
      .run(PUMP)
      .on(1)
      .run(LOGGER)
      .at(2 * MS)
      .isr(15)
      .on(0)
      .at(2 * MS + 100)
      .packet(ID.IDLE)
      .on(1)
      .at(2 * MS + 200)
      .packet(ID.ISR_EXIT)
      .call(128, 5)
      .at(3 * MS)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'calls-with-returns',
    'Zephyr: calls are slices with results; a wait is the innermost open call, without a description file by its number.',
    new SystemView()
      .start('N=Sensor,D=nrf52,O=Zephyr', TASKS)
      .packet(ID.NAME_RESOURCE, [...varint(0x300), ...str('uart_sem')])
      .at(1 * MS)
      .run(PUMP)
      .call(42, 0x300, 100)
      .wait(PUMP, 2)
      .run(LOGGER)
      .at(2 * MS)
      .call(41, 0x300)
      .ready(PUMP)
      .end_call(41)
      .run(PUMP)
      .end_call(42, 0)
      .at(3 * MS)
      .wait(PUMP, 2)
      .run(LOGGER)
      .at(4 * MS)
      .end_call(42, -11)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'suspended',
    'FreeRTOS V11: a task suspends another one and itself; returns are not recorded, so calls end at the next one.',
    begun()
      .at(1 * MS)
      .ready(PUMP)
      .ready(LOGGER)
      .run(PUMP)
      .call(202, 0x900)
      .wait(LOGGER, 27)
      .at(2 * MS)
      .call(203, 0x900)
      .ready(LOGGER)
      .at(3 * MS)
      .call(202, 0)
      .wait(PUMP, 27)
      .run(LOGGER)
      .at(4 * MS)
      .ready(PUMP)
      .run(PUMP)
      .call(196, 0x4000, 10)
      .wait(PUMP)
      .run(LOGGER)
      .at(5 * MS)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'esp-delays',
    'The port for the ESP32 does not say which task waits; a delay is announced by its call.',
    new SystemView({ hz: 40_000_000 })
      .start('N=FreeRTOS Application,D=ESP32,C=Xtensa,O=FreeRTOS', TASKS)
      .at(40_000)
      .run(PUMP)
      .call(34, 5)
      .run(LOGGER)
      .at(80_000)
      .ready(PUMP)
      .run(PUMP)
      .at(120_000)
      .run(LOGGER)
      .at(160_000)
      .packet(ID.IDLE)
      .bytes(),
  ),
  one(
    'ring',
    'A ring of a post-mortem recorder: Tonkopf finds the newest packet by the number of packets between two syncs.',
    ring_of(post_mortem(), 3000).ring,
  ),
  one(
    'ring-in-memory',
    'A dump of memory: the control block of the transport tells where the recorder writes next.',
    memory_dump(ring_of(post_mortem(), 3000)),
  ),
];
