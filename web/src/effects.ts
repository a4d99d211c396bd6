// SPDX-License-Identifier: MIT
// What happens outside the state: looking at inputs, converting, handing over. Every effect begins with the state
// and ends with an action.
import demos, { type Demo } from 'virtual:demos';
import type { InputChoice } from '../../wasm/types.js';
import {
  type Conversion,
  type Failure,
  LARGE,
  type Input,
  type Loaded,
  type Output,
  type Recording,
  type SourceItem,
  canOpen,
  canOpenPart,
  coreOf,
  extentOf,
  findRecording,
  heldBy,
  inputsOf,
  isSlow,
  loaded,
  memoryOf,
  titleOf,
  tooLarge,
  overridesOf,
} from './job.js';
import * as format from './format.js';
import { samplesName, save, saveTrace, traceName } from './io/download.js';
import { tonkopfModule } from './io/module.js';
import { type Range, type Trace, answers, anyView, handOver, partAround, scrollTo, viewerUrl } from './io/perfetto.js';
import { contentKey, recall, remember } from './io/memory.js';
import { fetchDemo, fromFiles, fromText } from './io/read.js';
import { getSettings } from './io/settings.js';
import { BlockStore } from './io/block-store.js';
import { dispatch, getPage, subscribe } from './store.js';
import { Bridge, Stopped, WorkerFailure } from './worker/bridge.js';
import type { CutSource, Done, WireSource } from './worker/messages.js';

// Looking has a worker of its own: it never waits for a long conversion, and cancel ends only the conversion.
const inspector = new Bridge(tonkopfModule, (catalogue) => dispatch({ type: 'catalogue', catalogue }));

export function startEffects(): void {
  inspector.warm();
  subscribe(() => {
    look();
    pump();
  });
}

// ---- Taking in -----------------------------------------------------------------------------------

export function addFiles(files: readonly File[]): void {
  if (files.length) dispatch({ type: 'add', sources: fromFiles(files) });
}

export function addText(text: string): void {
  if (text.trim()) dispatch({ type: 'add', sources: [fromText(text)] });
  else dispatch({ type: 'notice', notice: { tone: 'error', text: 'The clipboard holds no text. Copy the hex or base64 text first, then paste it here.' } });
}

export async function addDemo({ files: names, options = {} }: Pick<Demo, 'files' | 'options'>): Promise<void> {
  try {
    const files = await Promise.all(names.map(fetchDemo));
    dispatch({ type: 'add', sources: fromFiles(files, 'demo', options) });
  } catch (error) {
    dispatch({ type: 'notice', notice: { tone: 'error', text: `${message(error)} Is the network gone before this page was completely loaded?` } });
  }
}

/** `#demo=freertos` in the address of the page plays it. */
export function playLinkedDemo(): void {
  const wanted = new URLSearchParams(location.hash.slice(1)).get('demo');
  if (wanted === null) return;
  dispatch({ type: 'clear' });
  const demo = demos.find(({ id }) => id === wanted);
  if (demo) void addDemo(demo);
  else dispatch({ type: 'notice', notice: { tone: 'error', text: `There is no demo “${wanted}”. There are ${demos.map(({ id }) => id).join(', ')}.` } });
}

// ---- Memory --------------------------------------------------------------------------------------

const isLookedUp = ({ content }: SourceItem): boolean => content !== undefined;

/** What has the same bytes as another one is said and left out. */
function withoutTwins(sources: readonly SourceItem[]): { sources: SourceItem[]; said: string } {
  const firsts = new Map<string, SourceItem>();
  const twins: string[] = [];
  const kept = sources.filter((source) => {
    const other = source.content ? firsts.get(source.content) : undefined;
    if (other) twins.push(`${source.name} holds the same bytes as ${other.name === source.name ? 'the one before' : other.name}: it is read once.`);
    else if (source.content) firsts.set(source.content, source);
    return !other;
  });
  return { sources: kept, said: twins.join(' ') };
}

