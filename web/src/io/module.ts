// SPDX-License-Identifier: MIT
// Compiles the core once; the workers get the compiled module. Of what only some inputs need they get the addresses:
// the module for text and the code that unpacks gzip are loaded when the first such input is met.
import wasmUrl from '../../../lib/tonkopf.wasm?url';
import textUrl from '../../../lib/tonkopf-text.wasm?url';
import unpackUrl from '../worker/unpack.ts?worker&url';
import { compile } from '../worker/compile.js';

let compiling: Promise<WebAssembly.Module> | null = null;

const addressOf = (url: string): string => new URL(url, document.baseURI).href;

export const textModuleAddress = addressOf(textUrl);
export const unpackAddress = addressOf(unpackUrl);

export function tonkopfModule(): Promise<WebAssembly.Module> {
  compiling ??= compile(addressOf(wasmUrl)).catch((error: unknown) => {
    compiling = null; // a later try may find the network again
    throw error;
  });
  return compiling;
}
