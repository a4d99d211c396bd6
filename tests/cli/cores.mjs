// SPDX-License-Identifier: MIT
// Compares reports of random TraceRecorder recordings of several cores with what the target did.
import { psf_cores } from '../generator/psf-cores.mjs';
import { Random } from '../generator/random.mjs';
import { tool } from './tool.mjs';

/** Figures of the report by the keys of the generator. @param {any} report */
function figures(report) {
  /** @type {Map<string, string>} */
  const shown = new Map();
  for (const { name, cpu, runs } of report.tasks) shown.set(`task ${name}`, `${cpu} ${runs}`);
  for (const { name, core, count, total } of report.interrupts ?? [])
    shown.set(`isr ${name} ${core}`, `${total} ${count}`);
  for (const { name, task, holds, held } of report.mutexes ?? []) shown.set(`hold ${name} ${task}`, `${held} ${holds}`);
  return shown;
}

/** Figures that differ from those of the target, one text each. @param {import('./tool.mjs').Folder} folder @param {number} recordings */
export async function differences_of_cores(folder, recordings) {
  /** @type {string[]} */
  const differences = [];
  for (let seed = 1; seed <= recordings; seed++) {
    const { files, truth } = psf_cores(new Random(seed));
    const paths = files.map((bytes, i) => folder.write(`s${seed}${files.length > 1 ? `.core${i}` : ''}.psf`, bytes));
    const { text } = await tool(['info', '--json', ...paths]);
    const lines = text.trim().split('\n');
    if (lines.length > 1) differences.push(`${seed}: ${lines.length} recordings`);
    const shown = figures(JSON.parse(lines[0]));
    for (const key of new Set([...shown.keys(), ...truth.keys()])) {
      if (key.startsWith('task (startup)')) continue;
      if (shown.get(key) !== truth.get(key))
        differences.push(`${seed}: ${key}: shown ${shown.get(key)}, true ${truth.get(key)}`);
    }
  }
  return differences;
}
