// SPDX-License-Identifier: MIT
// The typed doors to the C module: instantiate it and use its io block (see io.h).
// A view of the memory is taken anew after every call, since the memory may have grown and moved.
import { CoreError } from './errors.js';
import type {
  TextEncodingProbe,
  Catalogue,
  Expectation,
  FormatInfo,
  Member,
  OptionInfo,
  Plan,
  Probe,
  Report,
  Role,
  Override,
  Schema,
} from './types.js';

export { CoreError } from './errors.js';

/** What is known of an input besides its bytes, and what a person said. */
export interface Planned extends Omit<Override, 'with'> {
  name: string;
  /** the same for all that came out of one archive or one text; 0: a file of its own */
  container: number;
  foundCore: number | null;
  /** index of the recording that it belongs to */
  with: number | null;
}

export interface TextEncodingResult {
  blocks: number;
  bytes: number;
  ignored: number;
  bad: number;
  badLine: number;
  badColumn: number;
  badText: string;
  mode: string;
}

export interface TextEncodingBlock {
  core: number;
  title: string;
  parts: Uint8Array[];
  length: number;
}

const STATUS = ['ok', 'no-memory', 'sink-refused', 'misuse', 'unknown-format', 'other-schema'];
const MISUSE = STATUS.indexOf('misuse');
const UNKNOWN_FORMAT = STATUS.indexOf('unknown-format');
const ROLES: Role[] = ['recording', 'names', 'symbols', 'times'];
const KINDS = ['binary', 'hex', 'base64', 'json'] as const;
const ABOUT = { version: 0, formats: 1 };
const REPORT = { json: 0, error: 1 };
const IO_BLOCK = {
  input: 0,
  inputLen: 4,
  output: 8,
  outputLen: 12,
  head: 16,
  headLen: 20,
  consumed: 24,
  wanted: 28,
  bytesIn: 32,
  events: 40,
  bytesOut: 48,
  skippedUntilTicks: 56,
  isComplete: 64,
  leftOut: 72,
};
const LEFT_OUT = ['states', 'slices', 'instants', 'values', 'arguments'] as const;

/** What came before the part of the time that a trace holds, by how it would have been written. */
export type LeftOut = Record<(typeof LEFT_OUT)[number], number>;

/** Lines of a stage; `only`: as tk_dump_only of the core takes them. */
export interface Dump {
  stage: number;
  json: boolean;
  only?: (readonly [key: string, value: string])[];
}

export const ANY_INPUT = -1;
export const NO_INPUT = -2;

/** Of what tkw_save tells: places in a list of 32-bit numbers. */
const STATE = { handle: 0, program: 1, end: 2, blocks: 4 };
/** In front of a state: a mark, the sum of what follows, and how many of these numbers there are. */
const MARK = 0x31534b54,
  SUM_AT = 1,
  COUNT_AT = 2,
  HEAD = 3;
const FOREIGN = 'this is no state that this program wrote';

const sumOf = (words: Uint32Array): number => {
  let sum = 0;
  for (const word of words) sum = Math.imul(sum ^ word, 0x9e3779b1) ^ (sum >>> 15);
  return sum >>> 0;
};

function packed(count: number, parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const words = new Uint32Array(HEAD + Math.ceil(length / 4)),
    state = new Uint8Array(words.buffer);
  let at = 4 * HEAD;
  for (const part of parts) {
    state.set(part, at);
    at += part.length;
  }
  words.set([MARK, 0, count]);
  words[SUM_AT] = sumOf(words.subarray(COUNT_AT));
  return state;
}

function unpacked(state: Uint8Array): { places: Uint32Array; bytes: Uint8Array } {
  const words = new Uint32Array(new Uint8Array(state).buffer, 0, state.length >> 2);
  if (words[0] !== MARK || words.length < HEAD) throw new CoreError('misuse', FOREIGN);
  if (words[SUM_AT] !== sumOf(words.subarray(COUNT_AT))) throw new CoreError('misuse', 'the state is damaged');
  const end = HEAD + words[COUNT_AT]!;
  return { places: words.subarray(HEAD, end), bytes: new Uint8Array(words.buffer, 4 * end) };
}

type Call = (...args: number[]) => number;

interface Exports {
  memory: WebAssembly.Memory;
  [name: string]: unknown;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module: memory, io block, errors. */
class IoBlock {
  readonly #exports: Exports;
  protected readonly instance: number;

  constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Exports;
    (this.#exports._initialize as Call | undefined)?.();
    this.instance = this.call('tkw_open');
    if (!this.instance) throw new CoreError('no-memory', 'out of memory');
  }

  static async instantiate(module: WebAssembly.Module | BufferSource): Promise<WebAssembly.Instance> {
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    return WebAssembly.instantiate(compiled, { env: { emscripten_notify_memory_growth: () => {} } });
  }

  close(): void {
    this.call('tkw_close', this.instance);
  }

  protected call(name: string, ...args: number[]): number {
    return (this.#exports[name] as Call)(...args);
  }

  protected view(): DataView {
    return new DataView(this.#exports.memory.buffer, this.instance);
  }

  protected field(offset: number): number {
    return this.view().getUint32(offset, true);
  }

  protected bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }

  get inputSize(): number {
    return this.field(IO_BLOCK.inputLen);
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** What the last call wrote, as a copy of its own; null: nothing. */
  takeOutput(): Uint8Array<ArrayBuffer> | null {
    const length = this.field(IO_BLOCK.outputLen);
    return length ? new Uint8Array(this.bytes(this.field(IO_BLOCK.output), length)) : null;
  }

  get outputLength(): number {
    return this.field(IO_BLOCK.outputLen);
  }

  /** Copies a part of what the last call wrote. */
  copyOutput(from: number, to: number, into: Uint8Array, at: number): void {
    into.set(this.bytes(this.field(IO_BLOCK.output) + from, to - from), at);
  }

  protected outputText(): string {
    return decoder.decode(this.bytes(this.field(IO_BLOCK.output), this.field(IO_BLOCK.outputLen)));
  }

  /** Writes bytes to the input block, from `at` on. */
  protected writeInput(bytes: Uint8Array, at = 0): void {
    this.bytes(this.field(IO_BLOCK.input) + at, bytes.length).set(bytes);
  }

  protected text(call: string, what = 0): string {
    const code = this.call(call, this.instance, what);
    if (code) throw new CoreError(STATUS[code] ?? 'misuse', 'the core has no answer');
    return this.outputText();
  }

  /** Why the last call failed, where more is known than its status; else empty. */
  protected reason(): string {
    return '';
  }

  protected check(status: number): void {
    if (!status) return;
    const code = STATUS[status] ?? 'misuse';
    throw new CoreError(code, this.reason() || this.text('tkw_status', status));
  }
}

/** Decodes text (hex in any notation, base64, the JSON of a demo) and lists archives. */
export class TextCore extends IoBlock {
  static async open(module: WebAssembly.Module | BufferSource): Promise<TextCore> {
    return new TextCore(await IoBlock.instantiate(module));
  }

  /** 0: no archive */
  archiveKind(head: Uint8Array): number {
    const part = head.subarray(0, 512);
    this.writeInput(part);
    return this.call('tkw_archive_probe', this.instance, part.length);
  }

  archive(kind: number, size: number | null): ArchiveCalls {
    const address = this.call('tkw_archive_new', this.instance, kind, size ?? -1);
    if (!address) throw new CoreError('no-memory', 'out of memory');
    const ask = (name: string): string => {
      this.check(this.call(name, this.instance, address));
      return this.outputText();
    };
    return {
      wanted: () => JSON.parse(ask('tkw_archive_wanted') || 'null'),
      feed: (bytes) => {
        this.writeInput(bytes);
        this.check(this.call('tkw_archive_feed', this.instance, address, bytes.length));
      },
      list: () => JSON.parse(ask('tkw_archive_list')),
      free: () => void this.call('tkw_archive_free', address),
    };
  }

  decode(kind: TextEncodingProbe['kind']): TextEncoding {
    const address = this.call('tkw_encoding_new', this.instance, KINDS.indexOf(kind));
    if (!address) throw new CoreError('no-memory', 'out of memory');
    return new TextEncoding({
      feed: (bytes) => {
        this.writeInput(bytes);
        this.check(this.call('tkw_encoding_feed', this.instance, address, bytes.length));
        return this.takeOutput();
      },
      finish: () => {
        this.check(this.call('tkw_encoding_finish', this.instance, address));
        return this.takeOutput();
      },
      line: (block, offset) => this.call('tkw_encoding_line', address, block, offset),
      free: () => void this.call('tkw_encoding_free', address),
      slice: this.inputSize,
    });
  }
}

interface ArchiveCalls {
  /** the range that is needed next; null: all is known */
  wanted(): { offset: number; length: number } | null;
  feed(bytes: Uint8Array): void;
  list(): { members: Omit<Member, 'number' | 'problem'>[]; problem: string };
  free(): void;
}

/** One packed stream, and how far it was unpacked: bytes taken and bytes that came of them, the last `held` of which the core still has. */
export interface Inflater {
  address: number;
  packed: number;
  plain: number;
  held: number;
}

/** Recognises and converts what is binary, and unpacks. */
export class Core extends IoBlock {
  #begun = false;
  /** those that belong to a saved state, by their names */
  inflaters = new Map<string, Inflater>();

  static async open(module: WebAssembly.Module | BufferSource): Promise<Core> {
    return new Core(await IoBlock.instantiate(module));
  }

  get version(): string {
    return this.text('tkw_format_info', ABOUT.version);
  }

  catalogue(): Catalogue {
    type Raw = Omit<OptionInfo, 'choices'> & { choices: string | null };
    const raw = JSON.parse(this.text('tkw_format_info', ABOUT.formats)) as {
      common: Raw[];
      formats: (Omit<FormatInfo, 'options'> & { options: Raw[] })[];
    };
    const split = (option: Raw): OptionInfo => ({
      ...option,
      choices: option.choices ? option.choices.split('|') : null,
    });
    return {
      common: raw.common.map(split),
      formats: raw.formats.map((format) => ({ ...format, options: format.options.map(split) })),
    };
  }

  // ---- Recognising

  /** Whether the head is text, and of which kind. */
  encoding(head: Uint8Array): TextEncodingProbe {
    const part = head.subarray(0, this.inputSize);
    this.writeInput(part);
    this.check(this.call('tkw_encoding_probe', this.instance, part.length));
    return JSON.parse(this.outputText()) as TextEncodingProbe;
  }

  probe(head: Uint8Array, tail: Uint8Array = new Uint8Array(0), first = true): Probe {
    const size = this.inputSize;
    const headPart = head.subarray(0, Math.min(head.length, size / 2));
    const tailPart = tail.subarray(Math.max(0, tail.length - size / 2));
    this.writeInput(headPart);
    this.writeInput(tailPart, headPart.length);
    this.check(this.call('tkw_probe', this.instance, headPart.length, tailPart.length, first ? 1 : 0));
    return JSON.parse(this.outputText()) as Probe;
  }

  /** The next bytes of the input that was probed last, while its probe says that it goes on. */
  probeOn(bytes: Uint8Array): Probe {
    this.writeInput(bytes);
    this.check(this.call('tkw_probe', this.instance, bytes.length, 0, 2));
    return JSON.parse(this.outputText()) as Probe;
  }

  /** What the inputs probed since `first` are for, in their order. */
  plan(inputs: Planned[]): Plan[] {
    const parts = inputs.map(({ name, container, foundCore, role, core, with: partner, format }) => {
      const text = encoder.encode(`${name.replaceAll('\0', ' ')}\0${format ?? ''}\0`);
      const part = new Uint8Array(20 + text.length);
      const view = new DataView(part.buffer);
      [container, foundCore ?? -1, role ? ROLES.indexOf(role) : -1, core ?? -1, partner ?? -1].forEach(
        (number, index) => view.setInt32(4 * index, number, true),
      );
      part.set(text, 20);
      return part;
    });
    let length = 0;
    for (const part of parts) {
      this.writeInput(part, length);
      length += part.length;
    }
    this.check(this.call('tkw_plan', this.instance, length));
    const plans = JSON.parse(this.outputText()) as (Omit<Plan, 'group' | 'core'> & { group: number; core: number })[];
    return plans.map((plan) => ({
      ...plan,
      group: plan.group < 0 ? null : plan.group,
      core: plan.core < 0 ? null : plan.core,
    }));
  }

  // ---- Unpacking

  /** For gzip, or for `raw` deflate. */
  newInflater(raw: boolean): Inflater {
    const address = this.call('tkw_inflater_new', this.instance, raw ? 1 : 0);
    if (!address) throw new CoreError('no-memory', 'out of memory');
    return { address, packed: 0, plain: 0, held: 0 };
  }

  /** Unpacks a piece. No piece, although bytes are left: there is nothing more to unpack. */
  inflate(inflater: Inflater, packed: Uint8Array): { taken: number; piece: Uint8Array | null } {
    this.writeInput(packed);
    this.check(this.call('tkw_inflate', this.instance, inflater.address, packed.length));
    const taken = this.field(IO_BLOCK.consumed),
      piece = this.takeOutput();
    inflater.packed += taken;
    inflater.held = piece?.length ?? 0;
    inflater.plain += inflater.held;
    return { taken, piece };
  }

  /** The last piece once more. */
  inflated(inflater: Inflater): Uint8Array {
    this.check(this.call('tkw_inflated', this.instance, inflater.address));
    return this.takeOutput() ?? new Uint8Array(0);
  }

  /** What is wrong if the packed bytes end here; empty: nothing. */
  inflateFault(inflater: Inflater): string {
    this.check(this.call('tkw_inflate_fault', this.instance, inflater.address));
    return this.outputText();
  }

  freeInflater(inflater: Inflater): void {
    this.call('tkw_inflater_free', this.instance, inflater.address);
  }

  // ---- Conversion

  /** Begins a conversion; `dump`: lines of a stage instead of a trace; `samples`: those of the signal of this path. */
  begin(dump: Dump | null = null, samples: string | null = null): void {
    this.#begun = false;
    this.check(this.call('tkw_new', this.instance, dump || samples !== null ? 0 : 1));
    this.#begun = true;
    if (samples !== null) this.#beginSamples(samples);
    if (dump) this.check(this.call('tkw_dump', this.instance, dump.stage, dump.json ? 1 : 0));
    for (const [key, value] of dump?.only ?? []) this.#pass('tkw_dump_only', key, value);
  }

  #beginSamples(path: string): void {
    const bytes = encoder.encode(path);
    if (bytes.length > this.inputSize / 4) throw new CoreError('misuse', 'There is no signal of this path.');
    this.writeInput(bytes);
    this.check(this.call('tkw_samples', this.instance, bytes.length));
  }

  /** Behind the end of the conversion: the last samples. Throws when there is no such signal. */
  endSamples(): void {
    this.check(this.call('tkw_end_samples', this.instance));
  }

  protected override reason(): string {
    return this.#begun ? this.text('tkw_report', REPORT.error) : '';
  }

  setOption(key: string, value: string): void {
    this.#pass('tkw_set_option', key, value);
  }

  #pass(call: string, key: string, value: string): void {
    const keyBytes = encoder.encode(key);
    const valueBytes = encoder.encode(value);
    this.writeInput(keyBytes);
    this.writeInput(valueBytes, keyBytes.length + 1);
    this.check(this.call(call, this.instance, keyBytes.length, valueBytes.length));
  }

