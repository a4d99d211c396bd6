// SPDX-License-Identifier: MIT
// From files to a trace, the same for the page's worker and for Node: hosts of the core's conversion.
import { keyOf } from './cache-key.js';
import { Host } from './host.js';
import type { HostOptions, Output, Stop } from './host.js';
import type { Point, Points } from './checkpoints.js';
import { Core, CoreError } from './tonkopf.js';
import type { LeftOut } from './tonkopf.js';
import type {
  Catalogue,
  DetectedInput,
  Encoding,
  FormatInfo,
  InputChoice,
  Message,
  Override,
  Report,
  Role,
  Source,
} from './types.js';

export { CoreError } from './tonkopf.js';
export type { Catalogue, Encoding } from './types.js';

const STAGES = ['frames', 'records', 'events', 'tracks', 'outline', 'vendor', 'jobs'] as const;

/** Lines of a stage; `only`: filters by event, task and core. */
export interface Dump {
  stage: number;
  json: boolean;
  only?: (readonly [key: string, value: string])[];
}

export interface Listeners extends Output {
  /** lines of a stage instead of a trace; blocks are then text */
  dump?: Dump;
  /** instead of a trace the samples of the signal of this path, as CSV; of formats that have signals */
  samples?: string;
  /** of each source, as the user chose it; null: recognised again */
  encodings?: readonly (Encoding | null)[];
  /** a report and no trace: takes the places from which convertPart may go on */
  points?: Points;
}

export interface Conversion {
  report: Report;
  reportJson: string;
  messages: Message[];
  exitCode: number;
  /** replaces the first bytes of the blocks; may be empty */
  head: Uint8Array<ArrayBuffer>;
  /** of all blocks together */
  bytes: number;
  /** of the instance of the module: it never shrinks, so this is its peak */
  memoryBytes: number;
  /** what a trace of everything would hold besides, where the blocks are those of a part */
  leftOut: LeftOut;
}

/** A part of a recording: its trace is the one that `convert` makes with `from-ns` and `to-ns`. */
export interface Part {
  fromNs: bigint;
  toNs: bigint;
  /** length of a tick as the report of the whole names it */
  tickNs: string;
  /** of a first pass with the same inputs and options; null: it is read from the beginning */
  points: Points | null;
}

export type PartTrace = Pick<Conversion, 'head' | 'bytes' | 'memoryBytes'>;

type Setting = readonly [key: string, value: string];

const HEAD = 256 * 1024; // of each source, by which it is recognised

/** Options and formats of the core. */
export async function describe(module: WebAssembly.Module | BufferSource): Promise<Catalogue> {
  return (await Core.open(module)).catalogue();
}

/** Runs a conversion, and closes what it reads from. What it wrote before an error is a trace. */
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

/** Index of the input that an override names as its partner. */
function partnerOf(inputs: readonly DetectedInput[], { with: partner }: Override): number | null {
  const index = inputs.findIndex((other) => partner === keyOf(other) || partner === String(other.source));
  return partner == null || index < 0 ? null : index;
}

/** By keyOf, or by the number of a source for all that is in it. */
export type Overrides = Readonly<Record<string, Override>>;

/** The inputs at `plan`, planned with what the user chose. */
export function plannedInputs(core: Core, overrides: Overrides): DetectedInput[] {
  const inputs = core.inputs();
  let isChanged = false;
  for (const [index, input] of inputs.entries()) {
    const override = overrides[keyOf(input)] ?? overrides[input.source];
    if (!override) continue;
    core.override(index, { ...override, with: partnerOf(inputs, override) });
    isChanged = true;
  }
  return isChanged ? core.inputs() : inputs;
}

/**
 * What is in the sources, what it is for, and which of it belongs together. `encodings`: by hand, per source; null:
 * recognised. `overrides`: by keyOf, or by the number of a source for all that is in it.
 */
