// SPDX-License-Identifier: MIT
// The library for Node and the command line are hosts of the same conversion: the same trace, report, messages and exit code.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '../../wasm/api.js';
import { createLibrary } from '../../wasm/library.js';
import { tar, zip } from '../common/archives.mjs';
import { cases, golden_input, root, sampled } from '../golden/cases.mjs';
// @ts-expect-error plain JavaScript
import { Folder, ended, start } from '../cli/tool.mjs';

interface File {
  name: string;
  bytes: Uint8Array;
}

const folder = new Folder() as { path: string; remove(): void };
afterAll(() => folder.remove());

const library = createLibrary({
  compile: async () => WebAssembly.compile(await readFile(join(root, 'lib', 'tonkopf.wasm'))),
  open: async (path) => {
    const { size } = await stat(path);
    const openAt = async function* (offset: number): AsyncGenerator<Uint8Array> {
      const bytes = readFileSync(path).subarray(offset);
      for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
    };
    return { name: basename(path), size, open: () => openAt(0), openAt };
  },
});

async function native(words: string[], cwd: string): Promise<{ out: Buffer; code: number; messages: string[] }> {
  const { out, code, errors } = await ended(start(words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
  const messages = (errors as string).split('\n').filter((line) => line.startsWith('tonkopf: '));
  return { out, code, messages };
}

/** Options as both hosts name them. */
interface Case {
  files: File[];
  words?: string[];
  options?: Options;
}

const NO_RECORDING = 3; // the exit code of a command without a readable recording
let folders = 0;

async function compare({ files, words = [], options = {} }: Case): Promise<number> {
  const cwd = join(folder.path, String(folders++));
  for (const { name, bytes } of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), bytes);
  }
  const names = files.map(({ name }) => name);
  const [trace, report] = [
    await native(['conv', '-o', '-', ...words, ...names], cwd),
    await native(['info', '--json', ...words, ...names], cwd),
  ];
  const paths = names.map((name) => join(cwd, name));
  if (trace.code === NO_RECORDING) {
    expect([trace.out.length, report.code]).toEqual([0, NO_RECORDING]);
    await expect(library.convert(paths, options)).rejects.toMatchObject({ code: 'unknown-format' });
    return trace.messages.length;
  }
  const result = await library.convert(paths, options);
  const said = result.messages
    .filter(({ severity }) => severity === 'warning' || severity === 'error')
    .map(({ severity, text }) => (severity === 'error' ? `tonkopf: ${text}` : `tonkopf: warning: ${text}`));
  expect(Buffer.from(result.trace).equals(trace.out)).toBe(true);
  expect(result.reportJson.trim()).toBe(report.out.toString().trim());
  expect([said, result.exitCode]).toEqual([trace.messages, trace.code]);
  expect([said, result.exitCode]).toEqual([report.messages, report.code]);
  return result.messages.length;
}

const plain = readFileSync(join(root, 'web', 'public', 'demos', 'freertos.bin'));
const half = plain.length >> 1;
const two = [0, 1].map((core) => ({
  path: `x.core${core}.bin`,
  bytes: readFileSync(golden_input('tonbandgeraet/names-only-in-the-other-file', `input.core${core}.bin`)),
}));
const hex = plain
  .toString('hex')
  .match(/.{1,64}/g)!
  .join('\n');
const one = (name: string, bytes: Uint8Array | string): Case => ({ files: [{ name, bytes: Buffer.from(bytes) }] });
const members = Buffer.concat([gzipSync(plain.subarray(0, half)), gzipSync(plain.subarray(half))]);
const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 0x10 : byte));

