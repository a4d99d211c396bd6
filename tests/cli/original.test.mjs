// SPDX-License-Identifier: MIT
// `dump --like original` prints like the tools that come with the formats: compared line by line with their output for real recordings.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallTrace, LR } from '../generator/cortexm.mjs';
import { FUN, OBJ, QsStream, SIG } from '../generator/golden-qs-stream.mjs';
import { PsfStream } from '../generator/golden-psf-stream.mjs';
import { Folder, TOOL } from './tool.mjs';

const SAMPLES = process.env.TONKOPF_SAMPLES;
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write(
    'calls.bin',
    new CallTrace()
      .entry(0, 0x08000106, LR.RESET)
      .entry(44, 0x08000206, LR.THREAD)
      .log('a\tlog')
      .dump(0x20000010, [1, 0xfe])
      .bytes(),
  );
  folder.write(
    'steps.bin',
    new QsStream()
      .start()
      .step(100, 4, 0x20000100, 0x08000101)
      .rec('QF_TIMEEVT_REARM', 200, 0x20000300, 0x20000100, 5, 6, 1, 0)
      .bytes(),
  );
  folder.write('values.bin', values());
  folder.write('answers.bin', answers(740));
  folder.write('answers-new.bin', answers(815));
  folder.write('damaged-calls.bin', damaged_calls());
  folder.write('damaged-steps.bin', damaged_steps());
  folder.write('tasks.psf', new PsfStream().start().tasks().bytes());
});
afterAll(() => folder.remove());

/** Application values in every display width. */
function values() {
  const { A, B } = OBJ;
  const stream = new QsStream().start().names().rec('ENUM_DICT', 1, 2, 'BUSY');
  stream.user(
    100,
    10,
    ['i8', -7, 4],
    ['i8', 7],
    ['u8', 255, 15],
    ['u16', 255, 15],
    ['u32', 255, 15],
    ['u64', 255, 15],
    ['u16', 300, 6],
    ['i32', -5, 5],
    ['i64', -1n << 63n],
    ['hex', 48879, 6],
    ['hex', 10],
  );
  stream.user(
    100,
    20,
    ['f32', 0.1, 3],
    ['f64', -1234.5, 2],
    ['f64', 9.9996, 3],
    ['f64', 0],
    ['f64', 1e300, 15],
    ['f64', Infinity],
    ['f32', 2.5],
  );
  stream.user(
    100,
    30,
    ['enum', 1, 2],
    ['enum', 9, 2],
    ['sig', [SIG.GO, 0]],
    ['sig', [SIG.GO, B]],
    ['sig', [SIG.TICK, A]],
    ['sig', [77, B]],
    ['obj', A],
    ['fun', FUN.IDLE],
    ['str', 'end'],
    ['mem', Uint8Array.of(0x7d, 1)],
  );
  return stream.bytes();
}

/** Foreign bytes between two records, and a truncated one at the end. */
function damaged_calls() {
  const made = new CallTrace().entry(0, 0x08000106, LR.RESET);
  for (let i = 0; i < 20; i++) made.entry(44, 0x08000206, LR.THREAD);
  const bytes = [...made.bytes()];
  bytes.splice(10, 0, 1, 2, 3);
  return Uint8Array.from([...bytes, 0xc0, 0]);
}

/** A frame with a flipped byte, an undefined record number, a record that is too short, and a truncated last frame. */
function damaged_steps() {
  const stream = new QsStream().start().names();
  const damaged = stream.bytes().length + 3;
  for (let at = 100; at < 1000; at += 100) stream.step(at, 4, OBJ.A, FUN.IDLE);
  const bytes = stream.odd(99, 1, 2, 3).odd(10, 1).step(1200, 4, OBJ.A, FUN.IDLE).bytes();
  bytes[damaged] ^= 4;
  return Uint8Array.from([...bytes, 7, 10]);
}

