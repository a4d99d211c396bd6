// SPDX-License-Identifier: MIT
// Inputs and outputs of the program in Node: the same rules as cli/source.c and cli/output.c.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
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
  /** which file it is, whatever its names; null: no regular file */
  identity: string | null;
  source: Source;
}

const MAX_CORES = 32;
/** One reader for standard input, whatever it is called. */
const STDIN = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);
const PIECE = 1 << 20;

export const reasonOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code;
  const words: Record<string, string> = {
    EPERM: 'Operation not permitted',
    EIO: 'Input/output error',
    EBUSY: 'Device or resource busy',
    EMFILE: 'Too many open files',
    EDQUOT: 'Disk quota exceeded',
    ENAMETOOLONG: 'File name too long',
    ENOENT: 'No such file or directory',
    EACCES: 'Permission denied',
    ENOSPC: 'No space left on device',
    EFBIG: 'File too large',
    EISDIR: 'Is a directory',
    ENOTDIR: 'Not a directory',
    ELOOP: 'Too many levels of symbolic links',
    EROFS: 'Read-only file system',
  };
  return (code && words[code]) || (error as Error).message.replace(/^[A-Z]+: (.*?), .*$/s, '$1'); // who asks names the file
};

function fileSource(path: string, name: string, size: number | null): Source {
  const openAt = (start: number): fs.ReadStream => fs.createReadStream(path, { start, highWaterMark: PIECE });
  return { name, size, open: () => openAt(0), ...(size !== null && { openAt }) };
}

// ---- Reading -----------------------------------------------------------------------------------------------------------

const scratch: string[] = [];

export function removeScratch(): void {
  for (const path of scratch.splice(0)) fs.rmSync(path, { force: true, recursive: true });
}

/** A pipe is read to its end first, because recognising and converting both need it from the start. */
function kept({ path: from, name }: NamedFile): Source {
  const folder = fs.mkdtempSync(join(tmpdir(), 'tonkopf-'));
  scratch.push(folder);
  const path = join(folder, 'input');
  const fd = fs.openSync(path, 'wx', 0o600);
  const input = from === '-' ? 0 : fs.openSync(from, 'r');
  const piece = new Uint8Array(PIECE);
  let size = 0;
  for (;;) {
    let length: number;
    try {
      length = fs.readSync(input, piece);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        continue;
      }
      if (code === 'EOF') break;
      throw new InputError(`${name}: ${reasonOf(error)}`);
    }
    if (!length) break;
    fs.writeSync(fd, piece, 0, length);
    size += length;
  }
  fs.closeSync(fd);
  if (input) fs.closeSync(input);
  return fileSource(path, name, size);
}

/** What can be read once only is read to its end. */
export function keepPipes(files: NamedFile[]): void {
  for (const file of files) if (file.path === '-' || !statOf(file.path)?.isFile()) file.source = kept(file);
}

/** undefined: there is nothing, or nothing that can be reached. */
export function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path);
  } catch {
    return undefined;
  }
}

const identityOf = (info: fs.BigIntStats): string | null => (info.isFile() ? `${info.dev}:${info.ino}` : null);

/** Of a path, where "-" is a standard stream; null: no regular file, or none at all. */
export function identity(path: string, stream: 0 | 1): string | null {
  try {
    return identityOf(path === '-' ? fs.fstatSync(stream, { bigint: true }) : fs.statSync(path, { bigint: true }));
  } catch {
    return null;
  }
}

const named = (path: string, core: number | null, fromFolder: boolean, size: number | null): NamedFile => {
  const name = path === '-' ? 'standard input' : basename(path);
  return { path, name, core, fromFolder, identity: identity(path, 0), source: fileSource(path, name, size) };
};

function splitCore(text: string): { path: string; core: number | null } {
  const match = /^(.+)@(\d+)$/s.exec(text);
  if (!match || fs.existsSync(text)) return { path: STDIN.has(text) ? '-' : text, core: null };
  const core = Number(match[2]);
  if (core >= MAX_CORES)
    throw new UsageError(`${text}: core ${match[2]} is out of range; cores are numbered from 0 to ${MAX_CORES - 1}`);
  return { path: STDIN.has(match[1]!) ? '-' : match[1]!, core };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    throw new InputError(`${folder}: the folder cannot be read: ${reasonOf(error)}`);
  }
}

