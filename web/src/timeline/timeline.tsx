// SPDX-License-Identifier: MIT
// The timeline of one recording: names of the rows, the canvas, the selection, and everything that hands can do with them.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import type { Range } from '../io/perfetto.js';
import type { Seen } from '../seen.js';
import { digits } from '../format.js';
import { Clock } from './axis.js';
import { drawPicture } from './draw.js';
import { type Facts, KIND } from './engine.js';
import { type Line, linesOf, pathTo, rowsNamed } from './layout.js';
import type { NamedItem } from './messages.js';
import { useRoom } from './room.js';
import type { Session } from './session.js';
import { type Viewport, around, clamped, ticksOf, wholeOf, windowOf, zoomed } from './viewport.js';
import './timeline.css';

export { Session } from './session.js';

const SLIP = 4; // CSS pixels that a click may move
const ZOOM = 1.4; // per key
const PAN = 0.2; // of the window, per key
const REACH = 3; // CSS pixels around the pointer
const TABLE_ITEMS = 20; // of a row

interface Props {
  session: Session;
  /** null: the recording is still being read */
  report: Report | null;
  /** a place that the page wants to show; a new object shows it again */
  place: Range | null;
  /** opens the viewer at a place; null: it cannot be opened now */
  onOpen: ((place: Range) => void) | null;
  /** called when the user looks at another time range or marks an interval; null: at the end */
  onSeen: (seen: Seen | null) => void;
}

interface Interval {
  from: number;
  to: number;
  /** shown by the page; false: marked by the user */
  isPlace?: boolean;
}

const isOrdered = ({ from, to }: Interval): Interval => (from <= to ? { from, to } : { from: to, to: from });

/** Returns a counter that rises when the session changes. */
function useSession(session: Session): void {
  const [, set] = useState(0);
  useEffect(() => {
    const change = (): void => set((count) => count + 1);
    change(); // what happened before this effect
    return session.subscribe(change);
  }, [session]);
}

const prefersDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

function useDark(): boolean {
  const [isDark, set] = useState(prefersDark);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => set(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isDark;
}

/** Width of an element in CSS pixels. isThere: it is part of the page. */
function useWidth(element: { current: HTMLElement | null }, isThere: boolean): number {
  const [width, set] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => set(current.clientWidth));
    observer.observe(current);
    set(current.clientWidth);
    return () => observer.disconnect();
  }, [isThere]);
  return width;
}

interface Placed {
  line: Line;
  y: number;
}

function placed(lines: readonly Line[]): { placed: Placed[]; height: number } {
  let y = 0;
  const all = lines.map((line) => {
    const here = { line, y };
    y += line.height;
    return here;
  });
  return { placed: all, height: y };
}

/** What an item is, in words. */
function wordsOf(item: NamedItem, line: Line, clock: Clock, facts: Facts): string {
  const kind = line.row?.kind;
  const name = kind === KIND.numbers ? `${digits(item.number)} ${line.row?.unit ?? ''}`.trim() : item.text || 'no name';
  const at = clock.moment(item.begin);
  if (kind === KIND.instants) return `${name}, at ${at}`;
  const length = clock.duration(item.end - item.begin);
  return `${name}, from ${at}, ${item.isOpen ? 'at least ' : ''}${length}`;
}

const rowWords = ({ row, title }: Line): string => row?.title ?? title;

