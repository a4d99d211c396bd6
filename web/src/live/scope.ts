// SPDX-License-Identifier: MIT
// The visible time of a live recording, as on an oscilloscope: aligned to the last start of something, at the end, or at rest.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Facts } from '../timeline/engine.js';
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
/** The window shows one period and this margin. */
const PERIODS = 1.25;
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

const ends = (facts: Facts): number => Number(facts.last - facts.first);

export function useScope(session: Session): Oscilloscope {
  const { facts } = session;
  const [mode, setMode] = useState<Mode>('triggered');
  const [row, setRow] = useState<number | null>(null);
  const [isSingle, setSingle] = useState(false);
  const [span, setSpan] = useState<number | null>(null); // null: not chosen yet
  const [still, setStill] = useState<Viewport | null>(null);
  const [start, setStart] = useState<number | null>(null); // of the picture, in ticks since the first event
  const asked = useRef({ at: 0, isBusy: false, changed: 0 });
  const armed = useRef(0);

  const followed = facts ? (span ?? Number(FOLLOWED_NS / (facts.tickNs || 1n))) : 1;
  const isAligned = mode === 'triggered' && start !== null && span !== null;
  const view = !facts
    ? null
    : mode === 'pause'
      ? still
      : isAligned
        ? { start: start - BEFORE * span, span }
        : { start: Math.max(0, ends(facts) - followed), span: Math.min(followed, Math.max(4, ends(facts))) };

  const align = async (now: Facts): Promise<void> => {
    const chosen = row ?? (await session.ask({ kind: 'busiest' }));
    if (chosen === null) return;
    if (row === null) setRow(chosen);
    const shown = (1 - BEFORE) * (span ?? 0);
    const ticks = now.last - BigInt(Math.ceil(shown));
    const found = ticks > now.first ? await session.ask({ kind: 'start', row: chosen, ticks }) : null;
    const time = performance.now();
    if (!found || (isSingle && Number(found.at - now.first) <= armed.current)) {
      if (time - asked.current.changed > FREE_MS && !isSingle) setStart(null);
      return;
    }
    if (span === null && found.before === null) return;
    const wide = span ?? PERIODS * Number(found.at - found.before!);
    if (span === null) return setSpan(Math.max(8, wide)); // the next picture has room for a period
    const next = Number(found.at - now.first);
    if (next !== start) asked.current.changed = time;
    else if (time - asked.current.changed > FREE_MS && !isSingle) return setStart(null);
    setStart(next);
    if (!isSingle) return;
    setSingle(false);
    setStill({ start: next - BEFORE * span, span });
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

  const choose = (next: Mode): void => {
    setSingle(false);
    if (next === 'pause') setStill(view);
    setMode(next);
  };
  return {
    mode,
    setMode: choose,
    row,
    setRow: (next) => {
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
        if (isZoom && next && mode !== 'pause') return setSpan(next.span);
        setStill(next);
        setSingle(false);
        setMode('pause');
      },
    },
  };
}
