// SPDX-License-Identifier: MIT
// Every TraceRecorder recording, decoded event by event, equals the output of an independent decoder; the trace contains the figures of an
// independent implementation.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { AT, PsfStream } from '../generator/golden-psf-stream.mjs';
import { PsfEncoder } from '../generator/psf.mjs';
import { espresso_recording } from '../generator/demo-espresso.mjs';
import { Random } from '../generator/random.mjs';
import { convert } from './convert.mjs';
import { root } from './fetch.mjs';
import { conditions } from './threads.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'tracealyzer');
const present = Boolean(folder && fs.existsSync(folder));
if (!present)
  console.warn('TONKOPF_SAMPLES names no folder with TraceRecorder recordings: the tests that need them are skipped');
const tool = process.env.TONKOPF_CLI ?? path.join(root, 'build/native/cli/tonkopf');
const names = present
  ? fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, `${name}.events.tsv.gz`)))
  : [];

const run = (args) =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const TEXTS = new Set(['name', 'text']);
const EVENTS_WITH_TEXT = new Set(['OBJ_NAME', 'DEFINE_ISR', 'RUNNABLE_REGISTER', 'USER_EVENT', 'USER_EVENT_FIXED']);
const hex = (value) => BigInt(value).toString(16);
/** A signed word as the target sent it. */
const word = (value, wide) => hex(BigInt.asUintN(wide ? 64 : 32, BigInt(value)));
/** In the references the time of a memory image begins one timer period too late. */
const isImage = (name) => name.startsWith('ring_');

/** The file of a further core is decoded with the one that has the header. */
const filesOf = (name) => (name.includes('core1') ? [name.replace('core1', 'core0'), name] : [name]);

function ownRows(name, wide) {
  return run(['dump', '--stage', 'records', '--json', ...filesOf(name).map((file) => path.join(folder, file))])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ input }) => input === name)
    .map(({ offset, ticks, record, fields }) => {
      const { code, count, timer, ...rest } = fields;
      const params = Object.entries(rest).filter(([key]) => !TEXTS.has(key));
      return {
        offset,
        ns: BigInt(ticks),
        count,
        timer,
        code: hex(code).padStart(2, '0'),
        record,
        params: params.map(([, value]) => word(value, wide)).join(','),
        text: Object.entries(rest)
          .filter(([key]) => TEXTS.has(key))
          .map(([, value]) => value.replace(/^fmt@(0x[0-9a-f]+).*/, '<fmt $1>'))
          .join(),
      };
    });
}

/** The oldest recorder leaves the address of a created object to the name event before; the reference inserts it. */
function withAddresses(rows) {
  let named = '';
  return rows.map((row) => {
    const [first, ...others] = row.params.split(',');
    const params = row.record.endsWith('_CREATE') && first === '0' ? [named, ...others].join(',') : row.params;
    if (row.record === 'OBJ_NAME') named = first;
    return { ...row, params };
  });
}

function referenceRows(name, hz) {
  const ns = (ticks) =>
    hz ? (BigInt(ticks) / hz) * 1000000000n + ((BigInt(ticks) % hz) * 1000000000n + hz / 2n) / hz : BigInt(ticks);
  return zlib
    .gunzipSync(fs.readFileSync(path.join(folder, `${name}.events.tsv.gz`)))
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([, offset, core, count, timer, ticks, code, record, params, text = '']) => ({
      offset,
      ns: ns(ticks),
      core,
      count,
      timer,
      code: code.toLowerCase(),
      record: record.startsWith('EXT:') ? 'EXTENSION' : record,
      params,
      text: EVENTS_WITH_TEXT.has(record) ? text.replace(/^\[[^\]]*\] ?/, '') : '',
    }));
}

