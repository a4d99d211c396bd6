// SPDX-License-Identifier: MIT
// Unusual and damaged inputs, rejected values, and options of other formats: exit codes and messages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { tar, zip } from '../common/archives.mjs';
import { Folder, TOOL, sample } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 60_000 });
const CORES = gateway_recordings({ bytes: 40_000 });
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('run.bin', MOTOR);
  folder.write('run.hex', Buffer.from(MOTOR).toString('hex'));
  folder.write('run.bin.gz', gzipSync(MOTOR));
  folder.write('a.bin', CORES[0]);
  folder.write('b.bin', CORES[1]);
  folder.write('x.core0.bin', CORES[0]);
  folder.write('x.core1.bin', CORES[1]);
  folder.write(
    'damaged.bin',
    MOTOR.map((byte, i) => (i % 997 === 500 ? byte ^ 0x55 : byte)),
  );
  folder.write(
    'names.bin',
    concat([
      frame('ts_resolution_ns', 1000),
      frame('task_name', 1, 'tab\there \u00e4'),
      frame('task_switched_in', 5, 1),
      frame('evtmarker', 9, 1, 'line\nbreak'),
    ]),
  );
  folder.write('note.txt', 'A letter about recordings, but none itself.\n');
});
afterAll(() => folder.remove());

/** @param {string[]} args @param {Uint8Array} [input] */
const run = (args, input) => spawnSync(TOOL, args, { cwd: folder.path, input, maxBuffer: 1 << 28 });

const FILES = ['run.bin', 'run.hex', 'run.bin.gz', 'damaged.bin', 'names.bin'];

/** The output of `args`; the exit code must be 0. @param {string[]} args @param {Uint8Array} [input] */
function printed(args, input) {
  const { status, stdout, stderr } = run(args, input);
  expect([args, status, stderr.toString()]).toEqual([args, 0, expect.any(String)]);
  return stdout;
}

test('the report says that a core is guessed from the order of the files', () => {
  const facts = (...files) => JSON.parse(String(run(['info', '--json', ...files]).stdout).split('\n')[0]).facts ?? [];
  const guessed = (...files) =>
    facts(...files)
      .filter(({ fact }) => fact.includes('guessed'))
      .map(({ input }) => input);
  expect(guessed('a.bin', 'b.bin')).toEqual(['a.bin', 'b.bin']);
  expect(guessed('a.bin@0', 'b.bin@1')).toEqual([]);
  expect(guessed('x.core0.bin', 'x.core1.bin')).toEqual([]);
});

describe.each(FILES)('%s', (name) => {
  test('every stage and output format has content', () => {
    for (const stage of ['frames', 'records', 'events', 'tracks', 'outline'])
      for (const form of [[], ['--json']])
        expect(printed(['dump', '--stage', stage, ...form, name]).length).toBeGreaterThan(20);
    expect(printed(['info', '--markdown', name]).toString()).toContain('|');
    for (const table of ['tasks', 'problems', 'places', 'time', 'inputs', 'kinds'])
      expect(printed(['info', '--csv', table, name]).toString()).toMatch(/^\w+,/);
  });
});

test('an encoding does not change the result', () => {
  const trace = printed(['conv', '-o', '-', 'run.bin']);
  expect(trace.length).toBeGreaterThan(10_000);
  for (const name of ['run.hex', 'run.bin.gz'])
    expect(printed(['conv', '-o', '-', name]).equals(trace), name).toBe(true);
  expect(printed(['conv', '-', '-o', '-'], MOTOR).equals(trace)).toBe(true);
  expect(printed(['dump', '-'], MOTOR).equals(printed(['dump', 'run.bin']))).toBe(true);
});

test('cores by @N and by name are one recording', () => {
  const both = printed(['conv', '-o', '-', 'a.bin@0', 'b.bin@1']);
  expect(both.length).toBeGreaterThan(10_000);
  expect(printed(['conv', '-o', '-', 'x.core0.bin', 'x.core1.bin']).equals(both)).toBe(true);
});

