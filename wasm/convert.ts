// SPDX-License-Identifier: MIT
// Inspects sources and converts one recording. The worker of the page uses all functions, the library (library.ts) those that inspect.
import { keyOf } from './cache-key.js';
import { CoreError } from './errors.js';
import { Host } from './host.js';
import type { HostOptions, Output, Setting, Stop } from './host.js';
import type { Point, Points } from './checkpoints.js';
import { Module } from './module.js';
import type {
  Catalogue,
  DetectedInput,
  Encoding,
  InputChoice,
  LeftOut,
  Message,
  Override,
  Report,
  Role,
  Source,
} from './types.js';

export interface Listeners extends Output {
  /** path of a signal, for formats with signals: the output is a CSV of its samples instead of a trace */
  samples?: string;
  /** encoding of each source as the user chose it; null: Tonkopf recognises it */
  encodings?: readonly (Encoding | null)[];
  /** set: makes only a report, and collects here the states from which convertPart continues */
  points?: Points;
}

export interface Conversion {
  report: Report;
  reportJson: string;
  messages: Message[];
  exitCode: number;
  /** replaces the first bytes of the trace; may be empty */
  head: Uint8Array<ArrayBuffer>;
  /** size of all blocks together */
  bytes: number;
  /** memory of the module; it never shrinks, so this is its peak */
  memoryBytes: number;
  /** numbers of items that the trace of a time range omits */
  leftOut: LeftOut;
}

/** A time range of a recording. Its trace equals the trace that `convert` makes with `from-ns` and `to-ns`. */
export interface Part {
  fromNs: bigint;
  toNs: bigint;
  /** length of a tick in ns, from the report of the whole recording */
  tickNs: string;
  /** points of a first pass with the same inputs and options; null: convertPart reads the recording from the beginning */
  points: Points | null;
  /** the output is a dump of the tracks, one JSON object per line, without the names that were defined before; it adds points to `points` that
   * other dumps can use */
  isDump?: boolean;
}

export type PartTrace = Pick<Conversion, 'head' | 'bytes' | 'memoryBytes'>;

const HEAD = 256 * 1024; // first bytes of each source, which Tonkopf reads to recognise it

/** Returns options and formats of the core. */
export async function describe(module: WebAssembly.Module | BufferSource): Promise<Catalogue> {
  return JSON.parse((await Module.open(module)).written('tk_catalogue_json')) as Catalogue;
}

/** Runs a conversion and closes its sources. After an error it passes on the last bytes too: the bytes written before an error are a valid trace. */
export async function withHost<Result>(host: Host, work: (host: Host) => Promise<Result>): Promise<Result> {
  try {
    return await work(host);
  } catch (error) {
    host.flush();
    throw error;
  } finally {
    await host.close();
  }
}

// ---- Recognising -----------------------------------------------------------------------------------------------------

/** Returns the index of the recording that an override assigns its input to; null: none. */
function partnerOf(inputs: readonly DetectedInput[], { with: partner }: Override): number | null {
  const index = inputs.findIndex((other) => partner === keyOf(other) || partner === String(other.source));
  return partner == null || index < 0 ? null : index;
}

/** Overrides by key: `keyOf` of an input, or the number of a source for all of its inputs. */
export type Overrides = Readonly<Record<string, Override>>;

/** Returns the inputs at the request `plan`, planned with the overrides of the user. */
export function plannedInputs(host: Host, overrides: Overrides): DetectedInput[] {
  const inputs = host.inputs();
  let isChanged = false;
  for (const [index, input] of inputs.entries()) {
    const override = overrides[keyOf(input)] ?? overrides[input.source];
    if (!override) continue;
    host.override(index, { ...override, with: partnerOf(inputs, override) });
    isChanged = true;
  }
  return isChanged ? host.inputs() : inputs;
}

