// SPDX-License-Identifier: MIT
// Recordings in the private file system of this browser, so that a reload loses nothing. Each recording is a folder with its files and
// `about.json`. All functions work without such a file system, or when it is full: then they keep nothing, and their results say so.
const FOLDER = 'recordings';
const ABOUT = 'about.json';
const VERSION = 1;
/** Bytes of all recordings together. */
export const LIMIT = 1 << 30;
/** A description without files is what a page left that was closed too early. */
const ABANDONED_MS = 3_600_000;
/** Bytes that a writer collects before it makes a part of them. */
const PART = 1 << 20;

/** live: recorded by this page; its only file grew while it was open. */
export type Kind = 'files' | 'live';

export interface KeptFile {
  /** differs between the files of a recording */
  key: string;
  name: string;
  bytes: number;
  /** names of the stored files that contain its bytes, in order */
  parts: string[];
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
  /** what the page needs to show the recording again; null: its files are enough */
  state: unknown;
}

const sizeOf = ({ files }: Pick<KeptRecording, 'files'>): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

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

const isAbandoned = ({ files, usedAt }: KeptRecording): boolean => !files.length && usedAt < Date.now() - ABANDONED_MS;

/** The newest first. Also removes folders that nothing describes. */
async function all(): Promise<KeptRecording[]> {
  const root = await recordings();
  const found: KeptRecording[] = [];
  for await (const folder of root.values()) {
    const about = folder.kind === 'directory' ? await described(folder) : null;
    if (about && !isAbandoned(about)) found.push(about);
    else await root.removeEntry(folder.name, { recursive: true }).catch(() => {}); // another page uses it
  }
  return found.sort((a, b) => b.usedAt - a.usedAt);
}

/** Removes the oldest recordings until these bytes fit. Returns false if they cannot. id: the recording that gets them. */
async function makeRoom(bytes: number, id: string): Promise<boolean> {
  const others = (await all()).filter((one) => one.id !== id);
  let left = LIMIT - bytes;
  if (left < 0) return false;
  for (const other of others) {
    left -= sizeOf(other);
    if (left < 0) await remove(other.id);
  }
  return true;
}

// ---- What the page asks

/** Recordings with at least one file, the newest first. */
export const list = (): Promise<KeptRecording[]> =>
  all().then(
    (found) => found.filter(({ files }) => files.length),
    () => [],
  );

/** Resolves to null if the recording is gone. The content of each file is read when it is needed. */
export async function open(id: string): Promise<{ about: KeptRecording; files: File[] } | null> {
  try {
    const folder = await (await recordings()).getDirectoryHandle(id);
    const about = await described(folder);
    if (!about) return null;
    const part = async (name: string): Promise<File> => (await folder.getFileHandle(name)).getFile();
    const files = await Promise.all(
      about.files.map(async ({ name, parts }) => new File(await Promise.all(parts.map(part)), name)),
    );
    return { about, files };
  } catch {
    return null;
  }
}

/** id: of the recording that these files replace; keeps the ones with the same key and size. Resolves to false if there is no room or no
 * private file system; then the recording is not kept at all. */
export async function keep(
  { id, name, state }: Pick<KeptRecording, 'id' | 'name' | 'state'>,
  files: readonly { key: string; name: string; blob: Blob }[],
): Promise<boolean> {
  try {
    if (
      !(await makeRoom(
        files.reduce((sum, { blob }) => sum + blob.size, 0),
        id,
      ))
    ) {
      await remove(id);
      return false;
    }
    const folder = await (await recordings()).getDirectoryHandle(id, { create: true });
    const before = await described(folder);
    const about: KeptRecording = { kind: 'files', files: [], ...before, id, name, state, usedAt: Date.now() };
    if (!before) await describe(folder, about);
    const kept: KeptFile[] = [];
    for (const { key, name, blob } of files) {
      const old = about.files.find((one) => one.key === key && one.bytes === blob.size);
      if (!old) await write(folder, key, blob);
      kept.push({ ...(old ?? { key, bytes: blob.size, parts: [key] }), name });
    }
    await describe(folder, { ...about, files: kept });
    const used = new Set([ABOUT, ...kept.flatMap(({ parts }) => parts)]);
    for await (const file of folder.values()) if (!used.has(file.name)) await folder.removeEntry(file.name);
    return true;
  } catch {
    await remove(id);
    return false;
  }
}

export const newId = (): string => `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;

export const remove = (id: string): Promise<void> =>
  recordings()
    .then((root) => root.removeEntry(id, { recursive: true }))
    .catch(() => {}); // it is gone already

export const removeAll = (): Promise<void> =>
  navigator.storage
    ?.getDirectory?.()
    .then((root) => root.removeEntry(FOLDER, { recursive: true }))
    .catch(() => {}); // nothing is kept

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

/** Creates a recording to which bytes are appended. name: of the recording and of its file. Resolves to null if there is no private file
 * system. `open(writer.id)` returns it after close(). */
export async function create(name: string, kind: Kind): Promise<Writer | null> {
  const id = newId();
  const file: KeptFile = { key: 'bytes', name, bytes: 0, parts: [] };
  const about = (): KeptRecording => ({ id, name, kind, usedAt: Date.now(), files: [file], state: null });
  let folder: FileSystemDirectoryHandle;
  try {
    folder = await (await recordings()).getDirectoryHandle(id, { create: true });
    await describe(folder, about());
  } catch {
    await remove(id);
    return null;
  }
  let waiting: Uint8Array<ArrayBuffer>[] = []; // not in a part yet
  let size = 0;
  let isFull = false;
  let last: Promise<void> = Promise.resolve(); // parts are written one after the other

  const part = async (): Promise<void> => {
    const bytes = new Blob(waiting);
    [waiting, size] = [[], 0];
    if (!bytes.size || isFull) return;
    try {
      const name = `bytes-${file.parts.length}`;
      if (!(await makeRoom(file.bytes + bytes.size, id))) throw new Error('The limit is reached');
      await write(folder, name, bytes);
      file.parts.push(name);
      file.bytes += bytes.size;
      await describe(folder, about());
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
