// SPDX-License-Identifier: MIT
// Asks for a serial port and its rate, or for a debug probe and where to look.
import { useEffect, useState } from 'preact/hooks';
import { programsOf } from '../effects.js';
import { count } from '../format.js';
import { DEFAULT_RANGES, rangesOf } from '../io/probe/ranges.js';
import { type UsbDevice, choiceOf as deviceOf, nameOf as probeName, requestProbe, usb } from '../io/probe/usb.js';
import { LIMIT, room as roomOf } from '../io/recordings.js';
import { type SerialPort, choiceOf, nameOf, serial } from '../io/serial.js';
import { symbolFilesOf } from '../job.js';
import { getPage } from '../store.js';
import { Dialog } from '../views/dialog.js';
import type { Begin } from './session.js';

const RATES = [9600, 57600, 115200, 230400, 460800, 921600, 1000000, 2000000, 3000000];
const MB = 1e6;
const KEY = 'tonkopf-serial';

type Kind = 'serial' | 'probe';

interface Kept {
  kind: Kind;
  baudRate: number;
  /** where a probe looks */
  ranges: string;
  /** bytes */
  limit: number;
}

function recall(): Kept {
  let kept: Partial<Kept> = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
  } catch {
    // nothing was kept
  }
  return {
    kind: !serial() || (kept.kind === 'probe' && usb()) ? 'probe' : 'serial',
    baudRate: Number(kept.baudRate) || 115200,
    ranges: typeof kept.ranges === 'string' && rangesOf(kept.ranges) ? kept.ranges : DEFAULT_RANGES,
    limit: Number(kept.limit) || 500 * MB,
  };
}

function keep(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // a private window: the choice lasts until the page is closed
  }
}

const isNothingChosen = (error: unknown): boolean => (error as Error).name === 'NotFoundError';

/** The devices that the user has allowed before. */
function useKnown<Device>(list: () => Promise<Device[]> | undefined): Device[] {
  const [known, set] = useState<Device[]>([]);
  useEffect(() => {
    void list()?.then(set, () => {});
  }, []);
  return known;
}

interface ChoiceProps<Device> {
  known: readonly Device[];
  nameOf(device: Device): string;
  /** Asks the user. Must be called in the event handler of a click. */
  request(): Promise<Device>;
  other: string;
  onChoose(device: () => Device | Promise<Device>): void;
}

