// SPDX-License-Identifier: MIT
//
// A demo: the firmware of a heat pump without RTOS, traced function by function. The compressor is controlled in a loop; a timer, an ADC and a serial
// interface interrupt it, and each other.

import { CallTrace, Machine, place, times_file } from './cortexm.mjs';
import { elf_file } from './elf.mjs';
import { Random } from './random.mjs';

export const VECTORS = { tick: 15, adc: 34, uart: 53, fan: 22 };
export const RAM = { state: 0x20000040, setpoint: 0x20000060, errors: 0x20000064 };

/** @type {import('./cortexm.mjs').FunctionInfo[]} */
const FUNCTIONS = [
  { name: 'main', unit: 'main.c', size: 96, line: 40 },
  { name: 'board_init', unit: 'main.c', size: 48, local: true, line: 12 },
  { name: 'loop', unit: 'main.c', size: 64, local: true, line: 24 },
  { name: 'SysTick_Handler', unit: 'main.c', size: 24, line: 70 },
  { name: 'sensor_poll', unit: 'sensor.c', size: 56, line: 30 },
  { name: 'read_channel', unit: 'sensor.c', size: 28, local: true, line: 8 },
  { name: 'ADC1_2_IRQHandler', unit: 'sensor.c', size: 32, line: 52 },
  { name: 'store', unit: 'sensor.c', size: 20, local: true, line: 18 },
  { name: 'pid_step', unit: 'pid.c', size: 88, line: 14 },
  { name: 'clamp', unit: 'pid.c', size: 20, local: true, line: 5 },
  { name: 'scale', unit: 'fixpoint.c', size: 16, traced: false, line: 3 },
  { name: 'valve_set', unit: 'valve.c', size: 40, line: 22 },
  { name: 'step_motor', unit: 'valve.c', size: 24, local: true, line: 9 },
  { name: 'EXTI0_IRQHandler', unit: 'valve.c', size: 20, line: 44 },
  { name: 'protocol_poll', unit: 'protocol.c', size: 72, line: 60 },
  { name: 'parse', unit: 'protocol.c', size: 60, local: true, line: 20 },
  { name: 'reply', unit: 'protocol.c', size: 44, local: true, line: 41 },
  { name: 'USART1_IRQHandler', unit: 'protocol.c', size: 36, line: 90 },
  { name: 'sort_errors', unit: 'history.c', size: 52, line: 11 },
];

const functions = place(FUNCTIONS, 0x08000200);
export const FUNCTIONS_PLACED = functions;

/** @param {string} name */
const handler_word = (name) =>
  /** @type {import('./cortexm.mjs').Placed} */ (functions.find((info) => info.name === name)).address | 1;

/**
 * The ELF file of this firmware, as a linker writes it.
 * @param {{ shift?: number, code?: boolean, kind?: import('./elf.mjs').Kind }} [build] shift: bytes that another build has in front of all functions;
 *   code: false: without code
 */
export function heatpump_elf({ shift = 0, code = true, kind } = {}) {
  const { calls } = heatpump({ rounds: 60 }); // each function is called by then
  /** @param {number} address */
  const moved = (address) => address + shift;
  const vectors = new Array(128).fill(handler_word('main'));
  vectors[0] = 0x20004000;
  vectors[VECTORS.tick] = handler_word('SysTick_Handler');
  vectors[VECTORS.adc] = handler_word('ADC1_2_IRQHandler');
  vectors[VECTORS.uart] = handler_word('USART1_IRQHandler');
  vectors[VECTORS.fan] = handler_word('EXTI0_IRQHandler');
  const firmware = {
    functions: functions.map(({ name, unit, size = 40, address, local, line = 1 }) => ({
      name,
      unit,
      size,
      address: moved(address),
      binding: /** @type {'local' | 'global'} */ (local ? 'local' : 'global'),
      lines: Array.from({ length: Math.ceil(size / 4) }, (_, i) => line + Math.floor(i / 2)),
    })),
    variables: [
      { name: 'g_state', unit: 'main.c', address: RAM.state, size: 16, binding: /** @type {const} */ ('global') },
      { name: 'g_setpoint', unit: 'pid.c', address: RAM.setpoint, size: 2, binding: /** @type {const} */ ('global') },
      { name: 'errors', unit: 'history.c', address: RAM.errors, size: 8, binding: /** @type {const} */ ('local') },
    ],
    vectors: vectors.map((word, index) => (index ? moved(word) : word)),
    calls: code
      ? [...calls].map(([returns, to]) => ({ returns: moved(returns), to: to ? moved(to) : undefined }))
      : undefined,
  };
  return elf_file(firmware, kind);
}

