// SPDX-License-Identifier: MIT
// The structs of core/tonkopf.h and wasm/module.h that host and module exchange. A layout lists the fields in the order of the C
// declaration. Offsets follow from the alignment of wasm32.

/** Types of fields. `count`: a u64 that is read as a number, exact up to 2^53. `text`: a pointer to a string, or NULL. `address`: any other pointer. */
interface Kinds {
  bool: boolean;
  u32: number;
  i32: number;
  u64: bigint;
  count: number;
  address: number;
  text: string | null;
}
type Kind = keyof Kinds;
export type Layout = Readonly<Record<string, Kind>>;
export type Values<L extends Layout> = { [Key in keyof L]: Kinds[L[Key]] };

/** Memory that contains a struct. */
export interface Memory {
  view: DataView;
  textAt(address: number): string;
  /** Copies a text to the memory. Returns its address. */
  place(text: string): number;
}

const SIZES = { bool: 1, u32: 4, i32: 4, u64: 8, count: 8, address: 4, text: 4 };
export const aligned = (at: number, alignment: number): number => Math.ceil(at / alignment) * alignment;

/** Returns key, kind and offset of each field. `size`: of the struct. */
export function fieldsOf(layout: Layout): { fields: [key: string, kind: Kind, offset: number][]; size: number } {
  let size = 0,
    alignment = 1;
  const fields = Object.entries(layout).map(([key, kind]): [string, Kind, number] => {
    const offset = aligned(size, SIZES[kind]);
    size = offset + SIZES[kind];
    alignment = Math.max(alignment, SIZES[kind]);
    return [key, kind, offset];
  });
  return { fields, size: aligned(size, alignment) };
}

export const structSize = (layout: Layout): number => fieldsOf(layout).size;

function readField(memory: Memory, kind: Kind, at: number): unknown {
  const { view } = memory;
  if (kind === 'bool') return view.getUint8(at) !== 0;
  if (kind === 'i32') return view.getInt32(at, true);
  if (kind === 'u64') return view.getBigUint64(at, true);
  if (kind === 'count') return Number(view.getBigUint64(at, true));
  const value = view.getUint32(at, true);
  if (kind === 'text') return value ? memory.textAt(value) : null;
  return value;
}

export function readStruct<L extends Layout>(memory: Memory, layout: L, address: number): Values<L> {
  const { fields } = fieldsOf(layout);
  return Object.fromEntries(
    fields.map(([key, kind, offset]) => [key, readField(memory, kind, address + offset)]),
  ) as Values<L>;
}

export function writeStruct<L extends Layout>(memory: Memory, layout: L, values: Values<L>, address: number): void {
  for (const [key, kind, offset] of fieldsOf(layout).fields) {
    const value = values[key];
    if (kind === 'u64') memory.view.setBigUint64(address + offset, value as bigint, true);
    else if (kind === 'bool') memory.view.setUint8(address + offset, Number(value));
    else memory.view.setUint32(address + offset, kind === 'text' ? memory.place(value as string) : Number(value), true);
  }
}

// ---- Structs of wasm/module.h --------------------------------------------------------------------------------------------------

export const MODULE = {
  arguments: 'address',
  argumentsLen: 'u32',
  allocator: 'address',
  writeText: 'address',
  sink: 'address',
  trace: 'address',
  head: 'address',
  text: 'address',
  rowsSink: 'address',
  rows: 'address',
  heap: 'address',
  program: 'u32',
} as const;

/** Layout of struct tkw_output. */
export const OUTPUT = { data: 'address', len: 'u32', cap: 'u32' } as const;

/** Offsets in struct tkw_heap: first and last address, and the heads of its lists of free blocks. */
export const HEAP = { first: 0, top: 4, gaps: 8, size: 8 + 4 * 512 };
/** Offsets in struct tkw_gap. `size`: the field with the size of the block. `end`: of the struct. */
export const GAP = { next: 0, size: 4, end: 8 };

// ---- Of core/tonkopf.h -------------------------------------------------------------------------------------------------

/** Layout of struct tk_source_info. */
export const SOURCE = {
  name: 'text',
  size: 'u64',
  isSeekable: 'bool',
  isLive: 'bool',
  isSide: 'bool',
  encoding: 'i32',
  role: 'i32',
  core: 'i32',
} as const;

export const REQUEST = {
  kind: 'u32',
  source: 'u32',
  output: 'u32',
  isLook: 'bool',
  severity: 'u32',
  offset: 'count',
  len: 'u32',
  bytes: 'address',
  text: 'text',
} as const;

/** Layout of struct tk_input_info. */
export const HANDLE_INPUT = { name: 'text', role: 'u32', core: 'i32' } as const;

export const PROGRESS = {
  bytesIn: 'count',
  events: 'count',
  bytesOut: 'count',
  skippedUntilTicks: 'count',
  isComplete: 'bool',
  states: 'count',
  slices: 'count',
  instants: 'count',
  values: 'count',
  arguments: 'count',
} as const;
