// SPDX-License-Identifier: MIT
// Damages recordings at one random byte and compares the figures of the report with those of the undamaged recording.
// A trial is silently wrong if a figure differs and the report lists no additional problem. docs/TRUST.md summarises the results.
//
//   npm run figure-trials -- [--trials 1000] [--seed 1] [--show 0] [--fields] [--tool build/native/cli/tonkopf] FILE[,SIDE] ...
//
// SIDE is a file that helps to read the recording, such as the ELF file of the firmware.
// --show N lists the first N silent trials: what changed in the recording, and which figures. --fields counts the silent trials per
// changed field of a record. The column "legal" counts those whose damaged file is a legal recording of another run, so that no
// reader can notice them: format.json of each format lists the fields that nothing else in a recording repeats (`damage.free`).
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../tests/generator/random.mjs';
import { formats } from '../tests/common/formats.mjs';
import { root } from './lib.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    tool: { type: 'string', default: join(root, 'build', 'native', 'cli', 'tonkopf') },
    show: { type: 'string', default: '0' },
    fields: { type: 'boolean', default: false },
  },
});

/** Tables without figures of the target: they describe the input, the symbols or the view, or contain texts. */
const NOT_FIGURES = ['problems', 'places', 'inputs', 'skipped', 'facts', 'verdicts', 'explain', 'output', 'format'];
const NOT_FIGURES_EITHER = ['view', 'symbols', 'kinds', 'logs', 'dumps', 'traces', 'blocks'];
/** Columns of the others: ids that Tonkopf assigns, and the number of its own events, which include definitions. */
const is_figure = (table, column) => column !== 'pid' && (table !== 'events' || column !== 'total');

/** Runs the tool and returns what `read` makes of its output. @template T @param {string[]} words @param {(text: string) => T} read @returns {Promise<T>} */
const ask = (words, read) =>
  new Promise((resolve, reject) =>
    execFile(values.tool, words, { maxBuffer: 1 << 28 }, (error, stdout) => {
      try {
        resolve(read(stdout));
      } catch {
        reject(Object.assign(new Error(`no report: ${error?.message}`), { refused: error !== null && !error.signal }));
      }
    }),
  );
const info = (file, side) => ask(['info', '--json', file, ...(side ? ['--with', side] : [])], JSON.parse);
const lines_of = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const dump = (stage, file) => ask(['dump', '--stage', stage, '--json', file], lines_of);

// ---- What a trial changed -----------------------------------------------------------------------

/** Returns the records of a recording, and its frames without a record, such as headers: each with its name, time and fields. */
async function records_of(file) {
  const [records, frames] = await Promise.all([dump('records', file), dump('frames', file)]);
  const key = ({ offset, fields }) => `${fields?.depth ?? 0}:${offset}`;
  const map = new Map();
  for (const record of records)
    map.set(key(record), { name: record.record, ticks: Number(record.ticks ?? NaN), fields: record.fields });
  for (const frame of frames)
    if (!map.has(key(frame)))
      map.set(key(frame), { name: frame.verdict, ticks: NaN, fields: { payload: frame.payload } });
  return map;
}

/** The time of a record. It may depend on the records before it. */
const TIMES = ['timer', 'position'];

const fields_that_differ = (before, after) =>
  [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].filter(
    (name) => before.fields[name] !== after.fields[name],
  );

/** Returns the records that differ, as pairs: before and after; undefined: there is no such record. */
function changed_records(intact, damaged) {
  const pairs = [];
  for (const [key, before] of intact) {
    const after = damaged.get(key);
    if (!after || after.name !== before.name || fields_that_differ(before, after).length) pairs.push([before, after]);
  }
  for (const [key, after] of damaged) if (!intact.has(key)) pairs.push([undefined, after]);
  return pairs;
}

/** Returns true if the time of the record is not before that of the record before it, nor after that of the next one. */
function keeps_order(damaged, record) {
  const list = [...damaged.values()].filter(({ ticks }) => !Number.isNaN(ticks));
  const at = list.indexOf(record);
  return list.slice(Math.max(0, at - 1), at + 2).every(({ ticks }, i, around) => !i || ticks >= around[i - 1].ticks);
}

/** Returns the change of times alone: the records keep their order, or another run cannot have written them. */
function describe_times(damaged) {
  const times = [...damaged.values()].map(({ ticks }) => ticks).filter((ticks) => !Number.isNaN(ticks));
  const legal = times.every((ticks, i) => !i || ticks >= times[i - 1]);
  return { name: 'time', legal, detail: '' };
}

