// SPDX-License-Identifier: MIT
// Reads a Blob in large slices, one ahead of the reader, and remembers where reading failed: what was read until
// then is still a recording.
import type { Source } from '../../../wasm/types.js';
import type { CutSource, WireSource } from './messages.js';

const SLICE = 4 << 20;

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

  async *open(): AsyncGenerator<Uint8Array> {
    const blob = this.#blob;
    const read = (at: number): Promise<ArrayBuffer> => blob.slice(at, at + SLICE).arrayBuffer();
    let next: Promise<ArrayBuffer> | null = blob.size ? read(0) : null;
    for (let at = 0; next; at += SLICE) {
      let bytes: ArrayBuffer;
      try {
        bytes = await next;
      } catch (error) {
        this.#onCut({ name: this.name, at, text: error instanceof Error ? error.message : String(error) });
        return;
      }
      next = at + SLICE < blob.size ? read(at + SLICE) : null;
      next?.catch(() => {}); // told above, when its turn comes
      yield new Uint8Array(bytes);
    }
  }
}