export const joined = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`;

/** Paths of the files in a folder; links to folders are not followed, they may lead back up. */
function filesIn(folder: string, pattern: RegExp | null, recursive: boolean): string[] {
  return namesIn(folder).flatMap((name) => {
    const path = joined(folder, name);
    const info = statOf(path);
    if (info?.isDirectory()) return recursive && !isLink(path) ? filesIn(path, null, true) : [];
    return info?.isFile() && !/\.pftrace(\.gz)?$/.test(name) && (pattern?.test(name) ?? true) ? [path] : [];
  });
}

const WILD = /[*?]/;

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

/** One part of the path has a pattern, perhaps further ones behind it. */
function filesOfPattern(path: string): string[] {
  const start = path.lastIndexOf('/', path.search(WILD)) + 1,
    end = path.indexOf('/', start);
  const folder = path.slice(0, start) || '.',
    pattern = patternOf(path.slice(start, end < 0 ? undefined : end)),
    rest = end < 0 ? '' : path.slice(end + 1);
  if (!rest) return filesIn(folder, pattern, false);
  return namesIn(folder)
    .filter((name) => pattern.test(name) && statOf(joined(folder, name))?.isDirectory())
    .flatMap((name) => {
      const below = joined(joined(folder, name), rest);
      return WILD.test(rest) ? filesOfPattern(below) : statOf(below)?.isFile() ? [below] : [];
    });
}

function several(path: string, paths: string[]): NamedFile[] {
  if (!paths.length) throw new InputError(`${path}: no input there`);
  const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return paths.sort(byBytes).map((one) => named(one, null, true, fs.statSync(one).size));
}

function namedFiles(text: string, recursive: boolean): NamedFile[] {
  const { path, core } = splitCore(text);
  if (path === '-') return [named(path, core, false, null)];
  try {
    const isPattern = WILD.test(path) && !statOf(path),
      info = isPattern ? null : fs.statSync(path);
    if (core !== null && (!info || info.isDirectory()))
      throw new UsageError(`${text}: a core is a file, and that may be several`);
    if (!info) return several(path, filesOfPattern(path));
    if (info.isDirectory()) return several(path, filesIn(path, null, recursive));
    fs.accessSync(path, fs.constants.R_OK);
    return [named(path, core, false, info.isFile() ? info.size : null)];
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) throw error;
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

/** Calls `missing` for inputs that cannot be read; the others are returned. Nothing is opened yet. */
export function findFiles(inputs: string[], recursive: boolean, missing: (error: InputError) => void): NamedFile[] {
  const paths = inputs.map(splitCore);
  for (const [index, { path, core }] of paths.entries()) {
    const other = paths
      .slice(0, index)
      .find(
        (earlier) =>
          core !== null && earlier.core === core && (path === '-' || identity(path, 0) !== identity(earlier.path, 0)),
      );
    if (other)
      throw new UsageError(
        `${basename(other.path)} and ${basename(path)} are both named as core ${core}; give each its own number`,
      );
  }
  return inputs.flatMap((input) => {
    try {
      return namedFiles(input, recursive);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      missing(error);
      return [];
    }
  });
}

/** One file cannot be two cores, and is read once otherwise. */
export function dropRepeated(files: NamedFile[], sides: NamedFile[], warn: (text: string) => void): void {
  const same =
    (a: NamedFile) =>
    (b: NamedFile): boolean =>
      a.identity !== null && a.identity === b.identity;
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const earlier = files.slice(0, at).find(same(file));
    if (!earlier) continue;
    if (file.core !== null || earlier.core !== null)
      throw new UsageError(`${earlier.path} and ${file.path} are the same file; a core has a file of its own`);
    if (!file.fromFolder) warn(`${earlier.path} and ${file.path} are the same file; it is read once`);
    files.splice(at--, 1);
  }
  for (let at = 0; at < sides.length; at++) {
    if (!files.some(same(sides[at]!))) continue;
    warn(`--with ${sides[at]!.path}: that is an input itself and has nothing to add`);
    sides.splice(at--, 1);
  }
}

/** Files with the same last part of their path get all of it as their name. */
export function makeNamesUnique(files: NamedFile[]): void {
  const shared = files.filter(
    (file) =>
      file.path !== '-' &&
      files.some((other) => other !== file && other.path !== '-' && basename(other.path) === basename(file.path)),
  );
  for (const file of shared) {
    file.name = file.path;
    file.source = { ...file.source, name: file.path };
  }
}

export function refuseOutput(files: NamedFile[], path: string): void {
  const output = identity(path, 1);
  const same = files.find((file) => output !== null && file.identity === output);
  if (same)
    throw new UsageError(
      `${path === '-' ? `standard output is an input: ${same.path}` : `${path} is an input`}; --output has to name another file`,
    );
}

// ---- Writing -----------------------------------------------------------------------------------------------------------

/** All of it, also when the descriptor does not wait. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
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

/** To standard error. Where nobody can hear it there is nobody to tell. */
export function tell(text: string): void {
  try {
    writeAll(2, Buffer.from(text));
  } catch {
    // what happens is told by the exit code alone
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

const isLink = (path: string): boolean => {
  try {
    return fs.lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

/** Where a path leads when links are followed; the last file need not be there. */
function followLinks(path: string): string {
  let at = path;
  for (let links = 0; isLink(at); links++) {
    if (links === 40) throw Object.assign(new Error('Too many levels of symbolic links'), { code: 'ELOOP' });
    at = resolve(dirname(at), fs.readlinkSync(at));
  }
  return at;
}

const LONGEST = 240; // bytes of the last part of a path, so that there is room behind it

/** The first name that is free; a long one is cut, between characters. */
function openTemporary(final: string): [path: string, fd: number] {
  const name = Buffer.from(basename(final))
    .subarray(0, LONGEST)
    .toString()
    .replace(/\ufffd$/, '');
  for (let attempt = 0; ; attempt++) {
    const path = `${final.slice(0, final.length - basename(final).length)}${name}.${attempt}.part`;
    try {
      return [path, fs.openSync(path, 'wx+')];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === 99) throw error;
    }
  }
}

/** A trace: written beside its final name and renamed when complete. A link is followed, an existing file keeps its rights. */
export class TraceFile {
  readonly #path: string;
  readonly #final: string;
  readonly #temporary: string;
  readonly #direct: boolean;
  readonly #fd: number;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
    const before = path === '-' ? undefined : statOf(path);
    this.#direct = path === '-' || (before !== undefined && !before.isFile());
    this.#final = this.#direct
      ? join(tmpdir(), `tonkopf-${process.pid}`)
      : this.#try(() => followLinks(path), '; --output names another place');
    [this.#temporary, this.#fd] = this.#try(() => {
      if (before && !this.#direct) fs.accessSync(this.#final, fs.constants.W_OK);
      return openTemporary(this.#final);
    }, '; --output names another place');
    scratch.push(this.#temporary);
    if (before && !this.#direct) fs.fchmodSync(this.#fd, before.mode & 0o7777);
  }

  #try<T>(work: () => T, advice = ''): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof ClosedPipe) throw error;
      throw new OutputError(
        `${this.#path === '-' ? 'standard output' : this.#path}: cannot be written: ${reasonOf(error)}${advice}`,
      );
    }
  }

  write(bytes: Uint8Array): void {
    this.#try(() => writeAll(this.#fd, bytes));
    this.#bytes += bytes.length;
  }

  /** Returns the bytes as written, packed where they are. */
  async commit(head: Uint8Array, gzip: boolean): Promise<number> {
    if (head.length) this.#try(() => fs.writeSync(this.#fd, head, 0, head.length, 0));
    if (gzip || this.#direct) await this.#copy(gzip);
    else this.#try(() => fs.renameSync(this.#temporary, this.#final));
    fs.closeSync(this.#fd);
    return this.#bytes;
  }

  /** To a device, to standard output, or packed. */
  async #copy(gzip: boolean): Promise<void> {
    const packed = `${this.#temporary}.gz`;
    const target = this.#try(() =>
      this.#path === '-'
        ? 1
        : fs.openSync(this.#direct ? this.#path : packed, this.#direct ? fs.constants.O_WRONLY : 'wx'),
    ); // who also reads a pipe never hears that its reader has gone
    if (target !== 1 && !this.#direct) fs.fchmodSync(target, fs.fstatSync(this.#fd).mode & 0o7777);
    this.#bytes = 0;
    const plain = fs.createReadStream(this.#temporary, { highWaterMark: PIECE });
    try {
      for await (const piece of (gzip ? plain.pipe(createGzip()) : plain) as AsyncIterable<Uint8Array>) {
        this.#try(() => writeAll(target, piece));
        this.#bytes += piece.length;
      }
      if (!this.#direct) this.#try(() => fs.renameSync(packed, this.#final));
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
