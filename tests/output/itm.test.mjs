// SPDX-License-Identifier: MIT
// ITM recordings in the real engine: samples and random targets against their truth, the streams of a TPIU, and recordings of other formats in ports.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Itm,
  data_address,
  data_value,
  exception,
  global_time_low,
  pc_sample,
  tpiu,
  ENTERED,
  EXITED,
  RETURNED,
} from '../generator/itm.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { printer_recording } from '../generator/demo-printer.mjs';
import { LAYOUTS, event } from '../generator/ctf.mjs';
import { elf_file } from '../generator/elf.mjs';
import { Random } from '../generator/random.mjs';
import { SystemView } from '../generator/systemview.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { convert, tool } from './convert.mjs';
import { haveSamples, sample } from './samples.mjs';
import { selfCheck } from './self-check.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const CLI = path.join(path.dirname(tool), '../cli/tonkopf');
const SEEDS = Number(process.env.ITM_SEEDS ?? 12);
const HZ = 64_000_000;

let engine;
/** @type {string} */ let folder;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'itm-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const at = (/** @type {string} */ name) => path.join(folder, name);
const ns_of = (/** @type {number} */ cycles, hz = HZ) =>
  Number((BigInt(cycles) * 1_000_000_000n + BigInt(hz) / 2n) / BigInt(hz));

/** Runs the program. @param {string[]} args @param {Uint8Array} [input] */
function run(args, input) {
  const { status, stdout, stderr } = spawnSync(CLI, args, { input, maxBuffer: 1 << 28 });
  if (status) throw new Error(`${args.join(' ')}: ${status} ${stderr}`);
  return stdout.toString();
}

/** The packets of a recording, as a dump of records shows them. @param {string} file */
const packets_of = (file) =>
  run(['dump', '--stage', 'records', '--set', `clock-hz=${HZ}`, file])
    .trim()
    .split('\n')
    .map((line) => {
      const fields = Object.fromEntries(
        [...line.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, key, value]) => [key, value]),
      );
      return { ...fields, record: fields.record.slice(1, -1) };
    });

/** A packet of a truth file, in the words of the dump. @param {any[]} truth */
function words_of([, kind, ...fields]) {
  const time = fields.length && typeof fields.at(-1) === 'object' ? fields.pop() : {};
  const numbers = (/** @type {string} */ record, /** @type {any} */ rest) => ({ record, ...rest, time });
  switch (kind) {
    case 'sync':
    case 'overflow':
      return numbers(kind, {});
    case 'pcsleep':
      return numbers('no pc', { value: 0 });
    case 'pc':
      return numbers('pc', { value: fields[0] });
    case 'lts':
      return numbers('local timestamp', { value: fields[0], what: fields[1] });
    case 'exc':
      return numbers('exception', { value: fields[0], what: fields[1] });
    case 'sw':
      return numbers('software', { port: fields[0], size: fields[1], value: fields[2] });
    case 'dpc':
      return numbers('data pc', { what: fields[0], value: fields[1] });
    case 'daddr':
      return numbers('data address', { what: fields[0], value: fields[1] });
    case 'dval':
      return numbers(fields[1] === 'w' ? 'data written' : 'data read', {
        what: fields[0],
        value: fields[2],
        size: fields[3],
      });
    case 'evcnt':
      return numbers('counters', { value: fields[0] });
    case 'page':
      return numbers('page', { what: fields[0] });
    case 'gts1':
      return numbers('global timestamp 1', { value: fields[0] });
    default:
      return numbers('global timestamp 2', { value: fields[0] });
  }
}

/** What differs between the truth and the packets that were found. @param {any[][]} truth @param {any[]} found */
function differences(truth, found) {
  const out = [];
  truth.forEach((packet, i) => {
    const { time, ...wanted } = words_of(packet),
      is = found[i] ?? {};
    for (const [key, value] of Object.entries(wanted))
      if (String(is[key]) !== String(value)) out.push(`${packet[0]}: ${key} ${is[key]}, not ${value}`);
    if (Number(is.offset) !== packet[0]) out.push(`${packet[0]}: offset ${is.offset}`);
    if (time.shown !== undefined && Number(is.ticks) !== time.shown)
      out.push(`${packet[0]}: ${is.ticks} cycles, not ${time.shown}`);
  });
  return out;
}

