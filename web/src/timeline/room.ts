// SPDX-License-Identifier: MIT
// The height that the page has for the rows of the timeline.
import { useLayoutEffect, useState } from 'preact/hooks';

const LEAST = 140; // CSS pixels; below that the page scrolls around the timeline

/** Height in CSS pixels of the field, so that the timeline fills the element around it. isThere: the field is part of the page. */
export function useRoom(field: { current: HTMLElement | null }, isThere: boolean): number {
  const [room, set] = useState(LEAST);
  useLayoutEffect(() => {
    const timeline = field.current?.closest<HTMLElement>('.timeline');
    const around = timeline?.parentElement;
    if (!timeline || !around) return;
    const measure = (): void => {
      const beside = timeline.offsetHeight - (field.current?.offsetHeight ?? 0);
      set(Math.max(LEAST, around.clientHeight - beside));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    observer.observe(timeline);
    measure();
    return () => observer.disconnect();
  }, [isThere]);
  return room;
}
