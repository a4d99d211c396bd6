// SPDX-License-Identifier: MIT
// From files to a trace, the same for the page's worker and for Node: unpack, decode text, recognise, group,
// convert. Binary input is streamed; only text is decoded as a whole, since one text may hold several inputs.
import { Ranges, chunksOf, listMembers, memberSource, plainOf } from './archive.js';
import { unpackedAt } from './inflate.js';
import { keyOf } from './cache-key.js';
import { ANY_INPUT, TextEncoding, Core, CoreError, NO_INPUT, TextCore } from './tonkopf.js';
import { NEVER } from './checkpoints.js';
import type { Point, Points, Reached } from './checkpoints.js';
import type { TextEncodingResult, Dump, LeftOut, Planned } from './tonkopf.js';
import type {
  TextEncodingProbe,
  Catalogue,
  FormatInfo,
  InputChoice,
  Member,
  Probe,
  Problem,
  Progress,
  Report,
  DetectedInput,
  Source,
  Override,
} from './types.js';

export { CoreError } from './tonkopf.js';
export type { Catalogue } from './types.js';

export type Encoding = TextEncodingProbe['kind'];

export interface Listeners {
  onProgress?(progress: Progress): void;
  /** the trace, in order; each block is its receiver's own */
  onBlock?(block: Uint8Array<ArrayBuffer>): void;
  /** all blocks but the last have this size; without it they come as the core writes them */
  blockSize?: number;
  signal?: Pick<AbortSignal, 'aborted' | 'throwIfAborted'>;
  /** lines of a stage instead of a trace; blocks are then text */
  dump?: Dump;
  /** instead of a trace the samples of the signal of this path, as CSV; of formats that have signals */
  samples?: string;
  /** a report and no trace: takes the places from which convertPart may go on */
  points?: Points;
}

export interface Conversion {
  report: Report;
  /** as the core wrote it; `report` has in addition what the reading side found */
  reportJson: string;
  /** replaces the first bytes of the blocks; may be empty */
  head: Uint8Array<ArrayBuffer>;
  /** of all blocks together */
  bytes: number;
  /** of the instances of the module: it never shrinks, so this is its peak */
  memoryBytes: number;
  /** what a trace of everything would hold besides, where the blocks are those of a part */
  leftOut: LeftOut;
}

/** A part of a recording: its trace is the one that `convert` makes with `from-ns` and `to-ns`. */
export interface Part {
  fromNs: bigint;
  toNs: bigint;
  /** length of a tick as the report of the whole tells it */
  tickNs: string;
  /** of a first pass with the same inputs and options; null: it is read from the beginning */
  points: Points | null;
}

export type PartTrace = Pick<Conversion, 'head' | 'bytes' | 'memoryBytes'>;

const HEAD = 256 * 1024; // what recognising looks at
const PROGRESS_EVERY_MS = 80;

/** Options and formats of the core. */
export async function describe(module: WebAssembly.Module | BufferSource): Promise<Catalogue> {
  return (await Core.open(module)).catalogue();
}

// ---- Reading -------------------------------------------------------------------------------------------------------

interface Opened {
  gzip: boolean;
  head: Uint8Array;
  /** all bytes from the first on, unpacked */
  chunks: AsyncIterable<Uint8Array>;
  /** what is wrong with the compressed data that was read so far */
  cut: string | null;
  /** for whoever does not read to the end */
  close(): Promise<unknown>;
}

