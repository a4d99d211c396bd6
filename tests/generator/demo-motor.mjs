// SPDX-License-Identifier: MIT
//
// Demo: a motor controller on one core with FreeRTOS. Counter of 10 MHz, RTOS tick of 1 ms.

import { QUEUE_KIND } from './tband.mjs';
import { Recorder } from './recorder.mjs';
import { Simulator } from './simulator.mjs';

/** @typedef {import('./simulator.mjs').Program} Program */
/** @typedef {import('./simulator.mjs').TaskApi} TaskApi */
/** @typedef {import('./simulator.mjs').IsrApi} IsrApi */

const US = 10;
const MS = 1000 * US;
const MARKER = { flash: 1, events: 2 };
const VALUE = { phase_current: 1, rpm: 2 };

/** Queues, interrupts and data that the tasks share. */
class MotorController {
  /** @param {Simulator} sim */
  constructor(sim) {
    this.sim = sim;
    this.rpm = 0;
    this.setpoint = 1500;
    const { queue, counting, binary, mutex } = QUEUE_KIND;
    this.adc_ready = sim.create_queue('adc ready', binary);
    this.can_rx = sim.create_queue('can rx', queue, 8);
    this.telemetry = sim.create_queue('telemetry', queue, 6);
    this.shell_rx = sim.create_queue('shell rx', queue, 16);
    this.shell_tx = sim.create_queue('shell tx', queue, 32);
    this.spi_bus = sim.create_queue('spi bus', mutex);
    this.params = sim.create_queue('parameters', mutex);
    this.spi_done = sim.create_queue('spi done', binary);
    this.pages = sim.create_queue('flash pages', counting, 4, 4);
    this.break_irq = sim.create_irq(24, 'TIM1_BRK', 6, (isr) => this.overcurrent(isr));
    this.adc_irq = sim.create_irq(18, 'ADC1', 5, (isr) => this.adc(isr));
    this.can_irq = sim.create_irq(20, 'CAN1_RX0', 3, (isr) => this.can(isr));
    this.uart_irq = sim.create_irq(37, 'USART1', 2, (isr) => this.uart(isr));
    this.uart_tx_irq = sim.create_irq(38, 'USART1 tx', 2, (isr) => this.uart_tx(isr));
    this.dma_irq = sim.create_irq(12, 'DMA1_Ch2', 3, (isr) => this.dma(isr));
    sim.meta('evtmarker_name', MARKER.flash, 'flash');
    sim.meta('evtmarker_name', MARKER.events, 'events');
    sim.meta('valmarker_name', VALUE.phase_current, 'phase current mA');
    sim.meta('valmarker_name', VALUE.rpm, 'speed rpm');
    sim.create_task('control', 7, (api) => this.control(api));
    sim.create_task('safety', 5, (api) => this.safety(api));
    sim.create_task('can', 4, (api) => this.can_task(api));
    sim.create_task('telemetry', 3, (api) => this.telemetry_task(api));
    this.shell = sim.create_task('shell', 2, (api) => this.shell_task(api));
    sim.create_task('logger', 1, (api) => this.logger(api));
  }

  start_devices() {
    const { sim } = this;
    sim.every(this.adc_irq, 2 * MS);
    sim.every(this.can_irq, 7 * MS, 5 * MS);
    sim.every(this.uart_irq, 43 * MS, 30 * MS);
    sim.every(this.break_irq, 310 * MS, 90 * MS);
    sim.start_tick();
  }

  // ---- interrupts ----

