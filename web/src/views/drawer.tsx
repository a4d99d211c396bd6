// SPDX-License-Identifier: MIT
// The drawer at the bottom: its tabs are always visible, the page of the open one is above the end of the screen.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { SELECTION, openTab, useHasSelection, useOpenTab, useSelection } from '../drawer.js';

export interface DrawerTab {
  id: string;
  title: string;
  /** number beside the title; default: none */
  count?: number;
  content: ComponentChildren;
}

/** Index of the tab that a key of the tab list leads to; null: none. */
function target(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Changes with each movement of a cursor, and draws no other tab again. */
function Selection() {
  return <>{useSelection()}</>;
}

const selection: DrawerTab = { id: SELECTION, title: 'Selection', content: <Selection /> };

export function Drawer({ tabs: others }: { tabs: readonly DrawerTab[] }) {
  const wanted = useOpenTab();
  const tabs = useHasSelection() ? [selection, ...others] : others;
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.some(({ id }) => id === wanted) ? wanted : null;
  const buttonOf = (index: number): HTMLElement | undefined =>
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index];
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === open),
  );
  const onTabKey = (event: KeyboardEvent, index: number): void => {
    const next = target(event.key, index, tabs.length);
    if (next === null) return;
    event.preventDefault();
    buttonOf(next)?.focus();
    if (open !== null) openTab(tabs[next]!.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || open === null || event.defaultPrevented) return;
    openTab(null);
    buttonOf(at)?.focus();
  };
  return (
    <section class={open === null ? 'drawer' : 'drawer open'} aria-label="Details" onKeyDown={onKeyDown}>
      <div ref={list} class="drawer-tabs" role="tablist" aria-label="Details of the recording">
        {tabs.map(({ id, title, count }, index) => (
          <button
            key={id}
            type="button"
            id={`tab-${id}`}
            role="tab"
            class="drawer-tab"
            aria-selected={id === open}
            aria-controls={`panel-${id}`}
            tabIndex={index === at ? 0 : -1}
            onKeyDown={(event) => onTabKey(event, index)}
            onClick={() => openTab(id === open ? null : id)}
          >
            {title}
            {count !== undefined && <small> {count}</small>}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }) => (
        <div
          key={id}
          id={`panel-${id}`}
          class="drawer-page"
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          tabIndex={0}
          hidden={id !== open}
        >
          {content}
        </div>
      ))}
    </section>
  );
}
