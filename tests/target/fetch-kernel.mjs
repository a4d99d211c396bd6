// SPDX-License-Identifier: MIT
// The kernel of FreeRTOS in build/cache/freertos, for examples and tests of the recorder. It is never committed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, provide, root, run } from '../output/fetch.mjs';

const SUM = 'fc85d35ad60d485b5d70d10dffdaefd6c64163f543dfa24e04bc156d8b65d0f1';
const PARTS = [
  'LICENSE.md',
  'include',
  'portable/MemMang',
  ...['ARM_CM0', 'ARM_CM3', 'ARM_CM4F', 'ARM_CM33_NTZ', 'RISC-V'].map((port) => `portable/GCC/${port}`),
  'portable/ThirdParty/GCC/Posix',
  'portable/ThirdParty/GCC/RP2040',
  'tasks.c',
  'queue.c',
  'list.c',
  'timers.c',
  'event_groups.c',
  'stream_buffer.c',
];

function check(folder) {
  const hash = createHash('sha256');
  for (const name of filesBelow(folder)) hash.update(`${name}\0`).update(fs.readFileSync(path.join(folder, name)));
  const sum = hash.digest('hex');
  if (sum !== SUM) throw new Error(`${folder} is not the expected kernel (${sum}); remove the folder and try again`);
}

function fetchInto(folder, work) {
  run(
    'cargo',
    [
      'vendor',
      '--locked',
      '--quiet',
      '--manifest-path',
      path.join(root, 'tests/target/kernel/Cargo.toml'),
      path.join(work, 'crates'),
    ],
    work,
  );
  for (const part of PARTS)
    fs.cpSync(path.join(work, 'crates/freertos-next/FreeRTOS-Kernel', part), path.join(folder, part), {
      recursive: true,
    });
}

/** @type {string | undefined} */
let found;
/** The folder of the kernel; fetched when missing. It is checked once. */
export const kernelFolder = () => (found ??= provide('freertos', check, fetchInto));

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(kernelFolder());