/** Returns the name of the change, and whether the damaged file is a legal recording of another run. */
function describe_change(intact, damaged, free) {
  const all = changed_records(intact, damaged);
  const others = all.filter(
    ([before, after]) =>
      !before ||
      !after ||
      before.name !== after.name ||
      fields_that_differ(before, after).some((name) => name !== 'position'),
  );
  const pairs = others.length ? others : all.slice(0, 1); // a changed distance moves all later positions
  if (!pairs.length) return describe_times(damaged);
  const [before, after] = pairs[0],
    several = pairs.length > 1 ? ` and ${pairs.length - 1} more records` : '';
  if (!before || !after || before.name !== after.name)
    return {
      name: `${before?.name} -> ${after?.name}${several && ' and more'}`,
      legal: false,
      detail: JSON.stringify(pairs[0]),
    };
  const fields = fields_that_differ(before, after);
  const is_free = (before, after, field) =>
    TIMES.includes(field)
      ? field === 'position' || keeps_order(damaged, after)
      : free.some((pattern) => new RegExp(`^(${pattern})$`).test(`${before.name}.${field}`));
  /** A packed byte may be part of several records. */
  const is_legal = ([before, after]) =>
    before?.name === after?.name && fields_that_differ(before, after).every((field) => is_free(before, after, field));
  return {
    name: `${before.name}.${fields.join('+')}${several && ' and more'}`,
    legal: pairs.every(is_legal),
    detail: fields.map((field) => `${field} ${before.fields[field]} -> ${after.fields[field]}`).join(', ') + several,
  };
}

// ---- Figures ------------------------------------------------------------------------------------

/** Returns the figures of a report: a map from "table[row].column" to the value. */
function figures_of(report) {
  const figures = new Map();
  for (const [table, content] of Object.entries(report)) {
    if (NOT_FIGURES.includes(table) || NOT_FIGURES_EITHER.includes(table) || !content || typeof content !== 'object')
      continue;
    const rows = Array.isArray(content) ? content : [content];
    for (const row of rows) {
      const name = Array.isArray(content)
        ? [row.name, row.core, row.id, row.caller, row.by, row.from, row.to].filter((part) => part !== undefined)
        : [];
      for (const [column, value] of Object.entries(row))
        if (value !== null && is_figure(table, column))
          figures.set(`${table}[${name.join('|')}].${column}`, String(value));
    }
  }
  return figures;
}

const FORMATS = Object.fromEntries(formats().map((format) => [format.name, format]));

const noticed = (report) =>
  report.problems.filter(({ severity }) => severity !== 'info').reduce((sum, { count }) => sum + count, 0);

/** Kinds of damage: each function changes the byte at index `at`. @param {Uint8Array} bytes @param {Random} random */
const WAYS = {
  'flipped bit': (bytes, at, random) => (bytes[at] ^= 1 << random.between(0, 8)),
  'replaced byte': (bytes, at, random) => (bytes[at] ^= random.between(1, 256)),
};

async function run_trials(file, side, way) {
  const original = readFileSync(file),
    good = await info(file, side),
    truth = figures_of(good),
    intact = await records_of(file),
    free = FORMATS[good.format.name]?.damage.free ?? [];
  const random = new Random(Number(values.seed));
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-figures-'));
  const total = { trials: 0, differs: 0, silent: 0, legal: 0, refused: 0, aborted: 0, figures: 0, fields: {} };
  let shown = 0;
  const one = async (worker) => {
    while (total.trials < Number(values.trials)) {
      total.trials++;
      const bytes = Buffer.from(original),
        at = random.between(0, bytes.length);
      WAYS[way](bytes, at, random);
      const damaged = join(folder, `${worker}${extname(file)}`);
      writeFileSync(damaged, bytes);
      try {
        const report = await info(damaged, side),
          figures = figures_of(report);
        const wrong = [...figures].filter(([key, value]) => truth.get(key) !== value);
        if (!wrong.length) continue;
        total.differs++;
        if (noticed(report) > noticed(good)) continue;
        total.silent++;
        total.figures += wrong.length;
        const change = describe_change(intact, await records_of(damaged), free);
        total.legal += change.legal;
        const name = change.name + (change.legal ? ' (legal)' : '');
        total.fields[name] = (total.fields[name] ?? 0) + 1;
        if (shown++ < Number(values.show))
          console.log(
            at,
            name,
            change.detail,
            '|',
            wrong.length,
            'figures:',
            wrong
              .slice(0, 4)
              .map(([key, value]) => `${key} ${truth.get(key)} -> ${value}`)
              .join(', '),
          );
      } catch (error) {
        if (!error.refused) console.error(`${at}: ${error.message}`);
        total[error.refused ? 'refused' : 'aborted']++;
      }
    }
  };
  await Promise.all([0, 1, 2, 3].map(one));
  rmSync(folder, { recursive: true });
  return total;
}

console.log(
  '| recording | damage | trials | a figure differs | silent | of it legal | wrong figures per silent trial | not recognised | aborted |',
);
console.log('|---|---|---:|---:|---:|---:|---:|---:|---:|');
for (const words of positionals)
  for (const way of Object.keys(WAYS)) {
    const [file, side] = words.split(',');
    const { trials, differs, silent, legal, figures, refused, aborted, fields } = await run_trials(file, side, way);
    const percent = (count) => `${((100 * count) / trials).toFixed(1)} %`;
    const mean = (figures / Math.max(1, silent)).toFixed(1);
    console.log(
      `| ${basename(file)}${side ? ` with ${basename(side)}` : ''} | ${way} | ${trials} | ${percent(differs)} | ${percent(silent)} | ${percent(legal)} | ${mean} | ${refused} | ${aborted} |`,
    );
    const most = Object.entries(fields).sort(([, a], [, b]) => b - a);
    if (values.fields) for (const [name, count] of most) console.log(`  ${String(count).padStart(5)} ${name}`);
  }
