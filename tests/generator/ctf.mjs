// SPDX-License-Identifier: MIT
//
// An encoder of CTF 1.8: the streams and the metadata of Zephyr. Knows the format from docs/formats/ctf.md only.

/** @typedef {Record<string, number | bigint | string>} Fields */
/** @typedef {{ time: 'u32' | 'u64', id: 'u8' | 'u16', packets?: 'cpu' | 'ring', core?: boolean, big?: boolean }} Layout */

/** Layouts by the letters of the documents. @type {Record<string, Layout>} */
export const LAYOUTS = {
  A: { time: 'u32', id: 'u8' },
  B: { time: 'u32', id: 'u16' },
  C: { time: 'u64', id: 'u16' },
  D: { time: 'u64', id: 'u16', packets: 'cpu' },
  E: { time: 'u64', id: 'u16', packets: 'ring' },
  SMP: { time: 'u32', id: 'u8', core: true },
};

const THREAD = 'u32 thread_id, t20 name',
  ID = 'u32 id',
  TIMED = 'u32 id, u32 timeout',
  RESULT = 'u32 id, u32 timeout, i32 ret';

/** Number and fields of each event. Types: u8 ... i64, t20 is text of 20 bytes. @type {Record<string, [number, string]>} */
export const EVENTS = {
  thread_switched_out: [0x10, THREAD],
  thread_switched_in: [0x11, THREAD],
  thread_priority_set: [0x12, `${THREAD}, i8 prio`],
  thread_create: [0x13, THREAD],
  thread_abort: [0x14, THREAD],
  thread_suspend: [0x15, THREAD],
  thread_resume: [0x16, THREAD],
  thread_ready: [0x17, THREAD],
  thread_pending: [0x18, THREAD],
  thread_info: [0x19, `${THREAD}, u32 stack_base, u32 stack_size`],
  thread_name_set: [0x1a, THREAD],
  isr_enter: [0x1b, ''],
  isr_exit: [0x1c, ''],
  isr_exit_to_scheduler: [0x1d, ''],
  idle: [0x1e, ''],
  semaphore_init: [0x21, 'u32 id, i32 ret'],
  semaphore_give_enter: [0x22, ID],
  semaphore_give_exit: [0x23, ID],
  semaphore_take_enter: [0x24, TIMED],
  semaphore_take_blocking: [0x25, TIMED],
  semaphore_take_exit: [0x26, RESULT],
  mutex_init: [0x28, 'u32 id, i32 ret'],
  mutex_lock_enter: [0x29, TIMED],
  mutex_lock_blocking: [0x2a, TIMED],
  mutex_lock_exit: [0x2b, RESULT],
  mutex_unlock_enter: [0x2c, ID],
  mutex_unlock_exit: [0x2d, 'u32 id, i32 ret'],
  timer_init: [0x2e, ID],
  timer_start: [0x2f, 'u32 id, u32 duration, u32 period'],
  timer_stop: [0x30, ID],
  named_event: [0x62, 't20 name, u32 arg0, u32 arg1'],
  k_sleep_enter: [0x7f, 'u32 timeout'],
  k_sleep_exit: [0x80, 'u32 timeout, i32 ret'],
  msgq_put_enter: [0x8a, TIMED],
  msgq_put_blocking: [0x8b, TIMED],
  msgq_put_exit: [0x8c, RESULT],
  msgq_get_enter: [0x8d, TIMED],
  msgq_get_blocking: [0x8e, TIMED],
  msgq_get_exit: [0x8f, RESULT],
  thread_yield: [0xe3, ''],
  timer_expiry_enter: [0x100, ID],
  timer_expiry_exit: [0x101, ID],
};

const MAGIC = 0xc1fc1fc1;
const LENGTHS = { 8: 1, 16: 2, 32: 4, 64: 8 };

/** @param {string} type @param {number | bigint | string} value @param {boolean} big */
function encoded(type, value, big) {
  const bits = Number(type.slice(1));
  if (type[0] === 't') {
    const bytes = Buffer.alloc(bits);
    bytes.write(String(value).slice(0, bits - 1), 'latin1');
    return bytes;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)));
  const low = bytes.subarray(0, LENGTHS[/** @type {8} */ (bits)]);
  return big ? Buffer.from(low).reverse() : low;
}

