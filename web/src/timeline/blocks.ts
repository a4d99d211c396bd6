// SPDX-License-Identifier: MIT
// The blocks that define names, out of all blocks of a timeline (core/viewer/block.h).

const KIND_OF = { define: 1, group: 5, facts: 6, text: 7 } as const;
/** Lists of texts, as in the names of tk_intern. */
const LISTS = ['name', 'text', 'argument'] as const;

const decoder = new TextDecoder();

/** Reads a number at `at`. Returns it and the offset after it. */
function varint(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0,
    factor = 1;
  for (; at < bytes.length; factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  return [value, at];
}

/** Adds to `names` copies of the blocks that are needed to read other blocks of the same timeline: all except points and facts. */
export function addNames(names: Uint8Array[], blocks: Uint8Array): void {
  for (let at = 0; at < blocks.length;) {
    const begin = at,
      kind = blocks[at],
      [length, body] = varint(blocks, at + 1);
    at = body + length;
    if (kind !== KIND_OF.group && kind !== KIND_OF.facts) names.push(blocks.slice(begin, at));
  }
}

/** The interned texts that blocks define, by list and id: "name 3". */
export function textsIn(names: readonly Uint8Array[]): [key: string, text: string][] {
  return names.flatMap((block): [string, string][] => {
    const [, body] = varint(block, 1);
    if (block[0] === KIND_OF.define) {
      const [value, at] = varint(block, body); // even values are names of the timeline
      return value % 2 ? [] : [[`name ${value / 2}`, decoder.decode(block.subarray(at))]];
    }
    if (block[0] !== KIND_OF.text) return [];
    const [id, at] = varint(block, body + 1);
    return [[`${LISTS[block[body]!]} ${id}`, decoder.decode(block.subarray(at))]];
  });
}
