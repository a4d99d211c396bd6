// SPDX-License-Identifier: MIT
// Signals on the command line: their table, also for a time range, and the samples of one signal as CSV.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bench_recording } from '../generator/demo-signals.mjs';
import { wave_dump } from '../generator/demo-wave.mjs';
import { FluxStream, MEMBER, field, integer } from '../generator/flux.mjs';
import { Folder, TOOL } from './tool.mjs';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('bench.recTr', bench_recording());
  folder.write('wave.vcd', wave_dump());
  folder.write('kinds.recTr', kinds());
  folder.write(
    'twice.recTr',
    new FluxStream()
      .head('a', { trace: 1 })
      .signal(1, 'x', 'integer')
      .open(0, 'us')
      .int(1, 1, 5)
      .close(0, 2)
      .head('b', { trace: 2 })
      .signal(1, 'x', 'integer')
      .open(0, 'us')
      .int(1, 1, 6)
      .close(0, 2)
      .bytes(),
  );
  folder.write(
    'core.vcd',
    '$timescale 1ns $end $scope module core $end $var wire 1 ! run $end $upscope $end $enddefinitions $end #0 0! #10 1! #30 0!',
  );
  folder.write(
    'bus.vcd',
    '$timescale 1ns $end $scope module bus $end $var wire 1 ! busy $end $upscope $end $enddefinitions $end #5 1! #20 0!',
  );
  folder.write(
    'fine.vcd',
    '$timescale 10 ps $end $var integer 8 ! n $end $enddefinitions $end #0 b1 ! #3 b10 ! #107 b11 !',
  );
});
afterAll(() => folder.remove());

function kinds() {
  return new FluxStream()
    .head('k')
    .scope(1, 'top')
    .signal(2, 'count', 'integer', { parent: 1 })
    .signal(3, 'level [V]', 'float', { parent: 1 })
    .signal(4, 'bit', 'logic', { parent: 1, descriptor: 'default<bits=1>' })
    .signal(5, 'mode', 'event', { parent: 1 })
    .signal(6, 'words', 'text', { parent: 1 })
    .signal(7, 'frame', 'struct', { parent: 1 })
    .signal(8, 'rates', 'integers', { parent: 1 })
    .labels(5, 0, { 1: 'on', 2: 'o, f' })
    .member(7, 1, 'id', MEMBER.integer)
    .open(0, 'us')
    .int(2, 1, -5)
    .int(2, 1, 2n ** 80n)
    .sample(2, 1, [0, 0, []])
    .int(2, 1, 7, 1)
    .real(3, 1, 0.1)
    .real(3, 1, NaN)
    .real(3, 1, -2)
    .states(4, 1, '1')
    .states(4, 1, '0')
    .states(4, 1, '0')
    .states(4, 1, 'X')
    .event(5, 1, 1)
    .event(5, 1, 0)
    .event(5, 1, 2)
    .words(6, 1, 'say "hi",\nthen go')
    .words(6, 1, 'x'.repeat(100))
    .binary(7, 1, field(1, MEMBER.integer, integer(-9)))
    .ints(8, 1, [1, -2, 300])
    .close(0, 30)
    .bytes();
}

describe('recordings without a common clock', () => {
  test('stay separate also with core numbers, with a warning', () => {
    const paths = (/** @type {string[]} */ ...args) =>
      run(['info', '--csv', 'signals', ...args])
        .text.split('\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(0, 2));
    expect(paths('core.vcd', 'bus.vcd')).toEqual(paths('core.vcd@0', 'bus.vcd@1'));
    const { errors, status } = run(['info', 'core.vcd@0', 'bus.vcd@1']);
    expect(status).toBe(0);
    for (const name of ['core', 'bus'])
      expect(errors).toContain(`${name}.vcd: a recording of its own: files of this format have no common clock`);
    expect(run(['conv', 'core.vcd@0', 'bus.vcd@1', '-o', 'both.pftrace'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('these are 2 recordings'),
    });
    expect(run(['info', 'core.vcd@1']).errors).toBe('');
  });
});

describe('messages of a conversion', () => {
  test('contain no number of cores for formats without cores', () => {
    const { errors } = run(['conv', 'wave.vcd', '-o', 'wave.pftrace']);
    expect(errors).toMatch(/wave\.vcd -> wave\.pftrace: \d+ events, [\d.]+ s, \d+ bytes\n/);
  });

  test('contain the counts of the format', () => {
    expect(run(['info', '--csv', 'inputs', 'core.vcd']).text).toMatch(/,frames,pieces,core\r\n.*,3,Value changes,\r\n/);
    expect(run(['info', 'core.vcd']).text).toMatch(/Left over +Count +Of\n .* 3 +Value changes\n/);
  });

  test('contain a length below a microsecond', () => {
    expect(run(['conv', 'core.vcd', '-o', 'core.pftrace']).errors).toMatch(/ events, 0\.000000030 s, /);
  });
});

/** @param {string[]} args */
function run(args) {
  const { stdout, stderr, status } = spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28 });
  return { text: stdout.toString(), errors: stderr.toString(), status };
}

