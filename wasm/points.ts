// SPDX-License-Identifier: MIT
// Places in a recording from which a part of it can be converted: a first pass that shows nothing leaves them behind, every so many bytes.
import type { Core } from './tonkopf.js';

/** How far the inputs were read, each for itself. */
export interface Reached {
  bytes: number[];
  ended: boolean[];
}

export interface Point extends Reached {
  state: Uint8Array;
  /** a part may begin at this moment or later, in ticks of the target */
  toldTicks: number;
  /** bytes of the trace, names only, that came before */
  written: number;
}

const EVERY = 16 << 20; // read in a fifth of a second
const MOST = 64;
const MOST_BYTES = 96 << 20;

/** From-ns of a first pass: its trace never begins. */
export const NEVER = String(2n ** 63n - 1n);

export class Points {
  #points: Point[] = [];
  #names: Uint8Array[] = [];
  #written = 0;
  #every: number;
  #next: number;
  #bytes = 0;

  constructor(every = EVERY, private readonly mostBytes = MOST_BYTES) {
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

  /** Behind each piece that was fed. */
  pass(core: Core, reached: Reached): void {
    const read = reached.bytes.reduce((sum, bytes) => sum + bytes, 0);
    if (read < this.#next) return;
    const state = core.save();
    this.#points.push({ state, toldTicks: core.toldTicks, written: this.#written, bytes: [...reached.bytes], ended: [...reached.ended] });
    this.#bytes += state.length;
    while (this.#points.length > 1 && (this.#points.length > MOST || this.#bytes > this.mostBytes)) this.#thinOut();
    this.#next = read + this.#every;
  }

  /** Every second one goes, and the next ones are twice as far apart. */
  #thinOut(): void {
    this.#points = this.#points.filter((_, index) => index % 2 === 1);
    this.#bytes = this.#points.reduce((sum, { state }) => sum + state.length, 0);
    this.#every *= 2;
  }

  /** The last one before a moment. */
  before(ticks: bigint): Point | null {
    const isBefore = ({ toldTicks }: Point): boolean => BigInt(Math.ceil(toldTicks * (1 + Number.EPSILON))) <= ticks; // large ones are rounded
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
