// SPDX-License-Identifier: MIT
// The view in the address: `#t=BEGIN-END`, in nanoseconds of the trace. A link opened beside the same file shows the same place.
import type { Range } from '../io/perfetto.js';

export function viewIn(hash: string): Range | null {
  const [, start, end] = /^(\d{1,19})-(\d{1,19})$/.exec(new URLSearchParams(hash.slice(1)).get('t') ?? '') ?? [];
  if (start === undefined || end === undefined) return null;
  const range = { startNs: BigInt(start), endNs: BigInt(end) };
  return range.startNs < range.endNs ? range : null;
}

/** The view with which the page was opened, or a recording brought back. Only the first recording takes it. */
let linked = viewIn(location.hash);

/** The next recording takes the view of the address. */
export function linkView(): void {
  linked = viewIn(location.hash);
}

export function takeLinkedView(): Range | null {
  const range = linked;
  linked = null;
  return range;
}

/** Replaces the view in the address. null: the user has moved nothing. */
export function putView(range: Range | null): void {
  if (history.state === null) return; // the user has just changed the address, which is not shown yet
  const query = new URLSearchParams(location.hash.slice(1));
  if (range) query.set('t', `${range.startNs}-${range.endNs}`);
  else query.delete('t');
  const hash = query.toString(),
    next = hash ? `#${hash}` : '';
  if (next !== location.hash) history.replaceState(history.state, '', next || location.pathname + location.search);
}
