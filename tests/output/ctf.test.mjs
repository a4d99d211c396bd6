// SPDX-License-Identifier: MIT
// CTF: every event and nanosecond of the samples against their truth, with and without metadata, however the files arrive.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zip } from '../common/archives.mjs';
import { LAYOUTS, event, metadata } from '../generator/ctf.mjs';
import { elf_file } from '../generator/elf.mjs';
import { CASES } from '../generator/golden-ctf.mjs';
import { random_recording } from '../simulator/ctf.mjs';
import { tool } from './convert.mjs';
import { haveSamples, sample } from './samples.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const TOOL = path.join(path.dirname(tool), '../cli/tonkopf');

let folder, engine;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ctf-'));
  engine = await sharedTraceProcessor();
});
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

/** A trace as barectf and LTTng write it: a file for each stream. `uuid` and `cpu_id` are those of LTTng. */
const PARTS = (/** @type {boolean} */ has_cpu) => `/* CTF 1.8 */
typealias integer { size = 8; } := uint8_t;
typealias integer { size = 16; } := uint16_t;
typealias integer { size = 32; } := uint32_t;
typealias integer { size = 64; map = clock.c.value; } := clock_t;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; }; };
clock { name = c; freq = 1000000000; };
${[0, 1]
  .map(
    (id) => `stream { id = ${id};
  event.header := struct { uint16_t id; clock_t timestamp; };
  packet.context := struct { clock_t timestamp_begin; clock_t timestamp_end; uint32_t content_size; uint32_t packet_size; ${has_cpu ? 'uint32_t cpu_id; ' : ''}};
};
event { name = "io${id}:read_entry"; id = 1; stream_id = ${id}; fields := struct { uint32_t bytes; }; };
event { name = "io${id}:read_exit"; id = 2; stream_id = ${id}; fields := struct { uint32_t bytes; }; };
event { name = "io${id}:note"; id = 3; stream_id = ${id}; fields := struct { string text; }; };
`,
  )
  .join('')}`;

const u32 = (/** @type {number[]} */ ...values) => Buffer.from(new Uint32Array(values).buffer);
const u64 = (/** @type {number[]} */ ...values) => Buffer.from(new BigUint64Array(values.map(BigInt)).buffer);

/** The packets of one file. @param {{ stream: number, cpu?: number, first: number }} file */
function part({ stream, cpu, first }) {
  const packets = [],
    wanted = [];
  for (let packet = 0; packet < 3; packet++) {
    const begin = first + packet * 100_000,
      pieces = [];
    for (let i = 0; i < 5; i++) {
      const at = begin + i * 10_000,
        name = `io${stream}`;
      pieces.push(Buffer.of(1, 0), u64(at), u32(i), Buffer.of(2, 0), u64(at + 4000), u32(i));
      pieces.push(Buffer.of(3, 0), u64(at + 5000), Buffer.from(`text ${i}\0`));
      wanted.push([cpu ?? 0, at, `${name}:read_entry`], [cpu ?? 0, at + 4000, `${name}:read_exit`]);
      wanted.push([cpu ?? 0, at + 5000, `${name}:note`]);
    }
    const content = Buffer.concat(pieces),
      header = 24 + 24 + (cpu === undefined ? 0 : 4),
      head = [u32(0xc1fc1fc1), Buffer.alloc(16, 7), u32(stream), u64(begin, begin + 90_000)];
    const sizes = u32((header + content.length) * 8, 1024 * 8);
    packets.push(...head, sizes, cpu === undefined ? Buffer.alloc(0) : u32(cpu), content);
    packets.push(Buffer.alloc(1024 - header - content.length));
  }
  return { bytes: Buffer.concat(packets), wanted };
}

test.each([
  ['LTTng: two channels on two CPUs', { a_0: [0, 0, 1000], a_1: [0, 1, 1500], b_0: [1, 0, 2000], b_1: [1, 1, 2500] }],
  ['barectf: two streams without CPUs', { first: [0, undefined, 1000], second: [1, undefined, 1300] }],
])('%s become one trace', (name, list) => {
  const parts = Object.entries(list).map(([file, [stream, cpu, first]]) => [
    file,
    part({ stream: /** @type {number} */ (stream), cpu, first: /** @type {number} */ (first) }),
  ]);
  const has_cpu = name.startsWith('LTTng');
  const files = Object.fromEntries(parts.map(([file, { bytes }]) => [file, bytes]));
  const paths = written(`parts-${has_cpu}`, { ...files, metadata: PARTS(has_cpu) });
  const wanted = parts.flatMap(([, one]) => one.wanted.map((/** @type {any} */ event) => JSON.stringify(event)));
  const found = events(paths).map((event) => JSON.stringify(JSON.parse(event).slice(0, 3)));
  expect(found.sort()).toEqual(wanted.sort());
  expect(events([...paths].reverse())).toEqual(events(paths));
  const out = path.join(folder, 'parts.pftrace');
  expect(run(['conv', ...paths, '-o', out]).status).toBe(0);
  engine.load(fs.readFileSync(out));
  const rows = engine.query(
    `select s.ts, s.dur, t.name as track, s.name from slice s join track t on t.id = s.track_id where t.name != 'Problems' order by s.ts`,
  );
  const slices = rows.filter(({ dur }) => Number(dur) > 0);
  expect(slices.length).toBe(parts.length * 15);
  expect(new Set(slices.map(({ dur }) => Number(dur)))).toEqual(new Set([4000]));
  expect(new Set(rows.map(({ track }) => track.slice(-5)))).toEqual(new Set(has_cpu ? ['CPU 0', 'CPU 1'] : ['CPU 0']));
  // Without the description nothing tells that the files belong together.
  const lone = JSON.parse(run(['info', '--json', paths[0]]).stdout);
  expect(lone.inputs.length).toBe(1);
});

test('an ELF file names the objects and the threads without a name', () => {
  const firmware = elf_file({
    variables: [
      { name: 'uart_sem', address: 0x2000_1000, size: 16 },
      { name: 'worker_thread', address: 0x2000_0200, size: 128 },
    ],
  });
  const unnamed = { thread_id: 0x2000_0200, name: 'unknown' };
  const take = { id: 0x2000_1000, timeout: 0xffff_ffff };
  const stream = Buffer.concat(
    [
      ['thread_switched_in', unnamed],
      ['semaphore_take_enter', take],
      ['semaphore_take_blocking', take],
      ['thread_pending', unnamed],
      ['thread_switched_out', unnamed],
      ['thread_switched_in', { thread_id: 0x2000_0300, name: 'idle' }],
      ['thread_ready', unnamed],
      ['thread_switched_out', { thread_id: 0x2000_0300, name: 'idle' }],
      ['thread_switched_in', unnamed],
      ['semaphore_take_exit', { ...take, ret: 0 }],
    ].map(([name, fields], i) =>
      event(LAYOUTS.B, /** @type {string} */ (name), 1000 * (i + 1), /** @type {any} */ (fields)),
    ),
  );
  const paths = written('elf', { 'tracing.bin': stream, 'zephyr.elf': firmware });
  const out = path.join(folder, 'elf.pftrace');
  expect(run(['conv', ...paths, '-o', out]).status).toBe(0);
  engine.load(fs.readFileSync(out));
  const names = engine.query(`select name from thread union select name from slice union select name from track`);
  const all = names.map(({ name }) => name).join('\n');
  expect(all).toContain('worker_thread');
  expect(all).toContain('uart_sem');
  expect(all).not.toContain('0x20001000');
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
