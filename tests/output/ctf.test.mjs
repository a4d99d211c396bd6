// SPDX-License-Identifier: MIT
// CTF: every event and nanosecond of the samples against their truth, with and without metadata, however the files arrive.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zip } from '../common/archives.mjs';
import { LAYOUTS, metadata } from '../generator/ctf.mjs';
import { CASES } from '../generator/golden-ctf.mjs';
import { random_recording } from '../simulator/ctf.mjs';
import { tool } from './convert.mjs';
import { haveSamples, sample } from './samples.mjs';

const TOOL = path.join(path.dirname(tool), '../cli/tonkopf');

let folder;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ctf-'))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Writes files and returns their paths. @param {Record<string, Uint8Array | string>} files */
function written(name, files) {
  const at = path.join(folder, name);
  fs.mkdirSync(at, { recursive: true });
  return Object.entries(files).map(([file, bytes]) => {
    fs.writeFileSync(path.join(at, file), bytes);
    return path.join(at, file);
  });
}

const run = (args, input) => spawnSync(TOOL, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });

/** Events as the dump shows them. */
function events(args, input) {
  const { stdout } = run(['dump', '--json', '--stage', 'records', ...args], input);
  return stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
    .map(({ ticks, record, fields: { cpu_id, core_id, ...fields } }) => {
      const values = Object.entries(fields).map(([key, value]) => [key, key === 'name' ? value : Number(value)]);
      return JSON.stringify([Number(cpu_id ?? core_id ?? 0), Number(ticks), record, Object.fromEntries(values)]);
    })
    .sort();
}

describe.skipIf(!haveSamples)('samples', () => {
  const read = (/** @type {string} */ name) => sample(`../ctf/${name}`);
  const truth_of = (/** @type {string} */ name) =>
    JSON.parse(read(`${name}.json`).toString())
      .events.map((/** @type {any} */ one) => JSON.stringify(one))
      .sort();
  const streams = (/** @type {string} */ name) =>
    name === 'zephyr_smp' ? ['channel0_0', 'channel0_1'] : ['channel0_0'];
  const all = ['zephyr_u32_u8', 'zephyr_u32_wrap', 'zephyr_u32_u16', 'zephyr_core_id', 'zephyr_smp'];

  test.each(all)('%s equals its truth', (name) => {
    const files = Object.fromEntries([...streams(name), 'metadata'].map((file) => [file, read(`${name}/${file}`)]));
    const paths = written(name, files);
    expect(events(paths)).toEqual(truth_of(name));
    expect(events(paths.slice(0, -1))).toEqual(truth_of(name));
  });

  test.each([
    ['zephyr_bad', 258],
    ['zephyr_smp_bad', 522],
  ])('%s: at least %i events come back, and none that was not', (name, least) => {
    const [stream] = written(name, { channel0_0: read(`${name}/channel0_0`) });
    const truth = new Set(truth_of(name));
    const found = events([stream]);
    expect(found.length).toBeGreaterThanOrEqual(least);
    expect(found.filter((one) => !truth.has(one))).toEqual([]);
  });

  test('a trace with all constructs equals what babeltrace2 prints', () => {
    const paths = written('generic', { stream: read('generic/stream'), metadata: read('generic/metadata') });
    const lines = run(['dump', '--stage', 'records', ...paths])
      .stdout.trim()
      .split('\n');
    const shown = read('generic.txt').toString().trim().split('\n');
    expect(lines.length).toBe(shown.length);
    shown.forEach((line, i) => {
      const [, cycles, name] = /^\[0*(\d+)\] \(\S+\) (\S+):/.exec(line) ?? [];
      expect(lines[i]).toContain(`ticks=${(BigInt(cycles) + 5n) * 1000n} record="${name}"`);
    });
    expect(lines[2]).toContain('text="hello 2" n_len=2');
    expect(lines[2]).toContain('f=1 e="many" be=0xfffe');
    expect(lines[3]).toContain('tag="txt" v="txt"');
  });
});

test('a folder, an archive, any order of the files and a line byte by byte give the same events', () => {
  const recording = random_recording(3, 'B');
  const [stream, description] = written('any', { 'tracing.bin': recording.stream, metadata: recording.metadata });
  const [archive] = written('zip', {
    'trace.zip': zip([
      { path: 'trace/metadata', bytes: Buffer.from(recording.metadata) },
      { path: 'trace/tracing.bin', bytes: recording.stream },
    ]),
  });
  const truth = events([stream, description]);
  expect(truth.length).toBe(recording.events.length);
  expect(events([description, stream])).toEqual(truth);
  expect(events([path.dirname(stream)])).toEqual(truth);
  expect(events([archive])).toEqual(truth);
  expect(events(['-'], recording.stream)).toEqual(truth);
});

test('an unknown file beside metadata is its stream', () => {
  const own = metadata(LAYOUTS.B, { events: ['thread_ready'] }).replace('id = 0x17', 'id = 0x717');
  const event = Buffer.from([1, 0, 0, 0, 0x17, 7, 9, 0, 0, 0, ...Buffer.from('tiny'.padEnd(20, '\0'))]);
  const [stream, description] = written('unknown', { 'data.raw': event, metadata: own });
  expect(events([stream, description])).toEqual(['[0,1,"thread_ready",{"thread_id":9,"name":"tiny"}]']);
});

test('files of two CPUs become one trace', () => {
  const recording = random_recording(2, 'D');
  const slots = Array.from({ length: recording.stream.length / 1024 }, (_, i) =>
    recording.stream.subarray(i * 1024, (i + 1) * 1024),
  );
  const of = (/** @type {number} */ cpu) => Buffer.concat(slots.filter((slot) => slot[36] === cpu));
  const paths = written('cpus', { channel0_0: of(0), channel0_1: of(1) });
  const { stdout } = run(['info', '--json', ...paths]);
  expect(JSON.parse(stdout).cores.length).toBe(2);
  expect(events(paths).length).toBe(recording.events.length);
});

test('metadata that cannot be read is refused with its line', () => {
  const { inputs } = /** @type {any} */ (CASES.find(({ name }) => name === 'unknown-type-in-metadata'));
  const paths = written('refused', {
    'input.bin': inputs['input.bin'].bytes(),
    metadata: inputs['metadata.side.bin'].bytes(),
  });
  const { stdout } = run(['info', ...paths]);
  expect(stdout).toContain("Metadata, line 10: unknown type `time_t'");
  expect(stdout).toContain('Read as a stream of Zephyr without its metadata');
});
