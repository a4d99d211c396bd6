// SPDX-License-Identifier: MIT
//
// Demo: a lift with active objects on a preemptive QP kernel. Clock of 1 MHz, 50 ticks a second.

import { Kernel } from './qs-kernel.mjs';
import { QsEncoder } from './qs.mjs';

/** @typedef {import('./qs-kernel.mjs').Active} Active */
/** @typedef {import('./qs-kernel.mjs').Thread} Thread */
/** @typedef {import('./qs-kernel.mjs').Machine} Machine */
/** @typedef {import('./qs-kernel.mjs').Program} Program */

const MS = 1000;
const TICK = 20 * MS;
const FLOORS = 6;
const PULSES_PER_FLOOR = 12;

const SIG = {
  CALL: 4,
  FLOOR: 5,
  OPEN: 6,
  DOOR_CLOSED: 7,
  GO: 8,
  ARRIVED: 9,
  OVERLOAD: 10,
  LOAD_OK: 11,
  PULSE: 12,
  BUTTON: 13,
  BEAM: 14,
  TIMEOUT: 15,
  REFRESH: 16,
  LAMP: 17,
};
/** The meaning of signal 15 for each object. */
const TIMEOUT_NAMES = { cabin: 'DWELL_SIG', door: 'LEAF_MOVED_SIG', drive: 'RAMP_SIG' };
const NOTE = { TRIP: 100, LOAD: 101, TORQUE: 102, FLASH: 103, MODEM: 104 };
const DIRECTIONS = ['down', 'idle', 'up'];

