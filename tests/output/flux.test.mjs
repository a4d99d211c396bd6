// SPDX-License-Identifier: MIT
// Flux recordings: every entry and sample equals the output of independent decoders, and the trace in the real trace_processor agrees with
// the documented mapping.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { golden_input, read_expected } from '../golden/cases.mjs';
import { root } from './fetch.mjs';
import { selfCheck } from './self-check.mjs';
import { trackRows } from './track-rows.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'flux');
const present = Boolean(folder && fs.existsSync(folder));
if (!present)
  console.warn('TONKOPF_SAMPLES names no folder with flux recordings: the tests that need them are skipped');
const tool = process.env.TONKOPF_CLI ?? path.join(root, 'build/native/cli/tonkopf');
const names = present
  ? fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.recTr'))
      .map((name) => name.replace('.recTr', ''))
  : [];
const sample = (name) => path.join(folder, `${name}.recTr`);
const run = (args) =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

// ---- Samples as the dumps write them ---------------------------------------------------------------

const integer = (bytes) => {
  let value = 0n;
  for (const byte of [...bytes].reverse()) value = (value << 8n) | BigInt(byte);
  return bytes.length && bytes.at(-1) & 0x80 ? value - (1n << BigInt(8 * bytes.length)) : value;
};
const unsigned = (bytes) => [...bytes].reverse().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

function logic({ df, xdf }, bytes) {
  const letters = '01ZXLHUW-JKMNOP#';
  const [name, bits] = [
    ['L2', 1],
    ['L4', 2],
    ['L16', 4],
  ][df - 1];
  if (!bytes.length) return `${name} ${xdf}*`;
  const states = [...bytes].flatMap((byte) =>
    Array.from({ length: 8 / bits }, (_, i) => letters[(byte >> (8 - bits - i * bits)) & ((1 << bits) - 1)]),
  );
  return `${name} ${states.join('')}`;
}

/** The compared fields of a line of a dump. */
function sampleText({ id, position, delta, domain = '', tag, df, xdf, data }, line) {
  const bytes = Buffer.from(data, 'hex');
  const where = position === undefined ? `?+${delta}` : `${position}${domain}`;
  const told = / (\S.*?)(?: tag=\d+)?$/.exec(line.replace(/^@\S+ \d+(\(.*?\))? /, ' '))[1].replace(/ dyn$/, '');
  let value = told; // arrays and structs are compared by their tracks
  if (df === '0') value = 'none';
  else if (/^hex:/.test(told)) value = `hex:${data}`;
  else if (/^undef/.test(told)) value = `undef df=${df} xdf=${xdf} hex:${data}`;
  else if (/^L\d+ /.test(told)) value = logic({ df: Number(df), xdf: Number(xdf) }, bytes);
  else if (/^".*"$/.test(told)) value = JSON.stringify(bytes.toString('utf8'));
  else if (/^-?\d+$/.test(told)) value = String(told.startsWith('-') || df === '1' ? integer(bytes) : unsigned(bytes));
  else if (xdf === '1' && bytes.length === 4 && Number.isFinite(Number(told)))
    value =
      Math.abs(bytes.readFloatLE() - Number(told)) <= Math.abs(Number(told)) * 1e-7 ? told : `${bytes.readFloatLE()}`;
  else if (xdf === '2' && bytes.length === 8 && Number.isFinite(Number(told)))
    value = bytes.readDoubleLE() === Number(told) ? told : `${bytes.readDoubleLE()}`;
  return {
    text: `@${where} ${id} ${value}${tag ? ` tag=${tag}` : ''}`,
    told: `${/^@\S+ \d+/.exec(line)[0]} ${told}${/ tag=\d+$/.exec(line)?.[0] ?? ''}`,
  };
}

