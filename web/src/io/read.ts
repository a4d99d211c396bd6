// SPDX-License-Identifier: MIT
// Makes sources of the user's input: files, clipboard text, demos.
import type { SourceItem } from '../job.js';

let nextId = 1;
let pastes = 0;

export const fromFiles = (
  files: Iterable<File>,
  origin: SourceItem['origin'] = 'file',
  options: SourceItem['options'] = {},
): SourceItem[] =>
  Array.from(files, (file) => ({
    id: nextId++,
    name: file.name || 'unnamed',
    blob: file,
    origin,
    encoding: null,
    options,
  }));

/** Numbers of later sources do not collide with these, which an earlier page numbered. */
export function reserveIds(sources: readonly Pick<SourceItem, 'id'>[]): void {
  nextId = Math.max(nextId, ...sources.map(({ id }) => id + 1));
}

export function fromText(text: string): SourceItem {
  pastes += 1;
  const name = pastes === 1 ? 'pasted text' : `pasted text ${pastes}`;
  return { id: nextId++, name, blob: new Blob([text]), origin: 'paste', encoding: null, options: {} };
}

/** The files of a drop or a paste. more: the folder contains more files than the page reads. */
export interface Taken {
  files: File[];
  more: boolean;
}

/** Lists the files of a drop or a paste, including those in folders. Must be called in the event's handler: the browser empties the list
 * after it. */
export async function filesOf(transfer: DataTransfer): Promise<Taken> {
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry?.() : null));
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return { files: plain, more: false };
  const lists = await Promise.all(entries.map((entry) => (entry ? walk(entry) : [])));
  return {
    files: lists.flatMap((list) => list.slice(0, MAX_FILES)),
    more: lists.some(({ length }) => length > MAX_FILES),
  };
}

export const MAX_FILES = 32; // entries of a folder

/** One file above the limit shows that there are more. */
async function walk(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!batch.length || found.length > MAX_FILES) return found;
    for (const child of batch)
      if (!child.name.startsWith('.') && found.length <= MAX_FILES) found.push(...(await walk(child)));
  }
}

export async function fetchDemo(name: string): Promise<File> {
  const response = await fetch(new URL(`demos/${name}`, document.baseURI));
  if (!response.ok) throw new Error(`The demo ${name} could not be loaded (${response.status}).`);
  return new File([await response.blob()], name);
}
