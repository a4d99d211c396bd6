// SPDX-License-Identifier: MIT
// What is made of a recording because somebody wants it: the trace where the recording was only read, a part of it, the samples of a signal.
import * as format from './format.js';
import {
  type Failure,
  type Input,
  type Loaded,
  type Output,
  type Recording,
  type SourceItem,
  coreOf,
  inputsOf,
  loaded,
  readOptions,
} from './job.js';
import { BlockStore } from './io/block-store.js';
import { tonkopfModule } from './io/module.js';
import type { Range } from './io/perfetto.js';
import { traceNs, traceTimeOf } from '../../wasm/report.js';
import type { InputChoice } from '../../wasm/types.js';
import { dispatch, getPage } from './store.js';
import { Bridge, type Listeners, Stopped } from './worker/bridge.js';
import type { CutSource, Question, WireSource } from './worker/messages.js';

// ---- What workers are asked --------------------------------------------------------------------------

export const wire = (source: SourceItem): WireSource => ({
  name: source.name,
  blob: source.blob,
  encoding: source.encoding,
});

const choiceOf = (input: Input): InputChoice => ({
  detected: input.detected,
  role: input.role === 'none' ? 'recording' : input.role,
  core: input.role === 'recording' ? coreOf(input) : null,
});

export const questionOf = (content: Loaded, recording: Recording, options: Recording['options']): Question => ({
  sources: content.sources.map(wire),
  choices: inputsOf(content, recording).map(choiceOf),
  options: { ...options },
});

const CAUSE = 'The file was moved or changed, or its medium is gone. Choose it again.';

/** Of an input that could not be read to its end. */
export function readFailure({ name, at }: CutSource): Failure {
  if (at === 0) return { text: `The browser could not read ${name}.`, place: '', advice: CAUSE };
  return {
    text: `The browser could not read ${name} to its end: it stopped at ${format.bytes(at)}.`,
    place: `byte ${format.count(at)}`,
    advice: `${CAUSE} What was read before that place was converted.`,
  };
}

// ---- Workers ------------------------------------------------------------------------------------------

/** Of the last recordings that were only read: the worker that holds the places from which their parts are made, 100 MB perhaps, and does nothing else. */
const registers = new Map<string, Bridge>();
const MAX_CHECKPOINT_SETS = 2;

export function keepCheckpoints(readKey: string, bridge: Bridge): void {
  dropCheckpoints(readKey);
  registers.set(readKey, bridge);
  if (registers.size > MAX_CHECKPOINT_SETS) dropCheckpoints(registers.keys().next().value!);
}

/** What is being made of it comes to its end before. */
function dropCheckpoints(readKey: string): void {
  const bridge = registers.get(readKey);
  const last = [...conversionsByKey.values()]
    .filter((conversion) => conversion.readKey === readKey)
    .map(({ made }) => made);
  registers.delete(readKey);
  void Promise.allSettled(last).then(() => bridge?.stop());
}

/** For everything that needs no such place. */
const maker = new Bridge(tonkopfModule);

// ---- Sharing -------------------------------------------------------------------------------------------

/** Somebody who waits for it. */
export interface Want {
  signal: AbortSignal;
  /** how far it is, in words */
  onDone(done: string): void;
}

interface Making {
  readKey: string;
  made: Promise<BlockStore>;
  wants: Set<Want>;
  stop: AbortController;
}

const conversionsByKey = new Map<string, Making>();

type Make = (listeners: Listeners) => Promise<{ head: Uint8Array<ArrayBuffer>; cut: CutSource | null }>;

async function storeOf(make: Make, { wants, stop }: Pick<Making, 'wants' | 'stop'>): Promise<BlockStore> {
  const store = new BlockStore();
  const { head, cut } = await make({
    signal: stop.signal,
    onBlock: (block) => store.add(block),
    onProgress: ({ bytesIn, bytesTotal }) => {
      const done = bytesTotal
        ? format.percent(Math.min(1, bytesIn / bytesTotal))
        : store.bytes
          ? `${format.bytes(store.bytes)} so far`
          : '';
      for (const { onDone } of wants) onDone(done);
    },
  });
  if (cut) throw new Error(`${readFailure(cut).text} ${CAUSE}`);
  store.setHead(head);
  return store;
}

