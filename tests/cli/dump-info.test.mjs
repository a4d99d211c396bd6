// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { Folder, TOOL, ended, start, tool } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 60_000 });
const CORES = gateway_recordings({ bytes: 40_000 });
const LOSSY = concat([
  frame('ts_resolution_ns', 1000),
  ...Array.from({ length: 200 }, (_, i) => frame('evtmarker', 10 * i + 1, 1, 'x')),
  frame('dropped_evt_cnt', 3000, 0),
  frame('dropped_evt_cnt', 3001, 12),
]);
/** Two valid frames, one with an unknown id, two valid ones. */
const DAMAGED = concat([
  frame('ts_resolution_ns', 1000),
  frame('evtmarker', 10, 1, 'one'),
  Uint8Array.of(3, 0x34, 0x05, 0),
  frame('evtmarker', 20, 1, 'two'),
  frame('evtmarker', 30, 1, 'three'),
]);
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('run.bin', MOTOR);
  folder.write('lossy.bin', LOSSY);
  folder.write('damaged.bin', DAMAGED);
  folder.write('a.bin', CORES[0]);
  folder.write('b.bin', CORES[1]);
});
afterAll(() => folder.remove());

const lines = (/** @type {string} */ text) => text.trimEnd().split('\n');

describe('dump', () => {
  test('one line per item with offset, core, ticks, seconds and event', async () => {
    const { code, text, errors } = await tool(['dump', folder.at('damaged.bin')]);
    expect(code, errors).toBe(0);
    const marker = lines(text).find((line) => line.includes('"two"')) ?? '';
    expect(marker).toMatch(/offset=\d+ core=0 ticks=20 seconds=0\.000020000 event="marker"/);
  });

  test('every stage, as text and as JSON Lines', async () => {
    for (const stage of ['frames', 'records', 'events', 'tracks']) {
      const plain = await tool(['dump', '--stage', stage, folder.at('run.bin')]);
      const json = await tool(['dump', '-s', stage, '--json', folder.at('run.bin')]);
      expect(plain.code, plain.errors).toBe(0);
      expect(lines(json.text).length, stage).toBe(lines(plain.text).length);
      expect(lines(json.text).length).toBeGreaterThan(1000);
      for (const line of lines(json.text)) expect(JSON.parse(line), line).toBeTypeOf('object');
    }
  });

  test('damaged frames are listed at their position with the reason', async () => {
    const { text } = await tool(['dump', '--stage', 'frames', '--json', folder.at('damaged.bin')]);
    const frames = lines(text).map((line) => JSON.parse(line));
    const bad = frames.findIndex(({ offset }) => Number(offset) === DAMAGED.indexOf(0x34) - 1);
    expect(bad).toBe(2);
    expect(JSON.stringify(frames[bad])).toMatch(/unknown/i);
  });

  test('JSON has each key once, wide numbers as strings, and inputs by name', async () => {
    // Every object of a line as key-value pairs, so that duplicate keys are visible.
    const keys = (/** @type {string} */ line) => {
      /** @type {string[][]} */
      const objects = [];
      /** @type {string[][]} */
      const open = [];
      for (const [token, key] of line.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|[{}]|"(?:[^"\\]|\\.)*"/g)) {
        if (token === '{') open.push([]);
        else if (token === '}') objects.push(open.pop() ?? []);
        else if (key !== undefined) open.at(-1)?.push(key);
      }
      return objects;
    };
    const wide = new Set(['offset', 'frame', 'ticks', 'value', 'flow', 'flow_end', 'tick_ns', 'lost_events']);
    for (const stage of ['frames', 'records', 'events', 'tracks']) {
      for (const line of lines(
        (await tool(['dump', '--stage', stage, '--json', `${folder.at('a.bin')}@0`, `${folder.at('b.bin')}@1`])).text,
      )) {
        for (const object of keys(line)) expect(new Set(object).size, line).toBe(object.length);
        const item = JSON.parse(line);
        for (const [key, value] of Object.entries(item)) if (wide.has(key)) expect(value, line).toBeTypeOf('string');
        for (const value of Object.values(item.fields ?? {})) expect(value, line).toBeTypeOf('string');
        if (stage !== 'tracks') expect(['a.bin', 'b.bin']).toContain(item.input);
      }
    }
  });

  test('filters by event, task, core and time', async () => {
    const all = lines((await tool(['dump', '--json', folder.at('a.bin')])).text).map((line) => JSON.parse(line));
    const part = async (/** @type {string[]} */ ...args) => {
      const { text, code, errors } = await tool(['dump', '--json', ...args]);
      expect(code, errors).toBe(0);
      return text ? lines(text).map((line) => JSON.parse(line)) : [];
    };
    const switched = all.filter(({ event }) => event === 'task switched in');
    expect(await part(folder.at('a.bin'), '--event', 'task switched in')).toEqual(switched);
    const two = all.filter(({ event }) => event === 'task switched in' || event === 'queue send');
    expect(await part(folder.at('a.bin'), '--event', 'task switched in, queue send')).toEqual(two);
    expect(await part(folder.at('a.bin'), '-e', 'task switched in', '-e', 'queue send')).toEqual(two);
    const [from, to] = [all[200].ticks, all[400].ticks].map((ticks) => BigInt(ticks));
    const tick = BigInt(all.find(({ event }) => event === 'tick length').value);
    const inside = all.filter(({ ticks }) => BigInt(ticks) >= from && BigInt(ticks) <= to);
    expect(await part(folder.at('a.bin'), '--from', String(from * tick), '--to', `${to * tick}ns`)).toEqual(inside);
    expect(inside.length).toBeGreaterThan(100);
    const cores = [`${folder.at('a.bin')}@0`, `${folder.at('b.bin')}@1`];
    const second = await part(...cores, '--core', '1');
    expect(second.length).toBeGreaterThan(100);
    for (const { input, core } of second) expect([input, core]).toEqual(['b.bin', 1]);
    expect((await part(...cores, '--core', '0,1')).length).toBe((await part(...cores)).length);
  });

  test('a task by number and by name: its events, and all events while it runs', async () => {
    folder.write(
      'two.bin',
      concat([
        frame('ts_resolution_ns', 1000),
        frame('task_name', 1, 'one'),
        frame('task_name', 2, 'two'),
        frame('task_switched_in', 10, 1),
        frame('evtmarker', 12, 1, 'of one'),
        frame('task_to_rdy_state', 13, 2),
        frame('task_switched_in', 20, 2),
        frame('evtmarker', 22, 1, 'of two'),
        frame('task_switched_in', 30, 1),
      ]),
    );
    const seen = async (/** @type {string} */ task) =>
      lines((await tool(['dump', '--json', '--task', task, folder.at('two.bin')])).text)
        .map((line) => JSON.parse(line))
        .map(({ event, text }) => text ?? event);
    const expected = ['two', 'task made ready', 'task switched in', 'of two'];
    expect(await seen('two')).toEqual(expected);
    expect(await seen('2')).toEqual(expected);
    expect((await tool(['dump', '--task', 'three', folder.at('two.bin')])).errors).toContain('nothing is left');
  });

  test.each([
    [['--event', 'task switched'], /unknown event/],
    [['--event', ''], /empty name/],
    [['--core', 'x'], /not a core number/],
    [['--stage', 'frames', '--core', '0'], /this stage has no such filter/],
    [['--stage', 'records', '--from', '1s'], /need --stage events, tracks or outline/],
    [['--stage', 'jobs', '--json'], /jobs have no JSON form/],
  ])('%s is a usage error', async (args, message) => {
    const { code, errors, text } = await tool(['dump', ...args, folder.at('a.bin')]);
    expect(errors).toMatch(message);
    expect(code).toBe(2);
    expect(text).toBe('');
  });

  test('stage jobs lists every job, whose parts add up', async () => {
    const { text, code } = await tool(['dump', '--stage', 'jobs', folder.at('run.bin')]);
    const [header, ...rows] = lines(text).map((line) => line.split(','));
    expect(code).toBe(0);
    expect(header.join()).toBe('task,release_ns,start_ns,end_ns,rt,ipt,get,cet,int,pre,blk,room,period,state');
    const measured = rows.filter((row) => row.at(-1) === 'measured');
    expect(measured.length).toBeGreaterThan(10);
    for (const row of measured) {
      const [release, , end, rt, ipt, get, ...parts] = row.slice(1, 12).map(BigInt);
      expect(rt).toBe(end - release);
      expect(rt).toBe(ipt + get);
      expect(get).toBe(parts.reduce((sum, part) => sum + part));
    }
    const { jobs } = JSON.parse((await tool(['info', '--json', folder.at('run.bin')])).text);
    const count = (/** @type {string} */ name) => measured.filter(([task]) => task === name).length;
    for (const { name, count: all, count_unmeasured } of jobs) expect(all - count_unmeasured, name).toBe(count(name));
  });

  test('a pipe, gzip and hex give the same lines', async () => {
    const expected = (await tool(['dump', folder.at('run.bin')])).text;
    expect((await tool(['dump', '-'], { input: MOTOR })).text).toBe(expected);
    expect((await tool(['dump', '-'], { input: Buffer.from(MOTOR).toString('hex') })).text).toBe(expected);
  });

  test('head closes the pipe early: no error, no message', () => {
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `"${TOOL}" dump run.bin | head -n 2; exit \${PIPESTATUS[0]}`],
      { cwd: folder.path },
    );
    expect(status).toBe(0);
    expect(lines(stdout.toString())).toHaveLength(2);
    expect(stderr.toString()).toBe('');
  });

  test('a full disk under standard output is an error', () => {
    const { status, stderr } = spawnSync('bash', ['-c', `"${TOOL}" dump run.bin > /dev/full`], { cwd: folder.path });
    expect(status).toBe(4);
    expect(stderr.toString()).toContain('No space left');
  });

  test('colour only on request', async () => {
    expect((await tool(['dump', folder.at('run.bin')])).text).not.toContain('\x1b[');
    expect((await tool(['dump', '--color', 'always', folder.at('run.bin')])).text).toContain('\x1b[');
    expect((await tool(['dump', '--color', 'always', '--json', folder.at('run.bin')])).text).not.toContain('\x1b[');
    const painted = lines((await tool(['dump', '--color', 'always', folder.at('damaged.bin')])).text).filter((line) =>
      line.includes('\x1b[31m'),
    );
    expect(painted).toHaveLength(1);
    expect(painted[0]).toContain('problem="Events of unknown kind"');
    const terminal = (/** @type {string} */ env) =>
      spawnSync('script', [
        '-qec',
        `${env} "${TOOL}" dump "${folder.at('damaged.bin')}"`,
        '/dev/null',
      ]).stdout.toString();
    expect(terminal('')).toContain('\x1b[');
    expect(terminal('NO_COLOR=1')).not.toContain('\x1b[');
  });

  const asHex = (/** @type {Uint8Array} */ bytes) =>
    Buffer.from(bytes).toString('hex').replace(/.{32}/g, '$&\n') + '\n';
  const asIs = (/** @type {Uint8Array} */ bytes) => bytes;
  test.each([
    ['binary', asIs],
    ['hex', asHex],
  ])('a slow stream prints events as they arrive: %s', async (_, written) => {
    const child = start(['dump', '-']);
    const result = ended(child);
    let seen = '';
    child.stdout?.on('data', (piece) => (seen += piece));
    const frames = [
      frame('ts_resolution_ns', 1000),
      ...Array.from({ length: 60 }, (_, i) => frame('evtmarker', 100 * i + 1, 1, `message ${i}`)),
    ];
    for (const [end, least] of [
      [20, 6],
      [40, 17],
      [60, 28],
    ]) {
      child.stdin?.write(written(concat(frames.slice(end - 20, end))));
      await expect.poll(() => seen.split('\n').length - 1).toBeGreaterThanOrEqual(least);
    }
    child.stdin?.end();
    expect((await result).code).toBe(0);
  });

  test('lines of several recordings show their recording', async () => {
    const { text, code } = await tool(['dump', folder.at('run.bin'), folder.at('damaged.bin')]);
    expect(code).toBe(0);
    expect(text.match(/^# /gm)).toHaveLength(2);
  });

  test('a missing file', async () => {
    const { code, errors } = await tool(['dump', folder.at('none')]);
    expect(code).toBe(3);
    expect(errors).toContain('No such file');
  });
});

