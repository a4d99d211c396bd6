// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{wasm,output,web,browsers,cli,golden,generator,docs,report,bench,target,packages}/**/*.test.{ts,mjs}'],
    // a busy machine takes longer, which is no failure
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // two cores, and Chromium or trace_processor beside us
    maxWorkers: 2,
    // the files of a worker share its browser, its trace_processor and the modules
    isolate: false,
  },
});