class Lift {
  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.kernel = kernel;
    this.floor = 0;
    this.target = 0;
    this.pulses = 0;
    this.trip = 0;
    this.page = 0;
    this.hall = kernel.allocate('l_hall', 4);
    this.buttons = kernel.allocate('l_buttons', 4);
    this.beam = kernel.allocate('l_beam', 4);
    this.small = kernel.pool('EvtPool1', 10, 8);
    this.drive = kernel.active('Drive', 7, 8, this.#drive());
    this.door = kernel.active('Door', 6, 6, this.#door());
    this.cabin = kernel.active('Cabin', 5, 8, this.#cabin());
    this.panel = kernel.active('Panel', 4, 4, this.#panel());
    this.display = kernel.active('Display', 3, 5, this.#display());
    this.waiting_calls = kernel.raw_queue('Cabin.calls', 5);
    this.spi = kernel.mutex('SPI bus');
    this.received = kernel.semaphore('modem received', 0);
    this.loggable = kernel.semaphore('log lines', 0);
    this.modem = kernel.thread('Modem', 2, (thread) => this.#modem(thread));
    this.logger = kernel.thread('Logger', 1, (thread) => this.#logger(thread));
    this.dwell = kernel.time_event('Cabin.dwell', this.cabin, SIG.TIMEOUT);
    this.leaf = kernel.time_event('Door.leaf', this.door, SIG.TIMEOUT);
    this.ramp = kernel.time_event('Drive.ramp', this.drive, SIG.TIMEOUT);
    this.refresh = kernel.time_event('Display.refresh', this.display, SIG.REFRESH);
  }

  name_all() {
    const { kernel } = this;
    for (const [name, sig] of Object.entries(SIG)) if (sig !== SIG.TIMEOUT) kernel.name_signal(sig, `${name}_SIG`);
    for (const [who, name] of Object.entries(TIMEOUT_NAMES))
      kernel.name_signal(SIG.TIMEOUT, name, this[/** @type {keyof typeof TIMEOUT_NAMES} */ (who)]);
    for (const [name, number] of Object.entries(NOTE)) kernel.name_record(number, name);
    kernel.name_enum(0, DIRECTIONS);
  }

  start() {
    this.name_all();
    this.drive.start('standing');
    this.door.start('closed');
    this.cabin.start('in_service');
    this.panel.start('listening');
    this.display.start('showing');
    const { kernel } = this;
    kernel.device(170 * MS, 610 * MS, () => this.#press());
    kernel.device(90 * MS, 155 * MS, () => kernel.signal(this.received));
    kernel.device(400 * MS, 570 * MS, () => this.#interrupt_beam());
  }

  // ---- interrupts ----

  #press() {
    const { kernel } = this;
    const presses = kernel.random.chance(0.1) ? 5 : kernel.random.between(0, 3); // a passenger presses many buttons
    for (let i = 0; i < presses; i++) {
      kernel.spend(30);
      kernel.post(this.panel, kernel.fixed(SIG.BUTTON, kernel.random.between(0, FLOORS)), this.buttons, 1);
    }
  }

  #interrupt_beam() {
    this.kernel.spend(12);
    this.kernel.post(this.door, this.kernel.fixed(SIG.BEAM), this.beam);
  }

  #pulse() {
    const { kernel } = this;
    kernel.spend(8);
    kernel.post(this.drive, kernel.fixed(SIG.PULSE), this.hall);
    if (this.pulses < PULSES_PER_FLOOR * Math.abs(this.target - this.floor))
      kernel.device(14 * MS, 0, () => this.#pulse());
  }

  // ---- state machines ----

  /** @returns {Machine} */
  #drive() {
    const { kernel } = this;
    const passed = (/** @type {Active} */ drive) => {
      this.pulses++;
      kernel.spend(60);
      if (this.pulses % 6 === 0)
        kernel.note(
          NOTE.TORQUE,
          ['f32', 12 + kernel.random.between(-30, 30) / 10, 2],
          ['i16', this.target - this.floor],
        );
      if (this.pulses % PULSES_PER_FLOOR === 0) this.#report_floor(drive);
    };
    return {
      standing: {
        on: {
          [SIG.GO]: (drive) => (this.target === this.floor ? false : (kernel.critical(15), 'accelerating')),
          [SIG.PULSE]: () => kernel.spend(5),
        },
      },
      moving: {
        initial: 'accelerating',
        entry: () => kernel.device(14 * MS, 0, () => this.#pulse()),
        exit: () => kernel.spend(40),
        on: { [SIG.PULSE]: passed },
      },
      accelerating: {
        parent: 'moving',
        entry: () => kernel.arm(this.ramp, 4),
        on: { [SIG.TIMEOUT]: () => 'cruising' },
      },
      cruising: {
        parent: 'moving',
        on: {
          [SIG.PULSE]: (drive) => {
            passed(drive);
            const left = PULSES_PER_FLOOR * Math.abs(this.target - this.floor) - (this.pulses % PULSES_PER_FLOOR);
            if (left < PULSES_PER_FLOOR / 2) return 'braking';
          },
        },
      },
      braking: {
        parent: 'moving',
        entry: () => kernel.arm(this.ramp, 5),
        exit: () => kernel.disarm(this.ramp),
        on: { [SIG.TIMEOUT]: (drive) => this.#stop(drive) },
      },
    };
  }

  /** @param {Active} drive */
  #report_floor(drive) {
    const { kernel } = this;
    if (this.floor === this.target) return;
    this.floor += Math.sign(this.target - this.floor);
    this.pulses = 0;
    const event = kernel.new(this.small, SIG.FLOOR, this.floor);
    if (event) kernel.publish(event, drive.address);
  }

  /** @param {Active} drive */
  #stop(drive) {
    const { kernel } = this;
    while (this.floor !== this.target) this.#report_floor(drive);
    kernel.post(this.cabin, kernel.fixed(SIG.ARRIVED), drive.address);
    return 'standing';
  }

  /** @returns {Machine} */
  #door() {
    const { kernel } = this;
    return {
      closed: { on: { [SIG.OPEN]: () => 'opening' } },
      ajar: { on: { [SIG.BEAM]: () => kernel.spend(20) } },
      opening: { parent: 'ajar', entry: () => kernel.arm(this.leaf, 6), on: { [SIG.TIMEOUT]: () => 'open' } },
      open: {
        parent: 'ajar',
        entry: () => kernel.arm(this.leaf, 12),
        on: { [SIG.BEAM]: () => kernel.rearm(this.leaf, 12), [SIG.TIMEOUT]: () => 'closing' },
      },
      closing: {
        parent: 'ajar',
        entry: () => kernel.arm(this.leaf, 7),
        exit: () => kernel.disarm(this.leaf),
        on: {
          [SIG.BEAM]: () => 'opening',
          [SIG.TIMEOUT]: (door) => {
            kernel.post(this.cabin, kernel.fixed(SIG.DOOR_CLOSED), door.address);
            return 'closed';
          },
        },
      },
    };
  }

  /** @returns {Machine} */
  #cabin() {
    const { kernel } = this;
    const later = (/** @type {Active} */ cabin, /** @type {import('./qs-kernel.mjs').Event} */ event) => {
      if (!kernel.defer(cabin, this.waiting_calls, event)) kernel.spend(10);
    };
    return {
      in_service: {
        initial: 'idle',
        entry: (cabin) => kernel.subscribe(cabin, SIG.OVERLOAD),
        exit: (cabin) => kernel.unsubscribe(cabin, SIG.OVERLOAD),
        on: { [SIG.OVERLOAD]: () => 'overloaded', [SIG.CALL]: later },
      },
      idle: {
        parent: 'in_service',
        entry: (cabin) => kernel.recall(cabin, this.waiting_calls),
        on: { [SIG.CALL]: (cabin, { value }) => this.#serve(cabin, value) },
      },
      travelling: {
        parent: 'in_service',
        entry: (cabin) => {
          kernel.note(
            NOTE.TRIP,
            ['u16', ++this.trip],
            ['u8', this.floor, 2],
            ['u8', this.target, 2],
            ['enum', 1 + Math.sign(this.target - this.floor), 0],
          );
          kernel.post(this.drive, kernel.fixed(SIG.GO), cabin.address);
        },
        on: { [SIG.ARRIVED]: () => 'boarding' },
      },
      boarding: {
        parent: 'in_service',
        entry: (cabin) => {
          kernel.post(this.door, kernel.fixed(SIG.OPEN), cabin.address);
          kernel.arm(this.dwell, 9);
        },
        exit: () => kernel.disarm(this.dwell),
        on: { [SIG.TIMEOUT]: (cabin) => this.#weigh(cabin), [SIG.DOOR_CLOSED]: () => 'idle' },
      },
      overloaded: {
        entry: (cabin) => {
          kernel.note(NOTE.LOAD, ['str', 'too heavy'], ['obj', cabin.address]);
          kernel.arm(this.dwell, 12);
        },
        on: { [SIG.TIMEOUT]: (cabin) => cabin.back_to('overloaded', 'in_service'), [SIG.CALL]: later },
      },
    };
  }

  /** @param {Active} cabin @param {number} floor */
  #serve(cabin, floor) {
    this.kernel.spend(180);
    const lamp = this.kernel.new(this.small, SIG.LAMP, floor);
    if (lamp) this.kernel.post(this.panel, lamp, cabin.address, 1);
    if (floor === this.floor) return 'boarding';
    this.target = floor;
    this.pulses = 0;
    return 'travelling';
  }

  /** @param {Active} cabin */
  #weigh(cabin) {
    const { kernel } = this;
    const load = kernel.random.between(0, 700);
    kernel.critical(35);
    kernel.note(NOTE.LOAD, ['u16', load, 4], ['sig', [SIG.TIMEOUT, cabin.address]]);
    if (load < 560) return;
    const event = kernel.new(this.small, SIG.OVERLOAD, load);
    if (event) kernel.publish(event, cabin.address);
  }

  /** @returns {Machine} */
  #panel() {
    const { kernel } = this;
    return {
      listening: {
        on: {
          [SIG.BUTTON]: (panel, { value }) => {
            kernel.spend(350);
            const call = kernel.new(this.small, SIG.CALL, value);
            if (call) kernel.post(this.cabin, call, panel.address, 2);
          },
          [SIG.LAMP]: () => kernel.spend(90),
        },
      },
    };
  }

  /** @returns {Machine} */
  #display() {
    const { kernel } = this;
    return {
      showing: {
        initial: 'floor_number',
        entry: (display) => {
          kernel.subscribe(display, SIG.FLOOR);
          kernel.subscribe(display, SIG.OVERLOAD);
          kernel.arm(this.refresh, 10, 10);
        },
        on: {
          [SIG.FLOOR]: () => this.#draw(800),
          [SIG.OVERLOAD]: () => 'warning',
          [SIG.REFRESH]: () => this.#draw(300),
        },
      },
      floor_number: { parent: 'showing' },
      warning: { parent: 'showing', entry: () => this.#draw(1500), on: { [SIG.FLOOR]: () => 'floor_number' } },
    };
  }

  /** @param {number} counts */
  #draw(counts) {
    this.kernel.spend(counts);
    this.kernel.signal(this.loggable);
  }

  // ---- threads ----

  /** @param {Thread} thread @returns {Program} */
  *#modem(thread) {
    for (let packet = 0; ; packet++) {
      yield* thread.take(this.received);
      yield* thread.lock(this.spi);
      this.kernel.spend(700);
      if (packet % 4 === 0)
        this.kernel.note(NOTE.MODEM, ['mem', Uint8Array.of(0x7e, packet & 0xff, 0x7d, 0x0a)], ['u32', packet]);
      thread.unlock(this.spi);
    }
  }

