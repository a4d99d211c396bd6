// SPDX-License-Identifier: MIT
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { big_chunks } from '../generator/big.mjs';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { golden_input } from '../golden/cases.mjs';
import { Folder, TOOL, ended, hasRead, sample, start, tool } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 60_000 });
const CORES = gateway_recordings({ bytes: 40_000 });
/** @type {Folder} */
let folder;
beforeEach(() => void (folder = new Folder()));
afterEach(() => folder.remove());

const read = (/** @type {string} */ name) => readFileSync(folder.at(name));
const hex = (/** @type {Uint8Array} */ bytes) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/(.{64})/g, '$1\n');

/** Converts a file in the simplest way. @param {Uint8Array} bytes @param {string[]} options */
async function plain_trace(bytes, ...options) {
  folder.write('plain.bin', bytes);
  const { code, errors } = await tool(['conv', folder.at('plain.bin'), '-o', folder.at('plain.out'), ...options]);
  expect(code, errors).toBe(0);
  return read('plain.out');
}

describe('inputs', () => {
  test('a file gives a trace beside it with the same stem', async () => {
    folder.write('run.bin', MOTOR);
    const { code, errors, out } = await tool(['conv', folder.at('run.bin')]);
    expect(code, errors).toBe(0);
    expect(out.length).toBe(0);
    expect(errors).toMatch(/^run\.bin -> .*run\.pftrace: \d+ events, 1 core/);
    expect(readdirSync(folder.path).sort()).toEqual(['run.bin', 'run.pftrace']);
    expect(read('run.pftrace').length).toBeGreaterThan(1000);
  });

  test('gzip, gzip in several members, hex, base64 and pipes give the same bytes', async () => {
    const expected = await plain_trace(MOTOR);
    const half = MOTOR.length >> 1;
    /** @type {[string, Uint8Array | string][]} */
    const forms = [
      ['one.gz', gzipSync(MOTOR)],
      ['two.gz', Buffer.concat([gzipSync(MOTOR.subarray(0, half)), gzipSync(MOTOR.subarray(half))])],
      ['text.hex', hex(MOTOR)],
      ['text.hex.gz', gzipSync(hex(MOTOR))],
      [
        'text.b64',
        Buffer.from(MOTOR)
          .toString('base64')
          .replace(/(.{76})/g, '$1\n'),
      ],
    ];
    for (const [name, content] of forms) {
      folder.write(name, content);
      const filed = await tool(['conv', folder.at(name), '-o', folder.at('file.out')]);
      expect(filed.code, `${name}: ${filed.errors}`).toBe(0);
      expect(read('file.out').equals(expected), name).toBe(true);
      const piped = await tool(['conv', '-', '-o', '-'], { input: content });
      expect(piped.code, `${name}: ${piped.errors}`).toBe(0);
      expect(piped.out.equals(expected), `${name} through a pipe`).toBe(true);
    }
  });

  test('a truncated gzip file is converted up to the damage, with a warning', async () => {
    const packed = gzipSync(MOTOR);
    folder.write('cut.gz', packed.subarray(0, packed.length >> 1));
    const { code, errors } = await tool(['conv', folder.at('cut.gz')]);
    expect(code).toBe(0);
    expect(errors).toMatch(/cut off at byte \d+/);
    expect(read('cut.pftrace').length).toBeGreaterThan(1000);
  });

  test('--format forces the encoding: hex read as bytes is not recognised', async () => {
    folder.write('text.hex', hex(MOTOR));
    expect((await tool(['conv', '--format', 'bin', folder.at('text.hex')])).code).toBe(3);
    expect((await tool(['conv', '--format', 'hex', folder.at('text.hex')])).code).toBe(0);
  });

  test('option names of the original tool: -i, --mode free-rtos, --core-count, -v before the command, help', async () => {
    folder.write('run.bin', MOTOR);
    const { code, errors } = await tool([
      '-v',
      'conv',
      '--format',
      'bin',
      '--mode',
      'free-rtos',
      '--core-count',
      '1',
      '-i',
      folder.at('run.bin'),
      '--output',
      folder.at('x'),
    ]);
    expect(code, errors).toBe(0);
    expect(read('x').equals(await plain_trace(MOTOR))).toBe(true);
    expect((await tool(['help', 'conv'])).text).toContain('--core-count');
  });
});

