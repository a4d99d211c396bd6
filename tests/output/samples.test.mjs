// SPDX-License-Identifier: MIT
// Each real recording is converted and loaded into the real trace_processor; the results of SQL queries must equal those of an independent
// decoder.
import { beforeAll, describe, expect, test } from 'vitest';
import { actual } from './actual.mjs';
import { convert } from './convert.mjs';
import { decodeRecording } from './reference/frames.mjs';
import { expectation } from './reference/expectation.mjs';
import { dumpOf, haveSamples, recordings } from './samples.mjs';
import { selfCheck } from './self-check.mjs';
import { conditions } from './threads.mjs';
import { sharedTraceProcessor } from './trace-processor.mjs';

let engine;
beforeAll(async () => {
  engine = await sharedTraceProcessor();
});

/** Lines of which one side has more; the output stays short for lists of any length. */
function difference(wanted, found) {
  const count = new Map();
  for (const line of wanted) count.set(line, (count.get(line) ?? 0) + 1);
  for (const line of found) count.set(line, (count.get(line) ?? 0) - 1);
  const side = (sign, mark) => [...count].filter(([, n]) => n * sign > 0).map(([line]) => `${mark} ${line}`);
  return [...side(1, 'missing:'), ...side(-1, 'too much:')];
}

/** Time and number of runs per task and core. */
function loadPerTask(rows) {
  const out = {};
  for (const { task, cpu, runs, ns } of rows) out[`${task} on ${cpu}`] = `${runs} runs, ${ns} ns`;
  return out;
}

const LOAD = `select th.name as task, cpu, count(*) as runs, sum(iif(dur < 0, 0, dur)) as ns
  from sched_slice join thread th using (utid) where ${conditions('th').is_task} group by 1, 2 order by 1, 2`;

function expectedLoad(lines) {
  const rows = new Map();
  for (const line of lines) {
    const [, task, cpu, length] = /^(.*) on (\d+) \d+ (?:\+(\d+)|to the end)$/s.exec(line);
    const key = `${task} on ${cpu}`;
    const row = rows.get(key) ?? { task, cpu, runs: 0, ns: 0 };
    rows.set(key, row);
    row.runs++;
    row.ns += Number(length ?? 0);
  }
  return [...rows.values()];
}

/** From the report: figures of interrupts, and the longest wait per name. */
function figuresOf(report) {
  const longest = {};
  for (const { name, longest_wait } of report.tasks)
    if (longest_wait !== null) longest[name] = Math.max(longest[name] ?? 0, Number(longest_wait));
  const isrs = report.interrupts.map(
    ({ core, id, count_unmeasured, total, min, mean, max }) =>
      `${core}:${id} ${count_unmeasured} ${[total, min, mean, max].map((ns) => ns ?? 0).join(' ')}`,
  );
  const sum = (key) => report.tasks.reduce((all, task) => all + task[key], 0);
  return { longest, isrs: isrs.sort(), waits: sum('waits'), waitsNotMeasured: sum('waits_unmeasured') };
}

function expectedFigures({ model, ns }) {
  const longest = {};
  for (const { task, from, to, measured } of model.waits) {
    const name = model.nameOf(task);
    if (measured) longest[name] = Math.max(longest[name] ?? 0, Number((to - from) * ns));
  }
  const calls = new Map();
  for (const call of model.isrs)
    calls.set(`${call.core}:${call.id}`, [...(calls.get(`${call.core}:${call.id}`) ?? []), call]);
  const isrs = [...calls].map(([key, all]) => {
    const lengths = all.filter(({ measured }) => measured).map(({ from, to }) => Number((to - from) * ns));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const figures =
      lengths.length > 0
        ? [total, Math.min(...lengths), Math.round(total / lengths.length), Math.max(...lengths)]
        : [0, 0, 0, 0];
    return `${key} ${all.length - lengths.length} ${figures.join(' ')}`;
  });
  const waits = model.waits.filter(({ from, to, measured }) => to > from || !measured);
  return {
    longest,
    isrs: isrs.sort(),
    waits: waits.length,
    waitsNotMeasured: waits.filter(({ measured }) => !measured).length,
  };
}

describe.skipIf(!haveSamples)('real recordings', () => {
  const all = haveSamples ? recordings() : [];

  test('there are recordings', () => {
    expect(all.length).toBeGreaterThan(20);
  });

  describe.each(all)('%s', (name, inputs) => {
    let wanted, found, report, trace;
    beforeAll(() => {
      wanted = expectation(inputs);
      ({ trace, report } = convert(inputs));
      engine.load(trace);
      found = actual(engine);
    });

    test('loads without errors', () => {
      expect(selfCheck(engine, { lost: wanted.lost })).toEqual([]);
    });

    test('losses are reported', () => {
      expect(report.events).toMatchObject({ lost: wanted.lost, lost_before: wanted.model.drops.before });
    });

    test('running time and number of runs per task and core', () => {
      expect(loadPerTask(engine.query(LOAD))).toEqual(loadPerTask(expectedLoad(wanted.runs)));
    });

    const kinds = [
      'runs',
      'idle',
      'unrecorded',
      'states',
      'waits',
      'deaths',
      'isrs',
      'fills',
      'locks',
      'markers',
      'taskMarkers',
      'values',
      'taskValues',
    ];
    test.each(kinds)('%s, one by one', (kind) => {
      expect(difference(wanted[kind], found[kind])).toEqual([]);
    });

    test('damaged, wrapped, restarted', () => {
      const count = (id) => report.problems.find((problem) => problem.id === id)?.count ?? 0;
      const { notes } = wanted.line;
      expect({
        damaged: count('TIME_DAMAGED'),
        wraps: count('TIME_WRAPPED'),
        restarts: report.events.restarts,
        clamped: count('TIME_CLAMPED'),
      }).toEqual(notes);
    });

    test('the report counts the same runs and interrupts', () => {
      const { runs, isrs } = wanted.model;
      const perTask = report.tasks.reduce((sum, task) => sum + task.runs, 0);
      const perInterrupt = report.interrupts.reduce((sum, interrupt) => sum + interrupt.count, 0);
      expect({ perTask, perInterrupt }).toEqual({ perTask: runs.length, perInterrupt: isrs.length });
    });

    test('the report measures the same interrupts and waits', () => {
      if (report.problems.some(({ severity }) => severity === 'damage')) return; // the reference keeps no positions of damage
      expect(figuresOf(report)).toEqual(expectedFigures(wanted));
    });
  });

  // Compares the reference itself with another decoder, which rejects messages that are not UTF-8.
  describe.each(all.flatMap(([, inputs]) => inputs))('the reference reads $file', ({ file, bytes }) => {
    test('as the other decoder does', () => {
      const dump = dumpOf(file);
      if (!dump) return;
      const valid = dump.filter((line) => /^\{"(Base|FreeRTOS)"/.test(line));
      const other = valid.map((line) => /"ts":(\d+)/.exec(line)?.[1]).filter((ts) => ts !== undefined);
      const kept = decodeRecording(bytes).events.filter(
        (event) => event.ts !== undefined && !event.msg?.includes('\ufffd'),
      );
      expect(kept.map((event) => String(event.ts))).toEqual(other);
    });
  });
});
