// SPDX-License-Identifier: MIT
// Types of the descriptions, reports and sources that the library exchanges with its callers.
// Times and byte offsets that may exceed 2^53 are decimal strings, others are numbers.

import type { CoresRow, ReportTables, SymbolsRow } from './tables.js';

export type * from './tables.js';

export interface OptionInfo {
  key: string;
  label: string;
  help: string;
  choices: string[] | null;
  fallback: string;
}

export interface FormatInfo {
  name: string;
  title: string;
  /** plural name of the items in recordings of this format, such as "Frames" */
  pieces: string;
  /** true: recordings of this format are text */
  text: boolean;
  /** true: recordings of several cores can be converted to one trace; false: each recording becomes a separate trace */
  cores: boolean;
  /** true: `tonkopf dump` prints an outline by default */
  outlined: boolean;
  /** true: `tonkopf dump --like original` can print the same lines as the vendor's tool */
  original: boolean;
  options: OptionInfo[];
}

export interface Catalogue {
  formats: FormatInfo[];
  common: OptionInfo[];
}

/** Result of the recognition of one binary input by its first bytes. */
export interface Probe {
  format: string | null;
  title: string;
  confidence: number;
  mode: string;
  reason: string;
  /** number of bytes that were examined */
  looked: number;
  /** offset of the recording in a memory dump; undefined: the input is no dump */
  from?: number;
  /** number of frames in the examined bytes */
  frames: number;
  valid: number;
  textBytes: number;
  namesTick: boolean;
  tickNs: string;
  hasEvents: boolean;
  /** recordings of the format contain no times; receive times provide them */
  takesTimes: boolean;
  /** true: no format was recognised, but the following bytes may contain a recording */
  goesOn: boolean;
  cores: number[];
  /** content of an input that no recording format recognises: a trace of the viewer, an ELF file or linker map, receive times, or other known content; "": unknown */
  content: '' | 'trace' | 'symbols' | 'times' | 'other';
}

export type Encoding = 'binary' | 'hex' | 'base64' | 'json';

/** A message for the user that is not part of the report. */
export interface Message {
  severity: 'detail' | 'info' | 'warning' | 'error';
  /** number of the source that the message is about */
  source: number;
  text: string;
}

export type Severity = 'info' | 'notice' | 'damage' | 'loss';

/** A value of a table. Durations, times and numbers above 2^53 are decimal strings. */
export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** Description of a column, as docs/REPORT.md explains it. */
export interface Column {
  key: string;
  title: string;
  kind: 'name' | 'text' | 'flag' | 'count' | 'number' | 'duration' | 'time' | 'share';
  /** unit of counts and numbers; null for durations and times, whose unit is `time_unit` of the report */
  unit: string | null;
  role: 'value' | 'key' | 'at' | 'note' | 'measured' | 'unmeasured' | 'before' | 'change' | 'hidden';
  /** key of the column that this column explains; null: none */
  of: string | null;
  /** function that combines the values of rows with the same name; null: they are not combined */
  fold: 'sum' | 'min' | 'max' | null;
}

/** Description of a table. The report contains its rows as a member named `id`: a list, or one row if the shape is `figures`. */
export interface Table {
  id: string;
  title: string;
  shape: 'list' | 'figures' | 'prose' | 'details';
  /** key of the column whose largest values come first in text and Markdown */
  sort: string | null;
  columns: Column[];
}

/** Descriptions of all tables and columns that reports of this version can contain. */
export interface Schema {
  schema: 4;
  tool: string;
  /** descriptions of all tables; `about`: a sentence that describes the table */
  tables: (Table & { about: string })[];
  /** every problem that a report of this version can list */
  problems: { id: string; severity: Severity; title: string; cause: string; remedy: string }[];
  /** the rules that find faults */
  rules: { id: string; severity: FindingSeverity; title: string; threshold: string; needs: string; remedy: string }[];
}

/**
 * Description of a table of a report. `columns` lists the columns in order: by their keys in the schema, or with descriptions if the schema does not
 * contain them. The other members of `Table` are present only if the table differs from the schema.
 */
export interface ReportTable extends Partial<Omit<Table, 'id' | 'columns'>> {
  id: string;
  columns: (string | Column)[];
}