describe.skipIf(!present)('TraceRecorder recordings', () => {
  test.each(names)('%s: events', (name) => {
    const reference = JSON.parse(fs.readFileSync(path.join(folder, `${name}.ref.json`), 'utf8'));
    const { header } = reference.sessions[0];
    const image = isImage(name);
    const cores = header?.cores ?? 1;
    const own = withAddresses(ownRows(name, header?.W === 8));
    const wanted = referenceRows(name, BigInt(header?.ts.freq ?? 0));
    const shift = image || name.includes('headerless') ? wanted[0].ns - own[0].ns : 0n;
    const line = ({ offset, count, timer, code, record, params, text }) =>
      [image ? '' : offset, count, timer, code, record, params, text].join(' ');
    own.forEach((row, index) => {
      const { core, ...other } = wanted[index];
      const count =
        cores > 1 && Number(other.count) < 4096 ? String(Number(core) * 4096 + Number(other.count)) : other.count;
      expect(`${index}: ${line(row)} ${row.ns + shift}`).toBe(`${index}: ${line({ ...other, count })} ${other.ns}`);
    });
    expect(own.length).toBe(wanted.length);
  });
});

// ---- traces ------------------------------------------------------------------------------------

/** Sums in ns, each with its count: of runs, waits, waits for locks, holders, interrupts, intervals, states, runnables; peak and final
 * heap; expiries; user events; lost events. */
const FIGURES = {
  'freertos_v14_le32.psf': {
    runs: 220136300,
    waits: [565, 2446575600],
    locks: [21, 27151700],
    held: [157, 73414900],
    isrs: { UART_IRQ: [40, 39000], DMA_IRQ: [28, 23600], SysTick: [11, 1100] },
    intervals: [92, 33878300],
    states: [74791000, 71163400, 72559800],
    runnables: [40, 3222000],
    heap: [854920, 788992],
    expired: 30,
    user: 168,
    lost: [0, 0],
  },
  'freertos_v14_alt.psf': {
    runs: 160772100,
    waits: [440, 2085297800],
    locks: [12, 15537700],
    held: [130, 250252800],
    isrs: { UART_IRQ: [25, 19100], DMA_IRQ: [17, 8700], SysTick: [12, 27300] },
    intervals: [60, 14828700],
    states: [49820000, 51973100, 53925400],
    runnables: [25, 2029600],
    heap: [4128632, 920936],
    expired: 23,
    user: 111,
    lost: [0, 0],
  },
  'freertos_v14_wrap32.psf': {
    runs: 190288887,
    waits: [480, 2137031531],
    locks: [12, 13827745],
    held: [136, 63745857],
    isrs: { UART_IRQ: [33, 26099], DMA_IRQ: [22, 12627], SysTick: [9, 696] },
    intervals: [80, 24182627],
    states: [64506145, 63787403, 60404053],
    runnables: [33, 2657565],
    heap: [854920, 788992],
    expired: 24,
    user: 148,
    lost: [0, 0],
  },
  'freertos_v14_restart.psf': {
    runs: 234949400,
    waits: [590, 2565993900],
    locks: [13, 14058100],
    held: [169, 80608400],
    isrs: { UART_IRQ: [41, 241700], DMA_IRQ: [28, 114700], SysTick: [12, 8500] },
    intervals: [99, 27687500],
    states: [78572000, 79436300, 75214200],
    runnables: [41, 3327500],
    heap: [920528, 854648],
    expired: 31,
    user: 179,
    lost: [0, 0],
  },
  'freertos_v14_drops.psf': {
    runs: 146086600,
    waits: [225, 1347870300],
    locks: [8, 13758600],
    held: [66, 51649800],
    isrs: { UART_IRQ: [18, 14200], DMA_IRQ: [12, 7100], SysTick: [5, 400] },
    intervals: [40, 11726000],
    states: [61829400, 45415900, 33042000],
    runnables: [18, 1368700],
    heap: [854920, 854648],
    expired: 15,
    user: 65,
    lost: [17, 1180],
  },
  'dualcore_v14_single.psf': {
    runs: 334948000,
    waits: [1540, 235171000],
    locks: [140, 986000],
    held: [840, 10740000],
    isrs: { TIMER1: [700, 10162000] },
    intervals: [0, 0],
    states: [],
    runnables: [0, 0],
    heap: null,
    expired: 0,
    user: 426,
    lost: [0, 0],
  },
  'ring_v14_le32.bin': {
    runs: 54654100,
    waits: [145, 579642900],
    locks: [6, 7349100],
    held: [39, 16522500],
    isrs: { UART_IRQ: [10, 6700], DMA_IRQ: [7, 3900], SysTick: [3, 300] },
    intervals: [23, 8843800],
    states: [20043600, 20313200, 14260600],
    runnables: [10, 805200],
    heap: [null, 788992],
    expired: 8,
    user: 41,
    lost: [0, 0],
  },
};
const LOSSY = /drops|hole/;
/** Names of objects that the references of memory images confuse. */
const CONFUSED = {
  'ring_v12_le32.bin': { Short: 70700, ShortB: 155900 },
  'ring_v14_le32.bin': { Short: 148600, ShortB: 163100 },
  'ring_v14_le64.bin': { Short: 134300, ShortB: 141800 },
};

