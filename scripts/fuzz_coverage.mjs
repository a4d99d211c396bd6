// SPDX-License-Identifier: MIT
// Measures the coverage of core/ by the inputs of the fuzz targets, for `npm run fuzz -- --report`: runs all inputs with clang's source coverage.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildCoverage } from './cmake.mjs';
import { root, whichOf } from './lib.mjs';

const tool = (name) => [join('/usr/lib/llvm-14/bin', name)].find(existsSync) ?? whichOf(`${name}-14`, name);

const percent = ({ count, covered }) => (count ? `${((100 * covered) / count).toFixed(1)} %` : '-');

/** Adds the counts of one kind (lines, regions or functions) of all files. */
const sum = (files, kind) =>
  files.reduce(
    (total, { summary }) => ({
      count: total.count + summary[kind].count,
      covered: total.covered + summary[kind].covered,
    }),
    { count: 0, covered: 0 },
  );

/** Returns the files of the core with their counts, and the functions of the core that no input reached. */
function exportCoverage(profile, program) {
  const result = spawnSync(tool('llvm-cov'), ['export', `-instr-profile=${profile}`, program], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  if (result.status !== 0) throw new Error(result.stderr);
  const { files, functions } = JSON.parse(result.stdout).data[0];
  const inCore = (path) => relative(root, path).startsWith('core/');
  // Each object contains a copy of the static functions of headers, so a function counts as reached if one copy was reached.
  const reached = new Set(
    functions.filter(({ count }) => count).map(({ name, filenames }) => `${filenames[0]} ${name.replace(/^.*:/, '')}`),
  );
  const missed = functions
    .filter(({ filenames }) => inCore(filenames[0]))
    .map(({ name, filenames }) => ({ file: filenames[0], name: name.replace(/^.*:/, '') }))
    .filter(({ file, name }) => !reached.has(`${file} ${name}`));
  return {
    files: files
      .filter(({ filename }) => inCore(filename))
      .map((file) => ({ ...file, name: relative(root, file.filename) })),
    missed: [...new Set(missed.map(({ file, name }) => `${relative(root, file)}: ${name}`))].sort(),
  };
}

/** Prints a table of the coverage of the targets. targets: [{ name, inputs: files and folders }]. */
export async function coverage(targets) {
  if (!tool('llvm-cov') || !tool('llvm-profdata')) {
    console.log('no llvm-cov: coverage is not counted');
    return;
  }
  const build = buildCoverage(['seeded']);
  const profiles = join(root, 'build', 'fuzz', 'profiles');
  rmSync(profiles, { recursive: true, force: true });
  mkdirSync(profiles, { recursive: true });
  const program = join(build, 'tests', 'seeded');
  for (const { name, inputs } of targets.filter((target) => target.inputs.length)) {
    const replay = spawnSync(program, [name, '1', '0', join(profiles, `${name}-crash`), ...inputs], {
      encoding: 'utf8',
      env: { ...process.env, LLVM_PROFILE_FILE: join(profiles, `${name}.profraw`) },
    });
    if (replay.status !== 0) throw new Error(`${name}: ${replay.stderr}`);
  }
  const merged = join(profiles, 'all.profdata');
  const profile = targets.map(({ name }) => join(profiles, `${name}.profraw`)).filter((file) => existsSync(file));
  const merging = spawnSync(tool('llvm-profdata'), ['merge', '-o', merged, ...profile], { encoding: 'utf8' });
  if (merging.status !== 0) throw new Error(merging.stderr);
  const { files, missed } = exportCoverage(merged, program);
  const folders = [...new Set(files.map((file) => dirname(file.name)))].sort();
  const row = (name, part) => ({
    name,
    lines: sum(part, 'lines'),
    regions: sum(part, 'regions'),
    functions: sum(part, 'functions'),
  });
  const rows = [
    ...folders.map((name) =>
      row(
        name,
        files.filter((file) => dirname(file.name) === name),
      ),
    ),
    row('all', files),
  ];
  console.log('\n| part of the core | lines | regions | functions |\n|---|---:|---:|---:|');
  for (const one of rows)
    console.log(`| ${one.name} | ${percent(one.lines)} | ${percent(one.regions)} | ${percent(one.functions)} |`);
  if (missed.length) console.log(`\nNot reached at all:\n${missed.map((name) => `- ${name}`).join('\n')}`);
}
