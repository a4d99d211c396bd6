// SPDX-License-Identifier: MIT
import { useEffect, useState } from 'preact/hooks';

/** Draws the component again whenever `something` calls its listeners. */
export function useChanges(something: { subscribe(listener: () => void): () => void }): void {
  const [, set] = useState(0);
  useEffect(() => {
    const change = (): void => set((number) => number + 1);
    change(); // what happened before this effect
    return something.subscribe(change);
  }, [something]);
}
