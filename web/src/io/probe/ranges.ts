// SPDX-License-Identifier: MIT
// Where in a target's memory to look, as the user writes it.

export interface MemoryRange {
  at: number;
  /** bytes; 0: a block begins exactly there */
  length: number;
}

export const DEFAULT_RANGES = '0x20000000:64K';

const NUMBER = String.raw`(0x[0-9a-f]+|\d+)`;
const SYNTAX = new RegExp(`^${NUMBER}(?::${NUMBER}([km])?)?$`, 'i');
const UNITS: Record<string, number> = { k: 1024, m: 1 << 20 };
const SPACE = 2 ** 32;
/** A probe reads a megabyte in some seconds. */
const LONGEST = 64 << 20;

/** Ranges as "0x20000000:64K", addresses of blocks as "0x20000400", several with commas. null: not understood */
export function rangesOf(text: string): MemoryRange[] | null {
  const ranges = text.split(',').map((part) => {
    const [, at, length, unit = ''] = SYNTAX.exec(part.trim()) ?? [];
    return { at: Number(at), length: length ? Number(length) * (UNITS[unit.toLowerCase()] ?? 1) : 0 };
  });
  const isRight = ({ at, length }: MemoryRange): boolean => length <= LONGEST && at + Math.max(1, length) <= SPACE;
  return ranges.every(isRight) ? ranges : null;
}
