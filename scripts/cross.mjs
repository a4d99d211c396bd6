// SPDX-License-Identifier: MIT
// Builds programs and libraries for all platforms on one machine: build/cross/PLATFORM/{bin,lib,THIRD-PARTY-NOTICES.txt}. `node scripts/cross.mjs
// PLATFORM...` builds only the named platforms. The compiler is zig's, which contains headers and C libraries of every platform. zlib and
// libmicrohttpd are built from the sources of the distribution and linked statically, so that the programs need no other files.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir, installPython, jobs, nanopbDir, root, run, whichOf, zlibDir } from './lib.mjs';
import { writeNotices } from './notices.mjs';
import { fetchSource, setup } from './setup.mjs';

const ZIG = 'ziglang==0.13.0 --hash=sha256:3ce0c9f16547e5d61b32e0d226926e9a2552ef4b91fccf7ab5ea1a623a77824b';
const work = join(cacheDir, 'cross'),
  out = join(root, 'build', 'cross');
const zigFolder = join(work, 'zig', 'ziglang'),
  zig = join(zigFolder, 'zig');

// For each platform: zig's targets, with the kinds of files to build for each target. The program for Linux contains its C library. The shared library for Linux uses the C
// library of the process that loads it, glibc 2.17 or newer. Files for macOS are joined from two targets.
export const PLATFORMS = {
  'linux-x86_64': { 'x86_64-linux-musl': ['program'], 'x86_64-linux-gnu.2.17': ['library'] },
  'linux-aarch64': { 'aarch64-linux-musl': ['program'], 'aarch64-linux-gnu.2.17': ['library'] },
  'windows-x86_64': { 'x86_64-windows-gnu': ['program', 'library'] },
  'macos-universal': { 'aarch64-macos.11.0': ['program', 'library'], 'x86_64-macos.11.0': ['program', 'library'] },
};
const SYSTEMS = { linux: 'Linux', windows: 'Windows', macos: 'Darwin' };
const system = (target) => target.split('-')[1].split('.')[0];
const KINDS = {
  program: {
    target: 'tonkopf-cli',
    made: 'cli',
    folder: 'bin',
    names: { linux: 'tonkopf', windows: 'tonkopf.exe', macos: 'tonkopf' },
  },
  library: {
    target: 'tonkopf_shared',
    made: join('core', 'install'),
    folder: 'lib',
    names: { linux: 'libtonkopf.so', windows: 'tonkopf.dll', macos: 'libtonkopf.dylib' },
  },
};

function installZig() {
  const list = join(work, 'zig.txt');
  mkdirSync(work, { recursive: true });
  writeFileSync(list, `${ZIG}\n`);
  installPython(join(work, 'zig'), '--require-hashes', '--no-deps', '--only-binary', ':all:', '-r', list);
}

/**
 * Writes scripts that start zig's tools, for CMake and configure. Returns their paths. Test programs of configure are linked with the flags of our
 * programs: for each new combination of flags zig first builds a C library, which takes a minute.
 */
