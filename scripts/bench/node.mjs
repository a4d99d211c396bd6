// SPDX-License-Identifier: MIT
// Measures the WebAssembly core in Node. Each recording is converted in a new process (node-run.mjs), so that no recording warms up the engine for another.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build_wasm } from '../build.mjs';
import { emscriptenEnv } from '../cmake.mjs';
import { root, run } from '../lib.mjs';
import { folder } from './cases.mjs';

const floorModule = join(folder, 'floor.wasm');
const coreModule = join(root, 'lib', 'tonkopf.wasm');
const coreScript = join(folder, 'core.mjs');

function buildFloor() {
  const sources = ['floor.c', 'floor_wasm.c'].map((name) => join(root, 'tests', 'common', name));
  run(
    'emcc',
    [
      '-std=c11',
      '-O3',
      '-flto',
      '--no-entry',
      '-sSTANDALONE_WASM',
      '-sFILESYSTEM=0',
      '-sEXPORTED_FUNCTIONS=_floor_room,_floor_run',
      ...sources,
      '-o',
      floorModule,
    ],
    { env: emscriptenEnv() },
  );
}

/** Bundles wasm/handle.ts to core.mjs, because Node cannot import TypeScript. */
async function buildCore() {
  const { build } = await import('vite');
  const output = { entryFileNames: 'core.mjs' };
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { input: join(root, 'wasm', 'handle.ts'), output },
    },
  });
}

export async function prepare() {
  mkdirSync(folder, { recursive: true });
  build_wasm();
  buildFloor();
  await buildCore();
}

/** Measures a recording. Returns { bytesOut, seconds, floorSeconds, memory, rssPeak }. */
export function measureNode({ paths, cores, floor }, runs) {
  const job = { paths, cores, floor, runs, coreScript, floorModule, coreModule };
  const script = fileURLToPath(new URL('node-run.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, JSON.stringify(job)], { encoding: 'utf8' }));
}