const LENGTH = 'case when s.dur < 0 then (select end_ts from trace_bounds) - s.ts else s.dur end';
const ON_TRACK = 'from slice s join track t on s.track_id = t.id left join track p on t.parent_id = p.id';
const THREAD = conditions('t');
const WAITS =
  "from slice s join thread_track t on s.track_id = t.id where t.name is null and s.name not glob 'created*' and s.name not glob 'deleted*'";

describe.skipIf(!present)('traces of TraceRecorder recordings', () => {
  let engine;
  beforeAll(async () => {
    engine = await sharedTraceProcessor();
  });
  const load = (name) => {
    const bytes = filesOf(name).map((file) => ({
      bytes: fs.readFileSync(path.join(folder, file)),
      core: filesOf(name).length > 1 ? Number(/core(\d)/.exec(file)[1]) : undefined,
    }));
    const { trace, report } = convert(bytes);
    engine.load(trace);
    return { trace, report, input: bytes.reduce((sum, one) => sum + one.bytes.length, 0) };
  };
  const rows = (sql) => engine.query(sql);
  const figures = (what) => {
    const [row] = rows(`select count(*) as c, coalesce(sum(${LENGTH}), 0) as d ${what}`);
    return [Number(row.c), Number(row.d)];
  };

  const referenceOf = (name) => JSON.parse(fs.readFileSync(path.join(folder, `${name}.ref.json`), 'utf8'));
  const to_ns = (ticks, { sessions }) => Math.round((ticks * 1e9) / (sessions[0].header?.ts.freq || 1e9));

  /**
   * Runs of the reference, per core, in which its numbers of events have a gap: { task, ticks }. The last event before the gap and the first
   * one after it are of different runs perhaps, so the whole run is of an unknown task.
   */
  function runs_with_gaps(name) {
    const reference = referenceOf(name);
    const found = [];
    const open = new Map(); // core -> its run
    const end = (core, ticks) => {
      const run = open.get(core);
      if (run?.has_gap) found.push({ task: run.task, ticks: ticks - run.since });
      open.delete(core);
    };
    const rows = zlib
      .gunzipSync(fs.readFileSync(path.join(folder, `${name}.events.tsv.gz`)))
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([session, offset, core, , , ticks, , record, params, text = '']) => ({
        ...{ session: Number(session), offset: Number(offset), core, ticks: Number(ticks) },
        ...{ record, address: params.split(',')[0], text },
      }));
    rows.forEach(({ session, offset, core, ticks, record, address, text }, i) => {
      if (session !== rows[i - 1]?.session) for (const one of [...open.keys()]) end(one, rows[i - 1].ticks);
      const run = open.get(core);
      if (run && reference.sessions[session].gaps.some((gap) => gap.offset === offset)) run.has_gap = true;
      if (!/^(TASK_ACTIVATE|TRACE_START)$/.test(record) || run?.address === address) return;
      end(core, ticks);
      open.set(core, { task: text, address, since: ticks, has_gap: false });
    });
    for (const core of [...open.keys()]) end(core, rows.at(-1).ticks);
    return found;
  }

  const ticks_of = (runs, wanted = () => true) =>
    runs.filter(({ task }) => wanted(task)).reduce((sum, { ticks }) => sum + ticks, 0);

  /** Times between the sessions of the reference, in which the recording was stopped. */
  const pauses = ({ sessions }) =>
    sessions.slice(1).reduce((sum, { first_time_ticks }, i) => sum + first_time_ticks - sessions[i].last_time_ticks, 0);

  /** Run time of idle tasks, whose runs belong to no task in the trace. */
  function idle_time(name) {
    const reference = referenceOf(name);
    const tasks = reference.sessions
      .flatMap(({ semantics }) => Object.values(semantics.tasks))
      .filter((task) => task.name.startsWith('IDLE'));
    const ticks = tasks.reduce((sum, { running_ticks }) => sum + running_ticks, 0);
    return to_ns(ticks - ticks_of(runs_with_gaps(name), (task) => task.startsWith('IDLE')), reference);
  }

  test.each(Object.entries(FIGURES))('%s: figures', (name, wanted) => {
    const { report } = load(name);
    const heap = rows(
      "select value as v from counter c join counter_track t on c.track_id = t.id where t.name = 'heap used' order by ts",
    ).map(({ v }) => Number(v));
    const { runs, ...others } = wanted;
    const [{ d: busy }] = rows(
      `select sum(${LENGTH}) as d from sched_slice s join thread t using (utid) where not ${THREAD.is_idle} and not ${THREAD.is_unrecorded}`,
    );
    const lost = to_ns(ticks_of(runs_with_gaps(name)), referenceOf(name));
    expect(Math.abs(Number(busy) + idle_time(name) - (runs - lost))).toBeLessThan(100); // each run is rounded separately
    expect({
      waits: figures(WAITS),
      locks: figures(`${WAITS} and s.name glob 'lock *'`),
      held: figures("from slice s where s.name glob 'held*'"),
      isrs: Object.fromEntries(
        Object.keys(wanted.isrs).map((isr) => [
          isr,
          figures(`${ON_TRACK} where t.name glob 'Interrupts*' and s.name = '${isr}'`),
        ]),
      ),
      intervals: figures(`${ON_TRACK} where p.name = 'Intervals'`),
      states: ['IDLE', 'RUN', 'STOP']
        .map((state) => figures(`${ON_TRACK} where p.name = 'State machines' and s.name = '${state}'`)[1])
        .filter((sum) => sum),
      runnables: figures(`${ON_TRACK} where t.name = 'runnables'`),
      heap: heap.length ? [wanted.heap?.[0] === null ? null : Math.max(...heap), heap.at(-1)] : null,
      expired: figures("from slice s where s.name = 'expired'")[0],
      user: figures(
        `${ON_TRACK} where (p.name = 'Markers' and t.name != 'MyExt') or s.name glob 'recorder warning*'`,
      )[0],
      lost: [figures("from slice s where s.name glob 'lost *'")[0], report.events.lost],
    }).toEqual(others);
  });

  test.each(names)('%s: running time of each task, every wait with its end, no errors', (name) => {
    const { trace, input } = load(name);
    const reference = referenceOf(name);
    const hz = BigInt(reference.sessions[0].header?.ts.freq || 1e9);
    const wanted = {};
    const with_gaps = runs_with_gaps(name);
    for (const { semantics } of reference.sessions)
      for (const { name: task, running_ticks } of Object.values(semantics.tasks))
        wanted[task] = (wanted[task] ?? 0) + running_ticks;
    for (const { task, ticks } of with_gaps) wanted[task] -= ticks;
    const own = Object.fromEntries(
      rows(
        `select coalesce(t.name, '') as n, sum(${LENGTH}) as d from sched_slice s join thread t using (utid) where not ${THREAD.is_idle} group by 1`,
      ).map(({ n, d }) => [n, Number(d)]),
    );
    const nanoseconds = (ticks) => Number((BigInt(ticks) * 2000000000n + hz) / (2n * hz));
    for (const [task, ticks] of Object.entries(wanted)) {
      if (!ticks || task === '(startup)' || /^0x|^IDLE|dualcore_v14_multi/.test(task + name)) continue;
      const ns = CONFUSED[name]?.[task] ?? nanoseconds(ticks);
      expect(Math.abs((own[task] ?? 0) - ns), `${task}: ${own[task]} instead of ${ns}`).toBeLessThan(100); // each run is rounded separately
    }
    const [{ d: unrecorded }] = rows(
      `select coalesce(sum(${LENGTH}), 0) as d from sched_slice s join thread t using (utid) where ${THREAD.is_unrecorded}`,
    );
    const unknown = to_ns(ticks_of(with_gaps) + pauses(reference), reference);
    if (!/multi/.test(name)) expect(Math.abs(Number(unrecorded) - unknown)).toBeLessThan(100);
    // A core is idle when no other task runs.
    const idle = Object.entries(wanted)
      .filter(([task]) => task.startsWith('IDLE'))
      .reduce((sum, [, ticks]) => sum + nanoseconds(ticks), 0);
    const [{ d: blank }] = rows(
      `select sum(${LENGTH}) as d from sched_slice s join thread t using (utid) where ${THREAD.is_idle}`,
    );
    if (!/multi/.test(name)) expect(Number(blank)).toBeGreaterThan(idle - 100);
    if (!/multi|headerless|damaged/.test(name)) expect(Number(blank)).toBeLessThan(idle + 100);
    if (!LOSSY.test(name)) {
      const open =
        rows(`select s.name as n from slice s join thread_track t on s.track_id = t.id left join args a on s.arg_set_id = a.arg_set_id and a.key like '%woken by' left join args o on s.arg_set_id = o.arg_set_id and o.key like '%open at%'
        where t.name is null and s.dur > 0 and a.key is null and o.key is null`);
      expect(open).toEqual([]);
    }
    expect(
      rows("select name, value from stats where value > 0 and severity != 'info' and name not glob '*packet_loss'"),
    ).toEqual([]);
    expect(rows('select count(*) as c from slice where dur < 0 or name is null')[0].c).toBe(0);
    expect(trace.length / input).toBeLessThan(input < 16_000 ? 4.5 : 3.1);
  });
});

