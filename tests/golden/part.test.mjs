// SPDX-License-Identifier: MIT
// Every ninth case: a time range converted from a saved state of an earlier pass has the bytes of a conversion of the whole with from-ns and
// to-ns.
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import { traceNs } from '../../wasm/report.ts';
import { cases, native_trace, sampled } from './cases.mjs';
import { WasmRun } from './wasm.mjs';

const sizeOf = ({ inputs }) => inputs.reduce((sum, { path }) => sum + statSync(path).size, 0);

/** Beginning and end of the recording on the trace's clock, and the length of its tick, in ns. */
async function timesOf(one) {
  const report = JSON.parse((await native_trace(one, 1 << 20)).report);
  const ns = traceNs(report);
  return {
    first: BigInt(report.time.start) * ns,
    last: BigInt(report.time.end) * ns,
    tick: BigInt(report.tick.ns ?? 1),
  };
}

const PLACES = 5;
const NEVER = String(2n ** 63n - 1n);

/** Restart points of a first pass without a trace. */
async function statesOf(one, chunk) {
  const run = await WasmRun.begin(one, [`from-ns=${NEVER}`]);
  const every = Math.max(1, Math.floor(sizeOf(one) / chunk / PLACES)),
    states = [];
  for (let step = 0; states.length < PLACES && run.step(chunk); step++) if (step % every === 0) states.push(run.save());
  run.close();
  return states;
}

/** Number of restart points that were used, and of bytes that were skipped. */
async function tried(one, chunk, { tick }, from, to) {
  const range = [`range-tick-ns=${tick}`, `from-ns=${from}`, `to-ns=${to}`];
  const expected = await native_trace({ ...one, options: [...one.options, ...range] }, 2 * chunk + 1);
  let places = 0,
    spared = 0;
  for (const state of await statesOf(one, chunk)) {
    const run = await WasmRun.resume(state);
    const before = run.bytesRead;
    let isBehind = false;
    try {
      run.setOptions(range);
    } catch (error) {
      expect(error.message).toMatch('already passed this time');
      isBehind = true;
    }
    if (!isBehind) {
      while (!run.isComplete && run.step(chunk));
      const read = run.bytesRead - before;
      expect(run.finish().trace.equals(expected.trace)).toBe(true);
      places++;
      spared = sizeOf(one) - read;
    }
    run.close();
  }
  return [places, spared];
}

const isPart = (option) => /^(from|to)-ns=/.test(option);
const whole = sampled(cases().filter((one) => sizeOf(one) > 0)).map((one) => ({
  ...one,
  options: one.options.filter((option) => !isPart(option)),
}));

test.each(whole.map((one, index) => [one.name, one, index]))('a time range of %s', async (_, one, index) => {
  const times = await timesOf(one);
  const span = times.last - times.first,
    chunk = Math.max(1, Math.floor(sizeOf(one) / 40));
  const [from, to] = [
    [2n, 4n],
    [5n, 9n],
  ][index % 2]; // from its middle, and beyond its end
  const [places] = await tried(one, chunk, times, times.first + (span * from) / 6n, times.first + (span * to) / 6n);
  if (span > 0n) expect(places).toBeGreaterThan(0);
});

// Long enough that the trace is complete before the recording ends; flux signals may come in any order.
test.each(CASES.map((one) => [one.name, one]))('a time range of a long recording: %s', async (_, { name, ...rest }) => {
  const { paths, cores, bytes } = inputs({ name, ...rest }, '1M');
  const one = { inputs: paths.map((path, i) => ({ path, side: false, core: cores[i] })), options: [] };
  const times = await timesOf(one),
    span = times.last - times.first;
  const [places, spared] = await tried(one, 65536, times, times.first + span / 2n, times.first + (span * 51n) / 100n);
  expect(places).toBeGreaterThan(2);
  expect(spared / bytes > 0.7).toBe(!name.startsWith('flux'));
});

// The events after the range are still part of the figures.
test.each(CASES.map((one) => [one.name, one]))('the report of a time range of a long recording: %s', async (_, one) => {
  const { paths, cores } = inputs(one, '1M');
  const whole = { inputs: paths.map((path, i) => ({ path, side: false, core: cores[i] })), options: [] };
  const { first, last } = await timesOf(whole);
  const figuresOf = async (options) => {
    const { output, view, ...figures } = JSON.parse((await native_trace({ ...whole, options }, 65536)).report);
    return figures;
  };
  const expected = await figuresOf([]);
  for (const percent of [4n, 7n, 10n, 13n, 16n])
    expect(await figuresOf([`to-ns=${first + ((last - first) * percent) / 100n}`])).toEqual(expected);
});
