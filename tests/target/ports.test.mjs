// SPDX-License-Identifier: MIT
//
// The port headers: each compiles for its processors, and those that an emulator can run have the right time.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, whichOf } from '../../scripts/lib.mjs';
import { CAN_RUN, OUT, build, emulate } from './emulator.mjs';

const FOLDER = join(root, 'tests', 'target', 'ports');
const TRACER = join(root, 'tracer');
const WARNINGS = ['-Wall', '-Wextra', '-Wconversion', '-Wpedantic', '-Werror'];

const arm = whichOf('arm-none-eabi-gcc'),
  riscv = whichOf('riscv64-unknown-elf-gcc'),
  xtensa = whichOf('xtensa-lx106-elf-gcc'),
  host = whichOf('gcc', 'cc', 'clang'),
  clang = whichOf('clang-16', 'clang-14', 'clang');
const rv32 = ['-misa-spec=2.2', '-mabi=ilp32'];
/** @type {[string, string | undefined, string, string[]][]} */
const COMPILED = [
  ['ARMv6-M', arm, 'SYSTICK', ['-mcpu=cortex-m0plus', '-mthumb']],
  ['ARMv7-M', arm, 'CYCLES', ['-mcpu=cortex-m7', '-mthumb']],
  ['ARMv8-M Baseline', arm, 'SYSTICK', ['-mcpu=cortex-m23', '-mthumb']],
  ['ARMv8-M Mainline', arm, 'CYCLES', ['-mcpu=cortex-m33', '-mthumb']],
  ['ARMv8-M Mainline with clang', clang, 'CYCLES', ['--target=thumbv8m.main-none-eabi']],
  ['RISC-V, mcycle', riscv, 'RISCV', ['-march=rv32imac', ...rv32]],
  ['RISC-V, mtime', riscv, 'MTIME', ['-march=rv32imc', ...rv32]],
  ['RISC-V with clang', clang, 'RISCV', ['--target=riscv32-none-elf', '-march=rv32imac']],
  ['RISC-V with 64 bits', riscv, 'RISCV', ['-march=rv64imac', '-misa-spec=2.2', '-mabi=lp64', '-mcmodel=medany']],
  ['Xtensa', xtensa, 'XTENSA', []],
];

/** `npm test` compiles one of each port header. */
const SAMPLE = new Set(['ARMv6-M', 'ARMv8-M Mainline', 'RISC-V, mcycle', 'RISC-V, mtime', 'Xtensa']);

describe('compiles', () => {
  for (const [name, compiler, port, options] of COMPILED) {
    test.skipIf(!compiler || !(SAMPLE.has(name) || process.env.TONKOPF_EVERY_CASE))(name, () => {
      execFileSync(String(compiler), [
        ...['-std=c11', '-ffreestanding', '-O2', ...WARNINGS, ...options, `-DPORT_${port}`, `-I${FOLDER}`],
        ...['include', 'ports/cortex-m', 'ports/riscv', 'ports/xtensa'].map((path) => `-I${join(TRACER, path)}`),
        ...['-c', join(TRACER, 'src', 'tband.c'), '-o', join(OUT, 'port.o')],
      ]);
    });
  }

  // Without a compiler for Xtensa the assembly is not checked.
  test.skipIf(!host || xtensa)('Xtensa, syntax only', () => {
    execFileSync(String(host), [
      ...['-std=c11', ...WARNINGS, '-DPORT_XTENSA', '-fsyntax-only', `-I${FOLDER}`],
      ...['include', 'ports/xtensa'].map((path) => `-I${join(TRACER, path)}`),
      join(TRACER, 'src', 'tband.c'),
    ]);
  });
});

describe.skipIf(!CAN_RUN)('runs', () => {
  test('SysTick has the time of a timer, and the missing cycle counter is reported', () => {
    const image = build('systick', 'cortex-m3', ['-O2', '-DPORT_SYSTICK', `-I${FOLDER}`], ['../ports/main.c']);
    const [counts, time, difference, falls] = emulate(image, 5).toString().split(' ').map(Number);
    expect(time).toBeGreaterThan(1_000_000);
    expect(falls).toBe(0);
    expect(difference).toBeLessThan(20); // ticks of 40 ns between the two readings
    expect(counts).toBe(0); // the emulator has no cycle counter
  });
});
