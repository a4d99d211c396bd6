// SPDX-License-Identifier: MIT
// Each case: events and trace equal the expected file. CTest's golden/ tests compare all chunk sizes.
import { expect, test } from 'vitest';
import { WHOLE, cases, native_trace, read_expected, run_native } from './cases.mjs';
import { traceText } from './trace-text.mjs';

test.each(cases().map((one) => [one.name, one]))('%s: events and trace are as expected', async (_, one) => {
  const { stdout } = await run_native(one, '--dump', 'events');
  const expected = read_expected(one);
  expect(stdout.toString()).toBe(expected.events);
  const { trace } = await native_trace(one, WHOLE);
  expect(`${traceText(trace).join('\n')}\n`).toBe(expected.trace);
});
