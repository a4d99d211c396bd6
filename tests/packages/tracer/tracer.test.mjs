// SPDX-License-Identifier: MIT
// The recorder in another project, with find_package and with FetchContent, and with every supported compiler and processor.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, which, whichOf } from '../../../scripts/lib.mjs';
import { CAN_RUN, buildExample, emulateAtOnce } from '../../target/emulator.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-tracer-'));
const tracer = join(root, 'tracer'),
  tonkopf = join(root, 'build', 'native', 'cli', 'tonkopf');
/** @param {string} command @param {string[]} args */
const run = (command, args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} name @param {string[]} settings */
function records(name, settings) {
  const build = join(folder, name),
    recording = join(folder, `${name}.tband`);
  run('cmake', ['-S', join(tracer, 'examples', 'host'), '-B', build, '-G', 'Ninja', ...settings]);
  run('cmake', ['--build', build]);
  run(join(build, 'demo'), [recording]);
  const events = run(tonkopf, ['dump', '--json', recording])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  for (const event of ['marker begin', 'marker end', 'value'])
    expect(events.filter((one) => one === event).length).toBe(100);
}

test('installed, by find_package', () => {
  run('cmake', ['-S', tracer, '-B', join(folder, 'install'), '-G', 'Ninja']);
  run('cmake', ['--install', join(folder, 'install'), '--prefix', join(folder, 'usr')]);
  records('found', [`-DCMAKE_PREFIX_PATH=${join(folder, 'usr')}`]);
});

test('by FetchContent', () => records('fetched', [`-DDEMO_FETCH=${root}`]));

describe('compile', () => {
  const ours = ['config', 'include', 'ports/cortex-m', 'ports/riscv', 'transports', 'cortexm'].map((path) =>
    join(tracer, path),
  );
  const includes = [folder, ...ours].map((path) => `-I${path}`);
  const warnings = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror', '-ffreestanding'];
  const cpus = ['cortex-m0', 'cortex-m0plus', 'cortex-m3', 'cortex-m4', 'cortex-m7', 'cortex-m23', 'cortex-m33'];
  const triples = ['thumbv6m', 'thumbv7m', 'thumbv7em', 'thumbv8m.base', 'thumbv8m.main'];
  const clang = whichOf('clang-16', 'clang-14', 'clang');
  const backends = ['POST_MORTEM', 'SNAPSHOT', 'STREAMING', 'EXTERNAL'];
  writeFileSync(join(folder, 'tband_config.h'), '#define tband_configENABLE 1\n');
  writeFileSync(
    join(folder, 'tband_port.h'),
    `#include <stdint.h>
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
`,
  );
  writeFileSync(
    join(folder, 'application.cpp'),
    `#include "tband.h"
#include "tband_clock.h"
#include "tband_itm.h"
#include "tband_rtt.h"
#include "tband_transfer.h"
void work();
void work() { tband_isr_enter(1); tband_valmarker(2, -3); tband_start_streaming(); tband_rtt_start(); tband_transfer_pump(); }
`,
  );

  const kernel = [
    `-I${join(root, 'tests', 'tracer', 'kernel')}`,
    '-Dtband_configFREERTOS_TRACE_ENABLE=1',
    '-DKERNEL_VERSION=1102',
    '-Wno-shadow',
  ];
  const further = [
    'MEMORY',
    ...['QUEUE_DETAIL', 'NOTIFICATION', 'EVENT_GROUP', 'STREAM_BUFFER', 'TIMER'].map((what) => `FREERTOS_${what}`),
  ].map((what) => `-Dtband_config${what}_TRACE_ENABLE=1`);

  /** All sources of the recorder that a project compiles, with the settings that need them. @type {Array<[string, string[]]>} */
  const parts = [
    ...backends.map(
      (backend) => /** @type {[string, string[]]} */ (['src/tband.c', [`-Dtband_configUSE_BACKEND_${backend}=1`]]),
    ),
    ['src/tband.c', ['-Dtband_configUSE_BACKEND_POST_MORTEM=1', ...kernel, ...further]],
    ['src/tband_freertos.c', ['-Dtband_configUSE_BACKEND_POST_MORTEM=1', ...kernel]],
    ['src/tband_freertos.c', ['-Dtband_configUSE_BACKEND_POST_MORTEM=1', ...kernel, ...further]],
    ['transports/tband_rtt.c', ['-Dtband_configUSE_BACKEND_STREAMING=1']],
    ['transports/tband_transfer.c', ['-Dtband_configUSE_BACKEND_STREAMING=1']],
  ];

  /** @param {string} compiler @param {string[]} target @param {string[]} [more] sources of tracer/ */
  function compiles(compiler, target, more = []) {
    const all = [...parts, ...more.map((source) => /** @type {[string, string[]]} */ ([source, []]))];
    for (const [source, settings] of all) {
      for (const level of ['-Os', '-O2'])
        run(compiler, [
          '-std=c11',
          ...target,
          level,
          ...warnings,
          ...includes,
          ...settings,
          '-c',
          join(tracer, source),
          '-o',
          join(folder, 'part.o'),
        ]);
    }
    run(compiler, [
      '-x',
      'c++',
      '-std=c++17',
      ...target,
      '-Os',
      ...warnings,
      ...includes,
      '-Dtband_configUSE_BACKEND_STREAMING=1',
      '-c',
      join(folder, 'application.cpp'),
      '-o',
      join(folder, 'application.o'),
    ]);
    expect(readFileSync(join(folder, 'application.o')).length).toBeGreaterThan(500);
  }

  const calls = ['cortexm/calltrace.c'];
  test.skipIf(!which('arm-none-eabi-gcc')).each(cpus)('gcc, %s', (cpu) =>
    compiles('arm-none-eabi-gcc', [`-mcpu=${cpu}`, '-mthumb'], calls),
  );
  test.skipIf(!clang).each(triples)('clang, %s', (triple) =>
    compiles(String(clang), [`--target=${triple}-none-eabi`], calls),
  );
  test.skipIf(!which('riscv64-unknown-elf-gcc')).each([
    ['rv32imac', 'ilp32'],
    ['rv64imac', 'lp64'],
  ])('gcc, %s', (arch, abi) =>
    compiles('riscv64-unknown-elf-gcc', [`-march=${arch}`, '-misa-spec=2.2', `-mabi=${abi}`]),
  );
  test.skipIf(!clang).each([
    ['riscv32', 'rv32imac'],
    ['riscv64', 'rv64imac'],
  ])('clang, %s', (triple, arch) => compiles(String(clang), [`--target=${triple}-none-elf`, `-march=${arch}`]));
});

// The program ends with core 0, whatever core 1 does then: it may have nothing left to record, or be in an interrupt.
const AT_THE_END = ['CORE_ENDED_EARLY', 'ISR_OPEN_AT_END'];

test.skipIf(!CAN_RUN)('two cores at once, forty times', () => {
  const image = buildExample('freertos-smp');
  for (let i = 0; i < 40; i++) {
    const recordings = emulateAtOnce(image).slice(0, 2),
      paths = recordings.map((_, core) => join(folder, `smp.core${core}.tband`));
    recordings.forEach((bytes, core) => writeFileSync(paths[core], bytes));
    const report = JSON.parse(run(tonkopf, ['info', '--json', ...paths]));
    expect(
      report.problems
        .map((/** @type {{ id: string }} */ problem) => problem.id)
        .filter((/** @type {string} */ id) => !AT_THE_END.includes(id)),
      `run ${i}`,
    ).toEqual([]);
  }
});
