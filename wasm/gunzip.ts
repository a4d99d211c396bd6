// SPDX-License-Identifier: MIT
// gzip in a stream: several members, and what precedes a cut is kept (the browser's own stream fails on both).
import { Gunzip } from 'fflate';

/** `onCut` is told when the stream is damaged or ends early; what was unpacked before has been handed on by then. */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, onCut: (text: string) => void): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const unpacker = new Gunzip((bytes) => ready.push(bytes));
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
