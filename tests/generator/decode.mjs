// SPDX-License-Identifier: MIT
//
// A slow, simple decoder for tests, written from the format page. It shares no code with the generator's encoder.

// id: name and fields; t = time stamp, u = u32, b = u8, q = u64, s = s64, $ = string
const TABLE = `
00 core_id tu|01 dropped_evt_cnt tu|02 ts_resolution_ns q|03 isr_name u$|04 isr_enter tu|05 isr_exit tu|06 evtmarker_name u$
07 evtmarker tu$|08 evtmarker_begin tu$|09 evtmarker_end tu|0A valmarker_name u$|0B valmarker tus
54 task_switched_in tu|55 task_to_rdy_state tu|56 task_resumed tu|57 task_resumed_from_isr tu|58 task_suspended tu|59 curtask_delay tu
5A curtask_delay_until tu|5B task_priority_set tuu|5C task_priority_inherit tuu|5D task_priority_disinherit tuu|5E task_created tu
5F task_name u$|60 task_is_idle_task uu|61 task_is_timer_task u|62 task_deleted tu|63 queue_created tu|64 queue_name u$|65 queue_kind ub
66 queue_send tuu|67 queue_send_from_isr tuu|68 queue_overwrite tuu|69 queue_overwrite_from_isr tuu|6A queue_receive tuu
6B queue_receive_from_isr tuu|6C queue_reset tu|6D curtask_block_on_queue_peek tuu|6E curtask_block_on_queue_send tuu
6F curtask_block_on_queue_receive tuu|70 queue_cur_length tuu|7A task_evtmarker_name uu$|7B task_evtmarker tu$|7C task_evtmarker_begin tu$
7D task_evtmarker_end tu|7E task_valmarker_name uu$|7F task_valmarker tus
80 clock_sync tuq|81 clock_rate uu|82 heap_name u$|83 heap_level tuu|84 memory_allocated tuuuu|85 memory_freed tuuuu|86 stack_name u$
87 stack_free tuu|88 memory_refused tuu|89 chunk uu|8A clock_hz qu|8B names_missing uu|8C task_declared uuq|8D fault_state tuuu|8E fault_context tuu|8F fault tuuu|90 build uu|91 run u|92 task_stack_size uu
C0 waits_are_traced u|C1 task_notified tu|C2 task_notified_from_isr tu
C3 curtask_block_on_notification tu|C4 curtask_notification_taken t|C5 curtask_notification_missed t|C6 eventgroup_created tu|C7 eventgroup_name u$
C8 eventgroup_deleted tu|C9 eventgroup_set tuu|CA eventgroup_cleared tuu|CB eventgroup_asked_from_isr tuuu|CC curtask_block_on_eventgroup tuuu
CD eventgroup_waited tuuu|CE timer_created tuu|CF timer_name u$|D0 timer_deleted tu|D1 timer_started tuuu|D2 timer_stopped tu|D3 timer_expired tu
D4 queue_capacity uu|D5 queue_deleted tu|D6 queue_refused tuuu|D7 queue_refused_from_isr tuuu|D8 task_stack_free tuu|D9 scheduler_suspended t|DA scheduler_resumed t`;

/** @type {Map<number, { name: string, fields: string }>} */
const SHAPES = new Map(
  TABLE.trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [id, name, fields] = entry.split(' ');
      return [parseInt(id, 16), { name, fields }];
    }),
);

/** @typedef {{ name: string, ts: bigint | null, args: (bigint | string)[], offset: number }} Event */

/** @param {Uint8Array} piece without the delimiter @returns {number[] | null} */
export function uncobs(piece) {
  const out = [];
  for (let at = 0; at < piece.length;) {
    const code = piece[at];
    if (code === 0 || at + code > piece.length) return null;
    for (let i = 1; i < code; i++) out.push(piece[at + i]);
    at += code;
    if (code < 0xff && at < piece.length) out.push(0);
  }
  return out;
}

/** @param {number[]} bytes */
function reader(bytes) {
  let at = 1;
  return {
    /** @param {number} max_len */
    varint(max_len) {
      let value = 0n;
      for (let i = 0; i < max_len; i++) {
        if (at >= bytes.length) throw new Error('short');
        const byte = bytes[at++];
        value |= BigInt(byte & 0x7f) << BigInt(7 * i);
        if (byte < 0x80) return value;
      }
      throw new Error('long varint');
    },
    byte() {
      if (at >= bytes.length) throw new Error('short');
      return BigInt(bytes[at++]);
    },
    text() {
      const rest = Uint8Array.from(bytes.slice(at));
      at = bytes.length;
      return new TextDecoder().decode(rest);
    },
    done: () => at === bytes.length,
  };
}

/** @param {bigint} raw */
function signed(raw) {
  if (raw === 1n) return -(1n << 63n);
  return raw & 1n ? -(raw >> 1n) : raw >> 1n;
}

/** @param {number[]} payload @param {number} offset @returns {Event} */
function event_of(payload, offset) {
  const shape = SHAPES.get(payload[0]);
  if (!shape) throw new Error(`id ${payload[0]}`);
  const read = reader(payload);
  const values = [...shape.fields].map((type) => {
    if (type === '$') return read.text();
    if (type === 'b') return read.byte();
    if (type === 's') return signed(read.varint(10));
    return read.varint(type === 'u' ? 5 : 10);
  });
  if (!read.done()) throw new Error('loose bytes');
  const timed = shape.fields[0] === 't';
  return {
    name: shape.name,
    ts: timed ? /** @type {bigint} */ (values[0]) : null,
    args: timed ? values.slice(1) : values,
    offset,
  };
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ events: Event[], bad: { offset: number, reason: string }[], tail: number }}
 */
export function decode(bytes) {
  const events = [];
  const bad = [];
  let start = 0;
  for (let end = bytes.indexOf(0, start); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) {
    const payload = uncobs(bytes.subarray(start, end));
    try {
      if (!payload || payload.length === 0) throw new Error('framing');
      events.push(event_of(payload, start));
    } catch (error) {
      bad.push({ offset: start, reason: String(error) });
    }
  }
  return { events, bad, tail: bytes.length - start };
}
