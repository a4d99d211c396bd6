// SPDX-License-Identifier: MIT
// Values that the hosts (page worker, Node) exchange with the C core. Report and Schema are JSON of the core; inputs.ts and host.ts make the others.
// Times in ns and byte offsets are decimal strings where they may exceed 2^53, numbers otherwise.

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
  /** plural name of the pieces of its recordings: "Frames" */
  pieces: string;
  /** its recordings are text, not bytes */
  text: boolean;
  /** a recording of each core may become one trace; else each recording is a trace of its own */
  cores: boolean;
  /** its dump is an outline unless another stage is chosen */
  outlined: boolean;
  /** its dump can have the form of the format's own tool */
  original: boolean;
  options: OptionInfo[];
}

export interface Catalogue {
  formats: FormatInfo[];
  common: OptionInfo[];
}

/** What the head of one binary input is. */
export interface Probe {
  format: string | null;
  title: string;
  confidence: number;
  mode: string;
  reason: string;
  /** bytes looked at */
  looked: number;
  /** of a dump of memory: the byte at which the recording begins */
  from?: number;
  /** in them */
  frames: number;
  valid: number;
  textBytes: number;
  namesTick: boolean;
  tickNs: string;
  hasEvents: boolean;
  /** nothing was recognised so far, and what follows may be a recording */
  goesOn: boolean;
  cores: number[];
  /** what bytes of no format are known to be: a trace of the viewer's own format, an ELF file or linker map, or something else; "": may be anything */
  content: '' | 'trace' | 'symbols' | 'times' | 'other';
}

export type Encoding = 'binary' | 'hex' | 'base64' | 'json';

/** A message for the user besides the report. */
export interface Message {
  severity: 'detail' | 'info' | 'warning' | 'error';
  /** number of the source that it is about */
  source: number;
  text: string;
}

export type Severity = 'info' | 'notice' | 'damage' | 'loss';

/** A value of a table: durations and times are digits in a string, other numbers too where they pass 2^53. */
export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** The description of a column; docs/REPORT.md. */
export interface Column {
  key: string;
  title: string;
  kind: 'name' | 'text' | 'flag' | 'count' | 'number' | 'duration' | 'time' | 'share';
  /** of counts and numbers; null for durations and times, whose unit is `time_unit` of the report */
  unit: string | null;
  role: 'value' | 'key' | 'at' | 'note' | 'measured' | 'unmeasured' | 'before' | 'change' | 'hidden';
  /** key of the column that this one says more about */
  of: string | null;
  /** what becomes of the values when rows of one name are shown as one */
  fold: 'sum' | 'min' | 'max' | null;
}

/** Its rows are the member of the report that has its id: a list, or one row where the shape is `figures`. */
export interface Table {
  id: string;
  title: string;
  shape: 'list' | 'figures' | 'prose';
  /** key of the column whose largest values come first in text and Markdown */
  sort: string | null;
  columns: Column[];
}

/** What the reports of this build mean: every table and column that it can produce. */
export interface Schema {
  schema: 3;
  tool: string;
  /** `about`: a sentence about the table */
  tables: (Table & { about: string })[];
  /** every problem that a report of this version can list */
  problems: { id: string; severity: Severity; title: string; cause: string; remedy: string }[];
}

/** The columns of a table of a report in their order: the key of a column of the schema, or the description of another column. Of a table that the schema does not contain as it is also the other members of `Table`. */
export interface ReportTable extends Partial<Omit<Table, 'id' | 'columns'>> {
  id: string;
  columns: (string | Column)[];
}

/** How busy something was: values[i] is 0..1 of bucket i; of a signal its samples, as a part of those in its fullest bucket. */
export interface Series {
  /** id of a table, or a group without one */
  group: string;
  /** number of its row there */
  row: number | null;
  label: string;
  values: number[];
}

export interface Problem {
  id: string;
  severity: Severity;
  title: string;
  count: number;
  /** a number or word that makes the title concrete, "" if none ("34 events", "core 7") */
  detail: string;
  cause: string;
  remedy: string;
}

/** Where a problem occurred: the first places of each. */
export interface Place {
  problem: string;
  /** name and number of the input, "" and null where it is of none */
  input: string;
  input_number: number | null;
  offset: number | string | null;
  frame: number | string | null;
  time: string | null;
  /** up to 16 bytes from `offset` on, "5b 7f 02" */
  hex: string;
  /** line of the text, from 1, where the input was text */
  line: number | null;
}

/** Tables that a recording has or not; their columns are in docs/REPORT.md. */
export type FurtherTable =
  | 'tasks'
  | 'interrupts'
  | 'queues'
  | 'objects'
  | 'stores'
  | 'signals'
  | 'domains'
  | 'clocks'
  | 'markers'
  | 'jobs'
  | 'activations'
  | 'waits'
  | 'mutexes'
  | 'communication'
  | 'event_groups'
  | 'timers'
  | 'intervals'
  | 'states'
  | 'heaps'
  | 'not_freed'
  | 'stacks'
  | 'contexts'
  | 'functions'
  | 'calls'
  | 'interruptions'
  | 'logs'
  | 'dumps'
  | 'traces'
  | 'blocks'
  | 'verdicts';

