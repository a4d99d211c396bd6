// SPDX-License-Identifier: MIT
// lib/tonkopf.wasm from core/ and wasm/.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWasm } from './builds.mjs';
import { root } from './lib.mjs';

export function build_wasm() {
  mkdirSync(join(root, 'lib'), { recursive: true });
  cpSync(join(buildWasm(), 'wasm', 'tonkopf.wasm'), join(root, 'lib', 'tonkopf.wasm'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build_wasm();
