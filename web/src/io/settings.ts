// SPDX-License-Identifier: MIT
// Settings, which are stored only in this browser.
import { useEffect, useState } from 'preact/hooks';

export const DEFAULT_VIEWER = 'https://ui.perfetto.dev';

export interface Settings {
  /** address of the viewer */
  viewer: string;
  /** how "Download" saves the trace */
  gzip: boolean;
}

const KEY = 'tonkopf-settings';
const fallback: Settings = { viewer: DEFAULT_VIEWER, gzip: false };
const listeners = new Set<(settings: Settings) => void>();
let current = load();

function load(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const { viewer, gzip } = stored as Partial<Record<keyof Settings, unknown>>;
    const checked = typeof viewer === 'string' ? checkViewer(viewer) : null;
    return { viewer: checked?.ok ? checked.url : DEFAULT_VIEWER, gzip: gzip === true };
  } catch {
    return fallback; // storage denied or damaged: the page uses its defaults
  }
}

/** Only http and https have an origin to which a message can be posted. */
export function checkViewer(text: string): { ok: true; url: string } | { ok: false; why: string } {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { ok: false, why: 'This is not a complete address. It begins with https:// and a host name.' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, why: 'The address has to begin with https:// or http://.' };
  return { ok: true, url: (url.origin + url.pathname).replace(/\/$/, '') };
}

export const getSettings = (): Settings => current;

export function setSettings(change: Partial<Settings>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // private window: the settings last until the page is closed
  }
  for (const listener of listeners) listener(current);
}

export function useSettings(): Settings {
  const [value, set] = useState(current);
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  return value;
}
