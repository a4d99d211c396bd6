// SPDX-License-Identifier: MIT
// The command record: every source on which it can be tried without hardware, and every way to its end (docs/LIVE.md).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, TOOL, ended, hasRead, start, tool } from './tool.mjs';

const recording = Buffer.from(motor_recording({ bytes: 60_000 }));
/** @type {Folder} */
let folder;
/** @type {import('node:child_process').ChildProcess[]} */
let running = [];
/** @type {net.Server[]} */
let servers = [];
beforeEach(() => (folder = new Folder()));
afterEach(async () => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  for (const server of servers) server.close();
  running = [];
  servers = [];
  folder.remove();
});

/** Starts a server; port 0: any. @param {(socket: net.Socket) => void} serve @param {number} [port] @returns {Promise<number>} */
async function listen(serve, port = 0) {
  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => {}); // the program closes its end when it has enough
    serve(socket);
  });
  servers.push(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return /** @type {net.AddressInfo} */ (server.address()).port;
}

/** Starts the command. @param {string[]} args */
function record(...args) {
  const child = start(['record', ...args], { cwd: folder.path });
  running.push(child);
  return { child, result: ended(child) };
}

/** Waits until a file has this many bytes. @param {string} name @param {number} bytes */
const holds = (name, bytes) =>
  expect
    .poll(() => (existsSync(folder.at(name)) ? readFileSync(folder.at(name)).length : 0))
    .toBeGreaterThanOrEqual(bytes);

const read = (/** @type {string} */ name) => readFileSync(folder.at(name));

/** Expects that the trace equals that of the recorded bytes. @param {string} raw @param {string} trace */
async function expectSame(raw, trace) {
  expect((await tool(['conv', '-q', raw, '-o', 'again.pftrace'], { cwd: folder.path })).code).toBe(0);
  expect(read('again.pftrace').equals(read(trace))).toBe(true);
}

const stopped = { code: 0, signal: null };

