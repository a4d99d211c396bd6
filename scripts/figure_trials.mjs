// SPDX-License-Identifier: MIT
// Damages recordings at one random byte and compares the figures of the report with those of the undamaged recording.
// A trial is silently wrong if a figure differs and the report lists no additional problem. docs/TRUST.md summarises the results.
//
//   npm run figure-trials -- [--trials 1000] [--seed 1] [--show 0] [--tool build/native/cli/tonkopf] FILE ...
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../tests/generator/random.mjs';
import { root } from './lib.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    tool: { type: 'string', default: join(root, 'build', 'native', 'cli', 'tonkopf') },
    show: { type: 'string', default: '0' },
  },
});

/** Tables without figures of the target: they describe the input, or contain texts. */
const NOT_FIGURES = ['problems', 'places', 'inputs', 'skipped', 'facts', 'verdicts', 'explain', 'output', 'format'];
const NOT_FIGURES_EITHER = ['kinds', 'strip', 'series', 'logs', 'dumps', 'traces', 'blocks'];

const info = (file) =>
  new Promise((resolve, reject) =>
    execFile(values.tool, ['info', '--json', file], { maxBuffer: 1 << 26 }, (error, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`no report: ${error?.signal ?? error?.message}`));
      }
    }),
  );

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
        if (value !== null && column !== 'pid') figures.set(`${table}[${name.join('|')}].${column}`, String(value));
    }
  }
  return figures;
}

const noticed = (report) =>
  report.problems.filter(({ severity }) => severity !== 'info').reduce((sum, { count }) => sum + count, 0);

/** Kinds of damage: each function changes the byte at index `at`. @param {Uint8Array} bytes @param {Random} random */
const WAYS = {
  'flipped bit': (bytes, at, random) => (bytes[at] ^= 1 << random.between(0, 8)),
  'replaced byte': (bytes, at, random) => (bytes[at] ^= random.between(1, 256)),
};

async function run_trials(file, way) {
  const original = readFileSync(file),
    good = await info(file),
    truth = figures_of(good);
  const random = new Random(Number(values.seed));
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-figures-'));
  const total = { trials: 0, differs: 0, silent: 0, aborted: 0, figures: 0 };
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
        const report = await info(damaged),
          figures = figures_of(report);
        const wrong = [...figures].filter(([key, value]) => truth.get(key) !== value);
        if (!wrong.length) continue;
        total.differs++;
        if (noticed(report) > noticed(good)) continue;
        total.silent++;
        total.figures += wrong.length;
        if (shown++ < Number(values.show)) console.log(at, wrong.slice(0, 6).join(' '), wrong.length);
      } catch {
        total.aborted++;
      }
    }
  };
  await Promise.all([0, 1].map(one));
  rmSync(folder, { recursive: true });
  return total;
}

console.log('| recording | damage | trials | a figure differs | silent | wrong figures per silent trial | aborted |');
console.log('|---|---|---:|---:|---:|---:|---:|');
for (const file of positionals)
  for (const way of Object.keys(WAYS)) {
    const { trials, differs, silent, figures, aborted } = await run_trials(file, way);
    const percent = (count) => `${((100 * count) / trials).toFixed(1)} %`;
    const mean = (figures / Math.max(1, silent)).toFixed(1);
    console.log(
      `| ${basename(file)} | ${way} | ${trials} | ${percent(differs)} | ${percent(silent)} | ${mean} | ${aborted} |`,
    );
  }
