// SPDX-License-Identifier: MIT
// What a trace costs in the viewer, from counts. The constants were fitted once (least squares of the ratios, 1 MB of each case of `npm run bench`, the engine of
// `npm run bench -- --load`): bytes and packets of a trace that is not written come out within a fifth, times within a third on the machine of docs/PERFORMANCE.md.
import type { LeftOut } from './types.js';

/** A trace by its size. */
export interface Extent {
  packets: number;
  bytes: number;
}

const PACKETS: LeftOut = { states: 0.05, slices: 2, instants: 1, values: 0.9, arguments: 0 };
const BYTES: LeftOut = { states: 1.3, slices: 27, instants: 31, values: 21, arguments: 6.7 };
const SECONDS: Extent = { packets: 0.9e-6, bytes: 62e-9 };

const weighed = <Counts extends object>(counts: Counts, weights: Counts): number =>
  (Object.keys(weights) as (keyof Counts)[]).reduce((sum, key) => sum + Number(counts[key]) * Number(weights[key]), 0);

/** The trace that would have been written. */
export const traceOf = (leftOut: LeftOut): Extent => ({
  packets: weighed(leftOut, PACKETS),
  bytes: weighed(leftOut, BYTES),
});

/** Until the viewer shows it. */
export const loadSeconds = (trace: Extent): number => weighed(trace, SECONDS);
