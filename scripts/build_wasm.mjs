// SPDX-License-Identifier: MIT
// lib/tonkopf*.wasm and lib/formats/ from core/ and wasm/.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWasm } from './builds.mjs';
import { root } from './lib.mjs';

export function build_wasm() {
  const folder = join(buildWasm(), 'wasm');
  mkdirSync(join(root, 'lib'), { recursive: true });
  for (const name of ['tonkopf.wasm', 'tonkopf-all.wasm', 'tonkopf-text.wasm', 'tonkopf-report.wasm', 'formats'])
    cpSync(join(folder, name), join(root, 'lib', name), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build_wasm();
