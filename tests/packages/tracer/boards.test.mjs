// SPDX-License-Identifier: MIT
// Boards whose emulators or SDKs `npm test` does not install, the debugger pyOCD as reader, compilers for the call trace.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cacheDir, installPython, root, which, whichOf } from '../../../scripts/lib.mjs';
import { debug } from '../../target/debugger.mjs';
import { CAN_RUN, addressOf, buildExample, emulate } from '../../target/emulator.mjs';
import { kernelFolder } from '../../target/fetch-kernel.mjs';
import { expectMeasured } from '../../target/measured.mjs';

const here = join(root, 'tests', 'packages', 'tracer'),
  tracer = join(root, 'tracer'),
  examples = join(tracer, 'examples');
const folder = mkdtempSync(join(tmpdir(), 'tonkopf-boards-'));
/** @param {string} command @param {string[]} args */
const run = (command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const clang = whichOf('clang-16', 'clang-14', 'clang');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!CAN_RUN || !which('qemu-system-riscv32') || !which('riscv64-unknown-elf-gcc'))(
  'RISC-V: every run records the same bytes',
  () => {
    const image = buildExample('riscv'),
      recording = join(folder, 'riscv.tband');
    const [first, second] = [0, 1].map(() => {
      run('qemu-system-riscv32', [
        '-M',
        'virt',
        '-bios',
        'none',
        '-icount',
        'shift=5,sleep=off',
        '-display',
        'none',
        '-monitor',
        'none',
        '-serial',
        `file:${recording}`,
        '-kernel',
        image,
      ]);
      return readFileSync(recording);
    });
    expectMeasured(first, false);
    expect(second.equals(first)).toBe(true);
  },
);

test.skipIf(!which('make') || process.platform !== 'linux')('POSIX port of FreeRTOS, twenty times', () => {
  const program = buildExample('posix');
  for (let i = 0; i < 20; i++) {
    run(program, []);
    expectMeasured(readFileSync(join(folder, 'demo.tband')), false);
  }
});

