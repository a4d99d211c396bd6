// SPDX-License-Identifier: MIT
// Recordings in zip and tar archives: the trace equals that of the extracted files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tar, zip } from '../common/archives.mjs';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, TOOL } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 60_000 });
const CORES = gateway_recordings({ bytes: 40_000 });
const NOTE = Buffer.from('A letter about recordings, but none itself.\n');
const HEX = Buffer.from(Buffer.from(MOTOR).toString('hex'));
const MANY = [
  { path: 'note.txt', bytes: NOTE },
  { path: 'lab/run.bin', bytes: MOTOR, deflated: true },
  { path: 'lab/gate.core0.bin', bytes: CORES[0], deflated: true },
  { path: 'lab/gate.core1.bin', bytes: CORES[1] },
  { path: 'run.bin.gz', bytes: gzipSync(MOTOR), deflated: true },
  { path: 'lab/', bytes: Buffer.alloc(0) },
  { path: '.hidden.bin', bytes: MOTOR },
  { path: '../../run.hex', bytes: HEX, deflated: true },
];

/** @type {Folder} */
let folder;
/** @type {Record<'run' | 'gate', Buffer>} */
let expected;

beforeAll(() => {
  folder = new Folder();
  folder.write('run.bin', MOTOR);
  folder.write('gate.core0.bin', CORES[0]);
  folder.write('gate.core1.bin', CORES[1]);
  const plain = (/** @type {string[]} */ names) => run('conv', names).traces[0]?.bytes ?? Buffer.alloc(0);
  expected = { run: plain(['run.bin']), gate: plain(['gate.core0.bin', 'gate.core1.bin']) };
});
afterAll(() => folder.remove());

/** @param {string} command @param {string[]} args @param {Uint8Array} [input] */
function run(command, args, input) {
  rmSync(folder.at('out'), { recursive: true, force: true });
  mkdirSync(folder.at('out'));
  const place = command === 'conv' ? ['-o', 'out'] : [];
  const { status, stdout, stderr } = spawnSync(TOOL, [command, ...args, ...place], {
    cwd: folder.path,
    input,
    maxBuffer: 1 << 28,
  });
  const traces = readdirSync(folder.at('out'))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(folder.at(`out/${name}`)) }));
  return { status, text: stdout.toString(), errors: stderr.toString(), traces };
}

const WHOLE = /** @type {[string, Buffer][]} */ ([
  ['all.zip', zip(MANY)],
  ['stored.zip', zip(MANY.map((file) => ({ ...file, deflated: false })))],
  ['streamed.zip', zip(MANY.map((file) => ({ ...file, descriptor: true })))],
  ['large.zip', zip(MANY.map((file) => ({ ...file, zip64: true })))],
  ['prefixed.zip', Buffer.concat([zip(MANY, { comment: 'PK\x05\x06 is how it ends' })])],
  ['all.tar', tar(MANY)],
  ['all.tar.gz', gzipSync(tar(MANY))],
  ['all.tgz', gzipSync(tar(MANY))],
]);

test.each(WHOLE)('every recording in %s', (name, bytes) => {
  folder.write(name, bytes);
  const { status, errors, traces } = run('conv', [name]);
  expect(status, errors).toBe(0);
  expect(traces, errors).toHaveLength(4);
  const wanted = [expected.run, expected.gate, expected.run, expected.run];
  const order = traces.map((trace) => Number(/-(\d+)\.pftrace$/.exec(trace.name)?.[1] ?? 1) - 1);
  for (const [i, trace] of traces.entries())
    expect(trace.bytes.equals(/** @type {Buffer} */ (wanted[/** @type {number} */ (order[i])])), trace.name).toBe(true);
  expect(errors).toContain(`${name}/lab/run.bin -> out/`);
  expect(errors).toContain(`${name}/../../run.hex -> out/`);
  expect(errors).not.toContain('note.txt');
  expect(errors).not.toContain('hidden');
});

test('through a pipe', () => {
  for (const bytes of [zip(MANY.slice(0, 2)), gzipSync(tar(MANY.slice(0, 2)))]) {
    const { status, errors, traces } = run('conv', ['-'], bytes);
    expect(status, errors).toBe(0);
    expect(traces[0]?.bytes.equals(expected.run)).toBe(true);
  }
});

test('encrypted members and unsupported compression methods are named and skipped', () => {
  folder.write(
    'locked.zip',
    zip([
      { path: 'secret.bin', bytes: MOTOR, encrypted: true },
      { path: 'other.bin', bytes: MOTOR, method: 12 },
      { path: 'run.bin', bytes: MOTOR },
    ]),
  );
  folder.write('all-locked.zip', zip([{ path: 'secret.bin', bytes: MOTOR, encrypted: true }]));
  const { status, errors, traces } = run('conv', ['locked.zip']);
  expect(status, errors).toBe(0);
  expect(traces).toHaveLength(1);
  expect(errors).toContain('warning: locked.zip/secret.bin: left out, it is encrypted');
  expect(errors).toContain('warning: locked.zip/other.bin: left out, its compression method is unknown');
  const none = run('conv', ['all-locked.zip']);
  expect(none.status).toBe(3);
  expect(none.errors).toContain('all-locked.zip/secret.bin: left out, it is encrypted');
});

