// SPDX-License-Identifier: MIT
// Inputs and outputs of the program in Node: the same rules as cli/source.c and cli/output.c.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createGzip } from 'node:zlib';
import type { Source } from '../../wasm/types.js';
import { UsageError } from './options.js';

export class InputError extends Error {}
export class OutputError extends Error {}
/** The reader of standard output has gone: no error. */
export class ClosedPipe extends Error {}

export interface NamedFile {
  path: string;
  name: string;
  core: number | null;
  fromFolder: boolean;
  source: Source;
}

const MAX_CORES = 32;
const PIECE = 1 << 20;

const reasonOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code;
  const words: Record<string, string> = { ENOENT: 'No such file or directory', EACCES: 'Permission denied', ENOSPC: 'No space left on device', EFBIG: 'File too large', EISDIR: 'Is a directory' };
  return (code && words[code]) || (error as Error).message;
};

function fileSource(path: string, name: string, size: number | null): Source {
  return { name, size, open: () => fs.createReadStream(path, { highWaterMark: PIECE }) };
}

// ---- Reading -----------------------------------------------------------------------------------------------------------

const scratch: string[] = [];

export function removeScratch(): void {
  for (const path of scratch.splice(0)) fs.rmSync(path, { force: true, recursive: true });
}

/** A pipe is read to its end first, because recognising and converting both need it from the start. */
function keptStdin(): Source {
  const folder = fs.mkdtempSync(join(tmpdir(), 'tonkopf-'));
  scratch.push(folder);
  const path = join(folder, 'stdin');
  const fd = fs.openSync(path, 'wx', 0o600);
  const piece = new Uint8Array(PIECE);
  let size = 0;
  for (;;) {
    let length: number;
    try {
      length = fs.readSync(0, piece);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        continue;
      }
      if (code === 'EOF') break;
      throw new InputError(`standard input: ${reasonOf(error)}`);
    }
    if (!length) break;
    fs.writeSync(fd, piece, 0, length);
    size += length;
  }
  fs.closeSync(fd);
  return fileSource(path, 'standard input', size);
}

function splitCore(text: string): { path: string; core: number | null } {
  const match = /^(.*)@(\d+)$/s.exec(text);
  if (!match || fs.existsSync(text)) return { path: text, core: null };
  const core = Number(match[2]);
  if (core >= MAX_CORES) throw new UsageError(`${text}: core ${match[2]} is out of range; cores are numbered from 0 to ${MAX_CORES - 1}`);
  return { path: match[1]!, core };
}

function folderFiles(folder: string): NamedFile[] {
  const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.') && !/\.pftrace(\.gz)?$/.test(name));
  const paths = names.map((name) => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)).filter((path) => fs.statSync(path).isFile());
  if (!paths.length) throw new InputError(`${folder}: no input there`);
  const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return paths.sort(byBytes).map((path) => ({ path, name: basename(path), core: null, fromFolder: true, source: fileSource(path, basename(path), fs.statSync(path).size) }));
}

function namedFiles(text: string): NamedFile[] {
  const { path, core } = splitCore(text);
  if (path === '-') return [{ path, name: 'standard input', core, fromFolder: false, source: keptStdin() }];
  try {
    const info = fs.statSync(path);
    if (info.isDirectory()) return folderFiles(path);
    fs.accessSync(path, fs.constants.R_OK);
    return [{ path, name: basename(path), core, fromFolder: false, source: fileSource(path, basename(path), info.isFile() ? info.size : null) }];
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) throw error;
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

/** Calls `missing` for inputs that cannot be read; the others are returned. */
export function findFiles(inputs: string[], missing: (error: InputError) => void): NamedFile[] {
  if (!inputs.length) throw new UsageError('no input named; - stands for standard input');
  const paths = inputs.map(splitCore);
  if (paths.filter(({ path }) => path === '-').length > 1) throw new UsageError('standard input (-) can be read only once');
  for (const [index, { path, core }] of paths.entries()) {
    const other = paths.slice(0, index).find((earlier) => core !== null && earlier.core === core);
    if (other) throw new UsageError(`${basename(other.path)} and ${basename(path)} are both named as core ${core}; give each its own number`);
  }
  return inputs.flatMap((input) => {
    try {
      return namedFiles(input);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      missing(error);
      return [];
    }
  });
}

// ---- Writing -----------------------------------------------------------------------------------------------------------

/** All of it, also when the descriptor does not wait. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EPIPE') throw new ClosedPipe();
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

export function print(bytes: Uint8Array | string): void {
  try {
    writeAll(1, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  } catch (error) {
    if (error instanceof ClosedPipe) throw error;
    throw new OutputError(`standard output: ${reasonOf(error)}`);
  }
}

/** A trace: written beside its final name and renamed when complete. */
export class TraceFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #direct: boolean;
  readonly #fd: number;

  constructor(path: string) {
    this.#path = path;
    const isDevice = path !== '-' && fs.existsSync(path) && !fs.statSync(path).isFile();
    this.#direct = path === '-' || isDevice;
    const beside = this.#direct ? join(tmpdir(), 'tonkopf') : path;
    this.#temporary = `${beside}.${process.pid}.part`;
    this.#fd = this.#try(() => fs.openSync(this.#temporary, 'wx+'), '; --output names another place');
  }

  #try<T>(work: () => T, advice = ''): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof ClosedPipe) throw error;
      throw new OutputError(`${this.#path === '-' ? 'standard output' : this.#path}: cannot be written: ${reasonOf(error)}${advice}`);
    }
  }

  write(bytes: Uint8Array): void {
    this.#try(() => writeAll(this.#fd, bytes));
  }

  async commit(head: Uint8Array, gzip: boolean): Promise<void> {
    if (head.length) this.#try(() => fs.writeSync(this.#fd, head, 0, head.length, 0));
    if (gzip || this.#direct) await this.#copy(gzip);
    else this.#try(() => fs.renameSync(this.#temporary, this.#path));
    fs.closeSync(this.#fd);
  }

  /** To a device, to standard output, or packed. */
  async #copy(gzip: boolean): Promise<void> {
    const packed = `${this.#temporary}.gz`;
    const target = this.#try(() => (this.#path === '-' ? 1 : fs.openSync(this.#direct ? this.#path : packed, this.#direct ? 'r+' : 'wx')));
    const plain = fs.createReadStream(this.#temporary, { highWaterMark: PIECE });
    try {
      for await (const piece of gzip ? plain.pipe(createGzip()) : plain) this.#try(() => writeAll(target, piece as Uint8Array));
      if (!this.#direct) this.#try(() => fs.renameSync(packed, this.#path));
    } finally {
      if (target !== 1) fs.closeSync(target);
      fs.rmSync(packed, { force: true });
      fs.rmSync(this.#temporary, { force: true });
    }
  }

  discard(): void {
    fs.rmSync(this.#temporary, { force: true });
    fs.closeSync(this.#fd);
  }
}

/** `capture.bin.gz` -> `capture`; one known ending goes, as on the page. */
export function stem(path: string): string {
  const name = path.slice(path.length - basename(path).length).replace(/\.gz$/, '');
  const short = name.replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '');
  return path.slice(0, path.length - basename(path).length) + short;
}
