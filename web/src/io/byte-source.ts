// SPDX-License-Identifier: MIT
// A running target as a source of bytes: finds it again when it or its connection restarts. The page has three: a serial port, a debug
// probe, and the stream of `tonkopf record --live`.

/** waiting: nothing is there yet; gone: the connection broke and is tried again; ended: no more bytes will come */
export type SourceState = 'waiting' | 'running' | 'gone' | 'ended';

/** What a source reports while it runs. */
export interface SourceListener {
  /** The source reads on when the promise resolves. */
  onBytes(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** reason: why it waits, is gone or has ended, as a sentence; empty: nothing to say */
  onState(state: SourceState, reason: string): void;
  /** An error of the line after which bytes go on, by its name. */
  onLineError(name: string): void;
  /** What the user should know about the source, in sentences: the bytes come all the same. */
  onNote(text: string): void;
}

export interface ByteSource {
  /** Reads until the signal aborts or the source ends. Never rejects. */
  run(listener: SourceListener, signal: AbortSignal): Promise<void>;
}

/** Resolves after a time, or when the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