/** Lists the inputs in the sources, with the plan of the core. `encodings`: encoding of each source as the user chose it; null: recognised. */
export async function inspect(
  module: WebAssembly.Module,
  sources: Source[],
  encodings: (Encoding | null)[] = [],
  overrides: Overrides = {},
  copies: Pick<HostOptions, 'newCopy'> = {},
): Promise<DetectedInput[]> {
  return withHost(await Host.open(module, sources, {}, { encodings, ...copies }), async (host) => {
    host.begin([]);
    await host.next(); // stops at the request `plan`
    return plannedInputs(host, overrides);
  });
}

/** Returns the format that the user chose, else the recognised one; null: none. */
function formatOf(choices: InputChoice[], chosen: string | undefined): string | null {
  if (chosen && chosen !== 'auto') return chosen;
  return choices.find(({ role }) => role === 'recording')?.detected.plan.format ?? null;
}

/** Returns the error for bytes that no format recognises, with the reason. */
export const notRecognised = (input: DetectedInput | undefined): CoreError => {
  const reason = input?.probe.reason ? `: ${input.probe.reason.replace(/\.$/, '')}` : '';
  return new CoreError('unknown-format', `This is not a recording that Tonkopf knows${reason}.`);
};

// ---- Converting --------------------------------------------------------------------------------------------------------

/** Returns the error for an output that was not completed. */
export function failureOf({ messages }: Host): CoreError {
  const text = messages.findLast(({ severity }) => severity === 'error')?.text ?? 'The conversion failed';
  return new CoreError(/out of memory$/.test(text) ? 'no-memory' : 'misuse', text);
}

const USAGE = 2;

/** A setting: the trace contains only names until `setRange` chooses its time range. */
const LATER: Setting = ['range', 'later'];
const samplesOf = (signal: string): Setting[] => [
  ['output', 'samples'],
  ['signal', signal],
];

/** Returns the sources that a recording consists of. The keys of `choices` number the inputs by these sources. */
function chosenFrom(
  sources: Source[],
  choices: InputChoice[],
  encodings: readonly (Encoding | null)[] = [],
): { sources: Source[]; encodings: (Encoding | null)[]; choices: Map<string, InputChoice> } {
  const numbers = [...new Set(choices.map(({ detected }) => detected.source))].sort((a, b) => a - b);
  const key = (detected: DetectedInput): string => keyOf({ ...detected, source: numbers.indexOf(detected.source) });
  return {
    sources: numbers.map((number) => sources[number]!),
    encodings: numbers.map((number) => encodings[number] ?? null),
    choices: new Map(choices.map((choice) => [key(choice.detected), choice])),
  };
}

/** Returns the number of bytes that a conversion of these inputs reads; null: unknown. Files of symbols do not count: it reads only a small part of them. */
export function sizeOf(sources: Source[], inputs: DetectedInput[]): number | null {
  const read = inputs.filter(({ probe }) => probe.content !== 'symbols');
  const isKnown = read.every(
    ({ gzip, member, source }) => !gzip && !member?.deflated && sources[source]!.size !== null,
  );
  return isKnown ? read.reduce((sum, { bytes }) => sum + bytes, 0) : null;
}

/** Overrides the plan so that the chosen inputs are one recording, even if a file has changed since it was inspected. */
function choose(host: Host, choices: Map<string, InputChoice>, format: string | null): void {
  const inputs = host.inputs();
  const first = inputs.findIndex((input) => choices.get(keyOf(input))?.role === 'recording');
  for (const [index, input] of inputs.entries()) {
    const choice = choices.get(keyOf(input));
    const role: Role | 'none' = choice?.role ?? 'none';
    host.override(index, {
      role,
      core: choice?.core ?? null,
      with: choice && index !== first ? first : null,
      format: choice ? (format ?? choice.detected.plan.format) : null,
    });
  }
}

const settingsOf = (options: Record<string, string>): Setting[] =>
  Object.entries(options).filter(([key, value]) => value && !(key === 'format' && value === 'auto'));

