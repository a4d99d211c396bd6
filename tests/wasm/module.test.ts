// SPDX-License-Identifier: MIT
// Calls of the WebAssembly module that fail, and their arguments.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { convert, inspect } from '../../wasm/convert.js';
import { Handle } from '../../wasm/handle.js';
import { Module } from '../../wasm/module.js';
import { ReportCore } from '../../wasm/reports.js';
import type { Source } from '../../wasm/types.js';
import { root } from '../golden/cases.mjs';

let module: WebAssembly.Module;
let recording: Uint8Array;

beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
  recording = Uint8Array.from(readFileSync(join(root, 'web', 'public', 'demos', 'freertos.bin')));
});
afterEach(() => void vi.restoreAllMocks());

const NO_MEMORY = 1;
const { call } = Module.prototype;

/** From now on this function of the core runs to its end, and then reports that the memory is exhausted. */
const exhaust = (failing: string): unknown =>
  vi.spyOn(Module.prototype, 'call').mockImplementation(function (this: Module, name, ...args) {
    const result = call.call(this, name, ...args);
    return name === failing ? NO_MEMORY : result;
  });

async function begun(): Promise<Handle> {
  const handle = await Handle.open(module);
  handle.begin();
  handle.setOption('format', 'tonbandgeraet');
  handle.addInput('recording', 'recording', null);
  return handle;
}

const source = (name = 'capture.bin', bytes = recording): Source => ({
  name,
  size: bytes.length,
  open: async function* () {
    yield bytes;
  },
});

describe('the output of a call that failed', () => {
  test('of a snapshot is not part of the trace', async () => {
    const [one, other] = [await begun(), await begun()];
    const half = recording.subarray(0, 30_000);
    for (const handle of [one, other]) expect(handle.feed(0, half)).toBe(half.length);
    expect(one.takeOutput()).toEqual(other.takeOutput());
    exhaust('tk_snapshot');
    expect(() => one.snapshot()).toThrow(expect.objectContaining({ code: 'no-memory' }));
    vi.restoreAllMocks();
    for (const handle of [one, other]) handle.finish();
    const expected = other.ending();
    expect(expected.rest.length).toBeGreaterThan(0);
    expect(one.ending()).toEqual(expected);
  });

  test('is not part of the next conversion of the handle', async () => {
    const handle = await begun();
    handle.feed(0, recording.subarray(0, 30_000));
    handle.finish();
    handle.begin();
    expect(handle.takeOutput().length).toBe(0);
    expect(handle.takeHead().length).toBe(0);
  });

  test('of a report is not part of the next text', async () => {
    const handle = await begun();
    handle.finish();
    const json = handle.reportJson(),
      core = await ReportCore.open(module),
      expected = core.write(json, 'text');
    exhaust('tk_report_write');
    expect(() => core.write(json, 'text')).toThrow(expect.objectContaining({ code: 'no-memory' }));
    vi.restoreAllMocks();
    expect(core.write(json, 'text')).toBe(expected);
  });
});

test('a trap of the core is not taken for a failure of the source', async () => {
  const [detected] = await inspect(module, [source()]);
  let isOpen = false;
  vi.spyOn(Module.prototype, 'call').mockImplementation(function (this: Module, name, ...args) {
    isOpen ||= name === 'tk_conversion_open';
    if (isOpen && name === 'tk_conversion_answer') throw new WebAssembly.RuntimeError('unreachable');
    return call.call(this, name, ...args);
  });
  const choices = [{ detected: detected!, role: 'recording' as const, core: null }];
  await expect(convert(module, [source()], choices, {})).rejects.toThrow(WebAssembly.RuntimeError);
});

describe('arguments', () => {
  test('bytes of another realm are bytes', async () => {
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...recording] }) as Uint8Array;
    expect(foreign).not.toBeInstanceOf(Uint8Array);
    const [one, other] = [await begun(), await begun()];
    expect(one.feed(0, foreign)).toBe(foreign.length);
    other.feed(0, recording);
    expect(one.takeOutput()).toEqual(other.takeOutput());
    const [detected] = await inspect(module, [source('capture.bin', foreign)]);
    expect(detected!.plan.format).toBe('tonbandgeraet');
  });

  test('an object that is no argument is refused', async () => {
    const core = await Module.open(module);
    for (const other of [{ size: 4 }, [1], new ArrayBuffer(4)])
      expect(() => core.call('tk_status_text', other as never)).toThrow(TypeError);
  });

  test('a name keeps U+FEFF at its beginning', async () => {
    const [detected] = await inspect(module, [source('\ufeffcapture.bin')]);
    expect(detected!.name).toBe('\ufeffcapture.bin');
  });
});
