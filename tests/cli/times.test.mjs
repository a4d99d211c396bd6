// SPDX-License-Identifier: MIT
// Unit and certainty of times: figures, CSV, time ranges and rules use true times, and name the unmeasured ones.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heatpump } from '../generator/demo-heatpump.mjs';
import { FluxStream } from '../generator/flux.mjs';
import { head } from '../generator/golden-stream.mjs';
import { Folder, TOOL } from './tool.mjs';

const HEAD = '$var integer 8 ! n $end $enddefinitions $end';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('ps.vcd', `$timescale 1 ps $end ${HEAD} #0 b1 ! #20500 b10 ! #29000 b11 ! #46335 b100 !`);
  folder.write('fs.vcd', `$timescale 1 fs $end ${HEAD} #0 b1 ! #7 b10 ! #46335 b11 !`);
  const stream = new FluxStream().head('f').signal(1, 'n', 'integer').open(0, 'ps');
  folder.write('ps.recTr', stream.int(1, 20_500, 1).int(1, 8500, 2).int(1, 17_335, 3).close(0, 0).bytes());
  folder.write('calls.bin', heatpump({ rounds: 4 }).trace);
});
afterAll(() => folder.remove());

/** @param {string[]} args */
function run(args) {
  const { stdout, stderr, status } = spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28 });
  return { text: stdout.toString(), errors: stderr.toString(), status };
}
/** @param {string[]} args */
const report = (args) => JSON.parse(run(['info', '--json', ...args]).text);
/** @param {string} rule @param {string[]} args */
const expects = (rule, ...args) => run(['info', '--expect', rule, ...args]);

describe('below a nanosecond', () => {
  test('durations are true in JSON, text and CSV', () => {
    expect(report(['ps.vcd'])).toMatchObject({
      time_unit: 'ps',
      time_certainty: 'measured',
      time: { end: '46335', duration: '46335' },
    });
    expect(report(['fs.vcd'])).toMatchObject({ time_unit: 'fs', time: { duration: '46335' } });
    expect(report(['ps.recTr'])).toMatchObject({ time_unit: 'ps', time: { end: '46335' } });
    expect(run(['info', 'ps.vcd']).text).toMatch(/To +0\.000000046335 s\nDuration +46\.335 ns\n/);
    expect(run(['info', '--csv', 'time', 'ps.vcd']).text.split('\r\n').slice(0, 2)).toEqual([
      'recording,start,end,duration,first,last,time_unit,time_certainty',
      'ps.vcd,0,46335,46335,0,46335,ps,measured',
    ]);
    expect(run(['info', '--csv', 'inputs', 'ps.vcd']).text).not.toContain('time_unit');
  });

  test('a time range uses true times, also between two nanoseconds', () => {
    for (const file of ['ps.vcd', 'ps.recTr']) {
      const at = (/** @type {string[]} */ ...range) => report([...range, file]).time;
      expect(at('--from', '20ns', '--to', '30ns')).toMatchObject({ start: '20500', end: '29000' });
      expect(at('--from', '20.501ns', '--to', '30ns')).toMatchObject({ start: '29000', end: '29000' });
      expect(at('--from', '20500ps', '--to', '28999ps')).toMatchObject({ start: '20500', end: '20500' });
      const seconds = run(['dump', '--stage', 'events', '--from', '20ns', '--to', '30ns', file]).text;
      expect(seconds.match(/seconds=0\.000000\d+/g)).toEqual(['seconds=0.000000020500', 'seconds=0.000000029000']);
    }
    const past = run(['conv', '--from', '46336ps', '-o', 'past.pftrace', 'ps.vcd']);
    expect(past.errors).toContain('the time range begins at 46336ps, after the end of the recording, 0.000000046335 s');
    expect(run(['info', '--from', '20ns', '--to', '19999ps', 'ps.vcd'])).toMatchObject({ status: 2 });
  });

  test('a rule is compared with the true length', () => {
    expect(expects('time.duration<46336ps', 'ps.vcd').status).toBe(0);
    expect(expects('time.duration<46.336ns', 'ps.vcd').status).toBe(0);
    const fails = expects('time.duration<46.335ns', 'ps.vcd');
    expect([fails.status, fails.errors]).toEqual([1, expect.stringContaining('it is 46.335 ns, not < 46.335ns')]);
    expect(expects('time.duration>46us', 'ps.vcd').status).toBe(1);
    expect(expects('time.duration<47ps', 'fs.vcd').status).toBe(0);
  });
});

test('a rule about a length is unmeasured if all events have the same time', () => {
  const stuck = head();
  for (let i = 0; i < 20; i++) stuck.ev('task_switched_in', 5000, 1 + (i % 2));
  folder.write('stuck.bin', stuck.bytes());
  for (const rule of ['time.duration<1ms', 'tasks[*].cpu<1ms']) {
    const { status, errors } = expects(rule, 'stuck.bin');
    expect([rule, status, errors]).toEqual([rule, 1, expect.stringContaining('all events have the same time')]);
  }
  expect(expects('events.timed==20', 'stuck.bin').status).toBe(0);
});

describe('call traces', () => {
  test('the certainty of times is that of their source', () => {
    expect(report(['calls.bin'])).toMatchObject({ time_unit: 'records', time_certainty: 'order_only' });
    const at_rate = ['--set', 'baud=115200', 'calls.bin'];
    expect(report(at_rate)).toMatchObject({ time_unit: 'ns', time_certainty: 'spacing_assumed' });
    expect(run(['info', ...at_rate]).text).toContain('an assumed distance between records');
    expect(run(['info', '--csv', 'functions', ...at_rate]).text).toContain(',ns,spacing_assumed\r\n');
  });

  test('a rule about an assumed length is unmeasured, a rule about a count is not', () => {
    const at_rate = ['--set', 'baud=115200', 'calls.bin'];
    const length = expects('time.duration<3600s', ...at_rate);
    expect([length.status, length.errors]).toEqual([1, expect.stringContaining('not measured: the distance of')]);
    expect(expects('events.timed>=20', ...at_rate).status).toBe(0);
    expect(expects('time.duration<1000records', 'calls.bin').status).toBe(0);
  });

  test('a time range of counted records counts records; a range in seconds is rejected', () => {
    expect(report(['--from', '5records', '--to', '9records', 'calls.bin']).time).toMatchObject({
      start: '5',
      end: '9',
    });
    const time = run(['conv', '--from', '5us', '-o', 'part.pftrace', 'calls.bin']);
    expect(time.errors).toContain(
      'the time range begins at 5us, but the times of this recording are records of unknown length',
    );
  });
});