describe('cores and recordings', () => {
  test('@N joins files into one recording, regardless of their names', async () => {
    folder.write('a.bin', CORES[0]);
    folder.write('b.bin', CORES[1]);
    const { code, errors } = await tool([
      'conv',
      `${folder.at('a.bin')}@0`,
      `${folder.at('b.bin')}@1`,
      '-o',
      folder.at('both'),
    ]);
    expect(code, errors).toBe(0);
    expect(errors).toContain('2 cores');
    folder.write('x.core0.bin', CORES[0]);
    folder.write('x.core1.bin', CORES[1]);
    expect(
      (await tool(['conv', folder.at('x.core0.bin'), folder.at('x.core1.bin'), '-o', folder.at('named')])).code,
    ).toBe(0);
    expect(read('named').equals(read('both'))).toBe(true);
  });

  test('a file whose name really ends in @1 is opened under that name', async () => {
    folder.write('odd@1', MOTOR);
    expect((await tool(['conv', folder.at('odd@1'), '-o', folder.at('x')])).code).toBe(0);
  });

  test('unrelated files get one output each; a single --output is rejected', async () => {
    folder.write('one.bin', MOTOR);
    folder.write('two.bin', motor_recording({ bytes: 30_000, seed: 9 }));
    const refused = await tool(['conv', folder.at('one.bin'), folder.at('two.bin'), '-o', folder.at('x')]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('2 recordings');
    expect((await tool(['conv', folder.at('one.bin'), folder.at('two.bin')])).code).toBe(0);
    expect(existsSync(folder.at('one.pftrace')) && existsSync(folder.at('two.pftrace'))).toBe(true);
  });

  test('two inputs with the same stem get different outputs', async () => {
    folder.write('run.bin', MOTOR);
    folder.write('run.dat', motor_recording({ bytes: 30_000, seed: 9 }));
    expect((await tool(['conv', folder.at('run.bin'), folder.at('run.dat')])).code).toBe(0);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.pftrace'))).toHaveLength(2);
  });

  test('a folder: all its recordings go into the folder of --output; other files are named, exit code 3', async () => {
    mkdirSync(folder.at('in'));
    mkdirSync(folder.at('out'));
    folder.write('in/a.bin', MOTOR);
    folder.write('in/b.hex', hex(motor_recording({ bytes: 30_000, seed: 9 })));
    folder.write('in/readme.txt', 'This is a note about the recordings, and no recording itself.\n');
    folder.write('in/empty.bin', '');
    const inputs = [
      [folder.at('in')],
      [folder.at('in/*')],
      ['a.bin', 'b.hex', 'empty.bin', 'readme.txt'].map((name) => folder.at(`in/${name}`)),
    ];
    for (const named of inputs) {
      const { code, errors } = await tool(['conv', ...named, '-o', folder.at('out')]);
      expect(code, errors).toBe(3);
      expect(errors).toContain('readme.txt: not recognised');
      expect(errors).toContain('empty.bin: not recognised');
      expect(readdirSync(folder.at('out')).sort()).toEqual(['a.pftrace', 'b.pftrace']);
    }
    expect(readdirSync(folder.at('in'))).toHaveLength(4);
  });

  test('--core-count that contradicts the data gives a warning, and everything is converted', async () => {
    folder.write('run.bin', MOTOR);
    const { code, errors } = await tool(['conv', '--core-count', '2', folder.at('run.bin')]);
    expect(code).toBe(0);
    expect(errors).toContain('--core-count says 2, the data has 1');
  });
});

describe('outputs', () => {
  test('--gzip contains the same trace, in a file and on a pipe', async () => {
    const expected = await plain_trace(MOTOR);
    folder.write('run.bin', MOTOR);
    expect((await tool(['conv', '--gzip', folder.at('run.bin')])).code).toBe(0);
    expect(gunzipSync(read('run.pftrace.gz')).equals(expected)).toBe(true);
    const piped = await tool(['conv', '-z', '-o', '-', folder.at('run.bin')]);
    expect(gunzipSync(piped.out).equals(expected)).toBe(true);
  });

  test('--tick-ns and --raw-events change the trace', async () => {
    const expected = await plain_trace(MOTOR);
    const raw = await plain_trace(MOTOR, '--raw-events');
    expect(raw.length).toBeGreaterThan(expected.length * 1.3);
    expect((await plain_trace(MOTOR, '--tick-ns', '777')).equals(expected)).toBe(false);
  });

  test('a tick length at the end: used in a file, a warning on a pipe', async () => {
    const late = concat([
      ...Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 10 * i + 1, 1, 'x')),
      frame('ts_resolution_ns', 5000),
    ]);
    const early = concat([
      frame('ts_resolution_ns', 5000),
      ...Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 10 * i + 1, 1, 'x')),
    ]);
    folder.write('late.bin', late);
    expect((await tool(['conv', folder.at('late.bin')])).code).toBe(0);
    expect(
      read('late.pftrace')
        .subarray(0, 40)
        .equals((await plain_trace(early)).subarray(0, 40)),
    ).toBe(true);
    const piped = await tool(['conv', '-'], { input: late });
    expect(piped.code).toBe(0);
    expect(piped.errors).toContain('Tick length came too late');
    // Standard output that is a file can be rewritten at its start.
    const out = openSync(folder.at('redirected'), 'w');
    const redirected = await tool(['conv', folder.at('late.bin'), '-o', '-'], { stdio: ['pipe', out, 'pipe'] });
    closeSync(out);
    expect(redirected.errors).not.toContain('too late');
    expect(read('redirected').equals(read('late.pftrace'))).toBe(true);
  });

  test('--from and --to leave out the other times and keep the time axis', async () => {
    const whole = await plain_trace(MOTOR);
    folder.write('run.bin', MOTOR);
    const { time } = JSON.parse((await tool(['info', '--json', folder.at('run.bin')])).text);
    const [begin, end] = [BigInt(time.start), BigInt(time.end)];
    const third = (end - begin) / 3n;
    const part = await plain_trace(MOTOR, '--from', `${begin + third}ns`, '--to', `${begin + 2n * third}ns`);
    expect(part.length).toBeLessThan(whole.length * 0.5);
    expect(part.length).toBeGreaterThan(whole.length * 0.2);
    expect((await plain_trace(MOTOR, '--to', `${end + 1n}ns`)).length).toBeGreaterThan(whole.length * 0.99);
    for (const [args, message] of /** @type {const} */ ([
      [['--from', '2s', '--to', '1s'], /--to 1s: from-ns is after to-ns/],
      [['--from', 'noon'], /a time such as 1.5s/],
    ])) {
      const refused = await tool(['conv', folder.at('run.bin'), ...args]);
      expect(refused.code).toBe(2);
      expect(refused.errors).toMatch(message);
    }
  });

  test('--from and --to are correct when the tick length comes last; a pipe, which cannot be read twice, is rejected', async () => {
    const tick = frame('ts_resolution_ns', 1000);
    const frames = Array.from({ length: 40_000 }, (_, i) => frame('evtmarker', 1000 + 10 * i, 1, `${i}`));
    const events = concat(frames);
    const range = ['--from', '100ms', '--to', '110ms'];
    const expected = await plain_trace(concat([tick, events]), ...range);
    expect(expected.length).toBeGreaterThan(5000);
    const near = await plain_trace(concat([...frames.slice(0, 12_000), tick, ...frames.slice(12_000)]), ...range); // within the header, after the range
    expect(near.length).toBe(expected.length);
    const late = concat([events, tick]);
    expect((await plain_trace(late, ...range)).length).toBe(expected.length);
    folder.write('late.bin', late);
    const told = await tool(['conv', folder.at('late.bin'), ...range, '-o', folder.at('late.out')]);
    expect(told.errors).not.toMatch(/another tick length/);
    const piped = await tool(['conv', '-', '-o', folder.at('piped.out'), ...range], { input: late });
    expect(piped.code).toBe(2);
    expect(piped.errors).toMatch(/the tick length is not in its first bytes, and a live source cannot be read twice/);
    expect(existsSync(folder.at('piped.out'))).toBe(false);
    expect(
      (await tool(['conv', '-', '-o', folder.at('piped.out'), ...range, '--tick-ns', '1000'], { input: late })).code,
    ).toBe(0);
    expect(read('piped.out').length).toBe(expected.length);
  });

  test('checking rules on a time range takes one pass: a pipe gives the same trace, verdicts and exit code as a file', async () => {
    folder.write('run.bin', MOTOR);
    for (const [rule, code] of /** @type {const} */ ([
      ['cpu.load<=100%', 0],
      ['events.total<10', 1],
    ])) {
      const args = ['--from', '1ms', '--to', '20ms', '--expect', rule, '--fail-on', 'drops'];
      const filed = await tool(['conv', folder.at('run.bin'), ...args, '-o', folder.at('filed.out')]);
      const piped = await tool(['conv', '-', ...args, '-o', folder.at('piped.out')], { input: MOTOR });
      expect([filed.code, piped.code], piped.errors).toEqual([code, code]);
      expect(read('piped.out').equals(read('filed.out'))).toBe(true);
      const figures = (/** @type {string} */ errors) => errors.match(/expect .*/g);
      expect(figures(piped.errors)).toEqual(figures(filed.errors));
    }
    const plain = await plain_trace(MOTOR, '--from', '1ms', '--to', '20ms');
    expect(read('filed.out').equals(plain)).toBe(true); // rules do not change a trace
  });

  test.each([
    ['zeros', 0x00],
    ['FF', 0xff],
    ['other data', null],
  ])('a recording after two megabytes of %s', async (_, byte) => {
    const before = new Uint8Array(2 << 20).map((_, i) => byte ?? 1 + (((i * 2654435761) >>> 13) % 255));
    const { out } = await tool(['info', '--json', folder.write('run.bin', MOTOR)]);
    const { code, errors, text } = await tool([
      'info',
      '--json',
      folder.write('dump.bin', concat([before, byte === null ? [0] : [], MOTOR])),
    ]);
    expect(code, errors).toBe(0);
    const [alone, found] = [JSON.parse(out.toString()), JSON.parse(text)];
    for (const key of ['events', 'time', 'tasks', 'tick']) expect(found[key], key).toEqual(alone[key]);
    expect(found.explain).toEqual([]);
    if (byte !== null) {
      const piped = await tool(['info', '--json', '-'], { input: concat([before, MOTOR]) });
      expect(piped.code, piped.errors).toBe(0);
      const live = JSON.parse(piped.out.toString());
      for (const key of ['events', 'time', 'tasks', 'tick', 'problems']) expect(live[key], key).toEqual(found[key]);
      expect(live.inputs[0].bytes).toBe(found.inputs[0].bytes);
      expect((await tool(['info', '-'], { input: before })).code).toBe(3);
    }
    const nothing = await tool(['info', folder.write('nothing.bin', before)]);
    expect(nothing.code).toBe(3);
    if (byte !== null) expect(nothing.errors).toMatch(/All bytes are (zero|FF)/);
  });

  test('a mode that changes nothing skips nothing and gives no message', async () => {
    const { text } = await tool(['info', '--mode', 'bare-metal', folder.write('run.bin', MOTOR)]);
    expect(text).not.toMatch(/left out/);
  });

  test('--with provides names and tick length', async () => {
    const head = concat([
      frame('ts_resolution_ns', 1000),
      frame('task_name', 1, 'worker'),
      frame('task_name', 2, 'other'),
    ]);
    const ring = concat(Array.from({ length: 300 }, (_, i) => frame('task_switched_in', 1000 * i + 1, (i % 2) + 1)));
    folder.write('ring.bin', ring);
    folder.write('first.bin', concat([head, ring]));
    const { code, errors } = await tool(['conv', folder.at('ring.bin'), '--with', folder.at('first.bin')]);
    expect(code, errors).toBe(0);
    expect(read('ring.pftrace').includes('worker')).toBe(true);
  });

  test('--fail-on: exit code 1, and the trace is written', async () => {
    folder.write('ok.bin', MOTOR);
    const lossy = concat([
      frame('ts_resolution_ns', 1000),
      ...Array.from({ length: 200 }, (_, i) => frame('evtmarker', 10 * i + 1, 1, 'x')),
      frame('dropped_evt_cnt', 3000, 0),
      frame('dropped_evt_cnt', 3001, 12),
    ]);
    folder.write('lossy.bin', lossy);
    expect((await tool(['conv', '--fail-on', 'drops,damage', folder.at('ok.bin')])).code).toBe(0);
    expect((await tool(['conv', folder.at('lossy.bin')])).code).toBe(0);
    const failed = await tool(['conv', '--fail-on', 'damage,drops', folder.at('lossy.bin')]);
    expect(failed.code).toBe(1);
    expect(failed.errors).toContain('fail-on drops');
    expect(existsSync(folder.at('lossy.pftrace'))).toBe(true);
  });

  test('an older trace with the same name is replaced, and kept when the conversion fails', async () => {
    folder.write('run.pftrace', 'old');
    folder.write('run.bin', 'no recording at all, only words.');
    expect((await tool(['conv', folder.at('run.bin')])).code).toBe(3);
    expect(read('run.pftrace').toString()).toBe('old');
    folder.write('run.bin', MOTOR);
    expect((await tool(['conv', folder.at('run.bin')])).code).toBe(0);
    expect(read('run.pftrace').length).toBeGreaterThan(1000);
  });
});

