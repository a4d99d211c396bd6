// SPDX-License-Identifier: MIT
// Converts a recording while it arrives, with a handle of the core (`tk`).
import { Module, Out, struct } from './module.js';
import type { Argument } from './module.js';
import { ROLES } from './inputs.js';
import { HANDLE_INPUT, PROGRESS, structSize } from './structs.js';
import type { Values } from './structs.js';
import type { Role } from './types.js';

/** Returns the counts of a handle (struct tk_progress). */
export function progressOf(module: Module, handle: number): Values<typeof PROGRESS> {
  const room = new Out(structSize(PROGRESS));
  module.call('tk_get_progress', handle, room);
  return module.read(PROGRESS, room.address);
}

export class Handle {
  #handle = 0;

  constructor(readonly module: Module) {}

  static async open(module: WebAssembly.Module | BufferSource): Promise<Handle> {
    return new Handle(await Module.open(module));
  }

  /** Makes a new handle; frees the previous one. */
  begin(): void {
    this.close();
    this.module.dropOutput();
    const handle = new Out();
    this.module.check(this.module.call('tk_new', this.module.allocator, handle));
    this.#handle = this.module.number(handle.address);
    this.#check('tk_set_sink', this.module.sink);
  }

  close(): void {
    this.module.call('tk_free', this.#handle);
    this.#handle = 0;
  }

  setOption(key: string, value: string): void {
    this.#check('tk_set_option', key, value);
  }

  /** Adds an input. from: offset of the recording in a memory dump; -1: the input is no dump. */
  addInput(name: string, role: Role, core: number | null, from = -1): void {
    const number = new Out(),
      info = struct(HANDLE_INPUT, { name, role: ROLES.indexOf(role), core: core ?? -1 });
    this.#check('tk_add_input', info, number);
    if (from >= 0) this.#check('tk_begin_input_at', this.module.number(number.address), BigInt(from));
  }

  /** Number of the input to feed next; -1: any. */
  get wanted(): number {
    return this.module.call('tk_wanted_input', this.#handle);
  }

  /** Feeds at most `module.inputSize` bytes. Returns how many the handle consumed. */
  feed(input: number, bytes: Uint8Array): number {
    const consumed = new Out();
    this.#check('tk_feed', input, bytes, bytes.length, consumed);
    return this.module.number(consumed.address);
  }

  endInput(input: number): void {
    this.#check('tk_end_input', input);
  }

  finish(): void {
    this.#check('tk_finish');
  }

  /** True: the trace contains its whole time range; further input changes only the report. */
  get isComplete(): boolean {
    return progressOf(this.module, this.#handle).isComplete;
  }

  reportJson(): string {
    return this.module.written('tk_report_json', this.#handle);
  }

  takeOutput(): Uint8Array<ArrayBuffer> {
    return this.module.takeOutput();
  }

  takeHead(): Uint8Array<ArrayBuffer> {
    return this.module.takeHead();
  }

  /** Returns the last bytes of the trace, and the bytes that replace its beginning. Call it after `finish`. */
  ending(): { rest: Uint8Array<ArrayBuffer>; head: Uint8Array<ArrayBuffer> } {
    return { rest: this.takeOutput(), head: this.takeHead() };
  }

  /** Returns the bytes that complete a trace of the input so far, and the bytes that replace its beginning. The handle does not change. */
  snapshot(): { rest: Uint8Array<ArrayBuffer>; head: Uint8Array<ArrayBuffer> } {
    try {
      this.#check('tk_snapshot', this.module.sink);
      return this.ending();
    } finally {
      this.module.dropOutput();
    }
  }

  /** Returns the state of the handle. Call it between two calls of `feed`. */
  save(): Uint8Array<ArrayBuffer> {
    return this.module.save(this.#handle, this.#handle);
  }

  /** Restores a state. Call it instead of `begin`, in a new instance of the module that saved the state. */
  restore(state: Uint8Array): void {
    this.#handle = this.module.restore(state);
  }

  /** Calls a function of the handle that returns a tk_status. Throws if it fails. */
  #check(name: string, ...args: Argument[]): void {
    const reason = (): string => this.module.textAt(this.module.call('tk_error_text', this.#handle));
    this.module.check(this.module.call(name, this.#handle, ...args), reason);
  }
}
