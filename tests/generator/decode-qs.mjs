// SPDX-License-Identifier: MIT
//
// A slow, simple decoder of QS for tests, written from the format's description. It shares no code with the encoder.

// number name fields; t = time stamp, o f s e q p c = of the target's widths, 1 2 4 = so many bytes, $ = text
const TABLE = `
0 empty|1 entry of|2 exit of|3 init off|4 init_tran tof|5 internal tsof|6 tran tsoff|7 ignored tsof|8 dispatch tsof|9 unhandled sof
10 defer toos11|11 recall toos11|12 subscribe tso|13 unsubscribe tso|14 post toso11qq|15 post_lifo tso11qq|16 get tso11q|17 get_last tso11
18 recall_attempt too|19 eq_post tso11qq|20 eq_post_lifo tso11qq|21 eq_get tso11q|22 eq_get_last tso11|23 new_attempt tes|24 pool_get topp
25 pool_put top|26 publish tos11|27 new_ref ts11|28 new tes|29 gc_attempt ts11|30 gc ts11|31 tick c1|32 arm toocc1|33 auto_disarm oo1
34 disarm_attempt too1|35 disarm toocc1|36 rearm toocc11|37 te_post toso1|38 delete_ref ts11|39 crit_in t1|40 crit_out t1|41 isr_in t11
42 isr_out t11|45 post_attempt toso11qq|46 eq_post_attempt tso11qq|47 pool_get_attempt topp|48 preempt t11|49 restore t11|50 lock t11
51 unlock t11|52 next t11|53 idle t1|54 enum_dict 11$|55 history off|56 tran_ep off|57 tran_xp off|58 paused|59 probe tf4|60 sig_dict so$
61 obj_dict o$|62 fun_dict f$|63 usr_dict 1$|65 done t1|66 rx 1|69 assert t2$|70 run|71 sem_take to11|72 sem_block to11|73 sem_signal to11
74 sem_block_attempt to11|75 mtx_lock to11|76 mtx_block to11|77 mtx_unlock to11|78 mtx_lock_attempt to11|79 mtx_block_attempt to11
80 mtx_unlock_attempt to11|81 defer_attempt toos11`;

/** @type {Map<number, { name: string, fields: string }>} */
const SHAPES = new Map(
  TABLE.trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [number, name, fields = ''] = entry.split(' ');
      return [Number(number), { name, fields }];
    }),
);

// Elements of application records by type
const ELEMENTS = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'r4', 'r8', '$', 'm', 'so', 'o', 'f', 'i8', 'u8', 'u4'];

/** @typedef {number | bigint | string} Arg */
/** @typedef {{ name: string, number: number, sequence: number, ts: bigint | null, args: Arg[], offset: number }} QsRecord */
/** @typedef {Record<string, number>} Widths */

/** @param {Uint8Array} bytes @param {Widths} widths */
function reader(bytes, widths) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (/** @type {number} */ len) => {
    if (at + len > bytes.length) throw new Error('short');
    at += len;
    return at - len;
  };
  const number = (/** @type {number} */ len) =>
    bytes.subarray(take(len), at).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return {
    /** @param {string} letter @returns {bigint | string} */
    field(letter) {
      if (letter !== '$') return number(widths[letter] ?? Number(letter));
      const end = bytes.indexOf(0, at);
      if (end < 0) throw new Error('text without end');
      const text = new TextDecoder().decode(bytes.subarray(at, end));
      at = end + 1;
      return text;
    },
    /** @returns {Arg[]} */
    element() {
      const format = bytes[take(1)];
      const kind = ELEMENTS[format & 15];
      if (format >= 0x80 && (format & 15) === 0) return [`enum ${(format >> 4) & 7}/${number(1)}`];
      if (kind === '$') return [this.field('$')];
      if (kind === 'm') return [Buffer.from(bytes.subarray(take(bytes[take(1)]), at)).toString('hex')];
      if (kind === 'r4') return [view.getFloat32(take(4), true)];
      if (kind === 'r8') return [view.getFloat64(take(8), true)];
      if (/^[iu]/.test(kind))
        return [
          kind[0] === 'i' ? BigInt.asIntN(8 * Number(kind[1]), number(Number(kind[1]))) : number(Number(kind[1])),
        ];
      return [...kind].map((letter) => this.field(letter));
    },
    rest: () => bytes.subarray(at),
    done: () => at === bytes.length,
  };
}

/** @param {Uint8Array} payload @returns {Widths} */
function widths_of(payload) {
  const b = payload.subarray(payload.length - 13);
  return {
    s: b[0] & 15,
    e: b[0] >> 4,
    q: b[1] & 15,
    c: b[1] >> 4,
    p: b[2] >> 4,
    o: b[3] & 15,
    f: b[3] >> 4,
    t: b[4] & 15,
  };
}

/** @param {Uint8Array} piece without the flag @returns {Uint8Array} */
function unescape(piece) {
  const out = [];
  for (let i = 0; i < piece.length; i++) out.push(piece[i] === 0x7d ? piece[++i] ^ 0x20 : piece[i]);
  return Uint8Array.from(out);
}

/** @param {Uint8Array} body @param {number} offset @param {Widths} widths @returns {QsRecord} */
function record_of(body, offset, widths) {
  const [sequence, number] = body;
  const read = reader(body.subarray(2, -1), widths);
  const shape = number >= 100 ? { name: `user ${number}`, fields: 't' } : SHAPES.get(number);
  if (number === 64)
    return { name: 'info', number, sequence, ts: null, args: [Buffer.from(read.rest()).toString('hex')], offset };
  if (number === 67 || number === 68)
    return {
      name: number === 67 ? 'query' : 'peek',
      number,
      sequence,
      ts: /** @type {bigint} */ (read.field('t')),
      args: [Buffer.from(read.rest()).toString('hex')],
      offset,
    };
  if (!shape) throw new Error(`record ${number}`);
  /** @type {Arg[]} */
  const args = [...shape.fields].map((letter) => read.field(letter));
  while (number >= 100 && !read.done()) args.push(...read.element());
  if (!read.done()) throw new Error('loose bytes');
  const timed = shape.fields.startsWith('t');
  return {
    name: shape.name,
    number,
    sequence,
    ts: timed ? /** @type {bigint} */ (args[0]) : null,
    args: timed ? args.slice(1) : args,
    offset,
  };
}

/**
 * @param {Uint8Array} bytes
 * @param {Widths} [given] widths where the target does not tell them
 * @returns {{ records: QsRecord[], bad: { offset: number, reason: string }[], gaps: number, tail: number }}
 */
export function decode_qs(bytes, given = { t: 4, o: 4, f: 4, s: 2, e: 2, q: 1, p: 2, c: 4 }) {
  /** @type {QsRecord[]} */
  const records = [];
  const bad = [];
  let widths = given;
  let start = 0;
  let gaps = 0;
  for (let end = bytes.indexOf(0x7e); end >= 0; start = end + 1, end = bytes.indexOf(0x7e, start)) {
    const body = unescape(bytes.subarray(start, end));
    try {
      if (body.length < 3 || (body.reduce((sum, byte) => sum + byte, 0) & 0xff) !== 0xff) throw new Error('sum');
      const record = record_of(body, start, widths);
      const last = records.at(-1);
      if (last && record.number !== 0 && record.sequence !== ((last.sequence + 1) & 0xff)) gaps++;
      if (record.number === 64) widths = widths_of(body.subarray(2, -1));
      records.push(record);
    } catch (error) {
      bad.push({ offset: start, reason: String(error) });
    }
  }
  return { records, bad, gaps, tail: bytes.length - start };
}
