// SPDX-License-Identifier: MIT
//
// Demo: an espresso machine on FreeRTOS, recorded by TraceRecorder. Timer of 10 MHz, tick of 1 ms.

import { PsfRecorder } from './psf-recorder.mjs';
import { Simulator } from './simulator.mjs';
import { QUEUE_KIND } from './tband.mjs';

/** @typedef {import('./simulator.mjs').Program} Program */
/** @typedef {import('./simulator.mjs').TaskApi} TaskApi */
/** @typedef {import('./simulator.mjs').IsrApi} IsrApi */

const US = 10;
const MS = 1000 * US;
const CHANNEL = { brew: 1, panel: 2 };
const VALUE = { boiler: 1, pressure: 2 };
const THING = { machine: 1, idle: 2, heat: 3, infuse: 4, extract: 5, rinse: 6, shot: 7, set: 8, dose: 9, mix: 10 };
const STATES = /** @type {const} */ (['idle', 'heat', 'infuse', 'extract', 'rinse']);

class Espresso {
  /** @param {Simulator} sim @param {PsfRecorder} recorder */
  constructor(sim, recorder) {
    this.sim = sim;
    this.recorder = recorder;
    this.boiler = 880;
    this.things = /** @type {Record<keyof typeof THING, number>} */ ({});
    const { queue, binary, counting, mutex } = QUEUE_KIND;
    this.name_things();
    this.buttons = sim.create_queue('Buttons', queue, 8);
    this.orders = sim.create_queue('Orders', queue, 4);
    this.screen = sim.create_queue('Screen', queue, 6);
    this.i2c = sim.create_queue('I2C bus', mutex);
    this.pulses = sim.create_queue('FlowPulses', counting, 16);
    this.adc_done = sim.create_queue('AdcDone', binary);
    this.adc_irq = sim.create_irq(18, 'ADC', 4, (isr) => this.adc(isr));
    this.flow_irq = sim.create_irq(6, 'FLOW_EXTI', 6, (isr) => this.flow(isr));
    this.key_irq = sim.create_irq(9, 'KEYS_EXTI', 3, (isr) => this.keys(isr));
    sim.meta('evtmarker_name', CHANNEL.brew, 'Brew');
    sim.meta('evtmarker_name', CHANNEL.panel, 'Panel');
    sim.meta('valmarker_name', VALUE.boiler, 'Boiler 0.1 C');
    sim.meta('valmarker_name', VALUE.pressure, 'Pressure mbar');
    sim.create_task('Heater', 5, (api) => this.heater(api));
    sim.create_task('Brew', 4, (api) => this.brew(api));
    sim.create_task('Panel', 3, (api) => this.panel(api));
    sim.create_task('Display', 2, (api) => this.display(api));
    sim.create_task('Statistics', 1, (api) => this.statistics(api));
  }

  name_things() {
    const names = {
      machine: 'Brewing',
      idle: 'Ready',
      heat: 'Heating',
      infuse: 'Pre-infusion',
      extract: 'Extraction',
      rinse: 'Rinsing',
      shot: 'Shot',
      set: 'Orders',
      dose: 'Dose',
      mix: 'PID',
    };
    for (const key of /** @type {(keyof typeof THING)[]} */ (Object.keys(THING)))
      this.things[key] = this.recorder.name_thing(this.sim.cursor, THING[key], names[key]);
    const now = this.sim.cursor;
    this.recorder.psf(now, 'STATEMACHINE_CREATE', this.things.machine, 0);
    for (const state of STATES)
      this.recorder.psf(now, 'STATEMACHINE_STATE_CREATE', this.things[state], this.things.machine);
    this.recorder.psf(now, 'INTERVAL_CHANNEL_SET_CREATE', this.things.set, 0);
    this.recorder.psf(now, 'INTERVAL_CHANNEL_CREATE', this.things.shot, this.things.set);
  }

  start_devices() {
    const { sim } = this;
    sim.every(this.adc_irq, 5 * MS);
    sim.every(this.flow_irq, 3 * MS, 2 * MS);
    sim.every(this.key_irq, 90 * MS, 60 * MS);
    sim.start_tick();
  }

  /** Events of the recorder that the simulation does not have. @param {(now: number) => void} tell @returns {Program} */
  *tell(tell) {
    yield () => tell(this.sim.cursor);
  }

  /** @param {typeof STATES[number]} state @returns {Program} */
  enter = (state) =>
    this.tell((now) => this.recorder.psf(now, 'STATEMACHINE_STATECHANGE', this.things.machine, this.things[state]));
  /** @param {number} channel @param {string} format @param {...number} args @returns {Program} */
  say = (channel, format, ...args) => this.tell((now) => this.recorder.say(now, channel, format, ...args));