function joined(
  parts: Uint8Array[],
  length = parts.reduce((sum, part) => sum + part.length, 0),
): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const isArchive = (head: Uint8Array): boolean => {
  const says = (text: string, at: number): boolean =>
    [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  return says('PK\x03\x04', 0) || says('PK\x05\x06', 0) || says('ustar', 257);
};

/** Takes chunks until at least `length` bytes are there; returns them and an iterator that begins with them again. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): Promise<Pick<Opened, 'head' | 'chunks' | 'close'>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let have = 0;
  while (have < length) {
    const step = await iterator.next();
    if (step.done) break;
    taken.push(step.value);
    have += step.value.length;
  }
  const again = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* taken.splice(0);
      for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
    } finally {
      await iterator.return?.();
    }
  };
  return {
    head: taken.length === 1 ? taken[0]! : joined(taken, have),
    chunks: again(),
    close: async () => iterator.return?.(),
  };
}

const isGzip = (head: Uint8Array): boolean => head.length > 2 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;

async function openSource(core: Core, source: Source, headLength: number): Promise<Opened> {
  const opened: Opened = {
    gzip: false,
    head: new Uint8Array(0),
    chunks: chunksOf(source.open()),
    cut: null,
    close: async () => {},
  };
  const packed = await peek(opened.chunks, 3);
  opened.gzip = isGzip(packed.head);
  const onCut = (text: string): void => {
    opened.cut = text;
  };
  const plain = opened.gzip ? unpackedAt(core, false, () => packed.chunks, 0, onCut, null) : packed.chunks;
  Object.assign(opened, await peek(plain, headLength));
  return opened;
}

// ---- Recognising -----------------------------------------------------------------------------------------------------

type Found = Omit<DetectedInput, 'plan'>;

/** Text and archives have an instance of their own, opened when the first is met: what was decoded is no part of a conversion's state. */
class Texts {
  #core: Promise<TextCore> | null = null;
  memoryBytes = 0;

  constructor(readonly module: WebAssembly.Module) {}

  core(): Promise<TextCore> {
    return (this.#core ??= TextCore.open(this.module));
  }

  async decodeText(encoding: Encoding, opened: Opened): Promise<TextEncoding> {
    const core = await this.core();
    const decoded = core.decode(encoding);
    for await (const chunk of opened.chunks) decoded.feed(chunk);
    decoded.finish();
    this.memoryBytes = core.memoryBytes;
    return decoded;
  }
}

/** The same bytes in parts of this length, the last one shorter; the first `skip` bytes are left out. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>, length: number, skip: number): AsyncGenerator<Uint8Array> {
  const part = new Uint8Array(length);
  let have = 0;
  for await (const chunk of chunks) {
    let at = Math.min(skip, chunk.length);
    skip -= at;
    while (at < chunk.length) {
      const step = chunk.subarray(at, at + length - have);
      part.set(step, have);
      have += step.length;
      at += step.length;
      if (have === length) yield part;
      if (have === length) have = 0;
    }
  }
  if (have) yield part.subarray(0, have);
}

/** A recording may begin anywhere in a dump: a source is looked at until it is recognised. */
async function probeAll(core: Core, opened: Opened, first: boolean): Promise<Probe> {
  let probe = core.probe(opened.head.subarray(0, HEAD), undefined, first);
  if (!probe.goesOn || probe.looked < HEAD) return probe;
  for await (const part of partsOf(opened.chunks, HEAD, HEAD)) {
    probe = core.probeOn(part);
    if (!probe.goesOn) break;
  }
  return probe;
}

type Cut = (text: string) => void;
/** Names the inflater of what an archive is packed in, of a file in it, or of an input by itself; null: it is no part of a state. */
type NameOf = (layer: 'archive' | 'member' | 'input') => string | null;

function openMember(
  core: Core,
  source: Source,
  member: Member,
  gzip: boolean,
  onCut: Cut,
  nameOf: NameOf = () => null,
): Source {
  const archive = plainOf(source, gzip ? core : null, () => {}, nameOf('archive')); // what is wrong with that one was told with the list
  return memberSource(source, member, archive, core, onCut, nameOf('member'));
}

/** What an input can be read from: a source, or a member of it. */
const sourceOf = async (
  core: Core,
  sources: Source[],
  { source, member }: DetectedInput,
  onCut: Cut,
  nameOf: NameOf,
): Promise<Source> => {
  const outer = sources[source]!;
  if (!member) return outer;
  const { gzip, close } = await openSource(core, outer, 1);
  await close();
  return openMember(core, outer, member, gzip, onCut, nameOf);
};

class Look {
  readonly #found: Found[] = [];

  constructor(
    readonly core: Core,
    readonly texts: Texts,
  ) {}

  get found(): Found[] {
    return this.#found;
  }

  async source(source: Source, index: number, forced: Encoding | null): Promise<void> {
    const opened = await openSource(this.core, source, HEAD);
    const kind = !forced && isArchive(opened.head) ? (await this.texts.core()).archiveKind(opened.head) : 0;
    if (!kind || !(await this.#members(source, index, kind, opened.gzip)))
      await this.#one(source, opened, index, null, forced);
    await opened.close();
  }

  /** False: none. */
  async #members(source: Source, index: number, kind: number, gzip: boolean): Promise<boolean> {
    let cut: string | null = null;
    const members = await listMembers(
      await this.texts.core(),
      kind,
      plainOf(source, gzip ? this.core : null, (text) => {
        cut = text;
      }),
    );
    for (const member of members) {
      member.problem = cut ?? member.problem;
      const inner = openMember(this.core, source, member, gzip, () => {});
      const before = this.#found.length;
      const opened = await openSource(this.core, member.reason ? nothing(inner.name) : inner, HEAD);
      await this.#one(inner, opened, index, member, null);
      await opened.close();
      if (member.reason)
        for (const item of this.#found.slice(before)) item.probe = { ...item.probe, reason: member.reason };
    }
    return members.length > 0;
  }

  async #one(
    source: Source,
    opened: Opened,
    index: number,
    member: Member | null,
    forced: Encoding | null,
  ): Promise<void> {
    const found = await look(this.core, this.texts, source, opened, index, forced, this.#found.length === 0);
    for (const item of found) this.#found.push({ ...item, member });
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

const nothing = (name: string): Source => ({ name, size: 0, open: none });

async function look(
  core: Core,
  texts: Texts,
  source: Source,
  opened: Opened,
  index: number,
  forced: Encoding | null,
  first: boolean,
): Promise<Omit<Found, 'member'>[]> {
  const seen: TextEncodingProbe = forced ? { kind: forced, reason: 'chosen by hand' } : core.encoding(opened.head);
  const common = { source: index, encoding: seen.kind, gzip: opened.gzip, encodingReason: seen.reason };
  if (seen.kind === 'binary') {
    const bytes = source.size ?? opened.head.length;
    return [
      {
        ...common,
        block: 0,
        name: source.name,
        bytes,
        core: null,
        probe: await probeAll(core, opened, first),
        cut: opened.cut,
      },
    ];
  }
  const decoded = await texts.decodeText(seen.kind, opened);
  const result = decoded.result!;
  const reason = result.badText ? `${seen.reason}; ${result.badText}` : seen.reason;
  const blocks = decoded.blocks.length ? decoded.blocks : [{ core: -1, title: '', parts: [], length: 0 }];
  const found = blocks.map((block, number): Omit<Found, 'member'> => ({
    ...common,
    encodingReason: reason,
    block: number,
    name:
      blocks.length > 1
        ? `${source.name} (${block.core >= 0 ? `core ${block.core}` : `part ${number + 1}`})`
        : source.name,
    bytes: block.length,
    core: block.core >= 0 ? block.core : null,
    probe: core.probe(joined(block.parts, block.length).subarray(0, HEAD), undefined, first && number === 0),
    cut: opened.cut,
  }));
  decoded.free();
  return found;
}

/** The same number for all that came out of one text, or else of one archive; 0: a file of its own. */
function containerOf(item: Found, found: Found[]): number {
  const text = found.filter((other) => other.source === item.source && other.member?.number === item.member?.number);
  if (text.length > 1) return found.indexOf(text[0]!) + 1;
  return item.member ? found.length + item.source + 1 : 0;
}

/** What a person said, as the core takes it: partners by their index. */
function planned(found: Found[], overrides: Readonly<Record<string, Override>>, sources: Source[]): Planned[] {
  return found.map((item) => {
    const override: Override = overrides[keyOf(item)] ?? overrides[item.source] ?? {};
    const partner = found.findIndex(
      (other) => override.with === keyOf(other) || override.with === String(other.source),
    );
    return {
      ...override,
      name: item.member?.path ?? sources[item.source]!.name,
      container: containerOf(item, found),
      foundCore: item.core,
      with: override.with == null ? null : partner,
    };
  });
}

/**
 * What is in the sources, what it is for, and which of it belongs together. `encodings`: by hand, per source; null:
 * recognised. `overrides`: by keyOf, or by the number of a source for all that is in it.
 */
export async function inspect(
  module: WebAssembly.Module,
  sources: Source[],
  encodings: (Encoding | null)[] = [],
  overrides: Readonly<Record<string, Override>> = {},
): Promise<DetectedInput[]> {
  const core = await Core.open(module);
  const texts = new Texts(module);
  const looking = new Look(core, texts);
  for (const [index, source] of sources.entries()) await looking.source(source, index, encodings[index] ?? null);
  const { found } = looking;
  if (!found.length) return [];
  const plans = core.plan(planned(found, overrides, sources));
  return found.map((item, index) => ({ ...item, plan: plans[index]! }));
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

// ---- Converting --------------------------------------------------------------------------------------------------------

/** Bytes of one input, chunk by chunk. */
interface Reader {
  next(): Promise<Uint8Array | null>;
  /** gives back what reading took; nothing is read behind it */
  close(): Promise<unknown>;
  /** of symbols that are read where they lie; null: from the first byte to the last */
  ranges: { size: number; read: Ranges } | null;
  line(offset: number): number | null;
  cut(): string | null;
}

/** An ELF file may be large; where any place in it is at hand only what is asked for is read. */
function rangesOf(source: Source, { role, detected }: InputChoice): Reader['ranges'] {
  const plain = plainOf(source, null, () => {});
  return role === 'symbols' && !detected.gzip && plain.seeks && plain.size !== null
    ? { size: plain.size, read: new Ranges(plain) }
    : null;
}

async function* behind(chunks: Iterable<Uint8Array>, skip: number): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk.length > skip) yield chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.length);
  }
}

const reading = (chunks: AsyncIterable<Uint8Array>): Pick<Reader, 'next' | 'close'> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const next = async (): Promise<Uint8Array | null> => {
    const step = await iterator.next();
    return step.done ? null : step.value;
  };
  return { next, close: async () => iterator.return?.() };
};

function binaryReader(
  core: Core,
  source: Source,
  choice: InputChoice,
  from: number,
  outerCut: () => string | null,
  name: string | null,
): Reader {
  let cut: string | null = null;
  const onCut = (text: string): void => {
    cut = text;
  };
  return {
    ...reading(plainOf(source, choice.detected.gzip ? core : null, onCut, name).at(from)),
    ranges: rangesOf(source, choice),
    line: () => null,
    cut: () => cut ?? outerCut(),
  };
}

function blockReader(decoded: TextEncoding, number: number, from: number): Reader {
  const { parts = [] } = decoded.blocks[number] ?? {};
  return {
    ...reading(behind(parts, from)),
    ranges: null,
    line: (offset) => decoded.line(number, offset),
    cut: () => null,
  };
}

const startOf = (readers: Reader[]): Reached => ({ bytes: readers.map(() => 0), ended: readers.map(() => false) });

class Run {
  readonly #core: Core;
  readonly #listeners: Listeners;
  readonly #total: number | null;
  #told = 0;
  #block: Uint8Array<ArrayBuffer> | null = null;
  #gathered = 0;
  bytes = 0;

  constructor(core: Core, listeners: Listeners, total: number | null) {
    this.#core = core;
    this.#listeners = listeners;
    this.#total = total;
  }

  drain(): void {
    const length = this.#core.outputLength;
    this.bytes += length;
    const { blockSize } = this.#listeners;
    if (blockSize) return this.#gather(length, blockSize);
    const block = this.#core.takeOutput();
    if (block) this.#listeners.onBlock?.(block);
  }

  /** Before what the core writes. */
  put(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes += bytes.length;
    if (bytes.length) this.#listeners.onBlock?.(bytes);
  }

  /** Fewer and larger blocks, each byte copied once. */
  #gather(length: number, blockSize: number): void {
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + blockSize - this.#gathered);
      this.#block ??= new Uint8Array(blockSize);
      this.#core.copyOutput(from, to, this.#block, this.#gathered);
      this.#gathered += to - from;
      from = to;
      if (this.#gathered === blockSize) this.#pass(this.#block);
    }
  }

  #pass(block: Uint8Array<ArrayBuffer>): void {
    this.#block = null;
    this.#gathered = 0;
    this.#listeners.onBlock?.(block);
  }

  /** The block that was not filled. */
  flush(): void {
    if (this.#block) this.#pass(this.#block.slice(0, this.#gathered));
  }

  tell(force = false): void {
    const now = Date.now();
    if (!this.#listeners.onProgress || (!force && now - this.#told < PROGRESS_EVERY_MS)) return;
    this.#told = now;
    this.#listeners.onProgress({ ...this.#core.progress, bytesTotal: this.#total });
  }

  async #feedRanges(input: number, { size, read }: NonNullable<Reader['ranges']>): Promise<void> {
    for (let wanted = this.#core.wantedRange(input, size); wanted; wanted = this.#core.wantedRange(input, size)) {
      this.#listeners.signal?.throwIfAborted();
      this.#core.feedRange(input, await read.read(wanted.offset, wanted.length));
      this.tell();
    }
    await read.close();
    this.#core.endInput(input);
  }

  async #feedSymbols(readers: Reader[], { ended }: Reached): Promise<void> {
    for (const [input, { ranges }] of readers.entries()) {
      if (!ranges || ended[input]) continue;
      await this.#feedRanges(input, ranges);
      ended[input] = true;
    }
  }

  /** Feeds what the core asks for until all inputs have ended, or `isEnough`, and closes them. `reached`: by the readers before. */
  async feedAll(
    readers: Reader[],
    reached: Reached = startOf(readers),
    isEnough = (): boolean => false,
  ): Promise<void> {
    try {
      await this.#feedWanted(readers, reached, isEnough);
    } finally {
      await Promise.all(readers.map((reader) => reader.close()));
    }
  }

  async #feedWanted(readers: Reader[], reached: Reached, isEnough: () => boolean): Promise<void> {
    const core = this.#core;
    const waiting = new Map<number, Uint8Array>();
    await this.#feedSymbols(readers, reached);
    while (!isEnough()) {
      this.#listeners.signal?.throwIfAborted();
      const wanted = core.wanted;
      const input = wanted === ANY_INPUT ? reached.ended.indexOf(false) : wanted;
      if (wanted === NO_INPUT || input < 0) return;
      const bytes = waiting.get(input) ?? (await readers[input]!.next());
      if (bytes === null) {
        reached.ended[input] = true;
        core.endInput(input);
      } else {
        const consumed = core.feed(input, bytes.subarray(0, core.inputSize));
        reached.bytes[input]! += consumed;
        if (consumed < bytes.length) waiting.set(input, bytes.subarray(consumed));
        else waiting.delete(input);
      }
      this.drain();
      this.#listeners.points?.pass(core, reached);
      this.tell();
    }
  }
}

