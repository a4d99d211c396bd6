// SPDX-License-Identifier: MIT
// The layouts of wasm/structs.ts equal the structs of tonkopf.h and wasm/module.h on wasm32, field by field.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript
import { clang } from '../../scripts/lib.mjs';
import * as layouts from '../../wasm/structs.js';
import type { Layout } from '../../wasm/structs.js';
import { root } from '../golden/cases.mjs';

const STRUCTS: Record<string, Layout> = {
  tk_option_info: layouts.OPTION,
  tk_format_info: layouts.FORMAT,
  tk_probe: layouts.PROBE,
  tk_plan_input: layouts.PLAN,
  tk_conversion_input: layouts.INPUT,
  tk_source_info: layouts.SOURCE,
  tk_request: layouts.REQUEST,
  tk_input_info: layouts.HANDLE_INPUT,
  tk_progress: layouts.PROGRESS,
  tkw_module: layouts.MODULE,
  tkw_output: layouts.OUTPUT,
  tkw_input: layouts.INPUT_MORE,
};
const { size: heapSize, ...heap } = layouts.HEAP;
const { end: gapSize, ...gap } = layouts.GAP;
const HEAP: Record<string, { field: Record<string, number>; size: number }> = {
  tkw_heap: { field: heap, size: heapSize },
  tkw_gap: { field: gap, size: gapSize },
};
/** The host reads only the first fields, where the core has the struct. */
const PARTLY = ['tk_probe'];
const LEFT_OUT = ['states', 'slices', 'instants', 'values', 'arguments'];
const SIZES: Record<string, number> = { bool: 1, u32: 4, i32: 4, u64: 8, count: 8, address: 4, text: 4 };

function assertions(change = 0): string {
  const lines = ['#include "module.h"'];
  const equal = (expression: string, value: number, what: string): void =>
    void lines.push(`_Static_assert(${expression} == ${value + change}, "${what}");`);
  for (const [name, layout] of Object.entries(STRUCTS)) {
    for (const [key, kind, offset] of layouts.fieldsOf(layout).fields) {
      const field = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const member = name === 'tk_progress' && LEFT_OUT.includes(key) ? `left_out.${field}` : field;
      equal(`offsetof(struct ${name}, ${member})`, offset, 'offset');
      equal(`sizeof(((struct ${name} *)0)->${member})`, typeof kind === 'number' ? kind : SIZES[kind]!, 'size');
    }
    if (!PARTLY.includes(name)) equal(`sizeof(struct ${name})`, layouts.structSize(layout), 'size of the struct');
  }
  for (const [name, { field, size }] of Object.entries(HEAP)) {
    for (const [key, offset] of Object.entries(field)) equal(`offsetof(struct ${name}, ${key})`, offset, 'offset');
    equal(`sizeof(struct ${name})`, size, 'size of the struct');
  }
  return lines.join('\n');
}

const compiler = clang() as string | null;
const compile = (code: string): string =>
  execFileSync(
    compiler!,
    [
      '--target=wasm32',
      '-std=c11',
      '-ffreestanding',
      '-fsyntax-only',
      `-I${join(root, 'core')}`,
      `-I${join(root, 'wasm')}`,
      '-xc',
      '-',
    ],
    { input: code, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
  );

test.skipIf(!compiler)('every field has the offset and the size of the C declaration', () => {
  expect(compile(assertions())).toBe('');
  expect(() => compile(assertions(1))).toThrow(/static assertion failed|static_assert failed/);
});
