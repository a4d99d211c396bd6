// SPDX-License-Identifier: MIT
// What people do with the page that a driver has no key or button for. These functions run inside the page.
import type { Given } from './site.js';

export interface Wire {
  name: string;
  base64: string;
}

export const onWire = ({ name, bytes }: Given): Wire => ({ name, base64: Buffer.from(bytes).toString('base64') });

/** Lets go of files over the page. */
export const dropFiles = (files: Wire[]): void => {
  const transfer = new DataTransfer();
  for (const { name, base64 } of files) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  const event = (type: string): DragEvent => new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
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
