// SPDX-License-Identifier: MIT
// Turns a finished model into lines of text, in the form in which actual.mjs reads them from a trace with SQL.
import { Model } from './model.mjs';
import { decodeRecording } from './frames.mjs';
import { timeLine } from './time.mjs';

/** Adjacent runs of one task are merged; a run of length zero, or during which events were lost, is not drawn; changing the core takes one ns. */
function drawnRuns(runs, tickNs) {
  const byTask = new Map();
  for (const run of runs.filter(({ measured }) => measured)) {
    if (!byTask.has(run.task)) byTask.set(run.task, []);
    byTask.get(run.task).push({ ...run, from: run.from * tickNs, to: run.to * tickNs });
  }
  const out = [];
  for (const list of byTask.values()) {
    let last = null;
    for (const run of list) {
      if (run.from === run.to && !run.open) continue;
      if (last && last.to === run.from && last.core === run.core) {
        Object.assign(last, { to: run.to, open: run.open });
        continue;
      }
      if (last && last.to === run.from) last.to -= 1n;
      last = run;
      out.push(run);
    }
  }
  return out;
}

/**
 * The states of each task, each until the next one; the last one has no end and is omitted. Of several states at one tick only the last is
 * kept. A new task with the name of a dead one continues in its row. A run during which events were lost is not drawn: the state before it
 * lasts until the task left its core, and a new state begins then.
 */
function stateLines(model, tickNs) {
  const byName = new Map();
  for (const { task, state, core, at, unrecorded } of model.states) {
    if (task.idle) continue; // blank in the viewer
    const name = model.nameOf(task);
    if (!byName.has(name)) byName.set(name, []);
    byName.get(name).push({ state, core, at: at * tickNs, unrecorded });
  }
  return [...byName].flatMap(([name, list]) => {
    const kept = [];
    let begins_anew = false;
    for (const entry of list) {
      if (entry.unrecorded) {
        begins_anew = true;
        continue;
      }
      while (kept.length > 0 && kept.at(-1).at >= entry.at) kept.pop();
      const last = kept.at(-1);
      if (last?.state === entry.state && last.core === entry.core && !begins_anew) continue;
      begins_anew = false;
      if (last?.state === 'Running' && entry.state === 'Running') kept.push({ state: 'R', at: entry.at - 1n }); // to another core
      kept.push(entry);
    }
    // a row that continues after an exit cannot show "dead" in the viewer: it shows stopped until then
    const word = (state) => (state === 'X' ? 'T' : state);
    return kept
      .slice(0, -1)
      .map((entry, index) => `${name}: ${word(entry.state)} ${span(entry.at, kept[index + 1].at)}`);
  });
}

/** The times in which the task of a core is unknown; adjacent ones are merged. */
function unrecordedSpans(model, tickNs) {
  const spans = [];
  for (const { core, from, to, open } of model.unrecorded.toSorted(
    (a, b) => a.core - b.core || Number(a.from - b.from),
  )) {
    const last = spans.at(-1);
    if (last?.core === core && last.to === from * tickNs) Object.assign(last, { to: to * tickNs, open });
    else if (to > from) spans.push({ core, from: from * tickNs, to: to * tickNs, open });
  }
  return spans;
}

/** Times at which a core had only idle tasks to run, from its first run on. */
function idleLines(runs, unrecorded) {
  const spans = [...runs, ...unrecorded];
  return [...new Set(spans.map(({ core }) => core))].flatMap((core) => {
    const all = spans.filter((run) => run.core === core).sort((a, b) => Number(a.from - b.from));
    const lines = [];
    let at = all[0].from;
    for (const run of all.filter(({ task }) => !task?.idle)) {
      if (run.from > at) lines.push(`core ${core}: ${span(at, run.from)}`);
      at = run.open ? null : run.to;
    }
    return at === null ? lines : [...lines, `core ${core}: ${at} to the end`];
  });
}

