// SPDX-License-Identifier: MIT
// Firmware that streams through RTT in an emulator, whose memory is read and written while its program runs; and what it has recorded.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
// @ts-expect-error plain JavaScript
import { CAN_RUN, addressOf, buildExample } from '../target/emulator.mjs';
import { root } from './site.js';
import type { Target } from './software-probe.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');

export const canEmulate = CAN_RUN as boolean;

/** What the program records: 400 interrupts, each with a value, and 400 steps. */
const EVENTS = 400 * (3 + 2);
/** in the recorder's block of one core: docs/formats/tonbandgeraet.md */
const LOST = 32 + 20;

/** Reads and writes the memory of an emulator while its program runs. */
export class Emulator implements Target {
  /** what the recorder has counted when it was last asked */
  lost = 0;
  hasEnded = false;
  readonly #answers: ((answer: string | null) => void)[] = [];
  /** What was read or written last: it stays readable when the program, and with it the emulator, has ended. */
  readonly #words = new Map<number, number>();

  private constructor(
    /** with the symbols of the program */
    readonly image: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
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

  static async start(): Promise<Emulator> {
    const image = buildExample('transports', 'LINK=rtt') as string;
    const folder = mkdtempSync(join(tmpdir(), 'tonkopf-probe-'));
    const path = join(folder, 'qtest');
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const connected = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
    const child = spawn(
      'qemu-system-arm',
      [
        ...['-M', 'mps2-an385', '-accel', 'tcg', '-display', 'none', '-monitor', 'none', '-serial', 'null'],
        ...['-semihosting-config', 'enable=on,target=native', '-kernel', image],
        ...['-qtest', `unix:${path}`, '-qtest-log', '/dev/null'],
      ],
      { stdio: 'ignore' },
    );
    const socket = await connected;
    server.close();
    return new Emulator(image, child, folder, socket, addressOf(image, 'tband_control') as number);
  }

  stop(): void {
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }

  #ask(command: string): Promise<string | null> {
    if (this.hasEnded) return Promise.resolve(null);
    this.socket.write(`${command}\n`);
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  async read(address: number): Promise<number | null> {
    const answer = await this.#ask(`readl 0x${address.toString(16)}`);
    if (answer !== null) this.#words.set(address, Number(answer.split(' ')[1]));
    return this.#words.get(address) ?? null;
  }

  async write(address: number, value: number): Promise<boolean> {
    this.lost = (await this.read(this.recorder + LOST)) ?? this.lost;
    this.#words.set(address, value);
    await this.#ask(`writel 0x${address.toString(16)} 0x${value.toString(16)}`); // without an answer if the program ends after it
    return true;
  }
}

/** Every event comes into the recording, or the recorder counts it as lost. record: what there is so far */
export async function expectRecorded(record: () => Promise<Uint8Array>, emulator: Emulator): Promise<void> {
  await expect.poll(() => emulator.hasEnded).toBe(true); // the program ends when everything was read
  const { lost } = emulator;
  const kinds = ['interrupt entered', 'interrupt left', 'value', 'marker begin', 'marker end'];
  let report!: Awaited<ReturnType<typeof convert>>['report'];
  const events = async (): Promise<number> => {
    ({ report } = await convert([{ name: 'run.bin', bytes: await record() }]));
    return report.kinds.reduce((sum, { kind, count }) => (kinds.includes(kind) ? sum + count : sum), lost);
  };
  await expect.poll(events).toBe(EVENTS);
  expect(report.problems.filter(({ severity }) => severity === 'damage')).toEqual([]);
  expect(report.events).toMatchObject({ lost, restarts: 0 });
  expect(report.tick).toMatchObject({ ns: 40, source: 'recording' });
  expect(report.interrupts?.map(({ name }) => name)).toEqual(['SysTick']);
}
