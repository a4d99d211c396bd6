// SPDX-License-Identifier: MIT
// No data is lost, and no check succeeds by mistake.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { wave_dump } from '../generator/demo-wave.mjs';
import { QsStream, names_text } from '../generator/golden-qs-stream.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { Folder, TOOL, ended, hasRead, start } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 40_000 });
const OTHER = motor_recording({ bytes: 30_000, seed: 9 });
const CORES = gateway_recordings({ bytes: 30_000 });
const DAMAGED = concat([
  frame('ts_resolution_ns', 1000),
  frame('evtmarker', 10, 1, 'one'),
  Uint8Array.of(3, 0x34, 0x05, 0),
  frame('evtmarker', 20, 1, 'two'),
  frame('evtmarker', 30, 1, 'three'),
]);
const SIZES = { T: 2, O: 8, F: 4, S: 1, E: 4, Q: 2, P: 1, C: 2 };
const OBJECTS = new QsStream({ sizes: SIZES, sequence: 40 });
for (let i = 0; i < 20; i++) OBJECTS.step(100 * i, 4, 0x20000100, 0x08000101).rec('SCHED_IDLE', 100 * i + 50, 3);

/** @type {Folder} */
let folder;
beforeEach(() => {
  folder = new Folder();
  folder.write('a.bin', MOTOR);
  folder.write('damaged.bin', DAMAGED);
});
afterEach(() => folder.remove());

