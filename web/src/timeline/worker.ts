// SPDX-License-Identifier: MIT
// Owns the store of one recording and draws its rows. Gets the blocks directly from the worker that converts, so that neither a
// conversion nor the page delays a picture.
import { drawPicture } from './draw.js';
import { Engine, type Item, KIND, type RawRow } from './engine.js';
import type {
  Answers,
  Explanation,
  FromTimeline,
  NamedItem,
  Picture,
  Question,
  Started,
  Strip,
  Surface,
  Text,
  ToTimeline,
  View,
} from './messages.js';

declare const self: DedicatedWorkerGlobalScope;

const say = (message: FromTimeline, transfer: Transferable[] = []): void => self.postMessage(message, transfer);

const MIN_TEXT = 22; // CSS pixels
const MIN_HEIGHT = 12;
const STATES = ['', 'ready', 'running', 'waiting', 'waiting for a lock', 'suspended', 'deleted'];
const UNRECORDED = 1n;

let engine: Engine | null = null;
const contexts = new Map<Surface, OffscreenCanvasRenderingContext2D>();
const views = new Map<Surface, View>();
/** what has changed since it was drawn */
const due = new Set<Surface>();
let isScheduled = false;
let version = -1;
let toldAt = 0;
let every = 0;
let factsDue = false;
let tasks = new Map<bigint, string>();
let idle = new Set<bigint>();
let rows: RawRow[] = [];
let kinds = new Map<number, number>();
const names = new Map<bigint, string>();

// ---- Blocks

function tell(): void {
  if (!engine) return;
  factsDue = false;
  toldAt = performance.now();
  const facts = engine.facts();
  if (facts.version !== version) {
    version = facts.version;
    names.clear();
    const all = engine.rows();
    rows = all[0];
    kinds = new Map(rows.map(([row, kind]) => [row, kind]));
    tasks = new Map(all[2].map(([pid, , name]) => [BigInt(pid), name]));
    idle = new Set(all[2].flatMap(([pid, isIdle]) => (isIdle ? [BigInt(pid)] : [])));
    say({ type: 'rows', rows: all });
  }
  say({ type: 'facts', facts });
  for (const surface of views.keys()) schedule(surface);
}

function add(blocks: Uint8Array): void {
  if (!engine) return;
  try {
    engine.add(blocks);
  } catch (error) {
    engine = null;
    return say({ type: 'failed', text: error instanceof Error ? error.message : String(error) });
  }
  if (factsDue) return;
  factsDue = true;
  setTimeout(tell, Math.max(0, every - (performance.now() - toldAt)));
}

async function open({ module, port, bounds }: Extract<ToTimeline, { type: 'open' }>): Promise<void> {
  every = bounds.every;
  engine = await Engine.open(module, bounds.limit);
  port.onmessage = ({ data }: MessageEvent<Uint8Array>) => add(data);
}

// ---- Texts

function textOf(row: number, { value, number }: Pick<Item, 'value'> & Partial<Item>): string {
  const kind = kinds.get(row);
  if (kind === KIND.task) return STATES[Number(value)] ?? '';
  if (kind === KIND.core) return value === UNRECORDED ? 'not recorded' : (tasks.get(value) ?? `task ${value}`);
  if (kind === KIND.numbers) return String(number);
  const known = names.get(value);
  if (known !== undefined || !engine) return known ?? '';
  const text = engine.name(value);
  names.set(value, text);
  return text;
}

const named = (row: number, item: Item | null): NamedItem | null => item && { ...item, row, text: textOf(row, item) };

/** Texts on the items of a strip; below the state of a task, what it waits for. */
function textsOf(strip: Strip, scale: number): Text[] {
  const row = strip.kind === KIND.task ? strip.reasons : strip.row;
  if (!row || !engine || strip.height < MIN_HEIGHT || strip.kind === KIND.numbers || strip.kind === KIND.instants)
    return [];
  const isOnItem = strip.kind !== KIND.task;
  return engine
    .labels(row, MIN_TEXT * scale)
    .filter(({ value }) => strip.kind !== KIND.core || !idle.has(value)) // idle time is blank
    .map((label) => ({
      x: label.x,
      y: (strip.y + strip.height / (isOnItem ? 2 : 2.4)) * scale,
      width: label.width,
      text: textOf(row, label),
      isOnItem,
    }));
}

// ---- Pictures

