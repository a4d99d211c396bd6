// SPDX-License-Identifier: MIT
// Call traces on the command line: the outline, symbols and receive times given with a recording, and a target that is read while it sends.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { elf_file } from '../generator/elf.mjs';
import { Folder, TOOL, ended, start, tool } from './tool.mjs';

const PUMP = heatpump({ rounds: 40 });
const LONG = heatpump({ rounds: 1000 }).trace; // sending takes longer than any machine takes to show the first lines
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('pump.bin', PUMP.trace);
  folder.write('pump.times', PUMP.times);
  folder.write('pump.elf', heatpump_elf());
  folder.write('shifted.elf', heatpump_elf({ shift: 8 }));
  folder.write('no-code.elf', heatpump_elf({ code: false }));
  folder.write('stripped.elf', heatpump_elf({ kind: { stripped: true } }));
  folder.write(
    'other.elf',
    elf_file({ functions: [{ name: 'foreign', address: 0x60000000, size: 64, unit: 'other.c' }] }),
  );
});
afterAll(() => folder.remove());

/** @param {string[]} args */
function run(args) {
  const { stdout, stderr, status } = spawnSync(TOOL, args, { cwd: folder.path, maxBuffer: 1 << 28 });
  return { text: stdout.toString(), errors: stderr.toString(), status };
}