const referenceLines = (name) =>
  fs
    .readFileSync(path.join(folder, `${name}.txt`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[0-9a-f]{6} (?!!!)/.test(line));

const ownRecords = (name) =>
  run(['dump', '--stage', 'records', '--json', sample(name)])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

// After damage the decoders differ; one dump contains only the beginning of a large block.
const differs = (name) => name.startsWith('bad_') || name === 'f6_flz_level2';

describe.skipIf(!present)('entries and samples', () => {
  test.each(names.filter((name) => !differs(name)))('%s: in the order of the dump', (name) => {
    const lines = referenceLines(name);
    const own = ownRecords(name);
    const ring = name === 'f4_ring'; // sections are listed in the order of the file, their content in reading order
    const shown = (list) => (ring ? list.filter((record) => record.record === 'sample') : list);
    const compared = ring ? lines.filter((line) => line.slice(7).startsWith('@')) : lines;
    expect(shown(own).length).toBe(compared.length);
    shown(own).forEach(({ record, offset, fields }, index) => {
      const line = compared[index].slice(7);
      if (!ring) expect(Number(offset)).toBe(parseInt(compared[index].slice(0, 6), 16));
      if (record !== 'sample') return expect(line.slice(0, 4).replace('ATAS', 'ATRE')).toBe(record); // the name of relations in version 4
      const { text, told } = sampleText(fields, line);
      expect(text).toBe(told);
    });
  });

  test.each(names)('%s: numbers per signal', (name) => {
    const summary = JSON.parse(fs.readFileSync(path.join(folder, `${name}.summary.json`), 'utf8'));
    const report = JSON.parse(run(['info', '--json', sample(name)]));
    const own = report.signals.map(({ id, samples, none, tagged }) => `${id} ${samples} ${none} ${tagged}`).sort();
    const told = summary.signals
      .filter(({ samples }) => samples)
      .map(({ id, samples, none, tagged }) => `${id} ${samples} ${none} ${tagged}`)
      .sort();
    if (name === 'bad_insert') return expect(own.reduce((sum, row) => sum + Number(row.split(' ')[1]), 0)).toBe(600); // its dump contains two wrong ones
    expect(own).toEqual(told);
  });
});

// ---- The timeline ----------------------------------------------------------------------------------

const counts = {
  f6_01: [0, 200, 0],
  f6_03: [0, 600, 0],
  f6_04: [300, 0, 0],
  f6_10: [300, 0, 0],
  f6_05: [100, 200, 0],
  f6_06: [1100, 500, 0],
  f6_07: [550, 0, 0],
  f6_08: [1200, 0, 200],
  f4_08: [1200, 0, 200],
  f6_11: [1200, 1100, 0],
  f6_12: [1200, 1100, 0],
  f6_multicore: [180, 217, 0],
  f6_nested: [120, 360, 0],
  f6_flz: [326, 13000, 0],
  f4_10: [1202, 1050, 0],
  f4_12: [1202, 1050, 0],
  f4_ring: [0, 688, 0],
  f4_sync: [0, 600, 0],
  f6_domains: [21, 40, 0],
  f6_tags: [21, 19, 0],
  f6i_01: [0, 315, 0],
  f6i_03: [0, 422, 0],
  f6i_05: [86, 172, 0],
  f6i_06: [672, 308, 0],
  f6i_07: [675, 0, 0],
  f6i_08: [555, 0, 93],
  f6i_11: [1288, 1292, 0],
  bad_gap: [1, 597, 0],
  bad_insert: [1, 600, 0],
  bad_truncated: [1, 478, 0],
  bad_packed: [715, 657, 0],
};
const countsOf = (name) => counts[Object.keys(counts).find((key) => name.startsWith(key))];

describe.skipIf(!present)('timeline', () => {
  let engine, scratch;
  beforeAll(async () => {
    engine = await sharedTraceProcessor();
    scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-flux-'));
  });
  afterAll(() => scratch && fs.rmSync(scratch, { recursive: true, force: true }));

  test.each(names)('%s', (name) => {
    const trace = path.join(scratch, `${name}.pftrace`);
    run(['conv', '-q', sample(name), '-o', trace]);
    engine.load(fs.readFileSync(trace));
    expect(selfCheck(engine)).toEqual([]);
    const number = (table) => Number(engine.query(`select count(*) as n from ${table}`)[0].n);
    const expected = fs
      .readFileSync(path.join(folder, 'expected-tracks.tsv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .filter((line) => line.startsWith(`${name}\t`))
      .map((line) => line.slice(name.length + 1));
    expect(trackRows(engine)).toEqual(expected.sort());
    expect([number('slice'), number('counter'), number('flow')]).toEqual(countsOf(name));
  });
});

// The remedy refers to existing tracks: the rows of sequences are below "over time" if a trace has several.
test.each([
  ['sequence-start-far-below-zero', true],
  ['non-time-axis-restarts', false],
])('%s: the remedy says where the shift of sequences is shown', (name, has_rows) => {
  const report = JSON.parse(run(['info', '--json', golden_input(`flux/${name}`)]));
  const rows = read_expected({ name: `flux/${name}` }).trace;
  expect(report.problems.find(({ id }) => id === 'SEQUENCE_MOVED').remedy).toContain(
    'If a trace has several sequences over time',
  );
  expect(rows.includes('"sequences"')).toBe(has_rows);
});
