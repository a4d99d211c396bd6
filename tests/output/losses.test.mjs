// SPDX-License-Identifier: MIT
// Where events were lost, and which cause the report names: small recordings that this test damages.
import { describe, expect, test } from 'vitest';
import { BACKEND, control_block } from '../generator/control.mjs';
import { FluxStream } from '../generator/flux.mjs';
import { AT } from '../generator/golden-psf-stream.mjs';
import { Stream, head } from '../generator/golden-stream.mjs';
import { PsfEncoder } from '../generator/psf.mjs';
import { QsEncoder } from '../generator/qs.mjs';
import { convert } from './convert.mjs';

const LOSSES = ['DROPPED', 'LOST_ON_LINE', 'LOST_SOMEWHERE'];

/** The report's statements about lost events: amounts by problem, the figures, and the first problem of the list. */
function losses(bytes) {
  const { report } = convert([{ bytes }]);
  const found = report.problems.filter(({ id }) => LOSSES.includes(id));
  return {
    ...Object.fromEntries(found.map(({ id, detail }) => [id, detail])),
    lost: [report.events.lost, report.events.lost_on_line],
    first: report.problems[0]?.id,
  };
}

const flipped = (bytes, at) => bytes.map((byte, i) => (i === at ? byte ^ 0x10 : byte));
/** A record whose first bytes were changed. */
const ruined = (bytes) => bytes.map((byte, i) => (i < 3 ? byte ^ 0xff : byte));
const sentences = ({ explain }) => explain.map(({ sentence }) => sentence).join(' ');

/** A QS recording of 60 records; `edit` changes the list of its frames. */
function qs(edit) {
  const encoder = new QsEncoder();
  const frames = [encoder.start()];
  for (let i = 0; i < 60; i++) frames.push(encoder.record('SCHED_IDLE', 100 + 10 * i, 0));
  edit(frames);
  return Buffer.concat(frames);
}

function psf(edit) {
  const encoder = new PsfEncoder();
  const events = [encoder.start([{ address: AT.MAIN, symbol: 'Main' }]), encoder.event(50, 'TRACE_START', [AT.MAIN])];
  for (let i = 0; i < 60; i++) events.push(encoder.event(100 + 10 * i, 'TASK_ACTIVATE', [AT.MAIN + 4 * (i % 2), 2]));
  edit(events);
  return Buffer.concat(events);
}

describe.each([
  ['QS', qs, 30],
  ['TraceRecorder', psf, 30],
])('%s', (_, make, at) => {
  test('a gap without a damaged byte occurred on the target', () =>
    expect(losses(make((frames) => frames.splice(at, 3)))).toEqual({
      DROPPED: '3 events',
      lost: [3, 0],
      first: 'DROPPED',
    }));

  test('a damaged record at the gap was lost on the line, and the report recommends no larger buffer', () => {
    const bytes = make((frames) => (frames[at] = ruined(frames[at])));
    expect(losses(bytes)).toEqual({ LOST_ON_LINE: '1 event', lost: [0, 1], first: 'LOST_ON_LINE' });
    const { report } = convert([{ bytes }]);
    expect(report.problems.map(({ remedy }) => remedy).join(' ')).not.toMatch(/enlarge the trace buffer/i);
  });

  test('two damaged records in a row are both explained', () =>
    expect(
      losses(
        make((frames) => {
          frames[at] = ruined(frames[at]);
          frames[at + 1] = ruined(frames[at + 1]);
        }),
      ),
    ).toEqual({ LOST_ON_LINE: '2 events', lost: [0, 2], first: 'LOST_ON_LINE' }));

  test('a gap larger than its damaged bytes can have either cause', () =>
    expect(
      losses(
        make((frames) => {
          frames[at] = ruined(frames[at]);
          frames.splice(at + 1, 20);
        }),
      ),
    ).toEqual({ LOST_SOMEWHERE: '21 events', lost: [21, 0], first: 'LOST_SOMEWHERE' }));

  test('damage explains only its own gap', () =>
    expect(
      losses(
        make((frames) => {
          frames.splice(at + 10, 5);
          frames[at] = ruined(frames[at]);
        }),
      ),
    ).toEqual({ DROPPED: '5 events', LOST_ON_LINE: '1 event', lost: [5, 1], first: 'DROPPED' }));

  test('the side with the larger loss comes first', () =>
    expect(
      losses(
        make((frames) => {
          for (const i of [5, 10, 15, 20]) frames[i] = ruined(frames[i]);
          frames.splice(at + 10, 2);
        }),
      ),
    ).toEqual({ DROPPED: '2 events', LOST_ON_LINE: '4 events', lost: [2, 4], first: 'LOST_ON_LINE' }));
});

test('names without space in the recorder are a problem that names the setting', () => {
  const events = new Stream();
  for (let i = 0; i < 8; i++) events.ev('task_switched_in', 100 + 10 * i, 1 + (i % 2));
  const block = (names_lost) =>
    control_block({ backend: BACKEND.post_mortem, metadata_size: 64, ring_size: 500 }, [
      { names: head().ev('task_name', 1, 'A').bytes(), events: events.bytes(), names_lost },
    ]);
  const problem = (names_lost) =>
    convert([{ bytes: block(names_lost) }]).report.problems.find(({ id }) => id === 'NAMES_LOST');
  expect(problem(0)).toBeUndefined();
  expect(problem(50)).toMatchObject({ severity: 'loss', detail: '50 frames' });
  expect(problem(50).remedy).toContain('tband_configMETADATA_BUF_SIZE');
});

