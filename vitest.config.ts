// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'tests/{wasm,output,web,browsers,cli,golden,generator,simulator,docs,report,bench,target,packages}/**/*.test.{ts,mjs}',
    ],
    // A busy machine takes longer, which is no failure: tests wait for what happens, and end by themselves only where nothing does.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // two cores, and Chromium or trace_processor beside us
    maxWorkers: 2,
    // the files of a worker share its browser, its trace_processor and the modules
    isolate: false,
  },
});
