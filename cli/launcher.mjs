#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Starts the native program from the package of this platform, which npm installs beside this package.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

const windows = process.platform === 'win32';
const platform = process.platform === 'darwin' ? 'darwin' : `${process.platform}-${process.arch}`;
const NOT_FOUND = 127; // as shells do; 1 would mean that a gate of the program failed

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
 * The program has a session of its own, so that Ctrl-C and the like reach it through here only: once, although npx and `timeout` send
 * a signal several times. At a second signal the program would give up and remove its output.
 */
function forwardSignals(child) {
  let last = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      const now = performance.now();
      if (!windows && now - last > 500) child.kill(signal);
      last = now;
    });
  if (windows) return; // the console sends Ctrl-C to the program itself
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
