// SPDX-License-Identifier: MIT
// Recordings in the private file system of this browser, so that a reload loses nothing. Each recording is a folder with its files and
// `about.json`. All functions work without such a file system, or when it is full: then they keep nothing, and their results say so.
const FOLDER = 'recordings';
const ABOUT = 'about.json';
const VERSION = 2;
/** All recordings together may always have so many bytes. */
export const LIMIT = 1 << 30;
/** All recordings together never have more bytes than this, however much room the browser has. */
const MOST = 8 * LIMIT;
/** The recordings may take this part of what the browser grants the page, which is a share of the disk. */
const PART_OF_QUOTA = 1 / 4;
/** Bytes of a live recording that count towards the limit; the rest does not. */
const COUNTED = LIMIT / 2;
/** A description without files is what a page left that was closed too early. */
const ABANDONED_MS = 3_600_000;
/** Bytes that a writer collects before it makes a part of them. */
const PART = 1 << 20;
/** Longest time that bytes wait for a part: what a page that is closed loses. */
const PART_MS = 5000;
/** Key of the file of a live recording. */
const BYTES = 'bytes';

/** live: recorded by this page; its only file grew while it was open. */
export type Kind = 'files' | 'live';

export interface KeptFile {
  /** differs between the files of a recording */
  key: string;
  name: string;
  bytes: number;
  /** number of stored files that contain its bytes, each a part; undefined: one file, whose name is the key */
  parts?: number;
}

/** What `about.json` contains. */
export interface KeptRecording {
  /** name of its folder */
  id: string;
  name: string;
  kind: Kind;
  /** milliseconds since 1970 */
  usedAt: number;
  files: KeptFile[];
  /** Another recording contains a copy of the only file: this one is not listed, and is removed when no page holds it. */
  isCopied?: boolean;
  /** what the page needs to show the recording again; null: its files are enough */
  state: unknown;
}

/** Returns how many bytes of a recording count towards `allowed`. A live recording cannot be chosen again, and the user sets its limit. */
const counted = (kind: Kind, bytes: number): number => (kind === 'live' ? Math.min(bytes, COUNTED) : bytes);
const sizeOf = ({ kind, files }: KeptRecording): number =>
  counted(
    kind,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );

/** Resolves to the limit for the bytes of all recordings together. */
async function allowed(): Promise<number> {
  const { quota = 0 } = (await navigator.storage.estimate?.().catch(() => null)) ?? {};
  return Math.min(MOST, Math.max(LIMIT, Math.floor(quota * PART_OF_QUOTA)));
}

/** Bytes that are copied into a recording at once. More are not copied, because the other recordings would be removed for them. */
export const largest = async (): Promise<number> => (await allowed()) / 2;

// ---- The file system

const recordings = async (): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });

async function write(folder: FileSystemDirectoryHandle, name: string, data: Blob | string): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  try {
    await stream.write(data);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => {}); // it has failed already
    throw error;
  }
}

const describe = (folder: FileSystemDirectoryHandle, about: KeptRecording): Promise<void> =>
  write(folder, ABOUT, JSON.stringify({ version: VERSION, ...about }));

/** Returns null for a folder that this version cannot read. */
async function described(folder: FileSystemDirectoryHandle): Promise<KeptRecording | null> {
  try {
    const about = JSON.parse(await (await (await folder.getFileHandle(ABOUT)).getFile()).text()) as KeptRecording & {
      version: number;
    };
    return about.version === VERSION ? { ...about, id: folder.name } : null;
  } catch {
    return null;
  }
}

/** The names of the stored files that contain the bytes of a file, in order. */
const storedNames = ({ key, parts }: KeptFile): string[] =>
  parts === undefined ? [key] : Array.from({ length: parts }, (_, part) => `${key}-${part}`);

const isAbandoned = ({ files, usedAt, isCopied }: KeptRecording): boolean =>
  isCopied || (!files.length && usedAt < Date.now() - ABANDONED_MS);

/** The locks of recordings that a page shows or writes have names that begin with this. */
const LOCK = 'tonkopf recording ';

export interface Hold {
  /** From then on the recording is held. */
  granted: Promise<void>;
  /** Resolves when it is no longer held. */
  release(): Promise<void>;
}