  addInput(name: string, role: Role, core: number | null, from = -1): void {
    const bytes = encoder.encode(name).subarray(0, 1024);
    this.writeInput(bytes);
    this.check(this.call('tkw_add_input', this.instance, bytes.length, ROLES.indexOf(role), core ?? -1, from));
  }

  get wanted(): number {
    return this.view().getInt32(IO_BLOCK.wanted, true);
  }

  get progress(): { bytesIn: number; events: number; bytesOut: number } {
    const view = this.view();
    const read = (offset: number): number => view.getFloat64(offset, true);
    return { bytesIn: read(IO_BLOCK.bytesIn), events: read(IO_BLOCK.events), bytesOut: read(IO_BLOCK.bytesOut) };
  }

  /** The trace holds all of its part of the time: what else is fed changes the report only. */
  get isComplete(): boolean {
    return this.view().getFloat64(IO_BLOCK.isComplete, true) > 0;
  }

  /** The trace of a part was told of what lies before, in ticks of the target. */
  get skippedUntilTicks(): number {
    return this.view().getFloat64(IO_BLOCK.skippedUntilTicks, true);
  }

  get leftOut(): LeftOut {
    const view = this.view();
    return Object.fromEntries(
      LEFT_OUT.map((key, index) => [key, view.getFloat64(IO_BLOCK.leftOut + 8 * index, true)]),
    ) as LeftOut;
  }

