// SPDX-License-Identifier: MIT
// The memory of the native program for 1 GB, which `npm test` measures for a short recording.
import { expect, test } from 'vitest';
import { memory_of_many_tasks } from '../../common/memory.mjs';

test('1 GB of 100 tasks needs at most 16 MiB', async () => {
  const { report, mib } = await memory_of_many_tasks(1e9);
  expect(report.jobs).toHaveLength(100);
  console.log(`${mib.toFixed(1)} MiB`);
  expect(mib).toBeLessThanOrEqual(16);
});