export async function inspect(
  module: WebAssembly.Module,
  sources: Source[],
  encodings: (Encoding | null)[] = [],
  overrides: Overrides = {},
  copies: Pick<HostOptions, 'newCopy'> = {},
): Promise<DetectedInput[]> {
  const core = await Core.open(module);
  return withHost(new Host(core, sources, {}, { encodings, ...copies }), async (host) => {
    host.begin([]);
    await host.next(); // the plan
    return plannedInputs(core, overrides);
  });
}

/** The inputs of each trace, with what helps to read it. */
export function recordingsOf(detectedInputs: readonly DetectedInput[]): InputChoice[][] {
  const groups = [...new Set(detectedInputs.flatMap(({ plan }) => plan.group ?? []))];
  return groups.map((group) =>
    detectedInputs
      .flatMap((detected) => {
        const { role, core, ...plan } = detected.plan;
        return role !== 'none' && (plan.group === group || plan.serves.includes(group))
          ? [{ detected, role, core: role === 'recording' ? core : null }]
          : [];
      })
      .sort((a, b) => a.detected.plan.order - b.detected.plan.order),
  );
}

/** The format that the user chose, else the recognised one. */
function formatOf(choices: InputChoice[], chosen: string | undefined): string | null {
  if (chosen && chosen !== 'auto') return chosen;
  return choices.find(({ role }) => role === 'recording')?.detected.plan.format ?? null;
}

/** Whether a recording takes an option. False for an option that only other formats have; true for a common or unknown one. */
export function takesOption(formats: FormatInfo[], choices: InputChoice[], key: string): boolean {
  const format = formatOf(choices, undefined),
    having = formats.filter(({ options }) => options.some((option) => option.key === key));
  return format === null || !having.length || having.some(({ name }) => name === format);
}

/** The error for bytes that no format recognises, with the reason. */
export const notRecognised = (input: DetectedInput | undefined): CoreError => {
  const reason = input?.probe.reason ? `: ${input.probe.reason.replace(/\.$/, '')}` : '';
  return new CoreError('unknown-format', `This is not a recording that Tonkopf knows${reason}.`);
};

// ---- Converting --------------------------------------------------------------------------------------------------------

/** The error for an output that was not completed. */
export function failureOf({ core, messages }: Host): CoreError {
  const text = messages.findLast(({ severity }) => severity === 'error')?.text ?? 'The conversion failed';
  return new CoreError(/out of memory$/.test(text) ? 'no-memory' : 'misuse', text);
}

const USAGE = 2;

export const reportOf = (core: Core): Pick<Conversion, 'report' | 'reportJson'> => {
  const reportJson = core.reportJson();
  return { reportJson, report: JSON.parse(reportJson) as Report };
};

/** The sources that a recording is made from, and its inputs by their numbers among them. */
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

const sizeOf = (sources: Source[], choices: InputChoice[]): number | null => {
  let total = 0;
  for (const { detected, role } of choices) {
    if (role === 'symbols') continue; // of these little is read
    if (detected.gzip || detected.member?.deflated || sources[detected.source]!.size === null) return null;
    total += detected.bytes;
  }
  return total;
};

/** Overrides the plan so that the choices are one recording, also when a file has changed since it was inspected. */
function choose(core: Core, choices: Map<string, InputChoice>, format: string | null): void {
  const inputs = core.inputs();
  const first = inputs.findIndex((input) => choices.get(keyOf(input))?.role === 'recording');
  for (const [index, input] of inputs.entries()) {
    const choice = choices.get(keyOf(input));
    const role: Role | 'none' = choice?.role ?? 'none';
    core.override(index, {
      role,
      core: choice?.core ?? null,
      with: choice && index !== first ? first : null,
      format: choice ? (format ?? choice.detected.plan.format) : null,
    });
  }
}

const settingsOf = (options: Record<string, string>): Setting[] =>
  Object.entries(options).filter(([key, value]) => value && !(key === 'format' && value === 'auto'));