  /** What makes a trace of all that came so far, and its head; the conversion goes on as if nobody had asked. */
  snapshot(): { rest: Uint8Array<ArrayBuffer>; head: Uint8Array<ArrayBuffer> } {
    this.check(this.call('tkw_snapshot', this.instance));
    return { rest: this.takeOutput() ?? new Uint8Array(), head: this.takeHead() };
  }

  /** The state between two calls of feed: the blocks of memory that it consists of, and where they stand. */
  save(): Uint8Array<ArrayBuffer> {
    this.check(this.call('tkw_save', this.instance));
    const places = new Uint32Array(this.takeOutput()!.buffer);
    const blocks: Uint8Array[] = [new Uint8Array(places.buffer)];
    for (let i = STATE.blocks; i < places.length; i += 2) blocks.push(this.bytes(places[i]!, places[i + 1]!));
    return packed(places.length, blocks);
  }

  /** Goes on where another instance of the same module was saved. For one that converted nothing yet. */
  restore(state: Uint8Array): void {
    const { places, bytes } = unpacked(state);
    const status = this.call(
      'tkw_restore',
      this.instance,
      places[STATE.program]!,
      places[STATE.handle]!,
      places[STATE.end]!,
    );
    if (status === MISUSE) throw new CoreError('misuse', FOREIGN);
    this.check(status);
    let from = 0;
    for (let i = STATE.blocks; i < places.length; i += 2) {
      const length = places[i + 1]!;
      this.bytes(places[i]!, length).set(bytes.subarray(from, from + length));
      from += length;
    }
    this.#begun = true;
  }

