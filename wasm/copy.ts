// SPDX-License-Identifier: MIT
// Copies of sources that can be read only once, for what is needed in any order or again.
import { InputError } from './errors.js';
import { chunksOf } from './stream.js';
import type { Abort } from './api.js';
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

/** Returns a source that gives the bytes of the copy and then throws the error. */
function failingAfter(copy: Source, error: unknown): Source {
  async function* until(offset: number): AsyncGenerator<Uint8Array> {
    yield* chunksOf(copy.openAt!(offset));
    throw error;
  }
  return { name: copy.name, size: null, open: () => until(0), openAt: until };
}

/** Reads the whole source into the copy and returns the copy as a source. */
export async function copied(source: Source, copy: Copy, signal?: Pick<Abort, 'throwIfAborted'>): Promise<Source> {
  let notKept: { error: unknown } | null = null;
  try {
    for await (const chunk of chunksOf(source.open()))
      await copy.append(chunk).catch((error: unknown) => {
        notKept = { error };
        throw error;
      });
  } catch (error) {
    if (notKept) throw error;
    signal?.throwIfAborted();
    if (error instanceof InputError) throw error;
    return failingAfter(await copy.source(source.name), error);
  }
  return copy.source(source.name);
}
