// SPDX-License-Identifier: MIT
//
// Builds the bare metal example, runs it and checks the figures of its recording.
import { describe, expect, test } from 'vitest';
import { convert } from '../output/convert.mjs';
import { debug } from './debugger.mjs';
import { CAN_RUN, RAM, RAM_BYTES, addressOf, buildExample, emulate } from './emulator.mjs';
import { TICK_EVENTS, events, tickEvents } from './recordings.mjs';

const TICKS = 40;

/** Expects each event of the program. @param {string} name @param {Uint8Array} recording */
function expectComplete(name, recording) {
  expect(tickEvents(name, recording)).toEqual(TICK_EVENTS.map(() => TICKS));
  expect(events(name, recording).filter(({ event }) => event === 'interrupt name')).toHaveLength(1);
}

describe.skipIf(!CAN_RUN)('bare metal example', () => {
  test('every interrupt, marker and value of the program is in the recording', () => {
    const recording = emulate(buildExample('bare-metal'), 6);
    expectComplete('bare-metal', recording);
    expect(emulate(buildExample('bare-metal'), 6).equals(recording)).toBe(true);
  });

  test('its memory contains the recording', async () => {
    const image = buildExample('bare-metal');
    await debug(image, 'mps2-an385', async (target) => {
      await target.runTo(addressOf(image, 'tband_stop_post_mortem'));
      const memory = await target.read(RAM, RAM_BYTES);
      expectComplete('memory', memory);
      expect(convert([{ bytes: memory }]).report.problems.map((/** @type {any} */ { id }) => id)).toEqual([
        'OUTSIDE_SKIPPED',
      ]);
    });
  });
});
