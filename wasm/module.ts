// SPDX-License-Identifier: MIT
// An instance of the WebAssembly module: calls of the functions of core/tonkopf.h and wasm/module.h, with arguments and results in its
// memory. Every access takes a new view of the memory, because a call may have grown and moved it.
import { CoreError } from './errors.js';
import { GAP, HEAP, MODULE, OUTPUT, aligned, readStruct, structSize, writeStruct } from './structs.js';
import type { Layout, Memory, Values } from './structs.js';

const STATUS = ['ok', 'no-memory', 'sink-refused', 'misuse', 'unknown-format', 'other-schema'] as const;
export const UNKNOWN_FORMAT = STATUS.indexOf('unknown-format');

/** An argument: memory to which the function writes a result; by default the size of a pointer. */
export class Out {
  address = 0;
  constructor(readonly size = 4) {}
}

/** An argument: a pointer to a struct. */
class Struct {
  constructor(
    readonly size: number,
    readonly write: (memory: Memory, address: number) => void,
  ) {}
}
export const struct = <L extends Layout>(layout: L, values: Values<L>): Struct =>
  new Struct(structSize(layout), (memory, address) => writeStruct(memory, layout, values, address));

/** An argument of a function. Texts, bytes, Out and Struct are passed as addresses; null: NULL. */
export type Argument = number | bigint | boolean | string | null | Uint8Array | Out | Struct;

type Exports = Record<string, (...args: (number | bigint)[]) => number> & { memory: WebAssembly.Memory };

const PAGE = 65536;

/** Indexes of the 32-bit words at the start of a saved state. The address and length of each memory range follow, then the bytes of the ranges. */
const STATE = { mark: 0, sum: 1, ranges: 2, program: 3, root: 4, first: 5 };
const MARK = 0x32534b54;
const FOREIGN = 'this is no state that this program wrote';

