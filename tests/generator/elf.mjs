// SPDX-License-Identifier: MIT
//
// Writes small ELF files like a linker, without a compiler: symbols, constants, a line table; and linker maps of the same firmware.

import { deflateSync } from 'node:zlib';

/**
 * @typedef {{ name: string, address: number, size: number, unit?: string, binding?: 'local' | 'global' | 'weak', lines?: number[] }} Symbol
 *   unit: its source file; lines: source line of every fourth byte, with the file `unit`
 * @typedef {object} Firmware
 * @property {Symbol[]} [functions]
 * @property {Symbol[]} [variables]
 * @property {{ address: number, bytes: Uint8Array | string }[]} [constants] text ends with a zero byte
 * @property {{ returns: number, to?: number }[]} [calls] code: before the return address a BL to a function, or BLX r3 without `to`. Without
 *   this list the file has no code, as one that was split off with `objcopy --only-keep-debug`
 * @property {number[]} [vectors] words of the table of exception vectors, at address 0
 * @typedef {{ wide?: boolean, bigEndian?: boolean, machine?: number, padding?: number, stripped?: boolean, compressed?: 'zlib' | 'zdebug' | 'zstd' }} Kind
 *   padding: bytes in front of the table of sections; stripped: without symbols and lines; compressed: how the line table is compressed; 'zstd' is only named in the header of its section
 */

const ARM = 40;
const HALF = 2,
  WORD = 4;
const BINDINGS = { local: 0, global: 1, weak: 2 };

class Bytes {
  /** @param {boolean} bigEndian */
  constructor(bigEndian) {
    this.bigEndian = bigEndian;
    /** @type {number[]} */
    this.list = [];
  }

  /** @param {number} width @param {number | bigint} value */
  put(width, value) {
    const little = Array.from({ length: width }, (_, i) =>
      Number((BigInt.asUintN(8 * width, BigInt(value)) >> BigInt(8 * i)) & 0xffn),
    );
    this.list.push(...(this.bigEndian ? little.reverse() : little));
    return this;
  }

  /** @param {ArrayLike<number>} bytes */
  add(bytes) {
    for (let i = 0; i < bytes.length; i++) this.list.push(/** @type {number} */ (bytes[i]));
    return this;
  }

  /** @param {string} text with its zero byte */
  text(text) {
    return this.add([...Buffer.from(text), 0]);
  }

  /** @param {number} value */
  uleb(value) {
    for (; value >= 0x80; value = Math.floor(value / 128)) this.list.push((value % 128) | 0x80);
    this.list.push(value);
    return this;
  }
}

/** Concatenated texts; the offset of each. */
class Texts {
  constructor() {
    this.bytes = [0];
  }

  /** @param {string} text */
  place(text) {
    if (!text) return 0;
    const at = this.bytes.length;
    this.bytes.push(...Buffer.from(text), 0);
    return at;
  }
}

/** @param {number} value */
const sleb = (value) => {
  const out = [];
  for (let more = true; more;) {
    const byte = value & 0x7f;
    value >>= 7;
    more = !((value === 0 && !(byte & 0x40)) || (value === -1 && byte & 0x40));
    out.push(more ? byte | 0x80 : byte);
  }
  return out;
};

/** A line table of version 3: a unit for each function. @param {Symbol[]} functions @param {Kind} kind */
export function line_table(functions, { wide = false, bigEndian = false }) {
  const table = new Bytes(bigEndian);
  for (const { address, size, unit = '', lines = [] } of functions) {
    if (!lines.length) continue;
    const head = new Bytes(bigEndian)
      .put(1, 1)
      .put(1, 1)
      .put(1, -5)
      .put(1, 14)
      .put(1, 10)
      .add([0, 1, 1, 1, 1, 0, 0, 0, 1]); // opcodes 1 to 9
    head.add([0]).text(unit).uleb(0).uleb(0).uleb(0).add([0]);
    const program = new Bytes(bigEndian)
      .add([0])
      .uleb(1 + (wide ? 8 : 4))
      .add([2])
      .put(wide ? 8 : 4, address);
    lines.forEach((line, index) =>
      program.add([3, ...sleb(line - (index ? /** @type {number} */ (lines[index - 1]) : 1)), 1, 2]).uleb(4),
    );
    program
      .add([9])
      .put(HALF, Math.max(0, size - 4 * lines.length))
      .add([0, 1, 1]);
    const unitBytes = new Bytes(bigEndian).put(HALF, 3).put(WORD, head.list.length).add(head.list).add(program.list);
    table.put(WORD, unitBytes.list.length).add(unitBytes.list);
  }
  return table.list;
}

