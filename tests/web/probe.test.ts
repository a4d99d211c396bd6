// SPDX-License-Identifier: MIT
// Debug probes: the client of CMSIS-DAP, RTT, and the recording in a target's memory, over a probe in software.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SourceState } from '../../web/src/io/byte-source.js';
import { Dap } from '../../web/src/io/probe/dap.js';
import { find } from '../../web/src/io/probe/find.js';
import { Memory } from '../../web/src/io/probe/memory.js';
import { type ProbeOptions, ProbeSource } from '../../web/src/io/probe/probe-source.js';
import { type ProgramFile, type Programs, readPrograms } from '../../web/src/io/probe/program.js';
import { rangesOf } from '../../web/src/io/probe/ranges.js';
import { elf_file, gnu_map } from '../generator/elf.mjs';
import { WITH_DESCRIPTION } from '../generator/golden-systemview.mjs';
import { root } from './site.js';
import { BASE, Board, Boards, type ProbeSettings, SoftwareProbe } from './software-probe.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

const SIZES = [64, 512, 1024];
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8];
/** Nothing is found there. */
const NOWHERE = rangesOf('0x20000000:64')!;
const STREAM: ProbeOptions = { ranges: rangesOf('0x20000000:64K')!, channel: null, isOnce: false };

async function connected(probe: SoftwareProbe): Promise<Memory> {
  return Memory.connect(await Dap.open(await probe.open()));
}

