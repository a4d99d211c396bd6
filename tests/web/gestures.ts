// SPDX-License-Identifier: MIT
// What people do with the page that a driver has no key or button for, and what tests wait for in it. These functions run inside the page.
import type { Given } from './site.js';

export interface Wire {
  name: string;
  base64: string;
}

export const onWire = ({ name, bytes }: Given): Wire => ({ name, base64: Buffer.from(bytes).toString('base64') });

/** Lets go of files over the page. */
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
  // Firefox takes no clipboard here, but makes one of a text and its type
  const init = { clipboardData, data: text, dataType: 'text/plain', bubbles: true, cancelable: true };
  document.body.dispatchEvent(new ClipboardEvent('paste', init));
};

/** Until the page listens to what is dropped and pasted: what it does after its first frame comes before this. */
export const listening = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** From now on the page waits a hundred times longer for the viewer to answer: on a busy machine that takes its time. */
export const waitLonger = (): void => {
  const [setTimeout, now] = [window.setTimeout.bind(window), performance.now.bind(performance)];
  const SHORT_MS = 500;
  Object.assign(window, {
    setTimeout: (task: () => void, ms = 0, ...given: []) => setTimeout(task, ms > SHORT_MS ? 100 * ms : ms, ...given),
  });
  performance.now = () => now() / 100;
};
