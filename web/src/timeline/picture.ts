// SPDX-License-Identifier: MIT
// Saves an image of what is visible, with names, axis and legend.
import { save, traceName } from '../io/download.js';
import type { Mark as AxisMark } from './axis.js';
import type { Mark } from './marks.js';
import type { Placed } from './names.js';
import { rowWords } from './names.js';

interface Legend {
  text: string;
  colour: string;
}

interface Shown {
  /** of the recording */
  name: string;
  /** what is visible */
  time: string;
  /** the rows as they are drawn */
  canvas: HTMLCanvasElement;
  lines: readonly Placed[];
  /** of the first line, in CSS pixels above the picture */
  scroll: number;
  /** CSS pixels */
  width: number;
  height: number;
  scale: number;
  marks: readonly AxisMark[];
  /** marks of the user, also outside of the picture */
  flags: readonly Mark[];
  /** in ticks since the first event */
  interval: { from: number; to: number } | null;
  /** length of the interval */
  length: string;
  /** places of times, in CSS pixels: of ticks since the first event, of ticks */
  xOf(time: number): number;
  xAt(ticks: bigint): number;
  legend: readonly Legend[];
  style: CSSStyleDeclaration;
}

const NAMES = 170,
  HEAD = 52,
  FOOT = 26;

export function saveImage(shown: Shown): void {
  const { canvas, lines, scroll, width, height, scale, style, xOf } = shown;
  const image = document.createElement('canvas');
  image.width = Math.round((NAMES + width) * scale);
  image.height = Math.round((HEAD + height + FOOT) * scale);
  const context = image.getContext('2d');
  if (!context) return;
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const write = (
    text: string,
    x: number,
    y: number,
    room: number,
    ink = '--ink',
    font = '12px system-ui, sans-serif',
  ): void => {
    context.save();
    context.beginPath();
    context.rect(x, y - 10, room, 20);
    context.clip();
    context.fillStyle = colour(ink);
    context.font = font;
    context.textBaseline = 'middle';
    context.fillText(text, x, y);
    context.restore();
  };
  context.scale(scale, scale);
  context.fillStyle = colour('--panel');
  context.fillRect(0, 0, NAMES + width, HEAD + height + FOOT);
  context.drawImage(canvas, 0, 0, Math.round(width * scale), height * scale, NAMES, HEAD, width, height);
  write(`${shown.name}, ${shown.time}`, 8, 16, NAMES + width - 16, '--ink', 'bold 13px system-ui, sans-serif');
  for (const { at, text } of shown.marks) write(text, NAMES + xOf(at) + 4, HEAD - 12, 110, '--soft');
  for (const { line, y } of lines)
    write(rowWords(line), line.indent ? 20 : 8, HEAD + y - scroll + line.height / 2, NAMES - 16);
  const { interval } = shown;
  if (interval) {
    const left = xOf(interval.from);
    context.globalAlpha = 0.14;
    context.fillStyle = colour('--focus');
    context.fillRect(NAMES + left, HEAD, Math.max(1, xOf(interval.to) - left), height);
    context.globalAlpha = 1;
    write(shown.length, NAMES + Math.max(0, left) + 4, HEAD + 10, 300, '--focus', 'bold 12px system-ui, sans-serif');
  }
  for (const { ticks, text } of shown.flags) {
    const x = shown.xAt(ticks);
    if (x < 0 || x > width) continue;
    context.fillStyle = colour('--ink');
    context.fillRect(NAMES + x, HEAD, 1, height);
    write(`⚑ ${text}`, NAMES + x + 3, HEAD + height - 10, 300);
  }
  context.fillStyle = colour('--line');
  context.fillRect(0, HEAD - 1, NAMES + width, 1);
  context.fillRect(NAMES - 1, HEAD, 1, height);
  let x = NAMES;
  for (const { text, colour: of } of shown.legend) {
    context.fillStyle = of;
    context.fillRect(x, HEAD + height + 8, 11, 11);
    write(text, x + 16, HEAD + height + 14, 130, '--soft');
    x += 30 + context.measureText(text).width + 24;
  }
  image.toBlob((blob) => blob && save(blob, traceName(shown.name).replace(/pftrace$/, 'png')), 'image/png');
}
