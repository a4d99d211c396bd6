// SPDX-License-Identifier: MIT
// Packs the packages of npm for a release: the library with the launcher, and for each platform one with its native program.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib.mjs';

const main = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = join(root, 'build', 'npm');

/** By the names of scripts/cross.mjs; cli/launcher.mjs makes the same names of the platform on which it runs. */
export const PACKAGES = {
  'linux-x86_64': { name: '@tonkopf/linux-x64', os: ['linux'], cpu: ['x64'] },
  'linux-aarch64': { name: '@tonkopf/linux-arm64', os: ['linux'], cpu: ['arm64'] },
  'windows-x86_64': { name: '@tonkopf/win32-x64', os: ['win32'], cpu: ['x64'] },
  'macos-universal': { name: '@tonkopf/darwin', os: ['darwin'], cpu: ['x64', 'arm64'] },
};

/** Makes the folder of a package; returns its path. */
function emptyFolder(name) {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Packs a folder into `out`; returns the path of the tarball. */
function pack(folder, manifest, out) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(out, { recursive: true });
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ filename }] = Object.values(JSON.parse(said));
  return join(out, filename.replace('@', '').replace('/', '-')); // older versions of npm tell the name of the package
}

/** Packs the program below `built`, as scripts/cross.mjs leaves it: bin and THIRD-PARTY-NOTICES.txt. */
export function packPlatform(platform, built, out) {
  const { name, os, cpu } = PACKAGES[platform];
  const folder = emptyFolder(name),
    program = os[0] === 'win32' ? 'tonkopf.exe' : 'tonkopf';
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(built, 'bin', program), join(folder, 'bin', program));
  chmodSync(join(folder, 'bin', program), 0o755);
  copyFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), join(folder, 'THIRD-PARTY-NOTICES.txt'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'README.md'),
    `The native program of [tonkopf](${main.homepage}) for ${os[0]} (${cpu.join(', ')}). Install the package \`tonkopf\`, which starts it.\n`,
  );
  const { version, license, homepage, repository, bugs } = main;
  const manifest = { name, version, description: `The native program of tonkopf for ${os[0]}`, license, homepage };
  return pack(
    folder,
    { ...manifest, repository, bugs, os, cpu, files: ['bin', 'THIRD-PARTY-NOTICES.txt'], preferUnplugged: true },
    out,
  );
}

/** Packs the main package, which pins the packages of all platforms. Needs lib/. */
export function packMain(out) {
  const folder = emptyFolder(main.name);
  for (const path of main.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  // Not in package.json: a package-lock.json with packages that are not published yet would break `npm ci` in a clone.
  const optionalDependencies = Object.fromEntries(Object.values(PACKAGES).map(({ name }) => [name, main.version]));
  const { scripts, devDependencies, ...published } = main; // of use in a clone only
  return pack(folder, { ...published, optionalDependencies }, out);
}
