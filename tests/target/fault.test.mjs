// SPDX-License-Identifier: MIT
//
// A HardFault ends the recording: the timeline ends with a marker that names function and line, and the report names the crash.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { CAN_RUN, OUT, buildWithKernel, compile, emulateUarts } from './emulator.mjs';
import { events } from './recordings.mjs';

const tonkopf = join(root, 'build', 'native', 'cli', 'tonkopf');
const source = readFileSync(join(root, 'tests', 'target', 'fault', 'main.c'), 'utf8').split('\n');
const lineOf = (/** @type {string} */ text) => source.findIndex((line) => line.includes(text)) + 1;
const UNDEFINED_INSTRUCTION = '65536'; // bit 16 of the CFSR
const PRECISE_WITH_ADDRESS = 0x8200; // of a bus fault, in the CFSR
const MISSING = 0x90000008; // the address that the program reads
const RETURN_TO_TASK = 0xfffffffd; // LR in a handler: to a thread, on the process stack
const FORCED = 2 ** 30; // bit of the HFSR: another fault became a HardFault

test('the handler is installed as in docs/TRACER.md', () => {
  for (const text of [readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8'), source.join('\n')])
    expect(text).toMatch(/^TBAND_FAULT_HANDLER\(\w+, \w+\)$/m);
});

/** Runs the program. @param {string} name @param {string[]} options */
function crash(name, ...options) {
  const image = buildWithKernel(name, 'cortex-m3', 'fault', ['-Os'], { ofProgram: ['-g', ...options] }),
    path = join(OUT, `${name}.bin`);
  const [recording, notes] = emulateUarts(image, 5);
  writeFileSync(path, recording);
  return { image, path, recording, notes: notes.toString() };
}

/** The report's lines on the crash. @param {string} path @param {string} image */
function topOf(path, image) {
  const text = execFileSync(tonkopf, ['info', path, '--with', image], { encoding: 'utf8' });
  return text.slice(0, text.search(/^(No f|F)indings/m)).replaceAll(/\s+/g, ' ');
}

describe.skipIf(!CAN_RUN)('a crash', () => {
  /** @type {ReturnType<typeof crash>} */ let fault;
  beforeAll(() => {
    fault = crash('fault');
  });

  test('is the last event of the recording', () => {
    const all = events('crash', fault.recording),
      motor = all.find((event) => event.event === 'task name' && event.text === 'motor').id;
    expect(all.slice(-3).map(({ event }) => event)).toEqual(['fault state', 'fault context', 'fault']);
    expect(all.at(-2)).toMatchObject({ id: motor });
    expect(all.at(-1)).toMatchObject({ value: UNDEFINED_INSTRUCTION });
    expect(all.at(-1).text).toMatch(/^HardFault at 0x0000/);
    expect(all.at(-3).number).toBe(FORCED);
  });

  test('names function and line with the ELF file of the firmware', () => {
    const report = JSON.parse(
      execFileSync(tonkopf, ['info', '--json', fault.path, '--with', fault.image], { encoding: 'utf8' }),
    );
    expect(report.problems.map((/** @type {any} */ { id }) => id)).toEqual(['TARGET_FAULT']);
    const top = topOf(fault.path, fault.image);
    expect(top).toContain(
      `The target crashed HardFault in motor_update (main.c:${lineOf('udf')}): undefined instruction; PC 0x0000`,
    );
    expect(top).toMatch(/, LR 0x0000[0-9A-F]{4}, xPSR 0x[0-9A-F]{8}, CFSR 0x00010000, HFSR 0x40000000, task #\d/);
  });
});

describe.skipIf(!CAN_RUN)('a bus fault', () => {
  /** @type {ReturnType<typeof crash>} */ let fault;
  beforeAll(() => {
    fault = crash('bus-fault', '-DIMAGE_CHAIN');
  });

  test('is recorded with its address', () => {
    const all = events('bus-fault', fault.recording);
    expect(all.slice(-3).map(({ event }) => event)).toEqual(['fault state', 'fault context', 'fault']);
    expect(all.at(-3)).toMatchObject({ number: FORCED, value: String(MISSING) });
    expect(all.at(-1)).toMatchObject({ value: String(PRECISE_WITH_ADDRESS) });
    const top = topOf(fault.path, fault.image);
    expect(top).toContain(
      `The target crashed HardFault in motor_update (main.c:${lineOf('ldr r0, [%0]')}): bus fault at 0x90000008; PC 0x0000`,
    );
    expect(top).toContain('CFSR 0x00008200, HFSR 0x40000000');
  });

  test('reaches the handler in assembly that the application already has, with all registers', () => {
    const [pc, onMainStack, r4, r11, lr, cfsr, bfar] = fault.notes.trim().split('\n').map(Number);
    expect(events('bus-fault', fault.recording).at(-1).text).toContain(
      `HardFault at 0x${pc.toString(16).padStart(8, '0').toUpperCase()}`,
    );
    expect({ onMainStack, r4, r11, lr, cfsr, bfar }).toEqual({
      onMainStack: 0,
      r4: 44,
      r11: 111,
      lr: RETURN_TO_TASK,
      cfsr: PRECISE_WITH_ADDRESS,
      bfar: MISSING,
    });
  });
});

describe.skipIf(!CAN_RUN)('a crash record by the application', () => {
  test('has the same events', () => {
    const fault = crash('own-handler', '-DIMAGE_OWN_HANDLER'),
      all = events('own-handler', fault.recording);
    expect(all.slice(-3).map(({ event }) => event)).toEqual(['fault state', 'fault context', 'fault']);
    expect(all.at(-1)).toMatchObject({ value: UNDEFINED_INSTRUCTION });
    expect(topOf(fault.path, fault.image)).toContain(`HardFault in motor_update (main.c:${lineOf('udf')})`);
  });
});

test.skipIf(!CAN_RUN)('handlers in C++ have the names of the vector table', () => {
  const includes = ['tests/target/fault', 'tracer/examples/mps2', 'tracer/include'].map(
      (path) => `-I${join(root, path)}`,
    ),
    warnings = ['-Wall', '-Wextra', '-Wold-style-cast', '-Werror'];
  const options = ['-std=c++17', '-ffreestanding', '-mthumb', '-mcpu=cortex-m3', '-Os', ...warnings, ...includes],
    object = compile('arm-none-eabi-g++', options, join(root, 'tests', 'target', 'fault', 'handlers.cpp'));
  const symbols = execFileSync('arm-none-eabi-nm', [object], { encoding: 'utf8' });
  for (const name of ['HardFault', 'BusFault']) {
    expect(symbols).toMatch(new RegExp(` T ${name}_Handler$`, 'm'));
    expect(symbols).toMatch(new RegExp(` t ${name}_Handler_record$`, 'm')); // the handler calls it by this name
  }
});
