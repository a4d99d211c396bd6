// SPDX-License-Identifier: MIT
// Measures how long `tonkopf record gdb: --once` halts a running target, in an emulator, which reports when its processor stops and continues.
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ended, free_port, start } from '../../tests/cli/tool.mjs';
import { CAN_RUN, buildWithKernel, startBoard } from '../../tests/target/emulator.mjs';

const RUNS = 5;
const SHIFT = 7; // 128 ns of the target per instruction

/** Waits until a condition holds, as long as the emulator runs. */
async function until(board, holds) {
  while (!(await holds())) {
    if (board.exitCode !== null) throw new Error(`the emulator has ended with ${board.exitCode}`);
    await pause(10);
  }
}

/** Connects to the emulator's monitor as soon as it is there. */
async function monitorOf(board, path) {
  let socket;
  await until(board, () => {
    socket = createConnection(path);
    return once(socket, 'connect').then(
      () => true,
      () => false,
    );
  });
  return socket;
}

/** Collects the times at which the processor stops and continues, in ms. The emulator reports them as soon as isReady is true. */
function watch(monitor) {
  const seen = { isReady: false, moments: [] };
  let text = '';
  monitor.on('data', (piece) => {
    const lines = (text += piece).split('\n');
    text = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) {
      const { event, timestamp } = message;
      if ('return' in message) seen.isReady = true;
      if (event === 'STOP' || event === 'RESUME')
        seen.moments.push({ event, at: timestamp.seconds * 1000 + timestamp.microseconds / 1000 });
    }
  });
  return seen;
}

/** Returns { bytes, halts }: the bytes that a run reads, and how long each run halts the target, in ms; null without an emulator. */
export async function measureHalt() {
  if (!CAN_RUN) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-halt-'));
  writeFileSync(join(folder, 'uart'), '');
  const port = await free_port();
  const image = buildWithKernel('endless', 'cortex-m3', 'late', ['-Os', '-DSECONDS=1000']);
  const board = startBoard(image, SHIFT, join(folder, 'uart'), [
    ...['-gdb', `tcp:127.0.0.1:${port}`],
    ...['-qmp', `unix:${folder}/monitor,server=on,wait=off`],
  ]);
  try {
    const monitor = await monitorOf(board, join(folder, 'monitor'));
    await until(board, () => statSync(join(folder, 'uart')).size); // the recorder runs
    const seen = watch(monitor),
      { moments } = seen;
    monitor.write('{"execute":"qmp_capabilities"}');
    await until(board, () => seen.isReady);
    const halts = [];
    let bytes = 0;
    for (let run = 0; run < RUNS; run++) {
      const from = moments.length;
      const memory = join(folder, `${run}.bin`);
      const { code, errors } = await ended(start(['record', `gdb:127.0.0.1:${port}`, '--once', '-q', '-o', memory]));
      if (code !== 0) throw new Error(`record gdb: ends with ${code}: ${errors}`);
      bytes = statSync(memory).size;
      await until(board, () => moments.length > from && moments.at(-1).event === 'RESUME');
      const ends = moments.slice(from).filter(({ event }) => event === 'RESUME');
      halts.push(ends.at(-1).at - moments[from].at);
    }
    monitor.destroy();
    return { bytes, halts };
  } finally {
    board.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

export const haltLine = (halt) =>
  halt
    ? `record gdb: halted the emulated target for ${Math.max(...halt.halts).toFixed(1)} ms at most in ${RUNS} runs, to read ${halt.bytes} bytes`
    : 'the halt by record gdb: was not measured: the emulator is missing';
