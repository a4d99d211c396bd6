// SPDX-License-Identifier: MIT
// Reads a Blob in large slices, one slice ahead of the reader. Remembers the offset of a read error: the bytes before it can still be
// converted.
import type { Source } from '../../../wasm/types.js';
import type { CutSource, WireSource } from './messages.js';

const SLICE = 4 << 20;
/** Enough bytes to recognise a recording; recognition reads no more. */
const FIRST = 256 << 10;

export class BlobSource implements Source {
  readonly name: string;
  readonly size: number;
  readonly #blob: Blob;
  readonly #onCut: (cut: CutSource) => void;

  constructor(wire: WireSource, onCut: (cut: CutSource) => void) {
    this.name = wire.name;
    this.size = wire.blob.size;
    this.#blob = wire.blob;
    this.#onCut = onCut;
  }

  open(): AsyncGenerator<Uint8Array> {
    return this.openAt(0);
  }

  async *openAt(offset: number): AsyncGenerator<Uint8Array> {
    let next: Promise<ArrayBuffer> | null = null;
    for (let at = offset, end = at + FIRST; at < this.size; at = end, end += SLICE) {
      let bytes: ArrayBuffer;
      try {
        bytes = await (next ?? this.#read(at, end));
      } catch (error) {
        this.#onCut({ name: this.name, at, text: error instanceof Error ? error.message : String(error) });
        if (!at) return; // an empty input, so that the page can show it
        throw error;
      }
      next = at === offset ? null : this.#read(end, end + SLICE);
      next?.catch(() => {}); // read() reports the error when it reaches this slice
      yield new Uint8Array(bytes);
      const missing = Math.min(end, this.size) - at - bytes.byteLength;
      if (missing > 0)
        return this.#onCut({ name: this.name, at: at + bytes.byteLength, text: 'The file is shorter than it was' });
    }
  }

  #read(from: number, to: number): Promise<ArrayBuffer> {
    return this.#blob.slice(from, to).arrayBuffer();
  }
}