describe('invalid input', () => {
  /** @type {[string, (args: string[]) => string[], number, RegExp][]} */
  const cases = [
    ['a missing file', () => [folder.at('none.bin')], 3, /none\.bin: No such file/],
    ['an empty folder', () => (mkdirSync(folder.at('empty')), [folder.at('empty')]), 3, /empty: no input there/],
    ['an empty file', () => [folder.write('empty.bin', '')], 3, /empty\.bin: not recognised: The input is empty/],
    [
      'text that is no recording',
      () => [folder.write('note.txt', 'hello, this is a letter and nothing else.\n')],
      3,
      /note\.txt: not recognised/,
    ],
    [
      'a table of numbers',
      () => [folder.write('table.csv', 'a,b\n1,2\n3,4\n')],
      3,
      /table\.csv: not recognised: this is a text, and its digits encode no recording/,
    ],
    [
      'noise',
      () => [
        folder.write(
          'noise.bin',
          Buffer.from(Array.from({ length: 100_000 }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 255)),
        ),
      ],
      3,
      /noise\.bin: not recognised/,
    ],
    [
      'an output folder that is missing',
      () => [folder.write('a.bin', MOTOR), '-o', folder.at('none/x')],
      4,
      /none\/x: cannot be written: No such file/,
    ],
    [
      'two inputs for one core',
      () => [`${folder.write('a.bin', MOTOR)}@1`, `${folder.write('b.bin', MOTOR)}@1`],
      2,
      /both named as core 1/,
    ],
    ['a core out of range', () => [`${folder.at('a.bin')}@32`], 2, /core 32 is out of range/],
    ['the output is the input', () => [folder.write('a.bin', MOTOR), '-o', folder.at('a.bin')], 2, /is an input/],
    ['no input', () => [], 2, /no input named/],
    ['standard input twice', () => ['-', '-'], 2, /only once/],
    [
      'a misspelt option',
      () => ['--frmat=hex'],
      2,
      /unknown option --frmat; the nearest is --format, `tonkopf conv --help` lists all\n/,
    ],
    ['an unknown option', () => ['--xyzzy', 'hex'], 2, /unknown option --xyzzy; `tonkopf conv --help` lists them\n/],
    ['an unknown letter', () => ['-X'], 2, /unknown option -X; `tonkopf conv --help` lists them\n/],
    [
      'a misspelt key of --set',
      () => ['a.bin', '--set', 'rate-zh=1'],
      2,
      /--set rate-zh=1: no such option; the nearest name is rate-hz\n/,
    ],
    ['a missing value', () => ['a.bin', '--format'], 2, /--format needs a value/],
    ['a wrong choice', () => ['--format', 'octal', 'a.bin'], 2, /one of auto\|bin\|hex\|base64, not "octal"/],
    ['a wrong number', () => ['--core-count', '99', 'a.bin'], 2, /from 1 to 32, not "99"/],
    ['tick length zero', () => ['--tick-ns', '0', 'a.bin'], 2, /--tick-ns/],
    ['contradicting options', () => ['--quiet', '--verbose', 'a.bin'], 2, /contradict/],
    ['standard output and a browser', () => ['a.bin', '-o', '-', '--open'], 2, /contradict/],
    ['an unknown format', () => [folder.write('a.bin', MOTOR), '--type', 'cassette'], 2, /cassette: no such format/],
  ];
  test.each(cases)('%s', async (_, args, code, message) => {
    const result = await tool(['conv', ...args([])]);
    expect(result.errors).toMatch(message);
    expect(result.code).toBe(code);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part') || name.endsWith('.pftrace'))).toEqual([]);
  });

  test('one invalid file among good ones: the good ones are converted, the exit code reports the other', async () => {
    folder.write('good.bin', MOTOR);
    folder.write('bad.txt', 'only words in here, nothing that was recorded.\n');
    const { code, errors } = await tool(['conv', folder.at('good.bin'), folder.at('bad.txt')]);
    expect(code).toBe(3);
    expect(errors).toContain('bad.txt: not recognised');
    expect(existsSync(folder.at('good.pftrace'))).toBe(true);
  });

  test('a full disk leaves no file with the final name', async () => {
    folder.write('run.bin', MOTOR);
    const limited = spawnSync('bash', ['-c', `ulimit -f 16; trap '' XFSZ; exec "${TOOL}" conv run.bin`], {
      cwd: folder.path,
    });
    expect(limited.status).toBe(4);
    expect(limited.stderr.toString()).toMatch(/run\.pftrace: cannot be written: File too large/);
    expect(readdirSync(folder.path)).toEqual(['run.bin']);
    const full = await tool(['conv', folder.at('run.bin'), '-o', '/dev/full']);
    expect(full.code).toBe(4);
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  test('a closed pipe is no error', () => {
    folder.write('run.bin', MOTOR);
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `"${TOOL}" conv run.bin -o - | head -c 10 >/dev/null; exit \${PIPESTATUS[0]}`],
      { cwd: folder.path },
    );
    expect(status, stderr.toString()).toBe(0);
  });
});

