// SPDX-License-Identifier: MIT
//
// Runs the command line program as a process, on inputs in a folder of its own.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const TOOL = process.env.TONKOPF_CLI ?? join(ROOT, 'build/native/cli/tonkopf');
export const SAMPLES = process.env.TONKOPF_SAMPLES ?? '';

if (!existsSync(TOOL))
  throw new Error(`${TOOL} is missing: run \`npm run build:native\`, or name another with TONKOPF_CLI`);

/** Path of a sample, or '' if there are no samples. @param {string} name */
export const sample = (name) => (SAMPLES ? join(SAMPLES, 'tonbandgeraet', name) : '');

/** A folder that is removed with the process. */
export class Folder {
  path = mkdtempSync(join(tmpdir(), 'tonkopf-cli-'));

  /** @param {string} name @param {Uint8Array | string} content */
  write(name, content) {
    writeFileSync(join(this.path, name), content);
    return join(this.path, name);
  }

  /** @param {string} name */
  at(name) {
    return join(this.path, name);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** An unused port. @returns {Promise<number>} */
export function free_port() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {string[]} args @param {{ cwd?: string, env?: Record<string, string>, stdio?: any }} [options] */
export function start(args, options = {}) {
  return spawn(TOOL, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options, env: { ...process.env, ...options.env } });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number | null, signal: string | null, out: Buffer, text: string, errors: string }>}
 */
export function ended(child) {
  /** @type {Buffer[]} */
  const out = [];
  let errors = '';
  child.stdout?.on('data', (piece) => out.push(piece));
  child.stderr?.on('data', (piece) => (errors += piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const all = Buffer.concat(out);
      resolve({ code, signal, out: all, text: all.toString(), errors });
    });
  });
}

/** Waits until a program has read this many bytes and is idle, longer than it waits for more bytes at the start. @param {import('node:child_process').ChildProcess} child @param {number} bytes */
export async function hasRead(child, bytes) {
  const about = (/** @type {string} */ what) => readFileSync(`/proc/${child.pid}/${what}`, 'latin1');
  const read = () => Number(/^rchar: (\d+)/.exec(about('io'))?.[1]),
    sleeps = () => about('stat').includes(') S ');
  for (let quiet = 0; quiet < 5; quiet = read() >= bytes && sleeps() ? quiet + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 250));
}

/** @param {string[]} args @param {{ input?: Uint8Array | string, cwd?: string, env?: Record<string, string>, stdio?: any }} [options] */
export async function tool(args, { input, ...options } = {}) {
  const child = start(args, options);
  const result = ended(child);
  child.stdin?.on('error', () => {}); // a program that needs no more input closes its end
  child.stdin?.end(input);
  return result;
}
