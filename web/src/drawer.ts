// SPDX-License-Identifier: MIT
// Which tab of the drawer is open, and what the tab "Selection" contains. The tab stays open when the user looks at another recording.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export const SELECTION = 'selection';

interface State {
  /** null: the drawer is closed */
  tab: string | null;
  /** what is selected in the timeline; null: nothing, and there is no such tab */
  selection: ComponentChildren;
}

let state: State = { tab: null, selection: null };
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of [...listeners]) listener();
}

/** Opens a tab; null: closes the drawer. */
export const openTab = (tab: string | null): void => change({ tab });

/** Shows what is selected. The first selection opens its tab if the drawer is closed; without a selection that tab is closed. */
export function showSelection(selection: ComponentChildren): void {
  const { selection: before, tab } = state;
  if (selection === before) return;
  if (selection === null && tab === SELECTION) return change({ selection, tab: null });
  change({ selection, tab: before === null && tab === null ? SELECTION : tab });
}

/** A part of the state. The caller is drawn again when that part changes. */
function usePart<Part>(part: () => Part): Part {
  const [, set] = useState(part);
  useEffect(() => {
    const listener = (): void => set(part);
    listener();
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return part();
}

export const useOpenTab = (): string | null => usePart(() => state.tab);
export const useSelection = (): ComponentChildren => usePart(() => state.selection);
export const useHasSelection = (): boolean => usePart(() => state.selection !== null);
