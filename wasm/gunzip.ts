// SPDX-License-Identifier: MIT
// gzip in a stream, as the native program reads it: several members, each with its sum, and what precedes damage or a cut
// is kept (the browser's own stream keeps nothing). Raw deflate likewise.
import { Inflate } from 'fflate';
import type { Mark, Marks } from './checkpoints.js';

export interface Unpack {
  gunzip: typeof gunzip;
  inflate: typeof inflate;
}

const SLICE = 1 << 16; // unpacked at once: a thousand times as much at most

/** What is wrong, in the words of the native program. */
class Damage extends Error {}

const damaged = (how: 'damaged' | 'cut off', position: number): Damage =>
  new Damage(`the compressed data is ${how} at byte ${position}; what precedes is used`);

const CRCS = Int32Array.from({ length: 256 }, (_, crc) => {
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
  return crc;
});

function crc32(before: number, bytes: ArrayLike<number>): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = CRCS[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc;
}

const littleEndian = (bytes: readonly number[]): number => bytes.reduce((sum, byte, at) => sum | (byte << (8 * at)), 0);

/** The packed bytes in order. */
class Packed {
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(
    private readonly chunks: AsyncIterator<Uint8Array>,
    public position: number,
  ) {}

  /** None: the end. */
  async take(most = SLICE): Promise<Uint8Array> {
    while (this.#at === this.#chunk.length) {
      const step = await this.chunks.next();
      if (step.done) return new Uint8Array(0);
      this.#chunk = step.value;
      this.#at = 0;
    }
    const slice = this.#chunk.subarray(this.#at, this.#at + most);
    this.#skip(slice.length);
    return slice;
  }

  /** The last ones of the slice that was taken last. */
  giveBack(count: number): void {
    this.#skip(-count);
  }

  async bytes(count: number): Promise<number[]> {
    const bytes: number[] = [];
    while (bytes.length < count) {
      const slice = await this.take(count - bytes.length);
      if (!slice.length) throw damaged('cut off', this.position);
      bytes.push(...slice);
    }
    return bytes;
  }

  #skip(count: number): void {
    this.#at += count;
    this.position += count;
  }
}

/** What fflate keeps to itself: the bytes from the one on in which it stopped, its window, and where it is: in the last block (`f`), in one (`l`), bits of that byte. */
interface Kept {
  p: Uint8Array;
  o: Uint8Array;
  s: { f?: number; l?: unknown; p?: number };
}

class Inflating {
  readonly #inflate: Pick<Inflate, 'push'> & Kept;
  #ready: Uint8Array[] = [];

  constructor(kept: Kept | null) {
    this.#inflate = new Inflate((bytes) => this.#ready.push(bytes)) as unknown as Pick<Inflate, 'push'> & Kept;
    if (kept) this.kept = kept;
  }

  get kept(): Kept {
    const { p, o, s } = this.#inflate;
    return { p, o, s: { ...s } };
  }

  set kept(kept: Kept) {
    Object.assign(this.#inflate, kept);
  }

  get ended(): boolean {
    const { f, l } = this.#inflate.s;
    return Boolean(f && !l);
  }

  /** How many of the bytes were used. Fewer than there are: it has ended, or the next one is damaged. */
  push(bytes: Uint8Array): number {
    const { kept } = this;
    try {
      this.#inflate.push(bytes);
    } catch {
      this.kept = kept;
      return this.#pushHalves(bytes); // fflate gave nothing of them
    }
    const { p, s } = this.#inflate;
    return this.ended ? bytes.length - p.length + (s.p ? 1 : 0) : bytes.length;
  }

  taken(): Uint8Array[] {
    return this.#ready.splice(0).filter((bytes) => bytes.length);
  }

  #pushHalves(bytes: Uint8Array): number {
    const half = bytes.length >> 1;
    const used = half ? this.push(bytes.subarray(0, half)) : 0;
    return half && used === half ? used + this.push(bytes.subarray(half)) : used;
  }
}

/** Of what was unpacked: of all of it, and of this member. */
interface Sums {
  plain: number;
  length: number;
  crc: number;
}

/** What a mark holds. `kept`: in the middle of a member. */
interface State {
  sums: Sums;
  kept: Kept | null;
}

