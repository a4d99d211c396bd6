// SPDX-License-Identifier: MIT
// The blocks that define names, out of all blocks of a timeline (core/viewer/block.h).

export const KIND_OF = { define: 1, group: 5, facts: 6, text: 7 } as const;
/** Reads a number at `at`. Returns it and the offset after it. */
export function varint(bytes: Uint8Array, at: number): [value: number, next: number] {
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
