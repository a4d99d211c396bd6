// SPDX-License-Identifier: MIT
//
// Compares the table of waits with the truth.

/** @typedef {import('./truth.mjs').Waits} Waits */
/** @typedef {{ at: number, length: number }} Span */

/** Percentiles are exact up to so many values. */
const EXACT = 32;

/** Suspensions, whose names tell who suspended the task, are in the truth of states. */
const is_suspension = (/** @type {string} */ name) => name.startsWith('suspended');

/** Waits for queues, semaphores and mutexes. */
const is_for_queue = (/** @type {string} */ name) => /^(receive from|send to|take|give|lock) /.test(name);

/** @param {number[]} lengths @param {number} percent */
const percentile = (lengths, percent) =>
  [...lengths].sort((a, b) => a - b)[Math.ceil((lengths.length * percent) / 100) - 1];

/** The figures of spans as the program shows them. @param {Span[]} spans @param {number} origin */
function figures_of(spans, origin) {
  const lengths = spans.map(({ length }) => length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const longest = Math.max(...lengths);
  const few = lengths.length <= EXACT;
  return {
    count: lengths.length,
    total: String(total),
    mean: String(Math.round(total / lengths.length)),
    p50: few ? String(percentile(lengths, 50)) : undefined,
    p95: few ? String(percentile(lengths, 95)) : undefined,
    p99: few ? String(percentile(lengths, 99)) : undefined,
    max: String(longest),
    max_at: String((spans.find(({ length }) => length === longest)?.at ?? NaN) - origin),
  };
}

/** @param {string} what @param {Record<string, unknown>} shown @param {Record<string, unknown>} wanted */
const differing = (what, shown, wanted) =>
  Object.keys(wanted)
    .filter((column) => wanted[column] !== undefined && wanted[column] !== shown[column])
    .map((column) => `${what}: ${column} is shown as ${shown[column]}, true ${wanted[column]}`);

/** What cannot be of some of the spans. @param {string} what @param {any} shown @param {Span[]} spans @param {number} origin */
function impossible(what, shown, spans, origin) {
  if (!shown.count) return [];
  const total = spans.reduce((sum, { length }) => sum + length, 0);
  const found = [];
  if (shown.count > spans.length) found.push(`${what}: ${shown.count} are shown, true ${spans.length}`);
  if (shown.total !== undefined && Number(shown.total) > total)
    found.push(`${what}: ${shown.total} in all is shown, true ${total}`);
  if (!spans.some(({ at, length }) => `${at - origin}` === shown.max_at && `${length}` === shown.max))
    found.push(`${what}: there is none of ${shown.max} at ${shown.max_at}`);
  return found;
}

/**
 * Rows that are wrong: of a complete recording those that differ, with losses those that no subset of the true waits can have.
 * @param {Map<string, Waits>} truth
 * @param {any[]} rows
 * @param {number} origin
 * @param {{ gaps?: boolean, has_ends?: boolean }} [options] has_ends: the recording proves how most waits for queues and mutexes ended
 */
export function wrong_waits(truth, rows, origin, { gaps = false, has_ends = false } = {}) {
  /** @type {string[]} */
  const found = [];
  const listed = new Set();
  for (const row of rows.filter(({ name }) => !is_suspension(name))) {
    const key = `${row.name} of ${row.task}`;
    const wanted = truth.get(key);
    const measured = row.count - row.count_unmeasured;
    listed.add(key);
    if (!measured) continue;
    if (!wanted) {
      // A loss may hide what a task waits for.
      found.push(`${key}: no such wait`);
      continue;
    }
    const waits = { ...row, count: measured, max: row.longest, max_at: row.longest_at };
    const wakes = {
      count: row.woken - row.woken_unmeasured,
      mean: row.wake_mean,
      p95: row.wake_p95,
      max: row.wake_max,
      max_at: row.wake_max_at,
    };
    if (row.timed_out !== null && (gaps ? row.timed_out > wanted.timed_out : row.timed_out !== wanted.timed_out))
      found.push(`${key}: ${row.timed_out} are shown as timed out, true ${wanted.timed_out}`);
    if (gaps) {
      found.push(
        ...impossible(key, waits, wanted.waits, origin),
        ...impossible(`after ${key}`, wakes, wanted.wakes, origin),
      );
      continue;
    }
    const { total: _, p50, p99, ...of_wakes } = figures_of(wanted.wakes, origin);
    found.push(...differing(key, waits, figures_of(wanted.waits, origin)));
    if (wanted.wakes.length) found.push(...differing(`after ${key}`, wakes, of_wakes));
    else if (wakes.count) found.push(`after ${key}: ${wakes.count} are shown, true 0`);
  }
  const for_queues = rows.filter(({ name, count, count_unmeasured }) => is_for_queue(name) && count > count_unmeasured);
  const without_end = for_queues.filter(({ timed_out }) => timed_out === null).length;
  if (has_ends && without_end > Math.max(4, for_queues.length / 2))
    found.push(`how waits ended is unknown for ${without_end} of ${for_queues.length} rows`);
  if (!gaps) found.push(...[...truth.keys()].filter((key) => !listed.has(key)).map((key) => `${key}: is not listed`));
  return found;
}