function outputSettings({ dump, samples, points }: Listeners): Setting[] {
  if (points) return [['range', 'later']];
  if (samples !== undefined)
    return [
      ['output', 'samples'],
      ['signal', samples],
    ];
  if (!dump) return [];
  const stage = STAGES[dump.stage] ?? 'events';
  return [
    ['output', 'dump'],
    stage === 'vendor' ? ['like', 'original'] : ['stage', stage],
    ...(dump.json ? [['json', '1'] as const] : []),
    ...(dump.only ?? []),
  ];
}

/** Up to the only output of these choices. */
async function openChosen(
  host: Host,
  options: Record<string, string>,
  settings: readonly Setting[],
  choices: Map<string, InputChoice>,
): Promise<void> {
  const { format = 'auto' } = options;
  host.begin([...settingsOf(options), ...settings]);
  await host.next(); // the plan
  choose(host.core, choices, format === 'auto' ? null : format);
  if ((await host.next()) !== 'open') throw failureOf(host);
  host.open();
}

async function expectStop(host: Host, wanted: Stop): Promise<void> {
  if ((await host.next()) !== wanted) throw failureOf(host);
}

/** Converts the inputs of one recording. */
export async function convert(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  listeners: Listeners = {},
): Promise<Conversion> {
  if (!formatOf(choices, options.format))
    throw notRecognised(choices.find(({ role }) => role === 'recording')?.detected);
  const core = await Core.open(module);
  const chosen = chosenFrom(sources, choices, listeners.encodings);
  const { points } = listeners;
  const output = points
    ? { ...listeners, onBlock: (block: Uint8Array<ArrayBuffer>) => points.write(block) }
    : listeners;
  const host = new Host(core, chosen.sources, output, {
    encodings: chosen.encodings,
    bytesTotal: sizeOf(sources, choices),
    ...(points && { onRead: () => points.pass(core) }),
  });
  return withHost(host, async () => {
    await openChosen(host, options, outputSettings(listeners), chosen.choices);
    core.openOutput(true);
    await expectStop(host, 'close');
    const { bytes, head, messages } = host,
      { leftOut } = core,
      report = reportOf(core);
    while ((await host.next()) !== 'done') core.openOutput(false);
    if (core.exitCode === USAGE) throw failureOf(host);
    return { ...report, messages, exitCode: core.exitCode, head, bytes, memoryBytes: core.memoryBytes, leftOut };
  });
}

// ---- Parts -------------------------------------------------------------------------------------------------------------

/** The last point before a part. The tick length may change within the recording: the longest one counts. */
function pointOf({ fromNs, tickNs, points }: Part, choices: InputChoice[]): Point | null {
  const named = choices.find(({ role, detected }) => role === 'recording' && detected.probe.namesTick)?.detected;
  const longest = [tickNs, named?.probe.tickNs ?? tickNs, '1']
    .map((ns) => BigInt(ns || 1))
    .reduce((a, b) => (a > b ? a : b));
  return points?.before(fromNs / longest) ?? null;
}

/** Makes the trace of a time range without a report. Reads only as far as the trace needs. */
export async function convertPart(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  part: Part,
  listeners: Listeners = {},
): Promise<PartTrace> {
  if (!formatOf(choices, options.format))
    throw notRecognised(choices.find(({ role }) => role === 'recording')?.detected);
  const core = await Core.open(module);
  const chosen = chosenFrom(sources, choices, listeners.encodings);
  const point = pointOf(part, choices);
  const host = new Host(core, chosen.sources, listeners, { encodings: chosen.encodings, keptLength: HEAD });
  return withHost(host, async () => {
    if (point) {
      core.restore(point.state);
      host.open();
      host.put(part.points!.namesOf(point));
    } else {
      await openChosen(host, options, [['range', 'later']], chosen.choices);
    }
    core.setRange(BigInt(part.tickNs || 0), part.fromNs, part.toNs);
    if (!point) core.openOutput(true);
    await expectStop(host, 'close');
    return { head: host.head, bytes: host.bytes, memoryBytes: core.memoryBytes };
  });
}
