// SPDX-License-Identifier: MIT
//
// Demo: a weather station on Zephyr, recorded by its CTF tracing (times of 64 bits, ids of 16 bits, no packets, no metadata).

import { LAYOUTS, event } from './ctf.mjs';
import { Random } from './random.mjs';

const US = 1000,
  MS = 1000 * US;
const FOREVER = 0xffffffff;
const MUTEX = 0x2000_0840,
  SENT = 0x2000_0880,
  SAMPLES = 0x2000_08c0,
  TIMER = 0x2000_0900;

const thread = (/** @type {number} */ id, /** @type {string} */ name) => ({ thread_id: 0x2000_0100 + id * 0x80, name });
const SENSOR = thread(0, 'sensor'),
  RADIO = thread(1, 'radio'),
  SHELL = thread(2, 'shell'),
  IDLE = thread(3, 'idle');

class Station {
  random = new Random(12);
  ns = 250 * US;
  /** @type {Buffer[]} */ pieces = [];
  running = IDLE;

  /** @param {string} name @param {import('./ctf.mjs').Fields} [fields] @param {number} [us] that pass before it */
  put(name, fields = {}, us = 1) {
    this.ns += Math.round(us * US * (0.8 + 0.4 * this.random.next()));
    this.pieces.push(event(LAYOUTS.C, name, this.ns, fields));
  }

  /** @param {typeof IDLE} to */
  switch_to(to) {
    this.put('thread_switched_out', this.running);
    this.put('thread_switched_in', to);
    this.running = to;
    if (to === IDLE) this.put('idle');
  }

  /** An interrupt that makes a thread ready. @param {typeof IDLE} wakes @param {() => void} [body] */
  interrupt(wakes, body) {
    this.put('isr_enter', {}, 2);
    body?.();
    this.put('thread_ready', wakes);
    this.put('isr_exit_to_scheduler', {}, 3);
  }

  start() {
    for (const one of [SENSOR, RADIO, SHELL, IDLE]) {
      this.put('thread_create', one);
      this.put('thread_info', { ...one, stack_base: 0x2000_4000 + one.thread_id * 4, stack_size: 1024 });
    }
    this.put('mutex_init', { id: MUTEX, ret: 0 });
    this.put('semaphore_init', { id: SENT, ret: 0 });
    this.put('timer_init', { id: TIMER });
    this.put('thread_switched_in', RADIO);
    this.running = RADIO;
    this.get();
    this.put('timer_start', { id: TIMER, duration: 20_000, period: 20_000 });
    this.switch_to(SENSOR);
    this.put('k_sleep_enter', { timeout: 10_000 });
    this.switch_to(IDLE);
  }

  /** The radio waits for samples. */
  get() {
    this.put('msgq_get_enter', { id: SAMPLES, timeout: FOREVER }, 5);
    this.put('msgq_get_blocking', { id: SAMPLES, timeout: FOREVER });
    this.put('thread_pending', RADIO);
  }

  /** @param {number} us for which the bus is held */
  use_bus(us) {
    this.put('mutex_lock_enter', { id: MUTEX, timeout: FOREVER }, 8);
    this.put('mutex_lock_exit', { id: MUTEX, timeout: FOREVER, ret: 0 });
    this.put('mutex_unlock_enter', { id: MUTEX }, us);
    this.put('mutex_unlock_exit', { id: MUTEX, ret: 0 });
  }

  /** @param {number} number of the sample */
  sample(number) {
    this.interrupt(SENSOR);
    this.switch_to(SENSOR);
    this.put('k_sleep_exit', { timeout: 10_000, ret: 0 });
    this.use_bus(300);
    this.put('msgq_put_enter', { id: SAMPLES, timeout: 0 }, 120);
    this.put('thread_ready', RADIO);
    this.put('msgq_put_exit', { id: SAMPLES, timeout: 0, ret: 0 });
    this.put(
      'named_event',
      { name: 'temperature', arg0: 200 + Math.round(20 * Math.sin(number / 9)), arg1: number },
      4,
    );
    this.put('k_sleep_enter', { timeout: 10_000 }, 20);
    this.switch_to(RADIO);
    this.put('msgq_get_exit', { id: SAMPLES, timeout: FOREVER, ret: 0 });
  }

  send() {
    this.use_bus(500);
    this.put('semaphore_take_enter', { id: SENT, timeout: 5000 }, 30);
    this.put('semaphore_take_blocking', { id: SENT, timeout: 5000 });
    this.put('thread_pending', RADIO);
    this.switch_to(IDLE);
    const is_lost = this.random.chance(0.05);
    this.ns += is_lost ? 5 * MS : this.random.between(700, 1800) * US;
    this.interrupt(RADIO, () => {
      if (is_lost) return;
      this.put('semaphore_give_enter', { id: SENT }, 4);
      this.put('semaphore_give_exit', { id: SENT });
    });
    this.switch_to(RADIO);
    this.put('semaphore_take_exit', { id: SENT, timeout: 5000, ret: is_lost ? -11 : 0 });
    if (is_lost) this.put('named_event', { name: 'packet lost', arg0: 0, arg1: 0 });
  }

  /** The shell, which the timer starts. */
  blink() {
    this.interrupt(SHELL, () => {
      this.put('timer_expiry_enter', { id: TIMER });
      this.put('timer_expiry_exit', { id: TIMER }, 4);
    });
    this.switch_to(SHELL);
    this.put('thread_yield', {}, this.random.between(80, 900));
    this.put('thread_pending', SHELL);
    this.switch_to(IDLE);
  }
}

/** @param {{ bytes: number }} options about as many */
export function station_recording({ bytes }) {
  const station = new Station();
  station.start();
  for (let i = 0, length = 0; length < bytes; i++) {
    const next = station.ns + 10 * MS;
    const before = station.pieces.length;
    station.sample(i);
    if (i % 2) station.send();
    station.get();
    station.switch_to(IDLE);
    if (i % 2 === 0) station.blink();
    if (station.ns < next) station.ns = next;
    for (const piece of station.pieces.slice(before)) length += piece.length;
  }
  return Buffer.concat(station.pieces);
}