/** What the reading side saw, in front of the core's problems. */
function addProblem(report: Report, problem: Omit<Problem, 'severity' | 'detail'>, input: number, line?: number): void {
  report.problems.unshift({ severity: 'damage', detail: '', ...problem });
  const place = {
    problem: problem.id,
    input: report.inputs[input]?.name ?? '',
    input_number: input,
    offset: null,
    frame: null,
    time: null,
    hex: '',
  };
  report.places.unshift(line ? { ...place, line } : place);
}

function addEncodingProblem(report: Report, result: TextEncodingResult, input: number): void {
  const common = {
    cause: result.badText,
    remedy: 'Copy the text again, and nothing but the recording. What could be read was used.',
  };
  if (result.bad)
    addProblem(
      report,
      { id: 'TEXT_DIGITS', title: 'Characters that are no digits', count: result.bad, ...common },
      input,
      result.badLine,
    );
  else if (result.badText)
    addProblem(
      report,
      { id: 'TEXT_INCOMPLETE', title: 'The text is not complete or not consistent', count: 1, ...common },
      input,
      result.badLine,
    );
}

/** Once for each archive, whatever number of its files are read. */
function addArchiveProblems(report: Report, choices: InputChoice[]): void {
  const told = new Set<number>();
  for (const [index, { detected }] of choices.entries()) {
    const problem = detected.member?.problem;
    if (!problem || told.has(detected.source)) continue;
    told.add(detected.source);
    addProblem(
      report,
      {
        id: 'ARCHIVE_DAMAGED',
        title: 'The archive is damaged or incomplete',
        count: 1,
        cause: `Of ${detected.name}: ${problem}.`,
        remedy: 'Copy the archive again.',
      },
      index,
    );
  }
}