export type TimeCertainty =
  'measured' | 'rate_assumed' | 'spacing_assumed' | 'order_only' | 'rate_unknown' | 'turns_unknown';

export interface Report extends Partial<Record<FurtherTable, Row[]>> {
  schema: 3;
  tool: string;
  /** what durations and times count: "ns", "ps", "fs", or "ticks" (or records ...) if their length is unknown */
  time_unit: string;
  /** how certain they are */
  time_certainty: TimeCertainty;
  /** what this means for durations and times, as a sentence; missing if they are measured */
  time_note?: string;
  /** regular expressions over track names for Perfetto's startup commands */
  view: { expand: string[]; collapse: string[]; pin: string[] };
  tables: ReportTable[];
  series: Series[];
  format: { name: string; title: string; mode: string };
  tick: {
    ns: number | string;
    source: 'recording' | 'option' | 'side' | 'assumed' | 'counted';
    late: boolean;
    counts: number | string | null;
  };
  output: { bytes: number | string; packets: number | string };
  /** why the result is empty or tiny; [] when there is nothing to explain */
  explain: { sentence: string }[];
  problems: Problem[];
  places: Place[];
  /** `first` and `last`: of the whole recording. In the JSON of `tonkopf info --from`, of a part without an event, `start`, `end` and `duration` are null, as are both of `strip`; a report that the library makes is of the whole and has them all. */
  time: { start: string; end: string; duration: string; first: string; last: string };
  events: { total: number; timed: number; lost: number; lost_before: number; lost_on_line: number; restarts: number };
  cpu: { load: number | null; interrupts: number | null; unmeasured: number | null; cores: number };
  cores: Row[];
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
  /** where files of symbols were given */
  symbols?: { name: string; kind: string; functions: number; asked: number; found: number; note: string }[];
  facts: { input: string; input_number: number; fact: string }[];
  skipped: { input: string; problem: string; bytes: number }[];
  strip: { start: string; bucket: string };
  /** rows of tables that came later, by their ids */
  [table: string]: unknown;
}

export interface Progress {
  bytesIn: number;
  bytesTotal: number | null;
  events: number;
  bytesOut: number;
}

/** Number of items before a time range, which its trace leaves out. */
export interface LeftOut {
  states: number;
  slices: number;
  instants: number;
  values: number;
  arguments: number;
}

/** Of a web stream, as much as is used. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Anything bytes can be read from: a File/Blob stream, a Node stream, a buffer. */
export interface Source {
  name: string;
  size: number | null;
  /** a fresh stream from the first byte, each time it is called */
  open(): ByteStream | AsyncIterable<Uint8Array>;
  /** the same from a later byte; without it the bytes before are read and dropped */
  openAt?(offset: number): ByteStream | AsyncIterable<Uint8Array>;
  /** `open` works only once; the bytes are then read in order, and kept only where they are needed again */
  isReadOnce?: boolean;
  /** releases what `open` would have read; called when a conversion ends, also if it never called `open` */
  close?(): Promise<void>;
}

/** A file in a zip or tar: where its bytes are in the (unpacked) source. */
export interface Member {
  /** among the files of the archive: its path may stand twice */
  number: number;
  /** to show only: it may hold "..", or stand twice */
  path: string;
  offset: number;
  packed: number;
  deflated: boolean;
  /** why it cannot be read; "": it can */
  reason: string;
  /** what is wrong with the archive as a whole; "": nothing */
  problem: string;
}

/** What looking at one source found: the binary inputs in it (a JSON or a paste may hold several). */
export interface DetectedInput {
  source: number;
  /** of a zip or tar */
  member: Member | null;
  block: number;
  name: string;
  encoding: Encoding;
  gzip: boolean;
  encodingReason: string;
  bytes: number;
  /** what is wrong with the compressed data, as far as it was looked at */
  cut: string | null;
  /** that its text names */
  core: number | null;
  probe: Probe;
  plan: Plan;
}

export type Role = 'recording' | 'names' | 'symbols' | 'times';

/** What one input is for, as tk_plan of core/tonkopf.h decides. */
export interface Plan {
  /** none: the input is not used */
  role: Role | 'none';
  /** its own; null: not recognised */
  format: string | null;
  /** of a recording: those with the same number are one trace; null: of none */
  group: number | null;
  core: number | null;
  /** place among the inputs of a trace */
  order: number;
  /** groups that it helps to read */
  serves: number[];
  /** indexes of the detected inputs that the user may name as its recording */
  partners: number[];
  /** why it belongs to no recording of its own format; empty: there is none, or it may */
  apart: string;
  /** one sentence without a full stop */
  reason: string;
}

/** Choices of the user about one input. */
export interface Override {
  role?: Role | null;
  core?: number | null;
  /** keyOf a recording that it belongs to, or the number of its source; its own: a recording of its own */
  with?: string | null;
  format?: string | null;
}

export interface InputChoice {
  detected: DetectedInput;
  role: Role;
  core: number | null;
}

/** The verdict on an expectation; `text` has the worst row with its value and bound, or what is wrong; where it holds "", or that `missing_ok` left nothing to judge. unmeasured: no row matches, the figure has no value, or what was not measured may change the verdict; wrong: no report can have such a figure. */
export interface Expectation {
  found: 'holds' | 'fails' | 'unmeasured' | 'wrong';
  text: string;
}
