// SPDX-License-Identifier: MIT
//
// Demo: a 3D printer on FreeRTOS, recorded by SystemView. Counter of 12 MHz, tick of 1 ms.

import { Simulator } from './simulator.mjs';
import { ID, svdat_head } from './systemview.mjs';
import { SystemViewRecorder } from './systemview-recorder.mjs';
import { QUEUE_KIND } from './tband.mjs';

/** @typedef {import('./simulator.mjs').Program} Program */
/** @typedef {import('./simulator.mjs').TaskApi} TaskApi */
/** @typedef {import('./simulator.mjs').IsrApi} IsrApi */

const US = 12;
const MS = 1000 * US;
const MARK = { layer: 1, homing: 2 };
const DATA = { nozzle: 1, bed: 2, speed: 3 };
const CARD = 512;
const LOG = 0,
  WARNING = 1,
  ERROR = 2;
const FAN_TIMER = 0x1e00;

class Printer {
  /** @param {Simulator} sim @param {SystemViewRecorder} recorder */
  constructor(sim, recorder) {
    this.sim = sim;
    this.recorder = recorder;
    this.nozzle = 196;
    this.blocks = 0;
    const { queue, binary, counting, mutex } = QUEUE_KIND;
    this.lines = sim.create_queue('Lines', queue, 6);
    this.moves = sim.create_queue('Moves', queue, 8);
    this.screen = sim.create_queue('Screen', queue, 4);
    this.spi = sim.create_queue('SPI bus', mutex);
    this.sector = sim.create_queue('SectorRead', binary);
    this.steps = sim.create_queue('StepsDone', counting, 16);
    this.adc_done = sim.create_queue('AdcDone', binary);
    this.adc_irq = sim.create_irq(34, 'ADC1', 3, (isr) => this.adc(isr));
    this.step_irq = sim.create_irq(44, 'TIM2_STEP', 6, (isr) => this.step(isr));
    this.dma_irq = sim.create_irq(27, 'DMA1_SPI', 4, (isr) => this.dma(isr));
    sim.meta('evtmarker_name', MARK.layer, 'Layer');
    sim.meta('evtmarker_name', MARK.homing, 'Homing');
    recorder.describe(DATA.nozzle, 'Nozzle', '°C', 0, 300);
    recorder.describe(DATA.bed, 'Bed', '°C', 0, 120);
    recorder.describe(DATA.speed, 'Speed', 'mm/s', 0, 250);
    sim.create_task('Motion', 6, (api) => this.motion(api));
    sim.create_task('Heater', 5, (api) => this.heater(api));
    sim.create_task('Planner', 4, (api) => this.planner(api));
    sim.create_task('Timer Svc', 3, (api) => this.timers(api));
    sim.create_task('SdCard', 2, (api) => this.card(api));
    sim.create_task('Display', 1, (api) => this.display(api));
  }

  start_devices() {
    this.sim.every(this.adc_irq, 10 * MS);
    this.sim.every(this.step_irq, 4 * MS, 2 * MS);
    this.sim.start_tick();
  }

  /** Packets that the simulation does not have. @param {(now: number, recorder: SystemViewRecorder) => void} send @returns {Program} */
  *send(send) {
    yield () => send(this.sim.cursor, this.recorder);
  }

  /** @param {number} level @param {string} format @param {...number} values @returns {Program} */
  say = (level, format, ...values) => this.send((now, recorder) => recorder.print(now, format, level, ...values));
  /** @param {number} id @param {number} value @returns {Program} */
  sample = (id, value) => this.send((now, recorder) => recorder.sample(now, id, value));

  // ---- interrupts ----

