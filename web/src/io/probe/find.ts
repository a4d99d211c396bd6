// SPDX-License-Identifier: MIT
// Finds control blocks in the memory of a target by the text at their beginning.
import { TargetError } from './dap.js';
import { type Memory, RETRIES } from './memory.js';
import type { MemoryRange } from './ranges.js';

const STEP = 1024;

const isAt = (bytes: Uint8Array, at: number, text: Uint8Array): boolean =>
  text.every((byte, i) => bytes[at + i] === byte);

/** Reads memory up to the end of the range, or to where the target refuses. Yields an empty array before it repeats a refused read. */
export async function* readAll(memory: Memory, { at, length }: MemoryRange): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let done = 0, refusals = 0; done < length;) {
    let bytes = new Uint8Array(0);
    try {
      bytes = await memory.read(at + done, Math.min(STEP, length - done));
      refusals = 0;
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      if (++refusals > RETRIES) {
        if (done) return;
        throw error;
      }
    }
    yield bytes;
    done += bytes.length;
  }
}

export interface Hit {
  text: string;
  at: number;
}

/** Yields, for each read, the addresses of the texts in it: often none. Texts are aligned to words. */
export async function* find(
  memory: Memory,
  ranges: readonly MemoryRange[],
  texts: readonly string[],
): AsyncGenerator<Hit[], undefined> {
  const wanted = texts.map((text) => ({ text, bytes: new TextEncoder().encode(text) }));
  const longest = Math.max(...wanted.map(({ bytes }) => bytes.length));
  for (const range of ranges) {
    // A text may lie across two steps: the words before a step are looked at again.
    let kept = new Uint8Array(0),
      at = range.at - (range.at % 4);
    const around = { at, length: Math.max(range.length, longest) };
    for await (const read of readAll(memory, around)) {
      const bytes = new Uint8Array(kept.length + read.length);
      bytes.set(kept);
      bytes.set(read, kept.length);
      const end = range.length ? bytes.length : 1,
        hits: Hit[] = [];
      for (let offset = 0; offset < end; offset += 4)
        for (const { text, bytes: one } of wanted)
          if (offset + one.length > kept.length && isAt(bytes, offset, one)) hits.push({ text, at: at + offset });
      yield hits;
      kept = bytes.subarray(Math.max(0, bytes.length - 16));
      at += bytes.length - kept.length;
    }
  }
}
