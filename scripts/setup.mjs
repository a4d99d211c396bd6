// SPDX-License-Identifier: MIT
// Installs missing tools for builds and tests (with apt, if the user has the rights), sources of libraries, node packages, and for the tests the sources
// of the FreeRTOS kernel. Uses the programs that are already on the PATH.
import './node_version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kernelFolder } from '../tests/target/fetch-kernel.mjs';
import {
  chromium,
  clang,
  firefox,
  headlessChromium,
  nanopbDir,
  root,
  run,
  webkitDriver,
  which,
  whichOf,
  wine,
  zlibDir,
} from './lib.mjs';

const hasPkg = (name) => () => which('pkg-config') && spawnSync('pkg-config', ['--exists', name]).status === 0;

function hasFuzzer() {
  const compiler = clang();
  if (!compiler) return false;
  const folder = spawnSync(compiler, ['-print-runtime-dir'], { encoding: 'utf8' }).stdout.trim();
  return existsSync(folder) && readdirSync(folder).some((name) => name.includes('fuzzer'));
}

/** Returns true if a program is on the PATH and its `--version` names this version or a newer one. */
function hasVersion(program, major, minor) {
  if (!which(program)) return false;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, first, second] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}

// Each tool lists in `for` the groups that need it: start = page and library; native = the program and the files of `cmake --install`; test = the
// other needs of `npm test`; cross = programs of all platforms; packages = the other needs of `npm run test:packages`. NEEDS: the groups of each
// purpose. `optional`: if the tool cannot be installed, the tests that need it are skipped or take longer.
const NEEDS = {
  start: ['start'],
  native: ['native'],
  test: ['start', 'native', 'test'],
  release: ['start', 'cross'],
  packages: ['start', 'native', 'test', 'cross', 'packages'],
};
const tools = [
  {
    what: 'emscripten (emcc, emcmake)',
    apt: 'emscripten',
    for: 'start',
    found: () => which('emcc') && which('emcmake'),
  },
  { what: 'cmake 3.21 or newer', apt: 'cmake', for: 'start native', found: () => hasVersion('cmake', 3, 21) },
  { what: 'ninja', apt: 'ninja-build', for: 'start native', found: () => which('ninja') },
  {
    what: "nanopb's generator",
    apt: 'nanopb',
    for: 'start native',
    found: () => whichOf('nanopb_generator', 'nanopb_generator.py'),
  },
  { what: "bzip2, which unpacks zlib's sources", apt: 'bzip2', for: 'start native cross', found: () => which('bzip2') },
  { what: 'a C compiler', apt: 'gcc', for: 'native', found: () => whichOf('cc', 'gcc', 'clang') },
  { what: 'a C++ compiler', apt: 'g++', for: 'test', found: () => whichOf('g++', 'clang++', 'c++') },
  {
    what: 'libc headers',
    apt: 'libc6-dev',
    for: 'native',
    found: () => existsSync('/usr/include/stdio.h') || process.platform !== 'linux',
  },
  { what: 'pkg-config', apt: 'pkg-config', for: 'native cross', found: () => which('pkg-config') },
  { what: 'cmocka', apt: 'libcmocka-dev', for: 'native', found: hasPkg('cmocka') },
  { what: 'libmicrohttpd', apt: 'libmicrohttpd-dev', for: 'native', found: hasPkg('libmicrohttpd') },
  { what: 'zlib', apt: 'zlib1g-dev', for: 'native', found: hasPkg('zlib') },
  { what: 'clang with sanitizers and libFuzzer', apt: 'clang-14 libclang-rt-14-dev', for: 'test', found: hasFuzzer },
  { what: 'babeltrace2', apt: 'babeltrace2', for: 'test', found: () => which('babeltrace2') },
  { what: 'a compiler for Cortex-M', apt: 'gcc-arm-none-eabi', for: 'test', found: () => which('arm-none-eabi-gcc') },
  { what: 'make', apt: 'make', for: 'test cross', found: () => which('make') },
  {
    what: 'an emulator of Cortex-M boards',
    apt: 'qemu-system-arm',
    for: 'test',
    found: () => which('qemu-system-arm'),
  },
  {
    what: 'cargo 1.70 or newer, which fetches the kernel of FreeRTOS',
    apt: 'cargo-web',
    for: 'test',
    found: () => hasVersion('cargo', 1, 70),
  },
  { what: 'protoc', apt: 'protobuf-compiler', for: 'test', found: () => which('protoc') },
  {
    what: 'simulators that write value change dumps',
    apt: 'iverilog ghdl verilator',
    for: 'test',
    found: () => which('iverilog') && which('ghdl') && which('verilator'),
  },
  {
    what: 'valgrind, which counts instructions',
    apt: 'valgrind',
    for: 'test',
    found: () => which('valgrind') || process.platform !== 'linux',
  },
  { what: 'groff, for the man page', apt: 'groff-base', for: 'test', found: () => which('groff') },
  { what: 'shells to complete in', apt: 'fish zsh', for: 'test', found: () => which('fish') && which('zsh') },
  {
    what: 'pip',
    apt: 'python3 python3-pip',
    for: 'test cross',
    found: () => which('python3') && spawnSync('python3', ['-m', 'pip', '--version']).status === 0,
  },
  { what: 'Chromium', apt: 'chromium', for: 'test', found: () => chromium() },
  {
    what: "Chromium's engine without windows, in which the tests of the page take half of the time",
    apt: 'chromium-headless-shell',
    for: 'test',
    optional: true,
    found: () => headlessChromium() !== chromium() || process.env.TONKOPF_CHROMIUM,
  },
  { what: 'Firefox', apt: 'firefox-esr', for: 'test', found: () => firefox() },
  {
    what: 'WebKit with its driver',
    apt: 'webkit2gtk-driver',
    for: 'test',
    found: () => webkitDriver() || process.platform !== 'linux',
  },
  {
    what: 'Xvfb, a screen for WebKit',
    apt: 'xvfb',
    for: 'test',
    found: () => which('Xvfb') || process.platform !== 'linux',
  },
  {
    what: 'a compiler for RISC-V',
    apt: 'gcc-riscv64-unknown-elf',
    for: 'packages',
    optional: true,
    found: () => which('riscv64-unknown-elf-gcc'),
  },
  {
    what: 'a compiler for Xtensa',
    apt: 'gcc-xtensa-lx106',
    for: 'packages',
    optional: true,
    found: () => which('xtensa-lx106-elf-gcc'),
  },
  {
    what: 'an emulator of RISC-V boards',
    apt: 'qemu-system-misc',
    for: 'packages',
    optional: true,
    found: () => which('qemu-system-riscv32'),
  },
  {
    what: 'gdb for Cortex-M',
    apt: 'gdb-multiarch',
    for: 'packages',
    optional: true,
    found: () => whichOf('gdb-multiarch', 'arm-none-eabi-gdb'),
  },
  {
    what: 'cppcheck with its MISRA add-on',
    apt: 'cppcheck',
    for: 'packages',
    optional: true,
    found: () => which('cppcheck'),
  },
  { what: 'xmllint', apt: 'libxml2-utils', for: 'packages', found: () => which('xmllint') },
  {
    what: 'Python environments',
    apt: 'python3-venv',
    for: 'packages',
    found: () => which('python3') && spawnSync('python3', ['-c', 'import ensurepip']).status === 0,
  },
  {
    what: 'wine, which runs programs for Windows',
    apt: 'wine64',
    for: 'packages',
    optional: true,
    found: () => wine(),
  },
  {
    what: 'an emulator of programs for other processors',
    apt: 'qemu-user',
    for: 'packages',
    optional: true,
    found: () => which('qemu-aarch64'),
  },
  {
    what: 'dpkg-shlibdeps and file, which tell what a Debian package depends on',
    apt: 'dpkg-dev file',
    for: 'packages',
    found: () => which('dpkg-shlibdeps') && which('file'),
  },
  {
    what: 'musl, whose loader runs a program with the wheel for musl',
    apt: 'musl',
    for: 'packages',
    optional: true,
    found: () => ['x86_64', 'aarch64'].some((machine) => existsSync(`/lib/ld-musl-${machine}.so.1`)),
  },
  { what: 'GNU parallel', apt: 'parallel', for: 'packages', found: () => which('parallel') },
  { what: 'jq', apt: 'jq', for: 'packages', found: () => which('jq') },
  {
    what: 'debootstrap, which makes an empty machine',
    apt: 'debootstrap',
    for: 'packages',
    optional: true,
    found: () => which('debootstrap') || existsSync('/usr/sbin/debootstrap'),
  },
  { what: "xz, which unpacks libmicrohttpd's sources", apt: 'xz-utils', for: 'cross', found: () => which('xz') },
  {
    what: 'llvm-lipo, which joins programs for macOS',
    apt: 'llvm-14',
    for: 'cross',
    found: () => whichOf('llvm-lipo', 'llvm-lipo-14', 'lipo'),
  },
];