/** Names what a text is read from: the blocks of one text share what is decoded. */
const placeOf = ({ source, member }: DetectedInput): string => `${source} ${member?.number ?? ''}`;

const addCut = (report: Report, cut: string | null, index: number): void => {
  if (cut)
    addProblem(
      report,
      {
        id: 'GZIP_CUT',
        title: 'The packed file is damaged or incomplete',
        count: 1,
        cause: cut,
        remedy: 'Copy the file again.',
      },
      index,
    );
};

function addHostProblems(
  report: Report,
  readers: Reader[],
  decodedTexts: Job['decodedTexts'],
  choices: InputChoice[],
): void {
  for (const place of report.places) {
    const line =
      place.offset === null || place.input_number === null
        ? null
        : readers[place.input_number]?.line(Number(place.offset));
    if (line) place.line = line;
  }
  const texts = [...decodedTexts].map(([place, text]) => ({
    ...text,
    index: choices.findIndex(({ detected }) => placeOf(detected) === place),
  }));
  for (const [index, reader] of readers.entries()) addCut(report, reader.cut(), index);
  for (const { cut, index } of texts) addCut(report, cut, index);
  addArchiveProblems(report, choices);
  for (const { decoded, index } of texts) addEncodingProblem(report, decoded.result!, index);
}

