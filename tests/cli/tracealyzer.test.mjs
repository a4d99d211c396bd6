// SPDX-License-Identifier: MIT
// TraceRecorder streams on the command line: format strings read from the ELF file of the target, and files of cores grouped by the numbers
// in their names.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elf_file, gnu_map } from '../generator/elf.mjs';
import { AT, PsfStream } from '../generator/golden-psf-stream.mjs';
import { Folder, TOOL } from './tool.mjs';

const CHANNEL = 0x08010000,
  FORMAT = 0x08010020,
  WORD = 0x08010040,
  UNKNOWN = 0x08020000;
const ELF = {
  functions: [{ name: 'main', address: 0x08000100, size: 64, unit: 'main.c' }],
  constants: [
    { address: CHANNEL, bytes: 'Motor' },
    { address: FORMAT, bytes: 'speed %d of %u, %s' },
    { address: WORD, bytes: 'forward' },
  ],
};
const stream = () => {
  const made = new PsfStream();
  made.start().tasks().ev(30, 'USER_EVENT_FIXED', CHANNEL, FORMAT);
  for (const [at, speed] of [
    [40, 7],
    [50, -2],
  ])
    made.code(at, 0x98 + 3, CHANNEL, FORMAT, speed, 9, WORD); // three arguments
  return made.code(60, 0x98 + 1, CHANNEL, UNKNOWN, 42).bytes();
};

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('motor.psf', stream());
  folder.write('short.psf', second_core(1));
  folder.write('long.psf', second_core(10));
  folder.write(
    'whole.psf',
    late({
      loses: [
        [0x180, 5000],
        [0x300, 65_000],
        [0x380, 9000],
      ],
    }),
  );
  folder.write('damaged.psf', late({ loses: [[0x380, 9000]], damaged: 0x180 }));
  folder.write(
    'back.psf',
    late({
      from: 0x1200,
      loses: [
        [0x100, -0x280],
        [0x1200, 9000],
      ],
    }),
  );
  folder.write('texts.psf', texts());
  folder.write('motor.elf', elf_file(ELF));
  folder.write('motor.map', gnu_map(ELF));
  folder.write('big.elf', elf_file(ELF, { bigEndian: true }));
});
afterAll(() => folder.remove());

/** @param {string[]} args */
const run = (args) => spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28 }).stdout.toString();
/** @param {string} text */
const markers = (text) => [...text.matchAll(/ event="marker" .*text="([^"]*)"/g)].map(([, words]) => words);

/** The file of the second of two cores, without a header; its event count wraps. @param {number} words of text in an event */
function second_core(words) {
  const made = new PsfStream({ cores: 2, streams: 2 }).on(1);
  for (let i = 0; i < 5000; i++) made.say(100 + i * 3, 'x'.repeat(words * 4 - 1));
  return made.bytes();
}

/** The file of a single core whose recording began late. @param {{ from?: number, loses: [number, number][], damaged?: number }} what which event has how many lost before it; which one a count that is too low */
function late({ from = 0x0f00, loses, damaged = -1 }) {
  const { encoder } = new PsfStream();
  encoder.counts[0] = from;
  return Buffer.concat(
    Array.from({ length: 0x1400 }, (_, i) => {
      encoder.counts[0] += loses.find(([at]) => at === i)?.[1] ?? 0;
      const event = Buffer.from(encoder.event(100 + i * 10, 'TASK_ACTIVATE', [i % 2 ? AT.WORK : AT.MAIN, 2]));
      if (i === damaged) event.writeUInt16LE(event.readUInt16LE(2) - 0x40, 2);
      return event;
    }),
  );
}

const TEXTS = 8000;

/** Events so long that few of them are cut out of what two pieces of the file have in common. */
function texts() {
  const made = new PsfStream().start().tasks();
  for (let i = 0; i < TEXTS; i++) made.say(100 + i, `${i} ${'y'.repeat(38 + (i % 7))}`);
  return made.bytes();
}

describe('TraceRecorder', () => {
  test.each(['motor.elf', 'big.elf'])('texts and channels that the program contains come from %s', (elf) => {
    const text = run(['dump', '--with', elf, 'motor.psf']);
    expect(markers(text)).toEqual([
      'speed %d of %u, %s',
      'speed 7 of 9, forward',
      'speed -2 of 9, forward',
      'fmt@0x8020000 (42)',
    ]); // missing arguments stay
    expect(text).toMatch(/ event="marker name" id=\d+ text="Motor"/);
    expect(text).toContain('text="Motor: speed"'); // its numbers are used
  });

  test('only texts are read, and the report counts nothing else; a linker map has no texts', () => {
    const rows = run(['info', '--csv', 'symbols', '--with', 'motor.elf', '--with', 'motor.map', 'motor.psf'])
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(','));
    const [head, elf, map] = rows;
    const cell = (/** @type {string[]} */ row, /** @type {string} */ key) => row[head.indexOf(key)];
    expect(head.length).toBeGreaterThan(8);
    expect([cell(elf, 'functions'), cell(elf, 'lines'), cell(elf, 'note')]).toEqual(['', '', '']);
    expect(Number(cell(elf, 'bytes'))).toBeGreaterThan(0);
    expect(Number(cell(elf, 'texts_found'))).toBeGreaterThan(2);
    expect(cell(map, 'note')).toContain('no texts');
  });

  test('without the ELF file they are addresses', () => {
    const text = run(['dump', 'motor.psf']);
    expect(markers(text)).toContain(`fmt@0x${FORMAT.toString(16)} (7, 9, ${WORD})`);
    expect(text).not.toContain('Motor');
  });

  test('long events across the blocks in which a file is read', () => {
    const report = JSON.parse(run(['info', '--json', 'texts.psf']));
    expect(report.inputs[0]).toMatchObject({ skipped: 0, left: 0 });
    expect(report.kinds.find((/** @type {{ kind: string }} */ { kind }) => kind === 'marker').count).toBe(TEXTS);
  });

  // Such counts have sixteen bits, as the first one that exceeds the next multiple of 4096 shows
  test.each([
    ['whole', 5000 + 65_000 + 9000, 0],
    ['damaged', 9000, 1],
    ['back', 0x1000 - 0x280 + 9000, 0],
  ])('every lost event of a single core without a header is counted: %s', (name, lost, lost_on_line) => {
    expect(JSON.parse(run(['info', '--json', `${name}.psf`])).events).toMatchObject({ lost, lost_on_line });
  });

  // Whether the upper bits of its counts are the core number is visible where they wrap: early, or far into the file.
  test.each([
    ['short.psf', [0, 1]], // core 0 has no recording
    ['long.psf', [0]],
  ])('the file of a second core alone, %s: no event is lost', (name, cores) => {
    const report = JSON.parse(run(['info', '--json', name]));
    expect(report.events).toMatchObject({ lost: 0 });
    expect(report.cores.map((/** @type {{ core: number }} */ one) => one.core)).toEqual(cores);
    expect(report.problems.map((/** @type {{ id: string }} */ { id }) => id)).toContain('HEADER_MISSING');
  });
});
