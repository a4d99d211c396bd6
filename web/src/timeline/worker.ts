// SPDX-License-Identifier: MIT
// Owns the store of one recording and draws its rows. Gets the blocks directly from the worker that converts, so that neither a
// conversion nor the page delays a picture.
import { drawPicture } from './draw.js';
import { addNames } from './blocks.js';
import { Engine, type Item, KIND, PURPOSE, type RawRow } from './engine.js';
import type {
  Answers,
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
const UNRECORDED = 1n, // value of a core
  UNKNOWN = 7n; // state of a task
const DETAIL_LIMIT = 64 << 20; // bytes of the points that were made again
const MOST_AGAIN = DETAIL_LIMIT / 8; // points that are made again; a point needs about 5 bytes, with its share of the sums
const MOST_ASKED = 4n; // longest time that is asked for, in windows; a longer one on its way is replaced
const REST_MS = 60; // the view rests for so long before dropped points are asked for

let engine: Engine | null = null;
let module: WebAssembly.Module | null = null;
/** blocks that define names and rows */
const definitions: Uint8Array[] = [];
/** points of a time that were dropped and made again. Places of its items are above PLACES. */
let detail: { core: Engine; from: bigint; to: bigint; number: bigint } | null = null;
/** the last time of which details were asked for */
let asked = { from: 0n, to: 0n, number: 0n };
let coarseTimer = 0;
const contexts = new Map<Surface, OffscreenCanvasRenderingContext2D>();
const views = new Map<Surface, View>();
/** in the order in which they are drawn: the user waits for the rows */
const SURFACES: readonly Surface[] = ['rows', 'overview'];
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
/** rows of slices that tell where events were lost */
let lossRows: number[] = [];
/** texts of items that were asked for since the last blocks */
const names = new Map<bigint, string>();

// ---- Blocks

function tell(): void {
  if (!engine) return;
  factsDue = false;
  toldAt = performance.now();
  const facts = engine.facts();
  names.clear(); // more texts may have come
  if (facts.version !== version) {
    version = facts.version;
    const all = engine.rows();
    rows = all[0];
    kinds = new Map(rows.map(([row, kind]) => [row, kind]));
    tasks = new Map(all[2].map(([pid, , name]) => [BigInt(pid), name]));
    const losses = new Set(
      all[1].flatMap(([track, , , , , , , , purpose]) => (purpose === PURPOSE.losses ? [track] : [])),
    );
    lossRows = rows.flatMap(([row, kind, owner]) => (kind === KIND.slices && losses.has(owner) ? [row] : []));
    idle = new Set(all[2].flatMap(([pid, isIdle]) => (isIdle ? [BigInt(pid)] : [])));
    say({ type: 'rows', rows: all });
  }
  say({ type: 'facts', facts }); // the page answers with its views
}

function add(blocks: Uint8Array): void {
  if (!engine) return;
  try {
    engine.add(blocks);
    addNames(definitions, blocks);
  } catch (error) {
    engine = null;
    return say({ type: 'failed', text: error instanceof Error ? error.message : String(error) });
  }
  if (factsDue) return;
  factsDue = true;
  setTimeout(tell, every - (performance.now() - toldAt));
}

async function open({ module: compiled, port, bounds }: Extract<ToTimeline, { type: 'open' }>): Promise<void> {
  module = compiled;
  every = bounds.every;
  engine = await Engine.open(compiled, bounds.limit);
  port.onmessage = ({ data }: MessageEvent<Uint8Array | null>) => (data ? add(data) : port.close());
  scheduleAll();
}

// ---- Details of a time whose points were dropped

const PLACES = 40n; // bits of a place in a row

/** Tells the page that it shows less than there was. Not if the details are on their way, unless they are of a much longer time and would come late.
 * Not if the details would not fit into their store: then the picture stays coarse until the user zooms in. */
function tellCoarse(main: Engine, { window: { from, offset, ticksPerPixel, width } }: View): void {
  const span = BigInt(Math.ceil(ticksPerPixel * width + Math.max(0, offset))),
    margin = span / 4n,
    begin = from > margin ? from - margin : 0n,
    end = from + span + margin;
  const isAsked = from >= asked.from && from + span <= asked.to;
  if (isAsked && asked.to - asked.from <= MOST_ASKED * span) return;
  clearTimeout(coarseTimer);
  const { first, last, points } = main.facts(),
    share = Number(end - begin) / Math.max(1, Number(last - first));
  if (share * points <= MOST_AGAIN)
    coarseTimer = self.setTimeout(() => say({ type: 'coarse', from: begin, to: end }), REST_MS);
}

async function openDetail({ number, from, to, port }: Extract<ToTimeline, { type: 'detail' }>): Promise<void> {
  asked = { from, to, number };
  if (!module) return;
  const core = await Engine.open(module, DETAIL_LIMIT);
  for (const definition of definitions) core.add(definition);
  port.onmessage = ({ data }: MessageEvent<Uint8Array | null>) => {
    if (data) return core.add(data);
    port.close();
    if (asked.number !== number) return;
    detail = { core, from, to, number };
    scheduleAll();
  };
}

/** A later picture asks again. */
function noDetail(number: bigint): void {
  if (asked.number === number) asked = { from: 0n, to: 0n, number };
}

/** Returns the store that knows most about a time. */
const coreAt = (from: bigint, to: bigint): Engine | null =>
  detail && from >= detail.from && to <= detail.to ? detail.core : engine;

/** Returns the store that an item comes from, and its place there; null: its points are no longer kept. */
function storeOf(place: bigint): { core: Engine; place: bigint } | null {
  const number = place >> PLACES,
    core = number === 0n ? engine : number === detail?.number ? detail.core : null;
  return core && { core, place: place & ((1n << PLACES) - 1n) };
}

// ---- Texts

const isUnrecorded = (row: number, value: bigint): boolean =>
  (kinds.get(row) === KIND.core && value === UNRECORDED) || (kinds.get(row) === KIND.task && value === UNKNOWN);

/** What was lost in a time, with the number of events if it is known. */
function lossText({ begin, end }: Pick<Item, 'begin' | 'end'>): string {
  const core = coreAt(begin, end);
  for (const row of lossRows) {
    const item = core?.at(row, begin, end);
    if (item) return textOf(row, item);
  }
  return 'not recorded';
}

function textOf(
  row: number,
  { value, number, begin, end }: Pick<Item, 'value' | 'begin' | 'end'> & Partial<Item>,
): string {
  const kind = kinds.get(row);
  if (isUnrecorded(row, value)) return lossText({ begin, end });
  if (kind === KIND.task) return STATES[Number(value)] ?? '';
  if (kind === KIND.core) return tasks.get(value) ?? `task ${value}`;
  if (kind === KIND.numbers) return String(number);
  const known = names.get(value);
  if (known !== undefined || !engine) return known ?? '';
  const text = engine.name(value);
  names.set(value, text);
  return text;
}

function named(row: number, item: Item | null, core: Engine | null = engine): NamedItem | null {
  if (!item) return null;
  const isDetail = core !== null && core === detail?.core;
  return {
    ...item,
    row,
    text: textOf(row, item),
    ...(isDetail && { place: item.place | (detail!.number << PLACES), isCut: item.isOpen }),
  };
}

/** Texts on the items of a strip; below the state of a task, what it waits for. */
function textsOf(core: Engine, strip: Strip, scale: number): Text[] {
  if (strip.height < MIN_HEIGHT || strip.kind === KIND.numbers || strip.kind === KIND.instants) return [];
  const isTask = strip.kind === KIND.task;
  const labelsOf = (row: number, isWanted: (value: bigint) => boolean): Text[] =>
    core
      .labels(row, MIN_TEXT * scale)
      .filter(({ value }) => isWanted(value))
      .map((label) => ({
        x: label.x,
        y: (strip.y + strip.height / (isTask ? 2.4 : 2)) * scale,
        width: label.width,
        text: textOf(row, label),
        isOnItem: !isTask && !isUnrecorded(row, label.value),
      }));
  if (!isTask) return labelsOf(strip.row, (value) => strip.kind !== KIND.core || !idle.has(value)); // idle time is blank
  const reasons = strip.reasons ? labelsOf(strip.reasons, () => true) : [];
  return [...reasons, ...labelsOf(strip.row, (value) => value === UNKNOWN)];
}

// ---- Pictures

function pictureOf(
  core: Engine,
  { window, height, scale, isDark, hasTexts, strips, marks }: View,
): Picture & { isCoarse: boolean } {
  core.setWindow(window);
  const texts = hasTexts ? strips.flatMap((strip) => textsOf(core, strip, scale)) : [];
  const rows = strips.map((strip) => ({
    row: strip.row,
    y: Math.round(strip.y * scale),
    height: Math.round(strip.height * scale),
  }));
  const { pixels, isCoarse } = core.picture(window.width, height, Math.max(1, Math.round(scale)), isDark, rows);
  return { pixels, isCoarse, width: window.width, height, texts, marks, scale, isDark };
}

function paint(main: Engine, view: View): void {
  const begun = performance.now(),
    { surface, number, window } = view,
    span = BigInt(Math.ceil(window.ticksPerPixel * window.width + Math.max(0, window.offset))),
    core = coreAt(window.from, window.from + span) ?? main,
    { isCoarse, ...picture } = pictureOf(core, view),
    context = contexts.get(surface);
  if (isCoarse && surface === 'rows') tellCoarse(main, view);
  if (!context) {
    const pixels = picture.pixels.slice();
    return say({ type: 'picture', surface, number, picture: { ...picture, pixels } }, [pixels.buffer]);
  }
  const { canvas } = context;
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width;
    canvas.height = picture.height;
  }
  drawPicture(context, picture);
  say({ type: 'shown', surface, number, milliseconds: performance.now() - begun });
}

