// SPDX-License-Identifier: MIT
// An instance of timeline.wasm: calls of the functions of wasm/timeline.h.

export interface Item {
  begin: bigint;
  end: bigint;
  /** as in core/viewer/block.h; of numbers the whole number */
  value: bigint;
  /** position of its point in the row */
  place: bigint;
  /** the value of a row of numbers */
  number: number;
  /** it ends with the recording */
  isOpen: boolean;
  /** it ends after the time of which details were made again: how long it lasts is unknown */
  isCut?: boolean;
  /** of a ready task: what made it ready; null: unknown */
  woken: { by: 'interrupt' | 'task'; core: number } | null;
}

/** An item that is wide enough for a text; x and width in pixels of the picture. */
export interface Label extends Pick<Item, 'begin' | 'end' | 'value' | 'place'> {
  x: number;
  width: number;
}

export interface Figures {
  /** as in struct tk_figures (core/viewer/query.h) */
  count: bigint;
  total: bigint;
  whole: bigint;
  wholeTotal: bigint;
  min: bigint;
  p50: bigint;
  p95: bigint;
  p99: bigint;
  max: bigint;
  unmeasured: bigint;
}

export interface Facts {
  first: bigint;
  last: bigint;
  tickNs: bigint;
  lost: number;
  points: number;
  rows: number;
  /** changes with rows and their names, not with the texts of their items */
  version: number;
  damaged: number;
  /** the oldest points were dropped because of the limit */
  isDropped: boolean;
  bytes: number;
  isFinal: boolean;
}

/** Kinds of rows, in the order of enum tk_row_kind. */
export const KIND = { core: 0, task: 1, slices: 2, instants: 3, numbers: 4, flows: 5 } as const;
/** Kinds of tracks, in the order of enum tk_track_kind. */
export const TRACK = { group: 0, slices: 1, counter: 2, thread: 3, samples: 4 } as const;

/** Purposes of tracks, in the order of enum tk_track_purpose. */
export const PURPOSE = { other: 0, interrupts: 1, losses: 2 } as const;

export type RawRow = [row: number, kind: number, owner: number, depth: number, isConstant: boolean];
export type RawTrack = [
  track: number,
  parent: number,
  kind: number,
  pid: number,
  rank: number,
  isOrdered: boolean,
  name: string,
  unit: string,
  purpose: number,
  /** core + 1; 0: none */
  core: number,
];
type RawTask = [pid: number, isIdle: boolean, name: string];
export type RawRows = [rows: RawRow[], tracks: RawTrack[], tasks: RawTask[]];

/** The visible time: `from` plus `offset` ticks is at the left. */
export interface Window {
  from: bigint;
  offset: number;
  ticksPerPixel: number;
  width: number;
}

export interface Hit {
  row: number;
  /** 0: the name of the row matches */
  value: bigint;
  begin: bigint;
  place: bigint;
}

