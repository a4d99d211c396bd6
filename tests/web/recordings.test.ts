// SPDX-License-Identifier: MIT
// The store of recordings, on a private file system in memory.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  LIMIT,
  type KeptRecording,
  create,
  hold,
  keep,
  largest,
  list,
  open,
  remove,
  removeAll,
  room,
  setCopied,
} from '../../web/src/io/recordings.js';

/** As much of a directory of the File System API as the store uses. Files keep what was written without copying it. */
class Folder {
  readonly kind = 'directory';
  readonly entries = new Map<string, Folder | Stored>();
  constructor(readonly name: string) {}

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<Folder> {
    const found = this.entries.get(name) ?? (create ? new Folder(name) : null);
    if (!(found instanceof Folder)) throw new DOMException(name, 'NotFoundError');
    this.entries.set(name, found);
    return found;
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<Stored> {
    const found = this.entries.get(name) ?? (create ? new Stored(name) : null);
    if (!(found instanceof Stored)) throw new DOMException(name, 'NotFoundError');
    this.entries.set(name, found);
    return found;
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.entries.delete(name)) throw new DOMException(name, 'NotFoundError');
  }

  async *values(): AsyncGenerator<Folder | Stored> {
    yield* [...this.entries.values()];
  }
}

let writes: string[] = [];
let isFull = false;
/** Called while a description is written: it cannot be read yet. */
let onDescribe: () => Promise<unknown>;

class Stored {
  readonly kind = 'file';
  data: Blob = new Blob();
  constructor(readonly name: string) {}

  async getFile(): Promise<Blob> {
    return this.data;
  }

  async createWritable() {
    let written: Blob | string = '';
    return {
      write: async (data: Blob | string) => {
        if (isFull && this.name !== 'about.json') throw new DOMException('', 'QuotaExceededError');
        if (this.name === 'about.json') await onDescribe();
        written = data;
      },
      close: async () => {
        this.data = typeof written === 'string' ? new Blob([written]) : written;
        writes.push(this.name);
      },
      abort: async () => {},
    };
  }
}

/** The names of the locks that the pages of a browser have. */
let locks: string[];
const lockManager = {
  request: async (name: string, _: object, use: () => Promise<void>) => {
    await new Promise((resolve) => setImmediate(resolve)); // another process grants it
    locks.push(name);
    await use();
    locks.splice(locks.indexOf(name), 1);
  },
  query: async () => ({ held: locks.map((name) => ({ name })) }),
};

let root: Folder;
let clock = 0;
/** Bytes that the browser grants the page; undefined: it does not tell. */
let quota: number | undefined;
const LARGEST = LIMIT / 2;

