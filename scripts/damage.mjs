// SPDX-License-Identifier: MIT
// Damages recordings as a line or a disk does, and compares the events that Tonkopf still decodes with those of the undamaged recordings.
// docs/TRUST.md lists the differences that are allowed.
//
//   npm run damage                       tries all recordings: golden cases, demos, and real recordings below TONKOPF_SAMPLES
//   npm run damage -- --trials 20000 --seed 7 --only dual --show 5     tries recordings with "dual" in their names; shows 5 differences
//   npm run damage -- --short            runs for a few seconds, as in `npm test`
//
// Prints a table (--markdown: as Markdown). Fails if damage changes more than docs/TRUST.md allows.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { make_demos, serves_recording } from './generate-demos.mjs';
import { formats } from '../tests/common/formats.mjs';
import { cases } from '../tests/golden/cases.mjs';
import { buildNative } from './cmake.mjs';
import { root } from './lib.mjs';

const { values } = parseArgs({
  options: {
    trials: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '0' },
    short: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const trials = values.trials ?? (values.short ? '30' : '20000');
const native = process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native');
const tool = join(native, 'tests', 'tool_damage');
const run = promisify(execFile);

const core_of = (name) => /\.core(\d+)\.\w+$/.exec(name)?.[1];
const with_core = (folder, name) => join(folder, name) + (core_of(name) ? `@${core_of(name)}` : '');

const FORMATS = Object.fromEntries(formats().map((format) => [format.name, format]));

/** Returns true for a recording whose bytes are not in the order of time: in a ring buffer the oldest record may follow the newest one, and events in a compressed block have no byte position. */
function isImage(format, name) {
  const { images } = FORMATS[format].damage;
  return images !== undefined && new RegExp(images).test(name);
}

/** Returns the golden cases as recordings for trials, without those whose bytes are not in the order of time. */
const golden = () =>
  cases()
    .filter(({ format, name }) => !isImage(format, name.split('/')[1]))
    .map(({ format, name, options, inputs }) => ({
      group: 'golden cases',
      name,
      format,
      options: options.filter((option) => !option.startsWith('format=')),
      files: inputs.flatMap(({ path, side, core }) => (side ? ['-s', path] : core ? `${path}@${core}` : path)),
    }));

const format_of = (path) =>
  JSON.parse(
    execFileSync(join(native, 'cli', 'tonkopf'), ['info', '--json', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ).format.name;

/** Writes the demos of the page to `folder`. Returns them as recordings for trials. */
function demos(folder) {
  const { demos: list, files } = make_demos();
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return list
    .filter((demo) => demo.files.every((name) => files.has(name)))
    .map((demo) => ({
      group: 'demos',
      name: demo.title,
      format: format_of(join(folder, demo.files[0])),
      options: [],
      files: demo.files.flatMap((name) =>
        serves_recording(name) ? ['-s', join(folder, name)] : [with_core(folder, name)],
      ),
    }))
    .filter(({ format }) => FORMATS[format].damage.demos ?? true);
}

/** Returns the real recordings below TONKOPF_SAMPLES, with all files of several cores as one recording. */
function samples() {
  const base = process.env.TONKOPF_SAMPLES;
  if (!base) {
    console.log('TONKOPF_SAMPLES is not set: no real recordings');
    return [];
  }
  return Object.values(FORMATS).flatMap(({ name: format, samples: suffixes }) => {
    const isSample = (name) => suffixes.some((suffix) => name.endsWith(suffix));
    const folder = join(base, format);
    const names = existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => isSample(name) && !isImage(format, name))
          .sort()
      : [];
    const first = names.filter((name) => (core_of(name) ?? '0') === '0');
    return first.map((name) => {
      const stem = name.replace(/\.core0\.bin$/, '');
      const files = stem === name ? [name] : names.filter((other) => other.startsWith(`${stem}.core`));
      return {
        group: 'real recordings',
        name: isSample(stem) ? stem.slice(0, stem.lastIndexOf('.')) : stem,
        format,
        options: [],
        files: files.map((file) => with_core(folder, file)),
      };
    });
  });
}

async function measure(one) {
  // There are many golden cases, and each is short, so each of them gets fewer trials. The ratio to the trials of demos is the same with --short, so that the same limits apply.
  const share = values.short ? { 'golden cases': 1 / 2, demos: 10 } : { 'golden cases': 1 / 20 };
  const count = Math.ceil(Number(trials) * (share[one.group] ?? 1));
  const words = [
    '--trials',
    String(count),
    '--seed',
    values.seed,
    '--show',
    values.show,
    ...FORMATS[one.format].damage.arguments,
    `format=${one.format}`,
    ...one.options,
    '--',
    ...one.files,
  ];
  const { stdout, stderr } = await run(tool, words, { maxBuffer: 1 << 26 });
  if (stderr) process.stderr.write(stderr);
  return { ...one, ...JSON.parse(stdout) };
}

/** Calls `act` on all items, one per processor at the same time. Returns the results in the order of the items. */
async function in_parallel(list, act) {
  const results = new Array(list.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < list.length; i = next++) results[i] = await act(list[i]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

const LARGEST = ['maxLost', 'maxFrames', 'maxMissing', 'maxMoved', 'maxMove'];

/** Adds the counts of several kinds of damage or recordings; takes the maximum of those in LARGEST. */
function sum(tallies) {
  const total = {};
  for (const tally of tallies)
    for (const [key, number] of Object.entries(tally))
      total[key] = LARGEST.includes(key) ? Math.max(total[key] ?? 0, number) : (total[key] ?? 0) + number;
  return total;
}

const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(part && part * 200 < whole ? 2 : 1)} %`;

function row(name, ways) {
  const all = sum(Object.values(ways));
  const { flip } = ways;
  return {
    recording: name,
    trials: all.trials,
    'lost per byte': (all.lost / Math.max(1, all.bytes)).toFixed(2),
    'at most': all.maxLost,
    differs: percent(flip.differs, flip.trials),
    silent: percent(flip.differsUnnoticed, flip.trials),
    'another lost': percent(all.missing, all.trials),
    moved: percent(all.moved, all.trials),
    'moved by': all.maxMoved,
    'thrown off': all.thrown,
    'core to the end': percent(all.coreToEnd, all.trials),
    tick: percent(all.tick, all.trials),
    'not healed': all.unhealed,
  };
}

function print(rows) {
  const keys = Object.keys(rows[0]);
  const lines = [keys, ...rows.map((one) => keys.map((key) => String(one[key])))];
  const widths = keys.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  lines.forEach((line, at) => {
    if (values.markdown) console.log(`| ${line.join(' | ')} |${at ? '' : `\n|${keys.map(() => '---|').join('')}`}`);
    else console.log(line.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[0]))).join('  '));
  });
}

const WAYS = ['flip', 'drop', 'insert', 'duplicate', 'cut', 'zero'];
const ways_of = (results) => Object.fromEntries(WAYS.map((way) => [way, sum(results.map((result) => result[way]))]));

/** Returns true for a recording in which damage to one frame may change the times of others; format.json of its format gives the reason. */
const isExplained = ({ format, name }) => name.split('/').at(-1) in (FORMATS[format].damage.explained ?? {});

/** Returns the violations of the limits of docs/TRUST.md, one sentence each. */
function judge(results) {
  const all = sum(results.flatMap((result) => WAYS.map((way) => result[way])));
  const complaints = [];
  for (const one of results) if (isExplained(one)) all.thrown -= sum(WAYS.map((way) => one[way])).thrown;
  if (all.thrown) complaints.push(`time was thrown off in ${all.thrown} trials`);
  if (all.thrownBySum * 1000 > all.trials)
    complaints.push(`time was thrown off in ${all.thrownBySum} of ${all.trials} trials by frames whose sum fits`);
  if (all.unhealed)
    complaints.push(
      `${all.unhealed} trials changed a core, a name or the tick length although an undamaged frame told it later`,
    );
  for (const [format, { damage }] of Object.entries(FORMATS).filter(([, one]) => one.damage?.missing !== undefined)) {
    const of = results.filter((one) => one.format === format).flatMap((one) => WAYS.map((way) => one[way]));
    if (!of.length) continue;
    const { missing, trials } = sum(of);
    if (missing > trials * damage.missing)
      complaints.push(`${format}: ${missing} of ${trials} trials cost frames that were not touched`);
    all.missing -= missing;
    all.trials -= trials;
  }
  if (all.missing * 200 > all.trials)
    complaints.push(`${all.missing} of ${all.trials} trials cost frames that were not touched`);
  return complaints;
}

buildNative(['tool_damage', 'tonkopf-cli']);
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-damage-'));
try {
  const list = [...samples(), ...demos(folder), ...golden()].filter(({ name }) => name.includes(values.only));
  if (!list.length) throw new Error('no recording has that name');
  const results = (await in_parallel(list, measure)).filter(({ flip }) => flip.trials);
  const shown = results.filter(({ group }) => group !== 'golden cases');
  const groups = [...new Set(results.map(({ group }) => group))];
  const rows = values.short ? [] : shown.map((result) => row(result.name, ways_of([result])));
  for (const group of groups)
    rows.push(row(`all ${group}`, ways_of(results.filter((result) => result.group === group))));
  print(rows);
  const complaints = judge(results);
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
