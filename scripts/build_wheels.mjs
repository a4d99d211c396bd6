// SPDX-License-Identifier: MIT
// Builds the wheels of the Python package from the libraries and programs of scripts/cross.mjs. `node scripts/build_wheels.mjs PLATFORM...` writes
// build/wheels/tonkopf-VERSION-py3-none-PLATFORM.whl; without arguments it builds the wheels of all platforms.
import { cpSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir, installPython, root, run } from './lib.mjs';

const TAGS = {
  'linux-x86_64': 'manylinux_2_17_x86_64',
  'linux-aarch64': 'manylinux_2_17_aarch64',
  'windows-x86_64': 'win_amd64',
  'macos-universal': 'macosx_11_0_universal2',
};
const TOOLS = ['hatchling==1.27.0', 'wheel==0.45.1'];
const out = join(root, 'build', 'wheels'),
  work = join(root, 'build', 'wheel'),
  tools = join(cacheDir, 'wheel-tools');

export function buildWheel(platform, built = join(root, 'build', 'cross', platform)) {
  installPython(tools, ...TOOLS);
  const env = { ...process.env, PYTHONPATH: tools },
    native = join(work, 'tonkopf', '_native');
  rmSync(work, { recursive: true, force: true });
  cpSync(join(root, 'python'), work, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
  mkdirSync(native, { recursive: true });
  for (const folder of ['bin', 'lib'])
    for (const name of readdirSync(join(built, folder))) copyFileSync(join(built, folder, name), join(native, name));
  copyFileSync(join(root, 'LICENSE'), join(work, 'LICENSE'));
  copyFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), join(work, 'THIRD-PARTY-NOTICES.txt'));
  run('python3', ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', join(work, 'dist')], {
    cwd: work,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [pure] = readdirSync(join(work, 'dist'));
  run('python3', ['-m', 'wheel', 'tags', '--remove', '--platform-tag', TAGS[platform], join(work, 'dist', pure)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [wheel] = readdirSync(join(work, 'dist'));
  mkdirSync(out, { recursive: true });
  copyFileSync(join(work, 'dist', wheel), join(out, wheel));
  return join(out, wheel);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  for (const platform of named.length ? named : Object.keys(TAGS))
    console.log(buildWheel(platform).slice(root.length + 1));
}
