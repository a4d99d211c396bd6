// SPDX-License-Identifier: MIT
// The library for browsers, in a page or a worker. It works as long as it converts: in a page use a worker of your own for large recordings.
import type { Library } from './api.js';
import { InputError } from './errors.js';
import { createLibrary } from './library.js';

export * from './api.js';

/** Written so that bundlers find the file and give it the address that they serve it at. */
let moduleAddress: string | URL = new URL('./tonkopf.wasm', import.meta.url);

/** Where tonkopf.wasm is, for bundlers that do not find it by themselves (esbuild): before the first call. */
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
