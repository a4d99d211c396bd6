// SPDX-License-Identifier: MIT
// A target behind a debug probe as a source of bytes: the stream of its RTT, or once the recording in its memory.
import { type ByteSource, type SourceListener, pause, textOf } from '../byte-source.js';
import { Dap, type Link, TargetError } from './dap.js';
import { type Hit, find, readAll } from './find.js';
import { Memory, RETRIES } from './memory.js';
import { NO_PROGRAMS, type Programs } from './program.js';
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
const SLEEP_MS = 10;
/** Pause when nothing was there. Some probes fail when they are asked all the time. */
const IDLE_MS = 2;
/** After each such time without bytes, the state of the processor is read. */
const SILENT_MS = 1000;

const DHCSR = 0xe000_edf0;
const IS_HALTED = 1 << 17;
const HALTED = 'the target is halted';
const SILENT = 'no bytes come, although the target is not halted';

/** Largest number of places with the text of a control block: further ones are other data. */
const MOST_BLOCKS = 32;

/** What was found in the memory. A target of several programs has several blocks. */
class Found {
  readonly recorders: Recorder[] = [];
  readonly channels: Channel[] = [];
  readonly #seen = new Set<number>();
  #search: AsyncGenerator<Hit[], undefined> | null = null;
  /** places that `step` has not looked at yet */
  #hits: Hit[] = [];
  #refusals = 0;

  constructor(private readonly memory: Memory) {}

  /** Returns whether the text of a block was found at this address. */
  has(at: number): boolean {
    return this.#seen.has(at);
  }

  search(ranges: readonly MemoryRange[]): void {
    this.#search = find(this.memory, ranges, [RECORDER, RTT]);
  }

