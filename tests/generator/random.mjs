// SPDX-License-Identifier: MIT
//
// Deterministic random numbers: the same seed gives the same recording on every machine.

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number in 0 <= x < 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /**
   * An integer in low <= x < high.
   * @param {number} low
   * @param {number} high
   */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} list not empty
   * @returns {T}
   */
  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }
}
