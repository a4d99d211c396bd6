// SPDX-License-Identifier: MIT
// A saved state contains the id of the build that wrote it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../wasm/build_id.cmake', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-'));
afterAll(() => rmSync(folder, { recursive: true }));

function id(settings = 'gcc 12') {
  const out = join(folder, 'build_id.h');
  execFileSync('cmake', [`-DFOLDER=${join(folder, 'core')}`, `-DSETTINGS=${settings}`, `-DOUT=${out}`, '-P', script]);
  return /^#define TK_BUILD_ID (0x[0-9a-f]{16})u$/m.exec(readFileSync(out, 'utf8'))?.[1];
}

it('changes with a line of any header and with the compiler, and with nothing else', () => {
  mkdirSync(join(folder, 'core', 'model'), { recursive: true });
  const header = join(folder, 'core', 'model', 'inner.h');
  writeFileSync(header, 'struct inner { int a; };');
  const before = id();
  expect(id()).toBe(before);
  expect(id('gcc 13')).not.toBe(before);
  writeFileSync(header, 'struct inner { long a; };');
  expect(id()).not.toBe(before);
  writeFileSync(header, 'struct inner { int a; };');
  expect(id()).toBe(before);
});
