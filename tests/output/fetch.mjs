// SPDX-License-Identifier: MIT
// Shared by the fetch scripts: files that tests need, kept in build/cache and verified by their checksums.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const cache = path.join(root, 'build/cache');

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

export function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (result.error) throw new Error(`${command}: ${result.error.message}`);
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

/**
 * Makes sure that build/cache/`name` exists. `fetchInto(folder)` fills a new folder, `check(folder)` throws when its content is wrong. The
 * folder gets its name only when it is complete and verified, so an interrupted or concurrent run leaves no partial one.
 */
export function provide(name, check, fetchInto) {
  const target = path.join(cache, name);
  if (fs.existsSync(target)) {
    check(target);
    return target;
  }
  fs.mkdirSync(cache, { recursive: true });
  const work = fs.mkdtempSync(path.join(cache, `.${name}-`));
  try {
    const content = path.join(work, 'content');
    fs.mkdirSync(content);
    fetchInto(content, work);
    check(content);
    try {
      fs.renameSync(content, target);
    } catch (error) {
      if (!fs.existsSync(target)) throw error; // another process has fetched the same files meanwhile
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return target;
}

/** Relative paths of all files below a folder, sorted, with / on every system. */
export function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath ?? entry.path, entry.name))
        .split(path.sep)
        .join('/'),
    )
    .sort();
}

export const npm = os.platform() === 'win32' ? 'npm.cmd' : 'npm';
