// SPDX-License-Identifier: MIT
// Keeps a trace that arrives in blocks. Above a limit the blocks become Blobs, which the browser can move to disk.

const IN_MEMORY = 256 << 20;
const FOLD = 32 << 20; // small enough that Blob.arrayBuffer() never fails on one

type Part = Uint8Array<ArrayBuffer> | Blob;

const sizeOf = (part: Part): number => (part instanceof Blob ? part.size : part.byteLength);

export class BlockStore {
  #parts: Part[] = [];
  #loose = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(block: Uint8Array<ArrayBuffer>): void {
    this.#parts.push(block);
    this.#bytes += block.byteLength;
    this.#loose += block.byteLength;
    if (this.#bytes > IN_MEMORY && this.#loose >= FOLD) this.#fold();
  }

  /** Replaces the first bytes: the header is final only at the end of the conversion. */
  setHead(head: Uint8Array<ArrayBuffer>): void {
    if (!head.byteLength) return;
    this.#parts = [head, ...skip(this.#parts, head.byteLength)];
    this.#bytes = this.#parts.reduce((sum, part) => sum + sizeOf(part), 0);
  }

  toBlob(): Blob {
    return new Blob(this.#parts, { type: 'application/octet-stream' });
  }

  /** Copies the trace into a new buffer, because the hand-over transfers that buffer to the viewer. */
  async toBuffer(): Promise<ArrayBuffer> {
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      const bytes = part instanceof Blob ? new Uint8Array(await part.arrayBuffer()) : part;
      all.set(bytes, at);
      at += bytes.byteLength;
    }
    return all.buffer;
  }

  #fold(): void {
    const folded: Part[] = [];
    let run: Part[] = [];
    let size = 0;
    for (const part of this.#parts) {
      if (part instanceof Blob) {
        folded.push(part);
        continue;
      }
      run.push(part);
      size += part.byteLength;
      if (size >= FOLD) {
        folded.push(new Blob(run));
        run = [];
        size = 0;
      }
    }
    this.#parts = [...folded, ...run];
    this.#loose = size;
  }
}

function skip(parts: readonly Part[], bytes: number): Part[] {
  const rest: Part[] = [];
  let left = bytes;
  for (const part of parts) {
    const size = sizeOf(part);
    if (left >= size) {
      left -= size;
      continue;
    }
    rest.push(left === 0 ? part : part instanceof Blob ? part.slice(left) : part.subarray(left));
    left = 0;
  }
  return rest;
}
