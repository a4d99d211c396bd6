// SPDX-License-Identifier: MIT
// WebUSB, as far as the page uses it: TypeScript has no types for it. A probe as a link of packets.
import { textOf } from '../byte-source.js';
import type { Link } from './dap.js';

interface Endpoint {
  endpointNumber: number;
  direction: 'in' | 'out';
  type: 'bulk' | 'interrupt' | 'isochronous';
  packetSize: number;
}

interface Alternate {
  alternateSetting: number;
  interfaceClass: number;
  interfaceName?: string;
  endpoints: readonly Endpoint[];
}

interface Configuration {
  configurationValue: number;
  interfaces: readonly { interfaceNumber: number; alternates: readonly Alternate[] }[];
}

export interface UsbDevice {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string;
  readonly productName?: string;
  readonly configuration: Configuration | null;
  readonly configurations: readonly Configuration[];
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(number: number): Promise<void>;
  transferOut(endpoint: number, data: Uint8Array<ArrayBuffer>): Promise<{ status?: string }>;
  transferIn(endpoint: number, length: number): Promise<{ data?: DataView; status?: string }>;
}

interface Usb {
  getDevices(): Promise<UsbDevice[]>;
  /** Only in a window, in the event handler of a click. Rejects with NotFoundError if the user chooses none. */
  requestDevice(options: { filters: { classCode: number }[] }): Promise<UsbDevice>;
}

const VENDOR = 0xff; // class of the interfaces of CMSIS-DAP v2

/** undefined: the browser has no WebUSB */
export const usb = (): Usb | undefined => (navigator as Navigator & { usb?: Usb }).usb;

export const requestProbe = (): Promise<UsbDevice> => usb()!.requestDevice({ filters: [{ classCode: VENDOR }] });

/** A device without the object itself, which cannot be passed to a worker. */
export interface DeviceChoice {
  vendorId: number;
  productId: number;
  /** null: it has none */
  serialNumber: string | null;
}

export const choiceOf = ({ vendorId, productId, serialNumber }: UsbDevice): DeviceChoice => ({
  vendorId,
  productId,
  serialNumber: serialNumber ?? null,
});

const hex = (number: number): string => number.toString(16).padStart(4, '0');

export const nameOf = (device: UsbDevice): string =>
  device.productName || `USB ${hex(device.vendorId)}:${hex(device.productId)}`;

interface Place {
  configuration: number;
  interface: number;
  to: Endpoint;
  from: Endpoint;
}

const NAME = 'CMSIS-DAP';

/** The interface of CMSIS-DAP v2, by its class, endpoints and name. Some systems do not give the names of interfaces. */
function placeOf(device: UsbDevice): Place | null {
  const mayBe = (name: string): boolean => !name || name.includes(NAME) || !!device.productName?.includes(NAME);
  const places = device.configurations.flatMap(({ configurationValue, interfaces }) =>
    interfaces.flatMap(({ interfaceNumber, alternates }) =>
      alternates.flatMap(({ alternateSetting, interfaceClass, interfaceName, endpoints }) => {
        const bulk = endpoints.filter(({ type }) => type === 'bulk');
        const to = bulk.find(({ direction }) => direction === 'out'),
          from = bulk.find(({ direction }) => direction === 'in');
        return interfaceClass === VENDOR && alternateSetting === 0 && to && from && mayBe(interfaceName ?? '')
          ? [{ configuration: configurationValue, interface: interfaceNumber, to, from, name: interfaceName ?? '' }]
          : [];
      }),
    ),
  );
  return places.find(({ name }) => name.includes(NAME)) ?? places[0] ?? null;
}

/** Opens the chosen probe. Rejects with the reason if it is not there, not a probe, or used by another program. */
export async function openProbe(choice: DeviceChoice): Promise<Link> {
  const device = (await usb()?.getDevices())?.find(
    ({ vendorId, productId, serialNumber }) =>
      vendorId === choice.vendorId && productId === choice.productId && (serialNumber ?? null) === choice.serialNumber,
  );
  if (!device) throw new Error('the probe is not plugged in');
  const place = placeOf(device);
  if (!place) throw new Error('this is no CMSIS-DAP v2 probe');
  try {
    await device.open();
    if (device.configuration?.configurationValue !== place.configuration)
      await device.selectConfiguration(place.configuration);
    await device.claimInterface(place.interface);
  } catch (error) {
    await device.close().catch(() => {});
    throw new Error(
      `the probe does not open: ${textOf(error)} Other programs must not use it, and the system must allow it`,
    );
  }
  return new UsbLink(device, place);
}

class UsbLink implements Link {
  constructor(
    private readonly device: UsbDevice,
    private readonly place: Place,
  ) {}

  get unit(): number {
    return this.place.from.packetSize;
  }

  async send(packet: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array> {
    const { to, from } = this.place;
    // Both are begun at once, so that the answers have the order of the packets.
    const [, { data, status }] = await Promise.all([
      this.device.transferOut(to.endpointNumber, packet),
      this.device.transferIn(from.endpointNumber, Math.ceil(most / from.packetSize) * from.packetSize),
    ]);
    if (!data || status !== 'ok') throw new Error('the probe does not answer');
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }

  async close(): Promise<void> {
    await this.device.close().catch(() => {}); // it is gone already
  }
}
