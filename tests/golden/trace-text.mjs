// SPDX-License-Identifier: MIT
// A trace as text, one line per packet: a decoder that shares no code with the writer. Interned ids and tracks are replaced by their names
// (also those that packets define in the header), times are absolute ticks.

function* fields(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0n,
      shift = 0n,
      byte;
    do {
      byte = bytes[at++];
      if (byte === undefined) throw new Error('cut varint');
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte > 127);
    return BigInt.asUintN(64, value);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    if (wire === 0) yield [tag >>> 3, varint()];
    else if (wire === 1 || wire === 5) {
      const size = wire === 1 ? 8 : 4;
      yield [tag >>> 3, bytes.subarray(at, (at += size))];
    } else if (wire === 2) {
      const length = Number(varint());
      if (at + length > bytes.length) throw new Error('a field reaches beyond its message');
      yield [tag >>> 3, bytes.subarray(at, (at += length))];
    } else throw new Error(`wire type ${wire}`);
  }
}

const message = (bytes) => {
  const all = {};
  for (const [number, value] of fields(bytes)) (all[number] ??= []).push(value);
  return all;
};
const text = (bytes) => JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
const signed = (value) => BigInt.asIntN(64, value);
const one = (all, number) => all[number]?.[0];

const EVENTS = { 1: 'begin', 2: 'end', 3: 'instant', 4: 'counter' };
const STATES = { 2: 'runnable', 4: 'waiting', 5: 'waiting for a lock', 6: 'suspended', 7: 'dead' };
const LISTS = { 1: 'category', 2: 'name', 3: 'argument', 5: 'function', 29: 'text' };

/** Lists of interned data that have no text. */
const STACKS = { 6: 'frames', 7: 'callstacks', 19: 'mappings' };

/** Interned texts and track names may be defined after their use, so they are collected first. */
function collect(packets) {
  const known = {
    1: new Map(),
    2: new Map(),
    3: new Map(),
    5: new Map(),
    29: new Map(),
    tracks: new Map(),
    tasks: new Map(),
    mappings: [],
    frames: [],
    callstacks: [],
    usualTrack: undefined,
  };
  for (const packet of packets) {
    for (const [list, entries] of Object.entries(packet[12] ? message(one(packet, 12)) : {})) {
      if (list in STACKS) known[STACKS[list]].push(...entries.map(message));
      else
        for (const entry of entries.map(message)) (known[list] ??= new Map()).set(one(entry, 1), text(one(entry, 2)));
    }
    const defaults = packet[59] && message(one(packet, 59));
    if (defaults?.[11]) known.usualTrack = one(message(one(defaults, 11)), 11);
    if (defaults?.[12]) known.sampleCounter = text(one(message(one(message(one(defaults, 12)), 1)), 10));
    const track = packet[60] && message(one(packet, 60));
    if (track?.[2]) known.tracks.set(one(track, 1), text(one(track, 2)));
    if (track?.[4]) known.tracks.set(one(track, 1), `thread ${one(message(one(track, 4)), 1)}`);
    const tree = packet[122] && message(one(packet, 122));
    for (const thread of (tree?.[2] ?? []).map(message)) known.tasks.set(one(thread, 1), text(one(thread, 3)));
  }
  return known;
}

function argumentValue(arg, known) {
  if (arg[11]) return `{${arg[11].map((inner) => argument(inner, known)).join(' ')}}`;
  if (arg[12]) return `[${arg[12].map((inner) => argumentValue(message(inner), known)).join(' ')}]`;
  if (arg[17]) return known[29].get(one(arg, 17)) ?? '?';
  if (arg[6]) return text(one(arg, 6));
  if (arg[5]) return Buffer.from(one(arg, 5)).readDoubleLE();
  return arg[4] ? signed(one(arg, 4)) : one(arg, 3);
}

function argument(bytes, known) {
  const arg = message(bytes);
  return `${known[3].get(one(arg, 1)) ?? `?${one(arg, 1)}`}=${argumentValue(arg, known)}`;
}

const counterValue = (event) =>
  event[30] ? String(signed(one(event, 30))) : String(Buffer.from(one(event, 44)).readDoubleLE());

const logWords = (log, known) =>
  `log ${known[4].get(one(log, 1)) ?? '?'}: ${known[20].get(one(log, 2)) ?? '?'}, level ${one(log, 3)}`;

