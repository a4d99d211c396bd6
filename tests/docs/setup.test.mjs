// SPDX-License-Identifier: MIT
// The messages of scripts/setup.mjs on machines that lack tools. The programs of these machines are scripts in a folder, which is the whole PATH.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

const CACHE = { nanopb: process.env.TONKOPF_NANOPB, zlib: process.env.TONKOPF_ZLIB };

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonkopf-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} name @param {string} script lines of sh without external programs */
function program(name, script) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** @param {string} script name of a script @param {string[]} [flags] of node */
function start(script, flags = []) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, join(ROOT, 'scripts', script), '--native'],
    { encoding: 'utf8', env: { PATH: folder, LOG: join(folder, 'log') } },
  );
  expect(stderr).not.toMatch(/^\s+at /m); // no stack trace
  return { status, text: stdout + stderr };
}

/** apt-get that installs nothing, and logs its arguments. @param {string} before lines that run first */
function apt(before) {
  program('sudo', 'shift; "$@"');
  program('apt-get', `echo "$*" >> "$LOG"\n${before}`);
}
const calls = () =>
  existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [];

test('without apt-get the message lists what to install', () => {
  const { status, text } = start('setup.mjs');
  expect(status).toBe(1);
  expect(text).toMatch(/^There is no apt-get, so this script cannot install packages\. Please install:\n/);
  expect(text).toContain('  - ninja   (Debian: ninja-build)\n');
});

test.each([
  ['3.18.4', true],
  ['3.21.0', false],
  ['4.0.2', false],
])('cmake %s: too old is %s', (version, isListed) => {
  program('cmake', `echo "cmake version ${version}"`);
  expect(start('setup.mjs').text.includes('  - cmake 3.21 or newer   (Debian: cmake)\n')).toBe(isListed);
});

test('apt-get waits for another installation', () => {
  apt('[ -e "$LOG.free" ] || { : > "$LOG.free"; echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100; }');
  const { status, text } = start('setup.mjs');
  const words = calls().map((line) => line.replace(/.*(update|install).*/, '$1'));
  expect(words).toEqual(['update', 'update', 'install']);
  for (const line of calls()) expect(line).toMatch(/-o DPkg::Lock::Timeout=\d+/);
  expect([status, text]).toEqual([
    1,
    expect.stringContaining('The packages of this system are too old or incomplete.'),
  ]);
});

test('a failure of apt-get is a message', () => {
  apt('echo "E: Unable to locate package ninja-build" >&2; exit 100');
  const { status, text } = start('setup.mjs');
  expect([status, text]).toEqual([
    1,
    expect.stringContaining('apt-get failed:\nE: Unable to locate package ninja-build\n'),
  ]);
});

test.each(['setup.mjs', 'start.mjs', 'build.mjs', 'test.mjs'])(
  'Node 18: %s names the version that it needs',
  (script) => {
    const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.4'})`;
    expect(start(script, ['--import', older])).toEqual({
      status: 1,
      text: expect.stringMatching(
        /^Tonkopf needs Node 20\.19 or newer; this is 18\.20\.4\. Install a newer one: \S+\n$/,
      ),
    });
  },
);

describe('CMake without npm', () => {
  /** Configures with empty folders for the sources and archives of them. @param {(sum: string) => string} [sum] */
  function configure(sum = (right) => right) {
    const settings = ['nanopb', 'zlib'].flatMap((name) => {
      const archive = join(folder, `${name}.tar.gz`),
        sources = CACHE[/** @type {keyof typeof CACHE} */ (name)] ?? join(ROOT, 'build', 'cache', name);
      spawnSync('tar', ['-czhf', archive, '--transform', `s,^\\.,${name}-1.0,`, '-C', sources, '.']);
      const right = createHash('sha256').update(readFileSync(archive)).digest('hex'),
        variable = `-DTK_${name.toUpperCase()}`;
      return [
        `${variable}_DIR=${join(folder, 'cache', name)}`,
        `${variable}_URL=file://${archive}`,
        `${variable}_SHA256=${sum(right)}`,
      ];
    });
    const parts = ['TESTS', 'CLI', 'LIBRARY'].map((part) => `-DTK_${part}=OFF`);
    return spawnSync('cmake', ['--preset', 'native', '-B', join(folder, 'build'), ...parts, ...settings], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  }

  test('downloads the sources of nanopb and zlib', () => {
    const { status, stderr } = configure();
    expect(status, stderr).toBe(0);
    for (const name of ['nanopb/pb_encode.c', 'zlib/inflate.c'])
      expect(existsSync(join(folder, 'cache', name)), name).toBe(true);
  });

  test('refuses an archive with another sum, and says what to do', () => {
    const { status, stderr } = configure((right) => right.replace(/^./, (digit) => (digit === '0' ? '1' : '0')));
    expect(status).toBe(1);
    const words = stderr.replace(/\s+/g, ' ');
    expect(words).toMatch(/was not downloaded \(SHA-256 is [0-9a-f]{64} instead of [0-9a-f]{64}\)/);
    expect(words).toContain('Run `npm run setup`, or give -DTK_NANOPB_DIR=FOLDER');
    expect(existsSync(join(folder, 'cache', 'nanopb'))).toBe(false);
  });
});
