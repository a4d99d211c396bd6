// SPDX-License-Identifier: MIT
// The library for browsers, in a page or a worker. It works as long as it converts: in a page use a worker of your own for large recordings.
import type { Library, ModuleName } from './api.js';
import { InputError } from './errors.js';
import { createLibrary } from './library.js';

export * from './api.js';

/** Written so that bundlers find the files and give them the addresses that they serve them at. */
const addresses: Record<ModuleName, string | URL> = {
  'tonkopf-all.wasm': new URL('./tonkopf-all.wasm', import.meta.url),
  'tonkopf-text.wasm': new URL('./tonkopf-text.wasm', import.meta.url),
  'tonkopf-report.wasm': new URL('./tonkopf-report.wasm', import.meta.url),
};

/** Where the modules are, for bundlers that do not find them by themselves (esbuild): before the first call. */
export function setModuleAddresses(told: Partial<Record<ModuleName, string | { toString(): string }>>): void {
  for (const [name, address] of Object.entries(told)) addresses[name as ModuleName] = String(address);
}

async function compile(name: ModuleName): Promise<WebAssembly.Module> {
  const response = await fetch(addresses[name]);
  if (!response.ok) throw new Error(`${name} could not be loaded from ${String(addresses[name])}: ${response.status}`);
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
  reportText,
  reportMarkdown,
  reportCsv,
  compareReports,
  isReport,
  expectation,
}: Library = createLibrary({ compile, open });
