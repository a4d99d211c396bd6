// SPDX-License-Identifier: MIT
// When the bytes of a live recording came: a file beside it, for formats whose recordings contain no times (docs/formats/cortexm.md).

/** Bytes that came together. at: milliseconds, as performance.now() tells */
export interface Piece {
  bytes: Uint8Array<ArrayBuffer>;
  at: number;
}

const HEAD = '# cortexm-times 1\n# <byte offset> <nanoseconds since the first byte>\n';
/** Lines that are joined, so that the browser can move them to the disk. */
const LINES = 4096;

export class ReceiveTimes {
  #lines: BlobPart[] = [HEAD];
  #offset = 0;
  #first: number | null = null;
  #last = 0;

  /** pieces: the first bytes of the recording */
  constructor(pieces: readonly Piece[]) {
    for (const piece of pieces) this.add(piece);
  }

  /** The next bytes of the recording. The last one of a piece came with its first one. */
  add({ bytes, at }: Piece): void {
    if (!bytes.length) return;
    this.#first ??= at;
    const ns = Math.round((at - this.#first) * 1e6);
    if (this.#offset) this.#lines.push(`${this.#offset - 1} ${this.#last}\n`);
    this.#lines.push(`${this.#offset} ${ns}\n`);
    this.#offset += bytes.length;
    this.#last = ns;
    if (this.#lines.length > LINES) this.#lines = [new Blob(this.#lines)];
  }

  /** name: of the recording */
  file(name: string): File {
    return new File(this.#lines, `${name}.times`);
  }
}
