// SPDX-License-Identifier: MIT
// Configures and builds the presets of CMakePresets.json.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { clang, jobs, nanopbDir, root, run, which, zlibDir } from './lib.mjs';

/** Returns the environment for emcc. Debian's emcc needs NODE_PATH to find its JavaScript helpers if node is not Debian's. */
export function emscriptenEnv() {
  const debian = '/usr/share/nodejs';
  if (!existsSync(join(debian, 'acorn'))) return process.env;
  return { ...process.env, NODE_PATH: [debian, process.env.NODE_PATH].filter(Boolean).join(delimiter) };
}

/** Returns true if a folder is configured with a setting of the form NAME=VALUE. */
function isConfigured(folder, setting) {
  const [name, value] = setting.split('=');
  return readFileSync(join(folder, 'CMakeCache.txt'), 'utf8').includes(`\n${name}:BOOL=${value}\n`);
}

/**
 * Configures a preset, unless its build folder is configured, and builds it. Returns its build folder. Uses ccache if it is on the PATH.
 * settings: options of CMake, NAME=ON or NAME=OFF, also set in a configured folder.
 */
function buildPreset(
  preset,
  { wrapper = [], env = process.env, targets = [], settings = [], folder = join(root, 'build', preset) } = {},
) {
  const defines = settings.map((one) => `-D${one}`);
  if (!existsSync(join(folder, 'build.ninja'))) {
    const [command, ...args] = [
      ...wrapper,
      ...['cmake', '--preset', preset, '-B', folder, `-DTK_NANOPB_DIR=${nanopbDir}`, `-DTK_ZLIB_DIR=${zlibDir}`],
      ...defines,
      ...(which('ccache') && !wrapper.length ? ['-DCMAKE_C_COMPILER_LAUNCHER=ccache'] : []),
    ];
    run(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  } else if (!settings.every((one) => isConfigured(folder, one))) {
    run('cmake', [folder, ...defines], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  run('cmake', ['--build', folder, '-j', jobs, ...(targets.length ? ['--target', ...targets] : [])], {
    env: { ...env, NINJA_STATUS: '[%f/%t] ' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return folder;
}

const buildWithClang = (preset, options) => {
  const compiler = clang();
  if (!compiler) throw new Error('no clang on the PATH');
  return buildPreset(preset, { env: { ...process.env, TONKOPF_CLANG: compiler }, ...options });
};

export const buildNative = (targets) => buildPreset('native', { targets });
/** Builds with the link-time optimisation of a release. */
export const buildReleased = (targets) => buildPreset('native', { targets, settings: ['TK_IPO=ON'] });
/** Builds without link-time optimisation, which takes half of the time. */
export const buildTested = (targets) => buildPreset('native', { targets, settings: ['TK_IPO=OFF'] });
export const buildSanitize = (targets) => buildWithClang('sanitize', { targets });
export const buildFuzz = (targets) =>
  buildWithClang('fuzz', { targets, folder: join(root, 'build', 'fuzz', 'targets') });
export const buildCoverage = (targets) =>
  buildWithClang('coverage', { targets, folder: join(root, 'build', 'fuzz', 'coverage') });
export const buildWasm = () => buildPreset('wasm', { wrapper: ['emcmake'], env: emscriptenEnv() });
