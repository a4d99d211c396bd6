// SPDX-License-Identifier: MIT
// RTT: a target writes bytes into rings in its memory, and the reader writes back up to which offset it has read. Nothing else is written.
import type { Memory } from './memory.js';

export const RTT = 'SEGGER RTT';

const HEADER = 24,
  CHANNEL = 24;
const MOST_CHANNELS = 64;
const LONGEST_NAME = 32;
/** A larger ring is none. */
const LONGEST = 16 << 20;
// fields of a channel
const BUFFER = 4,
  READ = 16;

export interface Channel {
  index: number;
  /** addresses */
  block: number;
  at: number;
  buffer: number;
  /** bytes of the ring */
  size: number;
  name: string;
}

/** The ring is not where it was: the target starts again, or has another program. */
export class RingGone extends Error {
  constructor() {
    super('the ring of RTT is gone: the target has not set it up yet');
  }
}

async function textAt(memory: Memory, at: number): Promise<string> {
  const bytes = at ? await memory.read(at, LONGEST_NAME).catch(() => new Uint8Array(0)) : new Uint8Array(0);
  const end = bytes.indexOf(0);
  return end < 0 ? '' : new TextDecoder().decode(bytes.subarray(0, end));
}

/** The channels to the host of a control block that have a ring. Empty: there is no block at this address, or it is not set up yet. */
export async function channelsAt(memory: Memory, block: number): Promise<Channel[]> {
  const [up, down] = await memory.exchange([{ at: block + 16, words: 2 }]);
  if (up! > MOST_CHANNELS || down! > MOST_CHANNELS) return [];
  const channels: Channel[] = [];
  for (let index = 0; index < up!; index++) {
    const at = block + HEADER + index * CHANNEL;
    const [name, buffer, size] = await memory.exchange([{ at, words: 3 }]);
    if (buffer && size && size <= LONGEST)
      channels.push({ index, block, at, buffer, size, name: await textAt(memory, name!) });
  }
  return channels;
}

interface State {
  written: number;
  read: number;
}

/** Reads one ring while the target writes it. */
export class Ring {
  /** the offset that this reader, or the target, wrote last */
  #read: number;
  /** what the last exchange has shown */
  #next: State | null = null;
  /** Bytes that were read up to this offset; whether the target knows is not known, because the connection failed. */
  #unsure: { bytes: Uint8Array<ArrayBuffer>; to: number } | null = null;

  private constructor(
    private readonly memory: Memory,
    readonly channel: Channel,
    { read }: State,
  ) {
    this.#read = read;
  }

  /** before: a reader whose connection failed. null: there was none */
  static async open(memory: Memory, channel: Channel, before: Ring | null): Promise<Ring> {
    const words = await memory.exchange([{ at: channel.at + BUFFER, words: 4 }]);
    const ring = new Ring(memory, channel, stateOf(channel, words));
    if (before?.channel.at === channel.at) ring.#unsure = before.#unsure;
    return ring;
  }

  /** where the next byte is read */
  get position(): number {
    return this.#read;
  }

  /** The target has not started again since the reader `before` was used. */
  continues(before: Ring | null): boolean {
    if (before?.channel.at !== this.channel.at) return false;
    return before.#read === this.#read || before.#unsure?.to === this.#read;
  }

  /** Reads what is there. Throws RingGone when the offsets make no sense. */
  async poll(): Promise<Uint8Array<ArrayBuffer>> {
    const { at } = this.channel;
    const state = this.#next ?? stateOf(this.channel, await this.memory.exchange([{ at: at + BUFFER, words: 4 }]));
    const { written, read } = state,
      unsure = this.#unsure;
    this.#next = this.#unsure = null;
    this.#read = read;
    if (unsure?.to === read) return unsure.bytes;
    if (written === read) return new Uint8Array(0);
    const bytes = await this.#between(read, written);
    this.#unsure = { bytes, to: written };
    const [before, ...words] = await this.memory.exchange([
      { at: at + READ, words: 1 },
      { at: at + READ, value: written },
      { at: at + BUFFER, words: 4 },
    ]);
    this.#unsure = null;
    if (before !== read) {
      // The target has started again while its ring was read: the bytes are of both runs, and the offset is one of the old run.
      await this.memory.exchange([{ at: at + READ, value: before! }]);
      return new Uint8Array(0);
    }
    this.#read = written;
    try {
      const next = stateOf(this.channel, words);
      if (next.written !== next.read) this.#next = next;
    } catch {
      // The target starts again, after these bytes: the next poll shows it.
    }
    return bytes;
  }

  async #between(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const { buffer, size } = this.channel;
    if (from < to) return this.memory.read(buffer + from, to - from);
    const [end, begin] = await Promise.all([
      this.memory.read(buffer + from, size - from),
      this.memory.read(buffer, to),
    ]);
    const bytes = new Uint8Array(end.length + begin.length);
    bytes.set(end);
    bytes.set(begin, end.length);
    return bytes;
  }
}

function stateOf(channel: Channel, [buffer, size, written, read]: ArrayLike<number> & Iterable<number>): State {
  if (buffer !== channel.buffer || size !== channel.size || written! >= size || read! >= size) throw new RingGone();
  return { written: written!, read: read! };
}
