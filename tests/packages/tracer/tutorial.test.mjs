// SPDX-License-Identifier: MIT
// Follows docs/TRACER.md step by step in a FreeRTOS project without the recorder. Only the clock differs: the emulator has no cycle
// counter, so 168 MHz are computed from a timer of 25 MHz.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { root, whichOf } from '../../../scripts/lib.mjs';
import { single } from '../../../scripts/pack_tracer.mjs';
import { startHalted } from '../../target/debugger.mjs';
import { CAN_RUN } from '../../target/emulator.mjs';
import { kernelFolder } from '../../target/fetch-kernel.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-tutorial-')),
  tonkopf = join(root, 'build', 'native', 'cli', 'tonkopf');
/** @param {string} command @param {string[]} args @param {string} cwd */
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(root, 'docs', 'TRACER.md'), 'utf8');
const tutorial = page.slice(page.indexOf('## Ten minutes'), page.indexOf('## Examples'));
/** The code block after a sentence. @param {string} sentence */
function block(sentence) {
  const after = tutorial.slice(tutorial.indexOf(sentence)),
    found = /```\w*\n([\s\S]*?)\n *```/.exec(after);
  if (!tutorial.includes(sentence) || !found) throw new Error(`docs/TRACER.md has no block behind "${sentence}"`);
  return found[1].replaceAll(/^ {3}/gm, '');
}

/** A copy of the project. @param {string} name */
function project(name) {
  const path = join(folder, name);
  cpSync(join(root, 'tests', 'packages', 'tracer', 'tutorial'), path, { recursive: true });
  /** @param {string} file @param {(text: string) => string} change */
  const edit = (file, change) => {
    const before = readFileSync(join(path, file), 'utf8'),
      after = change(before);
    expect(after, file).not.toBe(before);
    writeFileSync(join(path, file), after);
  };
  return { path, edit };
}

/** @param {string} path @param {string[]} settings */
function build(path, ...settings) {
  run(
    'cmake',
    [
      '-S',
      '.',
      '-B',
      'build',
      '-G',
      'Ninja',
      '-DCMAKE_SYSTEM_NAME=Generic',
      '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY',
      '-DCMAKE_C_COMPILER=arm-none-eabi-gcc',
      `-DKERNEL=${kernelFolder()}`,
      `-DBOARD=${join(root, 'tracer', 'examples', 'mps2')}`,
      ...settings,
    ],
    path,
  );
  run('cmake', ['--build', 'build'], path);
  return join(path, 'build', 'firmware');
}

const onEmulator = (/** @type {string} */ text) =>
  `#include "board.h"\n${text
    .replace('tband_clock_widen(tband_cortex_m_cycles())', '(tband_clock_widen(board_time()) * 168u / 25u)')
    .replaceAll('tband_cortex_m_cycles()', 'board_time()')}`;

/** Settings, hooks and start: the steps common to all build systems. @param {ReturnType<typeof project>} of */
function steps({ path, edit }) {
  writeFileSync(join(path, 'tband_config.h'), block('`tband_config.h`:'));
  writeFileSync(join(path, 'tband_port.h'), onEmulator(block('`tband_port.h`')));
  edit('FreeRTOSConfig.h', (text) =>
    text.replace(/\n#endif\n$/, `\n${block('At the end of `FreeRTOSConfig.h`')}\n\n#endif\n`),
  );
  edit('main.c', (text) => text.replace('int main(void) {\n', (line) => `${line}${block('In `main()`')}\n`));
}

const gdb = whichOf('gdb-multiarch', 'arm-none-eabi-gdb');

/** Runs the program to its end, dumps the control block with gdb, converts it. @param {string} image */
async function picture(image) {
  const dump = join(folder, 'ram.bin'),
    command = block('with gdb and a firmware').replace('(gdb) ', '').trim();
  rmSync(dump, { force: true });
  await startHalted(image, 'mps2-an385', async (gate) => {
    const commands = [
      'set remotetimeout 600',
      `target remote ${gate}`,
      'break board_exit',
      'continue',
      command,
      'detach',
    ];
    // The board may end before gdb has disconnected, which gdb reports as an error.
    const { stderr } = await promisify(execFile)(
      String(gdb),
      ['-batch', '-nx', ...commands.flatMap((line) => ['-ex', line]), image],
      { cwd: folder },
    ).catch((error) => error);
    expect(existsSync(dump), stderr).toBe(true);
  });
  const report = JSON.parse(run(tonkopf, ['info', '--json', dump], folder));
  expect(report.problems).toEqual([]);
  expect(report.tick.hz).toBe(168e6);
  expect(report.tasks.map((/** @type {{ name: string }} */ { name }) => name).sort()).toEqual([
    'IDLE',
    'Tmr Svc',
    'receiver',
    'sender',
  ]);
  expect(report.tasks.find((/** @type {{ name: string }} */ { name }) => name === 'IDLE').idle).toBe(true);
  expect(report.queues.map((/** @type {{ name: string }} */ { name }) => name)).toContain('letters');
  expect(run(tonkopf, ['conv', dump, '-o', join(folder, 'out.pftrace')], folder)).toBeDefined();
}

describe.skipIf(!CAN_RUN || !gdb)('the tutorial', () => {
  test('has six steps', () => {
    expect(tutorial.match(/^\d+\. /gm)?.length).toBe(6);
  });

  test('the project builds before', () => {
    build(project('before').path);
  });

  test('with the two added files', async () => {
    const { path, edit } = project('files'),
      shape = single(folder);
    for (const file of ['tband.h', 'tband.c']) cpSync(join(shape, file), join(path, file));
    edit('CMakeLists.txt', (text) =>
      text
        .replace('add_executable(firmware main.c', '$& tband.c')
        .replace('freertos_config INTERFACE "', (line) =>
          line.replace('"', `${join(root, 'tracer', 'examples', 'mps2')} "`),
        ),
    );
    steps({ path, edit });
    writeFileSync(
      join(path, 'tband_port.h'),
      readFileSync(join(path, 'tband_port.h'), 'utf8').replaceAll(/#include "tband_.*\n/g, ''),
    );
    await picture(build(path));
  });

  test('with CMake', async () => {
    const { path, edit } = project('cmake');
    edit(
      'CMakeLists.txt',
      (text) =>
        `${text}\ntarget_include_directories(freertos_config INTERFACE ${join(root, 'tracer', 'examples', 'mps2')})\n${block('With CMake')}\n`,
    );
    steps({ path, edit });
    await picture(build(path, `-DFETCHCONTENT_SOURCE_DIR_TONKOPF=${root}`));
  });
});