const SLICES = `select s.ts, s.dur, s.depth, s.name from slice s join track t on t.id = s.track_id where t.name glob 'Interrupts*' and s.dur != 0 order by s.ts, s.depth`;

/** Exceptions that both begin and end between two losses, by the times of their packets. @param {any[][]} truth */
function slices_of(truth) {
  const FIXED = { 14: 'PendSV', 15: 'SysTick' },
    out = [];
  let stack = [];
  for (const [, kind, number, what, time] of truth) {
    if (kind === 'overflow') stack = [];
    if (kind !== 'exc' || time.shown === undefined) continue;
    if (what === 1) stack.push({ number, begin: time.shown });
    if (what !== 2 || stack.at(-1)?.number !== number) continue;
    const { begin } = stack.pop();
    if (time.shown > begin)
      out.push(`${ns_of(begin)} ${ns_of(time.shown) - ns_of(begin)} ${FIXED[number] ?? `IRQ ${number - 16}`}`);
  }
  return out.sort();
}

describe.skipIf(!haveSamples)('samples', () => {
  const bytes_of = (/** @type {string} */ name) => sample(`../itm/${name}`);
  const truth_of = (/** @type {string} */ name) => JSON.parse(bytes_of(`${name}.json`).toString());

  test.each(['uart', 'gts48', 'ports', 'notime', 'overflow', 'tpiu'])('%s: every packet and nanosecond', (name) => {
    const truth = truth_of(`itm_${name}`);
    fs.writeFileSync(at('in.bin'), bytes_of(`itm_${name}.bin`));
    const found = packets_of(at('in.bin'));
    expect(differences(truth.packets, found)).toEqual([]);
    expect(found).toHaveLength(truth.packets.length);
    if (name === 'tpiu' || !truth.local_timestamps) return;
    const { trace, report } = convert([{ bytes: bytes_of(`itm_${name}.bin`) }], { 'clock-hz': String(HZ) });
    engine.load(trace);
    expect(selfCheck(engine, report.events)).toEqual([]);
    const slices = engine.query(SLICES).map(({ ts, dur, name }) => `${ts} ${dur} ${name}`);
    if (name !== 'overflow') expect(slices.sort()).toEqual(slices_of(truth.packets));
    const lines = engine
      .query(
        `select s.ts, s.name as msg from slice s join track t on t.id = s.track_id where t.name = 'Text' order by s.id`,
      )
      .map(({ msg }) => `${msg}\n`);
    expect(lines.join('')).toBe(truth.port0);
  });

  test.each([
    ['start', 1211, 0],
    ['lost', 1243, 3],
    ['flip', 1246, 5],
    ['tpiu', 1087, 12],
  ])('bad_%s: at least as many packets are kept as an independent decoder keeps', (name, least, wrong) => {
    const all = truth_of('itm_uart').packets.map((packet) => JSON.stringify({ ...words_of(packet), time: 0 }));
    fs.writeFileSync(at('in.bin'), bytes_of(`itm_bad_${name}.bin`));
    const found = packets_of(at('in.bin'));
    const counts = new Map();
    for (const packet of all) counts.set(packet, (counts.get(packet) ?? 0) + 1);
    let kept = 0;
    const keys_of = {
      software: ['port', 'size', 'value'],
      'local timestamp': ['value', 'what'],
      exception: ['value', 'what'],
      sync: [],
      overflow: [],
      pc: ['value'],
      'no pc': ['value'],
      'data pc': ['what', 'value'],
      'data address': ['what', 'value'],
      'data written': ['what', 'value', 'size'],
      'data read': ['what', 'value', 'size'],
      counters: ['value'],
    };
    for (const packet of found) {
      const fields = (keys_of[packet.record] ?? ['value']).map((key) => [key, Number(packet[key])]);
      const key = JSON.stringify({ record: packet.record, ...Object.fromEntries(fields), time: 0 });
      if (!counts.get(key)) continue;
      counts.set(key, counts.get(key) - 1);
      kept++;
    }
    expect(kept).toBeGreaterThanOrEqual(least);
    expect(found.length - kept).toBeLessThanOrEqual(wrong);
  });
});

