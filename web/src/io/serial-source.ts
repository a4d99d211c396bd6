// SPDX-License-Identifier: MIT
// A serial port as a source of bytes, in a worker, so that a busy page does not lose any.
import { type ByteSource, type SourceListener, pause, textOf } from './byte-source.js';
import { type PortChoice, type SerialPort, portOf, serial } from './serial.js';

/** Bytes that the browser keeps while this worker is busy: seconds at every rate of a serial port. The default of browsers is 255. */
const BUFFER = 1 << 20;
const RETRY_MS = 250;

/** Many USB ports send nothing until the host is ready. Ports without such lines refuse, which is no error. */
const ready = (port: SerialPort): Promise<void> =>
  port.setSignals({ dataTerminalReady: true, requestToSend: true }).catch(() => {});

/** Reads until the port is gone or the signal aborts. Returns why. */
async function readAll(port: SerialPort, listener: SourceListener, signal: AbortSignal): Promise<string> {
  let reason = 'the port has closed';
  while (port.readable && !signal.aborted) {
    const reader = port.readable.getReader();
    const cancel = (): void => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', cancel);
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        await listener.onBytes(value);
      }
    } catch (error) {
      reason = textOf(error);
      if (port.readable) listener.onLineError(error instanceof Error ? error.name : 'Error');
    } finally {
      signal.removeEventListener('abort', cancel);
      reader.releaseLock();
    }
  }
  return reason;
}

/** Opens the port when it is there, and again after it was gone: a reset or a new plug. */
export class SerialSource implements ByteSource {
  constructor(
    private readonly choice: PortChoice,
    private readonly baudRate: number,
  ) {}

  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    const ports = serial();
    if (!ports) return listener.onState('ended', 'this browser has no Web Serial in workers');
    let isFirst = true;
    while (!signal.aborted) {
      const port = portOf(this.choice, await ports.getPorts().catch(() => []));
      const reason = port ? await this.#use(port, listener, signal) : 'the port is not plugged in';
      if (reason === null) isFirst = false;
      else listener.onState(isFirst ? 'waiting' : 'gone', reason);
      if (!signal.aborted) await pause(RETRY_MS, signal);
    }
    listener.onState('ended', '');
  }

  /** Reads from the port until it is gone. Returns why it could not be opened; null: it was open. */
  async #use(port: SerialPort, listener: SourceListener, signal: AbortSignal): Promise<string | null> {
    try {
      await port.open({ baudRate: this.baudRate, bufferSize: BUFFER });
    } catch (error) {
      return textOf(error);
    }
    await ready(port);
    listener.onState('running', '');
    const reason = await readAll(port, listener, signal);
    await port.close().catch(() => {}); // it is gone already
    if (!signal.aborted) listener.onState('gone', reason);
    return null;
  }
}
