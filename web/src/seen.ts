// SPDX-License-Identifier: MIT
// What the user looks at in the timelines: the visible time range and the marked interval. In nanoseconds of the trace.
import { useEffect, useState } from 'preact/hooks';
import type { Range } from './io/perfetto.js';

export interface Seen {
  view: Range;
  /** the user has moved the view; false: it is as the timeline chose it */
  isMoved: boolean;
  /** the interval that the user has marked */
  marked: Range | null;
  /** start of the selected item */
  selectedNs: bigint | null;
}

const byRecording = new Map<string, Seen>();
const listeners = new Set<() => void>();

const isSame = (a: Range | null | undefined, b: Range | null): boolean =>
  a?.startNs === b?.startNs && a?.endNs === b?.endNs;

/** seen: null when the timeline ends. */
export function setSeen(recording: string, seen: Seen | null): void {
  const before = byRecording.get(recording);
  if (
    seen &&
    before?.isMoved === seen.isMoved &&
    before.selectedNs === seen.selectedNs &&
    isSame(before.view, seen.view) &&
    isSame(before.marked, seen.marked)
  )
    return;
  if (seen) byRecording.set(recording, seen);
  else byRecording.delete(recording);
  for (const listener of [...listeners]) listener();
}

export const seenOf = (recording: string): Seen | null => byRecording.get(recording) ?? null;

export function useSeen(recording: string): Seen | null {
  const [, set] = useState(0);
  useEffect(() => {
    const listener = (): void => set((count) => count + 1);
    listeners.add(listener);
    listener(); // what happened before this effect
    return () => void listeners.delete(listener);
  }, []);
  return seenOf(recording);
}
