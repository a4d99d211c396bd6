// SPDX-License-Identifier: MIT
//
// A debugger for emulated boards with gdb's remote protocol: halts, continues, reads and writes memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { boardOf } from './emulator.mjs';

const MOST = 1024; // bytes of one request

/** @param {string} text */
const sum = (text) =>
  (Buffer.from(text, 'latin1').reduce((total, byte) => total + byte, 0) & 255).toString(16).padStart(2, '0');

/** The payloads of packets, as they arrive. @param {import('node:net').Socket} socket */
async function* packets(socket) {
  let text = '';
  for await (const chunk of socket) {
    text += chunk.toString('latin1');
    for (let found; (found = /\$([^#]*)#../.exec(text)); text = text.slice(found.index + found[0].length))
      yield found[1];
  }
}

export class Debugger {
  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.socket = socket;
    this.answers = packets(socket);
  }

  /** @param {string} text */
  send(text) {
    this.socket.write(Buffer.from(`+$${text}#${sum(text)}`, 'latin1'));
  }

  async answer() {
    const { value, done } = await this.answers.next();
    if (done) throw new Error('the board is gone');
    return String(value);
  }

  resume() {
    this.send('c');
  }

  /** Returns true when the target is halted; false when its program has ended. The board then ends too, and may close the connection
   * before it answers. */
  async hasHalted() {
    const { value: reason = 'W', done } = await this.answers.next().catch(() => ({ value: undefined, done: true }));
    if (!done && !/^[TW]/.test(reason)) throw new Error(`not halted: ${reason}`);
    return !done && reason[0] === 'T';
  }

  /** Kills the target. */
  halt() {
    this.socket.write(Buffer.from([3]));
    return this.hasHalted();
  }

  /** Continues to a function, which must not be the current one. @param {number} address */
  async runTo(address) {
    for (const request of ['Z', 'c', 'z']) {
      if (request === 'c') this.resume();
      else this.send(`${request}0,${address.toString(16)},2`);
      const answer = await this.answer();
      if (answer !== 'OK' && answer[0] !== 'T') throw new Error(`${request}: ${answer}`);
    }
  }

  /** @param {number} address @param {number} len @returns {Promise<Buffer>} */
  async read(address, len) {
    const parts = [];
    for (let at = 0; at < len; at += MOST) {
      this.send(`m${(address + at).toString(16)},${Math.min(MOST, len - at).toString(16)}`);
      parts.push(Buffer.from(await this.answer(), 'hex'));
    }
    return Buffer.concat(parts);
  }

  /** @param {number} address */
  async word(address) {
    return (await this.read(address, 4)).readUInt32LE();
  }

  /** @param {number} address @param {Buffer} bytes */
  async write(address, bytes) {
    this.send(`M${address.toString(16)},${bytes.length.toString(16)}:${bytes.toString('hex')}`);
    if ((await this.answer()) !== 'OK') throw new Error('not written');
  }

  /** @param {number} address @param {number} value */
  async writeWord(address, value) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    await this.write(address, bytes);
  }
}

const LISTENING = /^\S+ \S+ \S+ 0001\d{4} /; // __SO_ACCEPTCON in the flags of the system's table of sockets

/** Waits until the server listens: its socket file exists before that, and a connection attempt would use up the single debugger that
 * the board accepts. @param {string} gate */
function listens(gate) {
  if (process.platform !== 'linux') return existsSync(gate);
  return readFileSync('/proc/net/unix', 'latin1')
    .split('\n')
    .some((line) => LISTENING.test(line) && line.endsWith(` ${gate}`));
}

/**
 * Starts a halted image on a board and passes the socket of its gdb server to `work`; the UART output is in files beside the image.
 * @param {string} path @param {string} machine @param {(gate: string, ended: Promise<unknown>) => Promise<void>} work
 * @param {string[]} [timing] by instructions, so that every run is the same; but then a timer fires whenever the board goes on. []: by the host's time
 */
export async function startHalted(path, machine, work, timing = ['-icount', 'shift=5,sleep=off']) {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-debugger-')),
    gate = join(folder, 'gdb');
  const server = ['-chardev', `socket,path=${gate},server=on,wait=off,id=gdb`, '-gdb', 'chardev:gdb'];
  const serials = [`file:${path}.uart0`, `file:${path}.uart1`];
  const board = spawn('qemu-system-arm', boardOf(path, machine, ['-S', ...timing, ...server], serials), {
    stdio: 'ignore',
  });
  const ended = once(board, 'exit');
  try {
    while (!listens(gate) && board.exitCode === null) await pause(10);
    await work(gate, ended);
  } finally {
    board.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts a halted image on a board and passes our debugger to `work`.
 * @param {string} path @param {string} machine @param {(target: Debugger, ended: Promise<unknown>) => Promise<void>} work @param {string[]} [timing]
 */
export const debug = (path, machine, work, timing) =>
  startHalted(
    path,
    machine,
    async (gate, ended) => {
      const socket = createConnection(gate);
      socket.on('error', () => {}); // the board ends when its program does
      await once(socket, 'connect');
      await work(new Debugger(socket), ended);
      socket.destroy();
    },
    timing,
  );
