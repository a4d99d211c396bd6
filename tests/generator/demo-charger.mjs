// SPDX-License-Identifier: MIT
//
// Demo: a battery charger without RTOS, one loop and nested interrupts. Counter of 8 MHz.

import { Recorder } from './recorder.mjs';
import { Simulator } from './simulator.mjs';

/** @typedef {import('./simulator.mjs').Program} Program */
/** @typedef {import('./simulator.mjs').TaskApi} TaskApi */
/** @typedef {import('./simulator.mjs').IsrApi} IsrApi */

const US = 8;
const MS = 1000 * US;
const MARKER = { loop: 1, events: 2, comm: 3 };
const VALUE = { cell: 1, current: 2, temperature: 3, duty: 4 };
const PHASES = ['precharge', 'constant current', 'constant voltage', 'top off'];

class Charger {
  /** @param {Simulator} sim */
  constructor(sim) {
    this.sim = sim;
    this.phase = 0;
    this.cell_mv = 3300;
    this.systick = sim.create_irq(15, 'SysTick', 1, (isr) => isr.work(4 * US));
    this.adc_irq = sim.create_irq(18, 'ADC', 3, (isr) => this.adc(isr));
    this.pwm_irq = sim.create_irq(26, 'PWM compare', 4, (isr) => this.pwm(isr));
    this.uart_irq = sim.create_irq(37, 'UART', 2, (isr) => this.uart(isr));
    const names = { 'main loop': MARKER.loop, events: MARKER.events, modbus: MARKER.comm };
    for (const [name, id] of Object.entries(names)) sim.meta('evtmarker_name', id, name);
    const values = {
      'cell mV': VALUE.cell,
      'current mA': VALUE.current,
      'temperature 0.1 C': VALUE.temperature,
      'duty permille': VALUE.duty,
    };
    for (const [name, id] of Object.entries(values)) sim.meta('valmarker_name', id, name);
  }

  start_devices() {
    const { sim } = this;
    sim.every(this.systick, MS);
    sim.every(this.adc_irq, 2 * MS + 300);
    sim.every(this.pwm_irq, 5 * MS + 130);
    sim.every(this.uart_irq, 37 * MS, 20 * MS);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *adc(isr) {
    yield* isr.work(14 * US);
    this.cell_mv += 0.7 * (1 - this.phase / 4) + (isr.random.next() - 0.5) * 3;
    yield* isr.value(VALUE.cell, this.cell_mv);
    yield* isr.work(6 * US);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *pwm(isr) {
    yield* isr.work(3 * US);
    yield* isr.value(VALUE.duty, 500 - 90 * this.phase + isr.random.between(-12, 13));
  }

  /** @param {IsrApi} isr @returns {Program} */
  *uart(isr) {
    yield* isr.begin(MARKER.comm, 'rx');
    for (let i = isr.random.between(4, 9); i > 0; i--) yield* isr.work(9 * US);
    yield* isr.end(MARKER.comm);
  }

  /** @param {TaskApi} api @returns {Program} */
  *main(api) {
    for (let turn = 0; ; turn++) {
      yield* api.begin(MARKER.loop, `turn ${turn}`);
      yield* this.step(api, 'measure', 260 * US);
      if (turn % 4 === 0) yield* api.value(VALUE.current, 1800 - 380 * this.phase + api.random.between(-25, 26));
      yield* this.step(api, 'regulate', 420 * US);
      if (turn % 16 === 7) yield* this.step(api, 'display', 1900 * US);
      if (turn % 10 === 9) yield* api.value(VALUE.temperature, 254 + turn / 30 + api.random.between(-2, 3));
      yield* api.end(MARKER.loop);
      if (turn % 150 === 149) {
        this.phase = (this.phase + 1) % PHASES.length;
        yield* api.mark(MARKER.events, PHASES[this.phase]);
      }
      yield* api.work(900 * US);
    }
  }

  /** @param {TaskApi} api @param {string} name @param {number} ticks @returns {Program} */
  *step(api, name, ticks) {
    yield* api.begin(MARKER.loop, name);
    yield* api.work(ticks);
    yield* api.end(MARKER.loop);
  }
}

/**
 * @param {object} options
 * @param {number} options.bytes length of the recording, about
 * @param {number} [options.seed]
 * @returns {Uint8Array}
 */
export function charger_recording({ bytes, seed = 3 }) {
  const recorder = new Recorder();
  const sim = new Simulator({ recorder, os_tick_len: MS, event_cost: 4, seed, start: 90 * MS });
  sim.meta('ts_resolution_ns', 125);
  const charger = new Charger(sim);
  recorder.start();
  sim.start_bare_metal((api) => charger.main(api));
  charger.start_devices();
  sim.run(() => recorder.bytes >= bytes);
  return recorder.stream();
}
