// SPDX-License-Identifier: MIT
// The timelines of the recordings. Their code and timeline.wasm are loaded after the page is shown.
import { useEffect, useState } from 'preact/hooks';
import wasmUrl from '../../lib/timeline.wasm?url';
import { compile } from './io/compile.js';
import type { Range } from './io/perfetto.js';
import type { Recording } from './job.js';
import type { Session } from './timeline/session.js';

export type Code = typeof import('./timeline/timeline.js');

interface Entry {
  session: Session | null;
  code: Code | null;
  port: MessagePort;
  /** place to show; a new object shows it again */
  place: Range | null;
}

/** Each timeline needs memory for its recording; the oldest ones end first. */
const MOST = 4;

/** By the cacheKey of the recording. */
const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of [...listeners]) listener();
}

let loading: Promise<[Code, WebAssembly.Module]> | null = null;

/** Loads the code of the timeline, and its module. */
export function loadTimeline(): Promise<[Code, WebAssembly.Module]> {
  loading ??= Promise.all([import('./timeline/timeline.js'), compile(new URL(wasmUrl, document.baseURI).href)]).catch(
    (error: unknown) => {
      loading = null; // a later recording may succeed
      throw error;
    },
  );
  return loading;
}

/** Loads the timeline, and starts the worker of the next one. */
export const prepareTimeline = (): Promise<void> =>
  loadTimeline().then(
    ([code]) => code.prepare(),
    () => {}, // the page works without a timeline
  );

function drop(key: string): void {
  const entry = entries.get(key);
  entries.delete(key);
  entry?.port.close();
  entry?.session?.close();
}

/** Starts the timeline of a recording, which replaces an earlier one. Returns the port for its blocks. */
export function startTimeline(key: string): MessagePort {
  const { port1, port2 } = new MessageChannel();
  drop(key);
  const entry: Entry = { session: null, code: null, port: port2, place: null };
  entries.set(key, entry);
  if (entries.size > MOST) drop(entries.keys().next().value!);
  loadTimeline().then(
    ([code, module]) => {
      if (entries.get(key) !== entry) return;
      entry.code = code;
      entry.session = new code.Session(module, port2);
      notify();
    },
    () => entries.get(key) === entry && drop(key), // the page works without a timeline
  );
  return port1;
}

/** Ends the timelines of recordings that are gone. */
export function keepTimelines(recordings: readonly Pick<Recording, 'cacheKey'>[]): void {
  const isThere = (key: string): boolean => recordings.some(({ cacheKey }) => cacheKey === key);
  for (const key of [...entries.keys()]) if (!isThere(key)) drop(key);
}

const entryOf = ({ cacheKey }: Pick<Recording, 'cacheKey'>): Entry | null => entries.get(cacheKey) ?? null;

export function hasTimeline(recording: Recording): boolean {
  const session = entryOf(recording)?.session;
  return !!session?.facts?.points && !session.failure;
}

/** Shows a place in the timeline of a recording, centred; selects the item of the tracks `place.track` there, or marks it as an interval.
 * Returns false if the recording has no timeline. */
export function showPlace(recording: Recording, place: Range): boolean {
  const entry = entryOf(recording);
  if (!entry || !hasTimeline(recording)) return false;
  entry.place = { ...place };
  notify();
  return true;
}

/** The timeline of a recording; null: there is none (yet). `session.chosen` is what the user sees and has selected; the caller is drawn again
 * when it changes. */
export function useTimeline(recording: Recording | null): { session: Session; code: Code; place: Range | null } | null {
  const [, set] = useState(0);
  const entry = recording && entryOf(recording),
    session = entry?.session;
  useEffect(() => {
    const listener = (): void => set((count) => count + 1);
    listeners.add(listener);
    const unsubscribe = session?.choices.subscribe(listener);
    listener(); // what happened before this effect
    return () => {
      listeners.delete(listener);
      unsubscribe?.();
    };
  }, [session]);
  if (!entry?.session || !entry.code || entry.session.failure) return null;
  return { session: entry.session, code: entry.code, place: entry.place };
}

/** What the user sees and has selected in the timeline of a recording; null: there is no timeline. */
export const chosenOf = (recording: Pick<Recording, 'cacheKey'>): Session['chosen'] | null =>
  entryOf(recording)?.session?.chosen ?? null;
