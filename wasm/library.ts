// SPDX-License-Identifier: MIT
// The library for Node and browsers. A host provides the functions that differ: they load the module and open paths.
import { Check } from './check.js';
import type { Abort, CheckOptions, CommonOptions, Conversion, Input, Library, Options, Result, Value } from './api.js';
import {
  describe as describeModule,
  failureOf,
  inspect as inspectSources,
  notRecognised,
  plannedInputs,
  sizeOf,
  withHost,
} from './convert.js';
import type { Overrides } from './convert.js';
import { Handle } from './handle.js';
import { Host as ConversionHost } from './host.js';
import type { Output, Setting } from './host.js';
import { joined } from './copy.js';
import type { Copy } from './copy.js';
import { CoreError, InputError } from './errors.js';
import { bytesOf, saidOf, sourceOf } from './input.js';
import { Module } from './module.js';
import { ReportCore } from './reports.js';
import type { CheckResult, Report, DetectedInput, Source, Override } from './types.js';

export interface Host {
  compile(): Promise<WebAssembly.Module>;
  open(path: string): Promise<Source>;
  /** makes the copy of a source that can be read only once; undefined: copies are in memory */
  newCopy?(): Copy;
}

/** Returns a function that makes a value at its first call, and returns the same value at later calls. If making fails, the next call tries again. */
function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}

export const moduleOf = (host: Host): (() => Promise<WebAssembly.Module>) => madeOnce(() => host.compile());

const listed = (input: Input | Input[]): Input[] => (Array.isArray(input) ? input : [input]);
/** The members of Options that are no options of a recording. */
const OTHERS: readonly string[] = [
  'set',
  'expect',
  'failOn',
  'signal',
  'onProgress',
  'onBlock',
] satisfies (keyof Options)[];

const COMMON: readonly string[] = [
  'format',
  'tick-ns',
  'clock-hz',
  'raw-events',
  'wall-clock-ns',
  'from-ns',
  'to-ns',
] satisfies (keyof CommonOptions)[];

/** Returns the options of a recording as keys and texts for the core, which refuses an unknown one. */
function coreOptions({ set = {}, ...options }: Options): Setting[] {
  const common = Object.entries(options).filter(([key]) => !OTHERS.includes(key));
  const unknown = common.find(([key]) => !COMMON.includes(key));
  if (unknown) throw new CoreError('misuse', `${unknown[0]}: no such option; write those of one format in "set"`);
  return [...common, ...Object.entries(set)]
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, String(typeof value === 'boolean' ? Number(value) : value)]);
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): Item[] =>
  value === undefined ? [] : Array.isArray(value) ? [...(value as readonly Item[])] : [value as Item];

/** Returns the settings of a conversion. The report covers the same time range as the trace. */
const settingsOf = ({ expect, failOn }: Options): Setting[] => [
  ['figures', 'range'],
  ...listOf(expect).map((text): Setting => ['expect', String(text)]),
  ...listOf(failOn).map((word): Setting => ['fail-on', String(word)]),
];

/** Returns the trace in these blocks. `head` replaces its first bytes. */
function traceOf(blocks: Uint8Array[], head: Uint8Array): Uint8Array<ArrayBuffer> {
  const trace = joined(blocks);
  if (trace.length) trace.set(head);
  return trace;
}

function overrideOf(input: Input): Override {
  const { core, role } = saidOf(input);
  return { core: core ?? null, role: role ?? null };
}

/** Returns the inputs that the caller passed as recordings and that no format recognises. Ignores files in archives if there are other recordings: an archive may contain any files. */
function unknownOf(inputs: Input[], detectedInputs: DetectedInput[], hasRecordings: boolean): DetectedInput[] {
  const isIdle = ({ probe }: DetectedInput): boolean =>
    (probe.content === 'symbols' || probe.content === 'times') && hasRecordings;
  const isUnknown = ({ source, plan }: DetectedInput): boolean =>
    plan.role === 'none' && plan.format === null && (saidOf(inputs[source]!).role ?? 'recording') === 'recording';
  const unknown = detectedInputs.filter((detected) => isUnknown(detected) && !isIdle(detected));
  return hasRecordings ? unknown.filter(({ member }) => !member) : unknown;
}

const jsonOf = (report: Report | string): string => (typeof report === 'string' ? report : JSON.stringify(report));

function fed(handle: Handle, piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [],
    bytes = bytesOf(piece);
  if (!bytes) throw new InputError('unsupported', `A conversion takes bytes, not ${typeof piece}`);
  for (let at = 0; at < bytes.length;) {
    at += handle.feed(0, bytes.subarray(at, at + handle.module.inputSize));
    pieces.push(handle.module.take('trace'));
  }
  return joined(pieces);
}

