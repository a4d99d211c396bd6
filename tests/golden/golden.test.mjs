// SPDX-License-Identifier: MIT
// Each case: events and trace equal the expected file, with the same bytes and the same report at every chunk size.
import { describe, expect, test } from 'vitest';
import { CHUNKS, cases, native_trace, read_expected, run_native } from './cases.mjs';
import { traceText } from './trace-text.mjs';

describe.each(cases().map((one) => [one.name, one]))('%s', (_, one) => {
  test('events and trace are as expected', async () => {
    const { stdout } = await run_native(one, '--dump', 'events');
    const expected = read_expected(one);
    expect(stdout.toString()).toBe(expected.events);
    const { trace } = await native_trace(one, CHUNKS.at(-1));
    expect(`${traceText(trace).join('\n')}\n`).toBe(expected.trace);
  });

  test('the chunk size makes no difference', async () => {
    const whole = await native_trace(one, CHUNKS.at(-1));
    for (const chunk of CHUNKS.slice(0, -1)) {
      const cut = await native_trace(one, chunk);
      expect(cut.trace.equals(whole.trace), `trace at ${chunk}`).toBe(true);
      expect(cut.report, `report at ${chunk}`).toBe(whole.report);
      expect(cut.status).toBe(whole.status);
    }
  });
});
