// SPDX-License-Identifier: MIT
// Names and settings of another capture, cores that the user assigned, and objects that several cores of TraceRecorder share.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../generator/random.mjs';
import { psf_cores } from '../generator/psf-cores.mjs';
import { concat, frame } from '../generator/tband.mjs';
import { differences_of_cores } from './cores.mjs';
import { Folder, tool } from './tool.mjs';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

/** @param {string[]} files @param {string[]} [more] */
const reports = async (files, more = []) =>
  (await tool(['info', '--json', ...files.map((file) => folder.at(file)), ...more])).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const metadata = [frame('ts_resolution_ns', 1000), frame('task_name', 1, 'Motor'), frame('task_name', 2, 'Line')];
/** @param {Uint8Array[]} names */
const run = (names) =>
  concat([
    ...names,
    ...[100, 200, 300, 400, 500].flatMap((ts) => [
      frame('task_switched_in', ts, 1),
      frame('task_switched_in', ts + 50, 2),
    ]),
  ]);
const imported = (/** @type {any} */ report) =>
  report.problems.find((/** @type {any} */ { id }) => id === 'NAME_IMPORTED')?.count ?? 0;
const names_of = (/** @type {any} */ report) => report.tasks.map((/** @type {any} */ { name }) => name).toSorted();

test('a capture that ends before its first event provides names only if the user or equal names confirm it', async () => {
  folder.write('cut.bin', concat(metadata));
  folder.write('other.bin', run([]));
  folder.write('same.bin', run([frame('task_name', 1, 'Motor')]));
  const apart = await reports(['other.bin', 'cut.bin']);
  expect(apart).toHaveLength(2);
  expect(names_of(apart[0])).toEqual(['task #1', 'task #2']);
  expect(imported(apart[0])).toBe(0);
  const [given] = await reports(['other.bin'], ['--with', folder.at('cut.bin')]);
  expect(names_of(given)).toEqual(['Line', 'Motor']);
  expect(imported(given)).toBe(3); // two names and the tick length
  const proven = await reports(['same.bin', 'cut.bin']);
  expect(proven).toHaveLength(1);
  expect(names_of(proven[0])).toEqual(['Line', 'Motor']);
  expect(imported(proven[0])).toBe(2);
});

test('files that the user assigned to cores are one recording, for any names', async () => {
  for (const name of ['a', 'b', 'c']) folder.write(`${name}.bin`, run(metadata));
  const joined = await reports(['a.bin@0', 'b.bin@1', 'c.bin@2']);
  expect(joined).toHaveLength(1);
  expect(joined[0].cores.map((/** @type {any} */ { core }) => core)).toEqual([0, 1, 2]);
});

/** @param {string} name @param {number} core */
const first_with_a_file_per_core = (name, core) => {
  for (let seed = 1; ; seed++) {
    const { files } = psf_cores(new Random(seed));
    if (files.length > core) return files.forEach((bytes, i) => folder.write(`${name}.core${i}.psf`, bytes));
  }
};

test('a core without a file or without events is reported and not measured, and the load is unknown', async () => {
  first_with_a_file_per_core('all', 2);
  const [whole] = await reports(['all.core0.psf', 'all.core1.psf', 'all.core2.psf']);
  expect(whole.problems).toEqual([]);
  expect(whole.cpu.load).toBeGreaterThan(0);
  folder.write('empty.core1.psf', new Uint8Array(3));
  for (const names of [
    ['all.core0.psf', 'all.core2.psf'],
    ['all.core0.psf', 'empty.core1.psf', 'all.core2.psf'],
  ]) {
    const [report] = await reports(names);
    expect(report.problems).toMatchObject([{ id: 'CORE_MISSING', count: 1, detail: 'core 1' }]);
    expect(report.cores).toHaveLength(3);
    expect(report.cores[1]).toEqual({
      core: 1,
      load: null,
      busy: null,
      idle: null,
      interrupt: null,
      outside: null,
      unmeasured: report.time.duration,
      end: null,
    });
    expect(report.cores[0]).toEqual(whole.cores[0]);
    expect(report.cpu).toMatchObject({ load: null, interrupts: null, cores: 3 });
    expect(report.events.total).toBeLessThan(whole.events.total);
  }
});

test('10 random recordings of several cores have the CPU times, runs, interrupts and mutex holds of the target', async () => {
  expect(await differences_of_cores(folder, 10)).toEqual([]);
});
