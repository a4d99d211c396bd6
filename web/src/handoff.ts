// SPDX-License-Identifier: MIT
// Delivers a trace: to the viewer or into a file.
import * as format from './format.js';
import {
  type HandOver,
  type Output,
  type Page,
  type Recording,
  canOpen,
  canOpenPart,
  findRecording,
  fittingPart,
  inputsOf,
  isSlow,
  loaded,
  titleOf,
  tooLarge,
} from './job.js';
import { samplesName, save, saveTrace, traceName } from './io/download.js';
import type { BlockStore } from './io/block-store.js';
import {
  type Range,
  type Trace,
  answers,
  anyView,
  closeWindow,
  handOver,
  partAround,
  scrollTo,
  viewerUrl,
} from './io/perfetto.js';
import { getSettings } from './io/settings.js';
import { type Want, samplesFor, traceFor } from './conversions.js';
import { dispatch, getPage, subscribe } from './store.js';
import { chosenOf, showPlace } from './timelines.js';
import { Stopped } from './worker/bridge.js';

const message = (error: unknown): string => format.sentence(error instanceof Error ? error.message : String(error));

function nameOf(id: string): string {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  if (!content || !recording) return 'trace';
  return (
    inputsOf(content, recording).find((input) => input.role === 'recording')?.detected.name ??
    titleOf(content, recording)
  );
}

// ---- The viewer ------------------------------------------------------------------------------------

/** A viewer window that waits for its trace, and the view to show in it. */
let handing: { stop: AbortController; viewer: Window; goal: string } | null = null;

const goalOf = (key: string, address: string, ...ranges: (Range | null)[]): string =>
  [key, address, ...ranges.map((range) => range && `${range.startNs} ${range.endNs} ${range.track}`)].join('\n');

/** Closes the window, which would stay empty. */
function giveUp(): void {
  handing?.stop.abort();
  if (handing) closeWindow(handing.viewer);
  handing = null;
}

/** The window that got the last trace, and the conversion that made it. */
let shown: { viewer: Window; address: string; cacheKey: string; part: Range | null } | null = null;

/** Shows a time range of a recording in its timeline: all links to a moment go through this function. Without a timeline, the viewer shows
 * it; so this must be called in the click's event handler. */
export function showTime(id: string, range: Range): void {
  const recording = findRecording(getPage(), id);
  if (!recording || !showPlace(recording, range)) void showInViewer(id, range);
}

/** Opens the viewer at a time range of a recording. Must be called in the click's event handler. */
export function openTime(id: string, range: Range): void {
  void showInViewer(id, range);
}

/** What a click on the main button hands over: a marked interval, or as much of a trace that is too large as the viewer takes; otherwise
 * everything, shown at the view that the user has chosen. */
export function clickOf(recording: Recording): { view: Range | null; part: Range | null } {
  const { conversion } = recording;
  const { visible = null, isMoved = false, interval = null } = chosenOf(recording) ?? {};
  const view = isMoved ? visible : null;
  if (conversion.kind !== 'done') return { view, part: null };
  const part = interval ?? (tooLarge(conversion.output) ? fittingPart(conversion.output) : null);
  return { view: part ?? view, part };
}

/** Opens the viewer as the main button says. Must be called in the click's event handler. */
export function openAsSeen(id: string): void {
  const recording = findRecording(getPage(), id);
  if (!recording) return;
  const { view, part } = clickOf(recording);
  openInViewer(id, view, part);
}

/** Shows a time range of the trace in the window that already has the trace, or in a new one. Must be called in the click's event
 * handler. */
async function showInViewer(id: string, range: Range): Promise<void> {
  const { cacheKey, conversion } = findRecording(getPage(), id) ?? {};
  const part = conversion?.kind === 'done' && isSlow(conversion.output) ? partAround(range, conversion.output) : null;
  if (!shown || shown.cacheKey !== cacheKey || shown.address !== getSettings().viewer || !holds(shown.part, range))
    return openInViewer(id, range, part);
  const { viewer, address } = shown;
  if (!(await answers(viewer, address))) {
    shown = null;
    return openInViewer(id, range, part);
  }
  scrollTo(viewer, address, range);
  viewer.focus();
  dispatch({ type: 'hand-over', handOver: { kind: 'moved', recording: id } });
}

