// SPDX-License-Identifier: MIT
// The page's side of one live recording: its worker, and the timeline that grows with it.
import type { Report } from '../../../wasm/types.js';
import { Changes } from '../changes.js';
import { prepare } from '../effects.js';
import type { Range } from '../io/perfetto.js';
import type { Session } from '../timeline/session.js';
import type { Code } from '../timelines.js';
import type { FromLive, Recorded, SourceChoice, Start, ToLive } from './messages.js';
import { noStatus } from './messages.js';
import LiveWorker from './worker.js?worker&inline';

/** The source is opened when its first bytes can be converted and drawn at once, at the latest after this time. */
const READY_MS = 500;

/** The timeline of hours must not fill the memory: above this limit its oldest details are dropped. Each piece of the recording may become a picture. */
const TIMELINE = { limit: 192 << 20, every: 0 };

export interface Begin {
  source: SourceChoice;
  /** of the recording */
  name: string;
  /** about the source, for the user */
  words: string;
  limit: number;
}

interface Ended extends Recorded {
  id: string;
  reason: string;
}

/** Changes with its status and its report. */
export class LiveSession extends Changes {
  /** only changes of the report: what depends on nothing else is not drawn again with each count of bytes */
  readonly reports = new Changes();
  readonly timeline: Session;
  readonly begunAt = performance.now();
  status = noStatus;
  report: Report | null = null;
  reportJson = '';
  /** what to show when the recording has ended; null: everything */
  interest: Range | null = null;
  /** resolves when the recording has ended; reason: empty if the user stopped it */
  readonly ended: Promise<Ended>;
  #end!: (ended: Ended) => void;
  /** called with what the user should know about the source */
  onNote: (text: string) => void = () => {};
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (recorded: Recorded) => void>();
  #nextId = 1;

  constructor(
    readonly begin: Begin,
    readonly code: Code,
    modules: { converter: WebAssembly.Module; timeline: WebAssembly.Module },
  ) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.timeline = new code.Session(modules.timeline, port2, TIMELINE);
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#worker = new LiveWorker();
    this.#worker.onmessage = ({ data }: MessageEvent<FromLive>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end({
        id: '',
        file: new File([], begin.name),
        times: null,
        reason: event.message || 'Its worker has ended.',
      });
    };
    const { source, name, limit } = begin;
    const start: Start = { type: 'start', module: modules.converter, source, name, rows: port1, limit };
    const ready = Promise.all([prepare(), this.timeline.drawn]),
      latest = new Promise((resolve) => setTimeout(resolve, READY_MS));
    void Promise.race([ready, latest]).then(() => this.#worker.postMessage(start satisfies ToLive, [port1]));
  }

  #receive(message: FromLive): void {
    switch (message.type) {
      case 'status':
        this.status = message.status;
        break;
      case 'report':
        this.reportJson = message.json;
        this.report = JSON.parse(message.json) as Report;
        this.#worker.postMessage({ type: 'ready' } satisfies ToLive);
        this.reports.notify();
        break;
      case 'note':
        return this.onNote(message.text);
      case 'file':
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
        return;
      case 'ended':
        return this.#end(message);
    }
    this.notify();
  }

  /** Resolves to what was recorded so far. */
  recorded(): Promise<Recorded> {
    const id = this.#nextId++;
    this.#worker.postMessage({ type: 'file', id } satisfies ToLive);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  stop(): void {
    this.#worker.postMessage({ type: 'stop' } satisfies ToLive);
  }

  /** Frees everything; the file of a recording that has ended stays readable. */
  close(): void {
    this.#worker.terminate();
    this.timeline.close();
  }
}
