// SPDX-License-Identifier: MIT
//
// Which events of a recording are missing.

/** @typedef {import('../generator/random.mjs').Random} Random */

/** The last events are there, because a recording does not show what is missing after its last event. */
const RECORDED_AT_END = 30;

export class Gaps {
  /** @type {Set<number>} */
  #lost = new Set();

  /**
   * Each event begins a gap with a probability of 1 %.
   * @param {Random} random
   * @param {number} events
   * @param {number} [most] events of a gap
   */
  constructor(random, events, most = 25) {
    /** Number of the first recorded event: those before it are missing without a count. */
    this.begin = random.chance(0.5) ? random.between(0, Math.floor(events / 3)) : 0;
    for (let i = this.begin + 1; i < events - RECORDED_AT_END - most; i++)
      if (random.chance(0.01)) for (let count = random.between(1, most + 1); count > 0; count--) this.#lost.add(i++);
  }

  /** @param {number} event */
  lost(event) {
    return this.#lost.has(event);
  }
}
