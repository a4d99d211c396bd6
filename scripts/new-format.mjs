// SPDX-License-Identifier: MIT
// Writes the files of a new format, and checks that a format is complete. docs/NEW_FORMAT.md explains the steps.
//   npm run new-format NAME     writes a working format from tests/toy/skeleton, and lists the next steps
//   npm run check-format NAME   lists the missing parts of a format; exit code 1 if there are any
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { namesIn } from '../tests/common/formats.mjs';
import { packCorpus } from '../tests/fuzz/pack.mjs';
import { filesBelow, root } from './lib.mjs';

const DEF = 'core/formats/formats.def';
const read = (path) => readFileSync(join(root, path), 'utf8');
const has = (path) => existsSync(join(root, path));

// ---- new-format ----

/** Returns a map from the files of the skeleton to the paths of the files of the new format. */
const destinations = (name) => ({
  'skeleton.c': `core/formats/${name}/${name}.c`,
  'format.json': `core/formats/${name}/format.json`,
  'skeleton.mjs': `tests/generator/${name}.mjs`,
  'golden-skeleton.mjs': `tests/generator/golden-${name}.mjs`,
  'big-skeleton.mjs': `tests/generator/big-${name}.mjs`,
  'decode_skeleton.c': `tests/fuzz/decode_${name}.c`,
  'skeleton.md': `docs/formats/${name}.md`,
});

function refuse(reason) {
  console.error(reason);
  process.exit(2);
}

/** Appends a row to the table of formats in the README. */
function link(name, title) {
  const lines = read('README.md').split('\n');
  const last = lines.findLastIndex((line) => /^\| \[.*\]\(docs\/formats\/\w+\.md\)/.test(line));
  lines.splice(last + 1, 0, `| [${title}](docs/formats/${name}.md) | where its recordings come from |`);
  writeFileSync(join(root, 'README.md'), lines.join('\n'));
}

/** Runs code in a new process, because this process has read the list of formats before the new format was added. */
const fresh = (code) => execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root });

function create(name) {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) refuse(`"${name}" is no name: small letters, digits and _, a letter first`);
  if (namesIn(read(DEF)).includes(name) || has(`core/formats/${name}`)) refuse(`there is a format ${name} already`);
  const files = Object.entries(destinations(name));
  const taken = files.map(([, path]) => path).filter(has);
  if (taken.length) refuse(`there is a file already: ${taken.join(', ')}`);
  const title = name[0].toUpperCase() + name.slice(1);
  const named = (text) =>
    text
      .replaceAll('SKELETON', name.toUpperCase().slice(0, 8))
      .replaceAll('Skeleton', title)
      .replaceAll('skeleton', name);
  for (const [from, to] of files) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    writeFileSync(join(root, to), named(read(`tests/toy/skeleton/${from}`)));
  }
  appendFileSync(join(root, DEF), `TK_FORMAT(${name})\n`);
  link(name, title);
  mkdirSync(join(root, 'tests/golden', name), { recursive: true });
  for (const file of readdirSync(join(root, 'tests/toy/skeleton/golden')))
    writeFileSync(join(root, 'tests/golden', name, file), named(read(`tests/toy/skeleton/golden/${file}`)));
  fresh(`import('./tests/generator/golden-cases.mjs').then((m) => m.sync_manifests({ write: true }))`);
  const seeds = fresh(
    `import('./tests/fuzz/seeds.mjs').then((m) => console.log(JSON.stringify(m.seedsOf('decode_${name}').map((seed) => seed.toString('hex')))))`,
  );
  packCorpus(
    join(root, `tests/fuzz/corpus/decode_${name}.pack`),
    JSON.parse(String(seeds)).map((seed) => Buffer.from(seed, 'hex')),
  );
  // The name of the format changes the lengths of lines, so the files are formatted again.
  execFileSync(process.execPath, ['scripts/format.mjs', ...files.map(([, path]) => path)], { cwd: root });
  console.log(`${[...files.map(([, path]) => path), `tests/golden/${name}/`, `tests/fuzz/corpus/decode_${name}.pack`].join('\n')}
${DEF} and README.md have a new line.

Next, in the order of docs/NEW_FORMAT.md:
  npm run build:native                       builds the format; before golden:update, too
  npm run golden:update                      after each change of what a golden case gives
  npm run instructions -- --update           measures the first budget of work per event
  ${`npm run check-format ${name}`.padEnd(41)}  what is missing`);
}

