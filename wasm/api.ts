// SPDX-License-Identifier: MIT
// Interface of the library in Node and in browsers. These types depend on neither the types of the DOM nor those of Node.
import type {
  ByteStream,
  Catalogue,
  CheckResult,
  Message,
  Progress,
  Report,
  Role,
  Schema,
  DetectedInput,
  Source,
} from './types.js';

export { CoreError, ExpectationError, InputError } from './errors.js';
export type * from './types.js';

/** The members of Blob and File that the library uses. */
export interface BlobLike {
  readonly size: number;
  readonly name?: string;
  slice(start?: number, end?: number): BlobLike;
  stream(): ByteStream | AsyncIterable<Uint8Array>;
}

/** The members of AbortSignal that the library uses. */
export interface Abort {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Bytes of an input, or something that the library can read them from. In Node a string is a path. The library converts streams and
 * iterables while it reads them, and closes them when the call ends or fails. It copies a stream first if it is an archive or a text, or if
 * a time range is chosen and the first 256 KiB do not contain the tick length. The copy is a temporary file in Node, memory in browsers.
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

/** `core`: number of the core that the file contains. `role`: overrides the role that Tonkopf recognises by the content. Inputs with names, symbols (ELF files, linker maps) or receive times help to decode the recordings among the inputs. */
export interface NamedInput {
  name: string;
  bytes: Bytes;
  core?: number;
  role?: Role;
}

export type Input = Bytes | NamedInput;

export type Value = string | number | bigint | boolean;

/** Options of every format; docs/CLI.md explains them. */
export interface CommonOptions {
  format?: string;
  /** length of a tick in ns; a positive integer */
  'tick-ns'?: Value;
  /** counts per second of the time stamp, such as 168_000_000 or `'72000000/7'` */
  'clock-hz'?: Value;
  'raw-events'?: Value;
  /** time of the first event in ns since 1970 (UTC) */
  'wall-clock-ns'?: Value;
  /**
   * First moment of the time range of trace and report, inclusive. A number is in nanoseconds and may have a fraction: `0.7` is 700 ps.
   * If the recording counts ticks or records of unknown length, pass a string with this unit: `'700 ticks'`, `'90 records'`.
   */
  'from-ns'?: Value;
  /** last moment of the time range, inclusive; the same forms as `from-ns` */
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
  /** receives the trace in blocks and owns them; `trace` of the result is then empty */
  onBlock?(block: Uint8Array<ArrayBuffer>): void;
}

export interface Result {
  /** the trace as one array; empty when onBlock took the blocks */
  trace: Uint8Array<ArrayBuffer>;
  /** with onBlock: replaces the first bytes of the blocks; may be empty */
  head: Uint8Array<ArrayBuffer>;
  /** report on the recording; with `from-ns` or `to-ns`: on this time range only */
  report: Report;
  /** `report` as JSON text */
  reportJson: string;
  /** messages about all recordings of the call; those of severity `detail` contain the reasons of decisions */
  messages: Message[];
  /** exit code for all recordings of the call. 0: success; 1: `failOn` or `expect` failed; 2: a setting is wrong; 3: a source could not be read; 4: the trace could not be written */
  exitCode: number;
}

/** Conversion of a recording while it arrives. The caller owns all bytes that the functions return. After `finish` or `close` every call except `close` throws `CoreError` (`misuse`). */
export interface Conversion {
  /** Converts the next bytes of the recording; they may be cut anywhere. Returns the next bytes of the trace, often none. */
  feed(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Returns the bytes that complete a trace of the input so far: append `rest` to the bytes that `feed` returned, then replace the first bytes by `head` (may be empty). The conversion does not change. */
  snapshot(): Ending;
  /** Returns the state. `resumeConversion` continues after the last byte fed, in any process that loads the same tonkopf.wasm, and produces the same trace. */
  save(): Uint8Array<ArrayBuffer>;
  /** Ends the recording and this conversion. Returns the last bytes of the trace, as `snapshot` does, and the report. */
  finish(): Ending & Pick<Result, 'report' | 'reportJson'>;
  /** Ends the conversion without completing the trace; frees its memory. Further calls do nothing. */
  close(): void;
}

export interface Ending {
  rest: Uint8Array<ArrayBuffer>;
  head: Uint8Array<ArrayBuffer>;
}

export interface CheckOptions extends Omit<Options, 'expect' | 'failOn' | 'onBlock'> {
  /** report that the word `baseline` of rules refers to, or its JSON */
  baseline?: Report | string;
  /** name of the file of rules, for the results */
  name?: string;
}

export interface Library {
  /** Judges recordings by the text of a file of rules, as `tonkopf check` does (docs/CHECK.md). An input that cannot be read is a verdict `not read`; an invalid option throws. */
  check(rules: string | Uint8Array, input: Input | Input[], options?: CheckOptions): Promise<CheckResult>;
  /** Converts one recording. Throws if the inputs contain no recording, or several that do not belong together. */
  convert(input: Input | Input[], options?: Options): Promise<Result>;
  /** Converts every recording in the inputs. Inputs that belong together are one recording. */
  convertAll(input: Input | Input[], options?: Options): Promise<Result[]>;
  /** Starts a conversion of one binary recording that the caller feeds piece by piece. Without `format`, Tonkopf recognises the format by the first 256 KiB. */
  startConversion(options?: CommonOptions & Pick<Options, 'set'> & { name?: string }): Promise<Conversion>;
  /** Continues a conversion from a state of `save`. Only pass trusted states: the content is copied into the module's memory. */
  resumeConversion(state: Uint8Array): Promise<Conversion>;
  /** Lists the recordings and other inputs that Tonkopf finds in the sources, and which of them belong together. */
  inspect(input: Input | Input[]): Promise<DetectedInput[]>;
  /** Lists the formats and their options. */
  describe(): Promise<Catalogue>;
  /** Returns titles, kinds, units and roles of all tables and columns that reports of this version can contain. */
  reportSchema(): Promise<Schema>;
  /** Formats a report for a terminal: with aligned columns, and the 40 rows of each table that have the largest values. */
  reportText(report: Report | string): Promise<string>;
  /** Formats a report as Markdown, for a ticket. */
  reportMarkdown(report: Report | string): Promise<string>;
  /** Returns all rows of the table with this id as CSV (RFC 4180). Throws if the report has no such table. */
  reportCsv(report: Report | string, table: string): Promise<string>;
  /** Returns the JSON of a report that judges what became worse and better beyond the noise (docs/COMPARE.md), and compares all tables. */
  compareReports(before: Report | string, after: Report | string): Promise<string>;
  /** Returns true if a text is the JSON of a report of this version. */
  isReport(json: string): Promise<boolean>;
  /**
   * Throws `ExpectationError` unless an expectation holds for a report: `await expectation(report, 'tasks[Motor].longest_wait<5ms')`. It returns
   * nothing, so that no condition can take its result for a verdict.
   */
  expectation(report: Report | string, expression: string): Promise<void>;
  /** Checks an expectation without a report. Returns the error, such as an unknown table or a missing unit; null: valid. */
  checkExpectation(expression: string): Promise<string | null>;
}
