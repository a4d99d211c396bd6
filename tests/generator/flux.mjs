// SPDX-License-Identifier: MIT
//
// An encoder of flux streams: entries, samples, packed blocks. Knows the format from docs/formats/flux.md only.

import { deflateSync, gzipSync } from 'node:zlib';

/** @typedef {number | bigint} Int */

/** A varint with seven bits per byte. @param {Int} value @param {number} [least] bytes */
export function number(value, least = 1) {
  /** @type {number[]} */
  const bytes = [];
  for (let rest = BigInt(value); rest > 0n || bytes.length < least; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes[bytes.length - 1] &= 127;
  return bytes;
}

/** Two's complement with the fewest bytes. @param {Int} value */
export function integer(value) {
  /** @type {number[]} */
  const bytes = [];
  let rest = BigInt(value);
  if (rest === 0n) return bytes;
  for (;;) {
    const byte = Number(BigInt.asUintN(8, rest));
    bytes.push(byte);
    rest >>= 8n;
    if ((rest === 0n && byte < 128) || (rest === -1n && byte >= 128)) return bytes;
  }
}

/** @param {readonly number[] | Uint8Array} bytes */
export const value = (bytes) => [...number(bytes.length), ...bytes];
/** @param {string} text */
export const text = (text) => value(Buffer.from(text));
/** @param {number} number */
export function double(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return [...bytes];
}
/** @param {number} number */
export function float(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(number);
  return [...bytes];
}

export const TYPE = {
  event: 1,
  integer: 2,
  logic: 3,
  float: 4,
  text: 5,
  binary: 6,
  struct: 7,
  events: 8,
  integers: 9,
  floats: 10,
  texts: 11,
};
const NEWER = { ...TYPE, float: 3, text: 4, logic: 5 };
export const MEMBER = {
  text: 1,
  enum: 2,
  integer: 3,
  float: 4,
  binary: 6,
  local: 7,
  struct: 9,
  events: 10,
  integers: 11,
  floats: 12,
  texts: 13,
};
const LETTERS = '01ZXLHUW-JKMNOP#';

/** @typedef {keyof typeof TYPE} TypeName */

/** Greedy matches of four bytes and more: a valid LZ4 block with literals and matches. @param {Uint8Array} bytes */
export function lz4(bytes) {
  /** @type {number[]} */
  const out = [];
  const seen = new Map();
  let from = 0;
  const length = (/** @type {number} */ rest) => {
    for (; rest >= 255; rest -= 255) out.push(255);
    out.push(rest);
  };
  const literals = (/** @type {number} */ to, /** @type {number} */ match) => {
    const count = to - from;
    out.push((Math.min(count, 15) << 4) | Math.min(match, 15));
    if (count >= 15) length(count - 15);
    for (let i = from; i < to; i++) out.push(bytes[i]);
  };
  for (let at = 0; at + 12 < bytes.length;) {
    const key = String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
    const before = seen.get(key);
    seen.set(key, at);
    if (before === undefined || at - before > 65535) {
      at++;
      continue;
    }
    let len = 4;
    while (at + len + 5 < bytes.length && bytes[before + len] === bytes[at + len]) len++;
    literals(at, len - 4);
    out.push((at - before) & 255, (at - before) >> 8);
    if (len - 4 >= 15) length(len - 4 - 15);
    at += len;
    from = at;
  }
  literals(bytes.length, 0);
  return Uint8Array.from(out);
}

/** Literals and matches within a distance of 8 KiB. @param {Uint8Array} bytes */
export function fastlz(bytes) {
  /** @type {number[]} */
  const out = [];
  const seen = new Map();
  let run = -1; // position of the count of the open run of literals
  const literal = (/** @type {number} */ byte) => {
    if (run < 0 || out[run] === 31) run = out.push(0) - 1;
    else out[run]++;
    out.push(byte);
  };
  for (let at = 0; at < bytes.length;) {
    const key = String.fromCharCode(bytes[at], bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
    const before = seen.get(key);
    seen.set(key, at);
    let len = 0;
    while (
      before !== undefined &&
      at > 1 &&
      at - before <= 8191 &&
      len < 264 &&
      at + len < bytes.length &&
      bytes[before + len] === bytes[at + len]
    )
      len++;
    if (len < 3) {
      literal(bytes[at++]);
      continue;
    }
    const distance = at - before - 1;
    if (len - 2 < 7) out.push(((len - 2) << 5) | (distance >> 8), distance & 255);
    else out.push((7 << 5) | (distance >> 8), len - 9, distance & 255);
    at += len;
    run = -1;
  }
  return Uint8Array.from(out);
}

const PACK = { lz4, fastlz, zlib: deflateSync, gzip: gzipSync };
const METHODS = Object.keys(PACK);

/** @typedef {keyof typeof PACK} Method */

export class FluxStream {
  /** @param {{ newer?: boolean, version?: number }} [options] newer: the dialect of impulse 3 */
  constructor({ newer = false, version = 6 } = {}) {
    /** @type {number[]} */
    this.out = [];
    this.newer = newer;
    this.version = version;
  }

  /** @param {readonly number[] | Uint8Array} bytes */
  raw(bytes) {
    for (const byte of bytes) this.out.push(byte);
    return this;
  }

  /** @param {number} tag @param {...readonly number[]} fields */
  entry(tag, ...fields) {
    return this.raw([0, tag, ...fields.flat()]);
  }

  /** @param {string} name */
  head(name, { trace = 0, description = '', mode = 0, most = 100, magic = 'flux' } = {}) {
    return this.entry(
      0x01,
      [...Buffer.from(magic)],
      [this.version],
      number(trace),
      text(name),
      text(description),
      [mode],
      number(most),
      number(4096),
    );
  }

  /** @param {number} id */
  trace(id) {
    return this.entry(0x04, number(id));
  }

  /** @param {Method} method @param {FluxStream | Uint8Array} content @param {number} [size] declared */
  block(method, content, size) {
    const bytes = content instanceof FluxStream ? content.bytes() : content;
    const packed = PACK[method](bytes);
    return this.entry(0x05, [METHODS.indexOf(method)], number(size ?? bytes.length), number(packed.length), [
      ...packed,
    ]);
  }

  /** @param {number} counter @param {FluxStream} content @param {number} size @param {boolean} [last] */
  section(counter, content, size, last = false) {
    const bytes = content.bytes();
    const word = (/** @type {number} */ n) => [n & 255, n >> 8];
    const stale = Array.from({ length: size - bytes.length }, (_, i) => (i * 37 + 5) & 255);
    return this.entry(0x06, [counter | (last ? 128 : 0)], word(size), word(bytes.length), [...bytes], stale);
  }

  /** @param {number} id @param {string} name @param {{ parent?: number, description?: string, tags?: string }} [more] */
  scope(id, name, { parent = 0, description = '', tags = '' } = {}) {
    return this.entry(0x10, number(id), number(parent), text(name), text(description), this.newer ? text(tags) : []);
  }

  /** @param {TypeName} type @param {{ descriptor?: string, scale?: number, format?: string }} more */
  kind(type, { descriptor = '', scale = -1, format = '' }) {
    const zigzag = scale < 0 ? -scale * 2 - 1 : scale * 2;
    return this.newer ? [NEWER[type], ...number(zigzag), ...text(format)] : [TYPE[type], ...text(descriptor)];
  }

  /**
   * @param {number} id @param {string} name @param {TypeName} type
   * @param {{ parent?: number, description?: string, tags?: string, descriptor?: string, scale?: number, format?: string, to?: number, bits?: [number, number] }} [more]
   */
  signal(id, name, type, more = {}) {
    const { parent = 0, description = '', tags = '', to, bits } = more;
    const tag = to !== undefined ? 0x12 : bits ? 0x14 : 0x11;
    return this.entry(
      tag,
      number(id),
      to === undefined ? [] : number(to),
      number(parent),
      text(name),
      text(description),
      this.newer ? text(tags) : [],
      this.kind(type, more),
      bits ? bits.flatMap((bit) => number(bit)) : [],
    );
  }

  /** @param {number} id of the signal @param {string} name @param {number} [parent] */
  reference(id, name, parent = 0) {
    return this.entry(0x13, number(id), number(parent), text(name), text(''));
  }

  /** @param {number} id @param {string} domain @param {Int} [start] @param {Int} [rate] */
  open(id, domain, start = 0, rate = 0) {
    return this.entry(0x20, number(id), text(domain), value(integer(start)), value(integer(rate)));
  }

  /** @param {number} id @param {Int} end */
  close(id, end) {
    return this.entry(0x21, number(id), value(integer(end)));
  }

  /** @param {string} domain */
  domain(domain) {
    return this.entry(0x22, text(domain));
  }

  /** @param {number} id @param {Int} position */
  position(id, position) {
    return this.entry(0x23, number(id), value(integer(position)));
  }

  /** @param {number} id @param {number} enumeration @param {Record<string, string>} labels by value */
  labels(id, enumeration, labels) {
    for (const [key, label] of Object.entries(labels))
      this.entry(0x30, number(id), number(enumeration), text(label), number(BigInt(key)));
    return this;
  }

  /** @param {number} id @param {number} member @param {string} label @param {number} type @param {{ parent?: number, descriptor?: string }} [more] */
  member(id, member, label, type, { parent, descriptor = '' } = {}) {
    const above = this.version === 4 ? [] : number(parent === undefined ? 0 : parent + 1);
    const extra = this.newer ? [...text(''), ...text(''), ...text('')] : [];
    const kind = this.newer ? [type, ...number(1), ...text(descriptor)] : [type, ...text(descriptor)];
    return this.entry(0x31, number(id), number(member), above, text(label), extra, kind);
  }

  /** @param {number} id @param {{ kind?: number, target: number, style: number, delta: Int, base?: number }} relation */
  relation(id, { kind = 0, target, style, delta, base = 0 }) {
    return this.version === 4
      ? this.entry(0x40, number(id), number(target), number(style), value(integer(delta)))
      : this.entry(0x40, number(id), [kind], number(target), number(style), value(integer(delta)), number(base));
  }

  /** @param {number} id @param {number} style */
  label(id, style) {
    return this.entry(0x41, number(id), number(style), [0], [0]);
  }

  /** @param {boolean} result @param {number} control @param {number} message @param {readonly number[][]} members */
  control(result, control, message, members) {
    return this.entry(result ? 0x81 : 0x80, number(control), number(message), number(members.length), members.flat());
  }

  /** @param {number} id @param {number | null} delta @param {readonly [df: number, xdf: number, bytes: readonly number[]] | null} data @param {number} [tag] */
  sample(id, delta, data, tag = 0) {
    const flags = (tag ? 1 : 0) | (delta === null ? 0 : 2) | (tag > 1 ? 4 : 0);
    this.raw([...number(id * 8 + flags), ...(tag > 1 ? [tag] : []), ...(delta === null ? [] : number(delta))]);
    if (!data) return this.raw([0]);
    const [df, xdf, bytes] = data;
    return this.raw([...number((bytes.length << 4) | (xdf << 2) | df), ...bytes]);
  }

  /** @param {number} id @param {number | null} delta @param {Int} number @param {number} [tag] */
  int(id, delta, number, tag) {
    return this.sample(id, delta, [1, 0, integer(number)], tag);
  }

  /** @param {number} id @param {number | null} delta @param {Int} number @param {number} [tag] */
  event(id, delta, number, tag) {
    return this.sample(id, delta, [2, 0, integer(number)], tag);
  }

  /** @param {number} id @param {number | null} delta @param {number} number @param {number} [tag] */
  real(id, delta, number, tag) {
    return this.sample(id, delta, [1, 2, double(number)], tag);
  }

  /** @param {number} id @param {number | null} delta @param {string} words @param {number} [tag] */
  words(id, delta, words, tag) {
    return this.sample(id, delta, [1, 0, [...Buffer.from(words)]], tag);
  }

  /** @param {number} id @param {number | null} delta @param {readonly number[]} bytes @param {number} [tag] */
  binary(id, delta, bytes, tag) {
    return this.sample(id, delta, [1, 0, bytes], tag);
  }

  /** @param {number} id @param {number | null} delta @param {string} states @param {number} [tag] */
  states(id, delta, states, tag) {
    const numbers = [...states].map((letter) => LETTERS.indexOf(letter));
    const bits = numbers.some((n) => n > 3) ? 4 : numbers.some((n) => n > 1) ? 2 : 1;
    const df = bits === 4 ? 3 : bits;
    if (bits === 1 && numbers.every((n) => n === numbers[0])) return this.sample(id, delta, [df, numbers[0], []], tag);
    const per = 8 / bits;
    const filled = [...Array((per - (numbers.length % per)) % per).fill(numbers[0]), ...numbers];
    const bytes = [];
    for (let i = 0; i < filled.length; i += per)
      bytes.push(filled.slice(i, i + per).reduce((byte, n) => (byte << bits) | n, 0));
    return this.sample(id, delta, [df, 2, bytes], tag);
  }

  /** @param {number} id @param {number | null} delta @param {readonly number[]} elements @param {{ counted?: boolean }} [more] */
  ints(id, delta, elements, { counted = false } = {}) {
    const bytes = elements.flatMap((element) => value(integer(element)));
    return this.sample(id, delta, [counted ? 3 : 1, 1, counted ? [...number(elements.length), ...bytes] : bytes]);
  }

  /** @param {number} id @param {number | null} delta @param {readonly number[]} elements @param {{ counted?: boolean }} [more] */
  events(id, delta, elements, { counted = false } = {}) {
    const bytes = elements.flatMap((element) => value(integer(element)));
    return this.sample(id, delta, [counted ? 3 : 2, 0, counted ? [...number(elements.length), ...bytes] : bytes]);
  }

  /** @param {number} id @param {number | null} delta @param {readonly number[]} elements */
  floats(id, delta, elements) {
    return this.sample(id, delta, [1, 1, elements.flatMap(float)]);
  }

  bytes() {
    return Uint8Array.from(this.out);
  }
}

/** A member of a struct or a control entry. @param {number} id @param {number} type @param {readonly number[]} bytes */
export const field = (id, type, bytes) => [...number(id), type, ...value(bytes)];
