// SPDX-License-Identifier: MIT
// Keeps the bytes of a live recording in the private file system of the browser, or in memory if there is none.
import { type Writer, create, remove } from '../io/recordings.js';

function inMemory(name: string): Writer {
  const blocks: Blob[] = [];
  let bytes = 0;
  return {
    id: '',
    append: async (block) => {
      blocks.push(new Blob([block])); // browsers move large ones to disk
      bytes += block.length;
      return true;
    },
    file: async () => new File(blocks, name),
    close: async () => bytes,
  };
}

/** The source waits while so many bytes are not written yet: the disk is slow. */
const MOST = 32 << 20;

export class Keeper {
  #writer: Promise<Writer>;
  /** resolves when the bytes before each restart are removed */
  #removed: Promise<unknown> = Promise.resolve();
  #pending = 0;
  bytes = 0;

  /** onFull: called once there is no room for more. */
  constructor(
    private readonly name: string,
    private readonly onFull: () => void,
  ) {
    this.#writer = this.#open();
  }

  async #open(): Promise<Writer> {
    return (await create(this.name, 'live')) ?? inMemory(this.name);
  }

  /** Resolves when there is room for more. */
  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.bytes += bytes.length;
    this.#pending += bytes.length;
    const written = this.#writer.then(async (writer) => {
      if (!(await writer.append(bytes))) this.onFull();
      this.#pending -= bytes.length;
    });
    if (this.#pending > MOST) await written;
  }

  /** Begins again with these bytes; those before are not kept. */
  restart(bytes: readonly Uint8Array<ArrayBuffer>[]): void {
    const before = this.#writer;
    this.bytes = 0;
    this.#writer = this.#open();
    for (const piece of bytes) void this.append(piece);
    const removed = before.then((writer) => writer.close().then(() => remove(writer.id)));
    this.#removed = Promise.all([this.#removed, removed]);
  }

  async file(): Promise<File> {
    return (await this.#writer).file();
  }

  /** id: of the kept recording; empty: its bytes are in memory. */
  async close(): Promise<{ id: string; file: File }> {
    const writer = await this.#writer;
    await writer.close();
    await this.#removed;
    return { id: writer.id, file: await writer.file() };
  }
}
