// SPDX-License-Identifier: MIT
//
// An encoder of SystemView recordings. Knows the format from docs/formats/systemview.md only.

export const ID = {
  NOP: 0,
  OVERFLOW: 1,
  ISR_ENTER: 2,
  ISR_EXIT: 3,
  TASK_START_EXEC: 4,
  TASK_STOP_EXEC: 5,
  TASK_START_READY: 6,
  TASK_STOP_READY: 7,
  TASK_CREATE: 8,
  TASK_INFO: 9,
  TRACE_START: 10,
  TRACE_STOP: 11,
  SYSTIME_CYCLES: 12,
  SYSTIME_US: 13,
  SYSDESC: 14,
  MARK_START: 15,
  MARK_STOP: 16,
  IDLE: 17,
  ISR_TO_SCHEDULER: 18,
  TIMER_ENTER: 19,
  TIMER_EXIT: 20,
  STACK_INFO: 21,
  MODULEDESC: 22,
  DATA_SAMPLE: 23,
  INIT: 24,
  NAME_RESOURCE: 25,
  PRINT_FORMATTED: 26,
  NUMMODULES: 27,
  END_CALL: 28,
  TASK_TERMINATE: 29,
  EX: 31,
};

export const SYNC = Buffer.alloc(10);
const RAM = 0x2000_0000,
  SHIFT = 2;

/** @param {number} value @returns {number[]} */
export function varint(value) {
  const bytes = [];
  let left = value >>> 0;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return [...bytes, left];
}

/** @param {string | Uint8Array} text @returns {number[]} */
export function str(text) {
  const bytes = [...Buffer.from(text)];
  return bytes.length < 255 ? [bytes.length, ...bytes] : [255, bytes.length & 255, bytes.length >> 8, ...bytes];
}

/** A float as the number with the same bits. @param {number} value */
export const float_bits = (value) => new DataView(new Float32Array([value]).buffer).getUint32(0, true);

/** @param {{ address: number }} task */
export const task_id = (task) => (task.address - RAM) >>> SHIFT;

/**
 * A recorder. Every method adds packets and returns the recorder; `at` is the time of the next packet.
 */
export class SystemView {
  /**
   * @param {object} [options]
   * @param {number} [options.hz] counts per second
   * @param {boolean} [options.no_lengths] writes ids in place of the lengths of short payloads (SUPPORT_LONG_DATA)
   * @param {boolean} [options.core_in_id] ESP_Extension
   * @param {number} [options.stack_use] bytes of each stack that were used; 0: the recorder does not know it
   */
  constructor({ hz = 168_000_000, no_lengths = false, core_in_id = false, stack_use = 400 } = {}) {
    this.hz = hz;
    this.stack_use = stack_use;
    this.no_lengths = no_lengths;
    this.core_in_id = core_in_id;
    this.count = 0;
    this.last = 0;
    this.core = 0;
    /** @type {Buffer[]} */
    this.pieces = [];
  }

  /** Time of the next packets, in counts. @param {number} count */
  at(count) {
    this.count = count;
    return this;
  }

  /** The core of the next packets. @param {number} core */
  on(core) {
    this.core = core;
    return this;
  }

  /** @param {number} id */
  id(id) {
    const bytes = varint(id);
    if (this.core_in_id && this.core) bytes[bytes.length - 1] |= 64;
    return bytes;
  }

  /** @param {number} id @param {number[]} payload */
  packet(id, payload = []) {
    const lacks_length = this.no_lengths && payload.length < 127; // has the low byte of the id instead
    const length = id < 24 ? [] : lacks_length ? [id & 255] : varint(payload.length);
    this.pieces.push(Buffer.from([...this.id(id), ...length, ...payload, ...varint(this.count - this.last)]));
    this.last = this.count;
    return this;
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    this.pieces.push(Buffer.from(bytes));
    return this;
  }

  /** What a recorder sends at its start. @param {string} description @param {{ name: string, address: number, priority: number }[]} tasks */
  start(description, tasks) {
    this.raw(SYNC).packet(ID.TRACE_START);
    this.packet(ID.INIT, [...varint(this.hz), ...varint(this.hz), ...varint(RAM), ...varint(SHIFT)]);
    if (description) this.packet(ID.SYSDESC, str(description));
    this.packet(ID.SYSTIME_US, [0, 0]);
    for (const task of tasks) this.info(task);
    return this.packet(ID.NUMMODULES, [0]);
  }

  /** @param {{ name: string, address: number, priority: number }} task */
  info(task) {
    return this.name_of(task, Buffer.from(task.name));
  }