test('files: default names, a folder, gzip', () => {
  mkdirSync(folder.at('out'));
  expect(run(['conv', 'run.bin', 'damaged.bin', '-o', 'out']).status).toBe(0);
  expect(run(['conv', '-z', 'run.bin', '-o', 'out/packed.gz']).status).toBe(0);
  expect(readdirSync(folder.at('out')).sort()).toEqual(['damaged.pftrace', 'packed.gz', 'run.pftrace']);
  expect(gunzipSync(readFileSync(folder.at('out/packed.gz'))).equals(readFileSync(folder.at('out/run.pftrace')))).toBe(
    true,
  );
});

test('comparisons and gates', () => {
  folder.write('base.json', printed(['info', '--json', 'run.bin']));
  folder.write('other.json', '{"schema": 1}');
  expect(printed(['compare', 'base.json', 'damaged.bin']).toString()).toContain('Change');
  for (const form of [['--json'], ['--markdown'], ['--csv', 'tasks'], ['--csv', 'events']])
    expect(printed(['compare', ...form, 'base.json', 'a.bin']).length).toBeGreaterThan(10);
  /** @type {[string[], number][]} */
  const ends = [
    [['compare', '--csv', 'nothing', 'base.json', 'a.bin'], 2],
    [['compare', 'run.bin'], 2],
    [['compare', 'run.bin', 'a.bin', 'b.bin'], 2],
    [['compare', 'run.bin', 'none.bin'], 3],
    [['compare', 'note.txt', 'run.bin'], 3],
    [['compare', 'other.json', 'run.bin'], 3],
    [['compare', '.', 'run.bin'], 2],
    [['info', '--expect', 'events.lost==0', 'run.bin'], 0],
    [['info', '--expect', 'events.total<10', 'run.bin'], 1],
    [['conv', '-o', '-', '--expect', 'events.total<10', 'run.bin'], 1],
    [['info', '--expect', 'events.total', 'run.bin'], 2],
    [['info', '--expect', 'events.total<10', '--expect', 'events.total', 'run.bin'], 2],
    [['info', '--fail-on', 'any', '--expect', 'events.total<10', '--expect', 'events.lost==0', 'damaged.bin'], 1],
  ];
  for (const [args, status] of ends) expect([args, run(args).status]).toEqual([args, status]);
});

test('a time range of a recording whose tick length comes last, and a recording after padding', () => {
  const events = concat(Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 1000 + 10 * i, 1, `${i}`)));
  folder.write('late.bin', concat([events, frame('ts_resolution_ns', 1000)]));
  folder.write('late.hex', Buffer.from(concat([events, frame('ts_resolution_ns', 1000)])).toString('hex'));
  const part = ['-o', '-', '--from', '100ms', '--to', '110ms'];
  const late = printed(['conv', 'late.bin', ...part]);
  expect(late.length).toBeGreaterThan(5000);
  expect(printed(['conv', 'late.hex', ...part]).equals(late)).toBe(true);
  const kinds = printed(['info', '--csv', 'kinds', 'run.bin']).toString();
  const dump = (/** @type {number} */ byte) =>
    folder.write('dump.bin', concat([new Uint8Array(1_500_000).fill(byte), byte ? [0] : [], MOTOR]));
  for (const byte of [0x00, 0xff]) {
    dump(byte);
    expect(printed(['conv', 'dump.bin', '-o', '-']).length).toBeGreaterThan(10_000);
    expect([byte, printed(['info', '--csv', 'kinds', 'dump.bin']).toString()]).toEqual([
      byte,
      kinds.replaceAll('run.bin,', 'dump.bin,'),
    ]);
  }
  dump(0x55); // is not padding
  expect(run(['info', 'dump.bin']).status).toBe(3);
});