describe('info', () => {
  test('format and reason, duration, tasks, problems', async () => {
    const { code, text, errors } = await tool(['info', folder.at('run.bin')]);
    expect(code, errors).toBe(0);
    expect(lines(text)[0]).toMatch(/^run\.bin: .*frames decode/);
    for (const word of ['Duration', 'Tick', 'Tasks', 'Events by kind', 'CPU busy']) expect(text).toContain(word);
  });

  test('--json writes one object per recording and line', async () => {
    const one = await tool(['info', '--json', folder.at('run.bin')]);
    const report = JSON.parse(one.text);
    expect(report.events.total).toBeGreaterThan(1000);
    expect(report.inputs[0].name).toBe('run.bin');
    const two = await tool(['info', '--json', folder.at('run.bin'), folder.at('damaged.bin')]);
    expect(
      lines(two.text)
        .map((line) => JSON.parse(line).inputs[0].name)
        .sort(),
    ).toEqual(['damaged.bin', 'run.bin']);
  });

  test('cores set by @N', async () => {
    const { text, code } = await tool(['info', '--json', `${folder.at('a.bin')}@0`, `${folder.at('b.bin')}@1`]);
    expect(code).toBe(0);
    expect(JSON.parse(text).cores.map((/** @type {{ core: number }} */ { core }) => core)).toEqual([0, 1]);
  });

  test.each([
    ['drops', 1],
    ['loss', 1],
    ['any', 1],
    ['DROPPED', 1],
    ['damage', 0],
    ['restarts', 0],
    ['damage,drops', 1],
  ])('--fail-on %s', async (list, code) => {
    const result = await tool(['info', '--fail-on', list, folder.at('lossy.bin')]);
    expect(result.code, result.errors).toBe(code);
    expect(result.text).toContain('Duration');
  });

  test('counts agree with dump', async () => {
    const report = JSON.parse((await tool(['info', '--json', folder.at('run.bin')])).text);
    const dumped = lines((await tool(['dump', '--json', folder.at('run.bin')])).text).map((line) => JSON.parse(line));
    const markers = report.kinds.find((/** @type {{ kind: string }} */ { kind }) => kind === 'marker');
    expect(dumped.filter(({ event }) => event === 'marker')).toHaveLength(markers.count);
  });
});

describe('progress', () => {
  test('not shown when standard error is no terminal', async () => {
    expect((await tool(['info', folder.at('run.bin')])).errors).toBe('');
  });
});