function paintDue(): void {
  isScheduled = false;
  for (const surface of SURFACES) {
    const view = due.delete(surface) && views.get(surface);
    if (engine && view) paint(engine, view);
  }
}

/** Draws once for all views that have arrived. Does not wait for a frame of this worker: the page sends views in its own frames, so that would be one
 * frame later. */
function schedule(surface: Surface): void {
  due.add(surface);
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(paintDue);
}

function scheduleAll(): void {
  for (const surface of views.keys()) schedule(surface);
}

// ---- Questions

function items(main: Engine, { rows, from, to, most }: Extract<Question, { kind: 'items' }>): NamedItem[] {
  const core = coreAt(from, to) ?? main;
  return rows.flatMap((row) => {
    const found: NamedItem[] = [];
    let item = core.at(row, from, from) ?? core.from(row, from);
    for (; item && item.begin < to && found.length < most; item = core.next(row, item.place)) {
      const one = named(row, item, core);
      if (one) found.push(one);
    }
    return found;
  });
}

const RUNNING = 2n,
  WAITING = 3n;
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
    const { count = 0n, total = 0n } = core.figures([row], RUNNING, first, last) ?? {};
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
  const before = core.previous(row, item.place, value),
    after = core.next(row, item.place, value);
  return {
    at: startOf(item),
    before: before && startOf(before),
    next: after && !(isTask && after.isOpen) ? startOf(after) : null,
  };
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

