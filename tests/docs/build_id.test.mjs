// SPDX-License-Identifier: MIT
// A saved state contains the id of the build that wrote it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../wasm/build_id.cmake', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-'));
afterAll(() => rmSync(folder, { recursive: true }));

function id(settings = 'gcc 12') {
  const out = join(folder, 'build_id.h');
  execFileSync('cmake', [`-DFOLDER=${folder}`, `-DSETTINGS=${settings}`, `-DOUT=${out}`, '-P', script]);
  return /^#define TK_BUILD_ID (0x[0-9a-f]{16})u$/m.exec(readFileSync(out, 'utf8'))?.[1];
}

it.each([
  ['core', 'model', 'inner.h'],
  ['wasm', 'heap.c'],
  ['wasm', 'exports.txt'],
  ['wasm', 'CMakeLists.txt'],
])('changes with a line of %s/%s and with the compiler, and with nothing else', (...path) => {
  const source = join(folder, ...path);
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(join(dirname(source), 'notes.txt'), 'before');
  writeFileSync(source, 'struct inner { int a; };');
  const before = id();
  writeFileSync(join(dirname(source), 'notes.txt'), 'after');
  expect(id()).toBe(before);
  expect(id('gcc 13')).not.toBe(before);
  writeFileSync(source, 'struct inner { long a; };');
  expect(id()).not.toBe(before);
  writeFileSync(source, 'struct inner { int a; };');
  expect(id()).toBe(before);
});
