// SPDX-License-Identifier: MIT
// RTT of firmware that runs in an emulator, read by the page's client through a probe in software over the memory of the emulator.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { ProbeSource } from '../../web/src/io/probe/probe-source.js';
// @ts-expect-error plain JavaScript
import { CAN_RUN, addressOf, buildExample } from '../target/emulator.mjs';
import { root } from './site.js';
import { SoftwareProbe, type Target } from './software-probe.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-probe-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** What the program records: 400 interrupts, each with a value, and 400 steps. */
const EVENTS = 400 * (3 + 2);
/** in the recorder's block of one core: docs/formats/tonbandgeraet.md */
const LOST = 32 + 20;

/** Reads and writes the memory of an emulator while its program runs. */
class Emulator implements Target {
  /** what the recorder has counted when it was last asked */
  lost = 0;
  hasEnded = false;
  readonly #answers: ((answer: string | null) => void)[] = [];

  private constructor(
    private readonly socket: net.Socket,
    private readonly recorder: number,
  ) {
    const end = (): void => {
      this.hasEnded = true;
      for (const answer of this.#answers.splice(0)) answer(null);
    };
    createInterface({ input: socket })
      .on('line', (line) => this.#answers.shift()?.(line))
      .on('error', end)
      .on('close', end);
    socket.on('error', end);
  }

  static async start(image: string): Promise<Emulator> {
    const path = join(folder, 'qtest');
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const connected = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
    children.push(
      spawn(
        'qemu-system-arm',
        [
          ...['-M', 'mps2-an385', '-accel', 'tcg', '-display', 'none', '-monitor', 'none', '-serial', 'null'],
          ...['-semihosting-config', 'enable=on,target=native', '-kernel', image],
          ...['-qtest', `unix:${path}`, '-qtest-log', '/dev/null'],
        ],
        { stdio: 'ignore' },
      ),
    );
    const socket = await connected;
    server.close();
    return new Emulator(socket, addressOf(image, 'tband_control') as number);
  }

  #ask(command: string): Promise<string | null> {
    if (this.hasEnded) return Promise.resolve(null);
    this.socket.write(`${command}\n`);
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  async read(address: number): Promise<number | null> {
    const answer = await this.#ask(`readl 0x${address.toString(16)}`);
    return answer === null ? null : Number(answer.split(' ')[1]);
  }

  async write(address: number, value: number): Promise<boolean> {
    this.lost = (await this.read(this.recorder + LOST)) ?? this.lost;
    return (await this.#ask(`writel 0x${address.toString(16)} 0x${value.toString(16)}`)) !== null;
  }
}

test.skipIf(!CAN_RUN)(
  'firmware that streams through RTT: every frame, names, and the losses that it counts',
  async () => {
    const image = buildExample('transports', 'LINK=rtt') as string;
    const ranges = ['_SEGGER_RTT', 'tband_control'].map((name) => ({
      at: addressOf(image, name) as number,
      length: 0,
    }));
    const emulator = await Emulator.start(image);
    const probe = new SoftwareProbe(emulator, { size: 512, count: 4 });
    const pieces: Uint8Array[] = [];
    const stop = new AbortController();
    const ended = new ProbeSource(probe.open, { ranges, channel: null, isOnce: false }).run(
      { onBytes: async (bytes) => void pieces.push(bytes), onState: () => {}, onLineError: () => {}, onNote: () => {} },
      stop.signal,
    );
    await expect.poll(() => emulator.hasEnded).toBe(true); // the program ends when everything was read
    stop.abort();
    await ended;
    const { report } = await convert([{ name: 'run.bin', bytes: Buffer.concat(pieces) }]);
    expect(report.problems.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(report.events).toMatchObject({ lost: emulator.lost, restarts: 0 });
    expect(report.tick).toMatchObject({ ns: 40, source: 'recording' });
    expect(report.interrupts?.map(({ name }) => name)).toEqual(['SysTick']);
    const kinds = ['interrupt entered', 'interrupt left', 'value', 'marker begin', 'marker end'];
    const steps = report.kinds.filter(({ kind }) => kinds.includes(kind));
    expect(steps.reduce((sum, { count }) => sum + count, emulator.lost)).toBe(EVENTS);
  },
);
