// SPDX-License-Identifier: MIT
//
// Random targets with active objects, with the truth of their steps: when each event was posted, when its step began and when it ended.

import { tool } from '../cli/tool.mjs';
import { Kernel } from '../generator/qs-kernel.mjs';
import { QsEncoder, RECORDS } from '../generator/qs.mjs';
import { Random } from '../generator/random.mjs';
import { wrong_windows } from './load.mjs';

/** @typedef {import('../generator/qs-kernel.mjs').Active} Active */
/** @typedef {import('../generator/qs-kernel.mjs').Event} Event */
/** @typedef {import('../generator/qs-kernel.mjs').Machine} Machine */
/**
 * A step from `begin` to `end`, during which other objects ran for `preempted`; its event waited for `latency`. All are in ticks of the clock.
 * @typedef {{ begin: number, end: number, latency: number, preempted: number }} Step
 */

/** Number and fields of records. @type {Record<string, readonly [number, string]>} */
const FIELDS = RECORDS;
const SIGNALS = [4, 5, 6, 7, 8];
const STATES = ['Off', 'On', 'Busy'];
const RATE = 100_000; // ticks per second: a window of 10 ms has at least 64 buckets of 10 ticks
const TICK = 1e9 / RATE; // ns

/** A kernel that notes posts and steps while the generator's kernel sends their records. */
class ObservedKernel extends Kernel {
  /** Steps of each object by name. @type {Map<string, Step[]>} */
  steps = new Map();
  /** When the events in its queue were posted, of each object. @type {Map<Active, number[]>} */
  #posted = new Map();

  /** Time of the first record with a time, which is 0 in the trace. @type {number | null} */
  origin = null;

  /** Priority that the scheduler chose last, and since when. */
  #chosen = 0;
  #since = 0;
  /** How long each priority ran before. @type {Map<number, number>} */
  #ran = new Map();

  /** Times without an active object and without an interrupt, and the last recorded time. @type {import('./load.mjs').Span[]} */
  idle = [];
  #idles_since = NaN;
  #has_idled = false;
  #interrupts = 0;
  end = 0;

  /** Notes the idle time that a record ends or begins. @param {string} name */
  #note_idle(name) {
    if (FIELDS[name]?.[1].startsWith('T')) this.end = this.now;
    if (this.#idles_since < this.now) this.idle.push([this.#idles_since, this.now]);
    this.#interrupts += name === 'QF_ISR_ENTRY' ? 1 : name === 'QF_ISR_EXIT' ? -1 : 0;
    const is_idle = this.#has_idled && this.#chosen === 0 && this.#interrupts === 0;
    this.#idles_since = is_idle ? this.now : NaN;
  }

  /** How long a priority has run at a time. @param {number} prio @param {number} at */
  #ran_until(prio, at) {
    return (this.#ran.get(prio) ?? 0) + (this.#chosen === prio ? at - this.#since : 0);
  }

  /** @param {import('../generator/qs.mjs').RecordName} name @param {...import('../generator/qs.mjs').Value} values */
  send(name, ...values) {
    if (FIELDS[name]?.[1].startsWith('T')) this.origin ??= this.now;
    if (name === 'SCHED_NEXT' || name === 'SCHED_IDLE') {
      this.#ran.set(this.#chosen, this.#ran_until(this.#chosen, this.now));
      this.#chosen = name === 'SCHED_NEXT' ? Number(values[1]) : 0;
      this.#since = this.now;
      this.#has_idled ||= name === 'SCHED_IDLE';
    }
    this.#note_idle(name);
    super.send(name, ...values);
  }

  /** @param {Active} ao @param {Event} event @param {number} [sender] @param {number} [margin] */
  post(ao, event, sender, margin = 0) {
    if (ao.free > margin) this.#queue_of(ao).push(this.now); // the record of the post has the present time
    return super.post(ao, event, sender, margin);
  }