/** core: converts, and unpacks what is packed; from: bytes of each input that are left out. */
async function openReaders(
  { texts, sources, choices, decodedTexts }: Job,
  core: Core,
  from: number[] = [],
): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const [index, choice] of choices.entries()) {
    const { detected } = choice;
    const skipped = from[index] ?? 0;
    let cut: string | null = null;
    const nameOf = (layer: string): string => `${placeOf(detected)} ${layer}`;
    const onCut = (text: string): void => {
      cut ??= text;
    };
    const source = await sourceOf(core, sources, detected, onCut, nameOf);
    if (detected.encoding === 'binary') {
      readers.push(binaryReader(core, source, choice, skipped, () => cut, nameOf('input')));
      continue;
    }
    const place = placeOf(detected);
    let text = decodedTexts.get(place);
    if (!text) {
      const opened = await openSource(core, source, 1);
      text = { decoded: await texts.decodeText(detected.encoding, opened), cut: cut ?? opened.cut };
      decodedTexts.set(place, text);
    }
    readers.push(blockReader(text.decoded, detected.block, skipped));
  }
  return readers;
}

/** The format that a person chose, else the recognised one. */
function formatOf(choices: InputChoice[], chosen: string | undefined): string | null {
  if (chosen && chosen !== 'auto') return chosen;
  return choices.find(({ role }) => role === 'recording')?.detected.plan.format ?? null;
}

