// SPDX-License-Identifier: MIT
// A CMSIS-DAP v2 probe in software, as strict as real ones, over the memory of a board that a test imitates.
import type { Link } from '../../web/src/io/probe/dap.js';
import { concat, frame } from '../generator/tband.mjs';

type Soon<Value> = Value | Promise<Value>;

/** Memory as the debug port sees it: words at addresses that are multiples of 4. */
export interface Target {
  /** null: the access is refused */
  read(address: number): Soon<number | null>;
  /** false: the access is refused */
  write(address: number, value: number): Soon<boolean>;
}

export interface ProbeSettings {
  /** bytes of the longest packet */
  size: number;
  /** packets that may be under way */
  count: number;
  /** milliseconds that a packet takes in each direction */
  delay?: number;
  /** Called before each packet: the target runs on meanwhile. */
  onPacket?: () => void;
}

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const OK = 1,
  FAULT = 4,
  NONE = 7;

export class SoftwareProbe {
  isGone = false;
  /** The target has no power. */
  isOff = false;
  isOpen = false;
  packets = 0;
  mostUnderWay = 0;
  #underWay = 0;
  #answers: Promise<unknown> = Promise.resolve();
  #isReset = false;
  #isKnown = false;
  #hasPower = false;
  #isSticky = false;
  #csw = 0;
  #tar = 0;
  #read = 0;

  constructor(
    readonly target: Target,
    readonly settings: ProbeSettings,
  ) {}

  /** The target has lost its power for a moment. */
  cyclePower(): void {
    this.#isReset = this.#isKnown = this.#hasPower = this.#isSticky = false;
    this.#csw = 0;
  }

  /** Opens the probe as a page does. */
  open = async (): Promise<Link> => {
    if (this.isGone) throw new Error('the probe is not plugged in');
    if (this.isOpen) throw new Error('Unable to claim interface.');
    this.isOpen = true;
    return {
      unit: 64,
      send: (packet, most) => this.send(packet, most),
      close: async () => {
        this.isOpen = false;
      },
    };
  };