// Only tband_configENABLE changes: a compiler wrapper on the PATH sets it.
test
  .skipIf(!CAN_RUN)
  .each([
    'bare-metal',
    'freertos',
    'freertos-smp',
    'freertos-smp OUT=link',
    'cortex-m0',
    'stm32f4',
    'stm32f4 DMA=1',
    ...['rtt', 'dma', 'itm', 'semihosting', 'usb'].map((link) => `transports LINK=${link}`),
  ])('%s without the recorder', (example) => {
  const [name, ...settings] = example.split(' ');
  const bin = join(folder, 'bin'),
    header = join(folder, 'off.h');
  mkdirSync(bin, { recursive: true });
  writeFileSync(header, '#define TBAND_CONFIG_H\n#define tband_configENABLE 0\n');
  writeFileSync(
    join(bin, 'arm-none-eabi-gcc'),
    `#!/bin/sh\nexec ${which('arm-none-eabi-gcc')} -include ${header} -Werror "$@"\n`,
    { mode: 0o755 },
  );
  const image = join(folder, 'off.elf'),
    env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  execFileSync('make', ['-B', '-C', join(examples, name), `IMAGE=${image}`, `KERNEL=${kernelFolder()}`, ...settings], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(run('arm-none-eabi-nm', [image])).not.toMatch(
    / [tTbBdD] (tband_(record|control|active|freertos)|_SEGGER_RTT)/,
  );
});

test.skipIf(!which('arm-none-eabi-gcc'))('RP2040 with two cores, compiled only, with a stub of the Pico SDK', () => {
  const kernel = kernelFolder(),
    example = join(examples, 'rp2040');
  const includes = [
    example,
    join(tracer, 'include'),
    join(tracer, 'transports'),
    join(tracer, 'ports', 'cortex-m'),
    join(examples, 'mps2', 'libc'),
    join(here, 'pico'),
  ].map((path) => `-I${path}`);
  const theirs = ['include', 'portable/ThirdParty/GCC/RP2040/include'].flatMap((path) => [
    '-isystem',
    join(kernel, path),
  ]);
  const sources = [
    join(example, 'main.c'),
    ...['src/tband.c', 'src/tband_freertos.c', 'transports/tband_rtt.c'].map((path) => join(tracer, path)),
    ...['tasks.c', 'queue.c', 'timers.c', 'event_groups.c'].map((path) => join(kernel, path)),
  ];
  run('arm-none-eabi-gcc', [
    '-std=gnu11',
    '-mcpu=cortex-m0plus',
    '-mthumb',
    '-Os',
    '-ffreestanding',
    '-Wall',
    '-Wextra',
    '-Werror',
    ...includes,
    ...theirs,
    '-c',
    ...sources,
  ]);
});

test.skipIf(!CAN_RUN || !which('python3'))('pyOCD finds the RTT channel and reads the stream', async () => {
  const image = buildExample('transports', 'LINK=rtt'),
    ram = join(folder, 'ram'),
    code = join(folder, 'code');
  await debug(
    image,
    'mps2-an385',
    async (target) => {
      for (let i = 0; i < 20; i++)
        for (const place of ['tband_rtt_pump', 'board_systick']) await target.runTo(addressOf(image, place));
      writeFileSync(ram, await target.read(0x20000000, 0x10000));
      writeFileSync(code, await target.read(0, 0x10000));
    },
    [],
  );
  const packages = join(cacheDir, 'pyocd');
  installPython(packages, 'pyocd==0.46.0');
  writeFileSync(
    join(folder, 'read.py'),
    `import sys
sys.path.insert(0, '${packages}')
from pyocd.debug.rtt import RTTControlBlock
ram, code = bytearray(open('ram', 'rb').read()), open('code', 'rb').read()
class Target:
    def read_memory_block8(self, address, length): return list(ram[address - 0x20000000:][:length] if address >= 0x20000000 else code[address:][:length])
    def read_memory_block32(self, address, count): return [self.read32(address + 4 * i) for i in range(count)]
    def read32(self, address): return int.from_bytes(bytes(self.read_memory_block8(address, 4)), 'little')
    def write32(self, address, value): ram[address - 0x20000000:][:4] = value.to_bytes(4, 'little')
block = RTTControlBlock.from_target(Target(), 0x20000000, len(ram))
block.start()
assert [channel.name for channel in block.up_channels] == ['Tonkopf'] and not block.down_channels
open('rtt.bin', 'wb').write(block.up_channels[0].read())
`,
  );
  run('python3', ['read.py']);
  const events = run(join(root, 'build', 'native', 'cli', 'tonkopf'), ['dump', '--json', 'rtt.bin'])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events.filter((event) => event === 'marker begin').length).toBeGreaterThanOrEqual(15);
});

describe.skipIf(!CAN_RUN || !clang)('call trace by clang', () => {
  test('every call of the example is recorded by the hooks of the compiler', () => {
    const objects = [
      join(examples, 'calls', 'main.c'),
      join(tracer, 'cortexm', 'calltrace.c'),
      join(examples, 'mps2', 'board.c'),
    ].map((source) => {
      const object = join(folder, `${basename(source)}.o`),
        hooks = source.endsWith('main.c') ? ['-DCALLTRACE_HOOKS', '-finstrument-functions'] : [];
      run(String(clang), [
        '--target=thumbv7m-none-eabi',
        '-std=c11',
        '-ffreestanding',
        '-O1',
        '-g',
        '-fno-optimize-sibling-calls',
        '-Wall',
        '-Wextra',
        '-Werror',
        `-I${join(tracer, 'cortexm')}`,
        ...hooks,
        '-c',
        source,
        '-o',
        object,
      ]);
      return object;
    });
    const image = join(folder, 'calls.elf'),
      recording = `${image}.bin`;
    run('arm-none-eabi-gcc', [
      '-mcpu=cortex-m3',
      '-mthumb',
      '-nostdlib',
      '-Wl,--build-id=none',
      '-T',
      join(examples, 'mps2', 'mps2.ld'),
      ...objects,
      '-lgcc',
      '-o',
      image,
    ]);
    writeFileSync(recording, emulate(image, 6));
    const report = JSON.parse(
      run(join(root, 'build', 'native', 'cli', 'tonkopf'), ['info', '--json', '--with', image, recording]),
    );
    const calls = Object.fromEntries(
      report.functions.map((/** @type {{ name: string, calls: number }} */ { name, calls: count }) => [name, count]),
    );
    expect(calls).toEqual({ reset: 0, main: 1, step: 10, fibonacci: 90, board_systick: 10, count: 10 });
  });
});
