// SPDX-License-Identifier: MIT
// Places in a recording from which a part of it can be converted: a first pass that shows nothing leaves them behind, every so many bytes.
import { CoreError } from './errors.js';
import type { Core } from './tonkopf.js';

/** How far the inputs were read, each for itself. */
export interface Reached {
  bytes: number[];
  ended: boolean[];
}

export interface Point extends Reached {
  state: Uint8Array;
  /** a part may begin at this moment or later, in ticks of the target */
  skippedUntilTicks: number;
  /** bytes of the trace, names only, that came before */
  written: number;
}

const EVERY = 4 << 20; // read in a twentieth of a second
const MOST = 256;
const MOST_BYTES = 96 << 20;

/** Where packed bytes can be unpacked on from: what was read before, and what came of it. */
export interface Mark {
  packed: number;
  plain: number;
  state: object;
}

const MOST_MARKS = 128; // 32 kB of window and tables of symbols each

const everySecond = <Item>(items: Item[]): Item[] => items.filter((_, index) => index % 2 === 1);

/** Of one packed stream. */
export class Marks {
  #marks: Mark[] = [];
  #next: number;

  constructor(private every: number) {
    this.#next = every;
  }

  /** Between two chunks, behind so many unpacked bytes. */
  pass(plain: number, take: () => Mark): void {
    if (plain < this.#next) return;
    this.#marks.push(take());
    if (this.#marks.length > MOST_MARKS) {
      this.#marks = everySecond(this.#marks);
      this.every *= 2;
    }
    this.#next = plain + this.every;
  }

  /** The last one at or before an unpacked byte. */
  before(plain: number): Mark | null {
    return this.#marks.findLast((mark) => mark.plain <= plain) ?? null;
  }
}

/** From-ns of a first pass: its trace never begins. */
export const NEVER = String(2n ** 63n - 1n);

/** Null: no memory is left for it, in the module or beside it. The conversion does not need it. */
function stateOf(core: Core): Uint8Array | null {
  try {
    return core.save();
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
  readonly #marks = new Map<string, Marks>();

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

  /** Of one of the streams that the inputs are unpacked from. */
  marks(name: string): Marks {
    const marks = this.#marks.get(name) ?? new Marks(this.#every);
    this.#marks.set(name, marks);
    return marks;
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
    const state = stateOf(core);
    if (!state) this.#next = Infinity;
    if (!state) return;
    this.#points.push({
      state,
      skippedUntilTicks: core.skippedUntilTicks,
      written: this.#written,
      bytes: [...reached.bytes],
      ended: [...reached.ended],
    });
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
