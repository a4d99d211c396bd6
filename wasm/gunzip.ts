// SPDX-License-Identifier: MIT
// gzip in a stream: several members, and what precedes a cut is kept (the browser's own stream fails on both). Raw
// deflate likewise.
import { Gunzip, Inflate } from 'fflate';

export interface Unpack {
  gunzip: typeof gunzip;
  inflate: typeof inflate;
}

interface Unpacker {
  push(bytes: Uint8Array, last: boolean): void;
}

async function* unpacked(make: (take: (bytes: Uint8Array) => void) => Unpacker, chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const unpacker = make((bytes) => ready.push(bytes));
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
    good = push(chunk, false);
    yield* ready.filter((bytes) => bytes.length);
    ready = [];
    if (!good) return;
  }
  push(new Uint8Array(0), true);
  yield* ready.filter((bytes) => bytes.length);
}

/** `onCut` is told when the stream is damaged or ends early; what was unpacked before has been handed on by then. */
export const gunzip = (chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void): AsyncGenerator<Uint8Array> => unpacked((take) => new Gunzip(take), chunks, onCut);

export const inflate = (chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void): AsyncGenerator<Uint8Array> => unpacked((take) => new Inflate(take), chunks, onCut);
