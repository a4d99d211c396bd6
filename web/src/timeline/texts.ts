// SPDX-License-Identifier: MIT
// The names that dumps of a recording refer to, which its timeline has.
import { KIND_OF, varint } from './blocks.js';
import type { Names } from './dump.js';
import type { Session } from './session.js';

/** Lists of texts, as in the names of tk_intern. */
const LISTS = ['name', 'text', 'argument'] as const;

const decoder = new TextDecoder();

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

/** Returns the names that dumps of the recording refer to. */
export const namesOf = async (session: Session): Promise<Names> => ({
  texts: textsIn(await session.ask({ kind: 'definitions' })),
  rows: session.rows,
});
