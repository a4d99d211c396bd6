// SPDX-License-Identifier: MIT
import { useEffect, useState } from 'preact/hooks';

type Listener = () => void;

/** Something that changes. */
export class Changes {
  readonly #listeners = new Set<Listener>();

  /** Calls the listener after each change. Returns the function that ends this. */
  subscribe(listener: Listener): Listener {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Draws the component again after each change. */
export function useChanges(something: Pick<Changes, 'subscribe'>): void {
  const [, set] = useState(0);
  useEffect(() => {
    const change = (): void => set((number) => number + 1);
    change(); // what happened before this effect
    return something.subscribe(change);
  }, [something]);
}
