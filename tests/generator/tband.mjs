// SPDX-License-Identifier: MIT
//
// A small encoder for Tonbandgeraet recordings: events -> COBS frames. Written from docs/formats/tonbandgeraet.md.
// It can also write what no target should (overlong numbers, raw payloads), because tests need that.

/** @typedef {'u8' | 'u32' | 'u64' | 's64' | 'str'} FieldType */
/** @typedef {{ id: number, timed: boolean, fields: [string, FieldType][] }} EventShape */
/** @typedef {number | bigint | string | Uint8Array} Value */

/**
 * @param {number} id
 * @param {boolean} timed
 * @param {...[string, FieldType]} fields
 * @returns {EventShape}
 */
const shape = (id, timed, ...fields) => ({ id, timed, fields });

/** Every event by name; the time stamp of timed events precedes the fields. */
export const EVENTS = {
  core_id: shape(0x00, true, ['core_id', 'u32']),
  dropped_evt_cnt: shape(0x01, true, ['cnt', 'u32']),
  ts_resolution_ns: shape(0x02, false, ['ns_per_ts', 'u64']),
  isr_name: shape(0x03, false, ['isr_id', 'u32'], ['name', 'str']),
  isr_enter: shape(0x04, true, ['isr_id', 'u32']),
  isr_exit: shape(0x05, true, ['isr_id', 'u32']),
  evtmarker_name: shape(0x06, false, ['evtmarker_id', 'u32'], ['name', 'str']),
  evtmarker: shape(0x07, true, ['evtmarker_id', 'u32'], ['msg', 'str']),
  evtmarker_begin: shape(0x08, true, ['evtmarker_id', 'u32'], ['msg', 'str']),
  evtmarker_end: shape(0x09, true, ['evtmarker_id', 'u32']),
  valmarker_name: shape(0x0a, false, ['valmarker_id', 'u32'], ['name', 'str']),
  valmarker: shape(0x0b, true, ['valmarker_id', 'u32'], ['val', 's64']),
  task_switched_in: shape(0x54, true, ['task_id', 'u32']),
  task_to_rdy_state: shape(0x55, true, ['task_id', 'u32']),
  task_resumed: shape(0x56, true, ['task_id', 'u32']),
  task_resumed_from_isr: shape(0x57, true, ['task_id', 'u32']),
  task_suspended: shape(0x58, true, ['task_id', 'u32']),
  curtask_delay: shape(0x59, true, ['ticks', 'u32']),
  curtask_delay_until: shape(0x5a, true, ['time_to_wake', 'u32']),
  task_priority_set: shape(0x5b, true, ['task_id', 'u32'], ['priority', 'u32']),
  task_priority_inherit: shape(0x5c, true, ['task_id', 'u32'], ['priority', 'u32']),
  task_priority_disinherit: shape(0x5d, true, ['task_id', 'u32'], ['priority', 'u32']),
  task_created: shape(0x5e, true, ['task_id', 'u32']),
  task_name: shape(0x5f, false, ['task_id', 'u32'], ['name', 'str']),
  task_is_idle_task: shape(0x60, false, ['task_id', 'u32'], ['core_id', 'u32']),
  task_is_timer_task: shape(0x61, false, ['task_id', 'u32']),
  task_deleted: shape(0x62, true, ['task_id', 'u32']),
  queue_created: shape(0x63, true, ['queue_id', 'u32']),
  queue_name: shape(0x64, false, ['queue_id', 'u32'], ['name', 'str']),
  queue_kind: shape(0x65, false, ['queue_id', 'u32'], ['kind', 'u8']),
  queue_send: shape(0x66, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_send_from_isr: shape(0x67, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_overwrite: shape(0x68, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_overwrite_from_isr: shape(0x69, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_receive: shape(0x6a, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_receive_from_isr: shape(0x6b, true, ['queue_id', 'u32'], ['len_after', 'u32']),
  queue_reset: shape(0x6c, true, ['queue_id', 'u32']),
  curtask_block_on_queue_peek: shape(0x6d, true, ['queue_id', 'u32'], ['ticks_to_wait', 'u32']),
  curtask_block_on_queue_send: shape(0x6e, true, ['queue_id', 'u32'], ['ticks_to_wait', 'u32']),
  curtask_block_on_queue_receive: shape(0x6f, true, ['queue_id', 'u32'], ['ticks_to_wait', 'u32']),
  queue_cur_length: shape(0x70, true, ['queue_id', 'u32'], ['length', 'u32']),
  task_evtmarker_name: shape(0x7a, false, ['evtmarker_id', 'u32'], ['task_id', 'u32'], ['name', 'str']),
  task_evtmarker: shape(0x7b, true, ['evtmarker_id', 'u32'], ['msg', 'str']),
  task_evtmarker_begin: shape(0x7c, true, ['evtmarker_id', 'u32'], ['msg', 'str']),
  task_evtmarker_end: shape(0x7d, true, ['evtmarker_id', 'u32']),
  task_valmarker_name: shape(0x7e, false, ['valmarker_id', 'u32'], ['task_id', 'u32'], ['name', 'str']),
  task_valmarker: shape(0x7f, true, ['valmarker_id', 'u32'], ['val', 's64']),
  clock_sync: shape(0x80, true, ['core_id', 'u32'], ['their_ts', 'u64']),
  clock_rate: shape(0x81, false, ['counts', 'u32'], ['their_counts', 'u32']),
  heap_name: shape(0x82, false, ['heap_id', 'u32'], ['name', 'str']),
  heap_level: shape(0x83, true, ['heap_id', 'u32'], ['bytes_in_use', 'u32']),
  memory_allocated: shape(
    0x84,
    true,
    ['heap_id', 'u32'],
    ['bytes_in_use', 'u32'],
    ['bytes', 'u32'],
    ['address', 'u32'],
  ),
  memory_freed: shape(0x85, true, ['heap_id', 'u32'], ['bytes_in_use', 'u32'], ['bytes', 'u32'], ['address', 'u32']),
  stack_name: shape(0x86, false, ['stack_id', 'u32'], ['name', 'str']),
  stack_free: shape(0x87, true, ['stack_id', 'u32'], ['words', 'u32']),
  memory_refused: shape(0x88, true, ['heap_id', 'u32'], ['bytes', 'u32']),
  chunk: shape(0x89, false, ['core_id', 'u32'], ['cores', 'u32']),
  clock_hz: shape(0x8a, false, ['hz', 'u64'], ['divisor', 'u32']),
  names_missing: shape(0x8b, false, ['frames', 'u32'], ['bytes', 'u32']),
  task_declared: shape(0x8c, false, ['task_id', 'u32'], ['priority', 'u32'], ['created_ts', 'u64']),
  fault_state: shape(0x8d, true, ['xpsr', 'u32'], ['hfsr', 'u32'], ['address', 'u32']),
  fault_context: shape(0x8e, true, ['task_id', 'u32'], ['isr_id', 'u32']),
  fault: shape(0x8f, true, ['pc', 'u32'], ['lr', 'u32'], ['cfsr', 'u32']),
  build: shape(0x90, false, ['low', 'u32'], ['high', 'u32']),
  run: shape(0x91, false, ['number', 'u32']),
  task_stack_size: shape(0x92, false, ['task_id', 'u32'], ['words', 'u32']),
  waits_are_traced: shape(0xc0, false, ['untraced_kinds', 'u32']),
  task_notified: shape(0xc1, true, ['task_id', 'u32']),
  task_notified_from_isr: shape(0xc2, true, ['task_id', 'u32']),
  curtask_block_on_notification: shape(0xc3, true, ['ticks_to_wait', 'u32']),
  curtask_notification_taken: shape(0xc4, true),
  curtask_notification_missed: shape(0xc5, true),
  eventgroup_created: shape(0xc6, true, ['eventgroup_id', 'u32']),
  eventgroup_name: shape(0xc7, false, ['eventgroup_id', 'u32'], ['name', 'str']),
  eventgroup_deleted: shape(0xc8, true, ['eventgroup_id', 'u32']),
  eventgroup_set: shape(0xc9, true, ['eventgroup_id', 'u32'], ['bits', 'u32']),
  eventgroup_cleared: shape(0xca, true, ['eventgroup_id', 'u32'], ['bits', 'u32']),
  eventgroup_asked_from_isr: shape(0xcb, true, ['eventgroup_id', 'u32'], ['clear', 'u32'], ['bits', 'u32']),
  curtask_block_on_eventgroup: shape(0xcc, true, ['eventgroup_id', 'u32'], ['sync', 'u32'], ['bits', 'u32']),
  eventgroup_waited: shape(0xcd, true, ['eventgroup_id', 'u32'], ['how', 'u32'], ['bits', 'u32']),
  timer_created: shape(0xce, true, ['timer_id', 'u32'], ['period_ticks', 'u32']),
  timer_name: shape(0xcf, false, ['timer_id', 'u32'], ['name', 'str']),
  timer_deleted: shape(0xd0, true, ['timer_id', 'u32']),
  timer_started: shape(0xd1, true, ['timer_id', 'u32'], ['call', 'u32'], ['period_ticks', 'u32']),
  timer_stopped: shape(0xd2, true, ['timer_id', 'u32']),
  timer_expired: shape(0xd3, true, ['timer_id', 'u32']),
  queue_capacity: shape(0xd4, false, ['queue_id', 'u32'], ['places', 'u32']),
  queue_deleted: shape(0xd5, true, ['queue_id', 'u32']),
  queue_refused: shape(0xd6, true, ['queue_id', 'u32'], ['length', 'u32'], ['operation', 'u32']),
  queue_refused_from_isr: shape(0xd7, true, ['queue_id', 'u32'], ['length', 'u32'], ['operation', 'u32']),
  task_stack_free: shape(0xd8, true, ['task_id', 'u32'], ['words', 'u32']),
  scheduler_suspended: shape(0xd9, true),
  scheduler_resumed: shape(0xda, true),
};

/** @typedef {keyof typeof EVENTS} EventName */

/** Kinds of queues as queue_kind numbers them. */
export const QUEUE_KIND = { queue: 0, counting: 1, binary: 2, mutex: 3, recursive: 4, set: 5, stream: 6, message: 7 };

/** The number of ticks that means "wait for ever". */
export const FOREVER = 0xffffffff;

const utf8 = new TextEncoder();

/**
 * Bytes of an unsigned varint; `min_len` pads it to an overlong form.
 * @param {number | bigint} value
 * @param {number} [min_len]
 * @returns {number[]}
 */
export function varint(value, min_len = 1) {
  let rest = BigInt(value);
  if (rest < 0n) throw new RangeError(`negative varint ${value}`);
  const out = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest > 0n || out.length + 1 < min_len ? low | 0x80 : low);
  } while (rest > 0n || out.length < min_len);
  return out;
}

/**
 * Sign and magnitude: bit 0 is the sign; "negative zero" means the smallest number.
 * @param {number | bigint} value
 * @returns {number[]}
 */
export function signed_varint(value) {
  const v = BigInt(value);
  if (v === -(1n << 63n)) return [1];
  return varint(v < 0n ? (-v << 1n) | 1n : v << 1n);
}

/**
 * @param {FieldType} type
 * @param {Value} value
 * @returns {ArrayLike<number>}
 */
function field_bytes(type, value) {
  if (typeof value === 'string') return utf8.encode(value);
  if (value instanceof Uint8Array) return value; // raw: broken text and broken numbers for tests
  if (type === 'u8') return [Number(value) & 0xff];
  return type === 's64' ? signed_varint(value) : varint(value);
}

/**
 * A COBS frame with the final zero. A payload that ends with a full block gets no code after it, as targets write it.
 * @param {ArrayLike<number>} payload
 * @returns {Uint8Array}
 */
export function cobs(payload) {
  const out = new Uint8Array(payload.length + 2 + Math.floor(payload.length / 254));
  let code_at = 0;
  let len = 1;
  let code = 1;
  for (let i = 0; i < payload.length; i++) {
    if (payload[i] !== 0) {
      out[len++] = payload[i];
      code++;
    }
    if (payload[i] === 0 || (code === 0xff && i + 1 < payload.length)) {
      out[code_at] = code;
      code_at = len++;
      code = 1;
    }
  }
  out[code_at] = code;
  out[len++] = 0;
  return out.subarray(0, len);
}

/**
 * The payload of one event: id, time stamp if it has one, fields in order.
 * @param {EventName} name
 * @param {...Value} values the time stamp first (timed events), then the fields
 * @returns {number[]}
 */
export function payload(name, ...values) {
  const event = EVENTS[name];
  if (!event) throw new Error(`no event ${name}`);
  const types = event.fields.map(([, type]) => type);
  if (event.timed) types.unshift('u64');
  if (values.length !== types.length) throw new Error(`${name} takes ${types.length} values, not ${values.length}`);
  const out = [event.id];
  types.forEach((type, i) => out.push(...Array.from(field_bytes(type, values[i]))));
  return out;
}

/**
 * One event as a frame.
 * @param {EventName} name
 * @param {...Value} values as for payload()
 * @returns {Uint8Array}
 */
export function frame(name, ...values) {
  return cobs(payload(name, ...values));
}

/**
 * @param {Iterable<ArrayLike<number>>} parts
 * @returns {Uint8Array}
 */
export function concat(parts) {
  const list = Array.from(parts);
  const out = new Uint8Array(list.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of list) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
