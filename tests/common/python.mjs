// SPDX-License-Identifier: MIT
// The Python package of the sources with the shared library of the native build.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/lib.mjs';

/** The variables with which Python finds the package and the library. */
export const pythonVariables = {
  PYTHONPATH: join(root, 'python'),
  TONKOPF_LIBRARY: join(
    process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native'),
    'core',
    'install',
    process.platform === 'darwin' ? 'libtonkopf.dylib' : 'libtonkopf.so',
  ),
};

/**
 * Returns a function that runs code in a folder and returns what it prints.
 * @param {() => string} folder
 * @returns {(code: string, input?: string) => string}
 */
export const pythonIn =
  (folder) =>
  (code, input = '') =>
    execFileSync('python3', ['-B', '-c', code], {
      cwd: folder(),
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      env: { ...process.env, ...pythonVariables },
    });