function eventLine(bytes, known) {
  const event = message(bytes);
  const track = one(event, 11) ?? known.usualTrack;
  const words = [EVENTS[one(event, 9)], `[${known.tracks.get(track) ?? `?${track}`}]`];
  if (event[10]) words.push(known[2].get(one(event, 10)) ?? '?');
  if (event[23]) words.push(text(one(event, 23)));
  if (event[3]) words.push(`(${known[1].get(one(event, 3)) ?? '?'})`);
  if (event[30] || event[44]) words.push(counterValue(event));
  for (const arg of event[4] ?? []) words.push(argument(arg, known));
  if (event[47]) words.push(`flow ${Buffer.from(one(event, 47)).readBigUInt64LE()}`);
  if (event[48]) words.push(`flow ends ${Buffer.from(one(event, 48)).readBigUInt64LE()}`);
  if (event[21]) words.push(logWords(message(one(event, 21)), known));
  (event[31] ?? []).forEach((extra, i) =>
    words.push(`and [${known.tracks.get(extra) ?? `?${extra}`}] ${signed(event[12][i])}`),
  );
  return words.join(' ');
}

function stateLine(bytes, known) {
  const state = message(bytes);
  return `state ${known.tasks.get(one(state, 3)) ?? '?'} (${one(state, 3)}) ${STATES[one(state, 4)]}`;
}

function packed(bytes) {
  const values = [];
  for (let at = 0, value = 0n, shift = 0n; at < bytes.length; at++) {
    value |= BigInt(bytes[at] & 127) << shift;
    shift += 7n;
    if (bytes[at] < 128) (values.push(BigInt.asUintN(64, value)), (value = 0n), (shift = 0n));
  }
  return values;
}

/** Packed fields of a group as rows; the first field contains time differences. */
function rows(all, ...numbers) {
  const lists = numbers.map((number) => packed(one(all, number) ?? new Uint8Array()));
  if (lists.some((list) => list.length !== lists[0].length)) throw new Error(`fields ${numbers} of different lengths`);
  let time = 0n;
  return lists[0].map((delta, i) => [
    (time = BigInt.asUintN(64, time + delta)),
    ...lists.slice(1).map((list) => list[i]),
  ]);
}

const LEFT = { 0: 'runnable', 1: 'waiting', 2: 'waiting for a lock', 4: 'suspended', 32: 'dead' };

/** Lines, each with its own time. */
function bundleLines(bytes, sequence, known) {
  const bundle = message(bytes);
  const compact = message(one(bundle, 4));
  const cpu = `cpu ${one(bundle, 1)}`;
  const task = (pid) => (pid === 0n ? 'no task' : `${known.tasks.get(pid) ?? '?'} (${pid})`);
  const when = (time) => `${time} ${sequence === 3n ? 'early ' : ''}`;
  return [
    ...rows(compact, 1, 2, 3, 4, 6).map(
      ([time, state, pid]) => `${when(time)}${cpu} runs ${task(pid)}, before: ${LEFT[state]}`,
    ),
    ...rows(compact, 7, 8, 9, 10, 11, 12).map(
      ([time, pid, , , , flags]) => `${when(time)}${cpu} wakes ${task(pid)}${flags ? ' in an interrupt' : ''}`,
    ),
  ];
}

/** The functions of the stack, the innermost last, and the number of the sample. */
function sampleLine(bytes, known) {
  const sample = message(bytes);
  const byId = (list, id) => known[list].find((entry) => one(entry, 1) === id) ?? {};
  const names = (byId('callstacks', one(sample, 4))[2] ?? []).map((id) => {
    const frame = byId('frames', id);
    if (!byId('mappings', one(frame, 3))[1]) throw new Error(`frame ${id} without a mapping`);
    return known[5].get(one(frame, 2)) ?? '?';
  });
  if (one(sample, 2) !== one(sample, 3)) throw new Error('a sample of another thread of the process');
  return `sample of cpu ${one(sample, 1) ?? 0} [${known.tasks.get(one(sample, 3)) ?? '?'}] ${names.join(' ')}, ${known.sampleCounter} ${one(sample, 6)}`;
}

function trackLine(bytes) {
  const track = message(bytes);
  const words = [`track ${one(track, 1)}`];
  if (track[5]) words.push(`in ${one(track, 5)}`);
  if (track[2]) words.push(text(one(track, 2)));
  if (track[3]) words.push(`process ${one(message(one(track, 3)), 1)} ${text(one(message(one(track, 3)), 6))}`);
  if (track[4]) words.push(`thread ${one(message(one(track, 4)), 1)}`);
  if (track[8]) words.push(`counter${message(one(track, 8))[6] ? ` in ${text(one(message(one(track, 8)), 6))}` : ''}`);
  if (track[12]) words.push(`rank ${one(track, 12)}`);
  return words.join(' ');
}

