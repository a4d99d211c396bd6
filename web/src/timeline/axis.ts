// SPDX-License-Identifier: MIT
// Times on the timeline: converts ticks to the unit of the report, and chooses the marks of the axis.
import { count, duration, timesOf } from '../format.js';
import { traceNs, unitsPerNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import type { Facts } from './engine.js';

type Head = Pick<Report, 'time_unit' | 'time' | 'tick'>;

const UNKNOWN_YET = { time_unit: 'ns', time: {} } as Head;

/** Number of units per mark, the smallest unit first. */
const LADDER: readonly [name: string, fs: number][] = [
  ['fs', 1],
  ['ps', 1e3],
  ['ns', 1e6],
  ['µs', 1e9],
  ['ms', 1e12],
  ['s', 1e15],
];

function stepAbove(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

export interface Mark {
  /** ticks since the first event */
  at: number;
  text: string;
}

/** Times of a recording. report: null until the conversion is done; until then ticks are nanoseconds or have a known length. */
export class Clock {
  readonly #report: Head | null;
  readonly #unit: string;
  /** units of the report per tick */
  readonly #perTick: number;
  readonly #scale: bigint;
  readonly #tickNs: bigint;

  constructor(facts: Pick<Facts, 'tickNs'>, report: Head | null) {
    this.#report = report;
    this.#unit = report ? report.time_unit : 'ns';
    this.#scale = report ? traceNs(report) : 1n;
    this.#tickNs = facts.tickNs;
    this.#perTick = Number(facts.tickNs) / Number(this.#scale || 1n);
  }

  /** Returns a time or length in the unit of the report. */
  timeOf(ticks: bigint): bigint {
    return (ticks * this.#tickNs) / (this.#scale || 1n);
  }

  /** Returns the ticks of a time in the unit of the report. */
  ticksOf(time: bigint): bigint {
    return (time * this.#scale) / (this.#tickNs || 1n);
  }

  /** Returns a length in seconds; 0: the length of a tick is unknown. */
  seconds(ticks: number): number {
    const units = unitsPerNs(this.#unit);
    return units ? (ticks * this.#perTick) / units / 1e9 : 0;
  }

  duration(ticks: bigint): string {
    return this.#report ? timesOf(this.#report).duration(this.timeOf(ticks)) : duration(this.timeOf(ticks));
  }

  /** Returns a time of the trace, as the tables have it. */
  moment(ticks: bigint): string {
    return timesOf(this.#report ?? UNKNOWN_YET).moment(this.timeOf(ticks));
  }

  /** Returns round times between two times since the first event, in ticks; at most `most`. */
  marks(from: number, to: number, most: number): Mark[] {
    const units = unitsPerNs(this.#unit),
      toUnit = this.#perTick;
    const least = ((to - from) * toUnit) / Math.max(1, most);
    if (!(least > 0) || !Number.isFinite(least)) return [];
    const fs = units ? 1e6 / units : 0; // of one unit of the report
    const step = Math.max(stepAbove(least), 1);
    const [name, size] = fs
      ? (LADDER.findLast(([, length]) => length <= step * fs) ?? LADDER[0]!)
      : ([this.#unit, 1] as const);
    const first = Math.ceil((Math.max(0, from) * toUnit) / step) * step;
    const marks: Mark[] = [];
    for (let time = first; time <= to * toUnit && marks.length <= most + 1; time += step) {
      const value = fs ? (time * fs) / size : time;
      marks.push({ at: time / toUnit, text: time === 0 ? '0' : `${count(Math.round(value))} ${name}` });
    }
    return marks;
  }
}
