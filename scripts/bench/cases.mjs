// SPDX-License-Identifier: MIT
// What is measured: recordings of several kinds, generated once for each size and kept in build/bench.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';

export const folder = join(root, 'build', 'bench');

const BIG = 'big.mjs';

/** `floor`: which loop does the least, where it is not that of frames with varints. `files`: suffixes of what the generator writes; with several the n-th is the recording of core n. */
export const CASES = [
  { name: 'FreeRTOS, one core', generator: BIG, words: [], files: ['.bin'] },
  {
    name: 'FreeRTOS, two files',
    generator: BIG,
    words: ['--cores', '2', '--split'],
    files: ['.core0.bin', '.core1.bin'],
  },
  { name: 'FreeRTOS, two cores in one file', generator: BIG, words: ['--cores', '2'], files: ['.bin'] },
  { name: 'bare metal', generator: BIG, words: ['--mode', 'bare-metal'], files: ['.bin'] },
  // Every text is another one, so that the table of strings is full after the first megabytes.
  { name: 'markers, every text another', generator: BIG, words: ['--mode', 'markers'], files: ['.bin'] },
  // A frame has 8.9 bytes on average: 1 - (1 - 0.0057)^8.9 = 5 %.
  { name: '5 % of the frames damaged', generator: BIG, words: ['--corrupt', '0.0057'], files: ['.bin'] },
  { name: 'QS, lift with active objects', floor: 'hdlc', generator: 'big-qs.mjs', words: [], files: ['.bin'] },
  { name: 'TraceRecorder, espresso machine', floor: 'words', generator: 'big-psf.mjs', words: [], files: ['.bin'] },
  { name: 'call trace without symbols', floor: 'calls', generator: 'big-cortexm.mjs', words: [], files: ['.bin'] },
  { name: 'flux, a drive', floor: 'flux', generator: 'big-flux.mjs', words: [], files: ['.recTr'] },
  { name: 'VCD, a bus', floor: 'vcd', generator: 'big-vcd.mjs', words: [], files: ['.vcd'] },
];

const stemOf = ({ name }, size) => join(folder, `${name.replace(/\W+/g, '-')}-${size}`);

/** A recording on disk: { paths, cores, floor, bytes }; cores[i] is null where the file itself tells. */
export function inputs(one, size) {
  mkdirSync(folder, { recursive: true });
  const stem = stemOf(one, size);
  const paths = one.files.map((suffix) => stem + suffix);
  if (!paths.every((path) => existsSync(path))) {
    const output = paths.length > 1 ? stem : paths[0];
    const script = join(root, 'tests', 'generator', one.generator);
    execFileSync(process.execPath, [script, '--bytes', size, ...one.words, '--output', output], { stdio: 'ignore' });
  }
  const cores = paths.map((_, index) => (paths.length > 1 ? index : null));
  return { paths, cores, floor: one.floor ?? null, bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0) };
}

export function removeInputs(one, size) {
  for (const suffix of one.files) rmSync(stemOf(one, size) + suffix, { force: true });
}