test('rejected arguments', () => {
  /** @type {[string[], number][]} */
  const ends = [
    [['conv', 'none.bin'], 3],
    [['conv', 'run.bin', '--from', '2s', '--to', '1s'], 2],
    [['conv', 'run.bin', '--to', 'noon'], 2],
    [['conv', 'note.txt'], 3],
    [['conv', '--frmat', 'x'], 2],
    [['conv', '--format', 'octal', 'run.bin'], 2],
    [['conv', '--core-count', '99', 'run.bin'], 2],
    [['conv', 'a.bin@1', 'b.bin@1'], 2],
    [['conv', 'a.bin@77'], 2],
    [['conv', 'run.bin', '-o', 'run.bin'], 2],
    [['conv', 'run.bin', '-o', 'missing/x'], 4],
    [['conv', 'run.bin', '-o', 'damaged.bin/'], 4],
    [['conv', 'run.bin', '-o', 'damaged.bin/x'], 4],
    [['conv', 'run.bin', '-o', '/dev/full'], 4],
    [['conv', 'run.bin', 'damaged.bin', '-o', 'one'], 2],
    [['conv'], 2],
    [['info', 'run.bin', '--format', 'hex'], 3],
    [['info', '/dev/null'], 3],
    [['info', '--csv', 'nothing', 'run.bin'], 2],
    [['info', '--csv', '', 'run.bin'], 2],
    [['info', 'run.bin', '--json', '--csv', 'tasks'], 2],
    [['info', 'run.bin', '--markdown', '--json'], 2],
    [['info', 'run.bin', '--expect', 'cpu.load<80'], 2],
    [['info', '--fail-on', 'damage', 'damaged.bin'], 1],
    [['compare', 'run.bin', 'damaged.bin', '--markdown', '--csv', 'tasks'], 2],
  ];
  for (const [args, status] of ends) expect([args, run(args).status]).toEqual([args, status]);
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('--format for an unrecognised input gives one message and no other', () => {
  folder.write('few.bin', concat([new Uint8Array(300_000).fill(0x00), frame('evtmarker', 1000, 1, 'a')]));
  folder.write('zeros.bin', new Uint8Array(300_000));
  for (const name of ['few.bin', 'zeros.bin'])
    expect(run(['info', '--type', 'qs', name]).stdout.toString()).not.toContain('All bytes are zero');
});

test('an option of another format is ignored with a warning; with several formats in one line each gets its own', () => {
  folder.write('lift.bin', lift_recording({ bytes: 30_000 }));
  for (const args of [
    ['info', 'run.bin'],
    ['conv', '-o', '-', 'run.bin'],
    ['dump', 'run.bin'],
    ['info', '--fail-on', 'any', 'run.bin'],
    ['compare', 'run.bin', 'run.bin'],
  ]) {
    const plain = run(args),
      told = run([...args, '--set', 'rate-hz=1000000']);
    expect(told.stderr.toString()).toContain(
      'tonkopf: warning: the option rate-hz=1000000 is not used: it is for recordings of another format (qs)\n',
    );
    expect([told.status, told.stdout.equals(plain.stdout)]).toEqual([plain.status, true]);
  }
  expect(run(['info', '--mode', 'freertos', 'lift.bin']).stderr.toString()).toBe(
    'tonkopf: warning: the option mode=free-rtos is not used: it is for recordings of another format (tonbandgeraet)\n',
  );
  expect(run(['info', '--set', 'time-scale=fine', 'run.bin', 'lift.bin']).stderr.toString()).toContain('(flux, vcd)');
  expect(run(['info', '--mode', 'auto', 'lift.bin']).stderr.toString()).toBe('');
  const both = run([
    'info',
    '--fail-on',
    'notice',
    '--set',
    'rate-hz=1000000',
    '--mode',
    'free-rtos',
    'run.bin',
    'lift.bin',
  ]);
  expect([both.status, both.stderr.toString()]).toEqual([0, '']);
  for (const setting of ['rate-hz=fast', 'time-scale=coarse', 'moon=3', 'mode=5'])
    expect(run(['info', '--set', setting, 'run.bin']).status).toBe(2);
  expect(run(['info', '--set', 'from-ns=5', '--set', 'to-ns=4', 'run.bin']).stderr.toString()).toBe(
    'tonkopf: --set to-ns=4: from-ns is after to-ns\n',
  );
});

test('in a comparison an unused option of a format gives one warning, and only if neither input uses it', () => {
  folder.write('lift.bin', lift_recording({ bytes: 30_000 }));
  for (const sides of [
    ['run.bin', 'lift.bin'],
    ['lift.bin', 'run.bin'],
    ['run.bin', 'run.bin'],
  ]) {
    const warning =
      'tonkopf: warning: the option time-scale=fine is not used: it is for recordings of another format (flux, vcd)\n';
    expect(
      run(['compare', ...sides, '--set', 'time-scale=fine'])
        .stderr.toString()
        .split(warning).length,
    ).toBe(2);
  }
  for (const sides of [
    ['run.bin', 'lift.bin'],
    ['lift.bin', 'run.bin'],
  ])
    expect(run(['compare', ...sides, '--set', 'rate-hz=1000000']).stderr.toString()).toBe('');
});

const PACK = gzipSync(MOTOR),
  PACK_LENGTH = PACK.length,
  TAR = tar([
    { path: 'a.bin', bytes: MOTOR },
    { path: 'b.bin', bytes: CORES[0] },
  ]);
/** @param {number} at @param {number} [bits] */
const flipped = (at, bits = 1) => PACK.map((byte, i) => (i === (at < 0 ? at + PACK_LENGTH : at) ? byte ^ bits : byte));

/** A gzip file with a comment and other optional fields. @param {number} [wrong] */
function header(wrong = 0) {
  const fields = Buffer.concat([
    PACK.subarray(0, 3),
    Buffer.from([0x1e]),
    PACK.subarray(4, 10),
    Buffer.from([2, 0, 7, 7]),
    Buffer.from('a name\0words\0'),
  ]);
  const sum = crc32(fields) & 0xffff;
  return concat([fields, [(sum & 0xff) ^ wrong, sum >> 8], PACK.subarray(10)]);
}

/** @type {[string, () => Uint8Array, number, string][]} what `info --fail-on damage` says */
const PACKED = [
  [
    'its last bytes are missing',
    () => PACK.subarray(0, -4),
    1,
    `the compressed data is cut off at byte ${PACK_LENGTH - 4}; what precedes is used`,
  ],
  [
    'cut in the middle',
    () => PACK.subarray(0, 5000),
    1,
    'the compressed data is cut off at byte 5000; what precedes is used',
  ],
  [
    'another sum',
    () => flipped(-8),
    1,
    `the compressed data is damaged at byte ${PACK_LENGTH - 4}; what precedes is used`,
  ],
  [
    'another length',
    () => flipped(-1),
    1,
    `the compressed data is damaged at byte ${PACK_LENGTH}; what precedes is used`,
  ],
  ['a bit in the middle', () => flipped(PACK_LENGTH >> 1), 1, 'the compressed data is damaged at byte '],
  [
    'flags that do not exist',
    () => flipped(3, 0x80),
    3,
    'the compressed data is damaged at byte 4; what precedes is used',
  ],
  ['all fields of a header', () => header(), 0, ''],
  ['another sum of a header', () => header(1), 3, 'the compressed data is damaged at byte 29; what precedes is used'],
  [
    'nothing but a header',
    () => PACK.subarray(0, 10),
    3,
    'the compressed data is cut off at byte 10; what precedes is used',
  ],
  [
    'a second member that is cut',
    () => concat([PACK, PACK.subarray(0, 3000)]),
    1,
    `the compressed data is cut off at byte ${PACK_LENGTH + 3000}; what precedes is used`,
  ],
  [
    'a second member of another sum',
    () => concat([PACK, flipped(-8)]),
    1,
    `the compressed data is damaged at byte ${2 * PACK_LENGTH - 4}; what precedes is used`,
  ],
  [
    'a first member of another sum',
    () => concat([flipped(-8), PACK]),
    1,
    `the compressed data is damaged at byte ${PACK_LENGTH - 4}; what precedes is used`,
  ],
  [
    'a byte after it',
    () => concat([PACK, [0]]),
    1,
    `what follows the compressed data at byte ${PACK_LENGTH} is no gzip and was left out`,
  ],
  [
    'text',
    () => gzipSync(Buffer.from(MOTOR).toString('hex')).subarray(0, -4),
    1,
    'the compressed data is cut off at byte ',
  ],
  [
    'a text of two cores',
    () =>
      gzipSync(
        CORES.map(
          (core, i) =>
            `core ${i}\nSTART OF TONBANDGERAET BUFFER\n${Buffer.from(core).toString('hex')}\nEND OF TONBANDGERAET BUFFER\n`,
        ).join(''),
      ).subarray(0, -4),
    1,
    'the compressed data is cut off at byte ',
  ],
  ['a tar that is cut', () => gzipSync(TAR).subarray(0, -9000), 1, 'the compressed data is cut off at byte '],
  [
    'a tar of another sum',
    () => gzipSync(TAR).map((byte, at, all) => (at === all.length - 8 ? byte ^ 1 : byte)),
    1,
    'the compressed data is damaged at byte ',
  ],
  [
    'in a tar',
    () =>
      tar([
        { path: 'a.bin.gz', bytes: flipped(-8) },
        { path: 'b.bin', bytes: MOTOR },
      ]),
    1,
    `a.bin.gz: the compressed data is damaged at byte ${PACK_LENGTH - 4}; what precedes is used`,
  ],
  [
    'in a zip',
    () => zip([{ path: 'a.bin', bytes: PACK.subarray(10, 5000), method: 8 }]),
    1,
    '/a.bin: the compressed data is cut off at byte 4990; what precedes is used',
  ],
];

test('damage inside an archive violates the rule', () => {
  folder.write('half.tar', TAR.subarray(0, 80_000));
  expect(run(['info', '--fail-on', 'damage', 'half.tar']).status).toBe(1);
});

test.each(PACKED)('a packed file, %s: its damage is reported once', (name, bytes, status, words) => {
  folder.write('packed', bytes());
  const { status: code, stderr } = run(['info', '--fail-on', 'damage', 'packed']);
  const told = stderr.toString();
  expect([name, code, told]).toEqual([name, status, expect.stringContaining(words)]);
  expect(told.split('compressed data').length).toBe(status ? 2 : 1);
});

test('damage in a packed text counts also for a time range after it, because the program reads everything for the tick length', () => {
  const text = Buffer.from(MOTOR.subarray(MOTOR.length >> 1)).toString('hex'); // after the tick length
  folder.write('part.hex.gz', gzipSync(text).subarray(0, -4));
  const { status, stderr } = run(['info', '--fail-on', 'damage', '--from', '1ms', 'part.hex.gz']);
  expect([status, stderr.toString()]).toEqual([1, expect.stringContaining('the compressed data is cut off at byte ')]);
});

test('unusual inputs and values have clear messages', () => {
  folder.write('pump.bin', heatpump({ rounds: 20 }).trace);
  folder.write('pump.elf', heatpump_elf());
  folder.write(
    'wave.vcd',
    '$timescale 1 ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n#0\n0!\n#5\n1!\n#9\n0!\n',
  );
  folder.write('line\nbreak.bin', MOTOR);
  folder.write('nothing.gz', Buffer.from('1f8b0800000000000003', 'hex'));
  folder.write(`${'a'.repeat(243)}.bin`, MOTOR);
  mkdirSync(folder.at('several'));
  writeFileSync(folder.at('several/one.bin'), MOTOR);
  /** @type {[string[], number, string][]} */
  const told = [
    [['conv', ''], 2, 'an input has no name; - stands for standard input'],
    [['conv', '--', ''], 2, 'an input has no name'],
    [['conv', 'run.bin', '-o', ''], 2, '--output needs a value: --output FILE'],
    [['conv', 'run.bin', '--type', ''], 2, '--type needs a value'],
    [['conv', 'run.bin', '--wall-clock-ns='], 2, '--wall-clock-ns needs a value'],
    [['info', 'run.bin', '--expect', ''], 2, '--expect needs a value'],
    [['conv', '@0'], 3, 'tonkopf: @0: No such file or directory'],
    [['conv', 'several@0'], 2, 'several@0: a core is a file, and that may be several'],
    [['conv', 'sever*@0'], 2, 'sever*@0: a core is a file'],
    [['conv', 'run.bin', '--from', '9223372037s'], 2, '--from 9223372037s: this is beyond what a trace can hold'],
    [
      ['conv', 'run.bin', '--to', '99999999999999999999999'],
      2,
      '--to 99999999999999999999999: this is beyond what a trace can hold',
    ],
    [
      ['conv', 'run.bin', '--tick-ns', '9223372036854775808'],
      2,
      '--tick-ns takes a number from 1 to 9223372036854775807, not',
    ],
    [['conv', 'none.bin', '--set', 'moon=1'], 2, '--set moon=1: no such option'],
    [['conv', 'run.bin', '--set', 'output=report'], 2, '--set output=report: no such option'],
    [['conv', 'run.bin', 'damaged.bin', '-o', 'several', '--set', `${'k'.repeat(100)}=1`], 2, 'k: no such option'],
    [['info', '/dev/zero', '--type', 'moon'], 2, 'moon: no such format'],
    [['conv', '-o', '-', 'run.bin', 'none.bin', 'pump.bin'], 3, 'these are 2 recordings, --output names one file'],
    [['dump', '--signal', 'x', 'run.bin', 'none.bin'], 3, 'signal x: '],
    [
      ['dump', '--csv', '--signal', 'x', 'run.bin', 'pump.bin', 'none.bin'],
      3,
      '--signal takes one recording, these are 2',
    ],
    [['dump', '--csv', '--signal', 'x', 'run.bin', 'pump.bin'], 2, '--signal takes one recording, these are 2'],
    [['info', 'pump.elf'], 3, 'add it to a recording to show names for its addresses.\n'],
    [['info', 'wave.vcd', 'pump.elf', '--fail-on', 'any'], 0, 'pump.elf: not used: no recording can use it'],
    [['conv', '-v', '-o', '-', 'pump.bin', 'pump.elf'], 0, 'pump.elf: read for the names of addresses'],
    [['info', 'pump.bin', 'pump.elf'], 0, ''],
    [['info', 'line\nbreak.bin'], 0, ''],
    [['conv', `${'b'.repeat(300)}.bin`], 3, 'File name too long'],
    [['conv', '-o', 'c'.repeat(300), 'run.bin'], 4, 'File name too long'],
    [['conv', '-o', './', 'run.bin'], 0, 'run.bin -> ./run.pftrace: '],
    [['conv', `${'a'.repeat(243)}.bin`], 0, '.pftrace: '],
    [[], 2, 'Usage: tonkopf COMMAND'],
    [['run.bin'], 2, 'say what to do with it: `tonkopf conv run.bin`'],
  ];
  for (const [args, status, words] of told) {
    const { stderr, status: code } = run(args);
    expect([args, code, stderr.toString()]).toEqual([args, status, expect.stringContaining(words)]);
  }
  for (const args of [
    ['conv', '-o', '-', 'none*', 'run.bin'],
    ['info', 'several', 'none*', 'none?', 'run.bin'],
    ['dump', '--like', 'original', 'run.bin', 'pump.bin'],
    ['dump', '--event', 'none', 'run.bin', 'pump.bin'],
  ])
    expect(run(args).stdout.length).toBeGreaterThan(10);
  expect(
    spawnSync('bash', ['-c', `"${TOOL}" dump none.bin run.bin | head -n 1 >/dev/null; exit \${PIPESTATUS[0]}`], {
      cwd: folder.path,
    }).status,
  ).toBe(3);
  expect(run(['info', '--json', '--tick-ns', '0x10', 'run.bin']).stdout.toString()).toContain('"tick":{"ns":16,');
  expect(run(['info', '--json', '--tick-ns', '010', 'run.bin']).stdout.toString()).toContain('"tick":{"ns":10,');
  expect(
    run(['info', 'nothing.gz'])
      .stderr.toString()
      .match(/cut off/g),
  ).toEqual(['cut off']); // only once
});

test('messages cannot be written: the exit code stays the same', () => {
  expect(spawnSync('bash', ['-c', `"${TOOL}" conv note.txt 2>/dev/full`], { cwd: folder.path }).status).toBe(3);
});

test('the reader of a named pipe closes it early: no error', () => {
  const { status, error } = spawnSync(
    'bash',
    ['-c', `rm -f pipe; mkfifo pipe; head -c 10 pipe >/dev/null & exec "${TOOL}" conv run.bin -o pipe`],
    { cwd: folder.path, timeout: 60_000 },
  );
  expect([status, error]).toEqual([0, undefined]);
});

test('head closes the pipe early: no error', () => {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', `"${TOOL}" dump run.bin | head -n 2 >/dev/null; exit \${PIPESTATUS[0]}`],
    { cwd: folder.path },
  );
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
});

test('help and version', () => {
  expect(run(['--version']).stdout.toString()).toMatch(/^tonkopf \d+\.\d+\.\d+\n$/);
  expect(run(['help', 'dump']).stdout.toString()).toContain('--stage');
  expect(run(['--help']).stdout.toString()).toContain('conv');
});

test.skipIf(!sample('x'))('samples', () => {
  const names = readdirSync(sample('')).filter((name) => name.endsWith('.bin'));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(printed(['info', '--json', sample(name)]).length).toBeGreaterThan(100);
});
