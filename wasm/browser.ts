// SPDX-License-Identifier: MIT
// The library for browsers, in a page or a worker. A conversion blocks its thread: convert large recordings in a worker.
import type { Library } from './api.js';
import { InputError } from './errors.js';
import { createLibrary } from './library.js';

export * from './api.js';

/** Address of tonkopf.wasm. Bundlers recognise this form of `new URL`, copy the file and insert its address. */
let moduleAddress: string | URL = new URL('./tonkopf.wasm', import.meta.url);

/** Sets the address of tonkopf.wasm, for bundlers that do not find the file (esbuild). Call it before any other function. */
export function setModuleAddress(address: string | { toString(): string }): void {
  moduleAddress = String(address);
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(moduleAddress);
  if (!response.ok)
    throw new Error(`tonkopf.wasm could not be loaded from ${String(moduleAddress)}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

const open = async (): Promise<never> => {
  throw new InputError('unsupported', 'A browser has no paths: hand in bytes, a File, or a stream');
};

export const {
  convert,
  convertAll,
  startConversion,
  resumeConversion,
  inspect,
  describe,
  reportSchema,
  reportText,
  reportMarkdown,
  reportCsv,
  compareReports,
  isReport,
  checkExpectation,
  expectation,
}: Library = createLibrary({ compile, open });
