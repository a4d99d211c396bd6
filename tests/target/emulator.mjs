// SPDX-License-Identifier: MIT
//
// Builds images for the emulated board mps2-an385 (Cortex-M3, 25 MHz) and runs them: what they write to UART 0.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, which } from '../../scripts/lib.mjs';

const IMAGE = join(root, 'tests', 'target', 'image');
const BOARD = join(root, 'tracer', 'examples', 'mps2');
const OUT = join(root, 'build', 'target');

export const CAN_RUN = Boolean(which('arm-none-eabi-gcc') && which('qemu-system-arm') && which('make'));
if (!CAN_RUN) console.log('skipped: arm-none-eabi-gcc, qemu-system-arm or make is missing (npm run setup installs them)');

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? status}\n${stderr}`);
  return stdout + stderr;
}

/**
 * The path of an image.
 * @param {string} name of the result
 * @param {string} cpu as GCC calls it
 * @param {string[]} options
 * @param {string[]} sources in tests/target/image
 */
export function build(name, cpu, options, sources) {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `${name}.elf`);
  const includes = [IMAGE, BOARD, join(root, 'tracer/include'), join(root, 'tracer/ports/cortex-m')].map((folder) => `-I${folder}`);
  const all = [...sources.map((source) => join(IMAGE, source)), join(BOARD, 'board.c'), join(root, 'tracer/src/tband.c')];
  run('arm-none-eabi-gcc', ['-std=c11', '-ffreestanding', '-nostdlib', `-mcpu=${cpu}`, '-mthumb', '-Wall', '-Wextra', '-Wconversion', '-Werror', '-ffunction-sections', '-fdata-sections',
    '-Wl,--gc-sections', '-Wl,--build-id=none', '-T', join(BOARD, 'mps2.ld'), ...options, ...includes, ...all, '-lgcc', '-o', path]);
  return path;
}

/** The path of an example's image, built as its page says. @param {string} name */
export function buildExample(name) {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `${name}.elf`);
  run('make', ['-B', '-C', join(root, 'tracer', 'examples', name), `IMAGE=${path}`]);
  return path;
}

/**
 * What an image wrote. An instruction takes 2^shift ns of the board's time, so that every run is the same.
 * @param {string} path @param {number} shift
 */
export function emulate(path, shift) {
  const serial = `${path}.uart`;
  run('qemu-system-arm', ['-M', 'mps2-an385', '-icount', `shift=${shift},sleep=off`, '-display', 'none', '-monitor', 'none', '-serial', `file:${serial}`,
    '-semihosting-config', 'enable=on,target=native', '-kernel', path]);
  return readFileSync(serial);
}

/** Bytes of code of one object. @param {string} cpu @param {string} level */
export function codeSize(cpu, level) {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `tband-${cpu}${level}.o`);
  run('arm-none-eabi-gcc', ['-std=c11', '-ffreestanding', `-mcpu=${cpu}`, '-mthumb', level, `-I${IMAGE}`, `-I${BOARD}`, `-I${join(root, 'tracer/include')}`, `-I${join(root, 'tracer/ports/cortex-m')}`,
    '-c', join(root, 'tracer/src/tband.c'), '-o', path]);
  return Number(run('arm-none-eabi-size', [path]).split('\n')[1].trim().split(/\s+/)[0]);
}
