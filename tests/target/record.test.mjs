// SPDX-License-Identifier: MIT
//
// The command record on a running firmware: its UART over TCP and as a serial port, and its memory through gdb's server (docs/CAPTURE.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { ended, start, tool } from '../cli/tool.mjs';
import { Debugger } from './debugger.mjs';
import { CAN_RUN, addressOf, boardOf, buildExample } from './emulator.mjs';

/** @type {string} */
let folder;
/** @type {import('node:child_process').ChildProcess[]} */
let running = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tonkopf-record-'))));
afterEach(() => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  running = [];
  rmSync(folder, { recursive: true });
});

/** An unused port. @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** Starts a board with this image. @param {string} image @param {string[]} options */
function board(image, ...options) {
  const child = spawn('qemu-system-arm', boardOf(image, 'mps2-an385', options, []), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

/** Starts the command in the folder. @param {string[]} args */
function record(...args) {
  const child = start(['record', ...args], { cwd: folder });
  running.push(child);
  let said = '';
  child.stderr?.on('data', (piece) => (said += piece));
  return { child, result: ended(child), said: () => said };
}

const read = (/** @type {string} */ name) => readFileSync(join(folder, name));

/** The report on a recorded file. @param {string} name @param {string[]} options */
const info = async (name, ...options) =>
  JSON.parse((await tool(['info', '--json', name, ...options], { cwd: folder })).text);

/** Whether a process has opened a file. @param {number | undefined} process @param {string} path */
const openBy = (process, path) =>
  readdirSync(`/proc/${process}/fd`).some((number) => {
    try {
      return readlinkSync(`/proc/${process}/fd/${number}`) === path;
    } catch {
      return false; // closed meanwhile
    }
  });

/** Lets a halted board run to a function, and leaves it halted there. @param {number} port @param {number} address */
async function runTo(port, address) {
  let socket = net.createConnection(port, '127.0.0.1');
  for (; !(await connects(socket)); socket = net.createConnection(port, '127.0.0.1')) await pause(20);
  const target = new Debugger(socket);
  await target.runTo(address);
  socket.destroy();
  await once(socket, 'close');
}

/** @param {net.Socket} socket */
const connects = (socket) =>
  once(socket, 'connect').then(
    () => true,
    () => false,
  );

const TICKS = 400;

/** How often the program's interrupt occurs in a recorded file. @param {string} name */
const interrupts = async (name) =>
  (await info(name)).interrupts.find((/** @type {{ name: string }} */ row) => row.name === 'SysTick')?.count;

/** Expects every event of the program, once per run. @param {string} raw @param {number} runs */
async function expectComplete(raw, runs) {
  expect(await interrupts(raw)).toBe(runs * TICKS);
  expect((await info(raw)).events).toMatchObject({ lost: 0, restarts: runs - 1 });
}

describe.skipIf(!CAN_RUN)('record', () => {
  test('UART over TCP: every event, and a board that starts again is one restart', async () => {
    const image = buildExample('transports', 'LINK=dma');
    const port = await freePort();
    const { child, result } = record(`tcp:127.0.0.1:${port}`, '-o', 'run.bin', '--trace', 'run.pftrace');
    for (let run = 1; run <= 2; run++) {
      const target = board(image, '-serial', `tcp:127.0.0.1:${port},server=on,wait=on`, '-serial', 'null');
      await once(target, 'exit');
      await expect.poll(() => interrupts('run.bin')).toBe(run * TICKS);
    }
    child.kill('SIGINT');
    expect((await result).code).toBe(0);
    await expectComplete('run.bin', 2);
    expect((await tool(['conv', '-q', 'run.bin', '-o', 'again.pftrace'], { cwd: folder })).code).toBe(0);
    expect(read('again.pftrace').equals(read('run.pftrace'))).toBe(true);
  });

  test('UART as a serial port: every event', async () => {
    const uart = join(folder, 'uart.bin');
    writeFileSync(uart, '');
    const feeder = spawn('python3', [join(root, 'tests', 'web', 'feed-terminal.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    feeder.stdout.on('data', (piece) => (text += piece));
    running.push(feeder);
    await expect.poll(() => text).toMatch(/\/dev\/pts\/\d+/);
    const [path] = /\/dev\/pts\/\d+/.exec(text) ?? [''];
    const { child, result, said } = record(`serial:${path}@921600`, '-o', 'run.bin', '-v');
    await expect.poll(() => openBy(child.pid, path)).toBe(true);
    // A file keeps what the terminal does not take yet: a slow reader would make the board lose events.
    const target = board(buildExample('transports', 'LINK=dma'), '-serial', `file:${uart}`, '-serial', 'null');
    const tail = spawn('tail', ['-c', '+1', '-f', uart], { stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(tail);
    tail.stdout.pipe(feeder.stdin);
    await once(target, 'exit');
    await expect.poll(() => read('run.bin').length).toBe(read('uart.bin').length);
    feeder.kill('SIGKILL');
    await expect.poll(said).toContain('is gone');
    child.kill('SIGINT');
    expect((await result).code).toBe(0);
    expect(read('run.bin').equals(read('uart.bin'))).toBe(true);
    await expectComplete('run.bin', 1);
  });

  test("memory through gdb's server: names and what was not sent yet; the target runs on", async () => {
    const image = buildExample('transports', 'LINK=dma');
    const port = await freePort();
    const target = board(
      image,
      '-S',
      '-gdb',
      `tcp:127.0.0.1:${port}`,
      '-serial',
      `file:${join(folder, 'uart.bin')}`,
      '-serial',
      'null',
    );
    const hasEnded = once(target, 'exit');
    await runTo(port, addressOf(image, 'tband_stop_streaming'));
    const { code, errors } = await record(`gdb:127.0.0.1:${port}`, '--once', '-o', 'ram.bin').result;
    expect(errors).toContain('ram.bin');
    expect(code).toBe(0);
    expect(read('ram.bin').length).toBe(0x10000);
    await hasEnded;
    await expectComplete('uart.bin', 1);
    const report = await info('ram.bin');
    expect(report.format.name).toBe('tonbandgeraet');
    expect(JSON.stringify(report)).toContain('SysTick');
  });
});