/** Interrupts of the loop: a tick each millisecond, the ADC after every second tick, a byte on the line now and then. */
class Sources {
  /** @param {Machine} machine @param {Random} random */
  constructor(machine, random) {
    this.machine = machine;
    this.random = random;
    this.tick_at = 1_000_000;
    this.uart_at = 3_500_000;
    this.adc_due = false;
    machine.pending = () => this.next();
  }

  /** @returns {import('./cortexm.mjs').Interrupt | undefined} the most urgent one that may interrupt what runs */
  next() {
    const { machine } = this;
    if (machine.vector === VECTORS.fan) return undefined;
    if (machine.vector === VECTORS.adc)
      return this.random.chance(0.15)
        ? { vector: VECTORS.fan, handler: 'valve.EXTI0_IRQHandler', body: () => {} }
        : undefined;
    if (this.adc_due) {
      this.adc_due = false;
      return { vector: VECTORS.adc, handler: 'sensor.ADC1_2_IRQHandler', body: () => machine.call('sensor.store', 0) };
    }
    if (machine.vector !== 0) return undefined;
    if (machine.now >= this.tick_at) return this.tick();
    return machine.now >= this.uart_at ? this.received() : undefined;
  }

  tick() {
    this.tick_at += 1_000_000;
    this.adc_due = this.tick_at % 2_000_000 === 0;
    return { vector: VECTORS.tick, handler: 'main.SysTick_Handler', body: () => {} };
  }

  received() {
    this.uart_at += this.random.between(2_000_000, 9_000_000);
    return {
      vector: VECTORS.uart,
      handler: 'protocol.USART1_IRQHandler',
      body: () =>
        this.machine.call('protocol.parse', 0, () => this.random.chance(0.3) && this.machine.call('protocol.reply', 0)),
    };
  }
}

/** One iteration of the loop. @param {Machine} machine @param {Random} random @param {number} round */
function round_of_the_loop(machine, random, round) {
  machine.call('main.loop', 0, () => {
    machine.call('sensor.sensor_poll', 0, () => {
      for (let channel = 0; channel < 4; channel++) machine.call('sensor.read_channel', 0);
    });
    machine.call('pid.pid_step', 1, () => {
      machine.call('pid.clamp', 0);
      machine.call('fixpoint.scale', 1, () => machine.call('pid.clamp', 0));
    });
    if (round % 3 === 0)
      machine.call('valve.valve_set', 2, () => {
        for (let step = random.between(1, 5); step > 0; step--) machine.call('valve.step_motor', 0);
      });
    machine.call(
      'protocol.protocol_poll',
      3,
      () => random.chance(0.4) && machine.call('protocol.parse', 0, () => machine.call('protocol.reply', 0)),
    );
    if (round % 8 === 5)
      machine.dump(RAM.state, [
        round & 0xff,
        round >> 8,
        0,
        0,
        ...Array.from({ length: 12 }, () => random.between(0, 256)),
      ]);
    if (round % 5 === 2) machine.dump(RAM.setpoint, [random.between(180, 240), 0]);
    if (round % 17 === 16)
      machine.call('history.sort_errors', 4, () =>
        machine.call('history.sort_errors', 0, () => machine.call('history.sort_errors', 0)),
      );
    if (round % 20 === 11) machine.log(random.pick(['defrost begins', 'defrost ends', 'pressure low', 'line quiet']));
  });
  machine.wait(random.between(200_000, 900_000));
}

/**
 * @param {{ rounds: number, seed?: number, numbering?: 'new' | 'old' }} options
 * @returns {{ trace: Uint8Array, times: Uint8Array, from: number[], calls: Map<number, number>, records: number }} from: offsets at which rounds begin; calls: those of
 *   the code, by return address; records: of functions
 */
export function heatpump({ rounds, seed = 5, numbering }) {
  const random = new Random(seed),
    machine = new Machine({ functions, trace: new CallTrace({ numbering }) });
  new Sources(machine, random);
  /** @type {number[]} */
  const from = [];
  machine.reset('main.main', () => {
    machine.call('main.board_init', 0);
    machine.log('heat pump 1.4');
    for (let round = 0; round < rounds; round++) {
      from.push(machine.trace.length);
      round_of_the_loop(machine, random, round);
    }
  });
  return {
    trace: machine.trace.bytes(),
    times: times_file(machine.times),
    from,
    calls: machine.calls,
    records: machine.entries,
  };
}
