// SPDX-License-Identifier: MIT
// What Node adds: the module from the disk, paths.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createLibrary, moduleOf } from './library.js';
import type { Host } from './library.js';
import type { Source } from './types.js';

async function open(path: string): Promise<Source> {
  const { size } = await stat(path);
  const openAt = (start: number): ReturnType<typeof createReadStream> =>
    createReadStream(path, { start, highWaterMark: 1 << 20 });
  return { name: basename(path), size, open: () => openAt(0), openAt };
}

const host: Host = {
  compile: async () => WebAssembly.compile(await readFile(new URL('tonkopf.wasm', import.meta.url))),
  open,
};

export const tonkopfModule = moduleOf(host);
export const library = createLibrary(host);
