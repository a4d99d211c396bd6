// SPDX-License-Identifier: MIT
// The typed doors to the C module: instantiate it and use its io block (see io.h).
// A view of the memory is taken anew after every call, since the memory may have grown and moved.
import { CoreError } from './errors.js';
import type {
  Catalogue,
  DetectedInput,
  Expectation,
  FormatInfo,
  Message,
  OptionInfo,
  Override,
  Role,
  Schema,
} from './types.js';

export { CoreError } from './errors.js';

const STATUS = ['ok', 'no-memory', 'sink-refused', 'misuse', 'unknown-format', 'other-schema'];
const MISUSE = STATUS.indexOf('misuse');
const UNKNOWN_FORMAT = STATUS.indexOf('unknown-format');
const ROLES: (Role | 'none')[] = ['recording', 'names', 'symbols', 'times', 'none'];
const ENCODINGS = ['binary', 'hex', 'base64', 'json'] as const;
const SEVERITIES = ['detail', 'info', 'warning', 'error'] as const;
/** As tk_request_kind of the core. */
const REQUESTS = [
  'read',
  'keep',
  'plan',
  'open',
  'write',
  'rewrite',
  'close',
  'discard',
  'progress',
  'message',
  'done',
] as const;
export type Request = (typeof REQUESTS)[number];
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
  offset: 112,
  request: 120,
  source: 124,
  length: 128,
  severity: 132,
  isLook: 136,
};
const LEFT_OUT = ['states', 'slices', 'instants', 'values', 'arguments'] as const;

/** What came before the part of the time that a trace holds, by how it would have been written. */
export type LeftOut = Record<(typeof LEFT_OUT)[number], number>;

/** Indexes into the list of 32-bit numbers that tkw_save writes. */
const STATE = { end: 0, program: 1, handle: 2, conversion: 3, first: 4, blocks: 6 };
/** Head of a state, in 32-bit numbers: a mark, the checksum of what follows, and the length of that list. */
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

  /** A copy of the output of the last call; null: it wrote nothing. */
  takeOutput(): Uint8Array<ArrayBuffer> | null {
    const length = this.field(IO_BLOCK.outputLen);
    return length ? new Uint8Array(this.bytes(this.field(IO_BLOCK.output), length)) : null;
  }

  get outputLength(): number {
    return this.field(IO_BLOCK.outputLen);
  }

  /** Copies bytes `from` to `to` of the output of the last call. */
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

  /** Writes a text to the input block; returns its length in bytes. A longer one than `limit` is cut. */
  protected writeText(text: string, limit = this.inputSize): number {
    const bytes = encoder.encode(text.replaceAll('\0', ' ')).subarray(0, limit);
    this.writeInput(bytes);
    return bytes.length;
  }

  protected text(call: string, what = 0): string {
    const code = this.call(call, this.instance, what);
    if (code) throw new CoreError(STATUS[code] ?? 'misuse', 'the core has no answer');
    return this.outputText();
  }

  /** The reason of the last failure; empty: only its status is known. */
  protected reason(): string {
    return '';
  }

  protected check(status: number): void {
    if (!status) return;
    const code = STATUS[status] ?? 'misuse';
    throw new CoreError(code, this.reason() || this.text('tkw_status', status));
  }
}

/** One conversion, or one handle that is fed as the recording comes. */
export class Core extends IoBlock {
  #begun = false;
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

  // ---- A conversion: the host performs one request after the other

  beginConversion(): void {
    this.#begun = false;
    this.check(this.call('tkw_conversion_new', this.instance));
    this.#begun = true;
  }

  /** encoding: chosen by the user; null: detected. */
  addSource(name: string, size: number | null, encoding: DetectedInput['encoding'] | null, isSeekable: boolean): void {
    const length = this.writeText(name, 4096);
    const kind = encoding === null ? -1 : ENCODINGS.indexOf(encoding);
    this.check(this.call('tkw_conversion_add_source', this.instance, length, size ?? -1, isSeekable ? 1 : 0, kind));
  }