/** Whether an option is for a recording: false of one that only other formats have. Common ones, and those that do not exist, are for all. */
export function takesOption(formats: FormatInfo[], choices: InputChoice[], key: string): boolean {
  const format = formatOf(choices, undefined),
    having = formats.filter(({ options }) => options.some((option) => option.key === key));
  return format === null || !having.length || having.some(({ name }) => name === format);
}

function prepare(
  core: Core,
  choices: InputChoice[],
  format: string,
  options: Record<string, string>,
  { dump, samples }: Listeners,
): void {
  core.begin(dump ?? null, samples ?? null);
  for (const [key, value] of Object.entries({ ...options, format })) if (value) core.setOption(key, value);
  for (const { detected, role, core: number } of choices)
    core.addInput(detected.name, role, number, detected.probe.from);
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

/** Why the bytes are no recording, from what recognising saw. */
const notRecognised = (choices: InputChoice[]): CoreError => {
  const probe: Probe | undefined = choices.find(({ role }) => role === 'recording')?.detected.probe;
  const reason = probe?.reason ? `: ${probe.reason.replace(/\.$/, '')}` : '';
  return new CoreError('unknown-format', `This is no recording that Tonkopf knows${reason}.`);
};

/** What one recording is converted from and with. */
interface Job {
  module: WebAssembly.Module;
  format: string;
  texts: Texts;
  sources: Source[];
  choices: InputChoice[];
  /** by place; cut: what is wrong with the compressed data of one */
  decodedTexts: Map<string, { decoded: TextEncoding; cut: string | null }>;
}

/** Options that choose a part of the time, of the trace or of the report. */
const PART = ['from-ns', 'to-ns', 'figures-from-ns', 'figures-to-ns'];

/** Reads everything once for the tick length alone. */
async function findTick(job: Job, options: Record<string, string>, signal: Listeners['signal']): Promise<string> {
  const whole = Object.fromEntries(Object.entries(options).filter(([key]) => !PART.includes(key)));
  const core = await Core.open(job.module);
  prepare(core, job.choices, job.format, whole, {});
  await new Run(core, signal ? { signal } : {}, null).feedAll(await openReaders(job, core));
  core.finish();
  return String((JSON.parse(core.reportJson()) as Report).tick.ns);
}

/** A part of the time is asked for, and the tick length may stand anywhere in the recording. */
async function rangeTick(
  job: Job,
  options: Record<string, string>,
  find: () => string | Promise<string>,
): Promise<string> {
  if (!PART.some((key) => options[key]) || options['tick-ns']) return '';
  const named = job.choices.find(({ role, detected }) => role === 'recording' && detected.probe.namesTick);
  if (!named) return find();
  const { tickNs } = named.detected.probe;
  return tickNs === '0' ? '' : tickNs;
}

function jobOf(module: WebAssembly.Module, sources: Source[], choices: InputChoice[], format: string): Job {
  const ordered = [...choices].sort((a, b) => a.detected.plan.order - b.detected.plan.order);
  return { module, format, texts: new Texts(module), sources, choices: ordered, decodedTexts: new Map() };
}

/** Converts the inputs of one recording. The order of `choices` is the order of the report's inputs. */
export async function convert(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  listeners: Listeners = {},
): Promise<Conversion> {
  const format = formatOf(choices, options.format);
  if (!format) throw notRecognised(choices);
  const { points } = listeners;
  const job = jobOf(module, sources, choices, format);
  const { texts, decodedTexts, choices: ordered } = job;
  const core = await Core.open(module);
  const run = new Run(
    core,
    points ? { ...listeners, onBlock: (block) => points.write(block) } : listeners,
    sizeOf(sources, ordered),
  );
  let readers: Reader[] = [];
  let exhausted = false;
  try {
    prepare(core, ordered, format, { ...options, ...(points && { 'from-ns': NEVER }) }, listeners); // what cannot be is refused before anything is read
    const tick = points ? '' : await rangeTick(job, options, () => findTick(job, options, listeners.signal));
    if (tick) core.setOption('range-tick-ns', tick);
    readers = await openReaders(job, core);
    await run.feedAll(readers);
  } catch (error) {
    run.flush(); // whatever it was: what came before is a trace
    if (!(error instanceof CoreError)) throw error;
    if (error.code === 'unknown-format') throw notRecognised(ordered);
    if (error.code !== 'no-memory') throw error;
    exhausted = true;
  }
  try {
    core.finish();
  } catch (error) {
    if (!exhausted) throw error; // the same again: what was converted so far is closed and kept
  }
  run.drain();
  run.flush();
  if (listeners.samples !== undefined && !exhausted) {
    core.endSamples(); // its words of what is wrong are no output
    run.drain();
    run.flush();
  }
  run.tell(true);
  const reportJson = core.reportJson();
  const report = JSON.parse(reportJson) as Report;
  addHostProblems(report, readers, decodedTexts, ordered);
  if (exhausted) {
    addProblem(
      report,
      {
        id: 'OUT_OF_MEMORY',
        title: 'Out of memory',
        count: 1,
        cause: 'The browser gave no more memory, so the conversion stopped early.',
        remedy: 'The trace holds what was converted until then. Close other tabs, or convert a shorter recording.',
      },
      0,
    );
  }
  return {
    report,
    reportJson,
    head: core.takeHead(),
    bytes: run.bytes,
    memoryBytes: core.memoryBytes + texts.memoryBytes,
    leftOut: core.leftOut,
  };
}

/** Sets the conversion of a part up, from the last point before it or from the beginning. */
async function beginPart(
  core: Core,
  job: Job,
  options: Record<string, string>,
  { fromNs, toNs, tickNs, points }: Part,
): Promise<Point | null> {
  const range = { 'from-ns': String(fromNs), 'to-ns': String(toNs) };
  const tick = await rangeTick(job, { ...options, ...range }, () => tickNs);
  const longest = [tickNs, tick].map((ns) => BigInt(ns || 1)).reduce((a, b) => (a > b ? a : b)); // it may change on the way
  const point = points?.before(fromNs / longest) ?? null;
  if (!point) {
    prepare(core, job.choices, job.format, { ...options, 'range-tick-ns': tick, ...range }, {});
    return null;
  }
  core.restore(point.state);
  core.inflaters = structuredClone(point.inflaters);
  for (const [key, value] of Object.entries({ 'range-tick-ns': tick, ...range })) if (value) core.setOption(key, value);
  return point;
}

/** The trace of a part alone: it reads no more than it must, and makes no report. */
export async function convertPart(
  module: WebAssembly.Module,
  sources: Source[],
  choices: InputChoice[],
  options: Record<string, string>,
  part: Part,
  listeners: Listeners = {},
): Promise<PartTrace> {
  const format = formatOf(choices, options.format);
  if (!format) throw notRecognised(choices);
  const job = jobOf(module, sources, choices, format);
  const core = await Core.open(module);
  const run = new Run(core, listeners, null);
  const point = await beginPart(core, job, options, part);
  const readers = await openReaders(job, core, point?.bytes);
  if (point && part.points) run.put(part.points.namesOf(point));
  await run.feedAll(
    readers,
    point ? { bytes: [...point.bytes], ended: [...point.ended] } : undefined,
    () => core.isComplete,
  );
  if (!core.isComplete) {
    core.finish();
    run.drain();
  }
  run.flush();
  return { head: core.takeHead(), bytes: run.bytes, memoryBytes: core.memoryBytes + job.texts.memoryBytes };
}
