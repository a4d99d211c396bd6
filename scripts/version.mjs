// SPDX-License-Identifier: MIT
// Reads the version from package.json, and lists the files that contain another version.
import { readFileSync } from 'node:fs';

const read = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

export const { version } = JSON.parse(read('package.json'));

const ELSEWHERE = {
  'CMakeLists.txt': /^project\(tonkopf VERSION (\S+)/m,
  'tracer/CMakeLists.txt': /project\(tonkopf-tracer VERSION (\S+)/,
  'core/tonkopf.h': /^#define TK_VERSION "(.+)"$/m,
  'python/pyproject.toml': /^version = "(.+)"$/m,
  '.github/actions/convert/action.yml': /^ +default: v(\d\S*)$/m,
  'docs/CLI.md': /actions\/convert@v(\S+)/,
  'docs/TRACER.md': /GIT_TAG v(\d\S*)/,
  'CHANGELOG.md': /^## (?:Unreleased: )?(\d\S*)/m,
};

/** Returns the files with another version than package.json: ["FILE says VERSION"]. */
export const otherVersions = () =>
  Object.entries(ELSEWHERE)
    .map(([file, pattern]) => [file, pattern.exec(read(file))?.[1]])
    .filter(([, found]) => found !== version)
    .map(([file, found]) => `${file} says ${found ?? 'nothing'}`);
