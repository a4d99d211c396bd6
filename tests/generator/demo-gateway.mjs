// SPDX-License-Identifier: MIT
//
// Demo: a weather station with two cores and FreeRTOS, one file per core. Counter of 1 MHz, RTOS tick of 1 ms. Most tasks may run on either
// core and migrate; jobs are created on the core on which their creator runs.

import { QUEUE_KIND } from './tband.mjs';
import { Recorder } from './recorder.mjs';
import { Simulator } from './simulator.mjs';

/** @typedef {import('./simulator.mjs').Program} Program */
/** @typedef {import('./simulator.mjs').TaskApi} TaskApi */
/** @typedef {import('./simulator.mjs').IsrApi} IsrApi */

const MS = 1000;
const MARKER = { http: 1, radio: 2 };
const VALUE = { wind: 1, gust: 2, heap: 3 };
const PAGES = ['GET /', 'GET /wind.json', 'GET /rain.svg', 'POST /mqtt'];

class WeatherStation {
  /** @param {Simulator} sim */
  constructor(sim) {
    this.sim = sim;
    const { queue, binary, mutex } = QUEUE_KIND;
    this.samples = sim.create_queue('samples', queue, 12);
    this.filtered = sim.create_queue('filtered', queue, 6);
    this.packets = sim.create_queue('radio packets', queue, 6);
    this.requests = sim.create_queue('requests', queue, 4);
    this.pages = sim.create_queue('pages', queue, 4);
    this.i2c_bus = sim.create_queue('i2c bus', mutex);
    this.archive = sim.create_queue('archive', mutex);
    this.i2c_done = sim.create_queue('i2c done', binary);
    this.i2c_irq = sim.create_irq(23, 'I2C0', 2, (isr) => this.i2c(isr), 0);
    this.anemometer_irq = sim.create_irq(13, 'GPIO wind', 3, (isr) => this.wind_pulse(isr), 1);
    this.radio_irq = sim.create_irq(18, 'SPI0 radio', 3, (isr) => this.radio(isr), 1);
    this.net_irq = sim.create_irq(5, 'Ethernet', 2, (isr) => this.net(isr), 1);
    this.display_irq = sim.create_irq(11, 'DMA display', 1, (isr) => this.display_done(isr), 1);
    sim.meta('evtmarker_name', MARKER.http, 'http');
    sim.meta('evtmarker_name', MARKER.radio, 'radio');
    sim.meta('valmarker_name', VALUE.wind, 'wind pulses');
    sim.meta('valmarker_name', VALUE.gust, 'wind gust cm/s');
    sim.meta('valmarker_name', VALUE.heap, 'free heap');
    this.pulses = 0;
    this.heap = 61_000;
    sim.create_task('sensors', 5, (api) => this.sensors(api), { cores: [0] });
    sim.create_task('filter', 4, (api) => this.filter(api));
    sim.create_task('radio', 4, (api) => this.radio_task(api));
    sim.create_task('net', 3, (api) => this.net_task(api), { cores: [1] });
    sim.create_task('storage', 2, (api) => this.storage(api));
    this.display = sim.create_task('display', 1, (api) => this.display_task(api));
    sim.create_task('forecast', 1, (api) => this.forecast(api));
  }

  start_devices() {
    const { sim } = this;
    sim.every(this.anemometer_irq, 6 * MS, 5 * MS);
    sim.every(this.radio_irq, 19 * MS, 12 * MS);
    sim.every(this.net_irq, 31 * MS, 25 * MS);
    sim.start_tick();
  }

  // ---- interrupts ----