  /** @param {Thread} thread @returns {Program} */
  *#logger(thread) {
    for (;;) {
      yield* thread.take(this.loggable);
      yield* thread.lock(this.spi);
      this.kernel.spend(6 * MS);
      this.kernel.note(NOTE.FLASH, ['str', `page ${this.page++}`], ['hex', 0x08040000 + this.page * 0x800, 8]);
      thread.unlock(this.spi);
      this.kernel.spend(2 * MS);
    }
  }
}

/**
 * @typedef {object} LiftOptions
 * @property {number} bytes length of the recording, about
 * @property {number} [seed]
 * @property {number} [version] of QP
 * @property {Partial<import('./qs.mjs').Sizes>} [sizes]
 * @property {number} [now] first time stamp
 * @property {(at: { frames: number, now: number, rest: string }) => void} [at_rest] called while nothing is on its way
 */

/** @param {LiftOptions} options @returns {Kernel} which has run */
export function run_lift({ bytes, seed = 3, version = 810, sizes, now, at_rest }) {
  const kernel = new Kernel({ encoder: new QsEncoder({ version, sizes }), tick_len: TICK, seed, now });
  new Lift(kernel).start();
  kernel.run(bytes, at_rest);
  return kernel;
}

/** @param {LiftOptions} options @returns {Uint8Array} */
export const lift_recording = (options) => run_lift(options).recording();
