// SPDX-License-Identifier: MIT
// The room that the page has for the rows of the timeline.
import { useLayoutEffect, useState } from 'preact/hooks';

const LEAST = 140; // CSS pixels; below that the page scrolls around the timeline

interface Room {
  width: number;
  height: number;
}

/** Width of the field in CSS pixels, and the height with which the timeline fills the element around it. isThere: the field is part of the page. */
export function useRoom(field: { current: HTMLElement | null }, isThere: boolean): Room {
  const [room, set] = useState<Room>({ width: 0, height: LEAST });
  useLayoutEffect(() => {
    const { current } = field,
      timeline = current?.closest<HTMLElement>('.timeline'),
      around = timeline?.parentElement;
    if (!current || !timeline || !around) return;
    const measure = (): void => {
      const width = current.clientWidth,
        height = Math.max(LEAST, around.clientHeight - timeline.offsetHeight + current.offsetHeight);
      set((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    for (const element of [around, timeline, current]) observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [isThere]);
  return room;
}
