// SPDX-License-Identifier: MIT
// Makes sources from the inputs that a caller may pass. Sources from streams and iterables can be read only once.
import type { Abort, BlobLike, Bytes, Input, NamedInput } from './api.js';
import { InputError } from './errors.js';
import type { ByteStream, Source } from './types.js';

type Opener = (path: string) => Promise<Source>;
type Once = ByteStream | AsyncIterable<unknown> | Iterable<unknown>;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length) yield bytes;
}

const ofBytes = (name: string, bytes: Uint8Array): Source => ({
  name,
  size: bytes.length,
  open: () => once(bytes),
  openAt: (offset) => once(bytes.subarray(offset)),
});
const ofBlob = (name: string, blob: BlobLike): Source => ({
  name,
  size: blob.size,
  open: () => blob.stream(),
  openAt: (offset) => blob.slice(offset).stream(),
});

const has = (value: object, key: PropertyKey): boolean =>
  key in value && typeof (value as Record<PropertyKey, unknown>)[key] === 'function';
const isBlob = (value: object): value is BlobLike => has(value, 'stream') && has(value, 'slice');
const isSource = (value: object): value is Source => has(value, 'open') && 'name' in value;
const isOnce = (value: object): value is Once =>
  has(value, 'getReader') || has(value, Symbol.asyncIterator) || has(value, Symbol.iterator);
const isNamed = (input: Input): input is NamedInput =>
  typeof input === 'object' && 'name' in input && 'bytes' in input && typeof input.bytes !== 'function'; // a Blob may have a method `bytes`

export function bytesOf(value: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer))
    return new Uint8Array(value);
  return null;
}

/** Throws if a stream has been read before or has another reader. */
function refuseConsumed(value: object): void {
  const { locked, readableDidRead, readableEnded, destroyed } = value as Record<string, unknown>;
  if (locked || readableDidRead || readableEnded || destroyed)
    throw new InputError('consumed', 'This stream has been read already, or it has another reader');
}

interface Step {
  done?: boolean | undefined;
  value?: unknown;
}

interface Reading {
  next(): Promise<Step>;
  /** closes the source, with the reason of an abort */
  stop(reason: unknown): Promise<unknown>;
}

function readingOf(value: Once): Reading {
  if (has(value, 'getReader')) {
    const reader = (value as ByteStream).getReader();
    const next = async (): Promise<Step> => {
      const step = await reader.read();
      if (step.done) reader.releaseLock();
      return step;
    };
    return { next, stop: async (reason) => reader.cancel(reason).finally(() => reader.releaseLock()) };
  }
  const iterator = has(value, Symbol.asyncIterator)
    ? (value as AsyncIterable<unknown>)[Symbol.asyncIterator]()
    : (value as Iterable<unknown>)[Symbol.iterator]();
  const next = async (): Promise<Step> => {
    const { done, value } = await iterator.next();
    return { done: done ?? false, value: await value };
  };
  const isNodeStream = has(value, 'destroy') && has(value, 'pipe'); // the iterator of a Node stream ends only after a pending read; `destroy` ends the stream immediately
  return {
    next,
    stop: async () => (isNodeStream ? (value as unknown as { destroy(): void }).destroy() : iterator.return?.()),
  };
}

/** Yields the chunks of a source. An abort ends this immediately, also during a pending read, and closes the source. */
async function* chunksUntil(value: Once, signal?: Abort): AsyncGenerator<unknown> {
  const { next, stop } = readingOf(value);
  let refuse = (_: unknown): void => {},
    ended = false;
  const onAbort = (): void => refuse(signal!.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = await new Promise<Step>((resolve, reject) => {
        refuse = reject;
        next().then(resolve, reject);
      });
      ended = step.done === true;
      if (ended) return;
      yield step.value;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    const stopped = ended ? null : stop(signal?.reason).catch(() => {});
    if (!signal?.aborted) await stopped; // after an abort, `stop` may wait for a read that never ends
  }
}

/** Returns a source whose streams end when the signal aborts. It opens a stream at the first read, so an unread stream need not be closed. */
function endingWith(signal: Abort, source: Source): Source {
  async function* until(open: Source['open']): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    yield* chunksUntil(open(), signal) as AsyncGenerator<Uint8Array>;
  }
  return {
    name: source.name,
    size: source.size,
    open: () => until(() => source.open()),
    ...(source.openAt && { openAt: (offset: number) => until(() => source.openAt!(offset)) }),
    ...(source.isReadOnce && { isReadOnce: true }),
    ...(source.close && { close: () => source.close!() }),
  };
}

/** Yields the bytes of a stream or iterable. Throws if there are none. */
async function* bytesOnce(value: Once, signal?: Abort): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of chunksUntil(value, signal)) {
    const bytes = bytesOf(chunk);
    if (!bytes)
      throw new InputError(
        'unsupported',
        `A stream of recordings gives bytes, this one gave ${chunk === null ? 'null' : typeof chunk}`,
      );
    isEmpty &&= !bytes.length;
    yield bytes;
  }
  if (isEmpty) throw new InputError('empty', 'This stream gave no bytes: it is empty, or was read before');
}

function ofOnce(name: string, value: Once, signal?: Abort): Source {
  refuseConsumed(value);
  // A Node stream may fail before the first read. The listener keeps Node from ending the process; the iterator reports the error.
  if (has(value, 'pipe') && has(value, 'on'))
    (value as unknown as { on(event: 'error', listener: () => void): void }).on('error', () => {});
  let isBegun = false; // a generator that has not started does not close its source
  async function* bytes(): AsyncGenerator<Uint8Array> {
    isBegun = true;
    yield* bytesOnce(value, signal);
  }
  const close = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    const stopped = readingOf(value)
      .stop(signal?.reason)
      .catch(() => {});
    if (!signal?.aborted) await stopped; // after an abort, the source may never answer
  };
  return { name, size: null, open: bytes, isReadOnce: true, close };
}

function ofObject(name: string, value: object, signal?: Abort): Source {
  const bytes = bytesOf(value);
  if (bytes) return ofBytes(name, bytes);
  if (isBlob(value)) return ofBlob(name || (value.name ?? ''), value);
  if (isSource(value)) return value;
  if (isOnce(value)) return ofOnce(name, value, signal);
  throw new InputError('unsupported', 'This is neither bytes nor anything they can be read from');
}

async function sourceOfBytes(name: string, bytes: Bytes, open: Opener, signal?: Abort): Promise<Source> {
  if (typeof bytes === 'string') return name ? { ...(await open(bytes)), name } : open(bytes);
  if (typeof bytes !== 'object' || bytes === null)
    throw new InputError(
      'unsupported',
      `An input is bytes or something they can be read from, not ${bytes === null ? 'null' : typeof bytes}`,
    );
  return ofObject(name, bytes, signal);
}

/** Makes the source of an input. open: opens a path; throws in browsers. */
export async function sourceOf(input: Input, open: Opener, signal?: Abort): Promise<Source> {
  const { name, bytes } = input !== null && isNamed(input) ? input : { name: '', bytes: input as Bytes };
  const source = await sourceOfBytes(name, bytes, open, signal);
  return signal ? endingWith(signal, source) : source;
}

/** Returns the core and the role that the caller assigns to an input. */
export const saidOf = (input: Input): Pick<NamedInput, 'core' | 'role'> => (isNamed(input) ? input : {});
