// SPDX-License-Identifier: MIT
// Builds all files of a release in build/release. The environment variable TAG, if set, must be "v" followed by the version of package.json.
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildWheel } from './build_wheels.mjs';
import { PLATFORMS, cross } from './cross.mjs';
import { filesBelow, root, run } from './lib.mjs';
import { packMain, packPlatform } from './pack_npm.mjs';
import { cmsisPack, single } from './pack_tracer.mjs';
import { setup } from './setup.mjs';
import { otherVersions, version } from './version.mjs';

const out = join(root, 'build', 'release');
if (process.env.TAG && process.env.TAG !== `v${version}`)
  throw new Error(`the tag is ${process.env.TAG}, package.json says ${version}`);
if (otherVersions().length) throw new Error(`package.json says ${version}, but ${otherVersions().join(', ')}`);

/** Writes tonkopf-PLATFORM.tar.gz (for Windows also a zip) with bin, lib, include, LICENSE, README.md and CHANGELOG.md. */
function archive(platform, built) {
  const name = `tonkopf-${platform}`,
    folder = join(out, name);
  cpSync(built, folder, { recursive: true });
  mkdirSync(join(folder, 'include'));
  copyFileSync(join(root, 'core', 'tonkopf.h'), join(folder, 'include', 'tonkopf.h'));
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) copyFileSync(join(root, file), join(folder, file));
  run('tar', ['-czf', join(out, `${name}.tar.gz`), '-C', out, name]);
  if (platform.startsWith('windows'))
    run('cmake', ['-E', 'tar', 'cf', `${name}.zip`, '--format=zip', name], { cwd: out });
  rmSync(folder, { recursive: true });
}

const sum = (name) =>
  createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');

/** Writes the recipes of package managers, with the version and the checksums of the archives of this release. */
function fillRecipes() {
  mkdirSync(join(out, 'recipes'));
  for (const path of filesBelow('.github/recipes')) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(
      join(out, 'recipes', basename(path)),
      text.replaceAll('@VERSION@', version).replace(/@SHA256:([\w.-]+)@/g, (_, file) => sum(file)),
    );
  }
}

setup('release');
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'wheels'), { recursive: true });
for (const platform of Object.keys(PLATFORMS)) {
  const built = cross(platform),
    wheel = buildWheel(platform);
  archive(platform, built);
  packPlatform(platform, built, join(out, 'npm'));
  copyFileSync(wheel, join(out, 'wheels', basename(wheel)));
}
run('node', ['scripts/build.mjs']);
packMain(join(out, 'npm'));

const pack = cmsisPack();
copyFileSync(pack, join(out, basename(pack)));
run('cmake', ['-E', 'tar', 'cf', join(out, 'tonkopf-tracer.zip'), '--format=zip', '.'], { cwd: single() });

fillRecipes();
// SHA256SUMS lists the files without folders, as the release on GitHub shows them
const files = filesBelow('build/release').map((name) => name.slice('build/release/'.length));
writeFileSync(join(out, 'SHA256SUMS'), files.map((name) => `${sum(name)}  ${basename(name)}\n`).join(''));
console.log(readdirSync(out).join('\n'));
