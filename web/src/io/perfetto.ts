// SPDX-License-Identifier: MIT
// Opens the viewer and hands a trace over, from window to window inside this browser.
import { loadSeconds } from '../../../wasm/estimate.js';
import type { Output } from '../job.js';
import { traceNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';

const ANSWER_MS = 30_000;
const PING_MS = 200;
const PRESENT_MS = 600; // within the time in which a click may still open a window

/** What a link shows: a part of the trace in its nanoseconds, and perhaps the tracks of one name, which come into sight. */
export interface Range {
  startNs: bigint;
  endNs: bigint;
  track?: string | undefined;
}

export interface Trace {
  /** one that can be given away, made when the viewer takes it */
  buffer(): Promise<ArrayBuffer>;
  title: string;
  fileName: string;
}

export type Outcome = 'handed' | 'closed';

/** What the viewer should open of a trace whose report is not there yet: what every trace has. */
export const anyView: Report['view'] = { expand: ['^(Target)$'], collapse: [], pin: [] };

/** The address with everything the viewer should do after loading. */
export function viewerUrl(viewer: string, view: Report['view'], range: Range | null): string {
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
  ];
  if (commands.length) query.set('startupCommands', JSON.stringify(commands));
  // The viewer decodes with decodeURIComponent, for which a plus is a plus.
  return `${viewer}/#!/?${query.toString().replaceAll('+', '%20')}`;
}

/** From times of the report to the viewer's nanoseconds; it ignores a range that is not within the trace. */
function within(report: Report, from: bigint, to: bigint): Range {
  const [first, last, ns] = [BigInt(report.time.start), BigInt(report.time.end), traceNs(report)];
  return { startNs: (from > first ? from : first) * ns, endNs: (to < last ? to : last) * ns };
}

/** A stretch around one moment of the report, wide enough to see what led to it. */
export function around(time: bigint, report: Report): Range {
  const span = BigInt(report.time.duration);
  const least = 500_000n / traceNs(report);
  const half = span / 200n > least ? span / 200n : least;
  return within(report, time - half, time + half);
}

/** A slice, in times of the report, and a tenth of its length on both sides. track: name of the tracks it is on, as the viewer shows it. */
export function rangeOf(start: bigint, duration: bigint, report: Report, track?: string): Range {
  if (duration <= 0n) return { ...around(start, report), track };
  const margin = duration / 10n + 1n;
  return { ...within(report, start - margin, start + duration + margin), track };
}

const AT_ONCE_SECONDS = 1;

/** Of a recording that takes long to load: so much around a range that the viewer needs about a second for it. In the viewer's nanoseconds. */
export function partAround(
  range: Range,
  { report, extent, heldNs }: Pick<Output, 'report' | 'extent' | 'heldNs'>,
): Range {
  const ns = traceNs(report),
    first = BigInt(report.time.start) * ns,
    last = BigInt(report.time.end) * ns;
  const room =
    BigInt(Math.round(heldNs * Math.min(1, AT_ONCE_SECONDS / loadSeconds(extent)))) - (range.endNs - range.startNs);
  const margin = room > 0n ? room / 2n : 0n;
  const from = range.startNs - margin,
    to = range.endNs + margin;
  return { startNs: from > first ? from : first, endNs: to < last ? to : last };
}

const LOOK_MS = 50;

/** Nothing has appeared in it yet. */
function isBlank({ closed, location }: Window): boolean {
  try {
    return !closed && location.href === 'about:blank';
  } catch {
    return false; // the viewer's address is not ours to read
  }
}

/** Chromium forgets to close a window whose first page is about to appear: it is closed once that is there. */
export function closeWindow(viewer: Window): void {
  if (isBlank(viewer)) setTimeout(closeWindow, LOOK_MS, viewer);
  else viewer.close();
}

/** Asks a window that was opened before to show a range of the trace it has. */
export function scrollTo(viewer: Window, address: string, { startNs, endNs }: Range): void {
  const perfetto = { timeStart: Number(startNs) / 1e9, timeEnd: Number(endNs) / 1e9, viewPercentage: 1 };
  viewer.postMessage({ perfetto }, new URL(address).origin);
}

/** Resolves to whether the window is still there and the viewer in it answers. */
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
 * Asks the window until it answers or is closed, then posts the trace once. The window must have been opened by this page.
 * Rejects when the trace does: then there is nothing to hand over. onSilence: it has not answered for long, and is asked on; or it answers at last.
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