async function* inflated(
  packed: Packed,
  sums: Sums,
  marks: Marks | null,
  kept: Kept | null,
): AsyncGenerator<Uint8Array> {
  const inflating = new Inflating(kept);
  while (!inflating.ended) {
    marks?.pass(sums.plain, () => ({
      packed: packed.position,
      plain: sums.plain,
      state: structuredClone({ sums, kept: inflating.kept }),
    }));
    const slice = await packed.take();
    if (!slice.length) throw damaged('cut off', packed.position);
    const left = slice.length - inflating.push(slice);
    packed.giveBack(left);
    for (const bytes of inflating.taken()) {
      sums.plain += bytes.length;
      sums.length += bytes.length;
      sums.crc = crc32(sums.crc, bytes);
      yield bytes;
    }
    if (left && !inflating.ended) throw damaged('damaged', packed.position + 1);
  }
}

/** Returns the sum over it so far. */
async function skipText(packed: Packed, crc: number): Promise<number> {
  for (;;) {
    const byte = await packed.bytes(1);
    crc = crc32(crc, byte);
    if (!byte[0]) return crc;
  }
}

async function skipBytes(packed: Packed, crc: number, count: number): Promise<number> {
  return crc32(crc, await packed.bytes(count));
}

/** Of a member, behind its first bytes. */
async function skipHeader(packed: Packed, magic: readonly number[]): Promise<void> {
  const [flags = 0] = await packed.bytes(1);
  if (flags & 0xe0) throw damaged('damaged', packed.position);
  let crc = await skipBytes(packed, crc32(0, [...magic, flags]), 6);
  if (flags & 4) {
    const length = await packed.bytes(2);
    crc = await skipBytes(packed, crc32(crc, length), littleEndian(length));
  }
  if (flags & 8) crc = await skipText(packed, crc);
  if (flags & 16) crc = await skipText(packed, crc);
  if (flags & 2 && littleEndian(await packed.bytes(2)) !== (crc & 0xffff)) throw damaged('damaged', packed.position);
}

async function checkTrailer(packed: Packed, { crc, length }: Sums): Promise<void> {
  for (const sum of [crc, length])
    if (littleEndian(await packed.bytes(4)) !== (sum | 0)) throw damaged('damaged', packed.position);
}

const MAGIC = [0x1f, 0x8b, 8];

/** Null: the end. */
async function firstBytes(packed: Packed): Promise<number[] | null> {
  const begin = packed.position,
    bytes: number[] = [];
  while (bytes.length < MAGIC.length) {
    const slice = await packed.take(MAGIC.length - bytes.length);
    if (!slice.length) break;
    bytes.push(...slice);
  }
  if (!bytes.length) return null;
  if (MAGIC.some((byte, at) => bytes[at] !== byte))
    throw new Damage(`what follows the compressed data at byte ${begin} is no gzip and was left out`);
  return bytes;
}

async function nextMember(packed: Packed, sums: Sums): Promise<boolean> {
  const magic = await firstBytes(packed);
  if (!magic) return false;
  await skipHeader(packed, magic);
  Object.assign(sums, { length: 0, crc: 0 });
  return true;
}

type Read = (packed: Packed, state: State, marks: Marks | null) => AsyncGenerator<Uint8Array>;

const members: Read = async function* (packed, { sums, kept }, marks) {
  for (let goesOn = kept; goesOn || (await nextMember(packed, sums)); goesOn = null) {
    yield* inflated(packed, sums, marks, goesOn);
    await checkTrailer(packed, sums);
  }
};

const raw: Read = (packed, { sums, kept }, marks) => inflated(packed, sums, marks, kept);

type Unpacking = (
  chunks: AsyncIterable<Uint8Array>,
  onCut: (text: string) => void,
  marks?: Marks | null,
  from?: Mark | null,
) => AsyncGenerator<Uint8Array>;

const unpacking = (read: Read): Unpacking =>
  async function* (chunks, onCut, marks = null, from = null) {
    const iterator = chunks[Symbol.asyncIterator]();
    const state: State = from
      ? structuredClone(from.state as State)
      : { sums: { plain: 0, length: 0, crc: 0 }, kept: null };
    try {
      yield* read(new Packed(iterator, from?.packed ?? 0), state, marks);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      onCut(error.message);
    } finally {
      await iterator.return?.();
    }
  };

/** `onCut` is told when the stream is damaged or ends early; what was unpacked before has been handed on by then. `marks`: takes places to go on from. `from`: such a place, at which the chunks begin. */
export const gunzip = unpacking(members);

export const inflate = unpacking(raw);
