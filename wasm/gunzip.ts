// SPDX-License-Identifier: MIT
// gzip in a stream: several members, and what precedes a cut is kept (the browser's own stream fails on both). Raw
// deflate likewise.
import { Gunzip, Inflate } from 'fflate';
import type { Mark, Marks } from './points.js';

export interface Unpack {
  gunzip: typeof gunzip;
  inflate: typeof inflate;
}

interface Unpacker {
  push(bytes: Uint8Array, last: boolean): void;
}

/** Plain data, whatever the library keeps. */
const stateOf = (unpacker: Unpacker): object => structuredClone(Object.fromEntries(Object.entries(unpacker).filter(([, value]) => typeof value !== 'function')));

async function* unpacked(make: (take: (bytes: Uint8Array) => void) => Unpacker, chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void, marks: Marks | null, from: Mark | null): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let { packed, plain } = from ?? { packed: 0, plain: 0 };
  const unpacker = make((bytes) => ready.push(bytes));
  Object.assign(unpacker, structuredClone(from?.state));
  const push = (bytes: Uint8Array, last: boolean): boolean => {
    try {
      unpacker.push(bytes, last);
      return true;
    } catch (error) {
      onCut(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  let good = true;
  for await (const chunk of chunks) {
    marks?.pass(plain, () => ({ packed, plain, state: stateOf(unpacker) }));
    good = push(chunk, false);
    packed += chunk.length;
    plain += ready.reduce((sum, bytes) => sum + bytes.length, 0);
    yield* ready.filter((bytes) => bytes.length);
    ready = [];
    if (!good) return;
  }
  push(new Uint8Array(0), true);
  yield* ready.filter((bytes) => bytes.length);
}

type Unpacking = (chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void, marks?: Marks | null, from?: Mark | null) => AsyncGenerator<Uint8Array>;

/** `onCut` is told when the stream is damaged or ends early; what was unpacked before has been handed on by then. `marks`: takes places to go on from. `from`: such a place, at which the chunks begin. */
export const gunzip: Unpacking = (chunks, onCut, marks = null, from = null) => unpacked((take) => new Gunzip(take), chunks, onCut, marks, from);

export const inflate: Unpacking = (chunks, onCut, marks = null, from = null) => unpacked((take) => new Inflate(take), chunks, onCut, marks, from);
