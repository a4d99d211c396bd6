// SPDX-License-Identifier: MIT
// Bytes -> frames -> events of the Tonbandgeraet format, decoded in the simplest way.

class Malformed extends Error {}

/** Payload of the bytes between two delimiters. */
function cobsDecode(piece) {
  const out = [];
  for (let at = 0; at < piece.length;) {
    const code = piece[at];
    if (code === 0 || at + code > piece.length) throw new Malformed('chain goes beyond the delimiter');
    out.push(...piece.subarray(at + 1, at + code));
    at += code;
    if (code < 255 && at < piece.length) out.push(0);
  }
  if (out.length === 0) throw new Malformed('empty payload');
  return Uint8Array.from(out);
}

class Fields {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  u8() {
    if (this.at >= this.bytes.length) throw new Malformed('field missing');
    return this.bytes[this.at++];
  }

  varint(bits) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 127) << shift;
      if (value >> BigInt(bits) !== 0n || (byte > 127 && shift + 7n >= BigInt(bits)))
        throw new Malformed('number too large');
      if (byte < 128) return value;
    }
  }

  u32() {
    return Number(this.varint(32));
  }

  u64() {
    return this.varint(64);
  }

  s64() {
    const raw = this.u64();
    if (raw === 1n) return -(1n << 63n);
    return raw & 1n ? -(raw >> 1n) : raw >> 1n;
  }

  str() {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes.subarray(this.at));
    this.at = this.bytes.length;
    return text.replaceAll('\0', '\u2400'); // a zero byte would end the name in the viewer
  }
}

// code: name, fields (`id_`, `name_`: of the named object). Those without `ts` are metadata.
export const EVENTS = {
  0x00: ['core_id', 'ts', 'core:u32'],
  0x01: ['dropped', 'ts', 'count:u32'],
  0x02: ['tick', 'ns:u64'],
  0x03: ['isr_name', 'id_:u32', 'name_:str'],
  0x04: ['isr_enter', 'ts', 'id_:u32'],
  0x05: ['isr_exit', 'ts', 'id_:u32'],
  0x06: ['marker_name', 'id_:u32', 'name_:str'],
  0x07: ['marker', 'ts', 'id_:u32', 'msg:str'],
  0x08: ['marker_begin', 'ts', 'id_:u32', 'msg:str'],
  0x09: ['marker_end', 'ts', 'id_:u32'],
  0x0a: ['value_name', 'id_:u32', 'name_:str'],
  0x0b: ['value', 'ts', 'id_:u32', 'val:s64'],
  0x54: ['switched_in', 'ts', 'task:u32'],
  0x55: ['ready', 'ts', 'task:u32'],
  0x56: ['resumed', 'ts', 'task:u32'],
  0x57: ['resumed', 'ts', 'task:u32'],
  0x58: ['suspended', 'ts', 'task:u32'],
  0x59: ['delay', 'ts', 'ticks:u32'],
  0x5a: ['delay_until', 'ts', 'wake:u32'],
  0x5b: ['priority', 'ts', 'task:u32', 'priority:u32'],
  0x5c: ['inherit', 'ts', 'task:u32', 'priority:u32'],
  0x5d: ['disinherit', 'ts', 'task:u32', 'priority:u32'],
  0x5e: ['created', 'ts', 'task:u32'],
  0x5f: ['task_name', 'task:u32', 'name_:str'],
  0x60: ['task_is_idle', 'task:u32', 'core:u32'],
  0x61: ['task_is_timer', 'task:u32'],
  0x62: ['deleted', 'ts', 'task:u32'],
  0x63: ['queue_created', 'ts', 'queue:u32'],
  0x64: ['queue_name', 'queue:u32', 'name_:str'],
  0x65: ['queue_kind', 'queue:u32', 'kind:u8'],
  0x66: ['queue_send', 'ts', 'queue:u32', 'len:u32'],
  0x67: ['queue_send_from_isr', 'ts', 'queue:u32', 'len:u32'],
  0x68: ['queue_overwrite', 'ts', 'queue:u32', 'len:u32'],
  0x69: ['queue_overwrite_from_isr', 'ts', 'queue:u32', 'len:u32'],
  0x6a: ['queue_receive', 'ts', 'queue:u32', 'len:u32'],
  0x6b: ['queue_receive_from_isr', 'ts', 'queue:u32', 'len:u32'],
  0x6c: ['queue_reset', 'ts', 'queue:u32'],
  0x6d: ['block_peek', 'ts', 'queue:u32', 'ticks:u32'],
  0x6e: ['block_send', 'ts', 'queue:u32', 'ticks:u32'],
  0x6f: ['block_receive', 'ts', 'queue:u32', 'ticks:u32'],
  0x70: ['queue_length', 'ts', 'queue:u32', 'len:u32'],
  0x7a: ['task_marker_name', 'id_:u32', 'task:u32', 'name_:str'],
  0x7b: ['task_marker', 'ts', 'id_:u32', 'msg:str'],
  0x7c: ['task_marker_begin', 'ts', 'id_:u32', 'msg:str'],
  0x7d: ['task_marker_end', 'ts', 'id_:u32'],
  0x7e: ['task_value_name', 'id_:u32', 'task:u32', 'name_:str'],
  0x7f: ['task_value', 'ts', 'id_:u32', 'val:s64'],
};

function decodeEvent(payload) {
  const description = EVENTS[payload[0]];
  if (!description) throw new Malformed('unknown id');
  const [name, ...fields] = description;
  const event = { code: payload[0], name };
  const reader = new Fields(payload);
  reader.at = 1;
  for (const field of fields) {
    const [key, type] = field === 'ts' ? ['ts', 'u64'] : field.split(':');
    event[key] = reader[type]();
  }
  if (reader.at < payload.length) throw new Malformed('bytes left over');
  return event;
}

/** The event in a frame, or null. */
function tryPiece(piece) {
  try {
    return decodeEvent(cobsDecode(piece));
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** Longest suffix of a rejected frame that is a frame: the bytes before it are text on the same line. */
function trySuffixes(piece) {
  for (let start = 1; start < piece.length; start++) {
    const event = tryPiece(piece.subarray(start));
    if (event) return { event, start };
  }
  return null;
}

/**
 * All events of one input, in file order, and the bytes that are no events: { events, rejected, empty, textBytes, tailBytes }. Offsets are
 * those of the first byte of the frame. `damageBefore` is set for the first event after a rejected frame, `damageAtEnd` if the input ends with one.
 */
export function decodeRecording(bytes) {
  const out = { events: [], rejected: 0, empty: 0, textBytes: 0, tailBytes: 0, damageAtEnd: false };
  let start = 0;
  let damaged = false;
  for (let end = bytes.indexOf(0); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) {
    const piece = bytes.subarray(start, end);
    if (piece.length === 0) {
      out.empty++;
      continue;
    }
    let event = tryPiece(piece);
    let skipped = 0;
    if (!event) {
      const found = trySuffixes(piece);
      if (found) ({ event, start: skipped } = found);
      out.textBytes += skipped;
    }
    if (event) {
      out.events.push({ ...event, offset: start + skipped, damageBefore: damaged });
      damaged = false;
    } else if (start > 0) {
      out.rejected++; // the rest of a frame at the very start is no damage
      damaged = true;
    }
  }
  out.tailBytes = bytes.length - start;
  out.damageAtEnd = damaged; // what is cut off at the end comes after the last event
  return out;
}