  /** @param {Active} ao */
  #queue_of(ao) {
    const queue = this.#posted.get(ao) ?? [];
    this.#posted.set(ao, queue);
    return queue;
  }

  /** Notes the steps of an object. @param {Active} ao */
  observe(ao) {
    /** @type {Step[]} */
    const steps = [];
    this.steps.set(ao.name, steps);
    const dispatch = ao.dispatch.bind(ao);
    ao.dispatch = (event) => {
      const begin = this.now;
      const latency = begin - /** @type {number} */ (this.#queue_of(ao).shift());
      const ran = this.#ran_until(ao.prio, begin);
      const step = { begin, end: NaN, latency, preempted: NaN };
      steps.push(step);
      dispatch(event);
      step.end = this.now - 1; // the last record of the step, after which the clock has advanced by 1
      step.preempted = step.end - begin - (this.#ran_until(ao.prio, step.end) - ran);
    };
  }
}

class Target {
  /** @type {Active[]} */
  objects = [];

  /** @param {number} seed */
  constructor(seed) {
    const random = new Random(seed);
    this.random = random;
    const encoder = new QsEncoder({ version: random.pick([740, 810]) });
    this.kernel = new ObservedKernel({ encoder, tick_len: random.between(500, 5000), seed });
    const count = random.between(2, 6);
    for (let prio = count; prio > 0; prio--) this.#add(`Object${prio}`, prio);
    for (let i = random.between(1, 4); i > 0; i--) this.#add_device(i);
  }

  /** @param {string} name @param {number} prio */
  #add(name, prio) {
    const ao = this.kernel.active(name, prio, this.random.between(2, 8), this.#machine());
    this.objects.push(ao);
    this.kernel.observe(ao);
  }

  /** @param {number} number */
  #add_device(number) {
    const { kernel, random } = this;
    const address = kernel.allocate(`device${number}`, 4);
    const period = random.between(800, 6000);
    kernel.device(random.between(10, 500), period, () => {
      for (let i = random.between(1, 4); i > 0; i--) this.#post(address);
    });
  }

  /** Posts a random event to a random object, if there is room. @param {number} sender */
  #post(sender) {
    const { kernel, random } = this;
    kernel.post(random.pick(this.objects), kernel.fixed(random.pick(SIGNALS)), sender, 0);
  }

  /** Reactions to events: work, posts, transitions; some signals are ignored. @returns {Machine} */
  #machine() {
    const { random } = this;
    /** @type {Machine} */
    const machine = {};
    for (const state of STATES) {
      const on = /** @type {NonNullable<Machine[string]['on']>} */ ({});
      for (const signal of SIGNALS) if (random.chance(0.8)) on[signal] = (ao) => this.#react(ao);
      machine[state] = { on };
    }
    return machine;
  }

  /** @param {Active} ao */
  #react(ao) {
    const { kernel, random } = this;
    kernel.spend(random.between(1, 200));
    if (random.chance(0.3)) this.#post(ao.address);
    if (random.chance(0.3)) kernel.spend(random.between(1, 50));
    return random.chance(0.5) ? random.pick(STATES) : undefined;
  }

  run() {
    const { kernel } = this;
    for (const signal of SIGNALS) kernel.name_signal(signal, `S${signal}_SIG`);
    for (const ao of this.objects) ao.start(STATES[0]);
    kernel.run(this.random.between(3_000, 15_000));
    return {
      bytes: kernel.recording(),
      steps: kernel.steps,
      origin: kernel.origin ?? 0,
      idle: kernel.idle,
      end: kernel.end,
    };
  }
}

/** The same seed gives the same recording. @param {number} seed @returns {{ bytes: Uint8Array, steps: Map<string, Step[]>, origin: number, idle: import('./load.mjs').Span[], end: number }} */
export function run_objects(seed) {
  return new Target(seed).run();
}

/** The steps that the program draws: slices on the threads of the objects that show how long their event waited. @param {string} path */
async function shown_steps(path) {
  const { text, code, errors } = await tool(['dump', '--stage', 'tracks', '--json', path]);
  if (code !== 0) throw new Error(errors);
  /** @type {Map<number, string>} */
  const names = new Map();
  /** @type {Map<string, Step[]>} */
  const steps = new Map();
  /** @type {Map<number, (Step | null)[]>} open slices of each track */
  const open = new Map();
  let waited = -1;
  for (const line of text.trim().split('\n')) {
    const { call, list, id, text: word, track, kind, name, ticks, args = [] } = JSON.parse(line);
    if (call === 'define' && list === 'argument' && word.startsWith('waited until dispatch')) waited = id;
    if (call === 'track' && kind === 'thread') {
      names.set(track, name);
      steps.set(name, []);
    }
    const key = names.get(track);
    if (key === undefined) continue;
    const stack = open.get(track) ?? [];
    open.set(track, stack);
    if (call === 'begin') {
      const latency = args.find((/** @type {{ name: number }} */ arg) => arg.name === waited)?.uint;
      const step =
        latency === undefined ? null : { begin: Number(ticks), end: NaN, latency: Number(latency), preempted: NaN };
      stack.push(step);
      if (step) steps.get(key)?.push(step);
    }
    const closed = call === 'end' ? stack.pop() : null;
    if (closed) closed.end = Number(ticks);
  }
  return steps;
}

/** @param {Step[]} steps @param {number} [origin] */
const texts = (steps, origin = 0) =>
  steps.map(({ begin, end, latency }) => `${begin - origin} to ${end - origin}, waited ${latency}`);

/** Nearest rank. @param {number[]} sorted @param {number} percent */
const percentile = (sorted, percent) => sorted[Math.ceil((sorted.length * percent) / 100) - 1];

/**
 * Figures of lengths, as the report shows them with at most 32 of them; null: none.
 * @param {number[]} lengths
 * @returns {{ min: number | null, mean: number | null, percentiles: (number | null)[], max: number | null }}
 */
