// SPDX-License-Identifier: MIT
// Counts the instructions of a conversion with valgrind; the program discards the output. Other load on the machine does not change the counts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root } from '../lib.mjs';
import { inputs } from './cases.mjs';

const TOOL = join(root, 'build', 'native', 'tests', 'tool_bench');

/** Counts one conversion. Returns { instructions, events }. Writes the counts of each function, for cg_annotate, to `details`. */
async function cachegrind({ files }, details = '/dev/null') {
  const { ok, output } = await capture('valgrind', [
    '--tool=cachegrind',
    '--cache-sim=no',
    `--cachegrind-out-file=${details}`,
    TOOL,
    '--alone',
    '1',
    ...files,
  ]);
  const [, digits] = /I\s+refs:\s+([\d,]+)/.exec(output) ?? [];
  const [, events] = /"events":(\d+)/.exec(output) ?? [];
  if (!ok || !digits || !events) throw new Error(`valgrind: ${output}`);
  return { instructions: Number(digits.replaceAll(',', '')), events: Number(events) };
}

/** Returns the instructions per event of a whole conversion. */
export async function count(one, size) {
  const { instructions, events } = await cachegrind(inputs(one, size));
  return instructions / events;
}

/** Returns { perEvent, start }: instructions for each further event, and instructions that do not depend on the length (recognition, head, report). */
export async function countGrowth(one, sizes) {
  const [short, long] = await inParallel(sizes, (size) => cachegrind(inputs(one, size)));
  const perEvent = (long.instructions - short.instructions) / (long.events - short.events);
  return { perEvent, start: long.instructions - perEvent * long.events };
}

/** Returns the functions with the most instructions: [{ name, share, perEvent }]. An inlined function counts as part of its caller. */
export async function profile(one, size, most = 20) {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-profile-'));
  try {
    const details = join(folder, 'out');
    const total = await cachegrind(inputs(one, size), details);
    const text = execFileSync('cg_annotate', [details], { encoding: 'utf8' });
    const lines = [...text.matchAll(/^ *([\d,]+) \( ?[\d.]+%\)\s+[^\s:]+:(\S+)/gm)].slice(0, most);
    return lines.map(([, digits, symbol]) => {
      const instructions = Number(digits.replaceAll(',', ''));
      const name = symbol.replace(/\.(lto_priv|isra|part|constprop|cold).*$/, '');
      return { name, share: instructions / total.instructions, perEvent: instructions / total.events };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls `act` on all items, one per processor at the same time. Returns the results in the order of the items. */
export async function inParallel(items, act) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await act(items[i]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
