// SPDX-License-Identifier: MIT
// Writes zip and tar files, valid and invalid ones.
import { deflateRawSync } from 'node:zlib';

const u16 = (/** @type {number} */ value) => [value & 0xff, (value >> 8) & 0xff];
const u32 = (/** @type {number} */ value) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (/** @type {number} */ value) => [...u32(value >>> 0), ...u32(Math.floor(value / 2 ** 32))];
const MAX = 0xffffffff;

/**
 * @typedef {{ path: string, bytes: Uint8Array, deflated?: boolean, encrypted?: boolean, method?: number, descriptor?: boolean,
 *   zip64?: boolean, size?: number, packed?: number, offset?: number }} File
 *   `size`, `packed`, `offset`: what the archive claims
 */

/** The fields common to the header of a member and its entry in the central directory. @param {File} file @param {Uint8Array} packed @param {boolean} local */
function shared(file, packed, local) {
  const flags = (file.encrypted ? 1 : 0) | (file.descriptor ? 8 : 0);
  const method = file.method ?? (file.deflated ? 8 : 0);
  const hidden = local && file.descriptor;
  const sizes = file.zip64
    ? [MAX, MAX]
    : hidden
      ? [0, 0]
      : [file.packed ?? packed.length, file.size ?? file.bytes.length];
  const extra = file.zip64
    ? [...u16(0x9999), ...u16(1), 7, ...u16(1), ...u16(16), ...u64(file.bytes.length), ...u64(packed.length)]
    : [];
  const path = [...Buffer.from(file.path)];
  return {
    head: [
      ...u16(45),
      ...u16(flags),
      ...u16(method),
      ...u32(0),
      ...u32(0),
      ...sizes.flatMap(u32),
      ...u16(path.length),
      ...u16(extra.length),
    ],
    path,
    extra,
  };
}

/** @param {File[]} files @param {{ prefix?: number, comment?: string }} [options] */
export function zip(files, { prefix = 0, comment = '' } = {}) {
  const parts = [Buffer.alloc(prefix, 'x')];
  const directory = [];
  let at = 0;
  for (const file of files) {
    const packed = file.deflated ? deflateRawSync(file.bytes) : file.bytes;
    const local = shared(file, packed, true);
    const entry = shared(file, packed, false);
    directory.push(
      Buffer.from([
        0x50,
        0x4b,
        1,
        2,
        ...u16(45),
        ...entry.head,
        ...u16(0),
        ...u16(0),
        ...u16(0),
        ...u32(0),
        ...u32(file.offset ?? at),
        ...entry.path,
        ...entry.extra,
      ]),
    );
    const descriptor = file.descriptor
      ? Buffer.from([0x50, 0x4b, 7, 8, ...u32(0), ...u32(packed.length), ...u32(file.bytes.length)])
      : Buffer.alloc(0);
    const whole = [Buffer.from([0x50, 0x4b, 3, 4, ...local.head, ...local.path, ...local.extra]), packed, descriptor];
    for (const part of whole) at += part.length;
    parts.push(...whole);
  }
  const length = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = [
    0x50,
    0x4b,
    5,
    6,
    ...u16(0),
    ...u16(0),
    ...u16(files.length),
    ...u16(files.length),
    ...u32(length),
    ...u32(at),
    ...u16(comment.length),
  ];
  return Buffer.concat([...parts, ...directory, Buffer.from(end), Buffer.from(comment)]);
}

/** @param {string} path @param {number} size @param {string} type @param {string} [prefix] */
function tarHeader(path, size, type, prefix = '') {
  const header = Buffer.alloc(512);
  header.write(path.slice(0, 100), 0);
  header.write('0000644\0', 100);
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else (header.writeBigUInt64BE(BigInt(size), 128), (header[124] = 0x80));
  header.write(`        ${type}`, 148);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padded = (/** @type {Uint8Array} */ bytes) =>
  Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** An entry with a path that is too long for the header; it precedes the header. @param {string} path @param {'gnu' | 'pax'} kind */
function longPath(path, kind) {
  const record = (/** @type {number} */ length) => `${length} path=${path}\n`;
  let length = Buffer.byteLength(record(0));
  while (Buffer.byteLength(record(length)) !== length) length = Buffer.byteLength(record(length));
  const bytes = Buffer.from(kind === 'gnu' ? `${path}\0` : record(length));
  return [tarHeader('long', bytes.length, kind === 'gnu' ? 'L' : 'x'), padded(bytes)];
}

/** @param {(File & { long?: 'gnu' | 'pax', prefix?: string, type?: string })[]} files @param {{ end?: boolean }} [options] */
export function tar(files, { end = true } = {}) {
  const parts = files.flatMap(({ path, bytes, size, long, prefix, type }) => [
    ...(long ? longPath(path, long) : []),
    tarHeader(path, size ?? bytes.length, type ?? '0', prefix),
    padded(bytes),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(end ? 1024 : 0)]);
}
