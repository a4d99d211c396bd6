// SPDX-License-Identifier: MIT
// The pictures of the demos on the start page, which the build draws from their timelines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, inspect } from '../wasm/convert.js';
import { sourceOf } from '../wasm/input.js';
import type { InputChoice } from '../wasm/types.js';
import { Engine, KIND, PURPOSE, type RawRow, TRACK } from './src/timeline/engine.js';

const ROWS = 6;
const COLUMNS = 54;
const SHARE = 4n; // the first quarter of the recording
/** Heights of a bar. A row has no more pixels. */
export const LEVELS = 6;
const MEMORY = 64 << 20;
const RUNNING = 2n;

interface Row {
  kind: 'task' | 'interrupt';
  /** 0..1 */
  busy: number[];
}

/** A row of a picture; each bar is one digit up to LEVELS, which keeps the page small. */
export interface ThumbnailRow extends Pick<Row, 'kind'> {
  busy: string;
}

interface Recording {
  files: { name: string; bytes: Uint8Array<ArrayBuffer> }[];
  options: Record<string, string>;
}

async function timelineOf(lib: string, { files, options }: Recording): Promise<Engine> {
  const [core, viewer] = await Promise.all(
    ['tonkopf.wasm', 'timeline.wasm'].map((name) => WebAssembly.compile(readFileSync(join(lib, name)))),
  );
  const noPath = (path: string): never => {
    throw new Error(`${path} is no file of a demo`);
  };
  const sources = await Promise.all(files.map((file) => sourceOf(file, noPath)));
  const choices = (await inspect(core!, sources)).flatMap((detected): InputChoice[] =>
    detected.plan.role === 'none' ? [] : [{ detected, role: detected.plan.role, core: detected.plan.core }],
  );
  const engine = await Engine.open(viewer!, MEMORY);
  await convert(core!, sources, choices, options, { onRows: (blocks) => engine.add(blocks) });
  return engine;
}

/** Tasks that are not idle, interrupts and tracks; without tasks also numbers. */
function rowsOf(engine: Engine): { row: number; kind: number; isInterrupt: boolean }[] {
  const [rows, tracks, tasks] = engine.rows();
  const idle = new Set(tasks.flatMap(([pid, isIdle]) => (isIdle ? [pid] : [])));
  const trackOf = new Map(tracks.map((track) => [track[0], track]));
  const isWanted = ([, kind, owner, depth]: RawRow): boolean =>
    kind === KIND.task
      ? !idle.has(owner)
      : kind === KIND.numbers
        ? !tasks.length
        : kind === KIND.slices && depth === 0 && trackOf.get(owner)?.[2] !== TRACK.thread;
  return rows
    .filter(isWanted)
    .map(([row, kind, owner]) => ({
      row,
      kind,
      isInterrupt: kind === KIND.slices && trackOf.get(owner)?.[8] === PURPOSE.interrupts,
    }));
}

/** Shares of the time in which an item lasts; of numbers, their last values between the least and the largest one. */
function busyOf(engine: Engine, { row, kind }: { row: number; kind: number }): number[] {
  const { first, last } = engine.facts();
  const edge = (column: number): bigint => first + ((last - first) * BigInt(column)) / (BigInt(COLUMNS) * SHARE);
  const columns = Array.from({ length: COLUMNS }, (_, column) => [edge(column), edge(column + 1)] as const);
  if (kind !== KIND.numbers)
    return columns.map(([from, to]) => {
      const { total = 0n } = engine.figures([row], kind === KIND.task ? RUNNING : 0n, from, to) ?? {};
      return Math.min(1, Number(total) / Math.max(1, Number(to - from)));
    });
  const values = columns.map(([, to]) => engine.at(row, to, to)?.number ?? 0),
    least = Math.min(...values),
    range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}

/** How much a row changes. A row that is the same everywhere makes no useful picture. */
function liveliness({ busy }: Row): number {
  const mean = busy.reduce((sum, share) => sum + share, 0) / busy.length;
  return busy.reduce((sum, share) => sum + (share - mean) ** 2, 0);
}

/** Returns the rows of a recording that change most at its start, each scaled to its own maximum. lib: folder of the WebAssembly modules. */
export async function thumbnail(lib: string, recording: Recording): Promise<ThumbnailRow[]> {
  const engine = await timelineOf(lib, recording);
  const rows = rowsOf(engine)
    .map((row): Row => ({ kind: row.isInterrupt ? 'interrupt' : 'task', busy: busyOf(engine, row) }))
    .filter((row) => liveliness(row) > 0);
  const chosen = new Set([...rows].sort((a, b) => liveliness(b) - liveliness(a)).slice(0, ROWS));
  return rows
    .filter((row) => chosen.has(row))
    .map(({ kind, busy }) => {
      const most = Math.max(...busy);
      return { kind, busy: busy.map((share) => Math.round((share / most) ** 2 * LEVELS)).join('') };
    });
}
