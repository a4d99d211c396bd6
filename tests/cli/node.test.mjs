// SPDX-License-Identifier: MIT
// The program for Node writes the same bytes as the native one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { tar, zip } from '../common/archives.mjs';
import { Folder, ROOT, TOOL, sample } from './tool.mjs';

const SCRIPT = process.env.TONKOPF_NODE_CLI ?? join(ROOT, 'lib/cli.js');
if (!existsSync(SCRIPT)) throw new Error(`${SCRIPT} is missing: run \`npm run build:lib\``);

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

/** @param {string} program @param {string[]} args @param {Uint8Array} [input] */
const run = (program, args, input) => spawnSync(program, args, { cwd: folder.path, input, maxBuffer: 1 << 28 });
/** @param {string[]} args @param {Uint8Array} [input] */
const native = (args, input) => run(TOOL, args, input);
/** @param {string[]} args @param {Uint8Array} [input] */
const node = (args, input) => run(process.execPath, [SCRIPT, ...args], input);

/** Both programs: same exit code, same output, same messages. @param {string[]} args @param {Uint8Array} [input] */
function expect_same(args, input) {
  const [a, b] = [native(args, input), node(args, input)];
  expect(b.stderr.toString(), args.join(' ')).toBe(a.stderr.toString());
  expect(b.status, args.join(' ')).toBe(a.status);
  expect(b.stdout.equals(a.stdout), args.join(' ')).toBe(true);
  return a;
}

test('the table of options is that of the native program', () => {
  expect(JSON.parse(readFileSync(join(ROOT, 'cli/node/options.json'), 'utf8'))).toEqual(
    JSON.parse(native(['options-json']).stdout.toString()),
  );
});

const FILES = ['run.bin', 'run.hex', 'run.bin.gz', 'damaged.bin', 'names.bin'];

describe.each(FILES)('%s', (name) => {
  test('conv', () => {
    expect_same(['conv', '-o', '-', name]);
    expect_same(['conv', '-o', '-', '--raw-events', '--tick-ns', '77', name]);
  });

  test('info', () => {
    expect_same(['info', name]);
    expect_same(['info', '--json', name]);
  });

  test('dump', () => {
    for (const stage of ['frames', 'records', 'events', 'tracks', 'outline']) {
      expect_same(['dump', '--stage', stage, name]);
      expect_same(['dump', '--stage', stage, '--json', name]);
    }
  });
});

describe('the report in its forms', () => {
  test.each(FILES)('%s', (name) => {
    expect_same(['info', '--markdown', name]);
    for (const table of ['tasks', 'problems', 'places', 'time', 'inputs', 'kinds'])
      expect_same(['info', '--csv', table, name]);
  });

  test('of a part of the time', () => {
    for (const part of [
      ['--from', '10ms', '--to', '20ms'],
      ['--from', '15ms'],
      ['--to', '15ms'],
      ['--from', '100s'],
      ['--to', '1ns'],
      ['--from', '2', '--to', '1'],
    ]) {
      for (const form of [[], ['--json']]) {
        expect_same(['info', ...part, ...form, 'run.bin', 'damaged.bin']);
        expect_same(['info', ...part, ...form, 'a.bin@0', 'b.bin@1']);
      }
    }
  });

  test('several recordings, files, refusals', () => {
    for (const form of [
      ['--markdown'],
      ['--csv', 'tasks'],
      ['--json', '--csv', 'tasks'],
      ['--csv', 'nothing'],
      ['--csv', ''],
    ]) {
      expect_same(['info', ...form, 'run.bin', 'damaged.bin']);
    }
    for (const program of [native, node])
      expect(
        program(['info', '--csv', 'tasks', '-o', program === native ? 'native.csv' : 'node.csv', 'run.bin']).status,
      ).toBe(0);
    expect(readFileSync(folder.at('node.csv')).equals(readFileSync(folder.at('native.csv')))).toBe(true);
  });

  test('compare', () => {
    folder.write('base.json', native(['info', '--json', 'run.bin']).stdout);
    folder.write('other.json', '{"schema": 1}');
    for (const form of [
      [],
      ['--json'],
      ['--markdown'],
      ['--csv', 'tasks'],
      ['--csv', 'events'],
      ['--csv', 'nothing'],
    ]) {
      expect_same(['compare', ...form, 'run.bin', 'damaged.bin']);
      expect_same(['compare', ...form, 'base.json', 'a.bin']);
    }
    expect(expect_same(['compare', 'base.json', 'damaged.bin']).stdout.toString()).toContain('Change');
    for (const operands of [
      ['run.bin'],
      ['run.bin', 'a.bin', 'b.bin'],
      ['run.bin', 'none.bin'],
      ['note.txt', 'run.bin'],
      ['other.json', 'run.bin'],
      ['.', 'run.bin'],
    ])
      expect_same(['compare', ...operands]);
  });

  test('--expect', () => {
    const figures = [
      'events.lost==0',
      'events.total<10',
      'tick.counts>0',
      'tasks[nobody].cpu<1s',
      'events.total',
      'time.duration>1ns',
      'tasks[\u00e4].cpu<1s',
      'tasks[nobody].cpu<1s ; missing_ok',
      'tasks[*].runs<1 ; rows >= 2',
      'taks[*].runs<1',
    ];
    for (const figure of figures) {
      expect_same(['info', '--expect', figure, 'run.bin', 'damaged.bin']);
      expect_same(['conv', '-o', '-', '--expect', figure, 'run.bin']);
    }
    expect(
      expect_same(['info', '--fail-on', 'any', '--expect', figures[1], '--expect', figures[0], 'damaged.bin']).status,
    ).toBe(1);
    expect(expect_same(['info', '--expect', figures[1], '--expect', figures[4], 'run.bin']).status).toBe(2);
  });
});