function begin(key: string, readKey: string, make: Make): Making {
  const [wants, stop] = [new Set<Want>(), new AbortController()];
  const conversion = { readKey, wants, stop, made: storeOf(make, { wants, stop }) };
  const end = (): void => {
    if (conversionsByKey.get(key) === conversion) conversionsByKey.delete(key);
  };
  conversionsByKey.set(key, conversion);
  stop.signal.addEventListener('abort', end);
  conversion.made.then(end, end);
  return conversion;
}

/** Wanted twice, it is made once; it ends when nobody wants it any more. */
function share(key: string, readKey: string, want: Want, make: Make): Promise<BlockStore> {
  const { made, wants, stop } = conversionsByKey.get(key) ?? begin(key, readKey, make);
  wants.add(want);
  return new Promise((resolve, reject) => {
    made.then(resolve, reject);
    want.signal.addEventListener('abort', () => {
      wants.delete(want);
      reject(new Stopped('Stopped'));
      setTimeout(() => !wants.size && stop.abort()); // a click that asks for the same again takes it over
    });
  });
}

/** Ends what was made of recordings that are gone, or are read in another way. */
export function keepOnly(recordings: readonly Recording[]): void {
  const isThere = (key: string): boolean => recordings.some(({ readKey }) => readKey === key);
  for (const readKey of [...registers.keys()]) if (!isThere(readKey)) dropCheckpoints(readKey);
  for (const { readKey, stop } of [...conversionsByKey.values()]) if (!isThere(readKey)) stop.abort();
}

// ---- Traces and samples ---------------------------------------------------------------------------------

/** What the trace is limited to; null: it holds everything. */
function keptOf({ report }: Output, { 'from-ns': from, 'to-ns': to }: Recording['options']): Range | null {
  const at = (ns: string | undefined, otherwise: string): bigint =>
    ns === undefined ? BigInt(otherwise) * traceNs(report) : traceTimeOf(ns, report);
  return from === undefined && to === undefined
    ? null
    : { startNs: at(from, report.time.start), endNs: at(to, report.time.end) };
}

/** It was whole when its figures were made, or what is made of it ends where they do. */
const cutAsBefore = (make: Make, { cut }: Output): Make =>
  cut ? async (listeners) => ({ ...(await make(listeners)), cut: null }) : make;

/** From the nearest place before it, where there is one. */
function makerOf(content: Loaded, recording: Recording, { report }: Output, range: Range | null): Make {
  const { readKey, options } = recording;
  const question = questionOf(content, recording, readOptions(options));
  if (!range) return (listeners) => maker.convert(question, listeners);
  const part = { register: readKey, fromNs: range.startNs, toNs: range.endNs, tickNs: String(report.tick.ns) };
  return (listeners) => (registers.get(readKey) ?? maker).part(question, part, listeners);
}

/** The trace, made where it is not there yet. part: what it is to hold; null: as much as is kept, and then it stays. */
export async function traceFor(
  recording: Recording,
  output: Output,
  part: Range | null,
  want: Want,
): Promise<BlockStore> {
  const content = loaded(getPage());
  if (!part && output.store) return output.store;
  if (!content) throw new Stopped('Stopped');
  const range = part ?? keptOf(output, recording.options);
  const key = `${recording.readKey} ${range ? `${range.startNs} ${range.endNs}` : 'whole'}`;
  const store = await share(
    key,
    recording.readKey,
    want,
    cutAsBefore(makerOf(content, recording, output, range), output),
  );
  const made = { ...output, store, extent: { ...output.extent, bytes: store.bytes } };
  if (!part) dispatch({ type: 'conversion', cacheKey: recording.cacheKey, conversion: { kind: 'done', output: made } });
  return store;
}

/** The samples of the signal of this path, as CSV. */
export async function samplesFor(recording: Recording, output: Output, path: string, want: Want): Promise<BlockStore> {
  const content = loaded(getPage());
  if (!content) throw new Stopped('Stopped');
  const question = questionOf(content, recording, recording.options);
  const make: Make = (listeners) => maker.convert(question, listeners, { samples: path });
  return share(`${recording.cacheKey} ${path}`, recording.readKey, want, cutAsBefore(make, output));
}
