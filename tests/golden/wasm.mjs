// SPDX-License-Identifier: MIT
// A golden case through the WebAssembly build, which can be saved between two calls and restored into another instance.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from '../../wasm/convert.ts';
import { Handle } from '../../wasm/handle.ts';
import { root } from './cases.mjs';

let compiled;
const moduleOf = () => (compiled ??= WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm'))));
const open = async () => Handle.open(await moduleOf());

/** What the first bytes of a binary input contain. @param {Uint8Array} bytes */
export async function probe(bytes) {
  const source = { name: 'input', size: bytes.length, open: () => new Blob([bytes]).stream() };
  const [found] = await inspect(await moduleOf(), [source], ['binary']);
  return found.probe;
}

/** Roles of side inputs, by their content; the others are names. */
const ROLES = { symbols: 'symbols', times: 'times' };

/** The inputs of a case, and the facts that a host knows before it converts. */
async function filesOf(one) {
  const files = [];
  for (const { name, path, side, core } of one.inputs) {
    const bytes = readFileSync(path);
    const { content, from } = await probe(bytes);
    const role = side ? (ROLES[content] ?? 'names') : 'recording';
    files.push({ name: name ?? '', bytes, role, core: core == null ? null : Number(core), from: from ?? -1 });
  }
  return files;
}

/** A conversion between two calls. */
export class WasmRun {
  #handle;
  #files;
  #wanted = 0;
  /** consumed bytes of each input, and whether it has ended */
  #at;
  #ended;
  #blocks = [];

  static async begin(one, options = []) {
    const run = new WasmRun();
    run.#files = await filesOf(one);
    run.#at = run.#files.map(() => 0);
    run.#ended = run.#files.map(() => false);
    run.#handle = await open();
    run.#handle.begin();
    run.setOptions([...one.options, ...options]);
    for (const { name, role, core, from } of run.#files) run.#handle.addInput(name, role, core, from);
    run.#wanted = run.#handle.wanted;
    return run;
  }

  setOptions(options) {
    for (const option of options) {
      const equals = option.indexOf('=');
      this.#handle.setOption(option.slice(0, equals), option.slice(equals + 1));
    }
  }

  get isComplete() {
    return this.#handle.isComplete;
  }

  /** consumed bytes of all inputs */
  get bytesRead() {
    return this.#at.reduce((sum, at) => sum + at, 0);
  }

  /** Feeds the next chunk, or ends an input. Returns false when all have ended. */
  step(chunk) {
    const input = this.#wanted === -1 ? this.#ended.indexOf(false) : this.#wanted;
    if (input < 0) return false;
    const { bytes } = this.#files[input];
    if (this.#at[input] === bytes.length) {
      this.#ended[input] = true;
      this.#handle.endInput(input);
    } else {
      this.#at[input] += this.#handle.feed(input, bytes.subarray(this.#at[input], this.#at[input] + chunk));
    }
    this.#wanted = this.#handle.wanted;
    this.#drain();
    return true;
  }

  #drain() {
    this.#blocks.push(this.#handle.takeOutput());
  }

  /** The state from which `resume` continues, any number of times. */
  save() {
    return {
      state: this.#handle.save(),
      files: this.#files,
      wanted: this.#wanted,
      at: [...this.#at],
      ended: [...this.#ended],
      blocks: [...this.#blocks],
    };
  }

  static async resume({ state, files, wanted, at, ended, blocks }) {
    const run = new WasmRun();
    run.#handle = await open();
    run.#handle.restore(state);
    run.#files = files;
    run.#wanted = wanted;
    run.#at = [...at];
    run.#ended = [...ended];
    run.#blocks = [...blocks];
    return run;
  }

  /** The trace of the input so far. */
  snapshot() {
    const { rest, head } = this.#handle.snapshot();
    return this.#joined([...this.#blocks, rest], head);
  }

  finish() {
    this.#handle.finish();
    this.#drain();
    return { trace: this.#joined(this.#blocks, this.#handle.takeHead()), report: this.#handle.reportJson() };
  }

  close() {
    this.#handle.close();
  }

  #joined(blocks, head) {
    const trace = Buffer.concat(blocks);
    trace.set(head);
    return trace;
  }
}
