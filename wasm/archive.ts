// SPDX-License-Identifier: MIT
// Files in a zip or tar as sources of their own. The core knows where they are; here they are read and unpacked.
import { part, unpackedAt } from './inflate.js';
import type { OnCut, OpenAt } from './inflate.js';
import type { Core, TextCore } from './tonkopf.js';
import type { Member, Source } from './types.js';

export async function* chunksOf(stream: ReturnType<Source['open']>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) if (step.value) yield step.value;
  } finally {
    await reader.cancel().catch(() => {}); // whoever has enough reads no further
    reader.releaseLock();
  }
}

/** A source whose bytes are read from any offset, gzip removed. */
export interface Plain {
  /** null: unknown */
  size: number | null;
  /** an offset costs nothing; else all that precedes is read */
  seeks: boolean;
  at: OpenAt;
}

/** gunzip: the core that unpacks it; null: it is not packed. `name` as of unpackedAt. */
export function plainOf(source: Source, gunzip: Core | null, onCut: OnCut, name: string | null = null): Plain {
  const seeks = source.openAt !== undefined;
  const at: OpenAt = (offset) =>
    offset && seeks ? chunksOf(source.openAt!(offset)) : part(chunksOf(source.open()), offset, Infinity);
  if (!gunzip) return { size: source.size, seeks, at };
  return { size: null, seeks: false, at: (offset) => unpackedAt(gunzip, false, at, offset, onCut, name) };
}

/** Ranges of a source; those that ascend are read in one go. */
export class Ranges {
  readonly #plain: Plain;
  #chunks: AsyncIterator<Uint8Array> | null = null;
  /** the last chunk, and its offset */
  #rest: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(plain: Plain) {
    this.#plain = plain;
  }

  /** Fewer bytes where the source ends. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let filled = 0;
    await this.#seek(offset);
    while (filled < length && (this.#rest.length || (await this.#more()))) {
      this.#drop(offset + filled - this.#at);
      const piece = this.#rest.subarray(0, length - filled);
      bytes.set(piece, filled);
      filled += piece.length;
      this.#drop(piece.length);
    }
    return bytes.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
  }

  async #seek(offset: number): Promise<void> {
    const ahead = offset - this.#at;
    if (this.#chunks && ahead >= 0 && (!this.#plain.seeks || ahead <= this.#rest.length)) return;
    await this.close();
    const from = this.#plain.seeks ? offset : 0;
    this.#chunks = this.#plain.at(from)[Symbol.asyncIterator]();
    this.#rest = new Uint8Array(0);
    this.#at = from;
  }

  #drop(count: number): void {
    const dropped = Math.min(count, this.#rest.length);
    this.#rest = this.#rest.subarray(dropped);
    this.#at += dropped;
  }

  async #more(): Promise<boolean> {
    const step = await this.#chunks!.next();
    if (!step.done) this.#rest = step.value;
    return !step.done;
  }
}

export async function listMembers(core: TextCore, kind: number, plain: Plain): Promise<Member[]> {
  const archive = core.archive(kind, plain.size);
  const ranges = new Ranges(plain);
  try {
    for (let wanted = archive.wanted(); wanted; wanted = archive.wanted())
      archive.feed(await ranges.read(wanted.offset, wanted.length));
    if (!plain.seeks) await ranges.read(Infinity, 1); // the sum of what it is packed in comes last
    const { members, problem } = archive.list();
    return members.map((member, number) => ({ ...member, number, problem }));
  } finally {
    await ranges.close();
    archive.free();
  }
}

/** The name of the source is "archive/member"; `name` as of unpackedAt. */
export function memberSource(
  source: Source,
  member: Member,
  plain: Plain,
  core: Core,
  onCut: OnCut,
  name: string | null,
): Source {
  const packedAt: OpenAt = (offset) => part(plain.at(member.offset + offset), 0, member.packed - offset);
  const openAt: OpenAt = (offset) =>
    member.deflated ? unpackedAt(core, true, packedAt, offset, onCut, name) : packedAt(offset);
  return {
    name: `${source.name}/${member.path}`,
    size: member.deflated ? null : member.packed,
    open: () => openAt(0),
    ...((plain.seeks && !member.deflated) || name !== null ? { openAt } : {}),
  };
}
