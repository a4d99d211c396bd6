// SPDX-License-Identifier: MIT
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Surface } from './messages.js';
import type { Session } from './session.js';

/** A canvas for pictures of a session. The worker draws on it; if the browser cannot give it away, the page does, with code that it loads then. */
export function useSurface(session: Session, surface: Surface, isThere = true) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isTaken = useRef(false);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || isTaken.current) return;
    isTaken.current = true;
    if (session.takeCanvas(surface, element)) return;
    session.onPicture.set(surface, async (picture) => {
      const code = await import('./draw.js').catch(() => null); // without the network there is no picture
      if (!code) return;
      element.width = picture.width;
      element.height = picture.height;
      const context = element.getContext('2d');
      if (context) code.drawPicture(context, picture);
    });
  }, [isThere, session]);
  return canvas;
}
