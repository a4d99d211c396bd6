// SPDX-License-Identifier: MIT
// What the program does with the figures of a report: output formats, comparison, rules.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make_demos } from '../../scripts/generate-demos.mjs';
import { espresso_recording } from '../generator/demo-espresso.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { BACKEND, control_block } from '../generator/control.mjs';
import { Stream, head } from '../generator/golden-stream.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { Folder, tool } from './tool.mjs';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('before.bin', motor_recording({ bytes: 20_000 }));
  folder.write('after.bin', motor_recording({ bytes: 40_000 }));
});
afterAll(() => folder.remove());

const run = (/** @type {string[]} */ ...args) =>
  tool(args.map((arg) => (/\.(bin|json|psf)$/.test(arg) ? folder.at(arg) : arg)));

test('a table as CSV has a line per row; a wrong name lists the tables', async () => {
  const { code, text } = await run('info', '--csv', 'tasks', 'after.bin');
  const report = JSON.parse((await run('info', '--json', 'after.bin')).text);
  expect(code).toBe(0);
  expect(text.split('\r\n')).toHaveLength(report.tasks.length + 2);
  expect(text).toMatch(/^recording,name,idle,id,[^]*\r\nafter\.bin,/);
  const wrong = await run('info', '--csv', 'task', 'after.bin');
  expect([wrong.code, wrong.text]).toEqual([2, '']);
  expect(wrong.errors).toContain('there are findings, not_examined, finding_places, format, tick, output');
});

test('a report begins with what the recording lacks, and how to get it', async () => {
  const events = new Stream().with((s) => {
    for (let i = 0; i < 20; i++) s.ev('isr_enter', 1000 + 10 * i, 3).ev('isr_exit', 1004 + 10 * i, 3);
  });
  folder.write('late.bin', events.bytes());
  folder.write('named.bin', concat([head().ev('isr_name', 3, 'pump').bytes(), events.bytes()]));
  const { text } = await run('info', 'late.bin');
  const top = text.slice(0, text.indexOf('\nFormat ')).replaceAll(/\s+/g, ' ');
  expect(top).toContain('Tick length unknown: 1 ns assumed Enter the tick length');
  expect(top).toContain('No names of tasks, interrupts and markers The trace shows numbers. Add an earlier capture');
  const named = JSON.parse((await run('info', '--json', 'named.bin')).text);
  expect(named.problems).toEqual([]);
});