/** Files that helped the last time, each once, whoever it helped. */
async function helpersOf(known: { content: string; sides: File[] }[]): Promise<SourceItem[]> {
  const helpers = new Map<string | null, SourceItem>();
  for (const { content: helps, sides } of known)
    for (const source of fromFiles(sides, 'memory')) {
      const content = await contentKey(source.blob);
      helpers.set(content, { ...source, content, helps: helpers.has(content) ? undefined : helps });
    }
  return [...helpers.values()];
}

/** Asks the memory about what is new. Files that helped the last time come along. */
async function lookUp(sources: readonly SourceItem[]): Promise<{ sources: SourceItem[]; said: string }> {
  const keyed = await Promise.all(sources.map(async (source) => (isLookedUp(source) ? source : { ...source, content: await contentKey(source.blob) })));
  const { sources: kept, said } = withoutTwins(keyed);
  const helped: { content: string; sides: File[] }[] = [];
  const known = await Promise.all(kept.map(async (source) => {
    const memory = sources.includes(source) || source.origin === 'demo' || !source.content ? null : await recall(source.content);
    if (!memory || !source.content) return source;
    helped.push({ content: source.content, sides: memory.sides });
    return { ...source, options: memory.options };
  }));
  return { sources: withoutTwins([...known, ...(await helpersOf(helped))]).sources, said };
}

export function forget(id: string): void {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  const known = content && recording && memoryOf(content, recording);
  if (known) void remember(known.key, { options: {}, sides: [] });
  dispatch({ type: 'forget', recording: id });
}

function keep(content: Loaded, recording: Recording): void {
  const known = memoryOf(content, recording);
  if (known) void remember(known.key, known.memory);
}

// ---- Looking -------------------------------------------------------------------------------------

const wire = (source: SourceItem): WireSource => ({ name: source.name, blob: source.blob, encoding: source.encoding });

let lookedAt: SourceItem[] | null = null;

function look(): void {
  const { content } = getPage();
  const sources = content.kind === 'looking' ? content.sources : null;
  if (sources === lookedAt) return;
  if (lookedAt) inspector.stop(); // nobody waits for that answer any more
  lookedAt = sources;
  if (!sources) return;
  if (sources.every(isLookedUp)) return inspect(sources);
  void lookUp(sources).then(({ sources: known, said }) => dispatch({ type: 'recalled', from: sources, sources: known, said }));
}

function inspect(sources: SourceItem[]): void {
  const { content } = getPage();
  inspector.inspect(sources.map(wire), content.kind === 'looking' ? overridesOf(content) : {}).then(
    ({ detectedInputs, cut }) => {
      if (lookedAt === sources) lookedAt = null;
      dispatch({ type: 'detected', sources, detectedInputs });
      if (cut) dispatch({ type: 'notice', notice: { tone: 'error', text: readFailure(cut).text } });
    },
    (error: unknown) => {
      if (error instanceof Stopped) return;
      if (lookedAt === sources) lookedAt = null;
      dispatch({ type: 'detection-failed', sources, text: `${format.sentence(message(error))} Reload the page and try again.` });
    },
  );
}

// ---- Converting ----------------------------------------------------------------------------------

/** A worker that converts, and what it is at. */
interface Lane {
  bridge: Bridge;
  running: { cacheKey: string; bytes: number } | null;
}

/** What is smaller does not wait behind what is larger: then it has a worker of its own. */
const SMALL = 16 << 20;
const first: Lane = { bridge: new Bridge(tonkopfModule), running: null };
const second: Lane = { bridge: new Bridge(tonkopfModule), running: null };

/** Of the last recordings that were only read: the worker that holds the places from which their parts are made, 100 MB perhaps, and does nothing else. */
const registers = new Map<string, Bridge>();
const MOST_REGISTERS = 2;

