// SPDX-License-Identifier: MIT
// The timeline of one recording: names of the rows, the canvas, the selection, pointer and keys.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import { useChanges } from '../changes.js';
import { showSelection } from '../drawer.js';
import { duration, percent, plural, timesOf } from '../format.js';
import type { Range } from '../io/perfetto.js';
import { putView, takeLinkedView } from './address.js';
import { Clock } from './axis.js';
import { type Facts, KIND } from './engine.js';
import type { Dump } from './events.js';
import { entryOf, keepChoice, keyOfNames, recallChoice } from './kept.js';
import { type Choice, type Line, type Row, isOpenBy, linesOf, noChoice, pathTo, rowOf } from './layout.js';
import type { Mark } from './marks.js';
import type { Answers, NamedItem } from './messages.js';
import { Names, type Placed, type TaskFigures, placed } from './names.js';
import { Overview } from './overview.js';
import { useRoom } from './room.js';
import type { Jump } from './selection.js';
import type { Session } from './session.js';
import { useSurface } from './surface.js';
import { type Viewport, around, clamped, nothing, ticksOf, wholeOf, windowOf, zoomed } from './viewport.js';
import './timeline.css';

export { Session, prepare } from './session.js';
export { type Viewport, wholeOf } from './viewport.js';

const SLIP = 4; // CSS pixels that a click may move
const SNAP = 6; // CSS pixels from the pointer to the edge of an item
const ZOOM = 1.4; // per key
const PAN = 0.2; // of the window, per key
const REACH = 3; // CSS pixels around the pointer
const WAITING = 3n;

interface Props {
  session: Session;
  /** null: the recording is still being read */
  report: Report | null;
  /** name of the recording, for images */
  name: string;
  /** of the recording, for marks; null: they are not kept */
  contentKey: string | null;
  /** a place that the page wants to show; a new object shows it again */
  place: Range | null;
  /** null: the recording is still being read */
  dump: Dump | null;
  /** tables of the marked interval that the timeline does not have; null: there are none yet */
  tablesOf?: ((interval: Range) => ComponentChildren) | null;
  /** opens the viewer at a place; null: it cannot be opened now */
  onOpen: ((place: Range) => void) | null;
  /** of a live recording: the window that its page chooses; null: the timeline chooses it */
  scope?: Scope | null;
}

/** What chooses the visible time of a live recording. */
export interface Scope {
  /** null: the whole recording */
  view: Viewport | null;
  /** the user has moved the window; null: to the whole recording. isZoom: only its length */
  onShow(view: Viewport | null, isZoom: boolean): void;
}

/** Two cursors, in ticks since the first event; they may be at the same time. */
interface Interval {
  from: number;
  to: number;
  /** shown by the page; otherwise marked by the user */
  isPlace?: boolean;
}

type Order = 'name' | 'cpu' | 'worst';

const isOrdered = ({ from, to }: Interval): Interval => (from <= to ? { from, to } : { from: to, to: from });

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

type More = typeof import('./more.js');

/** Loads the code for selections and for the list of events. */
export const load = (): Promise<More> => import('./more.js');

/** As `load`; null: it cannot be loaded, because the network is gone. */
const loadOrNull = (): Promise<More | null> => load().catch(() => null);

/** The code for selections, loaded when it is needed first; null: not yet, or without the network. */
function useMore(isNeeded: boolean): More | null {
  const [more, set] = useState<More | null>(null);
  useEffect(() => {
    if (isNeeded && !more) void loadOrNull().then(set);
  }, [isNeeded]);
  return more;
}

