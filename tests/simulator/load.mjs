// SPDX-License-Identifier: MIT
//
// Compares the table load_windows with the truth.
import { interruptions } from './truth.mjs';

/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** A time, from and to, in nanoseconds. @typedef {[number, number]} Span */

const BUCKETS = 64;
/** Shares of the report are in millionths. */
const ROUNDED = 2e-6;

/** Times in which a core runs its idle task without interrupts. @param {Kernel} kernel @param {number} core @param {import('./truth.mjs').Contents} contents */
function idle_times(kernel, core, contents) {
  /** @type {Span[]} */
  const runs = [];
  let since = -1;
  for (const { at, event, core: on, task } of kernel.log) {
    if (on !== core || event !== 'switch') continue;
    if (since >= 0) runs.push([since, at]);
    since = task?.idle ? at : -1;
  }
  const { at: end } = kernel.log[kernel.log.length - 1];
  if (since >= 0) runs.push([since, end]);
  const interrupts = interruptions(kernel, core, contents);
  return runs.flatMap(([from, to]) => {
    /** @type {Span[]} */
    const idle = [];
    for (const [begin, until] of interrupts.filter(([begin, until]) => begin < to && until > from)) {
      if (begin > from) idle.push([from, begin]);
      from = Math.min(until, to);
    }
    if (from < to) idle.push([from, to]);
    return idle;
  });
}

/** @param {Span[]} spans @param {number} from @param {number} to */
const within = (spans, from, to) =>
  spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);

/** The largest load in a window: it begins where idle time ends, or ends where idle time begins. @param {Span[]} idle @param {number} from @param {number} end @param {number} length */
function largest_load(idle, from, end, length) {
  const starts = idle.flatMap(([begin, until]) => [until, begin - length]).concat(from, end - length);
  const loads = starts
    .filter((start) => start >= from && start + length <= end)
    .map((start) => 1 - within(idle, start, start + length) / length);
  return loads.length ? Math.max(...loads) : null;
}

/**
 * Rows that differ from the truth. With losses only what is shown is compared.
 * @param {{ ids: number[], idle: (core: number) => Span[], end: number }} cores their idle times without interrupts, until the end
 * @param {{ load_windows: any[], tick: { ns: number } }} report
 * @param {number} origin
 * @param {boolean} [gaps]
 */
export function wrong_windows({ ids, idle: idle_of, end }, { load_windows = [], tick }, origin, gaps = false) {
  /** @type {string[]} */
  const found = [];
  const missing = ids.filter((id) => !load_windows.some(({ name }) => name === `core ${id}`));
  if (!gaps) found.push(...missing.map((id) => `core ${id}: is not listed`));
  for (const row of load_windows) {
    const idle = idle_of(Number(/^core (\d+)$/.exec(row.name)?.[1]));
    for (const ms of [10, 100]) {
      const short = Math.floor(1e7 / tick.ns / BUCKETS) * BUCKETS * tick.ns;
      const length = (short * ms) / 10;
      const shown = row[`load_${ms}ms_max`];
      const what = `${row.name}, ${ms} ms`;
      if (shown !== null) {
        const at = Number(row[`load_${ms}ms_max_at`]) + origin;
        const there = 1 - within(idle, at, at + length) / length;
        if (Math.abs(shown - there) > ROUNDED) found.push(`${what}: shown ${shown} at ${at}, true ${there}`);
      }
      if (gaps || !idle.length) continue;
      const largest = largest_load(idle, idle[0][0], end, length);
      const is_sure = end - idle[0][0] >= length * (1 + 1 / BUCKETS);
      if (shown === null ? is_sure : largest === null || shown > largest + ROUNDED || shown < largest - 1 / BUCKETS)
        found.push(`${what}: shown ${shown}, true ${largest}`);
    }
  }
  return found;
}

/**
 * Rows that are wrong, of a simulated kernel.
 * @param {Kernel} kernel
 * @param {import('./truth.mjs').Contents} contents
 * @param {{ load_windows: any[], tick: { ns: number } }} report
 * @param {number} origin
 * @param {boolean} [gaps]
 */
export function wrong_loads(kernel, contents, report, origin, gaps = false) {
  const { at: end } = kernel.log[kernel.log.length - 1],
    ids = kernel.cores.map(({ id }) => id);
  return wrong_windows({ ids, idle: (core) => idle_times(kernel, core, contents), end }, report, origin, gaps);
}