function keepRegister(cacheKey: string, lane: Lane): void {
  registers.set(cacheKey, lane.bridge);
  lane.bridge = new Bridge(tonkopfModule);
  if (registers.size > MOST_REGISTERS) dropRegister(registers.keys().next().value!);
}

function dropRegister(cacheKey: string): void {
  registers.get(cacheKey)?.stop();
  registers.delete(cacheKey);
}

/** Makes whole traces of them. */
const maker = new Bridge(tonkopfModule);

const sizeOf = (content: Loaded, recording: Recording): number => inputsOf(content, recording).reduce((sum, input) => sum + input.detected.bytes, 0);

/** The selected recording first, then the others, small ones before large ones. */
function queuedIn(content: Loaded): Recording[] {
  const queued = content.recordings.filter((recording) => recording.conversion.kind === 'queued');
  const rank = (recording: Recording): number => (recording.id === content.selected ? -1 : sizeOf(content, recording));
  return queued.sort((a, b) => rank(a) - rank(b));
}

function halt(lane: Lane): void {
  lane.running = null;
  lane.bridge.stop();
}

function pump(): void {
  const { content } = getPage();
  const current = loaded(getPage());
  const isThere = (key: string): boolean => current?.recordings.some(({ cacheKey }) => cacheKey === key) === true;
  for (const lane of [first, second]) // removed, or its options were changed
    if (lane.running && !isThere(lane.running.cacheKey)) halt(lane);
  for (const cacheKey of [...registers.keys()]) if (!isThere(cacheKey)) dropRegister(cacheKey);
  if (content.kind !== 'loaded') return;
  const [next] = queuedIn(content);
  if (next && !first.running) return void convert(content, next, first);
  const small = queuedIn(content).find((recording) => sizeOf(content, recording) <= SMALL);
  if (small && !second.running && first.running && first.running.bytes > SMALL) void convert(content, small, second);
}

export function cancel(cacheKey: string): void {
  for (const lane of [first, second]) if (lane.running?.cacheKey === cacheKey) halt(lane);
  dispatch({ type: 'conversion', cacheKey, conversion: { kind: 'cancelled' } });
}

export const again = (cacheKey: string): void => dispatch({ type: 'conversion', cacheKey, conversion: { kind: 'queued' } });

async function convert(content: Loaded, recording: Recording, lane: Lane): Promise<void> {
  const { cacheKey } = recording;
  const startedAt = performance.now();
  const inputs = inputsOf(content, recording);
  const total = sizeOf(content, recording);
  lane.running = { cacheKey, bytes: total };
  dispatch({
    type: 'conversion',
    cacheKey,
    conversion: { kind: 'running', progress: { bytesIn: 0, bytesTotal: total, events: 0, bytesOut: 0 }, startedAt, now: startedAt },
  });
  const store = new BlockStore();
  const register = total >= LARGE && !isPart(recording) ? cacheKey : null;
  let result: Conversion;
  try {
    const done = await lane.bridge.convert(content.sources.map(wire), inputs.map(choiceOf), { ...recording.options }, {
      onProgress: (progress) => dispatch({ type: 'progress', cacheKey, progress, now: performance.now() }),
      onBlock: (block) => store.add(block),
    }, { register });
    if (register) keepRegister(register, lane);
    const output = outputOf(done, recording, register ? null : store, total, (performance.now() - startedAt) / 1000);
    // For the browser's own tools, and for scripts/bench/chromium.mjs.
    const detail = { bytesIn: total, bytesOut: store.bytes, events: output.report.events.total, wasmBytes: done.memoryBytes };
    performance.measure('conversion', { start: startedAt, detail });
    const nothing = output.cut !== null && output.report.events.total === 0;
    result = nothing && output.cut ? { kind: 'failed', failure: output.cut, salvaged: null } : { kind: 'done', output };
  } catch (error) {
    if (error instanceof Stopped) return; // whoever stopped it has said so
    result = { kind: 'failed', failure: explain(error, inputs), salvaged: store.bytes > 0 ? store : null };
  }
  if (lane.running?.cacheKey === cacheKey) lane.running = null;
  if (result.kind === 'done') keep(content, recording);
  dispatch({ type: 'conversion', cacheKey, conversion: result });
}