describe('outputs, rules and messages', () => {
  /** @param {string[]} args @param {any} [options] */
  function run(args, options = {}) {
    const { stdout, stderr, status } = spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28, ...options });
    return { out: stdout, text: String(stdout ?? ''), errors: String(stderr ?? ''), code: status };
  }
  /** A command line of bash; $T is the program. @param {string} line @param {Record<string, string>} [env] */
  function shell(line, env) {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', line], {
      cwd: folder.path,
      maxBuffer: 1 << 28,
      env: { ...process.env, T: TOOL, ...env },
    });
    return { text: stdout.toString(), errors: stderr.toString(), code: status };
  }
  /** A command line of bash on a terminal. @param {string} line @param {string} [env] */
  const terminal = (line, env = 'TERM=xterm') => {
    const script = `${env} ${TOOL} ${line}`;
    const { stdout, status } = spawnSync('script', ['-qec', script, '/dev/null'], { cwd: folder.path });
    return { text: stdout.toString(), code: status };
  };
  const read = (/** @type {string} */ name) => readFileSync(folder.at(name));
  const names = () => readdirSync(folder.path).sort();

  describe('the output is never the input', () => {
    test.each(['conv', 'dump', 'info'])(
      '%s: under another name, as a link, with --with, as a standard stream',
      (command) => {
        symlinkSync('a.bin', folder.at('soft'));
        linkSync(folder.at('a.bin'), folder.at('hard'));
        folder.write('first.bin', OTHER);
        const lines = [
          'a.bin -o a.bin',
          'a.bin -o ./a.bin',
          'a.bin -o soft',
          'a.bin -o hard',
          'soft -o a.bin',
          'a.bin --with first.bin -o ./first.bin',
          '- -o a.bin < a.bin',
          'a.bin -o - >> a.bin',
          'a.bin -o - 1<> soft',
        ];
        const before = names();
        for (const line of lines) {
          const { code, errors } = shell(`$T ${command} ${line}`);
          expect(errors, line).toMatch(/is an input/);
          expect(code, line).toBe(2);
          expect(read('a.bin').equals(MOTOR) && read('first.bin').equals(OTHER), line).toBe(true);
        }
        expect(names()).toEqual(before);
      },
    );

    test('also when the output has its default name', () => {
      folder.write('a.pftrace', OTHER);
      const { code, errors } = run(['conv', 'a.bin', 'a.pftrace']);
      expect(errors).toMatch(/a\.pftrace is an input/);
      expect(code).toBe(2);
      expect(read('a.pftrace').equals(OTHER)).toBe(true);
    });

    test('lines that are appended to the recording while it is read do not make the conversion endless', () => {
      expect(shell('$T dump a.bin >> a.bin').code).toBe(2);
      expect(read('a.bin').equals(MOTOR)).toBe(true);
    });
  });

  describe('existing files stay unchanged', () => {
    test('a symbolic link is followed, also to a file that does not exist yet', () => {
      mkdirSync(folder.at('store'));
      folder.write('store/old', 'old');
      symlinkSync('store/old', folder.at('one'));
      symlinkSync('store/new', folder.at('two'));
      for (const name of ['one', 'two']) {
        expect(run(['conv', 'a.bin', '-o', name]).code).toBe(0);
        expect(lstatSync(folder.at(name)).isSymbolicLink()).toBe(true);
      }
      expect(read('store/old').equals(read('store/new'))).toBe(true);
      expect(read('store/old').length).toBeGreaterThan(1000);
      expect(readdirSync(folder.at('store')).sort()).toEqual(['new', 'old']);
      symlinkSync('circle', folder.at('circle'));
      expect(run(['conv', 'a.bin', '-o', 'circle']).code).toBe(4);
    });

    test('an existing file keeps its access rights', () => {
      for (const args of [[], ['--gzip']]) {
        folder.write('x.pftrace', 'old');
        chmodSync(folder.at('x.pftrace'), 0o640);
        expect(run(['conv', 'a.bin', '-o', 'x.pftrace', ...args]).code).toBe(0);
        expect(statSync(folder.at('x.pftrace')).mode & 0o7777).toBe(0o640);
      }
      expect(gunzipSync(read('x.pftrace')).length).toBeGreaterThan(1000);
    });

    test('a closed standard stream does not let output into an opened file', () => {
      const [x, y] = ['a.bin', 'damaged.bin'].map((name) => run(['conv', name, '-o', '-']).out);
      for (const closed of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) {
        expect(shell(`$T conv a.bin -o x.pftrace ${closed}`).code, closed).toBe(0);
        expect(shell(`$T conv damaged.bin -o y.pftrace ${closed}`).code, closed).toBe(0);
        expect(read('a.bin').equals(MOTOR), closed).toBe(true);
        expect(read('x.pftrace').equals(x) && read('y.pftrace').equals(y), closed).toBe(true);
      }
    });

    test.skipIf(process.platform === 'win32')('output to a closed descriptor is an error', () => {
      for (const words of ['conv a.bin -o -', 'info a.bin', 'info --json a.bin', 'dump a.bin', 'info --schema']) {
        const { code, errors } = shell(`$T ${words} >&-`);
        expect([words, code, errors]).toEqual([words, 4, expect.stringMatching(/standard output: .*descriptor/)]);
      }
    });
  });

  describe('--fail-on', () => {
    test.each([['typo'], ['damage,typo'], ['Damage'], [''], ['damage,'], [' ']])('"%s" is a usage error', (list) => {
      for (const command of ['conv', 'info']) {
        const { code, errors } = run([command, '--fail-on', list, 'a.bin']);
        expect(code).toBe(2);
        expect(errors).toMatch(
          list.includes('ypo') || list === 'Damage'
            ? /--fail-on (typo: there is no such problem; use drops, damage, .*|Damage: .*; the nearest name is damage)$/m
            : /empty name/,
        );
      }
      expect(existsSync(folder.at('a.pftrace'))).toBe(false);
    });

    test('blanks around a name are ignored', () => {
      expect(run(['info', '--fail-on', ' damage , drops', 'damaged.bin']).code).toBe(1);
      expect(run(['info', '--fail-on', 'damage, drops', 'a.bin']).code).toBe(0);
    });

    test('damage in a side file is reported for the side file', () => {
      folder.write('side.bin', DAMAGED);
      const { code, errors } = run(['conv', 'a.bin', '--with', 'side.bin', '--fail-on', 'damage']);
      expect(errors).toMatch(/side\.bin: has damage, and/);
      expect(errors).not.toMatch(/a\.bin: has damage/);
      expect(code).toBe(1);
    });

    test('a truncated gzip file is damaged, which is reported once', () => {
      const packed = gzipSync(MOTOR);
      folder.write('cut.gz', packed.subarray(0, packed.length >> 1));
      const { code, errors } = run(['info', '--fail-on', 'damage', 'cut.gz']);
      expect(code).toBe(1);
      expect(errors.match(/warning/g)).toHaveLength(1);
    });

    test('a rule that cannot be checked is not met', () => {
      folder.write(
        'names.bin',
        concat([
          frame('ts_resolution_ns', 1000),
          frame('task_name', 1, 'one'),
          frame('task_name', 2, 'two'),
          frame('task_name', 3, 'three'),
        ]),
      );
      folder.write('empty.bin', '');
      folder.write('wave.vcd', wave_dump());
      folder.write('readme.txt', 'A letter about recordings, but none itself.\n');
      mkdirSync(folder.at('none'));
      mkdirSync(folder.at('letters'));
      folder.write('letters/readme.txt', 'A letter about recordings, but none itself.\n');
      for (const command of ['conv', 'info']) {
        const gate = (/** @type {string[]} */ ...args) => run([command, '--fail-on', 'damage', ...args]);
        expect(gate('names.bin')).toMatchObject({ code: 1, errors: expect.stringContaining('nothing to judge') });
        for (const input of ['empty.bin', 'missing.bin', 'none', 'letters', 'readme.txt', '*.nothing'])
          expect(gate(input).code, input).toBe(3);
        expect(gate('a.bin', 'missing.bin').code).toBe(3);
        expect(gate('wave.vcd').code).toBe(0); // signals have no core, but times
      }
    });

    test('a closed pipe does not change the results', () => {
      expect(
        shell('$T conv -o - --fail-on damage damaged.bin | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}').code,
      ).not.toBe(0);
      expect(shell('$T info --fail-on damage damaged.bin | true; exit ${PIPESTATUS[0]}').code).toBe(1);
    });

    test('a recording that fails does not hide the others', () => {
      const { text, code } = run(['info', '--json', '--fail-on', 'damage', 'damaged.bin', 'a.bin']);
      expect(code).toBe(1);
      expect(text.trim().split('\n')).toHaveLength(2);
    });
  });

  describe('side inputs', () => {
    const report = (/** @type {string[]} */ ...args) => JSON.parse(run(['info', '--json', ...args]).text);

    test('one of another format gives a warning and changes nothing', () => {
      folder.write('names.dic', names_text({ sizes: SIZES }));
      folder.write('objects.bin', OBJECTS.bytes());
      folder.write(
        'tasks.bin',
        concat([
          frame('ts_resolution_ns', 1000),
          frame('task_name', 1, 'one'),
          frame('task_name', 2, 'two'),
          frame('task_name', 3, 'three'),
        ]),
      );
      mkdirSync(folder.at('beside'));
      folder.write('beside/a.bin', MOTOR);
      folder.write('beside/names.dic', names_text({ sizes: SIZES }));
      const alone = { motor: report('a.bin'), objects: report('objects.bin') };
      /** @type {[string[], any, string][]} */
      const cases = [
        [['a.bin', '--with', 'names.dic'], alone.motor, 'names.dic'],
        [['a.bin', 'names.dic'], alone.motor, 'names.dic'],
        [['names.dic', 'a.bin'], alone.motor, 'names.dic'],
        [['beside'], alone.motor, 'names.dic'],
        [['objects.bin', '--with', 'tasks.bin'], alone.objects, 'tasks.bin'],
        [['objects.bin', '--with', 'a.bin'], alone.objects, 'a.bin'],
      ];
      for (const [args, expected, side] of cases) {
        const { errors, text, code } = run(['info', '--json', ...args]);
        expect(JSON.parse(text), args.join(' ')).toEqual(expected);
        expect(errors, args.join(' ')).toContain(`${side}: not used: it is `);
        expect(code).toBe(0);
      }
    });

    test('one that is no recording, or is the input itself, gives a warning too', () => {
      folder.write('letter.txt', 'A letter about recordings, but none itself.\n');
      expect(run(['info', '--json', 'a.bin', '--with', 'letter.txt']).errors).toMatch(
        /letter\.txt: not used: it was not recognised/,
      );
      expect(run(['info', '--json', 'a.bin', '--with', './a.bin']).errors).toMatch(
        /--with \.\/a\.bin: that is an input itself/,
      );
      expect(report('a.bin', '--with', './a.bin')).toEqual(report('a.bin'));
    });

    test('each recording uses the side inputs of its format', () => {
      folder.write('names.dic', names_text({ sizes: SIZES }));
      folder.write('objects.bin', OBJECTS.bytes());
      const { text, errors } = run(['info', '--json', 'a.bin', 'objects.bin', 'names.dic']);
      const [motor, objects] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .sort((a, b) => (a.format.name > b.format.name ? -1 : 1));
      expect(motor).toEqual(report('a.bin'));
      expect(objects.inputs.map((/** @type {any} */ { role }) => role)).toEqual(['names', 'recording']);
      expect(errors).toBe('');
    });
  });

  describe('terminals', () => {
    test('no trace is written to a terminal', () => {
      const { text, code } = terminal('conv a.bin -o -');
      expect(text).toMatch(/standard output is a terminal/);
      expect(code).toBe(2);
    });

    test('file names cannot send control sequences', () => {
      folder.write('evil\x1b[31m\u009b1m.bin', DAMAGED);
      for (const command of ['conv', 'info', 'dump']) {
        const { text } = terminal(
          `${command} "$(ls | grep evil)" a.bin -v${command === 'dump' ? ' --color never' : ''}`,
        );
        expect(text, command).toContain('evil\\u001b[31m\\u009b1m.bin');
        // eslint-disable-next-line no-control-regex
        expect(text.replaceAll('\r\x1b[K', ''), command).not.toMatch(/[\x1b\u009b]/);
      }
      folder.write(
        'tasks.bin',
        concat([
          frame('ts_resolution_ns', 1000),
          frame('task_name', 1, 'x\u009b31mred'),
          frame('task_switched_in', 5, 1),
          frame('evtmarker', 9, 1, '\x1b]0;title\x07'),
        ]),
      );
      // eslint-disable-next-line no-control-regex
      expect(terminal('dump --color never tasks.bin').text).not.toMatch(/[\x1b\x07\u009b]/);
    });

    test('TERM=dumb and NO_COLOR are respected', () => {
      expect(terminal('dump damaged.bin').text).toContain('\x1b[');
      expect(terminal('dump damaged.bin', 'TERM=dumb').text).not.toContain('\x1b');
      expect(terminal('dump damaged.bin', 'TERM=xterm NO_COLOR=1').text).not.toContain('\x1b');
      const member = gzipSync(MOTOR);
      folder.write('long.gz', Buffer.concat(Array.from({ length: 300 }, () => member)));
      expect(terminal('conv long.gz -o /dev/null', 'TERM=dumb').text).not.toContain('\x1b');
    });
  });

  describe('the default output of a stream', () => {
    test('standard output for a process substitution, the current folder for a named pipe', () => {
      expect(run(['conv', 'a.bin', '-o', 'expected']).code).toBe(0);
      for (const line of [
        '$T conv <(cat a.bin) > x',
        'cat a.bin | $T conv /dev/stdin > x',
        '$T conv /dev/stdin < a.bin > x',
        '$T conv - < a.bin > x',
      ]) {
        const { code, errors } = shell(line);
        expect(code, `${line}: ${errors}`).toBe(0);
        expect(read('x').equals(read('expected')), line).toBe(true);
      }
      mkdirSync(folder.at('pipes'));
      const { code, errors } = shell('mkfifo pipes/line; cat a.bin > pipes/line & $T conv pipes/line');
      expect(code, errors).toBe(0);
      expect(read('line.pftrace').equals(read('expected'))).toBe(true);
    });
  });

  describe('contradictory options and values', () => {
    test.each([
      [['--set', 'mode=free-rtos', '--mode', 'bare-metal'], /--set mode= and --mode contradict/],
      [['--set', 'rate-hz=1000', '--tick-ns', '5'], /--set rate-hz= and --tick-ns contradict/],
      [['--set', 'size-time=2', '--set', 'size-time=4'], /contradict each other/],
      [['--set', 'rate-hz=fast'], /--set rate-hz=fast: /],
      [['--set', 'rate-hz='], /--set takes KEY=VALUE, not "rate-hz="/],
      [['--set', 'rate-hz=0'], /--set rate-hz=0: a whole number/],
      [['--set', 'rate-hz=99999999999'], /rate-hz=99999999999: a whole number/],
      [['--set', '=5'], /--set takes KEY=VALUE/],
      [['--set', 'rate-hz'], /--set takes KEY=VALUE/],
      [['--from', '1.5'], /--from 1\.5 needs a unit/],
      [['--from', 'noon'], /--from noon: a time such as 1\.5s/],
      [['--to', '1h'], /--to 1h: a time such as 1\.5s/],
      [['--from', '99999999999999s'], /is beyond what a trace can hold/],
      [['--from', '2s', '--to', '1s'], /--to 1s: from-ns is after to-ns/],
      [['--from', '2s', '--to', '9ticks'], /from-ns and to-ns have different units/],
    ])('%s', (args, message) => {
      const { code, errors } = run(['conv', 'a.bin', ...args]);
      expect(errors).toMatch(message);
      expect(code).toBe(2);
      expect(existsSync(folder.at('a.pftrace'))).toBe(false);
    });

    test('a file cannot be two cores, and is not read twice', () => {
      symlinkSync('a.bin', folder.at('b.bin'));
      for (const args of [
        ['a.bin@0', 'a.bin@1'],
        ['a.bin@0', './b.bin@1'],
        ['a.bin@0', 'b.bin@0'],
        ['a.bin', 'b.bin@1'],
      ]) {
        const { code, errors } = run(['conv', ...args, '-o', 'x']);
        expect(errors, args.join(' ')).toMatch(/are the same file/);
        expect(code).toBe(2);
      }
      const { code, errors } = run(['conv', 'a.bin', 'b.bin', '-o', 'x']);
      expect(errors).toMatch(/a\.bin and b\.bin are the same file; it is read once/);
      expect(code).toBe(0);
    });

    test('times with units, and without', () => {
      const part = (/** @type {string} */ from, /** @type {string} */ to) =>
        run(['conv', 'a.bin', '-o', '-', '--from', from, '--to', to]).out;
      const expected = part('10ms', '20ms');
      for (const [from, to] of [
        ['0.01s', '0.02s'],
        ['10000us', '20000us'],
        ['10000000', '20000000'],
        ['10000000ns', '20.000ms'],
      ])
        expect(part(from, to).equals(expected), from).toBe(true);
    });

    test('a time beyond the end gives a warning', () => {
      expect(run(['conv', 'a.bin', '--from', '5000s']).errors).toMatch(
        /a\.bin: the time range begins at 5000s, after the end of the recording, [\d.]+ s; nothing is left/,
      );
      folder.write(
        'late.bin',
        concat([
          frame('ts_resolution_ns', 1_000_000),
          ...Array.from({ length: 50 }, (__, i) => frame('evtmarker', 1000 + i, 1, 'x')),
        ]),
      );
      expect(run(['conv', 'late.bin', '--to', '5ms']).errors).toMatch(
        /the time range ends at 5ms, before the first event/,
      );
    });
  });

  describe('folders', () => {
    beforeEach(() => {
      mkdirSync(folder.at('in/deep/er'), { recursive: true });
      folder.write('in/run.bin', MOTOR);
      folder.write('in/run.dat', DAMAGED);
      folder.write('in/deep/run.bin', OTHER);
      folder.write('in/deep/er/run.bin', concat([MOTOR, OTHER]));
      folder.write('in/deep/note.txt', 'A letter about recordings, but none itself.\n');
      symlinkSync('..', folder.at('in/deep/up'));
    });

    test('--output FOLDER/ creates the folder', () => {
      expect(run(['conv', 'a.bin', '-o', 'new/']).code).toBe(0);
      expect(readdirSync(folder.at('new'))).toEqual(['a.pftrace']);
      expect(run(['conv', 'a.bin', '-o', 'no/such/']).code).toBe(4);
    });

    test('--recursive: converts every file once and overwrites none', () => {
      const { code, errors } = run(['conv', '--recursive', 'in', '-o', 'out/']);
      expect(code, errors).toBe(3); // a text file is no recording
      expect(errors).toContain('note.txt: not recognised');
      const made = readdirSync(folder.at('out'));
      expect(made).toHaveLength(4);
      expect(new Set(made.map((name) => statSync(folder.at(`out/${name}`)).size)).size).toBe(4);
      expect(run(['conv', 'in', '-o', 'flat/']).code).toBe(0);
      expect(readdirSync(folder.at('flat'))).toHaveLength(2);
    });

    test('outputs with equal names are distinguished by their path', () => {
      const { errors } = run(['conv', 'in/run.bin', 'in/deep/run.bin', 'a.bin']);
      for (const name of ['in/run.bin', 'in/deep/run.bin', 'a.bin'])
        expect(errors).toMatch(new RegExp(`^${name} -> `, 'm'));
    });

    test('patterns that the shell did not expand', () => {
      expect(run(['conv', 'in/*.bin', '-o', 'x']).code).toBe(0);
      expect(run(['info', '--json', 'in/run.*']).text.trim().split('\n')).toHaveLength(2);
      expect(run(['info', '--json', 'in/d??p/*.bin']).text.trim().split('\n')).toHaveLength(1);
      expect(run(['info', '--json', 'i*/*/run.bin']).text.trim().split('\n')).toHaveLength(1);
      expect(run(['info', 'i*/*/none.bin'])).toMatchObject({
        code: 3,
        errors: expect.stringContaining('i*/*/none.bin: no input there'),
      });
      expect(run(['info', '*.none'])).toMatchObject({ code: 3, errors: expect.stringContaining('no input there') });
      folder.write('odd*name.bin', MOTOR);
      expect(run(['conv', 'odd*name.bin']).code).toBe(0);
    });
  });

  describe('messages', () => {
    test('an unrecognised input gives whole sentences; an empty one gives no advice to set its format', () => {
      folder.write('empty.bin', '');
      expect(run(['info', 'empty.bin']).errors).toMatch(/The input is empty\.\n$/);
      expect(run(['info', '--format', 'hex', 'a.bin']).errors).toMatch(
        /[^.]\. If it is a recording all the same, choose its format\.\n$/,
      );
    });

    test('when a file size limit is exceeded, no file is left', () => {
      const { code, errors } = shell('ulimit -f 8; $T conv a.bin');
      expect(errors).toMatch(/a\.pftrace: cannot be written: File too large/);
      expect(code).toBe(4);
      expect(names()).toEqual(['a.bin', 'damaged.bin']);
    });

    test('only one output format of a report at a time', () => {
      for (const forms of [
        ['--json', '--csv', 'tasks'],
        ['--markdown', '--json'],
        ['--csv', 'tasks', '--markdown'],
      ]) {
        const { code, errors } = run(['info', 'a.bin', ...forms]);
        expect(errors).toMatch(/contradict each other/);
        expect(code).toBe(2);
      }
    });

    test('the reported size is that of the written file', () => {
      for (const [args, name] of /** @type {[string[], string][]} */ ([
        [[], 'a.pftrace'],
        [['--gzip'], 'a.pftrace.gz'],
      ])) {
        const { errors } = run(['conv', 'a.bin', ...args]);
        expect(Number(/, (\d+) bytes$/m.exec(errors)?.[1])).toBe(statSync(folder.at(name)).size);
      }
    });

    test('the reason of a denied access', () => {
      if (process.getuid?.() === 0) return; // as root everything is allowed
      mkdirSync(folder.at('shut'));
      chmodSync(folder.at('shut'), 0o500);
      expect(run(['conv', 'a.bin', '-o', 'shut/x']).errors).toMatch(/Permission denied/);
    });

    test('a folder that is not a folder is reported', () => {
      expect(run(['conv', 'a.bin', '-o', 'damaged.bin/x']).errors).toMatch(
        /damaged\.bin\/x: cannot be written: Not a directory/,
      );
    });
  });

  describe('--output of dump and info', () => {
    test('contains what standard output would contain', () => {
      for (const args of [['dump'], ['dump', '--json', '--stage', 'tracks'], ['info'], ['info', '--json']]) {
        const plain = run([...args, 'a.bin', 'damaged.bin']);
        const filed = run([...args, 'a.bin', 'damaged.bin', '-o', 'text']);
        expect(filed.code, filed.errors).toBe(0);
        expect(filed.text).toBe('');
        expect(read('text').toString(), args.join(' ')).toBe(plain.text);
      }
      expect(names()).toEqual(['a.bin', 'damaged.bin', 'text']);
      expect(run(['dump', 'a.bin', '-o', 'none/x']).code).toBe(4);
    });
  });

  test('cores of one recording are still grouped', () => {
    mkdirSync(folder.at('x'));
    mkdirSync(folder.at('y'));
    folder.write('x/run.bin', CORES[0]);
    folder.write('y/run.bin', CORES[1]);
    expect(run(['conv', 'x/run.bin@0', 'y/run.bin@1', '-o', 'both']).errors).toMatch(
      /^x\/run\.bin -> both: \d+ events, 2 cores/,
    );
  });
});

