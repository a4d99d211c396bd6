// SPDX-License-Identifier: MIT
// The library for Node: files or bytes in, a Perfetto trace and a report out. The same core as in the page.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { convert as convertChosen, describe as describeModule, inspect as inspectSources, recordingsOf } from './convert.js';
import type { Catalogue, Listeners, Modules } from './convert.js';
import { gunzip, inflate } from './gunzip.js';
import { ReportCore } from './tonkopf.js';
import type { Expectation } from './tonkopf.js';
import type { InputChoice, Report, Sighting, Source, Wish } from './types.js';

export { CoreError } from './convert.js';
export type { Expectation } from './tonkopf.js';
export type * from './types.js';

/** A path, bytes, or bytes with a name; `core`: of a file that holds one; `side`: only helps to read the others. */
export type Input = string | Uint8Array | Source | { name: string; bytes: Uint8Array; core?: number; side?: boolean };

export interface Options extends Pick<Listeners, 'onProgress' | 'onBlock' | 'signal' | 'dump'> {
  /** options of the core by key: format, mode, tick-ns, raw-events ... */
  [key: string]: unknown;
}

export interface Result {
  /** the trace as one array; empty when onBlock took the blocks */
  trace: Uint8Array;
  /** with onBlock: replaces the first bytes of the blocks; may be empty */
  head: Uint8Array;
  report: Report;
  /** as the core wrote it; `report` has in addition what the reading side found */
  reportJson: string;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

function module(name: string): Promise<WebAssembly.Module> {
  const known = compiled.get(name) ?? readFile(new URL(name, import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(name, known);
  return known;
}

export const modules = async (): Promise<Modules> => ({
  core: await module('./tonkopf-all.wasm'),
  text: () => module('./tonkopf-text.wasm'),
  unpack: async () => ({ gunzip, inflate }),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length) yield bytes;
}

const bytesSource = (name: string, bytes: Uint8Array): Source => ({ name, size: bytes.length, open: () => once(bytes), openAt: (offset) => once(bytes.subarray(offset)) });

async function sourceOf(input: Input): Promise<Source> {
  if (typeof input === 'string') {
    const { size } = await stat(input);
    const openAt = (start: number): ReturnType<typeof createReadStream> => createReadStream(input, { start, highWaterMark: 1 << 20 });
    return { name: basename(input), size, open: () => openAt(0), openAt };
  }
  if (input instanceof Uint8Array) return bytesSource('', input);
  return 'open' in input ? input : bytesSource(input.name, input.bytes);
}

const listed = (input: Input | Input[]): Input[] => (Array.isArray(input) ? input : [input]);

/** What is in the inputs and which of them belong together. */
export async function inspect(input: Input | Input[]): Promise<Sighting[]> {
  return inspectSources(await modules(), await Promise.all(listed(input).map(sourceOf)));
}

export async function describe(): Promise<Catalogue> {
  return describeModule((await modules()).core);
}

const given = (input: Input | undefined): { core?: number; side?: boolean } => (typeof input === 'object' && 'bytes' in input ? input : {});

/** The inputs of each recording; what is not recognised and was not given as a side input is one too, and fails. */
async function chosen(inputs: Input[], sources: Source[], { format }: Options): Promise<InputChoice[][]> {
  const wish = (input: Input): Wish => {
    const { core, side } = given(input);
    return { core: core ?? null, role: side === undefined ? null : side ? 'names' : 'recording', format: format == null || format === 'auto' ? null : String(format) };
  };
  const sightings = await inspectSources(await modules(), sources, [], Object.fromEntries(inputs.map((input, index) => [index, wish(input)])));
  const recordings = recordingsOf(sightings);
  const isIdle = ({ probe }: Sighting): boolean => (probe.content === 'symbols' || probe.content === 'times') && recordings.length > 0;
  const unknown = sightings.filter((sighting) => sighting.plan.role === 'none' && sighting.plan.format === null && !given(inputs[sighting.source]).side && !isIdle(sighting));
  return [...recordings, ...unknown.map((sighting): InputChoice[] => [{ sighting, role: 'recording', core: null }])];
}

function coreOptions(options: Options): Record<string, string> {
  const own = new Set(['onProgress', 'onBlock', 'signal', 'dump']);
  return Object.fromEntries(Object.entries(options).flatMap(([key, value]) => (own.has(key) || value == null ? [] : [[key, String(value)]])));
}

async function convertGroup(sources: Source[], choices: InputChoice[], options: Options): Promise<Result> {
  const blocks: Uint8Array[] = [];
  const { onBlock, onProgress, signal, dump } = options;
  const listeners: Listeners = { onBlock: onBlock ?? ((block) => void blocks.push(block)), ...(onProgress && { onProgress }), ...(signal && { signal }), ...(dump && { dump }) };
  const { report, reportJson, head } = await convertChosen(await modules(), sources, choices, coreOptions(options), listeners);
  const trace = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    trace.set(block, at);
    at += block.length;
  }
  if (trace.length) trace.set(head);
  return { trace, head, report, reportJson };
}

/** Every recording in the inputs: what belongs together is one, anything else one of its own. */
export async function convertAll(input: Input | Input[], options: Options = {}): Promise<Result[]> {
  const inputs = listed(input);
  const sources = await Promise.all(inputs.map(sourceOf));
  const results: Result[] = [];
  for (const choices of await chosen(inputs, sources, options)) results.push(await convertGroup(sources, choices, options));
  return results;
}

/** One recording. Throws when the inputs are several that do not belong together, or none. */
export async function convert(input: Input | Input[], options: Options = {}): Promise<Result> {
  const inputs = listed(input);
  const sources = await Promise.all(inputs.map(sourceOf));
  const [first, ...others] = await chosen(inputs, sources, options);
  if (!first) throw new Error('None of these inputs is a recording');
  if (others.length) throw new Error('These inputs are several recordings: convert them one by one, or use convertAll, or give each its core');
  return convertGroup(sources, first, options);
}

// ---- Reports -------------------------------------------------------------------------------------------------------
// A report is handed in as the object, or as its JSON, such as `tonkopf info --json` prints. Its module is loaded with the
// first of these calls.

let reports: Promise<ReportCore> | null = null;
const reportCore = (): Promise<ReportCore> => (reports ??= module('./tonkopf-report.wasm').then((wasm) => ReportCore.open(wasm)));
const jsonOf = (report: Report | string): string => (typeof report === 'string' ? report : JSON.stringify(report));

/** Whether a text is the JSON of a report of this version. */
export const isReport = async (json: string): Promise<boolean> => (await reportCore()).reads(json);

/** For a terminal: aligned columns, and of each table the 40 rows with the largest values. */
export const reportText = async (report: Report | string): Promise<string> => (await reportCore()).write(jsonOf(report), 'text');

/** The same as Markdown, for a ticket. */
export const reportMarkdown = async (report: Report | string): Promise<string> => (await reportCore()).write(jsonOf(report), 'markdown');

/** All rows of one table, by its id, as CSV (RFC 4180). Throws when the report has no such table. */
export async function reportCsv(report: Report | string, table: string): Promise<string> {
  const csv = (await reportCore()).csv(jsonOf(report), table);
  if (csv === null) throw new Error(`The report has no table "${table}"`);
  return csv;
}

/** JSON of a report whose tables, by the names of their rows, have each number, the one before and the difference. */
export const compareReports = async (before: Report | string, after: Report | string): Promise<string> => (await reportCore()).compare(jsonOf(before), jsonOf(after));

/** Judges a figure: `cpu.load<80%`, `tasks[Motor].longest_wait<5ms`. */
export const expectation = async (report: Report | string, expression: string): Promise<Expectation> => (await reportCore()).expect(jsonOf(report), expression);
