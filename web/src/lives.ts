// SPDX-License-Identifier: MIT
// Live recordings. Their code is loaded when the user connects a board.
import { useEffect, useState } from 'preact/hooks';
import { dispatch } from './store.js';
import { loadTimeline } from './timelines.js';

type Code = typeof import('./live/live.js');

let code: Code | null = null;

function failed(): null {
  dispatch({
    type: 'notice',
    notice: { tone: 'error', text: 'The code for live recordings could not be loaded. Reload the page.' },
  });
  return null;
}

/** Also loads the timeline, while the user chooses a port. */
function load(): Promise<Code | null> {
  loadTimeline().catch(() => {}); // `begin` reports it
  return import('./live/live.js').then((loaded) => (code = loaded), failed);
}

/** Begins a live recording. */
export const record = (what: Parameters<Code['begin']>[0]): void =>
  void load().then((loaded) => loaded?.begin(what).catch(failed));

/** The browser has Web Serial or WebUSB, so that a board can be connected. */
export const canConnect = 'serial' in navigator || 'usb' in navigator;

/** The code for live recordings, loaded when it is needed first; null: not yet. */
export function useLiveCode(isNeeded: boolean): Code | null {
  const [, set] = useState(code);
  useEffect(() => {
    if (isNeeded && !code) void load().then(set);
  }, [isNeeded]);
  return code;
}

/** `#live` in the address: the server of the page sends what it receives, under this name. */
const STREAM = 'stream';

export const isLinkedStream = (): boolean => new URLSearchParams(location.hash.slice(1)).has('live');

export function playLinkedStream(): void {
  if (!isLinkedStream()) return;
  const source = { kind: 'stream', address: new URL(STREAM, document.baseURI).href } as const;
  record({ source, words: 'tonkopf record', limit: null });
}
