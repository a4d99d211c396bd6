// SPDX-License-Identifier: MIT
// Arrows from senders to receivers in recordings that begin with filled queues, compared with the truth that the generator writes.
import { expect, test } from 'vitest';
import { filled_queues } from '../generator/psf-queues.mjs';
import { convert } from './convert.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const RECORDINGS = process.env.TONKOPF_EVERY_CASE ? 100 : 12;
const ARROWS = `select a.ts as sent, b.ts as received, a.name as sender, b.name as receiver from flow
  join slice a on a.id = slice_out join slice b on b.id = slice_in`;

test('every arrow leads from a send to a receive that took its item', async () => {
  const engine = await sharedTraceProcessor();
  const wrong = [];
  let right = 0;
  let truth = 0;
  for (let seed = 1; seed <= RECORDINGS; seed++) {
    const { bytes, arrows } = filled_queues(seed);
    const { trace } = convert([{ bytes }]);
    engine.load(trace);
    const rows = engine.query(ARROWS).filter(({ receiver }) => /^(receive|take) /.test(receiver));
    for (const { sent, received, sender, receiver } of rows) {
      const arrow = `${Number(sent) / 1000} > ${Number(received) / 1000}`;
      if (arrows.has(arrow)) right++;
      else wrong.push(`${seed}: ${arrow} ${sender}, ${receiver}`);
    }
    truth += arrows.size;
  }
  expect(wrong).toEqual([]);
  expect(right).toBeGreaterThan(truth / 2);
});