describe('call traces', () => {
  test('a dump is an outline: calls are indented, with file and line', () => {
    const lines = run(['dump', '--with', 'pump.elf', 'pump.bin']).text.split('\n');
    expect(lines[0]).toBe('               0 main         main  (0x08000206 main.c:40; called from reset)');
    expect(lines[1]).toBe(
      '               1 main           board_init  (0x08000266 main.c:12; called from 0x0800020a main+10 main.c:41)',
    );
    expect(lines[2]).toMatch(/^ {15}2 Log {10}heat pump 1\.4 {2}\(after board_init in main\)$/);
    expect(lines.find((line) => / read_channel /.test(line))).toMatch(/^ +\d+ main {15}read_channel/); // below main, loop and sensor_poll
    expect(
      lines.some((line) => / ADC1_2 {7}ADC1_2_IRQHandler {2}\(.*called from hardware, returns to \w+/.test(line)),
    ).toBe(true);
  });

  test('a symbol file of other firmware is reported and names nothing', () => {
    const { text, errors, status } = run(['dump', '--with', 'other.elf', 'pump.bin']);
    expect([status, errors]).toEqual([0, 'tonkopf: warning: other.elf: of other firmware: Tonkopf does not use it\n']);
    expect(text).not.toContain('foreign');
    expect(run(['dump', '--with', 'pump.elf', 'pump.bin']).errors).toBe('');
  });

  /** @param {string} recording @param {string[]} files */
  const facts = (recording, files) => {
    const report = JSON.parse(run(['info', '--json', ...files.flatMap((file) => ['--with', file]), recording]).text);
    const problems = report.problems.map((/** @type {{ id: string }} */ { id }) => id);
    return { ...report, problems };
  };

  test('each call agrees with the code of the right firmware', () => {
    const { symbols, problems } = facts('pump.bin', ['pump.elf']);
    expect(symbols[0]).toMatchObject({ calls_contradict: 0, handlers_contradict: 0 });
    expect(symbols[0].calls_agree + symbols[0].handlers_agree).toBe(PUMP.records - 1); // the first function has no caller
    expect(problems).toEqual(['TIME_ORDER']);
  });

  test('firmware with other code at the same addresses is rejected with the reason, and names nothing', () => {
    const { symbols, problems, functions } = facts('pump.bin', ['shifted.elf']);
    expect(symbols[0]).toMatchObject({ calls_agree: 0, handlers_agree: 0, found: 0 });
    expect(symbols[0].calls_contradict).toBeGreaterThan(0.9 * facts('pump.bin', ['pump.elf']).symbols[0].calls_agree);
    expect(symbols[0].note).toMatch(/^of another build/);
    expect(problems.sort()).toEqual(['SYMBOLS_CONTRADICTED', 'TIME_ORDER']);
    expect(functions.every((/** @type {{ name: string }} */ { name }) => name.startsWith('0x'))).toBe(true);
  });

  test('of several symbol files the matching one is used, in any order', () => {
    const right = facts('pump.bin', ['pump.elf']).functions;
    for (const files of [
      ['shifted.elf', 'stripped.elf', 'pump.elf'],
      ['pump.elf', 'shifted.elf'],
      ['no-code.elf', 'pump.elf', 'shifted.elf'],
    ])
      expect(facts('pump.bin', files).functions, files.join()).toEqual(right);
  });

  test('a file without symbols is reported as such, not as other firmware', () => {
    const { symbols, problems, functions } = facts('pump.bin', ['stripped.elf']);
    expect(problems.sort()).toEqual(['SYMBOLS_NONE', 'TIME_ORDER']);
    expect(symbols[0]).toMatchObject({ functions: 0, note: 'it contains no functions: it was stripped' });
    expect(functions).toEqual(facts('pump.bin', []).functions);
  });

  test('a symbol file without code is used, and reported as unverified', () => {
    const { symbols, functions } = facts('pump.bin', ['no-code.elf']);
    expect(symbols[0]).toMatchObject({ calls_agree: 0, calls_contradict: 0, note: expect.stringMatching(/^unproven/) });
    expect(functions).toEqual(facts('pump.bin', ['pump.elf']).functions);
  });

  test('compressed line tables are read, or reported as unsupported', () => {
    const lines_of = (/** @type {'zlib' | 'zdebug' | 'zstd' | undefined} */ compressed) => {
      folder.write('lines.elf', heatpump_elf({ kind: { compressed } }));
      return facts('pump.bin', ['lines.elf']).symbols[0];
    };
    const plain = lines_of(undefined);
    expect(plain.lines_found).toBeGreaterThan(20);
    for (const how of /** @type {const} */ (['zlib', 'zdebug']))
      expect(lines_of(how), how).toMatchObject({ lines: plain.lines, lines_found: plain.lines_found, note: '' });
    expect(lines_of('zstd')).toMatchObject({ lines: 0, note: expect.stringContaining('zstd') });
  });

  test('records that the firmware cannot have written are counted and not used', () => {
    const broken = Buffer.from(PUMP.trace);
    const call = broken.indexOf(Buffer.from('c0000800', 'hex'), 2000);
    broken[call + 9] ^= 0x10; // the return address of one call
    folder.write('broken.bin', broken);
    const found = facts('broken.bin', ['pump.elf']);
    expect(found.problems).toContain('CALL_CONTRADICTS');
    expect(found.symbols[0].calls_contradict).toBe(1);
    const calls = (/** @type {{ functions: { calls: number }[] }} */ report) =>
      report.functions.reduce((sum, { calls }) => sum + calls, 0);
    expect(calls(found)).toBe(calls(facts('pump.bin', ['pump.elf'])) - 1);
    expect(facts('broken.bin', []).problems).toEqual(['TIME_ORDER']); // each byte is valid in a record
  });

  /** The function records of the heat pump: offset, vector, PC and LR. */
  const records = () =>
    run(['dump', '--stage', 'records', '--json', 'pump.bin'])
      .text.split('\n')
      .filter((line) => line.includes('"FUNCTION"'))
      .map((line) => JSON.parse(line))
      .map(({ offset, fields }) => ({
        offset: Number(offset),
        vector: Number(fields.vector),
        pc: Number(fields.pc),
        lr: Number(fields.lr),
      }));
  const SCALE = { from: 0x08000200, to: 0x08000800 }; // the code
  const is_call = (/** @type {{ lr: number }} */ { lr }) => lr >= SCALE.from && lr < SCALE.to;
  /** Changes one record that fits, late in the recording, and returns the facts of the result beside those of the intact recording.
   * @param {(record: { vector: number, pc: number, lr: number }) => boolean} fits
   * @param {(bytes: Buffer, at: number) => void} change */
  function with_changed_record(fits, change) {
    const bytes = Buffer.from(PUMP.trace),
      all = records(),
      found = all.slice(all.length >> 1).find(fits);
    expect(found).toBeDefined();
    change(bytes, /** @type {any} */ (found).offset);
    folder.write('changed.bin', bytes);
    const contexts = (/** @type {string} */ name) =>
      JSON.parse(run(['info', '--json', '--with', 'pump.elf', name]).text).contexts.map(
        (/** @type {{ id: number, name: string }} */ { id, name }) => `${id} ${name}`,
      );
    return { ...facts('changed.bin', ['pump.elf']), contexts: contexts('changed.bin'), intact: contexts('pump.bin') };
  }

  test('an address in no function after a call whose target is known contradicts the code', () => {
    const { problems } = with_changed_record(is_call, (bytes, at) => (bytes[at + 2] ^= 0x10));
    expect(problems).toContain('CALL_CONTRADICTS');
  });

  test('a return address in no function is reported: the code may belong to another program', () => {
    const { problems } = with_changed_record(is_call, (bytes, at) => (bytes[at + 6] ^= 0x10));
    expect(problems).toContain('ADDRESS_UNKNOWN');
    expect(facts('pump.bin', ['pump.elf']).problems).toEqual(['TIME_ORDER']);
  });

  test.each([
    ['that the vector table does not contain', is_call, 200],
    ['with the handler of another one', (/** @type {{ lr: number }} */ { lr }) => lr === 0xfffffff9, 60],
    ['in thread mode, entered by the hardware', (/** @type {{ lr: number }} */ { lr }) => lr === 0xfffffff9, 0],
  ])('an exception %s contradicts the firmware', (_, fits, vector) => {
    const { problems, contexts, intact } = with_changed_record(fits, (bytes, at) => (bytes[at + 1] = vector));
    expect(problems).toContain('CALL_CONTRADICTS');
    expect(contexts).toEqual(intact);
  });

  test('a handler whose only record is a call by a function that was not entered in it is uncertain', () => {
    const traced = new Set(records().map(({ pc }) => pc - 6)); // starts of functions with a trace point
    const owner = (/** @type {number} */ lr) => Math.max(...[...traced, 0x08000200].filter((start) => start < lr));
    const fits = (/** @type {{ vector: number, pc: number, lr: number }} */ { vector, lr }) =>
      vector === 0 && is_call({ lr }) && traced.has(owner(lr)) && owner(lr) !== 0x08000200;
    const { problems, contexts, intact } = with_changed_record(fits, (bytes, at) => (bytes[at + 1] = 60));
    expect(problems).toEqual(expect.arrayContaining(['CALLER_NOT_ENTERED', 'ENTITY_UNCERTAIN']));
    expect(contexts).toEqual(intact);
  });

  test('records count as a microsecond each, and a range selects by that time', () => {
    const whole = JSON.parse(run(['info', '--json', 'pump.bin']).text);
    const end = Number(whole.time.end);
    const inside = run(['info', '--from', `${end - 100}us`, 'pump.bin']);
    expect(inside.errors).not.toContain('nothing is left');
    expect(inside.text).toMatch(new RegExp(`From +${end - 100} records`));
    expect(run(['info', '--from', `${end + 1}us`, 'pump.bin']).errors).toContain(
      `, after the end of the recording, ${end} records`,
    );
  });

  test('--stage selects another stage', () => {
    expect(run(['dump', '--stage', 'events', 'pump.bin']).text).toContain(' event="call" ');
    expect(
      run(['dump', '--event', 'call', 'pump.bin'])
        .text.split('\n')
        .every((line) => !line || line.includes(' event="call" ')),
    ).toBe(true);
  });

  test('records and frames are listed in the order of the stream', () => {
    const records = run(['dump', '--stage', 'records', '--json', 'pump.bin'])
      .text.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records[0]).toMatchObject({
      offset: '0',
      record: 'FUNCTION',
      fields: { vector: '0', pc: '0x8000206', lr: '0xffffffff' },
    });
    expect(records[2]).toMatchObject({ record: 'ASCII_LOG', fields: { length: '13', text: 'heat pump 1.4' } });
    expect(records.reduce((sum, { record }) => sum + Number(record === 'DATA_DUMP'), 0)).toBeGreaterThan(5);
    const frames = run(['dump', '--stage', 'frames', '--json', 'pump.bin'])
      .text.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(frames.length).toBe(records.length);
    expect(frames.reduce((sum, { length }) => sum + length, 0)).toBe(PUMP.trace.length);
  });

  test('symbols and receive times are found beside the recording', () => {
    const { stdout } = spawnSync(TOOL, ['info', '--json', 'pump.bin', 'pump.elf', 'pump.times'], { cwd: folder.path });
    const report = JSON.parse(stdout.toString());
    expect(report.inputs.map((/** @type {{ role: string }} */ { role }) => role).sort()).toEqual([
      'recording',
      'symbols',
      'times',
    ]);
    expect(report.contexts.map((/** @type {{ name: string }} */ { name }) => name).sort()).toEqual([
      'ADC1_2',
      'EXTI0',
      'SysTick',
      'USART1',
      'main',
    ]);
    expect(report.functions.find((/** @type {{ name: string }} */ { name }) => name === 'clamp').calls).toBe(80);
    expect(report.problems.map((/** @type {{ id: string }} */ { id }) => id)).not.toContain('TIME_ORDER');
  });
});

