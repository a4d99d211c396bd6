// SPDX-License-Identifier: MIT
// Runs the real trace_processor inside Node: starts the viewer's worker bundle in a context of its own, and talks to it
// over the byte stream it expects, TraceProcessorRpcStream.
//
//   const trace = await sharedTraceProcessor();
//   trace.load(bytes);                         // throws when the trace cannot be parsed
//   trace.query('select 1 as one');            // [{ one: 1 }]
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { traceProcessorFolder } from './fetch-trace-processor.mjs';

// ---- protobuf, the needed subset ----------------------------------------------------------------

function varint(number) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(number));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const numberField = (id, value) => Buffer.concat([varint(id << 3), varint(value)]);
const bytesField = (id, value) => Buffer.concat([varint((id << 3) | 2), varint(value.length), value]);

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get done() {
    return this.at >= this.bytes.length;
  }

  varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** [field number, BigInt or bytes] */
  field() {
    const tag = Number(this.varint());
    const id = tag >>> 3;
    switch (tag & 7) {
      case 0:
        return [id, this.varint()];
      case 1:
        return [id, this.take(8)];
      case 2:
        return [id, this.take(Number(this.varint()))];
      case 5:
        return [id, this.take(4)];
      default:
        throw new Error(`wire type ${tag & 7} in an answer of trace_processor`);
    }
  }
}

function* fields(bytes) {
  const reader = new Reader(bytes);
  while (!reader.done) yield reader.field();
}

/** Values of all fields `id` of a message. */
function all(bytes, id) {
  return [...fields(bytes)].filter(([found]) => found === id).map(([, value]) => value);
}

// ---- answers ------------------------------------------------------------------------------------

const METHOD = { append: 1, finalize: 2, query: 3, reset: 11 };
const ANSWER = { append: 201, query: 203, finalize: 212 };

/** Integers as numbers if they are exact, otherwise as BigInt. */
function exact(value) {
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

/** The cells of one CellsBatch, row by row. */
function batchCells(batch) {
  const kinds = [];
  const integers = [];
  const doubles = [];
  const blobs = all(batch, 4);
  const strings = all(batch, 5).flatMap((text) => text.toString('utf8').split('\0').slice(0, -1));
  for (const packed of all(batch, 1)) kinds.push(...packed);
  for (const packed of all(batch, 2)) {
    for (const reader = new Reader(packed); !reader.done;) integers.push(exact(reader.varint()));
  }
  for (const packed of all(batch, 3)) {
    for (let at = 0; at < packed.length; at += 8) doubles.push(packed.readDoubleLE(at));
  }
  const next = { integers: 0, doubles: 0, strings: 0, blobs: 0 };
  return kinds.map((kind) => {
    switch (kind) {
      case 1:
        return null;
      case 2:
        return integers[next.integers++];
      case 3:
        return doubles[next.doubles++];
      case 4:
        return strings[next.strings++];
      case 5:
        return blobs[next.blobs++];
      default:
        throw new Error(`cell of unknown kind ${kind}`);
    }
  });
}

function rows(results) {
  const columns = results.flatMap((result) => all(result, 1)).map(String);
  const cells = results.flatMap((result) => all(result, 3)).flatMap(batchCells);
  const out = [];
  for (let at = 0; columns.length > 0 && at < cells.length; at += columns.length) {
    out.push(Object.fromEntries(columns.map((name, index) => [name, cells[at + index]])));
  }
  return out;
}

// ---- the engine ---------------------------------------------------------------------------------

/** The global scope of the worker bundle. It loads its module with a synchronous request. `seen` gets the memory of the module. */
function workerScope(folder, seen) {
  const module = fs.readFileSync(path.join(folder, 'trace_processor.wasm'));
  const copy = module.buffer.slice(module.byteOffset, module.byteOffset + module.length);
  const wasm = Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, WebAssembly[name]]));
  wasm.Module = function (bytes) {
    // the bundle asks with a tiny module (section 5, flag 4) whether 64-bit memory is supported; "no" selects our module
    if (bytes[8] === 5 && bytes[11] === 4) throw new Error('no 64-bit memory');
    return new WebAssembly.Module(bytes);
  };
  wasm.Instance = function (...args) {
    const instance = new WebAssembly.Instance(...args);
    seen.memory ??= Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return instance;
  };
  return {
    self: { location: { href: 'file:///worker' } },
    WebAssembly: wasm,
    WorkerGlobalScope: function () {},
    XMLHttpRequest: class {
      open() {}
      send() {
        this.status = 200;
        this.response = copy;
      }
    },
    console: { log() {}, warn() {}, error: console.error },
    ...{ TypeError, Uint8Array, ArrayBuffer, TextDecoder, TextEncoder, performance, crypto, setTimeout, URL },
  };
}

