// SPDX-License-Identifier: MIT
// The recorder in other packages: one header and one source, a CMSIS-Pack, a Zephyr module.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cacheDir, installPython, root, which, whichOf } from '../../../scripts/lib.mjs';
import { cmsisPack, single } from '../../../scripts/pack_tracer.mjs';
import { CAN_RUN, buildExample, emulate } from '../../target/emulator.mjs';
import { kernelFolder } from '../../target/fetch-kernel.mjs';
import { events } from '../../target/recordings.mjs';

const here = join(root, 'tests', 'packages', 'tracer'),
  tracer = join(root, 'tracer');
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-shapes-'));
/** @param {string} command @param {string[]} args @param {import('node:child_process').ExecFileSyncOptions} [options] */
const run = (command, args, options) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26, ...options });
/** @param {string} name @param {string} text */
function write(name, text) {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BACKENDS = ['POST_MORTEM', 'SNAPSHOT', 'STREAMING', 'EXTERNAL'];
const WARNINGS = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror'];
const compilers = [whichOf('gcc', 'cc'), whichOf('clang-16', 'clang-14', 'clang')].filter(Boolean).map(String);

describe('one header and one source', () => {
  /** @type {string} */ let shape;
  beforeAll(() => {
    shape = single(folder);
    write(
      'host/tband_port.h',
      `#include <stdint.h>
extern uint64_t now;
#define tband_portTIMESTAMP() now
#define tband_portTIMESTAMP_RESOLUTION_NS 40
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
`,
    );
    write(
      'host/tband_config.h',
      `#define tband_configENABLE 1
#define tband_configBACKEND_POST_MORTEM_BUF_SIZE 900
#define tband_configBACKEND_STREAMING_BUF_SIZE 900
`,
    );
  });

  /** The recording of the program with the recorder in `source`. @param {string} compiler @param {string} source @param {string} include @param {string} backend */
  function record(compiler, source, include, backend) {
    const program = join(folder, 'program');
    run(compiler, [
      '-std=c11',
      '-O1',
      ...WARNINGS,
      `-Dtband_configUSE_BACKEND_${backend}=1`,
      '-Ihost',
      `-I${include}`,
      join(here, 'recording.c'),
      source,
      '-o',
      program,
    ]);
    return run(program, []);
  }

  test.each(compilers.flatMap((compiler) => BACKENDS.map((backend) => [compiler, backend])))(
    '%s, %s: the same bytes',
    (compiler, backend) => {
      const expected = record(compiler, join(tracer, 'src', 'tband.c'), join(tracer, 'include'), backend);
      expect(expected.length).toBeGreaterThan(500);
      expect(record(compiler, join(shape, 'tband.c'), shape, backend)).toEqual(expected);
    },
  );

  test('an error of the preprocessor has its sentence', () => {
    const errors = ['tband.h', 'tband.c'].flatMap((file) =>
      readFileSync(join(shape, file), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('#error')),
    );
    expect(errors.length).toBeGreaterThan(20);
    for (const line of errors) expect(line).toMatch(/^#error ".+\."$/);
  });

  test('C++17', () => {
    write(
      'application.cpp',
      '#include "tband.h"\nvoid work();\nvoid work() { tband_fn_begin(1); tband_valmarker(2, -3); tband_start_post_mortem(); tband_fn_end(); }\n',
    );
    for (const compiler of compilers)
      run(compiler, [
        '-x',
        'c++',
        '-std=c++17',
        ...WARNINGS,
        '-Wold-style-cast',
        '-Dtband_configUSE_BACKEND_POST_MORTEM=1',
        '-Ihost',
        `-I${shape}`,
        '-c',
        'application.cpp',
        '-o',
        'application.o',
      ]);
  });

  test.skipIf(!which('arm-none-eabi-gcc')).each(['cortex-m0plus', 'cortex-m3', 'cortex-m33'])(
    '%s, with the settings beside it and every transport',
    (cpu) => {
      write(
        'm0/tband_port.h',
        '#define tband_portTIMESTAMP() (*(const volatile uint32_t *)0x40054028u)\n#define tband_portTIMESTAMP_RESOLUTION_NS 1000\n',
      );
      const target = [
        '-std=c11',
        `-mcpu=${cpu}`,
        '-mthumb',
        '-Os',
        '-ffreestanding',
        ...WARNINGS,
        ...(cpu === 'cortex-m0plus' ? ['-Im0'] : []),
        `-I${shape}`,
        `-I${join(shape, 'config')}`,
      ];
      run('arm-none-eabi-gcc', [...target, '-c', join(shape, 'tband.c'), '-o', 'tband.o']);
      write(
        'stream.h',
        '#define tband_configUSE_BACKEND_STREAMING 1\n#define tband_configENABLE 1\n#define TBAND_CONFIG_H\n',
      );
      for (const transport of ['rtt', 'transfer'])
        run('arm-none-eabi-gcc', [
          ...target,
          '-include',
          'stream.h',
          '-c',
          join(shape, `tband_${transport}.c`),
          '-o',
          'transport.o',
        ]);
      write(
        'crash.h',
        '#define tband_configUSE_BACKEND_POST_MORTEM 1\n#define tband_configENABLE 1\n#define tband_configFAULT_ENABLE 1\n#define TBAND_CONFIG_H\n',
      );
      write(
        'crash.c',
        '#include "tband_fault.h"\nstatic void end(void) {}\nTBAND_FAULT_HANDLER(HardFault_Handler, end)\n',
      );
      run('arm-none-eabi-gcc', [...target, '-include', 'crash.h', '-c', 'crash.c', '-o', 'crash.o']);
    },
  );

  test.skipIf(!CAN_RUN)('with FreeRTOS', () => {
    const kernel = kernelFolder(),
      port = join(kernel, 'portable', 'GCC', 'ARM_CM3');
    const sources = [
      'main.c',
      '../mps2/board.c',
      '../mps2/libc/libc.c',
      join(shape, 'tband.c'),
      ...['tasks.c', 'queue.c', 'list.c', 'timers.c', 'portable/MemMang/heap_4.c'].map((name) => join(kernel, name)),
      join(port, 'port.c'),
    ];
    write(
      'kernel/tband_port.h',
      '#include "../mps2/board.h"\n#define tband_portTIMESTAMP() tband_clock_widen(board_time())\n#define tband_portTICK() tband_clock_update(board_time())\n#define tband_portTIMESTAMP_RESOLUTION_NS NS_PER_TICK\n',
    );
    const includes = [
      `-I${join(folder, 'kernel')}`,
      `-I${shape}`,
      '-I.',
      '-I../mps2/libc',
      '-isystem',
      join(kernel, 'include'),
      '-isystem',
      port,
    ];
    const order = (/** @type {string} */ name, /** @type {string} */ image) =>
      events(name, emulate(image, 5)).map(({ event, id, text }) => [event, id, text].join(' '));
    const image = join(folder, 'single.elf');
    run('make', [
      '-C',
      join(tracer, 'examples', 'freertos'),
      `IMAGE=${image}`,
      `SOURCES=${sources.join(' ')}`,
      `INCLUDES=${includes.join(' ')}`,
    ]);
    expect(order('single', image)).toEqual(order('several', buildExample('freertos')));
  });
});

describe('CMSIS-Pack', () => {
  test('its description follows the specification, and every file and condition in it exists', () => {
    const path = cmsisPack(folder),
      unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    run('cmake', ['-E', 'tar', 'xf', path], { cwd: unpacked });
    const pdsc = join(unpacked, 'Tonkopf.Tracer.pdsc'),
      text = readFileSync(pdsc, 'utf8');
    run('xmllint', ['--noout', '--schema', join(here, 'pdsc.xsd'), pdsc]);
    const named = (/** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
    const files = named(/<file [^>]*name="([^"]+)"/g);
    for (const file of [...files, ...named(/<license>([^<]+)</g)])
      expect(existsSync(join(unpacked, file)), file).toBe(true);
    expect([...files, 'LICENSE', 'Tonkopf.Tracer.pdsc'].sort()).toEqual(
      run('find', ['.', '-type', 'f', '-printf', '%P\n'], { cwd: unpacked, encoding: 'utf8' })
        .toString()
        .trim()
        .split('\n')
        .sort(),
    );
    const conditions = named(/<condition id="([^"]+)"/g);
    for (const condition of named(/ condition="([^"]+)"/g)) expect(conditions).toContain(condition);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(new Set(named(/(?:Cversion|release version)="([^"]+)"/g))).toEqual(new Set([version]));
  });
});

describe('Zephyr module', () => {
  const packages = join(cacheDir, 'kconfiglib');
  const python = (/** @type {string[]} */ ...args) =>
    run('python3', args, { env: { ...process.env, PYTHONPATH: packages } });
  beforeAll(() => {
    installPython(packages, 'kconfiglib==14.1.0', 'PyYAML==6.0.3');
    write(
      'Kconfig',
      `${['SMP', 'USERSPACE', 'USE_SEGGER_RTT', 'TIMER_READS_ITS_FREQUENCY_AT_RUNTIME'].map((name) => `config ${name}\n\tbool\n`).join('')}source "${join(tracer, 'zephyr', 'Kconfig')}"\n`,
    );
    write(
      'settings.py',
      `import sys, kconfiglib
tree = kconfiglib.Kconfig('Kconfig', warn_to_stderr=False)
for setting in sys.argv[2:]: tree.syms[setting].set_value(2)
assert not tree.warnings, tree.warnings
tree.write_autoconf(sys.argv[1])
tree.write_config('config')
`,
    );
  });

  test('module.yml names existing files and uses valid keys', () => {
    const said = python(
      '-c',
      `import yaml, json; print(json.dumps(yaml.safe_load(open('${join(root, 'zephyr', 'module.yml')}'))))`,
    );
    const { name, build, ...others } = JSON.parse(said.toString());
    expect([name, others, Object.keys(build)]).toEqual(['tonkopf', {}, ['cmake', 'kconfig']]);
    expect(existsSync(join(root, build.cmake, 'CMakeLists.txt'))).toBe(true);
    expect(existsSync(join(root, build.kconfig))).toBe(true);
  });

  const CHOICES = [
    ['TONKOPF_TRACER'],
    ['TONKOPF_TRACER', 'TONKOPF_TRACER_SNAPSHOT'],
    ['TONKOPF_TRACER', 'TONKOPF_TRACER_STREAMING', 'TONKOPF_TRACER_RTT', 'TONKOPF_TRACER_TRANSFER'],
  ];
  test.each(CHOICES.flatMap((settings) => [100_000_000, 168_000_000].map((hz) => ({ settings, hz }))))(
    '$settings at $hz Hz compiles with a stub of the kernel',
    ({ settings, hz }) => {
      python('settings.py', 'autoconf.h', ...settings);
      write(
        'autoconf.h',
        `${readFileSync(join(folder, 'autoconf.h'), 'utf8')}#define CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC ${hz}\n`,
      );
      const chosen =
        readFileSync(join(folder, 'config'), 'utf8')
          .match(/^CONFIG_\w+=y$/gm)
          ?.map((line) => `-D${line}`) ?? [];
      rmSync(join(folder, 'module'), { recursive: true, force: true });
      run('cmake', [
        '-S',
        join(here, 'zephyr'),
        '-B',
        'module',
        '-G',
        'Ninja',
        `-DMODULE=${join(tracer, 'zephyr')}`,
        `-DSTAND_INS=${join(here, 'zephyr')}`,
        `-DAUTOCONF=${join(folder, 'autoconf.h')}`,
        ...chosen,
      ]);
      run('cmake', ['--build', 'module']);
      const sources =
        2 + Number(settings.includes('TONKOPF_TRACER_RTT')) + Number(settings.includes('TONKOPF_TRACER_TRANSFER'));
      expect(run('find', ['module', '-name', '*.o']).toString().trim().split('\n').length).toBe(sources);
    },
  );
});