function edge(main: Engine, { row, ticks, reach }: Extract<Question, { kind: 'edge' }>): bigint | null {
  const from = ticks > reach ? ticks - reach : 0n,
    core = coreAt(from, ticks + reach + 1n) ?? main;
  const near = [core.at(row, from, ticks + reach + 1n), core.at(row, ticks, ticks), core.from(row, ticks)];
  const edges = near.flatMap((item) => (item ? [item.begin, ...(item.isOpen ? [] : [item.end])] : []));
  const [best] = edges.sort((a, b) => Number(distance(a, ticks) - distance(b, ticks)));
  return best !== undefined && distance(best, ticks) <= reach ? best : null;
}

/** The next or previous item. After the last one of the details, the main store goes on. */
function neighbour(
  main: Engine,
  { kind, row, place, value }: Extract<Question, { kind: 'next' | 'previous' }>,
): NamedItem | null {
  const store = storeOf(place),
    found = named(row, store && store.core[kind](row, store.place, value), store?.core);
  if (found || kind === 'previous' || !store || store.core === main) return found;
  const here = store.core.item(row, store.place);
  return named(row, here && main.from(row, here.begin + 1n, value));
}

function values(core: Engine, { rows, from, to }: Extract<Question, { kind: 'values' }>): Answers['values'] {
  const found = new Set(rows.flatMap((row) => core.values(row, from, to)));
  return [...found].map((value) => ({ value, text: core.name(value) }));
}

