// SPDX-License-Identifier: MIT
// Builds the page in dist/ and everything that it needs, or only one part: `npm run build`, `build:wasm`, `build:lib`, `build:native -- TARGET...`.
import './node_version.mjs';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildReleased, buildWasm } from './cmake.mjs';
import { root, run } from './lib.mjs';
import { inModule, writeNotices } from './notices.mjs';
import { setup } from './setup.mjs';

const lib = join(root, 'lib');

/** Builds lib/tonkopf.wasm and lib/timeline.wasm, which only the page loads, from core/ and wasm/. */
export function build_wasm() {
  mkdirSync(lib, { recursive: true });
  const folder = buildWasm();
  for (const name of ['tonkopf.wasm', 'timeline.wasm']) cpSync(join(folder, 'wasm', name), join(lib, name));
}

/** Bundles entries of the library to lib/. Vite's build for servers keeps `new URL('./X.wasm', import.meta.url)`, which the bundlers of users recognise. */
async function bundle(target, entries) {
  const { build } = await import('vite'); // imported here, because setup may have to install vite first
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: lib,
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
}

/** Builds lib/: the library for Node and for browsers, one file each, their types and the WebAssembly module. */
async function build_lib() {
  build_wasm();
  await bundle('node', { index: join(root, 'wasm', 'index.ts') });
  await bundle('webworker', { browser: join(root, 'wasm', 'browser.ts') });
  writeNotices(lib, inModule());
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.lib.json']);
}

/** Builds dist/: the page as a static site, which works in any folder of any web server. */
export async function build_page() {
  await build_lib();
  run(process.execPath, [join(root, 'scripts', 'generate-demos.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { build } = await import('vite');
  await build({ configFile: join(root, 'web', 'vite.config.ts'), logLevel: 'warn' });
}

const PARTS = {
  wasm: build_wasm,
  lib: build_lib,
  /** Builds in build/native the files that `cmake --install build/native` installs, and the targets that the command line names. */
  native(targets) {
    setup('native');
    buildReleased(['tonkopf-cli', 'tonkopf-share', 'tonkopf_static', 'tonkopf_shared', ...targets]);
  },
  async page() {
    setup('start');
    await build_page();
    console.log('dist/ is ready: copy it to any folder of any web server');
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [part = 'page', ...targets] = process.argv.slice(2);
  if (!Object.hasOwn(PARTS, part))
    throw new Error(`Tonkopf has no part ${part}; its parts are ${Object.keys(PARTS).join(', ')}`);
  await PARTS[part](targets);
}
