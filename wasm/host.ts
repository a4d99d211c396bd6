// SPDX-License-Identifier: MIT
// The host of one conversion of the core (`tk_conversion`) performs its requests: it reads the sources, and passes the output of the
// conversion to the caller.
import { MemoryCopy, joined } from './copy.js';
import type { Copy } from './copy.js';
import { CoreError, InputError } from './errors.js';
import { ROLES, progressOf } from './handle.js';
import { Module, Out, struct } from './module.js';
import type { Argument } from './module.js';
import { SourceReader } from './stream.js';
import { PROGRESS, REQUEST, SOURCE } from './structs.js';
import type { Values } from './structs.js';
import type {
  DetectedInput,
  Encoding,
  LiveSource,
  Message,
  Override,
  Progress,
  Report,
  Role,
  Source,
} from './types.js';

export interface Output {
  onProgress?(progress: Progress): void;
  /** receives the trace block by block, and owns the blocks */
  onBlock?(block: Uint8Array<ArrayBuffer>): void;
  /** receives the blocks of the timeline (core/viewer/block.h) while the recording is read, and owns them */
  onRows?(blocks: Uint8Array<ArrayBuffer>): void;
  /** receives reports on what was read so far, while the recording is read */
  onReport?(report: Report): void;
  /** least size of all blocks except the last, in bytes; undefined: blocks as the core writes them */
  blockSize?: number;
  signal?: Pick<AbortSignal, 'aborted' | 'throwIfAborted'>;
}

/** The names of tk_request_kind, in the order of its values. */
const REQUESTS = [
  'read',
  'keep',
  'plan',
  'open',
  'write',
  'rewrite',
  'close',
  'discard',
  'progress',
  'message',
  'done',
] as const;
/** Requests at which `next` returns, so that its caller answers them. */
export type Stop = 'plan' | 'open' | 'close' | 'discard' | 'done';
const ENCODINGS: readonly Encoding[] = ['binary', 'hex', 'base64', 'json'];
const SEVERITIES = ['detail', 'info', 'warning', 'error'] as const;
const UNKNOWN_SIZE = 2n ** 64n - 1n;

export interface HostOptions {
  /** encoding of each source as the user chose it; null: Tonkopf recognises it */
  encodings?: readonly (Encoding | null)[];
  /** size of all sources together; null: unknown */
  bytesTotal?: number | null;
  /** number of first bytes of each source to keep in memory, so that they are read only once */
  keptLength?: number;
  /** makes the copy of a source that can be read only once; undefined: copies are in memory */
  newCopy?(): Copy;
  /** called before the host reads each piece of the open output's inputs */
  onRead?(): void;
}

type Request = Values<typeof REQUEST>;

/** Reads byte ranges of a source; those of a live source in order. */
interface Reader {
  readonly isReadOnce: boolean;
  readonly isLive?: boolean;
  read(offset: number, length: number, isLook: boolean): Uint8Array | Promise<Uint8Array>;
  close(): Promise<void>;
}

const readerOf = (source: Source | LiveSource, keptLength: number): Reader =>
  'arrived' in source
    ? {
        isReadOnce: true,
        isLive: true,
        read: (_, length, isLook) => source.arrived(length, isLook),
        close: async () => {},
      }
    : new SourceReader(source, keptLength);

export type Setting = readonly [key: string, value: string];

const PROGRESS_EVERY_MS = 80;
const ROWS_EVERY_MS = 50;
const REPORT_EVERY_MS = 250;
/** Of the time between two reports that making one may take. */
const REPORT_SHARE = 1 / 20;

export class Host {
  readonly messages: Message[] = [];
  /** size of all blocks of the output so far */
  bytes = 0;
  /** replaces the first bytes of the output */
  head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  bytesTotal: number | null;
  /** the recording of the last request `open` */
  recording = { number: 0, name: '' };
  #conversion = 0;
  readonly #readers: Reader[];
  readonly #copies = new Map<number, Copy>();
  #isOpen = false;
  /** bytes were read since the output was opened; before that, blocks would not have the length of a tick */
  #hasRead = false;
  #shownAt = 0;
  #rowsAt = 0;
  /** time of the next report */
  #reportAt = 0;
  /** bytes of the output that are not passed on yet */
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #pending = 0;

  constructor(
    readonly module: Module,
    private readonly sources: readonly (Source | LiveSource)[],
    private readonly output: Output,
    private readonly options: HostOptions = {},
  ) {
    this.bytesTotal = options.bytesTotal ?? null;
    this.#readers = sources.map((source) => readerOf(source, options.keptLength ?? 0));
  }

  static async open(
    module: WebAssembly.Module | BufferSource,
    ...args: [sources: readonly (Source | LiveSource)[], output: Output, options?: HostOptions]
  ): Promise<Host> {
    return new Host(await Module.open(module), ...args);
  }

  // ---- Calls of the conversion

