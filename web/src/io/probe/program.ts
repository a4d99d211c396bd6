// SPDX-License-Identifier: MIT
// Where the control blocks are, by ELF files or linker maps of the programs of a target. The core reads the files.
import { ROLES } from '../../../../wasm/handle.js';
import { Module, Out, struct } from '../../../../wasm/module.js';
import { HANDLE_INPUT } from '../../../../wasm/structs.js';

export interface ProgramFile {
  name: string;
  blob: Blob;
}

export interface Programs {
  /** of control blocks */
  addresses: number[];
  /** names of the files without one: they are stripped, cannot be read, or are something else */
  without: string[];
}

export const NO_PROGRAMS: Programs = { addresses: [], without: [] };

/** The control block of RTT, and the block of Tonkopf's recorder. */
const VARIABLES = ['_SEGGER_RTT', 'tband_control'];

async function addressesIn(compiled: WebAssembly.Module, { name, blob }: ProgramFile): Promise<number[]> {
  const module = await Module.open(compiled); // is dropped with all its memory
  const made = new Out();
  module.check(module.call('tk_new', module.allocator, made));
  const handle = module.number(made.address);
  const input = struct(HANDLE_INPUT, { name, role: ROLES.indexOf('symbols'), core: -1 });
  module.check(module.call('tk_add_input', handle, input, new Out()));
  const number = new Out(8), // a u64: offset or address
    length = new Out();
  while (module.call('tk_wanted_range', handle, 0, BigInt(blob.size), number, length)) {
    const at = Number(module.view.getBigUint64(number.address, true));
    const bytes = new Uint8Array(await blob.slice(at, at + module.number(length.address)).arrayBuffer());
    module.check(module.call('tk_feed_range', handle, 0, bytes, bytes.length));
  }
  module.check(module.call('tk_end_input', handle, 0));
  return VARIABLES.flatMap((variable) => {
    const isThere = module.call('tk_symbol_address', handle, variable, number);
    const at = isThere ? Number(module.view.getBigUint64(number.address, true)) : -1;
    return at >= 0 && at < 2 ** 32 && at % 4 === 0 ? [at] : [];
  });
}

export async function readPrograms(compiled: WebAssembly.Module, files: readonly ProgramFile[]): Promise<Programs> {
  const programs: Programs = { addresses: [], without: [] };
  for (const file of files) {
    const addresses = await addressesIn(compiled, file).catch(() => []);
    programs.addresses.push(...addresses);
    if (!addresses.length) programs.without.push(file.name);
  }
  return programs;
}
