// SPDX-License-Identifier: MIT
// What the page shows comes back after a reload, after Back, and after "Start over". The state of a history entry names the recording. Its
// files and choices are in memory while the page lives, and in the private file system of the browser (io/recordings.ts).
import { useEffect, useState } from 'preact/hooks';
import { openTab } from './drawer.js';
import * as format from './format.js';
import {
  LARGE,
  type Loaded,
  type Recording,
  type Snapshot,
  type StoredSnapshot,
  fromStored,
  loaded,
  snapshotOf,
  sourcesOf,
  titleOf,
  toStored,
} from './job.js';
import { fromFiles, reserveIds } from './io/read.js';
import type { Hold, Kept, KeptRecording } from './io/recordings.js';
import { playLinkedDemo } from './effects.js';
import { playLinkedStream } from './lives.js';
import { dispatch, getPage, subscribe } from './store.js';
import { linkView, viewIn } from './timeline/address.js';
import { showPlace } from './timelines.js';

const MOST_LISTED = 4;

type Store = typeof import('./io/recordings.js');

/** Loaded when it is needed first; null: without the network. */
const store = (): Promise<Store | null> => import('./io/recordings.js').catch(() => null);

/** The state of a history entry. recording: its id, '' of the start page. */
interface Entry {
  recording: string;
  name: string;
}

function entryOf(state: unknown): Entry | null {
  const { recording, name } = (state ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof recording === 'string' && typeof name === 'string' ? { recording, name } : null;
}

/** kept: a reload brings it back; otherwise why not. */
export type Keeping = Kept | 'forgotten' | 'not yet';

let current: Entry | null = null;
let keeping: Keeping = 'not yet';
/** what is kept of the current recording */
let written: Choices | null = null;
let last: Promise<void> = Promise.resolve();
/** What this page has shown, by recording. */
const shown = new Map<string, Entry & { snapshot: Snapshot }>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of [...listeners]) listener();
}

function setKeeping(next: Keeping): void {
  keeping = next;
  notify();
}

/** Calls a function now, and when what is kept has changed. */
function useKept(act: () => void): void {
  useEffect(() => {
    act();
    listeners.add(act);
    return () => void listeners.delete(act);
  }, []);
}

export function useKeeping(): Keeping {
  const [value, set] = useState(keeping);
  useKept(() => set(keeping));
  return value;
}

// ---- Keeping

const newId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

/** Names of the stored bytes. */
const keys = new WeakMap<Blob, string>();

function keyOf(blob: Blob): string {
  const key = keys.get(blob) ?? newId();
  keys.set(blob, key);
  return key;
}

let held: Hold | null = null;

/** Until the page shows another recording, other pages do not remove the current one to make room. */
function holdCurrent(code: Store | null): void {
  held ??= (current && code?.hold(current.recording)) ?? null;
}

/** Live recordings that ended beside another recording, of which they became a file. The page reads them where they were recorded. */
const beside: { id: string; file: File; recording: string }[] = [];

/** Names the recording whose only file this page has stored while it recorded it. Call it before the page adds the file. Beside another
 * recording the file is stored again, with that recording, and the first copy goes with this page. */
export function adopt(id: string, file: File): void {
  if (current) {
    beside.push({ id, file, recording: current.recording });
    return void store().then((code) => code?.hold(id));
  }
  keys.set(file, 'bytes');
  begin({ recording: id, name: file.name });
  void store().then(holdCurrent);
}

interface State extends StoredSnapshot {
  /** of the page that wrote it; another one only takes the files */
  version: string;
}

type Choices = Pick<Loaded, 'sources' | 'inputs' | 'selected'> & { options: Recording['options'][] };

/** What is kept, without results, which need memory. */
const choicesOf = ({ sources, inputs, selected, recordings }: Loaded): Choices => ({
  sources,
  inputs,
  selected,
  options: recordings.map(({ options }) => options),
});

const isWritten = ({ sources, inputs, selected, recordings }: Loaded): boolean =>
  written?.sources === sources &&
  written.inputs === inputs &&
  written.selected === selected &&
  written.options.length === recordings.length &&
  written.options.every((options, index) => options === recordings[index]!.options);

const REST_MS = 3000;

