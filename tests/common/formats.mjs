// SPDX-License-Identifier: MIT
// The formats of the build, as their folders describe them: core/formats/NAME/format.json. docs/NEW_FORMAT.md lists its members.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} BenchCase a kind of recording whose conversion is measured
 * @property {string} name
 * @property {string} generator file in tests/generator that writes it
 * @property {string[]} [words] further words for the generator
 * @property {string[]} files suffixes of what the generator writes; with several the n-th is the recording of core n
 * @property {string} [floor] the loop of tests/common/floor.h that does the least; missing: that of frames with varints
 * @property {number} [ofFloor] goal for the speed, relative to the floor
 *
 * @typedef {object} Damage
 * @property {string[]} [free] patterns of RECORD.field: the fields that nothing else in a recording repeats, so that any value is legal; scripts/figure_trials.mjs
 * @property {string[]} arguments of tests/tools/damage.c: how the trial finds what a change of the bytes touches
 * @property {string} [images] pattern of the recordings that are left out, because their bytes are not in the order of time
 * @property {boolean} [demos] false: the demos of the format are left out
 * @property {number} [missing] largest share of trials that cost events outside of the damage; 0.005 if not given
 * @property {Record<string, string>} [explained] recordings in which the time of other frames depends on the damaged one, and why
 *
 * @typedef {object} Format
 * @property {string} name of its folder
 * @property {string[]} hot files that run per event
 * @property {Record<string, string>} golden by the file in tests/generator: the name of its list of golden cases
 * @property {Damage} damage
 * @property {string[]} samples suffixes of the real recordings below TONKOPF_SAMPLES/NAME; empty: there are none
 * @property {BenchCase[]} bench
 */

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Names in the order of probing. @param {string} table the text of formats.def, in which comments are no formats */
export const namesIn = (table) =>
  [...table.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').matchAll(/^\s*TK_FORMAT\(\s*(\w+)\s*\)/gm)].map(([, name]) => name);

/** @param {string} [tree] another copy of the project @returns {Format[]} in the order of probing */
export function formats(tree = root) {
  const folder = join(tree, 'core', 'formats');
  return namesIn(readFileSync(join(folder, 'formats.def'), 'utf8')).map((name) => ({
    name,
    ...JSON.parse(readFileSync(join(folder, name, 'format.json'), 'utf8')),
  }));
}