test('a live target is printed as it sends, and --keep stores bytes and receive times', async () => {
  const args = ['dump', '--with', folder.at('pump.elf'), '--keep', folder.at('kept.bin'), '-'];
  const child = start(args);
  const done = ended(child);
  let shown = '';
  /** @type {Promise<void>} */
  const first = new Promise((resolve) =>
    child.stdout?.on('data', (text) => (shown += text).includes('board_init') && resolve()),
  );
  child.stdin?.write(PUMP.trace.subarray(0, 400));
  await first; // before the rest was sent
  child.stdin?.end(PUMP.trace.subarray(400));
  const { code, text } = await done;
  expect(code).toBe(0);
  expect(text.split('\n').length).toBeGreaterThan(500);
  expect(readFileSync(folder.at('kept.bin'))).toEqual(Buffer.from(PUMP.trace));
  const moments = readFileSync(folder.at('kept.bin.times'), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(' ').map(Number));
  expect(moments.slice(0, 3)).toEqual([
    [0, 0],
    [399, 0],
    [400, expect.any(Number)],
  ]);
  expect(
    (await tool(['dump', '--with', folder.at('pump.elf'), folder.at('kept.bin'), folder.at('kept.bin.times')])).text,
  ).toBe(text);
});

/** Simulates a serial port with a terminal: prints its path and sends the start of a file slowly, without a pause, and the rest after a
 * line on its input. */
