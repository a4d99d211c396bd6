// SPDX-License-Identifier: MIT
// Functions that scripts and tests share: paths, running programs, finding tools.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cacheDir = join(root, 'build', 'cache');
export const nanopbDir = process.env.TONKOPF_NANOPB || join(cacheDir, 'nanopb');
export const zlibDir = process.env.TONKOPF_ZLIB || join(cacheDir, 'zlib');
export const jobs = String(Math.min(availableParallelism(), 8));

/** Returns the absolute path of a program on the PATH; null: not found. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const suffix of process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']) {
      const path = join(folder, name + suffix);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // This folder does not contain the program: tries the next one.
      }
    }
  }
  return null;
}

/** Returns the absolute path of the first of several programs that is on the PATH; null: none. */
export function whichOf(...names) {
  for (const name of names) {
    const path = which(name);
    if (path) return path;
  }
  return null;
}

/** Runs a program, which writes to the output of this process. Throws if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
}

/** Installs packages of PyPI in a folder, unless the folder exists. */
export function installPython(folder, ...requirements) {
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', part, ...requirements]);
  renameSync(part, folder);
}

/** Runs a program. Returns { ok, output, status }. Never throws. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const take = (chunk) => {
      output += chunk;
      if (options.echo) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ ok: false, output: output + error.message, status: -1 }));
    child.on('close', (status) => resolve({ ok: status === 0, output, status }));
  });
}

/** Returns the files below `folder` whose paths pass `filter`: sorted paths relative to the root, with / as separator. */
export function filesBelow(folder, filter = () => true) {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(filter)
    .sort();
}

export const clang = () => whichOf('clang-14', 'clang', 'clang-15', 'clang-16', 'clang-17', 'clang-18');
export const firefox = () => process.env.TONKOPF_FIREFOX || whichOf('firefox-esr', 'firefox');
export const webkitDriver = () => process.env.TONKOPF_WEBKIT_DRIVER || which('WebKitWebDriver');
export const wine = () =>
  whichOf('wine64', 'wine') ?? ['/usr/lib/wine/wine64', '/usr/lib/wine/wine'].find(existsSync) ?? null;
/** Returns Chromium as users have it. */
export const chromium = () => process.env.TONKOPF_CHROMIUM || whichOf('chromium', 'chromium-browser', 'google-chrome');
/** Returns Chromium's engine without windows and profiles, which opens a page with half of the processor time, or `chromium` if it is missing. */
export const headlessChromium = () =>
  process.env.TONKOPF_CHROMIUM || whichOf('chromium-headless-shell', 'chrome-headless-shell') || chromium();