// ---- check-format ----

/** Returns a message for each symbol that the registry names and that no C file of the format defines. */
function missingSymbols(name) {
  const code = filesBelow(`core/formats/${name}`, (path) => path.endsWith('.c'))
    .map(read)
    .join('\n');
  return ['info', 'format', 'decoder', 'names']
    .map((part) => [part, `tk_${part}_${name}`])
    .filter(([, symbol]) => !new RegExp(`^const struct \\w+ ${symbol} =`, 'm').test(code))
    .map(([, symbol]) => `core/formats/${name}: no file defines ${symbol}`);
}

const missingFiles = (why, paths) => paths.filter((path) => !has(path)).map((path) => `${path}: ${why}`);

/** Returns a message for each missing member of format.json, and for each missing file or budget that it names. */
function missingInDescriptor(name) {
  const path = `core/formats/${name}/format.json`;
  if (!has(path)) return [`${path}: describes the format for the build and the tests`];
  const { hot, golden, damage, samples, bench } = JSON.parse(read(path));
  const members = { hot, golden, damage: damage?.arguments, samples, bench };
  const absent = Object.keys(members).filter((member) => !members[member]);
  if (absent.length) return absent.map((member) => `${path}: no member "${member}"`);
  const budgets = JSON.parse(read('tests/budgets/instructions.json')).perEvent;
  return [
    ...(hot.length ? [] : [`${path}: "hot" names no file that runs per event`]),
    ...(Object.keys(golden).length ? [] : [`${path}: "golden" names no generator`]),
    ...(bench.length ? [] : [`${path}: "bench" has no recording whose conversion is measured`]),
    ...missingFiles(
      '"hot" names it',
      hot.map((file) => `core/formats/${name}/${file}`),
    ),
    ...missingFiles(
      '"golden" names it',
      Object.keys(golden).map((file) => `tests/generator/${file}`),
    ),
    ...missingFiles(
      '"bench" names it',
      bench.map(({ generator }) => `tests/generator/${generator}`),
    ),
    ...bench
      .filter((one) => budgets[one.name] === undefined)
      .map((one) => `tests/budgets/instructions.json: no budget for "${one.name}"; npm run instructions -- --update`),
  ];
}

function missingGolden(name) {
  const path = `tests/golden/${name}/cases.json`;
  const cases = has(path) ? JSON.parse(read(path)) : [];
  if (!cases.length) return [`${path}: no golden case; npm run golden:manifest`];
  const expected = cases.map((one) => `tests/golden/${name}/${one.name}.txt`);
  const orphans = filesBelow(`tests/golden/${name}`, (file) => file.endsWith('.txt') && !expected.includes(file));
  return [
    ...missingFiles('what the golden case gives; npm run golden:update', expected),
    ...orphans.map((file) => `${file}: no golden case has this name; delete it`),
  ];
}

function missingFuzz(name) {
  const targets = filesBelow('tests/fuzz', (path) => /^tests\/fuzz\/decode_\w+\.c$/.test(path)).filter((path) =>
    new RegExp(`\\btk_decoder_${name}\\b`).test(read(path)),
  );
  if (!targets.length) return [`tests/fuzz: no target decode_*.c names tk_decoder_${name}`];
  return missingFiles(
    `the seeds of its target; npm run fuzz -- decode_${name} --merge`,
    targets.map((path) => path.replace('/fuzz/', '/fuzz/corpus/').replace(/\.c$/, '.pack')),
  );
}

function missingDocs(name) {
  const page = `docs/formats/${name}.md`;
  if (!has(page)) return [`${page}: what the format's bytes mean, and what is done about damage`];
  return read('README.md').includes(`](${page})`) ? [] : [`README.md: no link to ${page}`];
}

function check(name) {
  const missing = [
    ...(namesIn(read(DEF)).includes(name) ? [] : [`${DEF}: no line TK_FORMAT(${name})`]),
    ...missingSymbols(name),
    ...missingInDescriptor(name),
    ...missingGolden(name),
    ...missingFuzz(name),
    ...missingDocs(name),
  ];
  for (const line of missing) console.log(line);
  if (!missing.length) console.log(`nothing is missing for ${name}`);
  process.exitCode = missing.length ? 1 : 0;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } });
if (positionals.length !== 1) refuse('one name of a format, as in: npm run new-format itm2');
if (values.check) check(positionals[0]);
else create(positionals[0]);