describe('TCP', () => {
  test.each(['SIGINT', 'SIGTERM'])('%s ends the recording with both files complete', async (signal) => {
    const port = await listen(async (socket) => {
      for (let at = 0; at < recording.length; at += 977) {
        socket.write(recording.subarray(at, at + 977));
        await pause(1);
      }
    });
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--trace', 'run.pftrace');
    await holds('run.bin', recording.length);
    child.kill(/** @type {any} */ (signal));
    expect(await result).toMatchObject(stopped);
    expect(read('run.bin').equals(recording)).toBe(true);
    expect(read('run.bin.times').toString()).toMatch(/^# cortexm-times 1\n.*\n0 0\n/);
    await expectSame('run.bin', 'run.pftrace');
  });

  test('waits for a server, and again after a connection ends: one restart', async () => {
    const port = await listen(() => {});
    servers.pop()?.close();
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--trace', 'run.pftrace', '-v');
    let said = '';
    child.stderr?.on('data', (piece) => (said += piece));
    await expect.poll(() => said).toContain(`waiting for tcp:127.0.0.1:${port}`);
    await listen((socket) => void socket.end(recording), port);
    await expect.poll(() => said).toContain('is back');
    await holds('run.bin', 2 * recording.length);
    child.kill('SIGINT');
    const { code, errors } = await result;
    expect(code).toBe(0);
    expect(errors).toContain('is there');
    expect(errors).toMatch(/is gone \(the server closed the connection\)/);
    expect(
      read('run.bin')
        .subarray(0, 2 * recording.length)
        .equals(Buffer.concat([recording, recording])),
    ).toBe(true);
    await expectSame('run.bin', 'run.pftrace');
  });

  test('--duration ends the recording, also if nothing comes', async () => {
    const port = await listen((socket) => void socket.write(recording));
    expect(await record(`tcp:127.0.0.1:${port}`, '--duration', '300ms').result).toMatchObject(stopped);
    expect(read('recording-1.bin').equals(recording)).toBe(true);
    expect(await record(`tcp:127.0.0.1:${port}`, '--duration', '300ms').result).toMatchObject(stopped);
    expect(read('recording-2.bin').equals(recording)).toBe(true);
    const silent = await listen(() => {});
    const { code, errors } = await record(`tcp:127.0.0.1:${silent}`, '--duration', '300ms').result;
    expect(code).toBe(3);
    expect(errors).toContain('The input is empty');
    expect(existsSync(folder.at('recording-3.bin'))).toBe(false);
    expect(existsSync(folder.at('recording-3.bin.times'))).toBe(false);
  });

  test('--until knows durations while the recording goes on', async () => {
    const port = await listen((socket) => void socket.write(recording)); // the connection stays open
    const { code, errors } = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--until', 'time.duration>300ms')
      .result;
    expect(code).toBe(0);
    expect(errors).toContain('ended by time.duration>300ms');
  });

  test('--after records what follows after the rule of --until is fulfilled', async () => {
    const first = recording.subarray(0, 40_000);
    const port = await listen(async (socket) => {
      socket.write(first);
      await expect.poll(() => existsSync(folder.at('run.bin')) && read('run.bin').length).toBe(first.length);
      await pause(400); // longer than figures are not looked at
      socket.write(recording.subarray(40_000));
    });
    const rule = ['--until', 'markers[flash].count>0', '--after', '3s'];
    const { code, errors } = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', ...rule).result;
    expect(code).toBe(0);
    expect(errors).toContain('ended by markers[flash].count>0');
    expect(read('run.bin').length).toBe(recording.length);
    const { code: refused, errors: why } = await record('tcp:127.0.0.1:1', '--after', '1s').result;
    expect([refused, why]).toEqual([2, expect.stringContaining('--after needs --until')]);
  });

  test('--until ends the recording as soon as the rule is fulfilled', async () => {
    const port = await listen(async (socket) => {
      for (let at = 0; !socket.destroyed; at = at < recording.length ? at + 500 : at) {
        socket.write(recording.subarray(at, at + 500));
        await pause(20);
      }
    });
    const { code, errors } = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--until', 'events.total>1000')
      .result;
    expect(code).toBe(0);
    expect(errors).toContain('ended by events.total>1000');
    const { text } = await tool(['info', '--json', 'run.bin'], { cwd: folder.path });
    expect(JSON.parse(text).events.total).toBeGreaterThan(1000);
    expect(read('run.bin').length).toBeLessThan(recording.length);
  });

  test('--rules judges the recording as `check` does', async () => {
    folder.write('limits.rules', 'events.lost == 0\nevents.total < 10\n');
    const port = await listen((socket) => void socket.write(recording));
    const { code, text } = await record(
      `tcp:127.0.0.1:${port}`,
      '-o',
      'run.bin',
      '--duration',
      '300ms',
      '--rules',
      'limits.rules',
    ).result;
    const checked = await tool(['check', 'limits.rules', 'run.bin'], { cwd: folder.path });
    expect(code).toBe(1);
    expect(text).toBe(checked.text);
    expect(text).toContain('events.total < 10');
  });

  test('--rules judges also what Ctrl-C has ended', async () => {
    folder.write('limits.rules', 'events.lost == 0\n');
    const port = await listen((socket) => void socket.write(recording));
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--rules', 'limits.rules');
    await holds('run.bin', recording.length);
    child.kill('SIGINT');
    const { code, text } = await result;
    expect(text).toContain('1 holds');
    expect(code).toBe(0);
  });

  test('rules that are missing or wrong are reported before anything is recorded', async () => {
    folder.write('wrong.rules', 'events.lost ==\n');
    const port = await listen((socket) => void socket.write(recording));
    const missing = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--rules', 'missing.rules').result;
    expect(missing.code).toBe(3);
    expect(missing.errors).toContain('missing.rules');
    const wrong = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--rules', 'wrong.rules').result;
    expect(wrong.code).toBe((await tool(['check', 'wrong.rules', 'run.bin'], { cwd: folder.path })).code);
    expect(wrong.text).toContain('wrong.rules:1');
    expect(existsSync(folder.at('run.bin'))).toBe(false);
  });

  test.each([
    ['the recording', ['--trace', './run.bin'], 'is named twice'],
    ['its times', ['--trace', 'run.bin.times'], 'is named twice'],
    ['the rules', ['--trace', './limits.rules', '--rules', 'limits.rules'], 'is named twice'],
    ['another input', ['--trace', 'first.bin', '--with', 'first.bin'], 'is an input'],
    ['the verdicts', ['--trace', '-', '--rules', 'limits.rules'], 'the verdicts of --rules are on standard output'],
  ])('the trace does not replace %s', async (_, options, message) => {
    folder.write('limits.rules', 'events.lost == 0\n');
    folder.write('first.bin', recording);
    const port = await listen((socket) => void socket.write(recording));
    const { code, errors } = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', ...options).result;
    expect(errors).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(folder.at('run.bin'))).toBe(false);
    expect(read('limits.rules').toString()).toBe('events.lost == 0\n');
    expect(read('first.bin').equals(recording)).toBe(true);
  });

  test('a server that closes each connection immediately is reported once', async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections++;
      socket.end(connections > 3 ? recording : '');
    });
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin');
    await holds('run.bin', recording.length);
    child.kill('SIGINT');
    const { errors } = await result;
    expect(errors.split('\n').filter((line) => / is (gone|back)/.test(line))[1]).toContain('is back');
  });

  test.skipIf(process.platform === 'win32')('a disk that is full ends the recording', async () => {
    const port = await listen((socket) => void socket.write(Buffer.concat([recording, recording])));
    const child = spawn(
      'sh',
      ['-c', 'ulimit -f 40; exec "$0" record "$@"', TOOL, `tcp:127.0.0.1:${port}`, '-o', 'run.bin'],
      { cwd: folder.path },
    );
    running.push(child);
    const { code, errors } = await ended(child);
    expect(code).toBe(4);
    expect(errors).toMatch(/run\.bin: cannot be written: .+/);
    expect(errors).not.toContain('-> run.bin');
    const kept = read('run.bin');
    expect(kept.equals(Buffer.concat([recording, recording]).subarray(0, kept.length))).toBe(true);
  });

  test('keeps bytes that no format recognises, until the end', async () => {
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * at * 7919) >> 5));
    const port = await listen((socket) => void socket.write(noise));
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'noise.bin', '--trace', 'noise.pftrace');
    await holds('noise.bin', noise.length);
    child.kill('SIGINT');
    const { code, errors } = await result;
    expect(code).toBe(3);
    expect(errors).toContain('not recognised');
    expect(read('noise.bin').equals(noise)).toBe(true);
    expect(existsSync(folder.at('noise.pftrace'))).toBe(false);
  });

  test('a file that exists is not overwritten', async () => {
    folder.write('run.bin', 'kept');
    const port = await listen((socket) => void socket.write(recording));
    const { code, errors } = await record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin').result;
    expect(code).toBe(3);
    expect(errors).toContain('run.bin: cannot be written, or exists');
    expect(read('run.bin').toString()).toBe('kept');
  });
});

