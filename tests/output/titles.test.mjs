// SPDX-License-Identifier: MIT
// The title of the trace names uncertain times, also if only the end of the recording shows that they are uncertain.
import { expect, test } from 'vitest';
import { run } from '../generator/golden-qs-stream.mjs';
import { Stream, head } from '../generator/golden-stream.mjs';
import { convert } from './convert.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const marks = (stream) => [100, 200, 300].reduce((to, at) => to.mark(at, `${at}`), stream).bytes();

/** A clock of one byte, and ticks whose distance does not match their rate. */
function narrow() {
  const stream = run({ sizes: { T: 1 } });
  for (let tick = 1; tick <= 12; tick++) stream.rec('QF_TICK', tick, 0).rec('SCHED_IDLE', (tick * 737) & 0xff, 3);
  return stream.bytes();
}

test.each([
  ['measured', marks(head()), {}, 'Target'],
  ['rate_unknown', marks(new Stream()), {}, 'Target (unknown clock rate: 1 tick shown as 1 ns)'],
  ['turns_unknown', narrow(), { 'rate-hz': '1000000' }, 'Target (narrow clock with an unknown number of wraps)'],
])('%s', async (certainty, bytes, options, title) => {
  const { trace, report } = convert([{ bytes }], options);
  expect(report.time_certainty).toBe(certainty);
  const engine = await sharedTraceProcessor();
  engine.load(trace);
  expect(engine.query(`select name from track where name like 'Target%'`)).toEqual([{ name: title }]);
});
