// SPDX-License-Identifier: MIT
// Fetches and compiles the converter. Its address holds a hash of its bytes: once the server has another build, it is gone.
import { CoreError } from '../../../wasm/errors.js';

const missing = (why: string): CoreError => new CoreError('module', `The converter could not be loaded (${why}).`);

export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw missing(response ? `${response.status} ${response.statusText}` : 'no answer');
  const spare = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // some servers send the wrong content type, with which streaming refuses to work
    const bytes = await spare.arrayBuffer();
    if (!WebAssembly.validate(bytes)) throw missing('something else is at its address');
    return WebAssembly.compile(bytes);
  }
}
