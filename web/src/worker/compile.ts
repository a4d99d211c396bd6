// SPDX-License-Identifier: MIT
// Fetches and compiles a module of the converter.
export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The converter could not be loaded (${response.status} ${response.statusText}).`);
  const spare = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // some servers send the wrong content type, with which streaming refuses to work
    return WebAssembly.compile(await spare.arrayBuffer());
  }
}