// ---- generated streams --------------------------------------------------------------------------

describe('streams of the generator', () => {
  test('user events are log messages with the option: with time, task, channel, text and level', async () => {
    const stream = new PsfStream();
    stream
      .start()
      .tasks()
      .ev(20, 'OBJ_NAME', AT.LOG, 'ChanA')
      .say(30, 'sent %d of %u', 1, 3)
      .ev(40, 'TASK_ACTIVATE', AT.WORK, 3)
      .say(50, 'sent %d of %u', 2, 3)
      .ev(60, 'DEFINE_ISR', AT.UART, 5, 'UART')
      .ev(61, 'ISR_BEGIN', AT.UART)
      .say(62, '')
      .ev(70, 'TASK_ACTIVATE', AT.WORK)
      .ev(80, 'OBJ_NAME', AT.TEXT, '#WFR')
      .ev(81, 'USER_EVENT', AT.TEXT, 'No slots left');
    const engine = await sharedTraceProcessor();
    const messages =
      'select l.ts as ts, l.prio as prio, l.tag as tag, l.msg as msg, t.name as task from android_logs l join thread t using (utid) order by l.ts';
    engine.load(convert([{ bytes: stream.bytes() }], { log: 'on' }).trace);
    expect(
      engine
        .query(messages)
        .map(({ ts, prio, tag, msg, task }) => [Number(ts), Number(prio), tag.replace(/:.*/, ''), msg, task]),
    ).toEqual([
      [20000, 4, 'ChanA', 'sent 1 of 3', 'Main'],
      [40000, 4, 'ChanA', 'sent 2 of 3', 'Work'],
      [52000, 4, 'ChanA', '(UART) (empty)', 'Work'],
      [71000, 5, '#WFR', 'recorder warning: No slots left', 'Work'],
    ]);
    expect(engine.query("select name, value from stats where value > 0 and severity != 'info'")).toEqual([]);
    engine.load(convert([{ bytes: stream.bytes() }]).trace);
    expect(engine.query(messages)).toEqual([]);
  });

  test('thousands of short-lived tasks share one number and one row; only tasks have jobs', () => {
    const stream = new PsfStream();
    stream.start().tasks();
    const LIVES = 9000;
    for (let life = 0, at = 100; life < LIVES; life++, at += 100)
      stream
        .ev(at, 'OBJ_NAME', AT.SHORT, 'Short')
        .ev(at + 1, 'TASK_CREATE', AT.SHORT, 4)
        .ev(at + 2, 'TASK_READY', AT.SHORT)
        .ev(at + 5, 'TASK_ACTIVATE', AT.SHORT, 4)
        .ev(at + 20, 'TASK_DELETE', AT.SHORT, 4)
        .ev(at + 25, 'TASK_ACTIVATE', AT.MAIN, 2);
    const { report } = convert([{ bytes: stream.bytes() }]);
    expect(report.problems.filter(({ id }) => id === 'TOO_MANY' || id === 'TASK_AFTER_DELETE')).toEqual([]);
    expect(report.tasks.find(({ name }) => name === 'Short').runs).toBe(LIVES);
    expect(report.jobs.map(({ name }) => name).sort()).toEqual(['Main', 'Short', 'Work']); // Work waits for its core to the end
    expect(report.jobs.find(({ name }) => name === 'Work').count).toBe(0);
  });
});

