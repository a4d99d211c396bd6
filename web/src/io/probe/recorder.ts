// SPDX-License-Identifier: MIT
// The memory of Tonkopf's recorder on a target: docs/formats/tonbandgeraet.md, "Dumps of memory".
import { TargetError } from './dap.js';
import type { Memory } from './memory.js';

export const RECORDER = 'Tonkopf Ring';

const VERSION = 1;
const HEADER = 32,
  FIELDS = 40;
const OVERWRITTEN = 3;
/** A larger one is no block. */
const LONGEST = 16 << 20;
// fields of a core
const POSITION = 0,
  ROUNDS = 16,
  NAMES = 32;

interface Core {
  /** addresses */
  at: number;
  names: number;
  ring: number;
}

export interface Recorder {
  at: number;
  /** bytes of the block */
  length: number;
  backend: number;
  /** bytes */
  namesSize: number;
  ringSize: number;
  longestFrame: number;
  cores: Core[];
}

const little = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** Reads the header of a block. null: there is none at this address */
export async function recorderAt(memory: Memory, at: number): Promise<Recorder | null> {
  const header = await memory.read(at, HEADER);
  const [version, backend, cores, longestText] = header.subarray(12, 16) as unknown as [number, number, number, number];
  const namesSize = little(header, 16),
    ringSize = little(header, 20);
  if (version !== VERSION || !cores || namesSize > LONGEST || ringSize > LONGEST) return null;
  const longestFrame = 18 + Math.max(longestText, 10);
  const namesRoom = namesSize + 13 + longestText;
  const length = Math.ceil((FIELDS + namesRoom + ringSize + longestFrame) / 4) * 4;
  if (length * cores > LONGEST) return null;
  return {
    ...{ at, backend, namesSize, ringSize, longestFrame, length: HEADER + length * cores },
    cores: Array.from({ length: cores }, (_, number) => {
      const core = at + HEADER + number * length;
      return { at: core, names: core + FIELDS, ring: core + FIELDS + namesRoom };
    }),
  };
}

/** The names and facts of a core so far, as whole frames. A stream that is read late does not contain them. */
export async function namesOf(memory: Memory, recorder: Recorder, number: number): Promise<Uint8Array<ArrayBuffer>> {
  const core = recorder.cores[number]!;
  const [length] = await memory.exchange([{ at: core.at + NAMES, words: 1 }]);
  return memory.read(core.names, length! <= recorder.namesSize ? length! : 0);
}

/** Position in the ring, and how often the ring was full. */
const placesOf = async (memory: Memory, { cores }: Recorder): Promise<Uint32Array[]> => {
  const places = [];
  for (const { at } of cores)
    places.push(
      await memory.exchange([
        { at: at + POSITION, words: 1 },
        { at: at + ROUNDS, words: 1 },
      ]),
    );
  return places;
};

/**
 * Reads the block of a target that goes on recording. What it overwrites meanwhile becomes bytes without a delimiter, which every reader of
 * the block skips. Throws TargetError if it overwrites everything.
 */
export async function blockOf(memory: Memory, recorder: Recorder): Promise<Uint8Array<ArrayBuffer>> {
  const before = await placesOf(memory, recorder);
  const block = await memory.read(recorder.at, recorder.length);
  const after = await placesOf(memory, recorder);
  const size = recorder.ringSize;
  if (recorder.backend !== OVERWRITTEN || !size) return block;
  recorder.cores.forEach(({ at, ring }, number) => {
    const [position = 0, rounds = 0] = before[number]!,
      [position_ = 0, rounds_ = 0] = after[number]!;
    const written = position_ + rounds_ * size - position - rounds * size;
    if (written < 0 || written + recorder.longestFrame >= size)
      throw new TargetError(
        'the target overwrites its recording faster than the probe reads: halt it, then read again',
      );
    const fields = new DataView(block.buffer, block.byteOffset + at - recorder.at);
    fields.setUint32(POSITION, position, true);
    fields.setUint32(ROUNDS, rounds_, true); // from the first round on, the bytes after the position are the oldest ones
    if (!written) return;
    const begin = ring - recorder.at;
    for (let i = 0; i < written + recorder.longestFrame; i++) block[begin + ((position + i) % size)] = 0xff;
  });
  return block;
}
