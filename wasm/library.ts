// SPDX-License-Identifier: MIT
// The library for Node and browsers. A host provides the functions that differ: they load the module and open paths.
import type { Abort, CommonOptions, Conversion, Input, Library, Options, Result, Value } from './api.js';
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
import type { Copy } from './copy.js';
import { CoreError, InputError } from './errors.js';
import { bytesOf, saidOf, sourceOf } from './input.js';
import { ReportCore } from './reports.js';
import type { Report, DetectedInput, Source, Override } from './types.js';

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
const COMMON: readonly (keyof CommonOptions)[] = [
  'format',
  'tick-ns',
  'raw-events',
  'wall-clock-ns',
  'from-ns',
  'to-ns',
];

const OTHERS: readonly string[] = [
  'set',
  'expect',
  'failOn',
  'signal',
  'onProgress',
  'onBlock',
] satisfies (keyof Options)[];

/** Settings of a conversion (tk_conversion_set) that are no options of a recording. */
const OWN: readonly string[] = [
  'output',
  'expect',
  'fail-on',
  'stage',
  'json',
  'event',
  'task',
  'core',
  'like',
  'signal',
  'figures',
  'range',
  'unused',
];

/** Returns the options as keys and texts for the core. Throws for an unknown option, because the core would ignore it. */
function coreOptions(options: Options): Record<string, string> {
  const text = (value: Value): string => String(typeof value === 'boolean' ? Number(value) : value);
  const unknown = Object.keys(options).find(
    (key) => !OTHERS.includes(key) && !(COMMON as readonly string[]).includes(key),
  );
  if (unknown !== undefined)
    throw new CoreError('misuse', `${unknown}: no such option; those of one format stand in "set"`);
  const own = Object.keys(options.set ?? {}).find((key) => OWN.includes(key));
  if (own !== undefined) throw new CoreError('misuse', `${own} is no option of a recording`);
  const common = COMMON.flatMap((key) => (options[key] === undefined ? [] : [[key, text(options[key])] as const]));
  return Object.fromEntries([
    ...common,
    ...Object.entries(options.set ?? {}).map(([key, value]) => [key, text(value)] as const),
  ]);
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): Item[] =>
  value === undefined ? [] : Array.isArray(value) ? [...(value as readonly Item[])] : [value as Item];

/** Returns the settings of a conversion. The report covers the same time range as the trace. */
function settingsOf(options: Options): Setting[] {
  const { expect, failOn } = options;
  const settings = Object.entries(coreOptions(options)).filter(([key, value]) => key !== 'format' || value !== 'auto');
  return [
    ...settings,
    ['figures', 'range'],
    ...listOf(expect).map((text): Setting => ['expect', String(text)]),
    ...listOf(failOn).map((word): Setting => ['fail-on', String(word)]),
  ];
}

function joined(blocks: Uint8Array[], head: Uint8Array): Uint8Array {
  const trace = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    trace.set(block, at);
    at += block.length;
  }
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

/** Returns the functions of the library that work on reports. */
function reportTools(
  module: () => Promise<WebAssembly.Module>,
): Pick<
  Library,
  | 'reportSchema'
  | 'reportText'
  | 'reportMarkdown'
  | 'reportCsv'
  | 'compareReports'
  | 'isReport'
  | 'expectation'
  | 'checkExpectation'
> {
  const reportCore = madeOnce(async () => ReportCore.open(await module()));
  const jsonOf = (report: Report | string): string => (typeof report === 'string' ? report : JSON.stringify(report));

  async function reportCsv(report: Report | string, table: string): Promise<string> {
    const csv = (await reportCore()).csv(jsonOf(report), table);
    if (csv === null) throw new Error(`The report has no table "${table}"`);
    return csv;
  }

  return {
    reportCsv,
    reportSchema: async () => structuredClone((await reportCore()).schema()),
    reportText: async (report) => (await reportCore()).write(jsonOf(report), 'text'),
    reportMarkdown: async (report) => (await reportCore()).write(jsonOf(report), 'markdown'),
    compareReports: async (before, after) => (await reportCore()).compare(jsonOf(before), jsonOf(after)),
    isReport: async (json) => (await reportCore()).reads(json),
    expectation: async (report, expression) => (await reportCore()).expect(jsonOf(report), expression),
    checkExpectation: async (expression) => (await reportCore()).checkExpectation(expression),
  };
}

function fed(handle: Handle, piece: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [],
    bytes = bytesOf(piece);
  if (!bytes) throw new InputError('unsupported', `A conversion takes bytes, not ${typeof piece}`);
  for (let at = 0; at < bytes.length;) {
    at += handle.feed(0, bytes.subarray(at, at + handle.module.inputSize));
    pieces.push(handle.takeOutput());
  }
  return joined(pieces, new Uint8Array());
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
    const settings = settingsOf(options);
    let blocks: Uint8Array[] = [];
    const { onBlock, onProgress, signal } = options;
    const output: Output = {
      onBlock: onBlock ?? ((block) => void blocks.push(block)),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    };
    const overrides: Overrides = Object.fromEntries(inputs.map((input, index) => [index, overrideOf(input)]));
    return withHost(await ConversionHost.open(await module(), sources, output, copies), async (host) => {
      host.begin(settings);
      await host.next(); // stops at the request `plan`
      const detectedInputs = plannedInputs(host, overrides);
      const groups = [...new Set(detectedInputs.flatMap(({ plan }) => plan.group ?? []))];
      const unknown = unknownOf(inputs, detectedInputs, groups.length > 0);
      accept(groups.length + unknown.length);
      if (unknown.length) throw notRecognised(unknown[0]);
      const results: Result[] = [];
      for (let stop = await host.next(); stop !== 'done'; stop = await host.next()) {
        if (stop === 'open') {
          blocks = [];
          const group = groups[results.length]!;
          host.bytesTotal = sizeOf(
            sources,
            detectedInputs.filter(({ plan }) => plan.group === group || plan.serves.includes(group)),
          );
          host.open();
        } else if (stop === 'close') {
          const { head, messages } = host;
          results.push({ trace: joined(blocks, head), head, ...host.report(), messages, exitCode: 0 });
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
    for (const [key, value] of Object.entries(coreOptions(options))) handle.setOption(key, value);
    handle.addInput(name, 'recording', null);
    return conversionOf(handle);
  }

  async function resumeConversion(state: Uint8Array): Promise<Conversion> {
    const handle = await Handle.open(await module());
    handle.restore(state);
    return conversionOf(handle);
  }

  return {
    convert,
    convertAll,
    startConversion,
    resumeConversion,
    ...reportTools(module),
    inspect: async (input) => {
      const sources = await sourcesOf(listed(input));
      return module()
        .then((compiled) => inspectSources(compiled, sources, [], {}, copies))
        .finally(() => closeAll(sources));
    },
    describe: async () => describeModule(await module()),
  };
}
