// SPDX-License-Identifier: MIT
// A target behind a debug probe as a source of bytes: the stream of its RTT, or once the recording in its memory.
import { type ByteSource, type SourceListener, pause, textOf } from '../byte-source.js';
import { Dap, type Link, TargetError } from './dap.js';
import { find, readAll } from './find.js';
import { Memory } from './memory.js';
import type { MemoryRange } from './ranges.js';
import { RECORDER, type Recorder, blockOf, namesOf, recorderAt } from './recorder.js';
import { type Channel, RTT, Ring, channelsAt } from './rtt.js';

export interface ProbeOptions {
  /** where to look */
  ranges: MemoryRange[];
  /** of RTT; null: the one with the recording */
  channel: number | null;
  /** Reads the recording in the memory once, instead of a stream. */
  isOnce: boolean;
}

const RETRY_MS = 250;
/** Some targets refuse accesses while they sleep. */
const RETRIES = 20;
const SLEEP_MS = 10;
/** Pause when nothing was there. Some probes fail when they are asked all the time. */
const IDLE_MS = 2;
/** Without bytes for so long, the state of the processor is read. */
const SILENT_MS = 1000;

const DHCSR = 0xe000_edf0;
const IS_HALTED = 1 << 17;

/** What was found in the memory. */
interface Found {
  recorder: Recorder | null;
  channels: Channel[];
}

async function look(memory: Memory, ranges: readonly MemoryRange[]): Promise<Found> {
  const found: Found = { recorder: null, channels: [] };
  for await (const { text, at } of find(memory, ranges, [RECORDER, RTT])) {
    if (text === RECORDER) found.recorder ??= await recorderAt(memory, at);
    else if (!found.channels.length) found.channels = await channelsAt(memory, at);
    if (found.recorder && found.channels.length) break;
  }
  return found;
}

/** The core of Tonkopf's recorder whose ring a channel is; -1: another ring */
const coreOf = (recorder: Recorder | null, { buffer }: Channel): number =>
  recorder?.cores.findIndex(({ ring }) => ring === buffer) ?? -1;

/** Names of channels of other programs: text, SystemView. */
const isForeign = ({ index, name }: Channel): boolean => index === 0 || name === 'SysView';

/** The channel with the recording: of Tonkopf's recorder, of SystemView, or the first one that is not for text. */
const best = ({ recorder, channels }: Found): Channel | undefined =>
  channels.find((one) => coreOf(recorder, one) >= 0) ??
  channels.find(({ name }) => name === 'SysView') ??
  channels.find(({ index }) => index > 0) ??
  channels[0];

/** Names and facts that precede what is read late. */
async function namesBefore(
  memory: Memory,
  recorder: Recorder | null,
  channel: Channel,
): Promise<Uint8Array<ArrayBuffer>> {
  const core = coreOf(recorder, channel);
  if (!recorder || (core < 0 && (recorder.ringSize || isForeign(channel)))) return new Uint8Array(0);
  return namesOf(memory, recorder, Math.max(0, core));
}

/** The reader before may have stopped within a frame, whose rest is of no use. */
async function isWithinFrame(memory: Memory, { position, channel }: Ring): Promise<boolean> {
  return position > 0 && (await memory.read(channel.buffer + position - 1, 1))[0] !== 0;
}

async function isHalted(memory: Memory): Promise<boolean> {
  try {
    return ((await memory.exchange([{ at: DHCSR, words: 1 }]))[0]! & IS_HALTED) !== 0;
  } catch {
    return false; // not a Cortex-M
  }
}

export class ProbeSource implements ByteSource {
  /** was used last, to go on there after the connection was lost */
  #last: Ring | null = null;
  #hasRun = false;

  /** open: rejects with the reason when the probe is not there, or another program uses it */
  constructor(
    private readonly open: () => Promise<Link>,
    private readonly options: ProbeOptions,
  ) {}

  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    let isRead = false;
    while (!signal.aborted && !isRead) {
      try {
        isRead = await this.#use(await this.open(), listener, signal);
      } catch (error) {
        if (signal.aborted) break;
        listener.onState(this.#hasRun ? 'gone' : 'waiting', textOf(error));
        await pause(RETRY_MS, signal);
      }
    }
    listener.onState('ended', '');
  }

  /** Reads until the signal aborts, or everything once. Throws the reason why it cannot go on. */
  async #use(link: Link, listener: SourceListener, signal: AbortSignal): Promise<boolean> {
    try {
      const memory = await Memory.connect(await Dap.open(link));
      if (this.options.isOnce) await this.#readOnce(memory, listener);
      else await this.#stream(memory, listener, signal);
      await memory.release();
      return true;
    } finally {
      await link.close();
    }
  }

  async #readOnce(memory: Memory, listener: SourceListener): Promise<void> {
    const { recorder } = await look(memory, this.options.ranges);
    listener.onState('running', '');
    if (recorder) return listener.onBytes(await blockOf(memory, recorder));
    for (const range of this.options.ranges)
      for await (const bytes of readAll(memory, range)) await listener.onBytes(bytes);
  }

  async #attach(memory: Memory, listener: SourceListener): Promise<{ ring: Ring; isCut: boolean }> {
    const { ranges, channel: index } = this.options;
    const found = await look(memory, ranges);
    const channel = index === null ? best(found) : found.channels.find((one) => one.index === index);
    if (!channel)
      throw new TargetError(
        found.channels.length
          ? `RTT has no channel ${index} with a ring`
          : 'no control block of RTT is in the memory that was searched',
      );
    const ring = await Ring.open(memory, channel, this.#last);
    listener.onState('running', '');
    const isCut =
      !ring.continues(this.#last) && coreOf(found.recorder, channel) >= 0 && (await isWithinFrame(memory, ring));
    if (!this.#hasRun) await listener.onBytes(await namesBefore(memory, found.recorder, channel));
    this.#hasRun = true;
    this.#last = ring;
    return { ring, isCut };
  }

  async #stream(memory: Memory, listener: SourceListener, signal: AbortSignal): Promise<void> {
    const { ring, isCut: wasCut } = await this.#attach(memory, listener);
    let isCut = wasCut,
      failures = 0,
      heardAt = performance.now(),
      wasHalted = false;
    while (!signal.aborted) {
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = await ring.poll();
        failures = 0;
      } catch (error) {
        if (!(error instanceof TargetError) || ++failures > RETRIES) throw error;
        await pause(SLEEP_MS, signal);
        continue;
      }
      if (isCut && bytes.length) {
        const end = bytes.indexOf(0) + 1;
        isCut = !end;
        bytes = bytes.subarray(end || bytes.length);
      }
      const now = performance.now();
      if (bytes.length) {
        if (wasHalted) listener.onState('running', '');
        wasHalted = false;
        await listener.onBytes(bytes);
        heardAt = performance.now();
      } else if (now - heardAt < SILENT_MS) {
        await pause(IDLE_MS, signal);
      } else {
        heardAt = now;
        const isNow = await isHalted(memory);
        if (isNow !== wasHalted) listener.onState('running', isNow ? 'the target is halted' : '');
        wasHalted = isNow;
      }
    }
  }
}
