// SPDX-License-Identifier: MIT
// `npm run golden:update` rewrites the expected files of the golden cases; check the differences before you commit them.
import { cases, native_trace, run_native, write_expected } from './cases.mjs';
import { traceText } from './trace-text.mjs';

const all = cases();
for (const one of all) {
  const { stdout } = await run_native(one, '--dump', 'events');
  const { trace } = await native_trace(one, 1 << 20);
  write_expected(one, { events: stdout.toString(), trace: `${traceText(trace).join('\n')}\n` });
}
console.log(`${all.length} cases rewritten`);