/** @param {string} list "u32 id, t20 name" @returns {[string, string][]} types and names */
const fields_in = (list) =>
  list ? list.split(', ').map((field) => /** @type {[string, string]} */ (field.split(' '))) : [];

/** @param {Layout} layout @param {string} name @param {number | bigint} time @param {Fields} fields @param {number} [core] */
export function event(layout, name, time, fields = {}, core = 0) {
  const [id, list] = EVENTS[name],
    big = !!layout.big;
  return Buffer.concat([
    encoded(layout.time, time, big),
    encoded(layout.id, id, big),
    ...fields_in(list).map(([type, field]) => encoded(type, fields[field] ?? 0, big)),
    ...(layout.core ? [encoded('u32', core, big)] : []),
  ]);
}

/**
 * A packet with its events, as the CPU or the ring writes it.
 * @param {Layout} layout
 * @param {{ begin: number | bigint, end: number | bigint, events: Uint8Array[], size: number, cpu?: number, sequence?: number, discarded?: number }} packet
 */
export function packet(layout, { begin, end, events, size, cpu = 0, sequence = 0, discarded = 0 }) {
  const big = !!layout.big,
    of_cpu = layout.packets === 'cpu',
    content = Buffer.concat(events),
    header = of_cpu ? 37 : 36,
    bits = (header + content.length) * 8;
  const bytes = Buffer.concat([
    encoded('u32', MAGIC, big),
    ...(of_cpu ? [encoded('u32', 0, big)] : []),
    encoded('u64', begin, big),
    encoded('u64', end, big),
    encoded('u32', bits, big),
    encoded('u32', size * 8, big),
    ...(of_cpu ? [encoded('u32', discarded, big), encoded('u8', cpu, big)] : [encoded('u64', sequence, big)]),
    content,
  ]);
  if (bytes.length > size) throw new Error(`a packet of ${bytes.length} bytes has room for ${size}`);
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}

const TYPES = `
typealias integer { size = 8; align = 8; signed = true; } := int8_t;
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 8; align = 8; signed = false; encoding = ASCII; } := text_t;
`;

/** @param {[string, string]} field */
const declared = ([type, name]) =>
  type[0] === 't'
    ? `text_t ${name}[${type.slice(1)}];`
    : `${type[0] === 'i' ? 'int' : 'uint'}${type.slice(1)}_t ${name};`;

/** The metadata of a layout. @param {Layout} layout @param {{ events?: string[], clock?: string }} [options] */
export function metadata(layout, { events = Object.keys(EVENTS), clock } = {}) {
  const time = clock ? 'clock_value_t' : `uint${layout.time.slice(1)}_t`;
  const context =
    layout.packets === 'cpu'
      ? 'uint32_t events_discarded; uint8_t cpu_id;'
      : layout.packets === 'ring'
        ? 'uint64_t packet_seq_num;'
        : '';
  const kept = layout.id === 'u8' ? events.filter((name) => EVENTS[name][0] < 256) : events;
  return `/* CTF 1.8 */${TYPES}${clock ? `clock { name = main; ${clock} };\ntypealias integer { size = ${layout.time.slice(1)}; align = 8; signed = false; map = clock.main.value; } := clock_value_t;\n` : ''}
struct event_header { ${time} timestamp; uint${layout.id.slice(1)}_t id; };
trace {
  major = 1; minor = 8; byte_order = ${layout.big ? 'be' : 'le'};
  ${layout.packets ? `packet.header := struct { uint32_t magic; ${layout.packets === 'cpu' ? 'uint32_t stream_id;' : ''} };` : ''}
};
stream {
  ${layout.packets === 'cpu' ? 'id = 0;' : ''}
  event.header := struct event_header;
  ${layout.packets ? `packet.context := struct { uint64_t timestamp_begin; uint64_t timestamp_end; uint32_t content_size; uint32_t packet_size; ${context} };` : ''}
};
${kept
  .map((name) => {
    const [id, list] = EVENTS[name];
    const fields = [...fields_in(list), .../** @type {[string, string][]} */ (layout.core ? [['u32', 'core_id']] : [])];
    const body = fields.length ? ` fields := struct { ${fields.map(declared).join(' ')} };` : '';
    const stream = layout.packets === 'cpu' ? ' stream_id = 0;' : '';
    return `event { name = ${name}; id = 0x${id.toString(16)};${stream}${body} };`;
  })
  .join('\n')}
`;
}