// ---- damage ------------------------------------------------------------------------------------

/** How a line or a disk changes bytes: [from, to) becomes others. @type {Record<string, (bytes: Uint8Array, at: number, random: Random)
 * => Uint8Array[]>} */
const DAMAGE = {
  flip: (bytes, at, random) => [
    bytes.subarray(0, at),
    Uint8Array.of(bytes[at] ^ (1 << random.between(0, 8))),
    bytes.subarray(at + 1),
  ],
  drop: (bytes, at, random) => [bytes.subarray(0, at), bytes.subarray(at + random.between(1, 60))],
  insert: (bytes, at, random) => [
    bytes.subarray(0, at),
    Uint8Array.from({ length: random.between(1, 60) }, () => random.between(0, 256)),
    bytes.subarray(at),
  ],
  zero: (bytes, at, random) => [bytes.subarray(0, at), new Uint8Array(30), bytes.subarray(at + 30)],
};

const TRIALS = process.env.TONKOPF_EVERY_CASE ? 40 : 10;

describe('damaged TraceRecorder streams', () => {
  const folderOfDamage = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-psf-'));
  const records = (bytes) => {
    const file = path.join(folderOfDamage, 'x.psf');
    fs.writeFileSync(file, bytes);
    return new Map(
      run(['dump', '--stage', 'records', '--json', file])
        .trim()
        .split('\n')
        .map((line) => {
          const { offset, ticks, record, fields } = JSON.parse(line);
          return [Number(offset), JSON.stringify([ticks, record, fields])];
        }),
    );
  };

  test.each(Object.keys(DAMAGE))('%s: only the damaged events and few after them are lost or changed', (way) => {
    const BEHIND = 200; // bytes within which four consecutive events are found again
    const bytes = espresso_recording({ bytes: 20_000 });
    const whole = records(bytes);
    const offsets = [...whole.keys()].sort((a, b) => a - b);
    const ends = new Map(
      offsets.map((offset, i) => [offset, Math.max(offsets[i + 1] <= offset + 128 ? offsets[i + 1] : 0, offset + 8)]),
    );
    const random = new Random(way.length);
    const wrong = [];
    let lost = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const at = random.between(6000, bytes.length - 1000);
      const parts = DAMAGE[way](bytes, at, random);
      const end = bytes.length - parts.at(-1).length;
      const shift = parts.reduce((sum, part) => sum + part.length, 0) - bytes.length;
      const damaged = records(Buffer.concat(parts));
      for (const [offset, line] of whole) {
        if (offset < at && ends.get(offset) > at) continue; // its range overlaps the damage
        if (damaged.get(offset < at ? offset : offset + shift) === line) continue;
        if (offset < at) wrong.push(`${way} at ${at}: event at ${offset} before it`);
        else if (offset >= end + BEHIND) wrong.push(`${way} at ${at}: event at ${offset} after it`);
        else lost++;
      }
    }
    expect(wrong).toEqual([]);
    expect(lost / TRIALS).toBeLessThan(9);
  });
});

