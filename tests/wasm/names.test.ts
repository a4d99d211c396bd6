// SPDX-License-Identifier: MIT
// Files of names: recognised for any names, and used by the library for Node automatically.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { root } from '../golden/cases.mjs';

const { convert, convertAll, inspect } = await import(pathToFileURL(join(root, 'lib', 'index.js')).href);
const { QsStream, names_text, run } = await import(
  pathToFileURL(join(root, 'tests', 'generator', 'golden-qs-stream.mjs')).href
);

const sizes = { T: 2, O: 8, F: 4, S: 1, E: 4, Q: 2, P: 1, C: 2 };
const recording = () => {
  const stream = new QsStream({ sizes, sequence: 40 });
  for (let i = 0; i < 20; i++) stream.step(100 * i, 4, 0x20000100, 0x08000101).rec('SCHED_IDLE', 100 * i + 50, 3);
  return stream.bytes();
};
const hex = (number: number, digits = 8): string => `0x${number.toString(16).toUpperCase().padStart(digits, '0')}`;

/** A dictionary of many names, made from their number. */
const dictionary = (name: (number: number) => string): string =>
  [
    '-v740',
    '-T4',
    '-O4',
    '',
    'Obj-Dic:',
    '4',
    ...Array.from({ length: 400 }, (_, i) => `${hex(0x20000000 + 16 * i)} ${name(i)}`),
    '***',
    'Sig-Dic:',
    '2',
    `00000004 ${hex(0)} GO_SIG`,
    '***',
    '',
  ].join('\n');

describe('files of names', () => {
  test.each([
    ['words', (i: number) => `Object[${i}]`],
    ['hex digits', (i: number) => `abc${i}`],
    ['one letter', (i: number) => `f${i}`],
    ['like bytes', () => 'ca fe'],
  ] as const)('of %s are not recognised as hex, with any line ends', async (_, name) => {
    const text = dictionary(name);
    for (const dressed of [text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
      const [detected] = await inspect([{ name: 'names.dic', bytes: Buffer.from(dressed) }]);
      expect([detected.encoding, detected.probe.format, detected.probe.hasEvents]).toEqual(['binary', 'qs', false]);
    }
  });

  test('are used for the recording beside them automatically', async () => {
    const names = { name: 'names.dic', bytes: Buffer.from(names_text({ sizes })) };
    for (const inputs of [
      [{ name: 'a.bin', bytes: recording() }, names],
      [names, { name: 'a.bin', bytes: recording() }],
    ]) {
      const { report } = await convert(inputs);
      expect(report.inputs.map(({ role }: { role: string }) => role)).toEqual(['names', 'recording']);
      expect(report.objects.map(({ name }: { name: string }) => name)).toEqual(['Alpha']);
    }
    const two = await convertAll([
      names,
      { name: 'a.bin', bytes: recording() },
      { name: 'b.bin', bytes: run().note(5, 'x').bytes() },
    ]);
    expect(two.map(({ report }: { report: { inputs: unknown[] } }) => report.inputs.length)).toEqual([2, 2]);
  });

  test('of another format change nothing, in any role and order', async () => {
    const names = Buffer.from(names_text({ sizes }));
    const tasks = readFileSync(join(root, 'web', 'public', 'demos', 'freertos.bin'));
    const alone = await convert({ name: 'tasks.bin', bytes: tasks });
    for (const side of [true, undefined]) {
      const inputs = [
        { name: 'names.dic', bytes: names, ...(side && { role: 'names' }) },
        { name: 'tasks.bin', bytes: tasks },
      ];
      for (const order of [inputs, [...inputs].reverse()]) {
        const { trace, report } = await convert(order);
        expect(Buffer.from(trace).equals(Buffer.from(alone.trace))).toBe(true);
        expect(report).toEqual(alone.report);
        const said = (await inspect(order)).find(({ name }: { name: string }) => name === 'names.dic');
        if (!side)
          expect(said.plan).toMatchObject({
            role: 'none',
            format: 'qs',
            serves: [],
            reason: 'it is QP/Spy (QS), and no recording is',
          });
      }
    }
    const { report } = await convert([
      { name: 'a.bin', bytes: recording() },
      { name: 'tasks.bin', bytes: tasks, role: 'names' },
    ]);
    expect(report.format.name).toBe('qs');
    expect(report.inputs.length).toBe(1);
  });

  test('alone give a result without events', async () => {
    const { report } = await convert({ name: 'names.dic', bytes: Buffer.from(names_text({ sizes })) });
    expect(report.inputs[0].role).toBe('recording');
    expect(report.explain.length).toBeGreaterThan(0);
  });
});