/** A source that runs, and what it has told. */
class Run {
  readonly pieces: Uint8Array[] = [];
  readonly states: [SourceState, string][] = [];
  readonly notes: string[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(probe: SoftwareProbe, options: ProbeOptions = STREAM, programs?: Programs) {
    this.#ended = new ProbeSource(probe.open, options, programs).run(
      {
        onBytes: async (bytes) => void this.pieces.push(bytes.slice()),
        onState: (state, reason) => void this.states.push([state, reason]),
        onLineError: () => expect.fail('a probe has no line'),
        onNote: (text) => void this.notes.push(text),
      },
      this.#stop.signal,
    );
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  get state(): SourceState | undefined {
    return this.states.at(-1)?.[0];
  }

  get reason(): string | undefined {
    return this.states.at(-1)?.[1];
  }

  /** Waits until the last bytes are those that the target has written last. */
  async until(written: () => Uint8Array): Promise<void> {
    const last = (): Uint8Array => written().subarray(-64);
    await expect.poll(() => this.bytes.subarray(-last().length).equals(last())).toBe(true);
  }

  async end(): Promise<Buffer> {
    this.#stop.abort();
    await this.#ended;
    expect(this.state).toBe('ended');
    return this.bytes;
  }

  ended = (): Promise<void> => this.#ended;
}

const reportOf = async (bytes: Uint8Array) => (await convert([{ name: 'run.bin', bytes }])).report;

type Report = Awaited<ReturnType<typeof reportOf>>;

const damageOf = ({ problems }: Report): string[] =>
  problems.filter(({ severity }) => severity === 'damage').map(({ id }) => id);

describe('memory', () => {
  test.each(SIZES.flatMap((size) => COUNTS.map((count) => [size, count])))(
    'is read at any address and length with packets of %i bytes, %i under way',
    async (size, count) => {
      const board = new Board({ ring: 512 });
      const probe = new SoftwareProbe(board, { size: size!, count: count! });
      const memory = await connected(probe);
      for (const [at, length] of [
        [0, 8192],
        [1, 1],
        [1021, 7],
        [1023, 2],
        [3, 0],
        [4092, 4096],
        [2048, 60],
        [2048, 124],
        [5, 3000],
      ] as const)
        expect(
          Buffer.from(await memory.read(Board.address(at), length)).equals(board.bytes.subarray(at, at + length)),
        ).toBe(true);
      expect(probe.mostUnderWay).toBe(count);
    },
  );

  test('is written by words, and read with the same packet', async () => {
    const board = new Board({ ring: 512 });
    const memory = await connected(new SoftwareProbe(board, { size: 64, count: 1 }));
    const at = Board.address(0x3fc);
    const words = await memory.exchange([
      { at, value: 0xdeadbeef },
      { at: at + 4, value: 7 },
      { at, words: 1 },
      { at: at + 4, words: 1 },
    ]);
    expect([...words]).toEqual([0xdeadbeef, 7]);
  });

  test('a refused access is an error, and no reason to refuse the next one', async () => {
    const board = new Board({ ring: 512 });
    const memory = await connected(new SoftwareProbe(board, { size: 64, count: 4 }));
    await expect(memory.read(Board.address(board.bytes.length - 512), 4096)).rejects.toThrow('refuses');
    await expect(memory.exchange([{ at: 0, value: 1 }])).rejects.toThrow('refuses');
    expect(await memory.read(Board.address(8), 4)).toEqual(board.bytes.slice(8, 12));
  });

  test('a target without power does not answer, and is connected when it has power', async () => {
    const probe = new SoftwareProbe(new Board({ ring: 512 }), { size: 64, count: 1 });
    probe.isOff = true;
    const dap = await Dap.open(await probe.open());
    await expect(Memory.connect(dap)).rejects.toThrow('does not answer');
    probe.isOff = false;
    await Memory.connect(dap);
    probe.cyclePower();
    await Memory.connect(dap);
  });

  test('a probe that still answers another program is refused', async () => {
    const probe = new SoftwareProbe(new Board({ ring: 512 }), { size: 512, count: 4 });
    for (const stale of [
      [5, 1, 1],
      [0, 1, 4],
    ]) {
      const answers: Uint8Array[] = [Uint8Array.from(stale)];
      const late = {
        ...{ unit: 64, close: async () => {} },
        send: async (packet: Uint8Array<ArrayBuffer>) => {
          answers.push(await probe.answer(packet));
          return answers.shift()!;
        },
      };
      await expect(Dap.open(late)).rejects.toThrow('unplug it');
    }
  });

  test('a text is found where it lies across steps of the search, and only aligned to a word', async () => {
    const board = new Board({ ring: 512 });
    const text = new TextEncoder().encode('SEGGER RTT');
    for (const at of [0, 1020, 2041, 3068, 0xfff4]) board.bytes.set(text, at);
    const memory = await connected(new SoftwareProbe(board, { size: 512, count: 4 }));
    const found: number[] = [];
    for await (const hits of find(memory, rangesOf('0x20000000:128K')!, ['SEGGER RTT']))
      found.push(...hits.map(({ at }) => at));
    expect(found).toEqual([0, 1020, 3068, 0xfff4].map(Board.address));
  });

  test('ranges as users write them', () => {
    expect(rangesOf('0x20000000:64K, 0X10000000:0x2000,0x20000400')).toEqual([
      { at: 0x20000000, length: 65536 },
      { at: 0x10000000, length: 8192 },
      { at: 0x20000400, length: 0 },
    ]);
    for (const text of ['', '0x', '0x20000000:', '0x20000000:1G', '0xffffffff:2', '0x20000000:65M', 'ram', '-1'])
      expect(rangesOf(text), text).toBeNull();
  });
});

describe('RTT', () => {
  const settings: ProbeSettings = { size: 512, count: 4 };

  test.each(SIZES.flatMap((size) => [1, 4, 8].map((count) => [size, count])))(
    '5 s at 10 kB/s with packets of %i bytes, %i under way: every byte, nothing lost',
    async (size, count) => {
      const board = new Board({ ring: 1000 });
      board.start();
      let milliseconds = 0;
      // A packet takes a millisecond, in which the target writes 10 bytes.
      const onPacket = (): void => {
        if (run.state === 'running' && milliseconds++ < 5000) board.run(milliseconds % 7 < 5 ? 1 : 0);
      };
      const run: Run = new Run(new SoftwareProbe(board, { size: size!, count: count!, onPacket }));
      await expect.poll(() => milliseconds >= 5000).toBe(true);
      await run.until(() => board.all);
      const bytes = await run.end();
      const names = bytes.length - board.all.length;
      expect(board.lost).toBe(0);
      expect(board.all.length).toBeGreaterThan(45_000);
      expect(bytes.subarray(names).equals(board.all)).toBe(true);
      const report = await reportOf(bytes);
      expect(damageOf(report)).toEqual([]);
      expect(report.events).toMatchObject({ lost: 0, restarts: 0 });
      expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    },
  );

  test('a target that is faster than the probe: every frame whole, and the losses are those that the target counts', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    let packets = 0;
    const onPacket = (): void => void (packets++ < 2000 && board.run(20));
    const run = new Run(new SoftwareProbe(board, { size: 64, count: 2, onPacket }));
    await expect.poll(() => packets >= 2000).toBe(true);
    await run.until(() => board.all);
    board.run(1); // has the last count
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(damageOf(report)).toEqual([]);
    expect(board.lost).toBeGreaterThan(1000);
    expect(report.events.lost).toBe(board.lost);
  });

  test('a reader that comes late has names and tick length, and begins with a whole frame', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    board.run(20);
    board.readUpTo(board.position - 6); // within a frame
    board.run(20);
    const run = new Run(new SoftwareProbe(board, settings));
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(damageOf(report)).toEqual([]);
    expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    expect(report.tasks?.map(({ name }) => name).sort()).toEqual(['IDLE', 'control']);
  });

