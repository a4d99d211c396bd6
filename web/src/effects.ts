// SPDX-License-Identifier: MIT
// What happens outside the state: looking at inputs, converting, handing over. Every effect begins with the state
// and ends with an action.
import type { InputChoice } from '../../wasm/types.js';
import {
  type Conversion,
  type Failure,
  type Input,
  type Loaded,
  type Output,
  type Recording,
  type SourceItem,
  canOpen,
  coreOf,
  findRecording,
  inputsOf,
  loaded,
  titleOf,
  tooLarge,
} from './job.js';
import * as format from './format.js';
import { saveTrace, traceName } from './io/download.js';
import { tonkopfModule } from './io/module.js';
import { type Range, type Trace, answers, handOver, scrollTo, viewerUrl } from './io/perfetto.js';
import { fetchDemo, fromFiles, fromText } from './io/read.js';
import { getSettings } from './io/settings.js';
import { Spool } from './io/spool.js';
import { dispatch, getPage, subscribe } from './store.js';
import { Bridge, Stopped, WorkerFailure } from './worker/bridge.js';
import type { CutSource, Done, WireSource } from './worker/messages.js';

// Two workers: looking at a new file never waits for a long conversion, and cancel ends only the conversion.
const looker = new Bridge(tonkopfModule, (catalogue) => dispatch({ type: 'catalogue', catalogue }));
const converter = new Bridge(tonkopfModule);

