// SPDX-License-Identifier: MIT
// Messages between page and worker. Every question has a number; every answer contains the number of its question.
import type { InputChoice, LeftOut, Progress, Report, DetectedInput, Override } from '../../../wasm/types.js';
import type { ProgramFile, Programs } from '../io/probe/program.js';
import type { Encoding } from '../job.js';

/** A Blob is posted by reference; the worker reads its bytes. */
export interface WireSource {
  name: string;
  blob: Blob;
  encoding: Encoding | null;
}

/** The inputs and options of a conversion. */
export interface Question {
  sources: WireSource[];
  choices: InputChoice[];
  options: Record<string, string>;
}

export type ToWorker =
  | { type: 'open'; module: WebAssembly.Module }
  | { type: 'inspect'; id: number; sources: WireSource[]; overrides: Record<string, Override> }
  | ({ type: 'start'; id: number } & Question & WireOutput)
  | ({ type: 'part'; id: number } & Question & WirePart)
  | { type: 'programs'; id: number; files: ProgramFile[] }
  /** convert a short recording */
  | { type: 'rehearse'; id: number }
  /** the caller no longer waits for that answer */
  | { type: 'stop'; id: number };

/** The kind of result: the samples of a signal, otherwise the trace. */
export interface WireOutput {
  samples: string | null;
  register: string | null;
  /** receives the blocks of the timeline while the recording is read; null: there is no timeline */
  timeline: MessagePort | null;
}

/** A time range. register: the name under which a first pass kept its restart points; the worker may have dropped them. */
export interface WirePart {
  register: string;
  /** the result is a dump of the tracks instead of a trace */
  isDump: boolean;
  /** receives the blocks of the timeline of the range; null: none are needed */
  timeline: MessagePort | null;
  fromNs: bigint;
  toNs: bigint;
  tickNs: string;
}

/** An input that the browser could not read to its end. */
export interface CutSource {
  name: string;
  at: number;
  text: string;
}

export interface Done {
  report: Report;
  /** replaces the first bytes of the blocks; may be empty */
  head: Uint8Array<ArrayBuffer>;
  /** peak memory of the core */
  memoryBytes: number;
  /** of a first pass: estimated size of the trace */
  leftOut: LeftOut;
  cut: CutSource | null;
}

export type PartDone = Pick<Done, 'head' | 'memoryBytes' | 'cut'>;

export interface FailedMessage {
  code: string;
  text: string;
  offset: string | null;
}

export type FromWorker =
  | { type: 'inspect'; id: number; detectedInputs: DetectedInput[]; cut: CutSource | null }
  | { type: 'programs'; id: number; programs: Programs }
  | { type: 'progress'; id: number; progress: Progress }
  /** on what was read so far */
  | { type: 'so-far'; id: number; report: Report }
  | { type: 'block'; id: number; block: Uint8Array<ArrayBuffer> }
  | ({ type: 'report'; id: number } & Omit<Done, 'cut'>)
  | ({ type: 'part'; id: number } & PartDone)
  | { type: 'done'; id: number; cut: CutSource | null }
  | { type: 'rehearsed'; id: number }
  | ({ type: 'failed'; id: number } & FailedMessage);