  /** @param {IsrApi} isr @returns {Program} */
  *i2c(isr) {
    yield* isr.work(4);
    yield* isr.send(this.i2c_done);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *wind_pulse(isr) {
    this.pulses++;
    yield* isr.work(3);
    if (this.pulses % 4 === 0) yield* isr.value(VALUE.wind, this.pulses);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *radio(isr) {
    for (let i = isr.random.between(1, 4); i > 0; i--) {
      yield* isr.work(12);
      yield* isr.send(this.packets);
    }
  }

  /** @param {IsrApi} isr @returns {Program} */
  *net(isr) {
    yield* isr.work(9);
    yield* isr.send(this.requests);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *display_done(isr) {
    yield* isr.work(3);
    yield* isr.notify(this.display);
  }

  // ---- tasks ----

  /** @param {TaskApi} api @returns {Program} */
  *sensors(api) {
    yield* api.scheduler_started();
    yield* api.name_marker('task_evtmarker_name', 1, 'reading');
    for (let wake = 5; ; wake += 5) {
      yield* api.delay_until(wake);
      yield* api.receive(this.i2c_bus);
      for (const part of ['bme280', 'wind vane']) {
        yield* api.task_begin(1, part);
        yield* api.start_device(this.i2c_irq, 180);
        if (!(yield* api.receive(this.i2c_done, 5))) yield* api.task_mark(1, 'nack');
        yield* api.work(45);
        yield* api.task_end(1);
      }
      yield* api.send(this.i2c_bus);
      yield* api.send(this.samples, 2);
      if (wake % 20 === 0) yield* api.value(VALUE.gust, 420 + 260 * Math.sin(wake / 90) + api.random.between(-60, 60));
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *filter(api) {
    for (let n = 1; ; n++) {
      yield* api.receive(this.samples);
      yield* api.work(380);
      if (n % 2 === 0) yield* api.send(this.filtered);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *radio_task(api) {
    for (;;) {
      if (!(yield* api.receive(this.packets, 60))) {
        yield* api.mark(MARKER.radio, 'listening');
        continue;
      }
      yield* api.work(240);
      if (!api.random.chance(0.2)) continue;
      yield* api.begin(MARKER.radio, 'reply');
      yield* api.work(420);
      yield* api.end(MARKER.radio);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *net_task(api) {
    for (const name of ['http a', 'http b']) yield* api.create_task(name, 2, (worker) => this.http(worker));
    for (let request = 1; ; request++) {
      yield* api.receive(this.requests);
      yield* api.work(150);
      yield* api.send(this.pages, 0);
      if (request % 9 === 0) yield* api.create_task('upload', 1, (job) => this.upload(job));
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *http(api) {
    yield* api.name_marker('task_evtmarker_name', 2, 'request');
    for (;;) {
      yield* api.receive(this.pages);
      const page = api.random.pick(PAGES);
      this.heap -= 17_400;
      yield* api.value(VALUE.heap, this.heap);
      yield* api.task_begin(2, page);
      yield* api.work(600);
      yield* api.receive(this.archive);
      yield* api.work(350);
      yield* api.send(this.archive);
      yield* api.delay(2);
      yield* api.work(500);
      yield* api.task_end(2);
      this.heap += 17_400;
      yield* api.value(VALUE.heap, this.heap);
      yield* api.mark(MARKER.http, `200 ${page.slice(0, 15)}`);
    }
  }

  /** A task that ends after one transfer. @param {TaskApi} api @returns {Program} */
  *upload(api) {
    for (let part = 1; part <= 5; part++) {
      yield* api.work(900);
      yield* api.mark(MARKER.http, `upload part ${part}`);
      yield* api.delay(4);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *storage(api) {
    yield* api.name_marker('task_valmarker_name', 1, 'records');
    for (let record = 1; ; record++) {
      yield* api.receive(this.filtered);
      yield* api.receive(this.archive);
      yield* api.work(record % 8 === 0 ? 2600 : 500);
      yield* api.send(this.archive);
      yield* api.task_value(1, record);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *display_task(api) {
    for (;;) {
      yield* api.receive(this.i2c_bus);
      yield* api.work(700);
      yield* api.send(this.i2c_bus);
      yield* api.start_device(this.display_irq, 2300);
      yield* api.wait_notification();
      yield* api.work(300);
      yield* api.delay(15);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *forecast(api) {
    yield* api.name_marker('task_evtmarker_name', 1, 'model');
    for (let run = 1; ; run++) {
      yield* api.task_begin(1, `run ${run}`);
      for (let i = 0; i < 12; i++) {
        yield* api.work(1500);
        if (i % 4 === 3) yield* api.yield_now();
      }
      yield* api.task_end(1);
      yield* api.delay(25);
    }
  }
}

/** @param {TaskApi} api @returns {Program} */
function* timers(api) {
  for (let wake = 40; ; wake += 40) {
    yield* api.delay_until(wake);
    yield* api.work(25);
    yield* api.mark(MARKER.radio, 'beacon due');
  }
}

/**
 * @param {object} options
 * @param {number} options.bytes of all cores together, about
 * @param {number} [options.seed]
 * @returns {Uint8Array[]} one file per core
 */
export function gateway_recordings({ bytes, seed = 21 }) {
  const recorder = new Recorder({ cores: 2 });
  const sim = new Simulator({ recorder, cores: 2, os_tick_len: MS, event_cost: 2, seed, start: 40 * MS });
  sim.meta('ts_resolution_ns', 1000);
  const station = new WeatherStation(sim);
  recorder.start();
  sim.start_scheduler(timers, 6);
  station.start_devices();
  sim.run(() => recorder.bytes >= bytes);
  return recorder.snapshots();
}