// ---- Random targets --------------------------------------------------------------------------------

/** A target that does anything at any time, and what it did. @param {number} seed */
function random_target(seed) {
  const random = new Random(seed),
    target = new Itm(),
    hz = random.pick([16_000_000, 64_000_000, 168_000_000, 72_000_000]),
    prescaler = random.pick([1, 4, 16, 64]),
    stack = [],
    slices = [],
    samples = new Map(),
    lines = [],
    numbers = new Map();
  let now = random.between(1, 100_000),
    line = '';
  const chance = (/** @type {number} */ percent) => random.between(0, 99) < percent;
  if (chance(70)) target.sync();
  /** @type {(() => void)[]} what gets the time of the next timestamp */ let waiting = [];
  const stamp = (status = 0) => {
    target.at(now).time(status);
    for (const set of waiting) set();
    waiting = [];
  };
  const with_time = (/** @type {(ns: number) => void} */ set) => waiting.push(() => set(ns_of(now * prescaler, hz)));
  for (let i = 0; i < 1500; i++) {
    now += random.between(1, chance(5) ? 900_000 : 3000);
    const what = random.between(0, 9);
    if (what < 3 && stack.length < 5) {
      const number = random.pick([11, 14, 15, 16, 30, 53, 255, 400]);
      const slice = { number, begin: 0, end: 0, depth: stack.length };
      stack.push(slice);
      slices.push(slice);
      target.put(exception(number, 1));
      with_time((ns) => (slice.begin = ns));
    } else if (what < 6 && stack.length) {
      const slice = stack.pop();
      target.put(exception(slice.number, EXITED));
      with_time((ns) => (slice.end = ns));
      if (chance(80)) target.put(exception(stack.at(-1)?.number ?? 0, RETURNED));
    } else if (what === 6) {
      const address = 0x08000000 + 2 * random.between(0, 40);
      samples.set(address, (samples.get(address) ?? 0) + 1);
      target.put(pc_sample(address));
    } else if (what === 7) {
      const text = String.fromCharCode(...Array.from({ length: random.between(1, 5) }, () => random.between(32, 126)));
      if (!line) {
        const entry = { text: '', ns: 0 };
        lines.push(entry);
        with_time((ns) => (entry.ns = ns));
      }
      line += text;
      const ends = chance(60);
      if (chance(50) || text.length % 4) target.text(0, text);
      else target.stream(0, Buffer.from(text));
      if (ends) target.text(0, chance(50) ? '\n' : '\r\n');
      lines.at(-1).text = line;
      if (ends) line = '';
    } else if (what === 8) {
      const port = random.pick([1, 2, 31, 32, 77, 255]),
        size = random.pick([1, 2, 4]),
        value = random.between(0, 255);
      const key = `port ${port}, ${size * 8} bits`;
      if (!numbers.has(key)) numbers.set(key, []);
      const entry = { ns: 0, value };
      numbers.get(key).push(entry);
      target.write(port, value, /** @type {1 | 2 | 4} */ (size));
      with_time((ns) => (entry.ns = ns));
    } else if (chance(30)) {
      target.sync();
    } else if (chance(30)) {
      target.put(Buffer.alloc(random.between(1, 4)), pc_sample(0x08000000)); // padding of the probe
      samples.set(0x08000000, (samples.get(0x08000000) ?? 0) + 1);
    } else if (chance(30)) {
      target.put(global_time_low(now % 2 ** 26, { bytes: random.between(1, 4) }));
    }
    if (chance(75)) stamp(chance(10) ? random.between(1, 3) : 0);
  }
  stamp();
  return { bytes: target.bytes(), hz, prescaler, slices, samples, lines, numbers };
}