function clockLine(bytes) {
  const clocks = (message(bytes)[1] ?? []).map(message);
  return `clocks ${clocks.map((clock) => `${one(clock, 1)}: ${one(clock, 2)}${clock[4] ? ` x ${one(clock, 4)} ns` : ''}${clock[3] ? ' incremental' : ''}`).join(', ')}`;
}

function taskLine(bytes) {
  const tree = message(bytes);
  return (tree[2] ?? [])
    .map(message)
    .map((thread) => `task ${one(thread, 1)} ${text(one(thread, 3))}${thread[5] ? ' idle' : ''}`)
    .join(', ');
}

function line(packet, known) {
  if (packet[6]) return clockLine(one(packet, 6));
  if (packet[12] && !packet[11])
    return Object.entries(message(one(packet, 12)))
      .filter(([list]) => !(list in STACKS))
      .flatMap(([list, entries]) =>
        entries.map(message).map((entry) => `define ${LISTS[list]} ${one(entry, 1)} ${text(one(entry, 2))}`),
      )
      .join(', ');
  if (packet[60]) return trackLine(one(packet, 60));
  if (packet[11]) return eventLine(one(packet, 11), known);
  if (packet[66]) return sampleLine(one(packet, 66), known);
  if (packet[117]) return stateLine(one(packet, 117), known);
  if (packet[122]) return taskLine(one(packet, 122));
  if (packet[126])
    return `attribute ${text(one(message(one(message(one(packet, 126)), 1)), 1))} ${text(one(message(one(message(one(packet, 126)), 1)), 3))}`;
  if (packet[35]) return `lost ${one(message(one(message(one(packet, 35)), 1)), 19)}`;
  throw new Error(`packet with fields ${Object.keys(packet)}`);
}

/** Empty counters that reserve space in the viewer; every trace has the same ones. */
const FIRST_FILLER = 2147483648n,
  LAST_FILLER = FIRST_FILLER + 19n;
const isFiller = (track) => track >= FIRST_FILLER && track <= LAST_FILLER;
const fills = (packet) =>
  isFiller(one(message(one(packet, 60) ?? one(packet, 11) ?? new Uint8Array()), packet[60] ? 1 : 11) ?? 0n);

/** The values of a load (up to 250) as one line. */
function joinLoads(packets) {
  const loads = new Map();
  const joined = [];
  for (const packet of packets) {
    const track = packet[60] && message(one(packet, 60));
    if (track?.[8] && ['"%"', '"‰"', '"ppm"'].includes(text(one(message(one(track, 8)), 6) ?? new Uint8Array())))
      loads.set(one(track, 1), text(one(track, 2)));
    const event = packet[11] && message(one(packet, 11));
    const name = event && loads.get(one(event, 11));
    if (!name) joined.push(packet);
    else if (String(joined.at(-1)).startsWith(`load ${name}`))
      joined[joined.length - 1] += `, ${one(packet, 8)}: ${counterValue(event)}`;
    else joined.push(`load ${name} ${one(packet, 8)}: ${counterValue(event)}`);
  }
  return joined;
}

/** Lines of the trace. Throws when it cannot be parsed. */
export function traceText(trace) {
  const packets = [...fields(trace)].map(([number, bytes]) => {
    if (number !== 1) throw new Error(`field ${number} in the file`);
    return message(bytes);
  });
  const known = collect(packets);
  let now = 0n;
  return joinLoads(packets).flatMap((packet) => {
    if (typeof packet === 'string') return [packet];
    if (fills(packet)) return [];
    const clock = one(packet, 58) ?? 64n;
    const stamp = one(packet, 8);
    let at = '';
    if (stamp !== undefined && clock === 64n) at = `${(now += signed(stamp))} `;
    else if (stamp !== undefined) at = `${stamp} ${clock === 65n ? 'late ' : `clock ${clock} `}`;
    if (packet[1]) return bundleLines(one(packet, 1), one(packet, 10), known);
    // The time of descriptors has no meaning.
    return (packet[60] || packet[122] ? '' : at) + line(packet, known);
  });
}
