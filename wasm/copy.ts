// SPDX-License-Identifier: MIT
// Copies of sources that can be read only once, for inputs that Tonkopf reads in any order or more than once.
import { ofBlob } from './input.js';
import type { Source } from './types.js';

export interface Copy {
  /** Appends a copy of the bytes; the caller may reuse them. */
  append(bytes: Uint8Array): Promise<void>;
  /** Returns a source of all appended bytes. */
  source(name: string): Promise<Source>;
  close(): Promise<void>;
}

export class MemoryCopy implements Copy {
  #chunks: Uint8Array<ArrayBuffer>[] = [];

  async append(bytes: Uint8Array): Promise<void> {
    this.#chunks.push(Uint8Array.from(bytes));
  }

  async source(name: string): Promise<Source> {
    return ofBlob(name, new Blob(this.#chunks));
  }

  async close(): Promise<void> {
    this.#chunks = [];
  }
}

export function joined(blocks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
