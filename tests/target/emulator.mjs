// SPDX-License-Identifier: MIT
//
// Builds images for emulated boards (mps2-an385: Cortex-M3, mps2-an386: Cortex-M4F, both 25 MHz), runs them and returns their UART output.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, which } from '../../scripts/lib.mjs';
import { kernelFolder } from './fetch-kernel.mjs';

const IMAGES = join(root, 'tests', 'target');
const IMAGE = join(IMAGES, 'image');
const TRACER = join(root, 'tracer');
const BOARD = join(TRACER, 'examples', 'mps2');
// each test worker of each stage has its own folder, because images and UART files are written there
export const OUT = join(root, 'build', 'target', process.env.TONKOPF_STAGE ?? '', process.env.VITEST_POOL_ID ?? '0');
mkdirSync(OUT, { recursive: true });
const PATIENCE_MS = 600_000;

/** The memory of a board in which programs keep their variables. */
export const RAM = 0x20000000,
  RAM_BYTES = 0x10000;

export const CAN_RUN = Boolean(which('arm-none-eabi-gcc') && which('qemu-system-arm') && which('make'));
if (!CAN_RUN)
  console.log('skipped: arm-none-eabi-gcc, qemu-system-arm or make is missing (npm run setup installs them)');

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: PATIENCE_MS });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? status}\n${stderr}`);
  return stdout + stderr;
}

/** The version of the compiler. */
export const COMPILER = CAN_RUN ? run('arm-none-eabi-gcc', ['-dumpfullversion']).trim() : '';

const PLAIN = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Werror'];
const WITH_KERNEL = ['-std=gnu11', '-Wall', '-Wextra', '-Werror'];
const FLAGS = ['-ffreestanding', '-mthumb', '-ffunction-sections', '-fdata-sections'];
const NO_IDENTITY = '-Wl,--build-id=none'; // a later option enables it
const LINK = ['-nostdlib', '-Wl,--gc-sections', '-lgcc'];
const SCRIPT = ['-T', join(BOARD, 'mps2.ld')];
const GCC = 'arm-none-eabi-gcc';

/** Paths of files by the command that makes them. @type {Map<string, string>} */
const files = new Map();

/** The path of a file that a command makes, once. @param {string} name @param {string[]} command @param {(path: string) => string[]} [toPath] its arguments for the path */
function made(name, command, toPath = (path) => ['-o', path]) {
  const key = JSON.stringify(command),
    known = files.get(key);
  if (known) return known;
  const folder = join(OUT, createHash('sha256').update(key).digest('hex').slice(0, 16)),
    path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  run(command[0], [...command.slice(1), ...toPath(path)]);
  files.set(key, path);
  return path;
}

// With a list of all included files (-MD) ccache need not run the preprocessor.
const LAUNCHER = which('ccache') ? ['env', 'CCACHE_DEPEND=1', 'ccache'] : [];

/** The path of an object. @param {string} compiler @param {string[]} options @param {string} source */
export const compile = (compiler, options, source) =>
  made(`${basename(source)}.o`, [...LAUNCHER, compiler, ...options, '-MD', '-c', source]);

/** The path of an image. @param {string} name @param {string[]} options @param {string[]} objects */
const link = (name, options, objects) =>
  made(`${name}.elf`, [GCC, ...FLAGS, NO_IDENTITY, ...options, ...SCRIPT, ...objects, ...LINK]);

/** The object of a file of the board, compiled without the options of the program. @param {string} file @param {string} cpu @param {string[]} options */
const boardObject = (file, cpu, options) =>
  compile(
    GCC,
    [...FLAGS, ...PLAIN, `-mcpu=${cpu}`, ...options.filter((one) => /^-(O|mfloat|mfpu)/.test(one))],
    join(BOARD, file),
  );

/**
 * The path of an image without a kernel.
 * @param {string} name of the result
 * @param {string} cpu as GCC calls it
 * @param {string[]} options
 * @param {string[]} sources in tests/target/image
 * @param {string[]} [ofProgram] further options, not of the recorder
 */
export function build(name, cpu, options, sources, ofProgram = []) {
  const includes = [IMAGE, BOARD, join(TRACER, 'include'), join(TRACER, 'ports/cortex-m')].map((path) => `-I${path}`);
  const own = [...FLAGS, ...PLAIN, `-mcpu=${cpu}`, ...options, ...includes];
  return link(name, own, [
    ...sources.map((source) => compile(GCC, [...own, ...ofProgram], join(IMAGE, source))),
    boardObject('board.c', cpu, options),
    compile(GCC, own, join(TRACER, 'src/tband.c')),
  ]);
}

const KERNEL_SOURCES = ['tasks.c', 'queue.c', 'list.c', 'timers.c', 'portable/MemMang/heap_4.c'];
/** Further sources of the kernel that a program needs. @type {Record<string, string[]>} */
const MORE_KERNEL_SOURCES = { life: ['event_groups.c'], objects: ['event_groups.c', 'stream_buffer.c'] };
/** @type {Record<string, { port: string, fpu: string[] }>} */
const PORTS = {
  'cortex-m3': { port: 'portable/GCC/ARM_CM3', fpu: [] },
  'cortex-m4': { port: 'portable/GCC/ARM_CM4F', fpu: ['-mfloat-abi=hard', '-mfpu=fpv4-sp-d16'] },
};

/** The options of all files of an image with FreeRTOS, but those of the board. @param {string} cpu @param {string} program its folder @param {string[]} options */
function kernelOptions(cpu, program, options) {
  const kernel = kernelFolder(),
    { port, fpu } = PORTS[cpu];
  const own = [
    join(IMAGES, program),
    join(TRACER, 'examples/freertos'),
    BOARD,
    join(BOARD, 'libc'),
    join(TRACER, 'include'),
  ].map((path) => `-I${path}`);
  return [
    ...FLAGS,
    ...WITH_KERNEL,
    `-mcpu=${cpu}`,
    ...fpu,
    ...options,
    ...own,
    ...[join(kernel, 'include'), join(kernel, port)].flatMap((path) => ['-isystem', path]),
  ];
}

/**
 * The path of an image with FreeRTOS and a program of tests/target.
 * @param {string} name of the result
 * @param {string} cpu
 * @param {string} program its folder
 * @param {string[]} options of kernel, recorder and program
 * @param {{ ofRecorder?: string[], ofProgram?: string[] }} [more] further options of recorder and program, or of the program only
 */
export function buildWithKernel(name, cpu, program, options, { ofRecorder = [], ofProgram = [] } = {}) {
  const kernel = kernelFolder(),
    { port, fpu } = PORTS[cpu],
    ofAll = kernelOptions(cpu, program, options);
  const kernelSources = [...KERNEL_SOURCES, ...(MORE_KERNEL_SOURCES[program] ?? []), `${port}/port.c`];
  return link(name, ofAll, [
    compile(GCC, [...ofAll, ...ofRecorder, ...ofProgram], join(IMAGES, program, 'main.c')),
    boardObject('board.c', cpu, [...fpu, ...options]),
    compile(GCC, [...ofAll, ...ofRecorder], join(TRACER, 'src/tband.c')),
    ...kernelSources.map((file) => compile(GCC, ofAll, join(kernel, file))),
    compile(GCC, ofAll, join(TRACER, 'src/tband_freertos.c')),
    boardObject('libc/libc.c', cpu, [...fpu, ...options]),
  ]);
}

/** The path of an example's image, built as documented, once. @param {string} name @param {string[]} settings */
export const buildExample = (name, ...settings) =>
  made(`${name}.elf`, ['make', '-B', '-C', join(TRACER, 'examples', name), ...settings], (path) => [`IMAGE=${path}`]);

/** The address of a function or variable of an image. @param {string} path @param {string} symbol */
export function addressOf(path, symbol) {
  const line = run('arm-none-eabi-nm', [path])
    .split('\n')
    .find((row) => row.endsWith(` ${symbol}`));
  if (!line) throw new Error(`${path} has no ${symbol}`);
  return parseInt(line, 16);
}

/** The arguments of the emulator. @param {string} path @param {string} machine @param {string[]} options @param {string[]} serials what the UARTs are connected to */
export const boardOf = (path, machine, options, serials) => [
  '-M',
  machine,
  ...options,
  '-display',
  'none',
  '-monitor',
  'none',
  ...serials.flatMap((serial) => ['-serial', serial]),
  '-semihosting-config',
  'enable=on,target=native',
  '-kernel',
  path,
];

/**
 * The UART output of an image.
 * @param {string} path @param {string} machine @param {number} uarts @param {string[]} timing @param {string} [folder] for files that it writes itself
 */
function runImage(path, machine, uarts, timing, folder) {
  const files = Array.from({ length: uarts }, (_, number) => `${path}.uart${number}`);
  const serials = files.map((file) => `file:${file}`);
  run('qemu-system-arm', boardOf(path, machine, timing, serials), folder);
  return files.map((file) => readFileSync(file));
}

/** An instruction takes 2^shift ns of the board's time, so that every run is the same. @param {string} path @param {number} shift @param {string} [machine] @param {number} [uarts] @param {string} [folder] */
export const emulateUarts = (path, shift, machine = 'mps2-an385', uarts = 2, folder = undefined) =>
  runImage(path, machine, uarts, ['-icount', `shift=${shift},sleep=off`], folder);

/** Starts an image that runs until it is killed. Its UART 0 writes to a file, so that no reader can hold it back. @param {string} path @param {number} shift @param {string} uart @param {string[]} more options */
export const startBoard = (path, shift, uart, more = []) =>
  spawn('qemu-system-arm', boardOf(path, 'mps2-an385', ['-icount', `shift=${shift}`, ...more], [`file:${uart}`]), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The output of an image on UART 0. @param {string} path @param {number} shift @param {string} [machine] */
export const emulate = (path, shift, machine) => emulateUarts(path, shift, machine, 1)[0];

/** The output of an image on UART 0 and 1; UART 0 receives the input. @param {string} path @param {number} shift @param {string | Buffer} input */
export function emulateWithInput(path, shift, input) {
  const notes = `${path}.uart1`;
  const timing = ['-icount', `shift=${shift},sleep=off`];
  const args = boardOf(path, 'mps2-an385', timing, ['stdio', `file:${notes}`]);
  const { status, stdout, stderr, error } = spawnSync('qemu-system-arm', args, { input, timeout: PATIENCE_MS });
  if (error || status !== 0) throw new Error(`${path}: ${error?.message ?? status}\n${stderr}`);
  return [stdout, readFileSync(notes)];
}

/** Both cores run at once at full speed, so every run differs. @param {string} path */
export const emulateAtOnce = (path) => runImage(path, 'mps2-an521', 3, ['-accel', 'tcg,thread=multi']);

/** Bytes of each variable of an image with the kernel, by name. @param {string} path @returns {Record<string, number>} */
export function variables(path) {
  const rows = run('arm-none-eabi-nm', ['--print-size', path])
    .split('\n')
    .map((row) => row.split(' '))
    .filter(([, , kind]) => /^[bBdD]$/.test(kind));
  return Object.fromEntries(rows.map(([, size, , name]) => [name, parseInt(size, 16)]));
}

/** Code size of recorder and hooks. @param {string} cpu @param {string} level @param {string[]} [options] */
export function codeSize(cpu, level, options = []) {
  const own = kernelOptions(cpu, 'switch', [level, ...options]);
  const objects = ['tband.c', 'tband_freertos.c'].map((source) => compile(GCC, own, join(TRACER, 'src', source)));
  const rows = run('arm-none-eabi-size', objects).trim().split('\n').slice(1);
  return rows.reduce((sum, row) => sum + Number(row.trim().split(/\s+/)[0]), 0);
}