function pictureOf(core: Engine, { window, height, scale, isDark, hasTexts, strips, marks }: View): Picture {
  core.setWindow(window);
  const texts = hasTexts ? strips.flatMap((strip) => textsOf(strip, scale)) : [];
  const rows = strips.map((strip) => ({
    row: strip.row,
    y: Math.round(strip.y * scale),
    height: Math.round(strip.height * scale),
  }));
  const pixels = core.picture(window.width, height, Math.max(1, Math.round(scale)), isDark, rows);
  return { pixels, width: window.width, height, texts, marks, scale, isDark };
}

function paint(core: Engine, view: View): void {
  const begun = performance.now(),
    { surface, number } = view,
    picture = pictureOf(core, view),
    context = contexts.get(surface),
    pixels = picture.pixels.slice();
  if (!context) return say({ type: 'picture', surface, number, picture: { ...picture, pixels } }, [pixels.buffer]);
  const { canvas } = context;
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width;
    canvas.height = picture.height;
  }
  drawPicture(context, { ...picture, pixels });
  say({ type: 'shown', surface, number, milliseconds: performance.now() - begun });
}

function paintDue(): void {
  isScheduled = false;
  for (const surface of due) {
    const view = views.get(surface);
    if (engine && view) paint(engine, view);
  }
  due.clear();
}

/** Draws once after several views. */
function schedule(surface: Surface): void {
  due.add(surface);
  if (isScheduled) return;
  isScheduled = true;
  if ('requestAnimationFrame' in self && contexts.size) self.requestAnimationFrame(paintDue);
  else setTimeout(paintDue);
}

// ---- Questions

function items(core: Engine, { rows, from, to, most }: Extract<Question, { kind: 'items' }>): NamedItem[] {
  return rows.flatMap((row) => {
    const found: NamedItem[] = [];
    let item = core.at(row, from, from) ?? core.from(row, from);
    for (; item && item.begin < to && found.length < most; item = core.next(row, item.place)) {
      const one = named(row, item);
      if (one) found.push(one);
    }
    return found;
  });
}

const RUNNING = 2n,
  WAITING = 3n,
  READY = 1n;
const ACTIVATIONS = 20;
/** A place after all items. */
const LAST = 2n ** 64n - 1n;

/** From the end of the first idle time on, as much as the busiest task needs for some activations. null: too little is known yet; for a
 * recording without tasks it stays null. */
function initial(core: Engine): { from: bigint; to: bigint } | null {
  const { first, last, isFinal } = core.facts();
  const cores = rows.filter(([, kind]) => kind === KIND.core);
  const idleRuns = cores.flatMap(([row]) => [...idle].map((pid) => core.from(row, first, pid)));
  const starts = idleRuns.flatMap((item) => (item && !item.isOpen ? [item.end] : [])).sort((a, b) => Number(a - b));
  const from = starts[0] ?? first;
  let best = { load: 0, to: last, isKnown: isFinal };
  for (const [row, kind, owner] of rows) {
    if (kind !== KIND.task || idle.has(BigInt(owner))) continue;
    let busy = 0n,
      runs = 0,
      to = last;
    for (let item = core.from(row, from, RUNNING); item; item = core.next(row, item.place, RUNNING)) {
      busy += item.end - item.begin;
      if (++runs < ACTIVATIONS) continue;
      to = item.end;
      break;
    }
    const load = Number(busy) / Math.max(1, Number(to - from));
    if (load > best.load) best = { load, to, isKnown: runs === ACTIVATIONS || isFinal };
  }
  return best.load > 0 && best.isKnown ? { from, to: best.to } : null;
}

/** The row of the task that runs most. */
function busiest(core: Engine): number | null {
  const { first, last } = core.facts();
  let best = { row: 0, total: 0n };
  for (const [row, kind, owner] of rows) {
    if (kind !== KIND.task || idle.has(BigInt(owner)) || first >= last) continue;
    const { count = 0n, total = 0n } = core.figures(row, RUNNING, first, last) ?? {};
    if (count > 1n && total > best.total) best = { row, total };
  }
  return best.row || null;
}

/** Returns the last item that begins at or before a time. value: only such ones; 0: any. */
function lastBefore(core: Engine, row: number, ticks: bigint, value: bigint): Item | null {
  return core.previous(row, core.from(row, ticks + 1n, value)?.place ?? LAST, value);
}

