// SPDX-License-Identifier: MIT
// Opens the viewer and hands a trace over, from window to window inside this browser.
import type { Report } from '../../../wasm/types.js';

export const ANSWER_MS = 30_000;
const PING_MS = 200;
export interface Range {
  startNs: bigint;
  endNs: bigint;
}

export interface Trace {
  buffer: ArrayBuffer;
  title: string;
  fileName: string;
}

export type Outcome = 'handed' | 'silent' | 'closed';

/** The address with everything the viewer should do after loading. */
export function viewerUrl(viewer: string, view: Report['view'] | undefined, range: Range | null): string {
  const query = new URLSearchParams({ hideSidebar: 'true' });
  if (range) {
    query.set('visStart', String(range.startNs));
    query.set('visEnd', String(range.endNs));
  }
  const commands = [
    ...(view?.expand ?? []).map((regex) => ({ id: 'dev.perfetto.ExpandTracksByRegex', args: [regex] })),
    ...(view?.pin ?? []).map((regex) => ({ id: 'dev.perfetto.PinTracksByRegex', args: [regex] })),
  ];
  if (commands.length) query.set('startupCommands', JSON.stringify(commands));
  // The viewer decodes with decodeURIComponent, for which a plus is a plus.
  return `${viewer}/#!/?${query.toString().replaceAll('+', '%20')}`;
}

/** A stretch around one moment, wide enough to see what led to it. */
export function around(timeNs: bigint, report: Report): Range {
  const span = BigInt(report.time.durationNs);
  const half = span / 200n > 500_000n ? span / 200n : 500_000n;
  return { startNs: timeNs > half ? timeNs - half : 0n, endNs: timeNs + half };
}

/**
 * Asks the window until it answers, then posts the trace once. The window must have been opened by this page.
 * Rejects when the trace does: then there is nothing to hand over.
 */
export function handOver(
  viewer: Window,
  address: string,
  trace: Promise<Trace>,
  signal: AbortSignal,
  onAnswer: () => void,
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
    let answered = false;
    const aborted = (): void => end(() => reject(new DOMException('Stopped', 'AbortError')));
    const timer = setInterval(() => {
      if (viewer.closed) return end(() => resolve('closed'));
      if (answered) return;
      if (performance.now() - startedAt > ANSWER_MS) return end(() => resolve('silent'));
      viewer.postMessage('PING', origin);
    }, PING_MS);
    const listen = (event: MessageEvent): void => {
      if (event.source !== viewer || event.origin !== origin || event.data !== 'PONG' || answered) return;
      answered = true;
      onAnswer();
      trace.then(
        ({ buffer, title, fileName }) =>
          end(() => {
            viewer.postMessage({ perfetto: { buffer, title, fileName, localOnly: false } }, origin, [buffer]);
            resolve('handed');
          }),
        (error: unknown) => end(() => reject(error)),
      );
    };
    trace.catch((error: unknown) => end(() => reject(error)));
    signal.addEventListener('abort', aborted);
    addEventListener('message', listen);
  });
}