test('text before the first frame does not change how the cores of a stream are distinguished', async () => {
  const stream = readFileSync(golden_input('tonbandgeraet/core-ids-of-overlapping-pieces'));
  folder.write('text.bin', concat([Buffer.from('Starting the application.\r\n'.repeat(25_000)), stream]));
  folder.write('plain.bin', stream);
  const lines = async (/** @type {string} */ name) =>
    (await tool(['dump', '--json', folder.at(name)])).out
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ event, core, ticks, id, text }) => ({ event, core, ticks, id, text }));
  const plain = await lines('plain.bin');
  expect(plain.length).toBeGreaterThan(20);
  expect(await lines('text.bin')).toEqual(plain);
});

describe('long conversions', () => {
  /** A small gzip member that unpacks to 60 kB, `times` times. @param {number} times */
  const long_file = (times) => {
    const member = gzipSync(MOTOR);
    return folder.write('long.gz', Buffer.concat(Array.from({ length: times }, () => member)));
  };

  test('cancelled before the end of a file: leaves no output file', async () => {
    const child = start(['conv', long_file(10_000), '-o', folder.at('x')]);
    const result = ended(child);
    await expect.poll(() => readdirSync(folder.path).some((name) => name.endsWith('.part'))).toBe(true);
    child.kill('SIGINT');
    const { code, errors } = await result;
    expect(code, errors).toBe(130);
    expect(errors).toContain('x was not written');
    expect(readdirSync(folder.path)).toEqual(['long.gz']);
  });

  test('progress is shown on a terminal only', async () => {
    const path = long_file(10_000); // a shorter conversion shows no progress, and on a fast machine this one is short
    const plain = start(['conv', path, '-o', '/dev/null']),
      plain_result = ended(plain);
    const terminal = spawn('script', ['-qec', `"${TOOL}" conv "${path}" -o /dev/null`, '/dev/null']),
      result = ended(terminal);
    let shown = '';
    terminal.stdout.on('data', (piece) => (shown += piece));
    await expect.poll(() => shown).toMatch(/\r.*\d+\.\d of \d+\.\d MB, \d+ s left, \d+ MB\/s, \d+ events/);
    terminal.kill();
    await result;
    // The other one was started before and so has run for as long.
    plain.kill('SIGINT');
    const { code, errors } = await plain_result;
    expect(code, errors).toBe(130);
    expect(errors).not.toContain('\r');
  });
});