const name_of = (/** @type {number} */ number) =>
  ({ 11: 'SVCall', 14: 'PendSV', 15: 'SysTick' })[number] ?? `IRQ ${number - 16}`;

describe.each(Array.from({ length: SEEDS }, (_, seed) => seed))('random target %i', (seed) => {
  const truth = random_target(seed);
  const options = { format: 'itm', 'clock-hz': String(truth.hz), prescaler: String(truth.prescaler) };

  test('exceptions, samples, lines and numbers are those of the target', () => {
    const { trace, report } = convert([{ bytes: truth.bytes }], options);
    engine.load(trace);
    expect(selfCheck(engine, report.events)).toEqual([]);
    const slices = engine
      .query(SLICES.replace('and s.dur != 0', ''))
      .map(({ ts, dur, depth, name }) => `${ts} ${Number(dur) < 0 ? 'open' : dur} ${depth} ${name}`);
    const wanted = truth.slices.filter(({ end }) => end);
    const shown = new Set(slices);
    const missing = wanted
      .map(({ number, begin, end, depth }) => `${begin} ${end - begin} ${depth} ${name_of(number)}`)
      .filter((slice) => !shown.has(slice));
    expect(missing).toEqual([]);
    expect(slices).toHaveLength(truth.slices.length);
    const found = new Map(
      (report.profile ?? []).map((/** @type {any} */ { address, samples }) => [Number(address), samples]),
    );
    expect(found).toEqual(truth.samples);
    const sampled = engine.query(
      `select f.name, count(*) as n from perf_sample p join stack_profile_callsite c on c.id = p.callsite_id
        join stack_profile_frame f on f.id = c.frame_id group by 1`,
    );
    expect(new Map(sampled.map(({ name, n }) => [Number(name), n]))).toEqual(truth.samples);
    const lines = engine
      .query(
        `select s.ts, s.name as msg from slice s join track t on t.id = s.track_id where t.name = 'Text' order by s.id`,
      )
      .map(({ ts, msg }) => `${ts} ${msg}`);
    expect(lines).toEqual(truth.lines.map(({ ns, text }) => `${ns} ${text}`));
    const messages = engine.query('select ts, tag, msg from android_logs order by ts, id');
    expect(messages.map(({ ts, tag, msg }) => `${ts} ${tag} ${msg.replace(/^\(.*?\) /, '')}`)).toEqual(
      truth.lines.map(({ ns, text }) => `${ns} port 0:0 ${text}`), // of an interrupt: with its name before
    );
    for (const [key, values] of truth.numbers) {
      const rows = engine.query(
        `select c.ts, c.value from counter c join track t on t.id = c.track_id where t.name = '${key}' order by c.id`,
      );
      expect(
        rows.map(({ ts, value }) => `${ts} ${value}`),
        key,
      ).toEqual(values.map(({ ns, value }) => `${ns} ${value}`));
    }
  });

  test.skipIf(seed % 4)('the same from a line that sends byte by byte, and from the frames of a TPIU', () => {
    const settings = Object.entries(options).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const whole = convert([{ bytes: truth.bytes }], options).trace;
    const one = spawnSync(CLI, ['conv', ...settings, '-', '-o', at('pipe.pftrace')], { input: truth.bytes });
    expect(one.status).toBe(0);
    expect(fs.readFileSync(at('pipe.pftrace')).equals(whole)).toBe(true);
    const random = new Random(seed),
      other = Buffer.from(Array.from({ length: 3000 }, () => random.between(0, 255)));
    fs.writeFileSync(
      at('frames.bin'),
      tpiu(
        [
          { stream: 13, bytes: truth.bytes },
          { stream: 2, bytes: other },
        ],
        { turn: random.between(1, 40), sync_each: random.between(1, 40), half_syncs: seed % 8 === 0 },
      ),
    );
    run(['conv', ...settings, at('frames.bin'), '-o', at('frames.pftrace')]);
    expect(fs.readFileSync(at('frames.pftrace')).equals(whole)).toBe(true);
  });
});