const cssOf = (pixel: number): string => `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;

type Exports = Record<string, (...args: (number | bigint)[]) => number> & { memory: WebAssembly.Memory };

export class Engine {
  readonly #exports: Exports;
  readonly #results: number;
  readonly #decoder = new TextDecoder();

  private constructor({ exports }: WebAssembly.Instance, limit: number) {
    this.#exports = exports as Exports;
    this.#exports._initialize?.();
    this.#results = this.#call('open', limit);
  }

  /** limit: bytes for points and sums; above it the oldest points are dropped. */
  static async open(module: WebAssembly.Module, limit: number): Promise<Engine> {
    const imports = { env: { emscripten_notify_memory_growth: () => {} } };
    return new Engine(await WebAssembly.instantiate(module, imports), limit);
  }

  #call(name: string, ...args: (number | bigint | boolean)[]): number {
    const numbers = args.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    return this.#exports[`tkt_${name}`]!(...numbers) >>> 0;
  }

  #words(count: number, from = 0): BigUint64Array {
    return new BigUint64Array(this.#exports.memory.buffer, this.#results + 8 * from, count);
  }

  #doubles(count: number, from = 0): Float64Array {
    return new Float64Array(this.#exports.memory.buffer, this.#results + 8 * from, count);
  }

  /** Returns the text whose address and length are words of the engine. */
  #text(address = 0, length = 0): string {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }

  /** Copies bytes to the room for arguments. */
  #put(bytes: Uint8Array): void {
    const address = this.#call('room', bytes.length);
    if (!address) throw new Error('out of memory');
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
  }

  // ---- Blocks

  /** Adds whole blocks. Throws when out of memory. */
  add(blocks: Uint8Array): void {
    this.#put(blocks);
    if (!this.#call('add', blocks.length)) throw new Error('out of memory');
  }

  facts(): Facts {
    this.#call('facts');
    const words = this.#words(11);
    return {
      first: words[0]!,
      last: words[1]!,
      tickNs: words[2]!,
      lost: Number(words[3]),
      points: Number(words[4]),
      rows: Number(words[5]),
      version: Number(words[6]),
      damaged: Number(words[7]),
      isDropped: words[8] !== 0n,
      bytes: Number(words[9]),
      isFinal: words[10] !== 0n,
    };
  }

  /** Returns the rows that have points, and all tracks and tasks. */
  rows(): RawRows {
    const address = this.#call('rows');
    if (!address) throw new Error('out of memory');
    const words = new Uint32Array(this.#exports.memory.buffer, address);
    let at = 3;
    const lists = [5, 12, 4].map((width, list) =>
      Array.from({ length: words[list]! }, () => [...words.subarray(at, (at += width))]),
    ) as [rows: number[][], tracks: number[][], tasks: number[][]];
    return [
      lists[0].flatMap(([kind, owner, depth, isConstant, hasPoints], index): RawRow[] =>
        hasPoints ? [[index + 1, kind!, owner!, depth!, !!isConstant]] : [],
      ),
      lists[1].map(([track, parent, kind, pid, rank, isOrdered, purpose, core, ...texts]): RawTrack => [
        track!,
        parent!,
        kind!,
        pid! | 0,
        rank! | 0,
        !!isOrdered,
        this.#text(...texts),
        this.#text(...texts.slice(2)),
        purpose!,
        core!,
      ]),
      lists[2].map(([pid, isIdle, address, length]): RawTask => [pid!, !!isIdle, this.#text(address, length)]),
    ];
  }

  /** Returns the text of a value of slices or instants. */
  name(value: bigint): string {
    const [address, length] = new Uint32Array(this.#exports.memory.buffer, this.#call('name', value), 2);
    return this.#text(address, length);
  }

  // ---- Pictures

  setWindow({ from, offset, ticksPerPixel, width }: Window): void {
    this.#call('window', from, offset, ticksPerPixel, width);
  }

  /** Draws rows into a picture as wide as the window. Its pixels are valid until the next call. isCoarse: points that were dropped would show
   * more. */
  picture(
    width: number,
    height: number,
    scale: number,
    isDark: boolean,
    strips: readonly { row: number; y: number; height: number }[],
  ): { pixels: Uint8ClampedArray<ArrayBuffer>; isCoarse: boolean } {
    const address = this.#call('picture', height, scale, isDark);
    if (!address) throw new Error('out of memory');
    const isFine = strips.map((strip) => this.#call('strip', strip.row, strip.y, strip.height));
    const pixels = new Uint8ClampedArray(this.#exports.memory.buffer as ArrayBuffer, address, 4 * width * height);
    return { pixels, isCoarse: isFine.includes(0) };
  }

  /** Returns the items of a row that are at least so many pixels wide. */
  labels(row: number, least: number): Label[] {
    const count = this.#call('labels', row, least),
      doubles = this.#doubles(6 * count),
      words = this.#words(6 * count);
    return Array.from({ length: count }, (_, index) => {
      const at = 6 * index;
      return {
        x: doubles[at]!,
        width: doubles[at + 1]!,
        begin: words[at + 2]!,
        end: words[at + 3]!,
        value: words[at + 4]!,
        place: words[at + 5]!,
      };
    });
  }

  /** Returns the colour of a value in a row, as in CSS. */
  colour(row: number, value: bigint, isDark: boolean): string {
    return cssOf(this.#call('colour', row, value, isDark));
  }

  /** Returns the colours of what tasks do, in the order of enum tk_legend, as in CSS. */
  legend(isDark: boolean): string[] {
    return [0, 1, 2, 3].map((which) => cssOf(this.#call('legend', which, isDark)));
  }

  // ---- Items

  #item(isFound: number): Item | null {
    if (!isFound) return null;
    const [begin = 0n, end = 0n, value = 0n, place = 0n, isDouble = 0n, isOpen = 0n, woken = 0n] = this.#words(7),
      [, , real = 0] = this.#doubles(3);
    return {
      begin,
      end,
      value,
      place,
      number: isDouble ? real : Number(BigInt.asIntN(64, value)),
      isOpen: isOpen !== 0n,
      woken: woken ? { by: woken % 2n ? 'interrupt' : 'task', core: Number((woken - 1n) / 2n) } : null,
    };
  }

  item(row: number, place: bigint): Item | null {
    return this.#item(this.#call('item', row, place));
  }

  /** Returns the item that covers most of the time from `from` to `to`. */
  at(row: number, from: bigint, to: bigint): Item | null {
    return this.#item(this.#call('at', row, from, to));
  }

  /** Returns the next item. value: only such ones; 0: any. */
  next(row: number, place: bigint, value = 0n): Item | null {
    return this.#item(this.#call('next', row, place, value));
  }

  previous(row: number, place: bigint, value = 0n): Item | null {
    return this.#item(this.#call('previous', row, place, value));
  }

  /** Returns the first item that begins at or after a time. */
  from(row: number, ticks: bigint, value = 0n): Item | null {
    return this.#item(this.#call('from', row, ticks, value));
  }

  longest(row: number, value = 0n): Item | null {
    return this.#item(this.#call('longest', row, value));
  }

  /** Returns the figures of rows in an interval; null: out of memory. */
  figures(rows: readonly number[], value: bigint, from: bigint, to: bigint): Figures | null {
    this.#put(new Uint8Array(Uint32Array.from(rows).buffer));
    if (!this.#call('figures', rows.length, value, from, to)) return null;
    const [count = 0n, total = 0n, whole = 0n, wholeTotal = 0n, min = 0n, p50 = 0n, p95 = 0n, p99 = 0n] =
        this.#words(8),
      [max = 0n, unmeasured = 0n] = this.#words(2, 8);
    return { count, total, whole, wholeTotal, min, p50, p95, p99, max, unmeasured };
  }

  /** Returns the different values of a row in an interval. */
  values(row: number, from: bigint, to: bigint): bigint[] {
    return [...this.#words(this.#call('values', row, from, to))];
  }

  #hits(count: number): Hit[] {
    return Array.from({ length: count }, (_, index) => {
      const [row = 0n, value = 0n, begin = 0n, place = 0n] = this.#words(4, 4 * index);
      return { row: Number(row), value, begin, place };
    });
  }

  /** Returns the other ends of the flows of an item. */
  flows(row: number, place: bigint): Hit[] {
    return this.#hits(this.#call('flows', row, place));
  }

  /** Searches names of rows and texts of items. */
  find(text: string): Hit[] {
    const bytes = new TextEncoder().encode(text);
    this.#put(bytes);
    return this.#hits(this.#call('find', bytes.length));
  }
}
