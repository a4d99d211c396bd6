// SPDX-License-Identifier: MIT
// The library, the same in Node and in browsers; what differs is where the module and paths are read from.
import type { Abort, CommonOptions, Conversion, Input, Library, Options, Result, Value } from './api.js';
import {
  convert as convertChosen,
  describe as describeModule,
  inspect as inspectSources,
  recordingsOf,
  takesOption,
} from './convert.js';
import type { Listeners } from './convert.js';
import { InputError } from './errors.js';
import { bytesOf, saidOf, sourceOf } from './input.js';
import { Core, CoreError, ReportCore } from './tonkopf.js';
import type { InputChoice, Report, DetectedInput, Source, Override } from './types.js';

export interface Host {
  compile(): Promise<WebAssembly.Module>;
  open(path: string): Promise<Source>;
}

/** The module is compiled once; if it could not be loaded, the next call tries again. */
export function moduleOf(host: Host): () => Promise<WebAssembly.Module> {
  let compiling: Promise<WebAssembly.Module> | null = null;
  return () => {
    compiling ??= host.compile().catch((error: unknown) => {
      compiling = null;
      throw error;
    });
    return compiling;
  };
}

const listed = (input: Input | Input[]): Input[] => (Array.isArray(input) ? input : [input]);
const COMMON: readonly (keyof CommonOptions)[] = [
  'format',
  'tick-ns',
  'raw-events',
  'wall-clock-ns',
  'from-ns',
  'to-ns',
];

const OTHERS: readonly string[] = ['set', 'signal', 'onProgress', 'onBlock'] satisfies (keyof Options)[];

