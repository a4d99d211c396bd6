// SPDX-License-Identifier: MIT
// Configures and builds the presets of CMakePresets.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CASES, inputs } from './bench/cases.mjs';
import { clang, jobs, nanopbDir, root, run, zlibDir } from './lib.mjs';

/** Returns the environment for emcc. Debian's emcc needs NODE_PATH to find its JavaScript helpers if node is not Debian's. */
export function emscriptenEnv() {
  const debian = '/usr/share/nodejs';
  if (!existsSync(join(debian, 'acorn'))) return process.env;
  return { ...process.env, NODE_PATH: [debian, process.env.NODE_PATH].filter(Boolean).join(delimiter) };
}

/** Returns true if a build folder is configured with these settings (-DNAME=VALUE). */
function isConfigured(folder, settings) {
  if (!existsSync(join(folder, 'build.ninja'))) return false;
  const known = readFileSync(join(folder, 'CMakeCache.txt'), 'utf8')
    .split(/\r?\n/)
    .map((line) => line.replace(/:\w+=/, '='));
  return settings.every((setting) => known.includes(setting.slice(2)));
}

/** Configures a preset if necessary, and builds it. Returns its build folder. */
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
const stamp = join(counts, 'counted'); // the build compiles objects again that are older than this file

/** Returns recordings like those of the benchmark, but with another seed. */
const recordings = () =>
  CASES.map((one) =>
    inputs({ ...one, name: `${one.name}, to count`, words: [...(one.words ?? []), '--seed', '7'] }, '1M'),
  );

function convertAll(program) {
  const env = { ...process.env, LLVM_PROFILE_FILE: join(counts, '%p.profraw') };
  for (const { files } of recordings()) run(program, ['--alone', '1', ...files], { stdio: 'ignore', env });
}

/** Merges the counts of all runs. Clang writes a file per run; GCC merges them itself. */
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
 * Returns the folder with the profile of the library, which counts how often each piece of code runs on typical recordings. If the library has changed,
 * a separate build (TK_TRAIN) first makes a new profile. With it the native build optimises frequently executed code for speed.
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