test('a part of a dump', () => {
  for (const args of [
    ['--event', 'marker'],
    ['--event', 'none'],
    ['--task', '1,2'],
    ['--core', '0'],
    ['--core', '77'],
    ['--from', '10ms', '--to', '20ms'],
    ['--task', 'nobody'],
    ['-s', 'records', '-e', 'queue_send'],
    ['-s', 'frames', '--from', '1s'],
  ]) {
    expect_same(['dump', ...args, 'run.bin']);
    expect_same(['dump', '--json', ...args, 'a.bin@0', 'b.bin@1']);
  }
});

test('colours', () => void expect_same(['dump', '--color', 'always', 'damaged.bin']));

test('cores by @N, by name, and from a pipe', () => {
  expect_same(['conv', '-o', '-', 'a.bin@0', 'b.bin@1']);
  expect_same(['conv', '-o', '-', 'x.core0.bin', 'x.core1.bin']);
  expect_same(['info', 'a.bin@0', 'b.bin@1']);
  expect_same(['conv', '-', '-o', '-'], MOTOR);
  expect_same(['dump', '-'], MOTOR);
});

test('files: default names, a folder, gzip', () => {
  for (const [program, place] of /** @type {const} */ ([
    [native, 'native'],
    [node, 'node'],
  ])) {
    mkdirSync(folder.at(place));
    expect(program(['conv', 'run.bin', 'damaged.bin', '-o', place]).status).toBe(0);
    expect(program(['conv', '-z', 'run.bin', '-o', `${place}/packed.gz`]).status).toBe(0);
  }
  expect(readdirSync(folder.at('node')).sort()).toEqual(readdirSync(folder.at('native')).sort());
  for (const name of ['run.pftrace', 'damaged.pftrace']) {
    expect(readFileSync(folder.at(`node/${name}`)).equals(readFileSync(folder.at(`native/${name}`)))).toBe(true);
  }
  expect(
    gunzipSync(readFileSync(folder.at('node/packed.gz'))).equals(readFileSync(folder.at('node/run.pftrace'))),
  ).toBe(true);
});

test('a part of a recording whose tick length comes last, a recording behind padding', () => {
  const events = concat(Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 1000 + 10 * i, 1, `${i}`)));
  folder.write('late.bin', concat([events, frame('ts_resolution_ns', 1000)]));
  folder.write('late.hex', Buffer.from(concat([events, frame('ts_resolution_ns', 1000)])).toString('hex'));
  for (const name of ['late.bin', 'late.hex']) {
    const { stdout } = expect_same(['conv', name, '-o', '-', '--from', '100ms', '--to', '110ms']);
    expect(stdout.length).toBeGreaterThan(5000);
  }
  for (const byte of [0x00, 0xff, 0x55]) {
    folder.write('dump.bin', concat([new Uint8Array(1_500_000).fill(byte), byte ? [0] : [], MOTOR]));
    expect_same(['conv', 'dump.bin', '-o', '-']);
    expect_same(['info', 'dump.bin']);
  }
});

