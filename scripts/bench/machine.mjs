// SPDX-License-Identifier: MIT
// Describes the machine and the tools of a measurement.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib.mjs';

function firstLine(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')[0]
      .trim();
  } catch {
    return 'none';
  }
}

export function compiler() {
  const cache = readFileSync(join(root, 'build', 'native', 'CMakeCache.txt'), 'utf8');
  return firstLine(/^CMAKE_C_COMPILER:\w+=(.+)$/m.exec(cache)[1], '--version');
}

export function machine() {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cpus: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    loadBefore: Number(loadavg()[0].toFixed(1)),
  };
}

export function versions() {
  return {
    tonkopf: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    commit: firstLine('git', '-C', root, 'rev-parse', '--short', 'HEAD'),
    node: process.version,
    compiler: compiler(),
    emscripten: firstLine('emcc', '--version'),
  };
}
