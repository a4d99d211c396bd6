// SPDX-License-Identifier: MIT
// Asks for a serial port and its rate.
import { useEffect, useState } from 'preact/hooks';
import { LIMIT } from '../io/recordings.js';
import { type PortChoice, type SerialPort, choiceOf, nameOf, serial } from '../io/serial.js';
import { Dialog } from '../views/dialog.js';

const RATES = [9600, 57600, 115200, 230400, 460800, 921600, 1000000, 2000000, 3000000];
const MB = 1e6;
const KEY = 'tonkopf-serial';

interface Kept {
  baudRate: number;
  /** bytes */
  limit: number;
}

function recall(): Kept {
  try {
    const { baudRate, limit } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    return { baudRate: Number(baudRate) || 115200, limit: Math.min(Number(limit) || 500 * MB, LIMIT) };
  } catch {
    return { baudRate: 115200, limit: 500 * MB };
  }
}

function keep(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // a private window: the choice lasts until the page is closed
  }
}

interface Props {
  onClose(): void;
  onConnect(choice: Kept & { port: PortChoice }): void;
}

export function ConnectDialog({ onClose, onConnect }: Props) {
  const [ports, setPorts] = useState<SerialPort[]>([]);
  const [rate, setRate] = useState(String(recall().baudRate));
  const [room, setRoom] = useState(String(Math.floor(recall().limit / MB)));
  const [wrong, setWrong] = useState('');
  useEffect(() => {
    void serial()
      ?.getPorts()
      .then(setPorts, () => {});
  }, []);
  const connect = async (choose: () => SerialPort | Promise<SerialPort>): Promise<void> => {
    const baudRate = Number(rate.replace(/[\s_]/g, '')),
      limit = Number(room) * MB;
    if (!Number.isInteger(baudRate) || baudRate < 1 || baudRate > 1e9)
      return setWrong('The baud rate is a whole number, such as 921600.');
    if (!(limit >= MB && limit <= LIMIT)) return setWrong(`Keep from 1 to ${Math.floor(LIMIT / MB)} MB.`);
    try {
      const port = await choose();
      const known = (await serial()?.getPorts()) ?? [];
      keep({ baudRate, limit });
      onConnect({ baudRate, limit, port: choiceOf(port, known) });
    } catch (error) {
      if ((error as Error).name !== 'NotFoundError') setWrong((error as Error).message); // NotFoundError: the user chose none
    }
  };
  const choices: [name: string, choose: () => SerialPort | Promise<SerialPort>][] = [
    ...ports.map((port): [string, () => SerialPort] => [`Connect to ${nameOf(choiceOf(port, ports))}`, () => port]),
    ['Choose a port', () => serial()!.requestPort()],
  ];
  return (
    <Dialog title="Connect a board" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void connect(choices[0]![1]);
        }}
        noValidate
      >
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
        <label for="kept-bytes">Keep at most, in MB</label>
        <input
          id="kept-bytes"
          inputMode="numeric"
          autocomplete="off"
          value={room}
          aria-describedby="kept-hint connect-wrong"
          onInput={(event) => setRoom(event.currentTarget.value)}
        />
        <p id="kept-hint" class="hint">
          The recording ends when that is reached. The bytes stay in this browser, on this computer.
        </p>
        <p id="connect-wrong" class="field-error" role="alert">
          {wrong}
        </p>
        <div class="row">
          {choices.map(([name, choose], index) => (
            <button
              type={index ? 'button' : 'submit'}
              class={`button ${index ? '' : 'primary'}`}
              key={name}
              onClick={index ? () => void connect(choose) : undefined}
            >
              {name}
            </button>
          ))}
        </div>
        <p class="hint">
          A UART, a USB serial port, the second port of a Black Magic Probe. 8 data bits, no parity.{' '}
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