/** Options by the names and in the words of the core. One that is not known would change nothing without a word. */
function coreOptions(options: Options): Record<string, string> {
  const text = (value: Value): string => String(typeof value === 'boolean' ? Number(value) : value);
  const unknown = Object.keys(options).find(
    (key) => !OTHERS.includes(key) && !(COMMON as readonly string[]).includes(key),
  );
  if (unknown !== undefined)
    throw new CoreError('misuse', `${unknown}: no such option; those of one format stand in "set"`);
  const common = COMMON.flatMap((key) => (options[key] === undefined ? [] : [[key, text(options[key])] as const]));
  return Object.fromEntries([
    ...common,
    ...Object.entries(options.set ?? {}).map(([key, value]) => [key, text(value)] as const),
  ]);
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

function overrideOf(input: Input, format: string | undefined): Override {
  const { core, role } = saidOf(input);
  return { core: core ?? null, role: role ?? null, format: format === undefined || format === 'auto' ? null : format };
}

/** What works on reports alone, whatever made them. */
function reportTools(
  module: () => Promise<WebAssembly.Module>,
): Pick<
  Library,
  'reportSchema' | 'reportText' | 'reportMarkdown' | 'reportCsv' | 'compareReports' | 'isReport' | 'expectation' | 'checkExpectation'
> {
  let reports: Promise<ReportCore> | null = null;
  const reportCore = (): Promise<ReportCore> =>
    (reports ??= module()
      .then((compiled) => ReportCore.open(compiled))
      .catch((error: unknown) => {
        reports = null;
        throw error;
      }));
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

/** All output so far, as one piece. */
const taken = (core: Core): Uint8Array => core.takeOutput() ?? new Uint8Array();

function fed(core: Core, piece: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [],
    bytes = bytesOf(piece);
  if (!bytes) throw new InputError('unsupported', `A conversion takes bytes, not ${typeof piece}`);
  for (let at = 0; at < bytes.length;) {
    at += core.feed(0, bytes.subarray(at, at + core.inputSize));
    pieces.push(taken(core));
  }
  return joined(pieces, new Uint8Array());
}

function conversionOf(core: Core): Conversion {
  let isOpen = true;
  const open = (): Core => {
    if (!isOpen) throw new CoreError('misuse', 'This conversion has ended.'); // its memory is gone
    return core;
  };
  const close = (): void => {
    if (isOpen) core.close();
    isOpen = false;
  };
  return {
    feed: (bytes) => fed(open(), bytes),
    snapshot: () => open().snapshot(),
    save: () => open().save(),
    finish() {
      open().finish();
      const rest = taken(core),
        reportJson = core.reportJson();
      const ending = { rest, head: core.takeHead(), reportJson, report: JSON.parse(reportJson) as Report };
      close();
      return ending;
    },
    close,
  };
}

export function createLibrary(host: Host): Library {
  const module = moduleOf(host);
  const sourcesOf = (inputs: Input[], signal?: Abort): Promise<Source[]> =>
    Promise.all(inputs.map((input) => sourceOf(input, host.open, signal)));

  /** The inputs of each recording; what is not recognised and was given for nothing else is one too, and fails. */
  async function chosen(inputs: Input[], sources: Source[], { format }: Options): Promise<InputChoice[][]> {
    const overrides = Object.fromEntries(inputs.map((input, index) => [index, overrideOf(input, format)]));
    const detectedInputs = await inspectSources(await module(), sources, [], overrides);
    const recordings = recordingsOf(detectedInputs);
    const isIdle = ({ probe }: DetectedInput): boolean =>
      (probe.content === 'symbols' || probe.content === 'times') && recordings.length > 0;
    const isUnknown = ({ source, plan }: DetectedInput): boolean =>
      plan.role === 'none' && plan.format === null && (saidOf(inputs[source]!).role ?? 'recording') === 'recording';
    const unknown = detectedInputs.filter((detected) => isUnknown(detected) && !isIdle(detected));
    return [...recordings, ...unknown.map((detected): InputChoice[] => [{ detected, role: 'recording', core: null }])];
  }

  async function convertGroup(
    sources: Source[],
    choices: InputChoice[],
    told: Record<string, string>,
    options: Options,
  ): Promise<Result> {
    const blocks: Uint8Array[] = [];
    const { onBlock, onProgress, signal } = options;
    const listeners: Listeners = {
      onBlock: onBlock ?? ((block) => void blocks.push(block)),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    };
    const { report, reportJson, head } = await convertChosen(await module(), sources, choices, told, listeners);
    return { trace: joined(blocks, head), head, report, reportJson };
  }

  /** An option of one format is for the recordings of that format; where there are none all get it, and their reports say that it changed nothing. */
  async function sharedOut(
    told: Record<string, string>,
    groups: InputChoice[][],
  ): Promise<(choices: InputChoice[]) => Record<string, string>> {
    const { formats } = await describeModule(await module());
    const isOwn = (choices: InputChoice[], key: string): boolean =>
      takesOption(formats, choices, key) || !groups.some((others) => takesOption(formats, others, key));
    return (choices) => Object.fromEntries(Object.entries(told).filter(([key]) => isOwn(choices, key)));
  }

  async function convertAll(input: Input | Input[], options: Options = {}): Promise<Result[]> {
    options.signal?.throwIfAborted();
    const told = coreOptions(options),
      inputs = listed(input),
      sources = await sourcesOf(inputs, options.signal),
      results: Result[] = [];
    const groups = await chosen(inputs, sources, options),
      toldTo = await sharedOut(told, groups);
    for (const choices of groups) results.push(await convertGroup(sources, choices, toldTo(choices), options));
    return results;
  }

  async function convert(input: Input | Input[], options: Options = {}): Promise<Result> {
    options.signal?.throwIfAborted();
    const told = coreOptions(options),
      inputs = listed(input),
      sources = await sourcesOf(inputs, options.signal);
    const [first, ...others] = await chosen(inputs, sources, options);
    if (!first) throw new InputError('empty', 'None of these inputs is a recording');
    if (others.length)
      throw new InputError(
        'several',
        'These inputs are several recordings: convert them one by one, or use convertAll, or give each its core',
      );
    return convertGroup(sources, first, told, options);
  }

  const newCore = async (): Promise<Core> => Core.open(await module());

  async function startConversion({
    name = '',
    ...options
  }: Parameters<Library['startConversion']>[0] = {}): Promise<Conversion> {
    const core = await newCore();
    core.begin();
    for (const [key, value] of Object.entries(coreOptions(options))) core.setOption(key, value);
    core.addInput(name, 'recording', null);
    return conversionOf(core);
  }

  async function resumeConversion(state: Uint8Array): Promise<Conversion> {
    const core = await newCore();
    core.restore(state);
    return conversionOf(core);
  }

  return {
    convert,
    convertAll,
    startConversion,
    resumeConversion,
    ...reportTools(module),
    inspect: async (input) => inspectSources(await module(), await sourcesOf(listed(input))),
    describe: async () => describeModule(await module()),
  };
}
