// SPDX-License-Identifier: MIT
// Symbol files in Node: recognised by content, read by ranges if the source can seek, otherwise whole.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../golden/cases.mjs';

const { convert, inspect } = await import(pathToFileURL(join(root, 'lib', 'index.js')).href);
const { QsStream } = await import(pathToFileURL(join(root, 'tests', 'generator', 'golden-qs-stream.mjs')).href);
const { arm_map, elf_file, gnu_map, iar_map, lld_map } = await import(
  pathToFileURL(join(root, 'tests', 'generator', 'elf.mjs')).href
);

const firmware = {
  functions: [
    { name: 'Door_closed', address: 0x08000100, size: 16, unit: 'door.c' },
    { name: 'Door_open', address: 0x08000200, size: 16, unit: 'door.c' },
  ],
  variables: [{ name: 'l_door', address: 0x20000100, size: 32, unit: 'door.c' }],
};
const recording = {
  name: 'door.bin',
  bytes: new QsStream().start().step(100, 4, 0x20000100, 0x08000101).step(900, 4, 0x20000100, 0x08000201).bytes(),
};
const objects = ({ report }: { report: { objects: { name: string }[] } }): string[] =>
  report.objects.map(({ name }) => name);

const maps: Record<string, string> = {
  'map of GNU ld': gnu_map(firmware),
  'map of LLVM lld': lld_map(firmware),
  'map of IAR': iar_map(firmware, { grouped: true }),
  'map of armlink': arm_map(firmware),
};

test.each(Object.entries(maps))(
  'a %s is recognised with any line ends, is not recognised as hex, and names pointers',
  async (kind, text) => {
    for (const dressed of [text, text.replaceAll(/\r?\n/g, '\r\n'), `\ufeff${text}`]) {
      const [detected] = await inspect([{ name: 'any.txt', bytes: Buffer.from(dressed) }]);
      expect([detected.encoding, detected.probe.content, detected.probe.format]).toEqual(['binary', 'symbols', null]);
      const result = await convert([recording, { name: 'any.txt', bytes: Buffer.from(dressed) }]);
      expect(objects(result)).toEqual(['l_door']);
      expect(result.report.symbols).toMatchObject([{ name: 'any.txt', kind, functions: 2, found: 2, note: '' }]);
    }
  },
);

test('only the needed ranges of a large ELF file are read', async () => {
  const size = 100_000_000,
    small = elf_file(firmware),
    large = elf_file(firmware, { padding: size - small.length });
  let delivered = 0;
  const openAt = async function* (offset: number): AsyncGenerator<Uint8Array> {
    for (let at = offset; at < large.length; at += 65536) {
      const piece = large.subarray(at, at + 65536);
      delivered += piece.length;
      yield piece;
    }
  };
  const source = { name: 'firmware.elf', size, open: () => openAt(0), openAt };
  const result = await convert([source, recording]);
  expect(objects(result)).toEqual(['l_door']);
  expect(result.report.inputs[0]).toMatchObject({ role: 'symbols', bytes: size });
  expect(delivered).toBeLessThan(2_000_000);
  const whole = await convert([{ name: 'firmware.elf', bytes: small }, recording]);
  expect(Buffer.from(result.trace).equals(Buffer.from(whole.trace))).toBe(true);
});

test('a packed ELF file is kept whole', async () => {
  const result = await convert([recording, { name: 'firmware.elf.gz', bytes: gzipSync(elf_file(firmware)) }]);
  expect(objects(result)).toEqual(['l_door']);
});

test('a symbol file alone is no recording, and it is not used for a recording without addresses', async () => {
  await expect(convert({ name: 'firmware.elf', bytes: elf_file(firmware) })).rejects.toThrow(
    'This is the firmware (ELF)',
  );
  const { report } = await convert([
    join(root, 'web', 'public', 'demos', 'uart.vcd'),
    { name: 'firmware.elf', bytes: elf_file(firmware) },
  ]);
  expect(report.inputs).toHaveLength(1);
});