// ---- Names by an ELF file --------------------------------------------------------------------------

test('an ELF file names exceptions, functions and variables', () => {
  const words = Array.from({ length: 64 }, () => 0);
  words[0] = 0x2000_8000;
  words[1] = 0x0800_0101;
  words[16 + 37] = 0x0800_0201;
  const firmware = elf_file({
    functions: [
      { name: 'Reset_Handler', address: 0x0800_0100, size: 64 },
      { name: 'USART1_IRQHandler', address: 0x0800_0200, size: 64 },
      { name: 'control_loop', address: 0x0800_0400, size: 256 },
    ],
    variables: [{ name: 'speed', address: 0x2000_2004, size: 4 }],
    vectors: words,
  });
  const target = new Itm().at(10).sync();
  for (let i = 0; i < 20; i++)
    target
      .at(1000 * (i + 1))
      .enter(53)
      .time()
      .at(1000 * (i + 1) + 100)
      .leave(53)
      .time()
      .at(1000 * (i + 1) + 200)
      .put(pc_sample(0x0800_0440), data_address(0, 0x2000_2004), data_value(0, i, 4, true))
      .time();
  fs.writeFileSync(at('named.bin'), target.bytes());
  fs.writeFileSync(at('firmware.elf'), firmware);
  const files = [at('named.bin'), at('firmware.elf')];
  run(['conv', '--set', `clock-hz=${HZ}`, ...files, '-o', at('named.pftrace')]);
  engine.load(fs.readFileSync(at('named.pftrace')));
  expect(new Set(engine.query(SLICES).map(({ name }) => name))).toEqual(new Set(['USART1']));
  const values = engine.query(
    `select c.value from counter c join track t on t.id = c.track_id where t.name = 'speed written' order by c.ts`,
  );
  expect(values.map(({ value }) => Number(value))).toEqual(Array.from({ length: 20 }, (_, i) => i));
  const report = JSON.parse(run(['info', '--json', '--set', `clock-hz=${HZ}`, ...files]));
  expect(report.profile).toMatchObject([{ name: 'control_loop', samples: 20 }]);
  const [{ names, processes, counted }] = engine.query(
    `select group_concat(distinct f.name) as names, group_concat(distinct pr.name) as processes,
      (select max(value) from counter c join track t on t.id = c.track_id where t.name = 'samples of the program counter') as counted
      from perf_sample p join stack_profile_callsite c on c.id = p.callsite_id join stack_profile_frame f on f.id = c.frame_id
      join thread t using (utid) join process pr using (upid)`,
  );
  expect({ names, processes, counted }).toEqual({
    names: 'control_loop',
    processes: 'Samples of the program counter',
    counted: 20,
  });
});

// ---- Recognition -----------------------------------------------------------------------------------

test('random bytes are never an ITM recording', () => {
  for (let seed = 1; seed <= 8; seed++) {
    const random = new Random(seed);
    fs.writeFileSync(at('random.bin'), Buffer.from(Array.from({ length: 65_536 }, () => random.between(0, 255))));
    const { status, stderr } = spawnSync(CLI, ['conv', at('random.bin'), '-o', at('random.pftrace')]);
    expect(status, stderr.toString()).not.toBe(0);
  }
});

// ---- Recordings in ports ---------------------------------------------------------------------------