/** @param {Firmware} firmware @param {Texts} names @param {Kind} kind */
function symbol_table(firmware, names, { wide = false, bigEndian = false, machine = ARM }) {
  const table = new Bytes(bigEndian);
  /** @param {string} name @param {number} value @param {number} size @param {number} info @param {number} section */
  const put = (name, value, size, info, section) => {
    table.put(WORD, names.place(name));
    if (wide) table.put(1, info).put(1, 0).put(HALF, section).put(8, value).put(8, size);
    else table.put(WORD, value).put(WORD, size).put(1, info).put(1, 0).put(HALF, section);
  };
  const thumb = machine === ARM ? 1 : 0;
  const all = [
    ...(firmware.functions ?? []).map((symbol) => ({ ...symbol, type: 2, section: 1, value: symbol.address + thumb })),
    ...(firmware.variables ?? []).map((symbol) => ({ ...symbol, type: 1, section: 3, value: symbol.address })),
  ];
  put('', 0, 0, 0, 0);
  for (const unit of new Set(all.map(({ unit: name }) => name))) {
    if (unit !== undefined) put(unit, 0, 0, 4, 0xfff1);
    for (const symbol of all.filter((one) => one.unit === unit)) {
      if (thumb && unit !== undefined) put(symbol.type === 2 ? '$t' : '$d', symbol.address, 0, 0, symbol.section);
      if (symbol.binding === 'local') put(symbol.name, symbol.value, symbol.size, symbol.type, symbol.section);
    }
  }
  const locals = table.list.length / (wide ? 24 : 16);
  for (const { name, value, size, binding = 'global', type, section } of all)
    if (binding !== 'local') put(name, value, size, (BINDINGS[binding] << 4) | type, section);
  return { bytes: table.list, locals };
}

const NOP = [0x00, 0xbf],
  BLX_R3 = [0x98, 0x47];

/** The bytes of a BL instruction, little endian. @param {number} at @param {number} to */
function branch_with_link(at, to) {
  const offset = to - at - 4,
    sign = (offset >> 24) & 1;
  const first = 0xf000 | (sign << 10) | ((offset >> 12) & 0x3ff);
  const second =
    0xd000 | ((~((offset >> 23) ^ sign) & 1) << 13) | ((~((offset >> 22) ^ sign) & 1) << 11) | ((offset >> 1) & 0x7ff);
  return [first & 0xff, first >> 8, second & 0xff, second >> 8];
}

/** Code that contains only calls. @param {Required<Firmware>['calls']} calls @param {number} start @param {number} end */
function code_of(calls, start, end) {
  const code = Array.from({ length: end - start }, (_, i) => /** @type {number} */ (NOP[i % 2]));
  for (const { returns, to } of calls) {
    const bytes = to === undefined ? BLX_R3 : branch_with_link(returns - 4, to & ~1);
    code.splice(returns - bytes.length - start, bytes.length, ...bytes);
  }
  return code;
}

/** A compressed section of debug information, as linkers write it. @param {number[]} bytes @param {Kind} kind */
function debug_section(bytes, { wide = false, bigEndian = false, compressed }) {
  const name = compressed === 'zdebug' ? '.zdebug_line' : '.debug_line';
  if (!compressed) return { name, type: 1, flags: 0, address: 0, bytes };
  const packed = [...deflateSync(Uint8Array.from(bytes))];
  if (compressed === 'zdebug') {
    const size = new Bytes(true).put(8, bytes.length).list;
    return { name, type: 1, flags: 0, address: 0, bytes: [...Buffer.from('ZLIB'), ...size, ...packed] };
  }
  const head = new Bytes(bigEndian).put(WORD, compressed === 'zlib' ? 1 : 2);
  if (wide) head.put(WORD, 0).put(8, bytes.length).put(8, 1);
  else head.put(WORD, bytes.length).put(WORD, 1);
  return { name, type: 1, flags: 0x800, address: 0, bytes: [...head.list, ...packed] };
}

