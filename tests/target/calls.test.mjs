// SPDX-License-Identifier: MIT
//
// Builds the call trace example, with trace points in the source and with those of the compiler, runs it and checks the figures of its
// recording.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clang, root } from '../../scripts/lib.mjs';
import { CAN_RUN, buildExample, emulate } from './emulator.mjs';

const TICKS = 10,
  CALLS_OF_FIBONACCI_4 = 9;
const tool = join(root, 'build', 'native', 'cli', 'tonkopf');

const CLANG = clang() ? [`CC=${clang()} --target=arm-none-eabi`] : null;
const WAYS = [
  ['trace points in the source', []],
  ['trace points of the compiler', ['HOOKS=1']],
];
const BUILDS = WAYS.flatMap(([name, settings]) => [
  [`GCC, ${name}`, settings],
  ...(CLANG ? [[`clang, ${name}`, [...settings, ...CLANG]]] : []),
]);

describe.skipIf(!CAN_RUN).each(BUILDS)('%s', (_, settings) => {
  test('every call, log and dump of the program is in the recording', () => {
    const image = buildExample('calls', ...settings),
      path = `${image}.bin`;
    writeFileSync(path, emulate(image, 6));
    const report = JSON.parse(execFileSync(tool, ['info', '--json', '--with', image, path], { encoding: 'utf8' }));
    const calls = Object.fromEntries(
      report.functions.map((/** @type {{ name: string, calls: number }} */ { name, calls: count }) => [name, count]),
    );
    expect(calls).toEqual({
      reset: 0,
      main: 1,
      step: TICKS,
      fibonacci: TICKS * CALLS_OF_FIBONACCI_4,
      board_systick: TICKS,
      count: TICKS,
    });
    expect(report.inputs.find((/** @type {{ role: string }} */ { role }) => role === 'recording')).toMatchObject({
      skipped: 0,
      left: 0,
    });
    expect(report.functions.find((/** @type {{ name: string }} */ { name }) => name === 'fibonacci').deepest).toBe(7); // reset, main, step, and the four functions of the example
    expect(report.interruptions).toMatchObject([{ name: 'main', by: 'SysTick', count: TICKS }]);
    expect(report.logs.map((/** @type {{ name: string }} */ { name }) => name)).toEqual(['begin', 'end']);
    expect(report.dumps).toMatchObject([{ name: 'results', length: 8, count: TICKS / 2, last: '0900000003000000' }]);
    const outline = execFileSync(tool, ['dump', '--with', image, path], { encoding: 'utf8' }).split('\n');
    expect(
      outline.filter((line) =>
        /main {13}step {2}\(0x[0-9a-f]+ main\.c:\d+; called from 0x[0-9a-f]+ main\+\d+ main\.c:\d+\)$/.test(line),
      ).length,
    ).toBe(TICKS);
  });
});
