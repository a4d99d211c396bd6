// SPDX-License-Identifier: MIT
// Checkpoints of a recording. A first pass over the recording, which makes only a report, saves the state of the conversion at regular
// intervals; a trace of a time range then starts from the last state before it.
import { CoreError } from './errors.js';
import type { Host } from './host.js';

export interface Point {
  /** state of the conversion between two requests */
  state: Uint8Array;
  /** earliest start of a time range that this state can convert, in ticks of the target */
  skippedUntilTicks: number;
  /** number of bytes of the trace that the first pass wrote before; they contain only names */
  written: number;
}

const EVERY = 4 << 20; // bytes between two points; Tonkopf reads them in about 50 ms
const MOST = 256;
const MOST_BYTES = 96 << 20;

const everySecond = <Item>(items: Item[]): Item[] => items.filter((_, index) => index % 2 === 1);

/** A value of `from-ns` after all events: the trace contains only names. */
export const NEVER = String(2n ** 63n - 1n);

/** Saves the state; null: out of memory. The conversion continues without this point. */
function stateOf(host: Host): Uint8Array | null {
  try {
    return host.save();
  } catch (error) {
    if (error instanceof RangeError || (error instanceof CoreError && error.code === 'no-memory')) return null;
    throw error;
  }
}

export class Points {
  #points: Point[] = [];
  #names: Uint8Array[] = [];
  #written = 0;
  #every: number;
  #next: number;
  #bytes = 0;

  constructor(
    every = EVERY,
    private readonly mostBytes = MOST_BYTES,
  ) {
    this.#every = every;
    this.#next = every;
  }

  get count(): number {
    return this.#points.length;
  }

  /** Size of all states together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends a block of the trace of the first pass; it contains only names. */
  write(block: Uint8Array): void {
    this.#names.push(block);
    this.#written += block.length;
  }

  /** Saves a point if enough bytes were read since the last one. The host calls this before it reads each piece. */
  pass(host: Host): void {
    const read = host.bytesRead;
    if (read < this.#next) return;
    const state = stateOf(host);
    if (!state) this.#next = Infinity;
    if (!state) return;
    this.#points.push({ state, skippedUntilTicks: host.skippedUntilTicks, written: this.#written });
    this.#bytes += state.length;
    while (this.#points.length > 1 && (this.#points.length > MOST || this.#bytes > this.mostBytes)) this.#thinOut();
    this.#next = read + this.#every;
  }

  /** Removes every second point and doubles the distance of the following points. */
  #thinOut(): void {
    this.#points = everySecond(this.#points);
    this.#bytes = this.#points.reduce((sum, { state }) => sum + state.length, 0);
    this.#every *= 2;
  }

  /** Returns the last point from which a trace that starts at `ticks` can be converted; null: none. */
  before(ticks: bigint): Point | null {
    const isBefore = ({ skippedUntilTicks }: Point): boolean =>
      BigInt(Math.ceil(skippedUntilTicks * (1 + Number.EPSILON))) <= ticks; // numbers above 2^53 are rounded
    return this.#points.findLast(isBefore) ?? null;
  }

  /** Returns the beginning of a trace from this point: the names that the first pass wrote before it. */
  namesOf({ written }: Point): Uint8Array<ArrayBuffer> {
    const names = new Uint8Array(written);
    let at = 0;
    for (const block of this.#names) {
      if (at >= written) break;
      names.set(block.subarray(0, written - at), at);
      at += block.length;
    }
    return names;
  }
}
