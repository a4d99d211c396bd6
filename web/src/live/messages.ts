// SPDX-License-Identifier: MIT
// Messages between the page and the worker of a live recording.
import type { SourceState } from '../io/byte-source.js';
import type { ProbeOptions } from '../io/probe/probe-source.js';
import type { Programs } from '../io/probe/program.js';
import type { DeviceChoice } from '../io/probe/usb.js';
import type { PortChoice } from '../io/serial.js';

export type SourceChoice =
  | { kind: 'serial'; port: PortChoice; baudRate: number }
  | { kind: 'probe'; device: DeviceChoice; options: ProbeOptions; programs: Programs }
  | { kind: 'stream'; address: string };

export interface Status {
  state: SourceState;
  /** why the source is in this state; empty: nothing to say */
  reason: string;
  /** bytes that have come */
  bytes: number;
  /** bytes that are kept, and can be saved */
  kept: number;
  /** errors of the line, by name */
  lineErrors: Record<string, number>;
  /** what the bytes are; empty: not recognised */
  format: string;
  /** of bytes that are not recognised: why */
  unknown: string;
}

export const noStatus: Status = {
  state: 'waiting',
  reason: '',
  bytes: 0,
  kept: 0,
  lineErrors: {},
  format: '',
  unknown: '',
};

/** What was recorded. times: when it was received, if the format needs that; else null */
export interface Recorded {
  file: File;
  times: File | null;
}

export interface Start {
  type: 'start';
  module: WebAssembly.Module;
  source: SourceChoice;
  /** of the file with the bytes */
  name: string;
  /** receives the blocks of the timeline */
  rows: MessagePort;
  /** The recording ends when so many bytes are kept. */
  limit: number;
}

/** ready: the page has taken the last report */
export type ToLive = Start | { type: 'stop' } | { type: 'ready' } | { type: 'file'; id: number };

export type FromLive =
  | { type: 'status'; status: Status }
  /** the report on what was converted so far */
  | { type: 'report'; json: string }
  /** what the user should know about the source */
  | { type: 'note'; text: string }
  /** the bytes so far */
  | ({ type: 'file'; id: number } & Recorded)
  /** reason: as a sentence; empty: the user stopped it */
  | ({ type: 'ended'; id: string; reason: string } & Recorded);