describe('signals', () => {
  /** @param {string[]} args */
  const report = (...args) => JSON.parse(run(['info', '--json', ...args]).text);
  /** @param {string} path @param {string[]} args */
  const rows = (path, ...args) =>
    run(['dump', '--signal', path, '--csv', ...args])
      .text.split('\r\n')
      .slice(1, -1);

  test('exact samples of every type, with details that the name omits', () => {
    const expected = {
      'top/count': [
        '1000,-5,',
        '2000,1.2089258196146292e+24,"{""value"":""1208925819614629174706176""}"',
        '3000,,',
        '4000,7,"{""tag"":1}"',
      ],
      'top/level [V]': ['5000,0.1,', '6000,NaN,', '7000,-2,'],
      'top/bit': ['8000,1,', '9000,0,', '10000,0,', '11000,X,'],
      'k/top/mode': ['12000,on,"{""value"":1}"', '13000,0,', '14000,"o, f","{""value"":2}"'],
      'top/words': ['15000,"say ""hi"",\nthen go",', `16000,${'x'.repeat(80)}…,"{""text"":""${'x'.repeat(100)}""}"`],
      'top/frame': ['17000,id=-9,"{""id"":-9}"'],
      'top/frame/id': ['17000,-9,'],
      'top/rates': ['18000,1 -2 300,"{""elements"":[1,-2,300]}"'],
    };
    for (const [path, lines] of Object.entries(expected)) expect(rows(path, 'kinds.recTr'), path).toEqual(lines);
  });

  test('as many rows as the signal table counts samples, for each path', () => {
    for (const file of ['bench.recTr', 'wave.vcd', 'kinds.recTr']) {
      const { signals } = report(file);
      expect(signals.length).toBeGreaterThan(5);
      for (const { path, samples } of signals) expect(rows(path, file), path).toHaveLength(samples);
    }
  });

  test('a time range: the table and its samples, and consecutive ranges add up', () => {
    const cuts = ['0', '20ms', '21ms', '90ms', '1000s'];
    const parts = cuts
      .slice(1)
      .map((to, i) =>
        report('bench.recTr', '--to', to, ...(i ? ['--from', `${Number.parseFloat(cuts[i]) * 1e6 + 1}ns`] : [])),
      );
    for (const whole of report('bench.recTr').signals) {
      const own = parts.map(
        ({ signals }) =>
          signals.find(({ id }) => id === whole.id) ?? { samples: 0, none: 0, smallest: null, largest: null },
      );
      expect(
        own.reduce((sum, { samples }) => sum + samples, 0),
        whole.path,
      ).toBe(whole.samples);
      if (whole.smallest === null) continue;
      const known = own.filter(({ smallest }) => smallest !== null);
      expect(Math.min(...known.map(({ smallest }) => Number(smallest))), whole.path).toBe(Number(whole.smallest));
      expect(Math.max(...known.map(({ largest }) => Number(largest))), whole.path).toBe(Number(whole.largest));
    }
    const part = rows('drive/speed [rpm]', '--from', '20ms', '--to', '21ms', 'bench.recTr');
    expect(part).toHaveLength(11);
    expect(parts[1].signals.find(({ id }) => id === 2)).toMatchObject({
      samples: 10,
      first: '20100000',
      last: '21000000',
    });
  });

  test('in a recording of several sequences the range applies to each of them', () => {
    const axes = new FluxStream()
      .head('axes')
      .scope(1, 'a')
      .signal(2, 'x', 'integer', { parent: 1 })
      .scope(3, 'b')
      .signal(4, 'y', 'integer', { parent: 3 })
      .open(1, 'us')
      .int(2, 100, 1)
      .int(2, 100, 2)
      .open(3, 'us')
      .int(4, 10, 3)
      .int(4, 100, 4)
      .int(4, 100, 5)
      .close(1, 300)
      .close(3, 300)
      .bytes();
    folder.write('axes.recTr', axes);
    const { signals } = report('axes.recTr', '--from', '50us', '--to', '150us');
    expect(signals).toMatchObject([
      { path: 'a/x', samples: 1, mean: 1, first: '100000' },
      { path: 'b/y', samples: 1, mean: 4, first: '110000' },
    ]);
    expect(rows('b/y', '--from', '50us', '--to', '150us', 'axes.recTr')).toEqual(['110000,4,']);
  });

  test('times below a nanosecond have their own unit', () => {
    expect(run(['dump', '--signal', 'n', 'fine.vcd']).text).toBe(
      'time_ps,value,details\r\n0,1,\r\n30,2,\r\n1070,3,\r\n',
    );
  });

  test('an unknown path: the message lists similar ones', () => {
    const missing = run(['dump', '--signal', 'bench/uart/shfit', '--csv', 'wave.vcd']);
    expect(missing).toMatchObject({ status: 2, text: '' });
    expect(missing.errors).toContain('no signal has this path; similar paths: bench/uart/shift[7:0], ');
    const several = run(['dump', '--signal', 'x', 'twice.recTr']);
    expect(several).toMatchObject({ status: 2, text: 'time_ns,value,details\r\n1000,5,\r\n' });
    expect(several.errors).toContain('several signals have this path; the samples are those of a/x');
    expect(rows('b/x', 'twice.recTr')).toEqual(['1000,6,']);
    expect(report('twice.recTr').signals.map(({ path }) => path)).toEqual(['a/x', 'b/x']);
  });

  test('samples of a renamed signal: all under its first path, and a message if some are missing', () => {
    const renamed = () =>
      new FluxStream()
        .head('t')
        .scope(2, 'top')
        .signal(1, 'n', 'integer', { parent: 2 })
        .open(0, 'us')
        .int(1, 1, 5)
        .scope(2, 'core')
        .int(1, 1, 6);
    folder.write('renamed.recTr', renamed().close(0, 3).bytes());
    expect(rows('top/n', 'renamed.recTr')).toEqual(['1000,5,', '2000,6,']);
    const later = run(['dump', '--signal', 'core/n', 'renamed.recTr']);
    expect(later).toMatchObject({ status: 2, text: 'time_ns,value,details\r\n2000,6,\r\n' });
    expect(later.errors).toContain('the signal had another path before');
    expect(run(['dump', '--signal', 'core/n', '--from', '1.5us', 'renamed.recTr'])).toMatchObject({
      status: 0,
      text: 'time_ns,value,details\r\n2000,6,\r\n',
    });
    folder.write('last.recTr', renamed().scope(2, 'end').close(0, 3).bytes());
    expect(run(['dump', '--signal', 'end/n', 'last.recTr'])).toMatchObject({ status: 2, text: '' });
  });

  test('expanded tracks: groups in the order of their definition, then structs and arrays, up to sixty rows; problems are pinned', () => {
    const view = (/** @type {string} */ name, /** @type {FluxStream} */ stream) => (
      folder.write(name, stream.bytes()),
      report(name).view
    );
    const late = new FluxStream()
      .head('t')
      .scope(1, 'first')
      .signal(2, 's', 'struct', { parent: 1 })
      .scope(3, 'second')
      .signal(4, 'n', 'integer', { parent: 3 })
      .member(2, 1, 'id', MEMBER.integer)
      .open(0, 'us')
      .int(4, 1, 1)
      .binary(2, 1, field(1, MEMBER.integer, integer(5)))
      .close(0, 9);
    expect(view('late.recTr', late)).toMatchObject({ expand: ['^(Target)$', '^(t|first|second|s)$'], pin: [] });
    const many = new FluxStream().head('t', { most: 200 });
    for (let i = 0; i < 4; i++) many.scope(1 + 50 * i, `g${i}`);
    for (let i = 0; i < 100; i++)
      many.signal(2 + i + 25 * Math.floor(i / 25), `n${i}`, 'integer', { parent: 1 + 50 * Math.floor(i / 25) });
    many.open(0, 'us');
    for (let i = 0; i < 100; i++) many.int(2 + i + 25 * Math.floor(i / 25), 1, i);
    expect(view('many.recTr', many.close(0, 200)).expand).toEqual(['^(Target)$', '^(t|g0|g1)$']);
    const damaged = Buffer.concat([late.bytes().subarray(0, -6), Buffer.alloc(40, 0xff), late.bytes().subarray(-6)]);
    folder.write('damaged.recTr', damaged);
    expect(report('damaged.recTr').view.pin).toEqual(['^Problems$']);
  });

  test('a struct has a colour for each value of its first enum', () => {
    const kind = (/** @type {number} */ value) => field(0, MEMBER.local, integer(value));
    folder.write(
      'colours.recTr',
      new FluxStream()
        .head('t')
        .signal(2, 's', 'struct')
        .member(2, 0, 'kind', MEMBER.local)
        .open(0, 'us')
        .binary(2, 1, kind(0))
        .binary(2, 1, kind(1))
        .binary(2, 1, kind(0))
        .close(0, 9)
        .bytes(),
    );
    const colours = [
      ...run(['dump', '--stage', 'tracks', 'colours.recTr']).text.matchAll(/call="begin".* correlation=(\d+)/g),
    ].map(([, colour]) => colour);
    expect(colours).toHaveLength(3);
    expect(colours[0]).toBe(colours[2]);
    expect(colours[0]).not.toBe(colours[1]);
  });

  test('decimals are read and written exactly, with the fewest digits, and compared as they are written', () => {
    const values = [
      '1.005',
      '0.1',
      '-2.675',
      '0.30000000000000004',
      '123456.789',
      '250000',
      '1e-7',
      '9007199254740993',
    ];
    values.push('1e+21', '2.2250738585072011e-308', '5e-324', '1.7976931348623157e308');
    for (const value of values) {
      const written = String(Number(value)); // number format of JavaScript, defined by ECMAScript
      const header =
        '$timescale 1ns $end $scope module top $end $var real 64 ! v $end $upscope $end $enddefinitions $end';
      folder.write('real.vcd', `${header} #0 r${value} ! #10 r${value} ! #20 r${value} !`);
      const holds = (/** @type {string} */ comparison) =>
        run(['info', '--expect', `signals[top/v].largest${comparison}`, 'real.vcd']).status;
      const { text } = run(['info', '--json', 'real.vcd']);
      expect(JSON.parse(text).signals[0]).toMatchObject({ smallest: Number(value), largest: Number(value) });
      expect(text).toMatch(new RegExp(`"largest":${written.replace(/[.+]/g, '\\$&')}(\\.0)?[,}]`));
      expect(rows('top/v', 'real.vcd')[0]).toBe(`0,${written},`);
      expect(run(['info', '--csv', 'signals', 'real.vcd']).text).toContain(`,${written},${written},`);
      if (written.includes('e')) continue; // figures are compared with plain decimals
      expect(holds(`==${value}`), value).toBe(0);
      expect(holds(`<=${value}`), value).toBe(0);
      expect(holds(`<${value}`), value).toBe(1);
      expect(holds(`>${value}`), value).toBe(1);
    }
  });

  test('contradictory options are rejected', () => {
    expect(run(['dump', '--csv', 'wave.vcd'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('--csv prints the samples of a signal'),
    });
    expect(run(['dump', '--signal', 'a', '--json', 'wave.vcd'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('--signal prints samples as CSV'),
    });
    expect(run(['dump', '--signal', 'a', 'wave.vcd', 'bench.recTr'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('takes one recording, these are 2'),
    });
  });

  test('conv, dump and info of signals: recognition, tracks and messages', () => {
    expect(run(['conv', '--quiet', 'wave.vcd', 'bench.recTr', '-o', 'out/'])).toMatchObject({ status: 0 });
    expect(run(['dump', '--stage', 'records', 'wave.vcd']).text).toMatch(/record="timescale"|record="TIMESCALE"/i);
    const { format, signals, blocks, facts } = report('bench.recTr');
    expect(format.name).toBe('flux');
    expect(signals[0]).toMatchObject({ path: expect.stringContaining('drive/'), type: 'float', samples: 1200 });
    expect(blocks).toMatchObject([{ method: 'LZ4', blocks: 4 }]);
    expect(facts.map(({ fact }) => fact)).toContain('Written in dialect 6, one trace');
    expect(run(['info', '--csv', 'signals', 'wave.vcd']).text).toContain('bench/uart/shift[7:0],4,logic,');
    expect(run(['info', '--expect', 'signals[bench/uart/bit_index].largest<8', 'wave.vcd']).status).toBe(0);
    expect(run(['info', '--expect', 'signals[bench/uart/bit_index].largest<7', 'wave.vcd']).status).toBe(1);
  });
});

describe('selection of signals', () => {
  const MOST = 32_768;
  /** @param {...string} args */
  const info = (...args) =>
    spawnSync(TOOL, ['info', ...args], { cwd: folder.path, encoding: 'utf8', maxBuffer: 1 << 26 });

  test('the report counts the signals above the limit, and --signals selects them', () => {
    const count = MOST + 40;
    const vars = Array.from({ length: count }, (_, i) => `$var wire 1 c${i} s${i} $end`).join('\n');
    const rows = Array.from({ length: count }, (_, i) => `1c${i}`).join('\n');
    folder.write(
      'large.vcd',
      `$timescale 1ns $end\n$scope module top $end\n${vars}\n$upscope $end\n$enddefinitions $end\n#0\n${rows}\n#5\n`,
    );
    const all = info('--json', 'large.vcd');
    const missing = JSON.parse(all.stdout).problems.find(
      (/** @type {{ id: string }} */ { id }) => id === 'SIGNALS_TOO_MANY',
    );
    expect(missing.count).toBe(count - (MOST - 2)); // the root and a scope take two entries
    const last = info('--signals', `top/s${count - 1}`, 'large.vcd');
    expect(last.stdout).toContain(`top/s${count - 1}`);
    expect(last.stdout).toContain('No problems');
  });

  test('a pattern that no signal matches is reported, and violates `--fail-on all`', () => {
    const { stdout, status } = info('--signals', 'top/nothing*', '--fail-on', 'SIGNALS_UNMATCHED', 'core.vcd');
    expect(stdout).toContain('No signal matches the pattern');
    expect(status).toBe(1);
  });

  test('--signals selects signals of flux, which keep their samples', () => {
    const signals = (/** @type {string[]} */ ...args) =>
      JSON.parse(info('--json', ...args, 'kinds.recTr').stdout).signals;
    const all = signals();
    expect(all.length).toBeGreaterThan(5);
    const paths = (/** @type {any[]} */ rows) => rows.map(({ path }) => path).sort();
    for (const pattern of ['top/*', '*']) expect(signals('--signals', pattern)).toEqual(all);
    const some = signals('--signals', '*/count, top/level'); // without its unit
    expect(some).toHaveLength(2);
    for (const row of some) expect(all).toContainEqual(row);
    expect(paths(signals('--signals', 'top/b?t,*/words'))).toEqual(['top/bit', 'top/words']);
    const none = info('--signals', 'count', '--fail-on', 'SIGNALS_UNMATCHED', 'kinds.recTr');
    expect([none.status, none.stdout.includes('No signal matches the pattern')]).toEqual([1, true]);
  });

  test('--signals and --set signals= contradict each other', () => {
    const { stderr, status } = info('--signals', 'a', '--set', 'signals=b', 'core.vcd');
    expect(stderr).toContain('--set signals= and --signals contradict each other');
    expect(status).toBe(2);
  });
});

describe('reports and other inputs that are no recording', () => {
  test.each([
    [
      '$dumpports',
      '$timescale 1ns $end $scope module t $end $var wire 1 ! a $end $upscope $end $enddefinitions $end\n#0\n$dumpports\npD 6 0 <0\n$end\n',
    ],
    [
      'ports',
      '$date now $end\n$timescale 1ns $end\n$scope module t $end\n$var port 1 <0 a $end\n$upscope $end\n$enddefinitions $end\n#0\n',
    ],
  ])('an extended dump is rejected by name (%s)', (_, dump) => {
    folder.write('ports.vcd', dump);
    const { stderr, status } = spawnSync(TOOL, ['info', 'ports.vcd'], { cwd: folder.path, encoding: 'utf8' });
    expect(stderr).toContain('extended value change dump (EVCD');
    expect(status).not.toBe(0);
  });
});