const packed: [string, Case][] = [
  ['plain bytes', one('run.bin', plain)],
  ['gzip', one('run.bin.gz', gzipSync(plain))],
  ['gzip of two members', one('run.bin.gz', members)],
  ['gzip that is cut', one('run.bin.gz', gzipSync(plain).subarray(0, 12_000))],
  ['gzip with a wrong checksum', one('run.bin.gz', flipped(members, members.length - 7))],
  ['gzip that is damaged in its middle', one('run.bin.gz', flipped(gzipSync(plain), 9000))],
  ['gzip with bytes after it', one('run.bin.gz', Buffer.concat([members, Buffer.from('padding')]))],
  ['zip', one('run.zip', zip(two.map((member) => ({ ...member, deflated: true }))))],
  ['zip, stored, with other files', one('run.zip', zip([...two, { path: 'notes.txt', bytes: Buffer.from('notes') }]))],
  ['zip that is cut', one('run.zip', zip(two).subarray(0, -30))],
  ['zip with gzip in it', one('run.zip', zip([{ path: 'x.bin.gz', bytes: gzipSync(plain), deflated: true }]))],
  ['tar', one('run.tar', tar(two))],
  ['tar in gzip', one('run.tar.gz', gzipSync(tar(two)))],
  ['tar in gzip that is cut', one('run.tar.gz', gzipSync(tar([{ path: 'x.bin', bytes: plain }])).subarray(0, 12_000))],
  ['hex', one('run.txt', hex)],
  ['hex in gzip', one('run.txt.gz', gzipSync(hex))],
  ['base64', one('run.txt', plain.toString('base64'))],
  ['hex with a damaged line', one('run.txt', `${hex.slice(0, 6500)}zz${hex.slice(6502)}`)],
  ['hex of damaged bytes', one('run.txt', Buffer.from(flipped(plain, 3000)).toString('hex'))],
  ['a text that is no recording', one('notes.txt', 'notes, and nothing else')],
  ['a packed picture', one('picture.gz', gzipSync(Buffer.alloc(5000, 0x89)))],
  ['two files of two cores', { files: two.map(({ path, bytes }) => ({ name: path, bytes })) }],
  [
    'an option of another format',
    { ...one('run.bin', plain), words: ['--set', 'rate-hz=1000'], options: { set: { 'rate-hz': 1000 } } },
  ],
  [
    'expectations that fail',
    {
      ...one('run.bin.gz', gzipSync(plain).subarray(0, 12_000)),
      words: ['--expect', 'cpu.load>100%', '--expect', 'cpu.load<=100%', '--fail-on', 'damage'],
      options: { expect: ['cpu.load>100%', 'cpu.load<=100%'], failOn: 'damage' },
    },
  ],
];

describe('packed, as text, damaged, with rules', () => {
  test.each(packed)('%s', async (_, one) => void (await compare(one)));

  test('messages are compared', async () => {
    expect(await compare(packed.find(([name]) => name === 'gzip that is cut')![1])).toBeGreaterThan(1);
  });
});

interface Golden {
  name: string;
  options: string[];
  inputs: { name: string; path: string; side: boolean }[];
}

/** Without options: a case whose files need the user's settings is not included. */
const golden = sampled(
  (cases() as Golden[]).filter(
    ({ options, inputs }) =>
      inputs.length === 1 && !inputs[0]!.side && options.every((word) => word.startsWith('format=')),
  ),
);

test.each(golden.map(({ name, options, inputs }) => [name, options, inputs[0]!] as const))(
  'golden case %s',
  async (_, options, { name, path }) => {
    const format = options.findLast((word) => word.startsWith('format='))!.slice('format='.length);
    await compare({ files: [{ name, bytes: readFileSync(path) }], words: ['--type', format], options: { format } });
  },
);

const samples = process.env['TONKOPF_SAMPLES'] ?? '';
const sampleFolder = join(samples, 'tonbandgeraet');
const recordings = samples ? readdirSync(sampleFolder).filter((name) => /\.(bin|zip|gz|txt)$/.test(name)) : [];

test.skipIf(!recordings.length).each(recordings.length ? recordings : ['no samples'])('sample %s', async (name) => {
  await compare({ files: [{ name, bytes: readFileSync(join(sampleFolder, name)) }] });
});
