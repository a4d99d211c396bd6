// SPDX-License-Identifier: MIT
// A copy of the project, in which a test may write.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './formats.mjs';

/** Copies all files that git tracks or would track; what is installed and fetched is linked. Returns the folder. */
export function copyTree() {
  const tree = mkdtempSync(join(tmpdir(), 'tonkopf-tree-'));
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const name of list.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    cpSync(join(root, name), join(tree, name), { force: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  mkdirSync(join(tree, 'build'), { recursive: true });
  symlinkSync(join(root, 'build', 'cache'), join(tree, 'build', 'cache'));
  execFileSync('git', ['init', '--quiet'], { cwd: tree }); // scripts ask git for the files
  return tree;
}
