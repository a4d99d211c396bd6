// SPDX-License-Identifier: MIT
// Every QS recording, decoded record by record, equals the output of an independent decoder.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { convert } from './convert.mjs';
import { root } from './fetch.mjs';
import { QsEncoder } from '../generator/qs.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'qs');
const present = Boolean(folder && fs.existsSync(folder));
if (!present) console.warn('TONKOPF_SAMPLES names no folder with QS recordings: the tests that need them are skipped');
const tool = process.env.TONKOPF_CLI ?? path.join(root, 'build/native/cli/tonkopf');

const run = (args) =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const names = present ? fs.readdirSync(folder).filter((name) => name.endsWith('.bin')) : [];

function ownRows(file) {
  return run(['dump', '--stage', 'records', '--json', file])
    .trim()
    .split('\n')
    .map((line) => {
      const { offset, record, ticks = '', fields } = JSON.parse(line);
      const all = Object.entries(fields).map(([key, value]) => [
        key.replace(/_\d+$/, (end) => (key.slice(0, -end.length) in fields ? '' : end)),
        String(value),
      ]);
      const rest = all.slice(all.findIndex(([key]) => key === 'number') + 1).filter(([key]) => key !== 'counts');
      return {
        head: [offset, fields.seq ?? '', fields.number, record, fields.counts ?? '', ticks].join(' '),
        fields: rest,
      };
    });
}

function referenceRows(file) {
  return fs
    .readFileSync(file.replace(/bin$/, 'tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, , , , name]) => !name.startsWith('!'))
    .map(([, offset, seq, rec, name, raw, ext, text]) => ({
      head: [offset, seq, rec, name, raw, ext].join(' '),
      fields: (text ? text.split(';') : []).map((pair) => [
        pair.slice(0, pair.indexOf('=')),
        pair.slice(pair.indexOf('=') + 1),
      ]),
    }));
}

/** The reference writes the build time as one field; reals may differ in the last digit. */
function plain([key, value]) {
  if (key === 'build') {
    const [date, time] = value.split('_').map(Number);
    return `build_date=${date};build_time=${time}`;
  }
  if (key === 'f32' || key === 'f64') return `${key}=${Number(Number(value).toPrecision(15))}`;
  return `${key}=${value}`;
}
const text = (row) => `${row.head} ${row.fields.map(plain).join(';')}`;

describe.skipIf(!present)('QS recordings', () => {
  test.each(names)('%s: records', (name) => {
    const file = path.join(folder, name);
    const own = ownRows(file).map(text);
    const wanted = referenceRows(file).map(text);
    const first = wanted.findIndex((line, index) => line !== own[index]);
    expect(first < 0 ? '' : `${first}: ${own[first]}`).toBe(first < 0 ? '' : `${first}: ${wanted[first]}`);
    expect(own.length).toBe(wanted.length);
  });

  describe.each(names)('%s', (name) => {
    const bytes = fs.readFileSync(path.join(folder, name));
    let engine, trace, report;
    beforeAll(async () => {
      engine = await sharedTraceProcessor();
      ({ trace, report } = convert([{ bytes }]));
      engine.load(trace);
    });

    test('loads without errors', () => {
      expect(selfCheck(engine, report.events)).toEqual([]);
    });

    test('the chunk size makes no difference', () => {
      const feeder = path.join(
        path.dirname(process.env.TONKOPF_CONVERT ?? path.join(root, 'build/native/tests/tool_convert')),
        'tool_feed',
      );
      const out = path.join(os.tmpdir(), `tonkopf-qs-${process.pid}`);
      for (const chunk of [1, 1000]) {
        execFileSync(feeder, ['--chunk', String(chunk), '--out', out, path.join(folder, name)], { stdio: 'ignore' });
        expect(fs.readFileSync(out).equals(trace)).toBe(true);
      }
      fs.rmSync(out);
    });

    test('each dispatched event has a step', () => {
      const [{ steps }] = engine.query(
        `select count(*) as steps from slice where extract_arg(arg_set_id, 'debug.in state') is not null`,
      );
      const dispatched = referenceRows(path.join(folder, name)).filter(({ head }) =>
        head.includes(' QEP_DISPATCH '),
      ).length;
      if (!name.startsWith('allrec')) expect(steps).toBe(dispatched);
      const inTheReport = report.objects.reduce((sum, object) => sum + object.steps, 0);
      expect(inTheReport).toBe(steps);
    });

    test('every event taken from a queue has an arrow from its post', () => {
      if (/^(allrec|damaged|midstream|defer)/.test(name)) return; // posts before the recording, or invented numbers
      const [{ arrows }] = engine.query('select count(*) as arrows from flow');
      const taken = referenceRows(path.join(folder, name)).filter(({ head }) => / QF_ACTIVE_GET/.test(head)).length;
      expect(arrows).toBe(taken);
    });

    test('states follow each other without a gap', () => {
      const overlaps =
        engine.query(`select a.name from slice a join slice b using (track_id) join track t on t.id = a.track_id
        where t.name glob 'state*' and a.id < b.id and b.ts < a.ts + a.dur`);
      expect(overlaps).toEqual([]);
    });
  });
});

// A record that was half sent at the reset damages the first record of the new run; the sequence numbers restart nevertheless.
test('a target that is reset in the middle of a frame lost no events', () => {
  const part = () => {
    const encoder = new QsEncoder();
    const bytes = [encoder.start()];
    for (let i = 0; i < 40; i++) bytes.push(encoder.record('SCHED_IDLE', 100 + i, 0));
    return Buffer.concat(bytes);
  };
  const whole = part();
  const { report } = convert([
    { bytes: Buffer.concat([whole, whole.subarray(whole.length - 9, whole.length - 3), part()]) },
  ]);
  expect(report.events.restarts).toBe(1);
  expect(report.events.lost).toBe(0);
  expect(report.problems.map(({ id }) => id)).toContain('CHECKSUM_WRONG');
});
