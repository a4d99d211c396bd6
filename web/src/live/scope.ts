// SPDX-License-Identifier: MIT
// The visible time of a live recording, as on an oscilloscope: aligned to the last start of something, at the end, or at rest.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Facts } from '../timeline/engine.js';
import type { Started } from '../timeline/messages.js';
import type { Session } from '../timeline/session.js';
import type { Scope } from '../timeline/timeline.js';
import type { Viewport } from '../timeline/viewport.js';

export type Mode = 'triggered' | 'follow' | 'pause';

/** Triggered pictures change at most so often: a user reads them. */
const EVERY_MS = 100;
/** Without a start for so long, the picture follows the end. */
const FREE_MS = 1000;
/** Share of the window before the start. */
const BEFORE = 0.1;
/** The window is so many times as long as the longest of the last periods. */
const PERIODS = 1.25;
const LAST_PERIODS = 8;
/** The window becomes narrower only if it is longer than so many periods. */
const TOO_MANY = 5;
/** The first window that follows the end, in nanoseconds. */
const FOLLOWED_NS = 200_000_000n;

export interface Oscilloscope {
  mode: Mode;
  setMode(mode: Mode): void;
  /** row whose starts align the picture; null: none is known yet */
  row: number | null;
  setRow(row: number): void;
  /** rests at the next start */
  isSingle: boolean;
  single(): void;
  scope: Scope;
}

/** The last periods, in ticks, and the start of the last one. */
interface Periods {
  at: bigint | null;
  lengths: readonly number[];
}

const noPeriods: Periods = { at: null, lengths: [] };

const ends = (facts: Facts): number => Number(facts.last - facts.first);

export function useScope(session: Session): Oscilloscope {
  const { facts } = session;
  const [mode, setMode] = useState<Mode>('triggered');
  const [row, setRow] = useState<number | null>(null);
  const [isSingle, setSingle] = useState(false);
  const [span, setSpan] = useState<number | null>(null); // null: not chosen yet
  const [still, setStill] = useState<Viewport | null>(null);
  const [start, setStart] = useState<number | null>(null); // of the picture, in ticks since the first event
  const asked = useRef({ at: 0, isBusy: false, changed: 0, shown: -1 }); // shown: the last start of a picture
  const armed = useRef(0);
  const periods = useRef<Periods>(noPeriods);
  const chosenByUser = useRef({ hasSpan: false, changes: 0 }); // changes: answers to earlier questions are too late

  const followed = facts ? (span ?? Number(FOLLOWED_NS / (facts.tickNs || 1n))) : 1;
  const isAligned = mode === 'triggered' && start !== null && span !== null;
  const view = !facts
    ? null
    : mode === 'pause'
      ? still
      : isAligned
        ? { start: start - BEFORE * span, span }
        : { start: Math.max(0, ends(facts) - followed), span: Math.min(followed, Math.max(4, ends(facts))) };

  /** The window that shows a whole period; null: none is known yet. The periods of a job differ, and the first one may be unlike the others. */
  const fitting = (): number | null => {
    const { lengths } = periods.current,
      longest = Math.max(...lengths);
    const fits = span !== null && (1 - BEFORE) * span >= longest && span <= TOO_MANY * longest;
    return chosenByUser.current.hasSpan || fits || !lengths.length ? span : Math.max(8, PERIODS * longest);
  };

  /** The last start after which a window of this span is recorded. */
  const startFor = async (now: Facts, chosen: number, span: number): Promise<Started | null> => {
    const ticks = now.last - BigInt(Math.ceil((1 - BEFORE) * span));
    return ticks > now.first ? session.ask({ kind: 'start', row: chosen, ticks }) : null;
  };

  const note = ({ at, before, next }: Started): void => {
    const length = next !== null ? next - at : before !== null ? at - before : null;
    if (length === null || at === periods.current.at) return;
    periods.current = { at, lengths: [...periods.current.lengths, Number(length)].slice(-LAST_PERIODS) };
  };

  /** Is the start one to show? Single waits for no end: the next start may never come. */
  const isShown = ({ at, next }: Started, { first }: Facts, span: number): boolean => {
    if (isSingle) return Number(at - first) > armed.current;
    return chosenByUser.current.hasSpan || (next !== null && Number(next - at) <= (1 - BEFORE) * span);
  };

  const align = async (now: Facts): Promise<void> => {
    const { changes } = chosenByUser.current;
    const chosen = row ?? (await session.ask({ kind: 'busiest' }));
    if (chosen === null) return;
    let found = await startFor(now, chosen, span ?? 0),
      wide = span;
    if (chosenByUser.current.changes !== changes) return;
    if (row === null) setRow(chosen);
    if (found) note(found);
    const fit = fitting();
    if (fit !== null && fit !== span) {
      const other = await startFor(now, chosen, fit);
      if (chosenByUser.current.changes !== changes) return;
      if (other || span === null) [found, wide] = [other, fit];
    }
    const next = wide !== null && found && isShown(found, now, wide) ? Number(found.at - now.first) : null;
    if (next !== null || span === null) setSpan(wide); // a later picture has room for a period
    const time = performance.now();
    if (next !== null && next !== asked.current.shown) asked.current = { ...asked.current, shown: next, changed: time };
    else if (time - asked.current.changed > FREE_MS && !isSingle) return setStart(null);
    if (next === null) return;
    setStart(next);
    if (!isSingle) return;
    setSingle(false);
    setStill({ start: next - BEFORE * wide!, span: wide! });
    setMode('pause');
  };

  useEffect(() => {
    if (!facts || mode !== 'triggered' || asked.current.isBusy) return;
    const wait = asked.current.at + EVERY_MS - performance.now();
    const ask = (): void => {
      asked.current = { ...asked.current, at: performance.now(), isBusy: true };
      void align(facts).finally(() => (asked.current.isBusy = false));
    };
    if (wait <= 0) return ask();
    const timer = setTimeout(ask, wait);
    return () => clearTimeout(timer);
  }, [facts, mode, row, span, isSingle]);

  const choice = (hasSpan = chosenByUser.current.hasSpan): void => {
    chosenByUser.current = { hasSpan, changes: chosenByUser.current.changes + 1 };
  };
  const choose = (next: Mode): void => {
    choice();
    setSingle(false);
    if (next === 'pause') setStill(view);
    setMode(next);
  };
  return {
    mode,
    setMode: choose,
    row,
    setRow: (next) => {
      periods.current = noPeriods;
      choice(false);
      setRow(next);
      setStart(null);
      setSpan(null);
      choose('triggered');
    },
    isSingle,
    single: () => {
      armed.current = facts ? ends(facts) : 0;
      setSingle(true);
      setMode('triggered');
    },
    scope: {
      view,
      onShow: (next, isZoom) => {
        if (isZoom && next && mode !== 'pause') {
          choice(true);
          return setSpan(next.span);
        }
        choose('pause');
        setStill(next);
      },
    },
  };
}