describe('a recording of another format in a port', () => {
  const recordings = {
    tonbandgeraet: motor_recording({ bytes: 8000 }),
    systemview: printer_recording({ bytes: 8000 }),
    qs: lift_recording({ bytes: 8000 }),
  };

  test.each(Object.keys(recordings))('%s is converted by its own format', (format) => {
    const inner = Buffer.from(recordings[/** @type {keyof typeof recordings} */ (format)]),
      target = new Itm().at(500).sync();
    for (let from = 0, i = 0; from < inner.length; from += 100, i++) {
      target
        .at(1000 + i * 5000)
        .stream(1, inner.subarray(from, from + 100))
        .time();
      target
        .at(2000 + i * 5000)
        .enter(53)
        .at(2300 + i * 5000)
        .leave(53);
    }
    fs.writeFileSync(at('inner.bin'), inner);
    fs.writeFileSync(at('port.bin'), target.bytes());
    fs.writeFileSync(at('frames.bin'), tpiu([{ stream: 1, bytes: target.bytes() }]));
    run(['conv', at('inner.bin'), '-o', at('inner.pftrace')]);
    for (const name of ['port', 'frames']) {
      const out = at(`${name}-out`);
      run(['conv', at(`${name}.bin`), '-o', `${out}/`]);
      const files = fs.readdirSync(out);
      expect(files).toHaveLength(2);
      const port = files.find((file) => file.includes('-2'));
      expect(fs.readFileSync(path.join(out, port)).equals(fs.readFileSync(at('inner.pftrace')))).toBe(true);
      engine.load(
        fs.readFileSync(
          path.join(
            out,
            files.find((file) => file !== port),
          ),
        ),
      );
      expect(engine.query(SLICES)).toHaveLength(Math.ceil(inner.length / 100));
    }
  });
});

/** Switches of Tonbandgeraet, whose ticks are microseconds. @returns {[us: number, Uint8Array][]} */
const timed_frames = () => [
  [90, concat([frame('ts_resolution_ns', 1000), frame('task_name', 1, 'pump'), frame('task_name', 2, 'logger')])],
  // More names than are looked at to find the first times.
  [91, concat(Array.from({ length: 1000 }, (_, i) => frame('task_name', 3 + (i % 100), `task ${i % 100}`)))],
  ...Array.from({ length: 200 }, (_, i) => {
    const us = 100 + i * 100;
    return /** @type {[number, Uint8Array]} */ ([us, frame('task_switched_in', us, 1 + (i % 2))]);
  }),
];

/** Recordings by the time in cycles at which the target wrote each piece. @type {Record<string, () => { hz: number, pieces: [number, Uint8Array][] }>} */
const WRITTEN = {
  systemview() {
    const recorder = new SystemView(),
      /** @type {[number, Uint8Array][]} */ pieces = [];
    let used = 0;
    const add = (/** @type {number} */ cycles) => {
      const bytes = recorder.bytes();
      pieces.push([cycles, bytes.subarray(used)]);
      used = bytes.length;
    };
    const [pump, logger] = ['pump', 'logger'].map((name, i) => ({
      name,
      address: 0x2000_2000 + i * 0x400,
      priority: i,
    }));
    recorder.at(50_000).start('N=Port,O=FreeRTOS', [pump, logger]);
    add(50_000);
    for (let i = 1; i < 200; i++) {
      recorder.at(50_000 + i * 20_000).run(i % 2 ? pump : logger);
      add(50_000 + i * 20_000);
    }
    return { hz: 168_000_000, pieces };
  },
  ctf: () => ({
    hz: 64_000_000,
    pieces: Array.from({ length: 200 }, (_, i) => [
      (i + 1) * 6400,
      event(LAYOUTS.B, i % 2 ? 'thread_switched_out' : 'thread_switched_in', (i + 1) * 100_000, {
        thread_id: 0x2000_0100 + (i & 2),
        name: i & 2 ? 'pump' : 'logger',
      }),
    ]),
  }),
  tonbandgeraet: () => ({ hz: 64_000_000, pieces: timed_frames().map(([us, bytes]) => [us * 64, bytes]) }),
};

