// SPDX-License-Identifier: MIT
// Runs the core. Reads the files itself, so that the page never copies the bytes of a recording.
import { convert, convertPart, inspect } from '../../../wasm/convert.js';
import type { Progress } from '../../../wasm/types.js';
import { readPrograms } from '../io/probe/program.js';
import { BlobSource } from './blob-source.js';
import { Points } from '../../../wasm/checkpoints.js';
import type { CutSource, FromWorker, ToWorker, WireSource } from './messages.js';
import { REHEARSED } from './rehearsed.js';

declare const self: DedicatedWorkerGlobalScope;

const say = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, transfer);

let module: WebAssembly.Module | null = null;

function opened(): WebAssembly.Module {
  if (!module) throw new Error('The worker was asked before it was opened');
  return module;
}

interface Reading {
  sources: BlobSource[];
  encodings: WireSource['encoding'][];
  cut: CutSource | null;
}

function readingOf(wires: WireSource[]): Reading {
  const reading: Reading = { sources: [], encodings: wires.map(({ encoding }) => encoding), cut: null };
  reading.sources = wires.map(
    (wire) =>
      new BlobSource(wire, (cut) => {
        reading.cut ??= cut;
      }),
  );
  return reading;
}

/** Each block wakes the page, so blocks are large; but a cancelled or failed conversion should lose little. */
const BLOCK = 4 << 20;

type Start = Extract<ToWorker, { type: 'start' }>;
type Inspect = Extract<ToWorker, { type: 'inspect' }>;

async function look({ id, sources: wires, overrides }: Inspect): Promise<void> {
  const reading = readingOf(wires);
  const detectedInputs = await inspect(opened(), reading.sources, reading.encodings, overrides);
  say({ type: 'inspect', id, detectedInputs, cut: reading.cut });
}

async function lookUp({ id, files }: Extract<ToWorker, { type: 'programs' }>): Promise<void> {
  say({ type: 'programs', id, programs: await readPrograms(opened(), files) });
}

async function rehearse(id: number): Promise<void> {
  const { sources } = readingOf([{ name: '', blob: new Blob([REHEARSED]), encoding: null }]);
  const [detected] = await inspect(opened(), sources);
  const choices = [{ detected: detected!, role: 'recording' as const, core: null }];
  await convert(opened(), sources, choices, {}, { onBlock: () => {}, onRows: () => {} });
  say({ type: 'rehearsed', id });
}

type PartOf = Extract<ToWorker, { type: 'part' }>;

type Register = { name: string; points: Points } | null;

/** Restart points of the last recording that was read without a trace. */
let register: Register = null;

/** Restart points of the dumps of a recording without such states. */
let dumps: Register = null;

function pointsFor(name: string, isDump: boolean): Points | null {
  if (register?.name === name) return register.points;
  if (!isDump) return null;
  if (dumps?.name !== name) dumps = { name, points: new Points() };
  return dumps.points;
}

/** The running conversion. It checks for cancellation between two blocks of input. */
const running = new Map<number, AbortController>();

const listenersOf = (id: number) => ({
  signal: running.get(id)!.signal,
  onProgress: (progress: Progress) => say({ type: 'progress', id, progress }),
  blockSize: BLOCK,
  onBlock: (block: Uint8Array<ArrayBuffer>) => say({ type: 'block', id, block }, [block.buffer]),
});

/** Passes blocks of the timeline to its worker; null follows the last one. The worker of the timeline closes the port: Firefox drops the messages of
 * a port that its other end has closed before they are read. */
const rowsTo = (port: MessagePort) => (blocks: Uint8Array<ArrayBuffer>) => port.postMessage(blocks, [blocks.buffer]);

async function start({
  id,
  sources: wires,
  choices,
  options,
  register: name,
  samples,
  timeline,
}: Start): Promise<void> {
  const reading = readingOf(wires);
  register = name === null ? null : { name, points: new Points() };
  const points = register && { points: register.points };
  const { report, head, memoryBytes, leftOut } = await convert(opened(), reading.sources, choices, options, {
    ...listenersOf(id),
    ...points,
    ...(timeline && { onRows: rowsTo(timeline), onReport: (report) => say({ type: 'so-far', id, report }) }),
    encodings: reading.encodings,
    ...(samples === null ? {} : { samples }),
  });
  timeline?.postMessage(null);
  say({ type: 'report', id, report, head, memoryBytes, leftOut });
  say({ type: 'done', id, cut: reading.cut });
}

async function part({
  id,
  sources: wires,
  choices,
  options,
  register: name,
  timeline,
  ...range
}: PartOf): Promise<void> {
  const points = pointsFor(name, range.isDump);
  const reading = readingOf(wires);
  const { head, memoryBytes } = await convertPart(
    opened(),
    reading.sources,
    choices,
    options,
    { ...range, points },
    { ...listenersOf(id), ...(timeline && { onRows: rowsTo(timeline) }), encodings: reading.encodings },
  );
  timeline?.postMessage(null);
  say({ type: 'part', id, head, memoryBytes, cut: reading.cut });
}

function stoppable<Question extends Start | PartOf>(
  question: Question,
  answer: (question: Question) => Promise<void>,
): void {
  const { id } = question;
  running.set(id, new AbortController());
  void answer(question)
    .catch((error: unknown) => fail(id, error))
    .finally(() => running.delete(id));
}

function fail(id: number, error: unknown): void {
  const { code, offset, message } = error as { code?: unknown; offset?: unknown; message?: unknown };
  say({
    type: 'failed',
    id,
    code: typeof code === 'string' ? code : error instanceof Error ? error.name : 'worker',
    text: typeof message === 'string' ? message : String(error),
    offset: typeof offset === 'string' || typeof offset === 'number' ? String(offset) : null,
  });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'open':
      module = data.module;
      return;
    case 'inspect':
      return void look(data).catch((error: unknown) => fail(data.id, error));
    case 'programs':
      return void lookUp(data).catch((error: unknown) => fail(data.id, error));
    case 'rehearse':
      return void rehearse(data.id).catch((error: unknown) => fail(data.id, error));
    case 'part':
      return stoppable(data, part);
    case 'start':
      return stoppable(data, start);
    case 'stop':
      return running.get(data.id)?.abort();
  }
};