  /** Begins the conversion. `options`: of recordings, `own`: settings of the conversion itself. Throws if one is invalid, before it reads anything. */
  begin(options: readonly Setting[], own: readonly Setting[] = []): void {
    const { module } = this,
      conversion = new Out();
    module.check(module.call('tk_conversion_new', module.allocator, conversion));
    this.#conversion = module.number(conversion.address);
    for (const [key, value] of options) this.#check('tk_conversion_set_option', key, value);
    for (const [key, value] of own) this.#check('tk_conversion_set', key, value);
    for (const [index, source] of this.sources.entries()) {
      const encoding = this.options.encodings?.[index];
      const isLive = 'arrived' in source;
      const info = struct(SOURCE, {
        name: source.name,
        size: isLive || source.size === null ? UNKNOWN_SIZE : BigInt(source.size),
        isSeekable: !isLive && !source.isReadOnce,
        isLive,
        isSide: false,
        encoding: encoding ? ENCODINGS.indexOf(encoding) : -1,
        role: -1,
        core: -1,
      });
      this.#check('tk_conversion_add_source', info, new Out());
    }
    if (this.output.onRows) this.#call('tk_conversion_set_timeline', module.rowsSink);
  }

  /** Returns the planned inputs. Call it only at the request `plan`. */
  inputs(): DetectedInput[] {
    return JSON.parse(this.module.written('tk_conversion_inputs_json', this.#conversion)) as DetectedInput[];
  }

  /** Overrides the plan for one input. Call it only at the request `plan`. with: index of the recording that the input belongs to. */
  override(
    input: number,
    chosen: Omit<Override, 'with' | 'role'> & { role?: Role | 'none' | null; with?: number | null },
  ): void {
    const role = chosen.role ? ROLES.indexOf(chosen.role) : -1;
    this.#call('tk_conversion_override', input, role, chosen.core ?? -1, chosen.with ?? -1, chosen.format ?? null);
  }

  /** Accepts the output. Call it only at the request `open`. */
  open(): void {
    this.#opened();
    this.#call('tk_conversion_open', true);
  }

  /** Skips the output. Call it only at the request `open`. */
  skip(): void {
    this.#call('tk_conversion_skip');
  }

  /** Chooses the time range of the trace, for a conversion with the setting range=later. */
  setRange(tickNs: bigint, fromNs: bigint, toNs: bigint): void {
    this.#check('tk_conversion_set_range', tickNs, fromNs, toNs);
  }

  /** Makes the output a dump of the tracks, one JSON object per line. Call it before `setRange`. Names that were defined earlier are not in it. */
  dumpTracks(): void {
    this.#check('tk_conversion_set_dump');
  }

  get exitCode(): number {
    return this.#call('tk_conversion_exit_code');
  }

  /** Returns the report of the output: at the request `close` the final one, before it what was read so far. */
  report(): { report: Report; reportJson: string } {
    const { reportJson } = this;
    return { reportJson, report: JSON.parse(reportJson) as Report };
  }

  /** The report of the open output, on what was read so far. Read it between two requests. */
  get reportJson(): string {
    return this.module.written('tk_report_json', this.#handle);
  }

  /** Counts of the output (struct tk_progress). */
  get progress(): Values<typeof PROGRESS> {
    return progressOf(this.module, this.#handle);
  }

  /** Returns the state of the conversion. Call it between two requests. */
  save(): Uint8Array<ArrayBuffer> {
    return this.module.save(this.#conversion, this.#handle);
  }

  /** Continues an output from a saved state. Call it instead of `begin`, with a new instance of the module. */
  restore(state: Uint8Array): void {
    this.#conversion = this.module.restore(state);
    if (!this.output.onRows) this.#call('tk_conversion_set_timeline', null);
    this.#opened();
  }

  get #handle(): number {
    return this.#call('tk_conversion_handle');
  }

  #call(name: string, ...args: Argument[]): number {
    return this.module.call(name, this.#conversion, ...args);
  }

  /** Calls a function of the conversion that returns a tk_status. Throws if it fails. */
  #check(name: string, ...args: Argument[]): void {
    this.module.check(this.#call(name, ...args), () => this.module.textAt(this.#call('tk_conversion_error')));
  }

  #opened(): void {
    this.#isOpen = true;
    this.#hasRead = false;
    this.#reportAt = performance.now() + REPORT_EVERY_MS;
    this.bytes = 0;
    this.head = new Uint8Array(0);
  }

  // ---- Requests

  /** Performs requests up to the next one that the caller answers. Returns its kind. */
  async next(): Promise<Stop> {
    for (;;) {
      this.output.signal?.throwIfAborted();
      const request = this.module.read(REQUEST, this.#call('tk_conversion_next'));
      const kind = REQUESTS[request.kind]!;
      switch (kind) {
        case 'read':
          await this.#read(request);
          break;
        case 'write':
          this.#drain(request);
          break;
        case 'rewrite':
          this.head = this.#bytesOf(request);
          break;
        case 'message':
          this.messages.push({ severity: SEVERITIES[request.severity]!, source: request.source, text: request.text! });
          break;
        case 'progress':
          this.#showProgress();
          break;
        case 'keep':
          await this.#keep(request);
          break;
        case 'plan': // a source that can be read only once stays open: its conversion continues from the same position
          await Promise.all(this.#readers.map((reader) => (reader.isReadOnce ? null : reader.close())));
          return kind;
        case 'open':
          this.recording = { number: request.output, name: request.text! };
          return kind;
        case 'close':
        case 'discard':
          this.#passRows(true);
          this.flush();
          if (kind === 'close') this.#showProgress(true);
          this.#isOpen = false;
          return kind;
        default:
          return kind;
      }
    }
  }

  /** Writes bytes to the output. Used for the beginning of a trace that an earlier conversion wrote. */
  put(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes += bytes.length;
    if (bytes.length) this.output.onBlock?.(bytes);
  }

  /** Passes on the bytes that are too few for a block. */
  flush(): void {
    const [first, ...more] = this.#pieces;
    this.#pieces = [];
    this.#pending = 0;
    if (first) this.output.onBlock?.(more.length ? joined([first, ...more]) : first);
  }

  async close(): Promise<void> {
    try {
      await Promise.all(this.#readers.map((reader) => reader.close()));
    } finally {
      await Promise.all([...this.#copies.values()].map((copy) => copy.close()));
      this.#copies.clear();
    }
  }

  async #read({ source, offset, len, isLook }: Request): Promise<void> {
    const reader = this.#readers[source]!;
    this.#passRows(reader.isLive); // before the state is saved, which frees the blocks
    if (!isLook && this.#isOpen) this.options.onRead?.();
    let bytes: Uint8Array;
    try {
      const read = reader.read(offset, Math.min(len, this.module.inputSize), isLook);
      bytes = ArrayBuffer.isView(read) ? read : await read;
    } catch (error) {
      this.output.signal?.throwIfAborted();
      const isNothing = isLook && !offset; // the source cannot be read at all
      if (isNothing || error instanceof InputError || error instanceof CoreError) throw error;
      return this.#fail(error); // the conversion uses the bytes before the error
    }
    const ns = reader.isLive ? BigInt(Math.round(performance.now() * 1e6)) : 0n;
    this.#hasRead = this.#isOpen;
    this.#call('tk_conversion_answer', bytes, bytes.length, ns);
    this.#showProgress();
    this.#passReport();
  }

  #fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#call('tk_conversion_fail', text.slice(0, 1024));
  }

  async #keep(request: Request): Promise<void> {
    const { source, len } = request,
      bytes = this.#bytesOf(request);
    const copy = this.#copies.get(source) ?? this.options.newCopy?.() ?? new MemoryCopy();
    this.#copies.set(source, copy);
    try {
      if (len) {
        await copy.append(bytes);
      } else {
        await this.#readers[source]!.close();
        this.#readers[source] = new SourceReader(await copy.source(this.sources[source]!.name));
      }
    } catch (error) {
      return this.#fail(error);
    }
    this.#call('tk_conversion_keep');
  }

  /** Returns a copy of the bytes of a request. */
  #bytesOf({ bytes, len }: Request): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.module.bytes(bytes, len));
  }

  #drain(request: Request): void {
    this.bytes += request.len;
    this.#pending += request.len;
    if (this.output.onBlock) this.#pieces.push(this.#bytesOf(request));
    if (this.#pending >= (this.output.blockSize ?? 1)) this.flush();
  }

  /** Passes on the blocks of the timeline; now and then, or if forced, all of them. */
  #passRows(force = false): void {
    const { onRows } = this.output,
      now = Date.now();
    if (!this.#isOpen || !onRows || !(this.#hasRead || force)) return;
    if (force || now - this.#rowsAt >= ROWS_EVERY_MS) {
      this.#rowsAt = now;
      this.#call('tk_conversion_flush_timeline');
    }
    const blocks = this.module.take('rows');
    if (blocks.length) onRows(blocks);
  }

  #passReport(): void {
    const { onReport } = this.output,
      begun = performance.now();
    if (!this.#isOpen || !onReport || begun < this.#reportAt) return;
    onReport(this.report().report);
    const now = performance.now();
    this.#reportAt = now + Math.max(REPORT_EVERY_MS, (now - begun) / REPORT_SHARE);
  }

  #showProgress(force = false): void {
    const now = Date.now();
    if (!this.#isOpen || !this.output.onProgress || (!force && now - this.#shownAt < PROGRESS_EVERY_MS)) return;
    this.#shownAt = now;
    const { bytesIn, events } = this.progress;
    this.output.onProgress({ bytesIn, events, bytesOut: this.bytes, bytesTotal: this.bytesTotal });
  }
}
