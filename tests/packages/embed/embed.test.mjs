// SPDX-License-Identifier: MIT
// The installed result of `npm run build:native`: another C program finds the library with CMake and with pkg-config, links it shared and
// static, and gives the output of the command line tool.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, whichOf } from '../../../scripts/lib.mjs';
import { notices as coreNotices } from '../../../scripts/notices.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-embed-'));
const build = join(root, 'build', 'native'),
  prefix = join(folder, 'usr'),
  example = join(root, 'docs', 'example');
const recording = join(folder, 'motor.bin'),
  trace = join(folder, 'motor.pftrace');
/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
const run = (command, args, env = {}) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
/** @type {Buffer} */
let expected;

beforeAll(() => {
  run('cmake', ['--install', build, '--prefix', prefix]);
  writeFileSync(recording, motor_recording({ bytes: 60_000 }));
  run(join(prefix, 'bin', 'tonkopf'), ['conv', recording, '-o', trace]);
  expected = readFileSync(trace);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} program @param {NodeJS.ProcessEnv} env */
function converts(program, env = {}) {
  rmSync(trace, { force: true });
  expect(run(program, [recording, trace], env)).toContain('Tonbandgeraet');
  expect(readFileSync(trace).equals(expected)).toBe(true);
}

test('by CMake, shared', () => {
  run('cmake', ['-S', example, '-B', join(folder, 'cmake'), '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${prefix}`]);
  run('cmake', ['--build', join(folder, 'cmake')]);
  converts(join(folder, 'cmake', 'convert'));
});

test('by CMake, with the lines of the README', () => {
  const [, lines] = /** @type {RegExpExecArray} */ (
    /```cmake\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
  );
  const project = join(folder, 'readme');
  mkdirSync(project);
  writeFileSync(
    join(project, 'CMakeLists.txt'),
    `cmake_minimum_required(VERSION 3.21)\nproject(app LANGUAGES C)\nadd_executable(app "${join(example, 'convert.c')}")\n${lines}`,
  );
  run('cmake', ['-S', project, '-B', join(project, 'build'), '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${prefix}`]);
  run('cmake', ['--build', join(project, 'build')]);
  converts(join(project, 'build', 'app'));
});

test('by pkg-config, shared', () => {
  const env = { PKG_CONFIG_PATH: join(prefix, 'lib', 'pkgconfig') };
  const flags = run('pkg-config', ['--cflags', '--libs', 'tonkopf'], env).trim().split(/\s+/);
  const program = join(folder, 'shared');
  run('cc', ['-std=c11', '-Wall', '-Wextra', '-Werror', join(example, 'convert.c'), '-o', program, ...flags]);
  converts(program, { LD_LIBRARY_PATH: join(prefix, 'lib') });
});

test('static: without further libraries', () => {
  const program = join(folder, 'static');
  run('cc', [
    '-std=c11',
    join(example, 'convert.c'),
    '-o',
    program,
    `-I${join(prefix, 'include')}`,
    join(prefix, 'lib', 'libtonkopf.a'),
  ]);
  converts(program);
});

test('the header compiles alone, in C and in C++', () => {
  const file = join(folder, 'alone.c');
  writeFileSync(file, '#include <tonkopf.h>\nconst char *version = TK_VERSION;\n');
  const flags = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-fsyntax-only', `-I${join(prefix, 'include')}`];
  for (const standard of ['c99', 'c11', 'c17']) run('cc', [`-std=${standard}`, ...flags, file]);
  for (const standard of ['c++11', 'c++17', 'c++20'])
    run(/** @type {string} */ (whichOf('g++', 'clang++', 'c++')), [`-std=${standard}`, '-x', 'c++', ...flags, file]);
});

test('the shared library exports exactly the functions of its header', () => {
  const library = join(prefix, 'lib', 'libtonkopf.so');
  const shown = run('nm', ['-D', '--defined-only', '--format=posix', library])
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0])
    .sort();
  const header = readFileSync(join(prefix, 'include', 'tonkopf.h'), 'utf8')
    .replace(/\/\/.*$/gm, '')
    .replace(/typedef.*\(\*.*$/gm, '');
  const declared = [...header.matchAll(/\b(tk_\w+)\(/g)].map((match) => match[1]).sort();
  expect(shown).toEqual([...new Set(declared)]);
});

test('the licences are installed', () => {
  const notices = readFileSync(join(prefix, 'share', 'doc', 'tonkopf', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect([...notices.matchAll(/^(.+)\n=+$/gm)].map(([, title]) => title)).toEqual(['nanopb', 'zlib']);
  for (const words of ['Petteri Aimonen', 'Jean-loup Gailly']) expect(notices).toContain(words);
  expect(notices).toBe(coreNotices([]));
});

test('uninstall removes every file', () => {
  run('cmake', ['--build', build, '--target', 'uninstall']);
  const left = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  expect(left.map((entry) => entry.name)).toEqual([]);
});

test('a Debian package contains the same files', () => {
  run('cpack', ['--config', join(build, 'CPackConfig.cmake'), '-B', join(folder, 'deb')]);
  const [file] = readdirSync(join(folder, 'deb')).filter((name) => name.endsWith('.deb'));
  const listed = run('dpkg-deb', ['--contents', join(folder, 'deb', file)]);
  for (const name of [
    'usr/bin/tonkopf',
    'usr/include/tonkopf.h',
    'libtonkopf.so',
    'usr/share/man/man1/tonkopf.1',
    'usr/share/doc/tonkopf/LICENSE',
    'usr/share/doc/tonkopf/THIRD-PARTY-NOTICES.txt',
  ])
    expect(listed).toContain(name);
  expect(run('dpkg-deb', ['--field', join(folder, 'deb', file), 'Depends'])).toMatch(/libc6/);
});