function Names({
  lines,
  scroll,
  current,
  onFold,
  onRow,
}: {
  lines: readonly Placed[];
  scroll: number;
  current: string;
  onFold(line: Line): void;
  onRow(line: Line): void;
}) {
  return (
    <ul class="tl-names" aria-label="Rows of the timeline" style={{ transform: `translateY(${-scroll}px)` }}>
      {lines.map(({ line }) => (
        <li
          key={line.key}
          class={`${line.row ? 'tl-row' : 'tl-head'}${line.indent ? ' tl-inner' : ''}${line.key === current ? ' selected' : ''}`}
          style={{ height: `${line.height}px` }}
        >
          {line.isOpen === null ? (
            <span class="tl-name" title={rowWords(line)} onClick={() => onRow(line)}>
              {line.title}
            </span>
          ) : (
            <button
              type="button"
              class="tl-fold"
              aria-expanded={line.isOpen}
              title={rowWords(line)}
              onClick={() => onFold(line)}
            >
              <span aria-hidden="true">{line.isOpen ? '▾' : '▸'}</span> {line.title}
              {!line.row && <small> {line.count}</small>}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const HELP: readonly [keys: string, what: string][] = [
  ['W, S', 'zoom in and out'],
  ['A, D', 'move to the left and right'],
  ['F', 'show the selection; without one, everything'],
  ['← →', 'previous and next item of the row'],
  ['↑ ↓', 'row above and below'],
  ['[ ]', 'previous and next item with the same name'],
  ['/', 'search'],
  ['Esc', 'deselect'],
  ['Drag', 'select an interval'],
  ['Shift + drag', 'move'],
  ['Ctrl + wheel', 'zoom at the pointer'],
];

function Keys() {
  return (
    <details class="tl-keys">
      <summary>Keys and gestures</summary>
      <dl>
        {HELP.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Everything visible as a table, for screen readers and for reading exact numbers. */
function VisibleItems({
  session,
  lines,
  view,
  clock,
  facts,
}: {
  session: Session;
  lines: readonly Line[];
  view: Viewport;
  clock: Clock;
  facts: Facts;
}) {
  const [isOpen, setOpen] = useState(false);
  const [items, setItems] = useState<NamedItem[]>([]);
  const [from, to] = [ticksOf(view.start, facts), ticksOf(view.start + view.span, facts)];
  const rows = lines.flatMap(({ row }) => (row ? [row.row] : []));
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    const timer = setTimeout(() => {
      void session
        .ask({ kind: 'items', rows, from, to, most: TABLE_ITEMS })
        .then((found) => !isOver && setItems(found));
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen, session, from, to, rows.join()]);
  const lineOf = new Map(lines.map((line) => [line.row?.row, line]));
  return (
    <details class="tl-table" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>What is visible, as a table</summary>
      {isOpen && (
        <div class="tl-scroll" tabIndex={0} role="region" aria-label="Visible items">
          <table>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Item</th>
                <th scope="col">Begin</th>
                <th scope="col">Duration</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => {
                const line = lineOf.get(item.row);
                return (
                  <tr key={`${item.row} ${item.place}`}>
                    <td>{line ? rowWords(line) : ''}</td>
                    <td>{line?.row?.kind === KIND.numbers ? digits(item.number) : item.text}</td>
                    <td>{clock.moment(item.begin)}</td>
                    <td>{line?.row?.kind === KIND.instants ? '' : clock.duration(item.end - item.begin)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          <p class="hint">At most the first {TABLE_ITEMS} items of each row.</p>
        </div>
      )}
    </details>
  );
}

export function Timeline({ session, report, place, onOpen, onSeen }: Props) {
  useSession(session);
  const isDark = useDark();
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [moved, setMoved] = useState<Viewport | null>(null); // null: shows everything, also while the recording grows
  const [scroll, setScroll] = useState(0);
  const [current, setCurrent] = useState('');
  const [item, setItem] = useState<NamedItem | null>(null);
  const [hovered, setHovered] = useState<NamedItem | null>(null);
  const [interval, setMarked] = useState<Interval | null>(null);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState('');
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const isTaken = useRef(false);
  const number = useRef(0);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const gesture = useRef<{
    x: number;
    y: number;
    time: number;
    view: Viewport;
    kind: 'select' | 'pan';
    isMoved: boolean;
  } | null>(null);
  const asked = useRef(0);
  const toReveal = useRef(''); // key of a line, after the next drawing
  const { facts, layout } = session;
  const lines = useMemo(() => linesOf(layout, folds), [layout, folds]);
  const isThere = !!facts && facts.points > 0 && lines.length > 0 && !session.failure;
  const width = useWidth(area, isThere);
  const { placed: all, height } = useMemo(() => placed(lines), [lines]);
  const shownHeight = Math.min(height, useRoom(area, isThere));
  const top = Math.min(scroll, Math.max(0, height - shownHeight));
  const scale = Math.min(3, Math.max(1, devicePixelRatio || 1));
  const clock = useMemo(() => new Clock(facts ?? { tickNs: 1n }, report), [facts?.tickNs, report]);
  const view = facts ? clamped(moved ?? wholeOf(facts), facts) : { start: 0, span: 1 };
  const visible = all.filter(({ y, line }) => y + line.height > top && y < top + shownHeight);
  const marks =
    facts && width ? clock.marks(view.start, view.start + view.span, Math.max(2, Math.floor(width / 120))) : [];
  const xOf = (time: number): number => ((time - view.start) / view.span) * width;
  const relative = (ticks: bigint): number => Number(ticks - (facts?.first ?? 0n));

  // ---- Drawing

  useLayoutEffect(() => {
    if (!canvas.current || isTaken.current) return;
    isTaken.current = true;
    const element = canvas.current;
    if (session.takeCanvas(element)) return;
    session.onPicture = (picture) => {
      element.width = picture.width;
      element.height = picture.height;
      const context = element.getContext('2d');
      if (context) drawPicture(context, picture);
    };
  }, [isThere, session]);

  useEffect(() => {
    if (!facts || !width) return;
    const pixels = Math.round(width * scale);
    session.show({
      number: ++number.current,
      window: windowOf(view, facts, pixels),
      height: Math.max(1, Math.round(shownHeight * scale)),
      scale,
      isDark,
      marks: marks.map(({ at }) => xOf(at) * scale),
      strips: visible.flatMap(({ line, y }) =>
        line.row
          ? [
              {
                row: line.row.row,
                kind: line.row.kind,
                reasons: line.row.reasons,
                y: y - top + 3,
                height: line.height - 6,
              },
            ]
          : [],
      ),
    });
  }, [session, facts, clock, width, scale, isDark, view.start, view.span, top, shownHeight, lines]);

  // ---- Moving

  const show = (next: Viewport): void => {
    if (facts) setMoved(clamped(next, facts));
  };
  const zoom = (factor: number, share = 0.5): void => show(zoomed(view, factor, share));
  const pan = (share: number): void => show({ ...view, start: view.start + view.span * share });
  const scrollBy = (pixels: number): void =>
    setScroll(Math.min(Math.max(0, top + pixels), Math.max(0, height - shownHeight)));
  const reveal = (key: string): void => {
    const at = all.find(({ line }) => line.key === key);
    if (at && at.y < top) setScroll(at.y);
    else if (at && at.y + at.line.height > top + shownHeight) setScroll(at.y + at.line.height - shownHeight);
  };
  const fit = (): void => {
    if (interval) return show(around(interval.from, interval.to));
    if (item) return show(around(relative(item.begin), relative(item.end), 20));
    setMoved(null);
  };

  /** Selects an item and moves the window if it is outside. */
  const select = (next: NamedItem | null): void => {
    if (!next) return;
    setItem(next);
    setCurrent(`row ${next.row}`);
    reveal(`row ${next.row}`);
    const [from, to] = [relative(next.begin), relative(next.end)];
    if (to < view.start || from > view.start + view.span) show({ ...view, start: (from + to) / 2 - view.span / 2 });
  };

  /** Opens what a row is folded into, and scrolls to it. */
  const unfold = (row: number): void => {
    const path = pathTo(layout, row);
    if (path.length) setFolds(new Map([...folds, ...path.map((key) => [key, true] as const)]));
    setCurrent(`row ${row}`);
    toReveal.current = `row ${row}`;
  };
  useEffect(() => {
    if (!toReveal.current) return;
    reveal(toReveal.current);
    toReveal.current = '';
  });

  /** Shows a place, and selects what is there on the tracks with its name. */
  const go = async ({ startNs, endNs, track, exact }: Range, { tickNs }: Facts): Promise<void> => {
    const [from, to] = [startNs, endNs].map((ns) => relative(ns / tickNs)) as [number, number];
    const [begin, end] = [exact?.startNs ?? startNs, exact?.endNs ?? endNs].map((ns) => ns / tickNs) as [
      bigint,
      bigint,
    ];
    show({ start: from, span: Math.max(1, to - from) });
    setItem(null);
    setMarked(null);
    const rows = track === undefined ? [] : rowsNamed(layout, track);
    const found = await Promise.all(rows.map((row) => session.ask({ kind: 'at', row, from: begin, to: end })));
    const item = found.find((one) => one?.begin === begin && one.end === end) ?? found.find((one) => one !== null);
    if (!item) return setMarked(begin < end ? { from: relative(begin), to: relative(end), isPlace: true } : null);
    setItem(item);
    unfold(item.row);
  };
  const rangeFrom = (start: number, end: number): Range => {
    const last = facts ? wholeOf(facts).span : 0;
    const nsAt = (time: number): bigint =>
      facts ? ticksOf(Math.min(Math.max(0, time), last), facts) * facts.tickNs : 0n;
    return { startNs: nsAt(start), endNs: nsAt(end) };
  };
  const byHand = interval && !interval.isPlace ? isOrdered(interval) : null;
  useEffect(() => {
    if (facts)
      onSeen({
        view: rangeFrom(view.start, view.start + view.span),
        isMoved: moved !== null,
        marked: byHand && rangeFrom(byHand.from, byHand.to),
      });
  }, [facts, moved, interval, view.start, view.span]);
  useEffect(() => () => onSeen(null), [session]);

  const shownPlace = useRef<Range | null>(null);
  useEffect(() => {
    if (!place || !facts || place === shownPlace.current) return;
    shownPlace.current = place;
    void go(place, facts);
    area.current?.focus({ preventScroll: true });
    area.current?.scrollIntoView({ block: 'nearest' });
  }, [place, facts !== null]);

  const lineAt = (y: number): Placed | undefined =>
    visible.find(({ y: from, line }) => y + top >= from && y + top < from + line.height);
  const placeOf = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = area.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const timeAt = (x: number): number => view.start + (x / Math.max(1, width)) * view.span;

  /** Finds the item at a place of the picture. */
  const pick = async (x: number, y: number): Promise<NamedItem | null> => {
    const row = lineAt(y)?.line.row;
    if (!row || !facts) return null;
    const exact = await session.ask({
      kind: 'at',
      row: row.row,
      from: ticksOf(timeAt(x), facts),
      to: ticksOf(timeAt(x), facts),
    });
    const [from, to] = [ticksOf(timeAt(x - REACH), facts), ticksOf(timeAt(x + REACH), facts) + 1n];
    return exact ?? session.ask({ kind: 'at', row: row.row, from, to });
  };

  // ---- Pointer

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const at = placeOf(event);
    pointers.current.set(event.pointerId, at);
    area.current?.setPointerCapture(event.pointerId);
    const isPan = event.pointerType === 'touch' || event.shiftKey || event.button === 1;
    gesture.current = {
      ...at,
      time: timeAt(at.x),
      view,
      kind: isPan ? 'pan' : 'select',
      isMoved: pointers.current.size > 1,
    };
  };
  const pinch = (id: number, at: { x: number; y: number }): void => {
    const other = [...pointers.current].find(([key]) => key !== id)?.[1],
      before = pointers.current.get(id);
    if (!other || !before) return;
    const [wide, was] = [Math.abs(at.x - other.x), Math.abs(before.x - other.x)];
    if (wide > 8 && was > 8) zoom(was / wide, (at.x + other.x) / 2 / Math.max(1, width));
  };
  const onPointerMove = (event: PointerEvent): void => {
    const at = placeOf(event),
      begun = gesture.current;
    if (!begun) {
      const turn = ++asked.current;
      void pick(at.x, at.y).then((next) => turn === asked.current && setHovered(next));
      return;
    }
    if (pointers.current.size > 1) {
      begun.isMoved = true;
      pinch(event.pointerId, at);
      pointers.current.set(event.pointerId, at);
      return;
    }
    const last = pointers.current.get(event.pointerId) ?? at;
    pointers.current.set(event.pointerId, at);
    if (!begun.isMoved && Math.hypot(at.x - begun.x, at.y - begun.y) < SLIP) return;
    begun.isMoved = true;
    if (begun.kind === 'select') setMarked({ from: begun.time, to: timeAt(at.x) });
    else {
      show({ ...begun.view, start: begun.view.start - ((at.x - begun.x) / Math.max(1, width)) * begun.view.span });
      scrollBy(last.y - at.y);
    }
  };
  const onPointerUp = (event: PointerEvent): void => {
    const begun = gesture.current,
      at = placeOf(event);
    pointers.current.delete(event.pointerId);
    if (pointers.current.size) return;
    gesture.current = null;
    if (!begun || begun.isMoved) return;
    setMarked(null);
    const line = lineAt(at.y)?.line;
    if (line?.row) setCurrent(line.key);
    void pick(at.x, at.y).then((next) => (next ? select(next) : setItem(null)));
  };
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.metaKey) {
        zoom(Math.exp(event.deltaY * 0.004), placeOf(event).x / Math.max(1, width));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        pan((event.deltaX || event.deltaY) / Math.max(1, width));
      } else {
        const most = Math.max(0, height - shownHeight),
          next = Math.min(Math.max(0, top + event.deltaY), most);
        if (next === top) return; // the page scrolls
        setScroll(next);
      }
      event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  // ---- Keys

  const rowLines = lines.filter(({ row }) => row !== null);
  const line = rowLines.find(({ key }) => key === current) ?? null;
  const step = async (direction: 'next' | 'previous', value: bigint): Promise<void> => {
    const row = (line ?? rowLines[0])?.row;
    if (!row || !facts) return;
    const isHere = item && item.row === row.row;
    select(
      isHere
        ? await session.ask({ kind: direction, row: row.row, place: item.place, value })
        : await session.ask({ kind: 'from', row: row.row, ticks: ticksOf(view.start, facts), value: 0n }),
    );
  };
  const goToRow = (by: number): void => {
    const at = rowLines.findIndex(({ key }) => key === current);
    const next = rowLines[Math.min(Math.max(0, at < 0 ? 0 : at + by), rowLines.length - 1)];
    if (!next?.row) return;
    setCurrent(next.key);
    reveal(next.key);
    const row = next.row.row;
    if (item && facts) void session.ask({ kind: 'at', row, from: item.begin, to: item.begin + 1n }).then(select);
  };
  const keys: Record<string, () => void> = {
    w: () => zoom(1 / ZOOM),
    s: () => zoom(ZOOM),
    a: () => pan(-PAN),
    d: () => pan(PAN),
    f: fit,
    Home: () => setMoved(null),
    ArrowLeft: () => void step('previous', 0n),
    ArrowRight: () => void step('next', 0n),
    '[': () => void step('previous', item?.value ?? 0n),
    ']': () => void step('next', item?.value ?? 0n),
    ArrowUp: () => goToRow(-1),
    ArrowDown: () => goToRow(1),
    '/': () => search.current?.focus(),
    Enter: () => void step('next', 0n),
    Escape: () => {
      setItem(null);
      setMarked(null);
    },
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  // ---- Search

  const find = async (): Promise<void> => {
    const hits = await session.ask({ kind: 'find', text: query });
    const known = new Map(lines.map((one) => [one.row?.row, one]));
    const hit = hits.find(({ row }) => known.has(row)) ?? hits[0];
    setFound(hit ? '' : `Nothing is named “${query}”.`);
    if (!hit) return;
    unfold(hit.row);
    const value = hit.value;
    select(
      await session.ask({ kind: 'from', row: hit.row, ticks: value ? hit.begin : ticksOf(view.start, facts!), value }),
    );
    area.current?.focus();
  };

  if (!facts || !isThere) return null;
  const told = item ?? hovered;
  const toldLine = told && rowLines.find(({ row }) => row?.row === told.row);
  const words = told && toldLine ? `${rowWords(toldLine)}: ${wordsOf(told, toldLine, clock, facts)}` : '';
  const chosen = interval && isOrdered(interval);
  const chosenLength = chosen ? clock.duration(BigInt(Math.round(chosen.to - chosen.from))) : '';
  const box = item && all.find(({ line: { row } }) => row?.row === item.row);
  const nsOf = (time: number): bigint => ticksOf(time, facts) * facts.tickNs;
  const opened = chosen && !item ? chosen : item ? { from: relative(item.begin), to: relative(item.end) } : null;
  const openThere = (): void => {
    if (!opened) return;
    const margin = Math.max((opened.to - opened.from) / 10, opened.from === opened.to ? view.span / 20 : 1);
    const track = line?.row?.title;
    onOpen?.({
      startNs: nsOf(Math.max(0, opened.from - margin)),
      endNs: nsOf(Math.min(opened.to + margin, wholeOf(facts).span)),
      ...(item && track ? { track } : {}),
    });
  };
  return (
    <section class="panel timeline" aria-labelledby="timeline-title">
      <div class="tl-bar">
        <h2 id="timeline-title">Timeline</h2>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (query) void find();
          }}
        >
          <input
            ref={search}
            type="search"
            placeholder="Search"
            aria-label="Search names in the timeline"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') area.current?.focus();
            }}
          />
        </form>
        <button type="button" class="button quiet small" onClick={() => zoom(1 / ZOOM)} aria-label="Zoom in">
          +
        </button>
        <button type="button" class="button quiet small" onClick={() => zoom(ZOOM)} aria-label="Zoom out">
          −
        </button>
        <button type="button" class="button quiet small" onClick={() => setMoved(null)}>
          Whole
        </button>
      </div>
      <div class="tl-grid">
        <div class="tl-corner" aria-hidden="true">
          {clock.duration(BigInt(Math.max(1, Math.round(view.span))))}
        </div>
        <div class="tl-axis" aria-hidden="true">
          {marks.map(({ at, text }) => (
            <span key={at} style={{ left: `${xOf(at)}px` }}>
              {text}
            </span>
          ))}
        </div>
        <div class="tl-names-box" style={{ height: `${shownHeight}px` }}>
          <Names
            lines={all}
            scroll={top}
            current={current}
            onRow={({ key }) => setCurrent(key)}
            onFold={({ key, isOpen }) => setFolds(new Map([...folds, [key, !isOpen]]))}
          />
        </div>
        <div
          ref={area}
          class="tl-field"
          style={{ height: `${shownHeight}px` }}
          role="application"
          aria-roledescription="timeline"
          aria-label="Timeline of the recording"
          aria-describedby="timeline-words"
          tabIndex={0}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={(event) => {
            pointers.current.delete(event.pointerId);
            gesture.current = null;
          }}
          onPointerLeave={() => {
            asked.current++;
            setHovered(null);
          }}
          onKeyDown={onKeyDown}
        >
          <canvas key="canvas" ref={canvas} class="tl-canvas" aria-hidden="true" />
          {visible.map(({ line: one, y }) =>
            one.row ? null : (
              <span key={one.key} class="tl-band" style={{ top: `${y - top}px`, height: `${one.height}px` }} />
            ),
          )}
          {chosen && (
            <span
              class="tl-interval"
              style={{ left: `${xOf(chosen.from)}px`, width: `${Math.max(1, xOf(chosen.to) - xOf(chosen.from))}px` }}
            />
          )}
          {box && item && (
            <span
              class="tl-item"
              style={{
                left: `${Math.max(-4, xOf(relative(item.begin)))}px`,
                width: `${Math.max(3, Math.min(width + 4, xOf(relative(item.end))) - Math.max(-4, xOf(relative(item.begin))))}px`,
                top: `${box.y - top + 1}px`,
                height: `${box.line.height - 2}px`,
              }}
            />
          )}
        </div>
      </div>
      <div class="tl-foot">
        <p id="timeline-words" class="tl-words" role="status">
          {chosen ? `Interval: ${chosenLength}, from ${clock.moment(ticksOf(chosen.from, facts))}` : words}
          {!chosen &&
            !words &&
            (found || (facts.isDropped ? 'The oldest details were dropped; the picture there is coarse.' : ''))}
        </p>
        {opened && onOpen && (
          <button type="button" class="link" onClick={openThere}>
            Open this in Perfetto
          </button>
        )}
      </div>
      <div class="tl-more">
        <Keys />
        <VisibleItems
          session={session}
          lines={visible.map(({ line: one }) => one)}
          view={view}
          clock={clock}
          facts={facts}
        />
        {layout.hidden > 0 && <p class="hint">{layout.hidden} rows with constant numbers are hidden.</p>}
      </div>
    </section>
  );
}