  // ---- interrupts ----

  /** @param {IsrApi} isr @returns {Program} */
  *adc(isr) {
    yield* isr.work(4 * US);
    yield* isr.send(this.adc_done);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *flow(isr) {
    yield* isr.work(2 * US);
    yield* isr.send(this.pulses);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *keys(isr) {
    yield* isr.work(6 * US);
    yield* isr.send(this.buttons);
  }

  // ---- tasks ----

  /** @param {TaskApi} api @returns {Program} */
  *heater(api) {
    for (let step = 0; ; step++) {
      yield* api.receive(this.adc_done);
      yield* this.tell((now) => this.recorder.psf(now, 'RUNNABLE_START', this.things.mix));
      yield* api.work(180 * US);
      this.boiler += Math.round((930 - this.boiler) * 0.08) + api.random.between(-3, 4);
      yield* this.tell((now) => this.recorder.psf(now, 'RUNNABLE_STOP'));
      if (step % 4 === 0) yield* api.value(VALUE.boiler, this.boiler);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *brew(api) {
    yield* this.enter('idle');
    for (let shot = 1; ; shot++) {
      yield* api.receive(this.orders);
      const begin = this.sim.cursor % 2 ** 32;
      yield* this.tell((now) => this.recorder.psf(now, 'INTERVAL_START', this.things.shot, begin, shot));
      yield* this.enter('heat');
      yield* api.receive(this.i2c);
      yield* api.work(700 * US);
      yield* api.send(this.i2c);
      yield* this.enter('infuse');
      yield* api.delay(4);
      yield* this.enter('extract');
      for (let pulse = 0; pulse < 9; pulse++) {
        if (!(yield* api.receive(this.pulses, 8))) yield* this.say(CHANNEL.brew, 'no flow after %u ml', pulse * 4);
        yield* api.work(90 * US);
        yield* api.value(VALUE.pressure, 8600 + api.random.between(-300, 300));
        if (pulse % 3 === 0) yield* api.send(this.screen, 0);
      }
      yield* this.enter('rinse');
      yield* api.work(400 * US);
      yield* this.tell((now) => this.recorder.psf(now, 'INTERVAL_STOP', this.things.shot, begin));
      yield* this.say(CHANNEL.brew, 'shot %u done at %d degrees', shot, Math.round(this.boiler / 10));
      yield* this.enter('idle');
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *panel(api) {
    for (let press = 0; ; press++) {
      yield* api.receive(this.buttons);
      yield* api.work(150 * US);
      yield* this.say(CHANNEL.panel, 'button %u', 1 + (press % 3));
      if (!(yield* api.send(this.orders, 5))) yield* this.say(CHANNEL.panel, 'busy, try again');
      yield* api.send(this.screen, 0);
      if (press % 5 === 4) yield* api.create_task('Service', 3, (job) => this.service(job));
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *display(api) {
    for (;;) {
      yield* api.receive(this.screen);
      yield* api.receive(this.i2c);
      yield* api.work(1300 * US);
      yield* api.send(this.i2c);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *service(api) {
    yield* this.tell((now) => this.recorder.psf(now, 'MALLOC', this.things.dose, 512));
    for (let i = 0; i < 3; i++) {
      yield* api.work(500 * US);
      yield* api.delay(2);
    }
    yield* this.tell((now) => this.recorder.psf(now, 'FREE', this.things.dose, 512));
  }

  /** @param {TaskApi} api @returns {Program} */
  *statistics(api) {
    for (let wake = 20; ; wake += 20) {
      yield* api.delay_until(wake);
      yield* api.work(350 * US);
      yield* this.tell((now) =>
        this.recorder.psf(
          now,
          'UNUSED_STACK',
          this.recorder.task(1 + ((wake / 20) % 5)),
          60 + api.random.between(0, 20),
        ),
      );
    }
  }
}

/**
 * @param {{ bytes: number, seed?: number } & import('./psf.mjs').PsfOptions} options bytes: length of the recording, about
 * @returns {Uint8Array}
 */
export function espresso_recording({ bytes, seed = 5, ...options }) {
  const recorder = new PsfRecorder({ hz: 10_000_000, ...options });
  const sim = new Simulator({ recorder: /** @type {any} */ (recorder), os_tick_len: MS, seed, start: 2 * MS });
  recorder.sim = sim;
  recorder.start();
  recorder.psf(sim.cursor, 'TRACE_START', 2);
  const machine = new Espresso(sim, recorder);
  sim.start_scheduler();
  machine.start_devices();
  sim.run(() => recorder.bytes >= bytes);
  return recorder.stream();
}