/** Until the hold is released, or this page or worker ends, a recording is removed only if the user forgets it. */
export function hold(id: string): Hold {
  let grant!: () => void, end!: () => void;
  const granted = new Promise<void>((resolve) => (grant = resolve)),
    released = new Promise<void>((resolve) => (end = resolve));
  const use = (): Promise<void> => {
    grant();
    return released;
  };
  const ended = Promise.resolve(navigator.locks?.request(LOCK + id, { mode: 'shared' }, use))
    .catch(() => {}) // the page ends
    .then(grant); // without locks nothing can be held
  return {
    granted,
    release() {
      end();
      return ended;
    },
  };
}

/** The recordings that any page holds. */
async function held(): Promise<Set<string>> {
  const locks = (await navigator.locks?.query())?.held ?? [];
  return new Set(locks.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : [])));
}

/** A part of a live recording, which another page may be writing. */
const isLivePart = (kind: Kind, name: string): boolean => kind === 'live' && name.startsWith(`${BYTES}-`);

/** The newest first. Also removes folders that nothing describes, and copied recordings, unless a page holds them. */
async function all(): Promise<KeptRecording[]> {
  const root = await recordings();
  const found: KeptRecording[] = [];
  for await (const folder of root.values()) {
    const isHeld = (await held()).has(folder.name); // before it is read: the page that holds it may describe it meanwhile
    const about = folder.kind === 'directory' ? await described(folder) : null;
    if (!isHeld && (!about || isAbandoned(about)))
      await root.removeEntry(folder.name, { recursive: true }).catch(() => {}); // another page has removed it
    else if (about) found.push(about);
  }
  return found.sort((a, b) => b.usedAt - a.usedAt);
}

/** Removes the oldest recordings that no page holds until these bytes fit. Returns false, and removes none, if files cannot fit; a live
 * recording always may have them. id: the recording that gets them. */
async function makeRoom(kind: Kind, bytes: number, id: string): Promise<boolean> {
  const others = (await all()).filter((one) => one.id !== id),
    isHeld = await held();
  let left = (await allowed()) - counted(kind, bytes);
  for (const other of others) if (isHeld.has(other.id)) left -= sizeOf(other);
  if (left < 0 && kind !== 'live') return false;
  for (const other of others) {
    if (isHeld.has(other.id)) continue;
    left -= sizeOf(other);
    if (left < 0) await remove(other.id);
  }
  return true;
}

// ---- What the page asks

/** Recordings with at least one file, the newest first. */
export const list = (): Promise<KeptRecording[]> =>
  all().then(
    (found) => found.filter(({ files, isCopied }) => files.length && !isCopied),
    () => [],
  );

/** Resolves to null if the recording is gone. The content of each file is read when it is needed. */
export async function open(id: string): Promise<{ about: KeptRecording; files: File[] } | null> {
  try {
    const folder = await (await recordings()).getDirectoryHandle(id);
    const about = await described(folder);
    if (!about) return null;
    const files: File[] = [];
    for (const file of about.files) {
      const parts: File[] = []; // opened one after the other: a recording has thousands, and others use the file system meanwhile
      for (const name of storedNames(file)) parts.push(await (await folder.getFileHandle(name)).getFile());
      files.push(new File(parts, file.name));
    }
    return { about, files };
  } catch {
    return null;
  }
}

/** kept; otherwise its files are larger than `largest` allows, or there is no room or no private file system. Then nothing of the recording is
 * kept, unless this page has recorded it. */
export type Kept = 'kept' | 'large' | 'full';

/** id: of the recording that these files replace; keeps the ones with the same key and size. */
export async function keep(
  { id, name, state }: Pick<KeptRecording, 'id' | 'name' | 'state'>,
  files: readonly { key: string; name: string; blob: Blob }[],
): Promise<Kept> {
  let kind: Kind = 'files';
  const drop = async (why: Kept): Promise<Kept> => {
    if (kind !== 'live') await remove(id);
    return why;
  };
  const bytes = (some: typeof files): number => some.reduce((sum, { blob }) => sum + blob.size, 0);
  const { granted, release } = hold(id); // other pages remove folders that nothing describes yet
  try {
    await granted;
    const folder = await (await recordings()).getDirectoryHandle(id, { create: true });
    const before = await described(folder);
    kind = before?.kind ?? kind;
    const about: KeptRecording = { files: [], ...before, id, name, kind, state, usedAt: Date.now() };
    const old = new Map(about.files.map((file) => [`${file.key} ${file.bytes}`, file]));
    const oldOf = ({ key, blob }: (typeof files)[0]): KeptFile | undefined => old.get(`${key} ${blob.size}`);
    const fresh = files.filter((file) => !oldOf(file));
    if (bytes(fresh) > (await largest())) return await drop('large');
    if (!before) await describe(folder, about);
    if (!(await makeRoom(kind, bytes(files), id))) return await drop('full');
    for (const { key, blob } of fresh) await write(folder, key, blob);
    about.files = files.map((file) => ({
      ...(oldOf(file) ?? { key: file.key, bytes: file.blob.size }),
      name: file.name,
    }));
    await describe(folder, about);
    const used = new Set([ABOUT, ...about.files.flatMap(storedNames)]);
    for await (const { name: stored } of folder.values())
      if (!used.has(stored) && !isLivePart(kind, stored)) await folder.removeEntry(stored);
    return 'kept';
  } catch {
    return await drop('full');
  } finally {
    await release();
  }
}

