// SPDX-License-Identifier: MIT
//
// Symbol lookup compared with the compiler's tools: names with nm, lines with addr2line, shown names with c++filt. The ELF files are
// compiled here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { whichOf } from '../../scripts/lib.mjs';
import { compile } from './emulator.mjs';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'tests/target/symbols');
const tool = join(process.env.TONKOPF_NATIVE ?? join(root, 'build/native'), 'tests/tool_symbols');
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-symbols-'));
const ADDRESSES = 3000;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command, args, input = '') {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const lines = (text) => text.split('\n').slice(0, -1);

function random(seed) {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function linkWithLld(linker, objects, out) {
  const library = run('arm-none-eabi-gcc', ['-mcpu=cortex-m4', '-mthumb', '-print-libgcc-file-name']).trim();
  run(linker, [
    '-estart',
    `-Map=${out}.map`,
    '-Ttext=0x08000100',
    '--section-start=.isr_vector=0x08000000',
    '-Tdata=0x20000000',
    ...objects,
    library,
    '-o',
    out,
  ]);
  return out;
}

/** An ELF file for a microcontroller, or for a host. */
function build(
  name,
  { options = [], link = [], prefix = 'arm-none-eabi-', target = ['-mcpu=cortex-m4', '-mthumb'], linker = '' },
) {
  const out = join(folder, `${name}.elf`);
  const flags = [...target, '-O2', ...options];
  const objects = [
    compile(`${prefix}gcc`, flags, join(sources, 'numbers.c')),
    compile(`${prefix}g++`, [...flags, '-fno-exceptions', '-fno-rtti', '-std=c++17'], join(sources, 'shapes.cpp')),
  ];
  if (linker) return linkWithLld(linker, objects, out);
  const place = prefix
    ? ['-Wl,-Ttext=0x08000100,--section-start=.isr_vector=0x08000000,-Tdata=0x20000000']
    : ['-no-pie'];
  run(`${prefix}gcc`, [
    ...target,
    ...options,
    '-nostdlib',
    '-nostartfiles',
    '-Wl,-estart',
    `-Wl,-Map=${out}.map`,
    ...place,
    ...link,
    ...objects,
    ...(prefix ? ['-lgcc'] : []),
    '-o',
    out,
  ]);
  return out;
}

const RANK = { T: 0, t: 1, W: 2, w: 2, i: 0, u: 0 };

/** Functions by address; if several names have one address, the preferred one. */
function functionsOf(elf, prefix, thumb) {
  const functions = lines(run(`${prefix}nm`, ['-S', '--format=posix', '--defined-only', elf]))
    .flatMap((line) => {
      const [name, type, value, size] = line.split(' ');
      return type in RANK && size && parseInt(size, 16)
        ? [{ name, rank: RANK[type], start: parseInt(value, 16) & (thumb ? ~1 : ~0), size: parseInt(size, 16) }]
        : [];
    })
    .sort((a, b) => a.start - b.start || a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return functions.filter(({ start }, i) => !i || functions[i - 1].start !== start);
}

const pieceOf = (name) => name.replace(/(\.cold|\.part\.\d+|\.cold\.\d+)+$/, '');

function nameAt(functions, address) {
  const found = functions.findLast(({ start }) => start <= address);
  if (!found || address >= found.start + found.size) return '';
  const whole = pieceOf(found.name);
  return functions.some(({ name }) => name === whole) ? whole : found.name;
}

/** Removes the arguments of templates and the parameters. */
function bare(text) {
  let out = '',
    depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (/operator[<>\-=]*$/.test(out) && '<>'.includes(text[i])) {
      out += text[i];
      continue;
    }
    if (text[i] === '>') depth--;
    if (!depth) out += text[i];
    if (text[i] === '<') depth++;
  }
  return out.replace(/\((?!anonymous namespace\))[^()]*\)/g, '()').replace(/^(.*operator\(\))\(\)$/, '$1');
}

const withoutClone = (name) => name.replace(/(\.(constprop|isra|part|lto_priv)\.\d+|\.cold(\.\d+)?)+$/, '');

function ask(files, addresses) {
  return lines(run(tool, files, `${addresses.map((address) => address.toString(16)).join('\n')}\n`))
    .slice(0, addresses.length)
    .map((line) => {
      const [name, shown, object, offset, place, variable] = line.split('\t');
      return { name, shown, object, offset, place, variable };
    });
}

function addressesOf(functions, seed) {
  const start = functions[0].start - 16,
    last = functions.at(-1),
    next = random(seed);
  return Array.from(
    { length: ADDRESSES },
    () => start + 2 * Math.floor((next() * (last.start + last.size - start)) / 2),
  );
}

const BUILDS = {
  'without debug information': { options: ['-g0'] },
  'DWARF 2': { options: ['-gdwarf-2', '-gstrict-dwarf'] },
  'DWARF 3': { options: ['-gdwarf-3', '-gstrict-dwarf'] },
  'DWARF 4': { options: ['-gdwarf-4'] },
  'DWARF 5': { options: ['-gdwarf-5'] },
  'DWARF 5 of 64 bit': { options: ['-gdwarf-5', '-gdwarf64'] },
  'unused functions removed': {
    options: ['-gdwarf-4', '-ffunction-sections', '-fdata-sections'],
    link: ['-Wl,--gc-sections'],
  },
  'not optimised, line tables of the assembler': { options: ['-gdwarf-5', '-O0', '-gno-as-locview-support'] },
  'line tables of the compiler': { options: ['-gdwarf-4', '-gno-as-loc-support'] },
  'big-endian': { options: ['-gdwarf-4', '-mbig-endian'], target: ['-march=armv7-r', '-mthumb'], noLibrary: true },
  'no Thumb': { options: ['-gdwarf-5'], target: ['-mcpu=arm7tdmi', '-marm'] },
  'a host of 64 bit': {
    options: ['-gdwarf-5', '-fno-stack-protector', '-fcf-protection=none'],
    prefix: '',
    target: [],
  },
};

describe.each(Object.entries(BUILDS))('%s', (title, how) => {
  const prefix = how.prefix ?? 'arm-none-eabi-',
    name = title.replaceAll(/\W+/g, '-');
  let elf, functions, addresses, answers;

  test('names are those of nm', () => {
    elf = build(name, how);
    functions = functionsOf(elf, prefix, prefix !== '');
    addresses = addressesOf(functions, title.length);
    answers = ask([elf], addresses);
    expect(functions.length).toBeGreaterThan(60);
    expect(addresses.map((_, i) => answers[i].name)).toEqual(addresses.map((address) => nameAt(functions, address)));
  });

  test('lines are those of addr2line', () => {
    const told = lines(
      run(`${prefix}addr2line`, ['-e', elf], `${addresses.map((address) => `0x${address.toString(16)}`).join('\n')}\n`),
    );
    const expected = told
      .map((line) => /^(.*):(\d+)/.exec(line))
      .map((match) => (match && match[1] !== '??' && Number(match[2]) ? `${basename(match[1])}:${match[2]}` : ':0'));
    expect(addresses.map((address, i) => `${address.toString(16)} ${answers[i].place}`)).toEqual(
      addresses.map((address, i) => `${address.toString(16)} ${expected[i]}`),
    );
    if (!title.startsWith('without'))
      expect(expected.filter((place) => place !== ':0').length).toBeGreaterThan(ADDRESSES / 2);
  });

  test('shown names are those of c++filt, and distinguish functions', () => {
    const starts = functions.filter(
      ({ name: raw }) => nameAt(functions, functions.find((one) => one.name === raw).start) === raw,
    );
    const told = ask(
      [elf],
      starts.map(({ start }) => start),
    );
    const readable = lines(
      run(`${prefix}c++filt`, ['-p'], `${starts.map(({ name: raw }) => withoutClone(raw)).join('\n')}\n`),
    );
    starts.forEach((_, i) => {
      const { shown, object } = told[i];
      expect([
        readable[i],
        `${object}.${readable[i]}`,
        `${readable[i]} 0x${starts[i].start.toString(16).padStart(8, '0')}`,
      ]).toContain(shown);
    });
    expect(new Set(told.map(({ shown }) => shown)).size).toBe(starts.length);
    expect(readable.filter((text) => text.includes('<')).length).toBeGreaterThan(20);
  });
});

/**
 * Without the parts that distinguish equal names: objects, addresses, parameters. The demangler of LLVM writes the result of a template, and
 * numbers anonymous functions otherwise: 'lambda', 'lambda0', 'lambda1'.
 */
const plain = (shown) =>
  bare(shown.replaceAll('(anonymous namespace)', '{anonymous}'))
    .replaceAll(/^\w+\.| 0x\w+$|\(\)$/g, '')
    .replace(/^auto /, '')
    .replace(
      /'lambda(\d*)'\(\)|\{lambda\(\)#(\d+)\}/,
      (_, llvm, gnu) => `{lambda ${gnu ?? (llvm === '' ? 1 : Number(llvm) + 2)}}`,
    );
const SECTIONS = ['-ffunction-sections', '-fdata-sections'];
const LLD = whichOf('ld.lld', 'ld.lld-14', 'ld.lld-15', 'ld.lld-16', 'ld.lld-17', 'ld.lld-18');
/** Linker, options, whether its map contains static functions. */
const LINKED = [
  ['GNU ld, a section per function', { options: SECTIONS }, true],
  ['GNU ld, one section', {}, false],
  ...(LLD
    ? [
        ['LLVM lld, a section per function', { options: SECTIONS, linker: LLD }, true],
        ['LLVM lld, one section', { linker: LLD }, true],
      ]
    : []),
];

test.each(LINKED)('a linker map and an ELF file agree: %s', (title, { options = [], linker }, tellsStatics) => {
  const elf = build(title.replaceAll(/\W+/g, '-'), { options: ['-g0', ...options], linker });
  const functions = functionsOf(elf, 'arm-none-eabi-', true).filter(
    ({ name: raw, rank }) => !/^__|\.cold/.test(raw) && (tellsStatics || rank !== RANK.t),
  );
  const ofElf = ask(
      [elf],
      functions.map(({ start }) => start),
    ),
    ofMap = ask(
      [`${elf}.map`],
      functions.map(({ start }) => start),
    );
  expect(functions.length).toBeGreaterThan(30);
  functions.forEach(({ name: raw }, i) => {
    expect(ofMap[i].object, raw).toBe(ofElf[i].object);
    expect(plain(ofMap[i].shown), raw).toBe(plain(ofElf[i].shown));
    expect(ofMap[i].shown).not.toMatch(/constprop|isra|clone|(^|\.)int shapes/);
  });
});

test('compressed debug information is read', () => {
  const elf = build('compressed', { options: ['-gdwarf-4'], link: ['-Wl,--compress-debug-sections=zlib'] });
  const text = run(tool, [elf], '8000100\n');
  expect(text).not.toContain(', compressed');
  expect(text).toContain('numbers.c:19');
});

test('read-only texts, and functions of exceptions', () => {
  for (const how of [{ options: ['-g0'] }, BUILDS['big-endian']]) {
    const elf = build('constants', how);
    const greeting = lines(run('arm-none-eabi-nm', [elf]))
      .find((line) => line.endsWith(' greeting'))
      .split(' ')[0];
    const [text, , vectors] = lines(run(tool, [elf], `${greeting}\n`));
    expect(text.split('\t').slice(5)).toEqual(['greeting', 'text that is never written']);
    expect(vectors.split('\t').slice(1)).toEqual(['1 on_reset', '15 numbers_all']); // two exceptions share one function
  }
});

test('a stripped file has no functions', () => {
  const elf = build('stripped', { options: ['-g0'], link: ['-s'] });
  expect(run(tool, [elf], '8000100\n')).toContain('0 functions');
});

test('an ELF file of 100 MB is read in parts', () => {
  const elf = build('large', { options: ['-gdwarf-5'] }),
    large = `${elf}.large`,
    padding = join(folder, 'padding');
  run('sh', [
    '-c',
    `head -c 100000000 /dev/zero > ${padding} && arm-none-eabi-objcopy --add-section .debug_info_of_others=${padding} ${elf} ${large} && rm ${padding}`,
  ]);
  expect(readFileSync(large).length).toBeGreaterThan(1e8);
  const [small, whole] = [elf, large].map((file) => run(tool, [file], '8000110\n'));
  expect(whole).toBe(small); // the facts contain the memory too
});