  test('a target that starts again while it is read is one restart, and every frame is whole', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    let packets = 0;
    const onPacket = (): void => {
      packets++;
      if (packets === 500) board.start();
      else if (packets < 1000) board.run(1);
    };
    const run = new Run(new SoftwareProbe(board, { ...settings, onPacket }));
    await expect.poll(() => packets >= 1000).toBe(true);
    await run.until(() => board.all);
    const bytes = await run.end();
    expect(bytes.subarray(-board.all.length).equals(board.all)).toBe(true);
    const report = await reportOf(bytes);
    expect(damageOf(report)).toEqual([]);
    expect(report.events).toMatchObject({ lost: 0, restarts: 1 });
  });

  test('a ring that is gone is searched again', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    board.run(10);
    const run = new Run(new SoftwareProbe(board, settings));
    await run.until(() => board.all);
    board.reset();
    await expect.poll(() => run.state).toBe('gone');
    board.start();
    board.run(10);
    await expect.poll(() => run.state).toBe('running');
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(damageOf(report)).toEqual([]);
    expect(report.events).toMatchObject({ restarts: 1 });
  });

  test('offsets that make no sense are not followed', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    const run = new Run(new SoftwareProbe(board, settings));
    await run.until(() => board.all);
    board.readUpTo(1000);
    await expect.poll(() => run.reason).toContain('the ring of RTT is gone');
    expect(board.view.getUint32(board.rtt + 40, true)).toBe(1000); // nothing was written
    await run.end();
  });

  test('a silent target and a halted one are named, and go on when they do', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    const run = new Run(new SoftwareProbe(board, settings));
    await run.until(() => board.all);
    await expect.poll(() => run.reason).toBe('no bytes come, although the target is not halted');
    board.isHalted = true;
    await expect.poll(() => run.states.at(-1)).toEqual(['running', 'the target is halted']);
    board.isHalted = false;
    board.run(10);
    await run.until(() => board.all);
    expect(run.states.at(-1)).toEqual(['running', '']);
    await run.end();
  });

  test.each(['refused', 'unplugged', 'power'])(
    'after a time in which the connection fails (%s) the stream goes on without a gap',
    async (how) => {
      const board = new Board({ ring: 4000 });
      board.start();
      board.run(10);
      let packets = 0,
        failsAt = Infinity;
      const probe = new SoftwareProbe(board, {
        ...settings,
        onPacket: () => {
          packets++;
          if (packets === failsAt && how === 'refused') board.isRefusing = true;
          if (packets === failsAt && how === 'unplugged') probe.isGone = true;
          if (packets === failsAt && how === 'power') probe.cyclePower();
        },
      });
      const run = new Run(probe);
      await run.until(() => board.all);
      // at each packet of a poll once
      for (let offset = 1; offset <= 4; offset++) {
        failsAt = packets + offset;
        board.run(20);
        await expect.poll(() => packets >= failsAt || probe.isGone).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 30));
        board.isRefusing = false;
        probe.isGone = false;
        await run.until(() => board.all);
      }
      const bytes = await run.end();
      expect(bytes.subarray(-board.all.length).equals(board.all)).toBe(true);
      expect(board.lost).toBe(0);
    },
  );

  test('a probe that another program uses is waited for', async () => {
    const board = new Board({ ring: 1000 });
    board.start();
    const probe = new SoftwareProbe(board, settings);
    probe.isOpen = true;
    const run = new Run(probe);
    await expect.poll(() => run.states[0]).toEqual(['waiting', 'Unable to claim interface.']);
    probe.isOpen = false;
    await expect.poll(() => run.state).toBe('running');
    await run.end();
    expect(probe.isOpen).toBe(false);
  });

  test('without a control block it waits until there is one; a channel without a ring is named', async () => {
    const board = new Board({ ring: 1000 });
    const run = new Run(new SoftwareProbe(board, settings));
    await expect.poll(() => run.reason).toContain('no control block of RTT');
    board.start();
    await expect.poll(() => run.state).toBe('running');
    await run.end();
    const other = new Run(new SoftwareProbe(board, settings), { ...STREAM, channel: 3 });
    await expect.poll(() => other.reason).toContain('no channel 3');
    await other.end();
  });

  test.each(['SEGGER RTT', 'Tonkopf Ring'])(
    'the text "%s" at the end of the memory is no control block',
    async (text) => {
      const board = new Board({ ring: 1000, rtt: 0x7c10, memory: 0x8000 });
      board.start();
      board.run(10);
      board.bytes.set(new TextEncoder().encode(text), 0x7ff0);
      const ranges = rangesOf('0x20007c00:1K,0x20000000:31K')!;
      const run = new Run(new SoftwareProbe(board, settings), { ...STREAM, ranges });
      await run.until(() => board.all);
      const report = await reportOf(await run.end());
      expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    },
  );

  test('a control block at an address is not searched', async () => {
    const board = new Board({ ring: 1000, rtt: 0x8000, recorder: 0x9000 });
    board.start();
    board.run(10);
    const probe = new SoftwareProbe(board, settings);
    const run = new Run(probe, { ...STREAM, ranges: rangesOf('0x20008000,0x20009000')! });
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
  });
});