  /** Looks at the next place that was found, or reads on to find more. Returns false at the end of the ranges. */
  async step(): Promise<boolean> {
    const [hit] = this.#hits;
    if (!hit) {
      const hits = (await this.#search?.next())?.value;
      this.#hits = hits ?? [];
      return hits !== undefined;
    }
    try {
      await this.#look(hit);
    } catch (error) {
      ifRefused(error);
      if (++this.#refusals <= RETRIES) return true;
      // Such a text is also in strings, whose memory may end before a block would.
    }
    this.#refusals = 0;
    if (this.#seen.size < MOST_BLOCKS) this.#seen.add(hit.at);
    this.#hits.shift();
    return true;
  }

  /** Reads on to the end of the ranges. */
  async finish(): Promise<void> {
    while (await this.step());
  }

  async #look({ text, at }: Hit): Promise<void> {
    if (this.#seen.size === MOST_BLOCKS || this.#seen.has(at)) return;
    if (text === RTT) this.channels.push(...(await channelsAt(this.memory, at)));
    const recorder = text === RECORDER && (await recorderAt(this.memory, at));
    if (recorder) this.recorders.push(recorder);
  }
}

interface Owner {
  recorder: Recorder;
  core: number;
}

/** Tonkopf's recorder whose ring a channel is; null: another ring */
function ownerOf(recorders: readonly Recorder[], channel: Channel | undefined): Owner | null {
  for (const recorder of recorders) {
    const core = recorder.cores.findIndex(({ ring }) => ring === channel?.buffer);
    if (core >= 0) return { recorder, core };
  }
  return null;
}

/** Names of channels of other programs: text, SystemView. */
const isForeign = ({ index, name }: Channel): boolean => index === 0 || name === 'SysView';

/** The channel with the recording: of Tonkopf's recorder, of SystemView, or the first one that is not for text. */
const best = ({ recorders, channels }: Found): Channel | undefined =>
  channels.find((one) => ownerOf(recorders, one)) ??
  channels.find(({ name }) => name === 'SysView') ??
  channels.find(({ block, index }) => block === channels[0]!.block && index > 0) ??
  channels[0];

/** Names and facts that precede what is read late. */
async function namesBefore(
  memory: Memory,
  recorders: readonly Recorder[],
  channel: Channel,
): Promise<Uint8Array<ArrayBuffer>> {
  const owner = ownerOf(recorders, channel);
  if (owner) return namesOf(memory, owner.recorder, owner.core);
  const withoutRing = isForeign(channel) ? null : recorders.find(({ ringSize }) => !ringSize);
  return withoutRing ? namesOf(memory, withoutRing, 0) : new Uint8Array(0);
}

const hex = (address: number): string => `0x${address.toString(16)}`;
const wordsOf = ({ index, block }: Channel): string => `channel ${index} of the control block at ${hex(block)}`;

/** About rings of recorders that are not read; empty: there are none */
function othersThan(channel: Channel, { recorders, channels }: Found): string {
  const others = channels.filter((one) => one !== channel && ownerOf(recorders, one));
  return others.length
    ? `The page reads ${wordsOf(channel)}. It does not read those of other cores, programs or earlier firmware: ${others.map(wordsOf).join(', ')}. Enter a channel, or the address of a block.`
    : '';
}

/** The reader before may have stopped within a frame, whose rest is of no use. */
async function isWithinFrame(memory: Memory, { position, channel }: Ring): Promise<boolean> {
  return position > 0 && (await memory.read(channel.buffer + position - 1, 1))[0] !== 0;
}

/** null: unknown, because it is no Cortex-M */
async function isHalted(memory: Memory): Promise<boolean | null> {
  try {
    return ((await memory.exchange([{ at: DHCSR, words: 1 }]))[0]! & IS_HALTED) !== 0;
  } catch {
    return null;
  }
}

function ifRefused(error: unknown): void {
  if (!(error instanceof TargetError)) throw error;
}

export class ProbeSource implements ByteSource {
  /** was used last, to go on there after the connection was lost */
  #last: Ring | null = null;
  #hasRun = false;
  /** The user knows what was found. */
  #hasNoted = false;
  /** addresses of blocks, which are looked at before the memory is searched */
  #known: readonly number[];

  /** open: rejects with the reason when the probe is not there, or another program uses it */
  constructor(
    private readonly open: () => Promise<Link>,
    private readonly options: ProbeOptions,
    private readonly programs: Programs = NO_PROGRAMS,
  ) {
    this.#known = programs.addresses;
  }

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

  /** Looks where the blocks should be, and begins to search the memory if that is not enough, or if the connection was lost during a search. */
  async #look(memory: Memory, isEnough: (found: Found) => boolean): Promise<Found> {
    const found = new Found(memory);
    for (const at of this.#known) {
      found.search([{ at, length: 0 }]);
      await found.finish().catch(ifRefused);
    }
    if (!isEnough(found) || (this.#hasRun && !this.#hasNoted)) found.search(this.options.ranges);
    return found;
  }

  /** Tells the user what else was found, and which files were of no use. */
  #note(found: Found, listener: SourceListener, others: string): void {
    const { addresses, without } = this.programs;
    const text = [
      without.length && `Neither _SEGGER_RTT nor tband_control is in ${without.join(', ')}: stripped, or no program.`,
      addresses.length &&
        !addresses.some((at) => found.has(at)) &&
        'No control block is where the program has it: the file is of another program or build.',
      others,
    ]
      .filter(Boolean)
      .join(' ');
    if (text) listener.onNote(text);
  }

  async #readOnce(memory: Memory, listener: SourceListener): Promise<void> {
    const found = await this.#look(memory, ({ recorders }) => recorders.length > 0);
    await found.finish();
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    for (const recorder of found.recorders) blocks.push(await blockOf(memory, recorder));
    listener.onState('running', '');
    this.#note(found, listener, '');
    for (const block of blocks) await listener.onBytes(block);
    if (blocks.length) return;
    for (const range of this.options.ranges)
      for await (const bytes of readAll(memory, range)) if (bytes.length) await listener.onBytes(bytes);
  }

  async #attach(memory: Memory, listener: SourceListener): Promise<{ ring: Ring; found: Found; isCut: boolean }> {
    const { channel: index } = this.options;
    const choose = (found: Found): Channel | undefined =>
      index === null ? best(found) : found.channels.find((one) => one.index === index);
    const found = await this.#look(memory, (found) => choose(found) !== undefined);
    let channel = choose(found);
    while (!ownerOf(found.recorders, channel) && (await found.step())) channel = choose(found);
    if (!channel)
      throw new TargetError(
        found.channels.length
          ? `RTT has no channel ${index} with a ring`
          : 'no control block of RTT is in the memory that was searched',
      );
    const ring = await Ring.open(memory, channel, this.#last);
    const owner = ownerOf(found.recorders, channel);
    listener.onState('running', '');
    const isCut = !ring.continues(this.#last) && owner !== null && (await isWithinFrame(memory, ring));
    if (!this.#hasRun) await listener.onBytes(await namesBefore(memory, found.recorders, channel));
    this.#hasRun = true;
    this.#last = ring;
    this.#known = owner ? [channel.block, owner.recorder.at] : [channel.block];
    return { ring, found, isCut };
  }

  async #stream(memory: Memory, listener: SourceListener, signal: AbortSignal): Promise<void> {
    const { ring, found, isCut: wasCut } = await this.#attach(memory, listener);
    let isCut = wasCut,
      failures = 0,
      heardAt = performance.now(),
      silences = 0,
      reported = '';
    while (!signal.aborted) {
      // The rest of the memory is searched meanwhile, while the target allows it: the ring must not get full.
      if (!this.#hasNoted && !failures && !(await found.step().catch(ifRefused))) {
        this.#note(found, listener, othersThan(ring.channel, found));
        this.#hasNoted = true;
      }
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
        if (reported) listener.onState('running', '');
        reported = '';
        await listener.onBytes(bytes);
        heardAt = performance.now();
        silences = 0;
      } else if (now - heardAt < SILENT_MS) {
        await pause(IDLE_MS, signal);
      } else {
        heardAt = now;
        silences++;
        const isNow = await isHalted(memory);
        const reason = isNow ? HALTED : isNow === false && silences > 1 ? SILENT : '';
        if (reason !== reported) listener.onState('running', reason);
        reported = reason;
      }
    }
  }
}
