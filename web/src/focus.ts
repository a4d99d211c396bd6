// SPDX-License-Identifier: MIT
import { useEffect } from 'preact/hooks';

const isLost = (node: Element): boolean => !node.isConnected || (node instanceof HTMLButtonElement && node.disabled);

/** The heading of the nearest section that still exists, or the main part of the page. */
function homeOf(trail: readonly Element[]): HTMLElement | null {
  const rooms = trail.filter((node) => node.isConnected && node.matches('dialog, section, main'));
  const heading = rooms.map((room) => room.querySelector<HTMLElement>('h1, h2')).find((node) => node !== null);
  return heading ?? document.querySelector('main');
}

/** When the focused element is removed, a near heading gets the focus, so that a keyboard user does not start again at the top of the
 * page. */
export function useKeptFocus(): void {
  useEffect(() => {
    let trail: Element[] = [];
    const note = ({ target }: FocusEvent): void => {
      trail = [];
      for (let node = target as Element | null; node; node = node.parentElement) trail.push(node);
    };
    const mend = (): void => {
      const [had] = trail;
      if (!had || document.activeElement !== document.body || !isLost(had)) return;
      const home = homeOf(trail.slice(1));
      if (home && !home.hasAttribute('tabindex')) home.tabIndex = -1;
      home?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(mend);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', note);
    };
  }, []);
}
