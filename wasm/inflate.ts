// SPDX-License-Identifier: MIT
// gzip of any number of members, and deflate, in a stream. The core unpacks; what precedes damage or a cut is kept.
import type { Core } from './tonkopf.js';

export type OnCut = (text: string) => void;
export type OpenAt = (offset: number) => AsyncIterable<Uint8Array>;

const SLICE = 1 << 16; // packed bytes per call

/** The bytes [from, from + length) of a stream. */
export async function* part(
  chunks: AsyncIterable<Uint8Array>,
  from: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (length <= 0) return;
  for await (const chunk of chunks) {
    const piece = chunk.subarray(Math.max(0, from - at), Math.max(0, from + length - at));
    at += chunk.length;
    if (piece.length) yield piece;
    if (at >= from + length) return;
  }
}

async function* unpacked(
  core: Core,
  raw: boolean,
  packedAt: OpenAt,
  onCut: OnCut,
  name: string | null,
): AsyncGenerator<Uint8Array> {
  const restored = name === null ? undefined : core.inflaters.get(name);
  const inflater = restored ?? core.newInflater(raw);
  if (name !== null) core.inflaters.set(name, inflater);
  const chunks = packedAt(inflater.packed)[Symbol.asyncIterator]();
  try {
    if (restored && restored.held) yield core.inflated(restored);
    for (let packed: Uint8Array = new Uint8Array(0); ;) {
      const slice = packed.subarray(0, SLICE);
      const { taken, piece } = core.inflate(inflater, slice);
      packed = packed.subarray(taken);
      if (piece) yield piece;
      else if (taken < slice.length)
        break; // its end, or damage
      else if (!packed.length) {
        const step = await chunks.next();
        if (step.done) break;
        packed = step.value;
      }
    }
    const fault = core.inflateFault(inflater);
    if (fault) onCut(fault);
  } finally {
    if (name !== null) core.inflaters.delete(name);
    core.freeInflater(inflater);
    await chunks.return?.();
  }
}

/**
 * Unpacked bytes from an offset on. `packedAt`: of what is packed; `raw`: deflate without the frame of gzip. `onCut` is
 * told when the stream is damaged or ends early; what was unpacked before has been handed on by then. `name`: the
 * inflater is part of the core's saved states under this name; in a restored core it goes on where it was. Null: it is not.
 */
export function unpackedAt(
  core: Core,
  raw: boolean,
  packedAt: OpenAt,
  offset: number,
  onCut: OnCut,
  name: string | null,
): AsyncIterable<Uint8Array> {
  const restored = name === null ? undefined : core.inflaters.get(name);
  const start = restored ? restored.plain - restored.held : 0;
  return part(unpacked(core, raw, packedAt, onCut, name), offset - start, Infinity);
}