test.each(Object.keys(WRITTEN))('%s in a port: the exceptions are beside it, at the times of their clock', (format) => {
  const { hz, pieces } = WRITTEN[format](),
    random = new Random(7),
    target = new Itm(),
    exceptions = [];
  const pass = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (to - from < 1000) return;
    const begin = random.between(from + 1, from + 400),
      end = random.between(begin + 1, to - 100);
    target.at(begin).enter(15).time().at(end).leave(15).time();
    exceptions.push([begin, end]);
  };
  target.at(10).sync();
  pass(20, 5000); // before the recording
  const before = exceptions.length;
  pieces.forEach(([cycles, bytes], i) => {
    const late = i % 3 ? random.between(0, 300) : 0; // the port was busy
    target
      .at(cycles + late)
      .stream(1, bytes)
      .time();
    pass(cycles + late, pieces[i + 1]?.[0] ?? cycles + 5000);
  });
  fs.writeFileSync(at('inner.bin'), Buffer.concat(pieces.map(([, bytes]) => bytes)));
  fs.writeFileSync(at('beside.bin'), target.bytes());
  run(['conv', at('inner.bin'), '-o', at('inner.pftrace')]);
  run(['conv', '--set', `clock-hz=${hz}`, at('beside.bin'), '-o', at('beside.pftrace')]);
  run(['conv', '--set', `clock-hz=${hz}`, '-', '-o', at('line.pftrace')], target.bytes()); // the recording only
  expect(fs.readFileSync(at('line.pftrace')).equals(fs.readFileSync(at('inner.pftrace')))).toBe(true);
  const SCHED = `select s.ts, s.dur, s.cpu, t.name from sched s join thread t using (utid) order by s.ts`;
  engine.load(fs.readFileSync(at('inner.pftrace')));
  const runs = engine.query(SCHED);
  engine.load(fs.readFileSync(at('beside.pftrace')));
  expect(engine.query(SCHED).slice(0, -1)).toEqual(runs.slice(0, -1)); // the last one ends with the trace
  const shown = engine.query(
    `select s.ts, s.dur, s.name from slice s join track t on t.id = s.track_id where t.name = 'Exceptions' order by s.ts`,
  );
  const wanted = exceptions.slice(before).map(([begin, end]) => [ns_of(begin, hz), ns_of(end, hz)]);
  expect(shown.length).toBe(wanted.length);
  const apart = format === 'tonbandgeraet' ? 1000 : 1; // ticks of a microsecond
  shown.forEach(({ ts, dur, name }, i) => {
    expect(name).toBe('SysTick');
    expect(Math.abs(Number(ts) - wanted[i][0])).toBeLessThanOrEqual(apart);
    expect(Math.abs(Number(ts) + Number(dur) - wanted[i][1])).toBeLessThanOrEqual(apart);
  });
  const report = JSON.parse(run(['info', '--json', '--set', `clock-hz=${hz}`, at('beside.bin')]));
  expect(report.format.name).toBe(format);
  expect(report.clocks[0]).toMatchObject({ zero: 'assumed: the recording arrived without delay' });
  expect(report.facts.map(({ fact }) => fact).join('\n')).toContain('before the start of the recording are not shown');
});

test('packets without times beside a recording: nothing of them is shown, and all bytes are accounted for', () => {
  const target = new Itm().sync();
  for (const [, bytes] of timed_frames())
    target.stream(1, bytes).put(exception(15, ENTERED), exception(15, EXITED), exception(0, RETURNED));
  fs.writeFileSync(at('untimed.bin'), target.bytes());
  fs.writeFileSync(at('inner.bin'), Buffer.concat(timed_frames().map(([, bytes]) => bytes)));
  run(['conv', at('inner.bin'), '-o', at('inner.pftrace')]);
  run(['conv', '--set', `clock-hz=${HZ}`, at('untimed.bin'), '-o', at('untimed.pftrace')]);
  expect(fs.readFileSync(at('untimed.pftrace')).equals(fs.readFileSync(at('inner.pftrace')))).toBe(true);
  const report = JSON.parse(run(['info', '--json', '--set', `clock-hz=${HZ}`, at('untimed.bin')]));
  const facts = report.facts.map(({ fact }) => fact).join('\n');
  expect(facts).toContain(' are not shown: it is unknown when the recording arrived');
  expect(facts).not.toContain('are shown beside');
  expect(report.clocks).toBeUndefined();
  expect(report.problems.map(({ id }) => id)).toEqual([]);
  for (const { bytes, decoded, skipped, left } of report.inputs) expect(decoded + skipped + left).toBe(bytes);
});
