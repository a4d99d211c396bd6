// SPDX-License-Identifier: MIT
// lib/tonkopf*.wasm from core/ and wasm/.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWasm, root } from './lib.mjs';

export function build_wasm() {
  const folder = buildWasm();
  mkdirSync(join(root, 'lib'), { recursive: true });
  for (const name of ['tonkopf.wasm', 'tonkopf-dump.wasm', 'tonkopf-text.wasm']) copyFileSync(join(folder, 'wasm', name), join(root, 'lib', name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build_wasm();