const wantedOf = (things, purpose) =>
  things.filter((thing) => thing.for.split(' ').some((need) => NEEDS[purpose].includes(need)));

// Another installation may hold apt's locks, for example the automatic updates of the system.
const LOCK_SECONDS = 300;
const APT_OPTIONS = ['-o', 'Acquire::Retries=5', '-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
const canSudo = () => which('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;

/** Returns the words before apt-get in the command, such as sudo; null: this user cannot install packages. */
function aptPrefix() {
  if (!which('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  return canSudo() ? ['sudo', '-n'] : null;
}

const packagesOf = (list) => list.map((tool) => tool.apt).join(' ');
const named = (list) => list.map((tool) => `  - ${tool.what}   (Debian: ${tool.apt})`).join('\n');

/** Runs apt-get. Tries again while another process holds the lock of the package lists, for which apt itself does not wait. */
function runApt(command, args, options) {
  const end = Date.now() + 1000 * LOCK_SECONDS;
  for (;;) {
    const { status, stderr, error } = spawnSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (error) throw error;
    if (status === 0) return;
    const isLocked = /could not get lock|unable to lock/i.test(stderr);
    if (!isLocked || Date.now() > end)
      throw new Error(
        isLocked
          ? `apt-get cannot run: another process installs packages. Try again when it has ended.\n${stderr}`
          : `apt-get failed:\n${stderr}`,
      );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  }
}

let isUpdated = false;

function aptInstall(prefix, list) {
  if (list.length === 0) return;
  console.log(`installing ${packagesOf(list)}`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const [command, ...args] = [...prefix, 'apt-get', ...APT_OPTIONS];
  if (!isUpdated) runApt(command, [...args, 'update', '-qq'], options);
  isUpdated = true;
  runApt(
    command,
    [...args, 'install', '-y', '-qq', '--no-install-recommends', ...packagesOf(list).split(' ')],
    options,
  );
}

function installTools(purpose) {
  const lacking = (list) => list.filter((tool) => !tool.found()),
    missing = lacking(wantedOf(tools, purpose)),
    prefix = aptPrefix();
  const needed = missing.filter((tool) => !tool.optional),
    others = missing.filter((tool) => tool.optional);
  if (prefix) aptInstall(prefix, needed);
  const still = lacking(needed);
  if (still.length) {
    const reason = prefix
      ? 'The packages of this system are too old or incomplete'
      : which('apt-get')
        ? 'This user may not install packages'
        : 'There is no apt-get, so this script cannot install packages';
    throw new Error(
      `${reason}. Please install:\n${named(still)}\nOn Debian and Ubuntu: apt-get install ${packagesOf(still)}`,
    );
  }
  // One by one, because apt installs none of several packages if the system lacks one of them.
  for (const tool of prefix ? others : []) {
    try {
      aptInstall(prefix, [tool]);
    } catch (error) {
      console.log(error.message);
    }
  }
  const left = lacking(others);
  if (left.length) console.log(`Tests are skipped or take longer without:\n${named(left)}`);
}

// ---- Sources of libraries ------------------------------------------------------------------------
// The core contains sources of nanopb and zlib, from the source packages of the distribution: its binary packages contain no C sources, which the
// WebAssembly build needs.

const sources = [
  {
    name: 'nanopb',
    for: 'start native',
    what: 'nanopb 0.4.7 or newer',
    variable: 'TONKOPF_NANOPB',
    into: nanopbDir,
    files: [
      'pb.h',
      'pb_common.h',
      'pb_common.c',
      'pb_encode.h',
      'pb_encode.c',
      'pb_decode.h',
      'pb_decode.c',
      'LICENSE.txt',
    ],
    sums: { 'nanopb_0.4.7.orig.tar.gz': 'e1d89b166367a3c42d42311bdc2ed57ff78f86aede9a66828516e45490d48c81' },
  },
  {
    name: 'zlib',
    for: 'start native',
    what: 'zlib 1.2.13 or newer',
    variable: 'TONKOPF_ZLIB',
    into: zlibDir,
    files: [
      'zlib.h',
      'zconf.h',
      'zutil.h',
      'inflate.h',
      'inflate.c',
      'inftrees.h',
      'inftrees.c',
      'inffast.h',
      'inffast.c',
      'inffixed.h',
      'crc32.h',
      'crc32.c',
      'adler32.c',
      'README',
    ],
    sums: { 'zlib_1.2.13.dfsg.orig.tar.bz2': '71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1' },
  },
];

/** Copies the apt sources of the machine to `folder`, changed to source packages (deb-src). The settings of the system stay unchanged. */
function writeSourceEntries(folder) {
  mkdirSync(join(folder, 'parts'));
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  const system = '/etc/apt/sources.list.d';
  for (const name of existsSync(system) ? readdirSync(system) : []) {
    if (!/^(debian|ubuntu).*\.sources$/.test(name)) continue;
    const text = readFileSync(join(system, name), 'utf8').replace(/^Types:.*$/gm, 'Types: deb-src');
    writeFileSync(join(folder, 'parts', name), text);
  }
  if (existsSync('/etc/apt/sources.list')) {
    const text = readFileSync('/etc/apt/sources.list', 'utf8').replace(/^deb /gm, 'deb-src ');
    writeFileSync(join(folder, 'parts', 'old-style.list'), text);
  }
}

function download(source, folder) {
  writeSourceEntries(folder);
  const settings = [
    '-o',
    'Dir::Etc::sourcelist=/dev/null',
    '-o',
    `Dir::Etc::sourceparts=${join(folder, 'parts')}`,
    '-o',
    `Dir::State::lists=${join(folder, 'lists')}`,
    '-o',
    'APT::Sandbox::User=root',
    ...APT_OPTIONS,
    '-qq',
  ];
  runApt('apt-get', [...settings, 'update'], { cwd: folder });
  runApt('apt-get', [...settings, 'source', '--download-only', source.name], { cwd: folder });
  const archive = readdirSync(folder).find(
    (name) => name.startsWith(`${source.name}_`) && /\.orig\.tar\.\w+$/.test(name),
  );
  if (!archive) throw new Error(`the source package of ${source.name} holds no archive`);
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, archive)))
    .digest('hex');
  if (source.sums[archive] && source.sums[archive] !== sum) throw new Error(`${archive} has the wrong sha256 ${sum}`);
  if (!source.sums[archive])
    console.log(`${archive}: version unknown to this script, checked by the distribution's signature only`);
  return join(folder, archive);
}

/** Downloads a source package of the distribution and unpacks it to `folder`, unless the folder exists. sums: SHA-256 of known archives. */
export function fetchSource(name, sums, folder) {
  if (existsSync(folder)) return;
  const work = mkdtempSync(join(tmpdir(), `tonkopf-${name}-`)),
    part = `${folder}.part`;
  try {
    const archive = download({ name, sums }, work);
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    run('tar', ['-xf', archive, '-C', part, '--strip-components=1']);
    renameSync(part, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function installSource(source) {
  if (source.files.every((name) => /^LICENSE/.test(name) || existsSync(join(source.into, name)))) return;
  if (!which('apt-get')) {
    throw new Error(
      `${source.what}: put ${source.files.join(', ')} of its release into ${source.into}, or name a folder in ${source.variable}`,
    );
  }
  console.log(`fetching ${source.name}'s sources`);
  const folder = mkdtempSync(join(tmpdir(), `tonkopf-${source.name}-`));
  try {
    const archive = download(source, folder);
    mkdirSync(join(folder, 'out'));
    run('tar', ['-xf', archive, '-C', join(folder, 'out'), '--strip-components=1']);
    for (const name of source.files) {
      mkdirSync(dirname(join(source.into, name)), { recursive: true });
      copyFileSync(join(folder, 'out', name), join(source.into, name));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installNodePackages() {
  const stamp = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('installing node packages');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' });
  const now = new Date();
  utimesSync(stamp, now, now);
}

function install(purpose) {
  installTools(purpose);
  for (const source of wantedOf(sources, purpose)) installSource(source);
  if (NEEDS[purpose].includes('start')) installNodePackages();
  if (NEEDS[purpose].includes('test')) kernelFolder();
}

/** Installs everything that a purpose needs. purpose: a key of NEEDS. If something cannot be installed, ends the process with a message. */
export function setup(purpose) {
  try {
    install(purpose);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setup(Object.keys(NEEDS).find((purpose) => process.argv.includes(`--${purpose}`)) ?? 'test');
  console.log('everything is there');
}
