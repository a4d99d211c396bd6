// SPDX-License-Identifier: MIT
// User actions for which the driver has no key or button, and conditions that tests wait for. These functions run inside the page.
import type { Given } from './site.js';

export interface Wire {
  name: string;
  base64: string;
}

export const onWire = ({ name, bytes }: Given): Wire => ({ name, base64: Buffer.from(bytes).toString('base64') });

/** Drops files onto the page. */
export const dropFiles = (files: Wire[]): void => {
  const transfer = new DataTransfer();
  for (const { name, base64 } of files)
    transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  const event = (type: string): DragEvent =>
    new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
  for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(event(type));
};

/** Ctrl+V with this text in the clipboard. */
export const paste = (text: string): void => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  // Firefox accepts no clipboard object here, but creates one from a text and its type
  const init = { clipboardData, data: text, dataType: 'text/plain', bubbles: true, cancelable: true };
  document.body.dispatchEvent(new ClipboardEvent('paste', init));
};

/** Waits until the page listens to drops and pastes; the page then has also done its work of the first frame. */
export const listening = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** Makes the page wait a hundred times longer for the viewer's answer, because a busy machine is slow. */
export const waitLonger = (): void => {
  const [setTimeout, now] = [window.setTimeout.bind(window), performance.now.bind(performance)];
  const SHORT_MS = 500;
  Object.assign(window, {
    setTimeout: (task: () => void, ms = 0, ...given: []) => setTimeout(task, ms > SHORT_MS ? 100 * ms : ms, ...given),
  });
  performance.now = () => now() / 100;
};