test('a recording after padding in a member of an archive', () => {
  const dump = Buffer.concat([Buffer.alloc(1_500_000, 0xff), Buffer.from([0]), MOTOR]);
  folder.write('dump.bin', dump);
  const [alone] = run('conv', ['dump.bin']).traces;
  expect(alone?.bytes.length).toBeGreaterThan(10_000);
  folder.write(
    'dumps.zip',
    zip([
      { path: 'note.txt', bytes: NOTE },
      { path: 'dump.bin', bytes: dump, deflated: true },
    ]),
  );
  folder.write(
    'dumps.tgz',
    gzipSync(
      tar([
        { path: 'note.txt', bytes: NOTE },
        { path: 'dump.bin', bytes: dump },
      ]),
    ),
  );
  for (const name of ['dumps.zip', 'dumps.tgz']) {
    const { errors, traces } = run('conv', [name]);
    expect(traces, `${name}: ${errors}`).toHaveLength(1);
    expect(traces[0]?.bytes.equals(/** @type {Buffer} */ (alone?.bytes)), name).toBe(true);
  }
});

test('a long path, a path in two parts, other entry types', () => {
  const deep = `${'deep/'.repeat(40)}run.bin`;
  folder.write(
    'long.tar',
    tar([
      { path: deep, bytes: MOTOR, long: 'gnu' },
      { path: deep, bytes: MOTOR, long: 'pax' },
      { path: 'run.bin', prefix: 'first/part', bytes: MOTOR },
      { path: 'link', bytes: Buffer.alloc(0), type: '2' },
      { path: 'global', bytes: Buffer.from('13 path=xxxx\n'), type: 'g' },
    ]),
  );
  const { errors, traces } = run('conv', ['long.tar']);
  expect(traces, errors).toHaveLength(3);
  expect(errors.match(/deep\/run\.bin -> /g)).toHaveLength(2);
  expect(errors).toContain('long.tar/first/part/run.bin -> ');
});

/** What is wrong, and how many traces there are all the same. */
const DAMAGED = /** @type {[string, Buffer, number][]} */ ([
  ['cut.zip', zip(MANY).subarray(0, 30_000), 1],
  [
    'cut-in-the-directory.zip',
    zip([
      { path: 'a.bin', bytes: MOTOR },
      { path: 'b.bin', bytes: MOTOR },
    ]).subarray(0, -60),
    2,
  ],
  [
    'lie-about-size.zip',
    zip([
      { path: 'a.bin', bytes: MOTOR, size: 5 },
      { path: 'b.bin', bytes: MOTOR, deflated: true, size: 0xfffffff0 },
    ]),
    2,
  ],
  ['lie-about-packed.zip', zip([{ path: 'a.bin', bytes: MOTOR, packed: 0xfffffff0 }]), 1],
  [
    'lie-about-place.zip',
    zip([
      { path: 'a.bin', bytes: MOTOR, offset: 0xfffffff0 },
      { path: 'b.bin', bytes: MOTOR },
    ]),
    1,
  ],
  ['cut.tar', tar(MANY).subarray(0, 20_000), 1],
  ['lie-about-size.tar', tar([{ path: 'a.bin', bytes: MOTOR, size: 8 ** 11 * 5 }]), 1],
  [
    'flipped.tar',
    Buffer.concat([
      tar([{ path: 'a.bin', bytes: MOTOR }], { end: false }),
      tar([{ path: 'b.bin', bytes: MOTOR }]).fill(0x55, 3, 9),
    ]),
    1,
  ],
  ['cut.tar.gz', gzipSync(tar(MANY)).subarray(0, 15_000), 1],
]);

test.each(DAMAGED)('%s converts the undamaged members', (name, bytes, count) => {
  folder.write(name, bytes);
  const { status, errors, traces } = run('conv', [name]);
  expect(status, errors).toBe(0);
  expect(traces.length, errors).toBe(count);
  if (name !== 'lie-about-size.zip') expect(errors).toMatch(/cut|damaged/);
});

test('a zip bomb needs no memory', () => {
  const bomb = zip([
    { path: 'zeros.bin', bytes: Buffer.alloc(200 << 20), deflated: true },
    { path: 'run.bin', bytes: MOTOR },
  ]);
  expect(bomb.length).toBeLessThan(1 << 20);
  folder.write('bomb.zip', bomb);
  const { errors, traces } = run('conv', ['bomb.zip']);
  expect(traces, errors).toHaveLength(1);
  expect(traces[0]?.bytes.equals(expected.run)).toBe(true);
});
