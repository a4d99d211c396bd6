// SPDX-License-Identifier: MIT
// Reads a dump of tracks: one event or log line per line of text, with its time, its track and what happened. Names that were defined before the
// range of the dump come from the timeline.
import type { RawRows } from './engine.js';
import { withUnit } from './words.js';

export interface DumpedEvent {
  ticks: bigint;
  /** name of the task, interrupt, queue or signal */
  context: string;
  text: string;
  /** arguments, as "name value, name value" */
  detail: string;
}

interface Argument {
  name: number | string;
  [kind: string]: unknown;
}

interface DumpLine {
  call: string;
  ticks?: string;
  when?: string;
  list?: string;
  id?: number;
  text?: string;
  track?: number;
  pid?: number;
  name?: number | string;
  unit?: string;
  state?: string;
  waker?: string;
  value?: string;
  double?: number;
  args?: Argument[];
}

const STATES: Record<string, string> = { running: 'runs', runnable: 'is ready', waiting: 'waits' };

/** What a timeline knows: interned texts by list and id, its tracks and tasks. */
export interface Names {
  texts: readonly [key: string, text: string][];
  rows: RawRows;
}

type Detail = [name: string, value: string];

/** Reads the lines one after the other: later lines refer to names that earlier ones define. */
class Reader {
  readonly #texts: Map<string, string>;
  readonly #tasks: Map<number, string>;
  readonly #tracks: Map<number, { name: string; unit: string }>;
  /** names of the open slices of each track */
  readonly #open = new Map<number, string[]>();

  constructor({ texts, rows: [, tracks, tasks] }: Names) {
    this.#texts = new Map(texts);
    this.#tasks = new Map(tasks.map(([pid, , name]) => [pid, name]));
    this.#tracks = new Map(tracks.map(([track, , , , , , name, unit]) => [track, { name, unit }]));
  }

  #textOf(list: string, value: number | string | undefined): string {
    return typeof value === 'number' ? (this.#texts.get(`${list} ${value}`) ?? '') : (value ?? '');
  }

  arguments(args: Argument[] | undefined): Detail[] {
    return (args ?? []).map(({ name, ...value }) => {
      const [kind, given] = Object.entries(value)[0] ?? ['', ''];
      return [this.#textOf('argument', name), kind === 'text' ? this.#textOf('text', given as number) : String(given)];
    });
  }

  #define({ call, list = '', id = 0, text = '', track = 0, pid = 0, name = '', unit = '' }: DumpLine): void {
    if (call === 'define') this.#texts.set(`${list} ${id}`, text);
    if (call === 'task') this.#tasks.set(pid, String(name));
    if (call === 'track') this.#tracks.set(track, { name: String(name), unit });
  }

  /** What happened, in words; null: the line defines a name or closes a slice that began before the dump. */
  #happened(line: DumpLine): Omit<DumpedEvent, 'ticks'> | null {
    const { call, track = 0, pid = 0, state = '', waker = '' } = line;
    const context = this.#tracks.get(track)?.name ?? '';
    const detail = this.arguments(line.args)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
    const name = this.#textOf('name', line.name);
    switch (call) {
      case 'begin':
        this.#open.set(track, [...(this.#open.get(track) ?? []), name]);
        return { context, text: name, detail };
      case 'end': {
        const ended = this.#open.get(track)?.pop();
        return ended === undefined ? null : { context, text: `end of ${ended}`, detail };
      }
      case 'instant':
        return { context, text: name, detail };
      case 'counter': {
        const text = withUnit(String(line.value ?? line.double ?? ''), this.#tracks.get(track)?.unit ?? '');
        return { context, text, detail };
      }
      case 'state': {
        const by = waker === 'interrupt' ? 'by an interrupt' : waker ? `by a ${waker}` : '';
        return { context: this.#tasks.get(pid) ?? '', text: STATES[state] ?? state, detail: by };
      }
      default:
        this.#define(line);
        return null;
    }
  }

  read(line: DumpLine): DumpedEvent | null {
    const event = this.#happened(line);
    // Lines that were written later describe the whole range: loads, open ends.
    return event && line.ticks !== undefined && line.when === undefined
      ? { ticks: BigInt(line.ticks), ...event }
      : null;
  }
}

/** Returns the events from one time to another, in ticks. The dump begins with what was so before the first one. */
export function eventsOf(names: Names, lines: readonly string[], from: bigint, to: bigint): DumpedEvent[] {
  const reader = new Reader(names);
  return lines.flatMap((line) => {
    const event = line ? reader.read(JSON.parse(line) as DumpLine) : null;
    return event && event.ticks >= from && event.ticks <= to ? [event] : [];
  });
}

/** Returns the arguments of what began, happened or ended on a track at a time, in ticks. */
export function argumentsOf(
  names: Names,
  lines: readonly string[],
  track: number,
  ticks: bigint,
  isEnd: boolean,
): Detail[] {
  const reader = new Reader(names),
    calls = isEnd ? ['end'] : ['begin', 'instant', 'counter'];
  return lines.flatMap((text) => {
    if (!text) return [];
    const line = JSON.parse(text) as DumpLine;
    reader.read(line); // it may define a name
    const isIt = calls.includes(line.call) && line.track === track && line.ticks === String(ticks);
    return isIt ? reader.arguments(line.args) : [];
  });
}