const choiceOf = (input: Input): InputChoice => ({ detected: input.detected, role: input.role === 'none' ? 'recording' : input.role, core: input.role === 'recording' ? coreOf(input) : null });

const isPart = ({ options }: Recording): boolean => options['from-ns'] !== undefined || options['to-ns'] !== undefined;

function outputOf(done: Done, { options }: Recording, store: BlockStore | null, bytesIn: number, seconds: number): Output {
  store?.setHead(done.head);
  const { from, to } = heldBy(done.report, options);
  return { report: done.report, store, extent: extentOf(done.report, store, done.leftOut), heldNs: to - from, bytesIn, seconds, cut: done.cut && readFailure(done.cut) };
}

/** The trace of a recording that was only read, which is kept from then on. */
async function wholeStore(recording: Recording, output: Output, onShare: (share: number) => void): Promise<BlockStore> {
  const content = loaded(getPage());
  if (output.store || !content) return output.store ?? new BlockStore();
  const store = new BlockStore();
  const { head } = await maker.convert(content.sources.map(wire), inputsOf(content, recording).map(choiceOf), { ...recording.options }, {
    onProgress: ({ bytesIn }) => onShare(Math.min(1, bytesIn / Math.max(1, output.bytesIn))),
    onBlock: (block) => store.add(block),
  });
  store.setHead(head);
  dispatch({ type: 'conversion', cacheKey: recording.cacheKey, conversion: { kind: 'done', output: { ...output, store, extent: { ...output.extent, bytes: store.bytes } } } });
  return store;
}

/** The trace of a part, from the nearest place before it where there is one. */
async function partStore(recording: Recording, { report }: Output, { startNs, endNs }: Range): Promise<BlockStore> {
  const content = loaded(getPage());
  const store = new BlockStore();
  if (!content) return store;
  const part = { register: recording.cacheKey, fromNs: startNs, toNs: endNs, tickNs: String(report.tick.ns) };
  const bridge = registers.get(recording.cacheKey) ?? maker;
  const { head } = await bridge.part(content.sources.map(wire), inputsOf(content, recording).map(choiceOf), { ...recording.options }, part, { onProgress: () => {}, onBlock: (block) => store.add(block) });
  store.setHead(head);
  return store;
}

function readFailure(cut: CutSource): Failure {
  const cause = 'The file was moved or changed, or its medium is gone. Choose it again.';
  if (cut.at === 0) return { text: `The browser could not read ${cut.name}.`, place: '', advice: cause };
  return {
    text: `The browser could not read ${cut.name} to its end: it stopped at ${format.bytes(cut.at)}.`,
    place: `byte ${format.count(cut.at)}`,
    advice: `${cause} What was read before that place was converted.`,
  };
}

