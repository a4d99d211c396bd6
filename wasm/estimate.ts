// SPDX-License-Identifier: MIT
// Estimates the size of a trace and the time that the viewer needs to load it, from counts of items. The constants are a least squares fit of the ratios, over 1 MB of
// each case of `npm run bench` and the load times of `npm run bench -- --load`. Estimated bytes and packets are within 20 % of the real ones, times within a third on
// the machine of docs/PERFORMANCE.md.
import type { LeftOut } from './types.js';

/** Size of a trace. */
export interface Extent {
  packets: number;
  bytes: number;
}

const PACKETS: LeftOut = { states: 0.05, slices: 2, instants: 1, values: 0.9, arguments: 0 };
const BYTES: LeftOut = { states: 1.3, slices: 27, instants: 31, values: 21, arguments: 6.7 };
const SECONDS: Extent = { packets: 0.9e-6, bytes: 62e-9 };

const weighed = <Counts extends object>(counts: Counts, weights: Counts): number =>
  (Object.keys(weights) as (keyof Counts)[]).reduce((sum, key) => sum + Number(counts[key]) * Number(weights[key]), 0);

/** Estimates the size of the trace of omitted items. */
export const traceOf = (leftOut: LeftOut): Extent => ({
  packets: weighed(leftOut, PACKETS),
  bytes: weighed(leftOut, BYTES),
});

/** Estimates the seconds that the viewer needs to load a trace. */
export const loadSeconds = (trace: Extent): number => weighed(trace, SECONDS);