const holds = (part: Range | null, { startNs, endNs }: Range): boolean =>
  !part || (part.startNs <= startNs && endNs <= part.endNs);

function waitingFor({ id, conversion }: Recording, part: Range | null): HandOver {
  const isDone = conversion.kind === 'done';
  const ready = conversion.kind === 'trace' || (isDone && conversion.output.store !== null && !part);
  return { kind: 'waiting', recording: id, ready, ...(isDone && { done: '' }) };
}

/** The action of the last request. */
let last: Parameters<typeof openInViewer> | null = null;

export const openAgain = (): void => {
  if (last) openInViewer(...last);
};

const isSilent = ({ handOver: state }: Page): boolean => state.kind === 'waiting' && state.silent === true;

function newWindow(url: string): Window | null {
  giveUp();
  return window.open(url, '_blank');
}

/** Reloads parts of the page that failed to load. Does nothing if the viewer is already loaded. */
function sameWindow({ stop, viewer }: NonNullable<typeof handing>, url: string): Window {
  stop.abort();
  viewer.location.replace(url);
  viewer.focus();
  return viewer;
}

/** Must be called in the click's event handler; otherwise the browser blocks the window. A second click brings the same window to the
 * front. part: the time range that the trace contains; null: everything. */
function openInViewer(id: string, range: Range | null = null, part: Range | null = null): void {
  const recording = findRecording(getPage(), id);
  if (!recording || !(part ? canOpenPart : canOpen)(recording.conversion)) return;
  last = [id, range, part];
  const { conversion, cacheKey } = recording;
  const address = getSettings().viewer,
    goal = goalOf(cacheKey, address, range, part);
  const open = handing?.goal === goal && !handing.viewer.closed ? handing : null;
  if (open && !isSilent(getPage())) return open.viewer.focus();
  const view = conversion.kind === 'done' ? conversion.output.report.view : anyView;
  const url = viewerUrl(address, view, range, chosenOf(recording)?.marks);
  const viewer = open ? sameWindow(open, url) : newWindow(url);
  if (!viewer) return dispatch({ type: 'hand-over', handOver: { kind: 'blocked', recording: id } });
  const mine = { stop: new AbortController(), viewer, goal };
  handing = mine;
  dispatch({ type: 'hand-over', handOver: waitingFor(recording, part) });
  void hand(recording, viewer, address, part, mine.stop).finally(() => {
    if (handing === mine) handing = null;
  });
}

/** Hands the trace to an open window and waits until the viewer has it or the hand-over failed. */
async function hand(
  recording: Recording,
  viewer: Window,
  address: string,
  part: Range | null,
  stop: AbortController,
): Promise<void> {
  const { id, cacheKey } = recording;
  const made = async (): Promise<Trace> =>
    traceOf(recording, await finished(cacheKey, part, stop.signal), part, stop.signal);
  try {
    const kind = await handOver(
      viewer,
      address,
      recording.conversion.kind === 'trace' ? asItIs(id) : made(),
      stop.signal,
      (silent) => waits(id, { silent }),
    );
    if (kind === 'handed') shown = { viewer, address, cacheKey, part };
    else stop.abort(); // the trace that is being made for it
    dispatch({ type: 'hand-over', handOver: { kind, recording: id } });
  } catch (error) {
    if (stop.signal.aborted) return;
    closeWindow(viewer);
    dispatch({
      type: 'hand-over',
      handOver: error instanceof Stopped ? { kind: 'idle' } : { kind: 'failed', recording: id, text: message(error) },
    });
  }
}

export const stopWaiting = (): void => {
  giveUp();
  dispatch({ type: 'hand-over', handOver: { kind: 'idle' } });
};