describe('cancelled', () => {
  /** Runs the program on a pipe that stays open and sends it a signal. @param {string[]} args @param {NodeJS.Signals} signal */
  async function stopped(args, signal) {
    const child = start(args, { cwd: folder.path });
    const result = ended(child);
    child.stdin?.write(MOTOR);
    await hasRead(child, MOTOR.length);
    child.kill(signal);
    return result;
  }

  test.each(
    /** @type {[NodeJS.Signals, number][]} */ ([
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ]),
  )('%s ends info and dump with %d, after the bytes read so far', async (signal, code) => {
    for (const args of [
      ['info', '-'],
      ['dump', '-'],
    ]) {
      const result = await stopped(args, signal);
      expect(result.errors, args.join(' ')).toMatch(/standard input: stopped after \d+ bytes/);
      expect(result.code, args.join(' ')).toBe(code);
      expect(result.text).toMatch(args[0] === 'info' ? /Duration/ : /marker/);
    }
  });

  test('rules are not checked for a cancelled conversion: the exit code is that of the signal', async () => {
    const gates = [
      ['--expect', 'cpu.load<=100%'],
      ['--fail-on', 'damage'],
    ];
    for (const gate of gates) {
      const result = await stopped(['conv', '-', '-o', 'rules.pftrace', ...gate], 'SIGTERM');
      expect([gate, result.code, result.errors]).toEqual([gate, 143, expect.stringContaining('stopped by you')]);
      const piped = await stopped(['conv', '-', '-o', '-', ...gate], 'SIGTERM');
      expect([gate, piped.code]).toEqual([gate, 143]);
    }
  });

  test('SIGHUP ends a stream with a complete trace, like SIGTERM', async () => {
    for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGHUP'])) {
      const result = await stopped(['conv', '-', '-o', 'live.pftrace'], signal);
      expect(result.code, result.errors).toBe(0);
      expect(result.errors).toContain('stopped by you');
    }
  });

  test('nohup is respected', () => {
    const { status } = spawnSync(
      'bash',
      [
        '-c',
        `trap '' HUP; (cat a.bin; kill -HUP $BASHPID 2>/dev/null; sleep 0.2) | { "${TOOL}" conv - -o x & pid=$!; sleep 0.1; kill -HUP $pid; wait $pid; }`,
      ],
      { cwd: folder.path },
    );
    expect(status).toBe(0);
  });
});