/** Resolves when the user has not touched the page for a moment, so that the copy of a large recording delays no picture. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    const touches = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    const end = (): void => {
      for (const touch of touches) removeEventListener(touch, again, true);
      resolve();
    };
    let timer = setTimeout(end, REST_MS);
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, REST_MS);
    };
    for (const touch of touches) addEventListener(touch, again, { capture: true, passive: true });
  });
}

/** The recording that is too large to be kept, of which the page has told the user. */
let toldLarge = '';

function tellLarge({ recording, name }: Entry, largest: number): void {
  if (toldLarge === recording) return;
  toldLarge = recording;
  const text = `This browser keeps recordings up to ${format.bytes(largest)}: after a reload, choose ${name} again.`;
  dispatch({ type: 'notice', notice: { tone: 'info', text } });
}

async function write(entry: Entry, content: Loaded): Promise<void> {
  if (entry !== current || isWritten(content)) return;
  const state: State = { version: VERSION, ...toStored(content) };
  const files = content.sources.map(({ name, blob }) => ({ key: keyOf(blob), name, blob }));
  const code = await store();
  const kept = (await code?.keep({ id: entry.recording, name: entry.name, state }, files)) ?? 'full';
  for (const { id, file, recording } of beside)
    if (recording === entry.recording)
      await code?.setCopied(id, kept === 'kept' && files.some(({ blob }) => blob === file));
  if (entry !== current) return;
  written = choicesOf(content);
  if (kept === 'kept') holdCurrent(code);
  if (kept === 'large') tellLarge(entry, await code!.largest());
  setKeeping(kept);
}

/** Names the current recording in the history. */
function begin(entry: Entry): void {
  current = entry;
  written = null;
  history.replaceState(entry, '');
}

/** What is kept as soon as the user rests, because it is large; null: nothing is. */
let awaited: Loaded | null = null;

/** Names what the page shows in the history and in the title, and keeps it as soon as nothing is being converted. */
function follow(): void {
  const page = getPage();
  const content = loaded(page);
  const selected = content?.recordings.find(({ id }) => id === content.selected);
  const title = content && selected ? titleOf(content, selected) : (sourcesOf(page).at(-1)?.name ?? '');
  document.title = title ? `${title} – Tonkopf` : 'Tonkopf';
  if (page.content.kind === 'empty') return leave();
  if (page.content.kind !== 'loaded') return;
  if (current?.name !== title) begin({ recording: current?.recording ?? newId(), name: title });
  if (keeping === 'forgotten' || isWritten(page.content)) return;
  if (keeping !== 'not yet') setKeeping('not yet');
  if (page.content.recordings.some(({ conversion: { kind } }) => kind === 'queued' || kind === 'running')) return;
  const [now, entry] = [page.content, current!];
  const keep = (): void => {
    const isWanted = (): boolean => loaded(getPage()) === now && keeping !== 'forgotten';
    last = last.then(() => (isWanted() ? write(entry, now) : undefined));
  };
  if (now.sources.reduce((sum, { blob }) => sum + blob.size, 0) <= LARGE) return keep();
  if (awaited === now) return;
  awaited = now;
  void rest().then(() => {
    if (awaited === now) awaited = null; // its results need memory
    keep();
  });
}

function leave(): void {
  void held?.release();
  held = null;
  current = null;
  written = null;
  setKeeping('not yet');
}

/** The current recording stays in the memory of this page. */
function putAside(): void {
  const snapshot = snapshotOf(getPage());
  if (!snapshot || !current || keeping === 'forgotten') return;
  shown.delete(current.recording); // the newest is the last
  shown.set(current.recording, { ...current, snapshot });
}

/** Removes the recording from this browser; the page shows it until it is left. */
export async function forgetRecording(id: string): Promise<void> {
  shown.delete(id);
  if (id === current?.recording) setKeeping('forgotten');
  await last;
  const code = await store();
  await code?.remove(id);
  for (const one of beside) if (one.recording === id) await code?.remove(one.id);
  notify();
}

export const forgetCurrent = (): void => void (current && forgetRecording(current.recording));

export async function forgetRecordings(): Promise<void> {
  shown.clear();
  if (current) setKeeping('forgotten');
  await last;
  await (await store())?.removeAll();
  notify();
}

// ---- Bringing back

function restored({ state }: KeptRecording, files: File[]): Snapshot {
  const { version, ...stored } = (state ?? {}) as Partial<State>;
  if (version === VERSION && stored.sources?.length === files.length)
    return fromStored(stored as StoredSnapshot, files);
  return { sources: fromFiles(files), before: null };
}