/** @param {number} version */
function answers(version) {
  const { A, B, TIMER } = OBJ;
  const stream = new QsStream({ version }).start().names();
  const ask = (/** @type {0 | 1 | 2 | 3 | 4 | 5 | 7} */ kind, /** @type {number[]} */ ...fields) =>
    stream.raw(stream.encoder.query(50, kind, ...fields));
  ask(0, A, FUN.IDLE);
  if (version < 810) (ask(1, A, FUN.BUSY), ask(2, OBJ.POOL, 9, 8), ask(3, OBJ.QUEUE, 7, 6), ask(5, B));
  else (ask(1, 5, 1, 2, 3), ask(2, OBJ.POOL, 4, 5, 6, 16), ask(3, OBJ.QUEUE, 1, 2, 3), ask(5), ask(7, 1, 2, 3, 4, 32));
  ask(4, TIMER, A, 10, 20, SIG.TICK, 1);
  stream
    .raw(stream.encoder.peek(60, 4, 2, [0x1122, 0xfffe]))
    .rec('TARGET_DONE', 70, 16)
    .rec('TARGET_DONE', 70, 99)
    .rec('RX_STATUS', 3)
    .rec('RX_STATUS', 0x83);
  return stream.bytes();
}

/** @param {string[]} args */
function run(args) {
  const { stdout, stderr, status } = spawnSync(TOOL, ['dump', '--like', 'original', ...args], {
    cwd: folder.path,
    maxBuffer: 1 << 28,
  });
  return { lines: stdout.toString().replace(/\n$/, '').split('\n'), errors: stderr.toString(), status };
}
const file = (/** @type {string} */ name) => join(SAMPLES ?? '', name);