function flows({ row, place }: Extract<Question, { kind: 'flows' }>): NamedItem[] {
  const store = storeOf(place),
    hits = store?.core.flows(row, store.place) ?? [];
  return hits.flatMap((hit) => named(hit.row, store!.core.item(hit.row, hit.place), store!.core) ?? []);
}

function colours(core: Engine, isDark: boolean): Answers['colours'] {
  const ofTasks = rows.filter(([, kind]) => kind === KIND.task);
  return {
    tasks: new Map(ofTasks.map(([row, , owner]) => [owner, core.colour(row, 0n, isDark)])),
    legend: core.legend(isDark),
  };
}

function answer(core: Engine, question: Question): Answers[keyof Answers] {
  switch (question.kind) {
    case 'at': {
      const store = coreAt(question.from, question.to) ?? core;
      return named(question.row, store.at(question.row, question.from, question.to), store);
    }
    case 'next':
    case 'previous':
      return neighbour(core, question);
    case 'from': {
      const store = coreAt(question.ticks, question.ticks) ?? core;
      const found = named(question.row, store.from(question.row, question.ticks, question.value), store);
      return found ?? named(question.row, core.from(question.row, question.ticks, question.value));
    }
    case 'longest':
      return named(question.row, core.longest(question.row, question.value));
    case 'items':
      return items(core, question);
    case 'figures': {
      const store = coreAt(question.from, question.to) ?? core;
      return store.figures(question.rows, question.value, question.from, question.to);
    }
    case 'values':
      return values(coreAt(question.from, question.to) ?? core, question);
    case 'flows':
      return flows(question);
    case 'definitions':
      return definitions;
    case 'initial':
      return initial(core);
    case 'busiest':
      return busiest(core);
    case 'start':
      return start(core, question);
    case 'edge':
      return edge(core, question);
    case 'colours':
      return colours(core, question.isDark);
    case 'find':
      return core.find(question.text).map((hit) => ({ ...hit, text: hit.value ? core.name(hit.value) : '' }));
  }
}

self.onmessage = ({ data }: MessageEvent<ToTimeline>) => {
  switch (data.type) {
    case 'open':
      return void open(data).catch((error: unknown) => say({ type: 'failed', text: String(error) }));
    case 'detail':
      return void openDetail(data).catch(() => noDetail(data.number));
    case 'no-detail':
      return noDetail(data.number);
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

// Loads the font before there is a recording: a worker loads it with the first text that it draws, which takes longer than a picture.
const context = 'OffscreenCanvas' in self && new OffscreenCanvas(1, 1).getContext('2d');
if (context) {
  context.font = '11px system-ui';
  context.fillText('0', 0, 0);
}
