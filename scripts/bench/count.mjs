// SPDX-License-Identifier: MIT
// Counts the instructions of a conversion with valgrind, output discarded. A busy machine gives the same figures as a free one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root } from '../lib.mjs';
import { inputs } from './cases.mjs';

const TOOL = join(root, 'build', 'native', 'tests', 'tool_bench');

/** { instructions, events } of one conversion; details for cg_annotate go to `details`. */
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

/** Instructions per event of a whole conversion. */
export async function count(one, size) {
  const { instructions, events } = await cachegrind(inputs(one, size));
  return instructions / events;
}

/** { perEvent, start }: what each further event costs, and what is left for recognising, the head and the report. */
export async function countGrowth(one, sizes) {
  const [short, long] = await inParallel(sizes, (size) => cachegrind(inputs(one, size)));
  const perEvent = (long.instructions - short.instructions) / (long.events - short.events);
  return { perEvent, start: long.instructions - perEvent * long.events };
}

/** The functions with the most instructions: [{ name, share, perEvent }]. What was inlined counts for its caller. */
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

/** Calls `act` on all items, as many at once as there are processors; keeps the order. */
export async function inParallel(items, act) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await act(items[i]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