export interface Problem {
  id: string;
  severity: Severity;
  title: string;
  count: number;
  /** details that complete the title, such as "34 events" or "core 7"; "": none */
  detail: string;
  cause: string;
  remedy: string;
}

export type FindingSeverity = 'problem' | 'check' | 'note';

/** A fault of the target that a rule of the analysis found. docs/FINDINGS.md lists the rules. */
export interface Finding {
  rule: string;
  severity: FindingSeverity;
  title: string;
  who: string;
  /** the evidence, as a sentence */
  text: string;
  count: number;
  /** times together, and the longest one; null: the occurrences have no length */
  total: string | null;
  longest: string | null;
  /** start of the longest occurrence */
  at: string | null;
  remedy: string;
}

/** A position at which a problem occurred. The report contains the first positions of each problem. */
export interface Place {
  problem: string;
  /** name of the input; "": the problem belongs to no input */
  input: string;
  /** number of the input; null: the problem belongs to no input */
  input_number: number | null;
  offset: number | string | null;
  frame: number | string | null;
  time: string | null;
  /** up to 16 bytes from `offset` on, in hexadecimal: "5b 7f 02" */
  hex: string;
  /** line of the text, from 1; null: the input is not text */
  line: number | null;
}

export type TimeCertainty =
  'measured' | 'rate_assumed' | 'spacing_assumed' | 'order_only' | 'rate_unknown' | 'turns_unknown' | 'all_equal';

export interface Report extends Partial<ReportTables> {
  schema: 4;
  tool: string;
  /** unit of durations and times: "ns", "ps", "fs", or, if its length is unknown, a counted item such as "ticks" or "records" */
  time_unit: string;
  /** certainty of durations and times */
  time_certainty: TimeCertainty;
  /** sentence that explains `time_certainty`; undefined if times are measured */
  time_note?: string;
  /** regular expressions that match track names, for startup commands of Perfetto */
  view: { expand: string[]; collapse: string[]; pin: string[] };
  tables: ReportTable[];
  format: { name: string; title: string; mode: string };
  tick: {
    ns: number | string;
    source: 'recording' | 'option' | 'side' | 'assumed' | 'counted';
    late: boolean;
    /** clock rate, rounded to whole Hz; null: the recording has a tick length, or neither */
    hz: number | string | null;
    counts: number | string | null;
  };
  output: { bytes: number | string; packets: number | string };
  /** explains why a trace is empty or very small; else [] */
  explain: { sentence: string }[];
  problems: Problem[];
  places: Place[];
  /** undefined: the recording has no tasks, or was not analysed */
  findings?: Finding[];
  /** up to 8 places per finding, the longest first */
  finding_places?: { rule: string; who: string; length: string | null; at: string }[];
  /** rules that were not examined, or only in part */
  not_examined?: { rule: string; title: string; reason: string }[];
  /** `first` and `last`: times of the first and last event of the whole recording; the others describe the time range of the report. If the time range contains no event, `start`, `end` and `duration` are null. */
  time: { start: string | null; end: string | null; duration: string | null; first: string; last: string };
  events: { total: number; timed: number; lost: number; lost_before: number; lost_on_line: number; restarts: number };
  cpu: { load: number | null; interrupts: number | null; unmeasured: number | null; cores: number };
  cores: CoresRow[];
  kinds: { kind: string; count: number; share: number | null }[];
  inputs: {
    name: string;
    role: Role;
    bytes: number;
    decoded: number;
    skipped: number;
    left: number;
    frames: number;
    pieces: string;
    core: number | null;
  }[];
  /** files of symbols among the inputs; undefined: none */
  symbols?: SymbolsRow[];
  facts: { input: string; input_number: number; fact: string }[];
  skipped: { input: string; problem: string; bytes: number }[];
  /** rows of tables that later versions add, by the ids of the tables */
  [table: string]: unknown;
}

export interface Progress {
  bytesIn: number;
  bytesTotal: number | null;
  events: number;
  bytesOut: number;
}

/** Numbers of items that the trace of a time range omits, because they are before the range. */
export interface LeftOut {
  states: number;
  slices: number;
  instants: number;
  values: number;
  arguments: number;
}

