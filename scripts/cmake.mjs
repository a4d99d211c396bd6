// SPDX-License-Identifier: MIT
// Configures and builds the presets of CMakePresets.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CASES, inputs } from './bench/cases.mjs';
import { clang, jobs, nanopbDir, root, run, zlibDir } from './lib.mjs';

/** Debian's emcc finds its JavaScript helpers only with this when node is not Debian's own. */
export function emscriptenEnv() {
  const debian = '/usr/share/nodejs';
  if (!existsSync(join(debian, 'acorn'))) return process.env;
  return { ...process.env, NODE_PATH: [debian, process.env.NODE_PATH].filter(Boolean).join(delimiter) };
}

/** Is the folder configured with these settings, -DNAME=VALUE each? */
function isConfigured(folder, settings) {
  if (!existsSync(join(folder, 'build.ninja'))) return false;
  const known = readFileSync(join(folder, 'CMakeCache.txt'), 'utf8')
    .split(/\r?\n/)
    .map((line) => line.replace(/:\w+=/, '='));
  return settings.every((setting) => known.includes(setting.slice(2)));
}

/** Configures (when needed) and builds one preset; returns its folder. */
function buildPreset(
  preset,
  { wrapper = [], env = process.env, targets = [], folder = join(root, 'build', preset), settings = [] } = {},
) {
  if (!isConfigured(folder, settings)) {
    const [command, ...args] = [
      ...wrapper,
      'cmake',
      '--preset',
      preset,
      '-B',
      folder,
      `-DTK_NANOPB_DIR=${nanopbDir}`,
      `-DTK_ZLIB_DIR=${zlibDir}`,
      ...settings,
    ];
    run(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  run('cmake', ['--build', folder, '-j', jobs, ...(targets.length ? ['--target', ...targets] : [])], {
    env: { ...env, NINJA_STATUS: '[%f/%t] ' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return folder;
}

const training = join(root, 'build', 'profile'),
  counts = join(training, 'counts');
const stamp = join(counts, 'counted'); // objects are compiled anew when it is newer than they are

/** Recordings like those of the benchmark, with another seed. */
const recordings = () =>
  CASES.map((one) =>
    inputs({ ...one, name: `${one.name}, to count`, words: [...(one.words ?? []), '--seed', '7'] }, '1M'),
  );

function convertAll(program) {
  const env = { ...process.env, LLVM_PROFILE_FILE: join(counts, '%p.profraw') };
  for (const { files } of recordings()) run(program, ['--alone', '1', ...files], { stdio: 'ignore', env });
}

/** Merges the counts: clang, unlike GCC, writes a file per run. */
function mergeRuns() {
  const runs = readdirSync(counts).filter((name) => name.endsWith('.profraw'));
  if (!runs.length) return;
  const tool = spawnSync(process.env.CC ?? 'cc', ['-print-prog-name=llvm-profdata'], {
    encoding: 'utf8',
  }).stdout.trim();
  run(tool, ['merge', '-o', 'counts.profdata', ...runs], { cwd: counts });
  for (const name of runs) rmSync(join(counts, name));
}

function count(program) {
  rmSync(counts, { recursive: true, force: true });
  mkdirSync(counts, { recursive: true });
  convertAll(program);
  mergeRuns();
  writeFileSync(stamp, '');
}

/**
 * Returns the folder that contains how often each part of the library runs on usual recordings. A build of its own (TK_TRAIN)
 * counts that again when the library changed; the native build then optimises for speed what runs often.
 */
function profile() {
  const program = join(buildPreset('train', { folder: training, settings: [`-DTK_PROFILE=${counts}`] }), 'tk_train');
  if (!existsSync(stamp) || statSync(stamp).mtimeMs <= statSync(program).mtimeMs) count(program);
  return counts;
}

const buildWithClang = (preset, options) => {
  const compiler = clang();
  if (!compiler) throw new Error('no clang on the PATH');
  return buildPreset(preset, { env: { ...process.env, TONKOPF_CLANG: compiler }, ...options });
};

export const buildNative = (targets) => buildPreset('native', { targets, settings: [`-DTK_PROFILE=${profile()}`] });
export const buildSanitize = (targets) => buildWithClang('sanitize', { targets });
export const buildFuzz = (targets) =>
  buildWithClang('fuzz', { targets, folder: join(root, 'build', 'fuzz', 'targets') });
export const buildCoverage = (targets) =>
  buildWithClang('coverage', { targets, folder: join(root, 'build', 'fuzz', 'coverage') });
export const buildWasm = () => buildPreset('wasm', { wrapper: ['emcmake'], env: emscriptenEnv() });
