// SPDX-License-Identifier: MIT
// Inputs of fuzz targets that are kept by name: inputs that once failed, and examples of notations. kept.json lists them,
// bytes in base64.
//
//   node tests/fuzz/kept.mjs --write FOLDER      writes FOLDER/TARGET/NAME of all inputs; the build does it
//   node tests/fuzz/kept.mjs TARGET NAME FILE    adds an input, or replaces it
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const LIST = join(HERE, 'kept.json');

/** @type {() => Record<string, Record<string, string>>} bytes in base64 by target and name */
const read = () => JSON.parse(readFileSync(LIST, 'utf8'));

const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The inputs of a target as [name, bytes], in the order of their names. */
export const keptInputs = (target) =>
  Object.entries(read()[target] ?? {}).map(([name, text]) => [name, Buffer.from(text, 'base64')]);

/** Writes FOLDER/TARGET/NAME. Inputs that an earlier list contained are removed. */
export function writeKept(folder) {
  const loose = readdirSync(join(HERE, 'corpus')).filter((name) => !name.endsWith('.pack'));
  if (loose.length) throw new Error(`tests/fuzz/corpus/${loose[0]} would not be replayed: add it with kept.mjs`);
  rmSync(folder, { recursive: true, force: true });
  for (const target of Object.keys(read())) {
    if (!existsSync(join(HERE, `${target}.c`))) throw new Error(`kept.json names ${target}, which is no fuzz target`);
    mkdirSync(join(folder, target), { recursive: true });
    for (const [name, bytes] of keptInputs(target)) writeFileSync(join(folder, target, name), bytes);
  }
}

function add(target, name, file) {
  if (!existsSync(join(HERE, `${target}.c`))) throw new Error(`${target} is no fuzz target`);
  if (!/^[\w-]+$/.test(name)) throw new Error('a name consists of letters, digits, - and _');
  const list = read();
  list[target] = sorted({ ...list[target], [name]: readFileSync(file).toString('base64') });
  writeFileSync(LIST, `${JSON.stringify(sorted(list), null, 1)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  if (words.length === 2 && words[0] === '--write') writeKept(words[1]);
  else if (words.length === 3) add(...words);
  else {
    console.error('usage: kept.mjs --write FOLDER, or kept.mjs TARGET NAME FILE');
    process.exitCode = 2;
  }
}