/** Firmware whose control blocks are those of a board, or at other addresses. */
const firmware = (rtt: number, recorder: number) => ({
  functions: [{ name: 'main', address: 0x100, size: 16, unit: 'main.c' }],
  variables: [
    { name: '_SEGGER_RTT', address: rtt, size: 48, unit: 'tband_rtt.c' },
    { name: 'tband_control', address: recorder, size: 1000, unit: 'tband.c' },
  ],
});

const file = (name: string, bytes: Uint8Array | string): ProgramFile => ({
  name,
  blob: new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]),
});

describe('symbols', async () => {
  const settings: ProbeSettings = { size: 512, count: 4 };
  const compiled = await WebAssembly.compile(readFileSync(`${root}/lib/tonkopf.wasm`));
  const places = [Board.address(0x8000), Board.address(0x9000)] as const;
  const elf = elf_file(firmware(...places));
  const started = (): Board => {
    const board = new Board({ ring: 1000, rtt: 0x8000, recorder: 0x9000 });
    board.start();
    board.run(10);
    return board;
  };

  test.each([
    ['an ELF file', elf],
    ['a linker map', gnu_map(firmware(...places))],
  ])('of %s give the addresses of the control blocks, and nothing is searched', async (_, bytes) => {
    const board = started();
    const programs = await readPrograms(compiled, [file('firmware', bytes)]);
    expect(programs).toEqual({ addresses: places, without: [] });
    const probe = new SoftwareProbe(board, settings);
    const run = new Run(probe, { ...STREAM, ranges: NOWHERE }, programs);
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    expect(run.notes).toEqual([]);
  });

  test('of stripped files, other files and other programs: the memory is searched, and the page says why', async () => {
    const board = started();
    const programs = await readPrograms(compiled, [
      file('stripped.elf', elf_file(firmware(...places), { stripped: true })),
      file('cut.elf', elf.subarray(0, 70)),
      file('notes.txt', 'notes'),
      file('empty', ''),
      file('odd.elf', elf_file(firmware(0x20000001, 0x20000002))),
      file('other.elf', elf_file(firmware(0x20004000, 0x70000000))), // the second one is refused
    ]);
    expect(programs.without).toEqual(['stripped.elf', 'cut.elf', 'notes.txt', 'empty', 'odd.elf']);
    const run = new Run(new SoftwareProbe(board, settings), STREAM, programs);
    await run.until(() => board.all);
    await expect.poll(() => run.notes).toHaveLength(1);
    const report = await reportOf(await run.end());
    expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    expect(run.notes[0]).toContain('is in stripped.elf, cut.elf, notes.txt, empty, odd.elf: stripped');
    expect(run.notes[0]).toContain('the file is of another program or build');
  });

  test('give the recording in the memory too', async () => {
    const board = new Board({ ring: 4000, backend: 'overwritten', recorder: 0x9000 });
    board.start();
    board.run(2000);
    const programs = await readPrograms(compiled, [file('firmware.elf', elf)]);
    const run = new Run(new SoftwareProbe(board, settings), { ...STREAM, ranges: NOWHERE, isOnce: true }, programs);
    await run.ended();
    const report = await reportOf(run.bytes);
    expect(report.events.total).toBeGreaterThan(100);
    expect(run.notes).toEqual([]);
  });

  test('after the target was off and on, the blocks are found without a search', async () => {
    const board = started();
    const run = new Run(
      new SoftwareProbe(board, settings),
      { ...STREAM, ranges: NOWHERE },
      { addresses: [...places], without: [] },
    );
    await run.until(() => board.all);
    board.reset();
    await expect.poll(() => run.state).toBe('gone');
    board.start();
    board.run(20);
    await run.until(() => board.all);
    const report = await reportOf(await run.end());
    expect(report.events).toMatchObject({ restarts: 1 });
  });
});

