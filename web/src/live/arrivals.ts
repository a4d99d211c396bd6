// SPDX-License-Identifier: MIT
// Bytes between a source, which gives them when they come, and the conversion, which asks for them.
import type { LiveSource } from '../../../wasm/types.js';

/** Every format is recognised by this many bytes, unless they are padding or text; the conversion then asks again. */
const RECOGNISED = 4096;
/** A look waits until no byte comes for QUIET_MS, or LOOK_MS after the first one. */
const QUIET_MS = 200;
const LOOK_MS = 1000;
/** The conversion gets what came within this time, a share of the duration of a picture: many small pieces would cost more. */
const PIECE_MS = 5;
/** The source waits while so many bytes are not converted yet. */
const MOST = 32 << 20;

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Arrivals implements LiveSource {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;
  #hasEnded = false;
  #takenAt = 0;
  #arrivedAt = 0;
  /** called when bytes arrive, are taken, or the source ends */
  #wake: (() => void)[] = [];
  #ask!: () => void;
  /** resolves when the conversion asks for the first bytes: before that, they would only wait */
  readonly asked = new Promise<void>((resolve) => (this.#ask = resolve));

  constructor(readonly name: string) {}

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded && this.#size === 0;
  }

  /** Resolves when there is room for more. */
  async push(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bytes.length) {
      this.#pieces.push(bytes);
      this.#size += bytes.length;
      this.#arrivedAt = performance.now();
      this.#changed();
    }
    while (this.#size > MOST && !this.#hasEnded) await this.#change();
  }

  end(): void {
    this.#hasEnded = true;
    this.#changed();
  }

  async arrived(length: number, isLook: boolean): Promise<Uint8Array<ArrayBuffer>> {
    this.#ask();
    while (!this.#size && !this.#hasEnded) await this.#change();
    if (isLook) await this.#isEnough();
    else if (!this.#hasEnded) await after(PIECE_MS - (performance.now() - this.#takenAt));
    this.#takenAt = performance.now();
    return this.#take(length);
  }

  async #isEnough(): Promise<void> {
    const end = performance.now() + LOOK_MS;
    const isQuiet = (): boolean => performance.now() >= Math.min(end, this.#arrivedAt + QUIET_MS);
    while (this.#size < RECOGNISED && !this.#hasEnded && !isQuiet()) await after(PIECE_MS);
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(Math.min(length, this.#size));
    for (let filled = 0; filled < taken.length;) {
      const piece = this.#pieces[0]!,
        part = piece.subarray(0, taken.length - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(part.length);
    }
    this.#size -= taken.length;
    this.#changed();
    return taken;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