test('several recordings are named in every output format', async () => {
  folder.write('switches.vcd', '$timescale 1 ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n#0\n0!\n#5\n1!\n');
  const both = ['before.bin', 'after.bin'];
  const csv = (await run('info', '--csv', 'tasks', ...both)).text.trim().split('\r\n');
  expect(csv.filter((line) => line.startsWith('recording,'))).toEqual([csv[0]]);
  expect(new Set(csv.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(['before.bin', 'after.bin']));
  const { text } = await run('info', '--markdown', ...both);
  expect(text.match(/^# .*$/gm)).toEqual(['# before.bin', '# after.bin']);
  const objects = (await run('info', '--json', ...both)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(objects.map(({ inputs }) => inputs.map(({ name }) => name))).toEqual([['before.bin'], ['after.bin']]);
  const mixed = await run('info', '--csv', 'tasks', ...both, folder.at('switches.vcd'));
  expect(mixed.text.trim().split('\r\n')).toEqual(csv);
  expect(mixed.errors).toContain('there is no table "tasks"');
  expect(mixed.code).toBe(2);
});

test('the schema needs no recording, and describes the columns of a report', async () => {
  const { code, text } = await run('info', '--schema');
  expect(code).toBe(0);
  const schema = JSON.parse(text);
  const report = JSON.parse((await run('info', '--json', 'after.bin')).text);
  expect([schema.schema, report.schema]).toEqual([4, 4]);
  for (const { id, columns } of report.tables) {
    const keys = schema.tables.find((table) => table.id === id).columns.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(columns));
  }
  expect(await run('info', '--schema', 'after.bin')).toMatchObject({ code: 2, text: '' });
});

test('each output format lists the results of the rules', async () => {
  const rules = ['--expect', 'events.lost==0', '--expect', 'events.total<10', '--fail-on', 'drops'];
  expect((await run('info', ...rules, 'after.bin')).text).toContain(
    '\nVerdicts\n  holds  expect events.lost==0\n  fails  expect events.total<10: it is ',
  );
  expect((await run('info', '--markdown', ...rules, 'after.bin')).text).toContain('\n- **holds** fail-on drops\n');
  expect((await run('info', '--csv', 'verdicts', ...rules, 'after.bin')).text).toMatch(
    /^recording,rule,verdict,text\r\nafter\.bin,expect events\.lost==0,holds,\r\n/,
  );
  expect((await run('info', 'after.bin')).text).not.toContain('Verdicts');
});

test('info --why explains the worst jobs of a task, and its parts add up', async () => {
  const report = JSON.parse((await run('info', '--json', 'after.bin')).text);
  const [{ name }] = report.worst_jobs;
  const rows = report.worst_jobs.filter((/** @type {any} */ row) => row.name === name);
  expect(rows.length).toBeGreaterThan(1);
  const { code, text } = await run('info', '--why', name, 'after.bin');
  expect(code).toBe(0);
  for (const { why } of rows) expect(text).toContain(`\n  ${why}\n`);
  const json = JSON.parse((await run('info', '--why', name, '--json', 'after.bin')).text);
  expect(json.worst_jobs).toEqual(rows);
  expect(json.time_unit).toBe('ns');
  for (const row of report.worst_jobs)
    for (const part of ['pending', 'preempted', 'blocked', 'room', 'waited']) {
      const sum = report.worst_causes
        .filter(
          (/** @type {any} */ cause) => cause.name === row.name && cause.rank === row.rank && cause.cause === part,
        )
        .reduce((/** @type {bigint} */ all, /** @type {any} */ { time }) => all + BigInt(time), 0n);
      expect(sum, `${row.name} ${row.rank} ${part}`).toBe(BigInt(row[part]));
    }
  for (const { name: of, response_max } of report.jobs) {
    const worst = report.worst_jobs.find((/** @type {any} */ row) => row.name === of);
    expect(worst?.response ?? null, of).toBe(response_max);
  }
});

test('info --why lists the tasks with jobs if the task has none', async () => {
  const { code, text, errors } = await run('info', '--why', 'unknown', '--json', 'after.bin');
  expect([code, text]).toEqual([2, '']);
  expect(errors).toMatch(/--why: "unknown" has no measured job; tasks with jobs are .*control/);
  expect((await run('info', '--why', 'control', '--csv', 'tasks', 'after.bin')).code).toBe(2);
});

test('the report begins with the findings: what, who, when, evidence, remedy; and what was not examined', async () => {
  const report = JSON.parse((await run('info', '--json', 'after.bin')).text);
  const [{ title, who, text: evidence, remedy }] = report.findings;
  const markdown = (await run('info', '--markdown', 'after.bin')).text;
  const [begin, first] = markdown.split('\n## Findings\n');
  expect(begin).toMatch(/^# after\.bin\n\nTonkopf \S+\n+$/);
  const finding = first.replaceAll('\\', '');
  expect(finding).toMatch(/^\n- \*\*\w+\*\* /);
  for (const words of [title, who, evidence, remedy]) expect(finding.slice(0, 600)).toContain(words);
  for (const { title: rule, reason } of report.not_examined)
    expect(finding.split('\n| ')[0]).toContain(`- ${rule}: ${reason}\n`);
  expect((await run('info', 'after.bin')).text).toMatch(/^[^\n]*\n\nTonkopf \S+\n\nFindings\n {2}\w+ +\S/);
});

test('Markdown has the tables of the text report', async () => {
  const { code, text } = await run('info', '--markdown', 'after.bin');
  expect(code).toBe(0);
  expect(text).toMatch(/^# after\.bin\n\nTonkopf /);
  expect(text).toContain('\n## Tasks\n\n| Task |');
});

test('figures of a time range are those of its events; names and states before it are known', async () => {
  const part = ['--from', '20ms', '--to', '60ms'];
  const report = JSON.parse((await run('info', '--json', ...part, 'after.bin')).text);
  const lines = (await run('dump', '--json', ...part, 'after.bin')).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const whole = JSON.parse((await run('info', '--json', 'after.bin')).text);
  const entered = (/** @type {number} */ id) =>
    lines.filter((line) => line.event === 'interrupt entered' && line.id === id).length;
  expect(report.interrupts.length).toBeGreaterThan(0);
  for (const { id, count, count_unmeasured } of report.interrupts) {
    expect(count - count_unmeasured, String(id)).toBeLessThanOrEqual(entered(id));
    expect(count, String(id)).toBeGreaterThanOrEqual(entered(id));
  }
  expect([BigInt(report.time.start) >= 20_000_000n, BigInt(report.time.end) <= 60_000_000n]).toEqual([true, true]);
  expect(report.events.total).toBe(lines.filter((line) => line.event !== 'lost events').length); // a repeated count is not an event
  const [core] = report.cores;
  const sum = ['busy', 'idle', 'interrupt', 'unmeasured'].reduce((all, key) => all + BigInt(core[key]), 0n);
  expect(sum).toBe(BigInt(report.time.duration));
  const named = (/** @type {{ tasks: { name: string }[] }} */ { tasks }) => tasks.map(({ name }) => name);
  expect(named(whole)).toEqual(expect.arrayContaining(named(report)));
  expect(named(report)).toContain('control'); // named before the range begins
  for (const task of report.tasks)
    expect(BigInt(task.longest_wait_at ?? report.time.start) >= BigInt(report.time.start), task.name).toBe(true);
  expect(report.problems.filter((/** @type {{ id: string }} */ { id }) => id.endsWith('_OPEN_AT_END'))).toEqual([]);
  expect(report.output.bytes).toBe(null);
});

test('waits, jobs and communication of consecutive ranges add up to those of the whole', async () => {
  folder.write('espresso.psf', espresso_recording({ bytes: 40_000 }));
  const read = async (/** @type {string[]} */ ...part) =>
    JSON.parse((await run('info', '--json', ...part, 'espresso.psf')).text);
  const whole = await read();
  const cuts = ['0', '150ms', '250ms', '400ms', '100s'];
  const parts = [];
  for (let i = 1; i < cuts.length; i++)
    parts.push(await read('--from', i === 1 ? '0' : `${Number.parseFloat(cuts[i - 1]) * 1e6 + 1}ns`, '--to', cuts[i]));
  const measured = (/** @type {any} */ report, /** @type {string} */ table, count = 'count') =>
    report[table].reduce(
      (/** @type {number} */ sum, /** @type {any} */ row) => sum + row[count] - (row[`${count}_unmeasured`] ?? 0),
      0,
    );
  const summed = (/** @type {string} */ table, count = 'count') =>
    parts.reduce((sum, report) => sum + measured(report, table, count), 0);
  expect(parts.every(({ events }) => events.total > 100)).toBe(true);
  expect(measured(whole, 'communication')).toBeGreaterThan(10);
  expect(summed('communication')).toBeLessThanOrEqual(measured(whole, 'communication'));
  for (const table of ['waits', 'jobs', 'communication']) {
    expect(measured(whole, table), table).toBeGreaterThan(10);
    expect(summed(table), table).toBeLessThanOrEqual(measured(whole, table)); // occurrences across a boundary are not measured
    expect(summed(table), table).toBeGreaterThan(measured(whole, table) * 0.8);
  }
  for (const { time, waits } of parts)
    for (const wait of waits) expect(BigInt(wait.longest_at ?? time.start) >= BigInt(time.start), wait.name).toBe(true);
});

test('figures that need every event are left out if their counter begins in the middle', async () => {
  const ran = Array.from({ length: 20 }, (_, i) => frame('task_switched_in', 100 * i + 1, 1 + (i % 2)));
  const frames = (/** @type {Uint8Array[]} */ ...first) =>
    concat([
      frame('ts_resolution_ns', 1000),
      ...first,
      ...ran,
      frame('task_stack_free', 5000, 1, 77),
      frame('task_switched_in', 5100, 1),
    ]);
  folder.write('late.bin', frames());
  folder.write('whole.bin', frames(frame('waits_are_traced', 0)));
  const of = async (/** @type {string} */ name) => JSON.parse((await run('info', '--json', name)).text);
  const [late, whole] = [await of('late.bin'), await of('whole.bin')];
  expect([late.stacks.length, whole.stacks.length]).toEqual([1, 1]);
  // The job of each task is open from its first run on: no release and no end is recorded, so none is measured.
  const open = ['task #1', 'task #2'].map((name) => ({ name, count: 0, response_max: null, cut_start: 0, cut_end: 1 }));
  for (const { jobs, activations } of [late, whole]) {
    expect(jobs).toMatchObject(open);
    expect(activations).toEqual([]);
  }
});

describe('cores with few events beside one with many', () => {
  const many = new Stream();
  for (let i = 0; i < 20_000; i++) many.ev('task_switched_in', 1000 + 7 * i, 1 + (i % 2));
  const loads = async (/** @type {string} */ name) => JSON.parse((await run('info', '--json', name)).text);

  test('in a dump: a core that sends nothing more does not delay the others', async () => {
    const few = new Stream();
    for (let i = 0; i < 10; i++) few.ev('task_switched_in', 1100 + 50 * i, 4 + (i % 2));
    const names = head().ev('task_name', 1, 'A').ev('task_name', 2, 'B').bytes();
    folder.write(
      'dump.bin',
      control_block({ backend: BACKEND.post_mortem, metadata_size: 128, ring_size: 160_000, resolution: 1000 }, [
        { names, events: many.bytes() },
        { names: new Stream().ev('task_name', 4, 'C').ev('task_name', 5, 'D').bytes(), events: few.bytes() },
      ]),
    );
    const report = await loads('dump.bin');
    expect([report.events.timed, report.problems]).toEqual([20_010, []]);
    expect(report.cores[1].unmeasured).toBe('100000'); // before its first event
  });

  test('in chunks: events that wait for confirmation keep their time', async () => {
    const quiet = new Stream().ev('task_switched_in', 1150, 4).bytes();
    folder.write(
      'chunks.bin',
      concat([
        head().ev('task_name', 1, 'A').ev('task_name', 4, 'C').bytes(),
        frame('chunk', 0, 2),
        frame('task_switched_in', 1000, 1),
        frame('chunk', 1, 2),
        quiet,
        frame('chunk', 0, 2),
        many.bytes(),
      ]),
    );
    const report = await loads('chunks.bin');
    expect(report.problems).toEqual([]);
    expect(report.cores[1].unmeasured).toBe('150000');
  });
});

describe('a first piece of a core that is longer than the buffer for the other core', () => {
  /** @param {number} core @param {number} from @param {number} count */
  const piece = (core, from, count) => {
    const events = new Stream();
    for (let i = 0; i < count; i++) events.ev('task_switched_in', from + 7 * i + core, 1 + 2 * core + (i % 2));
    return events.bytes();
  };
  const told = (/** @type {number} */ core) => frame('core_id', 0, core);
  const behind = 1000 + 7 * 6000;

  test('both cores are named at the start: no false restart', async () => {
    folder.write(
      'long.bin',
      concat([
        told(0),
        head().bytes(),
        told(1),
        frame('task_name', 3, 'C'),
        told(0),
        piece(0, 1000, 6000),
        told(1),
        piece(1, 1000, 6000),
        told(0),
        piece(0, behind, 50),
        told(1),
        piece(1, behind, 50),
      ]),
    );
    const report = JSON.parse((await run('info', '--json', 'long.bin')).text);
    expect(report.events.timed).toBe(12_100);
    expect(report.problems.map((/** @type {{ id: string }} */ { id }) => id)).not.toContain('TIME_RESTART');
    expect(report.cores.map((/** @type {{ core: number }} */ { core }) => core)).toEqual([0, 1]);
  });
});

test('a range with only an end keeps everything before it; a range without events is reported', async () => {
  const whole = JSON.parse((await run('info', '--json', 'after.bin')).text);
  const until = JSON.parse((await run('info', '--json', '--to', '100s', 'after.bin')).text);
  expect({ ...until, output: whole.output }).toEqual(whole);
  for (const part of [
    ['--from', '100s'],
    ['--to', '1ns'],
  ]) {
    const { code, text, errors } = await run('info', ...part, 'after.bin');
    expect(code).toBe(0);
    expect(text).toContain('The chosen time range contains no event.');
    expect(errors).toContain('nothing is left');
  }
});

test('a name that the running task gives its marker after the range is not one of the task that ran at its end', async () => {
  const stream = head()
    .ev('task_name', 1, 'A')
    .ev('task_name', 2, 'B')
    .ev('task_switched_in', 1000, 1)
    .ev('task_evtmarker_name', 1, 0, 'loop')
    .ev('task_evtmarker', 2000, 1, '')
    .ev('task_switched_in', 3000, 2)
    .ev('task_evtmarker_name', 1, 0, 'frames')
    .ev('task_evtmarker_name', 2, 1, 'step') // of the task with this number
    .ev('task_evtmarker', 4000, 1, '');
  folder.write('owners.bin', stream.bytes());
  const markersUntil = async (/** @type {string} */ to) =>
    JSON.parse((await run('info', '--json', '--to', to, 'owners.bin')).text).markers.map(
      (/** @type {{name: string, count: number}} */ { name, count }) => [name, count],
    );
  expect(await markersUntil('5ms')).toEqual([
    ['loop', 1],
    ['frames', 1],
  ]);
  expect(await markersUntil('2ms')).toEqual([['loop', 1]]);
});

test('a range between two events has no duration, and is not beyond the end', async () => {
  const stream = head();
  for (let i = 0; i < 10; i++) stream.ev('isr_enter', 1000 * (i + 1), 3).ev('isr_exit', 1000 * (i + 1) + 10, 3);
  folder.write('apart.bin', stream.bytes());
  const part = ['--from', '3500us', '--to', '3600us', 'apart.bin'];
  const { text, errors } = await run('info', '--json', ...part);
  const { time, events, cores } = JSON.parse(text);
  expect(errors).toBe('');
  expect(events.timed).toBe(0);
  expect(time).toEqual({ start: null, end: null, duration: null, first: '1000000', last: '10010000' });
  expect(cores).toEqual([]);
  expect((await run('info', ...part)).text).not.toMatch(/^(From|To|Duration) /m);
});

test('the events of a core after the last event of its file are unknown', async () => {
  const named = () =>
    head().ev('task_name', 1, 'A').ev('task_name', 2, 'B').ev('task_name', 3, 'IDLE').ev('task_is_idle_task', 3, 0);
  folder.write(
    'cut.core0.bin',
    named()
      .ev('task_switched_in', 1000, 1)
      .ev('task_switched_in', 2000, 3)
      .ev('task_switched_in', 3000, 1)
      .ev('task_switched_in', 5000, 3)
      .bytes(),
  );
  folder.write(
    'cut.core1.bin',
    named().ev('task_switched_in', 1000, 2).ev('isr_enter', 1500, 7).ev('isr_exit', 1600, 7).bytes(),
  );
  const times = async (/** @type {string[]} */ ...part) => {
    const { cores } = JSON.parse((await run('info', '--json', 'cut.core0.bin', 'cut.core1.bin', ...part)).text);
    return cores.map((/** @type {Record<string, string>} */ { busy, idle, interrupt, outside, unmeasured }) =>
      [busy, idle, interrupt, outside, unmeasured].map((ns) => Number(ns ?? 0) / 1000),
    );
  };
  expect(await times()).toEqual([
    [3000, 1000, 0, 0, 0],
    [500, 0, 100, 0, 3400],
  ]);
  expect(await times('--from', '1.8ms')).toEqual([
    [2000, 1000, 0, 0, 0],
    [0, 0, 0, 0, 3000],
  ]); // the run of B began before
  expect(await times('--to', '3.5ms')).toEqual([
    [1000, 1000, 0, 0, 0],
    [500, 0, 100, 0, 1400],
  ]);
  expect(await times('--to', '1.55ms')).toEqual([
    [500, 0, 0, 0, 0],
    [500, 0, 0, 0, 0],
  ]); // both continue after the range
  expect(
    (await run('info', '--from', '1.8ms', '--expect', 'cpu.load<70%', 'cut.core0.bin', 'cut.core1.bin')).code,
  ).not.toBe(0);
  expect((await run('info', '--expect', 'cpu.load>90%', 'cut.core0.bin', 'cut.core1.bin')).errors).toContain(
    'it is at most 86.3 %',
  );
  expect((await run('info', '--expect', 'cpu.load<40%', 'cut.core0.bin', 'cut.core1.bin')).errors).toContain(
    'it is at least 43.8 %',
  );
});

describe('compare', () => {
  test('two recordings, and one recording with the JSON of the other', async () => {
    folder.write('baseline.json', (await run('info', '--json', 'before.bin')).text);
    const direct = await run('compare', '--csv', 'events', 'before.bin', 'after.bin');
    const stored = await run('compare', '--csv', 'events', 'baseline.json', 'after.bin');
    expect([direct.code, stored.code]).toEqual([0, 0]);
    expect(stored.text).toBe(direct.text);
    const [keys, values] = direct.text.split('\r\n').map((line) => line.split(','));
    expect(new Set(keys).size).toBe(keys.length);
    const row = Object.fromEntries(keys.map((key, index) => [key, Number(values[index])]));
    expect(row.total - row.before_total).toBe(row.change_total);
    expect(row.change_total).toBeGreaterThan(0);
  });

  test('with a time range: equals the comparison of two reports of that range', async () => {
    const range = ['--from', '50ms', '--to', '150ms'];
    const direct = await run('compare', '--csv', 'events', ...range, 'before.bin', 'after.bin');
    for (const name of ['before', 'after'])
      folder.write(`${name}.json`, (await run('info', '--json', ...range, `${name}.bin`)).text);
    const stored = await run('compare', '--csv', 'events', 'before.json', 'after.json');
    expect([direct.code, stored.code, direct.text]).toEqual([0, 0, stored.text]);
    expect(direct.text).not.toBe((await run('compare', '--csv', 'events', 'before.bin', 'after.bin')).text);
  });

  test('a report of an earlier schema is rejected by name', async () => {
    const { text } = await run('info', '--json', 'before.bin');
    folder.write('old.json', text.replace('"schema":4', '"schema":2'));
    const { code, errors } = await run('compare', 'old.json', 'after.bin');
    expect(code).toBe(3);
    expect(errors).toContain('another version of the schema; make it again from the recording');
  });

  test('needs two inputs', async () => {
    expect((await run('compare', 'before.bin')).code).toBe(2);
    expect((await run('compare', 'before.bin', 'nothing.bin')).code).toBe(3);
  });
});

test('--expect: a violated or unmeasured rule ends with exit code 1, an impossible one with 2', async () => {
  const gate = async (/** @type {string} */ text, command = 'info') =>
    (await run(command, '--expect', text, 'after.bin')).code;
  expect(await gate('events.lost==0')).toBe(0);
  expect(await gate('time.duration>1ns', 'conv')).toBe(0);
  expect(await gate('events.total<10')).toBe(1);
  expect(await gate('events.total<10', 'conv')).toBe(1);
  expect(await gate('tick.counts>0')).toBe(1); // this figure is unknown here
  expect(await gate('cpu.load<=100%')).toBe(0); // for any unmeasured share
  expect(await gate('tasks[missing].cpu<1s')).toBe(1); // may exist in another recording
  expect(await gate('tasks[missing].cpu<1s ; missing_ok')).toBe(0);
  expect(await gate('tasks[*].cpu<1s ; rows >= 2')).toBe(0);
  expect(await gate('tasks[*].cpu<1ns ; rows >= 2')).toBe(1);
  expect(await gate('traces[*].sequences==1')).toBe(1); // exists in other formats
  expect(await gate('tasks[*].cpu<1')).toBe(2);
  expect(await gate('events.total')).toBe(2);
});

test('--expect: every invalid rule is reported before an input is read', async () => {
  const { code, text, errors } = await run(
    ...['info', '--expect', 'cpu.load<80%', '--expect', 'cup.load<80%', '--expect', 'cpu.load<80', 'missing.bin'],
  );
  expect([code, text]).toEqual([2, '']);
  expect(errors).toContain('expect cup.load<80%: there is no table "cup"; the most similar ones are cpu');
  expect(errors).toContain('expect cpu.load<80: not a value of this figure');
  expect(errors).not.toContain('missing.bin');
  expect(errors.trim().split('\n')).toHaveLength(2);
});

test('--expect: reports the worst row, and rules without a row', async () => {
  const worst = await run('info', '--expect', 'tasks[*].runs<1', 'after.bin');
  const { tasks } = JSON.parse((await run('info', '--json', 'after.bin')).text);
  const most = tasks.reduce((/** @type {any} */ a, /** @type {any} */ b) => (b.runs > a.runs ? b : a));
  expect(worst.errors).toContain(`${most.name}: it is ${most.runs}, not < 1 (`);
  const nothing = await run('info', '--expect', 'tasks[missing].runs<1 ; missing_ok', 'after.bin');
  expect(nothing.errors).toContain('nothing to judge');
});

test('--expect: a time range without events has no figures', async () => {
  for (const rule of [
    'events.lost==0',
    'cpu.unmeasured<100%',
    'tasks[missing].cpu<1s ; missing_ok',
    'inputs[*].left==0',
  ]) {
    const { code, errors } = await run('info', '--from', '100s', '--expect', rule, 'after.bin');
    expect([rule, code]).toEqual([rule, 1]);
    expect(errors).toContain('not measured: there is no event with a time');
  }
});

test('--expect: if some occurrences were not measured, the longest one is a lower bound', async () => {
  const lossy = new Stream();
  for (let i = 0; i < 30; i++) {
    lossy.ev('isr_enter', 1000 * i + 1, 3).ev('isr_exit', 1000 * i + 11, 3);
    if (i === 15) lossy.ev('isr_enter', 1000 * i + 500, 3).ev('dropped_evt_cnt', 1000 * i + 600, 4);
  }
  folder.write('lossy.bin', concat([head().bytes(), lossy.bytes()]));
  const { interrupts } = JSON.parse((await run('info', '--json', 'lossy.bin')).text);
  expect([interrupts[0].count, interrupts[0].count_unmeasured]).toEqual([31, 1]);
  const gate = async (/** @type {string} */ text) => (await run('info', '--expect', text, 'lossy.bin')).code;
  const name = interrupts[0].name;
  expect(await gate(`interrupts[${name}].max<1s`)).toBe(1);
  expect(await gate(`interrupts[${name}].max<1s ; coverage >= 96%`)).toBe(0);
  expect(await gate(`interrupts[${name}].max<1s ; coverage >= 97%`)).toBe(1);
  expect(await gate(`interrupts[${name}].max>1ns`)).toBe(0); // for any length of the unmeasured one
  const { errors } = await run('info', '--expect', `interrupts[${name}].max<1s`, 'lossy.bin');
  expect(errors).toContain('1 of 31 occurrences were not measured');
});

test('events by kind are in the words of the recording, and add up to all events', async () => {
  const demos = [...make_demos().files].filter(([name]) => /\.(bin|vcd|recTr|psf)$/.test(name));
  const found = new Map();
  for (const [name, bytes] of demos) folder.write(name, bytes);
  const lines = (await tool(['info', '--json', ...demos.map(([name]) => folder.at(name))])).text.trim().split('\n');
  for (const line of lines) {
    const { kinds, events, format } = JSON.parse(line);
    const words = kinds.map((/** @type {any} */ { kind }) => kind);
    expect(words.filter((/** @type {string} */ word) => /track|symbol|axis|slice|instant|fraction/.test(word))).toEqual(
      [],
    );
    expect(new Set(words).size).toBe(words.length);
    expect(kinds.reduce((/** @type {bigint} */ sum, /** @type {any} */ { count }) => sum + BigInt(count), 0n)).toBe(
      BigInt(events.total),
    );
    found.set(format.name, words);
  }
  expect(found.get('flux')).toContain('value of a signal');
  expect(found.get('vcd')).toContain('state of a signal');
  expect(found.get('cortexm')).toContain('call');
});
