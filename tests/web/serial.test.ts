// SPDX-License-Identifier: MIT
// Web Serial in real Chromium without hardware: the port is a pseudo terminal, which a running firmware in an emulator or a program feeds. Chromium
// lists only ports of serial drivers and opens them by their path, so the terminal is mounted over such a path, in a namespace of the browser.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
// @ts-expect-error plain JavaScript
import { CAN_RUN, buildWithKernel, startBoard } from '../target/emulator.mjs';
import type { Report } from '../../wasm/types.js';
import { root, serve } from './site.js';

const { convert } = (await import(`${root}/lib/index.js`)) as typeof import('../../wasm/index.js');
const isRoot = process.getuid?.() === 0;
/** For a poll that downloads the whole recording, which slows the browser down. */
const SLOWLY = { interval: 500 };
const unshare = [isRoot ? '-m' : '-Urm', '--propagation', 'private'];

/** Why the tests cannot run here; null: they can. */
function missing(): string | null {
  if (process.platform !== 'linux') return 'namespaces need Linux';
  if (!existsSync('/sys/class/tty/ttyS0')) return 'there is no /dev/ttyS0';
  if (!CAN_RUN) return 'the emulator or its compiler is missing';
  const { status } = spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0 ? null : 'this user may not mount in a namespace';
}

const reason = missing();
if (reason) console.log(`skipped: Web Serial at a terminal: ${reason}`);
const isRequired = process.env['TONKOPF_REQUIRE_SERIAL'] === '1';
test('Web Serial can be tested here, if that is required', () => expect(isRequired ? reason : null).toBeNull());

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-serial-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Chromium in a namespace: `call(name, ...args)` runs a command of serial-chromium.mjs. */
async function chromium() {
  const child = spawn('unshare', [...unshare, process.execPath, join(root, 'tests/web/serial-chromium.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const begun = new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }));
  child.on('message', ({ id, value, error }: { id: number; value: unknown; error?: string }) =>
    error === undefined ? waiting.get(id)?.resolve(value) : waiting.get(id)?.reject(new Error(error)),
  );
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended'));
  });
  let next = 1;
  await begun;
  return <Value = null>(name: string, ...args: unknown[]): Promise<Value> => {
    const id = next++;
    child.send({ id, name, args });
    return new Promise((resolve, reject) => waiting.set(id, { resolve: (value) => resolve(value as Value), reject }));
  };
}

/** `npm test` sends less than `npm run test:packages`. */
const MIB = Number(process.env['TONKOPF_SERIAL_MIB'] ?? 1);

interface Saved {
  length: number;
  sha256: string;
}

interface Line {
  child: ChildProcess;
  terminal: string;
}

/** A terminal that gets all that is written to `child.stdin`. */
async function fedTerminal(): Promise<Line> {
  const child = spawn('python3', [join(root, 'tests/web/feed-terminal.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  child.stdout!.on('data', (piece) => (said += piece));
  await expect.poll(() => said).toMatch(/\/dev\/pts\/\d+/);
  return { child, terminal: /\/dev\/pts\/\d+/.exec(said)![0] };
}

/** Bytes of a board after which it is killed: some seconds of its time. */
const MUCH = 20_000;
/** Nanoseconds of the board's time per instruction, as a power of two. */
const SHIFT = 7;

/** A board that runs, and sends to a terminal. A file between the two keeps what the terminal does not take yet: a slow reader would make the
 * board lose events. kill() returns all that the board has sent. */
function runningBoard(image: string, uart: string, { child }: Line) {
  writeFileSync(uart, '');
  const board = startBoard(image, SHIFT, uart) as ChildProcess;
  const tail = spawn('tail', ['-c', '+1', '-f', uart], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(board, tail);
  child.stdin!.on('error', () => {}); // it is killed first
  tail.stdout.pipe(child.stdin!);
  return {
    async kill(): Promise<Buffer> {
      board.kill('SIGKILL');
      await once(board, 'exit');
      return readFileSync(uart);
    },
  };
}

describe.skipIf(reason)('Web Serial at a terminal', () => {
  test('a board is recorded while it runs: every frame; it is killed, and another one is one restart', async () => {
    const served = await serve();
    const call = await chromium();
    const image = buildWithKernel('endless', 'cortex-m3', 'late', ['-Os', '-DSECONDS=1000']) as string;
    const saved = join(folder, 'both.bin');
    const uarts: Buffer[] = [];
    for (let number = 1; number <= 2; number++) {
      const line = await fedTerminal();
      await call('plug', line.terminal);
      if (number === 1) await call('open', served.url);
      if (number === 1) await call('connect', '921600');
      else await call('waitFor', 'running');
      const before = Buffer.concat(uarts);
      const board = runningBoard(image, join(folder, `uart-${number}`), line);
      const length = (): Promise<number> => call<Saved>('save', saved).then((file) => file.length);
      await expect.poll(length, SLOWLY).toBeGreaterThan(before.length + MUCH); // the board runs on meanwhile
      uarts.push(await board.kill());
      await expect.poll(length, SLOWLY).toBe(Buffer.concat(uarts).length);
      expect(readFileSync(saved).equals(Buffer.concat(uarts))).toBe(true);
      line.child.kill('SIGKILL');
      await call('waitFor', 'gone');
    }
    await expect.poll(() => call<string>('state')).toContain('1 restart');
    const reportOf = async (bytes: Uint8Array) => (await convert([{ name: 'uart.bin', bytes }])).report;
    const report = await reportOf(readFileSync(saved));
    expect(report.events).toMatchObject({ lost: 0, restarts: 1 });
    const damage = report.problems.filter(({ severity }) => severity === 'damage');
    expect(damage.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(2); // the frames that the kills cut
    const ticks = ({ interrupts }: Report): number => Number(interrupts?.find(({ name }) => name === 'SysTick')?.count);
    const [first, second] = (await Promise.all(uarts.map(reportOf))) as [Report, Report];
    expect(ticks(report)).toBe(ticks(first) + ticks(second));
    await call('plug', (await fedTerminal()).terminal);
    await call('reload'); // the permission stays
    await call('connect', '921600');
    await call('close');
    await served.close();
  });

  test(`${MIB} MiB arrive as they were sent, also while the reader does nothing for two seconds`, async () => {
    const served = await serve();
    const call = await chromium();
    const line = await fedTerminal();
    await call('plug', line.terminal);
    await call('open', served.url);
    await call('connect', '3000000');
    const sent = randomBytes(MIB << 20);
    line.child.stdin!.end(sent);
    await call('stall', 2000);
    await expect
      .poll(() => call<Saved>('save', join(folder, 'bytes.bin')).then(({ length }) => length), SLOWLY)
      .toBe(sent.length);
    const { sha256 } = await call<Saved>('save', join(folder, 'bytes.bin'));
    expect(sha256).toBe(createHash('sha256').update(sent).digest('hex'));
    await call('close');
    await served.close();
  });
});
