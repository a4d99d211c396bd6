// SPDX-License-Identifier: MIT
// Packs the npm packages of a release: the main package with the library and the launcher, and for each platform a package with its native program.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib.mjs';

const main = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = join(root, 'build', 'npm');

/** Packages by the platforms of scripts/cross.mjs. cli/launcher.mjs derives the same package names from the platform that it runs on. */
export const PACKAGES = {
  'linux-x86_64': { name: '@tonkopf/linux-x64', os: ['linux'], cpu: ['x64'] },
  'linux-aarch64': { name: '@tonkopf/linux-arm64', os: ['linux'], cpu: ['arm64'] },
  'windows-x86_64': { name: '@tonkopf/win32-x64', os: ['win32'], cpu: ['x64'] },
  'macos-universal': { name: '@tonkopf/darwin', os: ['darwin'], cpu: ['x64', 'arm64'] },
};

/** Makes an empty folder for a package. Returns its path. */
function emptyFolder(name) {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Packs a folder to a tarball in `out`. Returns the path of the tarball. */
function pack(folder, manifest, out) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(out, { recursive: true });
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ filename }] = Object.values(JSON.parse(said));
  return join(out, filename.replace('@', '').replace('/', '-')); // older versions of npm return the name of the package instead of the file name
}

/** Packs the native program of a platform. built: folder that scripts/cross.mjs wrote. Returns the path of the tarball. */
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

/** Packs the main package, which depends on the same version of the packages of all platforms. Needs lib/. Returns the path of the tarball. */
export function packMain(out) {
  const folder = emptyFolder(main.name);
  for (const path of main.files.filter((one) => !one.startsWith('!'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  // package.json in the repository does not list the packages of the platforms: they are not published yet, so `npm ci` in a clone would fail.
  const optionalDependencies = Object.fromEntries(Object.values(PACKAGES).map(({ name }) => [name, main.version]));
  const { scripts, devDependencies, ...published } = main; // only developers need these
  return pack(folder, { ...published, optionalDependencies }, out);
}
