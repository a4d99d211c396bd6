// SPDX-License-Identifier: MIT
// Generates the recordings that the benchmark measures, once for each case and size, in build/bench.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from '../../tests/common/formats.mjs';
import { root } from '../lib.mjs';

export const folder = join(root, 'build', 'bench');

/** Descriptions of the recordings to measure, in the order of the formats. tests/common/formats.mjs explains the members. */
export const CASES = formats().flatMap(({ bench }) => bench);

const stemOf = ({ name }, size) => join(folder, `${name.replace(/\W+/g, '-')}-${size}`);

/** The arguments of Node that write a recording. output: its file, or the start of the names of its files */
export const generating = ({ generator, words = [] }, size, output) => [
  join(root, 'tests', 'generator', generator),
  ...['--bytes', size],
  ...words,
  ...['--output', output],
];

/**
 * Generates a recording, unless its files exist. Returns { paths, cores, files, floor, bytes }. `cores[i]`: core of a file; null: the recording is one
 * file. `files`: PATH or PATH@CORE, as arguments of our programs. `bytes`: size of all files.
 */
export function inputs(one, size) {
  mkdirSync(folder, { recursive: true });
  const stem = stemOf(one, size);
  const paths = one.files.map((suffix) => stem + suffix);
  if (!paths.every((path) => existsSync(path))) {
    const output = paths.length > 1 ? stem : paths[0];
    execFileSync(process.execPath, generating(one, size, output), { stdio: 'ignore' });
  }
  const cores = paths.map((_, index) => (paths.length > 1 ? index : null));
  const files = paths.map((path, index) => (cores[index] === null ? path : `${path}@${cores[index]}`));
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  return { paths, cores, files, floor: one.floor ?? null, bytes };
}

export function removeInputs(one, size) {
  for (const suffix of one.files) rmSync(stemOf(one, size) + suffix, { force: true });
}