test('a stopped clock is a problem, a short time with few events is not', () => {
  const stuck = (count) => {
    const stream = head();
    for (let i = 0; i < count; i++) stream.ev('isr_enter', 5000, 3).ev('isr_exit', 5000, 3);
    return convert([{ bytes: stream.bytes() }]).report;
  };
  expect(stuck(50).problems[0]).toMatchObject({ id: 'TIME_STUCK', severity: 'notice' });
  expect(sentences(stuck(50))).toMatch(/time function does not count/);
  expect(stuck(50).time_certainty).toBe('all_equal');
  expect(stuck(2).problems).toEqual([]);
});

test('flux: samples whose times were in a damaged block do not indicate a stopped clock', () => {
  const stream = new FluxStream().head('t').signal(1, 'n', 'integer');
  stream.block('lz4', new FluxStream().open(0, 'ns', 0));
  const start = Buffer.from(stream.bytes()).length - 2;
  for (let i = 0; i < 20; i++) stream.int(1, 3, i);
  const { report } = convert([{ bytes: flipped(Buffer.from(stream.bytes()), start) }]);
  expect(report.problems.map(({ id }) => id)).toContain('BLOCK_DAMAGED');
  expect(sentences(report)).toMatch(/damaged or missing/);
  expect(report.time_certainty).toBe('all_equal');
  expect(sentences(report)).not.toMatch(/time function/);
});

/** Three named tasks that take turns, after a damaged frame; `odd`: the number of a task in one switch. */
function turns(odd, damage = [1, 2, 3, 0]) {
  const stream = head().ev('task_name', 1, 'A').ev('task_name', 2, 'B').ev('task_name', 3, 'IDLE');
  stream.ev('task_is_idle_task', 3, 0);
  const start = Buffer.from(stream.bytes());
  for (let i = 0; i < 30; i++) stream.ev('task_switched_in', 100 + 10 * i, i === 13 ? odd : 1 + (i % 3));
  const rest = Buffer.from(stream.bytes()).subarray(start.length);
  return convert([{ bytes: Buffer.concat([start, Buffer.from(damage), rest]) }]).report;
}

test('a task that occurs once and has no name is uncertain and in no figure', () => {
  const good = turns(2),
    bad = turns(66);
  const task = ({ tasks }, name) => tasks.find((one) => one.name === name);
  const serious = ({ problems }) =>
    problems.filter(({ severity }) => severity !== 'info').map(({ id, count }) => [id, count]);
  expect(serious(good)).toEqual([['EVENT_SHORT', 1]]);
  expect(new Map(serious(bad)).get('ENTITY_UNCERTAIN')).toBe(1);
  expect(serious(turns(66, []))).toEqual([]); // an intact recording contains no uncertain tasks
  expect(bad.tasks.map(({ name }) => name)).toEqual(['A', 'B', 'IDLE']);
  expect(task(bad, 'A').cpu).toBe(task(good, 'A').cpu);
  expect(Number(bad.cores[0].unmeasured) - Number(good.cores[0].unmeasured)).toBe(
    Number(good.cores[0].busy) - Number(bad.cores[0].busy),
  );
});

test('tasks without names are not uncertain if most tasks have none', () => {
  const stream = head();
  for (let i = 0; i < 3; i++) stream.ev('task_switched_in', 100 + 10 * i, 1 + i);
  const { report } = convert([{ bytes: stream.bytes() }]);
  expect(report.tasks).toHaveLength(3);
  expect(report.problems.map(({ id }) => id)).not.toContain('ENTITY_UNCERTAIN');
});

test('a context of a call trace that the hardware never entered is uncertain', () => {
  const record = (vector, pc, lr) => [
    0xc0,
    vector,
    ...[pc, lr].flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]),
  ];
  const trace = (odd) => {
    const bytes = [];
    for (let i = 0; i < 20; i++) {
      if (i === 5) bytes.push(0x11, 0x22); // damage
      bytes.push(...record(0, 0x0800023a, 0x08000237), ...record(i === 9 ? odd : 0, 0x080001c6, 0x08000243));
      bytes.push(...record(19, 0x080004f2, 0xfffffff9));
    }
    return convert([{ bytes: Uint8Array.from(bytes) }]).report;
  };
  const names = ({ contexts }) => contexts.map(({ name }) => name);
  expect(names(trace(0))).toEqual(['main', 'IRQ3']);
  expect(trace(0).problems.map(({ id }) => id)).not.toContain('ENTITY_UNCERTAIN');
  expect(names(trace(64))).toEqual(['main', 'IRQ3']);
  expect(trace(64).problems.map(({ id }) => id)).toContain('ENTITY_UNCERTAIN');
  expect(trace(64).interruptions.map(({ by }) => by)).toEqual(['IRQ3']);
});
