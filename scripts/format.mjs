// SPDX-License-Identifier: MIT
// Formats C with clang-format, and TypeScript, JavaScript and CSS with prettier: `npm run format`. --check changes nothing, lists the files that differ,
// and fails. Other arguments name the files to format, instead of all. Tables of X-macros (.def) are not formatted, because their columns are aligned.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, installPython, root } from './lib.mjs';

const VERSION = '19.1.7';
const folder = join(cacheDir, `clang-format-${VERSION}`);
const clangFormat = join(
  folder,
  'clang_format',
  'data',
  'bin',
  process.platform === 'win32' ? 'clang-format.exe' : 'clang-format',
);
const prettier = join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
const check = process.argv.includes('--check');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

/** Returns the files that match the patterns and that git does not ignore. */
function sources(...patterns) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...patterns];
  const list = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (list.status !== 0) throw new Error(`git ls-files: ${list.stderr}`);
  return list.stdout
    .split('\n')
    .filter((name) => name && (!only.length || only.includes(name)) && existsSync(join(root, name)));
}

function format(command, args, files) {
  if (!files.length) return true;
  const result = spawnSync(command, [...args, ...files], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.error) throw result.error;
  if (result.status !== 0)
    console.log(
      (result.stdout + result.stderr)
        .split('\n')
        .filter((line) => /^\S/.test(line))
        .join('\n'),
    );
  return result.status === 0;
}

installPython(folder, `clang-format==${VERSION}`);
const c = sources('*.c', '*.h', '*.cc');
const scripts = sources('*.ts', '*.tsx', '*.mts', '*.mjs', '*.js', '*.css');
const results = [
  format(clangFormat, check ? ['--dry-run', '--Werror', '--ferror-limit=1'] : ['-i'], c),
  format(process.execPath, [prettier, '--log-level=warn', check ? '--check' : '--write'], scripts),
];
const good = results.every(Boolean);
console.log(good ? `${c.length + scripts.length} files are formatted` : 'not formatted: run `npm run format`');
process.exit(good ? 0 : 1);