function tools(target) {
  const folder = join(work, target, 'tools');
  mkdirSync(folder, { recursive: true });
  const tool = (name, words) => {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nZIG_GLOBAL_CACHE_DIR='${join(work, 'zig-cache')}' exec '${zig}' ${words} "$@"\n`,
    );
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  return {
    cc: tool('cc', `cc -target ${target} -O2 -s -fno-lto`),
    ar: tool('ar', 'ar'),
    ranlib: tool('ranlib', 'ranlib'),
    rc: tool('rc', 'rc'),
  };
}

const cmakeSettings = (target, { cc, ar, ranlib, rc }) => [
  '-G',
  'Ninja',
  '-DCMAKE_BUILD_TYPE=Release',
  `-DCMAKE_SYSTEM_NAME=${SYSTEMS[system(target)]}`,
  `-DCMAKE_SYSTEM_PROCESSOR=${target.split('-')[0]}`,
  `-DCMAKE_C_COMPILER=${cc}`,
  `-DCMAKE_AR=${ar}`,
  `-DCMAKE_RANLIB=${ranlib}`,
  '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY', // CMake's check of the compiler then links nothing, which would take a minute
  ...(system(target) === 'windows' ? [`-DCMAKE_RC_COMPILER=${rc}`] : []),
];

const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

const ZLIB = ['adler32', 'compress', 'crc32', 'deflate', 'inffast', 'inflate', 'inftrees', 'trees', 'uncompr', 'zutil'];

/** Builds zlib file by file, because the distribution's source package lacks files that zlib's own build needs. */
function buildZlib(target, prefix) {
  const source = join(work, 'zlib'),
    build = join(work, target, 'zlib'),
    { cc, ar } = tools(target);
  fetchSource(
    'zlib',
    { 'zlib_1.2.13.dfsg.orig.tar.bz2': '71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1' },
    source,
  );
  for (const folder of [build, join(prefix, 'include'), join(prefix, 'lib', 'pkgconfig')])
    mkdirSync(folder, { recursive: true });
  // zlib 1.2.13 assumes that macOS has no fdopen and defines it as a macro; `-Dfdopen=fdopen` prevents that.
  for (const name of ZLIB)
    run(cc, ['-fPIC', '-w', '-Dfdopen=fdopen', '-c', join(source, `${name}.c`), '-o', `${name}.o`], {
      ...quiet,
      cwd: build,
    });
  run(ar, ['rcs', join(prefix, 'lib', 'libz.a'), ...ZLIB.map((name) => `${name}.o`)], { ...quiet, cwd: build });
  for (const header of ['zlib.h', 'zconf.h']) copyFileSync(join(source, header), join(prefix, 'include', header));
}

const ABOUT_SYSTEM = /^(ac|mhd)_cv_(header|func|have|type|member|search|lib)_/;

/** Runs configure. Reuses its results on functions and headers for other processors of the same system. Other results, such as sizes of types and pages, depend on the processor. */
function configure(script, target, folder, args) {
  const known = join(work, `configured-${system(target)}`),
    cache = join(folder, 'config.cache');
  const answers = existsSync(known) ? readFileSync(known, 'utf8').split('\n') : [];
  writeFileSync(cache, answers.filter((line) => ABOUT_SYSTEM.test(line)).join('\n'));
  run(script, ['--config-cache', ...args], { ...quiet, cwd: folder });
  copyFileSync(cache, known);
}

/** Builds libmicrohttpd without TLS, because `tonkopf serve` only accepts connections from the same machine. */
function buildMicrohttpd(target, prefix) {
  const source = join(work, 'microhttpd'),
    build = join(work, target, 'microhttpd');
  fetchSource(
    'libmicrohttpd',
    { 'libmicrohttpd_0.9.75.orig.tar.xz': '796e7e217a4802679fcac667a4e98501c53185dcf50ca0583870e84192620131' },
    source,
  );
  const { cc, ar, ranlib } = tools(target);
  mkdirSync(build, { recursive: true });
  const host = system(target) === 'macos' ? `${target.split('-')[0]}-apple-darwin` : target.replace(/\.[\d.]+$/, '');
  const words = [
    '--disable-https',
    '--disable-doc',
    '--disable-examples',
    '--disable-curl',
    '--disable-shared',
    '--enable-static',
    '--with-pic',
  ];
  configure(join(source, 'configure'), target, build, [
    `--host=${host}`,
    `--prefix=${prefix}`,
    ...words,
    `CC=${cc}`,
    `AR=${ar}`,
    `RANLIB=${ranlib}`,
    'CFLAGS=-O2',
  ]);
  run('make', ['-C', join(build, 'src', 'microhttpd'), '-j', jobs, 'install'], quiet);
  run('make', ['-C', build, 'install-pkgconfigDATA', 'install-data-am'], quiet);
  run('make', ['-C', join(build, 'src', 'include'), 'install'], quiet);
}

/** Returns true if a build contains the command `serve`, which needs libmicrohttpd. The program for Windows does not contain it. */
const serves = (target, kinds) => kinds.includes('program') && system(target) !== 'windows';

/** Builds for one target. kinds: 'program', 'library' or both. */
function build(target, kinds) {
  const prefix = join(work, target, 'prefix'),
    folder = join(work, target, 'build'),
    built = (kind) => (kinds.includes(kind) ? 'ON' : 'OFF');
  if (!existsSync(join(prefix, 'lib', 'libz.a'))) buildZlib(target, prefix);
  if (serves(target, kinds) && !existsSync(join(prefix, 'lib', 'libmicrohttpd.a'))) buildMicrohttpd(target, prefix);
  const env = { ...process.env, PKG_CONFIG_LIBDIR: join(prefix, 'lib', 'pkgconfig') };
  run(
    'cmake',
    [
      '-S',
      root,
      '-B',
      folder,
      ...cmakeSettings(target, tools(target)),
      `-DTK_NANOPB_DIR=${nanopbDir}`,
      `-DTK_ZLIB_DIR=${zlibDir}`,
      '-DTK_TESTS=OFF',
      `-DTK_CLI=${built('program')}`,
      `-DTK_LIBRARY=${built('library')}`,
      `-DZLIB_LIBRARY=${join(prefix, 'lib', 'libz.a')}`,
      `-DZLIB_INCLUDE_DIR=${join(prefix, 'include')}`,
    ],
    { ...quiet, env },
  );
  run('cmake', ['--build', folder, '-j', jobs, '--target', ...kinds.map((kind) => KINDS[kind].target)], quiet);
}

/** Copies a built program or library to build/cross/PLATFORM, where the packages find it. Joins the files of several targets. */
function place(platform, { made, names, folder }, targets) {
  const file = names[platform.split('-')[0]],
    to = join(out, platform, folder, file);
  const files = targets.map((target) => join(work, target, 'build', made, file));
  mkdirSync(join(out, platform, folder), { recursive: true });
  rmSync(to, { force: true });
  if (files.length === 1) copyFileSync(files[0], to);
  else run(whichOf('llvm-lipo', 'llvm-lipo-14', 'lipo'), ['-create', ...files, '-output', to]);
  chmodSync(to, 0o755);
  console.log(to.slice(root.length + 1));
}

/** Notice for libmicrohttpd: the LGPL requires that users can link the program with another version of it. */
const RELINK =
  'Version 0.9.75, unchanged, without HTTPS. Its source: https://www.gnu.org/software/libmicrohttpd/\nThe sources of Tonkopf link it anew: `node scripts/cross.mjs`.';

/** Returns the third-party code in the programs and libraries of a platform: [name, file with its licence, notice]. */
const linkedIn = (platform) => [
  ['Zig (run-time of the compiler)', join(zigFolder, 'LICENSE')],
  ...(platform.startsWith('windows')
    ? [['mingw-w64', join(zigFolder, 'lib', 'libc', 'mingw', 'COPYING')]]
    : [['GNU libmicrohttpd', join(work, 'microhttpd', 'COPYING'), RELINK]]),
  ...(platform.startsWith('linux') ? [['musl', join(zigFolder, 'lib', 'libc', 'musl', 'COPYRIGHT')]] : []),
];

export function cross(platform) {
  const targets = Object.entries(PLATFORMS[platform]);
  installZig();
  for (const [target, kinds] of targets) build(target, kinds);
  for (const [kind, what] of Object.entries(KINDS))
    place(
      platform,
      what,
      targets.filter(([, kinds]) => kinds.includes(kind)).map(([target]) => target),
    );
  writeNotices(join(out, platform), linkedIn(platform));
  return join(out, platform);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2),
    unknown = named.filter((name) => !PLATFORMS[name]);
  if (unknown.length) {
    console.error(`no platform ${unknown.join(', ')}; there are: ${Object.keys(PLATFORMS).join(', ')}`);
    process.exit(2);
  }
  setup('release');
  for (const platform of named.length ? named : Object.keys(PLATFORMS)) cross(platform);
}
