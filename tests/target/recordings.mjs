// SPDX-License-Identifier: MIT
//
// Functions for tests of the recorder that read its recordings.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, COMPILER, OUT } from './emulator.mjs';

const GOLDEN_COMPILER = '12.2.1'; // another compiler generates other instructions, which take other times

export const HAS_GOLDEN = COMPILER === GOLDEN_COMPILER;
if (CAN_RUN && !HAS_GOLDEN)
  console.log(`skipped: golden recordings are of arm-none-eabi-gcc ${GOLDEN_COMPILER}, this is ${COMPILER}`);

/** Events as the command line tool dumps them. @param {string} name @param {Uint8Array} recording */
export function events(name, recording) {
  const path = join(OUT, `${name}.tband`);
  writeFileSync(path, recording);
  const lines = execFileSync(join(root, 'build', 'native', 'cli', 'tonkopf'), ['dump', '--json', path], {
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What the examples `bare-metal` and `transports` record at each tick. */
export const TICK_EVENTS = ['interrupt entered', 'interrupt left', 'value', 'marker begin', 'marker end'];

/** How often each of TICK_EVENTS occurs. @param {string} name @param {Uint8Array} recording */
export function tickEvents(name, recording) {
  const all = events(name, recording);
  return TICK_EVENTS.map((kind) => all.filter(({ event }) => event === kind).length);
}

/** The program's own numbers: { name: number }, tasks separately. @param {Uint8Array} notes */
export function numbers(notes) {
  const rows = Buffer.from(notes)
    .toString()
    .trim()
    .split('\n')
    .map((line) => /** @type {[string, string]} */ (/^(.*) (\d+)$/.exec(line)?.slice(1)));
  const tasks = rows
    .filter(([name]) => name.startsWith('task '))
    .map(([name, number]) => [name.slice(5), Number(number)]);
  return {
    ...Object.fromEntries(rows.map(([name, number]) => [name, Number(number)])),
    tasks: Object.fromEntries(tasks),
  };
}

/** A frame per line. @param {Uint8Array} recording */
export const frames = (recording) =>
  Buffer.from(recording).toString('hex').replace(/(..)/g, '$1 ').replace(/ 00 /g, ' 00\n');
