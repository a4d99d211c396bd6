// SPDX-License-Identifier: MIT
// Random settings: with each the recorder compiles without a warning and needs no library, or is rejected with a specific message.
// TONKOPF_CONFIGURATIONS: how many.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, whichOf } from '../../../scripts/lib.mjs';
import { Random } from '../../generator/random.mjs';

const COUNT = Number(process.env.TONKOPF_CONFIGURATIONS ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-configurations-')),
  tracer = join(root, 'tracer');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BACKENDS = ['POST_MORTEM', 'SNAPSHOT', 'STREAMING', 'EXTERNAL'];
const SWITCHES = [
  'USE_METADATA_BUF',
  'CLOCK_SYNC_ENABLE',
  ...[
    'ISR',
    'MARKER',
    'MEMORY',
    'FREERTOS',
    ...['TASK', 'QUEUE', 'QUEUE_DETAIL', 'NOTIFICATION', 'EVENT_GROUP', 'STREAM_BUFFER', 'TIMER'].map(
      (part) => `FREERTOS_${part}`,
    ),
  ].map((part) => `${part}_TRACE_ENABLE`),
];
const WARNINGS = [
  '-Wall',
  '-Wextra',
  '-Wconversion',
  '-Wundef',
  '-Wpedantic',
  '-Wstrict-prototypes',
  '-Wmissing-prototypes',
];
const OURS = /^(tband_|_SEGGER_RTT$|port_|vTask|xTask|xTimer|ux|_GLOBAL_OFFSET_TABLE_$|__stack_chk_)/; // prefixes of the recorder, the port and the kernel

const gcc = 'arm-none-eabi-gcc',
  nm = 'arm-none-eabi-nm',
  riscv = 'riscv64-unknown-elf-gcc',
  clang = whichOf('clang-16', 'clang-14', 'clang');
/** @type {Array<[string, string[], string | undefined]>} a compiler, its options, a program that lists the symbols of an object */
const TARGETS = /** @type {any} */ ([
  [gcc, ['-mcpu=cortex-m0plus', '-mthumb', '-ffreestanding'], nm],
  [gcc, ['-mcpu=cortex-m3', '-mthumb', '-ffreestanding'], nm],
  [gcc, ['-mcpu=cortex-m33+nodsp+nofp', '-mthumb', '-ffreestanding'], nm],
  [whichOf('gcc', 'cc'), [], 'nm'],
  [riscv, ['-march=rv32imc', '-misa-spec=2.2', '-mabi=ilp32', '-ffreestanding'], 'riscv64-unknown-elf-nm'],
  [clang, ['--target=thumbv6m-none-eabi', '-ffreestanding'], nm],
  [
    clang,
    ['--target=riscv32-none-elf', '-march=rv32imc', '-ffreestanding'],
    whichOf('llvm-nm-16', 'llvm-nm-14', 'llvm-nm'),
  ],
]).filter((/** @type {any} */ [compiler, , lister]) => compiler && whichOf(compiler) && lister && whichOf(lister));

/** @param {Random} random */
function settings(random) {
  const backend = random.pick(BACKENDS);
  /** @type {Record<string, number>} */ const config = { tband_configENABLE: random.chance(0.1) ? 0 : 1 };
  for (const name of BACKENDS) config[`tband_configUSE_BACKEND_${name}`] = name === backend ? 1 : 0;
  for (const name of SWITCHES)
    if (random.chance(0.6)) config[`tband_config${name}`] = random.chance(0.005) ? 2 : random.between(0, 2);
  if (random.chance(0.5)) config.tband_configMAX_STR_LEN = random.pick([0, 1, 9, 10, 11, 15, 20, 20, 226, 227]);
  if (random.chance(0.4)) config.tband_configMETADATA_BUF_SIZE = random.pick([10, 11, 64, 256, 1024]);
  for (const name of BACKENDS.slice(0, 3))
    if (random.chance(0.3))
      config[`tband_configBACKEND_${name}_BUF_SIZE`] = random.pick([56, 112, 152, 333, 512, 4096, 65536]);
  const cores = random.pick([1, 1, 2, 3]),
    lines = [
      '#include <stdbool.h>',
      '#include <stddef.h>',
      '#include <stdint.h>',
      '#include "tband_clock.h"',
      `uint${random.pick([32, 64])}_t port_time(void);`,
      'void port_mask(void);',
      'void port_unmask(void);',
      'uint32_t port_core(void);',
      'uint32_t port_interrupt(void);',
      'bool port_take(const uint8_t *bytes, size_t len);',
      '#define tband_portTIMESTAMP() port_time()',
      '#define tband_portTIMESTAMP_RESOLUTION_NS 40',
      '#define tband_portENTER_CRITICAL_FROM_ANY() port_mask()',
      '#define tband_portEXIT_CRITICAL_FROM_ANY() port_unmask()',
    ];
  if (cores > 1)
    lines.push(`#define tband_portNUMBER_OF_CORES ${cores}`, '#define tband_portGET_CORE_ID() port_core()');
  if (random.chance(0.2)) lines.push('#define tband_portBACKEND_STREAM_DATA(bytes, len) port_take((bytes), (len))');
  if (random.chance(0.7)) lines.push('#define tband_portINTERRUPT_NUMBER() port_interrupt()');
  if (random.chance(0.5)) lines.push('#define tband_portTICK() tband_clock_update((uint32_t)port_time())');
  return {
    config: Object.entries(config)
      .map(([name, value]) => `#define ${name} ${value}\n`)
      .join(''),
    port: `${lines.join('\n')}\n`,
  };
}

const APPLICATION = `#include "tband.h"
void work(int n);
void work(int n) {
    (void)n;
    tband_isr_name(1, "isr"); tband_isr_enter(1); tband_isr_exit(1); tband_fn(2); { tband_fn_begin(3); tband_fn_end(); }
    tband_evtmarker(1, NULL); tband_valmarker(1, -5); tband_gather_system_metadata(); tband_set_groups(3);
    if (tband_tracing_enabled() || tband_get_dropped() || !tband_tracing_finished()) tband_evtmarker_end(1);
    tband_clock_own(1, 2); tband_clock_sync(0, tband_now()); tband_heap_level(1, 2u); tband_allocated(1, &n, 4u, 4u); tband_stack_free(1, 3u);
    tband_freertos_scheduler_started(); tband_freertos_queue_name(NULL, "queue"); tband_freertos_stack(NULL); tband_freertos_task_valmarker(1, 3);
}
`;
const LINK = `#include "tband_link.h"
void transmit(void);
void transmit(void) {
    static struct tband_link link;
    const uint8_t *bytes;
    tband_link_consume(&link, tband_link_peek(&link, &bytes));
}
`;

/** The compiler's messages for a source; '': none. @param {[string, string[], any]} target @param {string} place @param {string} level
 * @param {string} source */
function complaint([compiler, options, lister], place, level, source) {
  const kernel = source.endsWith('tband_freertos.c'),
    object = join(place, 'object.o');
  const includes = [
    place,
    ...['include', 'transports'].map((name) => join(tracer, name)),
    ...(kernel ? [join(root, 'tests', 'tracer', 'kernel')] : []),
  ].map((path) => `-I${path}`);
  const { status, stderr } = spawnSync(
    compiler,
    [
      ...options,
      kernel ? '-std=gnu11' : '-std=c11',
      level,
      ...(kernel ? WARNINGS.filter((name) => name !== '-Wundef') : WARNINGS),
      '-DKERNEL_VERSION=1102',
      ...includes,
      '-c',
      source,
      '-o',
      object,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) return /#error "/.test(stderr) ? '' : stderr;
  if (/warning/.test(stderr)) return stderr;
  const names = spawnSync(String(lister), ['-u', object], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => name && !OURS.test(name));
  return names.length ? `needs ${names}` : '';
}

describe.skipIf(TARGETS.length === 0)('any settings', () => {
  const random = new Random(Number(process.env.TONKOPF_SEED ?? 1));
  test.each(Array.from({ length: COUNT }, (_, number) => number))('%i', (number) => {
    const place = join(folder, String(number)),
      { config, port } = settings(random),
      target = random.pick(TARGETS),
      level = random.pick(['-O0', '-Os', '-O2', '-O3']);
    mkdirSync(place);
    for (const [name, text] of [
      ['tband_config.h', config],
      ['tband_port.h', port],
      ['application.c', APPLICATION],
      ['link.c', LINK],
    ])
      writeFileSync(join(place, name), text);
    const ours = ['src/tband.c', 'src/tband_freertos.c', 'transports/tband_rtt.c', 'transports/tband_transfer.c'].map(
      (path) => join(tracer, path),
    );
    for (const source of [...ours, join(place, 'application.c'), join(place, 'link.c')]) {
      expect(
        complaint(target, place, level, source),
        `${source}\n${target[0]} ${target[1].join(' ')} ${level}\n${config}\n${port}`,
      ).toBe('');
    }
  });
});
