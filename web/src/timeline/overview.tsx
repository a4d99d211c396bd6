// SPDX-License-Identifier: MIT
// The whole recording above the timeline, with the window and the places of findings.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { KIND } from './engine.js';
import { type Layout, type Row, mainRows } from './layout.js';
import { useSurface } from './surface.js';
import type { Session } from './session.js';
import { type Viewport, nothing, wholeOf, windowOf } from './viewport.js';

const HEIGHT = 34;
const MOST = 6; // rows of a recording without cores
const GROWN = 100; // a growing recording is drawn again when it has grown by a hundredth

function shownRows(layout: Layout): Row[] {
  const rows = mainRows(layout),
    cores = rows.filter(({ kind }) => kind === KIND.core);
  return cores.length ? cores : rows.filter(({ depth }) => depth === 0).slice(0, MOST);
}

interface Props {
  session: Session;
  view: Viewport;
  width: number;
  scale: number;
  isDark: boolean;
  /** places of findings, in ticks since the first event */
  places: readonly number[];
  onShow(view: Viewport): void;
}

export function Overview({ session, view, width, scale, isDark, places, onShow }: Props) {
  const { facts, layout } = session;
  const canvas = useSurface(session, 'overview');
  const number = useRef(0);
  const grabbed = useRef<number | null>(null); // time between the pointer and the middle of the window
  const rows = shownRows(layout);
  const known = facts ?? nothing,
    whole = wholeOf(known),
    size = Math.floor(GROWN * Math.log(whole.span));
  useLayoutEffect(() => {
    if (!width) return;
    const height = Math.max(3, Math.floor(HEIGHT / Math.max(1, rows.length)));
    session.show({
      surface: 'overview',
      number: ++number.current,
      window: windowOf(whole, known, Math.round(width * scale)),
      height: Math.round(HEIGHT * scale),
      scale,
      isDark,
      marks: [],
      hasTexts: false,
      strips: rows.map(({ row, kind }, index) => ({ row, kind, y: index * height, height: height - 1, reasons: 0 })),
    });
  }, [session, size, facts?.isFinal, layout, width, scale, isDark]);
  const share = (time: number): number => Math.min(1, Math.max(0, time / whole.span));
  const [left, right] = [share(view.start), share(view.start + view.span)];
  const timeOf = (event: PointerEvent): number => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return ((event.clientX - box.left) / Math.max(1, box.width)) * whole.span;
  };
  const move = (event: PointerEvent): void => {
    if (grabbed.current !== null) onShow({ ...view, start: timeOf(event) - grabbed.current - view.span / 2 });
  };
  return (
    <div
      class="tl-overview"
      style={{ height: `${HEIGHT}px` }}
      aria-hidden="true"
      title="The whole recording. Drag the window."
      onPointerDown={(event) => {
        const middle = view.start + view.span / 2,
          time = timeOf(event),
          isInside = Math.abs(time - middle) < view.span / 2;
        grabbed.current = isInside ? time - middle : 0;
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={move}
      onPointerUp={() => (grabbed.current = null)}
      onPointerCancel={() => (grabbed.current = null)}
    >
      <canvas ref={canvas} class="tl-whole" />
      {places.map((at) => (
        <span key={at} class="tl-finding" style={{ left: `${100 * share(at)}%` }} />
      ))}
      <span class="tl-window" style={{ left: `${100 * left}%`, width: `max(3px, ${100 * (right - left)}%)` }} />
    </div>
  );
}
