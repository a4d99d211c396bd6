// SPDX-License-Identifier: MIT
// Web Serial, as far as the page uses it: TypeScript has no types for it.

export interface SerialPort {
  /** null: not open, or an error closed it. A new stream is there after an error of the line. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  getInfo(): PortInfo;
  open(options: { baudRate: number; bufferSize: number }): Promise<void>;
  close(): Promise<void>;
  setSignals(signals: { dataTerminalReady: boolean; requestToSend: boolean }): Promise<void>;
}

/** Of a USB device; other ports have no numbers. */
export interface PortInfo {
  usbVendorId?: number;
  usbProductId?: number;
}

export interface Serial {
  getPorts(): Promise<SerialPort[]>;
  /** Only in a window, in the event handler of a click. Rejects with NotFoundError if the user chooses none. */
  requestPort(): Promise<SerialPort>;
}

/** undefined: the browser has no Web Serial */
export const serial = (): Serial | undefined => (navigator as Navigator & { serial?: Serial }).serial;

/** A port without the object itself, which cannot be passed to a worker: how many ports with equal numbers are before it. */
export interface PortChoice extends PortInfo {
  index: number;
}

const isSame = (a: PortInfo, b: PortInfo): boolean =>
  a.usbVendorId === b.usbVendorId && a.usbProductId === b.usbProductId;

const alike = (ports: readonly SerialPort[], info: PortInfo): SerialPort[] =>
  ports.filter((port) => isSame(port.getInfo(), info));

export function choiceOf(port: SerialPort, ports: readonly SerialPort[]): PortChoice {
  const info = port.getInfo();
  return { ...info, index: Math.max(0, alike(ports, info).indexOf(port)) };
}

/** Returns the chosen port; undefined: it is not there. */
export function portOf(choice: PortChoice, ports: readonly SerialPort[]): SerialPort | undefined {
  const same = alike(ports, choice);
  return same[choice.index] ?? same[0];
}

const hex = (number: number): string => number.toString(16).padStart(4, '0');

/** "USB 2e8a:000c", or "Serial port" */
export function nameOf({ usbVendorId, usbProductId, index }: PortChoice): string {
  const name = usbVendorId === undefined ? 'Serial port' : `USB ${hex(usbVendorId)}:${hex(usbProductId ?? 0)}`;
  return index ? `${name} (${index + 1})` : name;
}
