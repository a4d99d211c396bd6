// SPDX-License-Identifier: MIT
// Performs the requests of one conversion of the core: it reads the sources, and hands on what the conversion writes.
import { MemoryCopy } from './copy.js';
import type { Copy } from './copy.js';
import { CoreError, InputError } from './errors.js';
import { SourceReader } from './stream.js';
import type { Core, Request } from './tonkopf.js';
import type { Encoding, Message, Progress, Source } from './types.js';

export interface Output {
  onProgress?(progress: Progress): void;
  /** the trace, in order; each block is its receiver's own */
  onBlock?(block: Uint8Array<ArrayBuffer>): void;
  /** all blocks but the last have this size; without it they come as the core writes them */
  blockSize?: number;
  signal?: Pick<AbortSignal, 'aborted' | 'throwIfAborted'>;
}

/** Requests that the owner of the conversion answers. */
export type Stop = Extract<Request, 'plan' | 'open' | 'close' | 'discard' | 'done'>;

export interface HostOptions {
  /** per source, chosen by the user; null: detected */
  encodings?: readonly (Encoding | null)[];
  /** of all sources together; null: unknown */
  bytesTotal?: number | null;
  /** of each source that are read once only */
  keptLength?: number;
  /** makes the copy of a source that can be read only once; without it the copy is in memory */
  newCopy?(): Copy;
  /** before each piece of an output's inputs is read */
  onRead?(): void;
}

const PROGRESS_EVERY_MS = 80;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class Host {
  readonly messages: Message[] = [];
  /** of the output: bytes of all blocks together, and what replaces the first of them */
  bytes = 0;
  head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  bytesTotal: number | null;
  readonly #readers: SourceReader[];
  readonly #copies = new Map<number, Copy>();
  #isOpen = false;
  #shownAt = 0;
  #block: Uint8Array<ArrayBuffer> | null = null;
  #gathered = 0;

  constructor(
    readonly core: Core,
    private readonly sources: readonly Source[],
    private readonly output: Output,
    private readonly options: HostOptions = {},
  ) {
    this.bytesTotal = options.bytesTotal ?? null;
    this.#readers = sources.map((source) => new SourceReader(source, options.keptLength ?? 0));
  }

  /** Begins the conversion. A bad setting throws before anything is read. */
  begin(settings: readonly (readonly [key: string, value: string])[]): void {
    this.core.beginConversion();
    for (const [key, value] of settings) this.core.set(key, value);
    const { encodings } = this.options;
    for (const [index, source] of this.sources.entries())
      this.core.addSource(source.name, source.size, encodings?.[index] ?? null, !source.isReadOnce);
  }

  /** The output that the conversion asked for, or one that a saved conversion had opened. */
  open(): void {
    this.#isOpen = true;
    this.bytes = 0;
    this.head = new Uint8Array(0);
  }

  /** Performs requests up to the next one for the owner. */
  async next(): Promise<Stop> {
    for (;;) {
      this.output.signal?.throwIfAborted();
      const request = this.core.next();
      switch (request) {
        case 'read':
          await this.#read();
          break;
        case 'write':
          this.#drain();
          break;
        case 'rewrite':
          this.head = this.core.takeOutput() ?? new Uint8Array(0);
          break;
        case 'message':
          this.messages.push(this.core.message);
          break;
        case 'progress':
          this.#showProgress();
          break;
        case 'keep':
          await this.#keep();
          break;
        case 'plan': // a source that is read once goes on where it was
          await Promise.all(this.#readers.map((reader) => (reader.isReadOnce ? null : reader.close())));
          return request;
        case 'close':
        case 'discard':
          this.flush();
          if (request === 'close') this.#showProgress(true);
          this.#isOpen = false;
          return request;
        default:
          return request;
      }
    }
  }

  /** Before what the conversion writes. */
  put(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes += bytes.length;
    if (bytes.length) this.output.onBlock?.(bytes);
  }

  /** The block that was not filled. */
  flush(): void {
    if (this.#block) this.#pass(this.#block.slice(0, this.#gathered));
  }

  async close(): Promise<void> {
    try {
      await Promise.all(this.#readers.map((reader) => reader.close()));
    } finally {
      await Promise.all([...this.#copies.values()].map((copy) => copy.close()));
      this.#copies.clear();
    }
  }

  async #read(): Promise<void> {
    const { source, offset, length, isLook } = this.core.range;
    if (!isLook && this.#isOpen) this.options.onRead?.();
    try {
      const bytes = this.#readers[source]!.read(offset, length);
      this.core.answer(bytes instanceof Uint8Array ? bytes : await bytes);
    } catch (error) {
      this.#failReading(error, isLook && !offset);
    }
    this.#showProgress();
  }

  /** The conversion uses the bytes that were read. Throws if there are none, or if the caller made a mistake. */
  #failReading(error: unknown, isNothing: boolean): void {
    this.output.signal?.throwIfAborted();
    if (isNothing || error instanceof InputError || error instanceof CoreError) throw error;
    this.core.fail(textOf(error));
  }

  async #keep(): Promise<void> {
    const { source } = this.core.range,
      bytes = this.core.takeOutput();
    const copy = this.#copies.get(source) ?? this.options.newCopy?.() ?? new MemoryCopy();
    this.#copies.set(source, copy);
    try {
      if (bytes) {
        await copy.append(bytes);
      } else {
        await this.#readers[source]!.close();
        this.#readers[source] = new SourceReader(await copy.source(this.sources[source]!.name));
      }
    } catch (error) {
      return this.core.fail(textOf(error));
    }
    this.core.keep();
  }

  #drain(): void {
    const length = this.core.outputLength;
    this.bytes += length;
    const { blockSize } = this.output;
    if (blockSize) return this.#gather(length, blockSize);
    const block = this.core.takeOutput();
    if (block) this.output.onBlock?.(block);
  }

  /** Fewer and larger blocks, each byte copied once. */
  #gather(length: number, blockSize: number): void {
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + blockSize - this.#gathered);
      this.#block ??= new Uint8Array(blockSize);
      this.core.copyOutput(from, to, this.#block, this.#gathered);
      this.#gathered += to - from;
      from = to;
      if (this.#gathered === blockSize) this.#pass(this.#block);
    }
  }

  #pass(block: Uint8Array<ArrayBuffer>): void {
    this.#block = null;
    this.#gathered = 0;
    this.output.onBlock?.(block);
  }

  #showProgress(force = false): void {
    const now = Date.now();
    if (!this.#isOpen || !this.output.onProgress || (!force && now - this.#shownAt < PROGRESS_EVERY_MS)) return;
    this.#shownAt = now;
    this.output.onProgress({ ...this.core.progress, bytesOut: this.bytes, bytesTotal: this.bytesTotal });
  }
}