/** A part of the page that the user opens; its content is loaded then. */
function Opened({
  name,
  summary,
  content,
}: {
  name: string;
  summary: string;
  content: (more: More) => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const more = useMore(isOpen);
  return (
    <details class={name} onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{summary}</summary>
      {isOpen && more && content(more)}
    </details>
  );
}

interface OfTask {
  share: number;
  worst: bigint | null;
}

/** CPU share and worst response time of the tasks, by pid. */
function taskFigures(report: Report | null): Map<number, OfTask> {
  const jobs = new Map((report?.jobs ?? []).map(({ name, response_max }) => [name, response_max]));
  const found = new Map<number, OfTask>();
  for (const { pid, name, share } of report?.tasks ?? []) {
    const worst = jobs.get(name);
    if (pid !== null) found.set(Number(pid), { share: share ?? 0, worst: worst == null ? null : BigInt(worst) });
  }
  return found;
}

/** What tasks do, in the order of enum tk_legend. */
const LEGEND = ['running', 'ready, not running', 'waiting for', 'not recorded'];

export function Timeline(props: Props) {
  const { session, report, name, contentKey, place, dump, onOpen, scope = null } = props;
  useChanges(session);
  const isDark = useDark();
  const [choice, setChoice] = useState<Choice>(noChoice);
  const [order, setOrder] = useState<Order>('name');
  const [filter, setFilter] = useState('');
  const [only, setOnly] = useState<Row | null>(null); // a task and what it talks to
  const [moved, setMoved] = useState<Viewport | null>(null); // null: shows everything, also while the recording grows
  const [scroll, setScroll] = useState(0);
  const [current, setCurrent] = useState('');
  const [item, setItem] = useState<NamedItem | null>(null);
  const [hovered, setHovered] = useState(''); // in words
  const [interval, setMarked] = useState<Interval | null>(null);
  const [flags, setFlags] = useState<readonly Mark[]>([]);
  const [marking, setMarking] = useState<Mark | null>(null); // the mark whose text is being written
  const [query, setQuery] = useState('');
  const [found, setFound] = useState('');
  const [isUsed, setUsed] = useState(false); // by a pointer
  const hasMarks = useMemo(() => contentKey !== null && !!entryOf('tonkopf-marks', contentKey), [contentKey]);
  const more = useMore(isUsed || hasMarks || !!(current || only || item || interval || marking));
  const area = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const number = useRef(0);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const gesture = useRef<{
    x: number;
    y: number;
    /** of the cursor that stays */
    time: number;
    view: Viewport;
    kind: 'select' | 'pan';
    isMoved: boolean;
  } | null>(null);
  const asked = useRef(0);
  const dragged = useRef(0);
  const toReveal = useRef(''); // key of a line, after the next drawing
  const isBegun = useRef(false); // the first window is chosen
  const isMoved = useRef(false); // by the user
  const { facts, layout } = session;
  const known = facts ?? nothing;
  const origin = useRef<bigint | null>(null); // of times in ticks since the first event
  if (facts && facts.first !== origin.current) {
    const late = Number((origin.current ?? facts.first) - facts.first); // an earlier event came later
    origin.current = facts.first;
    if (late) {
      setMoved((view) => view && { ...view, start: view.start + late });
      setMarked((two) => two && { ...two, from: two.from + late, to: two.to + late });
    }
  }
  const ofTasks = useMemo(() => taskFigures(report), [report]);
  const peers = useMemo(
    () => only && report && more && more.peersOf(layout, report, only),
    [only, report, more, layout],
  );
  const lines = useMemo(() => {
    const figure = ({ owner }: Row): number => {
      const { share = 0, worst = -1n } = ofTasks.get(owner) ?? {};
      return order === 'cpu' ? share : Number(worst ?? -1);
    };
    const compare = (a: Row, b: Row): number => figure(b) - figure(a);
    return linesOf(layout, choice, { text: filter, only: peers }, order === 'name' ? undefined : compare);
  }, [layout, choice, filter, peers, order, ofTasks]);
  session.isOpen = (of, section) => !!filter || !!peers || isOpenBy(of, section, choice);
  session.isTouched ||= !!scope; // the user has watched a live recording
  const isThere = !!facts && facts.points > 0 && layout.sections.length > 0 && !session.failure;
  /** before the first points it has its place and an empty picture, which a live recording shows */
  const isPlaced = isThere || !(session.failure || facts?.isFinal);
  const { width, height: room } = useRoom(area, isPlaced);
  const canvas = useSurface(session, 'rows', isPlaced);
  const { placed: all, height } = useMemo(() => placed(lines), [lines]);
  const shownHeight = Math.max(60, isThere ? Math.min(height, room) : room);
  // Of the picture: while the first rows come, it keeps its size, because a change takes longer than many pictures.
  const tall = report ? shownHeight : room;
  const top = Math.min(scroll, Math.max(0, height - shownHeight));
  const scale = Math.min(3, Math.max(1, devicePixelRatio || 1));
  // Reports of a growing recording come several times a second; the unit of its times stays.
  const clock = useMemo(() => new Clock(known, report), [known.tickNs, report?.time_unit, report?.tick.ns]);
  const view = clamped((scope ? scope.view : moved) ?? wholeOf(known), known);
  const visible = all.filter(({ y, line }) => y + line.height > top && y < top + shownHeight);
  const marks =
    facts && width ? clock.marks(view.start, view.start + view.span, Math.max(2, Math.floor(width / 120))) : [];
  const xOf = (time: number): number => ((time - view.start) / view.span) * width;
  const relative = (ticks: bigint): number => Number(ticks - (origin.current ?? 0n));
  const xAt = (ticks: bigint): number => xOf(relative(ticks));
  const rowLines = lines.filter(({ row }) => row !== null);
  const line = rowLines.find(({ key }) => key === current) ?? null;
  const ownRow = (line ?? rowLines[0])?.row; // of keys
  const itemRow = item && rowOf(layout, item.row);
  const ofItem = item && { from: relative(item.begin), to: relative(item.end) };
  const chosen = interval && isOrdered(interval);
  const [colours, setColours] = useState<Answers['colours']>(null);
  const version = facts?.version;

  useEffect(() => void session.ask({ kind: 'colours', isDark }).then(setColours), [session, version, isDark]);

  // ---- What this browser keeps

  const namesKey = useRef('');
  useEffect(() => {
    if (!facts?.isFinal || namesKey.current) return;
    namesKey.current = keyOfNames(layout);
    const kept = recallChoice(namesKey.current);
    setChoice((now) => (now === noChoice ? kept : now));
  }, [facts?.isFinal, layout]);
  const choose = (change: Partial<Choice>): void => {
    const next = { ...choice, ...change };
    setChoice(next);
    if (namesKey.current) keepChoice(namesKey.current, next);
  };
  useEffect(() => setFlags(contentKey === null || !more ? [] : more.recallMarks(contentKey)), [contentKey, more]);

  // ---- Drawing

  useLayoutEffect(() => {
    if (!width) return;
    session.show({
      surface: 'rows',
      number: ++number.current,
      window: windowOf(view, known, Math.round(width * scale)),
      height: Math.round(tall * scale),
      scale,
      isDark,
      hasTexts: true,
      marks: marks.map(({ at }) => xOf(at) * scale),
      strips: visible.flatMap(({ line, y }) => {
        const strip = ({ row, kind, reasons }: Row, from: number, tall: number) => [
          { row, kind, reasons, y: y - top + from, height: tall },
        ];
        if (line.row) return strip(line.row, 3, line.height - 6);
        const tall = (line.height - 6) / Math.max(1, line.summary.length);
        return line.summary.flatMap((row, index) =>
          strip(row, 3 + Math.floor(index * tall), Math.max(2, Math.floor(tall) - 1)),
        );
      }),
    });
  }, [session, facts, clock, width, scale, isDark, view.start, view.span, top, tall, shownHeight, lines]);

  // ---- Moving

  const show = (next: Viewport, isZoom = false): void => {
    if (!facts) return;
    if (scope) return scope.onShow(clamped(next, facts), isZoom);
    setMoved(clamped(next, facts));
    isBegun.current = isMoved.current = true;
  };
  const showAll = (): void => {
    if (scope) return scope.onShow(null, false);
    setMoved(null);
    isBegun.current = true;
    isMoved.current = false;
  };
  const zoom = (factor: number, share = 0.5): void => show(zoomed(view, factor, share), true);
  const pan = (share: number): void => show({ ...view, start: view.start + view.span * share });
  const scrollBy = (pixels: number): void =>
    setScroll(Math.min(Math.max(0, top + pixels), Math.max(0, height - shownHeight)));
  const reveal = (key: string): void => {
    const at = all.find(({ line }) => line.key === key);
    if (at && at.y < top) setScroll(at.y);
    else if (at && at.y + at.line.height > top + shownHeight) setScroll(at.y + at.line.height - shownHeight);
  };
  const fit = (): void => {
    if (interval && interval.from !== interval.to) return show(around(chosen!.from, chosen!.to));
    if (ofItem) return show(around(ofItem.from, ofItem.to, 20));
    showAll();
  };

  /** The first window begins after the first idle time, and is as wide as some activations of the busiest task. */
  useEffect(() => {
    if (isBegun.current || !facts || scope) return;
    void session.ask({ kind: 'initial' }).then((window) => {
      if (isBegun.current || !window) return;
      isBegun.current = true;
      setMoved({ start: relative(window.from), span: Number(window.to - window.from) });
    });
  }, [session, facts]);

  /** Selects an item and moves the window if it is outside. */
  const select = (next: NamedItem | null): void => {
    if (!next) return;
    setItem(next);
    unfold(next.row);
    const [from, to] = [relative(next.begin), relative(next.end)];
    if (to < view.start || from > view.start + view.span) show({ ...view, start: (from + to) / 2 - view.span / 2 });
  };

  /** Opens what a row is folded into, shows it if it is hidden, and scrolls to it. */
  const unfold = (row: number): void => {
    const path = pathTo(layout, row),
      isShown = rowLines.some((one) => one.row?.row === row);
    if (!isShown) {
      setFilter('');
      setOnly(null);
      setChoice({
        ...choice,
        folds: { ...choice.folds, ...Object.fromEntries(path.map((key) => [key, true])) },
        hidden: [],
      });
    }
    if (line?.row?.row === row) return;
    setCurrent(`row ${row}`);
    toReveal.current = `row ${row}`;
  };
  useEffect(() => {
    if (!toReveal.current) return;
    reveal(toReveal.current);
    toReveal.current = '';
  });

  /** Shows a place, and selects what is there on the tracks with its name. */
  const go = async ({ startNs, endNs, track, exact, isMarked = false }: Range, { tickNs }: Facts): Promise<void> => {
    const start = relative(startNs / tickNs);
    show({ start, span: Math.max(1, relative(endNs / tickNs) - start) });
    setItem(null);
    setMarked(null);
    if (!exact) return;
    const begin = exact.startNs / tickNs,
      end = exact.endNs / tickNs;
    const there = await (await loadOrNull())?.itemAt(session, layout, track, begin, end);
    if (!there) return setMarked({ from: relative(begin), to: relative(end), isPlace: !isMarked });
    setItem(there);
    unfold(there.row);
  };
  const shownPlace = useRef<Range | null>(null);
  const [linked] = useState(takeLinkedView);
  useEffect(() => {
    const next = place ?? linked;
    if (!next || !facts || next === shownPlace.current) return;
    if (relative(next.endNs / facts.tickNs) > wholeOf(facts).span && !facts.isFinal) return; // it is not read yet
    shownPlace.current = next;
    void go(next, facts);
    if (!next.exact) return; // a window, not a place
    touch();
    area.current?.focus({ preventScroll: true });
    area.current?.scrollIntoView({ block: 'nearest' });
  }, [place, facts]);

  const lineAt = (y: number): Placed | undefined =>
    visible.find(({ y: from, line }) => y + top >= from && y + top < from + line.height);
  const placeOf = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = area.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const timeAt = (x: number): number => view.start + (x / Math.max(1, width)) * view.span;

  /** Returns the time at a place, or that of an edge of the row there. */
  const snapped = async (x: number, y: number): Promise<number> => {
    const row = lineAt(y)?.line.row;
    if (!row) return timeAt(x);
    const reach = BigInt(Math.ceil((SNAP / Math.max(1, width)) * view.span));
    const edge = await session.ask({ kind: 'edge', row: row.row, ticks: ticksOf(timeAt(x), known), reach });
    return edge === null ? timeAt(x) : relative(edge);
  };

  /** Finds the item at a place of the picture. */
  const pick = async (x: number, y: number): Promise<NamedItem | null> => {
    const row = lineAt(y)?.line.row;
    if (!row) return null;
    const at = (from: bigint, to: bigint): Promise<NamedItem | null> =>
      session.ask({ kind: 'at', row: row.row, from, to });
    const ticksAt = (place: number): bigint => ticksOf(timeAt(place), known);
    return (await at(ticksAt(x), ticksAt(x))) ?? at(ticksAt(x - REACH), ticksAt(x + REACH) + 1n);
  };

  // ---- Pointer

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const at = placeOf(event);
    pointers.current.set(event.pointerId, at);
    area.current?.setPointerCapture(event.pointerId);
    const isPan = event.pointerType === 'touch' || event.shiftKey || event.button === 1;
    // A cursor near the pointer is moved, the other one stays.
    const held = chosen && [chosen.from, chosen.to].find((time) => Math.abs(xOf(time) - at.x) < SNAP);
    const begun = {
      ...at,
      time: timeAt(at.x),
      view,
      kind: isPan ? ('pan' as const) : ('select' as const),
      isMoved: pointers.current.size > 1,
    };
    gesture.current = begun;
    if (isPan) return;
    if (held != null) begun.time = held === chosen!.from ? chosen!.to : chosen!.from;
    else void snapped(at.x, at.y).then((time) => (begun.time = time));
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
      void Promise.all([pick(at.x, at.y), loadOrNull()])
        .then(([next, loaded]) => next && loaded?.hoverWords(session, next, clock))
        .then((next) => turn === asked.current && setHovered(next ?? ''));
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
    if (begun.kind === 'select') {
      const turn = ++dragged.current;
      void snapped(at.x, at.y).then((to) => turn === dragged.current && setMarked({ from: begun.time, to }));
    } else {
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

  const ownItem = item && item.row === ownRow?.row ? item : null;
  const step = async (direction: 'next' | 'previous', value: bigint): Promise<void> => {
    if (!ownRow) return;
    const { row } = ownRow;
    select(
      ownItem
        ? await session.ask({ kind: direction, row, place: ownItem.place, value })
        : await session.ask({ kind: 'from', row, ticks: ticksOf(view.start, known), value: 0n }),
    );
  };
  const longest = async (): Promise<void> => {
    if (!ownRow) return;
    const value = ownItem?.value ?? (ownRow.kind === KIND.task ? WAITING : 0n);
    select(await session.ask({ kind: 'longest', row: ownRow.row, value }));
  };
  const jump = (to: Jump): void => void (to === 'longest' ? longest() : step(to, item?.value ?? 0n));
  const moveCursor = async (direction: 'next' | 'previous'): Promise<void> => {
    const begin = interval ?? ofItem;
    if (!ownRow || !begin) return;
    const edge = await (await loadOrNull())?.edgeFrom(session, ownRow, ticksOf(begin.to, known), direction);
    setMarked({ from: begin.from, to: edge == null ? begin.to : relative(edge) });
  };
  const goToRow = (by: number): void => {
    const at = rowLines.findIndex(({ key }) => key === current);
    const next = rowLines[Math.min(Math.max(0, at < 0 ? 0 : at + by), rowLines.length - 1)];
    if (!next?.row) return;
    setCurrent(next.key);
    reveal(next.key);
    const row = next.row.row;
    if (item) void session.ask({ kind: 'at', row, from: item.begin, to: item.begin + 1n }).then(select);
  };
  const fold = ({ name: which, isOpen }: Line): void => choose({ folds: { ...choice.folds, [which]: !isOpen } });
  const toggled = (list: readonly string[], one: string): string[] =>
    list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
  const pin = ({ name: which }: Line): void => choose({ pinned: toggled(choice.pinned, which) });
  const hide = ({ name: which }: Line): void => choose({ hidden: [...choice.hidden, which] });
  /** Shows only a task and what it talks to, or all rows again. null: the report has no figures of the row. */
  const onlyOf = ({ row }: Line): (() => void) | null =>
    row?.kind === KIND.task && ofTasks.has(row.owner) ? () => setOnly(only?.row === row.row ? null : row) : null;
  const mark = (): void => {
    if (!facts) return;
    const middle = ticksOf(view.start + view.span / 2, facts);
    const ticks = item?.begin ?? (chosen ? ticksOf(chosen.from, facts) : middle);
    setMarking(flags.find((one) => one.ticks === ticks) ?? { ticks, text: '' });
  };
  const keepMark = (text: string): void => {
    const others = flags.filter(({ ticks }) => ticks !== marking?.ticks);
    setFlags(more!.keepMarks(contentKey, marking && text ? [...others, { ...marking, text }] : others));
    setMarking(null);
    area.current?.focus();
  };
  const toggleHelp = (): void => {
    const help = area.current?.closest('.timeline')?.querySelector<HTMLDetailsElement>('.tl-keys');
    if (help) help.open = !help.open;
  };
  const keys: Record<string, () => void> = {
    w: () => zoom(1 / ZOOM),
    s: () => zoom(ZOOM),
    a: () => pan(-PAN),
    d: () => pan(PAN),
    f: fit,
    l: () => void longest(),
    i: () => ofItem && setMarked(ofItem),
    m: mark,
    p: () => line && !line.indent && pin(line),
    h: () => line && !line.indent && hide(line),
    o: () => line && onlyOf(line)?.(),
    Home: showAll,
    ArrowLeft: () => void step('previous', 0n),
    ArrowRight: () => void step('next', 0n),
    '[': () => void step('previous', item?.value ?? 0n),
    ']': () => void step('next', item?.value ?? 0n),
    ArrowUp: () => goToRow(-1),
    ArrowDown: () => goToRow(1),
    '/': () => search.current?.focus(),
    '?': toggleHelp,
    Enter: () => line && line.isOpen !== null && fold(line),
    Escape: () => {
      setItem(null);
      setMarked(null);
      setMarking(null);
    },
  };
  const shifted: Record<string, () => void> = {
    ArrowLeft: () => void moveCursor('previous'),
    ArrowRight: () => void moveCursor('next'),
  };
  const touch = (): void => void (session.isTouched = true);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = (event.shiftKey && shifted[key]) || keys[key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    touch();
    act();
  };

  /** Keys that no other element wants are for the timeline, which then has the focus. */
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'MAIN';
      if (!isFree || event.defaultPrevented || event.key === 'Enter' || event.key === 'Escape') return;
      onKeyDown(event);
      if (event.defaultPrevented && event.key !== '/') area.current?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  // ---- Search

  const find = async (): Promise<void> => {
    const code = await loadOrNull();
    if (!code) return setFound('The search cannot be loaded without the network.');
    const hit = await code.find(session, lines, query, ticksOf(view.start, known));
    setFound(hit ? '' : `Nothing is named “${query}”.`);
    if (!hit) return;
    unfold(hit.row);
    select(hit.item);
    area.current?.focus();
  };

  // ---- What the page shows elsewhere

  const nsOf = (time: number): bigint => ticksOf(time, known) * known.tickNs;
  const rangeOf = ({ from, to }: Interval): Range => ({ startNs: nsOf(from), endNs: nsOf(to) });
  useEffect(() => {
    if (!facts || !isThere) return;
    const range = rangeOf({ from: Math.max(0, view.start), to: Math.min(view.start + view.span, wholeOf(facts).span) });
    putView(isMoved.current ? range : null);
    session.choose({
      visible: range,
      isMoved: isMoved.current,
      item: item && { ...item, title: itemRow?.title ?? '' },
      interval: chosen && chosen.from < chosen.to && !interval?.isPlace ? rangeOf(chosen) : null,
      marks: flags.map(({ ticks, text }) => ({ atNs: ticks * facts.tickNs, text })),
    });
  });

  const chosenTicks = chosen ? Math.round(chosen.to - chosen.from) : 0;
  useEffect(() => {
    if (!more || !facts) return showSelection(null);
    if (chosen && chosenTicks > 0) {
      const [from, to] = [ticksOf(chosen.from, facts), ticksOf(chosen.to, facts)];
      const tables = props.tablesOf?.(rangeOf(chosen));
      return showSelection(<more.IntervalPanel session={session} from={from} to={to} clock={clock} tables={tables} />);
    }
    if (!item || !itemRow) return showSelection(null);
    showSelection(
      <more.ItemPanel
        item={item}
        row={itemRow}
        clock={clock}
        session={session}
        tickNs={facts.tickNs}
        dump={dump}
        onGo={select}
        onJump={jump}
      />,
    );
  });
  useEffect(
    () => () => {
      putView(null);
      showSelection(null);
    },
    [],
  );
  useEffect(() => (item ? reveal(`row ${item.row}`) : undefined), [shownHeight]); // the drawer was opened

  const times = report && timesOf(report);
  const figuresOf = ({ row }: Line): TaskFigures | null => {
    const of = row?.kind === KIND.task ? ofTasks.get(row.owner) : undefined;
    if (!of) return null;
    return { cpu: percent(of.share), worst: of.worst === null ? '' : (times?.duration ?? duration)(of.worst) };
  };
  // While a recording grows, the window moves in each frame, and the names stay.
  const names = useMemo(
    () => (
      <Names
        lines={all}
        scroll={top}
        current={current}
        colours={colours?.tasks}
        figuresOf={figuresOf}
        onRow={({ key }) => setCurrent(key)}
        onFold={fold}
        buttonsOf={(line) =>
          more && (
            <more.RowButtons
              line={line}
              isOnly={line.row?.row === only?.row}
              onOnly={onlyOf(line)}
              onPin={pin}
              onHide={hide}
            />
          )
        }
      />
    ),
    [all, top, current, colours, report, choice, only, more],
  );

  const hasTasks = rowLines.some(({ row }) => row?.kind === KIND.task),
    legend = (hasTasks && colours ? colours.legend : []).map((colour, index) => ({ colour, text: LEGEND[index]! }));
  if (!isPlaced) return null;
  const words = item && itemRow ? more?.wordsOf(item, itemRow, clock) : hovered;
  const chosenWords = chosenTicks
    ? [clock.duration(BigInt(chosenTicks)), more?.frequencyOf(chosenTicks, clock)].filter(Boolean).join(' · ')
    : '';
  const momentOf = (time: number): string => clock.moment(ticksOf(time, known));
  const saveImage = async (): Promise<void> => {
    if (!canvas.current || !area.current) return;
    (await loadOrNull())?.saveImage({
      name,
      time: `${momentOf(view.start)} to ${momentOf(view.start + view.span)}`,
      canvas: canvas.current,
      lines: visible,
      scroll: top,
      width,
      height: shownHeight,
      scale,
      marks,
      flags,
      interval: chosen,
      length: chosenWords,
      xOf,
      xAt,
      legend,
      style: getComputedStyle(area.current),
    });
  };
  const opened = ofItem ?? chosen;
  const openThere = (): void => {
    if (!opened) return;
    const margin = Math.max((opened.to - opened.from) / 10, opened.from === opened.to ? view.span / 20 : 1);
    onOpen?.({
      startNs: nsOf(Math.max(0, opened.from - margin)),
      endNs: nsOf(Math.min(opened.to + margin, wholeOf(known).span)),
      ...(itemRow ? { track: itemRow.track } : {}),
    });
  };
  const hasFigures = ofTasks.size > 0;
  const places = (report?.findings ?? []).flatMap(({ at }) =>
    at == null ? [] : [relative(clock.ticksOf(BigInt(at)))],
  );
  return (
    <section
      class="panel timeline"
      inert={!isThere}
      aria-labelledby="timeline-title"
      onPointerMove={() => setUsed(true)}
      onPointerDownCapture={touch}
      onWheelCapture={touch}
      onKeyDownCapture={touch}
    >
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
        <button type="button" class="button quiet small" onClick={showAll}>
          Whole
        </button>
        <button type="button" class="button quiet small" onClick={() => void saveImage()}>
          Save image
        </button>
      </div>
      <Overview
        session={session}
        view={view}
        width={width}
        scale={scale}
        isDark={isDark}
        places={places}
        onShow={(next) => show(next)}
      />
      <div class={`tl-grid${hasFigures ? ' tl-wide' : ''}`}>
        <div class="tl-corner">
          <input
            type="search"
            placeholder="Filter"
            aria-label="Show only rows whose name contains"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              setFilter('');
              area.current?.focus();
            }}
          />
          {hasFigures && (
            <>
              {(['cpu', 'worst'] as const).map((by) => (
                <button
                  type="button"
                  key={by}
                  class={`tl-figure${by === 'cpu' ? ' tl-cpu' : ''}`}
                  aria-pressed={order === by}
                  title={
                    by === 'cpu' ? 'Sort by share of the processor' : 'Sort by the longest time from release to end'
                  }
                  onClick={() => setOrder(order === by ? 'name' : by)}
                >
                  {by === 'cpu' ? 'CPU' : 'worst'}
                </button>
              ))}
            </>
          )}
        </div>
        <div class="tl-axis">
          {marks.map(({ at, text }) => (
            <span key={at} aria-hidden="true" style={{ left: `${xOf(at)}px` }}>
              {text}
            </span>
          ))}
          {more && <more.Flags marks={flags} xOf={xAt} width={width} onMark={setMarking} />}
        </div>
        <div class="tl-names-box" style={{ height: `${shownHeight}px` }}>
          {names}
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
            setHovered('');
          }}
          onKeyDown={onKeyDown}
        >
          {visible.map(({ line: one, y }) =>
            one.row ? null : (
              <span key={one.key} class="tl-band" style={{ top: `${y - top}px`, height: `${one.height}px` }} />
            ),
          )}
          <canvas key="canvas" ref={canvas} class="tl-canvas" style={{ height: `${tall}px` }} aria-hidden="true" />
          {more && (
            <more.Overlay
              session={session}
              item={item}
              interval={chosen}
              words={chosenWords}
              marks={flags}
              lines={all}
              scroll={top}
              width={width}
              xOf={xOf}
              xAt={xAt}
            />
          )}
        </div>
      </div>
      <div class="tl-foot">
        <p id="timeline-words" class="tl-words" role="status">
          {chosen && chosenTicks
            ? `Interval: ${chosenWords}, from ${momentOf(chosen.from)}`
            : words ||
              (chosen && `Cursor: ${momentOf(chosen.from)}`) ||
              found ||
              (facts?.isDropped ? 'The oldest details were dropped; the picture there is coarse.' : '')}
        </p>
        <ul class="tl-legend" aria-label="Colours of tasks">
          {legend.map(({ text, colour }) => (
            <li key={text}>
              <span style={{ background: colour }} aria-hidden="true" /> {text}
            </li>
          ))}
        </ul>
        {facts && <span class="tl-span">{clock.duration(BigInt(Math.max(1, Math.round(view.span))))} visible</span>}
        {opened && onOpen && (
          <button type="button" class="link" onClick={openThere}>
            Open this in Perfetto
          </button>
        )}
      </div>
      {marking && more && (
        <more.Marking
          mark={marking}
          clock={clock}
          onText={(text) => setMarking({ ...marking, text })}
          onKeep={keepMark}
          onCancel={() => {
            setMarking(null);
            area.current?.focus();
          }}
        />
      )}
      <div class="tl-more">
        <Opened name="tl-keys" summary="Keys and gestures" content={({ Keys }) => <Keys />} />
        <Opened
          name="tl-table"
          summary="What is visible, as a table"
          content={({ VisibleItems }) =>
            facts && (
              <VisibleItems
                session={session}
                lines={visible.map(({ line: one }) => one)}
                view={view}
                clock={clock}
                facts={facts}
              />
            )
          }
        />
        {only && peers && (
          <button type="button" class="link" onClick={() => setOnly(null)}>
            Only <bdi>{only.title}</bdi> and what it talks to: show all rows
          </button>
        )}
        {choice.hidden.length > 0 && (
          <button type="button" class="link" onClick={() => choose({ hidden: [] })}>
            Show {choice.hidden.length} hidden rows
          </button>
        )}
        {layout.hidden > 0 && (
          <span class="tl-hidden">
            {plural(layout.hidden, 'row with a constant number', 'rows with constant numbers')}: hidden
          </span>
        )}
      </div>
    </section>
  );
}