const sorted = (lines) => lines.sort();
const span = (from, to) => `${from} +${to - from}`;

/** The viewer's time ends at 2^63 ns: a tick length that is too long for the last time is reduced. */
function fittingTick(tickNs, end) {
  const latest = (1n << 63n) - 1n;
  return end * tickNs <= latest ? tickNs : latest / end;
}

/** inputs: [{ bytes, core }] */
export function expectation(inputs) {
  const decoded = inputs.map(({ bytes, core }) => ({ ...decodeRecording(bytes), core }));
  const line = timeLine(decoded);
  const model = new Model(line).run();
  const ns = fittingTick(model.tickNs, line.end);
  const task = (thing) => (thing ? model.nameOf(thing) : null);
  const runs = drawnRuns(model.runs, ns);
  const unrecorded = unrecordedSpans(model, ns);
  return {
    decoded,
    line,
    model,
    ns,
    lost: model.drops.lost,
    idle: sorted(idleLines(runs, unrecorded)),
    unrecorded: sorted(
      unrecorded.map(({ core, from, to, open }) => `core ${core}: ${open ? `${from} to the end` : span(from, to)}`),
    ),
    runs: sorted(
      runs
        .filter((run) => !run.task.idle)
        .map(
          (run) => `${task(run.task)} on ${run.core} ${run.open ? `${run.from} to the end` : span(run.from, run.to)}`,
        ),
    ),
    waits: sorted(
      model.waits
        .filter((wait) => wait.to > wait.from)
        .map((wait) => `${task(wait.task)}: ${wait.reason()} ${span(wait.from * ns, wait.to * ns)}`),
    ),
    deaths: sorted(model.instants.map((instant) => `${task(instant.task)}: ${instant.text()} ${instant.at * ns}`)),
    states: sorted(stateLines(model, ns)),
    isrs: sorted(
      model.isrs.map(
        (isr) => `core ${isr.core}: ${model.isrName(isr.core, isr.id)} ${span(isr.from * ns, isr.to * ns)}`,
      ),
    ),
    fills: sorted(fillLines(model, ns)),
    locks: sorted(
      model.locks.map((lock) => {
        const words = lock.holder ? `held by ${task(lock.holder)}` : 'held';
        return `${model.nameOf(lock.queue)}: ${words} ${span(lock.from * ns, lock.to * ns)}`;
      }),
    ),
    markers: sorted(
      model.slices
        .filter((slice) => !slice.where.scope)
        .map((slice) => `${model.markerName(slice.where)}: ${slice.text()} ${span(slice.from * ns, slice.to * ns)}`),
    ),
    taskMarkers: sorted(
      model.slices
        .filter((slice) => slice.where.scope)
        .map(
          (slice) =>
            `${task(slice.where.scope)}/${model.markerName(slice.where)}: ${slice.text()} ${span(slice.from * ns, slice.to * ns)}`,
        ),
    ),
    values: sorted(valueLines(model, ns, (where) => !where.scope)),
    taskValues: sorted(valueLines(model, ns, (where) => where.scope)),
  };
}

/** Several values of one counter at one time keep their order, by their index at that time. */
function numbered(entries) {
  const seen = new Map();
  return entries.map(({ name, at, value }) => {
    const key = `${name} ${at}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return `${name} ${at} (${seen.get(key)}) = ${value}`;
  });
}

const fillLines = (model, ns) =>
  numbered(
    model.fills.map(({ queue, at, value }) => ({ name: model.nameOf(queue), at: at * ns, value: Number(value) })),
  );

const valueLines = (model, ns, wanted) =>
  numbered(
    model.values
      .filter(({ where }) => wanted(where))
      .map(({ where, at, value }) => ({
        name: `${where.scope ? `${model.nameOf(where.scope)}/` : ''}${model.markerName(where)}`,
        at: at * ns,
        value: Number(value),
      })),
  );

export { numbered };
