// SPDX-License-Identifier: MIT
// The recorder in the project of somebody else, by find_package and by FetchContent; and every compiler and processor that it is for.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, which, whichOf } from '../../../scripts/lib.mjs';
import { CAN_RUN, buildExample, emulateAtOnce } from '../../target/emulator.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-tracer-'));
const tracer = join(root, 'tracer'), tonkopf = join(root, 'build', 'native', 'cli', 'tonkopf');
/** @param {string} command @param {string[]} args */
const run = (command, args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} name @param {string[]} settings */
function records(name, settings) {
  const build = join(folder, name), recording = join(folder, `${name}.tband`);
  run('cmake', ['-S', join(tracer, 'examples', 'host'), '-B', build, '-G', 'Ninja', ...settings]);
  run('cmake', ['--build', build]);
  run(join(build, 'demo'), [recording]);
  const events = run(tonkopf, ['dump', '--json', recording]).trim().split('\n').map((line) => JSON.parse(line).event);
  for (const event of ['marker begin', 'marker end', 'value']) expect(events.filter((one) => one === event).length).toBe(100);
}

test('installed, by find_package', () => {
  run('cmake', ['-S', tracer, '-B', join(folder, 'install'), '-G', 'Ninja']);
  run('cmake', ['--install', join(folder, 'install'), '--prefix', join(folder, 'usr')]);
  records('found', [`-DCMAKE_PREFIX_PATH=${join(folder, 'usr')}`]);
});

test('by FetchContent', () => records('fetched', [`-DDEMO_FETCH=${root}`]));

describe('compile', () => {
  const includes = [join(tracer, 'config'), join(tracer, 'include'), join(tracer, 'ports', 'cortex-m'), join(tracer, 'ports', 'riscv'), folder].map((path) => `-I${path}`);
  const warnings = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror', '-ffreestanding'];
  const cpus = ['cortex-m0plus', 'cortex-m3', 'cortex-m4', 'cortex-m7', 'cortex-m23', 'cortex-m33'];
  const triples = ['thumbv6m', 'thumbv7m', 'thumbv7em', 'thumbv8m.base', 'thumbv8m.main'];
  const clang = whichOf('clang-16', 'clang-14', 'clang');
  writeFileSync(join(folder, 'tband_port.h'), `#include <stdint.h>
#ifdef __riscv
#include "tband_riscv.h"
#else
#include "tband_cortex_m.h"
#endif
#ifdef __cplusplus
extern "C"
#endif
uint32_t now(void);
#define tband_portTIMESTAMP() now()
#define tband_portTIMESTAMP_RESOLUTION_NS 1000
`);
  writeFileSync(join(folder, 'application.cpp'), '#include "tband.h"\nvoid work();\nvoid work() { tband_isr_enter(1); tband_valmarker(2, -3); tband_start_post_mortem(); }\n');

  /** @param {string} compiler @param {string[]} target */
  function compiles(compiler, target) {
    for (const level of ['-Os', '-O2']) run(compiler, ['-std=c11', ...target, level, ...warnings, ...includes, '-c', join(tracer, 'src', 'tband.c'), '-o', join(folder, 'tband.o')]);
    run(compiler, ['-x', 'c++', '-std=c++17', ...target, '-Os', ...warnings, ...includes, '-c', join(folder, 'application.cpp'), '-o', join(folder, 'application.o')]);
    expect(readFileSync(join(folder, 'application.o')).length).toBeGreaterThan(500);
  }

  test.skipIf(!which('arm-none-eabi-gcc')).each(cpus)('gcc, %s', (cpu) => compiles('arm-none-eabi-gcc', [`-mcpu=${cpu}`, '-mthumb']));
  test.skipIf(!clang).each(triples)('clang, %s', (triple) => compiles(String(clang), [`--target=${triple}-none-eabi`]));
  test.skipIf(!clang)('clang, riscv32 and riscv64', () => {
    compiles(String(clang), ['--target=riscv32-none-elf', '-march=rv32imac']);
    compiles(String(clang), ['--target=riscv64-none-elf', '-march=rv64imac']);
  });
});

test.skipIf(!CAN_RUN)('two cores at once, forty times', () => {
  const image = buildExample('freertos-smp');
  for (let i = 0; i < 40; i++) {
    const recordings = emulateAtOnce(image).slice(0, 2), paths = recordings.map((_, core) => join(folder, `smp.core${core}.tband`));
    recordings.forEach((bytes, core) => writeFileSync(paths[core], bytes));
    const report = JSON.parse(run(tonkopf, ['info', '--json', ...paths]));
    expect(report.problems.map((/** @type {{ id: string }} */ problem) => problem.id).filter((/** @type {string} */ id) => id !== 'CORE_ENDS_EARLY'), `run ${i}`).toEqual([]);
  }
});
