// SPDX-License-Identifier: MIT
// Fetches and compiles the converter. Its address contains a hash of its bytes; after the server was updated, the old address is gone.
import { CoreError } from '../../../wasm/errors.js';

const missing = (why: string): CoreError => new CoreError('module', `The converter could not be loaded (${why}).`);

export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw missing(response ? `${response.status} ${response.statusText}` : 'no answer');
  const spare = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // some servers send the wrong content type, and compileStreaming then fails
    const bytes = await spare.arrayBuffer();
    if (!WebAssembly.validate(bytes)) throw missing('something else is at its address');
    return WebAssembly.compile(bytes);
  }
}
