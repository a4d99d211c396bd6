// SPDX-License-Identifier: MIT
// Compiles the core once; the workers get the compiled module.
import wasmUrl from '../../../lib/tonkopf.wasm?url';

let compiling: Promise<WebAssembly.Module> | null = null;

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL(wasmUrl, document.baseURI));
  if (!response.ok) throw new Error(`The converter could not be loaded (${response.status} ${response.statusText}).`);
  const spare = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // some servers send the wrong content type, with which streaming refuses to work
    return WebAssembly.compile(await spare.arrayBuffer());
  }
}

export function tonkopfModule(): Promise<WebAssembly.Module> {
  compiling ??= compile().catch((error: unknown) => {
    compiling = null; // a later try may find the network again
    throw error;
  });
  return compiling;
}
