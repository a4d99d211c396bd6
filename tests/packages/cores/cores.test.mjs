// SPDX-License-Identifier: MIT
// The random comparison of `npm test` with many more recordings.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differences_of_cores } from '../../cli/cores.mjs';
import { Folder } from '../../cli/tool.mjs';

const RECORDINGS = 200;

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

test(`${RECORDINGS} random recordings of several cores have the figures of the target`, async () => {
  expect(await differences_of_cores(folder, RECORDINGS)).toEqual([]);
});
