// SPDX-License-Identifier: MIT
// Remembers the user's settings for a recording in this browser, with a hash of its bytes as the key: options, and the files that helped to
// read it. Removes the oldest entries when there are too many.
const STORE = 'recordings';
const MAX_ENTRIES = 64;
const MAX_FILE = 32 << 20;
const MAX_BYTES = 128 << 20;
const SAMPLE = 256 << 10;

export interface Memory {
  options: Readonly<Record<string, string>>;
  /** side inputs that named things in the recording */
  sides: File[];
}

interface Entry extends Memory {
  usedAt: number;
}

const bytesOf = ({ sides }: Memory): number => sides.reduce((sum, { size }) => sum + size, 0);

/** A hash of the size and of the first and last bytes; null if the browser has no crypto.subtle (no secure context). */
export async function contentKey(blob: Blob): Promise<string | null> {
  try {
    const ends = new Blob([
      `${blob.size} `,
      blob.slice(0, SAMPLE),
      blob.size > SAMPLE ? blob.slice(Math.max(SAMPLE, blob.size - SAMPLE)) : '',
    ]);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await ends.arrayBuffer()));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null; // the recogniser cannot read the file either, and reports it
  }
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('tonkopf', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
}

/** Storage may be denied or full: then the page works without memory. */
async function withStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => Promise<T>): Promise<T | null> {
  try {
    const database = await open();
    try {
      return await act(database.transaction(STORE, mode).objectStore(STORE));
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

async function makeRoom(store: IDBObjectStore): Promise<void> {
  const [keys, entries] = await Promise.all([done(store.getAllKeys()), done(store.getAll() as IDBRequest<Entry[]>)]);
  const newest = entries
    .map((entry, index) => ({ key: keys[index]!, entry }))
    .sort((a, b) => b.entry.usedAt - a.entry.usedAt);
  let bytes = 0;
  for (const [index, { key, entry }] of newest.entries()) {
    bytes += bytesOf(entry);
    if (index >= MAX_ENTRIES || bytes > MAX_BYTES) store.delete(key);
  }
}

export const recall = (key: string): Promise<Memory | null> =>
  withStore('readonly', async (store) => (await done(store.get(key) as IDBRequest<Entry | undefined>)) ?? null);

/** Without settings there is nothing to store. */
export async function remember(key: string, { options, sides }: Memory): Promise<void> {
  const kept = sides.filter(({ size }) => size <= MAX_FILE);
  await withStore('readwrite', async (store) => {
    if (!kept.length && !Object.keys(options).length) return done(store.delete(key));
    await done(store.put({ options, sides: kept, usedAt: Date.now() } satisfies Entry, key));
    return makeRoom(store);
  });
}

/** Also forgets what timelines keep (timeline/kept.ts). */
export function forgetAll(): Promise<unknown> {
  try {
    for (const kept of ['tonkopf-rows', 'tonkopf-marks']) localStorage.removeItem(kept);
  } catch {
    // storage is denied, so nothing is kept
  }
  return withStore('readwrite', (store) => done(store.clear()));
}