describe("J-Link's telnet server", () => {
  const greeting =
    'SEGGER J-Link V8.10 - Real time terminal output\r\nJ-Link V11 compiled today, SN=1\r\nProcess: JLinkExe\r\n';

  test.each([
    ['in one piece', [greeting, recording]],
    ['byte by byte', [...greeting].concat(/** @type {any} */ ([recording]))],
    ['missing', [recording]],
    ['missing, with bytes that look like its beginning', ['SEG', 'GER', recording]],
  ])('chooses the channel, and skips the greeting: %s', async (_, pieces) => {
    let asked = '';
    const port = await listen(async (socket) => {
      socket.on('data', (piece) => (asked += piece));
      for (const piece of pieces) {
        socket.write(piece);
        await pause(1);
      }
    });
    const { child, result } = record(`jlink:127.0.0.1:${port}/2`, '-o', 'run.bin');
    const expected = Buffer.concat([Buffer.from(pieces[0] === 'SEG' ? 'SEGGER' : ''), recording]);
    await holds('run.bin', expected.length);
    child.kill('SIGINT');
    expect(await result).toMatchObject(stopped);
    expect(asked).toBe('$$SEGGER_TELNET_ConfigStr=RTTCh;2$$');
    expect(read('run.bin').equals(expected)).toBe(true);
  });
});