/** Opens a host for the inputs of one recording. Returns the choices of the user by the keys of the inputs in this host. */
async function hostOf(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  listeners: Listeners,
  hostOptions: HostOptions,
): Promise<{ host: Host; chosen: Map<string, InputChoice> }> {
  if (!formatOf(choices, options.format))
    throw notRecognised(choices.find(({ role }) => role === 'recording')?.detected);
  const chosen = chosenFrom(sources, choices, listeners.encodings);
  const host = await Host.open(module, chosen.sources, listeners, { encodings: chosen.encodings, ...hostOptions });
  return { host, chosen: chosen.choices };
}

/** Begins the conversion and opens its only output. */
async function openChosen(
  host: Host,
  options: Record<string, string>,
  settings: readonly Setting[],
  chosen: Map<string, InputChoice>,
): Promise<void> {
  const { format = 'auto' } = options;
  host.begin([], [...settingsOf(options), ...settings]);
  await host.next(); // stops at the request `plan`
  choose(host, chosen, format === 'auto' ? null : format);
  await expectStop(host, 'open');
  host.open();
}

async function expectStop(host: Host, wanted: Stop): Promise<void> {
  if ((await host.next()) !== wanted) throw failureOf(host);
}

/** Converts the inputs of one recording to a trace and a report; `listeners` choose other outputs. */
export async function convert(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  { points, samples, ...listeners }: Listeners = {},
): Promise<Conversion> {
  const output = points ? { ...listeners, onBlock: (block: Uint8Array) => points.write(block) } : listeners;
  const { host, chosen } = await hostOf(module, sources, choices, options, output, {
    bytesTotal: sizeOf(
      sources,
      choices.filter(({ role }) => role !== 'symbols').map(({ detected }) => detected),
    ),
    ...(points && { onRead: () => points.pass(host) }),
  });
  const settings: Setting[] = points ? [LATER] : samples === undefined ? [] : samplesOf(samples);
  return withHost(host, async () => {
    await openChosen(host, options, settings, chosen);
    await expectStop(host, 'close');
    const { bytes, head, progress: leftOut } = host,
      report = host.report();
    while ((await host.next()) !== 'done') host.skip();
    const { exitCode, messages } = host;
    if (exitCode === USAGE) throw failureOf(host);
    return { ...report, messages, exitCode, head, bytes, memoryBytes: host.module.memoryBytes, leftOut };
  });
}

// ---- Time ranges -------------------------------------------------------------------------------------------------------------

/** Returns the last point before a time range; null: none. Tick lengths may differ within the recording, so it assumes the longest one. */
function pointOf({ fromNs, tickNs, points }: Part, choices: InputChoice[]): Point | null {
  const named = choices.find(({ role, detected }) => role === 'recording' && detected.probe.namesTick)?.detected;
  const longest = [tickNs, named?.probe.tickNs ?? tickNs, '1']
    .map((ns) => BigInt(ns || 1))
    .reduce((a, b) => (a > b ? a : b));
  return points?.before(fromNs / longest) ?? null;
}

/** Saves states up to the start of the range. */
function passTo({ fromNs, tickNs, points }: Part, host: Host): void {
  const isBefore = BigInt(Math.ceil(host.progress.skippedUntilTicks)) * (BigInt(tickNs || 0) || 1n) < fromNs;
  if (isBefore) points?.pass(host);
}

/** Makes the trace of a time range, without a report. Reads the recording only up to the end of the range. */
export async function convertPart(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  part: Part,
  listeners: Listeners = {},
): Promise<PartTrace> {
  const point = pointOf(part, choices);
  const { host, chosen } = await hostOf(module, sources, choices, options, listeners, {
    keptLength: HEAD,
    ...(part.isDump && { onRead: () => passTo(part, host) }),
  });
  return withHost(host, async () => {
    if (point) {
      host.restore(point.state);
      if (!part.isDump) host.put(part.points!.namesOf(point));
    } else {
      await openChosen(host, options, [LATER], chosen);
    }
    if (part.isDump) host.dumpTracks();
    host.setRange(BigInt(part.tickNs || 0), part.fromNs, part.toNs);
    await expectStop(host, 'close');
    return { head: host.head, bytes: host.bytes, memoryBytes: host.module.memoryBytes };
  });
}