// Counts of a reset target restart: this is no loss.
test('a target that was reset lost no events', () => {
  const part = () => {
    const encoder = new PsfEncoder();
    const bytes = [encoder.start([{ address: AT.MAIN, symbol: 'Main' }]), encoder.event(50, 'TRACE_START', [AT.MAIN])];
    for (let i = 0; i < 200; i++) bytes.push(encoder.event(100 + 10 * i, 'TASK_ACTIVATE', [AT.MAIN + 4 * (i % 2), 2]));
    return Buffer.concat(bytes);
  };
  const { report } = convert([{ bytes: Buffer.concat([part(), part()]) }]);
  expect(report.events.restarts).toBe(1);
  expect(report.events.lost).toBe(0);
});

// A timer of 16 bits wraps many times within the part that is read of one file before the other.
test('files of two cores with a timer that wraps quickly are on one time axis', async () => {
  const engine = await sharedTraceProcessor();
  const encoder = new PsfEncoder({ cores: 2, streams: 2, type: 5, hz: 1_000_000, period: 65536 });
  const files = [[encoder.start(), encoder.event(100, 'TRACE_START', [2, 2])], []];
  const at = Array.from({ length: 400 }, (_, i) => 1000 + 20_000 * i);
  for (const time of at)
    for (const core of [0, 1])
      files[core].push(
        encoder.event(
          time + 7 * core,
          'TASK_ACTIVATE',
          [AT.MAIN + 16 * core + 4 * ((time / 1000) % 40 === 1), 2],
          core,
        ),
      );
  const { trace } = convert(files.map((parts, core) => ({ bytes: Buffer.concat(parts), core })));
  engine.load(trace);
  for (const core of [0, 1]) {
    const found = engine
      .query(`select ts from sched_slice where ucpu = ${core} and ts > 200000 order by ts`)
      .map(({ ts }) => Number(ts));
    expect(found).toEqual(at.map((time) => (time + 7 * core - 100) * 1000));
  }
});

