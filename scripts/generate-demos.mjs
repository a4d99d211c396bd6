// SPDX-License-Identifier: MIT
// Writes the demo recordings of the page to web/public/demos, which the repository does not contain. Generators simulate the devices and always write the same bytes.
//   node scripts/generate-demos.mjs [DIRECTORY]

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { charger_recording } from '../tests/generator/demo-charger.mjs';
import { espresso_recording } from '../tests/generator/demo-espresso.mjs';
import { gateway_recordings } from '../tests/generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../tests/generator/demo-heatpump.mjs';
import { lift_recording } from '../tests/generator/demo-lift.mjs';
import { motor_recording } from '../tests/generator/demo-motor.mjs';
import { swo_recording } from '../tests/generator/demo-swo.mjs';
import { bench_recording } from '../tests/generator/demo-signals.mjs';
import { printer_recording } from '../tests/generator/demo-printer.mjs';
import { station_recording } from '../tests/generator/demo-station.mjs';
import { wave_dump } from '../tests/generator/demo-wave.mjs';
import { noisy_capture } from '../tests/generator/noise.mjs';

/** id: name in links to the demo; options: values that the recording does not contain
 * @typedef {{ id: string, title: string, sentence: string, files: string[], options?: Record<string, string> }} Demo */

/** The program that reads the link pauses twice, so that the buffer overflows and events are lost. @type {import('../tests/generator/recorder.mjs').Link} */
const SLOW_LINK = {
  capacity: 500,
  bytes_per_tick: 0.08,
  stalls: [
    [1_200_000, 1_290_000],
    [2_100_000, 2_180_000],
  ],
};

/** Returns true for a file that only helps to decode a recording: an ELF file or receive times. @param {string} name of a demo's file */
export const serves_recording = (name) => /\.(elf|times)$/.test(name);

/** Generates all demos and their files. @returns {{ demos: Demo[], files: Map<string, Uint8Array> }} */
export function make_demos() {
  const [core_0, core_1] = gateway_recordings({ bytes: 110_000 });
  const damaged = noisy_capture(
    motor_recording({ bytes: 24_000, seed: 8 }),
    motor_recording({ bytes: 40_000, seed: 9, link: SLOW_LINK }),
    16,
  );
  const calls = heatpump({ rounds: 300 });
  return {
    demos: [
      {
        id: 'freertos',
        title: 'FreeRTOS',
        sentence: 'A motor controller: interrupts feed tasks through queues, two of them share a bus.',
        files: ['freertos.bin'],
      },
      {
        id: 'two-cores',
        title: 'Two cores',
        sentence: 'A weather station whose tasks move between two cores, one file per core.',
        files: ['two-cores.core0.bin', 'two-cores.core1.bin'],
      },
      {
        id: 'bare-metal',
        title: 'Bare metal',
        sentence: 'A battery charger without RTOS: one loop, nested interrupts, measured values.',
        files: ['bare-metal.bin'],
      },
      {
        id: 'active-objects',
        title: 'Active objects',
        sentence: 'A lift on a QP kernel: state machines post events to each other, urgent ones first.',
        files: ['active-objects.bin'],
        options: { 'rate-hz': '1000000' },
      },
      {
        id: 'calls',
        title: 'Calls',
        sentence:
          'A heat pump traced function by function: call stacks of the loop and of what interrupts it, with symbols and receive times.',
        files: ['calls.bin', 'calls.elf', 'calls.times'],
      },
      {
        id: 'tracerecorder',
        title: 'TraceRecorder',
        sentence: 'An espresso machine: states, orders as intervals, log messages with their numbers, heap and stack.',
        files: ['tracerecorder.psf'],
      },
      {
        id: 'systemview',
        title: 'SystemView',
        sentence: 'A 3D printer: waits with their queues, calls with results, messages, temperatures, heap.',
        files: ['printer.SVDat'],
      },
      {
        id: 'swo',
        title: 'ITM and SWO',
        sentence: 'The heat pump on its trace pin: interrupts, samples, a variable and text without a recorder.',
        files: ['swo.bin', 'swo.elf'],
        options: { 'clock-hz': '72000000' },
      },
      {
        id: 'zephyr',
        title: 'Zephyr',
        sentence: 'A weather station with CTF tracing: waits with their objects, a mutex, calls with results, a timer.',
        files: ['station.ctf'],
      },
      {
        id: 'signals',
        title: 'Typed signals',
        sentence: 'A drive on a test bench: speeds, modes, messages on a bus with arrows, and a spectrum.',
        files: ['bench.recTr'],
      },
      {
        id: 'wave',
        title: 'Wave dump',
        sentence: 'A serial transmitter, as a hardware simulator dumps it.',
        files: ['uart.vcd'],
      },
      {
        id: 'damaged',
        title: 'Damaged',
        sentence: 'The motor controller over a bad line, with lost bytes, boot text and a reset.',
        files: ['damaged.bin'],
      },
    ],
    files: new Map([
      ['freertos.bin', motor_recording({ bytes: 120_000 })],
      ['two-cores.core0.bin', core_0],
      ['two-cores.core1.bin', core_1],
      ['bare-metal.bin', charger_recording({ bytes: 60_000 })],
      ['active-objects.bin', lift_recording({ bytes: 120_000 })],
      ['calls.bin', calls.trace],
      ['calls.elf', heatpump_elf()],
      ['calls.times', calls.times],
      ['tracerecorder.psf', espresso_recording({ bytes: 145_000 })],
      ['printer.SVDat', printer_recording({ bytes: 120_000 })],
      ['swo.bin', swo_recording()],
      ['swo.elf', heatpump_elf()],
      ['station.ctf', station_recording({ bytes: 80_000 })],
      ['bench.recTr', bench_recording()],
      ['uart.vcd', wave_dump()],
      ['damaged.bin', damaged],
    ]),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../web/public/demos');
  const { demos, files } = make_demos();
  mkdirSync(dir, { recursive: true });
  for (const [name, bytes] of files) {
    writeFileSync(join(dir, name), bytes);
    console.log(`${name}  ${bytes.length} bytes`);
  }
  writeFileSync(join(dir, 'index.json'), `${JSON.stringify(demos, null, 2)}\n`);
}