function figures_of(lengths) {
  const sorted = [...lengths].sort((a, b) => a - b);
  const sum = lengths.reduce((total, length) => total + length, 0);
  const [min, max] = [sorted[0] ?? null, sorted.at(-1) ?? null];
  const mean = lengths.length ? Math.round(sum / lengths.length) : null;
  const percentiles = [50, 95, 99].map((percent) => percentile(sorted, percent) ?? null);
  return { min, mean, percentiles, max };
}

/** @param {Record<string, string | number | null>} row @param {string} key */
function shown_figures(row, key) {
  const number = (/** @type {string} */ end) => {
    const value = row[`${key}_${end}`];
    return value === null ? null : Number(value);
  };
  return {
    min: number('min'),
    mean: number('mean'),
    percentiles: ['p50', 'p95', 'p99'].map(number),
    max: number('max'),
  };
}

/** Percentiles of more than 32 lengths are at most 1/128 too large. @param {ReturnType<typeof figures_of>} shown @param {ReturnType<typeof figures_of>} wanted */
const agree = (shown, wanted) =>
  shown.min === wanted.min &&
  shown.mean === wanted.mean &&
  shown.max === wanted.max &&
  shown.percentiles.every((value, i) => {
    const exact = wanted.percentiles[i];
    return value === exact || (value !== null && exact !== null && value >= exact && value <= exact * (1 + 1 / 128));
  });

/**
 * Figures of steps that differ from those of the target.
 * @param {string} name
 * @param {Step[]} list
 * @param {Record<string, string | number | null> | undefined} row
 */
function differences_of_figures(name, list, row) {
  if (!row) return list.length ? [`${name}: no row of steps`] : [];
  const lengths = {
    gross: list.map(({ begin, end }) => end - begin),
    net: list.map(({ begin, end, preempted }) => end - begin - preempted),
    latency: list.map(({ latency }) => latency),
    response: list.map(({ begin, end, latency }) => end - begin + latency),
    period: list.slice(1).map(({ begin }, i) => begin - list[i].begin),
  };
  return Object.entries(lengths).flatMap(([key, values]) => {
    const [shown, wanted] = [shown_figures(row, key), figures_of(values)];
    return agree(shown, wanted) && row.count_unmeasured === 0 && row.events_unmeasured === 0
      ? []
      : [`${name}, ${key}: shown ${JSON.stringify(shown)}, true ${JSON.stringify(wanted)}`];
  });
}

/** Largest loads that differ from those of the target. @param {string} path @param {import('./load.mjs').Span[]} idle @param {number} end @param {number} origin */
async function differences_of_load(path, idle, end, origin) {
  const { text } = await tool(['info', '--json', '--set', `rate-hz=${RATE}`, path]);
  const spans = idle.map(([from, to]) => /** @type {import('./load.mjs').Span} */ ([from * TICK, to * TICK]));
  const cores = { ids: [0], idle: () => spans, end: end * TICK };
  return wrong_windows(cores, JSON.parse(text.trim().split('\n')[0]), origin * TICK);
}

/** Steps and latencies that differ from those of the target. @param {import('../cli/tool.mjs').Folder} folder @param {number} seed */
export async function differences_of_steps(folder, seed) {
  const { bytes, steps, origin, idle, end } = run_objects(seed);
  const path = folder.write(`objects-${seed}.bin`, bytes);
  const shown = await shown_steps(path);
  const { text } = await tool(['info', '--json', path]);
  const { objects, steps: rows } = JSON.parse(text.trim().split('\n')[0]);
  /** @type {string[]} */
  const found = [];
  for (const [name, list] of steps) {
    const [wanted, drawn] = [texts(list, origin), texts(shown.get(name) ?? [])];
    const i = Array.from({ length: Math.max(wanted.length, drawn.length) }).findIndex((_, n) => wanted[n] !== drawn[n]);
    if (i >= 0) found.push(`seed ${seed}: ${name}, step ${i}: shown ${drawn[i]}, true ${wanted[i]}`);
    const row = objects.find((/** @type {{ name: string }} */ object) => object.name === name);
    const longest = list.length ? Math.max(...list.map(({ latency }) => latency)) : null;
    const figures = row && `${row.steps} steps, ${row.longest_wait}`;
    if (figures !== `${list.length} steps, ${longest}`)
      found.push(`seed ${seed}: ${name}: shown ${figures}, true ${list.length} steps, ${longest}`);
    const of_steps = rows.find((/** @type {{ name: string }} */ object) => object.name === name);
    found.push(...differences_of_figures(name, list, of_steps).map((words) => `seed ${seed}: ${words}`));
  }
  found.push(...(await differences_of_load(path, idle, end, origin)).map((words) => `seed ${seed}: ${words}`));
  return { found, steps: [...steps.values()].flat().length };
}