// The timer of the OS tick contains eight bits of the tick. The order in which cores are read does not depend on times.
describe('a core that begins a little before the one that is read first', () => {
  const options = { cores: 2, type: 3, period: 1000 };
  const switches = (stream, core, from) => {
    stream.on(core);
    for (let i = 0; i < 40; i++) stream.ev(from + i * 100, 'TASK_ACTIVATE', AT.MAIN + 256 * (2 * core + (i % 2)), 2);
    return stream;
  };

  test.each([
    [256005, 255999],
    [256905, 256800],
    [256505, 256599],
    [200005, 199999],
  ])('%i and %i', (first, second) => {
    const apart = convert(
      [
        switches(new PsfStream({ ...options, streams: 2 }).start(), 0, first),
        switches(new PsfStream({ ...options, streams: 2 }), 1, second),
      ].map((stream, core) => ({ bytes: stream.bytes(), core })),
    );
    const together = convert([
      { bytes: switches(switches(new PsfStream({ ...options, streams: 3 }).start(), 0, first), 1, second).bytes() },
    ]);
    for (const { report } of [apart, together])
      expect(Number(report.time.duration)).toBe((3900 + Math.abs(first - second)) * 1000);
  });

  test('a tick that is counted late, at the beginning', () => {
    const stream = new PsfStream({ ...options, cores: 1 }).start();
    [256005, 255999, 256100, 256300, 256400].forEach((time, i) =>
      stream.ev(time, 'TASK_ACTIVATE', AT.MAIN + 256 * (i % 2), 2),
    );
    expect(Number(convert([{ bytes: stream.bytes() }]).report.time.duration)).toBe(395_000);
  });
});