export function startEffects(): void {
  looker.warm();
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

export async function addDemo(names: readonly string[]): Promise<void> {
  try {
    const files = await Promise.all(names.map(fetchDemo));
    dispatch({ type: 'add', sources: fromFiles(files, 'demo') });
  } catch (error) {
    dispatch({ type: 'notice', notice: { tone: 'error', text: `${message(error)} Is the network gone before this page was completely loaded?` } });
  }
}

// ---- Looking -------------------------------------------------------------------------------------

const wire = (source: SourceItem): WireSource => ({ name: source.name, blob: source.blob, encoding: source.encoding });

let lookedAt: SourceItem[] | null = null;

function look(): void {
  const { content } = getPage();
  const sources = content.kind === 'looking' ? content.sources : null;
  if (sources === lookedAt) return;
  if (lookedAt) looker.stop(); // nobody waits for that answer any more
  lookedAt = sources;
  if (!sources) return;
  looker.inspect(sources.map(wire)).then(
    ({ sightings, cut }) => {
      if (lookedAt === sources) lookedAt = null;
      dispatch({ type: 'sighted', sources, sightings });
      if (cut) dispatch({ type: 'notice', notice: { tone: 'error', text: readFailure(cut).text } });
    },
    (error: unknown) => {
      if (error instanceof Stopped) return;
      if (lookedAt === sources) lookedAt = null;
      dispatch({ type: 'sighting-failed', sources, text: `${format.sentence(message(error))} Reload the page and try again.` });
    },
  );
}

// ---- Converting ----------------------------------------------------------------------------------

let running: string | null = null;

/** The selected recording first, then the others in order. */
function nextQueued(content: Loaded): Recording | null {
  const queued = content.recordings.filter((recording) => recording.conversion.kind === 'queued');
  return queued.find((recording) => recording.id === content.selected) ?? queued[0] ?? null;
}

function pump(): void {
  const { content } = getPage();
  const current = loaded(getPage());
  if (running !== null && !current?.recordings.some((recording) => recording.recipe === running)) {
    running = null;
    converter.stop(); // removed, or its options were changed
  }
  if (running !== null || content.kind !== 'loaded') return;
  const recording = nextQueued(content);
  if (recording) void convert(content, recording);
}

export function cancel(recipe: string): void {
  if (running === recipe) {
    running = null;
    converter.stop();
  }
  dispatch({ type: 'conversion', recipe, conversion: { kind: 'cancelled' } });
}

export const again = (recipe: string): void => dispatch({ type: 'conversion', recipe, conversion: { kind: 'queued' } });

async function convert(content: Loaded, recording: Recording): Promise<void> {
  const { recipe } = recording;
  running = recipe;
  const startedAt = performance.now();
  const inputs = inputsOf(content, recording);
  const total = inputs.reduce((sum, input) => sum + input.sighting.bytes, 0);
  dispatch({
    type: 'conversion',
    recipe,
    conversion: { kind: 'running', progress: { bytesIn: 0, bytesTotal: total, events: 0, bytesOut: 0 }, startedAt, now: startedAt },
  });
  const spool = new Spool();
  let result: Conversion;
  try {
    const done = await converter.convert(content.sources.map(wire), inputs.map(choiceOf), { ...recording.options }, {
      onProgress: (progress) => dispatch({ type: 'progress', recipe, progress, now: performance.now() }),
      onBlock: (block) => spool.add(block),
    });
    const output = outputOf(done, spool, (performance.now() - startedAt) / 1000);
    // For the browser's own tools, and for scripts/bench/chromium.mjs.
    const detail = { bytesIn: total, bytesOut: spool.bytes, events: output.report.events.total, wasmBytes: done.memoryBytes };
    performance.measure('conversion', { start: startedAt, detail });
    const nothing = output.cut !== null && output.report.events.total === 0;
    result = nothing && output.cut ? { kind: 'failed', failure: output.cut, salvaged: null } : { kind: 'done', output };
  } catch (error) {
    if (error instanceof Stopped) return; // whoever stopped it has said so
    result = { kind: 'failed', failure: explain(error, inputs), salvaged: spool.bytes > 0 ? spool : null };
  }
  if (running === recipe) running = null;
  dispatch({ type: 'conversion', recipe, conversion: result });
}

const choiceOf = (input: Input): InputChoice => ({ sighting: input.sighting, role: input.role, core: coreOf(input) });

function outputOf(done: Done, spool: Spool, seconds: number): Output {
  spool.setHead(done.head);
  return { report: done.report, reportText: done.reportText, spool, seconds, cut: done.cut && readFailure(done.cut) };
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
  const where = failure.offset === null ? '' : `byte ${format.count(Number(failure.offset))} of ${inputs[0]?.sighting.name ?? 'the input'}`;
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
let shown: { viewer: Window; address: string; recipe: string } | null = null;

/** Shows a part of the trace in the window that has it, or in a new one. Must be called inside the click. */
export async function showInViewer(id: string, range: Range): Promise<void> {
  const recipe = findRecording(getPage(), id)?.recipe;
  if (!shown || shown.recipe !== recipe || shown.address !== getSettings().viewer) return openInViewer(id, range);
  const { viewer, address } = shown;
  if (!(await answers(viewer, address))) {
    shown = null;
    return openInViewer(id, range);
  }
  scrollTo(viewer, address, range);
  viewer.focus();
  dispatch({ type: 'hand-over', handOver: { kind: 'moved', recording: id } });
}

/** Must be called inside the click: otherwise the browser blocks the window. */
export function openInViewer(id: string, range: Range | null = null): void {
  const recording = findRecording(getPage(), id);
  if (!recording || !canOpen(recording.conversion)) return;
  handing?.abort();
  const stop = new AbortController();
  handing = stop;
  const { conversion, recipe } = recording;
  const address = getSettings().viewer;
  const view = conversion.kind === 'done' ? conversion.output.report.view : getPage().catalogue?.view;
  const viewer = window.open(viewerUrl(address, view, range), '_blank');
  if (!viewer) return dispatch({ type: 'hand-over', handOver: { kind: 'blocked', recording: id } });
  const trace = finished(recipe, stop.signal).then((output) => traceOf(id, output));
  dispatch({ type: 'hand-over', handOver: { kind: 'waiting', recording: id, ready: conversion.kind === 'done' } });
  handOver(viewer, address, trace, stop.signal, () => {}).then(
    (kind) => {
      if (kind === 'handed') shown = { viewer, address, recipe };
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
  dispatch({ type: 'hand-over', handOver: { kind: 'idle' } });
};

/** Resolves when the conversion of this recipe is done; rejects when it will not be. */
function finished(recipe: string, signal: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    const check = (): boolean => {
      const conversion = loaded(getPage())?.recordings.find((recording) => recording.recipe === recipe)?.conversion;
      if (conversion?.kind === 'running' || conversion?.kind === 'queued') return false;
      if (conversion?.kind !== 'done') reject(new Error('The conversion did not come to an end, so there is nothing to show'));
      else if (tooLarge(conversion.output)) reject(new Error('The trace became too large for the viewer: download it instead'));
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

async function traceOf(id: string, output: Output): Promise<Trace> {
  const { handOver: state } = getPage();
  if (state.kind === 'waiting' && state.recording === id) dispatch({ type: 'hand-over', handOver: { ...state, ready: true } });
  const name = nameOf(id);
  return { buffer: await output.spool.toBuffer(), title: plainAscii(name), fileName: plainAscii(traceName(name)) };
}

/** The viewer replaces everything else by blanks. */
const plainAscii = (text: string): string => text.normalize('NFKD').replace(/[^A-Za-z0-9.\-_#:/?=&;%+$ ]/g, '');

function nameOf(id: string): string {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  if (!content || !recording) return 'trace';
  return inputsOf(content, recording).find((input) => input.role === 'recording')?.sighting.name ?? titleOf(content, recording);
}

export async function download(id: string, spool: Spool, gzip: boolean): Promise<void> {
  try {
    await saveTrace(spool, traceName(nameOf(id)), gzip);
  } catch (error) {
    dispatch({ type: 'notice', notice: { tone: 'error', text: `The trace could not be saved: ${format.sentence(message(error))}` } });
  }
}
