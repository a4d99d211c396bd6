// SPDX-License-Identifier: MIT
// The page's side of the worker of one timeline.
import type { Facts, RawRows } from './engine.js';
import type {
  Answers,
  Bounds,
  FromTimeline,
  NamedItem,
  Picture,
  Question,
  Surface,
  ToTimeline,
  View,
} from './messages.js';
import { Changes } from '../changes.js';
import type { Note, Range } from '../io/perfetto.js';
import { type Layout, isOpenBy, layoutOf, settled } from './layout.js';
import TimelineWorker from './worker.js?worker&inline';

const MOST = 256 << 20;
const PER_GIB = 64 << 20;

/** Bytes for points and sums: a sixteenth of the memory of the device, which not every browser tells. */
function limit(): number {
  const { deviceMemory = 8 } = navigator as { deviceMemory?: number }; // GiB
  return Math.min(MOST, Math.round(deviceMemory * PER_GIB));
}

/** Number of points above which rows keep their places. Below, they are sorted again whenever a row is added. */
const SETTLED = 100_000;

const PICTURE_EVERY_MS = 40;
/** A hidden page has no pictures. */
const HIDDEN_MS = 100;

/** What the user sees and has selected. Times are nanoseconds of the trace. */
export interface Chosen {
  /** null: nothing is drawn yet */
  visible: Range | null;
  /** the user has moved the window */
  isMoved: boolean;
  item: (NamedItem & { title: string }) | null;
  /** marked interval, or the two cursors */
  interval: Range | null;
  marks: readonly Note[];
}

let nextSession = 1;

/** Questions whose answers are lists. */
const LISTS: Record<{ [Kind in Question['kind']]: null extends Answers[Kind] ? never : Kind }[Question['kind']], true> =
  { items: true, find: true, values: true, flows: true, definitions: true };

/** The answer of a timeline that has ended. */
const nothing = (kind: Question['kind']): never => (kind in LISTS ? [] : null) as never;

/** A worker that was started before its recording. */
let spare: Worker | null = null;

/** Starts the worker of the next session, unless it has started. If it fails, that session starts another one, and reports if that fails too. */
export function prepare(): void {
  if (spare) return;
  const worker = (spare = new TimelineWorker());
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    if (spare === worker) spare = null;
  };
}

/** Changes with its facts, its rows and its failure. */
export class Session extends Changes {
  /** differs between sessions */
  readonly id = nextSession++;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { kind: Question['kind']; resolve: (answer: never) => void }>();
  #nextId = 1;
  #isOver = false;
  #isDue = false;
  #draw!: () => void;
  /** resolves with the first picture, which may be empty */
  readonly drawn = new Promise<void>((resolve) => (this.#draw = resolve));
  facts: Facts | null = null;
  layout: Layout = { sections: [], hidden: 0 };
  /** the user reads the rows: they keep their places also when the recording is complete */
  isTouched = false;
  /** the rows of a section of the layout are shown */
  isOpen: typeof isOpenBy = isOpenBy;
  rows: RawRows = [[], [], []];
  /** the timeline ended because of an error */
  failure = '';
  /** called with each picture of a surface for which the worker has no canvas */
  readonly onPicture = new Map<Surface, (picture: Picture) => void>();
  /** called when the visible time shows less than was recorded; the blocks of this time go to the port, then null. Rejects if they will not
   * come: then a later picture asks again. */
  onCoarse: ((range: Range, port: MessagePort) => Promise<void>) | null = null;
  #detail = 0n;
  /** changes of `chosen` */
  readonly choices = new Changes();
  chosen: Chosen = { visible: null, isMoved: false, item: null, interval: null, marks: [] };

  /** port: gives the blocks of the recording. */
  constructor(
    module: WebAssembly.Module,
    port: MessagePort,
    bounds: Bounds = { limit: limit(), every: PICTURE_EVERY_MS },
  ) {
    super();
    this.#worker = spare ?? new TimelineWorker();
    spare = null;
    this.#worker.onmessage = ({ data }: MessageEvent<FromTimeline>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#receive({ type: 'failed', text: event.message || 'its worker ended' });
    };
    this.#post({ type: 'open', module, port, bounds }, [port]);
  }

  #post(message: ToTimeline, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromTimeline): void {
    switch (message.type) {
      case 'answer':
        this.#waiting.get(message.id)?.resolve(message.answer as never);
        this.#waiting.delete(message.id);
        return;
      case 'coarse':
        return this.#askDetail(message.from, message.to);
      case 'picture':
      case 'shown':
        if (message.type === 'picture') this.onPicture.get(message.surface)?.(message.picture);
        if (message.surface === 'rows') this.#draw();
        return;
      case 'facts': {
        const before = this.facts;
        this.facts = message.facts;
        if (message.facts.isFinal && !before?.isFinal && !this.isTouched) this.layout = layoutOf(this.rows);
        return before?.points ? this.#notifySoon() : this.notify();
      }
      case 'failed':
        this.failure = message.text;
        this.close();
        return this.notify();
      case 'rows': {
        const next = layoutOf((this.rows = message.rows));
        this.layout = (this.facts?.points ?? 0) > SETTLED ? settled(next, this.layout, this.isOpen) : next;
        return; // facts follow
      }
    }
  }

  /** Calls the listeners before the next picture. A page that is slower than its worker thus draws less often, not later
   * and later. */
  #notifySoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const notify = (): void => {
      this.#isDue = false;
      this.notify();
    };
    if (document.hidden) setTimeout(notify, HIDDEN_MS);
    else requestAnimationFrame(notify);
  }

  #askDetail(from: bigint, to: bigint): void {
    if (!this.onCoarse || !this.facts?.isFinal) return;
    const { tickNs } = this.facts,
      { port1, port2 } = new MessageChannel(),
      number = ++this.#detail;
    this.#post({ type: 'detail', number, from, to, port: port2 }, [port2]);
    this.onCoarse({ startNs: from * tickNs, endNs: to * tickNs }, port1).catch(() =>
      this.#post({ type: 'no-detail', number }),
    );
  }

  /** Tells the page what the user sees and has selected. */
  choose(chosen: Chosen): void {
    const text = (some: Chosen): string =>
      JSON.stringify(some, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    if (text(chosen) === text(this.chosen)) return;
    this.chosen = chosen;
    this.choices.notify();
  }

  /** Gives the worker the canvas to draw on. Returns false if the browser cannot: then onPicture gets the pictures. */
  takeCanvas(surface: Surface, canvas: HTMLCanvasElement): boolean {
    if (typeof canvas.transferControlToOffscreen !== 'function') return false;
    const offscreen = canvas.transferControlToOffscreen();
    this.#post({ type: 'canvas', surface, canvas: offscreen }, [offscreen]);
    return true;
  }

  show(view: View): void {
    this.#post({ type: 'view', view });
  }

  /** Resolves to an answer without items if the timeline ends before it answers. */
  ask<Kind extends Question['kind']>(question: Extract<Question, { kind: Kind }>): Promise<Answers[Kind]> {
    const { kind } = question;
    if (this.#isOver) return Promise.resolve(nothing(kind));
    const id = this.#nextId++;
    this.#post({ type: 'ask', id, question });
    return new Promise((resolve) => this.#waiting.set(id, { kind, resolve: resolve as (answer: never) => void }));
  }

  close(): void {
    this.#isOver = true;
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { kind, resolve } of waiting) resolve(nothing(kind));
  }
}
