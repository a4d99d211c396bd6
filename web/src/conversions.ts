// SPDX-License-Identifier: MIT
// Conversions that the user asks for after a recording was read: its trace, the trace of a time range, the samples of a signal as CSV.
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
} from './job.js';
import { BlockStore } from './io/block-store.js';
import { tonkopfModule } from './io/module.js';
import type { Range } from './io/perfetto.js';
import type { InputChoice, Report } from '../../wasm/types.js';
import { dispatch, getPage } from './store.js';
import { Bridge, type Listeners, Stopped } from './worker/bridge.js';
import type { CutSource, Question, WirePart, WireSource } from './worker/messages.js';

// ---- Questions to a worker --------------------------------------------------------------------------

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

/** Warning for an input that the browser could not read to its end. */
export function readFailure({ name, at }: CutSource): Failure {
  if (at === 0) return { text: `The browser could not read ${name}.`, place: '', advice: CAUSE };
  return {
    text: `The browser could not read ${name} to its end: it stopped at ${format.bytes(at)}.`,
    place: `byte ${format.count(at)}`,
    advice: `${CAUSE} What was read before that place was converted.`,
  };
}

// ---- Workers ------------------------------------------------------------------------------------------

/** The workers of the last recordings that were read without a trace. Each holds the restart points (up to about 100 MB) from which
 * traces of time ranges are made, and has no other work. */
const registers = new Map<string, Bridge>();
const MAX_CHECKPOINT_SETS = 2;

export function keepCheckpoints(cacheKey: string, bridge: Bridge): void {
  dropCheckpoints(cacheKey);
  registers.set(cacheKey, bridge);
  if (registers.size > MAX_CHECKPOINT_SETS) dropCheckpoints(registers.keys().next().value!);
}

/** The worker ends after its running conversion. */
function dropCheckpoints(cacheKey: string): void {
  const bridge = registers.get(cacheKey);
  const last = [...conversionsByKey.values()]
    .filter((conversion) => conversion.cacheKey === cacheKey)
    .map(({ made }) => made);
  registers.delete(cacheKey);
  void Promise.allSettled(last).then(() => bridge?.stop());
}

/** The worker for conversions that need no restart points. */
const maker = new Bridge(tonkopfModule);

// ---- Sharing -------------------------------------------------------------------------------------------

/** A caller that waits for the result. */
export interface Want {
  signal: AbortSignal;
  /** progress, as text */
  onDone(done: string): void;
}

