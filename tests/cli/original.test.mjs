// SPDX-License-Identifier: MIT
// Dumps as the tools print them that formats come with: real recordings against what those printed, line by line.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallTrace, LR } from '../generator/cortexm.mjs';
import { QsStream } from '../generator/golden-qs-stream.mjs';
import { PsfStream } from '../generator/golden-psf-stream.mjs';
import { Folder, ROOT, TOOL } from './tool.mjs';

const SCRIPT = process.env.TONKOPF_NODE_CLI ?? join(ROOT, 'lib/cli.js');
const SAMPLES = process.env.TONKOPF_SAMPLES;
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('calls.bin', new CallTrace().entry(0, 0x08000106, LR.RESET).entry(44, 0x08000206, LR.THREAD).log('a\tlog').dump(0x20000010, [1, 0xfe]).bytes());
  folder.write('steps.bin', new QsStream().start().step(100, 4, 0x20000100, 0x08000101).rec('QF_TIMEEVT_REARM', 200, 0x20000300, 0x20000100, 5, 6, 1, 0).bytes());
  folder.write('tasks.psf', new PsfStream().start().tasks().bytes());
});
afterAll(() => folder.remove());

const programs = { native: [TOOL], Node: [process.execPath, SCRIPT] };
/** @param {string[]} program @param {string[]} args */
function run([command, ...before], args) {
  const { stdout, stderr, status } = spawnSync(command, [...before, 'dump', '--like', 'original', ...args], { cwd: folder.path, maxBuffer: 1 << 28 });
  return { lines: stdout.toString().replace(/\n$/, '').split('\n'), errors: stderr.toString(), status };
}
const file = (/** @type {string} */ name) => join(SAMPLES ?? '', name);

describe.each(Object.entries(programs))('%s', (_, program) => {
  test('call traces: calls, logs, dumps with a line per byte', () => {
    expect(run(program, ['calls.bin']).lines).toEqual([
      'main (0):  0.000000 <unknown function> <- <unknown function>', 'IRQ28 (44):  0.000000 <unknown function> <- <unknown function>', 'LOG: a?log', 'Data dump: addr: 0x20000010 len 2 bytes', '0x01', '0xfe',
    ]);
  });

  test('QS: names as far as they are known, the quirk of REARM', () => {
    const { lines } = run(program, ['steps.bin']);
    expect(lines.filter((line) => /Disp|Rarm/.test(line))).toEqual([expect.stringMatching(/^0+103 Disp===> Obj=0x20000100,Sig=/), expect.stringMatching(/^0+200 TE0-Rarm Obj=.*,Tim=5,Int=6,Was=1$/)]);
  });

  test('other formats and other options are wrong usage', () => {
    expect(run(program, ['tasks.psf'])).toMatchObject({ lines: [''], status: 2, errors: expect.stringContaining('prints call traces and QS recordings') });
    expect(run(program, ['--json', 'calls.bin']).status).toBe(2);
    expect(run(program, ['--stage', 'events', 'calls.bin']).status).toBe(2);
    expect(run(program, ['--event', 'call', 'calls.bin']).status).toBe(2);
  });

  test.skipIf(!SAMPLES || !existsSync(file('qs'))).each(['dpp_qp620_posix64', 'dpp_qp693_qk32'])('%s: every line of its console program', (name) => {
    expect(run(program, [file(`qs/${name}.bin`)]).lines).toEqual(readFileSync(file(`qs/${name}.txt`), 'latin1').trimEnd().split('\n'));
  });

  // The references name a return from an exception, the tool looks its number up like any other.
  test.skipIf(!SAMPLES || !existsSync(file('cortexm'))).each(['f4_demo', 'f4_interleaved', 'f4_realtime', 'm3_oldflags'])('%s: every call, log and dump of the reference', (name) => {
    const elf = existsSync(file(`cortexm/${name}.elf`)) ? name : 'f4_demo';
    const own = run(program, ['--with', file(`cortexm/${elf}.elf`), file(`cortexm/${name}.bin`)]).lines;
    const wanted = readFileSync(file(`cortexm/${name}.txt`), 'utf8').trimEnd().split('\n').slice(1).flatMap((line) => {
      const call = /^\S+ (\S+)\((\d+)\) pc=\S+ lr=\S+ (.*) <- (.*?) depth=/.exec(line);
      if (call) return [`${call[1]} (${call[2]}): ${call[3]} <- ${call[4].replace('<exception return>', '<unknown function>')}`];
      const dump = /DATA addr=([0-9a-f]+) len=(\d+) ?([0-9a-f]*)/.exec(line);
      if (dump) return [`Data dump: addr: 0x${dump[1]} len ${dump[2]} bytes`, ...(dump[3].match(/../g) ?? []).map((byte) => `0x${byte}`)];
      const log = /LOG len=\d+ "(.*)"$/.exec(line);
      return log ? [`LOG: ${log[1]}`] : [];
    });
    expect(own.map((line) => line.replace(/: {2}\d+\.\d{6} /, ': '))).toEqual(wanted);
  });
});
