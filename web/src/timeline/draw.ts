// SPDX-License-Identifier: MIT
// Draws a picture of rows with its texts on a canvas, in the worker or in the page.
import type { Picture } from './messages.js';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const PADDING = 4;

export function drawPicture(context: Context, picture: Picture): void {
  const { pixels, width, height, texts, marks, scale, isDark } = picture;
  if (!width || !height) return;
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
  context.fillStyle = isDark ? '#ffffff18' : '#00000014';
  for (const x of marks) context.fillRect(Math.round(x), 0, Math.max(1, Math.floor(scale)), height);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const { x, y, width: room, text, isOnItem } of texts) {
    const least = context.measureText(text.slice(0, 2)).width;
    if (room < least + 2 * PADDING * scale) continue;
    context.save();
    context.beginPath();
    context.rect(x + PADDING * scale, 0, room - 2 * PADDING * scale, height);
    context.clip();
    context.fillStyle = isOnItem ? (isDark ? '#10130f' : '#ffffff') : isDark ? '#a5ada6' : '#565d58';
    context.fillText(text, x + PADDING * scale, y);
    context.restore();
  }
}