/** @param {Firmware} firmware @param {Kind} [kind] */
export function elf_file(firmware, kind = {}) {
  const { wide = false, bigEndian = false, machine = ARM, padding = 0, stripped = false } = kind;
  const names = new Texts(),
    sectionNames = new Texts();
  const constants = (firmware.constants ?? []).map(({ address, bytes }) => ({
    name: '.rodata',
    type: 1,
    flags: 2,
    address,
    bytes: typeof bytes === 'string' ? new Bytes(false).text(bytes).list : [...bytes],
  }));
  const functions = firmware.functions ?? [],
    symbols = symbol_table(firmware, names, kind);
  const start = Math.min(...functions.map(({ address }) => address), 2 ** 32),
    end = Math.max(...functions.map(({ address, size }) => address + size), start);
  const sections = [
    firmware.calls
      ? { name: '.text', type: 1, flags: 6, address: start, bytes: code_of(firmware.calls, start, end) }
      : { name: '.text', type: 8, flags: 6, address: start, bytes: [] },
    {
      name: '.isr_vector',
      type: 1,
      flags: 2,
      address: 0,
      bytes: (firmware.vectors ?? []).reduce((bytes, word) => bytes.put(WORD, word), new Bytes(bigEndian)).list,
    },
    { name: '.bss', type: 8, flags: 3, address: 0x20000000, bytes: [] },
    ...constants,
    ...(stripped
      ? []
      : [
          { name: '.symtab', type: 2, flags: 0, address: 0, bytes: symbols.bytes },
          { name: '.strtab', type: 3, flags: 0, address: 0, bytes: names.bytes },
          debug_section(line_table(functions, kind), kind),
        ]),
    { name: '.shstrtab', type: 3, flags: 0, address: 0, bytes: sectionNames.bytes },
  ];
  const placed = sections.map((section) => ({ ...section, name: sectionNames.place(section.name) }));
  const header = wide ? 64 : 52,
    entry = wide ? 64 : 40,
    word = wide ? 8 : 4;
  const body = new Bytes(bigEndian),
    table = new Bytes(bigEndian);
  table.add(new Array(entry).fill(0));
  placed.forEach(({ name, type, flags, address, bytes }) => {
    const link = type === 2 ? 5 + constants.length : 0,
      item = type === 2 ? (wide ? 24 : 16) : 0;
    table
      .put(WORD, name)
      .put(WORD, type)
      .put(word, flags)
      .put(word, address)
      .put(word, header + body.list.length)
      .put(word, bytes.length);
    table
      .put(WORD, link)
      .put(WORD, type === 2 ? symbols.locals : 0)
      .put(word, 4)
      .put(word, item);
    body.add(bytes);
  });
  const out = new Bytes(bigEndian).add([
    0x7f,
    0x45,
    0x4c,
    0x46,
    wide ? 2 : 1,
    bigEndian ? 2 : 1,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  out
    .put(HALF, 2)
    .put(HALF, machine)
    .put(WORD, 1)
    .put(word, start)
    .put(word, 0)
    .put(word, header + body.list.length + padding)
    .put(WORD, 0);
  out
    .put(HALF, header)
    .put(HALF, 0)
    .put(HALF, 0)
    .put(HALF, entry)
    .put(HALF, placed.length + 1)
    .put(HALF, placed.length);
  const file = new Uint8Array(header + body.list.length + padding + table.list.length);
  file.set([...out.list, ...body.list]);
  file.set(table.list, file.length - table.list.length);
  return file;
}

// ---- Maps, in the layout that the linkers document ------------------------------------------------------------------

/** @param {number} value @param {number} [width] */
const hex = (value, width = 8) => `0x${value.toString(16).padStart(width, '0')}`;
/** @param {Symbol} symbol */
const object_of = ({ unit = 'main.c' }) => unit.replace(/\.\w+$/, '.o');

/** @param {Firmware} firmware @param {{ sections?: boolean }} [how] sections: one for each function */
export function gnu_map({ functions = [], variables = [] }, { sections = true } = {}) {
  /** @param {string} kind */
  const line = (kind) => (/** @type {Symbol} */ symbol) => {
    const name = ` ${kind}${sections ? `.${symbol.name}` : ''}`;
    const numbers = `${hex(symbol.address)} ${hex(symbol.size, 1).padStart(10)} ${object_of(symbol)}`;
    const global =
      symbol.binding === 'local' ? '' : `                ${hex(symbol.address)}                ${symbol.name}\n`;
    return `${name.length < 16 ? name.padEnd(16) : `${name}\n${' '.repeat(16)}`}${numbers}\n${global}`;
  };
  return `Memory Configuration\n\nName             Origin             Length\n\nLinker script and memory map\n\n.text           0x08000000      0x400\n *(.text*)\n${functions.map(line('.text')).join('')}
.bss            0x20000000      0x100\n${variables.map(line('.bss')).join('')}OUTPUT(firmware.elf elf32-littlearm)\n`;
}

/** @param {Firmware} firmware */
export function lld_map({ functions = [], variables = [] }) {
  /** @param {Symbol} symbol @param {string} section @param {number} thumb */
  const lines = ({ name, address, size, ...symbol }, section, thumb) =>
    [
      [address, size, 4, `        ${object_of({ name, address, size, ...symbol })}:(${section}.${name})`],
      [address, 0, 1, `                ${thumb ? '$t' : '$d'}.0`],
      [address + thumb, size, 1, `                ${name}`],
    ]
      .map(
        ([at, length, align, text]) =>
          `${Number(at).toString(16).padStart(8)} ${Number(at).toString(16).padStart(8)} ${Number(length).toString(16).padStart(8)} ${String(align).padStart(5)} ${text}\n`,
      )
      .join('');
  return `     VMA      LMA     Size Align Out     In      Symbol\n${functions.map((symbol) => lines(symbol, '.text', 1)).join('')}${variables.map((symbol) => lines(symbol, '.bss', 0)).join('')}`;
}

/** @param {Firmware} firmware @param {{ grouped?: boolean }} [how] grouped: digits in groups, as version 9 writes them */
export function iar_map({ functions = [], variables = [] }, { grouped = false } = {}) {
  /** @param {number} value */
  const number = (value) =>
    grouped ? `0x${value.toString(16).replace(/\B(?=(....)+$)/g, "'")}` : `0x${value.toString(16)}`;
  /** @param {'Code' | 'Data'} type */
  const line = (type) => (/** @type {Symbol} */ symbol) => {
    const binding = { local: 'Lc', global: 'Gb', weak: 'Wk' }[symbol.binding ?? 'global'];
    const name = symbol.name.length > 22 ? `${symbol.name}\r\n${' '.repeat(24)}` : symbol.name.padEnd(24);
    return `${name}${number(symbol.address + (type === 'Code' ? 1 : 0))} ${number(symbol.size).padStart(7)}  ${type}  ${binding}  ${object_of(symbol)} [1]\r\n`;
  };
  const rows = [
    ...functions.map((symbol) => [symbol.name, line('Code')(symbol)]),
    ...variables.map((symbol) => [symbol.name, line('Data')(symbol)]),
  ].sort();
  return `###############################################################################\r\n#\r\n# IAR ELF Linker V9.10.2.306/W64 for ARM\r\n#\r\n###############################################################################\r\n\r
*******************************************************************************\r\n*** ENTRY LIST\r\n***\r\n\r\nEntry                      Address   Size  Type      Object\r\n-----                      -------   ----  ----      ------\r\n${rows.map(([, text]) => text).join('')}\r\n\r\n[1] = C:\\work\\Debug\\Obj\r\n`;
}

/** @param {Firmware} firmware */
export function arm_map({ functions = [], variables = [] }) {
  /** @param {'Thumb Code' | 'Data'} type */
  const line = (type) => (/** @type {Symbol} */ symbol) =>
    `    ${symbol.name.padEnd(40)} ${hex(symbol.address + (type === 'Data' ? 0 : 1))}   ${type.padEnd(11)} ${String(symbol.size).padStart(5)}  ${object_of(symbol)}(${type === 'Data' ? '.bss' : `.text.${symbol.name}`})\n`;
  /** @param {boolean} local */
  const rows = (local) =>
    [
      ...functions.filter(({ binding }) => (binding === 'local') === local).map(line('Thumb Code')),
      ...variables.filter(({ binding }) => (binding === 'local') === local).map(line('Data')),
    ].join('');
  const heading = '    Symbol Name                              Value     Ov Type        Size  Object(Section)\n\n';
  return `Component: Arm Compiler for Embedded 6.19 Tool: armlink [5e73cb00]\n\n==============================================================================\n\nImage Symbol Table\n\n    Local Symbols\n\n${heading}${rows(true)}\n    Global Symbols\n\n${heading}${rows(false)}
==============================================================================\n`;
}
