// SPDX-License-Identifier: MIT
// How often every part of the library runs on usual recordings, counted by a build made for that (TK_TRAIN): by that
// the native build knows what must be fast. `node scripts/profile.mjs` prints the folder with the counts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, inputs } from './bench/cases.mjs';
import { buildPreset, root, run } from './lib.mjs';

const folder = join(root, 'build', 'profile'),
  counts = join(folder, 'counts');
const stamp = join(counts, 'counted'); // objects are compiled anew when it is newer than they are

/** Like those of the benchmark, but not the same. */
const recordings = () =>
  CASES.map((one) =>
    inputs({ ...one, name: `${one.name}, to count`, words: [...(one.words ?? []), '--seed', '7'] }, '1M'),
  );

function convertAll(program) {
  const env = { ...process.env, LLVM_PROFILE_FILE: join(counts, '%p.profraw') };
  for (const { paths, cores } of recordings()) {
    run(program, ['--alone', '1', ...paths.map((path, i) => (cores[i] === null ? path : `${path}@${cores[i]}`))], {
      stdio: 'ignore',
      env,
    });
  }
}

/** clang, unlike GCC, leaves a file per run. */
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

/** Folder with the counts, made anew when the library changed. */
export function profile() {
  const program = join(buildPreset('train', { folder, settings: [`-DTK_PROFILE=${counts}`] }), 'tk_train');
  if (!existsSync(stamp) || statSync(stamp).mtimeMs <= statSync(program).mtimeMs) count(program);
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(profile());
