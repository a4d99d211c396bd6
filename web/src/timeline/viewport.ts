// SPDX-License-Identifier: MIT
// The visible time, in ticks since the first event. Numbers are doubles, so that a window can be shorter than a tick.
import type { Facts, Window } from './engine.js';

export interface Viewport {
  start: number;
  span: number;
}

type Extent = Pick<Facts, 'first' | 'last'>;

/** Facts of a recording without events so far. */
export const nothing = { first: 0n, last: 0n, tickNs: 1n };

/** Fewest ticks in a window. */
const LEAST = 4;
/** Share of the recording that a window can show before and after it. */
const MARGIN = 0.05;

export const wholeOf = ({ first, last }: Extent): Viewport => ({
  start: 0,
  span: Math.max(LEAST, Number(last - first)),
});

/** Keeps a window within the recording. */
export function clamped({ start, span }: Viewport, extent: Extent): Viewport {
  const whole = wholeOf(extent).span;
  const kept = Math.min(Math.max(span, LEAST), whole * (1 + 2 * MARGIN));
  const edge = Math.max(whole * MARGIN, kept / 2);
  return { start: Math.min(Math.max(start, -edge), whole + edge - kept), span: kept };
}

/** Zooms so that the time at `share` (0..1) of the width stays where it is. factor below 1: shows less. */
export const zoomed = ({ start, span }: Viewport, factor: number, share: number): Viewport => ({
  start: start + span * share * (1 - factor),
  span: span * factor,
});

/** The window with a margin around an interval. */
export function around(from: number, to: number, least = LEAST): Viewport {
  const span = Math.max(least, (to - from) * 1.2);
  return { start: (from + to) / 2 - span / 2, span };
}

/** The window for the engine. pixels: width in pixels of the device. */
export function windowOf({ start, span }: Viewport, { first }: Pick<Extent, 'first'>, pixels: number): Window {
  const whole = BigInt(Math.floor(start));
  const from = first + whole > 0n ? first + whole : 0n;
  return {
    from,
    offset: start - Number(from - first),
    ticksPerPixel: span / Math.max(1, pixels),
    width: Math.max(1, Math.round(pixels)),
  };
}

/** Whole ticks of the recording for a time in the window. */
export const ticksOf = (time: number, { first }: Pick<Extent, 'first'>): bigint => {
  const ticks = first + BigInt(Math.floor(time));
  return ticks > 0n ? ticks : 0n;
};