  set(key: string, value: string): void {
    this.#pass('tkw_conversion_set', key, value);
  }

  next(): Request {
    this.check(this.call('tkw_conversion_next', this.instance));
    return REQUESTS[this.field(IO_BLOCK.request)]!;
  }

  /** The bytes that a `read` request names. */
  get range(): { source: number; offset: number; length: number; isLook: boolean } {
    return {
      source: this.field(IO_BLOCK.source),
      offset: this.view().getFloat64(IO_BLOCK.offset, true),
      length: Math.min(this.field(IO_BLOCK.length), this.inputSize),
      isLook: this.field(IO_BLOCK.isLook) !== 0,
    };
  }

  get message(): Message {
    const severity = SEVERITIES[this.field(IO_BLOCK.severity)]!;
    return { severity, source: this.field(IO_BLOCK.source), text: this.outputText() };
  }

  /** Answers `read`; no bytes: the source ends here. */
  answer(bytes: Uint8Array): void {
    this.writeInput(bytes);
    this.check(this.call('tkw_conversion_answer', this.instance, bytes.length));
  }

  /** Answers `keep`: the output was copied; without output the copy is complete, and read from now on. */
  keep(): void {
    this.check(this.call('tkw_conversion_keep', this.instance));
  }

  /** Instead of an answer: `read` or `keep` is impossible. */
  fail(reason: string): void {
    const length = this.writeText(reason, 1024);
    this.check(this.call('tkw_conversion_fail', this.instance, length));
  }

  /** Answers `open`. */
  openOutput(isWanted: boolean): void {
    this.check(this.call('tkw_conversion_open', this.instance, isWanted ? 1 : 0));
  }

  inputs(): DetectedInput[] {
    this.check(this.call('tkw_conversion_inputs', this.instance));
    return JSON.parse(this.outputText()) as DetectedInput[];
  }

  /** with: index of the recording that the input belongs to. */
  override(
    input: number,
    {
      role,
      core,
      with: partner,
      format,
    }: Omit<Override, 'with' | 'role'> & { role?: Role | 'none' | null; with?: number | null },
  ): void {
    const length = this.writeText(format ?? '', 256);
    const number = role ? ROLES.indexOf(role) : -1;
    this.check(this.call('tkw_conversion_override', this.instance, input, number, core ?? -1, partner ?? -1, length));
  }

  /** Of a conversion with the setting range=later: what its trace contains. */
  setRange(tickNs: bigint, fromNs: bigint, toNs: bigint): void {
    const numbers = new Uint8Array(BigUint64Array.of(tickNs, fromNs, toNs).buffer);
    this.writeInput(numbers);
    this.check(this.call('tkw_conversion_set_range', this.instance, numbers.length));
  }

  get exitCode(): number {
    return this.call('tkw_conversion_exit_code', this.instance);
  }

  // ---- A handle

  begin(): void {
    this.#begun = false;
    this.check(this.call('tkw_new', this.instance));
    this.#begun = true;
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
    if (Math.max(keyBytes.length, valueBytes.length) > this.inputSize / 4)
      throw new CoreError('misuse', `${key}: the value is too long`);
    this.writeInput(keyBytes);
    this.writeInput(valueBytes, keyBytes.length + 1);
    this.check(this.call(call, this.instance, keyBytes.length, valueBytes.length));
  }

  addInput(name: string, role: Role, core: number | null, from = -1): void {
    const length = this.writeText(name, 1024);
    this.check(this.call('tkw_add_input', this.instance, length, ROLES.indexOf(role), core ?? -1, from));
  }

  get wanted(): number {
    return this.view().getInt32(IO_BLOCK.wanted, true);
  }

  get progress(): { bytesIn: number; events: number; bytesOut: number } {
    const view = this.view();
    const read = (offset: number): number => view.getFloat64(offset, true);
    return { bytesIn: read(IO_BLOCK.bytesIn), events: read(IO_BLOCK.events), bytesOut: read(IO_BLOCK.bytesOut) };
  }

