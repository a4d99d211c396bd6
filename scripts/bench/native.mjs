// SPDX-License-Identifier: MIT
// The library in a native program (tests/tools/bench.c), output discarded.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../lib.mjs';

export const prepare = async () => {
  const { buildNative } = await import('../builds.mjs');
  buildNative(['tool_bench']);
};

/** { events, bytesOut, seconds, floorSeconds, copySeconds, floorBytesOut, heapPeak, rssPeak } */
export function measureNative({ paths, cores, floor }, runs) {
  const tool = join(root, 'build', 'native', 'tests', 'tool_bench');
  const files = paths.map((path, index) => (cores[index] === null ? path : `${path}@${cores[index]}`));
  return JSON.parse(
    execFileSync(tool, [...(floor ? [`--${floor}`] : []), String(runs), ...files], { encoding: 'utf8' }),
  );
}
