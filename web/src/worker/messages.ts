// SPDX-License-Identifier: MIT
// What page and worker say to each other. Every question has a number, every answer repeats it.
import type { InputChoice, Progress, Report, DetectedInput, Override } from '../../../wasm/types.js';
import type { LeftOut } from '../../../wasm/tonkopf.js';
import type { Catalogue, Encoding } from '../job.js';

/** A Blob travels by reference: the bytes are read in the worker. */
export interface WireSource {
  name: string;
  blob: Blob;
  encoding: Encoding | null;
}

/** What is converted, and with what. */
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
  /** nobody waits for that answer any more */
  | { type: 'stop'; id: number };

/** What is made; null: the trace. */
export interface WireOutput {
  samples: string | null;
  register: string | null;
}

/** A part of the time. register: the name under which a first pass left places to go on from; it may be gone. */
export interface WirePart {
  register: string;
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
  /** peak of the core's memory */
  memoryBytes: number;
  /** of a first pass: what a trace would hold */
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
  | { type: 'ready'; catalogue: Catalogue }
  | { type: 'inspect'; id: number; detectedInputs: DetectedInput[]; cut: CutSource | null }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'block'; id: number; block: Uint8Array<ArrayBuffer> }
  | ({ type: 'report'; id: number } & Omit<Done, 'cut'>)
  | ({ type: 'part'; id: number } & PartDone)
  | { type: 'done'; id: number; cut: CutSource | null }
  | ({ type: 'failed'; id: number } & FailedMessage)
  | { type: 'broken'; text: string };
