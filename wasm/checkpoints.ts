// SPDX-License-Identifier: MIT
// Places in a recording from which a part of it can be converted: a first pass that shows nothing leaves them behind, every so many bytes.
import { CoreError } from './errors.js';
import type { Host } from './host.js';

export interface Point {
  /** of the conversion, between two requests */
  state: Uint8Array;
  /** a part may begin at this moment or later, in ticks of the target */
  skippedUntilTicks: number;
  /** bytes of the trace, names only, that came before */
  written: number;
}

const EVERY = 4 << 20; // read in a twentieth of a second
const MOST = 256;
const MOST_BYTES = 96 << 20;

const everySecond = <Item>(items: Item[]): Item[] => items.filter((_, index) => index % 2 === 1);

/** From-ns of a trace that never begins. */
export const NEVER = String(2n ** 63n - 1n);

/** Null: no memory is left for it, in the module or beside it. The conversion does not need it. */
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

  /** Of all states together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the first pass wrote: names. */
  write(block: Uint8Array): void {
    this.#names.push(block);
    this.#written += block.length;
  }

  /** Before each piece that is read. */
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

  /** Every second one goes, and the next ones are twice as far apart. */
  #thinOut(): void {
    this.#points = everySecond(this.#points);
    this.#bytes = this.#points.reduce((sum, { state }) => sum + state.length, 0);
    this.#every *= 2;
  }

  /** The last one before a moment. */
  before(ticks: bigint): Point | null {
    const isBefore = ({ skippedUntilTicks }: Point): boolean =>
      BigInt(Math.ceil(skippedUntilTicks * (1 + Number.EPSILON))) <= ticks; // large ones are rounded
    return this.#points.findLast(isBefore) ?? null;
  }

  /** The names that a trace from there begins with. */
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
