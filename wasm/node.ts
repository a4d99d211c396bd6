// SPDX-License-Identifier: MIT
// The parts of the library for Node only: loads the module from disk, opens paths, copies streams to temporary files.
import { createReadStream } from 'node:fs';
import { mkdtemp, open as openFile, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Copy } from './copy.js';
import { createLibrary, moduleOf } from './library.js';
import type { Host } from './library.js';
import type { Source } from './types.js';

async function open(path: string): Promise<Source> {
  const { size } = await stat(path);
  const openAt = (start: number): ReturnType<typeof createReadStream> =>
    createReadStream(path, { start, highWaterMark: 1 << 20 });
  return { name: basename(path), size, open: () => openAt(0), openAt };
}

/** A copy in a file, in a new temporary folder. */
class FileCopy implements Copy {
  #folder = '';
  #file: FileHandle | null = null;

  async append(bytes: Uint8Array): Promise<void> {
    if (!this.#file) {
      this.#folder = await mkdtemp(join(tmpdir(), 'tonkopf-'));
      this.#file = await openFile(join(this.#folder, 'copy'), 'wx', 0o600);
    }
    await this.#file.writeFile(bytes); // appends after the previous write
  }

  async source(name: string): Promise<Source> {
    if (!this.#file) await this.append(new Uint8Array(0));
    return { ...(await open(join(this.#folder, 'copy'))), name };
  }

  async close(): Promise<void> {
    try {
      await this.#file?.close();
    } finally {
      if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
    }
  }
}

const host: Host = {
  newCopy: () => new FileCopy(),
  compile: async () => WebAssembly.compile(await readFile(new URL('tonkopf.wasm', import.meta.url))),
  open,
};

export const tonkopfModule = moduleOf(host);
export const library = createLibrary(host);
