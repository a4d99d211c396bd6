// SPDX-License-Identifier: MIT
//
// What a format gets for one file and its line in the registry (tests/toy): trace, report, tables and every command.
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { traceText } from '../golden/trace-text.mjs';
import { ended, Folder, TOOL } from './tool.mjs';

const folder = new Folder();
afterAll(() => folder.remove());

/** @param {string[]} args */
const toy = (...args) => ended(spawn(join(dirname(TOOL), 'tonkopf-toy'), args, { stdio: ['ignore', 'pipe', 'pipe'] }));

const [NAME, SWITCH, READY, ISR, ISR_END, LEVEL, MODE, SYNC] = [0, 1, 2, 3, 4, 5, 6, 7];
const record = (core, kind, number, count, value = 0) => [
  (core << 4) | kind,
  number,
  count & 255,
  (count >> 8) & 255,
  count >> 16,
  value & 255,
  (value >> 8) & 255,
  value >> 16,
];
const level = (count, value) => record(0, LEVEL, 0, count, value + (1 << 23));

// Core 0 counts microseconds, core 1 a watch crystal whose zero is its own; two comparisons tell where it stands and how fast it runs.
const input = folder.write(
  'plant.toy',
  Buffer.from([
    ...Buffer.from('TOY1'),
    ...record(0, NAME, 1, 0),
    ...record(0, NAME, 2, 0),
    ...record(0, SWITCH, 1, 100),
    ...level(150, -20),
    ...record(0, MODE, 0, 200, 1 | (3 << 2)),
    ...record(1, SWITCH, 2, 32768),
    ...record(1, SYNC, 0, 32832, 3053),
    ...record(0, ISR, 5, 300),
    ...level(310, 55),
    ...record(0, ISR_END, 5, 320),
    ...record(0, MODE, 0, 400, 3),
    ...record(1, 12, 0, 0), // no such kind
    ...record(0, READY, 1, 4000),
    ...record(1, SYNC, 0, 32896, 5006),
    1,
  ]),
);

test('conv: a trace with tasks, an interrupt, a signal, a state, nested arguments and two clocks', async () => {
  const output = folder.at('plant.pftrace');
  expect((await toy('conv', '--quiet', input, '-o', output)).code).toBe(0);
  const lines = traceText(readFileSync(output));
  expect(lines).toEqual(
    expect.arrayContaining([
      '100000 cpu 0 runs "not recorded" (299), before: runnable', // the damaged record may have been a switch
      '150000 counter ["level"] -20',
      '310000 counter ["level"] 55',
      '200000 begin ["mode"] "filling" "step"=3 "flow"={"in"=1.5 "out"=-3}',
      '400000 end ["mode"]',
      '300000 begin ["Interrupts, core 0"] "ISR #5"',
      '320000 end ["Interrupts, core 0"]',
      '1099875 cpu 1 runs "not recorded" (298), before: runnable',
    ]),
  );
  expect(lines).toEqual(
    expect.arrayContaining([expect.stringMatching(/^track 2 in 1 "level" counter in "mV"/), 'track 1 "Plant"']),
  );
});

test('info: figures, tables, problems', async () => {
  const { text } = await toy('info', '--json', input);
  const report = JSON.parse(text);
  expect(report.view.expand).toContain('^(Plant)$');
  expect(report.view.expand).toContain('^(Plant)$');
  expect(report.signals).toHaveLength(2);
  expect(report.clocks).toHaveLength(2);
  expect(report.tasks).toHaveLength(2);
  const { text: told } = await toy('info', input);
  expect(told).toMatch(/level +2 +integer +2 +0 +0 .* -20 +55 +17\.5 +mV/);
  expect(told).toMatch(/watch crystal +1 .* compared with another clock +2 /);
  expect(told).toMatch(/plant\.toy +recording +117 +108 +8 +1 +14/);
});

test('dump: the samples of any signal', async () => {
  expect((await toy('dump', '--signal', 'Plant/level', '--csv', input)).text).toBe(
    'time_ns,value,details\r\n150000,-20,\r\n310000,55,\r\n',
  );
  const { text } = await toy('dump', '--signal', 'mode', input);
  expect(text.split('\r\n')).toEqual([
    'time_ns,value,details',
    '200000,filling,"{""step"":3,""flow"":{""in"":1.5e0,""out"":-3e0}}"'.replaceAll('e0', ''),
    expect.stringMatching(/^400000,,/),
    '',
  ]);
});

test('dump: every event with its time on the one axis', async () => {
  const { text } = await toy('dump', input);
  expect(text).toContain('offset=44 core=1 ticks=1099875 seconds=0.001099875 event="task switched in" id=2');
  expect(text).toContain('offset=28 core=0 ticks=150000 seconds=0.000150000 event="count" id=2 value=-20');
});