function explain(error: unknown, inputs: readonly Input[]): Failure {
  const failure = error instanceof WorkerFailure ? error.failure : { code: 'worker', text: message(error), offset: null };
  const where = failure.offset === null ? '' : `byte ${format.count(Number(failure.offset))} of ${inputs[0]?.detected.name ?? 'the input'}`;
  const memory = /memory|allocation|RangeError/i.test(`${failure.code} ${failure.text}`);
  if (/misuse/i.test(failure.code)) return { text: format.sentence(failure.text), place: '', advice: 'Correct this option: the conversion starts again by itself.' };
  return {
    text: memory ? 'The browser gave the converter no more memory.' : format.sentence(failure.text),
    place: where,
    advice: memory
      ? 'Close other tabs and try again, or limit the time range in the options of this recording.'
      : 'Try again; if it fails at the same place, change the format or the encoding on the card.',
  };
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// ---- Handing over --------------------------------------------------------------------------------

let handing: AbortController | null = null;

/** The window that got the last trace, and from what it was made. */
let shown: { viewer: Window; address: string; cacheKey: string; part: Range | null } | null = null;

/** The trace may hold a part only; the viewer ignores what reaches beyond it. */
function clamped(range: Range, options: Recording['options']): Range {
  const [from, to] = [BigInt(options['from-ns'] ?? range.startNs), BigInt(options['to-ns'] ?? range.endNs)];
  return { ...range, startNs: range.startNs > from ? range.startNs : from, endNs: range.endNs < to ? range.endNs : to };
}

/** Shows a part of the trace in the window that has it, or in a new one. Must be called inside the click. */
export async function showInViewer(id: string, wanted: Range): Promise<void> {
  const { cacheKey, conversion, options = {} } = findRecording(getPage(), id) ?? {};
  const part = conversion?.kind === 'done' && isSlow(conversion.output) ? partAround(wanted, conversion.output) : null;
  const range = part ? wanted : clamped(wanted, options); // a part is made of the recording, whatever is kept
  if (!shown || shown.cacheKey !== cacheKey || shown.address !== getSettings().viewer || !holds(shown.part, range)) return openInViewer(id, range, part);
  const { viewer, address } = shown;
  if (!(await answers(viewer, address))) {
    shown = null;
    return openInViewer(id, range, part);
  }
  scrollTo(viewer, address, range);
  viewer.focus();
  dispatch({ type: 'hand-over', handOver: { kind: 'moved', recording: id } });
}

const holds = (part: Range | null, { startNs, endNs }: Range): boolean => !part || (part.startNs <= startNs && endNs <= part.endNs);

/** Must be called inside the click: otherwise the browser blocks the window. part: what the trace holds; null: everything. */
export function openInViewer(id: string, range: Range | null = null, part: Range | null = null): void {
  const recording = findRecording(getPage(), id);
  if (!recording || !(part ? canOpenPart : canOpen)(recording.conversion)) return;
  handing?.abort();
  const stop = new AbortController();
  handing = stop;
  const { conversion, cacheKey } = recording;
  const address = getSettings().viewer;
  const view = conversion.kind === 'done' ? conversion.output.report.view : anyView;
  const viewer = window.open(viewerUrl(address, view, range), '_blank');
  if (!viewer) return dispatch({ type: 'hand-over', handOver: { kind: 'blocked', recording: id } });
  const trace = conversion.kind === 'trace' ? asItIs(id) : finished(cacheKey, part, stop.signal).then((output) => traceOf(recording, output, part, stop.signal));
  dispatch({ type: 'hand-over', handOver: { kind: 'waiting', recording: id, ready: conversion.kind === 'trace' || (conversion.kind === 'done' && conversion.output.store !== null && !part) } });
  handOver(viewer, address, trace, stop.signal, () => {}).then(
    (kind) => {
      if (kind === 'handed') shown = { viewer, address, cacheKey, part };
      dispatch({ type: 'hand-over', handOver: { kind, recording: id } });
    },
    (error: unknown) => {
      if (stop.signal.aborted) return;
      viewer.close();
      dispatch({ type: 'hand-over', handOver: { kind: 'failed', recording: id, text: format.sentence(message(error)) } });
    },
  );
}

export const stopWaiting = (): void => {
  handing?.abort();
  if (getPage().handOver.kind === 'making') maker.stop();
  dispatch({ type: 'hand-over', handOver: { kind: 'idle' } });
};

/** Resolves when the conversion with this cache key is done; rejects when it will not be. */
function finished(cacheKey: string, part: Range | null, signal: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    const check = (): boolean => {
      const conversion = loaded(getPage())?.recordings.find((recording) => recording.cacheKey === cacheKey)?.conversion;
      if (conversion?.kind === 'running' || conversion?.kind === 'queued') return false;
      if (conversion?.kind !== 'done') reject(new Error('The conversion did not come to an end, so there is nothing to show'));
      else if (!part && tooLarge(conversion.output)) reject(new Error('The trace became too large for the viewer: download it instead'));
      else resolve(conversion.output);
      return true;
    };
    if (check()) return;
    const unsubscribe = subscribe(() => {
      if (check()) unsubscribe();
    });
    signal.addEventListener('abort', unsubscribe);
  });
}

