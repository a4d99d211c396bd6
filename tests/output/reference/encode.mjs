// SPDX-License-Identifier: MIT
// Encodes [name, ...fields in their order] to bytes, for inputs that tests construct.
import { EVENTS } from './frames.mjs';

const codes = new Map(Object.entries(EVENTS).map(([code, [name, ...fields]]) => [name, [Number(code), fields]]));
codes.set('resumed', [0x56, EVENTS[0x56].slice(1)]); // 0x57 is the same event from an interrupt

function varint(value) {
  const out = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return [...out, Number(rest)];
}

function field(type, value) {
  if (type === 'u8') return [value];
  if (type === 'str') return typeof value === 'string' ? [...Buffer.from(value)] : [...value];
  if (type !== 's64') return varint(value);
  const big = BigInt(value);
  if (big === -(1n << 63n)) return [1];
  return varint(big < 0n ? (-big << 1n) | 1n : big << 1n);
}

export function cobs(payload) {
  const out = [];
  let block = [];
  for (const byte of payload) {
    if (byte !== 0) block.push(byte);
    if (byte === 0 || block.length === 254) {
      out.push(block.length + 1, ...block);
      block = [];
      if (byte !== 0) block.full = true;
    }
  }
  if (block.length > 0 || !block.full) out.push(block.length + 1, ...block);
  return [...out, 0];
}

export function payload([name, ...values]) {
  const [code, fields] = codes.get(name);
  return [code, ...fields.flatMap((spec, index) => field(spec === 'ts' ? 'u64' : spec.split(':')[1], values[index]))];
}

/** Events and raw bytes (arrays of numbers, copied unchanged) -> a recording. */
export const recording = (...items) =>
  Uint8Array.from(items.flatMap((item) => (typeof item[0] === 'string' ? cobs(payload(item)) : [...item])));