beforeEach(() => {
  root = new Folder('');
  writes = [];
  isFull = false;
  onDescribe = async () => {};
  locks = [];
  quota = undefined;
  const storage = { getDirectory: async () => root, estimate: async () => ({ quota }) };
  vi.stubGlobal('navigator', { storage, locks: lockManager });
  vi.spyOn(Date, 'now').mockImplementation(() => ++clock);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A blob of any size without its bytes. */
const sized = (size: number): Blob => ({ size }) as Blob;
const file = (key: string, blob: Blob = new Blob([key])) => ({ key, name: `${key}.bin`, blob });
const kept = (id: string, state: unknown = null) => ({ id, name: `recording ${id}`, state });
const ids = async (): Promise<string[]> => (await list()).map(({ id }) => id);

test('files and state are returned in their order; the newest recording is the first', async () => {
  expect(await keep(kept('a', { view: 1 }), [file('x'), file('y')])).toBe('kept');
  expect(await keep(kept('b'), [file('z')])).toBe('kept');
  expect(await ids()).toEqual(['b', 'a']);
  const { about, files } = (await open('a'))!;
  expect(about).toMatchObject({ id: 'a', name: 'recording a', kind: 'files', state: { view: 1 } });
  expect(files.map(({ name }) => name)).toEqual(['x.bin', 'y.bin']);
  expect(await Promise.all(files.map((one) => one.text()))).toEqual(['x', 'y']);
  await keep(kept('a'), [file('x')]);
  expect(await ids()).toEqual(['a', 'b']);
  await remove('a');
  expect(await open('a')).toBeNull();
  await removeAll();
  expect(await ids()).toEqual([]);
});

test('a file is written once; one that no longer belongs to the recording is removed', async () => {
  await keep(kept('a'), [file('x'), file('y')]);
  writes = [];
  await keep(kept('a', 'changed'), [file('y'), file('z')]);
  expect(writes.filter((name) => name !== 'about.json')).toEqual(['z']);
  const folder = await (await root.getDirectoryHandle('recordings')).getDirectoryHandle('a');
  expect([...folder.entries.keys()].sort()).toEqual(['about.json', 'y', 'z']);
});

test('the oldest recordings make room for a new one; one above the limit is not kept', async () => {
  const third = Math.floor(LIMIT / 3);
  for (const id of ['a', 'b', 'c']) await keep(kept(id), [file(id, sized(third))]);
  expect(await ids()).toEqual(['c', 'b', 'a']);
  await keep(kept('a'), [file('a', sized(third))]); // used again
  await keep(kept('d'), [file('d', sized(third))]);
  expect(await ids()).toEqual(['d', 'a', 'c']);
  await keep(kept('e'), [file('e', sized(LARGEST))]);
  expect(await ids()).toEqual(['e', 'd']);
  expect(await keep(kept('e'), [file('e', sized(LARGEST)), file('f', sized(LARGEST))])).toBe('kept');
  expect(await ids()).toEqual(['e']);
  expect(await keep(kept('g'), [file('g', sized(LARGEST + 1))])).toBe('large');
  expect(await keep(kept('e'), [file('e', sized(LARGEST)), file('h', sized(LARGEST)), file('i')])).toBe('large');
  expect(await ids()).toEqual([]);
});

test('the limit follows what the browser grants, within bounds', async () => {
  for (const [granted, most] of [
    [0, LARGEST],
    [5 * LIMIT, (LIMIT * 5) / 8],
    [1000 * LIMIT, 4 * LIMIT],
  ] as const) {
    quota = granted;
    expect(await largest()).toBe(most);
    expect(await keep(kept('a'), [file('a', sized(most))])).toBe('kept');
    expect(await keep(kept('b'), [file('b', sized(most))])).toBe('kept');
    expect(await ids()).toEqual(['b', 'a']);
    expect(await keep(kept('c'), [file('c', sized(most + 1))])).toBe('large');
    await removeAll();
  }
});

test('a recording that another page shows is not removed to make room', async () => {
  const third = Math.floor(LIMIT / 3);
  for (const id of ['a', 'b', 'c']) await keep(kept(id), [file(id, sized(third))]);
  const { granted, release } = hold('a');
  await granted;
  expect(await keep(kept('d'), [file('d', sized(third))])).toBe('kept');
  expect(await ids()).toEqual(['d', 'c', 'a']);
  const both = [file('e', sized(LARGEST)), file('f', sized(LARGEST))];
  expect(await keep(kept('e'), both.slice(0, 1))).toBe('kept');
  expect(await keep(kept('e'), both)).toBe('full');
  expect(await ids()).toEqual(['a']);
  await release();
  expect(await keep(kept('e'), both.slice(0, 1))).toBe('kept');
  expect(await keep(kept('e'), both)).toBe('kept');
  expect(await ids()).toEqual(['e']);
});

test('a recording that another page writes is not removed to make room', async () => {
  const writer = (await create('board', 'live'))!;
  await writer.append(new Uint8Array([1]));
  await writer.file();
  const both = [file('x', sized(LARGEST)), file('y', sized(LARGEST))];
  expect(await keep(kept('a'), both.slice(0, 1))).toBe('kept');
  expect(await keep(kept('a'), both)).toBe('full');
  expect(await writer.close()).toBe(1);
  expect((await open(writer.id))!.files[0]!.size).toBe(1);
});

test('a live recording may be larger than all others together, of which it does not take the room', async () => {
  const writer = (await create('board', 'live'))!;
  await writer.append(new Uint8Array([1]));
  await writer.close();
  const path = (await (await root.getDirectoryHandle('recordings')).getDirectoryHandle(writer.id)).entries;
  const about = JSON.parse(await (path.get('about.json') as Stored).data.text()) as KeptRecording;
  about.files[0]!.bytes = 3 * LIMIT;
  (path.get('about.json') as Stored).data = new Blob([JSON.stringify(about)]);
  const board = { key: 'bytes', name: 'board', blob: sized(3 * LIMIT) };
  expect(await keep({ id: writer.id, name: 'board', state: 'seen' }, [board])).toBe('kept');
  expect(await keep(kept('a'), [file('x', sized(LARGEST))])).toBe('kept');
  expect(await ids()).toEqual(['a', writer.id]);
});

test('a live recording goes on when other pages show as much as all recordings may have', async () => {
  await keep(kept('a'), [file('x', sized(LARGEST))]);
  await keep(kept('b'), [file('y', sized(LARGEST))]);
  const holds = ['a', 'b'].map((id) => hold(id));
  await Promise.all(holds.map(({ granted }) => granted));
  const writer = (await create('board', 'live'))!;
  expect(await writer.append(new Uint8Array(1 << 20))).toBe(true);
  expect(await writer.close()).toBe(1 << 20);
  const { files } = (await open(writer.id))!;
  const board = { key: 'bytes', name: 'board', blob: files[0]! };
  expect(await keep({ id: writer.id, name: 'board', state: 'seen' }, [board])).toBe('kept');
  expect(await ids()).toEqual([writer.id, 'b', 'a']);
});

test('a recording of which another one has a copy is not listed; it is removed when no page holds it', async () => {
  await keep(kept('a'), [file('x')]);
  await keep(kept('b'), [file('x'), file('y')]);
  const { granted, release } = hold('a');
  await granted;
  await setCopied('a', true);
  expect(await ids()).toEqual(['b']);
  expect(await open('a')).not.toBeNull();
  await setCopied('a', false);
  expect(await ids()).toEqual(['b', 'a']);
  await setCopied('a', true);
  await release();
  expect(await ids()).toEqual(['b']);
  expect(await open('a')).toBeNull();
  await setCopied('a', false); // it is gone
  expect(await ids()).toEqual(['b']);
});

test('nothing is left of a recording that does not fit on the disk', async () => {
  isFull = true;
  expect(await keep(kept('a'), [file('x')])).toBe('full');
  expect(await ids()).toEqual([]);
});

test('without a private file system nothing is kept, and nothing fails', async () => {
  vi.stubGlobal('navigator', {});
  expect(await keep(kept('a'), [file('x')])).toBe('full');
  expect(await list()).toEqual([]);
  expect(await open('a')).toBeNull();
  expect(await create('live', 'live')).toBeNull();
  await remove('a');
  await removeAll();
});

test('there is room for what the browser grants, but no more than the limit without a private file system', async () => {
  quota = 5 * LIMIT;
  expect(await room()).toBe(5 * LIMIT);
  const refuse = async (): Promise<never> => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('navigator', { storage: { ...navigator.storage, getDirectory: refuse } });
  expect(await room()).toBe(LIMIT);
  quota = LIMIT / 2;
  expect(await room()).toBe(LIMIT / 2);
  vi.stubGlobal('navigator', {});
  expect(await room()).toBe(LIMIT);
});

test('folders that nothing describes are removed', async () => {
  await keep(kept('a'), [file('x')]);
  await (await root.getDirectoryHandle('recordings')).getDirectoryHandle('rubbish', { create: true });
  expect(await ids()).toEqual(['a']);
  expect([...(await root.getDirectoryHandle('recordings')).entries.keys()]).toEqual(['a']);
});

test('a recording that is not described yet is not removed by another page', async () => {
  onDescribe = list; // as another page
  expect(await keep(kept('a'), [file('x')])).toBe('kept');
  expect(await ids()).toEqual(['a']);
  expect(locks).toEqual([]);
  const writer = (await create('board', 'live'))!;
  await writer.append(new Uint8Array([1]));
  expect((await writer.file()).size).toBe(1);
});

test('a recording that grows can be read while it grows, and afterwards', async () => {
  const writer = (await create('board', 'live'))!;
  const bytes = new Uint8Array([1, 2, 3]);
  expect(await writer.append(bytes)).toBe(true);
  bytes.fill(9); // append has copied them
  const early = await writer.file();
  expect([...new Uint8Array(await early.arrayBuffer())]).toEqual([1, 2, 3]);
  await Promise.all([writer.append(new Uint8Array(3 << 20).fill(4)), writer.append(new Uint8Array([5]))]);
  expect(await writer.close()).toBe(3 + (3 << 20) + 1);
  const { about, files } = (await open(writer.id))!;
  expect(about).toMatchObject({ name: 'board', kind: 'live', state: null });
  const whole = new Uint8Array(await files[0]!.arrayBuffer());
  expect([whole.length, ...whole.slice(0, 4), whole.at(-1)]).toEqual([3 + (3 << 20) + 1, 1, 2, 3, 4, 5]);
  expect([...new Uint8Array(await early.arrayBuffer())]).toEqual([1, 2, 3]);
});

test('the description of a growing recording does not grow with its parts', async () => {
  const writer = (await create('board', 'live'))!;
  const described = async (): Promise<string> => {
    const folder = await (await root.getDirectoryHandle('recordings')).getDirectoryHandle(writer.id);
    return (await (await folder.getFileHandle('about.json')).getFile()).text();
  };
  const sizes: number[] = [];
  for (let part = 1; part <= 99; part++) {
    await writer.append(Uint8Array.of(part));
    expect((await writer.file()).size).toBe(part); // makes a part of it
    if (part === 10 || part === 99) sizes.push((await described()).replace(/"usedAt":\d+/, '').length);
  }
  expect(sizes[1]).toBe(sizes[0]);
  const whole = new Uint8Array(await (await writer.file()).arrayBuffer());
  expect([...whole]).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
});

test('a growing recording has a folder as soon as it has bytes, which are stored after some seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const writer = (await create('board', 'live'))!;
  expect((await root.getDirectoryHandle('recordings')).entries.size).toBe(0);
  await writer.append(new Uint8Array([1, 2]));
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await expect.poll(async () => (await open(writer.id))?.files[0]?.size).toBe(2);
});

test('a full disk ends what is kept of a growing recording; the bytes before stay', async () => {
  const writer = (await create('board', 'live'))!;
  await writer.append(new Uint8Array([1]));
  await writer.file();
  isFull = true;
  expect(await writer.append(new Uint8Array(1 << 20))).toBe(false);
  expect(await writer.append(new Uint8Array([2]))).toBe(false);
  expect(await writer.close()).toBe(1);
  const [board] = (await open(writer.id))!.files;
  expect(board!.size).toBe(1);
  // Nor does it go when there is no room for a file beside it.
  const beside = [{ key: 'bytes', name: 'board', blob: board! }, file('names')];
  expect(await keep({ id: writer.id, name: 'board', state: null }, beside)).toBe('full');
  expect((await open(writer.id))!.files[0]!.size).toBe(1);
});
