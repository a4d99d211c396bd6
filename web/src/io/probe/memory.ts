// SPDX-License-Identifier: MIT
// The memory of a target behind an ARM debug port, while its program runs. Nothing here halts or resets the target.
import { type Access, type Dap, READ, TargetError } from './dap.js';

// registers of the debug port, and (with 1) of its access port 0, as CMSIS-DAP numbers them
const ABORT = 0x00,
  IDENTITY = 0x00 | READ,
  STATE = 0x04,
  SELECT = 0x08;
const CSW = 0x01,
  TAR = 0x05,
  DRW = 0x0d;

const CLEAR = 0x1e; // all sticky errors
const POWER = 0x5000_0000; // of debug logic and system
const HAS_POWER = 0xa000_0000;
const WORDS = 0x2300_0052; // accesses of 32 bits, the address counts up
/** The address counts up within this many bytes only. */
const STRETCH = 1024;
const TRIES = 100;
/** How often a refused access is repeated: some targets refuse accesses while they sleep. */
export const RETRIES = 20;

/** A faster clock may be too fast for long wires. */
const CLOCKS = [4_000_000, 1_000_000];

const address = (at: number): Access => ({ register: TAR, value: at });

/** Part of an exchange: reads `words`, or writes `value`. The address is a multiple of 4. */
export type Step = { at: number; words: number } | { at: number; value: number };

export class Memory {
  private constructor(private readonly dap: Dap) {}

  /** Connects to a target that has power. It goes on running. Throws TargetError if none answers. */
  static async connect(dap: Dap): Promise<Memory> {
    const memory = new Memory(dap);
    let failure: unknown;
    for (const hertz of CLOCKS) {
      try {
        await dap.connect(hertz);
        await memory.#begin();
        return memory;
      } catch (error) {
        if (!(error instanceof TargetError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #begin(): Promise<void> {
    const ones = Array<number>(7).fill(255);
    await this.dap.sequence(51, ones);
    await this.dap.sequence(16, [0x9e, 0xe7]); // from JTAG to SWD
    await this.dap.sequence(51, ones);
    await this.dap.sequence(8, [0]);
    await this.dap.transfer([{ register: IDENTITY }]);
    await this.dap.transfer([
      { register: ABORT, value: CLEAR },
      { register: SELECT, value: 0 },
      { register: STATE, value: POWER },
    ]);
    for (let tries = 0; ; tries++) {
      const [state] = await this.dap.transfer([{ register: STATE | READ }]);
      if ((state! & HAS_POWER) >>> 0 === HAS_POWER) break;
      if (tries === TRIES) throw new TargetError('the debug logic of the target gets no power');
    }
    await this.dap.transfer([{ register: CSW, value: WORDS }]);
  }

  /** Clears the errors after which the target refuses every access. */
  async clear(): Promise<void> {
    await this.dap.transfer([{ register: ABORT, value: CLEAR }]);
  }

  /** Takes the power from the debug logic, and lets the wires go. */
  async release(): Promise<void> {
    await this.dap.transfer([{ register: STATE, value: 0 }]).catch(() => {});
    await this.dap.disconnect().catch(() => {});
  }

  /** Reads and writes a few words with one packet, in order. Returns the words that were read. */
  exchange(steps: readonly Step[]): Promise<Uint32Array> {
    return this.#clearing(() =>
      this.dap.transfer(
        steps.flatMap((step) => [
          address(step.at),
          ...('value' in step
            ? [{ register: DRW, value: step.value }]
            : Array<Access>(step.words).fill({ register: DRW | READ })),
        ]),
      ),
    );
  }

  /** Reads bytes at any address. */
  async read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const begin = at - (at % 4),
      end = Math.ceil((at + length) / 4) * 4;
    const bytes = new Uint8Array(end - begin);
    await this.#clearing(async () => {
      const parts: Promise<void>[] = [];
      for (let from = begin; from < end;) {
        const to = Math.min(end, from - (from % STRETCH) + STRETCH),
          offset = from - begin;
        parts.push(
          this.dap.readBlock(address(from), DRW | READ, (to - from) / 4).then((read) => bytes.set(read, offset)),
        );
        from = to;
      }
      for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
    });
    return bytes.subarray(at - begin, at - begin + length);
  }

  async #clearing<Value>(access: () => Promise<Value>): Promise<Value> {
    try {
      return await access();
    } catch (error) {
      if (error instanceof TargetError) await this.clear().catch(() => {});
      throw error;
    }
  }
}
