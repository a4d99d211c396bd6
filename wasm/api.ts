// SPDX-License-Identifier: MIT
// What the library offers, in Node and in browsers. These types need neither those of the DOM nor those of Node.
import type {
  ByteStream,
  Catalogue,
  Expectation,
  Message,
  Progress,
  Report,
  Role,
  Schema,
  DetectedInput,
  Source,
} from './types.js';

export { CoreError, InputError } from './errors.js';
export type * from './types.js';

/** Of a Blob or File, as much as is used. */
export interface BlobLike {
  readonly size: number;
  readonly name?: string;
  slice(start?: number, end?: number): BlobLike;
  stream(): ByteStream | AsyncIterable<Uint8Array>;
}

/** Of an AbortSignal, as much as is used. */
export interface Abort {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Where bytes come from. In Node a string is a path. Streams and iterables are converted while they are read, and the call closes them
 * when it ends or fails. Only archives, texts, and recordings of a time range whose tick length is not in their first 256 KiB are copied
 * first: into a temporary file in Node, into memory in browsers.
 */
export type Bytes =
  | string
  | ArrayBufferLike
  | ArrayBufferView
  | BlobLike
  | ByteStream
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>
  | Source;

/** `core`: number of the core that the file contains; `role`: overrides what Tonkopf finds in the content. Names and symbols (ELF files, linker maps) and times of reception serve the recordings among the inputs. */
export interface NamedInput {
  name: string;
  bytes: Bytes;
  core?: number;
  role?: Role;
}

export type Input = Bytes | NamedInput;

export type Value = string | number | bigint | boolean;

/** Options that every format has; docs/CLI.md tells what they mean. */
export interface CommonOptions {
  format?: string;
  /** length of a tick in ns, a whole number from 1 on */
  'tick-ns'?: Value;
  'raw-events'?: Value;
  /** time of the first event in ns since 1970 (UTC) */
  'wall-clock-ns'?: Value;
  /**
   * First moment of the time range that trace and report cover, included. A number counts nanoseconds, `20.5` also a part of one
   * (`0.7` is 700 ps); a string with a unit counts what the recording counts: `'700 ticks'`, `'90 records'`.
   */
  'from-ns'?: Value;
  /** last moment of that range, included; same forms as `from-ns` */
  'to-ns'?: Value;
}

export interface Options extends CommonOptions {
  /** options of one format by their keys, such as { 'rate-hz': 1_000_000 }; `describe` lists them */
  set?: Readonly<Record<string, Value>>;
  /** expectations on figures, such as `cpu.load<80%`; the verdict is in `exitCode` and `messages` */
  expect?: string | readonly string[];
  /** problems that are not acceptable: `drops`, `damage`, `loss`, `notice`, `restarts`, `any`, or the id of a problem; the verdict is in `exitCode` and `messages` */
  failOn?: string | readonly string[];
  signal?: Abort;
  onProgress?(progress: Progress): void;
  /** takes the trace in blocks, which are the receiver's own, instead of the result */
  onBlock?(block: Uint8Array<ArrayBuffer>): void;
}

export interface Result {
  /** the trace as one array; empty when onBlock took the blocks */
  trace: Uint8Array;
  /** with onBlock: replaces the first bytes of the blocks; may be empty */
  head: Uint8Array;
  /** of a time range, where `from-ns` or `to-ns` choose one */
  report: Report;
  /** the same as text */
  reportJson: string;
  /** messages about all recordings of the call; those of severity `detail` contain the reasons of decisions */
  messages: Message[];
  /** of all recordings of the call. 0: fine; 1: `failOn` or `expect`; 2: a setting is wrong; 3: a source could not be read; 4: the trace could not be written */
  exitCode: number;
}

/** A recording that is fed while it arrives. The caller owns all bytes that it gets. After `finish` or `close` every call but `close` throws `CoreError` (`misuse`). */
export interface Conversion {
  /** The next bytes of the recording, cut anywhere. Returns the next bytes of the trace, often none. */
  feed(bytes: Uint8Array): Uint8Array;
  /** The bytes that complete a trace of the input so far: append `rest` to what `feed` returned, then `head` (perhaps empty) replaces the first bytes. The conversion does not change. */
  snapshot(): Ending;
  /** The state: `resumeConversion` goes on from there, with the same bytes, in any process that loads the very same module. */
  save(): Uint8Array;
  /** Ends the recording and this conversion. */
  finish(): Ending & Pick<Result, 'report' | 'reportJson'>;
  /** Ends the conversion without `finish`; further calls do nothing. */
  close(): void;
}

export interface Ending {
  rest: Uint8Array;
  head: Uint8Array;
}

export interface Library {
  /** One recording. Throws when the inputs are several that do not belong together, or none. */
  convert(input: Input | Input[], options?: Options): Promise<Result>;
  /** Every recording in the inputs: what belongs together is one, anything else one of its own. */
  convertAll(input: Input | Input[], options?: Options): Promise<Result[]>;
  /** A conversion of one binary recording that is fed piece by piece; without `format` its first 256 KiB tell what it is. */
  startConversion(options?: CommonOptions & Pick<Options, 'set'> & { name?: string }): Promise<Conversion>;
  /** Goes on where `save` was called, with a state that this library wrote: it is memory, so take none from strangers. */
  resumeConversion(state: Uint8Array): Promise<Conversion>;
  /** The recordings and other inputs that Tonkopf finds, and which of them belong together. */
  inspect(input: Input | Input[]): Promise<DetectedInput[]>;
  /** Formats and their options. */
  describe(): Promise<Catalogue>;
  /** Titles, kinds, units and roles of all tables and columns that reports of this version can have. */
  reportSchema(): Promise<Schema>;
  /** A report for a terminal: aligned columns, and of each table the 40 rows with the largest values. */
  reportText(report: Report | string): Promise<string>;
  /** The same as Markdown, for a ticket. */
  reportMarkdown(report: Report | string): Promise<string>;
  /** All rows of one table, by its id, as CSV (RFC 4180). Throws when the report has no such table. */
  reportCsv(report: Report | string, table: string): Promise<string>;
  /** JSON of a report whose tables, by the names of their rows, have each number, the one before and the difference. */
  compareReports(before: Report | string, after: Report | string): Promise<string>;
  /** Whether a text is the JSON of a report of this version. */
  isReport(json: string): Promise<boolean>;
  /** Judges a figure: `cpu.load<80%`, `tasks[Motor].longest_wait<5ms`. */
  expectation(report: Report | string, expression: string): Promise<Expectation>;
  /** What is wrong with an expectation whatever the report is, such as an unknown table or a missing unit; null: nothing. */
  checkExpectation(expression: string): Promise<string | null>;
}
