// SPDX-License-Identifier: MIT
//
// A demo: the heat pump of demo-heatpump.mjs on the trace pin of its processor, without a line of recorder code. Interrupts, samples of the program
// counter, a variable that the DWT watches, and text of stimulus port 0.

import { Itm, asleep, data_address, data_value, pc_sample } from './itm.mjs';
import { FUNCTIONS_PLACED, RAM, VECTORS } from './demo-heatpump.mjs';
import { Random } from './random.mjs';

const HZ = 72_000_000,
  PERIOD = HZ / 1000,
  SAMPLE = 16_384;

/** What the loop does in one period, and for how many cycles; then it sleeps until the next interrupt. @type {[string, number, number][]} */
const LOOP = [
  ['sensor_poll', 2_000, 5_000],
  ['read_channel', 3_000, 9_000],
  ['pid_step', 6_000, 11_000],
  ['clamp', 300, 900],
  ['valve_set', 1_000, 4_000],
  ['protocol_poll', 1_500, 9_000],
];

/** @param {{ periods?: number, seed?: number }} [options] */
export function swo_recording({ periods = 400, seed = 21 } = {}) {
  const random = new Random(seed),
    target = new Itm(),
    address_of = new Map(FUNCTIONS_PLACED.map(({ name, address, size = 40 }) => [name, { address, size }]));
  /** @type {{ at: number, put(): void }[]} */ const events = [];
  const on = (/** @type {number} */ at, /** @type {() => void} */ put) => events.push({ at, put });
  let setpoint = 210;
  for (let period = 0; period < periods; period++) {
    const start = 10_000 + period * PERIOD;
    on(start, () => target.enter(VECTORS.tick));
    on(start + 400, () => target.leave(VECTORS.tick));
    const adc = start + random.between(5_000, 9_000);
    on(adc, () => target.enter(VECTORS.adc));
    const is_nested = random.between(0, 9) === 0;
    if (is_nested) {
      on(adc + 300, () => target.enter(VECTORS.fan));
      on(adc + 700, () => target.leave(VECTORS.fan, VECTORS.adc));
    }
    on(adc + 1_100, () => target.leave(VECTORS.adc));
    if (period % 7 === 3) {
      const uart = start + random.between(20_000, 50_000);
      on(uart, () => target.enter(VECTORS.uart));
      on(uart + random.between(300, 900), () => target.leave(VECTORS.uart));
    }
    let at = start + 500;
    /** @type {{ until: number, name: string }[]} */ const runs = [];
    for (const [name, least, most] of LOOP) runs.push({ until: (at += random.between(least, most)), name });
    const end = at;
    if (period % 5 === 0) {
      setpoint += random.between(-3, 3);
      const value = setpoint;
      on(end - 400, () => target.put(data_address(0, RAM.setpoint), data_value(0, value, 4, true)).time());
    }
    if (period % 50 === 0) {
      const value = setpoint;
      on(end - 200, () => target.text(0, `set point ${value / 10} C\n`).time());
    }
    for (let sample = Math.ceil(start / SAMPLE) * SAMPLE; sample < start + PERIOD; sample += SAMPLE) {
      const name = runs.find(({ until }) => sample < until)?.name;
      const place = name && address_of.get(name);
      on(sample, () =>
        target.put(place ? pc_sample(place.address + 2 * random.between(0, place.size / 2 - 1)) : asleep()).time(),
      );
    }
    if (period % 20 === 19) on(start + PERIOD - 1, () => target.sync());
  }
  target.sync();
  for (const { at, put } of events.sort((a, b) => a.at - b.at)) {
    target.at(at);
    put();
  }
  return target.bytes();
}