// Only the file of one core has headers. Restarting counts and falling times show that the other core was reset too.
describe('files of two cores of a target that was reset', () => {
  const files = (runs, events, step) =>
    [0, 1].map((core) => {
      const stream = new PsfStream({ cores: 2, streams: 2 }).on(core);
      for (let run = 0; run < runs[core]; run++) {
        stream.encoder.counts = [0, 0];
        if (!core) stream.start();
        for (let i = 0; i < events; i++)
          stream.ev(1000 - 100 * run + 50 * core + i * step, 'TASK_ACTIVATE', AT.MAIN + 256 * (2 * core + (i % 2)), 2);
      }
      return { bytes: stream.bytes(), core };
    });

  test.each([
    ['both have both runs', [2, 2]],
    ['one ended before', [2, 1]],
    ['three runs', [3, 3]],
  ])('no event is lost, no wrap of the timer is added: %s', (_, runs) => {
    for (const inputs of [files(runs, 40, 100), files(runs, 20_000, 100)]) {
      const { report } = convert(inputs);
      const events = inputs[0].bytes.length > 100_000 ? 20_000 : 40;
      expect(report.events).toMatchObject({ lost: 0, lost_before: 0, restarts: runs[0] - 1 });
      expect(Number(report.time.duration) / 1e3 / (100 * events * runs[0])).toBeCloseTo(1, 0);
      expect(report.problems.map(({ id }) => id).filter((id) => id !== 'CORE_ENDED_EARLY')).toEqual([]);
    }
  });

  test('after the reset cores are on one time axis', async () => {
    const engine = await sharedTraceProcessor();
    for (const events of [40, 20_000]) {
      const { trace, report } = convert(files([2, 2], events, 100));
      engine.load(trace);
      const [first, second] = [0, 1].map((core) =>
        engine
          .query(
            `select ts, name from sched_slice join thread using (utid) where ucpu = ${core} and not ${conditions('thread').is_idle} order by ts`,
          )
          .map(({ ts, name }) => ({ ts: Number(ts), name })),
      );
      expect(first.length).toBeGreaterThan(2 * events - 2);
      // The file of core 0 ends with a switch, 50 us before that of core 1: the run after it was not recorded.
      expect(first.at(-1)).toEqual({ ts: Number(report.cores[0].end), name: 'not recorded' });
      const [one, other] = [first, second].map((runs) => runs.slice(-events + 1));
      expect([...one.slice(0, -1), ...other].filter(({ name }) => !/^task /.test(name))).toEqual([]);
      expect(one.map(({ ts }, i) => other[i].ts - ts)).toEqual(Array(events - 1).fill(50_000));
    }
  });

  test('losses after the reset are reported', () => {
    const [one, other] = files([2, 2], 40, 100);
    const bytes = Buffer.concat([other.bytes.subarray(0, 40 * 16), other.bytes.subarray(45 * 16)]);
    expect(convert([one, { bytes, core: 1 }]).report.events).toMatchObject({ lost: 5, restarts: 1 });
  });
});