  /** @param {IsrApi} isr @returns {Program} */
  *adc(isr) {
    yield* isr.work(3 * US);
    if (isr.random.chance(0.3))
      yield* isr.value(VALUE.phase_current, 1900 * Math.sin(isr.now / (11 * MS)) + isr.random.between(-90, 90));
    yield* isr.send(this.adc_ready);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *can(isr) {
    const frames = isr.random.between(1, 4);
    for (let i = 0; i < frames; i++) {
      yield* isr.work(4 * US);
      yield* isr.send(this.can_rx);
    }
  }

  /** @param {IsrApi} isr @returns {Program} */
  *uart(isr) {
    yield* isr.work(2 * US);
    yield* isr.send(this.shell_rx);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *uart_tx(isr) {
    if (!(yield* isr.receive(this.shell_tx))) return;
    yield* isr.work(1.5 * US);
    yield* isr.raise_later(this.uart_tx_irq, 87 * US);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *dma(isr) {
    yield* isr.work(2 * US);
    yield* isr.send(this.spi_done);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *overcurrent(isr) {
    yield* isr.work(8 * US);
    yield* isr.mark(MARKER.events, 'overcurrent, limited');
  }

  // ---- tasks ----

  /** @param {TaskApi} api @returns {Program} */
  *control(api) {
    yield* api.scheduler_started();
    yield* api.name_marker('task_evtmarker_name', 1, 'control loop');
    yield* api.name_marker('task_valmarker_name', 1, 'current q mA');
    for (let step = 0; ; step++) {
      yield* api.receive(this.adc_ready);
      yield* api.task_begin(1, 'park, pi, svm');
      this.rpm += (this.setpoint - this.rpm) * 0.03 + api.random.between(-6, 7);
      yield* api.work(150 * US);
      yield* api.task_value(1, (this.setpoint - this.rpm) * 2.2 + api.random.between(-60, 60));
      yield* api.task_end(1);
      if (step % 5 === 0) yield* api.value(VALUE.rpm, this.rpm);
      if (step % 4 === 0) yield* api.send(this.telemetry, 0);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *safety(api) {
    for (let wake = 5; ; wake += 5) {
      yield* api.delay_until(wake);
      yield* api.receive(this.params);
      yield* api.work(35 * US);
      yield* api.send(this.params);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *can_task(api) {
    yield* api.name_marker('task_evtmarker_name', 1, 'frames');
    for (;;) {
      if (!(yield* api.receive(this.can_rx, 20))) {
        yield* api.task_mark(1, 'bus silent');
        continue;
      }
      yield* api.work(90 * US);
      if (!api.random.chance(0.12)) continue;
      yield* api.receive(this.params);
      this.setpoint = api.random.pick([800, 1500, 2200, 3000]);
      yield* api.work(240 * US);
      yield* api.send(this.params);
      yield* api.task_mark(1, `setpoint ${this.setpoint}`);
      for (let i = 0; i < 8; i++) yield* api.send(this.telemetry); // more than fit: waits until telemetry has sent some
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *telemetry_task(api) {
    for (;;) {
      yield* api.receive(this.telemetry);
      yield* api.work(60 * US);
      yield* api.receive(this.spi_bus);
      yield* api.start_device(this.dma_irq, 260 * US);
      yield* api.receive(this.spi_done, 10);
      yield* api.work(25 * US);
      yield* api.send(this.spi_bus);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *shell_task(api) {
    for (let command = 1; ; command++) {
      yield* api.receive(this.shell_rx);
      yield* api.work(120 * US);
      for (let i = 0; i < 6; i++) yield* api.send(this.shell_tx);
      yield* api.start_device(this.uart_tx_irq, 87 * US);
      if (command % 4 === 0) yield* api.create_task('calibrate', 3, (job) => this.calibrate(job));
      if (command % 6 === 0) yield* api.set_priority(this.shell, command % 12 === 0 ? 2 : 3);
      if (command % 9 === 0) {
        yield* api.mark(MARKER.events, 'shell sleeps');
        yield* api.suspend(this.shell);
      }
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *calibrate(api) {
    for (const phase of ['offset u', 'offset v', 'offset w']) {
      yield* api.mark(MARKER.events, `calibrate ${phase}`);
      yield* api.work(400 * US);
      yield* api.delay(3);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *logger(api) {
    yield* api.name_marker('task_valmarker_name', 1, 'page');
    for (let page = 0; ; page++) {
      yield* api.receive(this.pages, 40);
      yield* api.receive(this.spi_bus);
      yield* api.begin(MARKER.flash, `page ${page}`);
      yield* api.work(500 * US);
      yield* api.begin(MARKER.flash, 'program');
      yield* api.work(1200 * US);
      yield* api.end(MARKER.flash);
      yield* api.end(MARKER.flash);
      yield* api.send(this.spi_bus);
      yield* api.task_value(1, page);
      yield* api.delay(api.random.between(8, 20));
      yield* api.send(this.pages, 0);
      if (this.shell.state === 'suspended' && page % 4 === 3) yield* api.resume(this.shell);
    }
  }
}

/** The timer task: a blinking light, and an endless wait now and then. @param {TaskApi} api @returns {Program} */
function* timers(api) {
  yield* api.delay_until(25);
  for (let wake = 50; ; wake += 25) {
    yield* api.work(12 * US);
    yield* api.mark(MARKER.events, wake % 50 === 0 ? 'led on' : 'led off');
    yield* api.delay_until(wake);
  }
}

/**
 * @param {object} options
 * @param {number} options.bytes length of the recording, about
 * @param {number} [options.seed]
 * @param {import('./recorder.mjs').Link} [options.link]
 * @returns {Uint8Array}
 */
export function motor_recording({ bytes, seed = 7, link }) {
  const recorder = new Recorder({ link });
  const sim = new Simulator({ recorder, os_tick_len: MS, seed, start: 2 * MS });
  sim.meta('ts_resolution_ns', 100);
  const controller = new MotorController(sim);
  recorder.start();
  sim.start_scheduler(timers, 6);
  controller.start_devices();
  sim.run(() => recorder.bytes >= bytes);
  return recorder.stream();
}