function conversionOf(handle: Handle): Conversion {
  let isOpen = true;
  const open = (): Handle => {
    if (!isOpen) throw new CoreError('misuse', 'This conversion has ended.'); // the memory of the handle is freed
    return handle;
  };
  const close = (): void => {
    if (isOpen) handle.close();
    isOpen = false;
  };
  return {
    feed: (bytes) => fed(open(), bytes),
    snapshot: () => open().snapshot(),
    save: () => open().save(),
    finish() {
      open().finish();
      const reportJson = handle.reportJson();
      const ending = { ...handle.ending(), reportJson, report: JSON.parse(reportJson) as Report };
      close();
      return ending;
    },
    close,
  };
}

/** Closes all sources, also streams that the conversion did not begin to read. */
const closeAll = async (sources: Source[]): Promise<void> => {
  await Promise.all(sources.map((source) => source.close?.()));
};

export function createLibrary(host: Host): Library {
  const module = moduleOf(host),
    reports = madeOnce(async () => ReportCore.open(await module())),
    copies = host.newCopy ? { newCopy: host.newCopy } : {};

  /** Makes the sources of all inputs. If an input is invalid, closes the other sources and throws. */
  async function sourcesOf(inputs: Input[], signal?: Abort): Promise<Source[]> {
    const results = await Promise.allSettled(inputs.map(async (input) => sourceOf(input, host.open, signal)));
    const sources = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refused = results.find((result) => result.status === 'rejected');
    if (!refused) return sources;
    await closeAll(sources);
    throw refused.reason;
  }

  /** Begins a conversion of the sources, and passes it to `work` with the inputs that it has planned. */
  async function convertWith<Answer>(
    inputs: Input[],
    sources: Source[],
    options: Options,
    { onBlock, settings = [] }: Pick<Output, 'onBlock'> & { settings?: Setting[] },
    work: (conversion: ConversionHost, detectedInputs: DetectedInput[]) => Promise<Answer>,
  ): Promise<Answer> {
    const { onProgress, signal } = options;
    const output: Output = {
      ...(onBlock && { onBlock }),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    };
    const overrides: Overrides = Object.fromEntries(inputs.map((input, index) => [index, overrideOf(input)]));
    return withHost(await ConversionHost.open(await module(), sources, output, copies), async (conversion) => {
      conversion.begin(coreOptions(options), [...settingsOf(options), ...settings]);
      await conversion.next(); // stops at the request `plan`
      return work(conversion, plannedInputs(conversion, overrides));
    });
  }

  /** Converts the recordings in the inputs. `accept` throws if their number is wrong. */
  async function run(inputs: Input[], options: Options, accept: (recordings: number) => void): Promise<Result[]> {
    const sources = await sourcesOf(inputs, options.signal);
    return convertSources(inputs, sources, options, accept).finally(() => closeAll(sources));
  }

  async function convertSources(
    inputs: Input[],
    sources: Source[],
    options: Options,
    accept: (recordings: number) => void,
  ): Promise<Result[]> {
    options.signal?.throwIfAborted();
    let blocks: Uint8Array[] = [];
    const onBlock = options.onBlock ?? ((block: Uint8Array) => void blocks.push(block));
    return convertWith(inputs, sources, options, { onBlock }, async (host, detectedInputs) => {
      const groups = [...new Set(detectedInputs.flatMap(({ plan }) => plan.group ?? []))];
      const unknown = unknownOf(inputs, detectedInputs, groups.length > 0);
      accept(groups.length + unknown.length);
      if (unknown.length) throw notRecognised(unknown[0]);
      const results: Result[] = [];
      for (let stop = await host.next(); stop !== 'done'; stop = await host.next()) {
        if (stop === 'open') {
          blocks = [];
          const { number } = host.recording;
          host.bytesTotal = sizeOf(
            sources,
            detectedInputs.filter(({ plan }) => plan.group === number || plan.serves.includes(number)),
          );
          host.open();
        } else if (stop === 'close') {
          const { head, messages } = host;
          results.push({ trace: traceOf(blocks, head), head, ...host.report(), messages, exitCode: 0 });
        } else {
          throw failureOf(host);
        }
      }
      if (results.length < groups.length) throw failureOf(host);
      return results.map((result) => ({ ...result, exitCode: host.exitCode }));
    });
  }

  const convertAll = (input: Input | Input[], options: Options = {}): Promise<Result[]> =>
    run(listed(input), options, () => {});

  async function convert(input: Input | Input[], options: Options = {}): Promise<Result> {
    const [result] = await run(listed(input), options, (recordings) => {
      if (!recordings) throw new InputError('empty', 'None of these inputs is a recording');
      if (recordings > 1)
        throw new InputError(
          'several',
          'These inputs are several recordings: convert them one by one, or use convertAll, or give each its core',
        );
    });
    return result!;
  }

  async function startConversion({
    name = '',
    ...options
  }: Parameters<Library['startConversion']>[0] = {}): Promise<Conversion> {
    const handle = await Handle.open(await module());
    handle.begin();
    for (const [key, value] of coreOptions(options)) handle.setOption(key, value);
    handle.addInput(name, 'recording', null);
    return conversionOf(handle);
  }

  async function resumeConversion(state: Uint8Array): Promise<Conversion> {
    const handle = await Handle.open(await module());
    handle.restore(state);
    return conversionOf(handle);
  }

  /** Opens the inputs that exist; notes the others. */
  async function readableOf(
    check: Check,
    inputs: Input[],
    signal?: Abort,
  ): Promise<{ input: Input; source: Source }[]> {
    const found: { input: Input; source: Source }[] = [];
    for (const input of inputs) {
      try {
        found.push({ input, source: await sourceOf(input, host.open, signal) });
      } catch (error) {
        signal?.throwIfAborted();
        const text = error instanceof Error ? error.message : String(error);
        check.noteUnread(typeof input === 'string' ? input : '', text);
      }
    }
    return found;
  }

  /** Judges every recording in the sources; notes the inputs that are none. */
  async function judge(
    check: Check,
    rules: string,
    inputs: Input[],
    sources: Source[],
    options: Options,
  ): Promise<void> {
    const settings: Setting[] = [
      ['output', 'report'],
      ['rules', rules],
    ];
    return convertWith(inputs, sources, options, { settings }, async (conversion) => {
      for (let stop = await conversion.next(); stop !== 'done'; stop = await conversion.next()) {
        if (stop === 'open') conversion.open();
        else if (stop === 'close') check.judge(conversion.report().reportJson, conversion.recording.name);
      }
      for (const { severity, source, text } of conversion.messages)
        if (severity === 'error') check.noteUnread(sources[source]?.name ?? '', text);
    });
  }

  async function check(
    rules: string | Uint8Array,
    input: Input | Input[],
    { baseline, name = 'rules', ...options }: CheckOptions = {},
  ): Promise<CheckResult> {
    for (const key of ['expect', 'failOn', 'onBlock'])
      if (key in options) throw new CoreError('misuse', `${key} is no option of check; write it as a rule`);
    const found = new Check(await Module.open(await module()), name, rules);
    try {
      if (baseline !== undefined) found.setBaseline('the baseline', jsonOf(baseline));
      if (!found.isWrong) {
        const readable = await readableOf(found, listed(input), options.signal),
          sources = readable.map(({ source }) => source);
        const inputs = readable.map((one) => one.input);
        const text = typeof rules === 'string' ? rules : new TextDecoder().decode(rules);
        if (sources.length) await judge(found, text, inputs, sources, options).finally(() => closeAll(sources));
      }
      return found.result();
    } finally {
      found.close();
    }
  }

  async function reportCsv(report: Report | string, table: string): Promise<string> {
    const csv = (await reports()).csv(jsonOf(report), table);
    if (csv === null) throw new Error(`The report has no table "${table}"`);
    return csv;
  }

  return {
    check,
    convert,
    convertAll,
    startConversion,
    resumeConversion,
    reportCsv,
    reportSchema: async () => structuredClone((await reports()).schema()),
    reportText: async (report) => (await reports()).write(jsonOf(report), 'text'),
    reportMarkdown: async (report) => (await reports()).write(jsonOf(report), 'markdown'),
    compareReports: async (before, after) => (await reports()).compare(jsonOf(before), jsonOf(after)),
    isReport: async (json) => (await reports()).reads(json),
    expectation: async (report, expression) => (await reports()).expect(jsonOf(report), expression),
    checkExpectation: async (expression) => (await reports()).checkExpectation(expression),
    inspect: async (input) => {
      const sources = await sourcesOf(listed(input));
      return module()
        .then((compiled) => inspectSources(compiled, sources, [], {}, copies))
        .finally(() => closeAll(sources));
    },
    describe: async () => describeModule(await module()),
  };
}
