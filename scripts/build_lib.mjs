// SPDX-License-Identifier: MIT
// lib/: the library for Node and for browsers, one file each, with types; the wasm module beside them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { build_wasm } from './build_wasm.mjs';
import { root, run } from './lib.mjs';
import { inModule, writeNotices } from './notices.mjs';

/** Vite's build for servers leaves `new URL('./X.wasm', import.meta.url)` as it stands, which is what the bundlers of users look for. */
const bundle = (target, entries) =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: join(root, 'lib'),
      emptyOutDir: false,
      target: target === 'node' ? 'node20' : 'es2022',
      minify: false,
      rollupOptions: {
        input: entries,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: `${target}-[name].js` },
      },
    },
    ssr: { noExternal: true, target },
  });

export async function build_lib() {
  build_wasm();
  await bundle('node', { index: join(root, 'wasm', 'index.ts') });
  await bundle('webworker', { browser: join(root, 'wasm', 'browser.ts') });
  writeNotices(join(root, 'lib'), inModule());
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.lib.json']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build_lib();