describe('several programs and recorders', () => {
  const settings: ProbeSettings = { size: 512, count: 4 };
  const ranges = rangesOf('0x20000000:128K')!;
  const streaming = (): Board[] =>
    [BASE, BASE + 0x10000].map((base) => {
      const board = new Board({ ring: 1000, base });
      board.start();
      board.run(10);
      return board;
    });

  test('the recordings in the memory are all read, and become one', async () => {
    const boards = [BASE, BASE + 0x10000].map((base) => new Board({ ring: 4000, backend: 'overwritten', base }));
    for (const [index, board] of boards.entries()) {
      board.start();
      board.run(1000 + 500 * index);
    }
    const run = new Run(new SoftwareProbe(new Boards(...boards), settings), { ...STREAM, ranges, isOnce: true });
    await run.ended();
    const report = await reportOf(run.bytes);
    expect(damageOf(report)).toEqual([]);
    expect(report.cores).toHaveLength(2);
    expect(report.tasks?.filter(({ name }) => name === 'control')).toHaveLength(2);
    expect(run.notes).toEqual([]);
  });

  test('of several streams one is read, with its names, and the page names the others', async () => {
    const boards = streaming();
    const run = new Run(new SoftwareProbe(new Boards(...boards), settings), { ...STREAM, ranges });
    await run.until(() => boards[0]!.all);
    await expect.poll(() => run.notes).toHaveLength(1);
    const report = await reportOf(await run.end());
    expect(damageOf(report)).toEqual([]);
    expect(run.notes).toEqual([
      expect.stringContaining('The page reads channel 0 of the control block at 0x200003f8. '),
    ]);
    expect(run.notes[0]).toContain(': channel 0 of the control block at 0x200103f8. ');
    // the other one, by its address
    const other = new Run(new SoftwareProbe(new Boards(...boards), settings), {
      ...STREAM,
      ranges: rangesOf('0x200103f8,0x20011000')!,
    });
    await other.until(() => boards[1]!.all);
    await other.end();
    expect(other.notes).toEqual([]);
  });

  test.each(['refused', 'unplugged'])('the others are named although the search was interrupted (%s)', async (how) => {
    const boards = streaming();
    let packets = 0;
    const onPacket = (): void => {
      if (run.state === 'running') packets++;
      for (const board of boards) board.isRefusing = how === 'refused' && packets >= 20 && packets < 60;
      if (how === 'unplugged' && packets === 20) probe.isGone = true;
    };
    const probe = new SoftwareProbe(new Boards(...boards), { ...settings, onPacket });
    const run = new Run(probe, { ...STREAM, ranges });
    if (how === 'unplugged') {
      await expect.poll(() => run.state).toBe('gone');
      packets++;
      probe.isGone = false;
    }
    await expect.poll(() => run.notes).toHaveLength(1);
    expect(run.notes[0]).toContain(': channel 0 of the control block at 0x200103f8. ');
    await run.until(() => boards[0]!.all);
    await run.end();
  });

  test('of a target with SystemView the channel of that name is read as it is, and the channel of text is left alone', async () => {
    const recording = WITH_DESCRIPTION;
    const board = new Board({ ring: 1000 });
    const block = 0x400,
      [terminal, sysView, text, ring] = [0x500, 0x510, 0x600, 0x800];
    board.bytes.fill(0, block, 0x600);
    board.bytes.set(recording, ring);
    for (const [at, words] of [
      [0x500, 'Terminal'],
      [0x510, 'SysView'],
      [0x600, 'started\n'],
      [block, 'SEGGER RTT'],
    ] as const)
      board.bytes.set(new TextEncoder().encode(words), at);
    const word = (at: number, value: number): void => board.view.setUint32(block + at, value, true);
    word(16, 2);
    const channels = [
      [terminal, text, 256, 8],
      [sysView, ring, recording.length + 100, recording.length],
    ] as const;
    for (const [index, [name, buffer, size, written]] of channels.entries())
      for (const [at, value] of [Board.address(name), Board.address(buffer), size, written, 0, 0].entries())
        word(24 + 24 * index + 4 * at, value);
    const run = new Run(new SoftwareProbe(board, settings));
    await run.until(() => recording);
    expect((await run.end()).equals(recording)).toBe(true);
    expect(board.view.getUint32(block + 24 + 16, true)).toBe(0);
    const report = await reportOf(run.bytes);
    expect(report.format.name).toBe('systemview');
    expect(run.notes).toEqual([]);
    // text alone is read too: its format is not recognised, its bytes are kept
    word(16, 1);
    const texts = new Run(new SoftwareProbe(board, settings));
    await texts.until(() => new TextEncoder().encode('started\n'));
    expect((await texts.end()).toString()).toBe('started\n');
  });
});

