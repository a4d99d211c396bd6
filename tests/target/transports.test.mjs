// SPDX-License-Identifier: MIT
//
// Each transport from a running program to a file: no event is missing, or it is counted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { debug } from './debugger.mjs';
import { CAN_RUN, RAM, RAM_BYTES, addressOf, buildExample, emulateUarts } from './emulator.mjs';
import { TICK_EVENTS, tickEvents } from './recordings.mjs';

const TICKS = 400;
const ID = 'SEGGER RTT\0\0\0\0\0\0';
const UP = 16,
  DOWN = 20,
  CHANNEL = 24,
  NAME = 0,
  BUFFER = 4,
  SIZE = 8,
  WRITTEN = 12,
  READ = 16,
  FLAGS = 20; // bytes, the default of every debugger

const COMPLETE = TICK_EVENTS.map(() => TICKS);

/** Everything that a debugger reads from a channel while the program runs, until its end. @param {import('./debugger.mjs').Debugger}
 * target @param {number} block @param {number} most bytes at a time */
async function readChannel(target, block, most) {
  const channel = block + CHANNEL,
    parts = [];
  const [buffer, size] = [await target.word(channel + BUFFER), await target.word(channel + SIZE)];
  for (let isThere = true; isThere; isThere = await target.halt()) {
    const [read, written] = [await target.word(channel + READ), await target.word(channel + WRITTEN)];
    const len = Math.min(most, (written >= read ? written : size) - read);
    parts.push(await target.read(buffer + read, len));
    await target.writeWord(channel + READ, (read + len) % size);
    target.resume();
    await pause(5);
  }
  return Buffer.concat(parts);
}

describe.skipIf(!CAN_RUN)('transports', () => {
  test.each(['dma', 'usb'])('%s', (link) => {
    const [recording, notes] = emulateUarts(buildExample('transports', `LINK=${link}`), 5);
    expect(tickEvents(`transport-${link}`, recording)).toEqual(COMPLETE);
    expect(convert([{ bytes: recording }]).report.problems).toEqual([]);
    expect(notes.toString()).toBe('0');
  });

  test('semihosting', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonkopf-semihosting-'));
    const [, notes] = emulateUarts(buildExample('transports', 'LINK=semihosting'), 5, 'mps2-an385', 2, folder);
    const recording = readFileSync(join(folder, 'demo.tband'));
    rmSync(folder, { recursive: true });
    expect(tickEvents('transport-semihosting', recording)).toEqual(COMPLETE);
    expect(convert([{ bytes: recording }]).report.problems).toEqual([]);
    expect(notes.toString()).toBe('0');
  });

  test.each([
    ['reads all there is', 1024],
    ['is slow', 50],
  ])('rtt, the debugger %s', async (_, most) => {
    const image = buildExample('transports', 'LINK=rtt');
    await debug(
      image,
      'mps2-an385',
      async (target, ended) => {
        await target.runTo(addressOf(image, 'tband_rtt_pump'));
        const block = RAM + (await target.read(RAM, RAM_BYTES)).indexOf(ID, 0, 'latin1');
        expect(block).toBe(addressOf(image, '_SEGGER_RTT'));
        expect([await target.word(block + UP), await target.word(block + DOWN)]).toEqual([1, 0]);
        expect((await target.read(await target.word(block + CHANNEL + NAME), 8)).toString()).toBe('Tonkopf\0');
        expect(await target.word(block + CHANNEL + FLAGS)).toBe(0);
        const recording = await readChannel(target, block, most);
        await ended; // its notes are written
        const lost = Number(readFileSync(`${image}.uart1`));
        expect(tickEvents('transport-rtt', recording).reduce((sum, count) => sum + count)).toBe(
          TICK_EVENTS.length * TICKS - lost,
        );
        const { events: total, problems } = convert([{ bytes: recording }]).report;
        expect(total).toMatchObject({ lost, lost_before: 0 });
        if (!lost) expect(problems).toEqual([]);
      },
      [],
    );
  });
});