const PORT = `
import os, pty, select, sys, tty
master, port = pty.openpty()
tty.setraw(port)
print(os.ttyname(port), flush=True)
sys.stdin.readline()
data, at = open(sys.argv[1], 'rb').read(), 0
while not select.select([sys.stdin], [], [], 0.03)[0]:
    at += os.write(master, data[at:at + 100])
sys.stdin.readline()
while at < len(data): at += os.write(master, data[at:at + 400])
sys.stdin.readline()
`;
const HAS_PORTS = process.platform === 'linux' && spawnSync('python3', ['-c', 'import pty']).status === 0;

test.skipIf(!HAS_PORTS).each(['by its path', 'as standard input'])(
  'a serial port, %s, is shown while it sends, each block has its receive time, Ctrl-C ends with the bytes so far',
  async (way) => {
    const port = spawn('python3', ['-c', PORT, folder.write('long.bin', LONG)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const path = (await createInterface({ input: port.stdout })[Symbol.asyncIterator]().next()).value,
      kept = folder.at(`port ${way}.bin`);
    const input = way === 'by its path' ? undefined : openSync(path, constants.O_RDONLY | constants.O_NOCTTY);
    const child = start(['dump', '--with', folder.at('pump.elf'), '--keep', kept, input === undefined ? path : '-'], {
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
    });
    const done = ended(child),
      shown = new Promise((resolve) => child.stdout?.once('data', resolve));
    if (input !== undefined) closeSync(input);
    port.stdin.write('send\n');
    const hasMore = async (/** @type {number} */ bytes) => {
      while (statSync(kept).size < bytes) await new Promise((resolve) => setTimeout(resolve, 20));
      return statSync(kept).size;
    };
    await shown;
    const before = await hasMore(statSync(kept).size + 4096); // on a busy machine the first lines arrive together, and a terminal gives at most that at once
    port.stdin.write('the rest\n');
    await hasMore(LONG.length);
    child.kill('SIGINT');
    const { code, text, errors } = await done;
    port.stdin.end('end\n');
    expect([code, errors]).toEqual([130, expect.stringContaining(`stopped after ${LONG.length} bytes`)]);
    expect(readFileSync(kept)).toEqual(Buffer.from(LONG));
    expect(before).toBeLessThan(LONG.length);
    const moments = readFileSync(`${kept}.times`, 'utf8')
      .split('\n')
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split(' ').map(Number));
    expect(new Set(moments.filter(([at]) => at < before).map(([, ns]) => ns)).size).toBeGreaterThan(1);
    expect(moments.every(([, ns], i) => !i || ns >= moments[i - 1][1])).toBe(true);
    expect((await tool(['dump', '--with', folder.at('pump.elf'), kept, `${kept}.times`])).text).toBe(text);
  },
);

test('--keep overwrites no file', async () => {
  folder.write('there.bin', 'precious');
  const { code, errors } = await tool(['dump', '--keep', folder.at('there.bin'), '-'], { input: PUMP.trace });
  expect([code, errors]).toEqual([3, expect.stringContaining('exists')]);
  expect(readFileSync(folder.at('there.bin'), 'utf8')).toBe('precious');
  expect(existsSync(folder.at('there.bin.times'))).toBe(false);
});