interface Making {
  cacheKey: string;
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

function begin(key: string, cacheKey: string, make: Make): Making {
  const [wants, stop] = [new Set<Want>(), new AbortController()];
  const conversion = { cacheKey, wants, stop, made: storeOf(make, { wants, stop }) };
  const end = (): void => {
    if (conversionsByKey.get(key) === conversion) conversionsByKey.delete(key);
  };
  conversionsByKey.set(key, conversion);
  stop.signal.addEventListener('abort', end);
  conversion.made.then(end, end);
  return conversion;
}

/** Two callers that want the same result share one conversion. It is cancelled when its last caller has cancelled. */
function share(key: string, cacheKey: string, want: Want, make: Make): Promise<BlockStore> {
  const { made, wants, stop } = conversionsByKey.get(key) ?? begin(key, cacheKey, make);
  wants.add(want);
  return new Promise((resolve, reject) => {
    made.then(resolve, reject);
    want.signal.addEventListener('abort', () => {
      wants.delete(want);
      reject(new Stopped('Stopped'));
      setTimeout(() => !wants.size && stop.abort()); // a second click for the same result joins this conversion
    });
  });
}

/** Cancels the conversions of recordings that were removed or whose options changed. */
export function keepOnly(recordings: readonly Recording[]): void {
  const isThere = (key: string): boolean => recordings.some(({ cacheKey }) => cacheKey === key);
  for (const cacheKey of [...registers.keys()]) if (!isThere(cacheKey)) dropCheckpoints(cacheKey);
  for (const { cacheKey, stop } of [...conversionsByKey.values()]) if (!isThere(cacheKey)) stop.abort();
}

// ---- Traces and samples ---------------------------------------------------------------------------------

/** The input was complete when its report was made, or the requested range ends where the report ends. */
const cutAsBefore = (make: Make, { cut }: Output): Make =>
  cut ? async (listeners) => ({ ...(await make(listeners)), cut: null }) : make;

/** Starts at the last restart point before the range, if there is one. */
function makerOf(content: Loaded, recording: Recording, { report }: Output, range: Range | null): Make {
  const { cacheKey, options } = recording;
  const question = questionOf(content, recording, options);
  if (!range) return (listeners) => maker.convert(question, listeners);
  return (listeners) => (registers.get(cacheKey) ?? maker).part(question, partOf(cacheKey, report, range), listeners);
}

const partOf = (register: string, { tick }: Report, { startNs, endNs }: Range): WirePart => ({
  register,
  fromNs: startNs,
  toNs: endNs,
  tickNs: String(tick.ns),
  isDump: false,
  timeline: null,
});

/** Makes what the timeline shows of a time range. */
async function makePart(
  recording: Recording,
  { report }: Output,
  range: Range,
  kind: Partial<WirePart>,
  signal: AbortSignal,
  onBlock: Listeners['onBlock'],
): Promise<void> {
  const content = loaded(getPage()),
    { cacheKey, options } = recording;
  if (!content) throw new Stopped('Stopped');
  const part = { ...partOf(cacheKey, report, range), ...kind };
  const listeners = { signal, onProgress: () => {}, onBlock };
  await (registers.get(cacheKey) ?? maker).part(questionOf(content, recording, options), part, listeners);
}

/** Resolves to the report of a time range, as `tonkopf info` makes it with --from and --to. Rejects if the files can no longer be read. */
export async function reportOfRange(
  recording: Recording,
  { startNs, endNs }: Range,
  signal: AbortSignal,
): Promise<Report> {
  const content = loaded(getPage());
  if (!content) throw new Stopped('Stopped');
  const range = { output: 'report', 'from-ns': `${startNs} trace-ns`, 'to-ns': `${endNs} trace-ns` };
  const question = questionOf(content, recording, { ...recording.options, ...range });
  const { report, cut } = await maker.convert(question, { signal, onProgress: () => {}, onBlock: () => {} });
  const wasCut = recording.conversion.kind === 'done' && recording.conversion.output.cut !== null;
  if (cut && !wasCut) throw new Error(`${readFailure(cut).text} ${CAUSE}`);
  return report;
}

/** Makes the points of a time range again, which the timeline dropped. Their blocks go to the port, then null. */
export const detailFor = (
  recording: Recording,
  output: Output,
  range: Range,
  timeline: MessagePort,
  signal: AbortSignal,
): Promise<void> => makePart(recording, output, range, { timeline }, signal, () => {});

/** Resolves to the trace; converts if it does not exist yet. part: the time range that the trace contains; null: everything, and
 * the page then keeps the trace. */
export async function traceFor(
  recording: Recording,
  output: Output,
  part: Range | null,
  want: Want,
): Promise<BlockStore> {
  const content = loaded(getPage());
  if (!part && output.store) return output.store;
  if (!content) throw new Stopped('Stopped');
  const key = `${recording.cacheKey} ${part ? `${part.startNs} ${part.endNs}` : 'whole'}`;
  const store = await share(
    key,
    recording.cacheKey,
    want,
    cutAsBefore(makerOf(content, recording, output, part), output),
  );
  const made = { ...output, store, extent: { ...output.extent, bytes: store.bytes } };
  if (!part) dispatch({ type: 'conversion', cacheKey: recording.cacheKey, conversion: { kind: 'done', output: made } });
  return store;
}

/** Resolves to the samples of the signal with this path, as CSV. */
export async function samplesFor(recording: Recording, output: Output, path: string, want: Want): Promise<BlockStore> {
  const content = loaded(getPage());
  if (!content) throw new Stopped('Stopped');
  const question = questionOf(content, recording, recording.options);
  const make: Make = (listeners) => maker.convert(question, listeners, { samples: path });
  return share(`${recording.cacheKey} ${path}`, recording.cacheKey, want, cutAsBefore(make, output));
}

const ENOUGH = 2 << 20; // bytes of a dump, about 20 000 lines

/** Resolves to the dump of a time range without the names that were defined before, and whether it is complete. Ends early when there are more lines
 * than a user reads. */
export async function dumpFor(
  recording: Recording,
  output: Output,
  range: Range,
  signal: AbortSignal,
): Promise<{ lines: string[]; isWhole: boolean }> {
  const stop = new AbortController();
  const [decoder, blocks] = [new TextDecoder(), [] as string[]];
  signal.addEventListener('abort', () => stop.abort());
  let size = 0;
  try {
    await makePart(recording, output, range, { isDump: true }, stop.signal, (block) => {
      size += block.length;
      blocks.push(decoder.decode(block, { stream: true }));
      if (size > ENOUGH) stop.abort();
    });
  } catch (error) {
    if (signal.aborted || size <= ENOUGH) throw error;
  }
  const lines = blocks.join('').split('\n');
  return { lines: lines.slice(0, -1), isWhole: size <= ENOUGH };
}
