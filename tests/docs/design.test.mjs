// SPDX-License-Identifier: MIT
// The example of docs/DESIGN.md is what the program does with this recording.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { golden_input, root } from '../golden/cases.mjs';

const page = readFileSync(join(root, 'docs', 'DESIGN.md'), 'utf8');
const [, way] = /** @type {RegExpExecArray} */ (/## The way of a byte\n([^]*?)\n## Folders/.exec(page));
const recording = golden_input('tonbandgeraet/idle-task-by-its-name');
const tonkopf = join(process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native'), 'cli', 'tonkopf');

/** @param {string[]} args */
const run = (...args) => execFileSync(tonkopf, args, { maxBuffer: 1 << 24, stdio: ['ignore', 'pipe', 'ignore'] });
/** @param {string} digits */
const bytes = (digits) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
/** The lines of the page that begin like this. @param {RegExp} begin */
const lines = (begin) => way.split('\n').filter((line) => begin.test(line));
/** Bytes in a column of a table. @param {RegExp} row */
const cells = (row) => [...way.matchAll(row)].map(([, digits]) => digits);

/** @type {Buffer} */
let trace;
beforeAll(() => {
  trace = run('conv', '--quiet', '-o', '-', recording);
});

test('the bytes of the five events are the end of the recording', () => {
  const frames = cells(/^\| `([0-9a-f ]+)` \| (?:task|the)/gm);
  const input = readFileSync(recording);
  expect(frames.length).toBe(5);
  expect(way).toContain(`, ${input.length} bytes.`);
  expect(input.subarray(-Buffer.concat(frames.map(bytes)).length)).toEqual(Buffer.concat(frames.map(bytes)));
});

test.each([
  ['frames', /^offset=/, 1],
  ['events', /^input=/, 1],
  ['tracks', /^call=/, 4],
])('the dump of %s has these lines', (stage, begin, count) => {
  const shown = lines(begin);
  expect(shown.length).toBe(count);
  const dumped = run('dump', '--stage', stage, recording).toString().split('\n');
  expect(shown.filter((line) => !dumped.includes(line))).toEqual([]);
});

test('the packets and columns are in the trace', () => {
  const packets = lines(/^0a [0-9a-f ]+$/);
  expect(packets.length).toBe(1);
  for (const packet of packets) expect(trace.includes(bytes(packet)), packet).toBe(true);
  const bundle = trace.subarray(trace.indexOf(bytes('22 c0 00')));
  const columns = cells(/^\| (?:time|state|next|task) [^|]+\| `([0-9a-f ]+)` \|/gm);
  expect(columns.length).toBe(5);
  for (const column of columns)
    expect(bundle.includes(bytes(`8${column.split(' ').length} 00 ${column}`)), column).toBe(true);
});

test('the figures are those of the report', () => {
  const report = run('info', recording).toString();
  const [, used, share] = /** @type {RegExpExecArray} */ (/`A` used ([\d.]+ us), ([\d.]+ %)/.exec(way));
  expect(report).toMatch(new RegExp(`^  A +1 +${used} +${share} `, 'm'));
});
