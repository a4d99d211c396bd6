// SPDX-License-Identifier: MIT
// Reads byte ranges of a source, from a web stream or an async iterable.
import type { Source } from './types.js';

const OPEN_AT_ONCE = 4; // largest number of open streams of a source; Tonkopf reads several files of an archive alternately

export async function* chunksOf(stream: ReturnType<Source['open']>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) if (step.value) yield step.value;
  } finally {
    await reader.cancel().catch(() => {}); // the rest is not needed
    reader.releaseLock();
  }
}

/** An open stream: `rest` of its last chunk begins at byte `at` of the source. */
interface Stream {
  chunks: AsyncIterator<Uint8Array>;
  at: number;
  rest: Uint8Array;
}

export class SourceReader {
  /** open streams, the most recently used one last */
  #streams: Stream[] = [];
  #head: Uint8Array[] = [];
  #headLength = 0;
  /** error that ended a source that can be read only once */
  #failure: { error: unknown } | null = null;

  /** keptLength: number of first bytes to keep in memory, so that they are read only once; whole chunks are kept. */
  constructor(
    private readonly source: Source,
    private readonly keptLength = 0,
  ) {}

  get isReadOnce(): boolean {
    return this.source.isReadOnce === true;
  }

  /** Reads `length` bytes, or fewer if the source ends or fails after them. The bytes are valid until the next call. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array> {
    const kept = this.#keptAt(offset);
    if (kept) return kept.subarray(0, length);
    const stream = this.#streams.find(({ at, rest }) => offset >= at && offset + length <= at + rest.length);
    return stream ? this.#take(stream, offset, length) : this.#gather(offset, length);
  }

  /** Closes the open streams. A source can be read again, unless it can be read only once. */
  async close(): Promise<void> {
    await Promise.all(this.#streams.splice(0).map(({ chunks }) => chunks.return?.()));
    if (this.isReadOnce) await this.source.close?.();
  }

  #keptAt(offset: number): Uint8Array | null {
    let at = 0;
    for (const chunk of this.#head) {
      if (offset < at + chunk.length) return chunk.subarray(offset - at);
      at += chunk.length;
    }
    return null;
  }

  #take(stream: Stream, offset: number, length: number): Uint8Array {
    const from = offset - stream.at,
      bytes = stream.rest.subarray(from, from + length);
    stream.rest = stream.rest.subarray(from + bytes.length);
    stream.at += from + bytes.length;
    return bytes;
  }

  async #gather(offset: number, length: number): Promise<Uint8Array> {
    const stream = await this.#streamAt(offset);
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const at = offset + filled;
      if (at >= stream.at + stream.rest.length) {
        if (!(await this.#more(stream, filled > 0))) break;
        continue;
      }
      const piece = this.#take(stream, at, length - filled);
      bytes.set(piece, filled);
      filled += piece.length;
    }
    return bytes.subarray(0, filled);
  }

  /** Reads the next chunk. Returns false if the source has ended, or failed while the caller has bytes already. Throws if it failed otherwise. */
  async #more(stream: Stream, hasBytes: boolean): Promise<boolean> {
    let step: IteratorResult<Uint8Array>;
    try {
      step = await stream.chunks.next();
    } catch (error) {
      this.#streams = this.#streams.filter((other) => other !== stream); // a failed stream cannot be read further
      if (this.isReadOnce) this.#failure = { error };
      if (hasBytes) return false;
      throw error;
    }
    stream.at += stream.rest.length;
    stream.rest = step.done ? new Uint8Array(0) : step.value;
    if (!step.done && stream.at === this.#headLength && this.#headLength < this.keptLength) {
      this.#head.push(step.value);
      this.#headLength += step.value.length;
    }
    return !step.done;
  }

  async #streamAt(offset: number): Promise<Stream> {
    const { source } = this,
      seeks = source.openAt !== undefined;
    if (this.#failure) throw this.#failure.error;
    const index = this.#streams.findIndex(({ at, rest }) => offset >= at && (!seeks || offset <= at + rest.length));
    const [known] = index < 0 ? [] : this.#streams.splice(index, 1);
    if (!known && this.#streams.length === OPEN_AT_ONCE) await this.#streams.shift()!.chunks.return?.();
    const from = offset && seeks ? offset : 0;
    const stream = known ?? {
      chunks: chunksOf(from ? source.openAt!(from) : source.open()),
      at: from,
      rest: new Uint8Array(0),
    };
    this.#streams.push(stream);
    return stream;
  }
}