describe('streams', () => {
  test('an endless pipe that Ctrl-C ends gives a complete trace', async () => {
    const child = start(['conv', '-', '-o', folder.at('live.pftrace')]);
    const result = ended(child);
    child.stdin?.write(MOTOR);
    await hasRead(child, MOTOR.length);
    child.kill('SIGINT');
    const { code, errors } = await result;
    expect(code, errors).toBe(0);
    expect(errors).toContain('stopped by you');
    expect(read('live.pftrace').equals(await plain_trace(MOTOR))).toBe(true);
  });

  test.each([
    ['of a capture that begins in the middle', []],
    ['of a stream of one core', [frame('core_id', 0, 0), frame('task_name', 1, 'worker'), frame('core_id', 900, 0)]],
  ])('lines %s are shown as they arrive', async (_, begin) => {
    const child = start(['dump', '-'], { timeout: 60_000 }); // end a program that shows no progress
    const result = ended(child);
    let text = '';
    const shown = new Promise((resolve) =>
      child.stdout?.on(
        'data',
        (/** @type {Buffer} */ some) => /task switched in/.test((text += some)) && resolve(true),
      ),
    );
    child.stdin?.write(
      concat([
        ...begin,
        ...Array.from({ length: 40 }, (_, i) => frame('task_switched_in', 1000 + 100 * i, 1 + (i & 1))),
      ]),
    );
    await Promise.race([shown, result]);
    child.stdin?.end();
    const { code, errors } = await result;
    expect([code, text.match(/task switched in/g)?.length], errors).toEqual([0, 40]);
  });

  test('overlapping pieces of several cores are distinguished in a pipe too, if all cores are named before them', async () => {
    const path = golden_input('tonbandgeraet/timed-core-ids-of-overlapping-pieces');
    const piped = await tool(['dump', '-'], { input: readFileSync(path) }),
      filed = await tool(['dump', path]);
    expect(piped.out.toString().split('\n').length).toBeGreaterThan(20);
    expect(piped.out.toString()).toBe(filed.out.toString());
  });

  test('100 MB through a pipe in constant memory', async () => {
    const child = spawnWithPeak(['conv', '-', '-o', '-']);
    let written = 0;
    child.stdout.on('data', (piece) => (written += piece.length));
    child.stdout.resume();
    let errors = '';
    child.stderr.on('data', (piece) => (errors += piece));
    const done = new Promise((resolve) => child.on('close', resolve));
    for (const { chunk } of big_chunks({ bytes: 100e6 })) {
      if (!child.stdin.write(Buffer.from(chunk))) await new Promise((resolve) => child.stdin.once('drain', resolve));
    }
    child.stdin.end();
    expect(await done, errors).toBe(0);
    expect(written).toBeGreaterThan(50e6);
    const peak_kb = Number(/peak (\d+)/.exec(errors)?.[1]);
    expect(peak_kb).toBeGreaterThan(1000);
    expect(peak_kb).toBeLessThan(24_000);
  });
});

/** Runs the program and writes its peak memory in kB to standard error at the end. @param {string[]} args */
function spawnWithPeak(args) {
  const script =
    'import resource, subprocess, sys\ncode = subprocess.call(sys.argv[1:])\nprint("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\nsys.exit(code)';
  return spawn('python3', ['-c', script, TOOL, ...args]);
}

describe.skipIf(!sample('x'))('samples', () => {
  test('the demo as JSON gives the same trace as its binary', async () => {
    await tool(['conv', sample('posix_snapshot_default.bin'), '-o', folder.at('bin')]);
    await tool(['conv', sample('posix_snapshot_default.json'), '-o', folder.at('json')]);
    expect(read('json').equals(read('bin'))).toBe(true);
  });

  test('every sample is converted', async () => {
    const { code, errors } = await tool(['conv', sample(''), '-o', folder.path]);
    expect(code, errors).toBe(3); // texts that describe recordings
    const left = [...errors.matchAll(/^tonkopf: (\S+): not recognised/gm)].map(([, name]) => name);
    expect(left.filter((name) => !/\.md$|\.ref\.|\.cases\.txt$/.test(name))).toEqual([]);
    expect(readdirSync(folder.path).length).toBeGreaterThan(25);
  });
});