describe('post mortem', () => {
  const once: ProbeOptions = { ...STREAM, isOnce: true };

  test.each([
    [0, 2000],
    [1, 2000],
    [3, 2000],
  ])(
    'an overwritten ring of a target that makes %i steps per packet while it is read, after %i steps',
    async (rate, steps) => {
      const board = new Board({ ring: 4000, backend: 'overwritten' });
      board.start();
      board.run(steps);
      const onPacket = (): void => board.run(rate);
      const run = new Run(new SoftwareProbe(board, { size: 512, count: 4, onPacket }), once);
      await run.ended();
      expect(run.state).toBe('ended');
      const report = await reportOf(run.bytes);
      expect(damageOf(report)).toEqual([]);
      expect(report.events.total).toBeGreaterThan(100);
      expect(report.tick).toMatchObject({ ns: 1000, source: 'recording' });
    },
  );

  test.each([240, 255, 270])(
    'a ring that is full for the first time while it is read, after %i steps',
    async (steps) => {
      const board = new Board({ ring: 4000, backend: 'overwritten' });
      board.start();
      board.run(steps);
      const onPacket = (): void => board.run(3);
      const at = { ranges: [{ at: Board.address(board.recorder), length: 0 }], channel: null, isOnce: true };
      const run = new Run(new SoftwareProbe(board, { size: 512, count: 4, onPacket }), at);
      await run.ended();
      const report = await reportOf(run.bytes);
      expect(damageOf(report)).toEqual([]);
      expect(report.events.total).toBeGreaterThan(480);
    },
  );

  test('a ring that is overwritten faster than it is read is not taken for a recording', async () => {
    const board = new Board({ ring: 1000, backend: 'overwritten' });
    board.start();
    const run = new Run(new SoftwareProbe(board, { size: 64, count: 1, onPacket: () => board.run(30) }), once);
    await expect.poll(() => run.reason).toContain('halt it');
    expect(run.bytes).toHaveLength(0);
    await run.end();
  });

  test('without a recorder, the memory is read up to where the target refuses', async () => {
    const board = new Board({ ring: 1000, memory: 0x8000 });
    const run = new Run(new SoftwareProbe(board, { size: 512, count: 4 }), once);
    await run.ended();
    expect(run.bytes.equals(board.bytes)).toBe(true);
  });
});
