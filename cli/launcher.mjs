#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Starts the native program. It is in the package of this platform, which npm installs together with this package.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

const windows = process.platform === 'win32';
const platform = process.platform === 'darwin' ? 'darwin' : `${process.platform}-${process.arch}`;
const NOT_FOUND = 127; // exit code of shells for a missing program; 1 would mean that --fail-on or --expect failed

function findProgram() {
  try {
    return createRequire(import.meta.url).resolve(`@tonkopf/${platform}/bin/tonkopf${windows ? '.exe' : ''}`);
  } catch {
    return null;
  }
}

function fail(reason) {
  console.error(
    `tonkopf: ${reason}: use the library (import { convert } from 'tonkopf') or a program from https://github.com/tonkopf/tonkopf/releases`,
  );
  process.exitCode = NOT_FOUND;
}

/**
 * Forwards signals to the program, which runs in a separate session and does not get them itself. npx and `timeout` may send a signal
 * several times; at a second signal the program would exit and remove its output. So signals within 500 ms are forwarded once.
 */
function forwardSignals(child) {
  let last = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      const now = performance.now();
      if (!windows && now - last > 500) child.kill(signal);
      last = now;
    });
  if (windows) return; // the console sends Ctrl-C directly to the program
  process.on('SIGTSTP', () => child.kill('SIGSTOP') && process.kill(process.pid, 'SIGSTOP'));
  process.on('SIGCONT', () => child.kill('SIGCONT'));
}

const program = findProgram();
if (program) {
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', detached: !windows });
  forwardSignals(child);
  child.on('error', (error) => fail(`${program} does not start (${error.message})`));
  child.on('exit', (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : code));
} else fail(`there is no program for ${platform} (no package @tonkopf/${platform})`);
