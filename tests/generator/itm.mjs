// SPDX-License-Identifier: MIT
//
// An encoder of ITM and DWT packets, and of the frames of a TPIU. Knows them from docs/formats/itm.md only.

export const SYNC = Buffer.from([0, 0, 0, 0, 0, 0x80]);
export const ENTERED = 1,
  EXITED = 2,
  RETURNED = 3;

const SIZES = { 1: 1, 2: 2, 4: 3 };

/** @param {number} discriminator @param {number} value @param {1 | 2 | 4} size */
function hardware(discriminator, value, size) {
  const bytes = Buffer.alloc(size + 1);
  bytes[0] = (discriminator << 3) | 4 | SIZES[size];
  bytes.writeUIntLE(value, 1, size);
  return bytes;
}

/** Seven bits per byte, the lowest first. @param {number} value @param {number} least bytes */
function continued(value, least = 1) {
  const bytes = [];
  for (let rest = value; rest || bytes.length < least; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes[bytes.length - 1] &= 0x7f;
  return bytes;
}

/** @param {number} port in its page @param {number} value @param {1 | 2 | 4} size */
export function software(port, value, size) {
  const bytes = Buffer.alloc(size + 1);
  bytes[0] = (port << 3) | SIZES[size];
  bytes.writeUIntLE(value >>> 0, 1, size);
  return bytes;
}

/** @param {number} number @param {number} what ENTERED, EXITED or RETURNED */
export const exception = (number, what) => hardware(1, number | (what << 12), 2);
/** @param {number} address */
export const pc_sample = (address) => hardware(2, address, 4);
export const asleep = () => hardware(2, 0, 1);
export const secure_code = () => hardware(2, 0xff, 1);
/** @param {number} bits CPI, EXC, SLEEP, LSU, FOLD, CYC */
export const counters = (bits) => hardware(0, bits, 1);
/** @param {number} comparator @param {number} address */
export const data_pc = (comparator, address) => hardware(8 + 2 * comparator, address, 4);
/** @param {number} comparator */
export const data_match = (comparator) => hardware(8 + 2 * comparator, 1, 1);
/** @param {number} comparator @param {number} address */
export const data_address = (comparator, address) => hardware(9 + 2 * comparator, address & 0xffff, 2);
/** @param {number} comparator @param {number} value @param {1 | 2 | 4} size @param {boolean} is_write */
export const data_value = (comparator, value, size, is_write) =>
  hardware(16 + 2 * comparator + (is_write ? 1 : 0), value, size);
/** @param {number} bits */
export const pmu = (bits) => hardware(3, bits, 1);
export const overflow = () => Buffer.from([0x70]);
/** @param {number} page */
export const page = (page) => Buffer.from([(page << 4) | 8]);

/** The short form if it is possible. @param {number} delta @param {number} status */
export const local_time = (delta, status = 0) =>
  Buffer.from(!status && delta >= 1 && delta <= 6 ? [delta << 4] : [0xc0 | (status << 4), ...continued(delta)]);

/** @param {number} low bits 25 to 0 @param {{ bytes?: number, clock_changed?: boolean, wrapped?: boolean }} options */
export function global_time_low(low, { bytes = 4, clock_changed = false, wrapped = false } = {}) {
  const list = continued(low % 128 ** bytes, bytes);
  if (bytes === 4) list[3] |= (clock_changed ? 0x20 : 0) | (wrapped ? 0x40 : 0);
  return Buffer.from([0x94, ...list]);
}

/** @param {number} high bits from 26 on @param {number} bytes 4 or 6 */
export const global_time_high = (high, bytes = 4) => Buffer.from([0xb4, ...continued(high, bytes)]);

/** A target that writes packets. Times are cycles. */
export class Itm {
  /** @type {Buffer[]} */ pieces = [];
  cycles = 0;
  #stamped = 0;
  #page = 0;

  /** @param {Uint8Array[]} packets */
  put(...packets) {
    for (const packet of packets) this.pieces.push(Buffer.from(packet));
    return this;
  }

  sync() {
    this.#page = 0;
    return this.put(SYNC);
  }

  /** The time of the next packets. @param {number} cycles */
  at(cycles) {
    this.cycles = cycles;
    return this;
  }

  /** The local timestamp of the packets before it. @param {number} status */
  time(status = 0) {
    this.put(local_time(this.cycles - this.#stamped, status));
    this.#stamped = this.cycles;
    return this;
  }

  /** @param {number} number */
  enter(number) {
    return this.put(exception(number, ENTERED)).time();
  }

  /** The exception ends; `to` goes on. @param {number} number @param {number} to 0: thread mode */
  leave(number, to = 0) {
    return this.put(exception(number, EXITED)).put(exception(to, RETURNED)).time();
  }

  /** @param {number} port @param {number} value @param {1 | 2 | 4} size */
  write(port, value, size) {
    if (this.#page !== port >> 5) this.put(page((this.#page = port >> 5)));
    return this.put(software(port & 31, value, size));
  }

  /** As ITM_SendChar. @param {number} port @param {string | Uint8Array} text */
  text(port, text) {
    for (const byte of Buffer.from(text)) this.write(port, byte, 1);
    return this;
  }

  /** As tband_itm_write: words, then the rest as bytes. @param {number} port @param {Uint8Array} bytes */
  stream(port, bytes) {
    const data = Buffer.from(bytes);
    let at = 0;
    for (; data.length - at >= 4; at += 4) this.write(port, data.readUInt32LE(at), 4);
    for (; at < data.length; at++) this.write(port, data[at], 1);
    return this;
  }

  bytes() {
    return Buffer.concat(this.pieces);
  }
}

/** Frames of a TPIU with the bytes of several streams, which take turns.
 * @param {{ stream: number, bytes: Uint8Array }[]} streams @param {{ turn?: number, sync_each?: number, half_syncs?: boolean }} options turn: bytes of one stream before the next one; sync_each: frames */
export function tpiu(streams, { turn = 7, sync_each = 16, half_syncs = false } = {}) {
  const FULL = Buffer.from([0xff, 0xff, 0xff, 0x7f]);
  const at = streams.map(() => 0);
  /** @type {{ stream: number, byte: number }[]} */ const items = [];
  while (streams.some(({ bytes }, i) => at[i] < bytes.length))
    streams.forEach(({ stream, bytes }, i) => {
      for (const byte of bytes.subarray(at[i], at[i] + turn)) items.push({ stream, byte });
      at[i] += turn;
    });
  const out = [FULL];
  let current = -1,
    next = 0,
    frames = 0;
  while (next < items.length) {
    const frame = Buffer.alloc(16);
    let low = 0;
    for (let place = 0; place < 15; place++) {
      const item = items[next] ?? { stream: 0, byte: 0 };
      if (place % 2) {
        frame[place] = item.byte; // the stream is the current one: see below
        next++;
        continue;
      }
      if (item.stream === current) {
        // If the stream changes after this byte, the change can come first.
        const after = items[next + 1];
        if (place < 14 && after && after.stream !== current) {
          frame[place] = (after.stream << 1) | 1;
          low |= 1 << (place / 2);
          frame[++place] = item.byte;
          current = after.stream;
        } else {
          frame[place] = item.byte & 0xfe;
          low |= (item.byte & 1) << (place / 2);
        }
        next++;
      } else {
        frame[place] = (item.stream << 1) | 1;
        current = item.stream;
      }
    }
    frame[15] = low;
    out.push(frame);
    if (++frames % sync_each === 0) out.push(FULL);
  }
  if (!half_syncs) return Buffer.concat(out);
  return Buffer.concat(
    out.flatMap((piece) =>
      piece.length === 16 ? [piece.subarray(0, 4), Buffer.from([0xff, 0x7f]), piece.subarray(4)] : [piece],
    ),
  );
}
