// SPDX-License-Identifier: MIT
// Owns the store of one recording and draws its rows. Gets the blocks directly from the worker that converts, so that neither a
// conversion nor the page delays a picture.
import { drawPicture } from './draw.js';
import { Engine, type Item, KIND } from './engine.js';
import type { Answers, FromTimeline, NamedItem, Picture, Question, Strip, Text, ToTimeline, View } from './messages.js';

declare const self: DedicatedWorkerGlobalScope;

const say = (message: FromTimeline, transfer: Transferable[] = []): void => self.postMessage(message, transfer);

const FACTS_EVERY_MS = 40;
const MIN_TEXT = 22; // CSS pixels
const STATES = ['', 'ready', 'running', 'waiting', 'waiting for a lock', 'suspended', 'deleted'];
const UNRECORDED = 1n;

let engine: Engine | null = null;
let context: OffscreenCanvasRenderingContext2D | null = null;
let view: View | null = null;
let isDue = false;
let version = -1;
let toldAt = 0;
let factsDue = false;
let tasks = new Map<bigint, string>();
let idle = new Set<bigint>();
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
    const rows = engine.rows();
    kinds = new Map(rows[0].map(([row, kind]) => [row, kind]));
    tasks = new Map(rows[2].map(([pid, , name]) => [BigInt(pid), name]));
    idle = new Set(rows[2].flatMap(([pid, isIdle]) => (isIdle ? [BigInt(pid)] : [])));
    say({ type: 'rows', rows });
  }
  say({ type: 'facts', facts });
  schedule();
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
  setTimeout(tell, Math.max(0, FACTS_EVERY_MS - (performance.now() - toldAt)));
}

async function open({ module, port, limit }: Extract<ToTimeline, { type: 'open' }>): Promise<void> {
  engine = await Engine.open(module, limit);
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
  if (!row || !engine || strip.kind === KIND.numbers || strip.kind === KIND.instants) return [];
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

function pictureOf(core: Engine, { window, height, scale, isDark, strips, marks }: View): Picture {
  core.setWindow(window);
  const texts = strips.flatMap((strip) => textsOf(strip, scale));
  const rows = strips.map((strip) => ({
    row: strip.row,
    y: Math.round(strip.y * scale),
    height: Math.round(strip.height * scale),
  }));
  const pixels = core.picture(window.width, height, Math.max(1, Math.round(scale)), isDark, rows);
  return { pixels, width: window.width, height, texts, marks, scale, isDark };
}

function paint(): void {
  isDue = false;
  if (!engine || !view) return;
  const begun = performance.now();
  const picture = pictureOf(engine, view);
  if (!context) {
    const pixels = picture.pixels.slice();
    return say({ type: 'picture', number: view.number, picture: { ...picture, pixels } }, [pixels.buffer]);
  }
  const { canvas } = context;
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width;
    canvas.height = picture.height;
  }
  drawPicture(context, { ...picture, pixels: picture.pixels.slice() });
  say({ type: 'shown', number: view.number, milliseconds: performance.now() - begun });
}

/** Draws once after several views. */
function schedule(): void {
  if (isDue) return;
  isDue = true;
  if ('requestAnimationFrame' in self && context) self.requestAnimationFrame(paint);
  else setTimeout(paint);
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
    case 'find':
      return core.find(question.text).map((hit) => ({ ...hit, text: hit.value ? core.name(hit.value) : '' }));
  }
}

self.onmessage = ({ data }: MessageEvent<ToTimeline>) => {
  switch (data.type) {
    case 'open':
      return void open(data).catch((error: unknown) => say({ type: 'failed', text: String(error) }));
    case 'canvas':
      context = data.canvas.getContext('2d');
      return schedule();
    case 'view':
      view = data.view;
      return schedule();
    case 'ask':
      if (engine) say({ type: 'answer', id: data.id, answer: answer(engine, data.question) });
      return;
  }
};
