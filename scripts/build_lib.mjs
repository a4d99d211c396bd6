// SPDX-License-Identifier: MIT
// lib/: the library for Node (and the command line tool on it), one file each, with types; the wasm modules beside them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { build_wasm } from './build_wasm.mjs';
import { root, run } from './lib.mjs';

export async function build_lib() {
  build_wasm();
  const entries = { index: join(root, 'wasm', 'index.ts'), cli: join(root, 'cli', 'node', 'main.ts') };
  const entry = Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path)));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: join(root, 'lib'),
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { input: entry, output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
    ssr: { noExternal: true, target: 'node' },
  });
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.lib.json']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build_lib();