/** Stores whether another recording contains a copy of the only file of this one. */
export async function setCopied(id: string, isCopied: boolean): Promise<void> {
  try {
    const folder = await (await recordings()).getDirectoryHandle(id);
    const about = await described(folder);
    if (about && (about.isCopied ?? false) !== isCopied) await describe(folder, { ...about, isCopied });
  } catch {
    // it is gone, or stays listed
  }
}

const newId = (): string => `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;

export const remove = (id: string): Promise<void> =>
  recordings()
    .then((root) => root.removeEntry(id, { recursive: true }))
    .catch(() => {}); // it is gone already

export const removeAll = (): Promise<void> =>
  navigator.storage
    ?.getDirectory?.()
    .then((root) => root.removeEntry(FOLDER, { recursive: true }))
    .catch(() => {}); // nothing is kept

/** Resolves to the bytes for which the browser has room. Without a private file system they stay in memory. */
export const room = async (): Promise<number> => {
  const { quota = LIMIT, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  const folder = await recordings().catch(() => null);
  return Math.max(0, Math.min(quota - usage, folder ? Infinity : LIMIT));
};

// ---- Recordings that grow

/** Writes the only file of a new recording. Parts that were written stay readable when the page is closed. */
export interface Writer {
  readonly id: string;
  /** Copies the bytes before it returns. Resolves to false if there is no room: then these bytes and all later ones are not kept. */
  append(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** The file with all bytes that were appended and kept. It stays readable while more are appended. */
  file(): Promise<File>;
  /** Writes the last bytes. Resolves to the number of bytes in the file. */
  close(): Promise<number>;
}

/** Creates a recording to which bytes are appended, and holds it until this page or worker ends. name: of the recording and of its file.
 * Resolves to null if there is no private file system. `open(writer.id)` returns it after close(), unless it has no bytes. */
export async function create(name: string, kind: Kind): Promise<Writer | null> {
  const id = newId();
  const file = { key: BYTES, name, bytes: 0, parts: 0 };
  const about = (files: KeptFile[]): KeptRecording => ({ id, name, kind, usedAt: Date.now(), files, state: null });
  const root = await recordings().catch(() => null);
  if (!root) return null;
  let folder: FileSystemDirectoryHandle | null = null; // made for the first part
  let waiting: Uint8Array<ArrayBuffer>[] = []; // not in a part yet
  let size = 0;
  let isFull = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<void> = Promise.resolve(); // parts are written one after the other

  const makeFolder = async (): Promise<FileSystemDirectoryHandle> => {
    await hold(id).granted;
    const created = await root.getDirectoryHandle(id, { create: true });
    await describe(created, about([]));
    return created;
  };
  const part = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const bytes = new Blob(waiting);
    [waiting, size] = [[], 0];
    if (!bytes.size || isFull) return;
    try {
      folder ??= await makeFolder();
      await makeRoom(kind, file.bytes + bytes.size, id);
      await write(folder, `${BYTES}-${file.parts}`, bytes);
      file.parts++;
      file.bytes += bytes.size;
      await describe(folder, about([file]));
    } catch {
      isFull = true;
    }
  };
  const flushed = (): Promise<void> => (last = last.then(part));

  return {
    id,
    async append(bytes) {
      if (isFull) return false;
      waiting.push(bytes.slice());
      size += bytes.length;
      timer ??= setTimeout(() => void flushed(), PART_MS);
      if (size >= PART) await flushed();
      return !isFull;
    },
    async file() {
      await flushed();
      return (await open(id))?.files[0] ?? new File([], name);
    },
    async close() {
      await flushed();
      return file.bytes;
    },
  };
}
