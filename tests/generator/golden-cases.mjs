// SPDX-License-Identifier: MIT
//
// The golden cases. The cases themselves are in golden-*.mjs; this file writes
//   tests/golden/FORMAT/cases.json       what each case proves, its options, the SHA-256 of its inputs (committed)
//   build/golden/FORMAT/CASE/            the inputs and `options` (generated before the tests run)
//
//   node tests/generator/golden-cases.mjs                  writes the manifests
//   node tests/generator/golden-cases.mjs --check          lists the manifests that differ; exit code 1 if any does
//   node tests/generator/golden-cases.mjs --inputs FOLDER  writes the inputs of all cases

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formats } from '../common/formats.mjs';

/**
 * @typedef {object} GoldenCase
 * @property {string} name of the folder: what the case proves
 * @property {string} proves one sentence
 * @property {number[]} [rows] rows of "What is done about it" in docs/formats/tonbandgeraet.md
 * @property {Record<string, string>} [options] as for tk_set_option
 * @property {Record<string, { bytes(): Uint8Array }>} inputs by file name
 */

/** By format, then by the file in tests/generator that makes them. @type {Record<string, Record<string, GoldenCase[]>>} */
const FORMATS = {};
for (const { name, golden } of formats()) {
  FORMATS[name] = {};
  for (const [file, list] of Object.entries(golden)) FORMATS[name][file] = (await import(`./${file}`))[list];
}

/** Of Tonbandgeraet. */
export const CASES = Object.values(FORMATS.tonbandgeraet).flat();

const MAX_INPUT_LEN = 4096;
const HERE = dirname(fileURLToPath(import.meta.url));
export const GOLDEN_DIR = join(HERE, '../golden');

/** @param {GoldenCase} golden @returns {[string, Uint8Array][]} */
function inputs_of({ name, inputs }) {
  return Object.entries(inputs).map(([file, stream]) => {
    const bytes = stream.bytes();
    if (bytes.length > MAX_INPUT_LEN) throw new Error(`${name}/${file} has ${bytes.length} bytes`);
    return [file, bytes];
  });
}

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** One case per line, so that a diff names the case. @param {Record<string, GoldenCase[]>} sets */
function manifest(sets) {
  const lines = Object.entries(sets).flatMap(([generator, cases]) =>
    cases.map((golden) => {
      const { name, proves, rows, options } = golden;
      const inputs = Object.fromEntries(inputs_of(golden).map(([file, bytes]) => [file, sha256(bytes)]));
      return JSON.stringify({ name, proves, rows, generator, options, inputs });
    }),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** @param {string} path */
function read_or_null(path) {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Replaces a file only if it differs, in one step: several processes may write the same inputs. */
function write_if_different(/** @type {string} */ path, /** @type {Uint8Array} */ bytes) {
  if (read_or_null(path)?.equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, bytes);
  renameSync(`${path}.${process.pid}`, path);
}

/** Writes FOLDER/FORMAT/CASE/{input*.bin, options} of all cases. @param {string} folder */
export function write_golden_inputs(folder) {
  for (const [format, sets] of Object.entries(FORMATS))
    for (const golden of Object.values(sets).flat()) {
      const path = join(folder, format, golden.name);
      for (const [file, bytes] of inputs_of(golden)) write_if_different(join(path, file), bytes);
      const options = Object.entries(golden.options ?? {}).map(([key, value]) => `${key}=${value}\n`);
      if (options.length) write_if_different(join(path, 'options'), Buffer.from(options.join('')));
    }
}

/** The formats whose committed manifest differs from the cases; with `write` the manifest is rewritten. @param {{ write: boolean }} options */
export function sync_manifests({ write }) {
  const differs = [];
  for (const [format, sets] of Object.entries(FORMATS)) {
    const names = Object.values(sets).flatMap((cases) => cases.map(({ name }) => name));
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice) throw new Error(`two cases ${format}/${twice}`);
    const path = join(GOLDEN_DIR, format, 'cases.json'),
      bytes = Buffer.from(manifest(sets));
    if (read_or_null(path)?.equals(bytes)) continue;
    differs.push(format);
    if (write) write_if_different(path, bytes);
  }
  return differs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, folder] = process.argv.slice(2);
  if (option === '--inputs' && folder) {
    write_golden_inputs(folder);
  } else {
    const write = option !== '--check';
    const differs = sync_manifests({ write });
    for (const format of differs)
      console.log(`${write ? 'wrote' : 'differs:'} ${relative(process.cwd(), join(GOLDEN_DIR, format, 'cases.json'))}`);
    if (!write && differs.length) process.exitCode = 1;
  }
}
