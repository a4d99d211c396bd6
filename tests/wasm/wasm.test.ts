// SPDX-License-Identifier: MIT
// The WebAssembly build gives the output of the native one, byte for byte, with bounded memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Handle } from '../../wasm/handle.js';
import { describe as catalogueOf } from '../../wasm/convert.js';
import { Module } from '../../wasm/module.js';
import type { Role } from '../../wasm/types.js';
import { anyView } from '../../web/src/io/perfetto.js';
import { WHOLE, cases, native_trace, root } from '../golden/cases.mjs';
// @ts-expect-error plain JavaScript
import { probe } from '../golden/wasm.mjs';

interface Case {
  format: string;
  name: string;
  inputs: { name: string; path: string; side: boolean; core?: string }[];
  options: string[];
}

let module: WebAssembly.Module;

beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
});

/** Feeds the inputs in slices, as the core requests them. */
async function convert(
  core: Handle,
  one: Omit<Case, 'format'>,
  slice: number,
): Promise<{ trace: Buffer; report: string }> {
  const blocks: Uint8Array[] = [];
  const files = one.inputs.map(({ path }) => ({ bytes: readFileSync(path), at: 0, ended: false }));
  core.begin();
  for (const option of one.options) {
    const equals = option.indexOf('=');
    core.setOption(option.slice(0, equals), option.slice(equals + 1));
  }
  for (const [index, { name, side, core: number }] of one.inputs.entries()) {
    const { content, from } = await probe(files[index]!.bytes);
    const role: Role = !side ? 'recording' : content === 'symbols' ? 'symbols' : 'names';
    core.addInput(name, role, number === undefined ? null : Number(number), from ?? -1);
  }
  const drain = (): void => {
    const block = core.module.take('trace');
    blocks.push(block);
  };
  for (;;) {
    const wanted = core.wanted;
    const input = wanted === -1 ? files.findIndex((file) => !file.ended) : wanted;
    if (input < 0) break;
    const file = files[input]!;
    if (file.at === file.bytes.length) {
      file.ended = true;
      core.endInput(input);
    } else {
      file.at += core.feed(input, file.bytes.subarray(file.at, file.at + slice));
    }
    drain();
  }
  core.finish();
  drain();
  const trace = Buffer.concat(blocks);
  const head = core.module.take('head');
  trace.set(head);
  return { trace, report: core.reportJson() };
}

describe('every golden case', () => {
  test.for((cases() as Case[]).map((one) => [one.name, one] as const))('%s', async ([, one]) => {
    const native = await native_trace(one, WHOLE);
    const core = await Handle.open(module);
    if (native.status !== 0) {
      await expect(convert(core, one, 4096)).rejects.toThrow();
      return;
    }
    const { trace, report } = await convert(core, one, 4096);
    expect(trace.equals(native.trace)).toBe(true);
    expect(report).toBe(native.report);
  });

  test('has a format that the module contains', async () => {
    const known = (await catalogueOf(module)).formats.map(({ name }) => name);
    expect(new Set((cases() as Case[]).map(({ format }) => format))).toEqual(new Set(known));
  });
});

test('imports nothing from its host except a notification that its memory has grown', () => {
  const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
  expect(imports.filter((name) => name !== 'env.emscripten_notify_memory_growth')).toEqual([]);
});

test('the page knows without a core which tracks a viewer expands in any trace', async () => {
  const core = await Handle.open(module);
  core.begin();
  expect((JSON.parse(core.reportJson()) as { view: unknown }).view).toEqual(anyView);
});

describe('memory', () => {
  const demo = (): Case => ({
    format: 'tonbandgeraet',
    name: 'demo',
    inputs: [{ name: 'demo', path: join(root, 'web', 'public', 'demos', 'freertos.bin'), side: false }],
    options: [],
  });

  test('does not grow with repeated conversions', async () => {
    const core = await Handle.open(module);
    const first = await convert(core, demo(), 1 << 19);
    const after = core.module.memoryBytes;
    for (let i = 0; i < 20; i++) expect((await convert(core, demo(), 1 << 19)).trace.equals(first.trace)).toBe(true);
    expect(core.module.memoryBytes).toBe(after);
  });

  test('a closed core frees its memory', async () => {
    const core = await Handle.open(module);
    expect(core.module.memoryBytes).toBeLessThanOrEqual(32 << 20);
    core.close();
  });

  test('may grow and move between two calls: no view is kept', async () => {
    const core = await Handle.open(module);
    const before = core.module.memoryBytes;
    const bytes = readFileSync(demo().inputs[0]!.path);
    core.begin();
    core.setOption('raw-events', '1');
    core.addInput('a', 'recording', null);
    let at = 0;
    const blocks: Uint8Array[] = [];
    const copies: Uint8Array[] = [];
    const drain = (): void => {
      const block = core.module.take('trace');
      blocks.push(block);
      copies.push(Uint8Array.from(block));
    };
    while (at < bytes.length) {
      at += core.feed(0, bytes.subarray(at, at + core.module.inputSize));
      drain();
    }
    core.endInput(0);
    drain();
    core.finish();
    drain();
    expect(core.module.memoryBytes).toBeGreaterThan(before);
    expect(blocks).toEqual(copies);
    const whole = Buffer.concat(blocks);
    whole.set(core.module.take('head'));
    const native = await native_trace({ ...demo(), options: ['raw-events=1'] }, WHOLE);
    expect(whole.equals(native.trace)).toBe(true);
  });
});
