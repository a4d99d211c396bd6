// SPDX-License-Identifier: MIT
// A Perfetto trace as a simple converter writes it, for comparison with ours: from the same track calls (lines of
// `dump --stage tracks --json`), one packet for each with everything in it: absolute nanoseconds, names and arguments
// written out, 64-bit track ids. The states of a task are slices on its track, and while it runs there is one on the core's.
//
//   tool_feed --dump tracks --json FILE | node tests/tools/naive.mjs OUTPUT      prints { packets, bytes, scheduling }
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BEGIN = 1,
  END = 2,
  INSTANT = 3,
  COUNTER = 4;
const ID_BASE = 0x5eed_0000_0000_0000n; // like a random number or a hash: nine or ten bytes as a varint
const STATE_TRACK = 0x1000_0000n,
  CORE_TRACK = 0x2000_0000n; // plus pid, plus core

// ---- protobuf, fields in the order in which they are written ------------------------------------------------------

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return bytes;
}

const concat = (parts) => Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))));
const number = (field, value) => concat([varint(field << 3), varint(value)]);
const bytes = (field, content) => concat([varint((field << 3) | 2), varint(content.length), content]);
const text = (field, content) => bytes(field, Buffer.from(content));

function fixed64(field, value) {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(BigInt(value));
  return concat([varint((field << 3) | 1), content]);
}

function double(field, value) {
  const content = Buffer.alloc(8);
  content.writeDoubleLE(Number(value));
  return concat([varint((field << 3) | 1), content]);
}

// ---- the trace ------------------------------------------------------------------------------------------------------

class Naive {
  packets = 0;
  bytes = 0;
  scheduling = 0; // slices of states or runs
  #fd;
  #tickNs;
  #pending = [];
  #pendingLen = 0;
  #texts = { name: new Map(), text: new Map(), argument: new Map(), category: new Map() };
  #names = new Map(); // pid -> name
  #states = new Map(); // pid -> the open state: { state, core }

  constructor(fd, tickNs) {
    this.#fd = fd;
    this.#tickNs = tickNs;
  }

  #packet(...fields) {
    const whole = bytes(1, concat(fields));
    this.packets++;
    this.#pending.push(whole);
    this.#pendingLen += whole.length;
    if (this.#pendingLen > 1 << 20) this.flush();
  }

  flush() {
    const all = Buffer.concat(this.#pending);
    for (let at = 0; at < all.length;) at += writeSync(this.#fd, all, at);
    this.bytes += all.length;
    this.#pending = [];
    this.#pendingLen = 0;
  }

  #event({ ticks, when }, type, track, fields) {
    const ns = Number(ticks) * this.#tickNs - (when === 'early' ? 1 : 0);
    this.#packet(
      number(8, ns),
      number(10, 1),
      bytes(11, concat([number(9, type), number(11, ID_BASE + track), ...fields])),
    );
  }

  #arguments(call) {
    return (call.args ?? []).map((arg) => {
      const name = this.#texts.argument.get(arg.name) ?? String(arg.name);
      const words =
        arg.string ?? (arg.text === undefined ? undefined : (this.#texts.text.get(arg.text) ?? String(arg.text))); // a text that is defined later is written as its number
      const content =
        words !== undefined
          ? text(6, words)
          : number(4, arg.uint ?? arg.int ?? arg.group ?? arg.list ?? Math.trunc(arg.double));
      return bytes(4, concat([text(10, name), content]));
    });
  }

  #trackEvent(call, type) {
    const fields = [];
    const name = typeof call.name === 'number' ? this.#texts.name.get(call.name) : call.name;
    if (name) fields.push(text(23, name));
    if (call.category) fields.push(text(22, this.#texts.category.get(call.category)));
    if (type === COUNTER) fields.push(call.double === undefined ? number(30, call.value) : double(44, call.double));
    if (call.flow) fields.push(fixed64(47, call.flow));
    if (call.flow_end) fields.push(fixed64(48, call.flow_end));
    this.#event(call, type, BigInt(call.track), [...fields, ...this.#arguments(call)]);
  }

  #track({ track, parent, kind, name, pid }) {
    const fields = [number(1, ID_BASE + BigInt(track)), text(2, name)];
    if (parent) fields.push(number(5, ID_BASE + BigInt(parent)));
    if (kind === 'counter') fields.push(bytes(8, concat([number(3, 1)])));
    if (kind === 'thread') fields.push(bytes(4, concat([number(1, pid), number(2, pid), text(5, name)])));
    this.#packet(bytes(60, concat(fields)));
  }

  #task({ pid, name }) {
    this.#names.set(pid, name);
    this.#packet(bytes(60, concat([number(1, ID_BASE + STATE_TRACK + BigInt(pid)), text(2, name)])));
  }

  #state(call) {
    const { pid, state, core } = call;
    const track = STATE_TRACK + BigInt(pid);
    const before = this.#states.get(pid);
    if (before) this.#event(call, END, track, []);
    if (before?.state === 'running') this.#event(call, END, CORE_TRACK + BigInt(before.core), []);
    this.scheduling += state === 'running' ? 2 : 1;
    this.#event(call, BEGIN, track, [text(23, state)]);
    if (state === 'running')
      this.#event(call, BEGIN, CORE_TRACK + BigInt(core), [text(23, this.#names.get(pid) ?? String(pid))]);
    this.#states.set(pid, { state, core });
  }

  take(call) {
    switch (call.call) {
      case 'define':
        this.#texts[call.list].set(call.id, call.text);
        return;
      case 'track':
        return this.#track(call);
      case 'task':
        return this.#task(call);
      case 'state':
        return this.#state(call);
      case 'begin':
        return this.#trackEvent(call, BEGIN);
      case 'end':
        return this.#trackEvent(call, END);
      case 'instant':
        return this.#trackEvent(call, INSTANT);
      case 'counter':
        return this.#trackEvent(call, COUNTER);
    }
  }
}

/** Writes the trace of the lines to a file. { packets, bytes, scheduling } */
export async function writeNaive(lines, path, tickNs) {
  const fd = openSync(path, 'w');
  const naive = new Naive(fd, tickNs);
  try {
    for await (const line of lines) naive.take(JSON.parse(line));
    naive.flush();
  } finally {
    closeSync(fd);
  }
  return { packets: naive.packets, bytes: naive.bytes, scheduling: naive.scheduling };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [output, tickNs = '100'] = process.argv.slice(2);
  console.log(JSON.stringify(await writeNaive(createInterface({ input: process.stdin }), output, Number(tickNs))));
}