  /** Like `info`, with the bytes of the name. @param {{ address: number, priority: number }} task @param {Uint8Array} name */
  name_of(task, name) {
    const id = varint(task_id(task));
    this.packet(ID.TASK_INFO, [...id, ...varint(task.priority), ...str(name)]);
    return this.packet(ID.STACK_INFO, [...id, ...varint(task.address), ...varint(1024), ...varint(this.stack_use)]);
  }

  /** @param {{ name: string, address: number }} task */
  run(task) {
    return this.packet(ID.TASK_START_EXEC, varint(task_id(task)));
  }

  /** @param {{ name: string, address: number }} task */
  ready(task) {
    return this.packet(ID.TASK_START_READY, varint(task_id(task)));
  }

  /** @param {{ name: string, address: number }} task @param {number} cause */
  wait(task, cause = 4) {
    return this.packet(ID.TASK_STOP_READY, [...varint(task_id(task)), ...varint(cause)]);
  }

  /** @param {number} isr */
  isr(isr) {
    return this.packet(ID.ISR_ENTER, varint(isr));
  }

  /** A call of the kernel. @param {number} id @param {number[]} values */
  call(id, ...values) {
    return this.packet(id, values.flatMap(varint));
  }

  /** @param {number} id @param {number[]} result */
  end_call(id, ...result) {
    return this.packet(ID.END_CALL, [id, ...result].flatMap(varint));
  }

  /** @param {string} text @param {number} options @param {number[]} values */
  print(text, options, ...values) {
    return this.packet(ID.PRINT_FORMATTED, [
      ...str(text),
      ...varint(options),
      ...varint(values.length),
      ...values.flatMap(varint),
    ]);
  }

  bytes() {
    return Buffer.concat(this.pieces);
  }
}

/** The lines before the stream in a file of the application. @param {string[]} more */
export const svdat_head = (...more) => svdat_head_of('V3.60', more);

/** @param {string} version of the application @param {string[]} more */
export const svdat_head_of = (version, more = []) =>
  Buffer.from(
    [
      ';',
      `; Version     SEGGER SystemViewer ${version}`,
      '; RecordTime  01 Jan 2026 12:00:00',
      '; Author      generator',
      '; Title       Pump station',
      ...more,
      ';',
      '',
    ].join('\n'),
  );

/** The greeting of the recorder over UART. */
export const UART_HELLO = Buffer.from([0x53, 0x56, 3, 3]);

/** The greeting of the recorder over IP. @param {string} version */
export function ip_hello(version) {
  const bytes = Buffer.alloc(32);
  bytes.write(`SEGGER SystemView ${version}`, 'latin1');
  return bytes;
}

/** A file with one stream per core, whose header tells where each begins. @param {Uint8Array[]} streams */
export function svdat_of_cores(...streams) {
  let offset = 0;
  const lines = streams.map((stream, core) => {
    const line = `; Offset Core${core} ${offset}`;
    offset += stream.length;
    return line;
  });
  return Buffer.concat([svdat_head(...lines), ...streams]);
}

/** A recorder that writes its description again after every 257th packet, for a ring that overwrites its oldest packets. */
export class PostMortem extends SystemView {
  since = 0;
  /** @type {() => void} */
  repeat = () => {};

  /** @param {string} description @param {{ name: string, address: number, priority: number }[]} tasks */
  start(description, tasks) {
    this.repeat = () => {};
    super.start(description, tasks);
    this.repeat = () => this.start(description, tasks);
    this.since = 0;
    return this;
  }

  /** @param {number} id @param {number[]} payload */
  packet(id, payload = []) {
    super.packet(id, payload);
    if (++this.since === 257) this.repeat();
    return this;
  }
}

/** What a ring of `size` bytes contains after a stream. @param {Uint8Array} stream @param {number} size */
export function ring_of(stream, size) {
  const ring = Buffer.alloc(size);
  for (let i = Math.max(0, stream.length - size); i < stream.length; i++) ring[i % size] = stream[i];
  return { ring, write: stream.length % size };
}

/**
 * A dump of RAM from 0x20000000 on, with the control block of the transport and the ring.
 * @param {{ ring: Uint8Array, write: number }} of
 */
export function memory_dump({ ring, write }) {
  const block = 0x40,
    buffer = 0x104;
  const ram = Buffer.alloc(buffer + ring.length + 100, 0x5a);
  ram.write('SEGGER RTT\0\0\0\0\0\0', block, 'latin1');
  [2, 1].forEach((count, i) => ram.writeUInt32LE(count, block + 16 + 4 * i));
  const channels = [
    [0x0800_1000, RAM + 0x80, 64, 3, 3, 0],
    [0x0800_1010, RAM + buffer, ring.length, write, (write + 1) % ring.length, 0],
  ];
  channels.flat().forEach((word, i) => ram.writeUInt32LE(word, block + 24 + 4 * i));
  ring.forEach((byte, i) => (ram[buffer + i] = byte));
  return ram;
}