  /** Answers in order, each after its delay. */
  async send(packet: Uint8Array, most: number): Promise<Uint8Array> {
    const { size, count, delay = 0, onPacket } = this.settings;
    if (packet.length > size) throw new Error(`a packet of ${packet.length} bytes, at most ${size}`);
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.#underWay);
    if (this.#underWay > count) throw new Error(`${this.#underWay} packets under way, at most ${count}`);
    const before = this.#answers;
    const answer = (async () => {
      if (delay) await after(delay);
      await before.catch(() => {});
      if (this.isGone) throw new Error('The device was disconnected.');
      onPacket?.();
      this.packets++;
      return this.answer(packet);
    })();
    this.#answers = answer;
    try {
      const bytes = await answer;
      if (delay) await after(delay);
      if (bytes.length > size) throw new Error(`an answer of ${bytes.length} bytes, at most ${size}`);
      // A real link takes the next answer for the rest of this one.
      if (bytes.length % 64 === 0 && bytes.length < Math.min(size, most))
        throw new Error('the answer looks incomplete');
      return bytes;
    } finally {
      this.#underWay--;
    }
  }

  async answer(packet: Uint8Array): Promise<Uint8Array> {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
    const [command, first] = packet;
    switch (command) {
      case 0x00:
        if (first === 0xfe) return Uint8Array.of(0, 1, this.settings.count);
        return Uint8Array.of(0, 2, this.settings.size & 255, this.settings.size >> 8);
      case 0x02:
        return Uint8Array.of(2, 1);
      case 0x12:
        if (first === 51 && packet.subarray(2).every((byte) => byte === 255)) this.#isReset = true;
        return Uint8Array.of(0x12, 0);
      case 0x05:
        return this.#transfer(view);
      case 0x06:
        return this.#block(view);
      default:
        return Uint8Array.of(command!, 0);
    }
  }

  async #transfer(view: DataView): Promise<Uint8Array> {
    const read: number[] = [];
    let ack = OK,
      done = 0;
    for (let at = 3; done < view.getUint8(2); done++) {
      const request = view.getUint8(at++);
      let value = 0;
      if (!(request & 2)) value = view.getUint32((at += 4) - 4, true);
      ack = await this.#access(request, value);
      if (ack !== OK) break;
      if (request & 2) read.push(this.#read);
    }
    return this.#result([5, done, ack], read);
  }

  async #block(view: DataView): Promise<Uint8Array> {
    const read: number[] = [],
      count = view.getUint16(2, true);
    let ack = OK;
    while (read.length < count && (ack = await this.#access(view.getUint8(4), 0)) === OK) read.push(this.#read);
    return this.#result([6, read.length & 255, read.length >> 8, ack], read);
  }

  #result(head: number[], words: number[]): Uint8Array {
    const bytes = new Uint8Array(head.length + 4 * words.length);
    bytes.set(head);
    words.forEach((word, at) => new DataView(bytes.buffer).setUint32(head.length + 4 * at, word, true));
    return bytes;
  }

  #access(request: number, value: number): Soon<number> {
    const register = request & 0x0d,
      isRead = (request & 2) !== 0;
    if (this.isOff || !this.#isReset) return NONE;
    if (request === 2) {
      this.#isKnown = true;
      this.#read = 0x2ba01477;
      return OK;
    }
    if (!this.#isKnown) return NONE; // after a reset of the line, the identity is read first
    if (register === 0 && !isRead) {
      if (value & 0x1e) this.#isSticky = false;
      return OK;
    }
    if (register === 4) {
      if (isRead) this.#read = this.#hasPower ? 0xf0000000 : 0;
      else this.#hasPower = value >>> 28 === 5;
      return OK;
    }
    if (!(register & 1)) return OK; // SELECT
    if (this.#isSticky) return FAULT;
    if (!this.#hasPower) return this.#fault();
    if (register === 1 && !isRead) this.#csw = value;
    else if (register === 5 && !isRead) this.#tar = value;
    else if (register === 0x0d) return this.#memory(isRead, value);
    return OK;
  }

  async #memory(isRead: boolean, value: number): Promise<number> {
    if ((this.#csw & 0x37) !== 0x12) return this.#fault(); // not words with counting addresses
    const word = isRead ? await this.target.read(this.#tar) : (await this.target.write(this.#tar, value)) ? 0 : null;
    if (word === null) return this.#fault();
    this.#read = word;
    this.#tar = ((this.#tar & ~1023) | ((this.#tar + 4) & 1023)) >>> 0; // only ten bits count
    return OK;
  }

  #fault(): number {
    this.#isSticky = true;
    return FAULT;
  }
}

export const BASE = 0x2000_0000;
const LONGEST_TEXT = 20;
const LONGEST_FRAME = 18 + LONGEST_TEXT;
const NAMES = 256;

export interface BoardSettings {
  /** bytes of the ring */
  ring: number;
  /** bytes of memory */
  memory?: number;
  /** address of the control block of RTT, of the recorder */
  rtt?: number;
  recorder?: number;
  backend?: 'stream' | 'overwritten';
  /** address of the memory */
  base?: number;
}

/** A board whose recorder writes events into a ring, as tracer/ does, and which RTT shows. */
export class Board implements Target {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly rtt: number;
  readonly recorder: number;
  readonly #core: number;
  readonly #base: number;
  readonly ring: number;
  isHalted = false;
  isRefusing = false;
  /** since the last start */
  lost = 0;
  events = 0;
  /** all bytes that were written into the ring since the last start */
  written: Uint8Array[] = [];
  #now = 0;

  constructor(readonly settings: BoardSettings) {
    this.bytes = new Uint8Array(settings.memory ?? 0x10000);
    for (let at = 0; at < this.bytes.length; at++) this.bytes[at] = (at * 2654435761) >>> 24;
    this.view = new DataView(this.bytes.buffer);
    this.#base = settings.base ?? BASE;
    this.rtt = settings.rtt ?? 0x3f8;
    this.recorder = settings.recorder ?? 0x1000;
    this.#core = this.recorder + 32;
    this.ring = this.#core + 40 + NAMES + 13 + LONGEST_TEXT;
  }

  static address = (offset: number): number => BASE + offset;

  read(address: number): number | null {
    if (address === 0xe000edf0) return this.isHalted ? 0x20003 : 1;
    const at = address - this.#base;
    return this.isRefusing || at < 0 || at >= this.bytes.length ? null : this.view.getUint32(at, true);
  }

  write(address: number, value: number): boolean {
    const at = address - this.#base;
    if (this.isRefusing || at < 0 || at >= this.bytes.length) return false;
    this.view.setUint32(at, value, true);
    return true;
  }

  get #position(): number {
    return this.view.getUint32(this.#core, true);
  }

  get #read(): number {
    return this.view.getUint32(this.rtt + 24 + 16, true);
  }

  #word(at: number, value: number): void {
    this.view.setUint32(at, value, true);
  }

  /** The program begins, or begins again after a reset. */
  start(): void {
    const { ring, backend = 'stream' } = this.settings;
    const names: Uint8Array = concat([
      frame('ts_resolution_ns', 1000),
      frame('task_name', 1, 'control'),
      frame('task_name', 2, 'IDLE'),
      frame('task_is_idle_task', 2, 0),
    ]);
    this.bytes.fill(0, this.recorder, this.ring + ring + LONGEST_FRAME);
    this.bytes.set(new TextEncoder().encode('Tonkopf Ring'), this.recorder);
    this.bytes.set([1, backend === 'stream' ? 1 : 3, 1, LONGEST_TEXT], this.recorder + 12);
    for (const [at, value] of [NAMES, ring, 1000, 0].entries()) this.#word(this.recorder + 16 + 4 * at, value);
    this.#word(this.#core + 32, names.length);
    this.bytes.set(names, this.#core + 40);
    this.lost = this.events = this.#now = 0;
    this.written = [];
    if (backend === 'stream') {
      this.bytes.fill(0, this.rtt, this.rtt + 48);
      const channel = [0, this.#base + this.ring, ring, 0, 0, 0];
      for (const [at, value] of [1, 0, ...channel].entries()) this.#word(this.rtt + 16 + 4 * at, value);
      this.bytes.set(new TextEncoder().encode('SEGGER RTT'), this.rtt);
      this.#put(concat([frame('core_id', 0, 0), names]));
    }
  }

  /** The memory is as after a reset, before the program has set it up. */
  reset(): void {
    this.bytes.fill(0, this.rtt, this.rtt + 48);
    this.bytes.fill(0, this.recorder, this.ring);
  }

  /** Another debugger has read the ring up to an offset. */
  readUpTo(offset: number): void {
    this.#word(this.rtt + 24 + 16, offset);
  }

  get position(): number {
    return this.#position;
  }

  /** Writes a whole piece, if there is room. */
  #put(bytes: Uint8Array): boolean {
    const { ring, backend = 'stream' } = this.settings;
    const position = this.#position,
      free = (this.#read - position - 1 + ring) % ring;
    if (backend === 'stream' && bytes.length > free) return false;
    bytes.forEach((byte, i) => (this.bytes[this.ring + ((position + i) % ring)] = byte));
    const end = position + bytes.length;
    this.#word(this.#core, end % ring);
    if (backend === 'stream') this.#word(this.rtt + 24 + 12, end % ring);
    else if (end >= ring) this.#word(this.#core + 16, this.view.getUint32(this.#core + 16, true) + 1);
    this.written.push(bytes);
    return true;
  }

  /** Records an event; it is lost if there is no room. */
  #event(bytes: Uint8Array): void {
    const isPut = this.lost
      ? this.#put(concat([frame('dropped_evt_cnt', this.#now, this.lost), bytes]))
      : this.#put(bytes);
    if (isPut) this.events++;
    else this.lost++;
  }

  /** Goes on for some steps of two events, 10 to 14 bytes. */
  run(steps: number): void {
    for (let step = 0; step < steps && !this.isHalted; step++) {
      this.#now += 100;
      this.#event(frame('task_switched_in', this.#now, 1));
      this.#now += 7;
      this.#event(frame('task_switched_in', this.#now, 2));
    }
  }

  get all(): Uint8Array {
    return concat(this.written);
  }
}

/** The memory of several boards, as a debug port sees the cores of one target that run different programs. */
export class Boards implements Target {
  readonly boards: readonly Board[];

  constructor(...boards: Board[]) {
    this.boards = boards;
  }

  read(address: number): number | null {
    for (const board of this.boards) {
      const word = board.read(address);
      if (word !== null) return word;
    }
    return null;
  }

  write(address: number, value: number): boolean {
    return this.boards.some((board) => board.write(address, value));
  }
}
