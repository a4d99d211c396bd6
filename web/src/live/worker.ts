// SPDX-License-Identifier: MIT
// Owns the source of a live recording, keeps its bytes, and converts them as they come. The blocks of the timeline go directly to its worker.
import { Host } from '../../../wasm/host.js';
import type { ByteSource } from '../io/byte-source.js';
import { textOf } from '../io/byte-source.js';
import { ProbeSource } from '../io/probe/probe-source.js';
import { openProbe } from '../io/probe/usb.js';
import { SerialSource } from '../io/serial-source.js';
import { StreamSource } from '../io/stream-source.js';
import { Arrivals } from './arrivals.js';
import { Keeper } from './keeper.js';
import { type FromLive, type Recorded, type SourceChoice, type Start, type ToLive, noStatus } from './messages.js';
import { type Piece, ReceiveTimes } from './times.js';

declare const self: DedicatedWorkerGlobalScope;

const say = (message: FromLive): void => self.postMessage(message);

const TELL_MS = 100;
/** The first report is made only after this time, so that the first picture does not wait for it. */
const FIRST_REPORT_MS = 300;
/** Reports take at most this share of the time. */
const REPORT_SHARE = 0.1;
/** Pause before bytes that no format recognises are looked at again. */
const AGAIN_MS = 300;

const status = { ...noStatus };
const stop = new AbortController();
let keeper: Keeper | null = null;
let times: ReceiveTimes | null = null;
let endReason = '';
let isPageReady = true;

function end(reason: string): void {
  endReason ||= reason;
  stop.abort();
}

function sourceOf(choice: SourceChoice): ByteSource {
  switch (choice.kind) {
    case 'serial':
      return new SerialSource(choice.port, choice.baudRate);
    case 'probe':
      return new ProbeSource(() => openProbe(choice.device), choice.options, choice.programs);
    case 'stream':
      return new StreamSource(choice.address);
  }
}

// ---- Converting

class Conversion {
  /** while it reads the recording */
  #host: Host | null = null;
  #reportAt = 0;
  /** Bytes that have been converted, and those of them that are in the last report. */
  #converted = 0;
  #reported = -1;

  constructor(
    private readonly start: Start,
    private readonly kept: Keeper,
    private readonly arrivals: Arrivals,
  ) {}

  /** Converts until the source ends. Bytes that no format recognises are skipped: a wrong baud rate may be corrected at the other end. */
  async run(): Promise<void> {
    for (let isFirst = true; !this.arrivals.hasEnded; isFirst = false) {
      const looked: Piece[] = [];
      const host = await this.#open(looked);
      const [input] = host.inputs();
      const isKnown = !!input?.plan.format;
      if (isKnown && !isFirst) this.kept.restart(looked.map(({ bytes }) => bytes));
      times = isKnown && input.probe.takesTimes ? new ReceiveTimes(looked) : null;
      status.format = isKnown ? input.probe.title : '';
      status.unknown = isKnown ? '' : (input?.probe.reason ?? '');
      tell();
      if (isKnown) await this.#follow(host);
      await host.close();
      if (!isKnown) await this.#skip();
    }
  }

  /** Opens a conversion, up to its plan. looked: gets the bytes that it reads before. */
  async #open(looked: Piece[]): Promise<Host> {
    const { module, name, rows } = this.start;
    const source = {
      name,
      arrived: async (length: number, isLook: boolean) => {
        this.#converted = this.kept.bytes; // these are converted, since more are asked for
        const bytes = await this.arrivals.arrived(length, isLook);
        const piece = { bytes, at: performance.now() }; // before append, which waits for a slow disk
        await this.kept.append(bytes);
        status.kept = this.kept.bytes;
        if (isLook) looked.push(piece);
        else times?.add(piece);
        if (this.kept.bytes >= this.start.limit) end('As many bytes are kept as you have allowed.');
        return bytes;
      },
    };
    const host = await Host.open(module, [source], { onRows: (blocks) => rows.postMessage(blocks, [blocks.buffer]) });
    host.begin([], [['range', 'later']]); // no trace: it is made of the bytes when the user asks for it
    await host.next(); // stops at the request `plan`
    return host;
  }

  async #follow(host: Host): Promise<void> {
    if ((await host.next()) !== 'open') return;
    host.open();
    this.#host = host;
    this.#reportAt = performance.now() + FIRST_REPORT_MS;
    await host.next(); // stops at the end of the recording
    this.report(true);
    this.#host = null;
  }

  /** Keeps what has come without converting it. */
  async #skip(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    if (!this.arrivals.isEmpty) await this.kept.append(await this.arrivals.arrived(Number.MAX_SAFE_INTEGER, false));
    status.kept = this.kept.bytes;
  }

  /** Sends a report, unless nothing has changed. */
  report(isLast = false): void {
    const begun = performance.now();
    const isDue = isPageReady && begun >= this.#reportAt && this.#converted !== this.#reported;
    if (!this.#host || !(isDue || isLast)) return;
    this.#reported = this.#converted;
    isPageReady = false;
    say({ type: 'report', json: this.#host.reportJson });
    const now = performance.now();
    this.#reportAt = now + (now - begun) / REPORT_SHARE;
  }
}

// ---- The recording

const tell = (): void => say({ type: 'status', status });

const recorded = (file: File): Recorded => ({ file, times: times?.file(file.name) ?? null });

async function record(start: Start): Promise<void> {
  const kept = new Keeper(start.name, () => end('The browser has no room for more bytes.'));
  keeper = kept;
  const arrivals = new Arrivals(start.name);
  const conversion = new Conversion(start, kept, arrivals);
  stop.signal.addEventListener('abort', () => arrivals.end());
  const timer = setInterval(() => {
    tell();
    conversion.report();
  }, TELL_MS);
  const converted = conversion.run().catch((error: unknown) => end(`The conversion has stopped: ${textOf(error)}`));
  await Promise.race([arrivals.asked, converted]);
  await sourceOf(start.source).run(
    {
      onBytes: (bytes) => {
        status.bytes += bytes.length;
        return arrivals.push(bytes);
      },
      onState: (state, reason) => {
        Object.assign(status, { state, reason });
        if (state === 'ended') endReason ||= reason;
        tell();
      },
      onLineError: (name) => {
        status.lineErrors[name] = (status.lineErrors[name] ?? 0) + 1;
      },
      onNote: (text) => say({ type: 'note', text }),
    },
    stop.signal,
  );
  arrivals.end();
  await converted;
  clearInterval(timer);
  start.rows.postMessage(null); // its receiver closes it
  tell();
  const { id, file } = await kept.close();
  say({ type: 'ended', id, ...recorded(file), reason: endReason });
}

self.onmessage = ({ data }: MessageEvent<ToLive>) => {
  switch (data.type) {
    case 'start':
      return void record(data);
    case 'stop':
      return stop.abort();
    case 'ready':
      isPageReady = true;
      return;
    case 'file':
      return void keeper?.file().then((file) => say({ type: 'file', id: data.id, ...recorded(file) }));
  }
};
