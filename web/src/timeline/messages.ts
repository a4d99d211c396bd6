// SPDX-License-Identifier: MIT
// Messages between the page and the worker of the timeline.
import type { Facts, Figures, Hit, Item, RawRows, Window } from './engine.js';

/** A row to draw; y and height in CSS pixels. */
export interface Strip {
  row: number;
  y: number;
  height: number;
  kind: number;
  /** rows of tasks: the row whose texts are written below the state; 0: none */
  reasons: number;
}

/** What is drawn: the rows of the window, or the whole recording above them. */
export type Surface = 'rows' | 'overview';

/** What the page wants to see. The width and the ticks per pixel are those of the device. */
export interface View {
  surface: Surface;
  /** rises with each view of a surface */
  number: number;
  window: Window;
  height: number;
  /** device pixels per CSS pixel */
  scale: number;
  isDark: boolean;
  hasTexts: boolean;
  strips: Strip[];
  /** places of the marks of the axis, in device pixels */
  marks: number[];
}

/** An item with its text. */
export interface NamedItem extends Item {
  row: number;
  text: string;
}

export type Question =
  | { kind: 'at'; row: number; from: bigint; to: bigint }
  | { kind: 'next'; row: number; place: bigint; value: bigint }
  | { kind: 'previous'; row: number; place: bigint; value: bigint }
  | { kind: 'from'; row: number; ticks: bigint; value: bigint }
  | { kind: 'longest'; row: number; value: bigint }
  /** the items of each row from one time to another, at most `most` of each */
  | { kind: 'items'; rows: number[]; from: bigint; to: bigint; most: number }
  | { kind: 'figures'; rows: number[]; value: bigint; from: bigint; to: bigint }
  /** the different items of rows in an interval, by their names */
  | { kind: 'values'; rows: number[]; from: bigint; to: bigint }
  /** the other ends of the flows of an item */
  | { kind: 'flows'; row: number; place: bigint }
  /** the blocks that define names */
  | { kind: 'definitions' }
  | { kind: 'find'; text: string }
  /** the window to begin with */
  | { kind: 'initial' }
  /** the edge of an item that is nearest to a time, at most `reach` ticks away */
  | { kind: 'edge'; row: number; ticks: bigint; reach: bigint }
  /** the task that runs most, if it has run several times; of its row */
  | { kind: 'busiest' }
  /** the last start at or before a time: of an item of the row, of a task when it has waited */
  | { kind: 'start'; row: number; ticks: bigint }
  /** colours of tasks, by pid, and of what they do, in the order of enum tk_legend; as in CSS */
  | { kind: 'colours'; isDark: boolean };

/** A start, and the ones before and after it; null: there is none. */
export interface Started {
  at: bigint;
  before: bigint | null;
  next: bigint | null;
}

export interface Answers {
  at: NamedItem | null;
  next: NamedItem | null;
  previous: NamedItem | null;
  from: NamedItem | null;
  longest: NamedItem | null;
  items: NamedItem[];
  figures: Figures | null;
  values: { value: bigint; text: string }[];
  flows: NamedItem[];
  definitions: readonly Uint8Array[];
  find: (Hit & { text: string })[];
  initial: { from: bigint; to: bigint } | null;
  edge: bigint | null;
  busiest: number | null;
  start: Started | null;
  colours: { tasks: Map<number, string>; legend: string[] } | null;
}

export interface Bounds {
  /** bytes for points and sums; above it the oldest points are dropped */
  limit: number;
  /** shortest time between two pictures of a growing recording, in milliseconds */
  every: number;
}

export type ToTimeline =
  | { type: 'open'; module: WebAssembly.Module; port: MessagePort; bounds: Bounds }
  /** details of a time, whose points were dropped: their blocks come through the port, then null */
  | { type: 'detail'; number: bigint; from: bigint; to: bigint; port: MessagePort }
  /** the details with this number will not come */
  | { type: 'no-detail'; number: bigint }
  | { type: 'canvas'; surface: Surface; canvas: OffscreenCanvas }
  | { type: 'view'; view: View }
  | { type: 'ask'; id: number; question: Question };

/** A picture for a canvas of the page, if the browser has no OffscreenCanvas. */
export interface Picture {
  pixels: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
  texts: Text[];
  marks: number[];
  scale: number;
  isDark: boolean;
}

/** A text on an item, in device pixels. */
export interface Text {
  x: number;
  y: number;
  width: number;
  text: string;
  /** on a coloured item; false: on the background */
  isOnItem: boolean;
}

export type FromTimeline =
  | { type: 'facts'; facts: Facts }
  | { type: 'rows'; rows: RawRows }
  /** the view with this number was drawn */
  | { type: 'shown'; surface: Surface; number: number; milliseconds: number }
  /** the picture is coarse, because the points of this time were dropped */
  | { type: 'coarse'; from: bigint; to: bigint }
  | { type: 'picture'; surface: Surface; number: number; picture: Picture }
  | { type: 'answer'; id: number; answer: Answers[keyof Answers] }
  | { type: 'failed'; text: string };
