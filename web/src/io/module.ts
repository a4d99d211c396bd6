// SPDX-License-Identifier: MIT
// Compiles the core once; the workers get the compiled module. Of what only some inputs need they get the addresses:
// the modules for text and for further formats and the code that unpacks gzip are loaded when the first such input is met.
import wasmUrl from '../../../lib/tonkopf.wasm?url';
import textUrl from '../../../lib/tonkopf-text.wasm?url';
import unpackUrl from '../worker/unpack.ts?worker&url';
import { compile } from '../worker/compile.js';

let compiling: Promise<WebAssembly.Module> | null = null;

const addressOf = (url: string): string => new URL(url, document.baseURI).href;

const formatUrls = import.meta.glob<string>('../../../lib/formats/*.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const textModuleAddress = addressOf(textUrl);
/** by the name of the format, and with `-symbols` behind it: the module that reads these too */
export const formatAddresses = Object.fromEntries(
  Object.entries(formatUrls).map(([path, url]) => [/tonkopf-(.*)\.wasm$/.exec(path)![1]!, addressOf(url)]),
);
export const unpackAddress = addressOf(unpackUrl);

export function tonkopfModule(): Promise<WebAssembly.Module> {
  compiling ??= compile(addressOf(wasmUrl)).catch((error: unknown) => {
    compiling = null; // a later try may find the network again
    throw error;
  });
  return compiling;
}