  /** @param {IsrApi} isr @returns {Program} */
  *adc(isr) {
    yield* isr.work(5 * US);
    yield* isr.send(this.adc_done);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *step(isr) {
    yield* isr.work(3 * US);
    yield* isr.send(this.steps);
  }

  /** @param {IsrApi} isr @returns {Program} */
  *dma(isr) {
    yield* isr.work(4 * US);
    yield* isr.send(this.sector);
  }

  // ---- tasks ----

  /** @param {TaskApi} api @returns {Program} */
  *motion(api) {
    yield* this.send((now, recorder) => recorder.packet(now, ID.MARK_START, MARK.homing));
    yield* api.delay(6);
    yield* this.send((now, recorder) => recorder.packet(now, ID.MARK_STOP, MARK.homing));
    for (let move = 0; ; move++) {
      yield* api.receive(this.moves);
      yield* this.sample(DATA.speed, 60 + api.random.between(0, 90));
      for (let part = 0; part < 2; part++) {
        if (!(yield* api.receive(this.steps, 9))) yield* this.say(ERROR, 'no steps in move %u', move);
        yield* api.work(70 * US);
      }
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *heater(api) {
    for (let turn = 0; ; turn++) {
      yield* api.receive(this.adc_done);
      yield* api.work(210 * US);
      this.nozzle += (210 - this.nozzle) * 0.07 + (api.random.next() - 0.5) * 0.6;
      yield* this.sample(DATA.nozzle, this.nozzle);
      if (turn % 8 === 0) yield* this.sample(DATA.bed, 60 + (api.random.next() - 0.5) * 0.4);
      if (turn === 9) yield* this.say(LOG, 'heating to %u degrees', 210);
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *planner(api) {
    for (let line = 0; ; line++) {
      yield* api.receive(this.lines);
      if (line % 24 === 0) {
        if (line) yield* api.end(MARK.layer);
        yield* api.begin(MARK.layer);
        yield* this.say(LOG, 'layer %u', line / 24 + 1);
      }
      yield* api.work(380 * US);
      yield* this.send((now, recorder) => recorder.free(now, 0x2000 + 64 * (line % 16)));
      yield* api.send(this.moves);
      if (line % 6 === 0) yield* api.send(this.screen, 0);
    }
  }

  /** Callbacks of software timers. @param {TaskApi} api @returns {Program} */
  *timers(api) {
    for (let wake = 25; ; wake += 25) {
      yield* api.delay_until(wake);
      yield* this.send((now, recorder) => recorder.packet(now, ID.TIMER_ENTER, FAN_TIMER));
      yield* api.work(90 * US);
      yield* this.send((now, recorder) => recorder.packet(now, ID.TIMER_EXIT));
    }
  }

  /** Reads sectors, which become lines. @param {TaskApi} api @returns {Program} */
  *card(api) {
    for (let sector = 0; ; sector++) {
      yield* api.receive(this.spi);
      yield* this.send((now, recorder) => recorder.packet(now, CARD, 4096 + sector));
      this.sim.later(this.dma_irq, 900 * US);
      if (!(yield* api.receive(this.sector, 4))) yield* this.say(WARNING, 'sector %u is late', sector);
      yield* this.send((now, recorder) => recorder.packet(now, CARD + 1));
      yield* api.work(260 * US);
      yield* api.send(this.spi);
      for (let line = 0; line < 3; line++) {
        const block = 0x2000 + 64 * (this.blocks++ % 16);
        yield* this.send((now, recorder) => recorder.allocate(now, block, 96, 1 + (sector % 2)));
        yield* api.work(60 * US);
        yield* api.send(this.lines);
      }
    }
  }

  /** @param {TaskApi} api @returns {Program} */
  *display(api) {
    for (let frame = 0; ; frame++) {
      yield* api.receive(this.screen);
      yield* api.receive(this.spi);
      yield* api.work(1500 * US);
      yield* api.send(this.spi);
      if (frame % 7 === 6)
        yield* this.send((now, recorder) =>
          recorder.packet(now, ID.STACK_INFO, recorder.task(6), 0x2000_4000, 1024, 640 + 4 * (frame % 20)),
        );
    }
  }
}

/** @param {{ bytes: number, seed?: number }} options bytes: length of the recording, about @returns {Uint8Array} */
export function printer_recording({ bytes, seed = 4 }) {
  const recorder = new SystemViewRecorder(12_000_000);
  const sim = new Simulator({ recorder: /** @type {any} */ (recorder), os_tick_len: MS, seed, start: 3 * MS });
  recorder.sim = sim;
  const printer = new Printer(sim, recorder);
  printer.start_devices();
  recorder.start(sim.cursor, 'N=3D printer,D=STM32F407VG,O=FreeRTOS', ['M=SdCard, 0 Read sector=%u, 1 Done']);
  recorder.packet(sim.cursor, ID.NAME_RESOURCE, FAN_TIMER, 'Fan');
  sim.start_scheduler();
  sim.run(() => recorder.bytes >= bytes);
  return Buffer.concat([svdat_head(), recorder.stream.bytes()]);
}