async function find(id: string): Promise<Snapshot | null> {
  const aside = shown.get(id);
  if (aside) return aside.snapshot;
  await last;
  const found = await (await store())?.open(id);
  if (!found) return null;
  for (const [index, file] of found.files.entries()) keys.set(file, found.about.files[index]!.key);
  return restored(found.about, found.files);
}

/** Shows a recording that this page or this browser keeps. */
async function show(entry: Entry): Promise<void> {
  const snapshot = await find(entry.recording);
  if (entryOf(history.state)?.recording !== entry.recording) return; // the user has gone on
  if (!snapshot) {
    history.replaceState(null, '');
    dispatch({ type: 'clear' });
    return dispatch({
      type: 'notice',
      notice: {
        tone: 'info',
        text: `${entry.name} cannot be shown again: this browser has not kept it. Choose it once more.`,
      },
    });
  }
  reserveIds(snapshot.sources);
  linkView();
  leave();
  current = entry;
  void store().then(holdCurrent);
  dispatch({ type: 'restore', snapshot });
}

/** Opens a recording of the list on the start page. */
export async function openKept({ id, name }: Pick<KeptRecording, 'id' | 'name'>): Promise<void> {
  history.replaceState({ recording: id, name } satisfies Entry, '');
  await show({ recording: id, name });
}

export interface Listed {
  id: string;
  name: string;
  /** number and bytes of its files */
  size: string;
}

const isDemo = ({ state }: KeptRecording): boolean =>
  (state as State | null)?.sources?.every(({ origin }) => origin === 'demo') === true;

/** What can be opened again: what this page has shown, then what the browser keeps; the newest first. */
async function listed(): Promise<Listed[]> {
  const aside = [...shown.values()]
    .reverse()
    .map(({ recording, name, snapshot }) => ({ id: recording, name, files: snapshot.sources.map(({ blob }) => blob) }));
  const kept = ((await (await store())?.list()) ?? []).filter((one) => !shown.has(one.id) && !isDemo(one));
  const sized = (files: { size: number }[]): string => {
    const size = format.bytes(files.reduce((sum, { size }) => sum + size, 0));
    return files.length > 1 ? `${format.plural(files.length, 'file')}, ${size}` : size;
  };
  return [
    ...aside.map(({ id, name, files }) => ({ id, name, size: sized(files) })),
    ...kept.map(({ id, name, files }) => ({ id, name, size: sized(files.map(({ bytes: size }) => ({ size }))) })),
  ].slice(0, MOST_LISTED);
}

/** null: not known yet. */
export function useListed(): readonly Listed[] | null {
  const [value, set] = useState<readonly Listed[] | null>(null);
  useKept(() => void listed().then(set));
  return value;
}

/** The start page in a new entry of the history, so that Back brings the recording back. */
export function startOver(): void {
  putAside();
  openTab(null);
  history.pushState({ recording: '', name: '' } satisfies Entry, '', location.pathname + location.search);
  dispatch({ type: 'clear' });
}

/** Follows the history: Back and Forward between recordings and the start page. */
function onPopState({ state }: PopStateEvent): void {
  const entry = entryOf(state);
  if (!entry) return; // the user changed the address
  if (entry.recording && entry.recording === current?.recording) return showLinked();
  putAside();
  if (entry.recording) void show(entry);
  else dispatch({ type: 'clear' });
}

/** Shows the view that the address has in the timeline of the selected recording. */
function showLinked(): void {
  const view = viewIn(location.hash);
  const content = loaded(getPage());
  const selected = content?.recordings.find(({ id }) => id === content.selected);
  if (view && selected) showPlace(selected, view);
}

/** The user changed the address. */
function onHashChange(): void {
  if (entryOf(history.state)) return; // Back or Forward
  playLinkedDemo();
  if (!current) return;
  history.replaceState(current, '');
  showLinked();
}

/** Shows what the history entry or the address of the page names. Resolves when the page can be drawn. */
export async function startKeeping(): Promise<void> {
  subscribe(follow);
  addEventListener('popstate', onPopState);
  addEventListener('hashchange', onHashChange);
  const entry = entryOf(history.state);
  if (entry?.recording) return show(entry);
  playLinkedDemo();
  playLinkedStream();
}