function sumOf(words: Uint32Array): number {
  let sum = 0;
  for (const word of words) sum = Math.imul(sum ^ word, 0x9e3779b1) ^ (sum >>> 15);
  return sum >>> 0;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // U+FEFF is part of a text

export class Module implements Memory {
  readonly #exports: Exports;
  readonly #module: Values<typeof MODULE>;
  /** addresses of the free memory for further arguments of the current call */
  #next = 0;
  #end = 0;

  private constructor({ exports }: WebAssembly.Instance) {
    this.#exports = exports as Exports;
    this.#exports._initialize?.();
    this.#module = this.read(MODULE, this.#exports.tkw_open!());
  }

  static async open(module: WebAssembly.Module | BufferSource): Promise<Module> {
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    const imports = { env: { emscripten_notify_memory_growth: () => {} } };
    return new Module(await WebAssembly.instantiate(compiled, imports));
  }

  // ---- Memory

  get view(): DataView {
    return new DataView(this.#exports.memory.buffer);
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Returns a view that is valid until the next call. */
  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }

  read<L extends Layout>(layout: L, address: number): Values<L> {
    return readStruct(this, layout, address);
  }

  number(address: number): number {
    return this.view.getUint32(address, true);
  }

  textAt(address: number): string {
    const bytes = this.bytes(address, this.memoryBytes - address);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  place(text: string): number {
    return this.#placeBytes(encoder.encode(`${text.replaceAll('\0', ' ')}\0`));
  }

  /** Copies bytes that are too long for an argument to the heap for the duration of `use`. */
  withCopy<Result>(bytes: Uint8Array, use: (address: number) => Result): Result {
    const size = bytes.length + 1,
      address = this.call('tkw_resize', null, null, 0, size);
    if (!address) throw new CoreError('no-memory', 'out of memory');
    this.bytes(address, bytes.length).set(bytes);
    try {
      return use(address);
    } finally {
      this.call('tkw_resize', null, address, size, 0);
    }
  }

  // ---- Calls

  /** Largest number of bytes of a recording for one call. */
  get inputSize(): number {
    return this.#module.argumentsLen - 8192;
  }

  get allocator(): number {
    return this.#module.allocator;
  }

  /** Address of the tk_sink that collects the trace of a handle for `take`. */
  get sink(): number {
    return this.#module.sink;
  }

  /** Address of the tk_sink that collects blocks of the timeline for `take`. */
  get rowsSink(): number {
    return this.#module.rowsSink;
  }

  call(name: string, ...args: Argument[]): number {
    this.#next = this.#module.arguments;
    this.#end = this.#next + this.#module.argumentsLen;
    const numbers = args.map((argument) => this.#passed(argument));
    return this.#exports[name]!(...numbers);
  }

  /** Throws unless `status` is TK_OK. reason: returns the message; empty or null: the text of the status. */
  check(status: number, reason: () => string | null = () => null): void {
    const word = STATUS[status] ?? 'misuse';
    if (word === 'ok') return;
    const code = word === 'sink-refused' ? 'no-memory' : word; // the sink of this module fails only when it is out of memory
    throw new CoreError(code, reason() || this.textAt(this.call('tk_status_text', STATUS.indexOf(code))));
  }

  #passed(argument: Argument): number | bigint {
    if (argument === null) return 0;
    if (typeof argument === 'string') return this.place(argument);
    if (typeof argument !== 'object') return typeof argument === 'boolean' ? Number(argument) : argument;
    if (ArrayBuffer.isView(argument)) return this.#placeBytes(argument);
    if (!(argument instanceof Struct || argument instanceof Out))
      throw new TypeError('This is no argument of the core');
    const address = this.#room(argument.size);
    if (argument instanceof Struct) argument.write(this, address);
    else argument.address = address;
    return address;
  }

  #room(size: number): number {
    const address = aligned(this.#next, 8);
    this.#next = address + size;
    if (this.#next > this.#end) throw new CoreError('misuse', 'The value is too long');
    return address;
  }

  #placeBytes(bytes: Uint8Array): number {
    const address = this.#room(bytes.length);
    this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  // ---- Output

  /** Returns what the sinks have collected since the last call. `trace`: bytes of the trace; `head`: bytes that replace its beginning, often none; `rows`: blocks of the timeline. */
  take(output: 'trace' | 'head' | 'text' | 'rows'): Uint8Array<ArrayBuffer> {
    const { data, len } = this.read(OUTPUT, this.#module[output]);
    this.#empty(this.#module[output]);
    return new Uint8Array(this.bytes(data, len));
  }

  /** Drops output that the caller has not taken, for example after a call that failed. */
  dropOutput(): void {
    this.#empty(this.#module.trace);
    this.#empty(this.#module.head);
  }

  /** Calls a function whose last two arguments are a tk_write_fn and its ctx. Returns the text that it writes. */
  written(name: string, ...args: Argument[]): string {
    const { writeText, text } = this.#module;
    this.#empty(text);
    this.check(this.call(name, ...args, writeText, text));
    return decoder.decode(this.take('text'));
  }

  #empty(output: number): void {
    writeStruct(this, OUTPUT, { ...this.read(OUTPUT, output), len: 0 }, output);
  }

  // ---- States

  /** Returns the state of `root`, a handle or a conversion. handle: the handle of `root`. */
  save(root: number, handle: number): Uint8Array<ArrayBuffer> {
    this.check(this.call('tkw_prepare_save', handle), () =>
      handle ? this.textAt(this.call('tk_error_text', handle)) : null,
    );
    const ranges = this.#usedRanges();
    const head = STATE.first + 2 * ranges.length;
    const state = new Uint8Array(ranges.reduce((sum, [, length]) => sum + length, 4 * head));
    const words = new Uint32Array(state.buffer);
    words.set([MARK, 0, ranges.length, this.#module.program, root, ...ranges.flat()]);
    let at = 4 * head;
    for (const [address, length] of ranges) {
      state.set(this.bytes(address, length), at);
      at += length;
    }
    words[STATE.sum] = sumOf(words.subarray(STATE.ranges));
    return state;
  }

  /** Restores a state that another instance of the same module saved. Returns its root. Call it before any other call of this instance. */
  restore(state: Uint8Array): number {
    const words = new Uint32Array(Uint8Array.from(state).buffer, 0, state.length >> 2);
    if (words[STATE.mark] !== MARK || words.length < STATE.first) throw new CoreError('misuse', FOREIGN);
    if (words[STATE.sum] !== sumOf(words.subarray(STATE.ranges))) throw new CoreError('misuse', 'the state is damaged');
    if (words[STATE.program] !== this.#module.program) throw new CoreError('misuse', FOREIGN);
    const ranges = Array.from({ length: words[STATE.ranges]! }, (_, index) => STATE.first + 2 * index);
    let at = STATE.first + 2 * ranges.length;
    for (const range of ranges) {
      const [address, length] = [words[range]!, words[range + 1]!];
      this.#growTo(address + length);
      new Uint32Array(this.#exports.memory.buffer, address, length >> 2).set(words.subarray(at, (at += length >> 2)));
    }
    return words[STATE.root]!;
  }

  /** Returns the memory ranges that a state contains: struct tkw_heap, all used blocks, and struct tkw_gap at the start of each free block. */
  #usedRanges(): [address: number, length: number][] {
    const { heap } = this.#module;
    const gaps: [from: number, to: number][] = [];
    for (let list = heap + HEAP.gaps; list < heap + HEAP.size; list += 4)
      for (let gap = this.number(list); gap; gap = this.number(gap + GAP.next))
        gaps.push([gap + GAP.end, gap + this.number(gap + GAP.size)]);
    const top = this.number(heap + HEAP.top);
    const ranges: [number, number][] = [[heap, HEAP.size]];
    let from = this.number(heap + HEAP.first);
    for (const [gap, end] of [...gaps.sort(([a], [b]) => a - b), [top, top] as const]) {
      ranges.push([from, gap - from]);
      from = end;
    }
    return ranges;
  }

  #growTo(end: number): void {
    const { memory } = this.#exports,
      missing = end - memory.buffer.byteLength;
    if (missing <= 0) return;
    try {
      memory.grow(Math.ceil(missing / PAGE));
    } catch {
      throw new CoreError('no-memory', 'out of memory');
    }
  }
}
