// SPDX-License-Identifier: MIT
//
// Call traces of Cortex-M: the bytes of each record, and a small machine whose functions call each other, are interrupted and write records
// like a target's trace points. This file is independent of the decoder.

/** @typedef {import('./random.mjs').Random} Random */

/** LR of a handler: returns to thread mode, returns to another handler, or the value at reset. */
export const LR = { THREAD: 0xfffffff9, HANDLER: 0xfffffff1, RESET: 0xffffffff, SECURE: 0xfeffffff };

const FLAGS = { new: { dump: 2, log: 4 }, old: { dump: 1, log: 2 } };

/** @param {number} value @param {number} width big endian */
const big_endian = (value, width) => Array.from({ length: width }, (_, i) => (value >>> (8 * (width - 1 - i))) & 0xff);

export class CallTrace {
  /** @type {number[]} */
  #bytes = [];

  /** @param {{ numbering?: 'new' | 'old' }} [options] */
  constructor({ numbering = 'new' } = {}) {
    this.flags = FLAGS[numbering];
  }

  get length() {
    return this.#bytes.length;
  }

  /** @param {number} vector @param {number} pc @param {number} lr */
  entry(vector, pc, lr) {
    return this.raw([0xc0 | (vector >> 8), vector & 0xff, ...big_endian(pc, 4), ...big_endian(lr, 4)]);
  }

  /** A record of an interrupt inside another one. @param {number[]} outer @param {number[]} inner vector, PC and LR each @param {number} at bytes of the outer one before */
  split(outer, inner, at) {
    const [a, b] = [outer, inner].map(([vector, pc, lr]) => [...new CallTrace().entry(vector, pc, lr).bytes()]);
    return this.raw([...a.slice(0, at), ...b, ...a.slice(at)]);
  }

  /** @param {string | ArrayLike<number>} text */
  log(text) {
    const bytes = typeof text === 'string' ? [...Buffer.from(text)] : Array.from(text);
    return this.raw([0xc2, this.flags.log << 1, ...big_endian(bytes.length, 2), ...bytes]);
  }

  /** @param {number} address @param {ArrayLike<number>} bytes */
  dump(address, bytes) {
    return this.raw([
      0xc2,
      this.flags.dump << 1,
      ...big_endian(address, 4),
      ...big_endian(bytes.length, 2),
      ...Array.from(bytes),
    ]);
  }

  /** @param {ArrayLike<number> | string} bytes as they are */
  raw(bytes) {
    for (const byte of typeof bytes === 'string' ? Buffer.from(bytes) : Array.from(bytes)) this.#bytes.push(byte);
    return this;
  }

  /** @param {(trace: CallTrace) => unknown} body what several cases share */
  with(body) {
    body(this);
    return this;
  }

  /** @param {number} len bytes that are lost at the end */
  cut(len) {
    this.#bytes.length -= len;
    return this;
  }

  bytes() {
    return Uint8Array.from(this.#bytes);
  }
}

/**
 * @typedef {{ name: string, unit: string, size?: number, local?: boolean, traced?: boolean, line?: number }} FunctionInfo
 * @typedef {FunctionInfo & { address: number }} Placed
 * @typedef {{ vector: number, handler: string, body: () => void }} Interrupt
 */

const POINT = 6; // distance from the start of a function to the PC that its trace point reads

/** Places the functions one after the other. @param {FunctionInfo[]} functions @param {number} from first address */
export function place(functions, from) {
  let address = from;
  return functions.map((info) => {
    const placed = { ...info, address };
    address += Math.ceil((info.size ?? 40) / 4) * 4;
    return placed;
  });
}

export class Machine {
  #stack = /** @type {Placed[]} */ ([]);
  #vectors = [0];
  #time = 0;

  /** @param {{ functions: Placed[], trace?: CallTrace, baud?: number }} options */
  constructor({ functions, trace = new CallTrace(), baud = 1_000_000 }) {
    this.trace = trace;
    this.functions = new Map(functions.map((info) => [`${info.unit.replace(/\.\w+$/, '')}.${info.name}`, info]));
    this.record_ns = 100e9 / baud;
    /** @type {{ offset: number, ns: number }[]} when each record came */
    this.times = [];
    /** @type {Map<number, number>} return address of each call that was made, and the function that it enters; 0: several, by a
     * pointer */
    this.calls = new Map();
    this.entries = 0; // function records
    /** @type {() => Interrupt | undefined} */
    this.pending = () => undefined;
  }

  get now() {
    return this.#time;
  }

  get vector() {
    return this.#vectors[this.#vectors.length - 1];
  }

  /** Time passes without a record. @param {number} ns */
  wait(ns) {
    this.#time += ns;
    this.#serve();
  }

  /** @param {(trace: CallTrace) => unknown} write a record */
  #send(write) {
    this.times.push({ offset: this.trace.length, ns: Math.round(this.#time) });
    const before = this.trace.length;
    write(this.trace);
    this.#time += ((this.trace.length - before) / 10) * this.record_ns;
  }

  #serve() {
    for (let next = this.pending(); next; next = this.pending()) this.interrupt(next);
  }

  /** @param {string} name object.function */
  #find(name) {
    const info = this.functions.get(name);
    if (!info) throw new Error(`no function ${name}`);
    return info;
  }

  /** @param {Placed} info @param {number} lr @param {() => void} [body] */
  #run(info, lr, body) {
    if (info.traced !== false) {
      this.entries++;
      this.#send((trace) => trace.entry(this.vector, info.address + POINT, lr));
    }
    this.#stack.push(info);
    this.#serve();
    body?.();
    this.#stack.pop();
  }

  /** Calls a function. @param {string} name object.function @param {number} site number of the place in the caller, from 0 @param {() => void} [body] */
  call(name, site, body) {
    const caller = this.#stack[this.#stack.length - 1];
    const returns = caller.address + POINT + 4 + 4 * site;
    const info = this.#find(name),
      known = this.calls.get(returns);
    this.calls.set(returns, known === undefined || known === info.address ? info.address : 0);
    this.#run(info, returns | 1, body);
  }

  /** The first function of thread mode. @param {string} name @param {() => void} body */
  reset(name, body) {
    this.#run(this.#find(name), LR.RESET, body);
  }

  /** @param {Interrupt} interrupt */
  interrupt({ vector, handler, body }) {
    const lr = this.#vectors.length > 1 ? LR.HANDLER : LR.THREAD;
    this.#vectors.push(vector);
    this.#run(this.#find(handler), lr, body);
    this.#vectors.pop();
  }

  /** @param {string} text */
  log(text) {
    this.#send((trace) => trace.log(text));
  }

  /** @param {number} address @param {ArrayLike<number>} bytes */
  dump(address, bytes) {
    this.#send((trace) => trace.dump(address, bytes));
  }
}

/** The side input with receive times. @param {{ offset: number, ns: number }[]} times */
export const times_file = (times) =>
  Buffer.from(
    `# cortexm-times 1\n# <byte offset> <nanoseconds since the first byte>\n${times.map(({ offset, ns }) => `${offset} ${ns}\n`).join('')}`,
  );