  /** The trace contains its whole time range: more input changes the report only. */
  get isComplete(): boolean {
    return this.view().getFloat64(IO_BLOCK.isComplete, true) > 0;
  }

  /** Events before this tick of the target are filtered already: a time range may begin at this tick or later. */
  get skippedUntilTicks(): number {
    return this.view().getFloat64(IO_BLOCK.skippedUntilTicks, true);
  }

  get leftOut(): LeftOut {
    const view = this.view();
    return Object.fromEntries(
      LEFT_OUT.map((key, index) => [key, view.getFloat64(IO_BLOCK.leftOut + 8 * index, true)]),
    ) as LeftOut;
  }

  /** The bytes that complete a trace of the input so far, and its head. The conversion does not change. */
  snapshot(): { rest: Uint8Array<ArrayBuffer>; head: Uint8Array<ArrayBuffer> } {
    this.check(this.call('tkw_snapshot', this.instance));
    return { rest: this.takeOutput() ?? new Uint8Array(), head: this.takeHead() };
  }

  /** The state between two calls of `feed`, or of a conversion at a request: its blocks of memory and their addresses. */
  save(): Uint8Array<ArrayBuffer> {
    this.check(this.call('tkw_save', this.instance));
    const places = new Uint32Array(this.takeOutput()!.buffer);
    const blocks: Uint8Array[] = [new Uint8Array(places.buffer)];
    for (let i = STATE.blocks; i < places.length; i += 2) blocks.push(this.bytes(places[i]!, places[i + 1]!));
    return packed(places.length, blocks);
  }

  /** Restores the state of another instance of the same module into this one, which has converted nothing yet. */
  restore(state: Uint8Array): void {
    const { places, bytes } = unpacked(state);
    const status = this.call(
      'tkw_restore',
      this.instance,
      places[STATE.program]!,
      places[STATE.handle]!,
      places[STATE.conversion]!,
      places[STATE.first]!,
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

  /** Feeds at most inputSize bytes; returns how many were consumed. */
  feed(input: number, bytes: Uint8Array): number {
    this.writeInput(bytes);
    const status = this.call('tkw_feed', this.instance, input, 0, bytes.length);
    const consumed = this.field(IO_BLOCK.consumed);
    this.check(status);
    return consumed;
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

  /** Markdown for a ticket, or text with aligned columns. */
  write(json: string, form: 'text' | 'markdown'): string {
    return this.#with([json], ([report]) => this.#write(report!, form));
  }

  /** All rows of one table (RFC 4180); null: there is no such table. */
  csv(json: string, table: string): string | null {
    return this.#with([json], ([report]) => {
      if (!table) return null;
      const length = this.#writeExpression(table);
      const status = this.call('tkw_report_write', this.instance, report!, FORMS.indexOf('csv'), length);
      if (status === MISUSE) return null;
      this.check(status);
      return this.outputText();
    });
  }

  /** The JSON of a report whose tables have each number, the one before and the difference. */
  compare(before: string, after: string): string {
    return this.#with([before, after], ([first, second]) => {
      const compared = this.call('tkw_report_compare', first!, second!);
      if (!compared) throw new CoreError('no-memory', 'out of memory');
      try {
        return this.#write(compared, 'json');
      } finally {
        this.call('tkw_report_free', compared);
      }
    });
  }

  expect(json: string, expression: string): Expectation {
    return this.#with([json], ([report]) => {
      this.check(this.call('tkw_report_expect', this.instance, report!, this.#writeExpression(expression)));
      const { found, text } = JSON.parse(this.outputText()) as { found: number; text: string };
      return { found: FOUND[found]!, text };
    });
  }

  /** What is wrong with an expectation whatever the report is; null: nothing. */
  checkExpectation(expression: string): string | null {
    this.check(this.call('tkw_expect_check', this.instance, this.#writeExpression(expression)));
    const { text } = JSON.parse(this.outputText()) as { text: string };
    return text || null;
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

  #writeExpression(text: string): number {
    const length = this.writeText(text);
    if (length === this.inputSize) throw new CoreError('misuse', 'this is too long');
    return length;
  }
}