function Devices<Device>({ known, nameOf, request, other, onChoose }: ChoiceProps<Device>) {
  const choices: [name: string, take: () => Device | Promise<Device>][] = [
    ...known.map((device): [string, () => Device] => [`Connect to ${nameOf(device)}`, () => device]),
    [other, request],
  ];
  return (
    <div class="row">
      {choices.map(([name, take], index) => (
        <button
          type={index ? 'button' : 'submit'} // Enter in a field submits the form
          class={`button ${index ? '' : 'primary'}`}
          key={name}
          onClick={index ? () => onChoose(take) : undefined}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface Props {
  onClose(): void;
  onConnect(what: Omit<Begin, 'name'>): void;
}

export function ConnectDialog({ onClose, onConnect }: Props) {
  const [first] = useState(recall);
  const [kind, setKind] = useState(first.kind);
  const [rate, setRate] = useState(String(first.baudRate));
  const [where, setWhere] = useState(first.ranges);
  const [programs, setPrograms] = useState(() => symbolFilesOf(getPage()));
  const [channel, setChannel] = useState('');
  const [isOnce, setOnce] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState('');
  const [most, setMost] = useState(LIMIT);
  const room = typed ?? String(Math.floor(Math.min(first.limit, most) / MB));
  useEffect(() => void roomOf().then(setMost), []);
  const ports = useKnown(() => serial()?.getPorts());
  const probes = useKnown(() => usb()?.getDevices());

  /** Begins with what `choose` returns, unless a field is wrong or the user chooses nothing. */
  async function connect(choose: (kept: Kept) => Promise<Omit<Begin, 'name' | 'limit'>> | string): Promise<void> {
    const limit = Number(room) * MB;
    if (!(limit >= MB && limit <= most)) return setWrong(`Keep from 1 to ${count(Math.floor(most / MB))} MB.`);
    const kept = { kind, baudRate: Number(rate.replace(/[\s_]/g, '')), ranges: where, limit };
    try {
      const chosen = choose(kept);
      if (typeof chosen === 'string') return setWrong(chosen);
      const what = await chosen;
      keep(kept);
      onConnect({ ...what, limit });
    } catch (error) {
      if (!isNothingChosen(error)) setWrong((error as Error).message);
    }
  }
  const toPort = (take: () => SerialPort | Promise<SerialPort>): void =>
    void connect(({ baudRate }) => {
      if (!Number.isInteger(baudRate) || baudRate < 1 || baudRate > 1e9)
        return 'The baud rate is a whole number, such as 921600.';
      return Promise.resolve(take()).then(async (port) => ({
        source: { kind: 'serial', port: choiceOf(port, (await serial()?.getPorts()) ?? []), baudRate },
        words: `${count(baudRate)} baud`,
      }));
    });
  const toProbe = (take: () => UsbDevice | Promise<UsbDevice>): void =>
    void connect(() => {
      const ranges = rangesOf(where);
      if (!ranges) return 'A memory range is an address and a length, such as 0x20000000:64K.';
      if (channel && !/^\d{1,2}$/.test(channel)) return 'A channel of RTT is a number, such as 1.';
      const options = { ranges, channel: channel ? Number(channel) : null, isOnce };
      return Promise.resolve(take()).then(async (device) => ({
        source: { kind: 'probe', device: deviceOf(device), options, programs: await programsOf(programs) },
        words: probeName(device),
      }));
    });
  return (
    <Dialog title="Connect a board" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (kind === 'serial') toPort(() => ports[0] ?? serial()!.requestPort());
          else toProbe(() => probes[0] ?? requestProbe());
        }}
        noValidate
      >
        {serial() && usb() && (
          <fieldset class="row connect-kind">
            <legend class="visually-hidden">How the board is connected</legend>
            {(['serial', 'probe'] as const).map((one) => (
              <label class="check" key={one}>
                <input type="radio" name="connect-kind" checked={kind === one} onChange={() => setKind(one)} />
                {one === 'serial' ? 'Serial port' : 'Debug probe'}
              </label>
            ))}
          </fieldset>
        )}
        {kind === 'serial' ? (
          <>
            <label for="baud-rate">Baud rate of the target</label>
            <input
              id="baud-rate"
              inputMode="numeric"
              list="baud-rates"
              autocomplete="off"
              value={rate}
              aria-describedby="connect-wrong"
              onInput={(event) => setRate(event.currentTarget.value)}
            />
            <datalist id="baud-rates">
              {RATES.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        ) : (
          <>
            <label for="probe-program">ELF file of the firmware</label>
            <input
              id="probe-program"
              type="file"
              multiple
              aria-describedby="probe-program-hint"
              onChange={({ currentTarget: { files } }) =>
                setPrograms([...(files ?? [])].map((file) => ({ name: file.name, blob: file })))
              }
            />
            <p id="probe-program-hint" class="hint">
              {programs.length
                ? `The control block is looked for where ${programs.map(({ name }) => name).join(', ')} has it.`
                : 'Or its linker map. Without either, the page searches the memory.'}
            </p>
            <label for="probe-ranges">Memory to search</label>
            <input
              id="probe-ranges"
              autocomplete="off"
              spellcheck={false}
              value={where}
              aria-describedby="connect-wrong probe-ranges-hint"
              onInput={(event) => setWhere(event.currentTarget.value)}
            />
            <p id="probe-ranges-hint" class="hint">
              Address and length of the RAM, or the address of _SEGGER_RTT and of tband_control.
            </p>
            <label for="probe-channel">RTT channel</label>
            <input
              id="probe-channel"
              inputMode="numeric"
              autocomplete="off"
              placeholder="the one with the recording"
              disabled={isOnce}
              value={channel}
              aria-describedby="connect-wrong"
              onInput={(event) => setChannel(event.currentTarget.value.trim())}
            />
            <label class="check">
              <input type="checkbox" checked={isOnce} onChange={(event) => setOnce(event.currentTarget.checked)} />
              Read the recording in its memory once
            </label>
          </>
        )}
        <label for="kept-bytes">Keep at most, in MB</label>
        <input
          id="kept-bytes"
          inputMode="numeric"
          autocomplete="off"
          value={room}
          aria-describedby="kept-hint connect-wrong"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p id="kept-hint" class="hint">
          The recording ends when that is reached. The bytes stay in this browser, on this computer.
        </p>
        <p id="connect-wrong" class="field-error" role="alert">
          {wrong}
        </p>
        {kind === 'serial' ? (
          <Devices
            known={ports}
            nameOf={(port) => nameOf(choiceOf(port, ports))}
            request={() => serial()!.requestPort()}
            other="Choose a port"
            onChoose={toPort}
          />
        ) : (
          <Devices known={probes} nameOf={probeName} request={requestProbe} other="Choose a probe" onChoose={toProbe} />
        )}
        <p class="hint">
          {kind === 'serial'
            ? 'A UART, a USB serial port, the second port of a Black Magic Probe. 8 data bits, no parity. '
            : 'A CMSIS-DAP v2 probe. The target is not halted: its memory is read while it runs, and of RTT the offset of what was read is written. '}
          <a href="docs/live.html">Other sources</a>
        </p>
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Never mind
          </button>
        </div>
      </form>
    </Dialog>
  );
}