function start(core: Engine, { row, ticks }: Extract<Question, { kind: 'start' }>): Started | null {
  const isTask = kinds.get(row) === KIND.task,
    value = isTask ? WAITING : 0n;
  const startOf = ({ begin, end }: Item): bigint => (isTask ? end : begin);
  let item = lastBefore(core, row, ticks, value);
  if (item && isTask && (item.isOpen || item.end > ticks)) item = core.previous(row, item.place, value); // it still waits
  if (!item) return null;
  const before = core.previous(row, item.place, value);
  return { at: startOf(item), before: before && startOf(before) };
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

function edge(core: Engine, { row, ticks, reach }: Extract<Question, { kind: 'edge' }>): bigint | null {
  const from = ticks > reach ? ticks - reach : 0n;
  const near = [core.at(row, from, ticks + reach + 1n), core.at(row, ticks, ticks), core.from(row, ticks)];
  const edges = near.flatMap((item) => (item ? [item.begin, ...(item.isOpen ? [] : [item.end])] : []));
  const [best] = edges.sort((a, b) => Number(distance(a, ticks) - distance(b, ticks)));
  return best !== undefined && distance(best, ticks) <= reach ? best : null;
}

/** The task that ran, or the interrupt that was active, directly before and at a time. */
function wakerAt(
  core: Engine,
  ticks: bigint,
  woken: NonNullable<Item['woken']>,
  { cores, interrupts }: Extract<Question, { kind: 'explain' }>,
): string {
  const listed = woken.by === 'task' ? [cores[woken.core] ?? 0] : (interrupts[woken.core] ?? []);
  const found = listed.flatMap((row) => {
    const item = row ? (core.at(row, ticks > 0n ? ticks - 1n : ticks, ticks) ?? core.at(row, ticks, ticks)) : null;
    return item ? [textOf(row, item)] : [];
  });
  return found.at(-1) ?? (woken.by === 'task' ? 'a task' : 'an interrupt');
}

const MOST_NAMES = 4;

function explain(core: Engine, question: Extract<Question, { kind: 'explain' }>): Explanation | null {
  const { row, place, reasons, cores } = question;
  const item = core.item(row, place);
  if (!item) return null;
  const before = core.previous(row, place, kinds.get(row) === KIND.numbers ? 0n : item.value)?.begin ?? null;
  const told: Explanation = { before, reason: '', ended: '', ran: [] };
  if (kinds.get(row) !== KIND.task) return told;
  const isWait = item.value >= WAITING;
  const reason = isWait && reasons ? core.at(reasons, item.begin, item.begin) : null;
  if (reason) told.reason = textOf(reasons, reason);
  const after = isWait ? core.next(row, place) : null;
  if (after?.begin === item.end && after.woken) told.ended = wakerAt(core, item.end, after.woken, question);
  if (item.value === READY) {
    const ran = items(core, { kind: 'items', rows: cores.filter(Boolean), from: item.begin, to: item.end, most: 50 });
    told.ran = [...new Set(ran.map(({ text }) => text))].slice(0, MOST_NAMES);
  }
  return told;
}

function answer(core: Engine, question: Question): Answers[keyof Answers] {
  switch (question.kind) {
    case 'at':
      return named(question.row, core.at(question.row, question.from, question.to));
    case 'next':
      return named(question.row, core.next(question.row, question.place, question.value));
    case 'previous':
      return named(question.row, core.previous(question.row, question.place, question.value));
    case 'from':
      return named(question.row, core.from(question.row, question.ticks, question.value));
    case 'longest':
      return named(question.row, core.longest(question.row, question.value));
    case 'items':
      return items(core, question);
    case 'figures':
      return core.figures(question.row, question.value, question.from, question.to);
    case 'initial':
      return initial(core);
    case 'busiest':
      return busiest(core);
    case 'start':
      return start(core, question);
    case 'edge':
      return edge(core, question);
    case 'explain':
      return explain(core, question);
    case 'colours':
      return rows.flatMap(([row, kind, owner]) =>
        kind === KIND.task ? [[owner, core.colour(row, 0n, question.isDark)] as [number, string]] : [],
      );
    case 'find':
      return core.find(question.text).map((hit) => ({ ...hit, text: hit.value ? core.name(hit.value) : '' }));
  }
}

self.onmessage = ({ data }: MessageEvent<ToTimeline>) => {
  switch (data.type) {
    case 'open':
      return void open(data).catch((error: unknown) => say({ type: 'failed', text: String(error) }));
    case 'canvas': {
      const context = data.canvas.getContext('2d');
      if (context) contexts.set(data.surface, context);
      return schedule(data.surface);
    }
    case 'view':
      views.set(data.view.surface, data.view);
      return schedule(data.view.surface);
    case 'ask':
      if (engine) say({ type: 'answer', id: data.id, answer: answer(engine, data.question) });
      return;
  }
};
