// SPDX-License-Identifier: MIT
// The protocol of CMSIS-DAP v2 over any link that carries packets: commands are answered in order, and several may be under way.

/** Carries packets to a probe and its answers back, in order. */
export interface Link {
  /** bytes after which an answer that is shorter than a packet of the probe may not be complete; 0: no such length */
  readonly unit: number;
  /** Sends a packet, and resolves to its answer of at most `most` bytes. Rejects when the probe is gone. */
  send(packet: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** The probe works, but the target refuses or does not answer. */
export class TargetError extends Error {}

const INFO = 0x00,
  CONNECT = 0x02,
  DISCONNECT = 0x03,
  CONFIGURE = 0x04,
  TRANSFER = 0x05,
  BLOCK = 0x06,
  CLOCK = 0x11,
  SEQUENCE = 0x12,
  SWD_CONFIGURE = 0x13;
const INFO_COUNT = 0xfe,
  INFO_SIZE = 0xff;

/** An access to a register of the target's debug port. value: is written; without one the register is read. */
export interface Access {
  register: number;
  value?: number;
}

export const READ = 2;
const OK = 1;
const REFUSALS: Record<number, string> = {
  2: 'the target is busy',
  4: 'the target refuses the access',
  7: 'the target does not answer: check its power and the wires',
};

const CONFUSED = 'the probe answers something else: unplug it, and plug it in again';
/** The bytes of a word. */
const wordOf = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

/** A probe that has lost a packet must not stop the page. */
const SILENCE_MS = 10_000;
/** Accesses of one packet: their number has a byte. */
const MOST = 255;
/** Bytes of a request that fit one packet of a full speed USB port. */
const SHORT = 63;

function check(ack: number): void {
  if (ack !== OK) throw new TargetError(REFUSALS[ack & 7] ?? 'the answer of the target is damaged: use shorter wires');
}

/** Waits for all, so that none is under way afterwards. Throws the first error. */
async function all<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

export class Dap {
  /** bytes of the longest packet */
  #size = 64;
  /** packets that may be under way */
  #most = 1;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(private readonly link: Link) {}

  /** Asks the probe what it can. */
  static async open(link: Link): Promise<Dap> {
    const dap = new Dap(link);
    const count = await dap.#command(INFO, INFO_COUNT);
    const size = await dap.#command(INFO, INFO_SIZE);
    if (count[1]! > 1 || size[1] === 1) throw new Error(CONFUSED); // answers to questions of another program
    if (count[1]) dap.#most = Math.max(1, count[2]!);
    if (size[1]) dap.#size = Math.max(64, size[2]! | (size[3]! << 8));
    return dap;
  }

  /** Connects the wires for SWD. hertz: of the clock */
  async connect(hertz: number): Promise<void> {
    const port = await this.#command(CONNECT, 1);
    if (port[1] !== 1) throw new TargetError('the probe has no SWD');
    await this.#command(CLOCK, ...wordOf(hertz));
    await this.#command(CONFIGURE, 0, 64, 0, 0, 0); // idle cycles, retries while the target is busy, retries of matches
    await this.#command(SWD_CONFIGURE, 0);
  }

  async disconnect(): Promise<void> {
    await this.#command(DISCONNECT);
  }

  /** Sends bits as they are, the lowest of each byte first. */
  async sequence(bits: number, bytes: readonly number[]): Promise<void> {
    await this.#command(SEQUENCE, bits, ...bytes);
  }

  /** Reads and writes registers with one packet. Returns what was read. */
  async transfer(accesses: readonly Access[]): Promise<Uint32Array> {
    const request: number[] = [TRANSFER, 0, accesses.length];
    for (const { register, value } of accesses) {
      request.push(register);
      if (value !== undefined) request.push(...wordOf(value));
    }
    const answer = await this.#command(...request);
    check(answer[2]!);
    const reads = accesses.filter(({ value }) => value === undefined).length;
    if (answer[1] !== accesses.length || answer.length < 3 + 4 * reads) throw new Error(CONFUSED);
    const words = new DataView(answer.buffer, answer.byteOffset + 3);
    return Uint32Array.from({ length: reads }, (_, at) => words.getUint32(4 * at, true));
  }

  /** Reads a register again and again, after an access, with as many packets as it needs. Returns the bytes of the words. */
  async readBlock(before: Access, register: number, words: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(4 * words);
    const first = Math.min(words, Math.floor((this.#size - 3) / 4), SHORT - 8, MOST - 1);
    const parts = [
      this.transfer([before, ...Array<Access>(first).fill({ register })]).then((read) =>
        read.forEach((word, at) => new DataView(bytes.buffer).setUint32(4 * at, word, true)),
      ),
    ];
    for (let at = first; at < words;) {
      const count = this.#blockWords(words - at),
        from = 4 * at;
      parts.push(
        this.#command(BLOCK, 0, count & 255, count >> 8, register).then((answer) => {
          check(answer[3]!);
          if (answer.length < 4 + 4 * count) throw new Error(CONFUSED);
          bytes.set(answer.subarray(4, 4 + 4 * count), from);
        }),
      );
      at += count;
    }
    await all(parts);
    return bytes;
  }

  /** Words of one packet. Its answer must not look incomplete to the link. */
  #blockWords(left: number): number {
    const count = Math.min(left, (this.#size - 4) >> 2),
      length = 4 + 4 * count;
    const looksIncomplete = this.link.unit && length % this.link.unit === 0 && length < this.#size;
    return looksIncomplete && count > 1 ? count - 1 : count;
  }

  async #command(...bytes: number[]): Promise<Uint8Array> {
    if (this.#underWay < this.#most) this.#underWay++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the probe does not answer')), SILENCE_MS);
      });
      const answer = await Promise.race([this.link.send(Uint8Array.from(bytes), this.#size), silence]);
      if (answer[0] !== bytes[0] || answer.length < 2) throw new Error(CONFUSED);
      return answer;
    } finally {
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay--;
    }
  }
}