describe('dump --like original', () => {
  test('call traces: calls, logs, dumps with a line per byte', () => {
    expect(run(['calls.bin']).lines).toEqual([
      'main (0):  0.000000 <unknown function> <- <unknown function>',
      'IRQ28 (44):  0.000000 <unknown function> <- <unknown function>',
      'LOG: a?log',
      'Data dump: addr: 0x20000010 len 2 bytes',
      '0x01',
      '0xfe',
    ]);
  });

  test('bytes that are no record have a separate line with their position', () => {
    const own = (/** @type {string} */ name) =>
      run([name])
        .lines.filter((line) => line.startsWith('---'))
        .map((line) => line.replace(/ at \d+:/, ':'));
    expect(own('damaged-calls.bin')).toEqual(['--- 3 bytes: no record', '--- 2 bytes: cut record at the end']);
    expect(own('damaged-steps.bin')).toEqual([
      expect.stringMatching(/^--- \d+ bytes: wrong sum$/),
      expect.stringMatching(/^--- \d+ bytes: unknown record$/),
      expect.stringMatching(/^--- \d+ bytes: shorter than its fields$/),
      '--- 2 bytes: cut frame at the end',
    ]);
    expect(run(['damaged-calls.bin']).lines[1]).toBe('--- 3 bytes at 10: no record');
    expect(own('calls.bin')).toEqual([]);
  });

  test('QS: names that the recording contains, and the peculiar REARM line', () => {
    const { lines } = run(['steps.bin']);
    expect(lines.filter((line) => /Disp|Rarm/.test(line))).toEqual([
      expect.stringMatching(/^0+103 Disp===> Obj=0x20000100,Sig=/),
      expect.stringMatching(/^0+200 TE0-Rarm Obj=.*,Tim=5,Int=6,Was=1$/),
    ]);
  });

  test('QS: application values in their display widths, with their names', () => {
    expect(
      run(['values.bin'])
        .lines.filter((line) => / NOTE /.test(line))
        .slice(-3),
    ).toEqual([
      '0000000010 NOTE   -7 7 0xFF 0x00FF 0x000000FF 0x              FF    300    -5 -9223372036854775808 0x00BEEF 0xA',
      '0000000020 NOTE 1.000e-01 -1.23e+03 1.000e+01 0e+00 1.000000000000000e+300 inf 2e+00',
      '0000000030 NOTE BUSY 9 GO_SIG GO_SIG,Obj=Beta TICK_SIG,Obj=Alpha 00000077,Obj=0x20000200 Alpha Alpha_idle end 7d01',
    ]);
  });

  test('QS: replies to queries and commands', () => {
    const after = (/** @type {string} */ name) =>
      run([name])
        .lines.filter((line) => /Query|Trg-(Peek|Done|Ack|ERR)/.test(line))
        .map((line) => line.slice(11));
    const timer = 'Query-TE Obj=Alpha.timer,AO=Alpha,Tim=10,Int=20,Sig=TICK_SIG,Flags=1';
    const commands = [
      'Trg-Peek Offs=4,Size=2,Num=2,Data<1122,fffe>',
      'Trg-Done Rec=EVENT',
      'Trg-Done Rec=99',
      'Trg-Ack  Rec=TICK',
      'Trg-ERR  Rec=TICK',
    ];
    expect(after('answers.bin')).toEqual([
      'Query-SM Obj=Alpha,State=Alpha_idle',
      'Query-AO Obj=Alpha,State=Alpha_busy',
      'Query-MP Obj=EvtPool1,Free=9,Min=8',
      'Query-EQ Obj=Alpha.deferred,Que<Free=7,Min=6>',
      'Query-AP Obj=Beta',
      timer,
      ...commands,
    ]);
    expect(after('answers-new.bin')).toEqual([
      'Query-SM Obj=Alpha,State=Alpha_idle',
      'Query-AO Pri=5,Que<Use=1,Free=2,Min=3>',
      'Query-MP Obj=EvtPool1,Use=4,Free=5,Min=6,Size=16',
      'Query-EQ Obj=Alpha.deferred,Que<Use=1,Free=2,Min=3>',
      'Query-AP',
      'Query-EP Pool=1,Use=2,Free=3,Min=4,Size=32',
      timer,
      ...commands,
    ]);
  });

  test('other formats and other options are usage errors', () => {
    expect(run(['tasks.psf'])).toMatchObject({
      lines: [''],
      status: 2,
      errors: expect.stringContaining('prints call traces and QS recordings'),
    });
    expect(run(['--json', 'calls.bin']).status).toBe(2);
    expect(run(['--stage', 'events', 'calls.bin']).status).toBe(2);
    expect(run(['--event', 'call', 'calls.bin']).status).toBe(2);
  });

  test.skipIf(!SAMPLES || !existsSync(file('qs'))).each(['dpp_qp620_posix64', 'dpp_qp693_qk32'])(
    '%s: every line of its console program',
    (name) => {
      expect(run([file(`qs/${name}.bin`)]).lines).toEqual(
        readFileSync(file(`qs/${name}.txt`), 'latin1')
          .trimEnd()
          .split('\n'),
      );
    },
  );

  // The references name a return from an exception, while the tool looks its number up like any other.
  test
    .skipIf(!SAMPLES || !existsSync(file('cortexm')))
    .each(['f4_demo', 'f4_interleaved', 'f4_realtime', 'm3_oldflags'])(
    '%s: every call, log and dump of the reference',
    (name) => {
      const elf = existsSync(file(`cortexm/${name}.elf`)) ? name : 'f4_demo';
      const own = run(['--with', file(`cortexm/${elf}.elf`), file(`cortexm/${name}.bin`)]).lines;
      const wanted = readFileSync(file(`cortexm/${name}.txt`), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .flatMap((line) => {
          const call = /^\S+ (\S+)\((\d+)\) pc=\S+ lr=\S+ (.*) <- (.*?) depth=/.exec(line);
          if (call)
            return [
              `${call[1]} (${call[2]}): ${call[3]} <- ${call[4].replace('<exception return>', '<unknown function>')}`,
            ];
          const dump = /DATA addr=([0-9a-f]+) len=(\d+) ?([0-9a-f]*)/.exec(line);
          if (dump)
            return [
              `Data dump: addr: 0x${dump[1]} len ${dump[2]} bytes`,
              ...(dump[3].match(/../g) ?? []).map((byte) => `0x${byte}`),
            ];
          const log = /LOG len=\d+ "(.*)"$/.exec(line);
          return log ? [`LOG: ${log[1]}`] : [];
        });
      expect(own.map((line) => line.replace(/: {2}\d+\.\d{6} /, ': '))).toEqual(wanted);
    },
  );
});
