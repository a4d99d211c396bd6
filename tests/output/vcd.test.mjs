// SPDX-License-Identifier: MIT
// Value change dumps of three simulators: every change equals that of an independent reader, and the timeline contains the slices that
// follow from the changes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vcdvcd } from './fetch-vcdvcd.mjs';
import { root } from './fetch.mjs';
import { selfCheck } from './self-check.mjs';
import { trackRows } from './track-rows.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const sources = path.join(root, 'tests/output/vcd');
const tool = process.env.TONKOPF_CLI ?? path.join(root, 'build/native/cli/tonkopf');
const READER =
  'import json, sys\nfrom vcdvcd import VCDVCD\nprint(json.dumps({code: signal.tv for code, signal in VCDVCD(sys.argv[1]).data.items()}))';

let scratch, engine;
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: scratch,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONPATH: vcdvcd() },
  });

const simulators = {
  icarus: () => {
    run('iverilog', '-g2012', '-o', 'bench.vvp', path.join(sources, 'bench.v'));
    run('vvp', '-n', 'bench.vvp');
  },
  ghdl: () => {
    const file = path.join(sources, 'bench.vhd');
    for (const args of [
      ['-a', '--std=08', file],
      ['-e', '--std=08', 'tb'],
      ['-r', '--std=08', 'tb', '--vcd=ghdl.vcd'],
    ])
      run('ghdl', ...args);
  },
  verilator: () => {
    run(
      'verilator',
      '--cc',
      '--trace',
      '--exe',
      '--build',
      path.join(sources, 'counter.v'),
      path.join(sources, 'main.cpp'),
    );
    run(path.join(scratch, 'obj_dir', 'Vcounter'));
  },
};

/** Changes by code as the other reader returns them: without the letter of a vector, reals as numbers. */
const plain = (value) =>
  /^[rR]/.test(value) ? String(Number(value.slice(1))).toLowerCase() : value.replace(/^[bB]/, '').toLowerCase();

function ownChanges(file) {
  const changes = {};
  for (const line of run(tool, 'dump', '--stage', 'records', '--json', file).trim().split('\n')) {
    const { record, fields } = JSON.parse(line);
    if (record === 'change') (changes[fields.code] ??= []).push([Number(fields.time), plain(fields.value)]);
  }
  return changes;
}

beforeAll(async () => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-vcd-'));
  engine = await sharedTraceProcessor();
});
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** Verilator compiles C++ for ten seconds: only in `npm run test:packages`. */
const all = Boolean(process.env.TONKOPF_EVERY_CASE);

describe.each(Object.keys(simulators).filter((name) => all || name !== 'verilator'))('%s', (name) => {
  const file = () => path.join(scratch, `${name}.vcd`);

  test('every change', () => {
    simulators[name]();
    const told = JSON.parse(run('python3', '-c', READER, file()));
    const own = ownChanges(file());
    expect(Object.keys(own).sort()).toEqual(
      Object.keys(told)
        .filter((code) => told[code].length)
        .sort(),
    );
    for (const [code, changes] of Object.entries(own))
      expect(changes, code).toEqual(
        told[code].map(([time, value]) => [
          time,
          plain(Number.isFinite(Number(value)) && /[.e]/.test(value) ? `r${value}` : value),
        ]),
      );
  });

  test('recognised, also when packed, and drawn without errors', () => {
    fs.writeFileSync(`${file()}.gz`, gzipSync(fs.readFileSync(file())));
    for (const input of [file(), `${file()}.gz`]) {
      run(tool, 'conv', '-q', input, '-o', path.join(scratch, 'out.pftrace'));
      engine.load(fs.readFileSync(path.join(scratch, 'out.pftrace')));
      expect(selfCheck(engine)).toEqual([]);
      expect(JSON.parse(run(tool, 'info', '--json', input)).format.name).toBe('vcd');
    }
  });
});

describe('the timeline of a dump', () => {
  const load = (name) => {
    run(tool, 'conv', '-q', `${name}.vcd`, '-o', 'out.pftrace');
    engine.load(fs.readFileSync(path.join(scratch, 'out.pftrace')));
    return trackRows(engine).map((row) => row.split('\t'));
  };
  const row = (rows, path) => rows.find(([name]) => name.endsWith(path));

  test.skipIf(!all)('bits have a slice per 1, vectors one per value', () => {
    const changes = ownChanges(path.join(scratch, 'verilator.vcd'));
    const rows = load('verilator');
    const [clock] = Object.values(changes).filter((list) => list.length === 400);
    expect(Number(row(rows, ' > clk')[1])).toBe(clock.filter(([, value]) => value === '1').length);
    const vectors = [row(rows, ' > q[7:0]'), row(rows, ' > wide[69:0]')].map((found) => Number(found[1])).sort();
    expect(vectors).toEqual(
      Object.values(changes)
        .map((list) => list.length)
        .filter((length) => length > 2 && length < 400)
        .sort(),
    );
  });

  test('counters have every value, and a gap between $dumpoff and $dumpon', () => {
    const rows = load('icarus');
    expect(row(rows, ' > i[31:0]').slice(6, 12)).toEqual(['18', '0', '107500', '-5', '15', '87']);
    const during = engine.query(
      "select distinct slice.name as name from slice join track on track_id = track.id where track.name = 'clk' and ts < 72500 and ts + dur > 57500",
    );
    expect(during).toEqual([{ name: 'none' }]);
  });

  test('counters that change at one time, some of them twice or to 0, have every value, the last one last', () => {
    const codes = [...'abcdefghijkl'];
    const steps = Array.from({ length: 40 }, (_, step) =>
      Array.from({ length: 14 }, (_, i) => [codes[(step * 5 + i * i) % codes.length], (step * 7 + i * 3) % 5]),
    );
    const text = steps
      .map(
        (changes, step) => `#${step}\n${changes.map(([code, value]) => `b${value.toString(2)} ${code}`).join('\n')}\n`,
      )
      .join('');
    fs.writeFileSync(
      path.join(scratch, 'counters.vcd'),
      `$timescale 1ns $end\n${codes.map((code) => `$var integer 32 ${code} ${code} $end\n`).join('')}$enddefinitions $end\n${text}`,
    );
    run(tool, 'conv', '-q', 'counters.vcd', '-o', 'out.pftrace');
    engine.load(fs.readFileSync(path.join(scratch, 'out.pftrace')));
    const drawn = engine.query(
      'select name, ts, cast(value as int) as value from counter join counter_track on track_id = counter_track.id order by counter.id',
    );
    for (const code of codes) {
      const expected = steps.flatMap((changes, ts) =>
        changes.filter(([changed]) => changed === code).map(([, value]) => `${ts} ${value}`),
      );
      expect(
        drawn.filter(({ name }) => name === code).map(({ ts, value }) => `${ts} ${value}`),
        code,
      ).toEqual(expected);
    }
  });
});
