// SPDX-License-Identifier: MIT
// WebUSB with a probe in software: the window and the workers of the page have a device whose packets go to the test.
import type { BrowserContext } from 'playwright-core';
import type { SoftwareProbe } from './software-probe.js';

const CHANNEL = 'fake usb';

/** Runs in the window, and before the code of each worker. */
function fake(name: string): void {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<string, { resolve(data: DataView): void; reject(error: Error): void }>();
  const owner = Math.random().toString(36);
  let next = 0,
    isOpen = false;
  const sent: Promise<DataView>[] = [];
  channel.onmessage = ({ data }) => {
    const one = waiting.get(data.answerTo);
    if (!one) return;
    waiting.delete(data.answerTo);
    if (data.error) one.reject(new DOMException(data.error, 'NetworkError'));
    else one.resolve(new DataView(Uint8Array.from(data.answer).buffer));
  };
  const ask = (question: object): Promise<DataView> => {
    const id = `${owner} ${next++}`;
    channel.postMessage({ id, ...question });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  const bulk = (direction: string, endpointNumber: number) => ({
    ...{ endpointNumber, direction, type: 'bulk', packetSize: 64 },
  });
  const configuration = {
    configurationValue: 1,
    interfaces: [
      { interfaceNumber: 0, alternates: [{ alternateSetting: 0, interfaceClass: 3, endpoints: [] }] },
      {
        interfaceNumber: 1,
        alternates: [
          {
            ...{ alternateSetting: 0, interfaceClass: 255, interfaceName: 'CMSIS-DAP v2' },
            endpoints: [bulk('out', 4), bulk('in', 5)],
          },
        ],
      },
    ],
  };
  const device = {
    ...{ vendorId: 0x2e8a, productId: 0x000c, serialNumber: '1', productName: 'Debug Probe (CMSIS-DAP)' },
    ...{ configuration, configurations: [configuration] },
    open: async () => void (isOpen = true),
    close: async () => {
      if (isOpen) await ask({ close: true });
      isOpen = false;
    },
    selectConfiguration: async () => {},
    claimInterface: async (number: number) => {
      if (number !== 1) throw new DOMException('The interface is protected.', 'SecurityError');
      await ask({ claim: true });
    },
    transferOut: async (endpoint: number, data: Uint8Array) => {
      if (endpoint !== 4) throw new DOMException('There is no such endpoint.', 'NotFoundError');
      sent.push(ask({ packet: [...data] }));
      return { status: 'ok' };
    },
    transferIn: async (endpoint: number) => {
      if (endpoint !== 5) throw new DOMException('There is no such endpoint.', 'NotFoundError');
      return { data: await sent.shift(), status: 'ok' };
    },
  };
  Object.defineProperty(navigator, 'usb', {
    configurable: true,
    value: { getDevices: async () => [device], requestDevice: async () => device },
  });
}

/** Runs in the window: puts `code` before the code of each worker that is made from a blob, and passes their packets to the test. */
function infect([name, code]: [string, string]): void {
  const made = URL.createObjectURL;
  URL.createObjectURL = (blob: Blob | MediaSource) =>
    made(blob instanceof Blob && /javascript/.test(blob.type) ? new Blob([code, blob], { type: blob.type }) : blob);
  const channel = new BroadcastChannel(name);
  channel.onmessage = async ({ data }) => {
    if (!('id' in data)) return;
    const { answerProbe } = window as unknown as { answerProbe(question: object): Promise<object> };
    channel.postMessage({ answerTo: data.id, ...(await answerProbe(data)) });
  };
}

/** Gives the pages of a context a probe, before they are opened. */
export async function fakeUsb(context: BrowserContext, probe: SoftwareProbe): Promise<void> {
  let link: Awaited<ReturnType<SoftwareProbe['open']>> | null = null;
  await context.exposeFunction('answerProbe', async (question: { packet?: number[]; claim?: true; close?: true }) => {
    try {
      if (question.claim) link = await probe.open();
      if (question.close) await link?.close();
      if (!question.packet) return { answer: [] };
      return { answer: [...(await link!.send(Uint8Array.from(question.packet), probe.settings.size))] };
    } catch (error) {
      return { error: (error as Error).message };
    }
  });
  const code = `(${fake.toString()})(${JSON.stringify(CHANNEL)});\n`;
  await context.addInitScript({ content: `${code}(${infect.toString()})(${JSON.stringify([CHANNEL, code])});` });
}
