// SPDX-License-Identifier: MIT
// Saves an image of what is visible, with names, axis and legend.
import { save, traceName } from '../io/download.js';
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
  marks: readonly { x: number; text: string }[];
  /** marks of the user, also outside of the picture */
  flags: readonly { x: number; text: string }[];
  interval: { x: number; width: number; text: string } | null;
  legend: readonly Legend[];
  style: CSSStyleDeclaration;
}

const NAMES = 170,
  HEAD = 52,
  FOOT = 26;

export function saveImage(shown: Shown): void {
  const { canvas, lines, scroll, width, height, scale, style } = shown;
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
  context.drawImage(canvas, NAMES, HEAD, width, height);
  write(`${shown.name}, ${shown.time}`, 8, 16, NAMES + width - 16, '--ink', 'bold 13px system-ui, sans-serif');
  for (const { x, text } of shown.marks) write(text, NAMES + x + 4, HEAD - 12, 110, '--soft');
  for (const { line, y } of lines)
    write(rowWords(line), line.indent ? 20 : 8, HEAD + y - scroll + line.height / 2, NAMES - 16);
  const { interval } = shown;
  if (interval) {
    context.globalAlpha = 0.14;
    context.fillStyle = colour('--focus');
    context.fillRect(NAMES + interval.x, HEAD, Math.max(1, interval.width), height);
    context.globalAlpha = 1;
    write(
      interval.text,
      NAMES + Math.max(0, interval.x) + 4,
      HEAD + 10,
      300,
      '--focus',
      'bold 12px system-ui, sans-serif',
    );
  }
  for (const { x, text } of shown.flags.filter((flag) => flag.x >= 0 && flag.x <= width)) {
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