/** Our end of the message port: collects the stream and splits it into messages. */
class Port {
  received = [];
  tail = Buffer.alloc(0);

  postMessage(bytes) {
    this.tail = Buffer.concat([this.tail, bytes]);
    for (;;) {
      const end = this.tail.findIndex((byte, index) => index > 0 && byte < 128);
      if (end < 0) return;
      const reader = new Reader(this.tail);
      reader.at = 1;
      const length = Number(reader.varint());
      if (reader.at + length > this.tail.length) return;
      this.received.push(reader.take(length));
      this.tail = this.tail.subarray(reader.at);
    }
  }
}

const PIECE = 1 << 25; // a message may have 64 MiB

class TraceProcessor {
  #port;
  #memory;
  #sequence = 0;
  #empty; // the state of an engine without a trace

  constructor(port, memory) {
    this.#port = port;
    this.#memory = memory;
  }

  /** Replies arrive before the call returns. */
  #call(method, argument = Buffer.alloc(0)) {
    this.#port.received = [];
    const message = Buffer.concat([numberField(1, this.#sequence++), numberField(2, method), argument]);
    this.#port.onmessage({ data: new Uint8Array(bytesField(1, message)) });
    for (const reply of this.#port.received) {
      for (const text of all(reply, 5)) throw new Error(`trace_processor died: ${text}`);
    }
    return this.#port.received;
  }

  /** Payloads of one kind of reply; throws the error in their `errorField`. */
  #answers(replies, answer, errorField) {
    const found = replies.flatMap((reply) => all(reply, answer));
    for (const payload of found) {
      for (const text of all(payload, errorField)) if (text.length > 0) throw new Error(String(text));
    }
    return found;
  }

  append(bytes) {
    for (let at = 0; at < bytes.length; at += PIECE) {
      this.#answers(this.#call(METHOD.append, bytesField(101, bytes.subarray(at, at + PIECE))), ANSWER.append, 2);
    }
  }

  finish() {
    this.#answers(this.#call(METHOD.finalize), ANSWER.finalize, 1);
  }

  /**
   * Removes the trace. The engine takes much longer to reset than to read a short trace, because it creates its tables with SQL;
   * so it does that once, and from then on its memory is restored.
   */
  #reset() {
    if (this.#empty) {
      const memory = new Uint8Array(this.#memory.buffer);
      memory.set(this.#empty.bytes);
      memory.fill(0, this.#empty.bytes.length);
      this.#sequence = this.#empty.sequence;
      return;
    }
    this.#call(METHOD.reset, bytesField(107, Buffer.alloc(0)));
    this.#empty = { bytes: new Uint8Array(this.#memory.buffer).slice(), sequence: this.#sequence };
  }

  /** Replaces the loaded trace. */
  load(trace) {
    this.#reset();
    this.append(Buffer.from(trace.buffer ?? trace, trace.byteOffset ?? 0, trace.byteLength));
    this.finish();
  }

  /** The reply to QueryArgs as it arrives: parts of one QueryResult, one of which may contain an error. */
  answer(args) {
    return this.#call(METHOD.query, bytesField(103, args)).flatMap((reply) => all(reply, ANSWER.query));
  }

  /** Rows of the last statement. Integers are numbers if exact, otherwise BigInt. */
  query(sql) {
    const argument = bytesField(103, bytesField(1, Buffer.from(sql)));
    return rows(this.#answers(this.#call(METHOD.query, argument), ANSWER.query, 2));
  }
}

/** adapt: changes the code around the engine. */
export async function openTraceProcessor(adapt = (code) => code) {
  const folder = traceProcessorFolder();
  const seen = {};
  const scope = workerScope(folder, seen);
  vm.runInContext(adapt(fs.readFileSync(path.join(folder, 'engine_bundle.node.js'), 'utf8')), vm.createContext(scope));
  const port = new Port();
  scope.self.onmessage({ data: port });
  await new Promise(setImmediate); // the module is compiled synchronously; the rest of its start are resolved promises
  return new TraceProcessor(port, seen.memory);
}

/** The engine that the tests of one process share, and the `LoadedTrace` whose trace it contains. */
const shared = { opening: null, engine: null, loaded: null };

/** A trace in the shared engine. The engine loads it again if it meanwhile contained another one. */
class LoadedTrace {
  #trace;

  load(trace) {
    this.#trace = trace;
    shared.loaded = null;
    shared.engine.load(trace);
    shared.loaded = this;
  }

  query(sql) {
    if (shared.loaded !== this) this.load(this.#trace);
    return shared.engine.query(sql);
  }
}

/** Opening an engine takes seconds, and each has hundreds of megabytes, which slow down the start of every other program. */
export async function sharedTraceProcessor() {
  shared.opening ??= openTraceProcessor();
  shared.engine = await shared.opening;
  return new LoadedTrace();
}
