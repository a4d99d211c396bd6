// SPDX-License-Identifier: MIT
// What the library tells its hosts (page worker, Node): shapes of the JSON that the C core writes.
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
  options: OptionInfo[];
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
  /** what bytes of no format are known to be: a trace of the viewer's own format, or something else; "": may be anything */
  content: '' | 'trace' | 'other';
}

export interface ArmorProbe {
  kind: 'binary' | 'hex' | 'base64' | 'json';
  reason: string;
}

export type Severity = 'info' | 'notice' | 'damage' | 'loss';

export interface Problem {
  id: string;
  severity: Severity;
  title: string;
  cause: string;
  remedy: string;
  count: number;
  /** first occurrence */
  input: number;
  offset: string | null;
  frame: number | null;
  timeNs: string | null;
  /** up to 16 bytes from `offset` on, "5b 7f 02" */
  hex: string;
  /** line of the text, from 1, where the input was text */
  line?: number;
  /** a number or word that makes the title concrete, "" if none ("events 34", "core 7") */
  detail: string;
}

export interface TaskReport {
  id: number;
  pid: number;
  name: string;
  idle: boolean;
  priority: number | null;
  cpuNs: string;
  /** of the time of one core, 0..1 */
  share: number;
  runs: number;
  /** of the runs and waits: those whose length is not known; they are in no other figure */
  runsNotMeasured: number;
  waits: number;
  waitsNotMeasured: number;
  longestWaitNs: string;
  longestWaitOn: string;
  longestWaitAtNs: string | null;
}

export interface InterruptReport {
  core: number;
  id: number;
  name: string;
  count: number;
  /** of them those whose length is not known; they are in no other figure */
  notMeasured: number;
  totalNs: string;
  minNs: string;
  meanNs: string;
  maxNs: string;
  maxAtNs: string | null;
  periodMinNs: string;
  periodMeanNs: string;
  periodMaxNs: string;
}

export interface QueueReport {
  id: number;
  name: string;
  kind: string;
  operations: number;
  maxFill: number;
}

/** One row of the glance at where the time went: busy[i] is 0..1 of bucket i. */
export interface StripRow {
  name: string;
  kind: 'task' | 'idle' | 'interrupt' | 'marker';
  core: number | null;
  busy: number[];
}

export interface Report {
  tool: string;
  format: { name: string; title: string; mode: string };
  inputs: {
    name: string;
    role: 'recording' | 'side';
    /** fed: decoded + skipped + left */
    bytes: string;
    decoded: string;
    skipped: string;
    /** the same by the problem that is the reason */
    skippedBy: { id: string; bytes: string }[];
    left: string;
    frames: number;
    core: number | null;
    /** about the target and how the input was read, a sentence each */
    facts: string[];
  }[];
  /** countsPerTick: of the target's own tick, where the length of a count is not known */
  tick: { ns: string; source: 'recording' | 'option' | 'side' | 'assumed'; late: boolean; countsPerTick: string | null };
  time: { startNs: string; endNs: string; durationNs: string };
  /** where the time went, together the duration; outside: outside interrupts, where there are no tasks */
  cores: { core: number; busyNs: string; idleNs: string; interruptNs: string; outsideNs: string; notMeasuredNs: string; endNs: string }[];
  events: { total: number; byKind: { kind: string; count: number }[] };
  tasks: TaskReport[];
  interrupts: InterruptReport[];
  queues: QueueReport[];
  drops: { count: number; beforeStart: number };
  restarts: number;
  problems: Problem[];
  /** sentences that explain an empty or tiny result; [] when there is nothing to explain */
  explain: string[];
  strip: { startNs: string; bucketNs: string; rows: StripRow[] };
  output: { bytes: string; packets: number };
  /** regular expressions over track names for Perfetto's startup commands */
  view: { expand: string[]; collapse: string[]; pin: string[] };
}

export interface Progress {
  bytesIn: number;
  bytesTotal: number | null;
  events: number;
  bytesOut: number;
}

/** Anything bytes can be read from: a File/Blob stream, a Node stream, a buffer. */
export interface Source {
  name: string;
  size: number | null;
  /** a fresh stream from the first byte, each time it is called */
  open(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** What looking at one source found: the binary inputs in it (a JSON or a paste may hold several). */
export interface Sighting {
  source: number;
  block: number;
  name: string;
  encoding: ArmorProbe['kind'];
  gzip: boolean;
  encodingReason: string;
  bytes: number;
  core: number | null;
  probe: Probe;
  /** recording this input belongs to, and why */
  group: number;
  groupReason: string;
}

export interface InputChoice {
  sighting: Sighting;
  role: 'recording' | 'side';
  core: number | null;
}
