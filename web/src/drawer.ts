// SPDX-License-Identifier: MIT
// Which tab of the drawer is open. It stays open when the user looks at another recording.
import { useEffect, useState } from 'preact/hooks';

type Listener = (tab: string | null) => void;

let open: string | null = null;
const listeners = new Set<Listener>();

/** Opens a tab; null: closes the drawer. */
export function openTab(tab: string | null): void {
  open = tab;
  for (const listener of [...listeners]) listener(open);
}

export function useOpenTab(): string | null {
  const [tab, set] = useState(open);
  useEffect(() => {
    set(open);
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  return tab;
}
