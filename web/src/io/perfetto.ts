// SPDX-License-Identifier: MIT
// Opens the viewer and posts a trace from this window to the viewer's window, inside the browser.
import { loadSeconds } from '../../../wasm/estimate.js';
import type { Output } from '../job.js';
import { timeRangeOf, traceNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';

const ANSWER_MS = 30_000;
const PING_MS = 200;
const PRESENT_MS = 600; // browsers allow window.open only for this long after a click

/** What a link shows: a time range in nanoseconds of the trace and, optionally, the tracks with one name, to which the viewer scrolls. */
export interface Range {
  startNs: bigint;
  endNs: bigint;
  track?: string | undefined;
  /** what is there, without the margin of the range */
  exact?: { startNs: bigint; endNs: bigint } | undefined;
  /** `exact` is marked as if the user had marked it */
  isMarked?: boolean;
}

export interface Trace {
  /** returns a buffer that can be transferred; called when the viewer takes it */
  buffer(): Promise<ArrayBuffer>;
  title: string;
  fileName: string;
}

export type Outcome = 'handed' | 'closed';

/** Start-up commands of the viewer for a trace whose report does not exist yet. */
export const anyView: Report['view'] = { expand: ['^(Target)$'], collapse: [], pin: [] };

/** A mark of the user, at a time in nanoseconds of the trace. */
export interface Note {
  atNs: bigint;
  text: string;
}

/** The viewer's address with the commands that it runs after loading. A viewer that does not know the command for notes skips it. */
export function viewerUrl(
  viewer: string,
  view: Report['view'],
  range: Range | null,
  notes: readonly Note[] = [],
): string {
  const query = new URLSearchParams({ hideSidebar: 'true' });
  if (range) {
    query.set('visStart', String(range.startNs));
    query.set('visEnd', String(range.endNs));
  }
  const own = range?.track === undefined ? [] : [`^${range.track.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
  const commands = [
    ...[...view.expand, ...own].map((regex) => ({ id: 'dev.perfetto.ExpandTracksByRegex', args: [regex] })),
    ...view.collapse.map((regex) => ({ id: 'dev.perfetto.CollapseTracksByRegex', args: [regex] })),
    ...[...view.pin, ...own].map((regex) => ({ id: 'dev.perfetto.PinTracksByRegex', args: [regex] })),
    ...notes.map(({ atNs, text }) => ({ id: 'dev.perfetto.AddNoteAtTimestamp', args: [String(atNs), text] })),
  ];
  if (commands.length) query.set('startupCommands', JSON.stringify(commands));
  // The viewer decodes with decodeURIComponent, which keeps a plus as a plus.
  return `${viewer}/#!/?${query.toString().replaceAll('+', '%20')}`;
}

/** Converts times of the report to the viewer's nanoseconds. The viewer ignores a range outside of the trace. */
function within(report: Report, from: bigint, to: bigint): Range {
  const { start: first, end: last } = timeRangeOf(report),
    ns = traceNs(report);
  return { startNs: (from > first ? from : first) * ns, endNs: (to < last ? to : last) * ns };
}

/** A range around one time of the report, wide enough to show the events before it. */
export function around(time: bigint, report: Report): Range {
  const span = timeRangeOf(report).duration;
  const least = 500_000n / traceNs(report);
  const half = span / 200n > least ? span / 200n : least;
  return within(report, time - half, time + half);
}

/** A range around a slice (times of the report), with a tenth of its length on both sides. track: the name of the slice's tracks, as the
 * viewer shows it. */
export function rangeOf(start: bigint, duration: bigint, report: Report, track?: string): Range {
  const ns = traceNs(report),
    exact = { startNs: start * ns, endNs: (start + (duration > 0n ? duration : 0n)) * ns };
  if (duration <= 0n) return { ...around(start, report), track, exact };
  const margin = duration / 10n + 1n;
  return { ...within(report, start - margin, start + duration + margin), track, exact };
}

const AT_ONCE_SECONDS = 1;

/** For a long recording: a range that the viewer loads in about a second. In the viewer's nanoseconds. */
export function partAround(range: Range, { report, extent }: Pick<Output, 'report' | 'extent'>): Range {
  const ns = traceNs(report),
    { start, end, duration } = timeRangeOf(report),
    [first, last] = [start * ns, end * ns];
  const room =
    BigInt(Math.round(Number(duration * ns) * Math.min(1, AT_ONCE_SECONDS / loadSeconds(extent)))) -
    (range.endNs - range.startNs);
  const margin = room > 0n ? room / 2n : 0n;
  const from = range.startNs - margin,
    to = range.endNs + margin;
  return { startNs: from > first ? from : first, endNs: to < last ? to : last };
}

const LOOK_MS = 50;

/** True while the window has not loaded a page. */
function isBlank({ closed, location }: Window): boolean {
  try {
    return !closed && location.href === 'about:blank';
  } catch {
    return false; // the browser denies access to the location of another origin
  }
}

/** Chromium does not close a window that is loading its first page, so this waits until the page is loaded. */
export function closeWindow(viewer: Window): void {
  if (isBlank(viewer)) setTimeout(closeWindow, LOOK_MS, viewer);
  else viewer.close();
}

/** Asks an open viewer window to show a range of its trace. */
export function scrollTo(viewer: Window, address: string, { startNs, endNs }: Range): void {
  const perfetto = { timeStart: Number(startNs) / 1e9, timeEnd: Number(endNs) / 1e9, viewPercentage: 1 };
  viewer.postMessage({ perfetto }, new URL(address).origin);
}

/** Resolves to true when the window is open and the viewer in it answers. */
export function answers(viewer: Window, address: string): Promise<boolean> {
  const { origin } = new URL(address);
  return new Promise((resolve) => {
    const end = (answered: boolean): void => {
      clearTimeout(timer);
      removeEventListener('message', listen);
      resolve(answered);
    };
    const timer = setTimeout(() => end(false), PRESENT_MS);
    const listen = (event: MessageEvent): void => {
      if (event.source === viewer && event.origin === origin && event.data === 'PONG') end(true);
    };
    addEventListener('message', listen);
    if (viewer.closed) end(false);
    else viewer.postMessage('PING', origin);
  });
}

/**
 *
 * Pings the window until it answers or is closed, then posts the trace once. This page must have opened the window. Rejects when the
 * conversion fails. onSilence(true): the viewer has not answered for a long time, pinging continues; onSilence(false): it has answered.
 *
 */
export function handOver(
  viewer: Window,
  address: string,
  trace: Promise<Trace>,
  signal: AbortSignal,
  onSilence: (silent: boolean) => void,
): Promise<Outcome> {
  const { origin } = new URL(address);
  return new Promise((resolve, reject) => {
    const end = (act: () => void): void => {
      clearInterval(timer);
      removeEventListener('message', listen);
      signal.removeEventListener('abort', aborted);
      act();
    };
    const startedAt = performance.now();
    let answered = false,
      silent = false;
    const aborted = (): void => end(() => reject(new DOMException('Stopped', 'AbortError')));
    const timer = setInterval(() => {
      if (viewer.closed) return end(() => resolve('closed'));
      if (answered) return;
      if (!silent && performance.now() - startedAt > ANSWER_MS) {
        onSilence((silent = true));
      }
      viewer.postMessage('PING', origin);
    }, PING_MS);
    const post = async ({ buffer: make, title, fileName }: Trace): Promise<void> => {
      const buffer = await make();
      if (signal.aborted) return;
      end(() => {
        viewer.postMessage({ perfetto: { buffer, title, fileName, localOnly: false, keepApiOpen: true } }, origin, [
          buffer,
        ]);
        resolve('handed');
      });
    };
    const listen = (event: MessageEvent): void => {
      if (event.source !== viewer || event.origin !== origin || event.data !== 'PONG' || answered) return;
      answered = true;
      if (silent) onSilence(false);
      trace.then(post).catch((error: unknown) => end(() => reject(error)));
    };
    trace.catch((error: unknown) => end(() => reject(error)));
    signal.addEventListener('abort', aborted);
    addEventListener('message', listen);
  });
}
