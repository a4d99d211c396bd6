// SPDX-License-Identifier: MIT
//
// The tracer of a simulated target: collects metadata, frames events, loses some when the link is too slow.

import { concat, frame } from './tband.mjs';

/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */

/**
 * A link with a buffer: frames that do not fit are refused. While it stalls (the host does not read) it sends nothing.
 * @typedef {{ capacity: number, bytes_per_tick: number, stalls?: [number, number][] }} Link
 */

export class Recorder {
  /** @type {Uint8Array[][]} metadata buffer of each core */
  #metadata;
  /** @type {Uint8Array[][]} what was sent, of each core */
  #sent;
  /** @type {number[]} events until the next count of drops, of each core */
  #until_count;
  #tracing = false;
  /** Metadata from before the start of tracing; in a stream the later metadata is recorded between the events. */
  #metadata_at_start = 0;
  #dropped = 0;
  #level = 0;
  #level_at = 0;

  /**
   * @param {object} options
   * @param {number} [options.cores]
   * @param {number} [options.count_every] period of the drop count; 0: only after drops
   * @param {Link} [options.link] without one nothing is lost
   */
  constructor({ cores = 1, count_every = 50, link } = {}) {
    const per_core = () => Array.from({ length: cores }, () => /** @type {Uint8Array[]} */ ([]));
    this.#metadata = per_core();
    this.#sent = per_core();
    this.#until_count = new Array(cores).fill(0);
    this.count_every = count_every;
    this.link = link;
    this.bytes = 0;
  }

  start() {
    this.#tracing = true;
    this.#metadata_at_start = this.#metadata[0].length;
  }

  /**
   * A name or a fact without a time: stored, and also sent between the events while tracing.
   * @param {number} core
   * @param {number} now
   * @param {EventName} name
   * @param {...Value} values
   */
  meta(core, now, name, ...values) {
    const bytes = frame(name, ...values);
    this.#metadata[core].push(bytes);
    if (this.#tracing) this.#submit(core, now, bytes);
  }

  /**
   * @param {number} core
   * @param {number} now
   * @param {EventName} name
   * @param {...Value} values
   */
  event(core, now, name, ...values) {
    if (this.#tracing) this.#submit(core, now, frame(name, now, ...values));
  }

  /** One stream as a target writes it: which core, the metadata, the events. */
  stream() {
    const core_0 = frame('core_id', 0, 0);
    return concat([core_0, ...this.#metadata[0].slice(0, this.#metadata_at_start), core_0, ...this.#sent[0]]);
  }

  /** One file per core: its metadata, then its events. */
  snapshots() {
    return this.#sent.map((sent, core) => concat([...this.#metadata[core], ...sent]));
  }

  /**
   * @param {number} core
   * @param {number} now
   * @param {Uint8Array} bytes
   */
  #submit(core, now, bytes) {
    // A target does not remember that it has sent a changed count: after the first loss it sends one before every frame.
    const count_due = this.#dropped > 0 || (this.count_every > 0 && this.#until_count[core] === 0);
    const count = count_due ? frame('dropped_evt_cnt', now, this.#dropped) : new Uint8Array(0);
    const accepted = (count.length === 0 || this.#send(core, now, count)) && this.#send(core, now, bytes);
    if (!accepted) this.#dropped++;
    this.#until_count[core] = this.#until_count[core] === 0 ? this.count_every : this.#until_count[core] - 1;
  }

  /**
   * @param {number} core
   * @param {number} now
   * @param {Uint8Array} bytes
   */
  #send(core, now, bytes) {
    if (this.link) {
      const { stalls = [], bytes_per_tick } = this.link;
      const stalled = stalls.reduce(
        (sum, [from, to]) => sum + Math.max(0, Math.min(now, to) - Math.max(this.#level_at, from)),
        0,
      );
      this.#level = Math.max(0, this.#level - (now - this.#level_at - stalled) * bytes_per_tick);
      this.#level_at = now;
      if (this.#level + bytes.length > this.link.capacity) return false;
      this.#level += bytes.length;
    }
    this.#sent[core].push(bytes);
    this.bytes += bytes.length;
    return true;
  }
}
