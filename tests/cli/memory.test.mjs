// SPDX-License-Identifier: MIT
// The memory of the native program. `npm run test:packages -- memory` reads a recording of 1 GB.
import { expect, test } from 'vitest';
import { memory_of_many_tasks } from '../common/memory.mjs';

test('the figures of 100 tasks need at most 16 MiB', async () => {
  const { report, mib } = await memory_of_many_tasks(8e6);
  expect(report.jobs).toHaveLength(100);
  expect(mib).toBeGreaterThan(1);
  expect(mib).toBeLessThanOrEqual(16);
});