const waits = (id: string, change: { ready: boolean; share?: number }): void => {
  const { handOver: state } = getPage();
  if (state.kind === 'waiting' && state.recording === id) dispatch({ type: 'hand-over', handOver: { ...state, ...change } });
};

async function traceOf(recording: Recording, output: Output, part: Range | null, signal: AbortSignal): Promise<Trace> {
  const { id } = recording;
  if (!part && !output.store) signal.addEventListener('abort', () => maker.stop());
  const store = part ? await partStore(recording, output, part) : await wholeStore(recording, output, (share) => waits(id, { ready: false, share }));
  waits(id, { ready: true });
  const name = nameOf(id);
  return { buffer: await store.toBuffer(), title: plainAscii(name), fileName: plainAscii(traceName(name)) };
}

async function asItIs(id: string): Promise<Trace> {
  const content = loaded(getPage());
  const source = content?.inputs.find(({ key }) => key === id)?.source;
  if (!source) throw new Error('The file is not here any more');
  return { buffer: await source.blob.arrayBuffer(), title: plainAscii(source.name), fileName: plainAscii(source.name) };
}

/** The viewer replaces everything else by blanks. */
const plainAscii = (text: string): string => text.normalize('NFKD').replace(/[^A-Za-z0-9.\-_#:/?=&;%+$ ]/g, '');

function nameOf(id: string): string {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  if (!content || !recording) return 'trace';
  return inputsOf(content, recording).find((input) => input.role === 'recording')?.detected.name ?? titleOf(content, recording);
}

// A worker of its own: nobody waits for it.
const sampler = new Bridge(tonkopfModule);

/** The samples of one signal, into a file. */
export async function takeSamples(id: string, path: string): Promise<void> {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  if (!content || !recording) return;
  const store = new BlockStore();
  const listeners = { onProgress: () => {}, onBlock: (block: Uint8Array<ArrayBuffer>) => store.add(block) };
  try {
    await sampler.convert(content.sources.map(wire), inputsOf(content, recording).map(choiceOf), { ...recording.options }, listeners, { samples: path });
    save(new Blob([store.toBlob()], { type: 'text/csv' }), samplesName(nameOf(id), path));
  } catch (error) {
    dispatch({ type: 'notice', notice: { tone: 'error', text: `The samples of ${path} could not be saved: ${format.sentence(message(error))}` } });
  }
}

async function storeFor(recording: Recording | null): Promise<BlockStore> {
  if (recording?.conversion.kind !== 'done') throw new Error('There is no trace');
  const { output } = recording.conversion;
  if (output.store) return output.store;
  const making = (share: number): void => dispatch({ type: 'hand-over', handOver: { kind: 'making', recording: recording.id, share } });
  making(0);
  const isMaking = (): boolean => getPage().handOver.kind === 'making'; // else the viewer was asked for meanwhile
  try {
    return await wholeStore(recording, output, (share) => { if (isMaking()) making(share); });
  } finally {
    if (isMaking()) dispatch({ type: 'hand-over', handOver: { kind: 'idle' } });
  }
}

/** salvaged: of a conversion that failed. */
export async function download(id: string, gzip: boolean, salvaged: BlockStore | null): Promise<void> {
  const recording = findRecording(getPage(), id);
  try {
    await saveTrace(salvaged ?? (await storeFor(recording)), traceName(nameOf(id)), gzip);
  } catch (error) {
    if (error instanceof Stopped) return;
    dispatch({ type: 'notice', notice: { tone: 'error', text: `The trace could not be saved: ${format.sentence(message(error))}` } });
  }
}
