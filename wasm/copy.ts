// SPDX-License-Identifier: MIT
// Copies of sources that can be read only once, for what is needed in any order or again.
import type { Source } from './types.js';

export interface Copy {
  /** The bytes stay the caller's. */
  append(bytes: Uint8Array): Promise<void>;
  /** All bytes that were appended. */
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
