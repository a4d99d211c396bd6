// SPDX-License-Identifier: MIT
// The page's side of a worker: promises instead of messages. stop() terminates the worker; the next question starts another one.
import type { Progress, DetectedInput, Override, Report } from '../../../wasm/types.js';
import type { ProgramFile, Programs } from '../io/probe/program.js';
import type {
  CutSource,
  Done,
  FailedMessage,
  FromWorker,
  PartDone,
  Question,
  ToWorker,
  WireOutput,
  WirePart,
  WireSource,
} from './messages.js';
import TonkopfWorker from './worker.js?worker&inline';

export interface Listeners {
  onProgress(progress: Progress): void;
  onBlock(block: Uint8Array<ArrayBuffer>): void;
  /** of a conversion with a timeline: receives reports on what was read so far */
  onReport?(report: Report): void;
  /** cancels only this conversion; `stop` terminates the worker with all its data */
  signal?: AbortSignal;
}

/** A fatal error of the core or the browser: `text` is a sentence for the user. */
export class WorkerFailure extends Error {
  constructor(readonly failure: FailedMessage) {
    super(failure.text);
  }
}

export class Stopped extends Error {}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  listeners: Listeners | null;
  report: Omit<Done, 'cut'> | null;
}

export class Bridge {
  #worker: Worker | null = null;
  #pending = new Map<number, Pending>();
  #nextId = 1;

  constructor(private readonly module: () => Promise<WebAssembly.Module>) {}

  inspect(
    sources: WireSource[],
    overrides: Record<string, Override>,
  ): Promise<{ detectedInputs: DetectedInput[]; cut: CutSource | null }> {
    return this.#ask((id) => ({ type: 'inspect', id, sources, overrides }), null) as Promise<{
      detectedInputs: DetectedInput[];
      cut: CutSource | null;
    }>;
  }

  /** Where ELF files and linker maps have the control blocks that a debug probe reads. */
  programs(files: ProgramFile[]): Promise<Programs> {
    return this.#ask((id) => ({ type: 'programs', id, files }), null) as Promise<Programs>;
  }

  /** samples: make a CSV of the signal with this path instead of the trace; register: make only the report, and keep restart points under this
   * name. */
  convert(
    question: Question,
    listeners: Listeners,
    { samples = null, register = null, timeline = null }: Partial<WireOutput> = {},
  ): Promise<Done> {
    return this.#ask(
      (id) => ({ type: 'start', id, ...question, samples, register, timeline }),
      listeners,
      timeline ? [timeline] : [],
    ) as Promise<Done>;
  }

  part(question: Question, part: WirePart, listeners: Listeners): Promise<PartDone> {
    return this.#ask(
      (id) => ({ type: 'part', id, ...question, ...part }),
      listeners,
      part.timeline ? [part.timeline] : [],
    ) as Promise<PartDone>;
  }

  /** Starts the worker before the first question. Resolves when the module was loaded or loading has failed. */
  async warm(): Promise<void> {
    await this.#start().catch(() => {}); // the next question reports the reason
  }

  /** Converts a short recording, whose result is of no interest. */
  rehearse(): Promise<void> {
    return this.#ask((id) => ({ type: 'rehearse', id }), null) as Promise<void>;
  }

  stop(): void {
    this.#end(new Stopped('Stopped'));
  }

  async #ask(
    question: (id: number) => ToWorker,
    listeners: Listeners | null,
    transfer: Transferable[] = [],
  ): Promise<unknown> {
    const worker = this.#worker ?? (await this.#start()); // without an await, a running worker gets the question at once
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (listeners?.signal?.aborted) return reject(new Stopped('Stopped'));
      this.#pending.set(id, { resolve, reject, listeners, report: null });
      worker.postMessage(question(id), transfer);
      listeners?.signal?.addEventListener('abort', () => this.#giveUp(id), { once: true });
    });
  }

  #giveUp(id: number): void {
    this.#pending.get(id)?.reject(new Stopped('Stopped'));
    if (this.#pending.delete(id)) this.#worker?.postMessage({ type: 'stop', id } satisfies ToWorker);
  }

  async #start(): Promise<Worker> {
    const module = await this.module();
    if (this.#worker) return this.#worker;
    const worker = new TonkopfWorker();
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(event.data);
    // A worker that dies (most often because memory ran out) does not report the reason.
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(
        new WorkerFailure({
          code: 'worker',
          text: event.message || 'The worker of this page ended unexpectedly',
          offset: null,
        }),
      );
    };
    worker.postMessage({ type: 'open', module } satisfies ToWorker);
    return worker;
  }

  #end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of waiting) pending.reject(reason);
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    switch (message.type) {
      case 'progress':
        return pending.listeners?.onProgress(message.progress);
      case 'so-far':
        return pending.listeners?.onReport?.(message.report);
      case 'block':
        return pending.listeners?.onBlock(message.block);
      case 'report':
        pending.report = message;
        return;
      case 'part':
        this.#pending.delete(message.id);
        return pending.resolve(message);
      case 'inspect':
        this.#pending.delete(message.id);
        return pending.resolve({ detectedInputs: message.detectedInputs, cut: message.cut });
      case 'programs':
        this.#pending.delete(message.id);
        return pending.resolve(message.programs);
      case 'rehearsed':
        this.#pending.delete(message.id);
        return pending.resolve(undefined);
      case 'done':
        this.#pending.delete(message.id);
        if (pending.report) return pending.resolve({ ...pending.report, cut: message.cut });
        return pending.reject(
          new WorkerFailure({ code: 'worker', text: 'The conversion ended without a report', offset: null }),
        );
      case 'failed':
        this.#pending.delete(message.id);
        return pending.reject(new WorkerFailure(message));
    }
  }
}