/** Resolves when the conversion with this cache key is finished; rejects when it failed or was cancelled. */
function finished(cacheKey: string, part: Range | null, signal: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    const check = (): boolean => {
      const conversion = loaded(getPage())?.recordings.find((recording) => recording.cacheKey === cacheKey)?.conversion;
      if (conversion?.kind === 'running' || conversion?.kind === 'queued') return false;
      if (conversion?.kind !== 'done') reject(new Error('The conversion did not finish, so there is no trace to show'));
      else if (!part && tooLarge(conversion.output))
        reject(new Error('The trace became too large for the viewer: download it instead'));
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

const waits = (
  id: string,
  change: Partial<Pick<Extract<HandOver, { kind: 'waiting' }>, 'ready' | 'done' | 'silent'>>,
): void => {
  const { handOver: state } = getPage();
  if (state.kind === 'waiting' && state.recording === id)
    dispatch({ type: 'hand-over', handOver: { ...state, ...change } });
};

async function traceOf(recording: Recording, output: Output, part: Range | null, signal: AbortSignal): Promise<Trace> {
  const { id } = recording;
  const store = await traceFor(recording, output, part, {
    signal,
    onDone: (done) => waits(id, { ready: false, done }),
  });
  waits(id, { ready: true });
  const name = nameOf(id);
  return { buffer: () => store.toBuffer(), title: plainAscii(name), fileName: plainAscii(traceName(name)) };
}

async function asItIs(id: string): Promise<Trace> {
  const content = loaded(getPage());
  const source = content?.inputs.find(({ key }) => key === id)?.source;
  if (!source) throw new Error('The file was removed from this page');
  return { buffer: () => source.blob.arrayBuffer(), title: plainAscii(source.name), fileName: plainAscii(source.name) };
}

/** The viewer replaces all other characters by blanks. */
const plainAscii = (text: string): string => text.normalize('NFKD').replace(/[^A-Za-z0-9.\-_#:/?=&;%+$ ]/g, '');

// ---- Files -----------------------------------------------------------------------------------------

let nextTask = 1;
const stops = new Map<number, AbortController>();

export const stopTask = (id: number): void => stops.get(id)?.abort();

/** Shows a long operation as progress that the user can cancel. */
async function task(
  recording: Recording,
  samples: string | null,
  work: (want: Want) => Promise<BlockStore>,
): Promise<BlockStore> {
  const id = nextTask++;
  const stop = new AbortController();
  const onDone = (done: string): void =>
    dispatch({ type: 'task', task: { id, recording: recording.id, samples, done } });
  stops.set(id, stop);
  onDone('');
  try {
    return await work({ signal: stop.signal, onDone });
  } finally {
    stops.delete(id);
    dispatch({ type: 'task-ended', id });
  }
}

async function saving(what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Stopped) return;
    dispatch({ type: 'notice', notice: { tone: 'error', text: `${what} could not be saved: ${message(error)}` } });
  }
}

/** Saves the samples of one signal to a file. */
export const exportSamples = (id: string, path: string): Promise<void> =>
  saving(`The samples of ${path}`, async () => {
    const recording = findRecording(getPage(), id);
    if (recording?.conversion.kind !== 'done') return;
    const { output } = recording.conversion;
    const store = await task(recording, path, (want) => samplesFor(recording, output, path, want));
    save(new Blob([store.toBlob()], { type: 'text/csv' }), samplesName(nameOf(id), path));
  });

async function storeFor(recording: Recording | null): Promise<BlockStore> {
  if (recording?.conversion.kind !== 'done') throw new Error('There is no trace');
  const { output } = recording.conversion;
  return output.store ?? task(recording, null, (want) => traceFor(recording, output, null, want));
}

/** salvaged: the trace of a conversion that failed. */
export const download = (id: string, gzip: boolean, salvaged: BlockStore | null): Promise<void> =>
  saving('The trace', async () =>
    saveTrace(salvaged ?? (await storeFor(findRecording(getPage(), id))), traceName(nameOf(id)), gzip),
  );