/** The members of a web stream that the library uses. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** A source of bytes: a File, a Blob, a stream or a buffer. */
export interface Source {
  name: string;
  size: number | null;
  /** Returns a new stream from the first byte. */
  open(): ByteStream | AsyncIterable<Uint8Array>;
  /** Returns a new stream from this byte. Without this function, Tonkopf reads and discards the bytes before. */
  openAt?(offset: number): ByteStream | AsyncIterable<Uint8Array>;
  /** true: `open` works only once. Tonkopf reads the bytes in order, and copies them if it needs them again. */
  isReadOnce?: boolean;
  /** Releases the stream. Called when a conversion ends, also if it never called `open`. */
  close?(): Promise<void>;
}

/** The bytes of a target that is sending. */
export interface LiveSource {
  name: string;
  /** Resolves to at most `length` bytes as soon as some have arrived; none: the recording ends. isLook: Tonkopf recognises the source by these bytes. */
  arrived(length: number, isLook: boolean): Promise<Uint8Array>;
}

/** A file in a zip or tar. `offset` and `packed`: position and size of its bytes in the source, after removal of gzip. */
export interface Member {
  /** number among the files of the archive, because two files may have the same path */
  number: number;
  /** path for display only: it may contain "..", and two files may have the same path */
  path: string;
  offset: number;
  packed: number;
  deflated: boolean;
  /** why the file cannot be read; "": it can be read */
  reason: string;
  /** damage of the archive; "": none */
  problem: string;
}

/** A binary input that Tonkopf found in a source. A JSON or another text may contain several. */
export interface DetectedInput {
  source: number;
  /** file of a zip or tar; null: the source is no archive */
  member: Member | null;
  block: number;
  name: string;
  encoding: Encoding;
  gzip: boolean;
  encodingReason: string;
  bytes: number;
  /** damage of the compressed data that was read during recognition; null: none */
  cut: string | null;
  /** number of the core that the text names; null: none */
  core: number | null;
  probe: Probe;
  plan: Plan;
}

export type Role = 'recording' | 'names' | 'symbols' | 'times';

/** Use of one input, as tk_plan of core/tonkopf.h decides. */
export interface Plan {
  /** role of the input; none: Tonkopf does not use the input */
  role: Role | 'none';
  /** recognised or chosen format; null: none */
  format: string | null;
  /** recordings with the same number are converted to one trace; null: not a recording */
  group: number | null;
  core: number | null;
  /** position among the inputs of a trace */
  order: number;
  /** groups that a file of names, symbols or times provides data for */
  serves: number[];
  /** indexes of the recordings that the user may assign this input to */
  partners: number[];
  /** why a recording cannot be joined with another recording of its format; "": it can, or there is none */
  apart: string;
  /** reason for the plan: one sentence without a full stop */
  reason: string;
}

/** Choices of the user about one input. */
export interface Override {
  role?: Role | null;
  core?: number | null;
  /** keyOf of the recording that the input belongs to, or the number of its source; its own key: a separate recording */
  with?: string | null;
  format?: string | null;
}

export interface InputChoice {
  detected: DetectedInput;
  role: Role;
  core: number | null;
}

/** Verdict on a rule of a file of rules for one recording (docs/CHECK.md). `not read`: the input could not be read. */
export interface Verdict {
  /** line of the file of rules; null: the verdict is about no line */
  line: number | null;
  label: string | null;
  rule: string;
  input: string | null;
  verdict: 'holds' | 'fails' | 'not measured' | 'wrong' | 'not read';
  text: string | null;
  /** the worst row, its value, and what it was compared with */
  row: string | null;
  value: string | null;
  bound: string | null;
  /** number of measured occurrences */
  count: bigint | null;
  /** time of the value, in the unit of the report and in nanoseconds */
  at: bigint | null;
  atNs: bigint | null;
}

export type CheckForm = 'text' | 'markdown' | 'junit' | 'sarif' | 'github' | 'json';

export interface CheckResult {
  /** as of `tonkopf check`: 0 only if a recording was checked and every rule holds */
  exitCode: number;
  verdicts: Verdict[];
  /** the verdicts as the command line writes them */
  forms: Record<CheckForm, string>;
}
