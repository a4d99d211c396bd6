// SPDX-License-Identifier: MIT
// Copies of sources that can be read only once, for inputs that Tonkopf reads in any order or more than once.
import type { Source } from './types.js';

export interface Copy {
  /** Appends a copy of the bytes; the caller may reuse them. */
  append(bytes: Uint8Array): Promise<void>;
  /** Returns a source of all appended bytes. */
  source(name: string): Promise<Source>;
  close(): Promise<void>;
}

export class MemoryCopy implements Copy {
  #chunks: Uint8Array[] = [];
  #size = 0;

  async append(bytes: Uint8Array): Promise<void> {
    this.#chunks.push(Uint8Array.from(bytes));
    this.#size += bytes.length;
  }

  async source(name: string): Promise<Source> {
    return { name, size: this.#size, open: () => this.#from(0), openAt: (offset) => this.#from(offset) };
  }

  async close(): Promise<void> {
    this.#chunks = [];
  }

  async *#from(offset: number): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (const chunk of this.#chunks) {
      if (offset < at + chunk.length) yield chunk.subarray(Math.max(0, offset - at));
      at += chunk.length;
    }
  }
}
