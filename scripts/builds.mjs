// SPDX-License-Identifier: MIT
// The builds of CMakePresets.json.
import { join } from 'node:path';
import { buildPreset, clang, emscriptenEnv, root } from './lib.mjs';
import { profile } from './profile.mjs';

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