describe('pipes', () => {
  test('standard input ends by itself', async () => {
    const { child, result } = record('-', '-o', 'run.bin', '--trace', 'run.pftrace');
    child.stdin?.end(recording);
    expect(await result).toMatchObject(stopped);
    expect(read('run.bin').equals(recording)).toBe(true);
    await expectSame('run.bin', 'run.pftrace');
  });

  test('what has to be read again from its beginning: an archive', async () => {
    folder.write('motor.bin', recording);
    folder.write('again.bin', recording);
    for (const [archive, names] of /** @type {[string, string[]][]} */ ([
      ['one.zip', ['motor.bin']],
      ['two.zip', ['motor.bin', 'again.bin']],
    ]))
      execFileSync('python3', ['-m', 'zipfile', '-c', archive, ...names], { cwd: folder.path });
    const one = record('-', '-o', 'one.kept', '--trace', 'one.pftrace');
    one.child.stdin?.end(read('one.zip'));
    expect(await one.result).toMatchObject(stopped);
    expect(read('one.kept').equals(read('one.zip'))).toBe(true);
    await expectSame('one.kept', 'one.pftrace');
    const two = record('-', '-o', 'two.kept', '--trace', 'two.pftrace');
    two.child.stdin?.end(read('two.zip'));
    const { code, errors } = await two.result;
    expect(code).toBe(4);
    expect(errors).toContain('`tonkopf conv two.kept` writes a trace for each');
    expect(read('two.kept').equals(read('two.zip'))).toBe(true);
    expect(existsSync(folder.at('two.pftrace'))).toBe(false);
  });

  test('--with gives the names that a late recording lacks', async () => {
    const late = recording.subarray(recording.indexOf(0, 30_000) + 1);
    folder.write('first.bin', recording.subarray(0, recording.indexOf(0, 20_000) + 1));
    folder.write('late.bin', late);
    const { child, result } = record('-', '-o', 'run.bin', '--trace', 'run.pftrace', '--with', 'first.bin');
    child.stdin?.end(late);
    expect(await result).toMatchObject(stopped);
    const options = ['conv', '-q', 'late.bin', '--with', 'first.bin', '-o', 'again.pftrace'];
    expect((await tool(options, { cwd: folder.path })).code).toBe(0);
    expect(read('again.pftrace').equals(read('run.pftrace'))).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('Ctrl-C while a named pipe waits for its writer', async () => {
    execFileSync('mkfifo', [folder.at('fifo')]);
    const { child, result } = record('fifo', '-o', 'run.bin');
    await expect.poll(() => existsSync(folder.at('run.bin'))).toBe(true);
    await pause(100); // until it waits
    child.kill('SIGINT');
    const { code, errors } = await result;
    expect(errors).not.toContain('Interrupted');
    expect(code).toBe(3);
  });

  test('Ctrl-C ends an open pipe', async () => {
    const { child, result } = record('-', '-o', 'run.bin');
    child.stdin?.write(recording);
    await hasRead(child, recording.length);
    child.kill('SIGINT');
    expect(await result).toMatchObject(stopped);
    expect(read('run.bin').equals(recording)).toBe(true);
  });
});

// A pseudo terminal behaves like a serial port, but for line errors. The program below prints its path, sends what arrives on its standard input, and ends.
const TERMINAL = `
import os, pty, sys, tty, termios
master, slave = pty.openpty()
tty.setraw(master)
print(os.ttyname(slave), flush=True)
if len(sys.argv) > 1: os.close(slave)
data = sys.stdin.buffer.read()
while data:
    data = data[os.write(master, data[:4096]):]
sys.stdin = open('/dev/null')
mode = termios.tcgetattr(master)
print(mode[4], mode[5], flush=True)
import time
time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 600)
`;

describe.skipIf(process.platform === 'win32')('serial ports', () => {
  /** Starts a pseudo terminal. @returns {Promise<{ terminal: import('node:child_process').ChildProcess, port: string }>} */
  async function openTerminal() {
    const terminal = spawn('python3', ['-c', TERMINAL], { stdio: ['pipe', 'pipe', 'inherit'] });
    running.push(terminal);
    const [port] = await once(/** @type {any} */ (terminal.stdout), 'data');
    return { terminal, port: String(port).trim() };
  }

  test('a rate that no constant of the system has', async () => {
    const { terminal, port } = await openTerminal();
    const { child, result } = record(`serial:${port}@1234567`, '-o', 'run.bin', '--trace', 'run.pftrace');
    await expect.poll(() => existsSync(folder.at('run.bin'))).toBe(true);
    terminal.stdin?.end(recording);
    await holds('run.bin', recording.length);
    child.kill('SIGINT');
    expect(await result).toMatchObject(stopped);
    expect(read('run.bin').equals(recording)).toBe(true);
    await expectSame('run.bin', 'run.pftrace');
  });

  test('a port that is unplugged: the recording waits for it', async () => {
    const { terminal, port } = await openTerminal();
    const { child, result } = record(`serial:${port}@115200`, '-o', 'run.bin');
    let said = '';
    child.stderr?.on('data', (piece) => (said += piece));
    terminal.stdin?.end(recording);
    await holds('run.bin', recording.length);
    terminal.kill();
    await expect.poll(() => said).toContain(`serial:${port}@115200 is gone`);
    child.kill('SIGINT');
    expect(await result).toMatchObject(stopped);
    expect(read('run.bin').equals(recording)).toBe(true);
  });
});

/** A debugger's server over a memory image from 0x20000000 on, which answers in the ways that servers do. @param {Buffer} memory @param {{ acknowledges?: boolean, fails?: boolean, detaches?: boolean, speaks?: boolean, answerMs?: number }} [ways] */
function debuggersServer(
  memory,
  { acknowledges = false, fails = false, detaches = true, speaks = false, answerMs = 0 } = {},
) {
  /** @type {string[]} */
  const requests = [];
  let isHalted = false;
  const packet = (/** @type {string} */ text) => {
    const sum = Buffer.from(text, 'latin1').reduce((total, byte) => total + byte, 0) & 255;
    return Buffer.from(`$${text}#${sum.toString(16).padStart(2, '0')}`, 'latin1');
  };
  const serve = (/** @type {net.Socket} */ socket) => {
    isHalted = true;
    socket.write(packet('T02thread:01;')); // unasked, before any answer
    let text = '',
      isSilent = false;
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      for (let found; (found = /^[+\x03]*\$([^#]*)#../.exec(text)); text = text.slice(found[0].length)) {
        const request = found[1];
        requests.push(request);
        if (!isSilent) socket.write('+');
        if (request === 'QStartNoAckMode') socket.write(packet(acknowledges ? '' : 'OK'));
        if (request === 'QStartNoAckMode' && !acknowledges) isSilent = true;
        if (request.startsWith('qSupported')) socket.write(packet('PacketSize=400;QStartNoAckMode+'));
        if (request === '?') socket.write(packet('T05'));
        if (request === 'c' || (request === 'D' && detaches)) isHalted = false;
        if (request === 'D') socket.write(packet(detaches ? 'OK' : ''));
        if (!request.startsWith('m')) continue;
        if (speaks) socket.write(packet('O68690a'));
        const [at, len] = request
          .slice(1)
          .split(',')
          .map((word) => parseInt(word, 16));
        const bytes = memory.subarray(at - 0x20000000, at - 0x20000000 + len).toString('hex');
        const answer = bytes ? bytes.replace(/0{8}/g, '0*$') : 'E14'; // a run of eight zeros: the digit and seven more
        if (fails && at > 0x20000000) socket.destroy();
        else if (answerMs) setTimeout(() => socket.write(packet(answer)), answerMs);
        else socket.write(packet(answer));
      }
    });
  };
  return { serve, requests, isHalted: () => isHalted };
}

describe("a debugger's server", () => {
  const memory = Buffer.concat([Buffer.alloc(3000), recording.subarray(0, 20_000), Buffer.alloc(0x10000 - 23_000)]);

  test.each([
    ['without acknowledgements', {}],
    ['with acknowledgements', { acknowledges: true }],
    ['with output for the user', { speaks: true }],
    ['unable to detach', { detaches: false }],
  ])('%s: the memory is read once, and the target runs on', async (_, ways) => {
    const server = debuggersServer(memory, ways);
    const port = await listen(server.serve);
    const { code, errors } = await record(`gdb:127.0.0.1:${port}`, '--once', '-o', 'ram.bin', '--trace', 'ram.pftrace')
      .result;
    expect(errors).toContain('ram.pftrace');
    expect(code).toBe(0);
    expect(read('ram.bin').equals(memory)).toBe(true);
    expect(server.requests.at(-1)).toBe('detaches' in ways ? 'c' : 'D');
    // The target is halted no longer than the packets need: each is filled, and none asked for twice.
    expect(server.requests.filter((request) => request.startsWith('m')).length).toBe(Math.ceil(memory.length / 508));
    expect(server.isHalted()).toBe(false);
    await expectSame('ram.bin', 'ram.pftrace');
  });

  test.each([1, 2])('Ctrl-C, number of times %d: the target runs on', async (times) => {
    const server = debuggersServer(memory, { answerMs: 50 });
    const port = await listen(server.serve);
    const { child, result } = record(`gdb:127.0.0.1:${port}`, '--once', '-o', 'ram.bin');
    await expect.poll(() => server.requests.length).toBeGreaterThan(8);
    for (let i = 0; i < times; i++) {
      child.kill('SIGINT');
      await pause(5);
    }
    const { signal, errors } = await result;
    expect(signal).toBe(null);
    expect(errors).toMatch(/stopped after \d+ of 65536 bytes/);
    expect(server.requests.at(-1)).toBe('D');
    expect(server.isHalted()).toBe(false);
  });

  test('a server that sends stop replies without end', async () => {
    const port = await listen((socket) => {
      const timer = setInterval(() => socket.write('$T05#b9'.repeat(100)), 1);
      socket.on('close', () => clearInterval(timer));
    });
    const { code, errors } = await record(`gdb:127.0.0.1:${port}`, '--once', '-o', 'ram.bin').result;
    expect(errors).toContain("no debugger's server answers");
    expect(code).toBe(3);
  });

  test('a range of memory, of which the end is not there', async () => {
    const server = debuggersServer(memory.subarray(0, 30_000));
    const port = await listen(server.serve);
    const { errors } = await record(`gdb:127.0.0.1:${port}`, '--once', '--ram', '0x20000bb8:0x8000', '-o', 'ram.bin')
      .result;
    expect(errors).toContain('only 27000 of 32768 bytes at 0x20000bb8 can be read');
    expect(read('ram.bin').equals(memory.subarray(3000, 30_000))).toBe(true);
    expect(server.isHalted()).toBe(false);
  });

  test('memory that is not there', async () => {
    const server = debuggersServer(Buffer.alloc(0));
    const port = await listen(server.serve);
    const { code, errors } = await record(`gdb:127.0.0.1:${port}`, '--once', '-o', 'ram.bin').result;
    expect(code).toBe(3);
    expect(errors).toContain('the memory at 0x20000000 cannot be read: the server answers E14');
    expect(server.isHalted()).toBe(false);
  });

  test('a connection that breaks, and a server that does not answer', async () => {
    const breaks = await listen(debuggersServer(memory, { fails: true }).serve);
    const broken = await record(`gdb:127.0.0.1:${breaks}`, '--once', '-o', 'a.bin').result;
    expect(broken.errors).toMatch(/only \d+ of 65536 bytes/);
    const busy = await listen(() => {});
    const silent = await record(`gdb:127.0.0.1:${busy}`, '--once', '-o', 'b.bin').result;
    expect(silent.code).toBe(3);
    expect(silent.errors).toContain("no debugger's server answers; is another client connected to it?");
  });
});

describe('wrong usage', () => {
  test.each([
    [['run.bin'], 'is no source'],
    [['tcp:localhost'], 'this source is written tcp:HOST:PORT'],
    [['serial:/dev/ttyS9'], 'this source is written serial:PORT@BAUD'],
    [['serial:@9600'], 'this source is written serial:PORT@BAUD'],
    [['jlink:localhost:19021'], 'this source is written jlink:HOST:PORT/CHANNEL'],
    [['gdb:localhost:3333'], 'say --once'],
    [['tcp:localhost:1', '--once'], '--once and --ram need gdb:HOST:PORT'],
    [['tcp:localhost:1', '--duration', '5'], '--duration takes a time'],
    [['tcp:localhost:1', '--duration', '-5s'], '--duration takes a time'],
    [['gdb:localhost:1', '--once', '--ram', 'x'], '--ram takes a range'],
    [['gdb:localhost:1', '--once', '--ram', '0x20000000:0'], '--ram takes a range'],
    [['tcp:localhost:1', '--until', 'events.nothing>1'], '--until events.nothing>1'],
    [['tcp:localhost:1', '-o', '-'], '--output - is no file'],
    [['-', '-'], 'record takes one source'],
    [['tcp:localhost:1', '--with', '-'], 'can be read only once'],
    [['tcp:localhost:1', 'tcp:localhost:2'], 'record takes one source'],
    [[], 'record takes one source'],
  ])('%j', async (args, message) => {
    const { code, errors } = await record(.../** @type {string[]} */ (args)).result;
    expect(errors).toContain(message);
    expect(code).toBe(2);
  });

  test('a file is converted, not recorded', async () => {
    folder.write('run.bin', recording);
    const { code, errors } = await record('run.bin').result;
    expect(errors).toContain('`tonkopf conv run.bin`');
    expect(code).toBe(2);
  });
});

describe('--live', () => {
  /** The address that the command prints. @param {import('node:child_process').ChildProcess} child @returns {Promise<URL>} */
  const addressOf = (child) =>
    new Promise((resolve) => {
      let said = '';
      child.stderr?.on('data', (piece) => {
        said += piece;
        const [, address] = /watch it at (\S+)/.exec(said) ?? [];
        if (address) resolve(new URL(address));
      });
    });
  /** The status of an answer, with any Host and path. @param {URL} address @param {string} path @param {string} [host] @returns {Promise<number | undefined>} */
  const statusOf = async (address, path, host = address.host) => {
    const request = http.get({ host: address.hostname, port: address.port, path, headers: { host } });
    const [response] = await once(request, 'response');
    response.destroy();
    return response.statusCode;
  };

  test('serves the page and the bytes as they come, from their beginning, and ends with the recording', async () => {
    mkdirSync(folder.at('page'));
    folder.write('page/index.html', Buffer.from('<!doctype html>the page'));
    folder.write('secret.txt', Buffer.from('not for the page'));
    const half = recording.length >> 1;
    /** @type {(value?: unknown) => void} */
    let goOn = () => {};
    const port = await listen(async (socket) => {
      socket.write(recording.subarray(0, half));
      await new Promise((resolve) => (goOn = resolve));
      socket.write(recording.subarray(half));
    });
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--live', '--page', 'page');
    const address = await addressOf(child);
    expect(address.hash).toBe('#live');
    expect(await (await fetch(address)).text()).toContain('the page');
    await holds('run.bin', half);
    const response = await fetch(new URL('stream', address));
    /** @type {Buffer[]} */
    const pieces = [];
    const reading = (async () => {
      for await (const piece of /** @type {AsyncIterable<Uint8Array>} */ (response.body))
        pieces.push(Buffer.from(piece));
    })();
    const length = () => pieces.reduce((sum, piece) => sum + piece.length, 0);
    await expect.poll(length).toBe(half);
    goOn();
    await expect.poll(length).toBe(recording.length);
    const token = address.pathname;
    expect(await statusOf(address, `${token}../secret.txt`)).toBe(404);
    expect(await statusOf(address, `${token}%2e%2e/secret.txt`)).toBe(404);
    expect(await statusOf(address, '/stream')).toBe(404);
    expect(await statusOf(address, `${token}stream`, 'attacker.example')).toBe(403);
    child.kill('SIGINT');
    expect(await result).toMatchObject(stopped);
    await reading;
    expect(Buffer.concat(pieces).equals(recording)).toBe(true);
    expect(read('run.bin').equals(recording)).toBe(true);
  });

  test('without a page, it records nothing', async () => {
    const { code, errors } = await record('tcp:127.0.0.1:1', '--live', '--page', 'nowhere').result;
    expect(code).toBe(2);
    expect(errors).toContain('nowhere: the page is not there; --page names the folder with its index.html');
    expect(existsSync(folder.at('recording-1.bin'))).toBe(false);
  });

  test.each([['--open'], ['--page', 'page']])('%s without --live is wrong usage', async (...options) => {
    const { code, errors } = await record('tcp:127.0.0.1:1', ...options).result;
    expect([code, errors]).toEqual([2, expect.stringContaining('--open and --page need --live')]);
  });
});
