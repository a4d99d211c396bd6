// SPDX-License-Identifier: MIT
// The page's state in one atom, changed only by the reducer.
import { useChanges } from './changes.js';
import { type Action, type Page, initialPage, reduce } from './job.js';

type Listener = (page: Page) => void;

let page: Page = initialPage;
const listeners = new Set<Listener>();

export const getPage = (): Page => page;

export function dispatch(action: Action): void {
  const next = reduce(page, action);
  if (next === page) return;
  page = next;
  for (const listener of [...listeners]) listener(page);
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const store = { subscribe };

export function usePage(): Page {
  useChanges(store);
  return page;
}
