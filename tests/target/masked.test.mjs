// SPDX-License-Identifier: MIT
//
// How long interrupts are masked: no call masks them for more than 300 instructions, and 10 per byte of the text that it writes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, build, emulateUarts } from './emulator.mjs';
import { HAS_GOLDEN } from './recordings.mjs';

const NS_PER_TICK = 40;
const SHIFT = 6; // 64 ns per instruction
const FOLDER = join(root, 'tests', 'target', 'masked');
const TRACER = join(root, 'tracer');
const TRANSFER = '../../../tracer/transports/tband_transfer.c'; // sends the stream of one core
const MOST = 300;
const MOST_PER_BYTE = 10;

const ONE_STREAM = ['-DIMAGE_STREAMING'];
const TWO_CORES = ['-DIMAGE_STREAMING', '-Dtband_portNUMBER_OF_CORES=2'];
/** Columns of the table in docs/TRACER.md. @type {[string, string[]][]} */
const COLUMNS = [
  ['-Os', []],
  ['-O2', []],
  ['-Os', ONE_STREAM],
  ['-O2', ONE_STREAM],
  ['-Os', TWO_CORES],
  ['-O2', TWO_CORES],
  ['-Os', ['-DIMAGE_SNAPSHOT']],
  ['-O2', ['-DIMAGE_SNAPSHOT']],
];
/** Title in that table, and the names that the program prints. @type {[string, string[]][]} */
const ROWS = [
  ['number, such as `tband_isr_enter()`', ['number', 'after_loss']],
  ['two numbers, such as a queue send', ['two_numbers', 'two_after_loss']],
  ['`tband_valmarker()`', ['value', 'value_after_loss']],
  ['`tband_allocated()`', ['allocation', 'allocation_after_loss', 'first_allocation']],
  ['`tband_evtmarker()`, 20 characters', ['text_of_20', 'lost_of_20', 'text_after_loss_of_20']],
  [
    '`tband_isr_name()`, 20 characters',
    ['first_name_of_20', 'fill_names_of_20', 'name_of_20', 'name_after_loss_of_20', 'reused_name_of_20'],
  ],
  [
    'an event after `tband_send_names()` with a full stream, and a name of 20 characters',
    ['value_with_name_of_20', 'allocation_with_name_of_20'],
  ],
  ['`tband_repeat_names()`, 20 characters', ['repeated_name_of_20']],
  ['`tband_set_groups()`', ['groups']],
  ['`tband_set_isr_recorded()`', ['isr_recorded']],
  ['`tband_now()`', ['now']],
  ['`tband_record_resolution()`', ['resolution']],
  ['`tband_start_...()`, `tband_restart_streaming()`, `tband_trigger_snapshot()`', ['start', 'restart']],
  ['`tband_stop_...()`', ['stop']],
  ['`tband_stream_peek()`, `tband_stream_consume()`', ['send']],
  ['`tband_transfer_pump()`, `tband_transfer_done()`', ['transfer']],
];

/** Instructions with masked interrupts, of each call. @param {string} level @param {string[]} options @returns {Map<string, number>} */
function measure(level, options) {
  const image = build(
    `masked${level}${options}`,
    'cortex-m3',
    [level, ...options, ...[FOLDER, join(TRACER, 'src'), join(TRACER, 'transports')].map((path) => `-I${path}`)],
    ['../masked/main.c', ...(options === ONE_STREAM ? [TRANSFER] : [])],
  );
  const rows = emulateUarts(image, SHIFT)[1]
    .toString()
    .trim()
    .split('\n')
    .map((row) => row.split(' '));
  return new Map(rows.map(([name, ticks]) => [name, (Number(ticks) * NS_PER_TICK) / 2 ** SHIFT]));
}

describe.skipIf(!CAN_RUN)('interrupts are masked shortly', () => {
  /** @type {Map<string, number>[]} */ let measured;
  beforeAll(() => {
    measured = COLUMNS.map(([level, options]) => measure(level, options));
  });

  test.each(COLUMNS.map(([level, options], column) => ({ level, options, column })))(
    '$level $options',
    ({ column }) => {
      expect(measured[column].size).toBeGreaterThan(10);
      for (const [name, instructions] of measured[column]) {
        const ofText = name.endsWith('_of_20') ? 20 * MOST_PER_BYTE : 0;
        expect(instructions, name).toBeLessThanOrEqual(MOST + ofText);
      }
    },
  );

  test.skipIf(!HAS_GOLDEN)('the documentation contains the measured numbers, of every call', () => {
    const lines = ROWS.map(([title, names]) => {
      const cells = measured.map((column) => {
        const found = names.flatMap((name) => column.get(name) ?? []);
        return found.length ? String(Math.round(Math.max(...found))) : '';
      });
      return `| ${[title, ...cells].join(' | ')} |`.replaceAll('|  ', '| ');
    });
    const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8').split('\n'),
      first = page.findIndex((line) => line.startsWith('| longest time with interrupts masked |')) + 2;
    expect(page.slice(first, first + lines.length)).toEqual(lines);
    const shown = ROWS.flatMap(([, names]) => names);
    for (const column of measured) for (const name of column.keys()) expect(shown).toContain(name);
  });
});