  /** Feeds at most inputSize bytes; returns how many were taken. */
  feed(input: number, bytes: Uint8Array): number {
    this.writeInput(bytes);
    const status = this.call('tkw_feed', this.instance, input, 0, bytes.length);
    const consumed = this.field(IO_BLOCK.consumed);
    this.check(status);
    return consumed;
  }

  /** The range of a file of symbols, which has so many bytes, that is needed next; null: no more. */
  wantedRange(input: number, size: number): { offset: number; length: number } | null {
    this.check(this.call('tkw_wanted_range', this.instance, input, size));
    return JSON.parse(this.outputText() || 'null') as { offset: number; length: number } | null;
  }

  feedRange(input: number, bytes: Uint8Array): void {
    this.writeInput(bytes);
    this.check(this.call('tkw_feed_range', this.instance, input, bytes.length));
  }

  endInput(input: number): void {
    this.check(this.call('tkw_end_input', this.instance, input));
  }

  finish(): void {
    this.check(this.call('tkw_finish', this.instance));
  }

  /** After finish: replaces the first bytes of the trace; empty: nothing to replace. */
  takeHead(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.bytes(this.field(IO_BLOCK.head), this.field(IO_BLOCK.headLen)));
  }

  reportJson(): string {
    return this.text('tkw_report', REPORT.json);
  }
}

const FORMS = ['json', 'text', 'markdown', 'csv'] as const;
const FOUND = ['holds', 'fails', 'unmeasured', 'wrong'] as const;

/** Reports from their JSON: their forms, comparison, expectations. */
export class ReportCore extends IoBlock {
  #schema: Schema | null = null;

  static async open(module: WebAssembly.Module | BufferSource): Promise<ReportCore> {
    return new ReportCore(await IoBlock.instantiate(module));
  }

