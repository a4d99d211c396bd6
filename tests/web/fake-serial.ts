// SPDX-License-Identifier: MIT
// A serial port that a test controls, in the window and in the workers of the page. It shows what no pseudo terminal can: errors of the
// line, and unplugging. tests/web/serial.test.ts has a real port.
import type { BrowserContext, Page } from 'playwright-core';

/** What a test does with the port. */
type Act = { bytes: Uint8Array } | { lineError: string } | { isPlugged: boolean };

/** Runs in the window, and before the code of each worker. */
function fake(): void {
  const channel = new BroadcastChannel('fake serial');
  let isPlugged = true;
  let isOpen = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const port = {
    readable: null as ReadableStream<Uint8Array> | null,
    getInfo: () => ({ usbVendorId: 0x2e8a, usbProductId: 0x000c }),
    open: async (options: object) => {
      if (!isPlugged) throw new DOMException('Failed to open serial port.', 'NetworkError');
      if (isOpen) throw new DOMException('The port is already open.', 'InvalidStateError');
      isOpen = true;
      stream();
      channel.postMessage({ opened: options });
    },
    close: async () => {
      isOpen = false;
      port.readable = null;
      channel.postMessage({ closed: true });
    },
    setSignals: async () => {
      throw new DOMException('The port has no such lines.', 'NetworkError');
    },
  };
  function stream(): void {
    port.readable = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
  }
  channel.onmessage = ({ data }) => {
    if ('isPlugged' in data) isPlugged = data.isPlugged;
    if (!isOpen || !controller) return;
    if (data.bytes) controller.enqueue(data.bytes);
    const broken = controller;
    if (data.lineError) stream();
    if (data.lineError) broken.error(new DOMException('The line has an error.', data.lineError));
    if (data.isPlugged !== false) return;
    port.readable = controller = null;
    broken.error(new DOMException('The device has been lost.', 'NetworkError'));
  };
  Object.defineProperty(navigator, 'serial', {
    configurable: true,
    value: { getPorts: async () => (isPlugged ? [port] : []), requestPort: async () => port },
  });
}

/** Runs in the window: puts `code` before the code of each worker that is made from a blob. */
function infect(code: string): void {
  const made = URL.createObjectURL;
  URL.createObjectURL = (blob: Blob | MediaSource) =>
    made(blob instanceof Blob && /javascript/.test(blob.type) ? new Blob([code, blob], { type: blob.type }) : blob);
  const opened: object[] = [];
  const channel = new BroadcastChannel('fake serial');
  channel.onmessage = ({ data }) => void (data.opened && opened.push(data.opened));
  Object.assign(window, { line: channel, opened });
}

/** Gives the pages of a context a fake port, before they are opened. more: runs, too, in the window and before the code of each worker. */
export async function fakeSerial(context: BrowserContext, more: () => void = () => {}): Promise<void> {
  const code = `(${fake.toString()})();(${more.toString()})();\n`;
  await context.addInitScript({ content: `${code}(${infect.toString()})(${JSON.stringify(code)});` });
}

/** Lets something happen at the port. */
export const act = (page: Page, what: Act): Promise<void> =>
  page.evaluate(
    (wire) => {
      const bytes = 'base64' in wire ? Uint8Array.from(atob(wire.base64), (char) => char.charCodeAt(0)) : null;
      (window as unknown as { line: BroadcastChannel }).line.postMessage(bytes ? { bytes } : wire);
    },
    'bytes' in what ? { base64: Buffer.from(what.bytes).toString('base64') } : what,
  );

/** With what the page has opened the port, each time. */
export const opened = (page: Page): Promise<{ baudRate: number; bufferSize: number }[]> =>
  page.evaluate(() => (window as unknown as { opened: { baudRate: number; bufferSize: number }[] }).opened);
