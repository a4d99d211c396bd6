// SPDX-License-Identifier: MIT
// Addresses of the control blocks, from ELF files or linker maps of the programs of a target. The core reads the files.
import { ROLES } from '../../../../wasm/handle.js';
import { type Argument, Module, Out, struct } from '../../../../wasm/module.js';
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
  const module = await Module.open(compiled), // is dropped with all its memory
    made = new Out(),
    length = new Out(),
    at = new Out(8); // a u64
  const numberAt = (): number => Number(module.view.getBigUint64(at.address, true));
  module.call('tk_new', module.allocator, made);
  const handle = module.number(made.address);
  const call = (name: string, ...args: Argument[]): number => module.call(name, handle, ...args);
  call('tk_add_input', struct(HANDLE_INPUT, { name, role: ROLES.indexOf('symbols'), core: -1 }), new Out());
  while (call('tk_wanted_range', 0, BigInt(blob.size), at, length)) {
    const from = numberAt();
    const bytes = new Uint8Array(await blob.slice(from, from + module.number(length.address)).arrayBuffer());
    call('tk_feed_range', 0, bytes, bytes.length); // after an error no range is wanted, and nothing is found
  }
  call('tk_end_input', 0);
  const found = VARIABLES.flatMap((name) => (call('tk_symbol_address', name, at) ? [numberAt()] : []));
  return found.filter((address) => address % 4 === 0 && address < 2 ** 32);
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
