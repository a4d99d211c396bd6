// SPDX-License-Identifier: MIT
// Compiles the core once. The workers get the compiled module.
import wasmUrl from '../../../lib/tonkopf.wasm?url';
import { compile } from './compile.js';

let compiling: Promise<WebAssembly.Module> | null = null;

export function tonkopfModule(): Promise<WebAssembly.Module> {
  compiling ??= compile(new URL(wasmUrl, document.baseURI).href).catch((error: unknown) => {
    compiling = null; // a later attempt may succeed
    throw error;
  });
  return compiling;
}