  /** What the tables and columns of reports mean. */
  schema(): Schema {
    return (this.#schema ??= JSON.parse(this.text('tkw_schema')) as Schema);
  }

  /** Whether it is a report of this version of the schema. */
  reads(json: string): boolean {
    try {
      return this.#with([json], () => true);
    } catch (error) {
      if (error instanceof CoreError && ['unknown-format', 'other-schema'].includes(error.code)) return false;
      throw error;
    }
  }

  /** For people: Markdown for a ticket, or text with aligned columns. */
  write(json: string, form: 'text' | 'markdown'): string {
    return this.#with([json], ([report]) => this.#write(report!, form));
  }

  /** All rows of one table (RFC 4180); null: there is no such table. */
  csv(json: string, table: string): string | null {
    return this.#with([json], ([report]) => this.#csv(report!, table));
  }

  /** The JSON of a report whose tables have each number, the one before and the difference. */
  compare(before: string, after: string): string {
    return this.#with([before, after], ([first, second]) => {
      const compared = this.#kept(this.call('tkw_report_compare', first!, second!), 'no-memory', 'out of memory');
      try {
        return this.#write(compared, 'json');
      } finally {
        this.call('tkw_report_free', compared);
      }
    });
  }

  expect(json: string, expression: string): Expectation {
    return this.#with([json], ([report]) => {
      this.check(this.call('tkw_report_expect', this.instance, report!, this.#writeText(expression)));
      const { found, text } = JSON.parse(this.outputText()) as { found: number; text: string };
      return { found: FOUND[found]!, text };
    });
  }

  /** What is wrong with an expectation whatever the report is; null: nothing. */
  checkExpectation(expression: string): string | null {
    this.check(this.call('tkw_expect_check', this.instance, this.#writeText(expression)));
    const { text } = JSON.parse(this.outputText()) as { text: string };
    return text || null;
  }

  #csv(report: number, table: string): string | null {
    const status = table
      ? this.call('tkw_report_write', this.instance, report, FORMS.indexOf('csv'), this.#writeText(table))
      : MISUSE;
    if (status === MISUSE) return null;
    this.check(status);
    return this.outputText();
  }

  #write(report: number, form: (typeof FORMS)[number]): string {
    this.check(this.call('tkw_report_write', this.instance, report, FORMS.indexOf(form), 0));
    return this.outputText();
  }

  #with<Result>(jsons: string[], use: (reports: number[]) => Result): Result {
    const reports: number[] = [];
    try {
      for (const json of jsons) reports.push(this.#read(json));
      return use(reports);
    } finally {
      for (const report of reports) this.call('tkw_report_free', report);
    }
  }

  #read(json: string): number {
    const bytes = encoder.encode(json);
    for (let at = 0; at < bytes.length; at += this.inputSize) {
      const part = bytes.subarray(at, at + this.inputSize);
      this.writeInput(part);
      this.check(this.call('tkw_report_feed', this.instance, part.length));
    }
    const report = this.call('tkw_report_read', this.instance);
    if (report) return report;
    const status = Number(this.outputText());
    if (status === UNKNOWN_FORMAT) throw new CoreError('unknown-format', 'This is no report');
    this.check(status);
    return report;
  }

  #kept(address: number, code: string, message: string): number {
    if (!address) throw new CoreError(code, message);
    return address;
  }

  #writeText(text: string): number {
    const bytes = encoder.encode(text.replaceAll('\0', ' '));
    if (bytes.length >= this.inputSize) throw new CoreError('misuse', 'this is too long');
    this.writeInput(bytes);
    return bytes.length;
  }
}

interface TextEncodingCalls {
  feed(bytes: Uint8Array): Uint8Array | null;
  finish(): Uint8Array | null;
  line(block: number, offset: number): number;
  free(): void;
  slice: number;
}

const RECORD = { begin: 0, data: 1, result: 2, headLen: 12 };

/** One text on its way to bytes. */
export class TextEncoding {
  readonly blocks: TextEncodingBlock[] = [];
  result: TextEncodingResult | null = null;
  readonly #calls: TextEncodingCalls;

  constructor(calls: TextEncodingCalls) {
    this.#calls = calls;
  }

  feed(text: Uint8Array): void {
    for (let at = 0; at < text.length; at += this.#calls.slice)
      this.#take(this.#calls.feed(text.subarray(at, at + this.#calls.slice)));
  }

  finish(): TextEncodingResult {
    this.#take(this.#calls.finish());
    if (!this.result) throw new CoreError('misuse', 'the text ended without a result');
    return this.result;
  }

  /** Line of the text that holds a decoded byte; null: unknown. */
  line(block: number, offset: number): number | null {
    return this.#calls.line(block, offset) || null;
  }

  free(): void {
    this.#calls.free();
  }

  #take(records: Uint8Array | null): void {
    if (!records) return;
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    for (let at = 0; at < records.length;) {
      const [kind, number, length] = [
        view.getUint32(at, true),
        view.getUint32(at + 4, true),
        view.getUint32(at + 8, true),
      ];
      const body = records.subarray(at + RECORD.headLen, at + RECORD.headLen + length);
      if (kind === RECORD.begin) {
        const core = new DataView(body.buffer, body.byteOffset).getInt32(0, true);
        const known = { core, title: decoder.decode(body.subarray(4)) }; // a block begins again when these come late
        this.blocks[number] = { parts: [], length: 0, ...this.blocks[number], ...known };
      } else if (kind === RECORD.data) {
        const block = this.blocks[number];
        block?.parts.push(body);
        if (block) block.length += body.length;
      } else {
        this.result = JSON.parse(decoder.decode(body)) as TextEncodingResult;
      }
      at += RECORD.headLen + length;
    }
  }
}
