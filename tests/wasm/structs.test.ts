// SPDX-License-Identifier: MIT
// The layouts of wasm/structs.ts equal the structs of tonkopf.h on wasm32, field by field.
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
};
const LEFT_OUT = ['states', 'slices', 'instants', 'values', 'arguments'];
const SIZES: Record<string, number> = { bool: 1, u32: 4, i32: 4, u64: 8, count: 8, address: 4, text: 4 };

function assertions(change = 0): string {
  const lines = ['#include <stddef.h>', '#include "tonkopf.h"'];
  for (const [name, layout] of Object.entries(STRUCTS)) {
    for (const [key, kind, offset] of layouts.fieldsOf(layout).fields) {
      const field = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const member = LEFT_OUT.includes(key) ? `left_out.${field}` : field;
      lines.push(
        `_Static_assert(offsetof(struct ${name}, ${member}) == ${offset + change}, "offset");`,
        `_Static_assert(sizeof(((struct ${name} *)0)->${member}) == ${typeof kind === 'number' ? kind : SIZES[kind]}, "size");`,
      );
    }
  }
  return lines.join('\n');
}

const compiler = clang() as string | null;
const compile = (code: string): string =>
  execFileSync(
    compiler!,
    ['--target=wasm32', '-std=c11', '-ffreestanding', '-fsyntax-only', `-I${join(root, 'core')}`, '-xc', '-'],
    { input: code, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
  );

test.skipIf(!compiler)('every field has the offset and the size of the C declaration', () => {
  expect(compile(assertions())).toBe('');
  expect(() => compile(assertions(1))).toThrow(/static assertion failed|static_assert failed/);
});