test('a format that was named for what is not recognised says so, and nothing else', () => {
  folder.write('few.bin', concat([new Uint8Array(300_000).fill(0x00), frame('evtmarker', 1000, 1, 'a')]));
  folder.write('zeros.bin', new Uint8Array(300_000));
  for (const name of ['few.bin', 'zeros.bin'])
    expect(expect_same(['info', '--type', 'qs', name]).stdout.toString()).not.toContain('All bytes are zero');
});

test('the same refusals', () => {
  expect_same(['conv', 'none.bin']);
  if (native(['conv', '--help']).stdout.includes('--from')) {
    expect_same(['conv', 'run.bin', '-o', '-', '--from', '0.01s', '--to', '20.5ms']);
    expect_same(['conv', 'run.bin', '--from', '2s', '--to', '1s']);
    expect_same(['conv', 'run.bin', '--to', 'noon']);
  }
  expect_same(['conv', 'note.txt']);
  expect_same(['conv', '--frmat', 'x']);
  expect_same(['conv', '--format', 'octal', 'run.bin']);
  expect_same(['conv', '--core-count', '99', 'run.bin']);
  expect_same(['conv', 'a.bin@1', 'b.bin@1']);
  expect_same(['conv', 'a.bin@77']);
  expect_same(['conv', 'run.bin', '-o', 'run.bin']);
  expect_same(['conv', 'run.bin', '-o', 'missing/x']);
  expect_same(['conv', 'run.bin', '-o', 'damaged.bin/']);
  expect_same(['conv', 'run.bin', '-o', 'damaged.bin/x']);
  expect_same(['info', 'run.bin', '--format', 'hex']);
  expect_same(['info', '/dev/null']);
  expect_same(['info', 'run.bin', '--json', '--csv', 'tasks']);
  expect_same(['info', 'run.bin', '--markdown', '--json']);
  expect_same(['compare', 'run.bin', 'damaged.bin', '--markdown', '--csv', 'tasks']);
  expect_same(['info', 'run.bin', '--expect', 'cpu.load<80']);
  expect_same(['conv', 'run.bin', 'damaged.bin', '-o', 'one']);
  expect_same(['conv']);
  expect_same(['conv', 'run.bin', '-o', '/dev/full']);
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  expect_same(['info', '--fail-on', 'damage', 'damaged.bin']);
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('an option of another format changes nothing, which is told; several formats in one line have theirs', () => {
  folder.write('lift.bin', lift_recording({ bytes: 30_000 }));
  for (const args of [
    ['info', 'run.bin'],
    ['conv', '-o', '-', 'run.bin'],
    ['dump', 'run.bin'],
    ['info', '--fail-on', 'any', 'run.bin'],
    ['compare', 'run.bin', 'run.bin'],
  ]) {
    const plain = expect_same(args),
      told = expect_same([...args, '--set', 'rate-hz=1000000']);
    expect(told.stderr.toString()).toContain(
      'tonkopf: warning: --set rate-hz=1000000 is not used: it is for recordings of another format (qs)\n',
    );
    expect([told.status, told.stdout.equals(plain.stdout)]).toEqual([plain.status, true]);
  }
  expect(expect_same(['info', '--mode', 'freertos', 'lift.bin']).stderr.toString()).toBe(
    'tonkopf: warning: --mode freertos is not used: it is for recordings of another format (tonbandgeraet)\n',
  );
  expect(expect_same(['info', '--set', 'time-scale=fine', 'run.bin', 'lift.bin']).stderr.toString()).toContain(
    '(flux, vcd)',
  );
  expect(expect_same(['info', '--mode', 'auto', 'lift.bin']).stderr.toString()).toBe('');
  const both = expect_same([
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
    expect(expect_same(['info', '--set', setting, 'run.bin']).status).toBe(2);
  expect(expect_same(['info', '--set', 'from-ns=5', '--set', 'to-ns=4', 'run.bin']).stderr.toString()).toBe(
    'tonkopf: from-ns is behind to-ns\n',
  );
});

test('of two that are compared an option of a format is told once, and only where neither takes it', () => {
  folder.write('lift.bin', lift_recording({ bytes: 30_000 }));
  for (const sides of [
    ['run.bin', 'lift.bin'],
    ['lift.bin', 'run.bin'],
    ['run.bin', 'run.bin'],
  ]) {
    const warning =
      'tonkopf: warning: --set time-scale=fine is not used: it is for recordings of another format (flux, vcd)\n';
    expect(
      expect_same(['compare', ...sides, '--set', 'time-scale=fine'])
        .stderr.toString()
        .split(warning).length,
    ).toBe(2);
  }
  for (const sides of [
    ['run.bin', 'lift.bin'],
    ['lift.bin', 'run.bin'],
  ])
    expect(expect_same(['compare', ...sides, '--set', 'rate-hz=1000000']).stderr.toString()).toBe('');
});

const PACK = gzipSync(MOTOR),
  PACK_LENGTH = PACK.length,
  TAR = tar([
    { path: 'a.bin', bytes: MOTOR },
    { path: 'b.bin', bytes: CORES[0] },
  ]);
/** @param {number} at @param {number} [bits] */
const flipped = (at, bits = 1) => PACK.map((byte, i) => (i === (at < 0 ? at + PACK_LENGTH : at) ? byte ^ bits : byte));

/** A packed file with a comment and more. @param {number} [wrong] */
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
    'a byte behind it',
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

test('what lies in a damaged archive is judged alike', () => {
  folder.write('half.tar', TAR.subarray(0, 80_000));
  expect(expect_same(['info', '--fail-on', 'damage', 'half.tar']).status).toBe(1);
});

test.each(PACKED)('a packed file, %s: judged and told alike, once', (name, bytes, status, words) => {
  folder.write('packed', bytes());
  const { status: code, stderr } = expect_same(['info', '--fail-on', 'damage', 'packed']);
  const told = stderr.toString();
  expect([name, code, told]).toEqual([name, status, expect.stringContaining(words)]);
  expect(told.split('compressed data').length).toBe(status ? 2 : 1);
});

test('damage in a packed text counts in a part of the time too, before which all is read for its tick', () => {
  const text = Buffer.from(MOTOR.subarray(MOTOR.length >> 1)).toString('hex'); // behind what tells the tick
  folder.write('part.hex.gz', gzipSync(text).subarray(0, -4));
  const { status, stderr } = expect_same(['info', '--fail-on', 'damage', '--from', '1ms', 'part.hex.gz']);
  expect([status, stderr.toString()]).toEqual([1, expect.stringContaining('the compressed data is cut off at byte ')]);
});

test('odd inputs and values are told alike, and plainly', () => {
  folder.write('pump.bin', heatpump({ rounds: 20 }).trace);
  folder.write('pump.elf', heatpump_elf());
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
    [['conv', 'run.bin', '--from', '9223372037s'], 2, '--from 9223372037s is beyond what a trace can hold'],
    [
      ['conv', 'run.bin', '--to', '99999999999999999999999'],
      2,
      '--to 99999999999999999999999 is beyond what a trace can hold',
    ],
    [
      ['conv', 'run.bin', '--tick-ns', '9223372036854775808'],
      2,
      '--tick-ns takes a number from 1 to 9223372036854775807, not',
    ],
    [['conv', 'none.bin', '--set', 'moon=1'], 2, 'moon: no such option'],
    [['conv', 'run.bin', 'damaged.bin', '-o', 'several', '--set', `${'k'.repeat(100)}=1`], 2, 'k: no such option'],
    [['info', '/dev/zero', '--type', 'moon'], 2, 'moon: no such format'],
    [['conv', '-o', '-', 'run.bin', 'none.bin', 'pump.bin'], 3, 'these are 2 recordings, --output names one file'],
    [['dump', '--signal', 'x', 'run.bin', 'none.bin'], 3, '--signal x: '],
    [
      ['dump', '--csv', '--signal', 'x', 'run.bin', 'pump.bin', 'none.bin'],
      3,
      '--signal takes one recording, these are 2',
    ],
    [['dump', '--csv', '--signal', 'x', 'run.bin', 'pump.bin'], 2, '--signal takes one recording, these are 2'],
    [['info', 'pump.elf'], 3, 'it names the addresses in a recording that is given with it.\n'],
    [
      ['info', 'run.bin', 'pump.elf', '--fail-on', 'any'],
      0,
      'pump.elf: not used: no recording here asks for what it holds',
    ],
    [['conv', '-v', '-o', '-', 'pump.bin', 'pump.elf'], 0, 'pump.elf: read for names by address'],
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
    const [a, b] = [native(args), node(args)];
    for (const { stderr, status: code } of [a, b])
      expect([args, code, stderr.toString()]).toEqual([args, status, expect.stringContaining(words)]);
    if (!args.length) continue; // fewer commands
    expect(b.stderr.toString()).toBe(a.stderr.toString());
    expect([args, b.stdout.equals(a.stdout)]).toEqual([args, true]);
  }
  for (const args of [
    ['conv', '-o', '-', 'none*', 'run.bin'],
    ['info', 'several', 'none*', 'none?', 'run.bin'],
    ['dump', '--like', 'original', 'run.bin', 'pump.bin'],
    ['dump', '--event', 'none', 'run.bin', 'pump.bin'],
  ])
    expect(expect_same(args).stdout.length).toBeGreaterThan(10);
  for (const program of [`"${TOOL}"`, `"${process.execPath}" "${SCRIPT}"`])
    expect(
      spawnSync('bash', ['-c', `${program} dump none.bin run.bin | head -n 1 >/dev/null; exit \${PIPESTATUS[0]}`], {
        cwd: folder.path,
      }).status,
    ).toBe(3);
  for (const number of ['010', '0x10']) expect_same(['conv', '-o', '-', '--tick-ns', number, 'run.bin']);
  expect(native(['info', '--json', '--tick-ns', '010', 'run.bin']).stdout.toString()).toContain('"tick":{"ns":10,');
  expect(
    expect_same(['info', 'nothing.gz'])
      .stderr.toString()
      .match(/cut off/g),
  ).toEqual(['cut off']); // once
  for (const program of [native, node])
    expect(program(['info', 'pump.bin', 'pump.elf', '--csv', 'symbols']).stdout.toString()).toBe(
      program(['info', 'pump.bin', 'pump.elf', '--csv', 'symbols']).stdout.toString(),
    );
});

test('who cannot be told is not waited for', () => {
  for (const program of [`"${TOOL}"`, `"${process.execPath}" "${SCRIPT}"`]) {
    expect(spawnSync('bash', ['-c', `${program} conv note.txt 2>/dev/full`], { cwd: folder.path }).status).toBe(3);
    const { status, error } = spawnSync(
      'bash',
      ['-c', `rm -f pipe; mkfifo pipe; head -c 10 pipe >/dev/null & exec ${program} conv run.bin -o pipe`],
      { cwd: folder.path, timeout: 60_000 },
    );
    expect([status, error]).toEqual([0, undefined]); // its reader had seen enough
  }
});

test('head closes the pipe early: no error', () => {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', `"${process.execPath}" "${SCRIPT}" dump run.bin | head -n 2 >/dev/null; exit \${PIPESTATUS[0]}`],
    { cwd: folder.path },
  );
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
});

test('help and version', () => {
  expect_same(['--version']);
  expect_same(['help', 'dump']);
  expect(node(['--help']).stdout.toString()).toContain('conv');
});

describe.skipIf(!sample('x'))('samples', () => {
  test('traces and reports', () => {
    const names = readdirSync(sample('')).filter((name) => name.endsWith('.bin'));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect_same(['info', '--json', sample(name)]);
    for (const name of [
      'rtos_rich_stream.bin',
      'malformed.bin',
      'posix_snapshot_default.json',
      'baremetal_simtarget.hex.txt',
      'baremetal_simtarget.b64.txt',
    ])
      expect_same(['conv', '-o', '-', sample(name)]);
  });
});
