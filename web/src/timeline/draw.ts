// SPDX-License-Identifier: MIT
// Draws a picture of rows with its texts on a canvas, in the worker or in the page.
import type { Picture } from './messages.js';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const PADDING = 4;
const MOST_WIDTHS = 10_000;

/** Widths of texts at `measuredScale`. Measuring a text takes longer than drawing it. */
const widths = new Map<string, number>();
let measuredScale = 0;

function widthOf(context: Context, text: string): number {
  let width = widths.get(text);
  if (width !== undefined) return width;
  if (widths.size >= MOST_WIDTHS) widths.clear();
  width = context.measureText(text).width;
  widths.set(text, width);
  return width;
}

/** Returns the beginning of a text that fits into the room; '' if not even two characters do. */
function fitting(context: Context, text: string, room: number): string {
  const width = widthOf(context, text);
  if (width <= room) return text;
  const characters = [...text]; // a half of a pair of surrogates is none
  let length = Math.ceil((characters.length * room) / width);
  const start = (): string => characters.slice(0, length).join('');
  while (length > 1 && widthOf(context, start()) > room) length--;
  return length > 1 ? start() : '';
}

export function drawPicture(context: Context, picture: Picture): void {
  const { pixels, width, height, texts, marks, scale, isDark } = picture;
  if (!width || !height) return;
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
  context.fillStyle = isDark ? '#ffffff18' : '#00000014';
  for (const x of marks) context.fillRect(Math.round(x), 0, Math.max(1, Math.floor(scale)), height);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  if (scale !== measuredScale) widths.clear();
  measuredScale = scale;
  const padding = PADDING * scale;
  for (const onItems of [true, false]) {
    context.fillStyle = onItems ? (isDark ? '#10130f' : '#ffffff') : isDark ? '#a5ada6' : '#565d58';
    for (const { x, y, width: room, text, isOnItem } of texts) {
      const part = isOnItem === onItems && fitting(context, text, room - 2 * padding);
      if (part) context.fillText(part, x + padding, y);
    }
  }
}
